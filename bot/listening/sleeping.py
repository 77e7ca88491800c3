"""Threads of open battles that Discord has put away, or somebody has deleted, are opened or made again at once.

What the gateway tells of one is an event. What happened while nothing was heard shows in a fresh session's threads.
"""

from collections.abc import Callable, Collection

import structlog

from bot.campaigns.runtime import Runtime
from bot.recording.battle_threads import keep_awake
from bot.records.battles import OpenBattle

log = structlog.get_logger()

MOST = 500
"""Open battles that a fresh session is compared with; the clock keeps all of them awake in any case."""


def _is_missing(thread_id: int, awake: Collection[int] | None) -> bool:
    return awake is not None and thread_id not in awake


class SleepingThreads:
    """Has threads woken that are needed."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def has_gone(self, thread_id: int) -> None:
        """A thread was archived or deleted: if an open battle is fought in it, it is wanted again."""
        async with self._runtime.store.read() as tx:
            found = await tx.battles.with_threads(1, thread_id=thread_id)
        await self._wake([battle for battle, _, _ in found])

    async def compare(self, awake: Callable[[int], Collection[int] | None]) -> None:
        """A fresh session was begun. ``awake`` gives a server's threads that are; None for one that is not heard."""
        async with self._runtime.store.read() as tx:
            known = await tx.battles.with_threads(MOST)
        there = {guild_id: awake(guild_id) for _, guild_id, _ in known}
        await self._wake([battle for battle, guild_id, thread_id in known if _is_missing(thread_id, there[guild_id])])

    async def _wake(self, battles: list[OpenBattle]) -> None:
        if not battles:
            return
        async with self._runtime.store.write() as tx:
            for battle in battles:
                if await keep_awake(tx, battle, self._runtime.now()):
                    log.info("thread woken", campaign=battle.campaign_id)
