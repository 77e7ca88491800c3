"""The seeds of the sweeps: which are fixed, which are drawn, and which of them a test takes."""

import os

import pytest

QUICK = tuple(range(1, 5))
DAILY = 2
"""How many of them are taken while somebody waits."""
FULL = 5_000
FEWER = 5
"""A sweep whose time goes elsewhere than into the engine takes one seed of so many."""

VARIABLE = "PLOTROOM_SWEEP_SEEDS"
"""The environment's name for drawn seeds, with commas between them."""
_WORDS = [word.strip() for word in os.environ.get(VARIABLE, "").split(",") if word.strip()]
DRAWN = tuple(int(word) for word in _WORDS if word.isascii() and word.isdecimal())
"""Seeds that continuous integration draws new each time."""
IS_FULL = os.environ.get("PLOTROOM_SWEEP") == "full"
IS_THOROUGH = IS_FULL or bool(DRAWN)
"""Whether time matters less than finding what is wrong: in continuous integration, and in a full sweep."""


def refuse_what_is_not_a_seed() -> None:
    """End the run with a line that says what drawn seeds look like, if the environment has something else."""
    if len(DRAWN) < len(_WORDS):
        given = os.environ[VARIABLE]
        raise pytest.UsageError(f"{VARIABLE} takes whole numbers with commas between them, as 7,525047080: not {given}")


def sweep_seeds() -> tuple[int, ...]:
    """Two fixed seeds every day, four and the drawn ones where seeds are drawn; five thousand in a full sweep."""
    if IS_FULL:
        return tuple(range(1, FULL + 1))
    return tuple(dict.fromkeys((*QUICK, *DRAWN))) if IS_THOROUGH else QUICK[:DAILY]


def lesser_seeds() -> tuple[int, ...]:
    """The fixed seeds, or a full sweep's, and a fifth of the drawn ones."""
    if IS_FULL or not IS_THOROUGH:
        return sweep_seeds()
    return tuple(dict.fromkeys((*QUICK, *DRAWN[: -(-len(DRAWN) // FEWER)])))


def fewer_seeds() -> tuple[int, ...]:
    """One fixed seed and a fifth of the drawn ones, or a fifth of a full sweep's."""
    if IS_FULL:
        return tuple(range(1, FULL // FEWER + 1))
    return tuple(dict.fromkeys((*QUICK[:1], *DRAWN[: -(-len(DRAWN) // FEWER)])))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test once for each seed that it takes: all (``sweep_seed``), or some (``lesser_seed``, ``fewer_seed``)."""
    for name, seeds in (("sweep_seed", sweep_seeds), ("lesser_seed", lesser_seeds), ("fewer_seed", fewer_seeds)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, seeds())


def is_for_another_day(item: pytest.Item) -> bool:
    """Whether a test is marked ``thorough`` and no seeds are drawn; one that failed once is run all the same."""
    if IS_THOROUGH or item.get_closest_marker("thorough") is None:
        return False
    return item.get_closest_marker("failed_once") is None
