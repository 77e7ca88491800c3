"""Playing the scripted campaign: a playground, the bot as its own process, and officers in the seats."""

import asyncio
import contextlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.demo.officers import CUTLER_PLANS, PQ17_PERIOD_PLANS, PQ17_PLANS, Officer, Plans
from bot.playground import PlaygroundConfig, PlaygroundServer, Seat, SeatRefusedError, serve
from bot.playground.world.components import walk
from bot.processes import bot_process

Json = dict[str, Any]
Progress = Callable[[int, str], None]
"""Called with the number of turns begun and what is happening."""

PRESSES = 8
"""How often a button is looked for and pressed before the demo gives up."""
PATIENCE = 120.0
"""Seconds without any event, or without an answer of the bot, after which the demo gives up."""


class DemoFailed(Exception):
    """The demo came to a standstill; the text says where."""


@dataclass(frozen=True)
class Script:
    """What is played: a scenario, its officers' plans, and how many turns at the most.

    ``until`` ends it when everybody has a sheet whose title begins so; else it is played until the campaign is over.
    """

    scenario: str
    title: str
    sides: tuple[str, ...]
    plans: Plans
    turns: int
    until: str = ""


SCRIPTS: dict[str, Script] = {
    "pq17": Script("pq17/intro", "The Lantern Gap", ("Alliance", "Coalition"), PQ17_PLANS, 8),
    "pq17-period": Script(
        "pq17/campaign", "PQ-17", ("Alliance", "Coalition"), PQ17_PERIOD_PLANS, 30, until="Planning, Turn 31"
    ),
    "cutler": Script("cutler/intro", "Three Crowns", ("Hydran", "Lyran", "Klingon"), CUTLER_PLANS, 4),
}


@dataclass
class Player:
    """A commander's seat with the officer who sits in it."""

    seat: Seat
    officer: Officer
    done: set[str] = field(default_factory=set[str])
    dm: str = ""
    arrived: bool = False
    """Whether the sheet at which the script ends is there."""


@dataclass(frozen=True)
class DemoResult:
    """What the demo left behind."""

    export: Path
    maps: int
    turns: int
    ended: bool


async def play(script: Script, out: Path, progress: Progress) -> DemoResult:
    """Play ``script`` and write maps, transcripts and the export into ``out``.

    Raises:
        DemoFailed: when the bot does not start, or nothing moves any more.
    """
    work = out / "work"
    await asyncio.to_thread(work.mkdir, parents=True, exist_ok=True)
    async with await serve(_playground(work)) as server:
        guild, users = _people(server, script)
        async with (
            bot_process(work, token=server.config.token, api_base=server.url),
            contextlib.AsyncExitStack() as stack,
        ):
            seats = {
                name: await stack.enter_async_context(Seat(server.url, user, channel=guild["general_channel_id"]))
                for name, user in users.items()
            }
            await _commands_known(seats["referee"])
            game = Game(script, seats, progress)
            await game.set_up()
            await game.play()
            export = await game.export(out)
            maps = await game.write_down(out)
            return DemoResult(export, maps, game.turns, game.ended)


def _playground(work: Path) -> PlaygroundConfig:
    """A playground that waits for answers longer than Discord does: no officer presses again because a machine is
    busy."""
    return PlaygroundConfig(state=work / "discord.db", port=0, first_answer_within=PATIENCE)


def _people(server: PlaygroundServer, script: Script) -> tuple[Json, dict[str, str]]:
    names = ["referee", *(side.lower() for side in script.sides), "spectator"]
    users = {name: server.setup.create_user({"name": name})["id"] for name in names}
    guild = server.setup.create_guild({"name": "Plotroom demo", "owner_id": users["referee"], "with_bot": True})
    for name, user in users.items():
        if name != "referee":
            server.setup.add_member(guild["id"], {"user_id": user})
    server.world.commit()
    return guild, users


async def _commands_known(seat: Seat) -> None:
    """Wait until the bot has told Discord its commands."""
    mark = len(seat.events)
    while True:
        state = await seat.state()
        paths = {command["path"] for guild in state["guilds"] for command in guild["commands"]}
        if "campaign create" in paths and state["application"]["online"]:
            return
        try:
            await seat.wait_for_event(
                lambda event: event["type"] in {"commands_update", "bot_status"}, PATIENCE, since=mark
            )
        except TimeoutError:
            raise DemoFailed("the bot did not come up; see work/bot.log") from None
        mark = len(seat.events)


