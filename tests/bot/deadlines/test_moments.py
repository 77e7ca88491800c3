"""What pausing, moving and reminding make of a deadline, worked by hand.

The sheets opened at noon; a quarter of the time is left when people are reminded, unless a test says otherwise.
"""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.records.deadlines import Deadline

QUARTER = 0.25


def at(clock: str) -> datetime:
    """A time of day, e.g. ``"13:30"`` or ``"13:30:05"``."""
    return datetime(2026, 8, 1, *map(int, clock.split(":")), tzinfo=UTC)  # type: ignore[arg-type]


OPENED = Deadline("c1", 7, opened_at=at("12:00"), falls_at=at("16:00"), remind_at=at("15:00"))
TOLD = replace(OPENED, remind_at=None, reminded=True)


# --- falling ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("falls", "share", "reminds"),
    [
        ("16:00", 0.25, "15:00"),
        ("16:00", 0.5, "14:00"),
        ("16:00", 0.0, "16:00"),
        ("12:01", 0.25, "12:00:45"),
        ("12:00", 0.25, "12:00"),
        ("11:00", 0.25, "11:15"),
    ],
)
def test_people_are_reminded_when_that_share_of_the_time_since_opening_is_left(
    falls: str, share: float, reminds: str
) -> None:
    fresh = Deadline("c1", 7, opened_at=at("12:00"), falls_at=None)
    assert fresh.falling(at(falls), share) == replace(fresh, falls_at=at(falls), remind_at=at(reminds))


def test_who_was_reminded_is_not_reminded_again_by_a_deadline_that_falls_at_another_time() -> None:
    assert TOLD.falling(at("20:00"), QUARTER) == replace(TOLD, falls_at=at("20:00"))


def test_a_deadline_that_falls_has_no_time_that_is_kept() -> None:
    standing = replace(OPENED, falls_at=None, remind_at=None, left=timedelta(hours=1))
    assert standing.falling(at("16:00"), QUARTER) == OPENED


# --- moving -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [OPENED, TOLD])
def test_a_deadline_that_is_moved_reminds_again_by_the_whole_time_since_opening(before: Deadline) -> None:
    """Noon to 20:00 are eight hours; two are left at 18:00."""
    assert before.moved(at("20:00"), QUARTER) == replace(OPENED, falls_at=at("20:00"), remind_at=at("18:00"))


def test_a_clock_that_stands_still_is_moved_into_running() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.moved(at("20:00"), QUARTER) == replace(OPENED, falls_at=at("20:00"), remind_at=at("18:00"))


# --- standing still and going on --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "left"),
    [
        (at("13:00"), timedelta(hours=3)),
        (at("13:00") + timedelta(milliseconds=1), timedelta(hours=2, minutes=59, seconds=59)),
        (at("16:00") - timedelta(milliseconds=1), timedelta(0)),
        (at("16:00"), timedelta(0)),
        (at("18:00"), timedelta(0)),
    ],
)
def test_a_clock_that_is_stopped_keeps_the_time_that_was_left_in_whole_seconds(now: datetime, left: timedelta) -> None:
    assert OPENED.stopped(now) == replace(OPENED, falls_at=None, remind_at=None, left=left)
    assert TOLD.stopped(now) == replace(TOLD, falls_at=None, left=left)


def test_a_clock_that_stands_still_cannot_be_stopped_again() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.stopped(at("14:00")) is standing


def test_a_clock_that_goes_on_has_the_time_that_was_left() -> None:
    """Three hours were left; from 20:00 on they last until 23:00, of the eleven since noon 2:45 are a quarter."""
    going_on = OPENED.stopped(at("13:00")).started(at("20:00"), QUARTER)
    assert going_on == replace(OPENED, falls_at=at("23:00"), remind_at=at("20:15"))


def test_a_clock_that_goes_on_reminds_nobody_twice() -> None:
    assert TOLD.stopped(at("15:30")).started(at("20:00"), QUARTER) == replace(TOLD, falls_at=at("20:30"))


def test_a_clock_without_time_left_falls_as_it_goes_on() -> None:
    assert OPENED.stopped(at("17:00")).started(at("20:00"), 0.0).falls_at == at("20:00")


def test_a_clock_that_runs_cannot_be_started() -> None:
    assert OPENED.started(at("13:00"), QUARTER) is OPENED


# --- reminding and putting off ----------------------------------------------------------------------------------------


def test_who_was_told_is_told_once() -> None:
    assert OPENED.told() == TOLD
    assert TOLD.told() == TOLD


def test_an_outage_puts_off_the_deadline_and_its_reminder() -> None:
    later = OPENED.later(timedelta(minutes=90))
    assert later == replace(OPENED, falls_at=at("17:30"), remind_at=at("16:30"))
    assert TOLD.later(timedelta(minutes=90)) == replace(TOLD, falls_at=at("17:30"))


def test_an_outage_takes_nothing_from_a_clock_that_stands_still() -> None:
    standing = OPENED.stopped(at("13:00"))
    assert standing.later(timedelta(days=1)) == standing
