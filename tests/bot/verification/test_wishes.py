"""Whether those who wished something of a battle's tracker could: the side's commanders, the referee, or the setting
that all battles are tracked."""

import pytest

from bot.verification.export_file import VerifyError
from bot.verification.people import check_people
from rules_engine.core.records.journal import Checkpoint, EntryBody, JournalEntry, Seated, Tracking, write_entry

SEATS = Seated(by="rita", referee="rita", commanders={"ash": ("ann",), "birch": ("leo",)}, text="play begins")


def wished(side: str, by: str) -> list[JournalEntry]:
    """A record in which somebody wishes that a battle be tracked."""
    outcome = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=1)
    made: list[JournalEntry] = []
    bodies: list[EntryBody] = [SEATS, Tracking(ask="b", side=side, by=by, wish="begin", outcome=outcome)]
    for body in bodies:
        entry, _ = write_entry(made[-1] if made else None, body, at="2026-01-01T00:00:00.000+00:00", seed=bytes(32))
        made.append(entry)
    return made


@pytest.mark.parametrize(
    ("side", "by"), [("ash", "ann"), ("birch", "leo"), ("", "rita"), ("", "settings"), ("", "clock")]
)
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
