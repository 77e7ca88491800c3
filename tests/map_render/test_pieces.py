"""Pieces of a map: bases drawn once, labels that fit, stacks that fan out, numbers over courses."""

from itertools import pairwise

import map_boards as boards
import pytest
from PIL import Image

from map_render import DEFAULT, alt_text, describe, render_side, warm
from map_render.drawing import text as lettering
from map_render.drawing.keeping import forget_all
from map_render.drawing.palette import index
from map_render.map.bands import legend_lines
from map_render.map.canvas import Canvas, place_words, shown_of, stacks_of
from map_render.map.chart import number_at, number_size
from map_render.map.counters import body_of, fitted, hex_layout
from map_render.map.heaps import ranges
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from map_render.render import paint
from rules_engine.core.views import Counter, Course, HexNote, SideView
from tests.map_render import example


def view_of(*counters: Counter, hexes: tuple[HexNote, ...] = (), courses: tuple[Course, ...] = ()) -> SideView:
    """An empty map with these on it."""
    parts = {"counters": counters, "hexes": hexes, "courses": courses}
    return SideView(side="alliance", board=boards.empty().board.model_copy(update=parts))


def legend_of(view: SideView) -> list[tuple[str, str]]:
    scene = scene_of(view)
    lines = legend_lines(scene, make_layout(view.board.grid, None, DEFAULT), DEFAULT)
    return [(line.kind, line.words) for line in lines]


def own(number: int, **parts: object) -> Counter:
    fields = {"id": f"TF{number}", "hex": "0505", "owner": "alliance", "label": f"TF{number}"} | parts
    return Counter.model_validate(fields)


def foe(number: int) -> Counter:
    return Counter(id=f"E{number}", hex="0505", owner="kzinti", label=f"E{number}", level=1, level_name="ID0")


# --- a base and its hex -----------------------------------------------------------------------------------------------

GRIMHOLD = Counter(id="B", hex="0505", owner="kzinti", form="base", label="Grimhold", level=4, level_name="ID3")


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


# --- labels -----------------------------------------------------------------------------------------------------------


def room_for(words: str, size: int) -> int:
    return lettering.width(words, size, heavy=True)


def test_a_label_keeps_its_size_where_it_fits_and_shrinks_where_it_does_not() -> None:
    full = room_for("Grimhold", 40)
    assert fitted("Grimhold", 40, full, full) == [("Grimhold", 40)]
    ((words, size),) = fitted("Grimhold", 40, room_for("Grimhold", 32), full)
    assert words == "Grimhold"
    assert 30 <= size <= 32


def test_a_label_of_two_words_breaks_before_it_spreads_and_one_word_spreads_before_it_is_cut() -> None:
    # 27 is the smallest size of a label of 40: 0.68 of it.
    narrow = room_for("Grimhold", 27) + 12
    assert fitted("Grimhold Station", 40, narrow, 4 * narrow) == [("Grimhold", 27), ("Station", 27)]
    assert fitted("Grimholdstation", 40, narrow, 4 * narrow) == [("Grimholdstation", 27)]
    ((cut, size),) = fitted("Grimholdstation", 40, narrow, narrow)
    assert size == 27
    assert cut.endswith("…")
    assert cut.startswith("Grim")


@pytest.mark.parametrize("label", ["Grimhold", "Grimhold Station", "Outpost Nine at the Rim"])
def test_the_last_letter_of_a_long_label_shows(label: str) -> None:
    whole = view_of(GRIMHOLD.model_copy(update={"label": label}))
    changed = view_of(GRIMHOLD.model_copy(update={"label": label[:-1] + "q"}))
    assert render_side(whole).png != render_side(changed).png


# --- several in a hex -------------------------------------------------------------------------------------------------


def counted_as(*counters: Counter) -> bool:
    return ("more", "more counters here") in legend_of(view_of(*counters))


def test_four_plates_or_three_others_are_drawn_and_what_is_more_is_counted() -> None:
    assert not counted_as(*map(own, range(4)))
    assert counted_as(*map(own, range(5)))
    assert not counted_as(foe(1), foe(2), foe(3))
    assert counted_as(foe(1), foe(2), foe(3), foe(4))
    assert not counted_as(own(1), own(2), foe(1))
    assert counted_as(own(1), own(2), own(3), foe(1))


@pytest.mark.parametrize(("ours", "theirs"), [(n, m) for n in range(5) for m in range(4) if 0 < n + m < 4 + (m == 0)])
def test_every_stack_has_a_layout_in_its_hex(ours: int, theirs: int) -> None:
    view = view_of(*map(own, range(ours)), *map(foe, range(theirs)))
    scene, layout = scene_of(view), make_layout(view.board.grid, None, DEFAULT)
    canvas = Canvas(Image.new("L", (1, 1)), scene, layout, DEFAULT, stacks_of(scene, layout, DEFAULT))
    spots = hex_layout(canvas, "0505")
    assert (len(spots.plates), len(spots.others)) == (ours, theirs)
    # A map 400 pixels wide is a fifth of one of 2,000: a hex is 23 pixels in size there, and the smallest counter
    # still 14 pixels high.
    for place in (*spots.plates, *spots.others):
        assert abs(place.x) + 0.5 * place.r < 0.87
        assert abs(place.y) + 0.74 * place.r < 0.95
        assert place.r >= 0.33


