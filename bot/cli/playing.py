"""``plotroom play``: the bot and a little Discord of its own, with a demo campaign ready to play."""

import asyncio
import contextlib
import webbrowser
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer
from rich.text import Text

from bot.cli.app import FIRST_RULEBOOK, app, err, fail, out, say, say_default, settings_or_fail
from bot.playground import PlaygroundConfig, PlaygroundServer, Seat, SeatRefusedError, serve
from bot.playground.seed import GUILD, demo_commanders, seed_demo
from bot.playground.world.store import StoreError
from bot.processes import bot_process, told_to_stop
from bot.running import ExitCode

TOKEN = "playground-token"
_INTRO = f"{FIRST_RULEBOOK}/intro"
REFEREE = "ada"
SPECTATOR = "eve"
PATIENCE = 120.0
"""Seconds within which the bot must be online, and must answer whoever founds the demo campaign. Nobody sits there yet
who could press again, so a machine that is busy is given more time than Discord gives."""


class Demo(NamedTuple):
    """What a new demo campaign is to be: its scenario (empty: the introduction), and how many sides play (0: as it
    says)."""

    scenario: str = ""
    sides: int = 0


class CannotPlay(Exception):
    """The playground cannot be used; the text is one line."""


@app.command()
def play(
    port: Annotated[int, typer.Option(help="TCP port of the page; 0 takes a free one.")] = 8123,
    state_dir: Annotated[Path, typer.Option(help="Where everything is kept between two runs.")] = Path("var/play"),
    scenario: Annotated[str, typer.Option(help=f"What a new demo campaign plays; {_INTRO} if not given.")] = "",
    sides: Annotated[int, typer.Option(help="How many sides play, if the scenario leaves that open.", min=0)] = 0,
    browser: Annotated[bool, typer.Option(help="Open the page in a browser.")] = True,
) -> None:
    """Play here, without a Discord account: take every seat in your browser. Ctrl-C stops; nothing is lost."""
    settings_or_fail()  # the bot's own process will want them; said here they are seen
    try:
        asyncio.run(_play(port, state_dir, Demo(scenario, sides), browser))
    except (CannotPlay, StoreError) as problem:
        fail(ExitCode.SETTINGS, str(problem))


async def _play(port: int, state_dir: Path, demo: Demo, browser: bool) -> None:
    with told_to_stop() as stop:
        await _play_until(stop, port, state_dir, demo, browser)


async def _play_until(stop: asyncio.Event, port: int, state_dir: Path, demo: Demo, browser: bool) -> None:
    async with (
        playground(port, state_dir) as server,
        bot_process(state_dir, token=TOKEN, api_base=server.url, told=_warn) as process,
    ):
        died = asyncio.create_task(process.wait(), name="bot")
        stopped = asyncio.create_task(stop.wait(), name="stop")
        ready = asyncio.create_task(_ready(server, demo), name="ready")
        await asyncio.wait({died, stopped, ready}, return_when=asyncio.FIRST_COMPLETED)
        if ready.done() and not stop.is_set():
            await ready
            opened = Text.assemble(("Plotroom is open:", "bold"), " ", (server.url, f"link {server.url}"))
            out.print("\n", opened, sep="", highlight=False)
            out.print("Take any seat there: Ada referees, the others command. Ctrl-C stops; the campaign stays.\n")
            if browser:
                await asyncio.to_thread(webbrowser.open, server.url)
            await asyncio.wait({died, stopped}, return_when=asyncio.FIRST_COMPLETED)
        crashed = died.done() and not stop.is_set()
        for task in (died, stopped, ready):
            task.cancel()
        await asyncio.gather(died, stopped, ready, return_exceptions=True)
        if crashed:
            raise CannotPlay(f"The bot's process ended by itself; {state_dir / 'bot.log'} says why.")
        say("Stopping …")
    say(f"Stopped. Everything is kept in {state_dir}.")


def _warn(line: str) -> None:
    say(line, to=err)


@asynccontextmanager
async def playground(port: int, state_dir: Path) -> AsyncGenerator[PlaygroundServer, None]:
    """The server, with its cast."""
    try:
        await asyncio.to_thread(state_dir.mkdir, parents=True, exist_ok=True)
        server = await serve(PlaygroundConfig(state=state_dir / "playground.db", port=port, token=TOKEN))
    except OSError as error:
        hint = " Is it running already? Choose another with --port." if "address" in str(error).lower() else ""
        raise CannotPlay(f"Port {port} or the folder {state_dir} cannot be used ({error.strerror}).{hint}") from None
    async with server:
        seed_demo(server)
        yield server


