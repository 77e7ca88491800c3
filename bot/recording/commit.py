"""Committing transitions: all or nothing, each interaction once, and never a campaign ahead of its journal.

If anything fails between a transition in memory and its commit, the campaign in memory is thrown away; it is replayed
from its journal when it is next needed.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from bot.campaigns.info import CampaignInfo
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.faults import point
from bot.recording.posts import post_public
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.store.connections import Change, Connection
from bot.store.tables import SeenInteractionRow
from rules_engine.core.running.transitions import Transition

_seen = Change(insert(SeenInteractionRow.__table__))  # type: ignore[arg-type]


async def mark_seen(runtime: Runtime, conn: Connection, interaction_id: int | None) -> None:
    """Remember an interaction in the transaction that carries it out; Discord may deliver one twice.

    Raises:
        Sorry: when it was carried out already.
    """
    if interaction_id is None:
        return
    try:
        await _seen.make(conn, id=interaction_id, at=runtime.now())
    except IntegrityError:
        raise Sorry("This was carried out already.", code="seen") from None


@asynccontextmanager
async def recording_of(
    runtime: Runtime, campaign: CampaignInfo, adjudicator: AnyAdjudicator, interaction_id: int | None = None
) -> AsyncGenerator[Recording, None]:
    """One transaction for what happened in memory; if it is not committed, the campaign in memory is forgotten.

    Raises:
        Sorry: when the interaction was carried out already.
    """
    try:
        async with runtime.store.write() as conn:
            await mark_seen(runtime, conn, interaction_id)
            yield Recording(conn, campaign, adjudicator, runtime.now())
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
) -> None:
    """Write transitions down in a transaction of their own. ``first`` is said in public before what they tell."""
    point("journal.before")
    async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
        if first:
            await post_public(recording, first)
        await write_transitions(recording, transitions)
        point("journal.written")
    point("journal.committed")
    runtime.deliver()
    if any(transition.opened or transition.closed for transition in transitions):
        runtime.deadlines_changed()


@asynccontextmanager
async def remarking(
    runtime: Runtime,
    campaign: CampaignInfo,
    user_id: int,
    *,
    remark: tuple[str, str],
    text: str,
    interaction_id: int | None,
) -> AsyncGenerator[Recording, None]:
    """One transaction for what is done to the clock: a remark (topic, text) in the journal, and ``text`` in public."""
    async with holding(runtime, campaign.id) as adjudicator:
        topic, note = remark
        transition = adjudicator.remark(topic, note, by=str(user_id), at=runtime.stamp())
        async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
            await write_transitions(recording, [transition])
            await post_public(recording, text)
            yield recording
    runtime.deliver()
    runtime.deadlines_changed()
