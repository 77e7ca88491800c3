"""Creating a campaign, and starting it once every side has a commander."""

import asyncio
import secrets

from sqlalchemy import insert, select, update

from bot.campaigns.directory import info_of
from bot.campaigns.info import CampaignInfo
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import post_to
from bot.campaigns.permissions import require
from bot.campaigns.places import PUBLIC_PLACE, SETUP_QUEUE
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.campaigns.settings import CampaignSettings
from bot.errors import Sorry
from bot.faults import point
from bot.recording.commit import mark_seen
from bot.recording.posts import post_public
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.seats.members import plain, seated
from bot.store.connections import Connection
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow
from rules_engine import rulebooks

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
MOST_TITLE = 60


class CampaignFounding:
    """Makes campaigns and begins their play."""

    def __init__(self, runtime: Runtime, scenarios: InstalledScenarios) -> None:
        self._runtime = runtime
        self._scenarios = scenarios

    async def create(
        self, *, guild_id: int, user_id: int, title: str, scenario: str, settings: CampaignSettings, interaction_id: int
    ) -> CampaignInfo:
        """Create a campaign; its channels are made by delivery."""
        runtime = self._runtime
        title = plain(title)
        if not 1 <= len(title) <= MOST_TITLE:
            raise Sorry(f"A campaign's title has 1 to {MOST_TITLE} characters.", code="bad-title")
        taken = Sorry(f"There is a campaign “{title}” here already; choose another title.", code="same-title")
        known = await runtime.directory.in_server(guild_id)
        if any(one.title == title and one.status != "ended" for one in known):
            raise taken
        book, document = await asyncio.to_thread(self._scenarios.read, scenario)
        campaign_id = "".join(secrets.choice(ID_LETTERS) for _ in range(5))
        sides = [label.model_dump(mode="json") for label in book.sides(document)]
        now = runtime.now()
        async with runtime.store.write() as conn:
            await mark_seen(runtime, conn, interaction_id)
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
                "-# What no bot can hide: its host can read its database, and this server's owner and "
                "administrators see every channel."
            )
            await enqueue(
                conn,
                campaign_id,
                [
                    (SETUP_QUEUE, "provision", payload),
                    (SETUP_QUEUE, "grant", {"user_id": user_id, "role": "@referee"}),
                    post_to(PUBLIC_PLACE, welcome),
                ],
                now=now,
            )
            info = await info_of(conn, campaign_id)
        runtime.deliver()
        return info

    async def start(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Begin play. Every side needs a commander."""
        runtime = self._runtime
        require(await runtime.directory.caller(campaign_id, user_id), "start")
        async with runtime.store.read() as conn:
            row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().one()
            campaign = CampaignInfo.of(row)
            empty = [name for key, name in campaign.side_names.items() if not await seated(conn, campaign_id, key)]
        if campaign.status != "gathering":
            raise Sorry("This campaign has started already.", code="started")
        if empty:
            raise Sorry(f"Nobody commands {', '.join(empty)} yet.", code="empty-seat")
        book = rulebooks.rulebook(campaign.rulebook)
        adjudicator, transition = AnyAdjudicator.open(
            book, title=campaign.title, scenario=row["scenario"], seed=row["seed"], at=runtime.stamp()
        )
        point("start.before")
        async with runtime.store.write() as conn:
            await mark_seen(runtime, conn, interaction_id)
            changed = await conn.execute(
                update(CampaignRow)
                .where(CampaignRow.id == campaign_id, CampaignRow.status == "gathering")
                .values(status="running", version=book.version)
            )
            if not changed.rowcount:
                raise Sorry("This campaign has started already.", code="started")
            recording = Recording(conn, campaign, adjudicator, runtime.now())
            opening = (
                f"**{campaign.title} begins.** The dice are sealed: SHA-256 of their seed is "
                f"`{adjudicator.genesis.commitment}`. The seed is published at the end, and `plotroom verify` then "
                "checks every roll."
            )
            await post_public(recording, opening)
            await write_transitions(recording, [transition])
        runtime.loaded.put(campaign_id, adjudicator)
        runtime.deliver()
        runtime.deadlines_changed()


async def _is_taken(conn: Connection, guild_id: int, title: str) -> bool:
    query = select(CampaignRow.id).where(CampaignRow.guild_id == guild_id, CampaignRow.title == title)
    return await conn.scalar(query.where(CampaignRow.status != "ended").limit(1)) is not None
