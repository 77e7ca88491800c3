"""The sweep itself: a plugin of pytest that takes the place of its loop over the tests."""

import contextlib
import shutil
import signal
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.sweep import corpus
from tests.sweep.cases import Case, Drawing, Turn, cases_among, fits
from tests.sweep.children import Again, Child, Outcome
from tests.sweep.corpus import Entry
from tests.sweep.report import Count, Say, clock, repeat_line, repeating, table
from tests.sweep.seeding import examples_of

MOST_OF_A_FUNCTION = 3
"""After so many failures a function has no more turns: another seed would find the same."""
AGAIN = ("failed again", "took too long again")
"""What shows that it is the seed that fails."""
PAUSE = 0.05
INTERRUPTED = 130


@dataclass(frozen=True)
class Plan:
    """What the command was told."""

    seed: int
    seconds: int
    workers: int
    rounds: int | None
    """How many rounds are played at most."""
    longest: int
    """Seconds after which a test counts as running for ever."""
    grace: int
    """Seconds that tests may go on when the time is used."""
    only: str
    out: Path


class Failure(NamedTuple):
    """A case that failed, and the run that shows whether it does so again."""

    turn: Turn
    how: str
    words: list[str]
    variables: dict[str, str]
    out: Path
    again: Again


class Sweep:
    """The plugin."""

    def __init__(self, plan: Plan, say: Say) -> None:
        self._plan, self._say = plan, say
        self._began = time.monotonic()
        self._running: list[Child] = []
        self._checking: list[Failure] = []
        self._failures: dict[str, int] = {}
        """How many each function has had."""
        self._round = 0
        self.code: int | None = None
        """What the command ends with, once this has run."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Sweep until the time is used."""
        if session.testsfailed:
            raise session.Interrupted(f"{session.testsfailed} errors while tests were collected")
        session.config.pluginmanager.unregister(name="terminalreporter")  # from here on we report
        cases = [case for case in cases_among(session.items) if fits(self._plan.only, case.test)]
        took = time.monotonic() - self._began
        if not cases:
            self._say(f"no test that is swept has {self._plan.only!r} in its name")
            self.code = 2
        elif took > self._plan.seconds:
            self._say(f"collecting tests took {clock(took)}, which is more than the budget: give it more")
            self.code = 2
        else:
            self.code = self._swept(cases, session.config.rootpath)
        return True

    def _swept(self, cases: list[Case], root: Path) -> int:
        """Gives the exit code."""
        self._drawing = Drawing(cases, self._plan.seed)
        self._counts = {group: Count() for group in self._drawing.size}
        self._corpus = root / corpus.PLACE
        self._say(f"{len(cases)} cases in {len(self._counts)} groups, collected in {clock(self._used())}")
        base = Path(tempfile.mkdtemp(prefix="sweep-"))
        base.chmod(0o755)  # a database server that tests start runs as another user
        was_interrupted = False
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # as a cancelled job is ended
        try:
            self._play(self._drawing.turns(), base)
        except KeyboardInterrupt:
            was_interrupted = True
        finally:
            self._end_all("was interrupted" if was_interrupted else "ended with an error")
            shutil.rmtree(base, ignore_errors=True)
        self._say(table(self._counts, self._drawing.size))
        failed = sum(count.failed for count in self._counts.values())
        tried = sum(count.tried for count in self._counts.values())
        again = f"in the same order again with SEED={self._plan.seed}"
        self._say(f"{tried} tried, {failed} failed{', each with its line above' if failed else ''}; {again}")
        return 1 if failed else INTERRUPTED if was_interrupted else 0

    def _play(self, turns: Iterator[Turn], base: Path) -> None:
        end = self._began + self._plan.seconds
        number, is_over = 0, False
        while self._running or self._checking or not is_over:
            while not is_over and len(self._running) + len(self._checking) < self._plan.workers:
                turn = next(turns, None) if time.monotonic() < end else None
                if turn is None or turn.round > (self._plan.rounds or turn.round):
                    is_over = True
                    break
                number += 1
                self._begin(turn, base / str(number))
            self._poll()
            if time.monotonic() > end + self._plan.grace:
                self._end_running("had not ended when the time was used")
            time.sleep(PAUSE)

    def _begin(self, turn: Turn, folder: Path) -> None:
        if turn.round != self._round:
            self._round = turn.round
            tried, failed = (sum(getattr(one, name) for one in self._counts.values()) for name in ("tried", "failed"))
            so_far = f"{tried} tried so far, {failed} failed, {clock(self._used())} of {clock(self._plan.seconds)}"
            self._say(f"round {turn.round}, seed {turn.seed}: {so_far}")
        _, variables = repeating(turn.case, turn.seed)
        self._running.append(Child(turn, folder, self._plan.longest, variables))

    def _used(self) -> float:
        return time.monotonic() - self._began

    def _poll(self) -> None:
        for child in list(self._running):
            outcome = child.poll()
            if outcome is not None:
                self._running.remove(child)
                self._take(child, outcome)
                child.clear()
        for failure in list(self._checking):
            found = failure.again.poll()
            if found is not None:
                self._checking.remove(failure)
                self._report(failure, found)

    def _take(self, child: Child, outcome: Outcome) -> None:
        case = child.turn.case
        self._counts[case.group].add(outcome)
        if outcome.how == "skipped":
            self._drawing.leave_out(case)
        if not outcome.is_failure:
            return
        failures = self._failures[case.function] = self._failures.get(case.function, 0) + 1
        if failures == MOST_OF_A_FUNCTION:
            self._drawing.leave_out(*self._drawing.all_of(case.function))
        out = self._plan.out / f"{sum(self._failures.values())}.txt"
        with contextlib.suppress(FileNotFoundError):
            shutil.copyfile(child.out, out)
        words, variables = repeating(case, child.turn.seed)
        again = Again(words, variables, out, self._plan.longest)
        self._checking.append(Failure(child.turn, outcome.how, words, variables, out, again))

    def _report(self, failure: Failure, again: str) -> None:
        """Print the line that repeats a failure; its seed goes into the corpus if it is the seed that fails."""
        turn = failure.turn
        remarks = [failure.how, again]
        if turn.case.takes and again in AGAIN:
            examples = examples_of(turn.case.item) if turn.case.takes == "hypothesis" else None
            entry = Entry(turn.case.test, turn.seed, f"{datetime.now(UTC):%Y-%m-%d}", examples)
            if corpus.add(self._corpus, entry):
                remarks.append(f"added to {corpus.PLACE}")
        self._say(repeat_line(failure.words, failure.variables, "; ".join([*remarks, f"see {failure.out}"])))

    def _end_all(self, why: str) -> None:
        self._end_running(why)
        for failure in self._checking:
            failure.again.end()
            self._report(failure, f"not run again, for the sweep {why}")
        self._checking.clear()

    def _end_running(self, why: str) -> None:
        for child in self._running:
            self._counts[child.turn.case.group].add(child.end())
            self._say(f"{child.turn.case.with_seed(child.turn.seed)} {why}")
            child.clear()
        self._running.clear()
