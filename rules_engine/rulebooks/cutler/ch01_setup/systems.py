"""What else is in a planet's hex, and in all others of an empire. 1.1.2.4, 1.1.2.5"""

import itertools
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch01_setup.planets import planets_in_order
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS, open_space
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of_all
from rules_engine.rulebooks.cutler.records.setup import GasGiantSizes, Setup, StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Planet

GIANT_AT_MOST, RINGS_AT_MOST, ASTEROIDS_AT_MOST = 9, 9, 5
"""Of two dice. 1.1.2.4.1, 1.1.2.4.4, 1.1.2.4.5"""
MOON_DISTANCES, GIANT_MOON_DISTANCES = range(4, 31), range(8, 41)
"""Hexes of a tactical map from the body. 1.1.2.4.2, 1.1.2.4.3"""


class Found(NamedTuple):
    """What the dice say of a planet's hex; distances and sizes are its owner's to choose."""

    moons: int
    gas_giant: bool
    giant_moons: int
    rings: bool
    asteroid_field: bool

    @property
    def leaves_choice(self) -> bool:
        """Whether its owner has anything to choose."""
        return self.gas_giant or self.moons > 0


class SystemLine(PartialLine):
    """The choices for one planet's hex; what is left out is as it was filled in."""

    moons: str | None = Bounded(default=None, max_length=60)
    giant: int | None = Bounded(default=None, strict=True)
    giant_moons: str | None = Bounded(default=None, max_length=120)


class SystemSheet(RootModel[dict[str, SystemLine]]):
    """The choices for a race's planets, by the planet's key."""


# --- dice ------------------------------------------------------------------------------------------------------------


@rule("1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3", "1.1.2.4.4", "1.1.2.4.5")
def roll_system(turn: CutlerTurn, planet: Planet) -> tuple[Found, list[Roll]]:
    """Roll for a planet's hex: a gas giant on 9 or less of two dice, D3-1 moons of the planet, 2D6-2 of the giant, its
    rings on 9 or less, an asteroid field on 5 or less. 1.1.2.4.1 to 1.1.2.4.5, CU-R06"""

    def roll(what: str, count: int) -> Roll:
        rolls.append(turn.roll(f"{what} of {planet.hex}", faces=6, count=count, key=f"{planet.hex}/{what}"))
        return rolls[-1]

    rolls: list[Roll] = []
    gas_giant = roll("gas giant", 2).total <= GIANT_AT_MOST
    moons = (roll("moons", 1).total + 1) // 2 - 1
    giant_moons = roll("moons of the gas giant", 2).total - 2 if gas_giant else 0
    rings = gas_giant and roll("rings", 2).total <= RINGS_AT_MOST
    asteroid_field = roll("asteroid field", 2).total <= ASTEROIDS_AT_MOST
    return Found(moons, gas_giant, giant_moons, rings, asteroid_field), rolls


@rule("1.1.2.5", "1.1.2.5.1", "1.1.2.4.6")
def roll_open_space(turn: CutlerTurn, setup: Setup) -> None:
    """Three dice for each hex of an empire without a planet; the core stays unexplored. Everybody sees the result.

    1.1.2.5, 1.1.2.5.1, 1.1.2.4.6, CU-R07, CU-R08
    """
    state = turn.state
    held = {planet.hex for planet in state.planets.values()}
    for place, empire in enumerate(setup.empires):
        for hex_id in empire:
            if hex_id in held:
                continue
            terrain, _ = open_space(turn, hex_id)
            if terrain is not None:
                state.terrain[hex_id] = terrain
        found = ", ".join(f"{TERRAIN_WORDS[state.terrain[one]]} in {one}" for one in empire if one in state.terrain)
        race = turn.name_of(next(side for side, chosen in setup.chosen.items() if chosen == place))
        text = f"Space of the {race}: {found or 'nothing but open space'}."
        turn.tell_all(text, kind="setup", why=because("1.1.2.5.1, CU-R07"))


