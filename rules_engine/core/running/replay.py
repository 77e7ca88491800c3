"""Making a campaign from its journal: replaying it, or going back to an earlier point of it."""

from collections.abc import Sequence
from typing import TypeVar

from pydantic import BaseModel

from rules_engine.core.basics.dice import commitment
from rules_engine.core.basics.refusals import Refused, malformed
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.records.journal import Broken, Entry, Genesis, Rewound, check_chain, effective, write_entry
from rules_engine.core.running.adjudicator import Referee
from rules_engine.core.running.transitions import Diverged, Snapshot, Step

S = TypeVar("S", bound=BaseModel)


def replay(
    rulebook: Rulebook[S], entries: Sequence[Entry], seed: bytes, snapshot: Snapshot | None = None
) -> Referee[S]:
    """The campaign that these entries made.

    ``entries`` is the journal from its genesis on. With a ``snapshot`` that lies on the effective branch only what
    came after it is played again.

    Raises:
        Broken: when the chain does not hold.
        Diverged: when a step does not come out as recorded.
    """
    check_chain(entries)
    if not entries or not isinstance(entries[0].body, Genesis):
        raise Broken(entries[0].seq if entries else 0, "the journal does not begin with a campaign")
    genesis = entries[0].body
    if genesis.commitment != commitment(seed):
        raise Broken(1, "the seed does not match the commitment published at the start")
    referee = Referee(rulebook, genesis, seed)
    kept = effective(entries)
    if snapshot is not None:
        _prime(referee, kept, snapshot)
        kept = [entry for entry in kept if entry.seq > snapshot.seq]
    for entry in kept:
        _play(referee, entry)
    referee.head = entries[-1]
    return referee


def _prime(referee: Referee[S], kept: Sequence[Entry], snapshot: Snapshot) -> None:
    passed = next((entry for entry in kept if entry.seq == snapshot.seq), None)
    if passed is None:
        raise Broken(snapshot.seq, "the snapshot belongs to a branch that was cut off")
    referee.restore(snapshot, passed)


def _play(referee: Referee[S], entry: Entry) -> None:
    if isinstance(entry.body, Rewound):
        referee.branch_off(entry.body.branch)
        referee.head = entry
        if referee.outcome() != entry.body.outcome:
            raise Diverged(entry.seq, "the campaign does not stand where the rewind left it")
        return
    referee.repeat(entry)


def rewind(
    rulebook: Rulebook[S], entries: Sequence[Entry], seed: bytes, *, to: int, by: str, reason: str, at: str
) -> tuple[Referee[S], Step]:
    """Go back to just after entry ``to``. Fresh dice fall from there; the cut-off branch stays in the journal.

    Raises:
        Refused: when ``to`` is not on the present branch.
    """
    kept = effective(entries)
    if to not in {entry.seq for entry in kept}:
        raise Refused([malformed(f"entry {to} is not part of the present branch")])
    referee = replay(rulebook, entries, seed)
    branch = max([referee.branch, *(one.body.branch for one in entries if isinstance(one.body, Rewound))]) + 1
    referee = Referee(rulebook, referee.genesis, seed)
    for entry in kept:
        if entry.seq <= to:
            _play(referee, entry)
    referee.branch_off(branch)
    body = Rewound(by=by, to=to, branch=branch, reason=reason, outcome=referee.outcome())
    entry, written = write_entry(entries[-1], body, at=at, seed=seed)
    referee.head = entry
    everybody = tuple(label.key for label in referee.sides)
    return referee, Step(
        entry=entry,
        written=written,
        opened=referee.open_asks(),
        maps_for=everybody,
        public_map=True,
        ending=referee.ending,
    )
