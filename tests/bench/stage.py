"""A playground and a bot, each in a process of its own, and hands to act in the playground."""

import asyncio
import json
import os
import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from bot.playground.world.components import walk
from bot.playground.world.model import COMPONENTS_V2
from tests.checkout import ROOT

Json = dict[str, Any]
TOKEN = "playground-token"
PATIENCE = 60.0
"""Seconds to wait for something that must happen, on a busy machine."""

NAMES = ("rita", "ann", "leo")
"""The referee, who owns the server, and two commanders."""


class Unanswered(RuntimeError):
    """The bot did not answer in time, or with something that Discord refuses."""


class Stage:
    """One playground with its people. Users, server and channels are known by name."""

    def __init__(self, folder: Path, url: str, http: aiohttp.ClientSession) -> None:
        self.folder = folder
        self.url = url
        self._http = http
        self.ids: dict[str, str] = {}
        self.guild = ""
        self.hall = ""

    async def get(self, path: str, **query: str) -> Any:
        """A reading request to the seat API."""
        async with self._http.get(f"{self.url}/seat-api/{path}", params=query) as response:
            response.raise_for_status()
            return await response.json()

    async def post(self, path: str, body: Json) -> Json:
        """An acting request to the seat API.

        Raises:
            RuntimeError: when the playground refuses it.
        """
        async with self._http.post(f"{self.url}/seat-api/{path}", json=body) as response:
            answer = await response.json()
            if response.status != 200:
                raise RuntimeError(f"{path}: {answer}")
            return answer

    async def people(self) -> None:
        """Make the people and their server, with the bot in it."""
        for name in NAMES:
            self.ids[name] = (await self.post("users", {"name": name}))["id"]
        guild = await self.post("guilds", {"name": "Bench", "owner_id": self.ids["rita"]})
        self.guild, self.hall = guild["id"], guild["general_channel_id"]
        for name in NAMES[1:]:
            await self.post(f"guilds/{self.guild}/members", {"user_id": self.ids[name]})

    async def command(self, who: str, path: str, **options: Any) -> Json:
        """A slash command in the server's first channel."""
        where = {"guild_id": self.guild, "channel_id": self.hall}
        return await self._act(who, "command", {**where, "path": path, "options": options})

    async def carry_out(self, who: str, path: str, **options: Any) -> None:
        """A slash command, and wait until it is answered: some are only after a while."""
        answer = await self.command(who, path, **options)

        async def answered() -> bool:
            page = await self.get(f"{self.ids[who]}/messages", channel=self.hall)
            asked = answer["interaction_id"]
            mine = [one for one in page["messages"] if (one.get("interaction_metadata") or {}).get("id") == asked]
            return any(not one["loading"] for one in mine)

        if answer["outcome"] == "deferred":
            await until(answered, f"the answer to /{path}")

    async def press(self, who: str, message: Json, custom_id: str) -> Json:
        """Press a button."""
        return await self._act(who, "press", {**_place(message), "custom_id": custom_id})

    async def choose(self, who: str, message: Json, custom_id: str, value: str) -> Json:
        """Choose from a menu."""
        return await self._act(who, "select", {**_place(message), "custom_id": custom_id, "values": [value]})

    async def submit(self, who: str, modal: Json, values: Json) -> Json:
        """Send a form back."""
        return await self._act(who, "modal", {"interaction_id": modal["interaction_id"], "values": values})

    async def _act(self, who: str, what: str, body: Json) -> Json:
        answer = await self.post(f"{self.ids[who]}/{what}", body)
        if answer["outcome"] == "failed":
            raise Unanswered(f"{what} {body}: {answer['error']}")
        return answer

    async def commands_known(self) -> None:
        """Wait until the bot is connected and has registered its commands."""

        async def there() -> bool:
            state = await self.get(f"{self.ids['rita']}/state")
            return state["application"]["online"] and bool(state["guilds"][0]["commands"])

        await until(there, "the bot's commands")

    async def letter(self, who: str) -> Json:
        """Wait for a direct message with a sheet in its frame, and give it."""
        found: list[Json] = []

        async def there() -> bool:
            for channel in (await self.get(f"{self.ids[who]}/state"))["dms"]:
                page = await self.get(f"{self.ids[who]}/messages", channel=channel["id"])
                found.extend(one for one in page["messages"] if _is_sheet(one))
            return bool(found)

        await until(there, f"a sheet for {who}")
        return found[-1]


