"""The journal: append-only, hash-chained. A campaign is a pure function of it, its seed and the rules."""

import hmac
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel
from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.basics.seals import Nonce

GENESIS_HASH = "0" * 64

if TYPE_CHECKING:
    Document = Json
else:
    # Hashing an entry refuses anything that is not plain JSON, so pydantic need not check a whole sheet again each time
    # an entry is made, hashed and written.
    Document = Any


class Checkpoint(Frozen):
    """The engine's position after an entry that made play go on; a replay must reach the same one.

    ``state`` and ``told`` are digests: of the state with everybody's knowledge, and of the reports and rolls that this
    entry caused. So is ``seal``, of what keys the next rolls; it is left out in a campaign without seals. So is
    ``strands``, of what open strands hold back and key their rolls with; it is left out where play has not parted. And
    ``tracked``, of battles that are tracked beside their asks; it is left out where there are none.
    """

    state: str
    told: str = ""
    seal: str = Field(default="", exclude_if=lambda seal: not seal)
    asks: tuple[str, ...]
    reports: int
    rolls: int
    turn: int
    ended: bool = False
    strands: str = Field(default="", exclude_if=lambda strands: not strands)
    tracked: str = Field(default="", exclude_if=lambda tracked: not tracked)


class Genesis(Frozen):
    """The campaign as it began. It holds the whole scenario, so that an export needs no other file.

    With a ``nonce`` its dice are sealed, see :mod:`rules_engine.core.basics.seals`; without one they are of the kind
    that campaigns had before there were seals.
    """

    kind: Literal["genesis"] = "genesis"
    title: str
    rulebook: str
    version: str
    commitment: str
    sides: tuple[SideLabel, ...]
    scenario: dict[str, Json]
    nonce: Nonce | None = Field(default=None, exclude_if=lambda nonce: nonce is None)
    outcome: Checkpoint

    @property
    def has_seals(self) -> bool:
        """Whether the rolls of each closing are keyed with a seal."""
        return self.nonce is not None


class Answered(Frozen):
    """A side saved an answer. A later one to the same ask replaces it while the batch is open."""

    kind: Literal["answered"] = "answered"
    ask: str
    side: Side
    by: str
    document: Document


class Readied(Frozen):
    """A side said that it is done with what is open, or took that back; of one ``strand`` where play has parted."""

    kind: Literal["readied"] = "readied"
    side: Side
    by: str
    ready: bool
    strand: str = Field(default="", exclude_if=lambda strand: not strand)


class Ruled(Frozen):
    """The referee settled an ask on which the parties did not agree, or which nobody answered."""

    kind: Literal["ruled"] = "ruled"
    ask: str
    by: str
    document: Document
    reason: str


class Closed(Frozen):
    """What was open closed and play went on, in one ``strand`` where it has parted; for ``patient`` and ``orders_wait``
    see :class:`SharedTurn`.

    ``nonce`` was made by the host in that moment and goes into the seal of the dice, if the campaign has seals.
    """

    kind: Literal["closed"] = "closed"
    reason: Literal["all ready", "deadline", "referee"]
    by: str
    strand: str = Field(default="", exclude_if=lambda strand: not strand)
    patient: bool = Field(False, exclude_if=lambda patient: not patient)
    orders_wait: bool = Field(default=False, exclude_if=lambda orders_wait: not orders_wait)
    nonce: Nonce | None = Field(default=None, exclude_if=lambda nonce: nonce is None)
    outcome: Checkpoint


class Edited(Frozen):
    """The referee changed the state by hand.

    ``told`` holds what each side whose view changed was told of it, word for word, so that a replay tells the same
    however views read by then. None in records made before sides were told: their values are kept as they were given.
    """

    kind: Literal["edited"] = "edited"
    by: str
    path: str
    value: Json
    remove: bool = False
    reason: str
    told: dict[Side, str] | None = Field(None, exclude_if=lambda told: told is None)
    outcome: Checkpoint


