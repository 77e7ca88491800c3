"""A plugin of pytest: each seed of the corpus is an everyday case; Hypothesis draws the same from a seed anywhere."""

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import settings

from tests.sweep import corpus
from tests.sweep.corpus import SEED, Entry
from tests.sweep.seeding import SEEDED, Seeded, beside, drawn_from, same_values, taken_seeds, with_seed

_ENTRIES = pytest.StashKey[dict[str, list[Entry]]]()


def pytest_configure(config: pytest.Config) -> None:
    """Read the corpus; where ``--hypothesis-seed`` is given, draw from it and from nothing else."""
    config.addinivalue_line("markers", "failed_once: a seed of tests/sweep/corpus.toml; run every day")
    entries: dict[str, list[Entry]] = {}
    try:
        for entry in corpus.read(config.rootpath / corpus.PLACE):
            entries.setdefault(entry.function, []).append(entry)
    except corpus.CorpusError as error:
        raise pytest.UsageError(str(error)) from error
    config.stash[_ENTRIES] = entries
    if config.getoption("--hypothesis-seed", None) is not None:
        settings.register_profile("seeded", parent=settings(), derandomize=False, database=None)
        settings.load_profile("seeded")
        always = ExitStack()
        always.enter_context(same_values())
        config.add_cleanup(always.close)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_pycollect_makeitem(collector: pytest.Collector, name: str) -> Generator[None, Any, Any]:
    """Put the cases that the corpus keeps of a test beside those that it has anyway."""
    made = yield
    entries = collector.config.stash[_ENTRIES].get(f"{collector.nodeid}::{name}", ())
    if not entries or made is None:
        return made
    nodes: list[Any] = list(made) if isinstance(made, list) else [made]
    there = {node.name for node in nodes}
    for entry in entries:
        again = None if entry.name in there else next(filter(None, (_again(node, entry) for node in nodes)), None)
        if again is not None:
            again.add_marker("failed_once")
            nodes.append(again)
            there.add(again.name)
    return nodes


def _again(node: Any, entry: Entry) -> Any:
    """The entry's case, if this node is the test that it belongs to."""
    seeded = Seeded(entry.seed, entry.examples)
    if entry.test.endswith("::runTest"):
        if not isinstance(node, pytest.Class):
            return None
        again = type(node).from_parent(node.parent, name=entry.name)
        again.obj = node.obj
        again.stash[SEEDED] = seeded
        return again
    if not isinstance(node, pytest.Function):
        return None
    words = node.name.partition("[")[2].removesuffix("]")
    parameters = entry.name.partition("[")[2].removesuffix("]")
    if SEED not in entry.parameters:
        return beside(node, entry.name, parameters, seeded) if words == entry.parameters else None
    for value in taken_seeds(node).values():
        if entry.parameters.replace(SEED, str(value)) == words:
            return with_seed(node, value, entry.seed, parameters)
    return None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Draw from the seed that a case of Hypothesis's is swept or failed once with."""
    seeded = next((node.stash[SEEDED] for node in reversed(item.listchain()) if SEEDED in node.stash), None)
    if seeded is None or not isinstance(item, pytest.Function):
        return (yield)
    with drawn_from(item, seeded):
        return (yield)
