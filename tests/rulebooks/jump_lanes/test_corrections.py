"""A referee's corrections of this book: places are shown and typed by their names."""

import pytest

from rules_engine.core.basics.refusals import Refused
from tests.rulebooks.jump_lanes.written import WrittenVoyage


@pytest.fixture(scope="module")
def game() -> WrittenVoyage:
    """Two empires, before their first turn."""
    return WrittenVoyage("intro", {})


@pytest.mark.parametrize("typed", ["Wolf 359", "wolf 359", "WOLF-359", "wolf-359"])
def test_a_place_is_typed_by_its_name_or_id(game: WrittenVoyage, typed: str):
    planned = game.adjudicator.plan_edit("squadrons.T2.at", typed)
    assert (planned.value, planned.before, planned.after) == ("wolf-359", "sol (Sol)", "wolf-359 (Wolf 359)")


def test_a_planet_is_typed_by_its_name(game: WrittenVoyage):
    planned = game.adjudicator.plan_edit("squadrons.T2.at", "mars")
    assert (planned.value, planned.after) == ("sol/mars", "sol/mars (Mars)")


def test_an_unknown_place_is_refused_with_what_may_have_been_meant(game: WrittenVoyage):
    with pytest.raises(Refused) as refusal:
        game.adjudicator.plan_edit("squadrons.T2.at", "Wolf 358")
    assert str(refusal.value) == (
        "squadrons.T2.at: there is nothing of that name. "
        "Legal: a name or key, as Sol, Wolf 359, Minkar … (19 in all). Did you mean Wolf 359?"
    )


def test_places_are_offered_by_name_the_present_one_first(game: WrittenVoyage):
    offers = game.adjudicator.offered_values("squadrons.T2.at", "", 3)
    assert [one.shown for one in offers] == ["sol (Sol, stands there now)", "wolf-359 (Wolf 359)", "minkar (Minkar)"]
    assert [one.text for one in game.adjudicator.offered_values("squadrons.T2.at", "f 35", 25)] == ["wolf-359"]
    (path,) = game.adjudicator.offered_paths("squadrons.T2.at", 25)
    assert path.shown == "squadrons.T2.at = sol (Sol)"


def test_places_within_lists_and_records_are_shown_by_name(game: WrittenVoyage):
    lane = next(key for key, one in game.state.lanes.items() if (one.a, one.b) == ("sol", "wolf-359"))
    (a,) = game.adjudicator.offered_paths(f"lanes.{lane}.a", 1)
    assert a.shown.endswith("= sol (Sol)")
    legs = game.adjudicator.plan_edit("squadrons.T2.orders.legs", f'[{{"lane": "{lane}", "to": "wolf-359"}}]')
    assert legs.after == f"lane: {lane}, to: wolf-359 (Wolf 359)"


def test_where_a_sector_may_stand_it_is_taken_as_it_is_typed():
    game = WrittenVoyage("long-frontier", {})
    lane = next(key for key, one in game.state.lanes.items() if one.type == "intergalactic")
    for typed, kept in (("*near-veil", "*near-veil"), ("Wolf 359", "wolf-359")):
        planned = game.adjudicator.plan_edit("squadrons.T2.orders.legs", f'[{{"lane": "{lane}", "to": "{typed}"}}]')
        assert planned.value == [{"lane": lane, "to": kept}]
