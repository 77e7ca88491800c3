"""Who asks for a look at Discord: whatever was heard of a server or of a person is compared with what should be.

Nothing is changed here. Where something differs a :class:`~bot.records.effects.Reconcile` goes into the outbox, once
for each campaign, and delivery mends it.
"""

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from time import monotonic
from typing import Any, Protocol

import structlog

from bot.campaigns.runtime import Runtime
from bot.delivery.reconciling.asking import ask
from bot.delivery.reconciling.plans import lacks_something
from bot.records.effects import Post
from bot.records.members import SeatInPlay
from bot.records.places import REFEREE_PLACE, Server, role_place
from bot.store.errors import StoreUnavailable
from bot.store.transaction import Transaction

log = structlog.get_logger()

AGAIN_AFTER = 60.0
"""Seconds for which somebody whose roles were right, and who has the same ones still, is not looked at again."""

DIRECT_AGAIN_AFTER = 5.0
"""The same where it is not known which roles they have now."""

PRESSED_AGAIN_AFTER = 0.25
"""The same for somebody who does something, who may have come back to the server just after the last look."""

REMEMBERED = 2_000
MOST_ASKED = 30
"""People that the gateway is asked for in a minute because they wrote directly; the watch asks for all of them."""

MOST_THREADS = 500
"""Open battles of a server that are compared; the clock keeps all of them awake in any case."""

HURRY_EVERY = 10.0
"""Seconds in which what Discord refused is tried again once at most, however many people are seen to lack something."""

_READING, _ACTING = 0, -1
"""Stand in a server's place where somebody was looked at who reads, or does something, in direct messages."""

Roles = Mapping[int, frozenset[int]]


class ServersKnown(Protocol):
    """What is known of servers through the gateway."""

    def bot_id(self) -> int:
        """The bot's own user."""
        ...

    def servers(self) -> list[int]:
        """The servers that the bot is on."""
        ...

    def standing(self, guild_id: int) -> Server | None:
        """A server as events have described it; None for one that is not there."""
        ...

    async def members(self, guild_id: int, user_ids: list[int]) -> dict[int, frozenset[int]] | None:
        """The roles of those of these users who are on a server; None for a server that is not there. Raises
        TimeoutError when no event comes."""
        ...


