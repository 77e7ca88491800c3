"""One thing at a time for each user, so that whoever sends many keeps nobody else waiting.

A few may wait for their turn. Who sends more is told once that they are too quick; what else comes at that moment is
not even answered, because answering hundreds would keep the others waiting as well.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from bot.errors import Sorry

MOST_WAITING = 6
"""Commands, presses and forms of one user that wait while another is worked off. Nobody's thumb is quicker."""

SAID_EVERY = 5.0
"""Seconds between two words to the same user that they are too quick."""


class TooQuick(Sorry):
    """Too many of one user's interactions wait already; this one is not carried out. ``silently``: nor answered."""

    def __init__(self, *, silently: bool) -> None:
        self.silently = silently
        text = (
            f"You are too quick for me: {MOST_WAITING} of your commands wait to be carried out. This one was not; "
            "nothing was changed by it. Send it again once the others are answered."
        )
        super().__init__(text, code="too-quick")


@dataclass
class _Queue:
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: int = 0
    typed: int = 0
    """How many completions were asked for so far; only the latest is worth an answer."""

    said: float | None = None


class Turns:
    """Whose turn it is, user by user."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._queues: dict[int, _Queue] = {}

    @asynccontextmanager
    async def turn(self, user_id: int) -> AsyncGenerator[None, None]:
        """Wait for this user's turn.

        Raises:
            TooQuick: when too many wait already.
        """
        queue = self._queues.setdefault(user_id, _Queue())
        if queue.waiting > MOST_WAITING:
            now = self._now()
            silently = queue.said is not None and now - queue.said < SAID_EVERY
            if not silently:
                queue.said = now
            raise TooQuick(silently=silently)
        queue.waiting += 1
        try:
            async with queue.lock:
                yield
        finally:
            queue.waiting -= 1
            self._forget(user_id, queue)

    @asynccontextmanager
    async def typing(self, user_id: int) -> AsyncGenerator[bool, None]:
        """Wait for this user's turn to have something completed; gives whether they have typed no further meanwhile."""
        queue = self._queues.setdefault(user_id, _Queue())
        queue.waiting += 1
        queue.typed += 1
        mine = queue.typed
        try:
            async with queue.lock:
                yield mine == queue.typed
        finally:
            queue.waiting -= 1
            self._forget(user_id, queue)

    def _forget(self, user_id: int, queue: _Queue) -> None:
        if not queue.waiting:
            self._queues.pop(user_id, None)
