"""Fifty thousand random worlds, three turns each: nothing raises but refusals of answers, and what must hold holds
after every step.

A world is known by its number. Each seed of a sweep is ten of them: ten seeds in everyday testing, five thousand in
``PLOTROOM_SWEEP=full``, and those of ``PLOTROOM_SWEEP_SEEDS``; a failure names the world's number.
"""

from collections import Counter

import pytest

from tests.rulebooks.pq17.random_worlds import checks, generator

WORLDS_A_SEED = 10
SAMPLE = range(1, 161)
"""Worlds among which everything must have happened that the sweep is about."""


def worlds_of(seed: int) -> range:
    """The numbers of a seed's worlds."""
    return range(seed * WORLDS_A_SEED, (seed + 1) * WORLDS_A_SEED)


def played(number: int) -> checks.WorldPlay:
    """A world, played to the end of its third turn."""
    try:
        return checks.WorldPlay(number).run()
    except Exception as error:
        raise AssertionError(f"world {number}: {error}") from error


def test_the_same_number_is_the_same_world_and_it_is_possible():
    for number in range(30, 34):
        assert generator.BOOK.defects(generator.world(number)) == []
        assert generator.world(number) == generator.world(number)


def test_the_numbers_that_a_drawn_seed_has_are_worlds_of_their_own():
    """A seed drawn for a sweep is any number below ten to the ninth."""
    last = worlds_of(10**9 - 1)[-1]
    assert checks.WorldPlay(last).key != checks.WorldPlay(last % 2**32).key


def test_ten_random_worlds_raise_nothing_and_keep_the_invariants(sweep_seed: int):
    print(f"seed {sweep_seed}: worlds {worlds_of(sweep_seed)}")  # pytest shows it beside a failure
    happened: Counter[str] = Counter()
    for number in worlds_of(sweep_seed):
        happened.update(played(number).happened)
    assert happened["battle"], "nobody fought in any of them"


@pytest.mark.slow
def test_a_sample_of_worlds_sees_everything_that_the_sweep_is_about():
    happened: Counter[str] = Counter()
    for number in SAMPLE:
        happened.update(played(number).happened)
    print(happened)
    missing = [what for what in checks.MUST_HAPPEN if not happened[what]]
    assert not missing, f"never happened in {len(SAMPLE)} worlds: {', '.join(missing)}"
