"""Chapter 7: how often a unit must be maintained, by when, and where that can be done."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS, BaseType, HullFamily, UnitKind

TURNS_BY_HULL: dict[HullFamily, int] = {
    "DN": 4,
    "SCS": 4,
    "CVA": 4,
    "BCH": 8,
    "BC": 8,
    "CA": 8,
    "CC": 8,
    "CL": 6,
    "CW": 4,
    "DD": 4,
    "FF": 4,
    "DW": 3,
    "TUG": 10,
    "other": 8,
}
"""Turns from one maintenance to the next; monitors and other hulls are like a CA. 7.1, CU-R115, CU-N22"""
PF_TURNS = 1
"""PFs and interceptors need it in every turn. 7.1"""
NEVER: frozenset[UnitKind] = frozenset({"freighter", "q_ship", "auxiliary", "police", "base", "ground_base"})
"""Kinds that need none; auxiliaries are built on the hulls of freighters. 7.1, 7.1.1, CU-N22"""
ANY_SHIP: frozenset[BaseType] = frozenset({"SB", "BATS", "BS", "FRD", "BLM"})
"""Bases that maintain any ship. 7.2"""
SAMS_CLASS = 5
"""The lowest number of the size classes that a SAMS maintains: the higher the number, the smaller the ship. 7.2"""


@rule("7.1", "7.1.1")
def turns_between(record: UnitClass) -> int | None:
    """Turns within which a unit of the class must be maintained again; None: never. 7.1, 7.1.1, CU-R115, CU-R126,
    CU-N22"""
    if record.is_survey_ship or record.kind in NEVER:
        return None
    if record.kind in PFS:
        return PF_TURNS
    return TURNS_BY_HULL["TUG" if record.is_tug_or_ltt else record.hull_type]


@rule("7.1")
def due_turn(unit: Unit) -> int | None:
    """The last turn in whose economics phase it can be maintained in time; None: never. 7.1, CU-R114"""
    turns = turns_between(unit.record)
    return None if turns is None else unit.maintained + turns


@rule("7.2")
def maintains(host: Unit, unit: Unit) -> bool:
    """Whether ``host`` is a base, or for PFs a tender, that may maintain the unit. 7.2"""
    is_pf = unit.kind in PFS
    if host.record.base_type == "SAMS":
        return unit.record.size_class >= SAMS_CLASS
    return host.record.base_type in ANY_SHIP or (is_pf and host.record.is_pf_tender)


@rule("7.2")
def is_in_port(state: CutlerState, unit: Unit) -> bool:
    """Whether it is in a hex with a base of its race that may maintain it. 7.2, CU-R114"""
    return any(maintains(host, unit) for host in state.units_in(unit.hex, unit.race))


@rule("7.1")
def deadlines(state: CutlerState, race: Side) -> dict[int, list[Unit]]:
    """A race's units that need maintenance, by the turn in which it is due, the earliest first. 7.1"""
    due: dict[int, list[Unit]] = {}
    for unit in state.alive(race):
        turn = due_turn(unit)
        if turn is not None:
            due.setdefault(turn, []).append(unit)
    return dict(sorted(due.items()))


def pressing(state: CutlerState, race: Side) -> tuple[list[Unit], list[Unit]]:
    """What is too late for this turn, and what must begin the next one, if there is one, in port. Who is in port now is
    maintained."""
    away = {
        turn: [unit for unit in units if not is_in_port(state, unit)] for turn, units in deadlines(state, race).items()
    }
    late = [unit for turn, units in away.items() if turn <= state.turn for unit in units]
    return late, list(away.get(state.turn + 1, ())) if state.turn < state.turns else []
