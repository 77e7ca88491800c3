"""Counters: their bodies, labels that fit, stacks that overlap and stay readable."""

import pytest

from map_render import DEFAULT, render_side
from map_render.drawing import text as lettering
from map_render.drawing.palette import index
from map_render.map.counters import body_of, fitted
from map_render.map.layout import make_layout
from map_render.map.scene import scene_of
from rules_engine.core.knowledge.views import Counter
from tests.map_render import boards
from tests.map_render.boards import GRIMHOLD, view_of, with_parts
from tests.map_render.pictures import ink_of, inks_near, pixels


@pytest.mark.parametrize(
    "change",
    [
        {"label": "E77"},
        {"age": 2},
        {"age": 1, "live": False},
        {"live": False},
        {"changed": True},
        {"level": 4, "level_name": "ID3"},
        {"level": 0, "level_name": "U"},
        {"owner": ""},
        {"form": "convoy"},
        {"sub": "slow"},
        {"hex": "0506"},
    ],
    ids=str,
)
def test_every_property_of_a_contact_shows(change: dict[str, object]) -> None:
    piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=2, grade=2, level_name="ID1")
    view = with_parts(boards.empty(), counters=(piece,))
    other = with_parts(boards.empty(), counters=(piece.model_copy(update=change),))
    assert pixels(view).tobytes() != pixels(other).tobytes()


def test_own_and_enemy_differ_without_colour() -> None:
    """Two forces that differ in their owner alone are told apart by form: their silhouettes differ."""

    def silhouette(owner: str) -> bytes:
        piece = Counter(id="E1", hex="0505", owner=owner, label="E1", level=3, grade=3, level_name="ID2")
        view = with_parts(boards.empires(), counters=(piece,), hexes=(), courses=())
        x, y = make_layout(view.board.grid, None, DEFAULT).centres["0505"]
        part = pixels(view).crop((x - 70, y - 70, x + 70, y + 70))
        return part.point([255 if number and (number - 1) % 15 >= 7 else 0 for number in range(256)]).tobytes()

    owners = ("alliance", "kzinti", "lyran", "gorn", "", "traders")
    assert len({silhouette(owner) for owner in owners}) == len(owners)


def test_identification_is_told_by_the_form_of_the_counter() -> None:
    """Each level fills more of the shape than the one before."""
    filled = []
    for grade in (1, 2, 3, 4):
        piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=grade, grade=grade)
        filled.append(inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")["side1"])
    assert filled == sorted(filled)
    assert len(set(filled)) == 4


def test_an_unidentified_contact_is_hollow() -> None:
    piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=0, grade=0, level_name="U")
    known = piece.model_copy(update={"level": 4, "grade": 4, "level_name": "ID3"})
    hollow = inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")["side1"]
    full = inks_near(with_parts(boards.empty(), counters=(known,)), "0505")["side1"]
    assert hollow * 2 < full


def test_a_minefield_that_was_only_just_found_shows_its_sign_and_not_a_question_mark() -> None:
    view = view_of(
        Counter(id="E1", hex="0203", owner="coalition", form="minefield", label="E1", level=-1, grade=0, level_name="U")
    )
    (mines,) = view.board.counters
    scene = scene_of(view)
    body = body_of(mines, scene.look_of("coalition"), DEFAULT, 20, outside=True)
    assert (body.glyph, body.writing, body.grade) == ("mines", "", 0)
    force = body_of(mines.model_copy(update={"form": "force"}), scene.look_of("coalition"), DEFAULT, 20, outside=True)
    assert (force.glyph, force.writing, force.grade) == ("none", "?", 0)


def test_changed_counters_and_only_they_are_ringed() -> None:
    piece = Counter(id="TF1", hex="0505", owner="alliance", label="TF1")
    assert "news" not in inks_near(with_parts(boards.empty(), counters=(piece,)), "0505")
    ringed = piece.model_copy(update={"changed": True})
    assert inks_near(with_parts(boards.empty(), counters=(ringed,)), "0505")["news"] > 200


def test_age_fades() -> None:
    """The strongest tone of a contact's ink weakens turn by turn."""
    strongest = []
    for age in range(4):
        piece = Counter(id="E1", hex="0505", owner="kzinti", label="E1", level=4, grade=4, level_name="ID3", age=age)
        view = with_parts(boards.empty(), counters=(piece,))
        x, y = make_layout(view.board.grid, None, DEFAULT).centres["0505"]
        part = pixels(view).crop((x - 60, y - 60, x + 60, y + 40)).tobytes()
        strongest.append(max(number for number in part if ink_of(number) == "side1"))
    assert strongest == [index("side1", step) for step in (15, 12, 10, 9)]


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
