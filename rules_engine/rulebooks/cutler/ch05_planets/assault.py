"""Chapter 5.3: the fight for a planet's surface, fought by hand. Set-up, accounts, and what they change. CU-R99"""

from collections.abc import Iterable, Mapping

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, Sheet, number_field
from rules_engine.core.forms.short_forms import OneField, ShortForm, ShortPage
from rules_engine.core.knowledge.battle_outcome import UnitOutcome
from rules_engine.core.knowledge.battle_scene import BattleForce, BattleScene, BattleUnit, notes_from
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.accounts import (
    HOW_IT_ENDED,
    NOTHING_LOST,
    AccountGuide,
    Difference,
    StatedEnd,
    field_difference,
    in_a_row,
    say_difference,
)
from rules_engine.core.protocol.asks import SETTLED_BY, Agreement, Ask, BattleSetup, Steps
from rules_engine.core.protocol.question import Question, first_words
from rules_engine.rulebooks.cutler.ch03_combat.pictures import parties_of
from rules_engine.rulebooks.cutler.ch05_planets.capture import fighting_for, holds_out, landed_forces
from rules_engine.rulebooks.cutler.records.orders import PartialLine
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units, parties_in, that_fall
from rules_engine.rulebooks.cutler.records.parts.surface_shuttles import keep_in_boxes
from rules_engine.rulebooks.cutler.records.parts.troops import SQUADS, Landed, Squads, plus
from rules_engine.rulebooks.cutler.records.planetary import vehicles_for
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet, Unit

HOLDER = "planet"
"""The line of the planet's holder; those of invaders are named after their emblems."""
TROOPS = {
    "boarding_parties": "Boarding parties",
    "heavy": "Heavy weapons squads among them",
    "commando": "Commandos among them",
    "gcv": "Ground combat vehicles",
    "crew_units": "Crew units",
    "ground_bases": "Ground bases intact",
    "in_bases": "Boarding parties in ground bases",
}

NOT_AGAIN = "They do not fight on until troops come, leave or are lost."


class Survivors(PartialLine):
    """What is left of one side's troops."""

    boarding_parties: int = Bounded(default=0, ge=0, strict=True)
    heavy: int = Bounded(default=0, ge=0, strict=True)
    commando: int = Bounded(default=0, ge=0, strict=True)
    gcv: int = Bounded(default=0, ge=0, strict=True)
    crew_units: int = Bounded(default=0, ge=0, strict=True)
    ground_bases: int = Bounded(default=0, ge=0, strict=True)
    in_bases: int = Bounded(default=0, ge=0, strict=True)

    @property
    def squads(self) -> Squads:
        """The squads of other kinds among the boarding parties."""
        return plus({"heavy": self.heavy, "commando": self.commando}, {})


class AssaultResult(RootModel[dict[str, Survivors]]):
    """A line for the planet, and one for each race that landed troops."""


@rule("5.3")
def assaults_steps(turn: CutlerTurn) -> Steps[None]:
    """Every planet and moon on which troops meet: each is a strand, for none depends on another. 5.3, CU-R99"""
    state = turn.state
    places = places_of(state.planets.values())
    places |= {f"{moon.hex} {moon.feature}": moon for _, moon in sorted(state.moons.items())}
    parties: dict[str, list[Side]] = {}
    for key, planet in places.items():
        invaders, forces = fighting_for(state, planet), landed_forces(state, planet)
        if (len(forces) > 1 or (invaders and holds_out(state, planet))) and not _stands_off(state, planet):
            parties[key] = [race for race in state.races() if race == planet.owner or race in invaders]

    def there_steps(there: CutlerTurn, key: str) -> Steps[None]:
        return _assault_steps(there, places[key], parties[key])

    yield from turn.parting_steps(parties, there_steps)


@rule("5.3")
def _stands_off(state: CutlerState, planet: Planet) -> bool:
    """Whether the combat there ended by rule, and no troops have come, left or been lost since. 5.3, CU-N187"""
    if planet.stood_off and planet.stood_off != _standing(state, planet):
        planet.stood_off = ""
    return bool(planet.stood_off)


def _standing(state: CutlerState, planet: Planet) -> str:
    """The troops of each side there, written down."""
    return "; ".join(f"{race} {sorted(troops.items())}" for race, troops in _forces(state, planet).values())


