"""Snapshots of a campaign's turns: which are kept, and that play stands again from them; and its rewinds."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
import sqlalchemy as sa

from bot.store.database import Store
from bot.store.repositories.journal import _REWINDS, kept_turns
from bot.store.tables import SnapshotRow
from rules_engine.core.running.replay import resumed
from rules_engine.core.running.transitions import Transition
from tests import toy
from tests.bot.store.samples import SOURCE, Played, founded


@pytest.fixture
async def campaign(store: Store) -> Store:
    """A store with a campaign whose journal is empty."""
    await founded(store)
    return store


async def append(store: Store, transitions: Sequence[Transition]) -> None:
    async with store.write() as tx:
        await tx.journal.append("c1", transitions)


async def test_snapshots_are_thinned_out_and_play_still_stands_at_each_point_that_a_rewind_may_go_to(campaign: Store):
    game = Played(turns=60)
    for number in range(40):
        await append(campaign, [*(game.transitions if not number else ()), *game.turn(5)])
    query = sa.select(SnapshotRow.turn).order_by(SnapshotRow.turn)
    async with campaign.read() as tx:
        kept = list((await tx.connection.execute(query)).scalars())
        landmarks = await tx.journal.landmarks("c1")
        assert kept == [2, 16, 24, 28, 32, 34, 36, 38, 39, 40, 41]
        for step in game.transitions:
            outcome = getattr(step.entry.body, "outcome", None)
            if outcome is None:
                continue
            seq = step.entry.seq
            snapshot = await tx.journal.latest_snapshot("c1", before=seq + 1)
            entries = await tx.journal.to_play_on("c1", landmarks, snapshot, seq)
            again = resumed(toy.RULEBOOK, entries, SOURCE.seed, snapshot)
            assert again.checkpoint(outcome.told) == outcome
            assert snapshot is None or len(entries) <= 2 + 3 * max(4, 41 - snapshot.turn), "a turn has three entries"


async def test_snapshots_of_a_branch_that_was_cut_off_go_with_the_next_turn(campaign: Store) -> None:
    game = Played(turns=9)
    for _ in range(3):
        game.turn(5)
    game.rewind(4)
    game.turn(6)
    await append(campaign, game.transitions)
    async with campaign.read() as tx:
        seqs = list((await tx.connection.execute(sa.select(SnapshotRow.seq).order_by(SnapshotRow.seq))).scalars())
    assert seqs == [4, game.entries[-1].seq]


@pytest.mark.parametrize("apart", [1, 2, 3, 7])
def test_what_is_kept_of_snapshots_was_kept_before_and_grows_by_few(apart: int) -> None:
    """Also where several turns pass at once, and only the last of them has a snapshot."""
    kept: set[int] = set()
    for turn in range(2, 2_000 * apart, apart):
        kept = kept_turns({*kept, turn})
        assert turn in kept
        assert len(kept) <= 4 + 3 * turn.bit_length()
        for back, other in pairwise(sorted(kept)):
            assert other - back <= max(2 * apart, (turn - back) / 2), (turn, back, other)
    assert len(kept) < 40


async def test_rewinds_are_found_by_their_index(campaign: Store) -> None:
    """However long a record is, its few rewinds are read at every load."""
    game = Played()
    game.turn(5)
    game.rewind(1)
    await append(campaign, game.transitions)
    async with campaign.write() as tx:
        explain = "EXPLAIN QUERY PLAN " if campaign.dialect == "sqlite" else "EXPLAIN "
        if campaign.dialect == "postgresql":  # a small table is read whole unless that is made dear
            await tx.connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
        asked = _REWINDS.params(of="c1").compile(tx.connection.sync_connection, compile_kwargs={"literal_binds": True})
        plan = [str(row) for row in await tx.connection.execute(sa.text(f"{explain}{asked}"))]
        assert any("journal_rewinds" in line for line in plan), plan
        assert [one.seq for one in await tx.journal.landmarks("c1")] == [1, 5]
        assert await tx.journal.present_branch("c1") == {1, 5}
