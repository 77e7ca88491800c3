"""What every part of the desk shares: the store, campaigns in memory, time, and finding out who somebody is."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, Literal

import structlog
from sqlalchemy import insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.campaigns.loaded import AnyReferee, Halted, LoadedCampaigns
from bot.campaigns.permissions import Caller, SeatRole
from bot.campaigns.scenarios import InstalledScenarios
from bot.errors import Sorry
from bot.faults import point
from bot.recording.ledger import PUBLIC_PLACE, REFEREE_PLACE, CampaignInfo, Ledger
from bot.store.connections import Change, Connection
from bot.store.engine import Store
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow, MemberRow, PlaceRow, SeenInteractionRow
from rules_engine.core.steps import Step

log = structlog.get_logger()

_seen = Change(insert(SeenInteractionRow.__table__))  # type: ignore[arg-type]


def utc_now() -> datetime:
    """The host's clock."""
    return datetime.now(UTC)


class Office:
    """The desk's furniture. ``kick`` is called after every commit that queued something to deliver."""

    def __init__(
        self,
        store: Store,
        live: LoadedCampaigns,
        shelf: InstalledScenarios,
        *,
        now: Callable[[], datetime] = utc_now,
        kick: Callable[[], None] = lambda: None,
        clock_changed: Callable[[], None] = lambda: None,
    ) -> None:
        self.store = store
        self.live = live
        self.shelf = shelf
        self.now = now
        self._deliver = kick
        self._queued = store.memory.version("outbox")
        self.clock_changed = clock_changed

    def kick(self) -> None:
        """Have delivered what was queued since the last time, if anything was."""
        queued = self.store.memory.version("outbox")
        if queued != self._queued:
            self._queued = queued
            self._deliver()

    def stamp(self) -> str:
        """The present moment as the journal writes it."""
        return self.now().isoformat(timespec="milliseconds")

    # --- campaigns and people --------------------------------------------------------------------------------------

    async def info(self, campaign_id: str) -> CampaignInfo:
        """The campaign's row.

        Raises:
            Sorry: when there is none.
        """

        async def read() -> CampaignInfo:
            async with self.store.glance() as conn:
                return await info_of(conn, campaign_id)

        return await self.store.memory.recall(("campaign", campaign_id), ("campaign",), read)

    async def standing(self, campaign_id: str, user_id: int) -> Caller:
        """What a user is to a campaign."""

        async def read() -> Caller:
            async with self.store.glance() as conn:
                return await standing_of(conn, campaign_id, user_id)

        key = ("standing", campaign_id, user_id)
        return await self.store.memory.recall(key, ("campaign", "member"), read)

    async def campaigns_of(self, user_id: int) -> list[CampaignInfo]:
        """The campaigns that a user belongs to, newest first."""

        async def read() -> list[CampaignInfo]:
            mine = select(MemberRow.campaign_id).where(MemberRow.user_id == user_id)
            query = select(CampaignRow).where((CampaignRow.id.in_(mine)) | (CampaignRow.referee_id == user_id))
            async with self.store.glance() as conn:
                rows = await conn.execute(query.order_by(CampaignRow.created_at.desc()))
                return [CampaignInfo.of(row) for row in rows.mappings()]

        key = ("campaigns of", user_id)
        return list(await self.store.memory.recall(key, ("campaign", "member"), read))

    async def campaigns_in(self, guild_id: int) -> list[CampaignInfo]:
        """The campaigns of a server, newest first."""

        async def read() -> list[CampaignInfo]:
            query = select(CampaignRow).where(CampaignRow.guild_id == guild_id)
            async with self.store.glance() as conn:
                rows = await conn.execute(query.order_by(CampaignRow.created_at.desc()))
                return [CampaignInfo.of(row) for row in rows.mappings()]

        return list(await self.store.memory.recall(("campaigns in", guild_id), ("campaign",), read))

    async def find(
        self, user_id: int, *, guild_id: int | None, channels: Sequence[int], wanted: str | None
    ) -> CampaignInfo:
        """The campaign that a user means: the named one, the channel's own, or the only one it can be.

        ``channels`` are the channel and its parent. A campaign of another server is never found from here.

        Raises:
            Sorry: saying how to name one.
        """
        if wanted:
            known = await (self.campaigns_in(guild_id) if guild_id else self.campaigns_of(user_id))
            for campaign in known:
                if wanted in (campaign.id, campaign.title):
                    return campaign
            names = ", ".join(f"“{campaign.title}”" for campaign in known[:10]) or "none yet"
            raise Sorry(f"There is no campaign of that name here. There is: {names}.", code="unknown-campaign")
        campaign_id = await self._campaign_at(tuple(channels))
        if campaign_id is not None:
            return await self.info(campaign_id)
        mine = [one for one in await self.campaigns_of(user_id) if guild_id is None or one.guild_id == guild_id]
        open_ones = [one for one in mine if one.status != "ended"] or mine
        if len(open_ones) == 1:
            return open_ones[0]
        if not open_ones:
            raise Sorry(
                "You are in no campaign here yet. `/campaign list` shows what is going on; `/campaign join` takes a "
                "seat.",
                code="no-campaign",
            )
        names = ", ".join(f"“{one.title}”" for one in open_ones[:10])
        raise Sorry(f"You are in several campaigns: {names}. Say which one with the `campaign` option.", code="which")

    async def _campaign_at(self, channels: tuple[int, ...]) -> str | None:
        """The campaign that these channels belong to."""

        async def read() -> str | None:
            async with self.store.glance() as conn:
                here = await conn.execute(select(PlaceRow.campaign_id).where(PlaceRow.discord_id.in_(channels)))
                return here.scalar()

        return await self.store.memory.recall(("campaign at", channels), ("place",), read)

    async def places(self, campaign_id: str, channels: Sequence[int]) -> set[str]:
        """Which of a campaign's places these channels are."""
        async with self.store.glance() as conn:
            rows = await conn.execute(
                select(PlaceRow.key).where(PlaceRow.campaign_id == campaign_id, PlaceRow.discord_id.in_(list(channels)))
            )
            return set(rows.scalars())

    async def heading(self, campaign: CampaignInfo) -> str:
        """The public heading of a campaign in play; empty where it has none."""
        if campaign.status in {"gathering", "halted"}:
            return ""
        async with self.live.use(campaign.id) as referee:
            return referee.public_view().public.heading

    @asynccontextmanager
    async def using(self, campaign_id: str) -> AsyncIterator[AnyReferee]:
        """Hold a campaign in memory, alone; one that cannot be loaded is halted and its referee told."""
        try:
            async with self.live.use(campaign_id) as referee:
                yield referee
        except Halted as halted:
            await self.halted(halted)
            raise

    # --- playing on --------------------------------------------------------------------------------------------------

    async def close(
        self,
        campaign: CampaignInfo,
        referee: AnyReferee,
        reason: Literal["all ready", "deadline", "referee"],
        *,
        by: str,
    ) -> Step:
        """Close the open batch and play on, off the loop: many turns may go by before anybody is asked again.

        Only while holding the campaign. Raises as :meth:`Referee.close` does.
        """
        patient = not campaign.settings.early_close
        return await asyncio.to_thread(referee.close, reason, by=by, at=self.stamp(), patient=patient)

    # --- writing ---------------------------------------------------------------------------------------------------

    async def seen_before(self, interaction_id: int) -> bool:
        """Whether this interaction was handled already; Discord may deliver one twice."""
        async with self.store.glance() as conn:
            found = await conn.execute(select(SeenInteractionRow.id).where(SeenInteractionRow.id == interaction_id))
            return found.scalar() is not None

    async def mark_seen(self, conn: Connection, interaction_id: int | None) -> None:
        """Remember an interaction in the transaction that carries it out.

        Raises:
            Sorry: when it was carried out already.
        """
        if interaction_id is None:
            return
        try:
            await _seen.make(conn, id=interaction_id, at=self.now())
        except IntegrityError:
            raise Sorry("This was carried out already.", code="seen") from None

    async def commit(
        self,
        campaign: CampaignInfo,
        referee: AnyReferee,
        steps: Sequence[Step],
        *,
        interaction_id: int | None = None,
        first: str = "",
    ) -> None:
        """Write steps down; on any failure the campaign in memory is thrown away, for it is ahead of its journal.

        ``first`` is said in public before what the steps tell.
        """
        point("journal.before")
        try:
            async with self.store.write() as conn:
                await self.mark_seen(conn, interaction_id)
                ledger = Ledger(conn, campaign, referee, self.now())
                if first:
                    await ledger.post([{"place": PUBLIC_PLACE, "content": first, "files": []}])
                await ledger.write(steps)
                point("journal.written")
        except BaseException:
            self.live.evict(campaign.id)
            raise
        point("journal.committed")
        self.kick()
        if any(step.opened or step.closed for step in steps):
            self.clock_changed()

    async def tell(self, campaign_id: str, place: str, text: str, **more: Any) -> None:
        """Queue one post."""
        async with self.store.write() as conn:
            payload = {"place": place, "content": text, "files": [], **more}
            await enqueue(conn, campaign_id, [(place, "post", payload)], now=self.now())
        self.kick()

    async def tell_referee(self, campaign_id: str, text: str) -> None:
        """Queue a post in the referee's channel."""
        await self.tell(campaign_id, REFEREE_PLACE, text)

    async def tell_public(self, campaign_id: str, text: str) -> None:
        """Queue a post in the campaign's public channel."""
        await self.tell(campaign_id, PUBLIC_PLACE, text)

    async def halt(self, campaign_id: str, reason: str) -> None:
        """Stop a campaign that cannot be played on, once, and tell its referee what to do."""
        self.live.evict(campaign_id)
        async with self.store.write() as conn:
            changed = await conn.execute(
                update(CampaignRow)
                .where(CampaignRow.id == campaign_id, CampaignRow.status != "halted")
                .values(status="halted", status_note=reason)
            )
            if not changed.rowcount:
                return
            text = (
                f"⛔ **This campaign is halted.** {reason}\nNothing is lost: every order stands in the journal. "
                "Either put back the version of the bot that it was played with and use `/referee resume`, or go back "
                "to an earlier point with `/referee rewind`."
            )
            payload = {"place": REFEREE_PLACE, "content": text, "files": []}
            await enqueue(conn, campaign_id, [(REFEREE_PLACE, "post", payload)], now=self.now())
        log.error("campaign halted", campaign=campaign_id)
        self.kick()
        self.clock_changed()

    async def halted(self, error: Halted) -> None:
        """Note that loading a campaign failed."""
        await self.halt(error.campaign_id, error.reason)


async def info_of(conn: Connection, campaign_id: str) -> CampaignInfo:
    """The campaign's row, within a transaction."""
    row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().first()
    if row is None:
        raise Sorry("There is no such campaign.", code="unknown-campaign")
    return CampaignInfo.of(row)


async def standing_of(conn: Connection, campaign_id: str, user_id: int) -> Caller:
    """What a user is to a campaign, within a transaction. Unknown means stranger."""
    referee_id = (await conn.execute(select(CampaignRow.referee_id).where(CampaignRow.id == campaign_id))).scalar()
    side = (
        await conn.execute(
            select(MemberRow.side).where(MemberRow.campaign_id == campaign_id, MemberRow.user_id == user_id)
        )
    ).scalar()
    roles: set[SeatRole] = set()
    if referee_id == user_id:
        roles.add(SeatRole.REFEREE)
    if side == "@spectator":
        roles.add(SeatRole.SPECTATOR)
        side = None
    elif side is not None:
        roles.add(SeatRole.COMMANDER)
    return Caller(user_id, campaign_id, frozenset(roles or {SeatRole.STRANGER}), side)