def _is_sheet(message: Json) -> bool:
    ids = [one.get("custom_id", "") for one in walk(message["components"])]
    return bool(message["flags"] & COMPONENTS_V2) and any("|ready|" in one for one in ids)


def _place(message: Json) -> Json:
    return {"channel_id": message["channel_id"], "message_id": message["id"]}


def find(message: Json, verb: str) -> str:
    """The id of the message's component that does ``verb``."""
    ids = [one["custom_id"] for one in walk(message["components"]) if "custom_id" in one]
    return next(one for one in ids if f"|{verb}|" in one)


async def until(probe: Callable[[], Awaitable[bool]], what: str) -> None:
    """Wait until ``probe`` says yes.

    Raises:
        RuntimeError: after :data:`PATIENCE` seconds.
    """
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while not await probe():
        if asyncio.get_running_loop().time() > deadline:
            raise RuntimeError(f"{what} did not come within {PATIENCE:.0f} s")
        await asyncio.sleep(0.05)


@asynccontextmanager
async def process(
    folder: Path, module: str, *arguments: str, **variables: str
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A Python process of this project; its log goes to the folder. It is asked to stop in the end."""
    with (folder / f"{module}.log").open("wb") as log:
        child = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            module,
            *arguments,
            cwd=ROOT,
            # Signs are uploaded once in an installation's life, in its first seconds, which are what is measured here.
            env={**os.environ, "PLOTROOM_SIGNS": "false", **variables},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
        try:
            yield child
        finally:
            if child.returncode is None:
                child.terminate()
            await child.wait()


@asynccontextmanager
async def stage(folder: Path, model: Stage | None = None) -> AsyncIterator[Stage]:
    """A playground in its own process, with people in it; with all that is on a ``model`` that has ended, its bot's
    database too.
    """
    if model is None:
        folder.mkdir()  # noqa: ASYNC240  nothing else runs yet
    else:
        await asyncio.to_thread(shutil.copytree, model.folder, folder)
    arguments = ("--port", "0", "--state", str(folder / "playground.db"), "--token", TOKEN)
    async with process(folder, "bot.playground", *arguments) as child, aiohttp.ClientSession() as http:
        assert child.stdout is not None
        line = (await asyncio.wait_for(child.stdout.readline(), PATIENCE)).decode()
        if "http" not in line:
            raise RuntimeError(f"the playground did not start: {line}")
        made = Stage(folder, line.split()[-1], http)
        if model is None:
            await made.people()
        else:
            made.ids, made.guild, made.hall = model.ids, model.guild, model.hall
        yield made


class FullBot:
    """Plotroom in its own process."""

    def __init__(self, child: asyncio.subprocess.Process) -> None:
        self._child = child
        self.pid = child.pid

    async def held(self) -> int:
        """How many campaigns it holds in memory."""
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._child.stdin.write(b"\n")
        return json.loads(await asyncio.wait_for(self._child.stdout.readline(), PATIENCE))["held"]


@asynccontextmanager
async def full_bot(where: Stage, **variables: str) -> AsyncIterator[FullBot]:
    """Plotroom, connected to this playground, with its database beside it."""
    settings = {
        "PLOTROOM_TOKEN": TOKEN,
        "PLOTROOM_API_BASE": where.url,
        "PLOTROOM_DATABASE": f"sqlite+aiosqlite:///{where.folder / 'plotroom.db'}",
    }
    async with process(where.folder, "tests.bench.full_bot", **settings, **variables) as child:
        await where.commands_known()
        yield FullBot(child)


@asynccontextmanager
async def bare_bot(where: Stage, answers: dict[str, Json]) -> AsyncIterator[None]:
    """The bot to compare with, giving these answers."""
    path = where.folder / "answers.json"
    path.write_text(json.dumps(answers), encoding="utf-8")
    async with process(where.folder, "tests.bench.bare_bot", where.url, TOKEN, str(path)):
        await where.commands_known()
        yield
