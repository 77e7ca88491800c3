"""A campaign on simcord with a real SQLite file, and a delivery worker between them, in a test's words."""

import asyncio
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Protocol

import discord
import simcord
import sqlalchemy as sa

from bot.delivery import drawing, worker
from bot.delivery.composing.making import FileMaking
from bot.records.effects import Effect, Unreadable, effect_of
from bot.records.files import FilmFile
from bot.store import database, transaction
from bot.store.tables import CampaignRow, MemberRow, OutboxRow, PlaceRow, PromptMessageRow, PromptRow
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from tests.map_render.tactical.duels import melee
from tests.message_words import words_of
from tests.patience import PATIENCE

CAMPAIGN = "k3f9qz7a"
SIDES = {"alliance": "Alliance", "league": "League"}


class Killed(BaseException):
    """The process dies here."""


class KillAt(Protocol):
    """Kill at the n-th pass of a crash point, or never; gives the list of the points passed from now on."""

    def __call__(self, name: str | None = None, nth: int = 0) -> list[str]: ...


async def scenes(campaign_id: str, film: FilmFile, place: str) -> list[TacticalScene] | None:
    """What a film is made of: a moment for each entry; a battle has one in its own thread alone."""
    assert campaign_id == CAMPAIGN
    if film.battle and place != f"battle:{film.battle}":
        return None
    return [melee(seed, 2, 2) for seed in range(film.until)]


