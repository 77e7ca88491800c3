"""How long the event loop was held: for how long nothing else could be answered."""

import asyncio
from types import TracebackType

STEP = 0.001
"""Seconds between two looks."""


class LoopWatch:
    """A callback that is due every millisecond; ``longest`` is the most by which one came too late, in seconds.

    A thread that holds the interpreter counts as well, and so does another process that takes the processor away.
    """

    def __init__(self) -> None:
        self.longest = 0.0

    def __enter__(self) -> "LoopWatch":
        self._loop = asyncio.get_running_loop()
        self._set()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._handle.cancel()
        self._look()  # one may be due that could not come before now

    def _set(self) -> None:
        self._due = self._loop.time() + STEP
        self._handle = self._loop.call_at(self._due, self._round)

    def _round(self) -> None:
        self._look()
        self._set()

    def _look(self) -> None:
        self.longest = max(self.longest, self._loop.time() - self._due)
