"""The stage: a playground in this process, the bot in its own, and people in seats. Nothing here waits for time."""

import asyncio
import contextlib
import os
import re
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy.engine import make_url

from bot.playground import PlaygroundConfig, PlaygroundServer, Seat, serve
from bot.playground.discord_api.recorder import Exchange
from tests.chance import Falls
from tests.contract.openapi import Contract, description_path
from tests.databases import DEFAULT, database_url, rows_of
from tests.e2e.bot_clock import BotsTime
from tests.e2e.bot_process import start_bot
from tests.e2e.people import Json, Person
from tests.forked import Command
from tests.patience import PATIENCE

IS_OVER = "The campaign is over"
LOOKED_AGAIN = 0.02
"""Seconds after which it is looked again what the bot has delivered."""

BAD_LINES = (
    *("incident", "row.broken", "row.failed", "queue.failed"),
    *("dispatch.failed", "event failed", "clock failed", "look failed"),
)
"""Words of log lines that stand for a defect of the bot."""


class PersonsSeat(Seat):
    """A seat whose actions give the whole answer, also where that comes after a first one that only won time."""

    async def _act(self, path: str, body: Json, wait: bool) -> Json:
        mark = len(self.events)
        answer = await super()._act(path, body, wait)
        return await self.whole(answer, since=mark) if wait else answer


@dataclass
class Stage:
    """A server of the playground with people in it, and the bot."""

    server: PlaygroundServer
    folder: Path
    seed: bytes
    guild: dict[str, Any]
    people: dict[str, Person]
    database: str
    """The URL of the bot's database."""
    environment: dict[str, str] = field(default_factory=dict)
    exchanges: list[Exchange] = field(default_factory=list)
    process: Command | None = None
    falls: Falls = field(default_factory=dict[str, Sequence[int]])
    """The dice that are loaded."""
    time: BotsTime = field(default_factory=BotsTime)
    """The bot's time: that of its campaigns stands still until a test has time pass."""

    def __getattr__(self, name: str) -> Person:
        """A person by name."""
        try:
            return self.__dict__["people"][name]
        except KeyError:
            raise AttributeError(name) from None

    # --- the bot -------------------------------------------------------------------------------------------------

    async def start_bot(self, **environment: str) -> None:
        """Start the bot's process and wait until it is online and its commands can be used."""
        variables = {**os.environ, **self._settings(), **self.environment, **environment}
        log = self.folder / "bot.log"
        self.process = start_bot(self.seed, variables, log, self.falls, self.time.give())
        anybody = next(iter(self.people.values()))
        died = asyncio.create_task(self.process.wait())
        up = asyncio.create_task(anybody.until(self._is_up))
        await asyncio.wait({died, up}, return_when=asyncio.FIRST_COMPLETED)
        died.cancel()
        if up.done():
            up.exception()  # of a playground that is away itself, which whoever acts next will notice
        else:
            up.cancel()
            await asyncio.gather(up, return_exceptions=True)
            if self.process.returncode != -signal.SIGKILL:
                raise AssertionError(f"the bot did not come up:\n{self.log()[-3000:]}")
        await self._hears_signals(self.process)

    @staticmethod
    async def _hears_signals(process: Command) -> None:
        """Wait until a bot that runs hears that it is to stop, where the system tells of it: one that is told before
        ends by the signal. That it is online may be said of the process before it, which was killed just now."""
        status, asked = Path(f"/proc/{process.pid}/status"), 1 << (signal.SIGTERM - 1)
        async with asyncio.timeout(PATIENCE):
            while process.returncode is None and sys.platform == "linux":
                with contextlib.suppress(OSError):  # it has just ended
                    caught = re.search(r"^SigCgt:\s*(\w+)$", await asyncio.to_thread(status.read_text), re.MULTILINE)
                    if caught is None or int(caught[1], 16) & asked:
                        return
                await asyncio.sleep(LOOKED_AGAIN)

    def _settings(self) -> dict[str, str]:
        return {
            "PLOTROOM_API_BASE": self.server.url,
            "PLOTROOM_TOKEN": self.server.config.token,
            "PLOTROOM_DATABASE": self.database,
            "PLOTROOM_LOG_LEVEL": "INFO",
        }

    async def _is_up(self) -> bool:
        state = await next(iter(self.people.values())).seat.state()
        known = {command["path"] for guild in state["guilds"] for command in guild["commands"]}
        return state["application"]["online"] and "campaign create" in known

    async def stop_bot(self) -> None:
        """End the bot as its host would."""
        if self.process is None or self.process.returncode is not None:
            return
        self.process.terminate()
        code = await self.process.wait()
        assert code == 0, f"the bot ended with {code}:\n{self.log()[-3000:]}"

    async def kill_bot(self) -> None:
        """End the bot as a power cut would."""
        assert self.process is not None
        self.process.kill()
        await self.process.wait()

    async def dies_and_returns(self) -> None:
        """The bot is killed and started again."""
        await self.kill_bot()
        await self.start_bot()

    async def dies_over(self, doing: Coroutine[Any, Any, Any]) -> None:
        """Somebody does that, and the bot dies over it, as it was started to. They may have been answered or not."""
        assert self.process is not None
        under_way = asyncio.create_task(doing)
        assert await asyncio.wait_for(self.process.wait(), PATIENCE) == -signal.SIGKILL
        under_way.cancel()
        await asyncio.gather(under_way, return_exceptions=True)

    async def time_passes(self, **time: float) -> None:
        """Have so many ``hours`` or ``minutes`` pass at once, for Discord and for the bot, which is told: what falls
        due meanwhile is under way then. Nobody may be waiting for an answer, and letters of the bot that were on their
        way be settled.

        A bot that starts after more than three minutes takes them for a time in which it was down.
        """
        seconds = timedelta(**time).total_seconds()
        await self._discords_time_passes(seconds)
        await self.time.passes(seconds)

    async def deadline_falls(self, late: Person, *, hours: float) -> None:
        """Let the time of a deadline that was set just now pass, after which it falls; ``late`` is reminded before."""
        await self.settled()
        await self.time_passes(hours=hours * 0.8)
        await late.told("time is up")
        await self.settled()
        await self.time_passes(hours=hours * 0.2)

    async def _discords_time_passes(self, seconds: float) -> None:
        self.server.clock.advance(seconds)

    def log(self) -> str:
        """What the bot logged."""
        return (self.folder / "bot.log").read_text()

    # --- faults ----------------------------------------------------------------------------------------------------

    async def fault(self, kind: str, **body: Any) -> None:
        """Have the playground fail on purpose; see its seat API."""
        anybody = next(iter(self.people.values()))
        await anybody.seat.request("POST", f"/test/{kind}", body)

    # --- looking ---------------------------------------------------------------------------------------------------

    def rows(self, query: str) -> list[Any]:
        """Rows of the bot's database."""
        return rows_of(self.database, query)

    def change(self, statement: str) -> None:
        """Change the bot's database behind its back, while it is stopped."""
        with closing(sqlite3.connect(make_url(self.database).database or "")) as database, database:
            database.execute(statement)

    def journal(self) -> list[str]:
        """The kinds of journal entries, in order."""
        return [kind for (kind,) in self.rows("select kind from journal order by seq")]

    async def settled(self) -> None:
        """Wait until the bot has delivered all that it has queued.

        Raises:
            TimeoutError: when for long nothing of it was delivered.
        """
        left = self._undelivered()
        while left:
            try:
                async with asyncio.timeout(PATIENCE):
                    # The bot's last commit is announced to nobody, so the database is polled for it.
                    while (now := self._undelivered()) == left:  # noqa: ASYNC110
                        await asyncio.sleep(LOOKED_AGAIN)
            except TimeoutError:
                raise TimeoutError(f"these stay undelivered: {left}\n{self.log()[-3000:]}") from None
            left = now

    def _undelivered(self) -> list[Any]:
        return self.rows("select id, kind from outbox where status in ('queued', 'sending') order by id")

    async def seen(self, member: Person) -> str:
        """Everything that somebody can read anywhere, with the words of pictures and the contents of text files."""
        parts: list[str] = []
        for channel in await member.channels():
            parts.append(channel["name"] or "")
            parts.append(channel.get("topic") or "")
            if channel["kind"] == "category":
                continue
            messages = await member.seat.messages(channel["id"])
            parts += [await words_of(member, message) for message in messages]
        parts += [event["message"]["words"] for event in member.seat.events if "message" in event]
        return "\n".join(parts)

    def contract_defects(self) -> list[str]:
        """Where the traffic breaks Discord's published description; none if that is not available.

        Answers of 500 and more are failures that a test asked for, and no part of the description.
        """
        path = description_path()
        if path is None:
            return []
        contract = Contract(path)
        return sorted({defect for one in self.exchanges if one.status < 500 for defect in contract.check(asdict(one))})

    def bad_lines(self) -> list[str]:
        """Log lines that stand for a defect."""
        return [line for line in self.log().splitlines() if any(word in line for word in BAD_LINES)]


