"""Plotroom as ``plotroom run`` runs it, and a line on standard output for every line on standard input.

The line is JSON: how many campaigns are held in memory. With ``PLOTROOM_BENCH_PROFILE`` in the environment the
process is profiled from the first such question on, and the profile written there at the end.
"""

import asyncio
import cProfile
import gc
import json
import os
import sys

from bot import logs
from bot.campaigns.loaded import LoadedCampaigns
from bot.running import run
from bot.settings import HostSettings


async def answer_questions(profile: cProfile.Profile | None) -> None:
    """Say how many campaigns are held, whenever asked."""
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while await reader.readline():
        gc.collect()
        held = sum(one.in_memory() for one in gc.get_objects() if isinstance(one, LoadedCampaigns))
        print(json.dumps({"held": held}), flush=True)
        if profile is not None:
            profile.enable()


async def main() -> None:
    """Run until SIGTERM."""
    settings = HostSettings()
    logs.setup(settings.log_level, as_json=settings.log_json)
    target = os.environ.get("PLOTROOM_BENCH_PROFILE")
    profile = cProfile.Profile() if target else None
    questions = asyncio.create_task(answer_questions(profile), name="questions")
    try:
        await run(settings)
    finally:
        questions.cancel()
        if profile is not None and target:
            profile.disable()
            profile.dump_stats(target)


if __name__ == "__main__":
    asyncio.run(main())
