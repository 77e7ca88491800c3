"""Keeping the application's emojis: the signs that are missing are uploaded, outdated ones of our own deleted.

It stands in nobody's way: what fails leaves words without signs, and is tried again some minutes later. An emoji is
known by its name, which holds the version of the drawing, so that whatever a crash leaves is found at the next start.
"""

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import discord
import structlog

from bot.delivery.exit import Exit
from bot.delivery.signs.table import Emoji, Signs
from bot.records.signs.catalogue import DRAWN, SIGNS, TextSign
from bot.records.signs.marks import sign_and_version

log = structlog.get_logger("signs")

PAUSE = 0.1
"""Seconds between uploads: all calls of the bot share fifty a second."""

Wait = Callable[[asyncio.Event, float], Awaitable[None]]

TRIES = 5
"""Rounds until the next start; the last begins half an hour after the first."""
FIRST_WAIT = 120.0
"""Seconds until the second round; each wait is twice the one before."""

_AWAY = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)


class SignKeeper:
    """Keeps the emojis of the signs. ``draw`` gives a sign's PNG, and blocks."""

    def __init__(self, exit_: Exit, signs: Signs, draw: Callable[[TextSign], bytes], wait: Wait) -> None:
        self._exit = exit_
        self._signs = signs
        self._draw = draw
        self._wait = wait
        self.pause = PAUSE
        self._task: asyncio.Task[None] | None = None
        self.is_done = asyncio.Event()
        """Set while nothing is to be done."""

    def start(self) -> None:
        """Begin, once the client is logged in. Returns at once."""
        self._task = asyncio.create_task(self._run(), name="signs")

    async def stop(self) -> None:
        """Leave what is under way; the next start finds it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            await self._look()
            self.is_done.set()
            await self._signs.lost.wait()
            self.is_done.clear()
            await self._wait(asyncio.Event(), FIRST_WAIT)
            self._signs.lost.clear()

    async def _look(self) -> None:
        seconds = FIRST_WAIT
        for left in reversed(range(TRIES)):
            if await self._round() or not left:
                return
            await self._wait(asyncio.Event(), seconds)
            seconds *= 2

    async def _round(self) -> bool:
        """Look, upload and tidy up once. Whether no more can be done."""
        try:
            there = await self._exit.emojis()
            ids = _known(there)
            self._signs.learn(ids)
            for sign in SIGNS.values():
                if sign.name not in ids:
                    await self._upload(sign, ids)
            for emoji in there:
                if self._is_outdated(emoji, ids):
                    await self._exit.delete_emoji(emoji.id)
        except _AWAY as error:
            code = error.code if isinstance(error, discord.HTTPException) else 0
            log.warning("signs not kept", error=type(error).__name__, code=code, known=len(self._signs.ids))
            return False
        return True

    async def _upload(self, sign: TextSign, ids: dict[str, int]) -> None:
        await asyncio.sleep(self.pause)
        try:
            png = await asyncio.to_thread(self._draw, sign)
        except Exception as error:  # whatever goes wrong in a renderer: words stand without this one
            log.error("sign not drawn", sign=sign.name, error=type(error).__name__)
            return
        ids[sign.name] = (await self._exit.create_emoji(sign.made_name, png)).id
        self._signs.learn(ids)

    def _is_outdated(self, emoji: Emoji, ids: dict[str, int]) -> bool:
        """Whether it is one that the bot itself made for a sign, and that no text will hold any more. What a newer
        version of the bot made stays."""
        made = sign_and_version(emoji.name)
        if made is None or emoji.by != self._exit.bot_id:
            return False
        name, version = made
        return version < DRAWN or (version == DRAWN and ids.get(name) != emoji.id)


def _known(there: list[Emoji]) -> dict[str, int]:
    """The ids of the signs that are there in the present version; of two that a lost answer made, the older one's."""
    ids: dict[str, int] = {}
    made = {sign.made_name: sign.name for sign in SIGNS.values()}
    for emoji in sorted(there, key=lambda one: one.id):
        if emoji.name in made:
            ids.setdefault(made[emoji.name], emoji.id)
    return ids
