"""The campaign played on a stage of its own: the bot is killed at a point, or stands still there, for a while or until
the playground was killed."""

import asyncio
import contextlib
import os
import signal
from contextlib import AsyncExitStack
from pathlib import Path

from tests.crash.campaign import PEOPLE, Campaign, Json
from tests.crash.far_stage import FarStage, open_far_stage
from tests.databases import DEFAULT
from tests.e2e.stage import Stage, open_stage
from tests.e2e.story import find_seed
from tests.forked import Command
from tests.patience import PATIENCE

LONGEST = 10 * PATIENCE
"""Seconds after which a campaign has come to a standstill; on a busy machine one takes about fifteen."""

LOOKED_AGAIN = 0.05
"""Seconds after which it is looked again whether a process stands still, which tells nobody."""


async def standing_still(stage: Stage) -> Command:
    """The bot's process, as soon as it stands still, which it does at a point and tells nobody."""
    while True:
        process = stage.process
        if process is not None and process.returncode is None:
            with contextlib.suppress(OSError):  # it has just ended
                status = await asyncio.to_thread(Path(f"/proc/{process.pid}/stat").read_text)
                if status.rpartition(")")[2].split()[0] == "T":
                    return process
        await asyncio.sleep(LOOKED_AGAIN)


async def waking(stage: Stage) -> None:
    """Wake the bot's process whenever it stands still, after longer than Discord waits for an answer."""
    while True:
        process = await standing_still(stage)
        stage.server.clock.advance(stage.server.config.first_answer_within + 1)
        os.kill(process.pid, signal.SIGCONT)


async def failing(stage: FarStage, *, both: bool) -> None:
    """Kill the playground while the bot stands still at a point, and start it again; kill the bot, too, if ``both``, or
    else wake it."""
    process = await standing_still(stage)
    if both:
        process.kill()
    await stage.kill_playground()
    if not both:
        os.kill(process.pid, signal.SIGCONT)


async def play(
    folder: Path, *, kill_at: str = "", database: str = DEFAULT, stop: bool = False
) -> tuple[Json, list[str], int]:
    """Play the campaign, the bot dying at the point ``kill_at`` (none: never), or with ``stop`` standing still there,
    on that kind of database.

    Returns:
        The outcome, the points passed in the first life, and how often the bot died.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    story = find_seed("pq17")
    log = folder / "points.log"
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(open_stage(folder, seed=story.seed, names=PEOPLE, database=database))
        campaign = Campaign(stage, story)
        waker = asyncio.create_task(waking(stage)) if stop else None
        if waker is not None:
            stack.callback(waker.cancel)
        by = "stop" if stop else "kill"
        await stage.start_bot(PLOTROOM_KILL_AT=kill_at, PLOTROOM_KILL_LOG=str(log), PLOTROOM_KILL_BY=by)
        async with asyncio.timeout(LONGEST):
            await campaign.script()
            await campaign.end()
        points = log.read_text().splitlines()
        assert stage.bad_lines() == []
        return campaign.outcome(), points, campaign.deaths


async def play_from_afar(folder: Path, *, fail_at: str = "", both: bool = False) -> tuple[Json, list[str]]:
    """Play the campaign with the playground in a process of its own, which is killed while the bot is at the point
    ``fail_at`` (none: never), with the bot at the same moment if ``both``.

    Returns:
        The outcome, and the points passed in the bot's first life until it is stopped.
    """
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    story = find_seed("pq17")
    log = folder / "points.log"
    async with AsyncExitStack() as stack:
        stage = await stack.enter_async_context(open_far_stage(folder, seed=story.seed, names=PEOPLE))
        campaign = Campaign(stage, story)
        failure = asyncio.create_task(failing(stage, both=both))
        stack.callback(failure.cancel)
        await stage.start_bot(PLOTROOM_KILL_AT=fail_at, PLOTROOM_KILL_LOG=str(log), PLOTROOM_KILL_BY="stop")
        async with asyncio.timeout(LONGEST):
            await campaign.script()
            passed = log.read_text().splitlines()
            if fail_at in passed:
                await failure
                await stage.people_back()
            await campaign.end()
        assert stage.bad_lines() == []
        return await campaign.outcome_from_afar(), passed