def places_of(planets: Iterable[Planet]) -> dict[str, Planet]:
    """All planets by the names of their strands, which players read: a hex, and the number of a further one there. It
    counts all that are there, for a number of those fought for would tell of other fights."""
    ordered = sorted(planets, key=lambda planet: (planet.hex, planet.key))
    hexes = [planet.hex for planet in ordered]
    numbers = [hexes[:at].count(planet.hex) + 1 for at, planet in enumerate(ordered)]
    return {
        planet.hex if number == 1 else f"{planet.hex} {number}": planet
        for number, planet in zip(numbers, ordered, strict=True)
    }


def _forces(state: CutlerState, planet: Planet) -> dict[str, tuple[Side, dict[str, int]]]:
    """Who fights on the surface, by the key of the line: a race, and the troops that it has there."""
    held = _troops(planet.boarding_parties, planet.squads, planet.gcv)
    bases = ground_units(state, planet)
    held |= {"crew_units": planet.crew_units, "ground_bases": len(bases), "in_bases": parties_in(bases)}
    emblems = {label.key: label.emblem for label in state.sides}
    beside = planet.landed_with
    invaders = {
        emblems[race]: (race, _troops(planet.landed[race], with_them.squads, with_them.gcv))
        for race in fighting_for(state, planet)
        for with_them in (beside.get(race, Landed()),)
    }
    return {HOLDER: (planet.owner, held), **invaders}


def _troops(parties: int, squads: Squads, gcv: int) -> dict[str, int]:
    return {"boarding_parties": parties, **{squad: squads.get(squad, 0) for squad in SQUADS}, "gcv": gcv}


@rule("5.3", "4.2.4.8")
def _assault_steps(turn: CutlerTurn, planet: Planet, parties: list[Side]) -> Steps[None]:
    """Ask all sides what is left of the troops, and take what they agree upon. 5.3, 4.2.4.8, CU-R99"""
    state = turn.state
    where = f"{planet.hex}, turn {state.turn}, impulse {state.impulse}"
    form = _form(state, planet)
    ask: Ask[AssaultResult] = Ask(
        kind="assault",
        parties=tuple(parties),
        forces=((planet.owner,), *landed_forces(state, planet)),
        title=f"Ground combat on {planet.name}",
        text="Fight it out by the sheet. Then all sides report what is left; the reports must agree line by line.",
        model=AssaultResult,
        form=form,
        rule="5.3, CU-R99",
        pace="battle",
        check=lambda result: judge_assault(state, planet, result),
        read_back=lambda result: [_in_words(state, planet, key, line) for key, line in result.root.items()],
        warn=lambda result: _warn(state, planet, result),
        agree=lambda accounts: _agree(state, planet, accounts),
        setup=BattleSetup(
            key=turn.place,
            title=f"Ground combat on {planet.name}: {in_a_row([state.name_of(race) for race in parties])}",
            where=where,
            panels=_panels(state, planet),
            scene=_scene(state, planet, parties),
        ),
        guide=_guide(state, planet),
        ends=StatedEnd(f"{NOTHING_LOST} {NOT_AGAIN}", form.prefilled),
        question=Question(first_words(f"Ground combat on {planet.name}"), HOW_IT_ENDED),
        set_up_from=frozenset(
            {
                f"{'moons' if planet.key in state.moons else 'planets'}.{planet.key}",
                *(f"units.{unit.id}" for unit in ground_units(state, planet)),
            }
        ),
    )
    result = yield from turn.ask_steps(ask)
    said = "; ".join(_in_words(state, planet, key, result.root[key]) for key in _forces(state, planet))
    _carry_out(state, planet, result)
    settled = SETTLED_BY[turn.settlement("assault", parties)]
    if turn.settlement("assault", parties) == "by rule":
        planet.stood_off = _standing(state, planet)
    text = f"Ground combat on {planet.name} ({planet.hex}): {said}."
    turn.tell(parties, text, kind="planet", why=because("5.3, CU-R99", {settled: ""}))


def _panels(state: CutlerState, planet: Planet) -> tuple[Panel, ...]:
    rows = tuple(
        f"{state.name_of(race)}: "
        + ", ".join(f"{count} {TROOPS[what].lower()}" for what, count in troops.items() if count)
        for race, troops in _forces(state, planet).values()
    )
    what = "moon" if planet.key in state.moons else "planet"
    how = (
        "Fight by the tactical rules for ground combat; the campaign's rules have none (CU-R99).",
        f"The {what} falls as soon as its holder has no boarding party left, in ground bases neither (5.3).",
        "If both sides have some left, the fight goes on after the next impulse's combat (CU-N34).",
        "At most one ground combat vehicle for every ten boarding parties (4.2.4.8).",
    )
    return Panel(title="Troops", rows=rows), Panel(title="How (5.3)", rows=how)


