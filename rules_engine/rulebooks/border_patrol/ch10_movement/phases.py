"""Chapter V8.90: the hexes that a unit may enter in each movement phase."""

from collections.abc import Mapping

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES, points_in


@rule("V8.15", "V8.92", "V8.93")
def entitled(allowance: int, phase: int) -> int:
    """How many points an allowance gives in a phase: none, one or two. V8.15, V8.92, V8.93"""
    return len(points_in(allowance, phase))


@rule("V8.92")
def phases_of(allowance: int) -> tuple[int, ...]:
    """The phases in which an allowance gives any points. V8.92"""
    return tuple(phase for phase in PHASES if entitled(allowance, phase))


def entitled_in_turn(allowed_in: Mapping[int, int]) -> int:
    """The points of a turn by the allowance that held in each phase, by which what was moved is checked (BP-R08): what
    damage took holds from the next phase on, and no point that was there before is taken back or made up for."""
    return sum(entitled(allowance, phase) for phase, allowance in allowed_in.items())


@rule("V8.15")
def begin_phase(unit: Unit, phase: int, allowance: int) -> None:
    """Note the allowance with which a unit comes to a phase; it holds to the phase's end. V8.15, BP-R08"""
    unit.allowed_in[phase] = allowance
    unit.moved_in[phase] = 0


@rule("V8.94")
def points_left(unit: Unit, phase: int) -> int:
    """What a unit may still move in a phase that has begun: points that it did not use in earlier ones are lost.
    V8.94"""
    if phase not in unit.allowed_in:
        return 0
    return max(0, entitled(unit.allowed_in[phase], phase) - unit.moved_in[phase])


@rule("V8.94")
def judge_hexes(unit: Unit, phase: int, hexes: int, path: str = "") -> list[Refusal]:
    """Refusals of a move of so many hexes in a phase, by a unit that is not reacting. V8.94"""
    left = points_left(unit, phase)
    if hexes <= left:
        return []
    allowance = unit.allowed_in.get(phase, 0)
    when = ", ".join(map(str, phases_of(allowance)))
    text = f"{unit.name} would enter {counted(hexes, 'hex')} in phase {phase}"
    legal = (
        f"{left} there; an allowance of {allowance} moves in the phases {when}" if when else "none: it does not move"
    )
    return [illegal(text, "V8.93, V8.94", path, legal=legal)]


@rule("V8.94")
def take_hexes(unit: Unit, phase: int, hexes: int) -> None:
    """Use a phase's points for a judged move. V8.94"""
    unit.moved_in[phase] += hexes


def begin_turn(unit: Unit) -> None:
    """Forget what was moved in the turn before."""
    unit.allowed_in.clear()
    unit.moved_in.clear()
    unit.left_station = False