class Game:
    """One campaign: officers in their seats who answer what they are asked."""

    def __init__(self, script: Script, seats: dict[str, Seat], progress: Progress) -> None:
        self._script = script
        self._seats = seats
        self._progress = progress
        self.turns = 0
        self.ended = False
        self._players = [
            Player(seats[side.lower()], Officer(side, script.plans, mistaken=number == 0))
            for number, side in enumerate(script.sides)
        ]

    async def set_up(self) -> None:
        """Create the campaign, take the seats, start."""
        script, seats = self._script, self._seats
        self._progress(0, "creating the campaign")
        await _done(seats["referee"], "campaign create", title=script.title, scenario=script.scenario)
        for side in script.sides:
            await _done(seats[side.lower()], "campaign join", campaign=script.title, side=side)
        await _done(seats["spectator"], "campaign join", campaign=script.title, side="spectator")
        await _done(seats["referee"], "campaign start", campaign=script.title)

    async def play(self) -> None:
        """Answer what is asked until the campaign ends."""
        while not self.ended:
            marks = [len(player.seat.events) for player in self._players]
            moved = [await self._attend(player) for player in self._players]
            self.ended = self.ended or await self._is_over()
            if not any(moved) and not self.ended:
                await self._anything(marks)

    async def _anything(self, marks: Sequence[int]) -> None:
        waits = [
            asyncio.create_task(player.seat.wait_for_event(lambda _: True, PATIENCE, since=mark))
            for player, mark in zip(self._players, marks, strict=True)
        ]
        finished, rest = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)
        if all(task.exception() for task in finished):
            raise DemoFailed(f"nothing has moved for {PATIENCE:.0f} s in turn {self.turns}; see work/bot.log")

    async def _attend(self, player: Player) -> bool:
        """Answer the first sheet that is open and not answered yet; whether there was one."""
        for message in await self._direct_messages(player):
            token = _token(message)
            if token is None:
                continue
            title = _title(message)
            if self._script.until and title.startswith(self._script.until):
                player.arrived = True
                self.ended = all(one.arrived for one in self._players)
                return False
            differs = "accounts differ" in message["words"] and title not in player.officer.corrected
            if token in player.done and not (differs and player.officer.mistaken):
                continue
            if differs:
                player.officer.correct(title)
            player.done.add(token)
            await self._answer(player, message, title)
            return True
        return False

    async def _answer(self, player: Player, message: Json, title: str) -> None:
        seat = player.seat
        shown = await self._press(player, message, "As a file")
        text = (await seat.read_file(shown["message"]["attachments"][0])).decode("utf-8")
        before = player.officer.turn
        orders = player.officer.orders(title, text)
        if player.officer.turn > before and player is self._players[0]:
            self.turns = _turn_in(title) or self.turns + 1
            self._progress(self.turns, title)
        if orders:
            modal = await self._form(player, message)
            if modal is not None:
                mark = len(seat.events)
                answer = await seat.fill_modal(modal, by_label={modal["fields"][0]["label"]: orders})
                answer = await seat.whole(answer, since=mark, within=PATIENCE)
                reply: Json = answer["message"] or {}
                card = reply.get("words", "")
                if "Not accepted" in card:
                    raise DemoFailed(f"{player.officer.side}'s orders were not accepted: {card}")
        await self._press(player, message, "Send this account", "Ready")

    async def _press(self, player: Player, message: Json, *labels: str) -> Json:
        """Press the first of these buttons that a sheet's message has, on the page with the whole of it if not before.

        What is on its way may change the message in between.
        """
        for _ in range(PRESSES):
            now = await self._now(player, message)
            label = next((one for one in labels if _has_button(now, one)), "All orders")
            mark = len(player.seat.events)
            try:
                answer = await player.seat.press(now, label=label)
            except SeatRefusedError:
                continue
            answer = await player.seat.whole(answer, since=mark, within=PATIENCE)
            if label in labels:
                return answer
        raise DemoFailed(f"{player.officer.side}'s sheet has no button {', '.join(labels)}")

    async def _form(self, player: Player, message: Json) -> Json | None:
        """The form in which orders are typed. A bot that is too slow to open one asks to press once more."""
        for _ in range(PRESSES):
            modal = (await self._press(player, message, "Write them"))["modal"]
            if modal is not None:
                return modal
        return None

    async def _now(self, player: Player, message: Json) -> Json:
        """A message as it is now."""
        return next(one for one in await self._direct_messages(player) if one["id"] == message["id"])

    async def _direct_messages(self, player: Player) -> list[Json]:
        if not player.dm:
            state = await player.seat.state()
            if not state["dms"]:
                return []
            player.dm = state["dms"][0]["id"]
        return await player.seat.messages(player.dm)

    async def _is_over(self) -> bool:
        channels = await self._seats["referee"].channels()
        for channel in channels.values():
            if channel["kind"] == "text":
                for message in await self._seats["referee"].messages(channel["id"], limit=20):
                    if "The campaign is over." in message["words"]:
                        return True
        return False

    async def export(self, out: Path) -> Path:
        """The record of the campaign, through the referee's own command."""
        seat = self._seats["referee"]
        mark = len(seat.events)
        answer = await seat.command("referee export", campaign=self._script.title)
        message = answer["message"]
        if not message or not _record_in(message):
            # The last map may be posted at the same time.
            message = await seat.wait_for_message(lambda one: bool(_record_in(one)), PATIENCE, updates=True, since=mark)
        path = out / "export.jsonl"
        path.write_bytes(await seat.read_file(_record_in(message)[0]))
        return path

    async def write_down(self, out: Path) -> int:
        """Every seat's transcript and the images it was shown; returns the number of images."""
        count = 0
        for name, seat in self._seats.items():
            folder = out / name
            folder.mkdir(exist_ok=True)
            state = await seat.state()
            channels = [one for guild in state["guilds"] for one in guild["channels"]] + state["dms"]
            lines = [f"# What {name} could read", ""]
            for channel in channels:
                if channel["kind"] == "category":
                    continue
                where = "direct messages" if channel["kind"] == "dm" else f"#{channel['name']}"
                lines += [f"## {where}", ""]
                for message in await _all_messages(seat, channel["id"]):
                    lines += [f"**{message['author_display']}**: {message['content']}", ""]
                    for attachment in message["attachments"]:
                        if attachment["filename"].endswith(".png"):
                            count += 1
                            image = f"{count:03}-{attachment['filename']}"
                            (folder / image).write_bytes(await seat.read_file(attachment))
                            lines += [f"![{attachment.get('description') or ''}]({image})", ""]
            (folder / "transcript.md").write_text("\n".join(lines), encoding="utf-8")
        (out / "script.json").write_text(json.dumps({"scenario": self._script.scenario}), encoding="utf-8")
        return count


