"""``plotroom verify``: what is checked of a record, in order, and what that proves."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.records.letters.letter import Letter
from bot.verification.export_file import VerifyError
from bot.verification.letters import check_letters
from bot.verification.people import check_people
from bot.verification.play import Book, Playback, Unplayed, check_end, check_salts, rolls_in, times_turned_back
from bot.verification.published import find_head, said_of_receipt
from rules_engine import rulebooks
from rules_engine.core.basics.dice import Roll
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.records.journal import (
    Broken,
    Genesis,
    JournalEntry,
    Revealed,
    Rewound,
    carried_over,
    check_chain,
    version_of,
)

UNSEEN = (
    "Nothing that Discord shows was held against it. Whoever has the seed can write another record that holds as well; "
    "give the hashes from the public channel with --head."
)


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

    receipts: tuple[str, ...] = ()
    """What stands in the record for each receipt that was given."""

    letters: int = 0
    """How many letters between sides there are."""

    proves: tuple[str, ...] = ()
    """What this shows and what it cannot, as sentences."""

    passing: Mapping[str, int] = field(default_factory=dict[str, int])
    """The asks of tracked battles of which nothing could be played, until which entries."""


def verify(
    entries: list[JournalEntry],
    seed: bytes | None = None,
    *,
    heads: Sequence[str] = (),
    receipts: Sequence[str] = (),
    letters: Sequence[Letter] | None = None,
) -> Verdict:
    """Check every hash, who did what, and if the seed is known (in the export, or given) every salt, roll, report and
    score; that ``heads`` and ``receipts``, as Discord shows them, belong to this record; and the ``letters`` between
    sides that came with it (None: they are left out).

    Raises:
        VerifyError: naming the first entry that does not hold.
    """
    try:
        check_chain(entries)
    except Broken as broken:
        raise VerifyError(str(broken), broken.seq) from None
    genesis, book = _beginning(entries)
    published = _revealed(entries)
    seats = check_people(entries)
    check_end(entries)
    turned_back = times_turned_back(entries)
    if letters is not None:
        check_letters(entries, letters)
    shown = [find_head(entries, head) for head in heads]
    answered = tuple(said_of_receipt(entries, receipt, letters or ()) for receipt in receipts)
    seed = seed or published
    turns = rolls = 0
    ending: Ending | None = None
    playback = None if seed is None else Playback(book, entries, seed)
    if seed is not None and playback is not None:
        adjudicator = playback.play()
        check_salts(entries, seed)
        turns, rolls, ending = adjudicator.turn, adjudicator.checkpoint().rolls, adjudicator.ending
    if published is None and getattr(_last_outcome(entries), "ended", False):
        raise VerifyError(
            "the campaign is over, and the seed that is published with its end is not there: the end was cut"
        )
    return Verdict(
        title=genesis.title,
        rulebook=genesis.rulebook,
        entries=len(entries),
        turns=turns,
        rolls=rolls,
        replayed=seed is not None,
        ending=ending,
        head=entries[-1].hash,
        seats=seats,
        receipts=answered,
        letters=len(letters or ()),
        proves=_proves(
            entries, shown, turned_back, unplayed=playback and playback.unplayed, whole=published is not None
        ),
        passing={} if playback is None else playback.passing,
    )


def rolls_of(
    entries: list[JournalEntry], seed: bytes | None = None, passing: Mapping[str, int] | None = None
) -> Iterator[tuple[int, Roll]]:
    """Every roll of the present branch with the entry that brought it about; none while the seed is not known, and none
    of battles that could not be played, as the verdict has them (``passing``)."""
    genesis = entries[0].body
    seed = seed or _revealed(entries)
    if isinstance(genesis, Genesis) and seed is not None:
        yield from rolls_in(rulebooks.rulebook(genesis.rulebook), entries, seed, passing or {})


def _beginning(entries: Sequence[JournalEntry]) -> tuple[Genesis, Book]:
    genesis = entries[0].body
    if not isinstance(genesis, Genesis):
        raise VerifyError("entry 1 is not the beginning of a campaign", 1)
    if genesis.rulebook not in rulebooks.installed():
        raise VerifyError(f"entry 1 names the rulebook “{genesis.rulebook}”, which is not installed here", 1)
    book = rulebooks.rulebook(genesis.rulebook)
    if book.version != (played := version_of(entries)):
        text = f"it was played with version {played} of {genesis.rulebook}; this is version {book.version}"
        raise VerifyError(text, 1)
    return genesis, book


def _revealed(entries: Sequence[JournalEntry]) -> bytes | None:
    for entry in reversed(entries):
        if isinstance(entry.body, Revealed):
            try:
                return bytes.fromhex(entry.body.seed)
            except ValueError:
                raise VerifyError(f"entry {entry.seq} holds no readable seed", entry.seq) from None
    return None


def _said_of(battle: Unplayed) -> str:
    began = f"; it was begun with version {battle.version}" if battle.version else ""
    return (
        f"The tracker of “{battle.battle}” does not play back with this version of the bot (entry {battle.seq}: "
        f"{battle.problem}{began}): what was plotted, flown and rolled in it was not checked beyond its hashes. "
        "Nothing else depends on it; its outcome is what the sides agreed, and all else holds."
    )


def _said_of_rules(entries: Sequence[JournalEntry]) -> list[str]:
    """That a part of the record was played by former versions of the rules, which are not here to play it again."""
    last = carried_over(entries)
    if last is None or not isinstance(last.body, Rewound) or not isinstance(entries[0].body, Genesis):
        return []
    return [
        f"Up to entry {last.body.to} it was played by former rules (it began with version {entries[0].body.version}), "
        f"which are not here: that part was checked by its hashes alone, its orders, dice and scores were not played "
        f"again. Entry {last.seq} carried it over to version {last.body.version}, and says from what state."
    ]


def _last_outcome(entries: Sequence[JournalEntry]) -> object:
    outcomes = (getattr(entry.body, "outcome", None) for entry in reversed(entries))
    return next((outcome for outcome in outcomes if outcome is not None), None)


def _proves(
    entries: Sequence[JournalEntry],
    shown: Sequence[JournalEntry],
    turned_back: Sequence[int],
    *,
    unplayed: Sequence[Unplayed] | None,
    whole: bool,
) -> tuple[str, ...]:
    """What all this shows and what it cannot."""
    said: list[str] = []
    if unplayed is not None:
        but = ", but for what is named next" if unplayed else ""
        said.append(f"By these orders and this seed the campaign comes out just as it is recorded{but}.")
        said += map(_said_of, unplayed)
        said += _said_of_rules(entries)
    else:
        said.append("The seed is still sealed, so dice and scores cannot be checked yet.")
    if not whole:
        said.append(
            "The record does not reach the end of the campaign; what came later, if anything did, is not in it."
        )
    if turned_back:
        named = ", ".join(map(str, turned_back[:10]))
        said.append(f"The host's clock was turned back before entry {named}; times are as good as that clock.")
    if not shown:
        return (*said, UNSEEN)
    last = max(entry.seq for entry in shown)
    said.append(f"Entries 1 to {last} are, letter by letter, those of which the public channel showed the hash.")
    if last < len(entries):
        later = f"For entries {last + 1} to {len(entries)} nothing shows that they are those that were played"
        said.append(f"{later}: give a later head.")
    return tuple(said)
