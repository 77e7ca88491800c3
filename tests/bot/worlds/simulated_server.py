"""A server with a running bot on simcord and a real database, in a player's words. The rulebook is the toy one."""

import asyncio
import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import simcord
import sqlalchemy as sa
from simcord import results
from simcord.backend import serializers
from simcord.http import router
from simcord.results import InteractionResult

from bot.client import PlotroomBot
from bot.settings import HostSettings
from bot.store.database import Store, open_store
from bot.store.tables import CampaignRow, DeadlineRow, JournalRow, MemberRow, OutboxRow, PlaceRow, PromptRow, ReportRow
from rules_engine import rulebooks
from tests import toy
from tests.databases import prepared_url
from tests.message_words import as_read, pressable, words_of

TITLE = "First Duel"
RADIO = 21
"""The type of a group of which one is chosen."""
ON_THE_SHEET = ("As a file", "Start over")
"""Buttons of the page that has the whole sheet."""
SIMCORDS_OWN = 5.0
AT_REST_WITHIN = 55.0
"""Seconds until a bot that does not come to rest is given up. It is at rest when nothing is left but timers that fire
later, so these are fewer than the minute after which the bot tries again what it was not permitted to do."""


def copied(value: Any) -> Any:
    """A copy of what goes over the wire, in a tenth of the time that `copy.deepcopy` takes for it."""
    if isinstance(value, dict):
        return {key: copied(held) for key, held in value.items()}
    if isinstance(value, list):
        return [copied(held) for held in value]
    return value if value is None or isinstance(value, str | int | float) else copy.deepcopy(value)


# Simcord keeps a copy of each request and of each answer.
router.copy = SimpleNamespace(deepcopy=copied)  # type: ignore[attr-defined]
results.deepcopy = serializers.deepcopy = copied  # type: ignore[attr-defined]


class PatientEnv(simcord.Env):
    """An environment that gives a bot as long to come to rest when it starts as at any other time, where simcord has
    five seconds."""

    async def _settle_internal(self, *, timeout: float | None = None, **more: Any) -> None:  # noqa: ASYNC109
        await super()._settle_internal(timeout=None if timeout == SIMCORDS_OWN else timeout, **more)


def use_toy(monkeypatch: Any) -> None:
    """Put the toy rulebook into the registry, alone, and a tracker as small."""
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"toy": "tests.toy"})
    monkeypatch.setattr(rulebooks, "_TRACKER", "tests.toy_tracker")


class Place(simcord.ChannelHandle):
    """A channel whose messages are read as people read them."""

    def history(self, *args: Any, **options: Any) -> Any:
        return [as_read(message) for message in super().history(*args, **options)]


