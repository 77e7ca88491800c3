"""The watch over the gateway: every few minutes each server with play is asked for its players, and must answer.

The question goes to the gateway and its answer is an event, so that a connection that stands but brings nothing is
noticed: a fresh session is opened, and deadlines move by the time in which nothing was heard. Shortly before a deadline
the servers are asked more often, and when it falls its own is asked once more. The answer also tells who is
there with which roles, which is compared with their seats.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Protocol

import structlog

from bot.campaigns.runtime import Runtime
from bot.listening.silence import Silence
from bot.records.members import SeatInPlay

log = structlog.get_logger()

LOOK_EVERY = timedelta(minutes=3)
NEAR_EVERY = timedelta(seconds=30)
"""How often it is looked while a deadline is nearer than the next look would be."""

FRESH = 45.0
"""Seconds for which an answer holds."""

AT_ONCE = 2.0
"""Seconds that a deadline waits for an answer before it is held back."""

SESSION_EVERY = timedelta(minutes=10)
"""A fresh session is opened no more often; Discord allows a thousand a day."""

Wait = Callable[[asyncio.Event, float], Awaitable[None]]


class ServersAsked(Protocol):
    """The connection to Discord, as far as it is asked anything."""

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        """The roles of those of these users who are on a server, as an event tells them; None for a server that is not
        there. Raises TimeoutError when no event comes."""
        ...

    async def begin_anew(self) -> None:
        """Open a fresh session."""
        ...


class DeadlinesMoved(Protocol):
    """The clock of deadlines, as far as it is asked anything."""

    async def put_off(self, guild_id: int, by: timedelta) -> None:
        """Move the running deadlines of a server's campaigns."""
        ...

    def heard_again(self) -> None:
        """Let those fall that were held because nobody could be heard."""
        ...


Compare = Callable[[Sequence[SeatInPlay], Mapping[int, frozenset[int]]], Awaitable[None]]
"""Compares the seats of a server's people with the roles of those who are there."""


