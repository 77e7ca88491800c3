"""Campaigns in memory: loaded by replay when first needed, one lock each, forgotten when idle."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from bot.campaigns.journal import latest_snapshot, read_journal
from bot.errors import Sorry
from bot.store.engine import Store
from bot.store.tables import CampaignRow
from rules_engine import rulebooks
from rules_engine.core.records.journal import Broken
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Diverged, RuleFailure

AnyAdjudicator = Adjudicator[Any]


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
    adjudicator: AnyAdjudicator | None = None
    touched: float = 0.0
    tenure: int = 0
    """The store's, before the rows were read that ``adjudicator`` was made from."""


class LoadedCampaigns:
    """The campaigns in memory, each with its lock."""

    def __init__(self, store: Store, *, warm: int = 8, idle_seconds: float = 600) -> None:
        self._store = store
        self._warm = warm
        self._idle = idle_seconds
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    @asynccontextmanager
    async def use(self, campaign_id: str) -> AsyncGenerator[AnyAdjudicator, None]:
        """Hold one campaign, alone.

        Whatever goes wrong meanwhile, other than a polite refusal, forgets it: it may be ahead of its journal.
        """
        slot = self._slots.setdefault(campaign_id, _Slot())
        async with slot.lock:
            if slot.adjudicator is None or slot.tenure != self._store.tenure:
                tenure, slot.adjudicator = self._store.tenure, None
                slot.adjudicator = await self._load(campaign_id)
                slot.tenure = tenure
            slot.touched = time.monotonic()
            self._slots.move_to_end(campaign_id)
            try:
                yield slot.adjudicator
            except Sorry:
                raise
            except BaseException:
                slot.adjudicator = None
                raise
        self._trim()

    @asynccontextmanager
    async def hold(self, campaign_id: str) -> AsyncGenerator[None, None]:
        """Hold one campaign, alone, without loading it."""
        slot = self._slots.setdefault(campaign_id, _Slot())
        async with slot.lock:
            yield

    def put(self, campaign_id: str, adjudicator: AnyAdjudicator) -> None:
        """Replace what is held in memory; only while holding the campaign, or when it is new."""
        slot = self._slots.setdefault(campaign_id, _Slot())
        slot.adjudicator = adjudicator
        slot.tenure = self._store.tenure
        slot.touched = time.monotonic()

    async def reload(self, campaign_id: str) -> AnyAdjudicator:
        """Replay the campaign from its journal again; only while holding it."""
        adjudicator = await self._load(campaign_id)
        self.put(campaign_id, adjudicator)
        return adjudicator

    def evict(self, campaign_id: str) -> None:
        """Forget what is in memory; it is replayed from the journal when next needed."""
        slot = self._slots.get(campaign_id)
        if slot is not None:
            slot.adjudicator = None

    def in_memory(self) -> int:
        """How many campaigns are held."""
        return sum(slot.adjudicator is not None for slot in self._slots.values())

    def _trim(self) -> None:
        """Forget idle campaigns, and the least recently used beyond the limit."""
        now = time.monotonic()
        loaded = [key for key, slot in self._slots.items() if slot.adjudicator is not None]
        over = max(0, len(loaded) - self._warm)
        for position, key in enumerate(loaded):
            slot = self._slots[key]
            if not slot.lock.locked() and (position < over or now - slot.touched > self._idle):
                slot.adjudicator = None

    async def _load(self, campaign_id: str) -> AnyAdjudicator:
        async with self._store.read() as conn:
            row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().first()
            if row is None:
                raise Sorry("There is no such campaign.", code="unknown-campaign")
            if row["status"] == "gathering":
                raise Sorry("This campaign has not started yet.", code="not-started")
            entries = await read_journal(conn, campaign_id)
            snapshot = await latest_snapshot(conn, campaign_id, entries)
        book = rulebooks.rulebook(row["rulebook"])
        try:
            return await asyncio.to_thread(replay, book, entries, row["seed"], snapshot)
        except (Diverged, Broken, RuleFailure) as error:
            raise Halted(campaign_id, str(error)) from error