class SimulatedServer:
    """A server, its people, and the bot. ``now`` is Discord's time here, which :meth:`later` moves."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._looks = 0
        self.expected = 0
        """How many of the bot's errors a test has looked at."""
        self.bot = self.new_bot()
        self.env: simcord.Env
        self.guild: Any
        self.hall: Any
        self.campaign: str
        self.people: dict[str, Any] = {}

    def new_bot(self) -> PlotroomBot:
        """A bot object as after a start of the process."""
        settings = HostSettings(_env_file=None, config_dir=toy.CONFIG)  # type: ignore[call-arg]  pydantic-settings takes it
        return PlotroomBot(self.store, settings, now=self.now, clock_wait=self._clock_wait)

    async def _clock_wait(self, woken: asyncio.Event, _: float) -> None:
        """The clock wakes when something changes, or when a test moves time; never by itself."""
        await self.env.external_wait(woken.wait(), reason="the clock waits for its next deadline")

    def now(self) -> datetime:
        """The bot's time: a millisecond later at each look, so that nothing happens at the same moment."""
        self._looks += 1
        return self.env.now() + timedelta(milliseconds=self._looks)

    def build(self, env: simcord.Env) -> None:
        """A server with people in it."""
        self.env = env
        self.guild = env.create_guild("Club")
        self.hall = self.guild.create_text_channel("hall")
        for name in ("rita", "ann", "abe", "leo", "sam", "zoe", "mia"):
            self.people[name] = self.guild.add_member(env.create_user(name))

    def __getattr__(self, name: str) -> Any:
        """A person by name: rita (referee), ann and abe (red), leo (blue), sam (spectator), zoe and mia (strangers)."""
        if name in self.__dict__.get("people", {}):
            return self.people[name]
        raise AttributeError(name)

    # --- doing ---------------------------------------------------------------------------------------------------

    async def slash(self, who: Any, command: str, /, *, at: Any = None, **options: Any) -> InteractionResult:
        """A slash command in the hall (or another channel)."""
        return await who.slash(at or self.hall, command, **options)

    async def dm_slash(self, who: Any, command: str, /, **options: Any) -> InteractionResult:
        """A slash command in direct messages."""
        return await who.user.slash(command, **options)

    async def found(self, title: str = TITLE, *, scenario: str = "toy/duel", **options: Any) -> str:
        """Rita founds a campaign; gives its id."""
        await self.slash(self.rita, "campaign create", title=title, scenario=scenario, **options)
        async with self.store.read() as tx:
            return (
                await tx.connection.execute(sa.select(CampaignRow.id).where(CampaignRow.title == title))
            ).scalar_one()

    async def seat(self, campaign: str, **sides: str) -> None:
        """People take seats: ``ann="red"``."""
        for name, side in sides.items():
            await self.slash(self.people[name], "campaign join", side=side, campaign=campaign)

    async def begin(self, title: str = TITLE) -> str:
        """A campaign under way: ann commands red, leo blue, sam watches."""
        campaign = await self.found(title)
        await self.seat(campaign, ann="red", leo="blue", sam="spectator")
        result = await self.slash(self.rita, "campaign start", campaign=campaign)
        assert "has begun" in said(result), said(result)
        return campaign

    async def hand_over(self, giver: Any, to: Any) -> InteractionResult:
        """The referee's chair is offered, and accepted."""
        await self.slash(giver, "referee hand-over", to=to.user)
        return await to.user.click(self.prompt(to, "asks you to be its referee"), label="Accept")

    async def later(self, seconds: float) -> None:
        """Let time pass, and the clock look at its deadlines."""
        await self.env.advance_time(seconds)
        self.bot.deadlines.wake()
        await self.env.settle()

    async def restart(self) -> None:
        """The process ends and another begins on the same database."""
        self.bot = self.new_bot()
        await self.env.restart_bot(self.bot)

    # --- looking -------------------------------------------------------------------------------------------------

    def failures(self) -> list[str]:
        """The kinds of errors that the bot raised so far; a test that looks at them has expected them."""
        self.expected = self.env.error_cursor
        return [type(error).__name__ for error in self.env.errors]

    def dms(self, who: Any) -> list[discord.Message]:
        """What the bot wrote to somebody, as they read it."""
        return [as_read(message) for message in who.user.dm_channel.history()]

    def prompt(self, who: Any, title: str) -> discord.Message:
        """The newest message with buttons and that title that somebody got by direct message."""
        found = [one for one in self.dms(who) if pressable(one) and title in one.content]
        assert found, [one.content for one in self.dms(who)]
        return found[-1]

    def buttons(self, who: Any, title: str) -> dict[str, str]:
        """The ids of that prompt's buttons, by label."""
        return {one["label"]: one["custom_id"] for one in pressable(self.prompt(who, title)) if "label" in one}

    async def channel(self, key: str) -> Any:
        """A place of the campaign."""
        async with self.store.read() as tx:
            place = (
                (await tx.connection.execute(sa.select(PlaceRow.discord_id).where(PlaceRow.key == key)))
                .scalars()
                .first()
            )
        assert place is not None, key
        return Place(self.env, self.guild, self.env.backend.get_channel(place))

    async def texts(self, key: str) -> str:
        """Everything said in a place."""
        return "\n".join(message.content for message in (await self.channel(key)).history())

    async def rows(self, column: Any, *where: Any) -> list[Any]:
        """A column of the database."""
        async with self.store.read() as tx:
            return list((await tx.connection.execute(sa.select(column).where(*where))).scalars())

    async def journal(self) -> list[str]:
        """The kinds of entries, in order."""
        return await self.rows(JournalRow.kind, JournalRow.seq > 0)

    async def open_titles(self) -> list[tuple[str, str]]:
        """The open prompts, as (side, title)."""
        async with self.store.read() as tx:
            sql = sa.select(PromptRow.side, PromptRow.title).where(PromptRow.status == "open")
            found = await tx.connection.execute(sql)
            return sorted((row["side"], row["title"]) for row in found.mappings())

    async def token(self, side: str, kind: str) -> str:
        """The token of an open prompt."""
        return (await self.rows(PromptRow.token, PromptRow.side == side, PromptRow.kind == kind))[-1]

    async def falls_at(self) -> datetime:
        """When the running deadline falls."""
        found = await self.running_until()
        assert found is not None
        return found

    async def running_until(self) -> datetime | None:
        """The running deadline; None while the clock stands still."""
        return (await self.rows(DeadlineRow.falls_at, DeadlineRow.opened_seq > 0) or [None])[0]

    # --- filling in ----------------------------------------------------------------------------------------------

    async def fill(self, who: Any, title: str, line: str, **values: Any) -> InteractionResult:
        """Choose a line (``"0.0"``) in the prompt of that title, and send its form back; fields by number: f0=…"""
        shown = await self.choose(who, title, line)
        return await self.submit(who.user, shown, **values)

    async def choose(self, who: Any, title: str, line: str) -> InteractionResult:
        """Open the form of a line (``"0.0"``): from the menu, or by the button beside it where no menu is needed."""
        card = self.prompt(who, title)
        beside = [one for one in pressable(card) if one["custom_id"].endswith(f"|edit|{line}")]
        if beside and not any(one["type"] == 3 for one in pressable(card)):
            return await who.user.click(card, custom_id=beside[0]["custom_id"])
        return await who.user.select(card, [line])

    async def submit(self, who: Any, shown: InteractionResult, **values: Any) -> InteractionResult:
        """Send a form back as a client does: with what was filled in, but for these values."""
        assert shown.modal is not None, said(shown)
        filled: dict[str, Any] = {}
        for control in (one["component"] for one in shown.modal["components"]):
            name = control["custom_id"]
            if control["type"] == RADIO:
                filled[name] = next((one["value"] for one in control["options"] if one.get("default")), None)
                if isinstance(values.get(name), list):
                    values[name] = next(iter(values[name]), None)
            elif "options" in control:
                filled[control["custom_id"]] = [one["value"] for one in control["options"] if one.get("default")]
            elif control.get("value"):
                filled[control["custom_id"]] = control["value"]
        return await who.submit_modal(shown, {**filled, **values})

    async def press(self, who: Any, title: str, label: str) -> InteractionResult:
        """Press a button of the prompt of that title, or of the page that has its whole sheet."""
        if label in ON_THE_SHEET and label not in self.buttons(who, title):
            await who.user.click(self.prompt(who, title), label="All orders")
            done = await who.user.click(self.prompt(who, title), label=label)
            await who.user.click(self.prompt(who, title), label="Back")
            return done
        return await who.user.click(self.prompt(who, title), label=label)

    async def resolve_now(self) -> InteractionResult:
        """The referee closes what is open, and confirms it."""
        listed = await self.slash(self.rita, "referee resolve-now")
        return await self.rita.click(message_of(listed), label="Close now")

    async def go_back(self, to: int, why: str) -> None:
        """The referee goes back to an entry, and confirms it."""
        listed = await self.slash(self.rita, "referee rewind", to=str(to))
        assert listed.response is not None, said(listed)
        asked = await self.rita.click(listed.response, label=f"Go back to entry {to} …")
        await self.submit(self.rita, asked, text=why)

    async def correct(self, **options: Any) -> InteractionResult:
        """The referee corrects the record, and confirms it."""
        shown = await self.slash(self.rita, "referee edit", **options)
        (with_button, *_) = [
            part for part in (*shown.followups, shown.response) if part is not None and part.components
        ]
        return await self.rita.click(with_button, label="Correct it")

    async def forge(self, who: Any, message: Any, custom_id: str, values: list[str] | None = None) -> InteractionResult:
        """An interaction that no client would send: any id, on any message."""
        from simcord.actors import _component_interaction
        from simcord.enums import ComponentType

        stored = self.env.backend.get_message(message.channel.id, message.id)
        kind = ComponentType.BUTTON if values is None else ComponentType.STRING_SELECT
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": kind}
        if values is not None:
            data["values"] = values
        return await _component_interaction(who, stored, data)

    async def forge_modal(self, who: Any, message: Any, custom_id: str, **values: Any) -> InteractionResult:
        """A form that was never opened, sent back from any message."""
        from simcord.actors import _dispatch_actor_interaction
        from simcord.backend import serializers
        from simcord.enums import ComponentType, InteractionType

        stored = self.env.backend.get_message(message.channel.id, message.id)
        guild = getattr(who, "guild", None)
        channel = simcord.ChannelHandle(self.env, guild, self.env.backend.get_channel(message.channel.id))
        rows = [
            {
                "type": ComponentType.LABEL,
                "id": number,
                "component": {
                    "type": ComponentType.STRING_SELECT if isinstance(value, list) else ComponentType.TEXT_INPUT,
                    "custom_id": key,
                    "id": 100 + number,
                    **({"values": value} if isinstance(value, list) else {"value": value}),
                },
            }
            for number, (key, value) in enumerate(values.items(), start=1)
        ]
        return await _dispatch_actor_interaction(
            who, InteractionType.MODAL_SUBMIT, channel, {"custom_id": custom_id, "components": rows},
            extra={"message": dict(serializers.message_payload(self.env.backend, stored))},
            source_message_id=stored.id,
        )  # fmt: skip

    async def fingerprint(self) -> list[Any]:
        """Everything that a refused request must leave as it was."""
        async with self.store.read() as tx:
            tables = (JournalRow, CampaignRow, MemberRow, PromptRow, DeadlineRow, ReportRow, OutboxRow.id)
            found = []
            for table in tables:
                rows = (await tx.connection.execute(sa.select(table))).mappings().all()
                found.append(sorted(repr(dict(row)) for row in rows))
            return found


