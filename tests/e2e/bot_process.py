"""``plotroom run`` with a seed that the test knows, so that its story can be rehearsed without the bot.

Only this entry point sets the seed: the bot itself has no way to be given one.
"""

import asyncio
import multiprocessing
import os
import random
import sys
from collections.abc import Mapping
from functools import cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from types import SimpleNamespace

from bot.cli import main
from bot.seats import found_campaign


class BotProcess:
    """A bot in a process of its own.

    It is forked from a process that has imported the bot and done nothing else: to start a Python and import it all
    takes two seconds of a processor, and there are many bots in these tests.
    """

    def __init__(self, seed: bytes, environment: Mapping[str, str], log: Path) -> None:
        """Start it, with these variables and no others, its output added to ``log``. Call it in a running loop."""
        self._process: ForkServerProcess = _nursery().Process(target=_run, args=(seed, dict(environment), log))
        self._process.start()
        self.returncode: int | None = None
        """What it ended with, or minus the signal that ended it; None while it runs."""
        self._ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._process.sentinel, self._end)

    def _end(self) -> None:
        asyncio.get_running_loop().remove_reader(self._process.sentinel)
        self._process.join()
        self.returncode = self._process.exitcode
        self._ended.set()

    async def wait(self) -> int:
        """Wait until it has ended; gives what it ended with."""
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    def terminate(self) -> None:
        """Ask it to stop, as its host would. Nothing happens if it has ended."""
        self._process.terminate()

    def kill(self) -> None:
        """End it, as a power cut would. Nothing happens if it has ended."""
        self._process.kill()


@cache
def _nursery() -> ForkServerContext:
    """Where bots are forked from: one for each process of tests."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])
    return context


def _run(seed: bytes, environment: dict[str, str], log: Path) -> None:
    """Be the bot."""
    with log.open("ab") as file:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(file.fileno(), stream.fileno())
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["plotroom", "run"]
    _fix_seed(seed)
    main()


def _fix_seed(seed: bytes) -> None:
    """The next campaign is founded with this seed and an id that is always the same."""
    letters = random.Random(seed)
    found_campaign.secrets = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)  # type: ignore[assignment]
