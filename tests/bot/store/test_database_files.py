"""Database files: SQLite's, the lock beside it, and backups of both kinds of database."""

import asyncio
import os
import sqlite3
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.effects import Post
from bot.store import backup, database, lock, sqlite
from bot.store.database import Store, open_store
from bot.store.errors import StoreUnavailable
from bot.store.tables import Base, CampaignRow, JournalRow, SettingRow
from tests.bot.store import contention, samples
from tests.databases import POSTGRESQL, SHIPPED, SQLITE, database_url
from tests.expected.kept import cases
from tests.patience import PATIENCE


def url(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def test_the_folder_is_made_and_the_pragmas_are_durable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "_DURABLE", SHIPPED)
    store = await open_store(url(tmp_path / "deep" / "er" / "plotroom.db"))
    async with store.write() as tx:
        assert await tx.connection.scalar(sa.text("PRAGMA journal_mode")) == "wal"
        assert await tx.connection.scalar(sa.text("PRAGMA synchronous")) == 2  # FULL
        assert await tx.connection.scalar(sa.text("PRAGMA foreign_keys")) == 1
    await store.close()


async def test_nothing_of_a_connection_that_was_broken_off_outlives_a_closed_store(tmp_path: Path) -> None:
    """Its thread is told to end and, by SQLAlchemy, not waited for: it would find the event loop closed."""
    store = await open_store(url(tmp_path / "plotroom.db"))
    async with store.read() as tx:
        driver: Any = (await tx.connection.get_raw_connection()).driver_connection
        driver._tx.put_nowait((None, partial(threading.Event().wait, 0.2)))
        assert tx.connection.sync_connection is not None
        tx.connection.sync_connection.invalidate()
    await store.close()
    assert not driver._thread.is_alive()


async def add(store: Store, key: str) -> None:
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), {"key": key, "value": "v"})


async def test_a_writer_waits_for_another_process_without_blocking_the_loop(tmp_path: Path) -> None:
    """It waits in the driver's own thread, for as long as SQLite's busy timeout has it."""
    store = await open_store(url(tmp_path / "a.db"))
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(add(store, "k"))
    for _ in range(20):  # the loop runs on meanwhile, and what is read is there
        async with store.read() as tx:
            assert await tx.connection.scalar(sa.select(SettingRow.key)) is None
    assert not writing.done()
    other.execute("ROLLBACK")
    await writing
    other.close()
    await store.close()


async def test_a_writer_who_waits_in_vain_says_what_is_in_its_way_and_can_write_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    store = await open_store(url(tmp_path / "a.db"))
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="being written by another program; stop that program first"):
        await add(store, "in vain")
    assert not store.lost.is_set(), "another program is not another bot"
    other.execute("ROLLBACK")
    other.close()
    await add(store, "later")
    async with store.read() as tx:
        assert (await tx.connection.execute(sa.select(SettingRow.key))).scalars().all() == ["later"]
    await store.close()


@pytest.mark.parametrize("address", ["sqlite+aiosqlite://", "sqlite+aiosqlite:///:memory:", "sqlite:///?mode=memory"])
async def test_a_database_in_memory_is_refused(address: str) -> None:
    with pytest.raises(StoreUnavailable, match="in memory would lose the campaigns"):
        await open_store(address)


async def test_a_question_mark_in_the_path_is_refused_and_no_other_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="cannot hold a question mark"):
        await open_store(f"sqlite+aiosqlite:///{tmp_path / 'what?.db'}")
    assert os.listdir(tmp_path) == []


async def test_something_that_is_no_url_is_refused() -> None:
    with pytest.raises(StoreUnavailable, match="not an SQLAlchemy URL"):
        await open_store("var/plotroom.db")


async def test_a_folder_in_the_place_of_the_file(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="is a folder; name a file"):
        await open_store(url(tmp_path))


async def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(StoreUnavailable, match="cannot be made"):
        await open_store(url(tmp_path / "var" / "plotroom.db"))


async def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"This is a shopping list, not a database. " * 50)
    before = path.read_bytes()
    with pytest.raises(StoreUnavailable, match="damaged or is not a database"):
        await open_store(url(path))
    assert path.read_bytes() == before


async def test_a_database_with_a_torn_page_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    store = await open_store(url(path))
    async with store.write() as tx:
        for n in range(300):
            await tx.connection.execute(sa.insert(SettingRow), {"key": f"k{n}", "value": "v" * 400})
    await store.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2 :] = os.urandom(len(content) - len(content) // 2)
    path.write_bytes(content)
    with pytest.raises(StoreUnavailable, match="damaged"):
        await open_store(url(path))


async def test_a_read_only_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await (await open_store(url(path))).close()
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        await open_store(f"sqlite+aiosqlite:///file:{path}?mode=ro&uri=true")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write any file")
async def test_a_file_without_write_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await (await open_store(url(path))).close()
    path.chmod(0o444)
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        await open_store(url(path))


async def test_a_database_held_by_another_program_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.2)
    path = tmp_path / "a.db"
    await (await open_store(url(path))).close()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match="being written by another program"):
        await open_store(url(path))
    other.close()
    await contention.unlocked(url(path))