class GatewayWatch:
    """Looks after the gateway. ``wait`` waits at most that many seconds, or until woken."""

    def __init__(
        self, runtime: Runtime, gateway: ServersAsked, clock: DeadlinesMoved, wait: Wait, compare: Compare
    ) -> None:
        self._runtime = runtime
        self._compare = compare
        self._gateway = gateway
        self._clock = clock
        self._wait = wait
        self._task: asyncio.Task[None] | None = None
        self._began = 0.0
        """When the watch began; what was before, the clock of deadlines makes up for."""

        self._heard: dict[int, float] = {}
        """When each server last answered, or deadlines were moved for it because it did not, in seconds that the bot
        lived through: the clock of deadlines makes up for the others."""

        self._answered: dict[int, float] = {}
        """When each server last answered, of those that answered when they were asked last."""

        self._awaited: set[int] = set()
        """The servers that deadlines wait for."""

        self._taking = asyncio.Lock()
        """One answer is taken at a time: of two that come together the second must not let deadlines fall that the
        first is still moving."""

        self._woken = asyncio.Event()
        self._asking: dict[int, asyncio.Task[bool]] = {}
        """Questions that deadlines have put, and that are under way."""

        self._session_at: datetime | None = None
        self.silence = Silence(runtime)

    def start(self) -> None:
        """Begin to look."""
        self._began = self._runtime.lived()
        self._task = asyncio.create_task(self._run(), name="gateway watch")

    async def stop(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        for asking in self._asking.values():
            asking.cancel()
        await asyncio.gather(*self._asking.values(), return_exceptions=True)

    async def heard(self, guild_ids: Collection[int]) -> set[int]:
        """The servers among these whose people can be heard: they answered just now, or do so at once. The others may
        still answer; deadlines move by what they do not hear."""
        begun = [self._ask(one) for one in guild_ids if not self._is_fresh(one) and one not in self._asking]
        if begun:
            await asyncio.wait(begun, timeout=AT_ONCE)
        answered = {one for one in guild_ids if self._is_fresh(one)}
        for silent in {*guild_ids} - answered:
            self._answered.pop(silent, None)
            self._heard.setdefault(silent, self._began)
            self._awaited.add(silent)
        return answered

    def connected(self) -> None:
        """Servers may be there that were not: look at once, for a deadline may wait for one."""
        self._woken.set()

    def _is_fresh(self, guild_id: int) -> bool:
        answered = self._answered.get(guild_id)
        return answered is not None and self._runtime.lived() - answered <= FRESH

    def _ask(self, guild_id: int) -> asyncio.Task[bool]:
        asking = self._asking[guild_id] = asyncio.create_task(self._look_at(guild_id), name="gateway asked")
        asking.add_done_callback(lambda _: self._asking.pop(guild_id, None))
        return asking

    async def _look_at(self, guild_id: int) -> bool:
        try:
            async with self._runtime.store.read() as tx:
                seats = [seat for seat in await tx.members.in_play() if seat.guild_id == guild_id]
            if await self._answers(guild_id, seats):
                return True
            await self._begin_anew(1)
        except Exception:
            log.exception("server not asked", guild=guild_id)
        return False

    async def _until_the_next_look(self) -> float:
        """Seconds until the next look."""
        async with self._runtime.store.read() as tx:
            falls_at = await tx.deadlines.next_fall()
        is_near = falls_at is not None and falls_at - self._runtime.now() <= LOOK_EVERY
        return (NEAR_EVERY if is_near else LOOK_EVERY).total_seconds()

    async def _run(self) -> None:
        silent_at = self._runtime.lived()
        while True:
            try:
                seconds = await self._until_the_next_look()
            except Exception:
                log.exception("deadlines not read; looking soon")
                seconds = NEAR_EVERY.total_seconds()
            await self._wait(self._woken, seconds)
            self._woken.clear()
            try:
                await self.look()
                if self._runtime.lived() - silent_at >= LOOK_EVERY.total_seconds() - 1:
                    silent_at = self._runtime.lived()
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
        for kept in (self._heard, self._answered):
            for guild in [guild for guild in kept if guild not in by_guild]:
                del kept[guild]
        deaf = [guild for guild, there in by_guild.items() if not await self._answers(guild, there)]
        if deaf:
            await self._begin_anew(len(deaf))

    async def _begin_anew(self, deaf: int) -> None:
        """Open a fresh session, unless one was opened a short time ago."""
        now = self._runtime.now()
        if self._session_at is None or now - self._session_at >= SESSION_EVERY:
            self._session_at = now
            log.warning("gateway deaf; opening a fresh session", guilds=deaf)
            await self._gateway.begin_anew()

    async def _answers(self, guild_id: int, seats: Iterable[SeatInPlay]) -> bool:
        """Ask a server, twice if need be; deadlines move by what it did not hear. True also for one that is away."""
        seats = list(seats)
        for _ in range(2):
            try:
                roles = await self._gateway.members(guild_id, sorted({seat.user_id for seat in seats}))
            except TimeoutError:
                continue
            if roles is None:  # until it is there again nobody in it can be heard
                self._answered.pop(guild_id, None)
                self._heard.setdefault(guild_id, self._began)
                return True
            async with self._taking:
                was_unheard = guild_id in self._heard and guild_id not in self._answered
                if was_unheard:
                    await self._put_off(guild_id)
                self._heard[guild_id] = self._answered[guild_id] = self._runtime.lived()
                if guild_id in self._awaited:
                    self._awaited.discard(guild_id)
                    self._clock.heard_again()
            await self._compare(seats, roles)
            return True
        async with self._taking:
            self._answered.pop(guild_id, None)
            log.warning("server not heard", guild=guild_id)
            await self._put_off(guild_id)
        return False

    async def _put_off(self, guild_id: int) -> None:
        """Move the deadlines of a server by the time in which it was not heard, up to now."""
        now = self._runtime.lived()
        since = self._heard.get(guild_id, self._began)
        if now > since:
            log.warning("deadlines moved by time not heard", guild=guild_id, seconds=int(now - since))
            await self._clock.put_off(guild_id, timedelta(seconds=now - since))
        self._heard[guild_id] = now  # not before: what could not be moved by is moved by with the next answer