def message_of(result: InteractionResult) -> Any:
    """The message with which a command or a press was answered."""
    assert result.response is not None
    return result.response


def modal_of(result: InteractionResult) -> Any:
    """The form with which it was answered."""
    assert result.modal is not None
    return result.modal


def said(result: InteractionResult) -> str:
    """What the caller was told; without the campaign's name in front of it, which ``test_bulletins_and_names`` pins."""
    parts = [result.response, *result.followups]
    return "\n".join(words_of(part).removeprefix(f"**{TITLE}** · ") for part in parts if part is not None)


@asynccontextmanager
async def simulated_server(
    tmp_path: Path, kind: type[SimulatedServer] = SimulatedServer
) -> AsyncIterator[SimulatedServer]:
    """A server with a bot that runs."""
    store = await open_store(prepared_url(tmp_path))
    made = kind(store)
    env = PatientEnv(made.bot, settle_timeout=AT_REST_WITHIN)
    made.env = env
    try:
        await env.start()
        made.build(env)
        yield made
        await made.bot.delivery.settled()  # else what is under way outlives the database, and a later test is blamed
        if unexpected := env.errors_since(made.expected):
            raise BaseExceptionGroup("the bot raised what no test expected", unexpected)
    finally:
        await env.shutdown()
        await store.close()
