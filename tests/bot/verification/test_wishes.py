"""Whether those who wished something of a battle's tracker could: the side's commanders, the referee, or the setting
that all battles are tracked."""

import pytest

from bot.verification.export_file import VerifyError
from bot.verification.people import check_people
from rules_engine.core.records.journal import Checkpoint, EntryBody, JournalEntry, Seated, Tracking, Wish, write_entry

SEATS = Seated(by="rita", referee="rita", commanders={"ash": ("ann",), "birch": ("leo",)}, text="play begins")


def wished(side: str, by: str, wish: Wish = "begin", **more: bool) -> list[JournalEntry]:
    """A record in which somebody wishes something of a battle's tracker: that it begins."""
    outcome = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=1)
    made: list[JournalEntry] = []
    bodies: list[EntryBody] = [SEATS, Tracking(ask="b", side=side, by=by, wish=wish, outcome=outcome, **more)]
    for body in bodies:
        entry, _ = write_entry(made[-1] if made else None, body, at="2026-01-01T00:00:00.000+00:00", seed=bytes(32))
        made.append(entry)
    return made


@pytest.mark.parametrize(("side", "by"), [("ash", "ann"), ("birch", "leo"), ("", "rita"), ("", "settings")])
def test_a_wish_is_of_those_who_have_it(side: str, by: str):
    (line,) = check_people(wished(side, by))
    assert line.startswith("entry 1: play begins.")


@pytest.mark.parametrize(
    ("side", "by", "says"),
    [
        ("ash", "leo", "leo did not command ash then"),
        ("ash", "rita", "rita did not command ash then"),
        ("", "ann", r"ann was not the referee then \(tracking\)"),
    ],
)
def test_a_wish_of_anybody_else_is_found(side: str, by: str, says: str):
    with pytest.raises(VerifyError, match=says):
        check_people(wished(side, by))


@pytest.mark.parametrize(("wish", "lost"), [("drop", False), ("drop", True), ("pause", False)])
def test_the_clock_lets_go_of_a_tracker_and_stops_it(wish: Wish, lost: bool):
    (line,) = check_people(wished("", "clock", wish, lost=lost))
    assert line.startswith("entry 1: play begins.")


@pytest.mark.parametrize("wish", ["begin", "begin late", "go on", "undo"])
def test_the_clock_does_nothing_else_to_it(wish: Wish):
    with pytest.raises(VerifyError, match=f"no clock may {wish} alone") as wrong:
        check_people(wished("", "clock", wish))
    assert wrong.value.seq == 2


@pytest.mark.parametrize("wish", ["begin late", "pause", "go on", "undo", "drop"])
def test_the_setting_begins_it_and_does_nothing_else(wish: Wish):
    with pytest.raises(VerifyError, match=f"no settings may {wish} alone"):
        check_people(wished("", "settings", wish))


def test_the_clock_takes_no_wish_back():
    with pytest.raises(VerifyError, match="no clock may drop alone"):
        check_people(wished("", "clock", "drop", wanted=False))


@pytest.mark.parametrize(
    ("side", "by", "wish"), [("ash", "clock", "drop"), ("ash", "settings", "begin"), ("birch", "rita", "drop")]
)
def test_for_a_side_nobody_speaks_but_its_commanders(side: str, by: str, wish: Wish):
    with pytest.raises(VerifyError, match=f"{by} did not command {side} then"):
        check_people(wished(side, by, wish))


@pytest.mark.parametrize(
    ("side", "by", "wish"),
    [("", "rita", "drop"), ("", "settings", "begin"), ("ash", "ann", "drop"), ("", "clock", "pause")],
)
def test_that_it_does_not_play_back_says_the_clock_alone(side: str, by: str, wish: Wish):
    with pytest.raises(VerifyError, match="does not play back is let go of by the clock"):
        check_people(wished(side, by, wish, lost=True))
