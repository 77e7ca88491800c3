"""How far a fleet or a convoy comes on its course: where its turns end, as maps mark it, at the speed that it can make
now, and why a fleet stays where it is in the impulse that is plotted.

What nobody can foresee is left out: nebulae, damage, and whoever comes in its way.
"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Stage
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.cutler.ch02_movement.movement import (
    fleet_speed,
    is_held,
    may_enter,
    may_move_in,
    top_speed,
    turn_limit,
)
from rules_engine.rulebooks.cutler.records.conditions.towing import allot_tows, under_way
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import IMPULSES

# --- where turns end -------------------------------------------------------------------------------------------------


@rule("2.1", "2.4")
def stages_of_course(state: CutlerState, first: Unit, speed: int, hexes: int) -> tuple[Stage, ...]:
    """Where this turn and each later one ends on a course of so many hexes that is yet to be made; ``first`` is a unit
    that makes it. 2.1, 2.4"""
    return _stages(state, hexes, _moves_left(state, first, speed), _moves_of(speed, range(1, IMPULSES + 1)))


@rule("2.1", "2.4", "2.4.1.7", "2.4.1.2")
def stages_of_fleet(state: CutlerState, units: Sequence[Unit], hexes: int) -> tuple[Stage, ...]:
    """Where this turn and each later one ends on a fleet's course: no farther than PFs go in a turn, or a ship that was
    under cloak in it. 2.1, 2.4, 2.4.1.7, 2.4.1.2, CU-R16, CU-R17, CU-R23"""
    if not units:
        return ()
    moving, speed = under_way(units), fleet_speed(list(units))
    fresh = [unit.changed(was_cloaked=unit.cloaked, hexes_moved=0) for unit in moving]
    now = min((turn_limit(unit) - unit.hexes_moved for unit in moving), default=0)
    later = min(map(turn_limit, fresh), default=0)
    left = min(_moves_left(state, units[0], speed), max(0, now))
    return _stages(state, hexes, left, min(_moves_of(speed, range(1, IMPULSES + 1)), later))


def _stages(state: CutlerState, hexes: int, left: int, a_turn: int) -> tuple[Stage, ...]:
    if not a_turn or not hexes:
        return ()
    stages: list[Stage] = []
    turn, made = state.turn, left
    while True:
        stages.append(Stage(after=min(made, hexes), said=f"T{turn + 1}"))
        if made >= hexes:
            return tuple(stages)
        turn += 1
        made += a_turn


@rule("2.1")
def _moves_left(state: CutlerState, first: Unit, speed: int) -> int:
    """The moves that the impulse chart still gives this turn. 2.1"""
    has_moved = first.last_opportunity == state.moment()
    return _moves_of(speed, range(state.impulse + has_moved if state.impulse else 1, IMPULSES + 1))


def _moves_of(speed: int, impulses: Iterable[int]) -> int:
    return sum(may_move_in(speed, impulse) for impulse in impulses)


# --- plots that wait -------------------------------------------------------------------------------------------------


@rule("2.4.1.2", "2.4.1.5")
def as_plotted(state: CutlerState, race: Side, units: Sequence[Unit], tow: Iterable[str], *, cloak: bool) -> list[Unit]:
    """Copies of a fleet's units as its line leaves them when they come to move: under cloak or not, and with what they
    tow. 2.4.1.2, 2.4.1.5"""
    allotted, lodged = allot_tows(units, tow), lodged_now(state, race)
    copies: list[Unit] = []
    for unit in units:
        kept = is_held(unit, state.turn) or lodged.get(unit.id)
        under = cloak and (unit.cloaked or not kept)
        copies.append(
            unit.changed(cloaked=under, was_cloaked=unit.was_cloaked or under, towing=allotted.get(unit.id, []))
        )
    return copies


def lodged_now(state: CutlerState, race: Side) -> dict[str, HexId]:
    """Where a race's units must go in the impulse that is plotted, as it has lodged against a spy; empty: they stay."""
    return state.empires[race].lodged if state.impulse <= 1 else {}


@rule("2.4", "2.4.1.2", "2.4.1.7", "2.4.1.9", "6.4.1.3", "9.2")
def why_it_waits(state: CutlerState, race: Side, units: Sequence[Unit], course: Sequence[HexId]) -> str:
    """Why a fleet that has a course, or must leave, does not move in the impulse that is plotted, or in impulse 1 of a
    turn whose sheet this is, in words; empty if it does. ``units`` are as their line leaves them.

    2.4, 2.4.1.2, 2.4.1.7, 2.4.1.9, 6.4.1.3, 9.2, CU-R130
    """
    first, lodged = units[0], lodged_now(state, race)
    goal = first.retreat_hex or next(iter(course), "")
    if not goal:
        return ""
    if not first.retreat_hex and any(lodged.get(unit.id) == "" for unit in units):
        return "its plot for impulse 1 is lodged"
    reasons = [_why_not(state, unit, goal) for unit in under_way(units)]
    # Who must leave goes ship by ship; a fleet that follows its course goes together.
    waits = all(reasons) if first.retreat_hex else any(reasons)
    if waits:
        return next((reason for reason in reasons if reason), "")
    if state.terrain.get(first.hex) == "dust" and not any(unit.dust_paid for unit in units):
        return "the dust takes a move before it can leave"
    return ""


@rule("2.4", "9.3")
def _why_not(state: CutlerState, unit: Unit, goal: HexId) -> str:
    """Why a unit cannot enter a neighbouring hex in this impulse; empty if it can. 2.4, 9.3, CU-R14, CU-R28"""
    impulse = max(1, state.impulse)
    if may_enter(state, unit, goal, impulse):
        return ""
    if is_held(unit, state.turn):
        return f"its survey keeps {unit.name} there for this turn"
    speed, limit, space = top_speed(unit), turn_limit(unit), ""
    if not speed:
        return f"{unit.name} has no engines left"
    if unit.hex in state.unsurveyed or goal in state.unsurveyed:
        speed, space = max(1, speed // 2), " in unsurveyed space"
        limit = min(limit, speed)
    if not may_move_in(speed, impulse) and unit.hexes_moved < limit:
        moves = [str(one) for one in range(1, IMPULSES + 1) if may_move_in(speed, one)]
        return f"speed {speed}{space} moves in impulse{'s' if len(moves) > 1 else ''} {in_a_row(moves)}"
    if limit < speed and unit.kind in ("pf", "interceptor"):
        return f"{unit.name} has made the {counted(limit, 'hex')} that it may make in a turn"
    if limit < speed:
        return f"{unit.name} was under cloak in this turn, and has made the {counted(limit, 'hex')} that this allows"
    return f"{unit.name} has made the {counted(limit, 'hex')} that it may make in a turn{space}"