async def test_a_newer_database_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    await (await open_store(url(path))).close()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(StoreUnavailable, match="newer Plotroom \\(schema 9999\\)"):
        await open_store(url(path))
    raw = sqlite3.connect(path)
    assert raw.execute("SELECT version_num FROM alembic_version").fetchone() == ("9999",)
    raw.close()


# --- a file that goes away --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("how", ["deleted", "replaced"])
async def test_what_goes_into_a_file_that_nobody_finds_again_is_not_called_saved(tmp_path: Path, how: str) -> None:
    path = tmp_path / "a.db"
    store = await open_store(url(path))
    await add(store, "before")
    told: list[object] = []
    store.tell_of_commits(told.append)
    if how == "deleted":
        path.unlink()
    else:
        path.rename(tmp_path / "away.db")
        path.write_bytes(b"")
    with pytest.raises(StoreUnavailable, match="was deleted or replaced while the bot was running"):
        await add(store, "in vain")
    assert store.lost.is_set()
    assert told == []
    await store.close()


async def test_a_file_that_is_gone_is_noticed_without_anybody_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "LOOK_SECONDS", 0.01)
    store = await open_store(url(tmp_path / "a.db"))
    looks, look = asyncio.Semaphore(0), sqlite._TheSameFile.__call__

    def counted(file: sqlite._TheSameFile) -> bool:
        looks.release()
        return look(file)

    monkeypatch.setattr(sqlite._TheSameFile, "__call__", counted)
    waiting = asyncio.create_task(store.until_lost())
    for _ in range(3):
        await asyncio.wait_for(looks.acquire(), PATIENCE)
    assert not waiting.done(), "it looks again and again, and the file is there"
    (tmp_path / "a.db").unlink()
    await asyncio.wait_for(waiting, PATIENCE)
    await store.close()


async def test_a_disk_that_is_full_is_told_as_such_and_nothing_is_called_saved(tmp_path: Path) -> None:
    store = await open_store(url(tmp_path / "a.db"))
    async with store.write() as tx:
        pages = await tx.connection.scalar(sa.text("PRAGMA page_count"))
        await tx.connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StoreUnavailable, match=r"The disk of the database .* is full"):
        await add(store, "x" * 1_000_000)
    async with store.write() as tx:
        await tx.connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    await add(store, "later")
    async with store.read() as tx:
        assert (await tx.connection.execute(sa.select(SettingRow.key))).scalars().all() == ["later"]
    await store.close()


async def test_little_lies_beside_the_file(tmp_path: Path) -> None:
    """What was written goes into the file itself soon, and what lies beside it is cut back."""
    store = await open_store(url(tmp_path / "a.db"))
    for number in range(60):
        async with store.write() as tx:
            row = {"key": f"{number}", "value": "v" * 50_000}
            await tx.connection.execute(sa.insert(SettingRow), row)
    sizes = [path.stat().st_size for path in (tmp_path / "a.db", tmp_path / "a.db-wal")]
    assert sizes[0] > 2_000_000
    assert sizes[1] < 1_000_000
    await store.close()


# --- the file that keeps a second bot away from a database ------------------------------------------------------------
def test_a_database_is_held_until_the_bot_is_done_with_it(tmp_path: Path) -> None:
    with lock.only_one(url(tmp_path / "new" / "plotroom.db")):
        with (
            pytest.raises(StoreUnavailable, match="Another Plotroom is running on this database"),
            lock.only_one(url(tmp_path / "new" / "plotroom.db")),
        ):
            pass
        with lock.only_one(url(tmp_path / "other.db")):
            assert (tmp_path / "other.db.lock").is_file()
    with lock.only_one(url(tmp_path / "new" / "plotroom.db")):
        pass


@cases("database", "")
def test_what_is_no_file_is_not_held(database: str) -> None:
    with lock.only_one(database), lock.only_one(database):
        pass


def test_where_no_file_can_be_made_opening_the_database_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with lock.only_one(url(tmp_path / "file" / "plotroom.db")):
        assert (tmp_path / "file").read_text(encoding="utf-8") == ""


