"""Running the bot as a process: the first connection, signals, and one clear line for whatever keeps it from it."""

import asyncio
import contextlib
import gc
from collections.abc import Callable
from enum import IntEnum
from pathlib import Path

import aiohttp
import discord
import structlog

from bot.client import PlotroomBot
from bot.delivery.drawing import Drawing, ThemeDefects
from bot.discord_address import point_client_at
from bot.processes import share_heaps, told_to_stop
from bot.settings import BUILT_IN, HostSettings
from bot.store.database import Store, open_store
from bot.store.errors import StoreUnavailable
from bot.store.lock import only_one

log = structlog.get_logger()

FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Seconds between attempts to connect, doubling from the one to the other."""

_AWAY = (OSError, aiohttp.ClientError, asyncio.TimeoutError, discord.GatewayNotFound, discord.DiscordServerError)


class ExitCode(IntEnum):
    """What the process ends with."""

    CLEAN = 0
    SETTINGS = 2
    TOKEN = 3
    DATABASE = 4
    REFUSED = 5


class CannotRun(Exception):
    """The bot cannot run; the text is one line for its host."""

    def __init__(self, code: ExitCode, text: str) -> None:
        self.code = code
        super().__init__(text)


async def run(settings: HostSettings, *, told: Callable[[str], None] = lambda _: None) -> None:
    """Run until told to stop (Ctrl-C, SIGTERM), then stop cleanly. ``told`` is given lines for the host.

    Raises:
        CannotRun: when it cannot start, or Discord sends it away for good.
    """
    share_heaps()
    if not settings.token.get_secret_value():
        raise CannotRun(
            ExitCode.SETTINGS,
            "No token. Put PLOTROOM_TOKEN=… (from Discord's developer portal) into the environment or a .env file; "
            "`plotroom play` needs none.",
        )
    _look_at(settings.theme_file)
    if settings.api_base:
        point_client_at(settings.api_base)
    with contextlib.ExitStack() as held:
        try:
            opened = held.enter_context(only_one(settings.database))
            store = await open_store(settings.database)
            opened()
        except StoreUnavailable as problem:
            raise CannotRun(ExitCode.DATABASE, str(problem)) from None
        await _run_on(store, settings, told)


def _look_at(theme_file: Path) -> None:
    """A theme of the host's own is read before anything else; that of the bot is not, since it loads Pillow."""
    if theme_file.is_relative_to(BUILT_IN):
        return
    try:
        Drawing(theme_file).theme  # noqa: B018  reading it is what is wanted
    except ThemeDefects as problem:
        raise CannotRun(ExitCode.SETTINGS, str(problem)) from None


async def _run_on(store: Store, settings: HostSettings, told: Callable[[str], None]) -> None:
    spare_the_collector()
    try:
        with told_to_stop() as stop:
            await _until(stop, settings, store, told)
    finally:
        await store.close()


def spare_the_collector() -> None:
    """Leave what is loaded for good out of Python's garbage collection, and collect less often.

    A click makes some ten thousand short-lived objects, nearly all of which go by themselves; looking for cycles every
    700 of them is a good part of its time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


async def _until(stop: asyncio.Event, settings: HostSettings, store: Store, told: Callable[[str], None]) -> None:
    """Connect, again and again if need be, until told to stop."""
    wait = FIRST_WAIT
    while not stop.is_set():
        bot = PlotroomBot(store, settings)
        session = asyncio.create_task(_session(bot, settings.token.get_secret_value()), name="session")
        ending = asyncio.create_task(stop.wait(), name="stop")
        losing = asyncio.create_task(store.until_lost(), name="lost")
        try:
            await asyncio.wait({session, ending, losing}, return_when=asyncio.FIRST_COMPLETED)
            if store.lost.is_set():
                raise CannotRun(ExitCode.DATABASE, store.why_lost)
            if stop.is_set():
                told("Stopping; what is under way is finished first.")
        finally:
            ending.cancel()
            losing.cancel()
            was_ready = bot.is_ready()
            await bot.close()
            away = await _result(session)
        if away is None:
            continue
        wait = FIRST_WAIT if was_ready else wait
        told(f"Discord cannot be reached ({away}); trying again in {wait:.0f} s.")
        log.warning("not connected", error=away, seconds=wait)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), wait)
        wait = min(LONGEST_WAIT, wait * 2)


async def _session(bot: PlotroomBot, token: str) -> None:
    await bot.login(token)
    await bot.connect(reconnect=True)


async def _result(session: asyncio.Task[None]) -> str | None:
    """How a session ended: None when it was meant to, or why it is worth another try.

    Raises:
        CannotRun: when another try would be no better.
    """
    try:
        await session
    except asyncio.CancelledError:
        return None
    except discord.LoginFailure:
        raise CannotRun(
            ExitCode.TOKEN,
            "Discord does not accept the token. Copy it again from the developer portal (Bot, Reset Token) into "
            "PLOTROOM_TOKEN.",
        ) from None
    except discord.ConnectionClosed as closed:
        raise CannotRun(ExitCode.REFUSED, f"Discord closed the connection for good (code {closed.code}).") from None
    except discord.PrivilegedIntentsRequired:
        raise CannotRun(
            ExitCode.REFUSED,
            "Discord refuses the bot's intents. Allow the Server Members Intent in the developer portal (Bot), or set "
            "PLOTROOM_MEMBERS=false.",
        ) from None
    except AttributeError as error:
        # discord.py stumbles over its own missing websocket when the very first connection fails.
        if error.obj is not None:
            raise
        return "no gateway"
    except _AWAY as error:
        return type(error).__name__
    return None
