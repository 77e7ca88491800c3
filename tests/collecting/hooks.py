"""Reading a thousand files of tests quickly. Pytest finds these hooks in ``tests/conftest.py``, which imports them."""

import gc
import os
import sys
from collections.abc import Generator
from typing import Any

import pytest

gc.disable()
"""Until everything is collected: nearly all that is imported until then stays, and to look for garbage takes long."""

if os.environ.pop("PYTHONDONTWRITEBYTECODE", None):
    # Images of containers often set it, which suits what is started once. Here every worker of every run would rewrite
    # the assertions of all tests, which takes longer than all else that collecting does, and every bot be compiled.
    # A Python that was started with -B still writes nothing.
    sys.dont_write_bytecode = False

from tests.collecting.rewriting import rewrite_share  # noqa: E402


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, Any, Any]:
    """Share what there is to rewrite with other workers, and look for garbage again when everything is collected."""
    rewrite_share(session.config)
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