async def _ready(server: PlaygroundServer, demo: Demo) -> None:
    """Wait until the bot is there, and found the demo campaign if there is none yet.

    Raises:
        CannotPlay: when the bot does not come, does not answer, or does not carry it out.
    """
    try:
        await _founded(server, demo)
    except (TimeoutError, SeatRefusedError) as problem:
        raise CannotPlay(f"The demo campaign was not founded: {problem or 'the bot does not answer'}.") from None


async def _founded(server: PlaygroundServer, demo: Demo) -> None:
    async with _patient(server), server.seat(REFEREE) as referee:
        await _online(referee)
        guild = next(one for one in (await referee.state())["guilds"] if one["name"] == GUILD)
        hall = next(one["id"] for one in guild["channels"] if one["kind"] == "text")
        referee.channel = hall
        listed = await referee.carry_out("campaign list")
        if "No campaign yet" not in _said(listed):
            return
        if not demo.scenario:
            say_default(f"the scenario {_INTRO} for the demo campaign", "--scenario")
        await found_demo(server, referee, hall, demo)


@asynccontextmanager
async def _patient(server: PlaygroundServer) -> AsyncGenerator[None, None]:
    """Wait longer for the bot's answers than Discord does; then as Discord does."""
    interactions = server.interactions
    usual, interactions.first_answer_within = interactions.first_answer_within, PATIENCE
    try:
        yield
    finally:
        interactions.first_answer_within = usual


async def _online(seat: Seat) -> None:
    """Wait until the bot's commands can be used."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            seen = 0
            while True:
                state = await seat.state()
                if state["application"]["online"] and any(guild["commands"] for guild in state["guilds"]):
                    return
                event = await seat.wait_for_event(
                    lambda one: one["type"] in {"bot_status", "commands_update"}, PATIENCE, since=seen
                )
                seen = seat.events.index(event) + 1
    raise CannotPlay(f"The bot did not come online within {PATIENCE:.0f} s.")


async def found_demo(server: PlaygroundServer, referee: Seat, hall: str, demo: Demo) -> None:
    """Found, fill and start a campaign by the seats' own commands; each side gets a commander."""
    scenario = demo.scenario or _INTRO
    options: dict[str, Any] = {"title": "Demo", "scenario": scenario, "orders": "7d", "decisions": "7d"}
    if count := await _seats(referee, scenario, demo.sides):
        options["seats"] = count
    await _command(referee, "campaign create", **options)
    offered = await referee.complete("campaign join", "side")
    sides = [choice["value"] for choice in offered if not choice["value"].startswith("@")]
    seats = [*zip(demo_commanders(server, len(sides)), sides, strict=True), (SPECTATOR, "@spectator")]
    for name, side in seats:
        async with server.seat(name, channel=hall) as seat:
            await _command(seat, "campaign join", side=side)
    await _command(referee, "campaign start")


async def _seats(referee: Seat, scenario: str, wanted: int) -> int:
    """How many sides are to play where the scenario leaves that open: as many as are ``wanted``, else the fewest; 0
    where it does not.

    Raises:
        CannotPlay: when so many cannot play; nothing was founded then.
    """
    offered = [choice["value"] for choice in await referee.complete("campaign create", "seats", scenario=scenario)]
    if not offered and wanted:
        raise CannotPlay(
            f"The scenario {scenario} says itself how many sides play, or there is none: leave --sides out."
        )
    if offered and wanted and wanted not in offered:
        raise CannotPlay(f"In {scenario} {offered[0]} to {offered[-1]} sides can play, and not {wanted}.")
    if offered and not wanted:
        say_default(f"{offered[0]} sides", "--sides")
    return wanted or next(iter(offered), 0)


async def _command(seat: Seat, path: str, **options: Any) -> None:
    """A command that must be carried out."""
    answer = await seat.carry_out(path, **options)
    text = _said(answer)
    if answer["outcome"] == "failed" or not text.startswith(("**", "You ")):
        raise CannotPlay(f"/{path} was not carried out: {text or answer['error']}")


def _said(answer: dict[str, Any]) -> str:
    message: dict[str, Any] = answer["message"] or {}
    return message.get("content", "")
