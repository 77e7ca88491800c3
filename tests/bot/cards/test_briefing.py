"""A briefing on one screen and in one message, whatever there is to be said."""

import pytest

from bot.cards.briefing import AGAIN, MAP_HEIGHT, briefing_card, briefing_text
from bot.cards.cards import MOST_CONTENT
from bot.cards.frame_sizes import fits, height
from bot.cards.frames import MOST_HEIGHT, SIDES
from bot.records.components import Card
from bot.records.files import CardMapFile
from rules_engine.core.knowledge.briefing import Briefing
from tests.expected.kept import Kept
from tests.rulebooks.test_briefings import opened


def test_all_of_it_in_its_order(kept: Kept) -> None:
    briefing = Briefing(
        objective="Win.",
        victory=("Most points win.", "A ship is a point."),
        length="3 turns",
        forces=("F1: 2 ships in 0101",),
        to_know=("It is secret.", "It is quick."),
        terms=(("DD", "destroyer"), ("CA", "cruiser")),
    )
    assert briefing_text(briefing, campaign="Duel", side="Red").split("\n") == kept()


def test_what_finds_no_room_is_left_out_from_below() -> None:
    briefing = Briefing(objective="Win.", forces=tuple(f"F{n}: {'x' * 500}" for n in range(6)), terms=(("DD", "d"),))
    told = briefing_text(briefing, campaign="Duel", side="Red")
    assert len(told) <= MOST_CONTENT
    assert told.split("\n")[0] == "**Duel: you command Red**"
    assert "Letters" not in told
    assert told.endswith(AGAIN)


def made(briefing: Briefing, place: int = 0) -> Card:
    """It as a card."""
    return briefing_card(briefing, campaign_id="abcde", campaign="Duel", side="red", name="Red", place=place)


def words(card: Card) -> list[str]:
    """The texts of its blocks."""
    assert card.layout is not None
    return [block["text"] for block in card.layout.blocks if block["type"] in {"text", "section"}]  # type: ignore[typeddict-item]


@pytest.mark.parametrize(
    ("book", "which", "side"),
    [("pq17", (), "alliance"), ("pq17", ("campaign",), "coalition"), ("cutler", (), "hydran")],
)
def test_each_book_tells_its_aim_its_numbers_and_its_forces_on_one_screen(
    book: str, which: tuple[str, ...], side: str
) -> None:
    found, state = opened(book, *which)
    briefing = found.briefing(state, side)
    card = made(briefing, place=1)
    assert card.layout is not None
    assert fits(card.layout)
    assert height(card.layout, MAP_HEIGHT) <= MOST_HEIGHT
    assert card.layout.accent == SIDES[1]
    assert card.files == (CardMapFile(side="red"),)
    shown = words(card)
    assert shown[:2] == ["## You command Red", f"**Duel:** {briefing.objective}"]
    assert shown[2].startswith("**How one wins**\n")
    assert shown[3].startswith(f"**Your forces**\n{briefing.forces[0]}")
    know = shown[4].split("\n")
    assert [line[:6] for line in know] == ["**1** ", "**2** ", "**3** "]
    assert not [line for line in know if line.endswith("…")], "each says something whole"
    assert briefing.length in shown[5]
    assert card.content == f"**Duel: you command Red**\n{briefing.objective}", "what notifies is short"


def test_a_long_briefing_is_cut_to_the_screen_and_an_empty_one_has_no_empty_rows() -> None:
    long = Briefing(
        objective="Win. " * 60,
        victory=("x" * 500,),
        forces=tuple(f"F{number}: {'y' * 200}" for number in range(10)),
        to_know=tuple(f"{word} {'z' * 300}" for word in ("One", "Two", "Three")),
        terms=tuple((f"L{number}", "w" * 60) for number in range(12)),
    )
    card = made(long)
    assert card.layout is not None
    assert fits(card.layout)
    assert height(card.layout, MAP_HEIGHT) <= MOST_HEIGHT
    bare = made(Briefing(objective="Win."))
    assert words(bare) == ["## You command Red", "**Duel:** Win."]
