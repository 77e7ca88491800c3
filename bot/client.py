"""The bot as a whole: its services, deadlines and delivery, joined to one discord.py client.

Intents: guilds, and direct messages, whose text needs no privileged one; the one for members if the host wants it. No
view or modal is kept in memory; presses and forms are understood from their ids.
"""

import asyncio
import hashlib
import json
import sys
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import datetime
from time import monotonic
from typing import Any

import aiohttp
import discord
import structlog
from discord import app_commands

from bot.campaigns.loaded import LoadedCampaigns, import_rules
from bot.campaigns.runtime import Runtime, utc_now
from bot.campaigns.scenarios import InstalledScenarios
from bot.cards.prompts.orders import orders_card, page_opened
from bot.commands import add_commands
from bot.deadlines import DeadlineClock, until_woken
from bot.delivery.composing.making import Audience, FileMaking
from bot.delivery.drawing import Drawing
from bot.delivery.exit import Exit, complete, reply
from bot.delivery.gateway import ChannelHistory, ServerGateway
from bot.delivery.signs.keeper import SignKeeper
from bot.delivery.signs.table import Signs
from bot.delivery.worker import Delivery
from bot.direct.listening import PlainMessages
from bot.direct.missed import is_for_us
from bot.direct.presses import TypedPresses
from bot.errors import Sorry
from bot.interactions.again import GivenAgain
from bot.interactions.bulletin_presses import BulletinPresses
from bot.interactions.campaign_presses import CampaignPresses
from bot.interactions.door import take_texts
from bot.interactions.giving_back import with_what_was_written
from bot.interactions.guard import UNREACHED, guarded
from bot.interactions.late_pictures import LatePictures
from bot.interactions.letters.presses import LetterPresses
from bot.interactions.prompt_presses import PromptPresses
from bot.interactions.router import Router
from bot.interactions.turns import Turns
from bot.listening.host_clock import HostClock
from bot.listening.reconciler import Reconciler
from bot.listening.watch import GatewayWatch
from bot.logs import where
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.places import kind_of
from bot.services import Services
from bot.settings import HostSettings
from bot.store.database import Store
from bot.store.transaction import Transaction
from rules_engine.core.knowledge.views import PublicView, SideView

log = structlog.get_logger()

REMEMBERED = 2_000
"""Interactions remembered in memory, so that one delivered twice is answered once; the database remembers the rest."""

discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False  # a bot without a voice needs no such advice

Wait = Callable[[asyncio.Event, float], Awaitable[None]]


class PlotroomTree(app_commands.CommandTree["PlotroomBot"]):
    """The commands, each interaction once."""

    async def interaction_check(self, interaction: discord.Interaction["PlotroomBot"], /) -> bool:
        """Whether this interaction is new, and its texts hold nothing that no text may hold."""
        if not interaction.client.is_new(interaction):
            return False
        try:
            take_texts(interaction.data or {})
        except Sorry as sorry:
            log.info("refused", code=sorry.code, interaction=interaction.id)
            await self._turn_away(interaction, sorry.text)
            return False
        return True

    async def _turn_away(self, interaction: discord.Interaction["PlotroomBot"], text: str) -> None:
        """Say why a command is not taken; what is still being typed is offered nothing."""
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await complete(interaction, [])
            else:
                await reply(interaction, with_what_was_written(interaction, text))
        except (discord.HTTPException, *UNREACHED) as problem:
            log.warning("answer not taken", error=type(problem).__name__, interaction=interaction.id)

    async def on_error(
        self, interaction: discord.Interaction["PlotroomBot"], error: app_commands.AppCommandError, /
    ) -> None:
        """What discord.py itself could not make sense of: a command of an older version, an option that is gone."""
        log.warning("command not understood", error=type(error).__name__, interaction=interaction.id)
        text = "I did not understand that; the command may have changed. Choose it again from Discord's own list."
        await self._turn_away(interaction, text)


