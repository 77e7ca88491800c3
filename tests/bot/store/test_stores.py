"""What holds on every database: the schema, durable transactions one at a time, snapshots, and one owner."""

import asyncio
import subprocess
import sys
from datetime import UTC, datetime

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from bot.store.connections import Change
from sqlalchemy.dialects import postgresql
from sqlalchemy.exc import IntegrityError

from bot.store.database import Store, open_store
from bot.store.errors import StoreUnavailable
from bot.store.tables import Base, CampaignRow, JournalRow, OutboxRow, PromptRow, SettingRow

NOON = datetime(2026, 8, 1, 12, 30, 15, 250000, tzinfo=UTC)
COUNT = sa.select(sa.func.count()).select_from(SettingRow)
JOURNAL = Change(sa.insert(JournalRow.__table__))  # type: ignore[arg-type]


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
        row = (await tx.connection.execute(sa.select(CampaignRow))).mappings().one()
    assert row["seed"] == bytes(range(32))
    assert (row["guild_id"], row["scenario"], row["sides"]) == (2**62, {"é": [1.5]}, ["a"])
    await store.close()


async def test_a_newer_database_is_refused_and_untouched(address: str) -> None:
    store = await open_store(address)
    async with store.write() as tx:
        await tx.connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    await store.close()
    for _ in range(2):  # the second time finds it as the first did
        with pytest.raises(StoreUnavailable, match="newer Plotroom \\(schema 9999\\)"):
            await open_store(address)


async def test_a_raising_block_writes_nothing_and_leaves_the_store_usable(store: Store) -> None:
    async def fail() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await fail()
    async with store.write() as tx:
        assert await tx.connection.scalar(COUNT) == 0


async def test_a_refused_statement_takes_the_whole_block_back_and_tells_no_values(store: Store) -> None:
    await add(store, "k")

    async def write_again() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "other", "value": ""})
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "a secret order"})

    with pytest.raises(IntegrityError) as refused:
        await write_again()
    assert isinstance(refused.value, IntegrityError)
    if store.dialect == "postgresql":  # SQLite's are hidden where they are logged, and on the way of a click
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


async def test_two_who_write_the_same_entry_of_a_journal_cannot_both(store: Store) -> None:
    """A campaign that was behind its journal is refused, and the entry that stands is the first."""
    await found(store)

    async def append(entry: str) -> None:
        async with store.write() as tx:
            await JOURNAL.make(connection, campaign_id="c1", seq=1, kind="begun", entry=entry)

    outcomes = await asyncio.gather(append("one"), append("two"), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [type(None), IntegrityError]
    async with store.read() as tx:
        assert (await tx.connection.execute(sa.select(JournalRow.entry))).scalars().all() == ["one"]


async def test_a_row_of_no_campaign_is_refused(store: Store) -> None:
    with pytest.raises(IntegrityError):
        async with store.write() as tx:
            await JOURNAL.make(connection, campaign_id="nobody", seq=1, kind="begun", entry="")


async def test_a_reader_sees_one_snapshot_while_another_writes(store: Store) -> None:
    async with store.read() as reader:
        assert await reader.scalar(COUNT) == 0
        await add(store, "k")
        assert await reader.scalar(COUNT) == 0
    async with store.read() as reader:
        assert await reader.run_sync(lambda connection: tx.connection.scalar(COUNT)) == 1


async def test_what_was_committed_is_seen_at_the_next_glance(store: Store) -> None:
    for number in range(5):
        await add(store, f"k{number}")
        async with store.read() as tx:
            assert await tx.connection.scalar(COUNT) == number + 1


async def test_a_reader_cannot_write(store: Store) -> None:
    with pytest.raises(sa.exc.DBAPIError):
        async with store.read() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "k", "value": "v"})
    assert await keys(store) == []


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


async def test_cancelled_at_any_await_a_writer_writes_all_or_nothing(store: Store) -> None:
    async def write() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "a", "value": ""})
            await tx.connection.execute(sa.insert(SettingRow), {"key": "b", "value": ""})

    outcomes: list[list[str]] = []
    turns = 0
    while not outcomes or outcomes[-1] == []:
        writing = asyncio.create_task(write())
        for _ in range(turns):
            await asyncio.sleep(0)
        writing.cancel()
        turns += 1 + turns // 4
        await asyncio.gather(writing, return_exceptions=True)
        outcomes.append(await keys(store))
    assert outcomes[0] == []
    assert outcomes[-1] == ["a", "b"]
    await add(store, "c")
    assert store.tenure == 0, "the connection was kept"


async def test_moments_come_back_in_utc(store: Store) -> None:
    async with store.write() as tx:
        row = {"campaign_id": "c", "lane": "l", "kind": "post", "payload": {"a": [1]}, "created_at": NOON}
        await tx.connection.execute(sa.insert(OutboxRow), row)
    async with store.read() as tx:
        assert await tx.connection.scalar(sa.select(OutboxRow.created_at)) == NOON


async def test_no_text_is_too_long_for_its_column(store: Store) -> None:
    """Else PostgreSQL would stop a turn over a title that SQLite takes."""
    await found(store)
    texts = {"token": "t", "ask_id": "a", "side": "s", "title": "t", "kind": "k", "status": "o"}
    long = {column: letter * 900 for column, letter in texts.items()}
    async with store.write() as tx:
        await tx.connection.execute(
            sa.insert(PromptRow), {**long, "campaign_id": "c1", "opened_seq": 1, "created_at": NOON}
        )
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
    done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", program], check=False)
    assert done.returncode == -9
    store = await open_store(address)
    assert await keys(store) == ["first"]
    await store.close()
