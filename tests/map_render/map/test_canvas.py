"""What is drawn in a hex: which counters, and which words and marks its base leaves to it."""

import pytest

from map_render import DEFAULT, render_side
from map_render.map.canvas import place_words
from map_render.map.scene import scene_of
from rules_engine.core.knowledge.views import Counter, HexNote
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
    assert place_words(scene_of(view_of(GRIMHOLD)), DEFAULT, [GRIMHOLD], note) == left


def test_a_force_that_bears_the_name_of_its_hex_is_not_its_base() -> None:
    force = GRIMHOLD.model_copy(update={"form": "force"})
    note = HexNote(hex="0505", marks=("base",), name="Grimhold")
    assert place_words(scene_of(view_of(force)), DEFAULT, [force], note) == ("Grimhold", ("base",))


def test_a_base_is_drawn_and_explained_once() -> None:
    note = HexNote(hex="0505", marks=("base",), owner="kzinti", name="Grimhold")
    with_note, without = view_of(GRIMHOLD, hexes=(note,)), view_of(GRIMHOLD)
    assert render_side(with_note).png == render_side(without).png
    assert [words for _, words in legend_of(with_note)].count("base") == 1


def test_a_base_behind_too_many_counters_keeps_its_mark() -> None:
    crowd = [foe(1), foe(2), foe(3), GRIMHOLD]
    scene = scene_of(view_of(*crowd))
    note = HexNote(hex="0505", marks=("base",), name="Grimhold")
    assert place_words(scene, DEFAULT, crowd, note) == ("Grimhold", ("base",))


def counted_as(*counters: Counter) -> bool:
    return ("more", "more counters here") in legend_of(view_of(*counters))


def test_four_plates_or_three_others_are_drawn_and_what_is_more_is_counted() -> None:
    assert not counted_as(*map(own, range(4)))
    assert counted_as(*map(own, range(5)))
    assert not counted_as(foe(1), foe(2), foe(3))
    assert counted_as(foe(1), foe(2), foe(3), foe(4))
    assert not counted_as(own(1), own(2), foe(1))
    assert counted_as(own(1), own(2), own(3), foe(1))


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_counters_that_share_a_hex_all_show_or_are_counted(count: int) -> None:
    pieces = tuple(Counter(id=f"TF{n}", hex="0505", owner="alliance", label=f"TF{n}") for n in range(count))
    view = with_parts(boards.empty(), counters=pieces)
    fewer = with_parts(boards.empty(), counters=pieces[:-1])
    assert pixels(view).tobytes() != pixels(fewer).tobytes()
    contact = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=0, grade=0, level_name="U")
    mixed = with_parts(boards.empty(), counters=(*pieces, contact))
    assert inks_near(mixed, "0505").get("foe0", 0) > 50, "own counters must not hide the enemy's"
