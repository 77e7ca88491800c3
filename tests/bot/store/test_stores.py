"""What holds on every database: the schema, durable transactions one at a time, snapshots, and one owner."""

import asyncio
import gc
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from bot.records.effects import Provision
from bot.store import errors, transaction
from bot.store.database import Store, open_store
from bot.store.tables import Base, CampaignRow, JournalRow, OutboxRow, PromptRow, SettingRow
from tests import open_connections
from tests.bot.store.contention import at_each_await, unlocked

NOON = datetime(2026, 8, 1, 12, 30, 15, 250000, tzinfo=UTC)
COUNT = sa.select(sa.func.count()).select_from(SettingRow)


async def add(store: Store, key: str, value: str = "v") -> None:
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), {"key": key, "value": value})


async def keys(store: Store) -> list[str]:
    async with store.read() as tx:
        return list((await tx.connection.execute(sa.select(SettingRow.key).order_by(SettingRow.key))).scalars())


async def found(store: Store, campaign: str = "c1") -> None:
    row = {"id": campaign, "guild_id": 2**62, "title": "T", "rulebook": "r", "version": "1", "scenario": {"é": [1.5]}}
    more = {"sides": ["a"], "seed": bytes(range(32)), "referee_id": 1, "settings": {}, "created_at": NOON}
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(CampaignRow), {**row, **more})


# --- opening ----------------------------------------------------------------------------------------------------------
async def test_the_migrations_make_exactly_the_tables(store: Store) -> None:
    async with store.read() as tx:
        differences = await tx.connection.run_sync(
            lambda real: compare_metadata(MigrationContext.configure(real), Base.metadata)
        )
    assert differences == []


async def test_what_is_written_is_there_after_reopening(address: str) -> None:
    store = await open_store(address)
    await found(store)
    await store.close()
    store = await open_store(address)
    async with store.read() as tx:
        row = (await tx.connection.execute(sa.select(CampaignRow.__table__))).mappings().one()
    assert row["seed"] == bytes(range(32))
    assert (row["guild_id"], row["scenario"], row["sides"]) == (2**62, {"é": [1.5]}, ["a"])
    await store.close()


async def test_a_newer_database_is_refused_and_untouched(address: str) -> None:
    store = await open_store(address)
    async with store.write() as tx:
        await tx.connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    for _ in range(2):  # the second time finds it as the first did
        with pytest.raises(errors.StoreUnavailable, match="newer Plotroom \\(schema 9999\\)"):
            await open_store(address)


# --- writing ----------------------------------------------------------------------------------------------------------
async def test_a_raising_block_writes_nothing_and_leaves_the_store_usable(store: Store) -> None:
    async def fail() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    async with store.write() as tx:
        assert await tx.connection.scalar(COUNT) == 0
    await add(store, "c")
    assert await keys(store) == ["c"]


async def test_what_is_written_is_seen_elsewhere_only_after_the_commit(store: Store) -> None:
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
        assert await tx.connection.scalar(COUNT) == 1
        assert await keys(store) == []
    assert await keys(store) == ["k"]


async def test_a_refused_statement_takes_the_whole_block_back_and_tells_no_values(store: Store) -> None:
    await add(store, "k")

    async def write_again() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "other", "value": ""})
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "a secret order"})

    with pytest.raises(IntegrityError) as refused:
        await write_again()
    assert "secret" not in str(refused.value)
    assert await keys(store) == ["k"]
    await add(store, "more")
    assert await keys(store) == ["k", "more"]


async def test_fifty_writers_at_once_all_succeed_and_none_is_lost(store: Store) -> None:
    await add(store, "n", "0")

    async def add_one() -> None:
        async with store.write() as tx:
            value = int(await tx.connection.scalar(sa.select(SettingRow.value)))
            await asyncio.sleep(0)  # let the others try to come between the reading and the writing
            await tx.connection.execute(sa.update(SettingRow).values(value=str(value + 1)))

    await asyncio.gather(*(add_one() for _ in range(50)))
    async with store.read() as tx:
        assert await tx.connection.scalar(sa.select(SettingRow.value)) == "50"


async def test_closing_waits_for_who_writes(address: str) -> None:
    store = await open_store(address)
    told: list[str] = []
    writing, release = asyncio.Event(), asyncio.Event()

    async def write() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
            writing.set()
            await release.wait()
        told.append("written")

    async def close() -> None:
        await store.close()
        told.append("closed")

    tasks = [asyncio.create_task(write())]
    await writing.wait()
    tasks.append(asyncio.create_task(close()))
    while not store._one_writer._waiters:  # noqa: ASYNC110  it tells nobody that it has come to where it waits
        await asyncio.sleep(0)
    assert told == []
    release.set()
    await asyncio.gather(*tasks)
    assert told == ["written", "closed"]
    await unlocked(address)
    store = await open_store(address)
    assert await keys(store) == ["k"]
    await store.close()