class Reconciler:
    """Compares what is heard of Discord with what should be there."""

    def __init__(self, runtime: Runtime, servers: ServersKnown, *, seconds: Callable[[], float] = monotonic) -> None:
        self._runtime = runtime
        self._seconds = seconds
        self._servers = servers
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_stopped = False
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._about_to_look: set[int] = set()
        """Servers that are looked at as soon as the look that is under way is over."""
        self._seen: dict[tuple[int, int], tuple[frozenset[int], float]] = {}
        """When somebody was looked at on a server, and with which roles."""
        self._pressed: deque[float] = deque()
        """When the gateway was asked for somebody who did something directly, in the last minute."""
        self._asked: dict[str, float] = {}
        """When each campaign was asked for last."""

    def soon(self, look: Coroutine[Any, Any, None]) -> None:
        """Look while others go on: nobody waits for it. Once it is stopped, nothing is looked at."""
        if self._is_stopped:
            look.close()
            return
        task = asyncio.create_task(self._quietly(look), name="look at Discord")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _quietly(self, look: Coroutine[Any, Any, None]) -> None:
        try:
            await look
        except (TimeoutError, StoreUnavailable) as error:  # the next event, or the watch, looks again
            log.info("not looked", error=type(error).__name__)
        except Exception:
            log.exception("look failed")

    async def stop(self) -> None:
        """Look no more."""
        self._is_stopped = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # --- servers -------------------------------------------------------------------------------------------------

    async def began(self) -> None:
        """A fresh session began: what happened on servers meanwhile was told to nobody."""
        async with self._runtime.store.read() as tx:
            played_on = {campaign.guild_id for campaign in await tx.campaigns.not_over()}
        there = set(self._servers.servers())
        for guild_id in sorted(played_on - there):
            await self.left(guild_id)
        for guild_id in sorted(played_on & there):
            self.soon(self.joined(guild_id))

    async def left(self, guild_id: int) -> None:
        """The bot is not on a server any more."""
        async with self._runtime.store.read() as tx:
            is_played_on = bool(await tx.campaigns.not_over(guild_id))
        if is_played_on:
            log.warning("no more on a server", guild=guild_id)
            async with self._runtime.store.write() as tx:
                await tx.installation.left_server(guild_id, self._runtime.now())

    async def joined(self, guild_id: int) -> None:
        """The bot is on a server, perhaps again: the referees are told if it was away, and all is looked at."""
        now = self._runtime.now()
        async with self._runtime.store.read() as tx:
            campaigns = await tx.campaigns.not_over(guild_id)
            seats = await tx.members.not_over(guild_id)
            # Of members of threads and of deleted messages nothing is ever told.
            untold = [campaign.id for campaign in campaigns if await _has_what_is_untold(tx, campaign.id)]
        if not campaigns:
            return
        async with self._runtime.store.write() as tx:
            since = await tx.installation.back_on_server(guild_id)
            for campaign in campaigns:
                if since is not None:
                    word = Post(place=REFEREE_PLACE, content=_back(since, now))
                    await tx.outbox.put(campaign.id, word, now=now)
                if since is not None or campaign.id in untold:
                    await ask(tx, campaign.id, now)
        await self.changed(guild_id)
        if seats:
            roles = await self._servers.members(guild_id, sorted({seat.user_id for seat in seats}))
            if roles is not None:
                await self.people(seats, roles)

    async def changed(self, guild_id: int) -> None:
        """Something of a server changed, or may have. Changes that come while one is looked at share the next look."""
        if guild_id in self._about_to_look:
            return
        self._about_to_look.add(guild_id)
        async with self._locks[guild_id]:
            self._about_to_look.discard(guild_id)
            server = self._servers.standing(guild_id)
            if server is None:
                return
            wanting: list[str] = []
            async with self._runtime.store.read() as tx:
                campaigns = await tx.campaigns.not_over(guild_id)
                standing = [one for one in campaigns if not await tx.outbox.is_founding(one.id)]
                threads: defaultdict[str, list[int]] = defaultdict(list)
                for battle, thread_id in await tx.battles.with_threads(guild_id, MOST_THREADS) if standing else ():
                    threads[battle.campaign_id].append(thread_id)
                for campaign in standing:
                    places = await tx.places.all_of(campaign.id)
                    if lacks_something(campaign, places, server, self._servers.bot_id(), threads[campaign.id]):
                        wanting.append(campaign.id)
            await self._ask(dict.fromkeys(wanting, ()))

    # --- people --------------------------------------------------------------------------------------------------

    async def people(self, seats: Sequence[SeatInPlay], roles: Roles) -> None:
        """Compare the seats of a server's people with the ``roles`` of those of them who are there."""
        wanting: dict[str, tuple[int, ...]] = {}
        async with self._runtime.store.read() as tx:
            for campaign_id in {seat.campaign_id for seat in seats}:
                theirs = [seat for seat in seats if seat.campaign_id == campaign_id]
                if await self._is_wanting(tx, campaign_id, theirs, roles):
                    wanting[campaign_id] = ()
        await self._ask(wanting)

    async def seen(self, guild_id: int, user_id: int, roles: frozenset[int]) -> None:
        """Somebody did something on a server, and has these roles there."""
        who = (guild_id, user_id)
        had, at = self._seen.get(who, (frozenset[int](), float("-inf")))
        if had == roles and self._seconds() - at < AGAIN_AFTER:
            return
        wanting: dict[str, tuple[int, ...]] = {}
        async with self._runtime.store.read() as tx:
            seats = await tx.members.not_over(guild_id, user_id)
            for campaign_id in {seat.campaign_id for seat in seats}:
                theirs = [seat for seat in seats if seat.campaign_id == campaign_id]
                if await self._is_wanting(tx, campaign_id, theirs, {user_id: roles}):
                    wanting[campaign_id] = ()
            mine = {(seat.campaign_id, role_place(seat.seat)) for seat in seats}
            for campaign_id, key, _ in await tx.places.roles_among(guild_id, roles):
                if (campaign_id, key) not in mine:
                    wanting[campaign_id] = (user_id,)
        self._seen.pop(who, None)
        if seats and not wanting:  # seats do not change without a change of roles
            self._remember(who, roles)
        await self._ask(wanting)

    async def gone(self, guild_id: int, user_id: int) -> None:
        """Somebody left a server, or was kicked or banned."""
        self._seen.pop((guild_id, user_id), None)
        async with self._runtime.store.read() as tx:
            seats = await tx.members.not_over(guild_id, user_id)
        await self.people(seats, {})

    async def told(self, campaign_id: str, side: str) -> None:
        """News went to a side's channel: its commanders should be there to read them."""
        async with self._runtime.store.read() as tx:
            commanders = await tx.members.seated(campaign_id, side)
        for user_id in commanders:
            await self.heard_from(user_id)

    async def heard_from(self, user_id: int, *, acts: bool = False) -> None:
        """Somebody did something in direct messages (``acts``), which tells of no roles, or is sent a card."""
        if not self._may_ask_for(user_id, _ACTING if acts else _READING):
            return
        async with self._runtime.store.read() as tx:
            seats = await tx.members.not_over(user_id=user_id)
        for guild_id in sorted({seat.guild_id for seat in seats}):
            roles = await self._servers.members(guild_id, [user_id])
            if roles is not None:
                await self.people([seat for seat in seats if seat.guild_id == guild_id], roles)

    def _may_ask_for(self, user_id: int, why: int) -> bool:
        """Whether the gateway may be asked for somebody: not twice in a moment for the same reason, so that who was
        sent a card and presses it at once is looked at again; nor for too many in a minute."""
        now = self._seconds()
        asked = [at for (where, _), (_, at) in self._seen.items() if where == _READING and now - at < AGAIN_AFTER]
        while self._pressed and now - self._pressed[0] >= AGAIN_AFTER:
            self._pressed.popleft()
        _, at = self._seen.get((why, user_id), (frozenset[int](), float("-inf")))
        pause = PRESSED_AGAIN_AFTER if why == _ACTING else DIRECT_AGAIN_AFTER
        if now - at < pause or len(asked) + len(self._pressed) >= MOST_ASKED:
            return False
        if why == _ACTING:
            self._pressed.append(now)
        self._remember((why, user_id), frozenset())
        return True

    def _remember(self, who: tuple[int, int], roles: frozenset[int]) -> None:
        self._seen.pop(who, None)
        self._seen[who] = (roles, self._seconds())
        if len(self._seen) > REMEMBERED:
            del self._seen[next(iter(self._seen))]

    async def _is_wanting(self, tx: Transaction, campaign_id: str, seats: Iterable[SeatInPlay], roles: Roles) -> bool:
        """Whether somebody with a seat lacks its role or has another of the campaign's, is newly away, or is back."""
        if await tx.outbox.is_founding(campaign_id):
            return False
        places = await tx.places.all_of(campaign_id)
        absent = await tx.installation.absent_from(campaign_id)
        wanted: defaultdict[int, set[str]] = defaultdict(set)
        for seat in seats:
            wanted[seat.user_id].add(seat.seat)
        known = {key: role for key, role in places.items() if key.startswith("role:")}
        for user_id, seated in wanted.items():
            if user_id not in roles:
                if user_id not in absent and any(not seat.startswith("@") for seat in seated):
                    return True
                continue
            due = frozenset(known[key] for seat in seated if (key := role_place(seat)) in known)
            if user_id in absent or due != roles[user_id].intersection(known.values()):
                return True
        return False

    async def _ask(self, wanting: Mapping[str, tuple[int, ...]]) -> None:
        if not wanting:
            return
        async with self._runtime.store.write() as tx:
            for campaign_id, users in sorted(wanting.items()):
                may_hurry = self._seconds() - self._asked.get(campaign_id, float("-inf")) >= HURRY_EVERY
                await ask(tx, campaign_id, self._runtime.now(), *users, hurry=may_hurry)
                self._asked[campaign_id] = self._seconds()
        log.info("something differs on Discord", campaigns=len(wanting))


async def _has_what_is_untold(tx: Transaction, campaign_id: str) -> bool:
    """Whether a battle is open, or an open card stands in a side's channel."""
    if await tx.battles.open_of(campaign_id):
        return True
    places = await tx.places.all_of(campaign_id)
    return any([await tx.prompts.open_in(channel) for key, channel in places.items() if key.startswith("side:")])


def _back(since: datetime, now: datetime) -> str:
    return (
        f"👋 I am on this server again. From <t:{int(since.timestamp())}:f> to <t:{int(now.timestamp())}:f> I was "
        "not: nobody could reach me here, and nothing of mine was posted. What was due, and what I had to tell you "
        "meanwhile, comes now. If deadlines fell that should not have, `/referee extend` and `/referee rewind` are "
        "yours. If I say that I may not give roles, drag mine above this campaign's in Server Settings → Roles."
    )
