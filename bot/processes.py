"""Processes on every system: how this one is told to stop and keeps its memory, and a bot in one of its own, stopped in
good order."""

import asyncio
import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

if sys.platform == "win32":
    STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGBREAK)
    # Windows knows no SIGTERM from outside; a process group of its own can be sent a break instead.
    _APART: dict[str, Any] = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}
    _STOP = signal.CTRL_BREAK_EVENT
else:
    STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM)
    _APART: dict[str, Any] = {"start_new_session": True}
    _STOP = signal.SIGTERM

STOP_SECONDS = 15.0
"""What a bot's process is given to finish what is under way."""


_MOST_HEAPS = -8
"""What glibc calls ``M_ARENA_MAX``."""


def share_heaps() -> None:
    """Have all threads share two of the C library's heaps, instead of having up to eight for each processor: what one
    thread frees is used by others. Maps are drawn in many threads, and a tenth less memory is taken so.

    Where the C library is not glibc there is no such setting, and nothing is done.
    """
    with contextlib.suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(_MOST_HEAPS, 2)


@contextmanager
def told_to_stop() -> Generator[asyncio.Event, None, None]:
    """An event that is set when this process is told to stop. Only the main thread hears signals.

    Python's own handlers are used and not the event loop's, for those are missing on Windows.
    """
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def heard(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    before = {name: signal.signal(name, heard) for name in STOP_SIGNALS}
    try:
        yield stop
    finally:
        for name, handler in before.items():
            signal.signal(name, handler)


@asynccontextmanager
async def bot_process(
    folder: Path, *, token: str, api_base: str, told: Callable[[str], None] = lambda _: None
) -> AsyncGenerator[asyncio.subprocess.Process, None]:
    """``plotroom run`` with its database and its log in ``folder``, until the block ends.

    ``told`` is given a line if it had to be ended because it did not stop in time.
    """
    environment = {
        **os.environ,
        "PLOTROOM_TOKEN": token,
        "PLOTROOM_API_BASE": api_base,
        "PLOTROOM_DATABASE": f"sqlite+aiosqlite:///{folder / 'plotroom.db'}",
    }
    with (folder / "bot.log").open("ab") as log:
        # Apart from us: Ctrl-C in the terminal reaches us alone, and we stop it in good order.
        # -P: a folder of the host's may well hold a bot.py, which must not be taken for ours.
        command = (sys.executable, "-P", "-m", "bot.cli", "run")
        process = await asyncio.create_subprocess_exec(*command, env=environment, stdout=log, stderr=log, **_APART)
    try:
        yield process
    finally:
        if process.returncode is None:
            with contextlib.suppress(ProcessLookupError):  # it ended meanwhile
                process.send_signal(_STOP)
            try:
                await asyncio.wait_for(process.wait(), STOP_SECONDS)
            except TimeoutError:
                told("The bot did not stop in time and was ended; nothing acknowledged is lost.")
                process.kill()
                await process.wait()
