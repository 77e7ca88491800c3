"""Maps in words: short enough for Discord, full enough to plan from."""

import pytest

from map_render import alt_text, describe
from map_render.words import words_of
from rules_engine.core.knowledge.views import Counter, HexNote, SideView
from tests.map_render import boards


def test_the_alt_text_says_what_a_commander_needs() -> None:
    said = alt_text(boards.convoy())
    assert said.startswith("Map of Convoy to Bastion, Phase 1 · Turn 4, as Alliance knows it.")
    for part in (
        "TF1 at 0604, cruise 2, active",
        "TF4 at 0403, stopped, passive, new or changed",
        # E1 stands two hexes under TF4 (0403 to 0405, rows downwards).
        "E1 at 0405 (Kzinti Hegemony, U, new or changed, 2 S of TF4)",
        "seen 3 turns ago, no longer held",
        "Plotted: TF1 0604-0504-0503-0402",
        "0101 Bastion, base and planet (Alliance)",
    ):
        assert part in said


def test_nearer_contacts_come_first_and_lost_ones_last() -> None:
    said = alt_text(boards.empires())
    places = [said.index(f"{name} ") for name in ("E1", "E3", "E7", "E6")]
    assert places == sorted(places)


def test_a_planet_is_named_with_its_size() -> None:
    view = boards.empires()
    marks = ("planet", "minor", "gas giant")
    hexes = (HexNote(hex="0202", marks=marks, name="Gdar"), HexNote(hex="0302", marks=("capital",)))
    said = alt_text(view.model_copy(update={"board": view.board.model_copy(update={"hexes": hexes})}))
    assert "Places: 0202 Gdar, minor planet and gas giant; 0302 capital." in said


def test_battles_are_named_as_battles() -> None:
    assert "Battles: Battle 3 at 0703" in alt_text(boards.empires())


@pytest.mark.parametrize("columns", [9, 22])
def test_the_alt_text_never_exceeds_the_limit_and_counts_what_it_leaves_out(columns: int) -> None:
    said = alt_text(boards.crowded(columns, 17))
    assert len(said) <= 1024
    assert " more" in said
    for title in ("Own: ", "Contacts: ", "Plotted: "):
        assert title in said, "no section may push another out"


def test_a_map_without_contacts_says_so() -> None:
    assert alt_text(boards.empty()).endswith("No contacts.")
    assert "Nothing is on the map." in describe(boards.empty())


def test_the_full_text_leaves_nothing_out() -> None:
    view = boards.crowded(22, 17)
    said = describe(view)
    for piece in view.board.counters:
        assert f"{piece.label} " in said
        assert piece.hex in said
    said = describe(boards.convoy())
    assert "2 of size 4" in said
    assert "- nebula: 0305," in said
    assert "- TF4 at 0403: E1 at 0405, 2 hexes south" in said
    assert "Made up, not from the book" in said


def test_public_and_omniscient_texts_go_by_side() -> None:
    view = boards.empires()
    assert "as anybody may know it" in alt_text(boards.public(view))
    said = alt_text(boards.everything(view))
    assert "with everything on it" in said
    for title in ("Alliance: ", "Kzinti Hegemony: ", "Lyran Star Empire: "):
        assert title in said


def test_the_texts_hold_only_what_the_view_holds() -> None:
    view = boards.empires()
    less = tuple(piece for piece in view.board.counters if piece.id != "E3")
    blind = SideView(side="alliance", board=view.board.model_copy(update={"counters": less}))
    assert "E3" in describe(view)
    assert "E3" not in describe(blind)
    assert "E3" not in alt_text(blind)


def test_names_cannot_turn_or_break_a_text() -> None:
    assert words_of("a\u202eb\nc\x07d") == "ab cd"
    assert words_of("שלום 😀") == "שלום 😀"
    piece = Counter(id="TF1", hex="0505", owner="alliance", label="x\ny" * 100)
    view = SideView(side="alliance", board=boards.empty().board.model_copy(update={"counters": (piece,)}))
    assert "\n" not in alt_text(view)
    assert len(describe(view).splitlines()[3]) < 120
