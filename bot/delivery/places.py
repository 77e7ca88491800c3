"""Reaching a place: found, made again if it was deleted, unarchived, and closed before anything is said."""

import hashlib
from collections.abc import Awaitable, Callable
from typing import TypeVar

import discord

from bot.delivery.job import OutboxJob, log
from bot.delivery.reconciling import building
from bot.delivery.trouble import GiveUp, Hold, TroubleKind, classify
from bot.records.effects import BattleThread, Post
from bot.records.outbox import OutboxItem
from bot.records.places import BATTLES_PLACE, battle_place, kind_of, past_battle_place
from bot.store.transaction import Transaction

_T = TypeVar("_T")

SET_ASIDE = "aside"
"""The step of opening a battle in which another's thread was set aside."""


async def at_place(job: OutboxJob, key: str, use: Callable[[int], Awaitable[_T]]) -> _T:
    """``use`` the channel of a place. Raises :class:`Hold` while an earlier row must make it or clear it first."""
    async with job.store.read() as tx:
        reason = await reason_to_hold(tx, job.item, key)
    if reason:
        raise Hold(reason)
    return await in_place(job, key, use)


async def in_place(job: OutboxJob, key: str, use: Callable[[int], Awaitable[_T]]) -> _T:
    """``use`` the channel of a place, whatever else is to come before it. One that is gone is made again first, and
    one that keeps us out is mended."""
    mended: set[TroubleKind] = set()
    while True:
        try:
            channel_id = await job.place(key)
            if channel_id is None:
                channel_id = await restore(job, key)
            await building.guard(job, key, channel_id)
            result = await use(channel_id)
            kind, name = kind_of(key)
            if kind == "battle":
                await close_if_over(job, name, channel_id)
            return result
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind not in _MENDABLE or trouble.kind in mended:
                raise
            mended.add(trouble.kind)
            log.warning("place.not_usable", campaign=job.home.id, kind=kind_of(key)[0], trouble=trouble.label)
            await _mend(job, key, trouble.kind)


_MENDABLE = {TroubleKind.GONE, TroubleKind.ARCHIVED, TroubleKind.FORBIDDEN}


async def _mend(job: OutboxJob, key: str, kind: TroubleKind) -> None:
    """Make a place usable in which something was refused: gone, asleep, or without the overwrites that let us in."""
    thread_id = await job.place(key)
    if kind is TroubleKind.ARCHIVED and thread_id is not None:
        await job.exit.archive(thread_id, archived=False)
    elif kind is TroubleKind.FORBIDDEN:
        await building.ensure(job, BATTLES_PLACE if kind_of(key)[0] == "battle" else key)
    else:
        if thread_id is not None:
            job.forget_messages_in(thread_id)
        await restore(job, key)


async def reason_to_hold(tx: Transaction, item: OutboxItem, key: str) -> str:
    """Why a post in a place must not go yet, or nothing.

    A place must have been made; and secrets wait until those who left a side have lost its role and its battles.
    """
    kind, name = kind_of(key)
    if await tx.outbox.is_behind(item, "provision"):
        return f"provision before {key}"
    if kind == "side" and await tx.outbox.is_behind(item, "revoke", key):
        return f"revoke before {key}"
    if kind == "battle" and await tx.outbox.is_behind(item, "thread", name):
        return "thread before its posts"
    if kind == "battle" and await tx.outbox.is_behind(item, "dismiss"):
        return "dismissal before battles"
    return ""


async def restore(job: OutboxJob, key: str) -> int:
    """Make a missing place again; gives its id."""
    kind, name = kind_of(key)
    if kind != "battle":
        places = await building.ensure(job, key)
        if key not in places:
            notice = "Something could not be posted: this campaign has no channel for it. Please report this defect."
            raise GiveUp(f"no-place:{kind}", notice)
        return places[key]
    async with job.store.read() as tx:
        made_from = await tx.outbox.latest(job.home.id, "thread", name, before=job.item)
    if await is_over(job, name):
        raise GiveUp("over:battle")  # somebody deleted its thread, and nobody needs it any more
    if not isinstance(made_from, BattleThread):
        notice = "Something could not be posted in the channel for battles. Please report this defect."
        raise GiveUp("no-place:battle", notice)  # not that there is a battle: its parties alone need know
    thread_id = await open_thread(job, made_from)
    again = Post(place=key, content=made_from.content, files=made_from.files)
    async with job.store.write("sheet") as tx:
        await tx.outbox.put(job.home.id, again, now=job.now())
    return thread_id


