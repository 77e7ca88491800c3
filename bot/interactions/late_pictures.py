"""Pictures that answers for one pair of eyes do not wait for: drawn a moment after it, and once however often it is
pressed. Those of messages that stay come by the outbox.

They are lost when the bot stops, as such answers are soon; all words are right at once.
"""

import asyncio
from collections.abc import Awaitable, Callable

import aiohttp
import discord
import structlog

from bot.errors import Sorry

log = structlog.get_logger()

MOMENT = 1.0
"""Seconds after the last press of a message."""

Work = Callable[[], Awaitable[None]]


class LatePictures:
    """What is to be drawn, by message."""

    def __init__(self, after: float = MOMENT) -> None:
        self._after = after
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def put(self, message_id: int, work: Work | None) -> None:
        """Do this for a message in a moment, instead of whatever was to be done for it; or (None) nothing any more."""
        earlier = self._timers.pop(message_id, None)
        if earlier is not None:
            earlier.cancel()
        if work is not None:
            self._timers[message_id] = asyncio.get_running_loop().call_later(self._after, self._begin, message_id, work)

    def _begin(self, message_id: int, work: Work) -> None:
        self._timers.pop(message_id, None)
        task = asyncio.create_task(self._do(work), name="late picture")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, work: Work) -> None:
        try:
            await work()
        except (Sorry, discord.HTTPException, aiohttp.ClientError, ConnectionError, TimeoutError) as error:
            log.info("picture not brought", error=type(error).__name__)
        except Exception as error:
            log.error("picture not brought", error=type(error).__name__)

    async def stop(self) -> None:
        """Draw nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
