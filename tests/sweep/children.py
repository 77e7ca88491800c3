"""One case in a forked child of the process that has collected all tests; and again, in a process of its own.

The child runs the test with everything that belongs to it, writes down how it went, and ends; the folder that it was
given and whatever it started go with it. So a test that hangs or takes its process down costs nothing but itself.
"""

import contextlib
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.sweep.cases import Case, Turn
from tests.sweep.corpus import SEED
from tests.sweep.seeding import SEEDED, Seeded, with_seed

SAID = "said.json"


class Outcome(NamedTuple):
    """How a case came out."""

    how: str
    """``passed``, ``skipped``, ``failed``, ``took too long``, ``died``, or ``unfinished``."""
    seconds: float

    @property
    def is_failure(self) -> bool:
        """Whether something is wrong."""
        return self.how in ("failed", "took too long", "died")


class Child:
    """A case that runs, or has ended."""

    def __init__(self, turn: Turn, folder: Path, longest: float, environment: Mapping[str, str]) -> None:
        """Start it. It writes into the folder, and what it prints into ``out.txt`` in it."""
        self.turn, self.folder = turn, folder
        self._began = time.monotonic()
        self._deadline = self._began + longest
        self._is_late = False
        folder.mkdir(mode=0o755)
        (folder / "tmp").mkdir(mode=0o755)
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            try:
                _run(turn, folder, environment)
            finally:
                os._exit(1)
        with contextlib.suppress(OSError):  # the child does it, too: whoever comes first
            os.setpgid(self._pid, self._pid)

    @property
    def out(self) -> Path:
        """What it printed."""
        return self.folder / "out.txt"

    def poll(self) -> Outcome | None:
        """How it came out, once it has ended; one that takes too long is ended."""
        pid, _ = os.waitpid(self._pid, os.WNOHANG)
        if pid == 0:
            if time.monotonic() > self._deadline:
                self._is_late = True
                self._kill()
                os.waitpid(self._pid, 0)
            else:
                return None
        self._kill()  # what the test may have started and left
        seconds = time.monotonic() - self._began
        said = self.folder / SAID
        how = json.loads(said.read_text())["how"] if said.exists() else "died"
        return Outcome("took too long" if self._is_late else how, seconds)

    def end(self) -> Outcome:
        """End it before it has."""
        self._kill()
        os.waitpid(self._pid, 0)
        return Outcome("unfinished", time.monotonic() - self._began)

    def clear(self) -> None:
        """Take away what it wrote."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._pid, signal.SIGKILL)


def _run(turn: Turn, folder: Path, environment: Mapping[str, str]) -> None:
    """Be the child."""
    with contextlib.suppress(OSError):
        os.setpgid(0, 0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if sys.platform == "linux":  # also when the sweep is killed
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    nothing = os.open(os.devnull, os.O_RDONLY)
    out = os.open(folder / "out.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for descriptor, stream in ((nothing, 0), (out, 1), (out, 2)):
        os.dup2(descriptor, stream)
    os.environ.update(environment)
    os.environ["TMPDIR"] = str(folder / "tmp")
    tempfile.tempdir = None
    item = prepared(turn.case, turn.seed)
    heard = _Heard()
    item.config.pluginmanager.register(heard, "plotroom-sweep-heard")
    item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
    sys.stdout.flush()
    sys.stderr.flush()
    beside = folder / "saying.json"
    beside.write_text(json.dumps({"how": heard.how}))
    beside.replace(folder / SAID)
    os._exit(0)


def prepared(case: Case, seed: int) -> pytest.Function:
    """The test, with the seed where it takes one."""
    if case.takes == "parameter":
        words = case.test.partition("[")[2].removesuffix("]").replace(SEED, str(seed))
        return with_seed(case.item, case.standin, seed, words)
    if case.takes == "hypothesis":
        case.item.stash[SEEDED] = Seeded(seed)
    return case.item


class _Heard:
    """Hears how a test came out, and prints why."""

    def __init__(self) -> None:
        self.how = "passed"

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.how = "failed"
            print(f"{report.nodeid}: {report.when}\n{report.longreprtext}")
        elif report.skipped and self.how == "passed":
            self.how = "skipped"


class Again:
    """The command that repeats a failure, run to see whether it does."""

    def __init__(self, words: Sequence[str], variables: Mapping[str, str], out: Path, longest: float) -> None:
        """Start it; what it prints is added to the file."""
        self._began = time.monotonic()
        self._deadline = self._began + longest
        environment = {name: value for name, value in os.environ.items() if name != "PLOTROOM_SWEEP_SEEDS"}
        with out.open("ab") as file:
            file.write(b"\n--- again, in a process of its own ---\n")
            file.flush()
            how: dict[str, Any] = {"stdout": file, "stderr": file, "stdin": subprocess.DEVNULL}
            self._process = subprocess.Popen(words, env=environment | dict(variables), start_new_session=True, **how)

    def poll(self) -> str | None:
        """``failed again``, ``took too long again``, ``passed when run again``, or what else it was; None for now."""
        code = self._process.poll()
        if code is None and time.monotonic() <= self._deadline:
            return None
        self.end()
        if code is None:
            return "took too long again"
        return {0: "passed when run again", 1: "failed again"}.get(code, f"could not be run again: exit code {code}")

    def end(self) -> None:
        """End it, and whatever it started."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
