"""Campaigns in memory: loaded by replay when first needed, one lock each, forgotten when idle."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import not_, select

from bot.errors import Sorry
from bot.store.engine import Connection, Store
from bot.store.tables import CampaignRow, JournalRow, SnapshotRow
from rules_engine import rulebooks
from rules_engine.core.journal import Broken, Entry, Rewound
from rules_engine.core.referee import Referee
from rules_engine.core.replaying import replay
from rules_engine.core.steps import Diverged, RuleFailure, Snapshot

AnyReferee = Referee[Any]

RESTING = ("genesis", "closed", "edited", "rewound")
"""Kinds of entries that tell where play stood after them."""


class Halted(Sorry):
    """The campaign cannot be played on until somebody mends it."""

    def __init__(self, campaign_id: str, reason: str) -> None:
        self.campaign_id = campaign_id
        self.reason = reason
        super().__init__(
            "This campaign is halted: its record no longer plays back the same way. Nothing is lost; "
            "its referee has been told what to do.",
            code="halted",
        )


@dataclass
class _Slot:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    referee: AnyReferee | None = None
    touched: float = 0.0
    tenure: int = 0
    """The store's, before the rows were read that ``referee`` was made from."""


class LoadedCampaigns:
    """The referees of campaigns in play."""

    def __init__(self, store: Store, *, warm: int = 8, idle_seconds: float = 600) -> None:
        self._store = store
        self._warm = warm
        self._idle = idle_seconds
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    @asynccontextmanager
    async def use(self, campaign_id: str) -> AsyncIterator[AnyReferee]:
        """Hold one campaign, alone.

        Whatever goes wrong meanwhile, other than a polite refusal, forgets it: it may be ahead of its journal.
        """
        slot = self._slots.setdefault(campaign_id, _Slot())
        async with slot.lock:
            if slot.referee is None or slot.tenure != self._store.tenure:
                tenure, slot.referee = self._store.tenure, None
                slot.referee = await self._load(campaign_id)
                slot.tenure = tenure
            slot.touched = time.monotonic()
            self._slots.move_to_end(campaign_id)
            try:
                yield slot.referee
            except Sorry:
                raise
            except BaseException:
                slot.referee = None
                raise
        self._trim()

    @asynccontextmanager
    async def hold(self, campaign_id: str) -> AsyncIterator[None]:
        """Hold one campaign, alone, without loading it."""
        slot = self._slots.setdefault(campaign_id, _Slot())
        async with slot.lock:
            yield

    def put(self, campaign_id: str, referee: AnyReferee) -> None:
        """Replace what is held in memory; only while holding the campaign, or when it is new."""
        slot = self._slots.setdefault(campaign_id, _Slot())
        slot.referee = referee
        slot.tenure = self._store.tenure
        slot.touched = time.monotonic()

    async def reload(self, campaign_id: str) -> AnyReferee:
        """Replay the campaign anew; only while holding it."""
        referee = await self._load(campaign_id)
        self.put(campaign_id, referee)
        return referee

    def evict(self, campaign_id: str) -> None:
        """Forget what is in memory; it is replayed from the journal when next needed."""
        slot = self._slots.get(campaign_id)
        if slot is not None:
            slot.referee = None

    def in_memory(self) -> int:
        """How many campaigns are held."""
        return sum(slot.referee is not None for slot in self._slots.values())

    def _trim(self) -> None:
        """Forget idle campaigns, and the least recently used beyond the limit."""
        now = time.monotonic()
        loaded = [key for key, slot in self._slots.items() if slot.referee is not None]
        over = max(0, len(loaded) - self._warm)
        for position, key in enumerate(loaded):
            slot = self._slots[key]
            if not slot.lock.locked() and (position < over or now - slot.touched > self._idle):
                slot.referee = None

    async def _load(self, campaign_id: str) -> AnyReferee:
        async with self._store.read() as conn:
            row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().first()
            if row is None:
                raise Sorry("There is no such campaign.", code="unknown-campaign")
            if row["status"] == "gathering":
                raise Sorry("This campaign has not started yet.", code="not-started")
            entries = await read_journal(conn, campaign_id)
            snapshot = await _latest_snapshot(conn, campaign_id, entries)
        book = rulebooks.rulebook(row["rulebook"])
        try:
            return await asyncio.to_thread(replay, book, entries, row["seed"], snapshot)
        except (Diverged, Broken, RuleFailure) as error:
            raise Halted(campaign_id, str(error)) from error


async def read_journal(conn: Connection, campaign_id: str) -> list[Entry]:
    """All entries of a campaign, in order."""
    rows = await conn.execute(
        select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id).order_by(JournalRow.seq)
    )
    return [Entry.model_validate_json(text) for text in rows.scalars()]


async def resting_points(conn: Connection, campaign_id: str, most: int) -> list[int]:
    """The latest entries of the present branch at which play came to rest, oldest first. Reads only what it needs, for
    it is asked for while somebody types."""
    mine = JournalRow.campaign_id == campaign_id
    rewinds = (await conn.execute(select(JournalRow.entry).where(mine, JournalRow.kind == "rewound"))).scalars()
    kept = [
        not_((JournalRow.seq > entry.body.to) & (JournalRow.seq < entry.seq))
        for entry in map(Entry.model_validate_json, rewinds)
        if isinstance(entry.body, Rewound)
    ]
    resting = select(JournalRow.seq).where(mine, JournalRow.kind.in_(RESTING), *kept)
    rows = await conn.execute(resting.order_by(JournalRow.seq.desc()).limit(most))
    return sorted(rows.scalars())


async def _latest_snapshot(conn: Connection, campaign_id: str, entries: Sequence[Entry]) -> Snapshot | None:
    """The newest snapshot that no rewind has cut off."""
    rewinds = [entry.body for entry in entries if isinstance(entry.body, Rewound)]
    oldest_cut = min((body.to for body in rewinds), default=None)
    query = (
        select(SnapshotRow.body, SnapshotRow.seq)
        .where(SnapshotRow.campaign_id == campaign_id)
        .order_by(SnapshotRow.seq.desc(), SnapshotRow.turn.desc())
    )
    for row in (await conn.execute(query)).mappings():
        last_rewind = max((e.seq for e in entries if isinstance(e.body, Rewound)), default=0)
        if row["seq"] > last_rewind or (oldest_cut is not None and row["seq"] <= oldest_cut):
            return Snapshot.model_validate_json(row["body"])
    return None
