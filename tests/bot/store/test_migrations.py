"""A database that an earlier version wrote is brought up to date as it is opened, and loses nothing on the way."""

import json
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.migration import MigrationContext
from sqlalchemy.engine import make_url

from bot.records import components, effects, files
from bot.records.deadlines import Deadline
from bot.records.effects import BattleThread, Effect
from bot.records.outbox import OutboxQueue
from bot.records.places import lane_of
from bot.store import database, migrations, postgresql, sqlite
from rules_engine.core.records.journal import check_chain
from tests.bot.store.contention import unlocked
from tests.bot.store.samples import Played
from tests.databases import POSTGRESQL, SQLITE, database_url
from tests.expected.sections import section_rows
from tests.expected.spelling import evaluated

NOW = datetime.now(UTC).replace(microsecond=0)
HOUR = timedelta(hours=1)
MANY = 2_345
"""Entries of a long journal: more than the migration looks at together, and no round number."""

CARD = components.Card(
    "Plot.", (({"type": "button", "id": "p|tok|go|", "label": "Go", "style": "primary", "disabled": False},),)
)
NAMES = vars(effects) | {"CARD": CARD, "components": components, "files": files}
OUTBOX: list[tuple[str, str, dict[str, Any], str, Effect]] = [
    (queue, kind, payload, about, evaluated(effect, NAMES))
    for queue, kind, payload, about, effect in section_rows("outbox")
]
"""What version 0001 wrote: queue, kind and payload; then what it is about, and what is read of it."""

