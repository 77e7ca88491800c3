"""An item of the outbox while it is delivered: what its calls gave so far, and where its campaign is on Discord."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy import delete, insert, select

from bot.delivery.exit import Exit
from bot.store import outbox
from bot.store.engine import Connection, Store
from bot.store.outbox import OutboxItem
from bot.store.tables import CampaignRow, MemberRow, PlaceRow

log = structlog.get_logger("delivery")

Write = Callable[[Connection], Awaitable[None]]
"""Something to be written in the transaction that records a call's result."""


@dataclass(frozen=True, slots=True)
class CampaignOnDiscord:
    """A campaign as delivery knows it. ``sides``: names by key, in the scenario's order."""

    id: str
    guild_id: int
    title: str
    referee_id: int
    sides: dict[str, str]

    @property
    def tag(self) -> str:
        """Marks the names of its roles, category and threads."""
        return f"[{self.id}]"


@dataclass(slots=True)
class SharedByJobs:
    """What the rows at work have in common: closed channels that were looked at, and who is building what."""

    verified: set[int] = field(default_factory=set[int])
    building: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))


class OutboxJob:
    """One row. :meth:`once` makes a call of several at most once, also across a crash."""

    def __init__(
        self,
        item: OutboxItem,
        home: CampaignOnDiscord,
        store: Store,
        exit_: Exit,
        shared: "SharedByJobs",
    ) -> None:
        self.item = item
        self.home = home
        self.store = store
        self.exit = exit_
        self.shared = shared
        self.payload = item.payload
        self.result: dict[str, Any] = dict(item.result)
        self.in_doubt = item.in_doubt
        """Whether the call behind the last recorded one may have been made already."""
        self._unsaved = False
        self._writes: list[Write] = []

    async def once(
        self,
        step: str,
        call: Callable[[], Awaitable[Any]],
        *,
        find: Callable[[], Awaitable[Any]] | None = None,
        also: Callable[[Any], Write] | None = None,
    ) -> Any:
        """The result of ``call``, made once. If the last try may have reached Discord, ``find`` looks first.

        ``also`` gives what is written together with the result. Results are saved before the next call is made.
        """
        if step in self.result:
            return self.result[step]
        await self.save()
        value = await find() if find and self.in_doubt else None
        self.in_doubt = False
        if value is None:
            value = await call()
        self.result[step] = value
        self._unsaved = True
        if also:
            self._writes.append(also(value))
        return value

    async def save(self) -> None:
        """Commit what the calls so far gave, if that has not been done."""
        if self._unsaved:
            async with self.store.write("progress") as conn:
                await self.write_progress(conn)
            self.saved()

    async def write_progress(self, conn: Connection) -> None:
        """Within a transaction: the results so far and what belongs to them."""
        await outbox.mark_progress(conn, self.item.id, self.result)
        for write in self._writes:
            await write(conn)

    def saved(self) -> None:
        """The transaction of :meth:`write_progress` has been committed."""
        self._unsaved = False
        self._writes.clear()

    # --- places --------------------------------------------------------------------------------------------------

    async def place(self, key: str) -> int | None:
        """Where a place is on Discord, as far as we know."""
        async with self.store.read() as conn:
            return await place_id(conn, self.home.id, key)

    async def places(self) -> dict[str, int]:
        """All places of the campaign."""
        async with self.store.read() as conn:
            query = select(PlaceRow.key, PlaceRow.discord_id).where(PlaceRow.campaign_id == self.home.id)
            return {row["key"]: row["discord_id"] for row in (await conn.execute(query)).mappings()}

    async def settle_place(self, key: str, discord_id: int) -> None:
        """Remember where a place is, in a transaction of its own."""
        async with self.store.write("place") as conn:
            await conn.execute(delete(PlaceRow).where(PlaceRow.campaign_id == self.home.id, PlaceRow.key == key))
            await conn.execute(insert(PlaceRow), {"campaign_id": self.home.id, "key": key, "discord_id": discord_id})

    async def seated(self, side: str) -> list[int]:
        """Who sits on a side, or is a spectator."""
        async with self.store.read() as conn:
            query = select(MemberRow.user_id).where(MemberRow.campaign_id == self.home.id, MemberRow.side == side)
            return list((await conn.execute(query.order_by(MemberRow.user_id))).scalars())


async def place_id(conn: Connection, campaign_id: str, key: str) -> int | None:
    """Where a place is on Discord, as far as we know."""
    return await conn.scalar(
        select(PlaceRow.discord_id).where(PlaceRow.campaign_id == campaign_id, PlaceRow.key == key)
    )


async def home_of(conn: Connection, campaign_id: str) -> CampaignOnDiscord | None:
    """The campaign, or None if it does not exist (any more)."""
    query = select(
        CampaignRow.id, CampaignRow.guild_id, CampaignRow.title, CampaignRow.referee_id, CampaignRow.sides
    ).where(CampaignRow.id == campaign_id)
    row = (await conn.execute(query)).mappings().first()
    if row is None:
        return None
    return CampaignOnDiscord(
        id=row["id"],
        guild_id=row["guild_id"],
        title=row["title"],
        referee_id=row["referee_id"],
        sides={side["key"]: side["name"] for side in row["sides"]},
    )
