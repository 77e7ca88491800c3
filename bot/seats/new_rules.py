"""Carrying campaigns over to other rules than those by which they were played: the bot is another version now.

Between two turns that happens by itself. Where a turn has only just begun, it begins anew, and what was sent for it
stands where it still can. In the middle of a turn all sides are asked; else the former version can finish the turn.
"""

import asyncio
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import structlog
from pydantic import ValidationError

from bot.campaigns.directory import known
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.recording.campaign_clock import stop_clock
from bot.recording.posts import post_public
from bot.recording.prompts import close_prompts
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.effects import Post
from bot.records.places import side_place
from bot.store.transaction import Transaction
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.records.journal import (
    Answered,
    Broken,
    Closed,
    Edited,
    JournalEntry,
    Rewound,
    Tracking,
    effective,
    version_of,
)
from rules_engine.core.running.replay import begun_anew, last_boundary
from rules_engine.core.running.transitions import NotOpen, RuleFailure, Snapshot, Transition

log = structlog.get_logger()

WITHDRAWN = "Withdrawn: the turn begins anew under new rules."
NOT_CARRIED = (
    "This version of the bot cannot go on from how the turn began. Put back the version that the campaign was played "
    "with, and use `/referee resume`."
)

LOST = (
    "📜 Of what your side had sent, something no longer fits the rules as they are now. Look at your open sheets again."
)


class _Begun:
    """How the present turn began, and what was entered since."""

    def __init__(self, book: Any, seed: bytes, entries: Sequence[JournalEntry], start: Snapshot) -> None:
        self.book = book
        self.seed = seed
        self.entries = entries
        self.start = start
        self.since = [entry for entry in effective(entries) if entry.seq > start.seq]

    @property
    def has_gone_on(self) -> bool:
        """Whether play has gone on in this turn."""
        moved = (entry.body for entry in self.since if isinstance(entry.body, Closed | Edited | Tracking | Rewound))
        return any(not (isinstance(body, Rewound) and body.start) for body in moved)


async def _begun(tx: Transaction, campaign_id: str) -> _Begun:
    source = await tx.campaigns.source(campaign_id)
    book = rulebooks.rulebook(source.rulebook)
    try:
        snapshot = await tx.journal.latest_snapshot(campaign_id)
        landmarks = await tx.journal.landmarks(campaign_id)
        entries = await tx.journal.to_play_on(campaign_id, landmarks, snapshot)
        start = await asyncio.to_thread(last_boundary, book, entries, source.seed, snapshot)
    except (ValidationError, ValueError, Broken) as error:
        raise Sorry(NOT_CARRIED, code="not-carried") from error
    return _Begun(book, source.seed, entries, start)


async def carry_over(runtime: Runtime, campaign_id: str) -> bool:
    """Let a campaign that does not play back go on by the rules that there are now, if they call themselves another
    version and its turn has only just begun; whether it does."""
    async with runtime.loaded.hold(campaign_id), runtime.store.write() as tx:
        campaign = known(await tx.campaigns.find(campaign_id))
        if campaign.status not in IN_PLAY | {CampaignStatus.HALTED}:
            return False
        try:
            begun = await _begun(tx, campaign_id)
            if begun.has_gone_on or version_of(begun.entries) == begun.book.version:
                return False
            await _begin_anew(tx, campaign, begun, now=runtime.now(), keeps=True)
        except Sorry:
            return False
    runtime.loaded.evict(campaign_id)
    log.info("carried over", campaign=campaign_id)
    return True


async def can_begin_anew(runtime: Runtime, campaign_id: str) -> bool:
    """Whether the rules that there are now can go on from how a campaign's turn began; nothing is changed."""
    async with runtime.store.read() as tx:
        try:
            begun = await _begun(tx, campaign_id)
            await asyncio.to_thread(_made_anew, begun, "", runtime.stamp())
        except (Sorry, RuleFailure, Broken):
            return False
    return True


