"""From opening the database to a campaign that can answer, for 1,000 journal entries."""

import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import insert

from bot.campaigns.loaded import LoadedCampaigns
from bot.store.database import open_store
from bot.store.tables import CampaignRow, JournalRow, SnapshotRow
from tests.bench.figures import NS_PER_MS, Counts, Figure, Tick, middle
from tests.bench.matches import finished_turns, running_turn, snapshots_of
from tests.rulebooks.players import Match

PART = "Restart"
ID = "bench"


def steps(counts: Counts) -> int:
    """How often :func:`measure` ticks."""
    return 2 * (counts.repeats + 1)


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """One campaign in the midst of a turn, and one with many turns behind it."""
    figures: list[Figure] = []
    for name, make in (("all in the running turn", running_turn), ("many finished turns", finished_turns)):
        game = make(counts.entries)
        tick()
        times: list[float] = []
        with TemporaryDirectory() as folder:
            url = f"sqlite+aiosqlite:///{Path(folder) / 'plotroom.db'}"
            await keep(url, game)
            for _ in range(counts.repeats):
                times.append(await load(url, game))
                tick()
        entries = len(game.entries)
        figures.append(
            Figure(
                PART,
                f"1,000 entries, {name}",
                middle(times) * 1_000 / entries,
                "ms",
                note=f"{middle(times):.0f} ms for {entries:,} entries, turn {game.adjudicator.turn}",
            )
        )
    return figures


async def keep(url: str, game: Match) -> None:
    """Write a campaign into a database, as the bot would have left it."""
    adjudicator = game.adjudicator
    row = {
        "id": ID,
        "guild_id": 1,
        "title": "Bench",
        "rulebook": adjudicator.rulebook.key,
        "version": adjudicator.rulebook.version,
        "scenario": adjudicator.genesis.scenario,
        "sides": [label.model_dump(mode="json") for label in adjudicator.sides],
        "seed": game.seed,
        "status": "running",
        "status_note": "",
        "referee_id": 1,
        "settings": {},
        "created_at": datetime.now(UTC),
    }
    entries = [
        {"campaign_id": ID, "seq": one.seq, "kind": one.body.kind, "hash": one.hash, "entry": one.model_dump_json()}
        for one in game.entries
    ]
    snapshots = [
        {"campaign_id": ID, "seq": one.seq, "turn": one.turn, "body": one.model_dump_json()}
        for one in snapshots_of(game)
    ]
    store = await open_store(url)
    async with store.write() as tx:
        await tx.connection.execute(insert(CampaignRow).values(row))
        await tx.connection.execute(insert(JournalRow), entries)
        if snapshots:
            await tx.connection.execute(insert(SnapshotRow), snapshots)
    await store.close()


async def load(url: str, game: Match) -> float:
    """Open the database and load the campaign, as after a restart; milliseconds until it has answered."""
    start = time.monotonic_ns()
    store = await open_store(url)
    try:
        async with LoadedCampaigns(store).use(ID) as adjudicator:
            asks = adjudicator.open_asks()
        took = (time.monotonic_ns() - start) / NS_PER_MS
        assert adjudicator.head == game.entries[-1]
        assert len(asks) == len(game.adjudicator.open_asks())
    finally:
        await store.close()
    return took
