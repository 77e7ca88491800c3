"""Campaigns in memory: loaded by replay when first needed, one lock each, forgotten when idle."""

import asyncio
import contextlib
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from bot.campaigns.directory import known
from bot.errors import Sorry
from bot.records.campaigns import CampaignStatus
from bot.store.database import Store
from rules_engine import rulebooks
from rules_engine.core.protocol.rulebook import Rulebook
from rules_engine.core.protocol.tracker import Tracker
from rules_engine.core.records.journal import Broken, JournalEntry, version_of
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import resumed
from rules_engine.core.running.transitions import Diverged, RuleFailure

AnyAdjudicator = Adjudicator[Any]


class Halted(Sorry):
    """The campaign cannot be played on until somebody mends it."""

    def __init__(self, campaign_id: str, reason: str, versions: str = "") -> None:
        self.campaign_id = campaign_id
        self.reason = reason
        self.versions = versions
        """By which version of the rules it was played, and which there is; empty where the record itself is broken."""
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
    users: int = 0
    """How many hold it, or wait to."""


class LoadedCampaigns:
    """The campaigns in memory, each with its lock; of campaigns at rest nothing is kept."""

    def __init__(self, store: Store, *, warm: int = 8, idle_seconds: float = 600) -> None:
        self._store = store
        self._warm = warm
        self._idle = idle_seconds
        self._slots: OrderedDict[str, _Slot] = OrderedDict()

    @asynccontextmanager
    async def use(self, campaign_id: str, head: str | None = None) -> AsyncGenerator[AnyAdjudicator, None]:
        """Hold one campaign, alone, as its journal has it now; ``head`` is the hash of the journal's last entry, if the
        caller has just read it.

        Whatever goes wrong meanwhile, other than a polite refusal, forgets it: it may be ahead of its journal.
        """
        async with self._holding(campaign_id) as slot:
            adjudicator = slot.adjudicator
            if adjudicator is None or not await self._is_current(campaign_id, adjudicator, head):
                slot.adjudicator = None
                slot.adjudicator = adjudicator = await self._load(campaign_id)
            try:
                yield adjudicator
            except Sorry:
                raise
            except BaseException:
                slot.adjudicator = None
                raise

    @asynccontextmanager
    async def hold(self, campaign_id: str) -> AsyncGenerator[None, None]:
        """Hold one campaign, alone, without loading it."""
        async with self._holding(campaign_id):
            yield

    @asynccontextmanager
    async def _holding(self, campaign_id: str) -> AsyncGenerator[_Slot, None]:
        slot = self._slots.setdefault(campaign_id, _Slot())
        slot.users += 1
        try:
            async with slot.lock:
                yield slot
        finally:
            slot.users -= 1
            slot.touched = time.monotonic()
            self._slots.move_to_end(campaign_id)
            self._trim()

    def put(self, campaign_id: str, adjudicator: AnyAdjudicator) -> None:
        """Replace what is held in memory; only while holding the campaign, or when it is new."""
        slot = self._slots.setdefault(campaign_id, _Slot())
        slot.adjudicator = adjudicator
        slot.touched = time.monotonic()
        self._trim()

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
        over = self.in_memory() - self._warm
        for campaign_id, slot in list(self._slots.items()):
            if slot.users:
                continue
            if slot.adjudicator is not None and (over > 0 or now - slot.touched > self._idle):
                slot.adjudicator = None
                over -= 1
            if slot.adjudicator is None:
                del self._slots[campaign_id]

    async def _is_current(self, campaign_id: str, adjudicator: AnyAdjudicator, head: str | None) -> bool:
        held = None if adjudicator.head is None else adjudicator.head.hash
        if head is not None and head == held:
            return True
        async with self._store.read() as tx:  # another may have held the campaign since the caller read
            return await tx.journal.head(campaign_id) == held

    async def _load(self, campaign_id: str) -> AnyAdjudicator:
        async with self._store.read() as tx:
            campaign = known(await tx.campaigns.find(campaign_id))
            if campaign.status is CampaignStatus.GATHERING:
                raise Sorry("This campaign has not started yet.", code="not-started")
            if campaign.never_began:
                raise Sorry(
                    "This campaign was cancelled before it began, so there is nothing to see.", code="cancelled"
                )
            source = await tx.campaigns.source(campaign_id)
        book, tracker = await asyncio.to_thread(_rules_of, source.rulebook)  # the first one of a book imports it
        back = 0
        landmarks: list[JournalEntry] = []
        try:
            while True:
                async with self._store.read() as tx:  # what is read belongs together
                    landmarks = await tx.journal.landmarks(campaign_id)
                    snapshot = await tx.journal.latest_snapshot(campaign_id, back=back)
                    entries = await tx.journal.to_play_on(campaign_id, landmarks, snapshot)
                    rests = await tx.journal.tracked_rests(campaign_id, 0 if snapshot is None else snapshot.seq)
                adjudicator = await asyncio.to_thread(
                    resumed, book, entries, source.seed, snapshot, tracker=tracker, rests=rests
                )
                if snapshot is None or adjudicator.knows_what_was_shown():
                    return adjudicator
                back = 4 * back + 1  # a side that has long been told nothing sees on what stood then
        except Broken as error:
            raise Halted(campaign_id, str(error)) from error
        except (Diverged, RuleFailure, ValidationError) as error:
            problem = "a snapshot cannot be read" if isinstance(error, ValidationError) else str(error)
            raise Halted(campaign_id, problem, _versions(book, landmarks)) from error


def import_rules(books: Iterable[str]) -> None:
    """Import these rulebooks and the tracker, which takes the better part of a second: as the bot starts, so that no
    first click waits for it. Call it in a thread."""
    for key in books:
        with contextlib.suppress(rulebooks.UnknownRulebook):  # said when somebody asks for such a campaign
            _rules_of(key)


def _rules_of(key: str) -> tuple[Rulebook[Any], Tracker[Any]]:
    return rulebooks.rulebook(key), rulebooks.tracker()


def _versions(book: Rulebook[Any], landmarks: Sequence[JournalEntry]) -> str:
    played, here = version_of(landmarks), book.version
    if played != here:
        return f"It is played by version {played} of the rules of {book.title}, and this bot has version {here}"
    return (
        f"The record and this bot both name version {here} of the rules of {book.title}, and do not agree all the same"
    )
