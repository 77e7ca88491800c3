"""A plugin of pytest that writes down which lines each test runs, how long it takes and which rules it proves.

Loaded by `making`, in each worker of the run; the process that hands out the tests has nothing to measure.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from tests.checkout import ROOT
from tests.reached.belonging import UNDER_TEST, books, is_of_another
from tests.reached.contexts import AT_IMPORT, Contexts

FOLDER = "PLOTROOM_REACHED_FOLDER"
"""The environment's name for where the worker leaves what it found."""
BOOK = "PLOTROOM_REACHED_BOOK"
EVERYDAY = "PLOTROOM_REACHED_EVERYDAY"
"""Set where only tests that run every day are recorded. Pytest's own `--everyday` would hold them to their seconds,
and measuring multiplies those."""


class Recording:
    """One worker's."""

    def __init__(self, folder: Path, book: str) -> None:
        import coverage
        import hypothesis  # noqa: F401 - libraries keep functools as it is
        import pydantic  # noqa: F401

        self.folder, self.book = folder, book
        self.tests: dict[str, dict[str, Any]] = {}
        self.coverage = coverage.Coverage(
            data_file=str(folder / ".coverage"),
            data_suffix=True,
            config_file=False,
            branch=False,
            source=[str(ROOT / part) for part in UNDER_TEST],
        )
        self.coverage.start()
        self.contexts = Contexts(self.coverage.switch_context)
        self.contexts.watch_caches()
        sys.addaudithook(self.contexts.audit)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        """Leave out tests of other books and, where everyday tests alone are recorded, dear ones."""
        is_wanted = _predicate()
        known = books()
        away = [item for item in items if is_of_another(item, self.book, known) or not is_wanted(item.nodeid)]
        if away:
            gone = set(away)
            items[:] = [item for item in items if item not in gone]
            config.hook.pytest_deselected(items=away)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        """A test with its preparation is a context; it uses what its module or the run has made before."""
        rules = sorted({f"{mark.args[0]} {one}" for mark in item.iter_markers("rule") for one in mark.args[1:]})
        self.tests[item.nodeid] = {"seconds": 0.0, "passed": True, "rules": rules}
        began = time.process_time()
        try:
            with self.contexts.entered(item.nodeid):
                for fixture in _wide(item):
                    self.contexts.used(fixture)
                return (yield)
        finally:
            self.tests[item.nodeid]["seconds"] = time.process_time() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """What is made for more than one test is a context."""
        if fixturedef.scope == "function":
            return (yield)
        with self.contexts.entered(_name(fixturedef)):
            return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Whether it passed; a skipped test proves nothing."""
        test = self.tests[report.nodeid]
        test["passed"] = test["passed"] and report.passed

    def pytest_sessionfinish(self) -> None:
        """Everything into files of this worker's own."""
        self.coverage.stop()
        self.coverage.save()
        found = {
            "tests": self.tests,
            "uses": {name: sorted(used) for name, used in self.contexts.uses.items()},
            "opened": {name: sorted(paths) for name, paths in self.contexts.opened.items()},
        }
        (self.folder / f"worker-{os.getpid()}.json").write_text(json.dumps(found), encoding="utf-8")


def _predicate() -> Callable[[str], bool]:
    if EVERYDAY not in os.environ:
        return lambda node: True
    from tests.everyday.listed import is_everyday

    return is_everyday


def _name(fixture: pytest.FixtureDef[Any]) -> str:
    return f"fixture:{fixture.baseid}::{fixture.argname}"


def _wide(item: pytest.Item) -> list[str]:
    info = getattr(item, "_fixtureinfo", None)
    found = {} if info is None else info.name2fixturedefs
    return [_name(defined[-1]) for defined in found.values() if defined and defined[-1].scope != "function"]


def pytest_configure(config: pytest.Config) -> None:
    """Begin, in a worker."""
    if _RECORDING is not None:
        config.pluginmanager.register(_RECORDING, "plotroom-reached")


_RECORDING = (
    Recording(Path(os.environ[FOLDER]), os.environ[BOOK])
    if FOLDER in os.environ and "PYTEST_XDIST_WORKER" in os.environ
    else None
)
"""Made as soon as this file is imported, before anything of ours is."""

__all__ = ["AT_IMPORT", "BOOK", "EVERYDAY", "FOLDER", "Recording"]