def _made_anew(begun: _Begun, reason: str, at: str) -> tuple[AnyAdjudicator, Transition]:
    """The campaign whose turn begins anew; by whose consent stands in the entry after it."""
    return begun_anew(
        begun.book,
        begun.entries,
        begun.seed,
        begun.start,
        by="clock",
        reason=reason,
        at=at,
        tracker=rulebooks.tracker(),
    )


async def begin_turn_anew(tx: Transaction, campaign: CampaignInfo, to: int, *, now: datetime) -> str:
    """Begin the turn of a halted campaign anew that began with the entry ``to``; gives the version of its rules.

    Raises:
        Sorry: when it is another turn by now, or these rules cannot go on from there.
    """
    begun = await _begun(tx, campaign.id)
    if begun.start.seq != to:
        raise Sorry("Play has gone on since this was asked.", code="stale")
    await _begin_anew(tx, campaign, begun, now=now, keeps=False)
    await tx.campaigns.set_status(campaign.id, CampaignStatus.RUNNING)
    return begun.book.version


async def turn_began_at(tx: Transaction, campaign_id: str) -> int:
    """The entry with which the present turn began.

    Raises:
        Sorry: when that cannot be read.
    """
    return (await _begun(tx, campaign_id)).start.seq


async def out_as_turn_began(tx: Transaction, campaign_id: str) -> frozenset[str]:
    """The sides that were out of play as the present turn began; none where that cannot be read."""
    try:
        begun = await _begun(tx, campaign_id)
        state = await asyncio.to_thread(begun.book.state_model.from_json, begun.start.state)
        return frozenset(begun.book.out_of_play(state))
    except (Sorry, ValidationError, ValueError):
        return frozenset()


async def _begin_anew(tx: Transaction, campaign: CampaignInfo, begun: _Begun, *, now: datetime, keeps: bool) -> None:
    """The turn from its beginning; what was sent for it is sent again where that can be done, if it ``keeps`` that."""
    at = now.isoformat(timespec="milliseconds")
    former = version_of(begun.entries)
    title = begun.book.title
    versions = (
        f"from version {former} of {title} to version {begun.book.version}"
        if former != begun.book.version
        else f"to {title} as this bot has it; both call themselves version {former}"
    )
    try:
        adjudicator, transition = await asyncio.to_thread(_made_anew, begun, f"carried over {versions}", at)
    except (RuleFailure, Broken) as error:
        raise Sorry(NOT_CARRIED, code="not-carried") from error
    again, lost = _sent_again(adjudicator, begun.since, at) if keeps else ([], [])
    recording = Recording(tx, campaign, adjudicator, now)
    await close_prompts(recording, None, WITHDRAWN)
    await tx.deadlines.drop(campaign.id)
    stands = "What was sent for it stands where it still fits. " if keeps else ""
    text = (
        f"📜 **The rules are a new version.** Play is carried over {versions}. The turn that has begun begins anew, "
        f"with fresh dice; what was posted of it is void. {stands}The record says so, and `plotroom verify` knows."
    )
    await post_public(recording, text)
    await recording.put(*[Post(place=side_place(side), content=LOST) for side in lost])
    await write_transitions(recording, [transition, *again])
    if keeps and campaign.status is not CampaignStatus.RUNNING:
        await stop_clock(recording)


def _sent_again(
    adjudicator: AnyAdjudicator, since: Sequence[JournalEntry], at: str
) -> tuple[list[Transition], list[str]]:
    """What was answered in the turn, answered again; and the sides of which something can no longer be."""
    last = {(entry.body.side, entry.body.ask): entry.body for entry in since if isinstance(entry.body, Answered)}
    done: list[Transition] = []
    lost: dict[str, None] = {}
    for (side, ask), body in last.items():
        try:
            done.append(adjudicator.answer(side, ask, body.document, by=body.by, at=at))
        except (NotOpen, Refused):
            lost[side] = None
    return done, [*lost]
