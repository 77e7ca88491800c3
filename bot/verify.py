"""Checking an export: the chain of hashes, then the whole campaign played again."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from rules_engine import rulebooks
from rules_engine.core.basics.dice import Roll
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.records.journal import (
    Answered,
    Broken,
    Genesis,
    JournalEntry,
    Readied,
    Revealed,
    Rewound,
    Seated,
    check_chain,
    effective,
)
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Diverged

LARGEST_EXPORT = 500_000_000
"""Bytes."""


class VerifyError(Exception):
    """The export does not hold; the text says where and why. ``seq`` is the entry, 0 when none can be named."""

    def __init__(self, text: str, seq: int = 0) -> None:
        self.seq = seq
        super().__init__(text)


@dataclass(frozen=True)
class Verdict:
    """What was checked."""

    title: str
    rulebook: str
    entries: int
    turns: int
    rolls: int
    replayed: bool
    ending: Ending | None
    head: str
    seats: tuple[str, ...] = ()
    """Who sat where when, as lines: each change of seat with its entry."""


def read_export(path: Path) -> list[JournalEntry]:
    """The entries of an export file.

    Raises:
        VerifyError: when it cannot be read, naming the line.
    """
    try:
        if path.stat().st_size > LARGEST_EXPORT:
            raise VerifyError(f"{path.name} is larger than {LARGEST_EXPORT:,} bytes")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise VerifyError(f"{path.name} is not UTF-8 text; an export is a file of JSON lines") from None
    except OSError as error:
        raise VerifyError(f"{path.name} cannot be read: {error.strerror}") from None
    entries: list[JournalEntry] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
        try:
            entries.append(JournalEntry.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise VerifyError(f"entry {number} is not a journal entry: {where}: {first['msg']}", number) from None
    if not entries:
        raise VerifyError(f"{path.name} holds no entries")
    return entries


def verify(entries: list[JournalEntry], seed: bytes | None = None) -> Verdict:
    """Check every hash, and if the seed is known (in the export, or given) every roll, report and score.

    Raises:
        VerifyError: naming the first entry that does not hold.
    """
    try:
        check_chain(entries)
    except Broken as broken:
        raise VerifyError(str(broken), broken.seq) from None
    genesis = entries[0].body
    if not isinstance(genesis, Genesis):
        raise VerifyError("entry 1 is not the beginning of a campaign", 1)
    if genesis.rulebook not in rulebooks.installed():
        raise VerifyError(f"entry 1 names the rulebook “{genesis.rulebook}”, which is not installed here", 1)
    book = rulebooks.rulebook(genesis.rulebook)
    if book.version != genesis.version:
        text = f"it was played with version {genesis.version} of {genesis.rulebook}; this is version {book.version}"
        raise VerifyError(text, 1)
    seats = _check_seats(entries)
    seed = seed or _revealed(entries)
    if seed is None:
        return Verdict(genesis.title, genesis.rulebook, len(entries), 0, 0, False, None, entries[-1].hash, seats)
    try:
        adjudicator = replay(book, entries, seed)
    except (Broken, Diverged) as error:
        raise VerifyError(str(error), error.seq) from None
    rolls = adjudicator.checkpoint().rolls
    head = entries[-1].hash
    return Verdict(
        genesis.title, genesis.rulebook, len(entries), adjudicator.turn, rolls, True, adjudicator.ending, head, seats
    )


def _check_seats(entries: list[JournalEntry]) -> tuple[str, ...]:
    """Who sat where when. A rewind undoes no seat, so every entry counts.

    Raises:
        VerifyError: when somebody acted for a side that was not theirs then.
    """
    said: list[str] = []
    seated: Seated | None = None
    for entry in entries:
        body = entry.body
        if isinstance(body, Seated):
            seated = body
            sides = "; ".join(f"{side}: {', '.join(users)}" for side, users in body.commanders.items())
            said.append(f"entry {entry.seq}: {body.text}. Now {sides}; referee: {body.referee}")
            continue
        if not isinstance(body, Answered | Readied) or seated is None:
            continue
        if body.by not in seated.commanders.get(body.side, ()):
            raise VerifyError(f"entry {entry.seq}: {body.by} did not command {body.side} then", entry.seq)
    return tuple(said)


def rolls_of(entries: list[JournalEntry], seed: bytes | None = None) -> Iterator[tuple[int, Roll]]:
    """Every roll of the present branch with the entry that brought it about."""
    genesis = entries[0].body
    seed = seed or _revealed(entries)
    if not isinstance(genesis, Genesis) or seed is None:
        return
    adjudicator = Adjudicator(rulebooks.rulebook(genesis.rulebook), genesis, seed)
    for entry in effective(entries):
        if isinstance(entry.body, Rewound):
            adjudicator.branch_off(entry.body.branch)
            adjudicator.head = entry
            continue
        for roll in adjudicator.repeat(entry).rolls:
            yield entry.seq, roll


def _revealed(entries: list[JournalEntry]) -> bytes | None:
    for entry in reversed(entries):
        if isinstance(entry.body, Revealed):
            try:
                return bytes.fromhex(entry.body.seed)
            except ValueError:
                raise VerifyError(f"entry {entry.seq} holds no readable seed", entry.seq) from None
    return None
