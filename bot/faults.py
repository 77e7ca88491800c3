"""Named points at which a test may kill the process, to prove that nothing is lost or said twice.

Without ``PLOTROOM_KILL_AT`` in the environment :func:`point` does nothing. With ``PLOTROOM_KILL_AT=N`` the process
kills itself at the N-th point it passes, or with ``PLOTROOM_KILL_BY=stop`` stands still there until somebody wakes it;
``PLOTROOM_KILL_LOG`` names a file that lists the points passed.
"""

import os
import signal
import sys
from functools import cache
from pathlib import Path

_passed = 0
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL  # on Windows either ends a process at once
_STOP = _KILL if sys.platform == "win32" else signal.SIGSTOP


def point(name: str) -> None:
    """Pass the point ``name``."""
    global _passed  # noqa: PLW0603  a process-wide count of points is the whole purpose
    kill_at, log = _asked_for()
    if not kill_at and not log:
        return
    _passed += 1
    if log:
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{_passed} {name}\n")
    if _passed == kill_at:
        os.kill(os.getpid(), _STOP if os.environ.get("PLOTROOM_KILL_BY") == "stop" else _KILL)


@cache
def _asked_for() -> tuple[int, str]:
    """At which point to die, and where to list them; read when the first is passed."""
    return int(os.environ.get("PLOTROOM_KILL_AT", "0")), os.environ.get("PLOTROOM_KILL_LOG", "")
