"""The trails of contacts: where they were seen to come from, by the side's own sightings alone."""

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Lost, Report, Sighted
from rules_engine.core.knowledge.views import Knowledge, contact_trails
from tests.core.small_rulebook import RED


def knowing(*sightings: tuple[int, str]) -> Knowledge:
    """What a side knows that saw E1 in these (turn, hex), in order."""
    knowledge = Knowledge()
    for number, (turn, hex_id) in enumerate(sightings):
        knowledge.learn(report(number, turn, Sighted(track="E1", hex=hex_id, level=1, level_name="ID1", headline="")))
    return knowledge


def report(number: int, turn: int, fact: Sighted | Lost) -> Report:
    return Report(number=number, place="", when=When(turn=turn), to=(RED,), kind="x", text="x", facts=(fact,))


def trail(knowledge: Knowledge, turn: int) -> list[tuple[str, ...]]:
    return [one.hexes for one in contact_trails(knowledge, When(turn=turn))]


def test_a_contact_that_was_seen_to_move_has_a_trail_oldest_first():
    assert trail(knowing((1, "0101"), (1, "0102"), (2, "0203")), 2) == [("0101", "0102", "0203")]


def test_seen_again_in_the_same_hex_is_no_step():
    assert trail(knowing((1, "0101"), (1, "0101"), (2, "0102"), (2, "0102")), 2) == [("0101", "0102")]
    assert trail(knowing((1, "0101"), (2, "0101")), 2) == []


def test_a_trail_is_short_and_recent():
    long = knowing((1, "0101"), (4, "0102"), (4, "0103"), (4, "0104"), (4, "0105"), (5, "0106"))
    assert trail(long, 5) == [("0103", "0104", "0105", "0106")]
    # Turn 1 is four turns before turn 5: too old.
    assert trail(knowing((1, "0101"), (5, "0102")), 5) == []
    assert trail(knowing((2, "0101"), (5, "0102")), 5) == [("0101", "0102")]


def test_what_is_no_longer_held_has_no_trail():
    knowledge = knowing((1, "0101"), (1, "0102"))
    knowledge.learn(report(9, 1, Lost(track="E1")))
    assert trail(knowledge, 1) == []


def test_of_sightings_that_say_the_same_the_first_and_the_last_are_kept():
    """Seen in 0101 in turns 1 to 4, in 0102 in turn 5, and in 0101 again in turns 6 to 8."""
    way = [(1, "0101"), (2, "0101"), (3, "0101"), (4, "0101"), (5, "0102"), (6, "0101"), (7, "0101"), (8, "0101")]
    contact = knowing(*way).contacts["E1"]
    kept = [(seen.when.turn, seen.hex) for seen in (*contact.history, contact.latest)]
    assert kept == [(1, "0101"), (4, "0101"), (5, "0102"), (6, "0101"), (8, "0101")]
    assert trail(knowing(*way[:5]), 5) == [("0101", "0102")]


def test_who_was_lost_and_is_seen_again_is_news():
    knowledge = knowing((1, "0101"), (2, "0101"))
    knowledge.learn(report(8, 3, Lost(track="E1")))
    knowledge.learn(report(9, 6, Sighted(track="E1", hex="0101", level=1, level_name="ID1", headline="")))
    assert [seen.when.turn for seen in knowledge.contacts["E1"].history] == [1, 2]
