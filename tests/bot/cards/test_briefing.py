"""A briefing in one message, whatever there is to be said."""

from bot.cards.briefing import AGAIN, briefing_text
from bot.cards.cards import MOST_CONTENT
from rules_engine.core.knowledge.briefing import Briefing


def test_all_of_it_in_its_order() -> None:
    briefing = Briefing(
        objective="Win.",
        victory=("Most points win.", "A ship is a point."),
        length="3 turns",
        forces=("F1: 2 ships in 0101",),
        to_know=("It is secret.", "It is quick."),
        terms=(("DD", "destroyer"), ("CA", "cruiser")),
    )
    assert briefing_text(briefing, campaign="Duel", side="Red").split("\n") == [
        "**Duel: you command Red**",
        "Win.",
        "**Victory:**",
        "• Most points win.",
        "• A ship is a point.",
        "**Length:** 3 turns",
        "**Your forces:** F1: 2 ships in 0101",
        "**To know:**",
        "1. It is secret.",
        "2. It is quick.",
        "**Letters:** DD: destroyer, CA: cruiser",
        AGAIN,
    ]


def test_what_finds_no_room_is_left_out_from_below() -> None:
    briefing = Briefing(objective="Win.", forces=tuple(f"F{n}: {'x' * 500}" for n in range(6)), terms=(("DD", "d"),))
    told = briefing_text(briefing, campaign="Duel", side="Red")
    assert len(told) <= MOST_CONTENT
    assert told.split("\n")[0] == "**Duel: you command Red**"
    assert "Letters" not in told
    assert told.endswith(AGAIN)
