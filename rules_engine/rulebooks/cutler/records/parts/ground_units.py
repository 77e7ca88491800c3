"""Ground bases as units: on which hexside of a planet or a moon each stands, and who is in them. 4.4.9, 4.2.4.8,
CU-N140"""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.ground import HEXSIDES, GroundBases, Hexside, with_only
from rules_engine.rulebooks.cutler.records.parts.planets import Planet
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import GROUND_BASES_A_HEXSIDE, BodyKind


@rule("4.4.9")
def ground_base_limit(kind: BodyKind) -> int:
    """The most ground bases on a planet or a moon. 4.4.9, CU-R94"""
    return len(HEXSIDES) * GROUND_BASES_A_HEXSIDE[kind]


@rule("4.4.9")
def ground_units(state: CutlerState, body: Planet) -> list[Unit]:
    """The ground bases on a planet or a moon, hexside by hexside. 4.4.9, CU-N140"""
    there = [unit for unit in state.units.values() if unit.kind == "ground_base" and unit.hex == body.hex]
    own = [unit for unit in there if unit.orbit == body.feature and not unit.destroyed]
    return sorted(own, key=lambda unit: (unit.facing, unit.name, unit.id))


@rule("4.4.9")
def ground_on(state: CutlerState, body: Planet) -> GroundBases:
    """How many ground bases stand on each hexside of a planet or a moon. 4.4.9"""
    found: GroundBases = {}
    for unit in ground_units(state, body):
        if unit.facing:
            found[unit.facing] = found.get(unit.facing, 0) + 1
    return found


@rule("4.4.9")
def hexside_room(state: CutlerState, body: Planet, side: Hexside) -> int:
    """Ground bases for which there is room on a hexside of a planet. 4.4.9, CU-R94"""
    return max(0, GROUND_BASES_A_HEXSIDE[body.kind] - ground_on(state, body).get(side, 0))


@rule("5.2.3")
def ground_bases_in(state: CutlerState, hex_id: HexId, but: Side = "") -> int:
    """Ground bases that are intact in a hex, on its planet and on all moons; none of that race's own. 5.2.3, CU-N112"""
    return sum(unit.kind == "ground_base" and unit.race != but for unit in state.units_in(hex_id))


@rule("4.2.4.8")
def parties_in(units: Iterable[Unit]) -> int:
    """The boarding parties in ground bases; they are no garrison. 4.2.4.8, 5.3.3"""
    return sum(unit.boarding_parties for unit in units)


@rule("4.4.9")
def ground_classes(state: CutlerState, race: Side) -> dict[str, UnitClass]:
    """The classes of ground bases that a race builds, by key, the cheapest first: those of the catalogue, or if it has
    none, one at the scenario's price. 4.4.9, CU-N63"""
    kinds = [one for one in state.classes.values() if one.kind == "ground_base" and one.empire in ("any", race)]
    kinds = kinds or [state.ground_base_cost.record]
    return {one.class_id: one for one in sorted(kinds, key=lambda one: (one.cpv, one.class_id))}


@rule("4.4.9", "4.2.4.8")
def stand_on(state: CutlerState, body: Planet, more: Mapping[Hexside, int], kind: UnitClass) -> None:
    """Put so many more ground bases on the hexsides of a planet or a moon, with the people that come with them. They
    are named after it, their hexside and the first number that is free there. 4.4.9, 4.2.4.8, CU-N140"""
    for side, count in more.items():
        for _ in range(count):
            taken = {unit.name for unit in state.alive(body.owner)}
            number = next(n for n in range(1, len(taken) + 2) if f"{body.name} {side}{n}" not in taken)
            unit = state.commission(body.owner, f"{body.name} {side}{number}", kind, body.hex)
            unit.orbit, unit.facing = body.feature, side


@rule("5.3")
def that_fall(units: list[Unit], left: int) -> list[Unit]:
    """The ground bases that are lost where so many are left: one by one on the hexside that has the most, the last
    built first. 5.3, CU-N63"""
    by_side: dict[Hexside, list[Unit]] = {side: [unit for unit in units if unit.facing == side] for side in HEXSIDES}
    standing: GroundBases = {side: len(there) for side, there in by_side.items()}
    kept = with_only(standing, left)
    return [unit for side, there in by_side.items() for unit in there[kept.get(side, 0) :]]


@rule("5.3")
def pass_to(state: CutlerState, body: Planet, owner: Side) -> None:
    """Give the ground bases on a planet or a moon to its new holder; who was in them is lost. 5.3, CU-N34, CU-N142"""
    for unit in ground_units(state, body):
        if unit.race != owner:
            unit.taken_by(owner)
            unit.captured_from = ""
            state.empires[owner].known_ships.pop(unit.id, None)


def kinds_in_words(units: Iterable[Unit]) -> str:
    """Which ground bases stand on which hexside: ``A Phaser Base, Sensor Post; C Phaser Base``."""
    sides: dict[str, list[str]] = {}
    for unit in units:
        sides.setdefault(unit.facing, []).append(unit.record.name)
    return "; ".join(f"{side} {', '.join(names)}" for side, names in sides.items())
