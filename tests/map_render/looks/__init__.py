"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, and seven."""

from tests.map_render.looks.realms import empires, seven
from tests.map_render.looks.war import WAR, alliance, coalition

LOOKS = {"01-alliance": alliance, "02-coalition": coalition, "05-empires": empires, "07-seven": seven}

__all__ = ["LOOKS", "WAR", "alliance", "coalition", "empires", "seven"]
