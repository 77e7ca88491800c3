"""A plugin of pytest that records the processor time of each test, for the list of dear ones.

`make durations` runs the fixed tests with it and writes the list anew. What each process measured is left in a file of
its own in the folder that the environment names.
"""

import json
import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.everyday.limit import spent

FOLDER = "PLOTROOM_DURATIONS"
"""The environment's name for the folder into which durations are written."""
_seconds: dict[str, float] = {}


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, Any, Any]:
    """Measure a test with its preparation, and the child processes that it waits for."""
    before = spent()
    result = yield
    _seconds[item.nodeid] = round(spent() - before, 3)
    return result


def pytest_sessionfinish() -> None:
    """Write down what this process measured."""
    folder = Path(os.environ[FOLDER])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{os.getpid()}.json").write_text(json.dumps(_seconds), encoding="utf-8")