# --- choices ---------------------------------------------------------------------------------------------------------


@rule("1.1.2.4", "1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3")
def systems_steps(turn: CutlerTurn, setup: Setup) -> Steps[None]:
    """Roll for all planets' hexes, and let their owners choose sizes and distances. All of it is public.

    1.1.2.4, CU-R05
    """
    state = turn.state
    planets = planets_in_order(state.planets, turn.sides)
    found: dict[str, Found] = {}
    for planet in planets:
        found[planet.key], rolls = roll_system(turn, planet)
        text = f"{planet.name} in {planet.hex}: {say_found(found[planet.key])}."
        turn.tell_all(text, kind="setup", why=because("1.1.2.4, CU-R05, CU-R06", dice=rolls))
    asked = [side for side in turn.sides if any(one.race == side and found[one.key].leaves_choice for one in planets)]
    title, sizes = "Set-up: moons and gas giants", setup.rules.gas_giants
    asks = [system_ask(sizes, side, [one for one in planets if one.race == side], found, title) for side in asked]
    sheets = dict(zip(asked, (yield from turn.ask_all_steps(asks)), strict=True)) if asks else {}
    for planet in planets:
        sheet = sheets.get(planet.race, SystemSheet({}))
        line = sheet.root.get(planet.key, SystemLine())
        state.systems[planet.hex] = system_of(sizes, found[planet.key], line)
    state.moons = moons_of_all(planets, state.systems)


def say_found(found: Found) -> str:
    """What the dice say, in words."""
    parts = [counted(found.moons, "moon")]
    if found.gas_giant:
        rings = " with rings" if found.rings else ""
        parts.append(f"a gas giant{rings} of {counted(found.giant_moons, 'moon')}")
    return ", ".join([*parts, "an asteroid field"] if found.asteroid_field else parts)


def _usual(count: int, distances: range) -> tuple[int, ...]:
    """As many distances as there are moons, no two equal or next to each other."""
    return tuple(distances[2 * number] for number in range(count))


def _read(text: str | None, count: int, distances: range) -> tuple[int, ...]:
    """The distances of a legal text."""
    return _usual(count, distances) if text is None else tuple(sorted(map(int, text.replace(",", " ").split())))


def system_of(sizes: GasGiantSizes, found: Found, line: SystemLine) -> StarSystem:
    """What the dice and its owner's line make of a planet's hex; ``sizes`` are the least and greatest of a giant."""
    size = sizes[0] if line.giant is None else line.giant
    return StarSystem(
        moons=_read(line.moons, found.moons, MOON_DISTANCES),
        gas_giant=size if found.gas_giant else 0,
        giant_moons=_read(line.giant_moons, found.giant_moons, GIANT_MOON_DISTANCES),
        rings=found.rings,
        asteroid_field=found.asteroid_field,
    )


@rule("1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3")
def judge_systems(sizes: GasGiantSizes, found: Mapping[str, Found], sheet: SystemSheet) -> list[Refusal]:
    """Whether each moon has a distance of its own within bounds, and each gas giant a size that there is.

    1.1.2.4.1 to 1.1.2.4.3, CU-R05
    """
    refusals: list[Refusal] = []
    least, most = sizes
    for key, line in sheet.root.items():
        if key not in found or not found[key].leaves_choice:
            refusals.append(malformed("there is no such line", key, legal=", ".join(found)))
            continue
        there = found[key]
        if line.giant is not None and not (there.gas_giant and least <= line.giant <= most):
            text = "there is no gas giant" if not there.gas_giant else f"no gas giant has the size {line.giant}"
            refusals.append(illegal(text, "1.1.2.4.1, CU-R05", f"{key}.giant", legal=f"{least} to {most}"))
        refusals += _judge_moons(line.moons, there.moons, MOON_DISTANCES, "1.1.2.4.2", f"{key}.moons")
        refusals += _judge_moons(
            line.giant_moons, there.giant_moons, GIANT_MOON_DISTANCES, "1.1.2.4.3", f"{key}.giant_moons"
        )
    return refusals


