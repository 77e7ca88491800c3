"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, seven, and sixty
systems."""

from rules_engine.core.knowledge.views import SideView
from tests.map_render.kept.positions import recorded
from tests.map_render.lanes.positions import near_arm
from tests.map_render.looks.realms import empires, seven
from tests.map_render.looks.war import WAR, alliance, coalition

THEATRES = {
    "01-alliance": alliance, "02-coalition": coalition, "05-empires": empires, "07-seven": seven,
}  # fmt: skip
"""Those with hexes."""


def played() -> SideView:
    """What one of four empires saw in a campaign of the jump lanes that was played."""
    return recorded(SideView, "lanes-played")


LOOKS = THEATRES | {"08-lanes": near_arm, "08-played": played}

__all__ = ["LOOKS", "THEATRES", "WAR", "alliance", "coalition", "empires", "near_arm", "played", "seven"]
