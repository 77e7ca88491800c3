"""Threads of open battles that Discord has put away, or somebody has deleted, are opened or made again at once.

What the gateway tells of one is an event. What happened while nothing was heard shows in a fresh session's threads.
"""

from collections.abc import Collection, Sequence

import structlog

from bot.campaigns.runtime import Runtime
from bot.recording.battle_threads import keep_awake
from bot.records.battles import OpenBattle

log = structlog.get_logger()

MOST = 500
"""Open battles of a server that a fresh session is compared with; the clock keeps all of them awake in any case."""


class SleepingThreads:
    """Has threads woken that are needed."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def has_gone(self, thread_id: int) -> None:
        """A thread was archived or deleted: if an open battle is fought in it, it is wanted again."""
        async with self._runtime.store.read() as tx:
            battle = await tx.battles.fought_in(thread_id)
        if battle is not None:
            await self._wake([battle])

    async def compare(self, guild_id: int, awake: Collection[int]) -> None:
        """A server is heard anew, with those of its threads that are ``awake``."""
        async with self._runtime.store.read() as tx:
            known = await tx.battles.with_threads(guild_id, MOST)
        await self._wake([battle for battle, thread_id in known if thread_id not in awake])

    async def _wake(self, battles: Sequence[OpenBattle]) -> None:
        if not battles:
            return
        async with self._runtime.store.write() as tx:
            for battle in battles:
                if await keep_awake(tx, battle, self._runtime.now()):
                    log.info("thread woken", campaign=battle.campaign_id)
