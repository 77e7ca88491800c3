"""The one reconciler: everything of a campaign on Discord is made what it should be, as far as it is not.

It is asked for when the bot starts, on each event that may have changed something, when somebody comes back, and
whenever an answer of Discord says that something is gone.
"""

from collections.abc import Collection
from typing import TypeVar

import discord

from bot.delivery import places
from bot.delivery.job import OutboxJob
from bot.delivery.reconciling import building, people
from bot.delivery.reconciling.again import give_again
from bot.delivery.trouble import GiveUp, TroubleKind, Waiting, classify
from bot.records.effects import BattleThread
from bot.records.places import battle_place, kind_of

_Refusal = TypeVar("_Refusal", bound=Exception)


async def reconcile(job: OutboxJob, others: Collection[int] = ()) -> None:
    """Places and roles first, for without them nobody sees a thread; then who holds which; then threads and cards.

    ``others`` have no seat, perhaps, and may hold a role that is not theirs.
    """
    refused: Waiting | GiveUp | discord.HTTPException | None = None
    there: set[int] | None = None
    try:
        await building.ensure(job)
    except (Waiting, discord.HTTPException) as error:
        refused = _unless_passing(error)
    made = await job.places()
    try:
        there = await people.mend(job, made, others)
    except discord.HTTPException as error:
        refused = refused or _unless_passing(error)
    async with job.store.read() as tx:
        battles = await tx.battles.open_of(job.home.id)
    for battle in battles:
        try:
            await _mend_thread(job, battle, there)
        except (Waiting, GiveUp, discord.HTTPException) as error:
            refused = refused or _unless_passing(error)
    for key, channel_id in made.items():
        if kind_of(key)[0] == "side":
            try:
                await _mend_cards(job, channel_id)
            except discord.HTTPException as error:
                refused = refused or _unless_passing(error)
    if refused is not None:
        raise refused


async def _mend_cards(job: OutboxJob, channel_id: int) -> None:
    """Give the open cards again that stood in a side's channel and were deleted there, of which no event tells."""
    async with job.store.read() as tx:
        cards = await tx.prompts.open_in(channel_id)
    for token, copy in cards:
        try:
            await job.exit.message(channel_id, copy.message_id)
        except discord.HTTPException as error:
            if _kind(error) is not TroubleKind.NO_MESSAGE:
                raise
            async with job.store.write("card") as tx:
                card = await tx.outbox.newest_card(job.home.id, token, copy.user_id)
                again = await give_again(tx, job.home.id, token, copy, card)
                await tx.outbox.put(job.home.id, *again, now=job.now())


async def _mend_thread(job: OutboxJob, battle: str, there: Collection[int] | None) -> None:
    """The thread of an open battle, awake, with its parties' commanders in it; one that is still to be opened is left
    to that."""
    async with job.store.read() as tx:
        made_from = await tx.outbox.latest(job.home.id, "thread", battle)
        is_to_come = await tx.outbox.has_queued(job.home.id, "thread", battle)
    if is_to_come or not isinstance(made_from, BattleThread):
        return
    thread_id = await job.place(battle_place(battle))
    is_awake = False
    try:
        is_awake = thread_id is not None and not (await job.exit.channel(thread_id)).is_archived
    except discord.HTTPException as error:
        if _kind(error) is not TroubleKind.GONE:
            raise
        thread_id = None
    if thread_id is None:
        await places.restore(job, battle_place(battle))
    elif not is_awake:
        await places.open_thread(job, made_from)
        await places.close_if_over(job, battle, thread_id)  # which it may have been made meanwhile
    else:
        for user in await places.parties_commanders(job, made_from):
            if (there is None or user in there) and not await job.exit.is_in_thread(thread_id, user):
                await places.admit(job, thread_id, user)


def _unless_passing(error: _Refusal) -> _Refusal:
    """The same, to be raised when all else has been tried; at once if Discord or the network stumbled."""
    if isinstance(error, discord.HTTPException) and _kind(error) is TroubleKind.RETRY:
        raise error
    return error


def _kind(error: discord.HTTPException) -> TroubleKind | None:
    trouble = classify(error)
    return None if trouble is None else trouble.kind