async def words_of(member: Person, message: dict[str, Any]) -> str:
    """A message's text, its pictures' alternative texts, and what stands in its text files. The map of everything that
    comes with the end, and with nothing else, is nobody's secret, and left out."""
    parts = [message["words"]]
    for file in message["attachments"]:
        is_secret = IS_OVER not in message["words"] or not file["filename"].endswith(".png")
        parts += [file["filename"], (file.get("description") or "") if is_secret else ""]
        if file["filename"].endswith((".txt", ".jsonl")):
            parts.append((await member.seat.read_file(file)).decode())
    return "\n".join(parts)


@asynccontextmanager
async def open_stage(
    folder: Path, *, seed: bytes, names: Sequence[str], database: str = DEFAULT, **environment: str
) -> AsyncIterator[Stage]:
    """A server owned by ``olga``, who plays no part, with these people in it; the bot is not started yet.

    ``database`` is the kind that the bot is given.
    """
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(await serve(PlaygroundConfig(first_answer_within=PATIENCE)))
        users = {name: server.setup.create_user({"name": name, "display": name.title()}) for name in ("olga", *names)}
        guild = server.setup.create_guild({"name": "Harbour", "owner_id": users["olga"]["id"]})
        for name in names:
            server.setup.add_member(guild["id"], {"user_id": users[name]["id"]})
        server.world.commit()
        people: dict[str, Person] = {}
        for name, user in users.items():
            seat = PersonsSeat(server.url, user["id"], channel=guild["general_channel_id"])
            people[name] = Person(name, await stack.enter_async_context(seat))
        stage = Stage(server, folder, seed, guild, people, database_url(folder, database), environment)
        server.recorder.listeners.append(stage.exchanges.append)
        try:
            yield stage
        finally:
            if stage.process is not None and stage.process.returncode is None:
                await stage.kill_bot()
            stage.time.close()
