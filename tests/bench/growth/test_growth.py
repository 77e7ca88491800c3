"""What the growth part stands on: copies that are campaigns like any other, and a watch that sees the loop held."""

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.bench.growth.alone import begin, fall, services_on
from tests.bench.growth.campaigns import FIRST_SERVER, PER_SERVER, multiply
from tests.bench.growth.loop_watch import LoopWatch

OWN_SERVER = FIRST_SERVER - 1
PLACE = 1_574_102_098_293_817_344
SIZE, FALLING = 10, 6


@pytest.fixture
async def database(tmp_path: Path) -> Path:
    """A campaign under way, with a channel and with messages in which its prompts stand."""
    path = tmp_path / "plotroom.db"
    async with services_on(f"sqlite+aiosqlite:///{path}") as services:
        made = await begin(services, OWN_SERVER)
        side = (await services.seats.seats.by_side(await services.campaigns.info(made)))["alliance"]
        prompts = await services.orders.prompts.open_prompts(made, side[0])
        await services.orders.readiness.say(prompts[0].token, side[0], is_ready=True)  # the journal names a person now
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("INSERT INTO place SELECT id, 'public', ? FROM campaign", (PLACE,))
        db.execute(
            "INSERT INTO prompt_message SELECT token, ?, ?, user_id FROM prompt JOIN member USING (campaign_id, side)",
            (PLACE + 1, PLACE + 2),
        )
        db.execute("UPDATE deadline SET falls_at = datetime(falls_at, '+27 days')")
    return path


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    """Rows of a database."""
    with closing(sqlite3.connect(path)) as db:
        return db.execute(query).fetchall()


async def test_a_copy_has_every_row_of_its_model(database: Path):
    of_campaigns = ("member", "journal", "outbox", "place", "prompt", "deadline")
    counts = {table: rows(database, f"SELECT count(*) FROM {table}")[0][0] for table in of_campaigns}
    multiply(database, SIZE, FALLING)
    for table, count in counts.items():
        found = rows(database, f"SELECT count(*) FROM {table} GROUP BY campaign_id")
        assert count
        assert found == [(count,)] * SIZE, table
    assert rows(database, "SELECT count(*) FROM campaign") == [(SIZE,)]
    assert rows(database, "SELECT count(*) FROM prompt_message") == [(SIZE * counts["prompt"],)]
    assert rows(database, "SELECT count(*) FROM note WHERE key LIKE 'public-map:%'") == [(SIZE,)]


async def test_copies_share_no_place_message_or_person_with_their_model(database: Path):
    people = {str(one) for (one,) in rows(database, "SELECT user_id FROM member")}
    multiply(database, SIZE, FALLING)
    for column, table in (("discord_id", "place"), ("message_id", "prompt_message"), ("title", "campaign")):
        assert rows(database, f"SELECT count(DISTINCT {column}) FROM {table}")[0][0] == SIZE
    assert rows(database, "SELECT max(n) FROM (SELECT count(*) n FROM campaign GROUP BY guild_id)") == [(PER_SERVER,)]
    assert rows(database, f"SELECT count(*) FROM campaign WHERE guild_id = {OWN_SERVER}") == [(PER_SERVER,)]
    elsewhere = rows(
        database, f"SELECT payload FROM outbox JOIN campaign c ON c.id = campaign_id AND guild_id <> {OWN_SERVER}"
    )
    assert elsewhere
    assert not [text for (text,) in elsewhere if any(one in str(text) for one in people)]


async def test_copies_are_loaded_and_played_on_when_their_deadlines_fall_together(database: Path):
    moment = multiply(database, SIZE, FALLING)
    falls = [str(one) for (one,) in rows(database, "SELECT falls_at FROM deadline ORDER BY falls_at")]
    assert len(set(falls[:FALLING])) == 1
    assert len(set(falls)) == SIZE - FALLING + 1, "all others fall at moments of their own, and later"
    found = await fall(moment.isoformat(), FALLING, f"sqlite+aiosqlite:///{database}")  # raises if one does not close
    assert found["seconds"] > 0
    again = [str(one) for (one,) in rows(database, "SELECT falls_at FROM deadline ORDER BY falls_at")]
    assert falls[0] not in again, "each closed one has sheets open again"


async def test_a_table_that_copying_does_not_know_stops_it(database: Path):
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("CREATE TABLE diary (token TEXT, line TEXT)")
    with pytest.raises(RuntimeError, match="diary"):
        multiply(database, SIZE, FALLING)


async def test_the_watch_sees_the_loop_held_and_nothing_else():
    with LoopWatch() as watch:
        await asyncio.sleep(0.2)
    waited = watch.longest
    with LoopWatch() as watch:
        await asyncio.sleep(0.01)
        time.sleep(0.3)  # noqa: ASYNC251  this is what must be seen
    assert watch.longest > 0.25
    assert waited < 0.15, "waiting holds nobody up"
