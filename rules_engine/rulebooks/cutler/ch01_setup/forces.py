"""Starting forces: ships bought from the points that each race has, and stationed at its planets. 1.1.3"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.setup import Setup
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet, Unit, new_unit

MOST_SHIPS = 60
_ITEM = re.compile(r"(?:(\d{1,3})\s*x?\s+)?(\S.*)")


class ForceLine(PartialLine):
    """The ships stationed at a planet: ``2 frigate, destroyer``. What is left out is as it was filled in."""

    ships: str | None = Bounded(default=None, max_length=400)


class ForceSheet(RootModel[dict[str, ForceLine]]):
    """A race's starting force, by the planet's key."""


Bought = dict[str, Counter[str]]
"""How many of each class stand at each planet."""


@rule("1.0", "1.1.3")
def forces_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """Every race buys and stations its first ships in secret; bases and police ships come for nothing.

    1.0, 1.1.3, CU-R11, CU-R12, CU-R13
    """
    state = turn.state
    asked = turn.sides
    sheets = yield from turn.ask_all_steps([_ask(state, setup, side) for side in asked])
    for side, sheet in zip(asked, sheets, strict=True):
        bought = _read(state, setup, side, sheet)[0]
        _station(state, setup, side, bought)
        ships = sum(sum(there.values()) for there in bought.values())
        text = f"You begin with {ships} ships for {_price(setup, bought)} of {setup.rules.points} points."
        turn.tell([side], text, kind="setup", why=because("1.1.3, CU-R12, CU-R13"))


@rule("1.1.3", "1.0")
def price_of(kind: UnitClass) -> int:
    """What a ship costs at the start: the higher of its economic and its combat BPV. 1.1.3, CU-R12"""
    return max(int(kind.bpv_economic), int(kind.bpv_combat))


def _price(setup: Setup, bought: Bought) -> int:
    return sum(price_of(setup.classes[key]) * count for there in bought.values() for key, count in there.items())


def _read(state: CutlerState, setup: Setup, side: Side, sheet: ForceSheet) -> tuple[Bought, list[Refusal]]:
    """What a sheet buys where, and what of it cannot be read."""
    usual = ready_made(state, setup, side)
    buyable = {word: kind.class_id for kind in setup.buyable(_race(state, side)) for word in _names(kind)}
    bought: Bought = {}
    refusals: list[Refusal] = []
    planets = {planet.key: planet for planet in state.planets_of(side)}
    refusals += [
        malformed("there is no such line", key, legal=", ".join(planets)) for key in sheet.root if key not in planets
    ]
    for key in planets:
        said = sheet.root.get(key, ForceLine()).ships
        if said is None:
            bought[key] = usual.get(key, Counter())
            continue
        bought[key] = Counter()
        for item in filter(None, (one.strip() for one in said.split(","))):
            match = _ITEM.fullmatch(item)
            name = match[2].casefold() if match else ""
            if match is None or name not in buyable:
                legal = "classes and numbers, as 2 frigate, destroyer"
                near = nearest(name, buyable)
                refusals.append(malformed(f"you can buy no “{item[:40]}”", f"{key}.ships", legal=legal, nearest=near))
                continue
            bought[key][buyable[name]] += int(match[1] or 1)
    return bought, refusals


def _names(kind: UnitClass) -> tuple[str, ...]:
    return kind.class_id.casefold(), kind.name.casefold()


def _race(state: CutlerState, side: Side) -> str:
    return state.name_of(side)


@rule("1.1.3")
def judge_force(setup: Setup, bought: Mapping[str, Mapping[str, int]]) -> list[Refusal]:
    """Whether a force keeps to the points and to every limit. 1.1.3, CU-R11"""
    counts: Counter[str] = Counter()
    for there in bought.values():
        counts.update(there)
    rules = setup.rules
    refusals: list[Refusal] = []
    total = sum(price_of(setup.classes[key]) * count for key, count in counts.items())
    if total > rules.points:
        text = f"these ships cost {total} points"
        refusals.append(illegal(text, "1.1.3, CU-R12", "forces", legal=f"{rules.points} in all"))
    if (ships := sum(counts.values())) > MOST_SHIPS:
        refusals.append(illegal(f"{ships} ships are too many", "1.1.3", "forces", legal=f"{MOST_SHIPS} in all"))
    for key, count in counts.items():
        if count > rules.each_class:
            text = f"{count} of the class {setup.classes[key].name}"
            refusals.append(illegal(text, "1.1.3, CU-R11", "forces", legal=f"at most {rules.each_class} of a class"))
    for limit in rules.limits:
        count = sum(number for key, number in counts.items() if limit.counts(setup.classes[key]))
        if count > limit.most:
            text = f"{count} of {limit.says}"
            refusals.append(illegal(text, "1.1.3, CU-R11", "forces", legal=f"at most {limit.most}"))
    freighters = sum(
        price_of(setup.classes[key]) * number
        for key, number in counts.items()
        if setup.classes[key].kind in ("freighter", "q_ship")
    )
    most = rules.points * rules.freighter_share // 100
    if freighters > most:
        text = f"freighters for {freighters} points"
        refusals.append(illegal(text, "1.1.3, CU-R11", "forces", legal=f"at most {most}"))
    return refusals


def ready_made(state: CutlerState, setup: Setup, side: Side) -> Bought:
    """The force for who does not want to choose: the scenario's, of classes that the race has, shared out over the
    planets in turn, the largest ships first."""
    have = {kind.class_id: kind for kind in setup.buyable(_race(state, side))}
    planets = [planet.key for planet in _by_rank(state.planets_of(side))]
    ships = [key for key, count in setup.rules.ready_made.items() if key in have for _ in range(count)]
    ships.sort(key=lambda key: (have[key].size_class, -price_of(have[key]), key))
    bought: Bought = {key: Counter() for key in planets}
    for number, key in enumerate(ships):
        bought[planets[number % min(3, len(planets))]][key] += 1
    return bought


def _by_rank(planets: Iterable[Planet]) -> list[Planet]:
    rank = ("capital", "major", "minor")
    return sorted(planets, key=lambda one: (rank.index(one.kind), one.key))


def _station(state: CutlerState, setup: Setup, side: Side, bought: Bought) -> None:
    """Put the ships at their planets, a fleet at each, and the free bases and police ships beside them."""
    named: Counter[str] = Counter()
    for planet in _by_rank(state.planets_of(side)):
        ships = [key for key, count in sorted(bought[planet.key].items()) for _ in range(count)]
        fleet = [_build(state, setup.classes[key], planet, named) for key in ships]
        fleet += [_build(state, setup.classes[key], planet, named) for key in setup.rules.bases.at(planet.kind)]
        if ships_in_fleet := [unit.id for unit in fleet if unit.in_fleets]:
            state.new_fleet(side, ships_in_fleet)


def _build(state: CutlerState, kind: UnitClass, planet: Planet, named: Counter[str]) -> Unit:
    named[kind.class_id] += 1
    number = named[kind.class_id]
    unit = new_unit(f"{planet.race}-{kind.class_id}-{number}", planet.race, f"{kind.name} {number}", kind, planet.hex)
    state.units[unit.id] = unit
    return unit


# --- asking ----------------------------------------------------------------------------------------------------------


def _ask(state: CutlerState, setup: Setup, side: Side) -> Ask[ForceSheet]:
    usual = ready_made(state, setup, side)
    race = _race(state, side)
    prices = ", ".join(f"{kind.name} {price_of(kind)}" for kind in setup.buyable(race))
    lines = tuple(
        Line(
            planet.key,
            f"{planet.name}, {planet.hex}",
            (
                Field(
                    "ships", "Ships", "text", most=400, value=_written(setup, usual.get(planet.key, {})), optional=True,
                    help="classes and numbers, as 2 frigate, destroyer",
                ),
            ),
            f"{planet.kind} planet",
        )
        for planet in _by_rank(state.planets_of(side))
    )  # fmt: skip
    return Ask(
        kind="forces",
        parties=(side,),
        title="Set-up: your first ships",
        text=f"You have {setup.rules.points} points. Each class costs the higher of its two values: {prices}."[:800],
        question=Question(
            "Your first ships", f"You have {setup.rules.points} points to spend; a ready-made force is filled in."
        ),
        model=ForceSheet,
        form=Form(lines),
        rule="1.1.3, CU-R11, CU-R12",
        default=ForceSheet({}),
        default_says="You take the ready-made force as it is filled in.",
        check=lambda sheet: _judge(state, setup, side, sheet),
        read_back=lambda sheet: _read_back(state, setup, side, sheet),
    )


def _judge(state: CutlerState, setup: Setup, side: Side, sheet: ForceSheet) -> list[Refusal]:
    bought, refusals = _read(state, setup, side, sheet)
    return refusals or judge_force(setup, bought)


def _written(setup: Setup, there: Mapping[str, int]) -> str:
    parts = [f"{count} {key}" if count > 1 else key for key, count in sorted(there.items())]
    return ", ".join(parts)


def _named(setup: Setup, there: Mapping[str, int]) -> str:
    return ", ".join(counted(count, setup.classes[key].name) for key, count in sorted(there.items()))


def _read_back(state: CutlerState, setup: Setup, side: Side, sheet: ForceSheet) -> Sequence[str]:
    bought, _ = _read(state, setup, side, sheet)
    names = {planet.key: f"{planet.name}, {planet.hex}" for planet in state.planets_of(side)}
    said = [f"{names[key]}: {_named(setup, there)}." for key, there in bought.items() if there]
    return [*said, f"{_price(setup, bought)} of {setup.rules.points} points."]