class World:
    """Everything a test needs, in a campaign's words."""

    def __init__(self, env: simcord.Env, store: database.Store) -> None:
        self.env = env
        self._since = time.monotonic()
        self.store = store
        self.guild = env.create_guild("Club")
        self.referee = self.guild.add_member(env.create_user("rita"))
        self.ann = self.guild.add_member(env.create_user("ann"))
        self.leo = self.guild.add_member(env.create_user("leo"))
        self.sam = self.guild.add_member(env.create_user("sam"))
        self.delivery = self.new_delivery()
        store.tell_of_commits(self._wake)

    def _wake(self, committed: transaction.Transaction) -> None:
        """As the bot does it; a worker that has begun looks again."""
        if committed.outbox.queued:
            self.delivery.kick()

    def new_delivery(self) -> worker.Delivery:
        """A worker as after a start of the process; failed calls are tried again at once."""
        files = FileMaking(drawing.Drawing(), scenes=scenes)
        return worker.Delivery(
            self.store, self.env.bot, files=files, now=self.now, backoff=lambda _: 0.0, patience=lambda _: 3600.0
        )

    def now(self) -> datetime:
        """Discord's time here, moving on as real time does."""
        return self.env.now() + timedelta(seconds=time.monotonic() - self._since)

    async def found(self) -> None:
        """The campaign and its members, in the database only."""
        async with self.store.write() as tx:
            await tx.connection.execute(
                sa.insert(CampaignRow),
                {
                    "id": CAMPAIGN,
                    "guild_id": self.guild.id,
                    "title": "Convoy",
                    "rulebook": "r",
                    "version": "1",
                    "scenario": {},
                    "sides": [{"key": key, "name": name, "emblem": name[0]} for key, name in SIDES.items()],
                    "seed": b"",
                    "status": "running",
                    "status_note": "",
                    "referee_id": self.referee.id,
                    "settings": {},
                    "created_at": self.now(),
                },
            )
            for user, side in ((self.ann, "alliance"), (self.leo, "league"), (self.sam, "@spectator")):
                row = {"campaign_id": CAMPAIGN, "user_id": user.id, "side": side, "name": "n", "joined_at": self.now()}
                await tx.connection.execute(sa.insert(MemberRow), row)

    async def queue(self, *rows: tuple[str, str, Mapping[str, Any]], campaign: str = CAMPAIGN) -> None:
        """Effects as the database keeps them: queue, kind, and the rest."""
        async with self.store.write() as tx:
            for queue, kind, kept in rows:
                effect = effect_of(kind, dict(kept))
                assert not isinstance(effect, Unreadable), kept
                await tx.outbox.put(campaign, effect, queue=queue, now=self.now())

    async def put(self, *effects: Effect) -> None:
        """Effects, each into its own queue."""
        async with self.store.write() as tx:
            await tx.outbox.put(CAMPAIGN, *effects, now=self.now())

    async def queue_setup(self) -> None:
        await self.queue(
            ("setup", "provision", {"title": "Convoy"}),
            ("setup", "grant", {"user_id": self.ann.id, "role": "side:alliance"}),
            ("setup", "grant", {"user_id": self.leo.id, "role": "side:league"}),
            ("setup", "grant", {"user_id": self.sam.id, "role": "@spectator"}),
        )

    async def post(self, place: str, content: str, **more: Any) -> None:
        await self.queue((place, "post", {"place": place, "content": content, **more}))

    async def write_to(self, user: Any, content: str, **more: Any) -> None:
        await self.queue((f"dm:{user.id}", "post", {"dm": user.id, "content": content, **more}))

    async def deliver(self) -> None:
        """Everything queued, to the end."""
        self.delivery.kick()
        await asyncio.wait_for(self.delivery.idle(), PATIENCE)

    async def settle(self) -> None:
        """Everything that can be delivered now."""
        self.delivery.kick()
        await asyncio.wait_for(self.delivery.settled(), PATIENCE)

    async def queued(self, *rows: tuple[str, str, Mapping[str, Any]], campaign: str = CAMPAIGN) -> None:
        """Effects as the database keeps them, delivered like all that waits."""
        await self.queue(*rows, campaign=campaign)
        await self.deliver()

    async def carried_out(self, *effects: Effect) -> None:
        """Effects, delivered like all that waits."""
        await self.put(*effects)
        await self.deliver()

    async def set_up(self) -> None:
        await self.queue_setup()
        await self.deliver()

    async def posted(self, place: str, content: str, **more: Any) -> None:
        await self.post(place, content, **more)
        await self.deliver()

    async def wrote_to(self, user: Any, content: str, **more: Any) -> None:
        await self.write_to(user, content, **more)
        await self.deliver()

    async def restarted(self) -> None:
        await self.restart()
        await self.deliver()

    async def restart(self) -> None:
        """The worker is gone without having ended anything; a new one starts."""
        await self.delivery.stop(grace=0)
        self.delivery = self.new_delivery()
        await self.delivery.start()

    async def place(self, key: str) -> int:
        async with self.store.read() as tx:
            found = await tx.places.find(CAMPAIGN, key)
        assert found is not None, f"no place {key}"
        return found

    async def places(self) -> dict[str, int]:
        async with self.store.read() as tx:
            return await tx.places.all_of(CAMPAIGN)

    async def texts(self, key: str) -> list[str]:
        return self.texts_in(await self.place(key))

    def texts_in(self, channel_id: int) -> list[str]:
        return [words_of(message) for message in self.messages_in(channel_id)]

    def messages_in(self, channel_id: int) -> list[Any]:
        return [m for _, m in sorted(self.env.backend.messages[channel_id].items())]

    def direct(self, user: Any) -> int:
        return self.env.backend.get_dm_channel(user.id).id

    def sees(self, user: Any, channel_id: int) -> bool:
        from simcord.backend.access import channel_accessible

        return channel_accessible(self.env.backend, channel_id, user.id, history=True)

    def bodies(self, method: str, path: str) -> list[Any]:
        """The bodies of the bot's calls so far."""
        return [r.json for r in self.env.http_requests if r.method == method and path in r.path]

    async def rows(self) -> list[Any]:
        async with self.store.read() as tx:
            return list((await tx.connection.execute(sa.select(OutboxRow.__table__).order_by(OutboxRow.id))).mappings())

    async def statuses(self) -> list[str]:
        return [row["status"] for row in await self.rows()]

    async def open_prompt(self, token: str, side: str = "alliance", status: str = "open") -> None:
        async with self.store.write() as tx:
            await tx.connection.execute(
                sa.insert(PromptRow),
                {
                    "token": token,
                    "campaign_id": CAMPAIGN,
                    "ask_id": f"ask/{token}",
                    "side": side,
                    "title": "Plot",
                    "kind": "plot",
                    "status": status,
                    "opened_seq": 1,
                    "created_at": self.now(),
                },
            )

    async def prompt_messages(self, token: str) -> list[tuple[int, int, int]]:
        async with self.store.read() as tx:
            query = sa.select(PromptMessageRow.channel_id, PromptMessageRow.message_id, PromptMessageRow.user_id)
            return [
                tuple(row) for row in (await tx.connection.execute(query.where(PromptMessageRow.token == token))).all()
            ]

    async def forget_place(self, key: str) -> None:
        async with self.store.write() as tx:
            await tx.connection.execute(sa.delete(PlaceRow).where(PlaceRow.key == key))


def build_client() -> discord.Client:
    """A client as the bot's: it knows guilds and nothing else."""
    intents = discord.Intents.none()
    intents.guilds = True
    return discord.Client(intents=intents, allowed_mentions=discord.AllowedMentions.none())
