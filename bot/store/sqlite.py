"""Opening an SQLite file. One bot a file is kept by :mod:`bot.store.lock`."""

import asyncio
import sqlite3
import time
from functools import partial
from pathlib import Path
from threading import Thread
from weakref import WeakSet

from sqlalchemy import Connection, event, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.store import migrations
from bot.store.engines import Engines
from bot.store.errors import StoreUnavailable, newer
from bot.store.sqlite_connection import WholeStatementConnection

BUSY_SECONDS = 10.0
"""How long a writer waits for another process that holds SQLite's write lock."""

_ENDING_SECONDS = 5.0
"""How long a closing database waits for the threads of its connections, all together."""

_DURABLE = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    # Who copies or looks at the file alone finds nearly everything in it: half a MiB at the most lies beside it.
    "PRAGMA wal_autocheckpoint = 128",
    "PRAGMA journal_size_limit = 524288",
)
_ONLY_READ = ("PRAGMA query_only = ON",)


def engines(url: URL) -> Engines:
    """The engines of the file that ``url`` names.

    Raises:
        StoreUnavailable: when it names none.
    """
    if not url.database or ":memory:" in url.database or url.query.get("mode") == "memory":
        raise StoreUnavailable(
            "A database in memory would lose the campaigns; name a file, e.g. sqlite+aiosqlite:///var/plotroom.db."
        )
    path = _path(url.database)
    threads = WeakSet[Thread]()
    return Engines(
        shown=str(path),
        writing=_engine(url, _DURABLE, threads),
        reading=_engine(url, _ONLY_READ, threads, begins="BEGIN"),
        explained=partial(_explained, path=path),
        is_there=_TheSameFile(path),
        why_lost=_gone(path),
        until_quiet=partial(_until_ended, threads),

    )


async def _until_ended(threads: WeakSet[Thread]) -> None:
    """Wait for the threads of connections that were closed. One whose work was broken off is told to end and not waited
    for, and would else look for an event loop that is closed by then."""
    until = time.monotonic() + _ENDING_SECONDS
    for thread in list(threads):
        if thread.is_alive():
            await asyncio.to_thread(thread.join, max(0.0, until - time.monotonic()))


class _TheSameFile:
    """Whether the file of that name is still the one that was opened: SQLite itself goes on writing to a file that was
    deleted, and all of it would be lost."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: tuple[int, int] | None = None

    def __call__(self) -> bool:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            return self._known is None
        except OSError:
            return True  # it cannot be looked at now, which is another matter
        is_new = self._known is None
        self._known = (found.st_dev, found.st_ino) if is_new else self._known
        return self._known == (found.st_dev, found.st_ino)


def _gone(path: Path) -> str:
    return (
        f"The database {path} was deleted or replaced while the bot was running, so nothing could be saved any more; "
        "the bot stops. Put the file back, or a backup of it, and start the bot again."
    )


async def prepare(opened: Engines) -> None:
    """Make the folder, check the file, and bring its schema up to date.

    Raises:
        StoreUnavailable: for a folder or file that is not what it should be; SQLite's own errors come as they are.
    """
    await asyncio.to_thread(_make_folder, Path(opened.shown))
    async with opened.writing.connect() as connection:
        if await connection.scalar(text("PRAGMA quick_check(1)")) != "ok":
            raise StoreUnavailable(_damaged(Path(opened.shown)))
        await connection.execute(text("PRAGMA user_version = 0"))  # a write: refused here if the file cannot be written
        await connection.rollback()
        await connection.run_sync(migrations.upgrade)
        await connection.commit()
    opened.is_there()  # from now on it is known by sight


def _path(database: str) -> Path:
    return Path(database.removeprefix("file:").partition("?")[0])


def _make_folder(path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The folder {path.parent} of the database cannot be made: {error.strerror}.") from error
    if path.is_dir():
        raise StoreUnavailable(f"The database {path} is a folder; name a file.")


def _engine(
    url: URL, pragmas: tuple[str, ...], threads: WeakSet[Thread], *, begins: str | None = None
) -> AsyncEngine:
    """Transactions are begun by us, not guessed by the driver: by whatever reads first, or before anything is written.

    Errors name no values: they could be orders.
    """
    engine = create_async_engine(
        url.set(drivername="sqlite+aiosqlite"),
        hide_parameters=True,
        connect_args={
            "timeout": BUSY_SECONDS,
            "async_creator_fn": partial(WholeStatementConnection, threads=threads, begins=begins),
        },
    )

    @event.listens_for(engine.sync_engine, "connect")
    def _configure(driver: DBAPIConnection, _record: object) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()
        driver.rollback()

    if begins is None:

        @event.listens_for(engine.sync_engine, "begin")
        def _begin(connection: Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")  # waits for SQLite's write lock

    return engine


def _explained(error: BaseException, path: Path) -> StoreUnavailable | None:
    """The host's sentence for what SQLite said; None if it is none of SQLite's."""
    if isinstance(error, migrations.TooNew):
        return newer(str(path), error.revision)
    cause = getattr(error, "orig", error)
    if not isinstance(cause, sqlite3.Error):
        return None
    sentences = {
        sqlite3.SQLITE_NOTADB: _damaged(path),
        sqlite3.SQLITE_CORRUPT: _damaged(path),
        sqlite3.SQLITE_READONLY: f"The database {path} cannot be written; give the bot's user the right to write it.",
        sqlite3.SQLITE_CANTOPEN: f"The database {path} cannot be opened; check its path and who may read it.",
        sqlite3.SQLITE_BUSY: f"The database {path} is being written by another program; stop that program first.",
        sqlite3.SQLITE_FULL: f"The disk of the database {path} is full.",
    }
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    return StoreUnavailable(sentences.get(code, f"The database {path} cannot be used: {cause}."))


def _damaged(path: Path) -> str:
    return f"The database {path} is damaged or is not a database; put a backup in its place. Nothing was changed."
