"""A connection that stands and brings nothing: no turn closes over the heads of people who cannot be heard."""

import asyncio

from tests.e2e.stage import LOOKED_AGAIN, Stage
from tests.patience import PATIENCE

HOURS = 25
"""Longer than a turn's sheets are open."""


async def logged(stage: Stage, words: str) -> None:
    """Wait until the bot logs these words."""
    async with asyncio.timeout(PATIENCE):
        while words not in stage.log():  # noqa: ASYNC110  a log announces nothing
            await asyncio.sleep(LOOKED_AGAIN)


async def closed(stage: Stage) -> None:
    """Wait until a turn's sheets have closed."""
    async with asyncio.timeout(PATIENCE):
        while "closed" not in stage.journal():  # noqa: ASYNC110  a database announces nothing
            await asyncio.sleep(LOOKED_AGAIN)


async def test_a_deadline_waits_and_gives_the_time_back_when_the_gateway_was_deaf(stage: Stage) -> None:
    await stage.rita.does("campaign create", title="Storm", scenario="pq17/intro")
    await stage.ann.does("campaign join", side="alliance")
    await stage.leo.does("campaign join", side="coalition")
    await stage.rita.does("campaign start")
    for who in (stage.ann, stage.leo):
        await who.sheet("Planning")
    await stage.settled()
    await stage.fault("deafen_gateway")
    await stage.time_passes(hours=HOURS)
    await logged(stage, "deadline held: nobody can be heard")
    assert "closed" not in stage.journal()

    # The next session hears; everybody has the time that they had when they were heard last.
    await stage.fault("drop_gateway", resumable=False)
    await logged(stage, "deadlines moved by time not heard")
    await stage.settled()
    assert "closed" not in stage.journal()
    await stage.time_passes(hours=HOURS)
    await closed(stage)
    assert stage.bad_lines() == []
