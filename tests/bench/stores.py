"""A journalled commit as a click makes it, on both databases, beside the bare fsynced commit of one small row."""

from contextlib import AsyncExitStack
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic_ns

from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.store.database import Store, open_store
from rules_engine.core.records.journal import JournalEntry, Remarked, write_entry
from rules_engine.core.running.transitions import Transition
from tests.bench.commits import BODY, BareCommits
from tests.bench.figures import NS_PER_MS, Counts, Figure, Tick, middle, p95
from tests.databases import POSTGRESQL, SQLITE, database_url, missing

PART = "Stores"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ENTRY = Remarked(by="1", topic="bench", text=BODY)


def steps(counts: Counts) -> int:
    return counts.warm_up + counts.clicks


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Commits in turns, so that what else the machine does falls on all alike; PostgreSQL's only where it is there."""
    kinds = [SQLITE] if missing() else [SQLITE, POSTGRESQL]
    times: dict[str, list[float]] = {kind: [] for kind in ("bare", *kinds)}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        bare = BareCommits(folder / "bare.db")
        stack.callback(bare.close)
        stores: dict[str, Store] = {}
        for kind in kinds:
            stores[kind] = await open_store(database_url(folder, kind))
            stack.push_async_callback(stores[kind].close)
            await _found(stores[kind])
        head: JournalEntry | None = None
        for number in range(1, steps(counts) + 1):
            took = {"bare": bare.commit()}
            entry, line = write_entry(head, ENTRY, at=NOW.isoformat(), seed=bytes(32))
            head = entry
            for kind, store in stores.items():
                took[kind] = await _append(store, number, Transition(entry, line))
            if number > counts.warm_up:
                for kind, one in took.items():
                    times[kind].append(one / NS_PER_MS)
            tick()
    names = {SQLITE: "journalled commit, SQLite", POSTGRESQL: "journalled commit, PostgreSQL"}
    base = middle(times["bare"])
    return [
        Figure(PART, names[kind], middle(times[kind]), "ms", base, "a bare commit", p95=p95(times[kind]))
        for kind in kinds
    ]


async def _append(store: Store, number: int, transition: Transition) -> int:
    """Remember an interaction and append an entry; nanoseconds."""
    start = monotonic_ns()
    async with store.write() as tx:
        await tx.installation.mark_seen(number, NOW)
        await tx.journal.append("bench", [transition])
    return monotonic_ns() - start


async def _found(store: Store) -> None:
    info = CampaignInfo("bench", 1, "Bench", "toy", CampaignStatus.RUNNING, 1, CampaignSettings(), ())
    async with store.write() as tx:
        await tx.campaigns.add(NewCampaign(info, CampaignSource("toy", {}, bytes(32)), "1", NOW))
