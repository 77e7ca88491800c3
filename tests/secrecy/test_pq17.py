"""PQ-17: two worlds that differ in what the Alliance (or the Coalition) was never told look alike to it."""

import re
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.secrecy.quiet import WATCHERS_COLUMNS, by_default, differently, keeping_to
from tests.secrecy.theatre import Record, World, alike, watch

WEST = keeping_to(WATCHERS_COLUMNS)
EAST = keeping_to(range(5, 10))
GUESSES = ("C2", "Shade", "E1")
"""A true id and a true name of the enemy's, and a contact that nobody holds."""

APART = World(
    "pq17/intro",
    ("alliance", "coalition"),
    policies={"alliance": WEST, "coalition": EAST},
)
"""The sides never share a hex."""

few = settings(
    max_examples=4,
    phases=(Phase.explicit, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@cache
def seen(seed: int) -> Record:
    """The plain world, played once for all comparisons."""
    return watch(APART.but(seed=seed), guesses=GUESSES)


def compare(world: World) -> None:
    """Against the plain world of the same seed."""
    alike(seen(world.seed), watch(world, guesses=GUESSES))


@few
@given(salt=st.integers(0, 10**6))
def test_orders_of_forces_that_are_never_met_are_unseen(salt: int) -> None:
    # Routes, postures, speeds, names and the grouping of ships: all of it is planned in secret (SOP 2.a), and a force
    # is detected in a shared hex only (6.3.1).
    other = {"alliance": WEST, "coalition": differently(EAST, salt)}
    compare(APART.but(policies=other))
