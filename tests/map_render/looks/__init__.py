"""Views of the situations that maps are judged by: a crowded war for both sides, three empires, seven, and sixty
systems."""

from functools import partial

from rules_engine.core.knowledge.views import SideView
from tests.map_render.kept.positions import recorded
from tests.map_render.lanes.positions import near_arm
from tests.map_render.written import written

alliance = partial(written, "gap_alliance")
"""A crowded war as the Alliance knows it, in its twenty-ninth turn."""
coalition = partial(written, "gap_coalition")
"""The same turn as the Coalition knows it, with the ranges of its scouts."""
empires = partial(written, "three_empires")
"""Three empires, as the Hydran one knows them, in the fourth turn."""
seven = partial(written, "seven_empires")
"""Seven empires around a ring, as the Hydran one knows them."""

THEATRES = {
    "01-alliance": alliance, "02-coalition": coalition, "05-empires": empires, "07-seven": seven,
}  # fmt: skip
"""Those with hexes."""


def played() -> SideView:
    """What one of four empires saw in a campaign of the jump lanes that was played."""
    return recorded(SideView, "lanes-played")


LOOKS = THEATRES | {"08-lanes": near_arm, "08-played": played}

__all__ = ["LOOKS", "THEATRES", "alliance", "coalition", "empires", "near_arm", "played", "seven"]
