"""Chapter 4.4.9: ground bases, built at once on a planet, and on the moons in its hex, for its new CPV."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, sentence, verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.economy_lines import GroundLine
from rules_engine.rulebooks.cutler.records.ground import HEXSIDES, GroundBases, Hexside, in_words, with_more
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.parts.ground_units import (
    ground_base_limit,
    ground_classes,
    ground_on,
    hexside_room,
    stand_on,
)
from rules_engine.rulebooks.cutler.records.parts.moons import is_gas_giant
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet
from rules_engine.rulebooks.cutler.records.tables import GROUND_BASES_A_HEXSIDE

GROUP = "Ground bases"
SILENT = GroundLine()
IN_TURN = "one by one in turn; none: on all"


@dataclass
class GroundPlan:
    """The ground bases that a sheet builds: by planet or moon those that stand there then, and of which class the new
    ones are; by hex the CPV that they take; and every defect."""

    standing: dict[str, GroundBases] = field(default_factory=dict[str, GroundBases])
    kinds: dict[str, UnitClass] = field(default_factory=dict[str, UnitClass])
    spent: dict[HexId, int] = field(default_factory=dict[HexId, int])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def ground_planets(state: CutlerState, race: Side) -> dict[str, Planet]:
    """A race's planets by the keys of their lines. Gas giants are none, and no ground base stands on them. CU-R94"""
    return {f"G{number}": planet for number, planet in enumerate(state.planets_of(race), 1)}


@rule("4.4.9")
def moons_beside(state: CutlerState, planet: Planet) -> list[Planet]:
    """The moons in a planet's hex that its holder has, too: its new CPV pay for ground bases there. 4.4.9, CU-N113"""
    moons = [state.moons[key] for key in sorted(state.moons)]
    return [moon for moon in moons if moon.hex == planet.hex and moon.owner == planet.owner]


@rule("4.4.9")
def most_affordable(state: CutlerState, planet: Planet, *bodies: Planet) -> int:
    """Ground bases that a planet's own new CPV pay, as far as these bodies have room for them. 4.4.9, CU-R94"""
    cheapest = next(iter(ground_classes(state, planet.owner).values()))
    paid = income_of(planet, state.turn) // cheapest.cpv
    return min(paid, sum(hexside_room(state, body, side) for body in bodies for side in HEXSIDES))