CAMPAIGN = {
    "guild_id": 1, "title": "T", "rulebook": "toy", "version": "1", "scenario": {"turns": 3}, "sides": [],
    "seed": bytes(range(32)), "status_note": "", "referee_id": 2, "created_at": NOW,
}  # fmt: skip
DEADLINES: dict[str, tuple[str, dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    name: (status, settings, evaluated(written, globals()), evaluated(read, globals()))
    for name, status, settings, written, read in section_rows("deadlines")
}
TOLD = [("runs", 3, ["*"]), ("runs", 3, ["red"]), *(("half", seq, ["blue", "red"]) for seq in range(1, MANY + 1))]
"""Of each report its campaign, its entry, and to whom."""

SEATED = [("runs", 2, "red"), ("runs", 3, "blue"), ("half", 3, "@spectator"), ("half", 4, "red")]
REFEREE_OF_ALL = 2
BEEN = {*SEATED, *((name, REFEREE_OF_ALL, "@everything") for name in DEADLINES if name != "runs")}
"""Who has been what to the campaigns: the referee could look at everything, but for the one in which they play."""

BATTLES = {("runs", "t1", 0), ("paused", "P1/5", 0)}
"""The battles that may be open: those of campaigns in play that have a thread, or are about to get one."""


@pytest.fixture(params=[SQLITE, POSTGRESQL])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of a database without tables, of each kind in turn."""
    return database_url(tmp_path, request.param)


@asynccontextmanager
async def raw(address: str) -> AsyncGenerator[sa.ext.asyncio.AsyncConnection, None]:
    """A connection to the database as it is, whatever its revision."""
    url = make_url(address)
    engines = (sqlite if url.get_backend_name() == "sqlite" else postgresql).engines(url)
    try:
        async with engines.writing.begin() as connection:
            yield connection
    finally:
        await engines.dispose()


def to(step: Callable[..., None], revision: str) -> Callable[[sa.Connection], None]:
    """A step up or down to a revision."""

    def take(connection: sa.Connection) -> None:
        config = migrations.config()
        config.attributes["connection"] = connection
        step(config, revision)

    return take


def rows(connection: sa.Connection) -> dict[str, list[Mapping[str, Any]]]:
    """Everything, read by the columns that are there."""
    there = sa.MetaData()
    there.reflect(connection)
    return {
        name: sorted((dict(row) for row in connection.execute(sa.select(table)).mappings()), key=repr)
        for name, table in there.tables.items()
    }


def schema(connection: sa.Connection) -> dict[str, Any]:
    """Columns, keys and indexes of each table."""
    inspector = sa.inspect(connection)
    found: dict[str, Any] = {}
    for name in inspector.get_table_names():
        columns = [
            (one["name"], str(one["type"]), one["nullable"], one["default"]) for one in inspector.get_columns(name)
        ]
        found[name] = (
            sorted(columns),
            inspector.get_pk_constraint(name)["constrained_columns"],
            sorted((one["constrained_columns"], one["referred_table"]) for one in inspector.get_foreign_keys(name)),
            sorted(one["column_names"] for one in inspector.get_unique_constraints(name)),
            sorted((one["name"], one["column_names"], bool(one["unique"])) for one in inspector.get_indexes(name)),
        )
    return found


def write(connection: sa.Connection, game: Played) -> None:
    """What version 0001 left of a few campaigns."""
    there = sa.MetaData()
    there.reflect(connection)
    names = ("campaign", "deadline", "outbox", "journal", "member")
    campaign, deadline, outbox, journal, member = (there.tables[name] for name in names)
    plain = {"opened_seq": 4, "opened_at": NOW - HOUR, "falls_at": None, "left_seconds": None, "reminded": False}
    for name, (status, settings, kept, _) in DEADLINES.items():
        connection.execute(campaign.insert(), {"id": name, **CAMPAIGN, "status": status, "settings": settings})
        connection.execute(deadline.insert(), {"campaign_id": name, **plain, **kept})
    for name, user_id, side in SEATED:
        seat = {"campaign_id": name, "user_id": user_id, "side": side, "name": "N", "joined_at": NOW}
        connection.execute(member.insert(), seat)
    for number, (lane, kind, payload, *_) in enumerate(OUTBOX):
        row = {"campaign_id": "runs", "lane": lane, "kind": kind, "payload": payload, "status": "queued"}
        more = {"attempts": number, "created_at": NOW, "error": "", "result": {"p0": [1, number]}}
        connection.execute(outbox.insert(), {**row, **more})
    lines = [(one.entry.seq, one.entry.body.kind, one.line) for one in game.transitions]
    lines_of = {
        "runs": lines,
        "half": [(seq, "remarked", json.dumps({"hash": f"h{seq}"})) for seq in range(1, MANY + 1)],
    }
    for name, some in lines_of.items():
        entries = [{"campaign_id": name, "seq": seq, "kind": kind, "entry": line} for seq, kind, line in some]
        connection.execute(journal.insert(), entries)
    places = [("paused", "battle:P1/5", 5), ("paused", "battles", 6), ("over", "battle:P2/6", 7)]
    connection.execute(campaign.insert(), {"id": "over", **CAMPAIGN, "status": "ended", "settings": {}})
    for name, key, discord_id in places:
        row = {"campaign_id": name, "key": key, "discord_id": discord_id}
        connection.execute(there.tables["place"].insert(), row)
    told = [
        {"campaign_id": name, "seq": seq, "number": number, "body": json.dumps({"number": number, "to": readers})}
        for number, (name, seq, readers) in enumerate(TOLD)
    ]
    connection.execute(there.tables["report"].insert(), told)
    prompt = {"token": "tok", "campaign_id": "runs", "ask_id": "a", "side": "red", "title": "t", "kind": "orders"}
    more = {"status": "open", "draft": {"fleet": {"number": 3}}, "opened_seq": 1, "created_at": NOW}
    connection.execute(there.tables["prompt"].insert(), {**prompt, **more})


@pytest.fixture
async def game(address: str) -> Played:
    """A database as version 0001 left it, and the campaign whose journal is in it."""
    played = Played()
    played.turn(5)
    async with raw(address) as connection:
        await connection.run_sync(to(command.upgrade, "0001"))
        await connection.run_sync(write, played)
    return played


async def test_entries_have_their_hashes_and_the_journal_goes_on(game: Played, store: database.Store) -> None:
    async with store.read() as tx:
        assert await tx.journal.entries("runs") == game.entries
        hashes = "SELECT seq, hash FROM journal WHERE campaign_id = '{}' ORDER BY seq"
        found = [tuple(row) for row in await tx.connection.execute(sa.text(hashes.format("half")))]
        assert found == [(seq, f"h{seq}") for seq in range(1, MANY + 1)]
        found = [tuple(row) for row in await tx.connection.execute(sa.text(hashes.format("runs")))]
        assert found == [(entry.seq, entry.hash) for entry in game.entries]
    more = game.remark("it goes on")
    async with store.write() as tx:
        await tx.journal.append("runs", [more])
    async with store.read() as tx:
        check_chain(await tx.journal.entries("runs"))


async def test_what_waits_for_delivery_knows_what_it_is_about_and_is_read_as_it_was_meant(game: Played, address: str):
    store = await database.open_store(address)
    async with store.read() as tx:
        abouts = await tx.connection.execute(sa.text("SELECT about FROM outbox ORDER BY id"))
        assert list(abouts.scalars()) == [about for *_, about, _ in OUTBOX]
        assert await tx.outbox.is_card_under_way("runs", "tok")
        assert await tx.outbox.latest("runs", "thread", "t1") == BattleThread(key="t1", name="Battle", members=(11,))
    for number, (lane, _, _, about, effect) in enumerate(OUTBOX):
        async with store.write() as tx:
            item = await tx.outbox.first_of(OutboxQueue("runs", now(lane)))
            assert item is not None
            assert (item.effect, item.effect.about) == (effect, about)
            assert (item.attempts, item.results, item.created_at) == (number, {"p0": [1, number]}, NOW)
            await tx.outbox.done(item, item.results)
    await store.close()


async def test_reminders_have_their_moment_and_where_play_is_halted_the_clock_stands_still(game: Played, address: str):
    store = await database.open_store(address)
    async with store.read() as tx:
        found = {name: await tx.deadlines.of(name) for name in DEADLINES}
        due = [deadline.campaign_id for deadline in await tx.deadlines.due(NOW, 20)]
    await store.close()
    assert due == ["past"], "of halted campaigns nothing falls"
    halted = found["halted"]
    assert halted is not None
    assert halted.left is not None
    assert timedelta(minutes=-60) < halted.left - 3 * HOUR <= timedelta(0), "less the time since the tests began"
    found["halted"] = Deadline("halted", 4, NOW - HOUR, None, left=3 * HOUR)
    expected = {
        name: Deadline(name, 4, NOW - HOUR, **{"falls_at": None, **read}) for name, (*_, read) in DEADLINES.items()
    }
    assert found == expected


def now(lane: str) -> str:
    """What a lane is called in this version."""
    return lane_of(lane) if lane.startswith(("side:", "battle:")) else lane


async def test_everything_else_is_as_it_was_and_opening_again_changes_nothing(game: Played, address: str) -> None:
    async with raw(address) as connection:
        before = await connection.run_sync(rows)
    for _ in range(2):
        await (await database.open_store(address)).close()
        async with raw(address) as connection:
            after = await connection.run_sync(rows)
        assert after.pop("alembic_version") == [{"version_num": "0021"}]
        assert after.pop("proposal") == []
        assert {(one["campaign_id"], one["key"], one["opened_seq"]) for one in after.pop("battle")} == BATTLES
        assert after.pop("returned") == after.pop("captain") == after.pop("confirmed") == after.pop("reader") == []
        assert after.pop("step") == []
        assert {(row.pop("steps"), row.pop("last_step")) for row in after["prompt"]} == {(0, "")}
        assert {(row.pop("stood_by"), row.pop("referee_asked")) for row in after["prompt"]} == {("", "")}
        assert after.pop("typed") == after.pop("dossier") == after.pop("tracked_rest") == []
        readers = {(row["campaign_id"], row["seq"], row["number"], row["side"]) for row in after.pop("told")}
        assert readers == {
            ("runs", 3, 0, ""),
            ("runs", 3, 1, "red"),
            *(("half", seq, seq + 1, side) for seq in range(1, MANY + 1) for side in ("blue", "red")),
        }
        assert after.pop("bulletin") == after.pop("heard") == after.pop("letter") == after.pop("letter_draft") == []
        assert {(row["campaign_id"], row["user_id"], row["seat"]) for row in after.pop("past_seat")} == BEEN
        assert {*after, "alembic_version"} == before.keys()
        after.pop("deadline")
        assert {row["strand"] for row in after["prompt"]} == {row["theme"] for row in after["campaign"]} == {""}
        for table, new in (("journal", "hash"), ("outbox", "about"), ("prompt", "strand"), ("campaign", "theme")):
            after[table] = sorted(({k: v for k, v in row.items() if k != new} for row in after[table]), key=repr)
        renamed = [{**row, "lane": now(row["lane"])} for row in before["outbox"]]
        assert after.pop("outbox") == sorted(renamed, key=repr)
        assert after == {name: before[name] for name in after}


async def test_going_back_gives_the_earlier_schema_and_going_on_again_fills_it_anew(game: Played, address: str) -> None:
    async with raw(address) as connection:
        first, before = await connection.run_sync(schema), await connection.run_sync(rows)
        await connection.run_sync(to(command.upgrade, "head"))
        newest = await connection.run_sync(schema)
        assert newest != first
    async with raw(address) as connection:
        await connection.run_sync(to(command.downgrade, "0001"))
        assert await connection.run_sync(schema) == first
        back = await connection.run_sync(rows)
    assert {**back, "deadline": []} == {**before, "deadline": []}
    assert len(back["deadline"]) == len(DEADLINES)
    store = await database.open_store(address)
    async with store.read() as tx:
        assert await tx.connection.run_sync(schema) == newest
        assert await tx.journal.head("runs") == game.entries[-1].hash
    await store.close()
    async with raw(address) as connection:
        await connection.run_sync(to(command.downgrade, "base"))
        assert set(await connection.run_sync(schema)) == {"alembic_version"}


async def test_a_migration_that_fails_half_way_changes_nothing(game: Played, address: str) -> None:
    async with raw(address) as connection:
        torn = "UPDATE journal SET entry = '{' WHERE campaign_id = 'half' AND seq = 2000"
        await connection.execute(sa.text(torn))
        before = await connection.run_sync(schema), await connection.run_sync(rows)
    with pytest.raises(json.JSONDecodeError):
        await database.open_store(address)
    await unlocked(address)
    async with raw(address) as connection:
        assert (await connection.run_sync(schema), await connection.run_sync(rows)) == before
        at = await connection.run_sync(lambda real: MigrationContext.configure(real).get_current_revision())
    assert at == "0001"
