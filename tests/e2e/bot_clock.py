"""The clock of a bot in a process of its own, which stands still until a test tells the bot that time has passed."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from typing import NamedTuple

from tests.patience import PATIENCE


class TimeGiven(NamedTuple):
    """The time that a new process of the bot begins with, and the line on which it is told that time has passed."""

    stands_at: datetime
    ahead: timedelta
    line: Connection


class BotsTime:
    """The time of a stage's bot, kept by the test. It outlives every process of the bot."""

    def __init__(self) -> None:
        self._stands_at = datetime.now(UTC)
        self._ahead = timedelta()
        self._line: Connection | None = None

    def give(self) -> TimeGiven:
        """Make what the next process of the bot is given. The process before it is told nothing more."""
        self.close()
        self._line, theirs = Pipe()
        return TimeGiven(self._stands_at, self._ahead, theirs)

    async def passes(self, seconds: float) -> None:
        """Move the time forward. Returns when the bot goes by the new time, or has ended: the next one will."""
        time = timedelta(seconds=seconds)
        self._ahead += time
        if self._line is None:
            return
        try:
            self._line.send(time)
        except OSError:  # the bot has ended
            return
        async with asyncio.timeout(PATIENCE):
            await _readable(self._line)
        with suppress(EOFError, OSError):  # it has ended before it could answer
            self._line.recv()

    def close(self) -> None:
        """Hang up."""
        if self._line is not None:
            self._line.close()
            self._line = None


async def _readable(line: Connection) -> None:
    """Wait until there is something to read, or the other end has hung up."""
    loop, came = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(line.fileno(), came.set)
    try:
        await came.wait()
    finally:
        loop.remove_reader(line.fileno())


class BotClock:
    """The clock in the bot's process.

    Campaigns go by a clock that stands still, so that neither their deadlines nor what people read of them tell how
    long the machine took. What is tried again after some seconds goes by the host's clock, which runs. Both are ahead
    by the time that the test has let pass.
    """

    def __init__(self, given: TimeGiven) -> None:
        self._stands_at, self._ahead, self._line = given

    def now(self) -> datetime:
        """The host's time."""
        return datetime.now(UTC) + self._ahead

    def campaigns_now(self) -> datetime:
        """The time of campaigns."""
        return self._stands_at + self._ahead

    def listen(self, wake: Callable[[], None]) -> None:
        """Hear of time that has passed, in the running loop, and call ``wake`` each time."""
        loop = asyncio.get_running_loop()

        def hear() -> None:
            try:
                self._ahead += self._line.recv()
            except (EOFError, OSError):  # the test has ended, and this process is about to
                loop.remove_reader(self._line.fileno())
                return
            wake()
            self._line.send(True)

        loop.add_reader(self._line.fileno(), hear)