async def open_thread(job: OutboxJob, battle: BattleThread) -> int:
    """The private thread of a battle, found or made, open, with the commanders in it and nobody else."""

    async def find_or_make(battles: int) -> int:
        name = thread_name(job, battle)
        found = (await job.exit.private_threads(job.home.guild_id, battles)).get(name)
        if found is None:
            return await job.exit.create_private_thread(battles, name)
        await job.exit.archive(found, archived=False)
        return found

    place = battle_place(battle.key)
    async with job.shared.building[f"{job.home.id}/{battle.key}"]:
        known = await job.place(place)
        is_there = known is not None and await _is_opened(job, known)
        thread_id = known if known is not None and is_there else await at_place(job, BATTLES_PLACE, find_or_make)
    for user in await parties_commanders(job, battle):
        await admit(job, thread_id, user)
    async with job.store.write("place") as tx:
        await tx.places.forget(job.home.id, thread_id)  # it may have been another battle's meanwhile
        await tx.places.settle(job.home.id, place, thread_id)
    return thread_id


async def _is_opened(job: OutboxJob, thread_id: int) -> bool:
    """Open a thread that was closed; False if somebody has deleted it."""
    try:
        await job.exit.archive(thread_id, archived=False)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        return False
    return True


async def set_others_thread_aside(job: OutboxJob, battle: BattleThread) -> None:
    """Have a battle that is another than one of the same key before it get a thread of its own: play went back, and
    what was written then may be for others to read."""
    place = battle_place(battle.key)
    if SET_ASIDE in job.results:
        return
    async with job.store.read() as tx:
        thread_id = await tx.places.find(job.home.id, place)
        before = await tx.outbox.latest(job.home.id, "thread", battle.key, before=job.item)
    if thread_id is not None and isinstance(before, BattleThread) and battle.is_another_than(before):
        async with job.store.write("place") as tx:
            await tx.places.rename(job.home.id, place, past_battle_place(thread_id))
            await tx.outbox.progressed(job.item, {**job.results, SET_ASIDE: True})
        job.results[SET_ASIDE] = True


async def in_open_thread(job: OutboxJob, thread_id: int, use: Callable[[], Awaitable[_T]]) -> _T:
    """Do what Discord allows in a thread that is not archived; one that is gets opened for it."""
    try:
        return await use()
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.ARCHIVED:
            raise
    await job.exit.archive(thread_id, archived=False)
    return await use()


async def close_thread(job: OutboxJob, thread_id: int) -> None:
    """Archive and lock a thread. One that is archived already is opened first, or Discord would refuse."""
    await in_open_thread(job, thread_id, lambda: job.exit.archive(thread_id))


async def is_over(job: OutboxJob, battle: str) -> bool:
    """Whether a battle is open no more."""
    async with job.store.read() as tx:
        return await tx.battles.is_over(job.home.id, battle)


async def close_if_over(job: OutboxJob, battle: str, thread_id: int) -> None:
    """Close a thread that was opened for something after its battle was over, unless it is yet to be closed."""
    async with job.store.read() as tx:
        may_stay = not await tx.battles.is_over(job.home.id, battle)
        is_to_be_closed = await tx.outbox.has_queued(job.home.id, "archive", battle)
    if not may_stay and not is_to_be_closed:
        await close_thread(job, thread_id)


async def parties_commanders(job: OutboxJob, battle: BattleThread) -> list[int]:
    """Who commands a battle's parties now: those who have left meanwhile, or since it was opened, see nothing of it."""
    async with job.store.read() as tx:
        by_side = await tx.members.by_side(job.home.id)
    if battle.sides:
        return [user for side in battle.sides for user in by_side.get(side, [])]
    still_here = {user for users in by_side.values() for user in users}
    return [user for user in battle.members if user in still_here]


async def admit(job: OutboxJob, thread_id: int, user_id: int) -> None:
    """Let somebody see a battle's thread; who is not on the server is left out.

    Raises :class:`Hold` when Discord refuses while a role has still to be given: who has none yet sees no threads.
    """
    try:
        await job.exit.add_to_thread(thread_id, user_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is not None and trouble.kind is TroubleKind.FORBIDDEN:
            async with job.store.read() as tx:
                if await tx.outbox.is_behind(job.item, "grant"):
                    raise Hold("grant before threads") from error
        if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
            raise
        log.warning("thread.member_missing", campaign=job.home.id, thread=thread_id, user=user_id)


def thread_name(job: OutboxJob, battle: BattleThread) -> str:
    """The thread's name with a tag by which it is known again. The tag tells nothing of the battle's key."""
    marked = "/".join((job.home.id, battle.key, *sorted(battle.sides)))
    mark = hashlib.sha256(marked.encode()).hexdigest()[:4]
    return f"{battle.name[:80]} [{job.home.id}·{mark}]"