def _judge_moons(text: str | None, count: int, distances: range, rule_id: str, path: str) -> list[Refusal]:
    if text is None:
        return []
    words = text.replace(",", " ").split()
    legal = f"{count} of {distances[0]} to {distances[-1]}, no two equal or next to each other"
    if not all(word.isascii() and word.isdigit() and len(word) <= 3 for word in words):
        return [malformed("distances are whole numbers, as 4 10", path, legal=legal)]
    numbers = sorted(map(int, words))
    if len(numbers) != count:
        return [
            illegal(f"{counted(len(numbers), 'distance')} for {counted(count, 'moon')}", rule_id, path, legal=legal)
        ]
    if any(number not in distances for number in numbers):
        return [illegal("a moon is too near or too far", rule_id, path, legal=legal)]
    if any(other - one < 2 for one, other in itertools.pairwise(numbers)):
        return [illegal("two moons have equal distances or ones next to each other", rule_id, path, legal=legal)]
    return []


def system_ask(
    sizes: GasGiantSizes, side: Side, planets: Sequence[Planet], found: Mapping[str, Found], title: str
) -> Ask[SystemSheet]:
    """Ask a side for sizes and distances in the hexes of these planets of its own. 1.1.2.4, CU-R05"""
    mine = {planet.key: found[planet.key] for planet in planets}
    names = {planet.key: planet.name for planet in planets}
    return Ask(
        kind="systems",
        parties=(side,),
        title=title,
        text="Choose how far your moons are from the bodies they orbit, and how large your gas giants are. Battles at "
        "these places are fought with them.",
        question=Question("Your moons and gas giants", "Battles at these places are fought with them."),
        model=SystemSheet,
        form=Form(
            tuple(_line(sizes, planet, mine[planet.key]) for planet in planets if mine[planet.key].leaves_choice)
        ),
        rule="1.1.2.4, CU-R05",
        default=SystemSheet({}),
        default_says="Sizes and distances stand as they are filled in.",
        check=lambda sheet: judge_systems(sizes, mine, sheet),
        read_back=lambda sheet: [
            f"{names[key]}: {say_system(system_of(sizes, there, sheet.root.get(key, SystemLine())))}."
            for key, there in mine.items()
            if there.leaves_choice
        ],
        pace="decision",
    )


def _line(sizes: GasGiantSizes, planet: Planet, found: Found) -> Line:
    fields: list[Field] = []
    if found.moons:
        usual = " ".join(map(str, _usual(found.moons, MOON_DISTANCES)))
        fields.append(Field("moons", "Its moons", "text", most=60, value=usual, optional=True, help="4 to 30, apart"))
    if found.gas_giant:
        least, most = sizes
        fields.append(Field("giant", "Size of the gas giant", "number", least=least, most=most, value=least))
    if found.giant_moons:
        usual = " ".join(map(str, _usual(found.giant_moons, GIANT_MOON_DISTANCES)))
        hint = "8 to 40, apart"
        fields.append(
            Field("giant_moons", "The giant's moons", "text", most=120, value=usual, optional=True, help=hint)
        )
    return Line(planet.key, planet.name, tuple(fields), say_found(found))


def say_system(system: StarSystem) -> str:
    """A system in words: what else is in a planet's hex."""
    parts = [f"moons at {', '.join(map(str, system.moons))}"] if system.moons else []
    if system.gas_giant:
        giant = f"a gas giant of size {system.gas_giant}" + (" with rings" if system.rings else "")
        moons = f", its moons at {', '.join(map(str, system.giant_moons))}" if system.giant_moons else ""
        parts.append(giant + moons)
    parts += ["an asteroid field"] if system.asteroid_field else []
    return "; ".join(parts) or "nothing but the planet"
