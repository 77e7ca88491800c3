"""The letters between sides, which stand beside the journal: each pair's chain, who wrote them, and whether they are
those of which the journal's end holds the hash."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from itertools import groupby, pairwise
from typing import NamedTuple

from bot.records.letters.agreements import NotNow, agreements_in
from bot.records.letters.letter import FIRST_PREV, Letter, digest_of
from bot.verification.export_file import VerifyError
from rules_engine.core.records.journal import Checkpoint, JournalEntry, Revealed, Seated

AT_ONCE = timedelta(seconds=5)
"""How far the times of a letter and of an entry may lie apart if they were written at the same moment."""


def check_letters(entries: Sequence[JournalEntry], letters: Sequence[Letter]) -> None:
    """Whether every letter follows the one before it between the same sides, was written while the campaign was played
    and in the turn that it names, by somebody who commanded its side then, and says of offers what could be said; and
    whether the seed was published with the hash of these.

    Raises:
        VerifyError: at the first that does not hold, or when letters are missing or put in.
    """
    tables = [(datetime.fromisoformat(one.at), one.body) for one in entries if isinstance(one.body, Seated)]
    clocks_go_on = all(one[0] <= other[0] for one, other in pairwise(tables))
    course = _course_of(entries)
    pairs: dict[str, list[Letter]] = {}
    for letter in letters:
        pairs.setdefault(letter.pair, []).append(letter)
    campaigns = {letter.campaign for letter in letters}
    if len(campaigns) > 1:
        raise VerifyError(f"there are letters of several campaigns: {', '.join(sorted(campaigns))}")
    for found in pairs.values():
        _check_chain(found)
        for letter in found if clocks_go_on else ():
            _check_writer(letter, tables)
        for letter in found if course else ():
            _check_time(letter, course)
    _check_digests(entries, letters)


def letter_of_receipt(letters: Iterable[Letter], receipt: str) -> str | None:
    """What letter has this receipt, as a line; None if none has."""
    found = next((letter for letter in letters if letter.receipt == receipt), None)
    return None if found is None else f"{named(found)}, by {found.by}, at {found.at}"


def named(letter: Letter) -> str:
    """A letter in a few words."""
    return f"letter {letter.number} between {letter.pair.replace(' & ', ' and ')}, from {letter.sender}"


def _check_chain(letters: Sequence[Letter]) -> None:
    number, prev = 0, FIRST_PREV
    for letter in letters:
        if letter.sender == letter.receiver:
            raise VerifyError(f"{named(letter)}: it goes to its own side")
        if letter.number != number + 1:
            raise VerifyError(
                f"{named(letter)}: it follows letter {number}, so something between was taken out or put in"
            )
        if letter.prev != prev:
            raise VerifyError(f"{named(letter)}: it does not follow the letter before it (its previous hash differs)")
        if letter.hash != letter.worked_out():
            raise VerifyError(f"{named(letter)}: its content was changed (its hash differs)")
        number, prev = letter.number, letter.hash
    try:
        agreements_in(letters)
    except NotNow as why:
        raise VerifyError(f"letters between {letters[0].pair.replace(' & ', ' and ')}: {why}") from None


def _check_writer(letter: Letter, tables: Sequence[tuple[datetime, Seated]]) -> None:
    """Seats are compared by the host's clock, which stamped both; where it was turned back they are not."""
    seats = next((seats for at, seats in reversed(tables) if at <= letter.moment), None)
    if seats is not None and letter.by not in seats.commanders.get(letter.sender, ()):
        raise VerifyError(f"{named(letter)}: {letter.by} did not command {letter.sender} then")


class _Stood(NamedTuple):
    """Where play stood from a moment on."""

    since: datetime
    turn: int
    ended: bool


def _course_of(entries: Sequence[JournalEntry]) -> list[_Stood]:
    """Where play stood when, by the host's clock; nothing where that was turned back."""
    times = [datetime.fromisoformat(one.at) for one in entries]
    if any(one > other for one, other in pairwise(times)):
        return []
    outcomes = [(at, getattr(one.body, "outcome", None)) for at, one in zip(times, entries, strict=True)]
    return [_Stood(at, found.turn, found.ended) for at, found in outcomes if isinstance(found, Checkpoint)]


def _check_time(letter: Letter, course: Sequence[_Stood]) -> None:
    """A letter is written under the campaign's lock, so it names the turn in which play stands, and none is written
    once the campaign has ended."""
    if letter.moment < course[0].since - AT_ONCE:
        raise VerifyError(f"{named(letter)}: it is dated before the campaign began")
    before = max((n for n, stood in enumerate(course) if stood.since <= letter.moment - AT_ONCE), default=0)
    possible = [stood for stood in course[before:] if stood.since <= letter.moment + AT_ONCE]
    if all(stood.ended for stood in possible):
        raise VerifyError(f"{named(letter)}: it is dated after the campaign's end")
    if letter.turn not in {stood.turn for stood in possible}:
        raise VerifyError(f"{named(letter)}: it is of turn {letter.turn}, and play stood in turn {possible[0].turn}")


def _check_digests(entries: Sequence[JournalEntry], letters: Sequence[Letter]) -> None:
    """Each time that the seed was published the letters so far had the hash that stands beside it."""
    published = [one for one in entries if isinstance(one.body, Revealed)]
    for entry in published:
        body = entry.body
        assert isinstance(body, Revealed)
        is_last = entry is published[-1]
        until = datetime.fromisoformat(entry.at)
        so_far = [letter for letter in letters if is_last or letter.moment <= until]
        heads = [
            (pair, (last := [*found][-1]).number, last.hash)
            for pair, found in groupby(sorted(so_far, key=lambda one: (one.pair, one.number)), lambda one: one.pair)
        ]
        if body.letters != (digest_of(heads) if heads else ""):
            raise VerifyError(
                f"entry {entry.seq}: the letters here are not those of which it holds the hash; some were changed, "
                "taken out or put in",
                entry.seq,
            )
    if not published and letters:
        raise VerifyError("there are letters though the campaign has not ended; they are exported at its end")
