"""Chapter 4.4.9: ground bases, built at once on a planet, and on the moons in its hex, for its new CPV."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line, number_field
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.records.economy_lines import GroundLine
from rules_engine.rulebooks.cutler.records.ground import HEXSIDES, GroundBases, Hexside, in_words, with_more
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.parts.moons import is_gas_giant
from rules_engine.rulebooks.cutler.records.planetary import ground_base_limit, hexside_room
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Planet
from rules_engine.rulebooks.cutler.records.tables import GROUND_BASES_A_HEXSIDE

GROUP = "Ground bases"
SILENT = GroundLine()
IN_TURN = "one by one in turn; none: on all"


@dataclass
class GroundPlan:
    """The ground bases that a sheet builds: by planet or moon those that stand there then, by hex the CPV that they
    take, and every defect."""

    standing: dict[str, GroundBases] = field(default_factory=dict[str, GroundBases])
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
    paid = income_of(planet, state.turn) // state.ground_base_cost.cpv
    return min(paid, sum(hexside_room(body, side) for body in bodies for side in HEXSIDES))


def ground_lines(state: CutlerState, race: Side) -> list[Line]:
    """A line for each planet that can build ground bases now."""
    lines: list[Line] = []
    for key, planet in ground_planets(state, race).items():
        fields = (*_planet_fields(state, planet), *_moon_fields(state, planet))
        if fields:
            note = f"{in_words(planet.ground)}; paid with the new CPV of this planet alone"
            lines.append(Line(key, f"Ground bases on {planet.name}", fields, note, GROUP))
    return lines


def _planet_fields(state: CutlerState, planet: Planet) -> list[Field]:
    if not (most := most_affordable(state, planet, planet)):
        return []
    sides = tuple(Choice(side, f"{side}: {hexside_room(planet, side)} free") for side in HEXSIDES)
    price = f"{state.ground_base_cost.cpv} CPV each"
    return [
        number_field("build", "Ground bases to build", range(most + 1), 0, price),
        Field("sides", "Hexsides", "many", sides, value=[], optional=True, help=IN_TURN),
    ]


def _moon_fields(state: CutlerState, planet: Planet) -> list[Field]:
    moons = moons_beside(state, planet)
    if not (most := most_affordable(state, planet, *moons)):
        return []
    named = tuple(Choice(moon.key, f"{moon.name}: {in_words(moon.ground)}") for moon in moons)
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
        refusals = _defects(state, planet, key, line)
        plan.refusals += refusals
        if line.build and not refusals:
            plan.standing[planet.key] = with_more(planet.ground, line.build, sides_in(line.sides))
        if line.on_moons and not refusals:
            plan.standing |= on_moons(_moons_named(state, planet, line), line.on_moons, sides_in(line.moon_sides))
        if (built := line.build + line.on_moons) and not refusals:
            plan.spent[planet.hex] = plan.spent.get(planet.hex, 0) + built * state.ground_base_cost.cpv
    return plan


def sides_in(words: Collection[str]) -> list[Hexside]:
    """The hexsides among these words, in their order; all, if there are no words."""
    return [side for side in HEXSIDES if side in words or not words]


def _moons_named(state: CutlerState, planet: Planet, line: GroundLine) -> list[Planet]:
    return [moon for moon in moons_beside(state, planet) if moon.key in line.moons or not line.moons]


@rule("4.4.9")
def on_moons(moons: Sequence[Planet], more: int, sides: Sequence[Hexside]) -> dict[str, GroundBases]:
    """So many more on these moons, by key: one by one on that which has the fewest and room on one of the hexsides.
    What has no room anywhere is left out. 4.4.9, CU-R94, CU-N113"""
    found: dict[str, GroundBases] = {}
    standing = {moon.key: moon.ground for moon in moons}
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
def _defects(state: CutlerState, planet: Planet, key: str, line: GroundLine) -> list[Refusal]:
    """Why so many ground bases cannot be built there. 4.4.9, CU-R94"""
    for where, words in (("sides", line.sides), ("moon_sides", line.moon_sides)):
        if unknown := [side for side in words if side not in HEXSIDES]:
            return [malformed(f"there is no hexside {unknown[0]!r}", f"{key}.{where}", legal=", ".join(HEXSIDES))]
    cost, made, wanted = state.ground_base_cost.cpv, income_of(planet, state.turn), line.build + line.on_moons
    if wanted * cost > made:
        text = f"{planet.name} makes {made} CPV, and {wanted} ground bases cost {wanted * cost}"
        path = f"{key}.build" if line.build else f"{key}.on_moons"
        return [illegal(text, "4.4.9, CU-R94", path, legal=f"0 to {made // cost} in all")]
    return _planet_defects(planet, key, line) + _moon_defects(state, planet, key, line)


@rule("4.4.9")
def _planet_defects(planet: Planet, key: str, line: GroundLine) -> list[Refusal]:
    """More than a hexside of the planet has room for. 4.4.9, CU-R94"""
    sides = sides_in(line.sides)
    standing = with_more(planet.ground, line.build, sides)
    if any(standing.get(side, 0) > GROUND_BASES_A_HEXSIDE[planet.kind] for side in sides):
        room = sum(hexside_room(planet, side) for side in sides)
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
    room = sum(hexside_room(moon, side) for moon in _moons_named(state, planet, line) for side in sides)
    if line.on_moons <= room:
        return []
    text = f"a moon has room for {GROUND_BASES_A_HEXSIDE['moon']} ground base on a hexside"
    text += f", {ground_base_limit('moon')} in all"
    return [illegal(text, "4.4.9, CU-R94", f"{key}.on_moons", legal=f"0 to {room} on these moons and hexsides")]


@rule("4.1.2", "4.4.9")
def build_ground_bases(turn: CutlerTurn, race: Side, plan: GroundPlan) -> None:
    """Ground bases stand at once, without any repair box. 4.1.2, 4.4.9, CU-R94"""
    bodies = turn.state.bodies()
    for key, standing in plan.standing.items():
        planet = bodies[key]
        built = sum(standing.values()) - planet.ground_bases
        planet.ground = standing
        cpv = built * turn.state.ground_base_cost.cpv
        text = f"{planet.name} ({planet.hex}) builds {built} for {cpv} CPV, and has {in_words(standing)}."
        turn.tell([race], text, kind="economy", why=because("4.4.9, CU-R94"))


def read_ground(state: CutlerState, plan: GroundPlan) -> list[str]:
    """What a sheet builds on planets and moons, in plain words."""
    bodies = state.bodies()
    return [f"{bodies[key].name} will have {in_words(standing)}." for key, standing in plan.standing.items()]