async def test_two_rows_in_the_place_of_one_entry_cannot_be(store: Store) -> None:
    """Whatever code comes by: the database itself lets an entry of a journal be written once."""
    await found(store)

    async def append(entry: str) -> None:
        async with store.write() as tx:
            row = {"campaign_id": "c1", "seq": 1, "kind": "begun", "hash": entry, "entry": entry}
            await tx.connection.execute(sa.insert(JournalRow), row)

    outcomes = await asyncio.gather(append("one"), append("two"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), IntegrityError]
    async with store.read() as tx:
        assert (await tx.connection.execute(sa.select(JournalRow.entry))).scalars().all() == ["one"]


async def test_a_row_of_no_campaign_is_refused(store: Store) -> None:
    row = {"campaign_id": "nobody", "seq": 1, "kind": "begun", "hash": "", "entry": ""}
    with pytest.raises(IntegrityError):
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(JournalRow), row)


async def test_whoever_wakes_the_others_is_told_of_each_commit_and_of_nothing_else(store: Store) -> None:
    told: list[transaction.Transaction] = []
    store.tell_of_commits(told.append)

    async def put(*, fail: bool) -> transaction.Transaction:
        async with store.write() as tx:
            await tx.outbox.put("c1", Provision(), now=NOON)
            if fail:
                raise RuntimeError("on purpose")
        return tx

    with pytest.raises(RuntimeError, match="on purpose"):
        await put(fail=True)
    assert told == []
    assert [await put(fail=False)] == told
    assert (told[0].outbox.queued, told[0].deadlines.changed) == (True, False)
    async with store.write() as tx:
        await tx.deadlines.drop("c1")
    assert (told[1].outbox.queued, told[1].deadlines.changed) == (False, True)


# --- reading ----------------------------------------------------------------------------------------------------------
async def test_a_reader_sees_one_snapshot_while_another_writes(store: Store) -> None:
    async with store.read() as reader:
        assert await reader.connection.scalar(COUNT) == 0
        await add(store, "k")
        assert await reader.connection.scalar(COUNT) == 0
    async with store.read() as reader:
        assert await reader.connection.run_sync(lambda connection: connection.scalar(COUNT)) == 1


async def test_what_was_committed_is_seen_at_the_next_look(store: Store) -> None:
    for number in range(5):
        await add(store, f"k{number}")
        async with store.read() as tx:
            assert await tx.connection.scalar(COUNT) == number + 1


async def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises((sa.exc.DBAPIError, errors.StoreUnavailable)):
        async with store.read() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
    assert await keys(store) == []


# --- giving up --------------------------------------------------------------------------------------------------------
async def test_a_cancelled_writer_does_not_leave_the_lock_behind(store: Store) -> None:
    written = asyncio.Event()

    async def write() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
            written.set()
            await asyncio.Event().wait()

    writing = asyncio.create_task(write())
    await written.wait()
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    async with store.write() as tx:
        assert await tx.connection.scalar(COUNT) == 0


@pytest.mark.parametrize("times", [1, 3])
async def test_cancelled_at_any_await_a_writer_writes_all_or_nothing(address: str, times: int) -> None:
    """And whoever is to be woken is told of just what was written; nothing is held or left open."""
    store = await open_store(address)
    told: list[transaction.Transaction] = []
    outcomes: list[list[str]] = []

    async def write() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "a", "value": ""})
            await tx.connection.execute(sa.insert(SettingRow), {"key": "b", "value": ""})

    async def check() -> None:
        outcomes.append(await keys(store))
        assert len(told) == (outcomes[-1] != []), "who sleeps is woken by what was written, and by that alone"
        store.tell_of_commits(lambda _: None)
        async with store.write() as tx:
            await tx.connection.execute(sa.delete(SettingRow))
        told.clear()
        store.tell_of_commits(told.append)

    store.tell_of_commits(told.append)
    awaits = await at_each_await(write, check, times=times)
    assert awaits >= 4, "it is begun, writes twice and is committed"
    written = outcomes.index(["a", "b"])
    assert outcomes == [[]] * written + [["a", "b"]] * (len(outcomes) - written)
    assert 1 < written <= awaits, "cancelled while it commits it writes all"
    await add(store, "c")
    assert await keys(store) == ["c"]
    await store.close()
    gc.collect()  # a connection that was dropped open complains here
    await unlocked(address)


