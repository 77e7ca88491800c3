"""Set-ups of tracked battles, measured by hand: where units stand, and what their book's conditions say of it.

Spots are axial coordinates around the middle of the map: ``(25, 0)`` and ``(-25, 0)`` are 25 hexes from it, and 50 from
each other.
"""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.space import stepped
from rules_engine.core.tactics.battles import MIDDLE as CENTRE
from rules_engine.core.tactics.conditions import Condition, Distance, OneOf, SetUpStep

Spot = tuple[int, int]
MIDDLE: Spot = (0, 0)


def apart(one: Spot, other: Spot) -> int:
    """Hexes between two spots."""
    across, down = one[0] - other[0], one[1] - other[1]
    return max(abs(across), abs(down), abs(across + down))


def holds(condition: Condition, at: Mapping[str, Spot]) -> bool:
    """Whether a condition holds of units and ground that stand there; what has no spot is not measured."""
    if isinstance(condition, OneOf):
        return any(holds(one, at) for one in condition.distances)
    assert isinstance(condition, Distance), "directions are not measured here"
    least = 0 if condition.least is None else condition.least
    most = 9999 if condition.most is None else condition.most
    for unit in condition.units:
        far = [apart(at[unit], at[other]) for other in condition.others if other != unit and other in at]
        measured = [min(far)] if condition.measure == "nearest" and far else far
        if not all(least <= one <= most for one in measured):
            return False
    return True


def broken(step: SetUpStep, at: Mapping[str, Spot]) -> list[str]:
    """What a set-up breaks of a step's conditions, in their words."""
    assert {*step.units} <= {*at}
    return [one.says for one in step.conditions if not holds(one, at)]


def hex_off(far: int) -> HexId:
    """The hex so far from the middle of a tracked battle's sheet towards C; negative towards F, the other side."""
    return stepped(CENTRE, "C" if far >= 0 else "F", abs(far))
