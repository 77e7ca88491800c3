"""A plugin of pytest for `--everyday`: run the everyday set alone, and fail if one of its tests has become dear.

A test may take two seconds of processor time, its preparation and its child processes included. Processors differ, so
seconds are those of the machine that the limit was set on: a fixed piece of work tells how much slower this one is.
A test that is over the limit is run twice more, and only its quickest run counts. So neither a busy machine nor what
the first test of a module has to prepare fails a run. Daily cases may take longer, and so may a seed that failed once,
since it is run every day whatever its test costs.
"""

import os
import time
from collections.abc import Generator
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from tests.everyday.listed import lists

LIMIT = 2.0
"""Seconds of processor time that an everyday test may take on the machine below."""
REFERENCE = 0.018
"""Seconds that `fixed_work` takes on that machine."""
AGAIN = 2
"""How often a test over the limit is run again before it counts as dear."""


def fixed_work() -> float:
    """Give the processor time of a fixed piece of work in Python: the least of five runs."""
    found: list[float] = []
    for _ in range(5):
        began = time.process_time()
        table: dict[int, str] = {}
        for number in range(120_000):
            table[number % 997] = str(number)
        assert len(table) == 997
        found.append(time.process_time() - began)
    return min(found)


def spent() -> float:
    """Give the processor time of this process and of its ended children, in seconds."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Everyday:
    """Leave dear tests out, and measure the others."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.slower: float | None = None
        self.dear: dict[str, float] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep the everyday set."""
        listed = lists()
        left = [item for item in items if not listed.is_everyday(item.nodeid)]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if listed.is_everyday(item.nodeid)]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, Any, Any]:
        """Measure a test; one that is over the limit is run again."""
        before = spent()
        result = yield
        took = spent() - before
        kept = lists().is_daily(item.nodeid) or item.get_closest_marker("failed_once") is not None
        if took > self.limit and not kept:
            least = min(took, *(self._again(item, nextitem) for _ in range(AGAIN)))
            if least > self.limit * self._slower():
                self.dear[item.nodeid] = least / self._slower()
        return result

    def _again(self, item: pytest.Item, nextitem: pytest.Item | None) -> float:
        before = spent()
        runtestprotocol(item, log=False, nextitem=nextitem)
        return spent() - before

    def _slower(self) -> float:
        if self.slower is None:
            self.slower = max(1.0, fixed_work() / REFERENCE)
        return self.slower

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Hand what was found to the process that says it, and fail the run."""
        output: dict[str, Any] | None = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["dear"] = self.dear
        elif self.dear and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Take over what a worker found."""
        self.dear |= getattr(node, "workeroutput", {}).get("dear", {})

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say which tests have become dear, and what to do."""
        for node, seconds in sorted(self.dear.items()):
            terminalreporter.write_line(
                f"too dear for every day: {node} takes {seconds:.1f} s of processor time, {self.limit:g} are allowed. "
                f"Make it quicker, or list it in tests/everyday/dear.txt.",
                red=True,
            )


def add_options(parser: pytest.Parser) -> None:
    """Let the everyday set be asked for."""
    parser.addoption("--everyday", action="store_true", help="run the everyday set alone, and hold it to its limit")
    parser.addoption("--dear", action="store_true", help="run what the everyday set leaves out, alone")


def start(config: pytest.Config) -> None:
    """Take part in the run, where the everyday set or its rest is asked for."""
    if config.getoption("everyday", False) and config.getoption("dear", False):
        raise pytest.UsageError("--everyday and --dear are each other's rest: give one of them")
    if config.getoption("everyday", False):
        config.pluginmanager.register(Everyday(LIMIT), "plotroom-everyday")
    elif config.getoption("dear", False):
        config.pluginmanager.register(Dear(), "plotroom-dear")


class Dear:
    """Leave everyday tests out."""

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep what the everyday set leaves out."""
        left = [item for item in items if lists().is_everyday(item.nodeid)]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if not lists().is_everyday(item.nodeid)]