def _scene(state: CutlerState, planet: Planet, parties: list[Side]) -> BattleScene:
    """What the picture of a fight for a surface shows: the troops of its holder left, those of all who landed right."""
    what = "moon" if planet.key in state.moons else "planet"
    invaders = tuple(race for race in parties if race != planet.owner)
    lands = verb(len(invaders), "has landed", "have landed")
    emblems = {label.key: label.emblem for label in state.sides}
    units: list[BattleUnit] = []
    for race, troops in _forces(state, planet).values():
        held = [(count, TROOPS[of]) for of, count in troops.items() if count]
        units += [
            BattleUnit(code=f"{emblems[race]}{number}", side=race, kind=str(count), under=name.lower())
            for number, (count, name) in enumerate(held, start=1)
        ]
    _, how = _panels(state, planet)
    return BattleScene(
        title=f"Ground combat on {planet.name}",
        when=f"Turn {state.turn}, impulse {state.impulse} · {planet.hex}",
        parties=parties_of(state, parties),
        forces=(BattleForce(sides=(planet.owner,), does=f"holds the {what}"), BattleForce(sides=invaders, does=lands)),
        units=tuple(units),
        remark=f"The {what} falls as soon as its holder has no boarding party left.",
        notes=(notes_from(how),),
    )


def _form(state: CutlerState, planet: Planet) -> Form:
    lines: list[Line] = []
    for key, (race, troops) in _forces(state, planet).items():
        fields: list[Field] = [
            number_field(what, f"{TROOPS[what]} left", range(count + 1), count)
            for what, count in troops.items()
            if count or what == "boarding_parties"
        ]
        what = "landed"
        if key == HOLDER:
            what = "holds the moon" if planet.key in state.moons else "holds the planet"
        lines.append(Line(key=key, label=f"{state.name_of(race)} ({what})", fields=tuple(fields)))
    return Form(lines=tuple(lines))


@rule("5.3", "4.2.4.8")
def judge_assault(state: CutlerState, planet: Planet, result: AssaultResult) -> list[Refusal]:
    """Refusals of an account: every force is accounted for, and none has more left than it had. 5.3, 4.2.4.8, CU-R99"""
    forces = _forces(state, planet)
    refusals = [
        malformed(f"the {state.name_of(race)} is not accounted for", key)
        for key, (race, _) in forces.items()
        if key not in result.root
    ]
    for key, line in result.root.items():
        if key not in forces:
            near = nearest(key, forces)
            refusals.append(malformed("nobody like that fights here", key, legal=", ".join(forces), nearest=near))
            continue
        race, troops = forces[key]
        for what, name in TROOPS.items():
            left, had = getattr(line, what), troops.get(what, 0)
            if left > had:
                text = f"the {state.name_of(race)} had {had}, {left} are reported left: {name.lower()}"
                refusals.append(illegal(text, "5.3, CU-R99", f"{key}.{what}", legal=f"0 to {had}"))
        if sum(line.squads.values()) > line.boarding_parties:
            text = "heavy weapons squads and commandos are among the boarding parties that are left"
            legal = f"{line.boarding_parties} of both at most"
            refusals.append(
                illegal(text, "5.3, 5.3.3", f"{key}.{'commando' if line.commando else 'heavy'}", legal=legal)
            )
        refusals += _judge_bases(state, planet, line) if key == HOLDER else []
        if line.gcv > (most := vehicles_for(line.boarding_parties)):
            text = "one ground combat vehicle for every ten boarding parties at most"
            refusals.append(illegal(text, "4.2.4.8", f"{key}.gcv", legal=f"0 to {most}"))
    return refusals


@rule("5.3", "4.2.4.8")
def _judge_bases(state: CutlerState, planet: Planet, line: Survivors) -> list[Refusal]:
    """More boarding parties left in ground bases than were in those that are left. 5.3, 4.2.4.8, CU-N143"""
    bases = ground_units(state, planet)
    if line.ground_bases > len(bases):
        return []
    lost = that_fall(bases, line.ground_bases)
    most = parties_in(unit for unit in bases if unit not in lost)
    if line.in_bases <= most:
        return []
    text = f"in the {line.ground_bases} ground bases that are left were {most} boarding parties"
    return [illegal(text, "5.3, CU-N143", f"{HOLDER}.in_bases", legal=f"0 to {most}")]