def ground_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each planet that can build ground bases now."""
    lines: list[Line] = []
    for key, planet in ground_planets(state, race).items():
        fields = (*_planet_fields(state, planet), *_moon_fields(state, planet))
        if fields:
            fields += _type_fields(state, race)
            note = f"{in_words(ground_on(state, planet))}; paid with the new CPV of this planet alone"
            lines.append(Line(key, f"Ground bases on {planet.name}", fields, note, GROUP))
    return lines


@rule("4.4.9")
def _type_fields(state: CutlerState, race: Side) -> tuple[Field, ...]:
    """The class of the new ground bases, where there are several. 4.4.9, CU-N63"""
    kinds = ground_classes(state, race)
    ways = tuple(Choice(key, kind.name, f"{kind.cpv} CPV") for key, kind in kinds.items())
    return (Field("type", "Of which class", "one", ways, optional=True, help="blank: the first"),) if ways[1:] else ()


def _planet_fields(state: CutlerState, planet: Planet) -> list[Field]:
    if not (most := most_affordable(state, planet, planet)):
        return []
    sides = tuple(Choice(side, f"{side}: {hexside_room(state, planet, side)} free") for side in HEXSIDES)
    prices = sorted({kind.cpv for kind in ground_classes(state, planet.owner).values()})
    price = f"{' or '.join(map(str, prices))} CPV each"
    return [
        number_field("build", "Ground bases to build", range(most + 1), 0, price),
        Field("sides", "Hexsides", "many", sides, value=[], optional=True, help=IN_TURN),
    ]


def _moon_fields(state: CutlerState, planet: Planet) -> list[Field]:
    moons = moons_beside(state, planet)
    if not (most := most_affordable(state, planet, *moons)):
        return []
    named = tuple(Choice(moon.key, f"{moon.name}: {in_words(ground_on(state, moon))}") for moon in moons)
    sides = tuple(Choice(side, side) for side in HEXSIDES)
    return [
        number_field("on_moons", "Ground bases to build on its moons", range(most + 1), 0, "paid likewise"),
        Field("moons", "Moons", "many", named, value=[], optional=True, help=IN_TURN),
        Field("moon_sides", "Hexsides of moons", "many", sides, value=[], optional=True, help=IN_TURN),
    ]


@rule("4.4.9")
def judge_ground(state: CutlerState, race: Side, sheet: TurnSheet) -> GroundPlan:
    """What a sheet builds on planets and moons, and whether each planet pays for it and each body has room.
    4.4.9, CU-R94, CU-N63, CU-N113"""
    plan = GroundPlan()
    planets = ground_planets(state, race)
    for key, line in sheet.ground.items():
        planet = planets.get(key)
        if planet is None:
            legal, near = ", ".join(planets) or "none", nearest(key, planets)
            plan.refusals.append(malformed("you hold no such planet", key, legal=legal, nearest=near))
            continue
        kind, refusals = _kind_of(state, race, key, line)
        refusals = refusals or _defects(state, planet, key, line, kind.cpv)
        plan.refusals += refusals
        if refusals:
            continue
        new: dict[str, GroundBases] = {}
        if line.build:
            new[planet.key] = with_more(ground_on(state, planet), line.build, sides_in(line.sides))
        if line.on_moons:
            moons = _moons_named(state, planet, line)
            new |= on_moons(state, moons, line.on_moons, sides_in(line.moon_sides))
        plan.standing |= new
        plan.kinds |= dict.fromkeys(new, kind)
        if built := line.build + line.on_moons:
            plan.spent[planet.hex] = plan.spent.get(planet.hex, 0) + built * kind.cpv
    return plan


@rule("4.4.9")
def _kind_of(state: CutlerState, race: Side, key: str, line: GroundLine) -> tuple[UnitClass, list[Refusal]]:
    """The class of a line's ground bases, the cheapest if none is named, and why it cannot be built. 4.4.9, CU-N63"""
    kinds = ground_classes(state, race)
    cheapest = next(iter(kinds.values()))
    if line.type is None or line.type in kinds:
        return kinds.get(line.type or "", cheapest), []
    legal = ", ".join(kinds)
    if line.type in state.classes:
        text = f"{state.classes[line.type].name}: no ground base, or another race's"
        return cheapest, [illegal(text, "4.4.9, CU-N63", f"{key}.type", legal=legal)]
    near = nearest(line.type, kinds)
    return cheapest, [malformed("there is no such class", f"{key}.type", legal=legal, nearest=near)]


def sides_in(words: Collection[str]) -> list[Hexside]:
    """The hexsides among these words, in their order; all, if there are no words."""
    return [side for side in HEXSIDES if side in words or not words]


def _moons_named(state: CutlerState, planet: Planet, line: GroundLine) -> list[Planet]:
    return [moon for moon in moons_beside(state, planet) if moon.key in line.moons or not line.moons]


@rule("4.4.9")
def on_moons(
    state: CutlerState, moons: Sequence[Planet], more: int, sides: Sequence[Hexside]
) -> dict[str, GroundBases]:
    """So many more on these moons, by key: one by one on that which has the fewest and room on one of the hexsides.
    What has no room anywhere is left out. 4.4.9, CU-R94, CU-N113"""
    found: dict[str, GroundBases] = {}
    standing = {moon.key: ground_on(state, moon) for moon in moons}
    for _ in range(more):
        free = {key: room for key, ground in standing.items() if (room := _open_on_moon(ground, sides))}
        if not free:
            break
        key = min(free, key=lambda one: sum(standing[one].values()))
        standing[key] = found[key] = with_more(standing[key], 1, free[key])
    return found


def _open_on_moon(ground: GroundBases, sides: Sequence[Hexside]) -> list[Hexside]:
    """Those of these hexsides of a moon that have room."""
    return [side for side in sides if ground.get(side, 0) < GROUND_BASES_A_HEXSIDE["moon"]]


