"""The playground's clock: real time plus what tests have advanced it by."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Callable
from datetime import UTC, datetime


class Timer:
    """A callback that is due at a time of the clock's `monotonic`; after `cancel` it is not called."""

    __slots__ = ("callback", "due")

    def __init__(self, due: float, callback: Callable[[], None]) -> None:
        self.due = due
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class Clock:
    """Tells the time in seconds and runs timers; `advance` moves it forward without waiting."""

    def __init__(self, offset: float = 0.0) -> None:
        self.offset = offset
        self._timers: list[tuple[float, int, Timer]] = []
        self._order = itertools.count()
        self._handle: asyncio.TimerHandle | None = None

    def now(self) -> float:
        """Seconds since 1970, never going backwards within a process."""
        return time.time() + self.offset

    def monotonic(self) -> float:
        return time.monotonic() + self.offset

    def iso(self, at: float | None = None) -> str:
        """A moment as Discord writes it: ISO 8601 in UTC with microseconds."""
        return datetime.fromtimestamp(self.now() if at is None else at, UTC).isoformat(timespec="microseconds")

    def call_later(self, delay: float, callback: Callable[[], None]) -> Timer:
        timer = Timer(self.monotonic() + delay, callback)
        heapq.heappush(self._timers, (timer.due, next(self._order), timer))
        if self._timers[0][2] is timer:
            self._arm()
        return timer

    def advance(self, seconds: float) -> None:
        """Move time forward and run, in order, the timers that fell due."""
        if seconds < 0:
            raise ValueError("a clock only goes forward")
        self.offset += seconds
        self._run_due()

    def close(self) -> None:
        self._timers.clear()
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None

    def _arm(self) -> None:
        if self._handle is not None:
            self._handle.cancel()
            self._handle = None
        while self._timers and self._timers[0][2].callback is None:
            heapq.heappop(self._timers)
        if self._timers:
            delay = max(0.0, self._timers[0][0] - self.monotonic())
            self._handle = asyncio.get_running_loop().call_later(delay, self._run_due)

    def _run_due(self) -> None:
        while self._timers and self._timers[0][0] <= self.monotonic():
            timer = heapq.heappop(self._timers)[2]
            callback, timer.callback = timer.callback, None
            if callback is not None:
                callback()
        self._arm()
