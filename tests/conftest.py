"""What all tests share: Hypothesis without a stopwatch, and the seeds of the sweeps."""

from tests.collecting.hooks import (
    pytest_collection,
    pytest_collection_finish,
)

# isort: split
# The import above comes first: it lets Python keep the bytecode of all that is imported from here on.
import os
from collections.abc import Generator
from typing import Any

import pytest
from hypothesis import settings

from bot.store import sqlite
from rules_engine.core.tactics import describing
from tests import compiled_statements
from tests.databases import HURRIED
from tests.everyday import limit as everyday
from tests.everyday.listed import is_nightly
from tests.expected import kept as kept_texts
from tests.expected.kept import PASSED, Expected, kept
from tests.open_connections import pytest_runtest_teardown
from tests.secrecy.kinds import watching
from tests.seeds import (
    IS_THOROUGH,
    is_for_another_day,
    pytest_generate_tests,
    refuse_what_is_not_a_seed,
    sweep_seeds,
)
from tests.sweep import failed_once

__all__ = [
    "compiled_statements",
    "kept",
    "pytest_collection",
    "pytest_collection_finish",
    "pytest_generate_tests",
    "pytest_runtest_teardown",
]
"""A fixture for every test, and hooks, which pytest finds here, and what does its work by being imported."""

os.environ.setdefault("PLOTROOM_SIGNS", "false")
"""A test that is about signs has the bot upload them; elsewhere words stand alone, as they must be able to."""

sqlite._DURABLE = HURRIED
"""A test of how durable it is sets it back to what ships."""

describing._GUARDED = False
"""A defect in what a book says of a battle halts nobody's campaign; here it is to be seen."""

settings.register_profile("house", deadline=None, derandomize=not IS_THOROUGH, max_examples=100 if IS_THOROUGH else 30)
settings.load_profile("house")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark as ``thorough`` what a list leaves to sweeps, but for proofs, which `make rules` counts."""
    if is_nightly(item.nodeid) and not item.get_closest_marker("rule"):
        item.add_marker("thorough")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave what is marked ``thorough`` to continuous integration and to full sweeps."""
    left = dict.fromkeys(item for item in items if is_for_another_day(item))
    if left:
        config.hook.pytest_deselected(items=list(left))
        items[:] = [item for item in items if item not in left]


def pytest_report_header() -> str:
    """Say which seeds are swept, so that a failure can be repeated."""
    return f"sweep seeds: {', '.join(map(str, sweep_seeds()[:12]))}{' …' if len(sweep_seeds()) > 12 else ''}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that says which kinds of reports and asks it compares in two worlds must have them come up."""
    claims = list(item.iter_markers("unseen"))
    if not claims:
        result = yield
        item.stash[PASSED] = True
        return result
    with watching() as seen:
        result = yield
    for claim in claims:
        missing = [f"report {kind}" for kind in claim.kwargs.get("reports", ()) if kind not in seen.reports]
        missing += [f"ask {kind}" for kind in claim.kwargs.get("asks", ()) if kind not in seen.asks]
        missing += [f"picture of {kind}" for kind in claim.kwargs.get("pictures", ()) if kind not in seen.pictures]
        assert not missing, f"never came up: {', '.join(missing)}"
    item.stash[PASSED] = True
    return result


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let expected texts be written, and the everyday set be run alone."""
    kept_texts.add_option(parser)
    everyday.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Refuse drawn seeds that are not numbers, play what failed once, and take up what the options ask for."""
    refuse_what_is_not_a_seed()
    config.pluginmanager.register(failed_once, "plotroom-failed-once")
    kept_texts.start(config)
    everyday.start(config)


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Show how lines differ from the kept ones."""
    return right.difference(left) if op == "==" and isinstance(right, Expected) else None