@rule("4.4.9")
def _defects(state: CutlerState, planet: Planet, key: str, line: GroundLine, cost: int) -> list[Refusal]:
    """Why so many ground bases cannot be built there. 4.4.9, CU-R94"""
    for where, words in (("sides", line.sides), ("moon_sides", line.moon_sides)):
        if unknown := [side for side in words if side not in HEXSIDES]:
            return [malformed(f"there is no hexside {unknown[0]!r}", f"{key}.{where}", legal=", ".join(HEXSIDES))]
    made, wanted = income_of(planet, state.turn), line.build + line.on_moons
    if wanted * cost > made:
        bases = f"{counted(wanted, 'ground base')} {verb(wanted, 'costs', 'cost')}"
        text = f"{planet.name} makes {made} CPV, and {bases} {wanted * cost}"
        path = f"{key}.build" if line.build else f"{key}.on_moons"
        return [illegal(text, "4.4.9, CU-R94", path, legal=f"0 to {made // cost} in all")]
    return _planet_defects(state, planet, key, line) + _moon_defects(state, planet, key, line)


@rule("4.4.9")
def _planet_defects(state: CutlerState, planet: Planet, key: str, line: GroundLine) -> list[Refusal]:
    """More than a hexside of the planet has room for. 4.4.9, CU-R94"""
    sides = sides_in(line.sides)
    standing = with_more(ground_on(state, planet), line.build, sides)
    if any(standing.get(side, 0) > GROUND_BASES_A_HEXSIDE[planet.kind] for side in sides):
        room = sum(hexside_room(state, planet, side) for side in sides)
        text = f"a {planet.kind} planet has room for {GROUND_BASES_A_HEXSIDE[planet.kind]} ground bases on a hexside"
        text += f", {ground_base_limit(planet.kind)} in all"
        return [illegal(text, "4.4.9, CU-R94", f"{key}.build", legal=f"0 to {room} on {', '.join(sides)}")]
    return []


@rule("4.4.9")
def _moon_defects(state: CutlerState, planet: Planet, key: str, line: GroundLine) -> list[Refusal]:
    """Moons that are none of the planet's hex, or another's, gas giants, and more than moons have room for.
    4.4.9, CU-R94, CU-N113"""
    beside = {moon.key for moon in moons_beside(state, planet)}
    legal = ", ".join(sorted(beside)) or "none"
    for name in line.moons:
        if is_gas_giant(name, state.systems):
            text = "no ground base stands on a gas giant"
            return [illegal(text, "4.4.9, CU-R94", f"{key}.moons", legal=legal)]
        if name in state.moons and name not in beside:
            text = f"{state.moons[name].name} is not a moon of yours in {planet.hex}"
            return [illegal(text, "4.4.9, CU-N113", f"{key}.moons", legal=legal)]
        if name not in beside:
            near = nearest(name, sorted(beside))
            return [malformed("there is no such moon", f"{key}.moons", legal=legal, nearest=near)]
    sides = sides_in(line.moon_sides)
    room = sum(hexside_room(state, moon, side) for moon in _moons_named(state, planet, line) for side in sides)
    if line.on_moons <= room:
        return []
    text = f"a moon has room for {GROUND_BASES_A_HEXSIDE['moon']} ground base on a hexside"
    text += f", {ground_base_limit('moon')} in all"
    return [illegal(text, "4.4.9, CU-R94", f"{key}.on_moons", legal=f"0 to {room} on these moons and hexsides")]


@rule("4.1.2", "4.4.9")
def build_ground_bases(turn: CutlerTurn, race: Side, plan: GroundPlan) -> None:
    """Ground bases stand at once, without any repair box, and their people are in them. 4.1.2, 4.4.9, CU-R94"""
    state = turn.state
    bodies = state.bodies()
    for key, standing in plan.standing.items():
        planet, kind, before = bodies[key], plan.kinds[key], ground_on(state, bodies[key])
        new: GroundBases = {side: count - before.get(side, 0) for side, count in standing.items()}
        stand_on(state, planet, new, kind)
        built = sum(new.values())
        text = sentence(f"{planet.name} ({planet.hex}) builds {built} for {built * kind.cpv} CPV")
        text += f" ({kind.name})" if _has_choice(state, race) else ""
        text += f", and has {in_words(standing)}."
        turn.tell([race], text, kind="economy", why=because("4.4.9, CU-R94"))


def read_ground(state: CutlerState, plan: GroundPlan) -> list[str]:
    """What a sheet builds on planets and moons, in plain words."""
    bodies = state.bodies()
    return [
        f"{sentence(bodies[key].name)} will have {in_words(standing)}"
        + (f", the new ones of class {plan.kinds[key].name}." if _has_choice(state, bodies[key].owner) else ".")
        for key, standing in plan.standing.items()
    ]


def _has_choice(state: CutlerState, race: Side) -> bool:
    return len(ground_classes(state, race)) > 1
