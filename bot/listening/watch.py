"""The watch over the gateway: every few minutes each server with play is asked for its players, and must answer.

The question goes to the gateway and its answer is an event, so that a connection that stands but brings nothing is
noticed: a fresh session is opened, and deadlines move by the time in which nothing was heard. The answer also tells who
has come back to the server without the role that they had.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.campaigns.runtime import Runtime
from bot.listening.returning import give_back_what_they_had
from bot.listening.silence import Silence
from bot.records.members import SeatInPlay

log = structlog.get_logger()

LOOK_EVERY = timedelta(minutes=3)
SESSION_EVERY = timedelta(minutes=10)
"""A fresh session is opened no more often; Discord allows a thousand a day."""

Wait = Callable[[asyncio.Event, float], Awaitable[None]]


class ServersAsked(Protocol):
    """What is asked of the connection to Discord."""

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        """The roles of those of these users who are on a server, as an event tells them; None for a server that is not
        there. Raises TimeoutError when no event comes."""
        ...

    async def begin_anew(self) -> None:
        """Open a fresh session."""
        ...


class DeadlinesMoved(Protocol):
    """What is asked of the deadlines."""

    async def put_off(self, guild_id: int, by: timedelta) -> None:
        """Move the running deadlines of a server's campaigns."""
        ...


class GatewayWatch:
    """Looks after the gateway. ``wait`` waits at most that many seconds, or until woken."""

    def __init__(self, runtime: Runtime, gateway: ServersAsked, clock: DeadlinesMoved, wait: Wait) -> None:
        self._runtime = runtime
        self._gateway = gateway
        self._clock = clock
        self._wait = wait
        self._task: asyncio.Task[None] | None = None
        self._heard: dict[int, float] = {}
        """When each server last answered, or deadlines were moved for it because it did not, in seconds that the bot
        lived through: the clock of deadlines makes up for the others."""

        self._session_at: datetime | None = None
        self.silence = Silence(runtime)

    def start(self) -> None:
        """Begin to look."""
        self._task = asyncio.create_task(self._run(), name="gateway watch")

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            await self._wait(asyncio.Event(), LOOK_EVERY.total_seconds())
            try:
                await self.look()
                await self.silence.look()
            except Exception:
                log.exception("gateway not watched; trying again")

    async def look(self) -> None:
        """Ask every server with play once."""
        async with self._runtime.store.read() as tx:
            seats = await tx.members.in_play()
        by_guild: defaultdict[int, list[SeatInPlay]] = defaultdict(list)
        for seat in seats:
            by_guild[seat.guild_id].append(seat)
        self._heard = {guild: at for guild, at in self._heard.items() if guild in by_guild}
        deaf = [guild for guild, there in by_guild.items() if not await self._answers(guild, there)]
        now = self._runtime.now()
        if deaf and (self._session_at is None or now - self._session_at >= SESSION_EVERY):
            self._session_at = now
            log.warning("gateway deaf; opening a fresh session", guilds=len(deaf))
            await self._gateway.begin_anew()

    async def _answers(self, guild_id: int, seats: Iterable[SeatInPlay]) -> bool:
        """Ask a server, twice if need be; deadlines move by what it did not hear. True also for one that is away."""
        seats = list(seats)
        asked_at = self._runtime.lived()
        for _ in range(2):
            try:
                roles = await self._gateway.members(guild_id, sorted({seat.user_id for seat in seats}))
            except TimeoutError:
                continue
            if roles is not None:
                self._heard[guild_id] = self._runtime.lived()
                await give_back_what_they_had(self._runtime, seats, roles)
            return True
        since = self._heard.get(guild_id, asked_at)
        now = self._heard[guild_id] = self._runtime.lived()
        log.warning("server not heard", guild=guild_id, seconds=int(now - since))
        await self._clock.put_off(guild_id, timedelta(seconds=now - since))
        return False