def test_plates_of_a_stack_leave_each_others_labels_free() -> None:
    """Each shows at least the upper three quarters of its height, capitals being two thirds of it."""
    for count in (2, 3, 4):
        view = view_of(*map(own, range(count)))
        scene, layout = scene_of(view), make_layout(view.board.grid, None, DEFAULT)
        canvas = Canvas(Image.new("L", (1, 1)), scene, layout, DEFAULT, stacks_of(scene, layout, DEFAULT))
        places = hex_layout(canvas, "0505").plates
        for upper, lower in pairwise(places):
            assert lower.y - upper.y >= 0.7 * 2 * 0.74 * upper.r * 0.94


# --- heaps on maps of small hexes -------------------------------------------------------------------------------------

KIEL = Counter(id="K", hex="0505", owner="alliance", form="base", label="Kiel")


def small(*counters: Counter, hexes: tuple[HexNote, ...] = ()) -> SideView:
    """These on a map of 22 by 17 hexes, where four plates in a hex cannot be read."""
    parts = {"counters": counters, "hexes": hexes, "courses": ()}
    return SideView(side="alliance", board=boards.wide().board.model_copy(update=parts))


def drawn_in(view: SideView) -> list[tuple[str, str, str]]:
    """(form, label, other words) of what is drawn in 0505."""
    scene, layout = scene_of(view), make_layout(view.board.grid, None, DEFAULT)
    stacks = stacks_of(scene, layout, DEFAULT)
    return [(one.form, one.label, one.sub) for one in shown_of(scene, DEFAULT, stacks["0505"])]


def test_own_counters_that_crowd_a_small_hex_are_one_plate_with_the_bases_name() -> None:
    view = small(*map(own, range(1, 5)), KIEL, own(9))
    assert drawn_in(view) == [("base", "Kiel", "TF1-TF4, TF9")]
    assert ("heap", "several of ours") in legend_of(view)
    assert ("more", "more counters here") not in legend_of(view)
    for number in (1, 2, 3, 4, 9):
        assert f"TF{number} at 0505" in describe(view)
        assert f"TF{number} at 0505" in alt_text(view)


def test_a_heap_without_a_base_says_how_many_it_holds() -> None:
    assert drawn_in(small(own(1), own(2), own(5))) == [("force", "x3", "TF1, TF2, TF5")]


def test_two_plates_stay_two_unless_others_share_their_hex() -> None:
    assert [label for _, label, _ in drawn_in(small(own(1), own(2)))] == ["TF1", "TF2"]
    assert sorted(label for _, label, _ in drawn_in(small(own(1), own(2), foe(1), foe(2)))) == ["E1", "E2", "x2"]


def test_large_hexes_need_no_heaps() -> None:
    assert ("heap", "several of ours") not in legend_of(view_of(*map(own, range(4)), KIEL))


def test_what_the_enemy_has_is_never_heaped() -> None:
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


# --- courses ----------------------------------------------------------------------------------------------------------


def test_a_hexs_number_lies_over_a_course() -> None:
    """Flat tops: a course to the north runs straight through the number of the hex it leaves."""
    view = view_of(courses=(Course(counter="X", kind="plotted", hexes=("0505", "0504", "0503")),))
    layout = make_layout(view.board.grid, None, DEFAULT)
    x, y = number_at(layout, "0504")
    size = number_size(layout)
    box = (x - 2 * size, y, x + 2 * size, y + 2 * size)

    def quiet(one: SideView) -> int:
        part = paint(scene_of(one), DEFAULT, None).crop(box).tobytes()
        return sum(index("quiet", 8) <= number <= index("quiet", 12) for number in part)

    assert quiet(view) >= 0.9 * quiet(view_of())


@pytest.mark.parametrize("kind", ["plotted", "moved", "route", "seen"])
def test_every_kind_of_course_is_drawn_explained_and_told(kind: str) -> None:
    course = Course(counter="TF1", kind=kind, hexes=("0505", "0504"))
    view = view_of(own(1), courses=(course,))
    assert render_side(view).png != render_side(view_of(own(1))).png
    assert [kind for kind, _ in legend_of(view)].count("course") == 1
    assert "TF1 0505-0504" in describe(view)
    assert ("TF1 0505-0504" in alt_text(view)) == (kind in ("plotted", "route"))


# --- the rest ---------------------------------------------------------------------------------------------------------


def test_warming_changes_nothing_but_the_time() -> None:
    forget_all()
    cold = render_side(boards.convoy())
    forget_all()
    warm(boards.convoy())
    assert render_side(boards.convoy()) == cold


def test_the_example_shows_what_a_map_can_show() -> None:
    board = example.example_view().board
    kinds = {course.kind for course in board.courses}
    assert {"plotted", "moved", "seen"} <= kinds
    contacts = [piece for piece in board.counters if piece.owner == "coalition" and piece.form == "force"]
    assert {piece.live for piece in contacts} == {True, False}
    assert any(note.terrain == "nebula" for note in board.hexes)
    with Image.open(example.TARGET) as picture:
        assert picture.width <= 1600
    assert example.TARGET.stat().st_size < 200_000


def test_a_minefield_that_was_only_just_found_shows_its_sign_and_not_a_question_mark() -> None:
    view = view_of(
        Counter(id="E1", hex="0203", owner="coalition", form="minefield", label="E1", level=-1, level_name="U")
    )
    (mines,) = view.board.counters
    scene = scene_of(view)
    body = body_of(mines, scene.look_of("coalition"), DEFAULT, 20, outside=True)
    assert (body.glyph, body.writing, body.grade) == ("mines", "", 0)
    force = body_of(mines.model_copy(update={"form": "force"}), scene.look_of("coalition"), DEFAULT, 20, outside=True)
    assert (force.glyph, force.writing, force.grade) == ("none", "?", 0)