def test_a_database_is_held_under_every_name_that_it_has(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    (tmp_path / "elsewhere").mkdir()
    with lock.only_one(url(database)):
        pass
    symbolic, hard = tmp_path / "elsewhere" / "link.db", tmp_path / "elsewhere" / "hard.db"
    symbolic.symlink_to(database)
    hard.hardlink_to(database)
    for name in (symbolic, hard):
        with (
            lock.only_one(url(database)),
            pytest.raises(StoreUnavailable, match="Another Plotroom is running on this database"),
            lock.only_one(url(name)),
        ):
            pass
        with lock.only_one(url(name)):
            pass


def test_a_database_that_was_there_is_not_begun_anew(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    with lock.only_one(url(database)) as opened:
        opened()
    with lock.only_one(url(database)):
        pass
    database.rename(tmp_path / "away.db")
    gone = r"was here before and is gone; .* delete .*plotroom\.db\.lock"
    with pytest.raises(StoreUnavailable, match=gone), lock.only_one(url(database)):
        pass
    assert not database.exists()
    (tmp_path / "plotroom.db.lock").unlink()
    with lock.only_one(url(database)):
        assert database.exists()


def test_a_start_that_came_to_nothing_is_no_database_that_was_there(tmp_path: Path) -> None:
    database = tmp_path / "plotroom.db"
    with lock.only_one(url(database)):
        database.unlink()
    with lock.only_one(url(database)):
        pass


# --- backups of both kinds of database, and back into both: every row, or nothing -------------------------------------
KINDS = [SQLITE, POSTGRESQL]


async def rows(store: Store) -> dict[str, list[Any]]:
    """All that is kept, table by table."""
    async with store.read() as tx:
        found = {
            table.name: [tuple(row) for row in await tx.connection.execute(sa.select(table))]
            for table in Base.metadata.sorted_tables
        }
    return {name: sorted(kept, key=repr) for name, kept in found.items()}


async def played(url: str) -> tuple[Store, samples.Played]:
    """A database with a campaign under way, and posts that wait."""
    store, game = await open_store(url), samples.Played()
    await samples.founded(store, "runs")
    game.turn()
    async with store.write() as tx:
        await tx.journal.append("runs", game.transitions)
        await tx.outbox.put("runs", Post(place="public", content="ünicode ☕"), now=samples.NOON)
        await tx.installation.secret()
    return store, game


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("of", KINDS)
async def test_a_backup_made_while_the_bot_runs_is_put_back_whole(tmp_path: Path, of: str, to: str) -> None:
    url = database_url(tmp_path / "of", of)
    store, game = await played(url)
    before = await rows(store)
    file = tmp_path / "copy.db"
    assert await backup.back_up(url, file) == 1
    async with store.write() as tx:
        await tx.outbox.put("runs", Post(place="public", content="Too late for it."), now=samples.NOON)
    await store.close()
    assert sorted(path.name for path in file.parent.iterdir() if path.name.startswith(file.stem)) == ["copy.db"]

    other = database_url(tmp_path / "to", to)
    assert await backup.restore(other, file) == 1
    store = await open_store(other)
    assert await rows(store) == before
    async with store.write() as tx:  # and play goes on
        assert await tx.journal.entries("runs") == game.entries
        await tx.journal.append("runs", [game.remark("it goes on")])
        await tx.outbox.put("runs", Post(place="public", content="News."), now=samples.NOON)
    await store.close()


async def test_a_backup_is_not_put_over_campaigns_nor_over_a_file(tmp_path: Path) -> None:
    url = database_url(tmp_path, SQLITE)
    store, _ = await played(url)
    before = await rows(store)
    file = tmp_path / "copy.db"
    await backup.back_up(url, file)
    with pytest.raises(StoreUnavailable, match=r"copy\.db is there already; name a file that is not"):
        await backup.back_up(url, file)
    await store.close()
    with pytest.raises(StoreUnavailable, match="holds 1 campaigns already; a backup is restored into an empty one"):
        await backup.restore(url, file)
    store = await open_store(url)
    assert await rows(store) == before
    await store.close()


@cases("old, new, said", "")
async def test_a_backup_that_does_not_hold_changes_nothing(tmp_path: Path, old: str, new: str, said: str) -> None:
    url = database_url(tmp_path, SQLITE)
    store, _ = await played(url)
    async with store.write() as tx:
        other_side = sa.func.replace(JournalRow.entry, old, new)
        await tx.connection.execute(sa.update(JournalRow).where(JournalRow.seq == 2).values(entry=other_side))
    await backup.back_up(url, tmp_path / "copy.db")
    await store.close()
    other = database_url(tmp_path / "other", SQLITE)
    with pytest.raises(StoreUnavailable, match=f"The backup does not hold: campaign runs, {said}"):
        await backup.restore(other, tmp_path / "copy.db")
    store = await open_store(other)
    async with store.read() as tx:
        assert await tx.connection.scalar(sa.select(sa.func.count()).select_from(CampaignRow)) == 0
    await store.close()


@pytest.mark.parametrize("content", [b"no database at all, only some words of text", b""])
async def test_what_is_no_backup_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    url = database_url(tmp_path, SQLITE)
    with pytest.raises(StoreUnavailable, match=r"There is no file .*away\.db"):
        await backup.restore(url, tmp_path / "away.db")
    with pytest.raises(StoreUnavailable, match=r"There is no file .*plotroom\.db"):
        await backup.back_up(url, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    if content:
        (tmp_path / "text.db").write_bytes(content)
        with pytest.raises(StoreUnavailable, match="is damaged or is not a database"):
            await backup.restore(url, tmp_path / "text.db")
