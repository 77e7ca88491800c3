"""The campaign in which nothing happened, for comparison."""

import asyncio
from typing import Any, NamedTuple

import pytest

from tests.crash.playing import play, play_from_afar


class Undisturbed(NamedTuple):
    """The outcome, and the names of the points that the bot passed."""

    outcome: dict[str, Any]
    points: list[str]


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """Played once in each process of the test run."""
    outcome, points, deaths = asyncio.run(play(tmp_path_factory.mktemp("undisturbed")))
    assert deaths == 0
    return Undisturbed(outcome, points)


@pytest.fixture(scope="session")
def undisturbed_from_afar(tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    """The outcome as the playground's own process leaves it, and the names of the points that the bot passed."""
    return Undisturbed(*asyncio.run(play_from_afar(tmp_path_factory.mktemp("undisturbed-far"))))
