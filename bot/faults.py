"""Named points at which a test may kill the process, to prove that nothing is lost or said twice.

Without ``PLOTROOM_KILL_AT`` in the environment :func:`point` does nothing. With ``PLOTROOM_KILL_AT=N`` the process
kills itself at the N-th point it passes; ``PLOTROOM_KILL_LOG`` names a file that lists the points passed.
"""

import os
import signal
import sys
from pathlib import Path

_kill_at = int(os.environ.get("PLOTROOM_KILL_AT", "0"))
_log = os.environ.get("PLOTROOM_KILL_LOG", "")
_passed = 0
_KILL = signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL  # on Windows either ends a process at once


def point(name: str) -> None:
    """Pass the point ``name``."""
    global _passed  # noqa: PLW0603  a process-wide count of points is the whole purpose
    if not _kill_at and not _log:
        return
    _passed += 1
    if _log:
        with Path(_log).open("a", encoding="utf-8") as file:
            file.write(f"{_passed} {name}\n")
    if _passed == _kill_at:
        os.kill(os.getpid(), _KILL)
