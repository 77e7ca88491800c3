"""What terrain and webs go by: the speed of who meets them. CJD1.52, CJD1.54, CJD1.541

What they do is resolved at the table; the tracker says at which speed, and how often the damage counts.
"""

from collections.abc import Iterable
from typing import NamedTuple

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from rules_engine.rulebooks.vector.tables.figures import FAST, FASTER_STEP


class Impact(NamedTuple):
    """At which ``speed`` something is met, and how many ``times`` its damage counts."""

    speed: int
    times: int = 1


@rule("CJD1.52")
def web_impact(speed: int) -> Impact:
    """A web is crossed, and hit, at the unit's speed. CJD1.52"""
    return Impact(speed)


@rule("CJD1.54", "CJD1.541")
def terrain_impact(speed: int) -> Impact:
    """Terrain is met at the unit's speed; above 32 as at 32 with twice the damage, and once more for each 8 hexes of
    speed above that. CJD1.54, CJD1.541, VM-R28"""
    if speed <= FAST:
        return Impact(speed)
    return Impact(FAST, 2 + (speed - FAST) // FASTER_STEP)


@rule("CJD1.52", "CJD1.54")
def impact_on(terrain: TacticalTerrain, speed: int) -> Impact:
    """At what a unit meets this terrain. CJD1.52, CJD1.54"""
    return web_impact(speed) if terrain.kind == "web" else terrain_impact(speed)


def terrain_in(terrain: Iterable[TacticalTerrain], at: HexId) -> list[TacticalTerrain]:
    """The terrain of a hex."""
    return [one for one in terrain if at in one.hexes]