@pytest.mark.parametrize("times", [1, 3])
async def test_cancelled_at_any_await_a_reader_leaves_nothing_behind(address: str, times: int) -> None:
    """Neither a connection nor an old snapshot, of which the next reader would read."""
    store = await open_store(address)
    written = ["k00"]
    await add(store, written[0])

    async def read() -> None:
        assert await keys(store) == written

    async def check() -> None:
        written.append(f"k{len(written):02}")
        await add(store, written[-1])
        await read()

    assert await at_each_await(read, check, times=times) > 2
    await store.close()
    gc.collect()
    await unlocked(address)


async def test_a_test_that_leaves_connections_open_fails_itself(address: str, request: pytest.FixtureRequest) -> None:
    """Else the garbage collector closes them in the midst of another test, which fails of it."""
    store = await open_store(address)
    assert await keys(store) == []
    teardown = open_connections.pytest_runtest_teardown(request.node)
    next(teardown)
    with pytest.raises(AssertionError, match="leaves 2 connections open"):
        teardown.send(None)
    await store.close()
    open_connections._left.clear()
    teardown = open_connections.pytest_runtest_teardown(request.node)
    next(teardown)
    with pytest.raises(StopIteration):
        teardown.send(None)


# --- what columns hold ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("hours", [0, 2, -11])
async def test_moments_of_any_zone_come_back_in_utc(store: Store, hours: int) -> None:
    given = NOON.astimezone(timezone(timedelta(hours=hours)))
    async with store.write() as tx:
        row = {"campaign_id": "c", "lane": "l", "kind": "post", "payload": {"a": [1]}, "created_at": given}
        await tx.connection.execute(sa.insert(OutboxRow), row)
    async with store.read() as tx:
        found = await tx.connection.scalar(sa.select(OutboxRow.created_at))
    assert found == NOON
    assert found.utcoffset() == timedelta(0)


async def test_a_moment_without_a_zone_is_refused(store: Store) -> None:
    row = {"campaign_id": "c", "lane": "l", "kind": "post", "payload": {}, "created_at": NOON.replace(tzinfo=None)}
    with pytest.raises(sa.exc.StatementError, match="moments must carry a time zone"):
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(OutboxRow), row)


async def test_no_text_is_too_long_for_its_column(store: Store) -> None:
    """Else PostgreSQL would stop a turn over a title that SQLite takes."""
    await found(store)
    texts = {"token": "t", "ask_id": "a", "side": "s", "title": "t", "kind": "k", "status": "o"}
    long = {column: letter * 900 for column, letter in texts.items()}
    async with store.write() as tx:
        sql = sa.insert(PromptRow)
        await tx.connection.execute(sql, {**long, "campaign_id": "c1", "opened_seq": 1, "created_at": NOON})
    async with store.read() as tx:
        assert await tx.connection.scalar(sa.select(PromptRow.title)) == "t" * 900
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            kept = column.type.dialect_impl(postgresql.dialect())
            assert not isinstance(kept, sa.String) or kept.length is None, f"{table}.{column}"


async def test_an_empty_sheet_is_not_the_same_as_none(store: Store) -> None:
    await found(store)
    prompt = {"campaign_id": "c1", "side": "red", "title": "t", "kind": "k", "opened_seq": 1, "created_at": NOON}
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(PromptRow), {**prompt, "token": "one", "ask_id": "a", "draft": {}})
        await tx.connection.execute(sa.insert(PromptRow), {**prompt, "token": "two", "ask_id": "b"})
    async with store.read() as tx:
        rows = (await tx.connection.execute(sa.select(PromptRow.token, PromptRow.draft))).all()
    assert sorted(rows) == [("one", {}), ("two", None)]


async def test_what_was_committed_survives_a_killed_process(address: str) -> None:
    """The process dies right behind the commit, with nothing closed: the row is there, the next one is not."""
    program = f"""
import asyncio, os, signal, sqlalchemy as sa
from bot.store.database import open_store
from bot.store.tables import SettingRow
async def main():
    store = await open_store({address!r})
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), dict(key="first", value=""))
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), dict(key="second", value=""))
        os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    assert (await asyncio.to_thread(subprocess.run, [sys.executable, "-c", program], check=False)).returncode == -9
    store = await open_store(address)
    assert await keys(store) == ["first"]
    await store.close()
