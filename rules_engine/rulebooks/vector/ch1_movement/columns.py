"""On which impulses a speed moves. CJD1.13, CJD1.131"""

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.records.plots import IMPULSES


@rule("CJD1.13", "CJD1.131")
def steps_on(speed: int, impulse: int) -> int:
    """How many hexes a unit of that speed moves on an impulse of the turn, evenly spread; above 32 more than one on
    some impulses, and there is no greatest speed. CJD1.13, CJD1.131, VM-R06, VM-R07"""
    return impulse * speed // IMPULSES - (impulse - 1) * speed // IMPULSES


def next_step(speed: int, clock: int) -> int:
    """The first impulse from ``clock`` on, both counted from the battle's beginning, on which that speed moves; 0 at
    rest."""
    if not speed:
        return 0
    return next(one for one in range(clock, clock + IMPULSES) if steps_on(speed, (one - 1) % IMPULSES + 1))
