"""What happened, in words."""

from typing import get_args

from rules_engine.rulebooks.vector.records.happenings import Happened, What
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from rules_engine.rulebooks.vector.tracker.flying import end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.saying import sentence
from rules_engine.rulebooks.vector.tracker.towing import catch, release
from tests.expected.kept import Kept
from tests.rulebooks.vector.skies import Loaded, fly, plot, sky

SHUTTLE = "S1 h 2020 A 0 aboard=H1 rated_speed=6 form=shuttle size_class=6"


def said(happened: list[Happened], *but: What) -> list[str]:
    """All that happened in words, but for plain moves and what is left out."""
    return [sentence(one, f"the {one.unit}") for one in happened if one.what not in ("moved", *but)]


def test_a_turn_in_words(kept: Kept):
    battle = sky(f"H1 h 2020 A 40A\nC1 c 2021 D 4B\n{SHUTTLE}", friction=True)
    events = ("accelerate 2 on 1", "turn left on 2", "weasel S1 2 to B on 3", "het to A on 4", "reserve 1 on 5")
    happened = fly_piece(battle, {"H1": plot(*events, "accelerate 2 on 6")}, 6, Loaded(1))
    assert said(happened + end_turn(battle)) == kept()


def test_tumbling_in_words(kept: Kept):
    battle = sky("H1 h 2020 A 8B", tumble_pause=5)
    happened = fly(battle, {"H1": plot("weasel on 1", "het to C on 2", "turn right on 7")}, 8, 5, 4)
    assert said(happened) == kept()
    assert sentence(happened[3], "the H1") == "the H1 moves to 2120."


def test_shuttles_tractors_and_terrain_in_words(kept: Kept):
    rocks = TacticalTerrain(id="rocks", name="The Rocks", kind="asteroids", hexes=("2019",))
    battle = sky(f"H1 h 2020 A 40A\nH2 h 2020 A 40A\nC1 c 2010 A 40A\n{SHUTTLE}", terrain=[rocks])
    events = ("launch S1 on 1", "when within 10: turn towards", "stop on 1")
    happened = fly(battle, {"H1": plot(*events), "S1": plot("land H1 on 2"), "H2": plot("slip left on 2")}, 2)
    assert said(happened) == kept()
    happened = catch(battle, "H1", "C1", {"H1": 1, "C1": 1}, Loaded(1)) + release(battle, "C1")
    assert said(happened) == [
        "the C1 is held in a tractor by H1: common vector 40A.",
        "the H1 controls the movement of C1 in the tractor.",
        "the C1 is let go from the tractor with H1, vector 40A.",
    ]


def test_every_kind_has_words():
    for kind in get_args(What):
        one = Happened(turn=1, impulse=1, unit="H1", side="h", what=kind, hex="2020", facing="A", vector="0")
        assert sentence(one, "Huntress").startswith("Huntress ")
