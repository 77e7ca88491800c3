"""A plugin of pytest that notes which rules' functions each test runs: ``pytest -p tests.rules.noting``.

It is loaded before any rulebook is imported, and gives each function that is marked with a rule a wrapper that notes
it. What each process of tests noted is kept in a file of `tests.rules.reached.FOLDER`.
"""

import functools
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rules_engine.core.basics import rules
from tests.checkout import ROOT
from tests.rules.reached import FOLDER, Notes, Ran, running

_notes = Notes()
_of_fixtures: dict[int, set[Ran]] = {}
_plain = rules.rule


def _noting(*ids: str) -> Callable[[rules.Function], rules.Function]:
    """`rules.rule`, with a wrapper about the function. A generator runs only when something is taken from it."""
    mark = _plain(*ids)

    def marked(function: rules.Function) -> Any:
        file = function.__module__.removeprefix("rules_engine.rulebooks.").replace(".", "/")
        named = Ran(frozenset((rules.book_of(function), one) for one in ids), f"{file}.py:{function.__name__}")

        @functools.wraps(mark(function))
        def noted(*words: Any, **named_words: Any) -> Any:
            if running:
                running[-1].add(named)
            return function(*words, **named_words)

        @functools.wraps(function)
        def noted_steps(*words: Any, **named_words: Any) -> Any:
            if running:
                running[-1].add(named)
            return (yield from function(*words, **named_words))

        return noted_steps if inspect.isgeneratorfunction(function) else noted

    return marked


rules.rule = _noting


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
    """What a fixture runs counts for every test that takes it."""
    running.append(set[Ran]())
    try:
        return (yield)
    finally:
        _of_fixtures[id(fixturedef)] = running.pop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Note what a marked test runs."""
    headless = item.get_closest_marker("headless") is not None
    if not isinstance(item, pytest.Function) or not (headless or any(item.iter_markers("rule"))):
        return (yield)
    running.append(set[Ran]())
    try:
        return (yield)
    finally:
        ran = running.pop()
        fixtures = item._fixtureinfo.name2fixturedefs  # the only way from a test to its fixtures
        for fixture in (one for name in item.fixturenames for one in fixtures.get(name, ())):
            ran |= _of_fixtures.get(id(fixture), set())
        found = {rule for one in ran for rule in one.rules}
        path = item.path.relative_to(ROOT / "tests")
        for name in {item.originalname, item.cls.__name__ if item.cls else item.originalname}:
            _notes.tests.setdefault(f"{path}::{name}", set()).update(found)
        if headless:
            _notes.headless.update(found)
            _notes.played.update(one.function for one in ran)


def pytest_sessionfinish() -> None:
    """Keep what this process noted."""
    _notes.write(FOLDER / f"{os.getpid()}.json")
