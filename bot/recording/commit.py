"""Committing transitions: all or nothing, each interaction once, and never a campaign ahead of its journal.

If anything fails between a transition in memory and its commit, the campaign in memory is thrown away; it is replayed
from its journal when it is next needed.
"""

import functools
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import structlog

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.faults import point
from bot.recording.posts import post_public
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import CampaignInfo
from bot.records.effects import Post
from bot.store.errors import Overtaken, SeenBefore
from bot.store.transaction import Transaction
from rules_engine.core.running.transitions import Transition

log = structlog.get_logger()

TRIES = 3
"""How often something is judged anew because the journal had gone on meanwhile."""

_P = ParamSpec("_P")
_T = TypeVar("_T")


def judged_again(work: Callable[_P, Awaitable[_T]]) -> Callable[_P, Awaitable[_T]]:
    """Do ``work`` again from its beginning when another's entry was written first: it sees the campaign as it is then.

    Raises:
        Sorry: when it is overtaken again and again.
    """

    @functools.wraps(work)
    async def until_it_holds(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        for _ in range(TRIES):
            try:
                return await work(*args, **kwargs)
            except Overtaken as overtaken:
                log.warning("overtaken", campaign=overtaken.campaign_id)
        raise Sorry(
            "Something else was recorded at that very moment; nothing was changed. Try again.", code="overtaken"
        )

    return until_it_holds


async def mark_seen(runtime: Runtime, tx: Transaction, interaction_id: int | None) -> None:
    """Remember an interaction in the transaction that carries it out; Discord may deliver one twice.

    Raises:
        Sorry: when it was carried out already.
    """
    if interaction_id is None:
        return
    try:
        await tx.installation.mark_seen(interaction_id, runtime.now())
    except SeenBefore:
        raise Sorry("This was carried out already.", code="seen") from None


@asynccontextmanager
async def recording_of(
    runtime: Runtime, campaign: CampaignInfo, adjudicator: AnyAdjudicator, interaction_id: int | None = None
) -> AsyncGenerator[Recording, None]:
    """One transaction for what happened in memory; if it is not committed, the campaign in memory is forgotten.

    Raises:
        Sorry: when the interaction was carried out already.
        Overtaken: when the journal has gone on meanwhile.
    """
    try:
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            yield Recording(tx, campaign, adjudicator, runtime.now())
    except BaseException:
        runtime.loaded.evict(campaign.id)
        raise


async def commit_transitions(
    runtime: Runtime,
    campaign: CampaignInfo,
    adjudicator: AnyAdjudicator,
    transitions: Sequence[Transition],
    *,
    interaction_id: int | None = None,
    first: str = "",
    told: Sequence[Post] = (),
) -> None:
    """Write transitions down in a transaction of their own. ``first`` is said in public before what they tell, and
    ``told`` elsewhere: in the thread of a battle that they close, say."""
    point("journal.before")
    async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
        if first:
            await post_public(recording, first)
        await recording.put(*told)
        await write_transitions(recording, transitions)
        point("journal.written")
    point("journal.committed")


@dataclass(frozen=True)
class Remark:
    """What is done to a campaign from outside its play: a topic and a text for the journal, and what is ``told`` in
    public, if that is known beforehand."""

    by: int
    topic: str
    text: str
    told: str = ""


@asynccontextmanager
async def remarking(
    runtime: Runtime, campaign: CampaignInfo, remark: Remark, interaction_id: int | None
) -> AsyncGenerator[Recording, None]:
    """One transaction for what is done to the clock, with a remark on it in the journal."""
    async with holding(runtime, campaign.id) as adjudicator:
        transition = adjudicator.remark(remark.topic, remark.text, by=str(remark.by), at=runtime.stamp())
        async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
            await write_transitions(recording, [transition])
            if remark.told:
                await post_public(recording, remark.told)
            yield recording
