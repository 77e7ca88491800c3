"""Whether everybody could do what the record says that they did, by the tables of seats in it.

A rewind undoes no seat, so every entry counts, those of cut-off branches too. Before the first table nothing can be
said; the bot writes one as play begins.
"""

from collections.abc import Sequence

from bot.verification.export_file import at_entry
from rules_engine.core.records.journal import (
    Answered,
    Closed,
    Edited,
    JournalEntry,
    Readied,
    Remarked,
    Revealed,
    Rewound,
    Ruled,
    Seated,
    Tracking,
)

CLOCK = "clock"
"""Whose word it is when nobody did it."""
SETTINGS = "settings"
"""Whose word it is that a battle is tracked where all are."""


def check_people(entries: Sequence[JournalEntry]) -> tuple[str, ...]:
    """Who sat where when, as lines: each change of seat with its entry.

    Raises:
        VerifyError: when somebody did what was not theirs to do then.
    """
    said: list[str] = []
    seats: Seated | None = None
    have_played: set[str] = set()
    for entry in entries:
        if isinstance(entry.body, Seated):
            seats = entry.body
            have_played.update(user for users in seats.commanders.values() for user in users)
            said.append(_line(entry, seats))
        elif seats is not None:
            _check_act(entry, seats, have_played)
    return tuple(said)


def _line(entry: JournalEntry, seats: Seated) -> str:
    seated = [user for users in seats.commanders.values() for user in users] + list(seats.watching)
    twice = sorted({user for user in seated if seated.count(user) > 1})
    if twice:
        raise at_entry(entry, f"{', '.join(twice)} cannot sit in two places")
    sides = "; ".join(f"{side}: {', '.join(users)}" for side, users in seats.commanders.items())
    return f"entry {entry.seq}: {seats.text}. Now {sides}; referee: {seats.referee}"


def _check_act(entry: JournalEntry, seats: Seated, have_played: set[str]) -> None:
    match entry.body:
        case Tracking(side=""):
            _check_tracking(entry, entry.body, seats)
        case Tracking(lost=True):
            raise at_entry(entry, "a tracker that does not play back is let go of by the clock, and by no side")
        case Answered(side=side, by=by) | Readied(side=side, by=by) | Tracking(side=side, by=by):
            if by not in seats.commanders.get(side, ()):
                raise at_entry(entry, f"{by} did not command {side} then")
        case Ruled(by="clock"):  # a battle's stated end, which a replay compares with what its book states
            return
        case Closed(reason="referee", by=by) | Ruled(by=by) | Edited(by=by) | Rewound(start="", by=by):
            _check_referee(entry, by, seats)
            if by in have_played:
                raise at_entry(entry, f"{by} had commanded a side, so this was not theirs to do ({entry.body.kind})")
        case Closed(by=by) | Revealed(by=by) | Rewound(by=by):  # what carries play over to other rules
            if by != CLOCK:
                raise at_entry(entry, f"this happens by itself, and not by {by}")
        case Remarked(by=by):
            _check_referee(entry, by, seats)
        case _:
            raise at_entry(entry, f"a campaign does not begin twice ({entry.body.kind})")


def _check_tracking(entry: JournalEntry, body: Tracking, seats: Seated) -> None:
    """What is done to a tracker without its parties: the setting begins it, and the clock stops
    one in which nobody speaks, and lets go of one that fails."""
    alone = {SETTINGS: ("begin",), CLOCK: ("pause", "drop")}
    if body.lost and (body.by, body.wish) != (CLOCK, "drop"):
        raise at_entry(entry, f"a tracker that does not play back is let go of by the clock, and not by {body.by}")
    if body.by not in alone:
        _check_referee(entry, body.by, seats)
    elif body.wish not in alone[body.by] or not body.wanted:
        raise at_entry(entry, f"no {body.by} may {body.wish} alone (tracking)")


def _check_referee(entry: JournalEntry, by: str, seats: Seated) -> None:
    if by != seats.referee:
        raise at_entry(entry, f"{by} was not the referee then ({entry.body.kind})")
