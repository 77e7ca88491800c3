"""Battles flown by vectors in words: what a captain who cannot see the picture flies by. Ways are counted by hand."""

from map_render import ALT_LIMIT, alt_text, describe, render_card_crop, render_crop, render_side
from map_render.tactical_words import long_line, tactical_alt, tactical_table, way_words
from rules_engine.core.knowledge.tactical_scene import TacticalNews
from tests.expected.kept import Kept
from tests.map_render.tactical.duels import course, melee, nine, unit
from tests.map_render.tactical.views import public_view, side_view


def test_a_unit_is_said_with_all_that_it_flies_by() -> None:
    flying = unit("H1", "hydran", "0505", ("C", "4D"), 16, name="Ranger", kind="cruiser", turns_on=20, thrusts_on=35)
    assert long_line(flying) == (
        "H1 Ranger, cruiser: hex 0505, faces C, vector 4D, speed 4, coasts to 0506 at impulse 24, 0507 at impulse 32, "
        "may turn from impulse 20, may accelerate from impulse 3 of next turn"
    )


def test_what_it_may_do_from_the_same_impulse_on_is_said_together() -> None:
    free = unit("D1", "dominion", "0505", ("A", "0"), 16, name="", form="drone", turns_on=0, thrusts_on=0)
    assert long_line(free).endswith("speed 0, may turn and accelerate at once")


def test_a_unit_at_rest_coasts_nowhere() -> None:
    still = unit("D1", "dominion", "0505", ("A", "0"), 16, name="", form="drone", turns_on=0, remarks=("tumbling",))
    assert long_line(still) == "D1 drone: hex 0505, faces A, at rest, speed 0, may turn at once, tumbling"


def test_damage_and_shields_are_said_where_they_are_known() -> None:
    hurt = unit("D1", "dominion", "0505", ("A", "0"), whole=35, shields=(100, 0, 50, 100, 100, 100), name="Lance")
    assert long_line(hurt) == (
        "D1 Lance: hex 0505, faces A, at rest, speed 0, 35 % whole, "
        "shields from the bow clockwise 100 %, 0 %, 50 %, 100 %, 100 %, 100 %"
    )
    whole = hurt.with_values(whole=100, shields=(100,) * 6)
    assert long_line(whole) == "D1 Lance: hex 0505, faces A, at rest, speed 0"


def test_ways_are_said_as_vectors_are_written() -> None:
    """From 0505 two columns to the right and one row up is 2 towards B; three rows down 3 towards D."""
    here = unit("A1", "alliance", "0505", ("A", "0"))
    said = {at: way_words(here, here.with_values(hex=at)) for at in ("0505", "0504", "0704", "0508", "0702")}
    assert said == {"0505": "same hex", "0504": "1 hex 1A", "0704": "2 hexes 2B", "0508": "3 hexes 3D",
                    "0702": "4 hexes 2A+2B"}  # fmt: skip


def test_the_table_says_each_unit_and_how_far_every_other_is(kept: Kept) -> None:
    lines = tactical_table(nine()).splitlines()
    assert lines[:5] == kept()
    assert lines[5] == "  to others: DF3 22 hexes 17B+5C; DF2 30 hexes 20B+10A"
    assert lines[6] == "  to own side: AT2 10 hexes 7A+3F"


def test_plots_and_terrain_are_said() -> None:
    said = tactical_table(course())
    assert "Your plots\n- A1: 8: turn left in 1219; 20: +4 in 1617; ends in 2015, facing B, vector 9B+6C\n" in said
    assert "- planet Dusk: 2525, 2524, 2526, 2425, 2424, 2625, 2624" in said
    assert said.endswith("- buoy 1: 1610\n- buoy 2: 2614")


def test_what_matters_most_comes_first() -> None:
    assert tactical_alt(course()).startswith(
        "1. A1 is next to pass buoy 1. 2. H1 tumbles until impulse 9. Round the buoys, a race, turn 4 of 12"
    )
    begun = course().with_values(impulse=0)
    assert "Round the buoys, a race, turn 4 of 12 begins." in tactical_alt(begun)


def test_short_words_fit_and_count_what_they_leave_out() -> None:
    for count in (1, 6, 24):
        assert len(tactical_alt(melee(1, count))) <= ALT_LIMIT
    said = tactical_alt(melee(1, 24))
    assert "more." in said
    assert all(name in said for name in ("Alliance: A1", "Gorn: G1"))


def test_names_are_people_s_and_harmless() -> None:
    news = (TacticalNews(says="a\nb\u202ec" + "x" * 600, codes=("A1",)),)
    rude = melee(1, 2).with_values(title="T\u202e\n" + "y" * 300, news=news)
    said = tactical_alt(rude)
    assert "\u202e" not in said
    assert "\n" not in said
    assert len(said) <= ALT_LIMIT


def test_views_say_their_scene() -> None:
    view = side_view(nine())
    assert describe(view) == tactical_table(nine())
    assert alt_text(view) == render_side(view).alt == tactical_alt(nine())
    assert describe(public_view(nine())) == describe(view)


def test_a_crop_says_how_far_all_are_from_there() -> None:
    view = side_view(course())
    said = render_crop(view, area=("1322",)).alt
    flies = "Faces B, drifts 9B+2A, speed 11. May turn at once and may accelerate from impulse 5"
    assert said.startswith(f"D1, Hunter. {flies}. Round the buoys")
    others = ("A1 at 1020, faces C, 5B+6C, 3 away: 3F", "H1 at 0815, faces D, 4C+4D, tumbling, 9 away: 5F+4A")
    assert f"Around: {'; '.join(others)}." in said
    assert render_card_crop(view, area=("1322",)).alt == said


def test_a_crop_of_a_numbered_place_says_what_is_new() -> None:
    assert render_crop(side_view(course()), 2).alt.startswith("H1. H1 tumbles until impulse 9. Round the buoys")
