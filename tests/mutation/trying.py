"""Makes changes one at a time, on several copies at once, and says which tests noticed."""

import shutil
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Self

from tests.mutation.changes import Mutation
from tests.mutation.copies import CouldNotStart, Process, changed, copy_tree
from tests.mutation.selecting import Chosen
from tests.mutation.server import Job
from tests.reached.data import Test

PATIENCE = 3.0
"""How many times the processor time that was recorded all tests may take, and each as the longest of them, …"""
GRACE = 20.0
"""… and how many seconds more, before they count as running for ever."""
AT_FIRST = 60
"""How many tests a change that shows at import is tried with before the rest are collected, too."""
WHEN_IMPORTED = "(when it is imported)"


class AlwaysFails(Exception):
    """A test fails without any change, so what it notices means nothing."""


@dataclass(frozen=True)
class Outcome:
    """What came of a change."""

    mutation: Mutation
    noticed_by: str | None
    """The test; None if it survived."""
    how: str
    ran: int
    """How many tests were run."""
    of: int
    """How many might have noticed it."""
    seconds: float


class Bench:
    """One copy, with a process that has the unchanged rules imported."""

    def __init__(self, root: Path, to: Path, nodes: Iterable[str]) -> None:
        copy_tree(root, to)
        self.root = to
        self._log = to.parent / f"{to.name}.log"
        self._process = Process(to, nodes, as_it_is=True, log=self._log)
        self._sound: set[str] = set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def tried(self, mutation: Mutation, all_tests: Chosen, longest: float) -> Outcome:
        """Make the change, run the tests that fit into ``longest`` seconds, unmake it.

        Raises AlwaysFails if the test that noticed fails without it."""
        chosen = all_tests.within(longest)
        if not chosen.tests:
            return Outcome(mutation, None, "no test reaches it", 0, 0, 0.0)
        text = (self.root / mutation.path).read_text(encoding="utf-8")
        made = mutation.made(text)
        if chosen.at_import:
            outcome = self._imported(mutation, made, chosen)
        elif mutation.path.endswith(".toml"):
            with changed(self.root, mutation.path, made):
                outcome = self._asked(mutation, self._process, chosen.tests)
        else:
            outcome = self._asked(mutation, self._process, chosen.tests, made)
            if outcome.how == "no such code":
                outcome = self._imported(mutation, made, chosen)
        if outcome.noticed_by is not None and outcome.noticed_by in {test.node for test in chosen.tests}:
            self._check(outcome.noticed_by, _limit_of_each(chosen.tests))
        return Outcome(mutation, outcome.noticed_by, outcome.how, outcome.ran, len(all_tests.tests), outcome.seconds)

    def _asked(self, mutation: Mutation, process: Process, tests: tuple[Test, ...], text: str | None = None) -> Outcome:
        path = None if text is None else str(self.root / mutation.path)
        said = process.tried(Job([test.node for test in tests], _limit(tests), _limit_of_each(tests), path, text or ""))
        return Outcome(mutation, said.noticed_by, said.how, said.ran, len(tests), said.seconds)

    def _imported(self, mutation: Mutation, text: str, chosen: Chosen) -> Outcome:
        """In a process of its own, first with the likeliest tests."""
        ran, seconds = 0, 0.0
        with changed(self.root, mutation.path, text):
            for tests in filter(None, (chosen.tests[:AT_FIRST], chosen.tests[AT_FIRST:])):
                try:
                    nodes = [test.node for test in tests]
                    with Process(self.root, nodes, as_it_is=False, log=self._log) as process:
                        outcome = self._asked(mutation, process, tests)
                except CouldNotStart:
                    return Outcome(mutation, WHEN_IMPORTED, "failed", ran, len(chosen.tests), seconds)
                ran, seconds = ran + outcome.ran, seconds + outcome.seconds
                if outcome.noticed_by is not None:
                    return Outcome(mutation, outcome.noticed_by, outcome.how, ran, len(chosen.tests), seconds)
        return Outcome(mutation, None, "passed", ran, len(chosen.tests), seconds)

    def _check(self, node: str, seconds: float) -> None:
        """Run a test without any change, once."""
        if node not in self._sound:
            if self._process.tried(Job([node], seconds, seconds)).noticed_by is not None:
                raise AlwaysFails(node)
            self._sound.add(node)


def _limit(tests: Iterable[Test]) -> float:
    return PATIENCE * sum(test.seconds for test in tests) + GRACE


def _limit_of_each(tests: Iterable[Test]) -> float:
    """As for the longest, for what several tests remember may be made in any of them."""
    return PATIENCE * max((test.seconds for test in tests), default=0) + GRACE


def all_tried(
    root: Path,
    nodes: Iterable[str],
    mutations: Iterable[Mutation],
    choose: Callable[[Mutation], Chosen],
    *,
    workers: int,
    longest: float,
) -> Iterator[Outcome]:
    """Every outcome, as it comes. ``nodes`` are all tests that ``choose`` may choose from."""
    everything, choosing = list(nodes), threading.Lock()
    folder = Path(tempfile.mkdtemp(prefix="plotroom-mutation-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        pool = stack.enter_context(ThreadPoolExecutor(workers))
        starts = [pool.submit(Bench, root, folder / f"copy{number}", everything) for number in range(workers)]
        free: SimpleQueue[Bench] = SimpleQueue()
        for start in starts:
            free.put(stack.enter_context(start.result()))

        def one(mutation: Mutation) -> Outcome:
            with choosing:
                chosen = choose(mutation)
            bench = free.get()
            try:
                return bench.tried(mutation, chosen, longest)
            finally:
                free.put(bench)

        done: SimpleQueue[Outcome | BaseException] = SimpleQueue()
        waiting = [pool.submit(partial(one, mutation)) for mutation in mutations]
        for future in waiting:
            future.add_done_callback(lambda ended: done.put(ended.exception() or ended.result()))
        try:
            for _ in waiting:
                outcome = done.get()
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            for future in waiting:
                future.cancel()
