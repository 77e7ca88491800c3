"""Named points at which a test may kill the process, to prove that nothing is lost or said twice.

Without ``PLOTROOM_KILL_AT`` in the environment :func:`point` does nothing. With ``PLOTROOM_KILL_AT=NAME#N`` the process
kills itself when it passes the point of that name for the N-th time, or with ``PLOTROOM_KILL_BY=stop`` stands still
there until somebody wakes it; ``PLOTROOM_KILL_LOG`` names a file that lists the points passed.
"""

import os
import signal
import sys
from collections import Counter
from functools import cache
from pathlib import Path

_passed: Counter[str] = Counter()
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL  # on Windows either ends a process at once
_STOP = _KILL if sys.platform == "win32" else signal.SIGSTOP


def point(name: str) -> None:
    """Pass the point ``name``."""
    kill_at, log = _asked_for()
    if not kill_at and not log:
        return
    _passed[name] += 1
    passed = f"{name}#{_passed[name]}"
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{passed}\n")
    if passed == kill_at:
        os.kill(os.getpid(), _STOP if os.environ.get("PLOTROOM_KILL_BY") == "stop" else _KILL)


@cache
def _asked_for() -> tuple[str, str]:
    """At which point to die, and where to list them; read when the first is passed."""
    return os.environ.get("PLOTROOM_KILL_AT", ""), os.environ.get("PLOTROOM_KILL_LOG", "")