def _warn(state: CutlerState, planet: Planet, result: AssaultResult) -> list[str]:
    left = {
        race
        for key, (race, _) in _forces(state, planet).items()
        if (line := result.root.get(key, Survivors())).boarding_parties + line.in_bases
    }
    if sum(not left.isdisjoint(force) for force in ((planet.owner,), *landed_forces(state, planet))) < 2:
        return []
    return ["More than one side has boarding parties left, so the fight goes on in the next impulse (CU-N34)."]


def _in_words(state: CutlerState, planet: Planet, key: str, line: Survivors) -> str:
    race, troops = _forces(state, planet)[key]
    left = [f"{getattr(line, what)} {TROOPS[what].lower()}" for what in troops if getattr(line, what)]
    return f"{state.name_of(race)} {', '.join(left) or 'nothing'} left"


def _agree(state: CutlerState, planet: Planet, accounts: Mapping[Side, AssaultResult]) -> Agreement[AssaultResult]:
    """The accounts, compared line by line."""
    first = next(iter(accounts.values()))
    differences = [
        say_difference(
            key if key != HOLDER else planet.name,
            [
                ([state.name_of(race)], _in_words(state, planet, key, account.root[key]))
                for race, account in accounts.items()
            ],
        )
        for key in _forces(state, planet)
        if any(account.root[key] != first.root[key] for account in accounts.values())
    ]
    return Agreement(None if differences else first, tuple(differences), tuple(_places(state, planet, accounts)))


def _places(state: CutlerState, planet: Planet, accounts: Mapping[Side, AssaultResult]) -> Iterable[Difference]:
    """The fields in which accounts differ."""
    for line in _form(state, planet).lines:
        for field in line.fields:
            values = {race: getattr(account.root[line.key], field.key) for race, account in accounts.items()}
            if len(set(values.values())) > 1:
                what = f"{_forces_name(state, planet, line.key)}: {field.label.lower()}"
                yield field_difference(line.key, field, what, values)


def _forces_name(state: CutlerState, planet: Planet, key: str) -> str:
    return state.name_of(_forces(state, planet)[key][0])


def _guide(state: CutlerState, planet: Planet) -> AccountGuide:
    """The boarding parties that each has left: what decides who holds the planet. All else is as it was. 5.3"""
    forces = _forces(state, planet)
    emblems = {label.key: label.emblem for label in state.sides}
    what = tuple(
        OneField(key, "boarding_parties", f"{state.name_of(race)}: boarding parties left")
        for key, (race, _) in forces.items()
    )

    def outcome(key: str, race: Side, had: int, sheet: Sheet) -> UnitOutcome:
        left = sheet.get(key, {}).get("boarding_parties", had)
        is_gone = not left and not sheet.get(key, {}).get("in_bases")
        says = f"{left} of {had} left" if isinstance(left, int) else f"{had} left"
        return UnitOutcome(code=emblems[race], side=race, says=says, ending="lost" if is_gone else "there")

    return AccountGuide(
        ShortForm((ShortPage("Boarding parties left", what),)),
        lambda sheet: tuple(
            outcome(key, race, troops["boarding_parties"], sheet)
            for key, (race, troops) in forces.items()
            if race in emblems
        ),
    )


def _carry_out(state: CutlerState, planet: Planet, result: AssaultResult) -> None:
    """What is left is what there is."""
    for key, (race, _) in _forces(state, planet).items():
        line = result.root[key]
        if key == HOLDER:
            planet.boarding_parties, planet.squads, planet.gcv = line.boarding_parties, line.squads, line.gcv
            planet.crew_units = line.crew_units
            _lose_bases(ground_units(state, planet), line)
            keep_in_boxes(state, planet)
        elif line.boarding_parties:
            planet.landed[race] = line.boarding_parties
            planet.landed_with[race] = Landed(squads=line.squads, gcv=line.gcv)
        else:
            planet.landed.pop(race)
            planet.landed_with.pop(race, None)
            planet.put_ashore.pop(race, None)


@rule("5.3", "4.2.4.8")
def _lose_bases(bases: list[Unit], line: Survivors) -> None:
    """Lose ground bases with all who are in them, and boarding parties one by one in that of the others which has the
    most. 5.3, 4.2.4.8, CU-N63, CU-N143"""
    for unit in that_fall(bases, line.ground_bases):
        unit.perish()
    for _ in range(parties_in(bases) - line.in_bases):
        max(bases, key=lambda unit: unit.boarding_parties).lose_parties(1)