class Rewound(Frozen):
    """Play went back to the entry ``to``; later entries stay in the journal as a cut-off branch.

    With a ``start`` it was carried over to the rules of ``version``: it goes on from that snapshot, taken between two
    turns during the entry ``to``. What came before was played by other rules, and is not played again. Where the turn
    had only just begun nothing lies between ``to`` and this. It is kept as text: in a state the order of keys counts,
    and an entry's own keys are sorted.
    """

    kind: Literal["rewound"] = "rewound"
    by: str
    to: int
    branch: int
    reason: str
    version: str = Field(default="", exclude_if=lambda version: not version)
    start: str = Field(default="", exclude_if=lambda start: not start)
    outcome: Checkpoint


class Remarked(Frozen):
    """Something that changes no state but belongs on the record: a pause, an extension, a setting."""

    kind: Literal["remarked"] = "remarked"
    by: str
    topic: str
    text: str


class Seated(Frozen):
    """Who sits where from here on: the commanders of each side, the referee, and who watches, as the host knows them.

    ``text`` says what has changed, and by whose consent.
    """

    kind: Literal["seated"] = "seated"
    by: str
    referee: str
    commanders: dict[Side, tuple[str, ...]]
    watching: tuple[str, ...] = ()
    text: str


Wish = Literal["begin", "begin late", "pause", "go on", "undo", "drop"]
"""What the parties of a battle may wish of its tracker."""


class Tracking(Frozen):
    """What a ``side`` wishes of the tracker of a battle, by the id of the battle's ask, or takes back (not ``wanted``);
    an empty side is the campaign's own setting, or the referee. Where it is what all that must have wished, it is done.

    ``options`` are those with which a battle begins, ``version`` is that of the tracker which began it. ``lost`` is
    written by the host alone, with ``drop``: what was flown until then does not come out again as it is recorded.
    """

    kind: Literal["tracking"] = "tracking"
    ask: str
    side: Side
    by: str
    wish: Wish
    wanted: bool = True
    options: dict[str, Document] = Field(default_factory=dict)
    version: str = ""
    lost: bool = Field(default=False, exclude_if=lambda lost: not lost)
    outcome: Checkpoint


class Revealed(Frozen):
    """The seed, published at the end so that anybody can check the dice.

    ``letters`` is one hash of all that sides wrote to each other beside the record; empty where they wrote nothing.
    """

    kind: Literal["revealed"] = "revealed"
    by: str
    seed: str
    letters: str = Field(default="", exclude_if=lambda letters: not letters)


EntryBody = Annotated[
    Genesis | Answered | Readied | Ruled | Closed | Edited | Rewound | Remarked | Seated | Tracking | Revealed,
    Field(discriminator="kind"),
]


class JournalEntry(Frozen):
    """One line of the journal. ``at`` is the time by the host's clock (ISO 8601, UTC); no rule uses it.

    ``salt`` is unguessable until the seed is revealed, so that nobody can find a short answer by hashing guesses.
    """

    seq: int
    at: str
    salt: str
    prev: str
    body: EntryBody
    hash: str

    def computed_hash(self) -> str:
        """The hash that this content must have: that of its canonical JSON without the hash itself."""
        return _hash(*self._spelled())

    def line(self) -> str:
        """The entry as one line of canonical JSON, as it is kept."""
        front, back = self._spelled()
        return _line(front, self.hash, back)

    def _spelled(self) -> tuple[bytes, bytes]:
        return _spelled(seq=self.seq, at=self.at, salt=self.salt, prev=self.prev, body=self.body)

    @property
    def receipt(self) -> str:
        """The short proof a player is given for a journalled input."""
        return self.hash[:12]


def _spelled(*, seq: int, at: str, salt: str, prev: str, body: EntryBody) -> tuple[bytes, bytes]:
    """An entry's canonical JSON without its hash, in two parts: before and after the hash in alphabetical order."""
    plain = body.model_dump(mode="json") if not isinstance(body, Answered | Ruled) else vars(body)  # plain JSON already
    return canonical({"at": at, "body": plain})[:-1], canonical({"prev": prev, "salt": salt, "seq": seq})[1:]


