"""The bot's process on PostgreSQL: what its host sees of the lock on the database."""

import asyncio
from pathlib import Path

from bot.running import ExitCode
from tests.bot.store.contention import taken_over
from tests.databases import POSTGRESQL, cluster
from tests.e2e.people import said
from tests.e2e.stage import open_stage
from tests.patience import PATIENCE


async def test_a_bot_whose_database_was_taken_over_stops_and_the_next_one_goes_on(tmp_path: Path) -> None:
    cluster()  # skips where there is none
    async with open_stage(tmp_path, seed=bytes(32), names=("rita",), database=POSTGRESQL) as stage:
        await stage.start_bot()
        assert stage.process is not None
        await stage.rita.does("campaign create", title="Lantern Gap", scenario="pq17/intro")
        await stage.settled()

        other = await taken_over(stage.database)
        # It finds out when it writes next: at its next sign of life, or because somebody wants something.
        pressing = asyncio.create_task(stage.rita.does("quiet hours", start=22, end=6))
        assert await asyncio.wait_for(stage.process.wait(), PATIENCE) == ExitCode.DATABASE
        assert "Another Plotroom has taken this database over; this one stops." in " ".join(stage.log().split())
        await asyncio.gather(pressing, return_exceptions=True)
        await other.close()

        await stage.start_bot()
        assert "You command **Alliance**" in said(await stage.rita.does("campaign join", side="alliance"))
        await stage.settled()
        await stage.stop_bot()
        assert stage.rows("select side from member") == [("alliance",)]
