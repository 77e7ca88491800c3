"""Heaps: on a map of small hexes, own counters that crowd a hex are one plate."""

import pytest

from map_render import DEFAULT, alt_text, describe, render_side
from map_render.map.canvas import stacks_of
from map_render.map.heaps import ranges
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from rules_engine.core.knowledge.views import Counter, HexNote, SideView
from tests.map_render import boards
from tests.map_render.boards import foe, own, view_of
from tests.map_render.pictures import legend_of

KIEL = Counter(id="K", hex="0505", owner="alliance", form="base", label="Kiel")


def small(*counters: Counter, hexes: tuple[HexNote, ...] = ()) -> SideView:
    """These on a map of 22 by 17 hexes, where four plates in a hex cannot be read."""
    parts = {"counters": counters, "hexes": hexes, "courses": ()}
    return SideView(side="alliance", board=boards.wide().board.model_copy(update=parts))


def drawn_in(view: SideView) -> list[tuple[str, str, str]]:
    """(form, label, other words) of what is drawn in 0505."""
    scene, layout = scene_of(view), make_layout(view.board.grid, None, DEFAULT)
    return [(one.form, one.label, one.sub) for one in stacks_of(scene, layout, DEFAULT)["0505"]]


def test_own_counters_that_crowd_a_small_hex_are_one_plate_with_the_bases_name() -> None:
    view = small(*map(own, range(1, 5)), KIEL, own(9))
    assert drawn_in(view) == [("base", "Kiel", "TF1-TF4, TF9")]
    assert ("heap", "so many of one side") in legend_of(view)
    for number in (1, 2, 3, 4, 9):
        assert f"TF{number} at 0505" in describe(view)
        assert f"TF{number} at 0505" in alt_text(view)


def test_a_heap_without_a_base_says_how_many_it_holds() -> None:
    assert drawn_in(small(own(1), own(2), own(5))) == [("force", "x3", "TF1, TF2, TF5")]


def test_two_plates_stay_two_unless_others_share_their_hex() -> None:
    assert [label for _, label, _ in drawn_in(small(own(1), own(2)))] == ["TF1", "TF2"]
    assert sorted(label for _, label, _ in drawn_in(small(own(1), own(2), foe(1), foe(2)))) == ["E1", "E2", "x2"]


def test_large_hexes_need_no_heaps() -> None:
    assert ("heap", "so many of one side") not in legend_of(view_of(*map(own, range(3)), KIEL))


def test_three_of_the_enemy_need_no_heap() -> None:
    assert [label for _, label, _ in drawn_in(small(foe(1), foe(2), foe(3)))] == ["E1", "E2", "E3"]


def test_a_heap_shows_how_many_it_holds() -> None:
    one, other = small(*map(own, range(3)), KIEL), small(*map(own, range(4)), KIEL)
    assert render_side(one).png != render_side(other).png


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["A3", "A1", "A2"], ["A1-A3"]),
        (["A10", "A2", "M4", "A9"], ["A2", "A9", "A10", "M4"]),
        (["Convoy", "A1"], ["A1", "Convoy"]),
        (["A01", "A02", "A03"], ["A01", "A02", "A03"]),
        (["7", "8", "9"], ["7-9"]),
    ],
)
def test_labels_in_a_row_are_said_as_one(labels: list[str], said: list[str]) -> None:
    assert ranges(labels) == said
