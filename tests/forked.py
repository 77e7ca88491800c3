"""``plotroom <words>`` in a process of its own, forked from one that has imported it all and done nothing else.

To start a Python and import everything takes three seconds of a processor, and the tests run many commands.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from bot.cli import main
from tests.checkout import ROOT


class Command:
    """A running command, or one that has ended. Start it in a running loop."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        out: Path,
        errors: Path,
        prepare: Callable[[], None] | None = None,
    ) -> None:
        """Start it with these variables and no others; what it says is added to the files. In the new process
        ``prepare`` comes first."""
        told = (list(words), dict(environment), out, errors, prepare)
        self._process: ForkServerProcess = _nursery().Process(target=_run, args=told)
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

    @property
    def pid(self) -> int:
        """Its number, while it runs."""
        assert self._process.pid is not None
        return self._process.pid

    async def wait(self) -> int:
        """Wait until it has ended; gives what it ended with."""
        await self._ended.wait()
        assert self.returncode is not None
        return self.returncode

    def interrupt(self) -> None:
        """What Ctrl+C does. Nothing happens if it has ended."""
        if self.returncode is None and self._process.pid is not None:
            os.kill(self._process.pid, signal.SIGINT)

    def terminate(self) -> None:
        """Ask it to stop, as its host would. Nothing happens if it has ended."""
        self._process.terminate()

    def kill(self) -> None:
        """End it, as a power cut would. Nothing happens if it has ended."""
        self._process.kill()


@cache
def _nursery() -> ForkServerContext:
    """Where commands are forked from: one for each process of tests."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "tests.preloaded"])
    return context


def _run(
    words: list[str], environment: dict[str, str], out: Path, errors: Path, prepare: Callable[[], None] | None
) -> None:
    """Be the command."""
    for stream, path in ((sys.stdout, out), (sys.stderr, errors)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())
    os.chdir(ROOT)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["plotroom", *words]
    if prepare is not None:
        prepare()
    main()
