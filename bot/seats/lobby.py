"""The lobby: creating a campaign, taking and leaving seats, and starting."""

import asyncio
import re
import secrets
from contextlib import AsyncExitStack
from typing import Any

from sqlalchemy import delete, insert, select, update

from bot.campaigns.loaded import AnyReferee
from bot.campaigns.office import Office, info_of, standing_of
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.settings import CampaignSettings
from bot.errors import Sorry, there_is
from bot.faults import point
from bot.recording.ledger import PUBLIC_PLACE, CampaignInfo, Ledger
from bot.store.engine import Connection
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow, MemberRow
from rules_engine import rulebooks
from rules_engine.core.referee import Referee

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
SPECTATOR = "@spectator"
MOST_TITLE = 60
MOST_COMMANDERS = 8

_PLAIN = re.compile(r"[^\S ]|[\u0000-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def plain(text: str) -> str:
    """A name without line breaks, control or direction characters."""
    return " ".join(_PLAIN.sub(" ", text).split())


class Lobby:
    """Everything before the first turn, and changes of seat during play."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def create(
        self, *, guild_id: int, user_id: int, title: str, scenario: str, settings: CampaignSettings, interaction_id: int
    ) -> CampaignInfo:
        """Create a campaign; its channels are made by delivery."""
        title = plain(title)
        if not 1 <= len(title) <= MOST_TITLE:
            raise Sorry(f"A campaign's title has 1 to {MOST_TITLE} characters.", code="bad-title")
        taken = Sorry(f"There is a campaign “{title}” here already; choose another title.", code="same-title")
        if any(one.title == title and one.status != "ended" for one in await self._office.campaigns_in(guild_id)):
            raise taken
        book, document = await asyncio.to_thread(self._office.shelf.read, scenario)
        campaign_id = "".join(secrets.choice(ID_LETTERS) for _ in range(5))
        sides = [label.model_dump(mode="json") for label in book.sides(document)]
        now = self._office.now()
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            if await _is_taken(conn, guild_id, title):  # meanwhile, by somebody who pressed twice
                raise taken
            await conn.execute(
                insert(CampaignRow).values(
                    id=campaign_id,
                    guild_id=guild_id,
                    title=title,
                    rulebook=book.key,
                    version=book.version,
                    scenario=document,
                    sides=sides,
                    seed=secrets.token_bytes(32),
                    status="gathering",
                    status_note="",
                    referee_id=user_id,
                    settings=settings.model_dump(mode="json"),
                    created_at=now,
                )
            )
            payload = {"title": title, "sides": sides, "referee_id": user_id, "guild_id": guild_id}
            welcome = (
                f"**{title}** — {book.title}. Seats: {', '.join(side['name'] for side in sides)}.\n"
                "Take one with `/campaign join`; the referee starts with `/campaign start`.\n"
                "-# What no bot can hide: whoever hosts it can read its database, and this server's owner and "
                "administrators see every channel."
            )
            await enqueue(
                conn,
                campaign_id,
                [
                    ("setup", "provision", payload),
                    ("setup", "grant", {"user_id": user_id, "role": "@referee"}),
                    (PUBLIC_PLACE, "post", {"place": PUBLIC_PLACE, "content": welcome, "files": []}),
                ],
                now=now,
            )
            info = await info_of(conn, campaign_id)
        self._office.kick()
        return info

    async def join(
        self, campaign_id: str, *, user_id: int, name: str, side: str, interaction_id: int | None = None
    ) -> str:
        """Take a seat; returns the side's printed name."""
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            campaign = await info_of(conn, campaign_id)
            standing = await standing_of(conn, campaign_id, user_id)
            key = self._side_key(campaign, side)
            require(standing, "spectate" if key == SPECTATOR else "join")
            if campaign.status == "ended":
                raise Sorry("This campaign is over.", code="ended")
            if standing.side == key or (key == SPECTATOR and SeatRole.SPECTATOR in standing.roles):
                raise Sorry("You sit there already.", code="seated")
            if standing.side is not None:
                raise Sorry("You command another side; leave it first with `/campaign leave`.", code="seated")
            taken = await self._seated(conn, campaign_id, key)
            if key != SPECTATOR and len(taken) >= MOST_COMMANDERS:
                raise Sorry(f"That side has {MOST_COMMANDERS} commanders already.", code="full")
            if key != SPECTATOR and taken and campaign.status != "gathering":
                raise Sorry(
                    "Play is under way and this seat is taken. The referee can bring you in with "
                    "`/referee substitute`.",
                    code="taken",
                )
            if campaign.status != "gathering" and SeatRole.SPECTATOR in standing.roles:
                raise Sorry("You have watched this campaign, so you cannot command a side of it.", code="watched")
            await self._seat(conn, campaign, user_id, name, key)
        self._office.kick()
        return "spectators" if key == SPECTATOR else campaign.side_names[key]

    async def leave(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Give up a seat. Once play runs a side may not be left without a commander."""
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            campaign = await info_of(conn, campaign_id)
            standing = await standing_of(conn, campaign_id, user_id)
            require(standing, "leave")
            key = standing.side or SPECTATOR
            if key != SPECTATOR and campaign.status not in {"gathering", "ended"}:
                others = [one for one in await self._seated(conn, campaign_id, key) if one != user_id]
                if not others:
                    raise Sorry(
                        "Play is under way and you are your side's only commander. Ask the referee to bring in a "
                        "substitute first (`/referee substitute`).",
                        code="last-commander",
                    )
            await self._unseat(conn, campaign, user_id, key)
        self._office.kick()

    async def substitute(
        self, campaign_id: str, *, by: int, out_id: int, in_id: int, in_name: str, interaction_id: int | None = None
    ) -> str:
        """Hand a commander's seat to somebody else: rights, channels and open prompts move with it."""
        office = self._office
        campaign = await office.info(campaign_id)
        require(await office.standing(campaign_id, by), "substitute")
        leaver = await office.standing(campaign_id, out_id)
        arriver = await office.standing(campaign_id, in_id)
        if leaver.side is None:
            raise Sorry("That member commands no side here.", code="not-seated")
        if arriver.side is not None or SeatRole.SPECTATOR in arriver.roles:
            raise Sorry("That member belongs to this campaign already and may know too much.", code="seated")
        if in_id == campaign.referee_id and campaign.status == "running":
            raise Sorry("The referee has seen too much to take a side now.", code="referee-seat")
        async with AsyncExitStack() as stack:
            referee: AnyReferee | None = None
            if campaign.status in {"running", "paused"}:
                referee = await stack.enter_async_context(office.using(campaign_id))
            try:
                async with office.store.write() as conn:
                    await office.mark_seen(conn, interaction_id)
                    await self._unseat(conn, campaign, out_id, leaver.side)
                    await self._seat(conn, campaign, in_id, in_name, leaver.side)
                    if referee is not None:
                        note = f"{leaver.side}: {out_id} handed over to {in_id}"
                        step = referee.remark("seat", note, by=str(by), at=office.stamp())
                        ledger = Ledger(conn, campaign, referee, office.now())
                        await ledger.write([step])
                        await ledger.move_prompts(leaver.side, out_id, in_id)
            except BaseException:
                office.live.evict(campaign_id)
                raise
        office.kick()
        return campaign.side_names[leaver.side]

    async def hand_over(self, campaign_id: str, *, by: int, to: int, interaction_id: int | None = None) -> None:
        """Make somebody else the referee: somebody who commands no side."""
        office = self._office
        async with office.store.write() as conn:
            await office.mark_seen(conn, interaction_id)
            campaign = await info_of(conn, campaign_id)
            require(await standing_of(conn, campaign_id, by), "hand-over")
            if (await standing_of(conn, campaign_id, to)).side is not None:
                raise Sorry("That member commands a side here, so they cannot take the chair.", code="referee-seat")
            if to == campaign.referee_id:
                raise Sorry("You are the referee already.", code="seated")
            await conn.execute(update(CampaignRow).where(CampaignRow.id == campaign_id).values(referee_id=to))
            text = f"<@{to}> takes the referee's chair from <@{by}>."
            await enqueue(
                conn,
                campaign_id,
                [
                    ("setup", "revoke", {"user_id": by, "role": "@referee"}),
                    ("setup", "grant", {"user_id": to, "role": "@referee"}),
                    (PUBLIC_PLACE, "post", {"place": PUBLIC_PLACE, "content": text, "files": []}),
                ],
                now=office.now(),
            )
        office.kick()

    async def quiet(
        self, user_id: int, *, start: int | None, end: int | None, interaction_id: int | None = None
    ) -> None:
        """Set the hours (UTC) in which this user is sent no reminders, in every campaign; None: at all hours."""
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            changed = await conn.execute(
                update(MemberRow).where(MemberRow.user_id == user_id).values(quiet_from=start, quiet_to=end)
            )
            if not changed.rowcount:
                raise Sorry("You are in no campaign yet, so nothing would disturb you.", code="no-campaign")

    async def start(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Begin play. Every side needs a commander."""
        office = self._office
        require(await office.standing(campaign_id, user_id), "start")
        async with office.store.read() as conn:
            row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().one()
            campaign = CampaignInfo.of(row)
            empty = [
                name for key, name in campaign.side_names.items() if not await self._seated(conn, campaign_id, key)
            ]
        if campaign.status != "gathering":
            raise Sorry("This campaign has started already.", code="started")
        if empty:
            raise Sorry(f"Nobody commands {', '.join(empty)} yet.", code="empty-seat")
        book = rulebooks.rulebook(campaign.rulebook)
        referee, step = Referee.open(
            book, title=campaign.title, scenario=row["scenario"], seed=row["seed"], at=office.stamp()
        )
        point("start.before")
        async with office.store.write() as conn:
            await office.mark_seen(conn, interaction_id)
            changed = await conn.execute(
                update(CampaignRow)
                .where(CampaignRow.id == campaign_id, CampaignRow.status == "gathering")
                .values(status="running", version=book.version)
            )
            if not changed.rowcount:
                raise Sorry("This campaign has started already.", code="started")
            ledger = Ledger(conn, campaign, referee, office.now())
            opening = (
                f"**{campaign.title} begins.** The dice are sealed: SHA-256 of their seed is "
                f"`{referee.genesis.commitment}`. The seed is published at the end, and `plotroom verify` then checks "
                "every roll."
            )
            await ledger.post([{"place": PUBLIC_PLACE, "content": opening, "files": []}])
            await ledger.write([step])
        office.live.put(campaign_id, referee)
        office.kick()
        office.clock_changed()

    async def seats(self, campaign: CampaignInfo) -> dict[str, list[int]]:
        """Who sits where, by side; spectators are not listed."""
        query = (
            select(MemberRow.side, MemberRow.user_id)
            .where(MemberRow.campaign_id == campaign.id, MemberRow.side != SPECTATOR)
            .order_by(MemberRow.joined_at, MemberRow.user_id)
        )
        seated: dict[str, list[int]] = {}
        async with self._office.store.read() as conn:
            for row in (await conn.execute(query)).mappings():
                seated.setdefault(row["side"], []).append(row["user_id"])
        return seated

    # --- seats -------------------------------------------------------------------------------------------------------

    @staticmethod
    def _side_key(campaign: CampaignInfo, wanted: str) -> str:
        words = {key.casefold(): key for key in campaign.side_names}
        words |= {name.casefold(): key for key, name in campaign.side_names.items()}
        words |= {"spectator": SPECTATOR, SPECTATOR: SPECTATOR}
        key = words.get(wanted.casefold().strip())
        if key is None:
            options = [*campaign.side_names.values(), "spectator"]
            raise Sorry(f"There is no such seat. {there_is(wanted, options)}", code="unknown-side")
        return key

    @staticmethod
    async def _seated(conn: Connection, campaign_id: str, side: str) -> list[int]:
        rows = await conn.execute(
            select(MemberRow.user_id)
            .where(MemberRow.campaign_id == campaign_id, MemberRow.side == side)
            .order_by(MemberRow.user_id)
        )
        return list(rows.scalars())

    async def _seat(self, conn: Connection, campaign: CampaignInfo, user_id: int, name: str, side: str) -> None:
        await conn.execute(delete(MemberRow).where(MemberRow.campaign_id == campaign.id, MemberRow.user_id == user_id))
        await conn.execute(
            insert(MemberRow).values(
                campaign_id=campaign.id,
                user_id=user_id,
                side=side,
                name=plain(name)[:100],
                joined_at=self._office.now(),
            )
        )
        role = side if side == SPECTATOR else f"side:{side}"
        posts: list[tuple[str, str, dict[str, Any]]] = [("setup", "grant", {"user_id": user_id, "role": role})]
        who = "as a spectator" if side == SPECTATOR else f"and commands {campaign.side_names[side]}"
        text = f"<@{user_id}> joins {who}."
        posts.append((PUBLIC_PLACE, "post", {"place": PUBLIC_PLACE, "content": text, "files": []}))
        await enqueue(conn, campaign.id, posts, now=self._office.now())

    async def _unseat(self, conn: Connection, campaign: CampaignInfo, user_id: int, side: str) -> None:
        await conn.execute(delete(MemberRow).where(MemberRow.campaign_id == campaign.id, MemberRow.user_id == user_id))
        role = side if side == SPECTATOR else f"side:{side}"
        text = f"<@{user_id}> leaves the campaign."
        await enqueue(
            conn,
            campaign.id,
            [
                ("setup", "revoke", {"user_id": user_id, "role": role}),
                (PUBLIC_PLACE, "post", {"place": PUBLIC_PLACE, "content": text, "files": []}),
            ],
            now=self._office.now(),
        )


async def _is_taken(conn: Connection, guild_id: int, title: str) -> bool:
    query = select(CampaignRow.id).where(CampaignRow.guild_id == guild_id, CampaignRow.title == title)
    return await conn.scalar(query.where(CampaignRow.status != "ended").limit(1)) is not None
