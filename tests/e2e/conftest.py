"""A stage with the bot running, and the traffic of each test held against Discord's published description."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.e2e.stage import Stage, open_stage
from tests.e2e.story import STORIES, Rehearsal, find_seed

CAST = ("rita", "ann", "leo", "kai", "sam", "zoe")
"""Rita referees; ann, leo and kai command; sam watches; zoe is on the server and in no campaign."""


@pytest.fixture
def pq17() -> Rehearsal:
    """The PQ-17 story as the rules alone tell it."""
    return find_seed("pq17")


@pytest.fixture
def cutler() -> Rehearsal:
    """The Cutler story as the rules alone tell it."""
    return find_seed("cutler")


@pytest.fixture
async def stage(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """People and a running bot, with the seed of the story that the test names.

    Afterwards the bot must have stopped cleanly, logged no defect, and kept to Discord's description of its API.
    """
    story = next((name for name in STORIES if name in request.fixturenames), "pq17")
    async with open_stage(tmp_path, seed=find_seed(story).seed, names=CAST) as stage:
        await stage.start_bot()
        yield stage
        await stage.settled()
        await stage.stop_bot()
        assert stage.bad_lines() == []
        assert stage.contract_defects() == []