class PlotroomBot(discord.Client):
    """The composition root. ``store`` is opened and closed by the caller."""

    def __init__(
        self,
        store: Store,
        settings: HostSettings,
        *,
        now: Callable[[], datetime] = utc_now,
        clock_wait: Wait | None = None,
    ) -> None:
        self.host_clock = HostClock(now)
        super().__init__(
            # Not by a clock that somebody else moves.
            http_trace=self.host_clock.trace() if now is utc_now else aiohttp.TraceConfig(),
            intents=discord.Intents(guilds=True, dm_messages=True, members=settings.members),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self.store = store
        self._settings = settings
        self.drawing = Drawing(settings.theme_file, settings.theme_files)
        self.signs = Signs()
        loaded = LoadedCampaigns(store, warm=settings.warm_campaigns, idle_seconds=settings.idle_minutes * 60)
        runtime = Runtime(store, loaded, now=self.host_clock.now)
        runtime.lived = monotonic if now is utc_now else lambda: now().timestamp()
        self.services = Services.of(runtime, InstalledScenarios(*settings.config_folders))
        self.files = FileMaking(self.drawing, self._seen_by, self.services.queries.films.scenes)
        self.delivery = Delivery(store, self, files=self.files, opened=self._opened, now=self.host_clock.now)
        self.deadlines = DeadlineClock(runtime, self.services.closing, wait=clock_wait)
        wait = clock_wait or until_woken
        gateway = ServerGateway(self)
        runtime.people = gateway
        self.reconciler = Reconciler(runtime, gateway)
        self.watch = GatewayWatch(runtime, gateway, self.deadlines, wait, self.reconciler.people)
        self.deadlines.hears = self.watch.heard
        self.keeper = SignKeeper(Exit(self), self.signs, self.drawing.sign, wait)
        self.tree = PlotroomTree(self)
        add_commands(self.tree)
        orders = self.services.orders
        orders.pictures.lag = self.files.lags
        self._router = Router(
            {
                "p": PromptPresses(orders),
                "c": CampaignPresses(self.services),
                "t": TypedPresses(self.services),
                "w": GivenAgain(),
                "b": BulletinPresses(self.services, self.drawing),
                "l": LetterPresses(self.services),
            }
        )
        self.turns = Turns()
        self.late = LatePictures()
        self._plain = PlainMessages(self.services, Exit(self), ChannelHistory(self), self.turns, self.is_new)
        self._catching_up: asyncio.Task[None] | None = None
        self._importing: asyncio.Task[None] | None = None
        self._seen: OrderedDict[int, None] = OrderedDict()
        self.delivery.delivered = self._look_at_readers
        store.tell_of_commits(self._wake)

    async def _seen_by(
        self, campaign_id: str, side: str, audience: Audience, battle: str
    ) -> SideView | PublicView | None:
        """What a side sees now, for the map in a card; of no side, what everybody may see."""
        views = self.services.queries.views
        if not side:
            return await views.public(campaign_id)
        return await views.shown_to(campaign_id, side, audience.user_id, audience.place, battle)

    async def _opened(self, token: str, user_id: int, ids: frozenset[str]) -> Card | None:
        """The page of all orders that somebody has opened in the place of a card."""
        page = page_opened(token, ids)
        if page is None:
            return None
        try:
            prompt = await self.services.orders.prompts.as_it_stands(token, user_id)
        except Sorry:  # theirs no more
            return None
        return orders_card(prompt.state, page)

    def _wake(self, committed: Transaction) -> None:
        """Something was committed: whoever must act on it looks again."""
        if committed.outbox.queued:
            self.delivery.kick()
        if committed.deadlines.changed:
            self.deadlines.wake()

    # --- beginning and end ---------------------------------------------------------------------------------------

    async def setup_hook(self) -> None:
        """Logged in: sync the commands if they changed, then deliver what waits, watch the deadlines, keep signs."""
        async with self.store.read() as tx:
            books = await tx.campaigns.rulebooks_in_use()
        self._importing = asyncio.create_task(asyncio.to_thread(import_rules, books), name="rulebooks")
        await self._sync()
        await self.delivery.start()
        self.watch.start()  # first: a deadline asks it who can be heard
        await self.deadlines.start()
        if self._settings.signs:
            self.keeper.start()

    async def close(self) -> None:
        """Stop cleanly; what was not delivered stays in the outbox."""
        if self.is_closed():
            return
        if self._importing is not None:
            await asyncio.wait([self._importing])  # a thread cannot be cancelled; what it raised is no reason to stay
        await self.keeper.stop()
        await self.late.stop()
        if self._catching_up is not None:
            self._catching_up.cancel()
        await self.reconciler.stop()
        await self.watch.stop()
        await self.deadlines.stop()
        await self.delivery.stop()
        await super().close()

    async def _sync(self) -> None:
        """Register the commands, unless Discord has this very set already."""
        made = [command.to_dict(self.tree) for command in self.tree.get_commands()]
        digest = hashlib.sha256(json.dumps(made, sort_keys=True).encode()).hexdigest()
        async with self.store.read() as tx:
            known = await tx.installation.registered_commands(self.application_id)
        if known == digest:
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            log.error("commands not registered", code=error.code, status=error.status)
            return
        async with self.store.write() as tx:
            await tx.installation.set_registered_commands(self.application_id, digest)
        log.info("commands registered", count=len(made))

    async def on_connect(self) -> None:
        """A fresh session begins; messages come only after this."""
        self._plain.session_began()

    async def on_resumed(self) -> None:
        """Connected again in the same session."""
        self.watch.connected()

    async def on_ready(self) -> None:
        """Connected, in a fresh session: anything may have changed while nothing was heard, and messages written."""
        self.watch.connected()
        log.info("ready", user=self.user.id if self.user else None, guilds=len(self.guilds))
        if self._catching_up is not None:
            self._catching_up.cancel()
        self._catching_up = asyncio.create_task(self._plain.catch_up(), name="missed messages")
        self.reconciler.soon(self.reconciler.began())

    # --- interactions --------------------------------------------------------------------------------------------

    def is_new(self, one: discord.Interaction[Any] | discord.Message) -> bool:
        """Whether this interaction or message comes for the first time since the start; Discord may deliver one
        twice."""
        if one.id in self._seen:
            log.info("delivered twice", interaction=one.id)
            return False
        self._seen[one.id] = None
        if len(self._seen) > REMEMBERED:
            self._seen.popitem(last=False)
        return True

    async def on_interaction(self, interaction: discord.Interaction["PlotroomBot"]) -> None:
        """Buttons, menus and forms; commands come through the tree."""
        self.watch.silence.heard()
        self._look_at(interaction.user)
        pressed = {discord.InteractionType.component, discord.InteractionType.modal_submit}
        if interaction.type in pressed and self.is_new(interaction):
            await guarded(interaction, lambda: self._router.route(interaction))

    async def on_message(self, message: discord.Message) -> None:
        """What somebody wrote to the bot in a direct message."""
        if is_for_us(message, self.user.id if self.user else None) and self.is_new(message):
            self._look_at(message.author)
            await self._plain.heard(message)

    def _look_at_readers(self, campaign_id: str, post: Post) -> None:
        """A post was delivered: whether those whom a card or a side's news is for are there is looked at beside."""
        kind, side = kind_of(post.place or "")
        if post.dm is not None and post.prompt is not None:
            self.reconciler.soon(self.reconciler.heard_from(post.dm))
        elif kind == "side":
            self.reconciler.soon(self.reconciler.told(campaign_id, side))

    def _look_at(self, person: discord.User | discord.Member) -> None:
        """Somebody does something: whether they have the roles of their seats is compared beside what they do."""
        if isinstance(person, discord.Member):
            roles = frozenset(role.id for role in person.roles)
            self.reconciler.soon(self.reconciler.seen(person.guild.id, person.id, roles))
        else:
            self.reconciler.soon(self.reconciler.heard_from(person.id, acts=True))

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        """An event handler failed: ids and places only, for the arguments hold what people wrote."""

        error = sys.exc_info()[1]
        if error is not None:
            log.error("event failed", event_name=event_method, error=type(error).__name__, where=where(error))

    # --- what somebody changed on the server ---------------------------------------------------------------------

    async def _changed(self, guild_id: int) -> None:
        """Something of a server changed: what waits there is tried at once, and all is compared with what should be."""
        self.reconciler.soon(self.delivery.nudge(guild_id))
        self.reconciler.soon(self.reconciler.changed(guild_id))

    async def on_guild_role_update(self, _: discord.Role, after: discord.Role) -> None:
        """A permission may have been granted."""
        await self._changed(after.guild.id)

    async def on_guild_role_delete(self, role: discord.Role) -> None:
        """A role may have to be made again."""
        await self._changed(role.guild.id)

    async def on_guild_channel_update(self, _: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """A channel may have been opened or closed."""
        await self._changed(after.guild.id)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel may have to be made again."""
        await self._changed(channel.guild.id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """A thread may have been put away."""
        if payload.data["thread_metadata"]["archived"]:
            self.reconciler.soon(self.reconciler.changed(payload.guild_id))

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread may have to be made again."""
        self.reconciler.soon(self.reconciler.changed(payload.guild_id))

    async def on_member_update(self, _: discord.Member, after: discord.Member) -> None:
        """The bot's own roles may have changed; of others nothing is told without a privileged intent."""
        await self._changed(after.guild.id)

    async def on_member_join(self, member: discord.Member) -> None:
        """Somebody came, where the host has the bot told of that."""
        self._look_at(member)

    async def on_raw_member_remove(self, payload: discord.RawMemberRemoveEvent) -> None:
        """Somebody went, where the host has the bot told of that."""
        self.reconciler.soon(self.reconciler.gone(payload.guild_id, payload.user.id))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot may have come back to a server."""
        self.watch.connected()
        self.reconciler.soon(self.delivery.nudge(guild.id))
        self.reconciler.soon(self.reconciler.joined(guild.id))

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was taken off a server."""
        self.reconciler.soon(self.reconciler.left(guild.id))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """A server that Discord could not serve is there again."""
        self.watch.connected()
        await self._changed(guild.id)