async def _all_messages(seat: Seat, channel: str) -> list[Json]:
    messages: list[Json] = []
    before: str | None = None
    while True:
        page = await seat.messages(channel, limit=100, before=before)
        messages = [*page, *messages]
        if len(page) < 100:
            return messages
        before = page[0]["id"]


async def _done(seat: Seat, path: str, **options: Any) -> None:
    """Give a command, until it was carried out."""
    answer = await seat.carry_out(path, **options)
    if answer["outcome"] == "failed":
        raise DemoFailed(f"the bot did not answer: {answer['error']}")


def _record_in(message: Json) -> list[Json]:
    """The files of a message that are a campaign's record."""
    return [file for file in message["attachments"] if file["filename"].endswith(".jsonl")]


def _turn_in(title: str) -> int:
    """The turn that a sheet is for, where its title says so; turns that nobody was asked in are passed over."""
    found = re.search(r"\bTurn (\d+)", title)
    return int(found[1]) if found else 0


def _title(message: Json) -> str:
    """The title of a sheet: in the small print of a frame, else in its first line."""
    lines = message["words"].splitlines()
    if any(line.startswith("## ") for line in lines):
        return lines[-1].rpartition(" · ")[2]
    return next(line for line in lines if line.startswith("**")).split("**")[1]


def _token(message: Json) -> str | None:
    """The token of the sheet that a message holds, if its components are still there."""
    for component in walk(message["components"]):
        parts = str(component.get("custom_id", "")).split("|")
        if parts[0] == "p" and len(parts) == 4:
            return parts[1]
    return None


def _has_button(message: Json, label: str) -> bool:
    return any(component.get("label") == label for component in walk(message["components"]))
