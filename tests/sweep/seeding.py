"""Put a seed into a collected test: into its parameter, or into Hypothesis for as long as it runs."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, cast

import hypothesis
import pytest
from _pytest.python import CallSpec
from hypothesis.internal.conjecture import providers

LEFT_TO_OTHERS = ("thorough", "slow")
"""Marks that leave a test out of everyday runs."""


class Seeded(NamedTuple):
    """What Hypothesis is to draw from, and how many examples; None for as many as the test says."""

    seed: int
    examples: int | None = None


SEEDED = pytest.StashKey[Seeded]()
"""A test, or the class above it, that has this draws from that seed."""


def taken_seeds(item: pytest.Item) -> dict[str, int]:
    """The parameters that are seeds: whole numbers whose names end with ``seed``."""
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return {name: value for name, value in parameters.items() if name.endswith("seed") and type(value) is int}


def without_seed(identifier: str, seed: int, word: str) -> str:
    """A test's id with a word where its last number of that value stands in brackets."""
    before, bracket, parameters = identifier.partition("[")
    found = list(re.finditer(rf"(?<!\d){seed}(?!\d)", parameters))
    if not found:
        return identifier
    start, end = found[-1].span()
    return f"{before}{bracket}{parameters[:start]}{word}{parameters[end:]}"


def with_seed(item: pytest.Function, old: int, seed: int, parameters: str) -> pytest.Function:
    """The same test with another seed, and with these words in its brackets; run every day."""
    takes = {name for name, value in taken_seeds(item).items() if value == old}
    values = {name: seed if name in takes else value for name, value in item.callspec.params.items()}
    again = type(item).from_parent(
        item.parent,
        name=f"{item.originalname}[{parameters}]",
        callspec=replace(item.callspec, params=values, _idlist=(parameters,)),
        fixtureinfo=item._fixtureinfo,
        keywords={parameters: True},
        originalname=item.originalname,
    )
    return _every_day(again, item)


def beside(item: pytest.Function, name: str, parameters: str, seeded: Seeded) -> pytest.Function:
    """The same test of Hypothesis's with a seed of its own; run every day."""
    given = item.callspec if hasattr(item, "callspec") else CallSpec()
    again = type(item).from_parent(
        item.parent,
        name=name,
        callspec=replace(given, _idlist=(parameters,)),
        fixtureinfo=item._fixtureinfo,
        keywords={parameters: True},
        originalname=item.originalname,
    )
    again.stash[SEEDED] = seeded
    return _every_day(again, item)


def _every_day(again: pytest.Function, item: pytest.Function) -> pytest.Function:
    """Give it the marks of the test that it is made from, those that plugins added included."""
    again.own_markers[:] = [mark for mark in item.own_markers if mark.name not in LEFT_TO_OTHERS]
    return again


# --- Hypothesis -------------------------------------------------------------------------------------------------------


def is_drawn_by_hypothesis(item: pytest.Item) -> bool:
    """Whether Hypothesis gives this test its values."""
    return isinstance(item, pytest.Function) and getattr(item.function, "is_hypothesis_test", False)


def machine_of(item: pytest.Item) -> Any:
    """The state machine that a test runs; None if it runs none."""
    return (
        getattr(item.function, "_hypothesis_state_machine_class", None) if isinstance(item, pytest.Function) else None
    )


def _settings_of(item: pytest.Function) -> tuple[Any, str]:
    """What has the settings of a test of Hypothesis's, and under which name."""
    machine = machine_of(item)
    return (item.function, "_hypothesis_internal_use_settings") if machine is None else (machine.TestCase, "settings")


def examples_of(item: pytest.Function) -> int:
    """How many examples are drawn at most."""
    return getattr(*_settings_of(item)).max_examples


@contextmanager
def drawn_from(item: pytest.Function, seeded: Seeded) -> Generator[None, None, None]:
    """Have Hypothesis draw this test's values from the seed, and from nothing else."""
    holder, name = _settings_of(item)
    before = getattr(holder, name)
    examples = before.max_examples if seeded.examples is None else seeded.examples
    seed_of = hypothesis.seed(cast("Any", seeded.seed))
    seed_of(machine_of(item) or item.function)
    setattr(holder, name, hypothesis.settings(before, max_examples=examples, derandomize=False, database=None))
    try:
        with same_values():
            yield
    finally:
        setattr(holder, name, before)
        hypothesis.seed(cast("Any", None))(machine_of(item) or item.function)


@contextmanager
def same_values() -> Generator[None, None, None]:
    """Draw no numbers that stand in the product's source: which of them Hypothesis knows depends on what is imported,
    so that a seed would draw other values where a test is run by itself, or after any change."""
    before = providers._get_local_constants
    providers._get_local_constants = providers.Constants
    providers.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        providers._get_local_constants = before
        providers.CONSTANTS_CACHE.cache.clear()
