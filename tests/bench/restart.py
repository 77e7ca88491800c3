"""From opening the database to a campaign that can answer, for 1,000 journal entries; and how long the first click of
a campaign waits for it, and what it takes of memory, where the journal is much longer.

python -m tests.bench.restart URL      # loads the campaign of that database, and prints milliseconds and bytes
"""

import asyncio
import json
import resource
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypedDict

from sqlalchemy import insert

from bot.campaigns.loaded import LoadedCampaigns, import_rules
from bot.store.database import open_store
from bot.store.tables import CampaignRow, JournalRow, SnapshotRow
from tests.bench.figures import NS_PER_MS, Counts, Figure, Tick, middle
from tests.bench.matches import finished_turns, long_record, running_turn, snapshots_of
from tests.rulebooks.players import Match

PART = "Restart"
ID = "bench"
MEBIBYTE = 1024 * 1024
LONGEST_LOAD = 500.0
"""Milliseconds that the first click in a campaign may wait for it, however long its journal is."""
MOST_MEMORY = 1.3
"""Times the memory that a process takes which loads a young campaign."""


def steps(counts: Counts) -> int:
    return 2 * (counts.repeats + 1) + (1 + len(counts.long_records)) * (counts.repeats + 1)


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
    return [*figures, *await _long_records(counts, tick)]


async def _long_records(counts: Counts, tick: Tick) -> list[Figure]:
    """One load in a process of its own, for a young campaign and for those with long journals, in turns."""
    sizes = (0, *counts.long_records)
    loads: dict[int, list[Load]] = {size: [] for size in sizes}
    with TemporaryDirectory() as folder:
        urls = {size: f"sqlite+aiosqlite:///{Path(folder) / f'{size}.db'}" for size in sizes}
        for size, url in urls.items():
            await keep(url, long_record(size))
            tick()
        for _ in range(counts.repeats):
            for size, url in urls.items():
                loads[size].append(await _one_load(url))
                tick()
    young = loads[0]
    figures: list[Figure] = []
    for size in counts.long_records:
        milliseconds, beside = (middle([one["milliseconds"] for one in found]) for found in (loads[size], young))
        memory, little = (middle([one["bytes"] for one in found]) / MEBIBYTE for found in (loads[size], young))
        figures += [
            Figure(
                PART,
                f"first click's load, {size:,} entries",
                milliseconds,
                "ms",
                limit=LONGEST_LOAD,
                note=f"{beside:.0f} ms for a young campaign",
            ),
            Figure(PART, f"memory after it, {size:,} entries", memory, "MiB", little, "a young campaign", MOST_MEMORY),
        ]
    return figures


class Load(TypedDict):
    """What one load took, and the memory of the process at its highest."""

    milliseconds: float
    bytes: float


async def _one_load(url: str) -> Load:
    command = (sys.executable, "-m", "tests.bench.restart", url)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    said, _ = await process.communicate()
    if process.returncode:
        raise RuntimeError(f"a load failed: {said.decode()}")
    return json.loads(said)


async def first_click(url: str) -> Load:
    """Load the campaign of a database that is open."""
    store = await open_store(url)
    import_rules(["pq17"])  # as the bot does while it connects
    start = time.monotonic_ns()
    async with LoadedCampaigns(store).use(ID) as adjudicator:
        adjudicator.open_asks()
    took = (time.monotonic_ns() - start) / NS_PER_MS
    await store.close()
    return {"milliseconds": took, "bytes": float(_highest())}


def _highest() -> int:
    """The most bytes that this process has had; what ``getrusage`` tells may be its parent's."""
    status = Path("/proc/self/status")
    if not status.exists():  # where there is no such file, nothing better is known
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    lines = status.read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024


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


if __name__ == "__main__":
    print(json.dumps(asyncio.run(first_click(sys.argv[1]))))
