"""What is drawn in a hex: which counters, and which words and marks its base leaves to it."""

import pytest

from map_render import DEFAULT, render_side
from map_render.map.canvas import place_words, stacks_of
from map_render.map.heaps import Heap, signs_of
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from rules_engine.core.knowledge.views import Counter, HexNote, SideView
from tests.map_render import boards
from tests.map_render.boards import GRIMHOLD, foe, own, view_of, with_parts
from tests.map_render.pictures import inks_near, legend_of, pixels


@pytest.mark.parametrize(
    ("name", "marks", "left"),
    [
        ("Grimhold", ("base",), ("", ())),
        ("Skarn Hold / Grimhold", ("settled", "base"), ("Skarn Hold", ("settled",))),
        ("Grimhold Deep", ("base",), ("Grimhold Deep", ("base",))),
        ("", ("base",), ("", ("base",))),
    ],
)
def test_what_a_bases_counter_says_its_hex_does_not_repeat(
    name: str, marks: tuple[str, ...], left: tuple[str, tuple[str, ...]]
) -> None:
    note = HexNote(hex="0505", marks=marks, owner="kzinti", name=name)
    assert place_words(DEFAULT, [GRIMHOLD], note) == left


def test_a_force_that_bears_the_name_of_its_hex_is_not_its_base() -> None:
    force = GRIMHOLD.model_copy(update={"form": "force"})
    note = HexNote(hex="0505", marks=("base",), name="Grimhold")
    assert place_words(DEFAULT, [force], note) == ("Grimhold", ("base",))


def test_a_base_is_drawn_and_explained_once() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    with_note, without = view_of(GRIMHOLD, hexes=(note,)), view_of(GRIMHOLD)
    assert render_side(with_note).png == render_side(without).png
    assert [words for _, words in legend_of(with_note)].count("base") == 1


def test_a_base_in_a_heap_shows_its_sign_and_its_hex_does_not_repeat_it() -> None:
    crowd = (*map(foe, range(1, 4)), GRIMHOLD, Counter(id="A", hex="0505", owner="alliance", label="A"))
    convoys = (foe(n).model_copy(update={"id": f"C{n}", "form": "convoy"}) for n in (7, 8))
    pieces = drawn_of(view_of(*crowd, *convoys, *map(own, (1, 2))))
    (heap,) = (piece for piece in pieces if isinstance(piece, Heap) and piece.owner == "kzinti")
    assert signs_of(heap, DEFAULT, hidden=False) == ["base", "convoy"]
    note = HexNote(hex="0505", marks=("base",), name="Grimhold")
    assert place_words(DEFAULT, pieces, note) == ("", ())


def drawn_of(view: SideView) -> list[Counter]:
    """What is drawn in 0505."""
    scene, layout = scene_of(view), make_layout(view.board.grid, None, DEFAULT)
    return stacks_of(scene, layout, DEFAULT)["0505"]


def heaps_in(*counters: Counter) -> list[tuple[str, str]]:
    """(owner, count) of the heaps among what is drawn."""
    return [(one.owner, one.count) for one in drawn_of(view_of(*counters)) if isinstance(one, Heap)]


def test_four_plates_or_three_others_are_drawn_singly_and_of_more_those_of_a_side_are_one() -> None:
    assert heaps_in(*map(own, range(4))) == []
    assert heaps_in(*map(own, range(5))) == [("alliance", "x5")]
    assert heaps_in(foe(1), foe(2), foe(3)) == []
    assert heaps_in(foe(1), foe(2), foe(3), foe(4)) == [("kzinti", "x4")]
    assert heaps_in(own(1), own(2), foe(1)) == []
    assert heaps_in(own(1), own(2), own(3), foe(1)) == [("alliance", "x3")]
    assert heaps_in(own(1), foe(1), foe(2), foe(3)) == [("kzinti", "x3")]


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_counters_that_share_a_hex_all_show_or_are_counted(count: int) -> None:
    pieces = tuple(Counter(id=f"TF{n}", hex="0505", owner="alliance", label=f"TF{n}") for n in range(count))
    view = with_parts(boards.empty(), counters=pieces)
    fewer = with_parts(boards.empty(), counters=pieces[:-1])
    assert pixels(view).tobytes() != pixels(fewer).tobytes()
    contact = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=0, grade=0, level_name="U")
    mixed = with_parts(boards.empty(), counters=(*pieces, contact))
    assert inks_near(mixed, "0505").get("side1", 0) > 50, "own counters must not hide the enemy's"
