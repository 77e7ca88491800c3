"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, seven, and sixty
systems."""

from tests.map_render.lanes.arm import near_arm
from tests.map_render.looks.realms import empires, seven
from tests.map_render.looks.war import WAR, alliance, coalition

THEATRES = {
    "01-alliance": alliance,
    "02-coalition": coalition,
    "05-empires": empires,
    "07-seven": seven,
}
"""Those with hexes."""
LOOKS = THEATRES | {"08-lanes": near_arm}

__all__ = ["LOOKS", "THEATRES", "WAR", "alliance", "coalition", "empires", "near_arm", "seven"]
