"""A plugin of pytest that runs what `choosing` wants, in its order, and begins no test when its time is used up."""

import json
import os
import time
from pathlib import Path, PurePosixPath
from typing import Any

import pytest

from tests.everyday.limit import spent
from tests.everyday.listed import is_everyday
from tests.reached.belonging import is_of_another

PLAN = "PLOTROOM_CHANGED_PLAN"
"""The environment's name for the file with what is wanted."""


CLOCK = 2
"""How many times its processor time a run may take by the clock, where others use the processors, or tests wait."""


class Picking:
    """Keep the wanted tests of those that were collected."""

    def __init__(self, wants: list[str], changed: int, only: dict[str, list[str]], known: list[str], budget: float):
        self._rank = {name: number for number, name in reversed(list(enumerate(wants)))}
        self._changed, self._only, self._known, self._budget = changed, only, known, budget
        self._began, self._late = 0.0, 0.0
        self.late = 0
        self.dear = 0

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Keep what is wanted, file by file in the order of the wants, and dear tests that changed at the end."""
        ranks = {item: rank for item in items if (rank := self._rank_of(item)) is not None}
        files: dict[tuple[bool, Path], int] = {}
        for item, rank in ranks.items():
            place = self._is_dear(item), item.path
            files[place] = min(rank, files.get(place, rank))
        kept = sorted(ranks, key=lambda item: (self._is_dear(item), files[self._is_dear(item), item.path]))
        config.hook.pytest_deselected(items=[item for item in items if item not in ranks])
        items[:] = kept

    def _rank_of(self, item: pytest.Item) -> int | None:
        if item.nodeid in self._rank:
            return self._rank[item.nodeid]
        file = PurePosixPath(item.nodeid.partition("::")[0])
        if str(file) in self._only and all(is_of_another(item, book, self._known) for book in self._only[str(file)]):
            return None
        name = getattr(item, "originalname", item.name)
        keys = [f"{file}::{name}", str(file), f"{file.parent}/", *(f"{folder}/**" for folder in file.parents)]
        rank = min((self._rank[key] for key in keys if key in self._rank), default=None)
        if rank is not None and rank >= self._changed and self._is_dear(item):
            self.dear += 1
            return None
        return rank

    def _is_dear(self, item: pytest.Item) -> bool:
        return item.nodeid not in self._rank and not is_everyday(item.nodeid)

    def pytest_runtestloop(self) -> None:
        """Begin to count."""
        self._began, self._late = spent(), time.monotonic() + CLOCK * self._budget

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        """Pass over a test that would begin too late."""
        if spent() - self._began < self._budget and time.monotonic() < self._late:
            return None
        self.late += 1
        return True

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say how many tests were left out, and why."""
        if self.late:
            terminalreporter.write_line(
                f"Left out, since {self._budget:g} s are used up: {self.late}. "
                f"BUDGET={2 * self._budget:g}s takes more of them."
            )
        if self.dear:
            terminalreporter.write_line(f"Left out, since dear tests do not run every day: {self.dear}.")


def pytest_configure(config: pytest.Config) -> None:
    """Take part, if there is a plan."""
    if PLAN in os.environ:
        plan: dict[str, Any] = json.loads(Path(os.environ[PLAN]).read_text(encoding="utf-8"))
        config.pluginmanager.register(Picking(**plan), "plotroom-changed")
