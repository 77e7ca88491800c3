"""Reading a thousand files of tests quickly. Pytest finds these hooks in ``tests/conftest.py``, which imports them."""

import gc
import os
import sys
from collections.abc import Generator
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

gc.disable()
"""Until everything is collected: nearly all that is imported until then stays, and to look for garbage takes long."""

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Images of containers often set it, which suits what is started once. Here every worker of every run would rewrite
    # the assertions of all tests, which takes longer than all else that collecting does, and every bot be compiled.
    # A Python that was started with -B still writes nothing.
    sys.dont_write_bytecode = False


def reads_backwards(config: pytest.Config) -> bool:
    """Tell whether this is a worker that reads the tests from the last file to the first.

    Every other worker does. Where nothing is in ``__pycache__`` yet, two workers meet in the middle and find there what
    the other has compiled; side by side, each would compile everything. Only for one folder: files and tests that
    somebody names are few.
    """
    worker = getattr(config, "workerinput", {}).get("workerid", "gw0")
    return int(worker.removeprefix("gw")) % 2 == 1 and [Path(arg).is_dir() for arg in config.args] == [True]


def read_forwards(items: list[pytest.Item]) -> list[pytest.Item]:
    """Put tests that were read backwards in the order of the other workers: files turn round, their tests do not."""
    files = [list(tests) for _, tests in groupby(items, key=lambda item: item.path)]
    return [item for tests in reversed(files) for item in tests]


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Turn the entries of a folder round, where tests are read backwards."""
    report = yield
    if isinstance(collector, pytest.Directory) and reads_backwards(collector.config):
        report.result.reverse()
    return report


@pytest.hookimpl(specname="pytest_collection_modifyitems", tryfirst=True)
def pytest_collection_modifyitems_read_backwards(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Turn the files round again before anything looks at their order."""
    if reads_backwards(config):
        items[:] = read_forwards(items)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, Any, Any]:
    """Look for garbage again when everything is collected."""
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Leave what was imported and collected out of every later collection of garbage, as a running bot does.

    What of it is garbage stays, too: 30 MB of 350. To look for it takes as long as all the tests of a small folder.
    """
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)
