"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, seven, and sixty
systems."""

from tests.map_render.lanes.arm import near_arm
from tests.map_render.looks.realms import empires, seven
from tests.map_render.looks.war import WAR, alliance, coalition

LOOKS = {
    "01-alliance": alliance,
    "02-coalition": coalition,
    "05-empires": empires,
    "07-seven": seven,
    "08-lanes": near_arm,
}

__all__ = ["LOOKS", "WAR", "alliance", "coalition", "empires", "near_arm", "seven"]
