"""A plugin of pytest that has everything imported and collected, and tries changes in forked children of its process.

It takes jobs, one line of JSON each, from one pipe, and answers on another. A child puts the changed code into the
functions that are there already, runs the tests it is given until one fails, and ends; the process itself stays as it
was. So a change costs the time of its tests and nothing else. Only what runs at import needs a process of its own.
"""

import contextlib
import gc
import json
import math
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from hypothesis import Phase, settings

PIPES = "PLOTROOM_MUTATION_PIPES"
"""The environment's name for the two pipes: the one to read jobs from, the one to answer on."""
NODES = "PLOTROOM_MUTATION_NODES"
"""The environment's name for a file with the tests to be kept, one a line; without one, all."""


@dataclass(frozen=True)
class Job:
    """What a child is to try."""

    tests: list[str]
    seconds: float
    """Of processor time that all tests may take together."""
    each: float
    """And each of them; a child in which one takes more is ended, for it would run for ever."""
    path: str | None = None
    """The changed file; None if the change is in place already, or there is none."""
    text: str = ""
    """What stands in it."""


@dataclass(frozen=True)
class Answer:
    """How it came out."""

    noticed_by: str | None
    """The test that failed; None if none did."""
    how: str
    """``failed``, ``took too long``, ``died``; ``no such code`` if the change could not be put in place."""
    ran: int
    seconds: float


# --- code that is changed in place ------------------------------------------------------------------------------------


def changed_code(before: str, after: str, path: str) -> list[tuple[CodeType, CodeType]]:
    """The outermost functions whose code differs between two texts of one file, before and after.

    Raises ValueError if something differs outside of functions."""
    return list(_changed(compile(before, path, "exec"), compile(after, path, "exec")))


def _changed(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    pairs = [
        (one, other)
        for one, other in zip(old.co_consts, new.co_consts, strict=False)
        if isinstance(one, CodeType) and isinstance(other, CodeType)
    ]
    rest = [one for one in old.co_consts if not isinstance(one, CodeType)]
    if old.co_code != new.co_code or rest != [one for one in new.co_consts if not isinstance(one, CodeType)]:
        raise ValueError("the change shows when the file is imported")
    for one, other in pairs:
        if one != other:
            # A function makes its own variables (flag 1, CO_OPTIMIZED); a class does not, and runs at import.
            if one.co_flags & 1:
                yield one, other
            else:
                yield from _changed(one, other)


def put_in_place(pairs: list[tuple[CodeType, CodeType]]) -> int:
    """Give every function that has one of the old codes the new one; how many there were."""
    count = 0
    gc.unfreeze()
    for one in gc.get_objects():
        if isinstance(one, FunctionType):
            for old, new in pairs:
                if one.__code__ == old and one.__code__.co_filename == old.co_filename:
                    one.__code__ = new
                    count += 1
    return count


# --- the process that has everything ----------------------------------------------------------------------------------


class Server:
    """Takes the place of pytest's own loop over the tests."""

    def __init__(self, jobs: int, answers: int) -> None:
        self._jobs, self._answers = jobs, answers

    def pytest_configure(self) -> None:
        """What fails has been noticed; nobody waits for a smaller example."""
        quick = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain, Phase.reuse)]
        settings.register_profile("mutation", parent=settings(), phases=quick, database=None)
        settings.load_profile("mutation")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep what is asked for."""
        if NODES in os.environ:
            wanted = set(Path(os.environ[NODES]).read_text(encoding="utf-8").splitlines())
            config.hook.pytest_deselected(items=[item for item in items if item.nodeid not in wanted])
            items[:] = [item for item in items if item.nodeid in wanted]

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Jobs until the pipe is closed."""
        items = {item.nodeid: item for item in session.items}
        gc.collect()
        gc.freeze()
        self._answer({"collected": len(items), "wrong": session.testsfailed, "engine": _engine()})
        with os.fdopen(self._jobs, encoding="utf-8") as jobs:
            for line in jobs:
                job = Job(**json.loads(line))
                self._answer(asdict(self._tried(job, [items[one] for one in job.tests if one in items])))
        return True

    def _answer(self, said: dict[str, Any]) -> None:
        os.write(self._answers, json.dumps(said).encode() + b"\n")

    def _tried(self, job: Job, items: list[pytest.Item]) -> Answer:
        reading, writing = os.pipe()
        began = time.monotonic()
        child = os.fork()
        if child == 0:
            os.close(reading)
            os.setpgid(0, 0)
            status = 1
            try:
                status = _child(job, items, writing)
            finally:
                os._exit(status)
        os.close(writing)
        told, in_time = _heard(reading, began + waits(job.seconds))
        if not in_time:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(child, signal.SIGKILL)  # what a test may have started and left
        lines = told.decode().splitlines()
        begun = [line.removeprefix("run ") for line in lines if line.startswith("run ")]
        took = time.monotonic() - began
        last = lines[-1] if lines else ""
        if last in ("passed", "no such code"):
            return Answer(None, last, len(begun), took)
        too_long = not in_time or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU)
        how = "failed" if last == "failed" else "took too long" if too_long else "died"
        return Answer(begun[-1] if begun else "(before any test)", how, len(begun), took)


def waits(seconds: float) -> float:
    """How long to wait for so much processor time, where others use the processors, too."""
    return 10 * seconds + 60


def _heard(pipe: int, until: float) -> tuple[bytes, bool]:
    """All that a child says until it ends, or until that time; whether it ended."""
    told = b""
    with os.fdopen(pipe, "rb", buffering=0) as end:
        while (left := until - time.monotonic()) > 0:
            if select.select([end], [], [], left)[0]:
                some = end.read(65536)
                if not some:
                    return told, True
                told += some
    return told, False


def _child(job: Job, items: list[pytest.Item], pipe: int) -> int:
    """In the child: make the change, run the tests until one fails, say how it went; gives the exit code."""
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)

    def say(line: str) -> None:
        os.write(pipe, line.encode() + b"\n")

    if job.path is not None:
        path = str(Path(job.path).resolve())
        try:
            pairs = changed_code(Path(path).read_text(encoding="utf-8"), job.text, path)
            count = put_in_place(pairs)
        except ValueError:
            count = 0
        if not count:
            say("no such code")
            return 0
    noticed = _Noticed()
    for item, following in zip(items, [*items[1:], None], strict=True):
        say(f"run {item.nodeid}")
        _allow(min(job.each, job.seconds - time.process_time()))
        with noticed.listening(item):
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if noticed.failed:
            say("failed")
            return 0
    say("passed")
    return 0


def _allow(seconds: float) -> None:
    """End this process when it takes so much more processor time."""
    most = math.ceil(time.process_time() + max(seconds, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


class _Noticed:
    """Hears whether a test failed."""

    failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed = self.failed or report.failed

    @contextlib.contextmanager
    def listening(self, item: pytest.Item) -> Generator[None, None, None]:
        item.config.pluginmanager.register(self, "plotroom-noticed")
        try:
            yield
        finally:
            item.config.pluginmanager.unregister(self)


def _engine() -> str:
    """Where the rules that are imported lie: they must be those of the copy."""
    module = sys.modules.get("rules_engine")
    return "" if module is None or module.__file__ is None else str(Path(module.__file__).resolve().parent.parent)


def pytest_configure(config: pytest.Config) -> None:
    """Take over, if there are pipes."""
    if PIPES in os.environ:
        server = Server(*map(int, os.environ[PIPES].split()))
        server.pytest_configure()
        config.pluginmanager.register(server, "plotroom-mutation")