def _hash(front: bytes, back: bytes) -> str:
    return sha256(b"%b,%b" % (front, back)).hexdigest()


def _line(front: bytes, made: str, back: bytes) -> str:
    return (b'%b,"hash":"%b",%b' % (front, made.encode(), back)).decode()


def salt_of(seed: bytes, seq: int) -> str:
    """The salt of entry ``seq``."""
    return hmac.digest(seed, f"journal-salt/{seq}".encode(), "sha256").hex()[:32]


def write_entry(head: JournalEntry | None, body: EntryBody, *, at: str, seed: bytes) -> tuple[JournalEntry, str]:
    """The entry that follows ``head`` (None: the first), and the line it is stored as, its canonical JSON."""
    seq = head.seq + 1 if head else 1
    salt = salt_of(seed, seq)
    prev = head.hash if head else GENESIS_HASH
    front, back = _spelled(seq=seq, at=at, salt=salt, prev=prev, body=body)  # used for both hash and line
    made = _hash(front, back)
    return JournalEntry(seq=seq, at=at, salt=salt, prev=prev, body=body, hash=made), _line(front, made, back)


class Broken(Exception):
    """The chain does not hold at entry ``seq``."""

    def __init__(self, seq: int, problem: str) -> None:
        self.seq = seq
        self.problem = problem
        super().__init__(f"entry {seq}: {problem}")


def check_chain(entries: Iterable[JournalEntry], head: JournalEntry | None = None, *, whole_from: int = 1) -> None:
    """Check numbers, links and hashes. Of an excerpt only what lies behind the entry ``whole_from`` must be there
    without a gap.

    Raises:
        Broken: naming the first entry that does not hold, and why.
    """
    for entry in entries:
        expected = head.seq + 1 if head else 1
        is_behind_a_gap = expected < entry.seq <= whole_from
        if entry.seq != expected and not is_behind_a_gap:
            raise Broken(entry.seq, f"expected entry number {expected}")
        if not is_behind_a_gap and entry.prev != (head.hash if head else GENESIS_HASH):
            raise Broken(entry.seq, "does not follow the entry before it (its previous hash differs)")
        if entry.hash != entry.computed_hash():
            raise Broken(entry.seq, "its content was changed (its hash differs)")
        head = entry


def effective(entries: Sequence[JournalEntry]) -> list[JournalEntry]:
    """The entries that led to the present position, without branches cut off by a rewind."""
    live: list[JournalEntry] = []
    for entry in entries:
        if isinstance(entry.body, Rewound):
            to = entry.body.to
            live = [kept for kept in live if kept.seq <= to]
        live.append(entry)
    return live


def carried_over(entries: Sequence[JournalEntry]) -> JournalEntry | None:
    """The last entry at which play was carried over to other rules, of those on one branch."""
    starts = (entry for entry in reversed(entries) if isinstance(entry.body, Rewound) and entry.body.start)
    return next(starts, None)


def first_needed(landmarks: Sequence[JournalEntry], start: int | None) -> int:
    """The first entry of a journal that is needed to play on, from the number ``start`` of the newest snapshot's entry,
    or from the very beginning where there is no snapshot.

    ``landmarks`` are the journal's genesis and all its rewinds: whatever lies before the first entry that is needed,
    these are needed besides.
    """
    carried = carried_over(effective(landmarks))
    if carried is not None and isinstance(carried.body, Rewound) and (start is None or start < carried.seq):
        return carried.body.to
    return start or 1


def version_of(entries: Sequence[JournalEntry]) -> str:
    """The version of the rules that the present branch of a journal goes by."""
    last = carried_over(effective(entries)) or entries[0]
    return last.body.version if isinstance(last.body, Genesis | Rewound) else ""
