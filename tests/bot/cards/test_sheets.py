"""The list of open sheets, and what its strands are called."""

from datetime import UTC, datetime

from bot.cards.cards import MOST_CONTENT
from bot.cards.sheets import MOST_SHEETS, ListedSheet, sheets_card
from bot.cards.strands import strand_name
from tests.expected.kept import Kept

SOON, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


def test_where_play_does_not_part_the_soonest_to_close_stands_first_with_its_clock() -> None:
    sheets = [
        ListedSheet("c", "Third", "ready", None),
        ListedSheet("b", "Second", "saved", LATE),
        ListedSheet("a", "First", "nothing saved yet", SOON),
    ]
    card = sheets_card("id", "PQ-17", sheets)
    assert card.content == (
        "**PQ-17**: 3 sheets are open.\n"
        "• **First**: nothing saved yet, closes <t:1767225600:R>\n"
        "• **Second**: saved, closes <t:1767312000:R>\n"
        "• **Third**: ready"
    )
    assert [one["description"] for one in card.rows[0][0]["options"]] == ["nothing saved yet", "saved", "ready"]


def test_strands_whose_clocks_fall_together_are_not_mixed(kept: Kept) -> None:
    sheets = [ListedSheet(f"{n}{hex_id}", f"{hex_id}: {n}", "saved", SOON, hex_id) for n in "ab" for hex_id in
              ("0505", "0404")]  # fmt: skip
    assert sheets_card("id", "Cutler", sheets).content.splitlines()[1:] == kept()


def test_the_clock_of_a_strand_may_stand_still() -> None:
    assert (
        "\n__0404__\n• **One**: saved"
        in sheets_card("id", "C", [ListedSheet("a", "One", "saved", None, "0404")]).content
    )


def test_a_list_ends_with_a_whole_line_and_its_menu_has_all() -> None:
    sheets = [
        ListedSheet(str(n), f"{n:04}: bypass or combat", "saved", SOON, f"{n:04} · {'x' * 40}") for n in range(25)
    ]
    card = sheets_card("id", "C", sheets)
    assert MOST_CONTENT - 100 < len(card.content) <= MOST_CONTENT
    last = card.content.splitlines()[-1]
    assert last.endswith((": saved", ":R>"))
    assert len(card.rows[0][0]["options"]) == MOST_SHEETS


def test_a_strand_is_named_by_its_place_where_there_are_others() -> None:
    combats = ["T3/I2/combat/0404", "T3/I2/combat/0505"]
    assert [strand_name(one, combats) for one in combats] == ["0404 · combat", "0505 · combat"]
    assert strand_name(combats[0], combats[:1]) == ""
    assert strand_name("", ["", combats[0]]) == ""


def test_no_two_strands_are_called_the_same(kept: Kept) -> None:
    waves = ["T3/combat/0404/waves/1", "T3/combat/0505/waves/1", "T3/combat/0505/waves/2", "T4/combat/0505/waves/1"]
    names = [strand_name(one, waves) for one in waves]
    assert names == kept()
