"""The clock of a bot in a process of its own, which a test moves on: the deadline of a week falls at once."""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

_MOVED = signal.SIGUSR1
"""Tells the bot's process to look at its clock again."""


class BotClock:
    """The host's clock, ahead by as many seconds as stand in a file. It lives in the bot's process, and after a restart
    of the bot it is as far ahead as before. For campaigns it may stand still at a moment (``stands_at``), until a test
    moves it: what people see of them does not tell then how long the machine took."""

    def __init__(self, file: Path, stands_at: datetime | None = None) -> None:
        self._file = file
        self._stands_at = stands_at
        self._wake: Callable[[], None] = lambda: None
        self._look()
        signal.signal(_MOVED, lambda *_: self._moved())

    def now(self) -> datetime:
        """The bot's time."""
        return datetime.now(UTC) + self._ahead

    def campaigns_now(self) -> datetime:
        """The time of campaigns."""
        return self.now() if self._stands_at is None else self._stands_at + self._ahead

    def wakes(self, wake: Callable[[], None]) -> None:
        """Have ``wake`` called in the running loop whenever the clock was moved."""
        loop = asyncio.get_running_loop()

        def tell() -> None:
            with suppress(RuntimeError):  # the loop has ended, and the bot with it
                loop.call_soon_threadsafe(wake)

        self._wake = tell

    def _moved(self) -> None:
        self._look()
        self._wake()

    def _look(self) -> None:
        self._ahead = timedelta(seconds=ahead(self._file))


def ahead(file: Path) -> float:
    """By how many seconds the clock of that file is ahead."""
    return float(file.read_text(encoding="utf-8")) if file.exists() else 0.0


def move(file: Path, seconds: float, pid: int | None) -> None:
    """Put the clock of that file forward, and tell the process that goes by it, if there is one."""
    new = file.with_suffix(".new")
    new.write_text(str(ahead(file) + seconds), encoding="utf-8")
    new.replace(file)  # whole at any moment, for the process may be reading it
    if pid is not None:
        with suppress(ProcessLookupError):
            os.kill(pid, _MOVED)
