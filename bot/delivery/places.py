"""Reaching a place: found, made again if it was deleted, unarchived, and closed before anything is said."""

import hashlib
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import discord

from bot.delivery import provision
from bot.delivery.job import OutboxJob, log
from bot.delivery.trouble import GiveUp, Hold, TroubleKind, classify
from bot.store import outbox
from bot.store.engine import Connection
from bot.store.outbox import OutboxItem

_T = TypeVar("_T")


async def at_place(job: OutboxJob, key: str, use: Callable[[int], Awaitable[_T]]) -> _T:
    """``use`` the channel of a place. Raises :class:`Hold` while an earlier row must make it or clear it first."""
    async with job.store.read() as conn:
        reason = await reason_to_hold(conn, job.item, key)
    if reason:
        raise Hold(reason)
    repaired: set[TroubleKind] = set()
    while True:
        channel_id = await job.place(key)
        if channel_id is None:
            channel_id = await restore(job, key)
        await provision.guard(job, key, channel_id)
        try:
            return await use(channel_id)
        except discord.HTTPException as error:
            trouble = classify(error)
            if (
                trouble is None
                or trouble.kind not in {TroubleKind.GONE, TroubleKind.ARCHIVED}
                or trouble.kind in repaired
            ):
                raise
            repaired.add(trouble.kind)
            if trouble.kind is TroubleKind.ARCHIVED:
                await job.exit.archive(channel_id, archived=False)
            else:
                log.warning("place.gone", campaign=job.home.id, place=key, channel=channel_id)
                await restore(job, key)


async def reason_to_hold(conn: Connection, item: OutboxItem, key: str) -> str:
    """Why a post in a place must not go yet, or nothing.

    A place must have been made; and secrets wait until those who left a side have lost its role.
    """
    kind, _, name = key.partition(":")
    if await outbox.earlier_unfinished(conn, item, "provision"):
        return f"provision before {key}"
    if kind == "side" and await outbox.earlier_unfinished(conn, item, "revoke", role=key):
        return f"revoke before {key}"
    if kind == "battle" and await outbox.earlier_unfinished(conn, item, "thread", key=name):
        return f"thread before {key}"
    return ""


async def restore(job: OutboxJob, key: str) -> int:
    """Make a missing place again; gives its id."""
    kind, _, name = key.partition(":")
    if kind != "battle":
        places = await provision.ensure(job)
        if key not in places:
            raise GiveUp(f"no-place:{kind}", f"There is no place called {key!r} to post in; please report this defect.")
        return places[key]
    async with job.store.read() as conn:
        made_from = await outbox.latest(conn, job.home.id, "thread", key=name)
    if made_from is None:
        raise GiveUp("no-place:battle", "A battle's thread does not exist, and neither does what it was made from.")
    thread_id = await open_thread(job, made_from.payload)
    again = {"place": key, "content": made_from.payload["content"], "files": made_from.payload.get("files", [])}
    async with job.store.write("sheet") as conn:
        await outbox.enqueue(conn, job.home.id, [(key, "post", again)], now=job.item.created_at)
    return thread_id


async def open_thread(job: OutboxJob, payload: Mapping[str, Any]) -> int:
    """The private thread of a battle, found or made, with the commanders in it and nobody else."""

    async def find_or_make(battles: int) -> int:
        name = thread_name(job, payload)
        found = (await job.exit.private_threads(job.home.guild_id, battles)).get(name)
        return found or await job.exit.create_private_thread(battles, name)

    async with job.shared.building[f"{job.home.id}/{payload['key']}"]:
        thread_id = await at_place(job, "battles", find_or_make)
    for user in payload.get("members", ()):
        try:
            await job.exit.add_to_thread(thread_id, user)
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
                raise
            log.warning("thread.member_missing", campaign=job.home.id, thread=thread_id, user=user)
    await job.settle_place(f"battle:{payload['key']}", thread_id)
    return thread_id


def thread_name(job: OutboxJob, payload: Mapping[str, Any]) -> str:
    """The thread's name with a tag by which it is known again. The tag tells nothing of the battle's key."""
    mark = hashlib.sha256(f"{job.home.id}/{payload['key']}".encode()).hexdigest()[:4]
    return f"{payload['name'][:80]} [{job.home.id}·{mark}]"
