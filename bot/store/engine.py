"""Opening the database, and reading and writing an SQLite file: one writer at a time, any number of readers.

PostgreSQL's are in :mod:`bot.store.server`. Reading goes through SQLAlchemy's ``AsyncEngine`` on both.

**Why SQLite's writer, and the glance, are not behind an ``AsyncConnection``.** They stand between a click and its
answer. Measured on two cores and ext4, five small inserts and a commit: a bare ``sqlite3`` commit takes 0.45 ms; the
same through ``AsyncConnection`` and aiosqlite 4.3 ms, since every statement crosses to a thread and back several times;
Core statements executed on the loop, with only the commit handed to a thread, 0.8-1.1 ms. A small statement on SQLite
in WAL mode works in memory (about 60 µs) and waits for nothing; what may wait is another process's lock and the disk.
So on that path statements run where they are called, and taking the write lock waits without blocking. The fsync is a
thread's, unless this disk has just shown that it is quicker than handing over. All three offer the same
:class:`Connection`. What a click changes is given to the driver itself (:class:`bot.store.connections.Change`).

There is no fall-back to memory: a database that cannot be used raises :class:`StoreUnavailable` with what to do.
"""

import asyncio
import sqlite3
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot import faults
from bot.store import migrations
from bot.store.base import Store, StoreUnavailable, newer
from bot.store.connections import Connection, Inline, Writing, finish
from bot.store.memory import Memory
from bot.store.server import open_server

BUSY_SECONDS = 10.0
"""How long a writer waits for another process that holds SQLite's write lock."""

QUICK_COMMIT_SECONDS = 0.005
"""A commit that took less lets the next one be made on the loop; a slower one sends the next back to the thread."""


class _SqliteStore(Store):
    """One dedicated writer connection, pooled readers on aiosqlite, and connections for a glance."""

    dialect = "sqlite"

    def __init__(self, engine: sa.Engine, reading: AsyncEngine) -> None:
        self._engine = engine
        self._reading = reading
        self._writer = engine.connect()
        self._driver = _driver(self._writer)
        self._lock = asyncio.Lock()
        self.memory = Memory()
        self.lost = asyncio.Event()
        self._disk = ThreadPoolExecutor(1, thread_name_prefix="store")
        self._commit_took = QUICK_COMMIT_SECONDS

    @asynccontextmanager
    async def write(self, what: str = "write") -> AsyncGenerator[Connection, None]:
        async with self._lock:
            await self._take_write_lock()
            connection = Writing(self._writer, self._driver)
            try:
                yield connection
                faults.point(f"{what}.before_commit")
                await self._commit()
            finally:
                self._roll_back()
                self.memory.written(connection.touched)
        faults.point(f"{what}.after_commit")

    async def _commit(self) -> None:
        """Make it durable, on the loop while the disk is quick, else in the thread."""
        # SQLAlchemy takes part from its first statement on; what a click changes goes to the driver directly.
        commit = self._writer.commit if self._writer.in_transaction() else self._driver.commit
        if self._commit_took < QUICK_COMMIT_SECONDS:
            self._timed(commit)
        else:
            await finish(asyncio.get_running_loop().run_in_executor(self._disk, self._timed, commit))

    def _timed(self, commit: Callable[[], None]) -> None:
        """Commit, and note how long the disk took; being handed to the thread and back does not count."""
        began = time.perf_counter()
        commit()
        self._commit_took = time.perf_counter() - began

    def _roll_back(self) -> None:
        """Take back what was not committed, if anything."""
        if self._writer.in_transaction():
            self._writer.rollback()
        if self._driver.in_transaction:
            self._driver.rollback()

    async def _take_write_lock(self) -> None:
        """``BEGIN IMMEDIATE``, waiting (without blocking the loop) while another process writes."""
        give_up = time.monotonic() + BUSY_SECONDS
        while True:
            try:
                self._driver.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                if not _is_busy(error) or time.monotonic() > give_up:
                    raise
                await asyncio.sleep(0.01)

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Connection, None]:
        async with self._reading.connect() as connection:
            yield cast(Connection, connection)

    @asynccontextmanager
    async def glance(self) -> AsyncGenerator[Connection, None]:
        with self._engine.connect() as connection:
            yield Inline(connection)

    async def close(self) -> None:
        async with self._lock:
            await self._reading.dispose()
            self._writer.close()
            self._engine.dispose()
            self._disk.shutdown()


async def open_store(url: str) -> Store:
    """Open the database at ``url``, migrated to this version of the code.

    Raises :class:`StoreUnavailable` if it cannot be opened, cannot be written, is damaged, or is newer than the code.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        raise StoreUnavailable(
            "The database address is not an SQLAlchemy URL; it should look like sqlite+aiosqlite:///var/plotroom.db."
        ) from None
    if parsed.get_backend_name() == "sqlite":
        return await _open_sqlite(parsed)
    return await open_server(parsed)


async def _open_sqlite(url: URL) -> Store:
    if not url.database or ":memory:" in url.database or url.query.get("mode") == "memory":
        raise StoreUnavailable(
            "A database in memory would lose the campaigns; name a file, e.g. sqlite+aiosqlite:///var/plotroom.db."
        )
    engine = await asyncio.to_thread(_prepare_sqlite, url)
    return _SqliteStore(engine, _reading_engine(url))


def _prepare_sqlite(url: URL) -> sa.Engine:
    """Blocking: make the folder, check the file, migrate it. Gives the engine."""
    name = cast(str, url.database)
    path = Path(name.removeprefix("file:").partition("?")[0])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"The folder {path.parent} of the database cannot be made: {error.strerror}.") from error
    if path.is_dir():
        raise StoreUnavailable(f"The database {path} is a folder; name a file.")
    engine = _sqlite_engine(url)
    try:
        with engine.connect() as connection:
            driver = _driver(connection)
            driver.execute("PRAGMA journal_mode = WAL")
            damage = driver.execute("PRAGMA quick_check(1)").fetchone()[0]
            if damage != "ok":
                raise StoreUnavailable(_damaged(path))
            driver.execute("BEGIN IMMEDIATE")
            driver.execute("PRAGMA user_version = 0")  # a write: refused here if the file cannot be written
            driver.execute("ROLLBACK")
            migrations.upgrade(connection)
            connection.commit()
    except BaseException as error:
        engine.dispose()
        sentence = _explained(error, path)
        if sentence is None:
            raise
        raise sentence from error
    return engine


def _sqlite_engine(url: URL) -> sa.Engine:
    """Core on the standard library's driver; transactions are begun by us, not guessed by the driver."""
    engine = sa.create_engine(
        url.set(drivername="sqlite+pysqlite"),
        poolclass=sa.QueuePool,
        max_overflow=-1,  # a reader must never wait for another one: it would block the loop
        connect_args={"check_same_thread": False, "timeout": 0, "isolation_level": None},
    )

    @event.listens_for(engine, "connect")
    def _configure(driver: sqlite3.Connection, _record: object) -> None:
        driver.isolation_level = None
        driver.execute("PRAGMA synchronous = FULL")
        driver.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        driver = _driver(connection)
        if not driver.in_transaction:  # the writer has begun already, IMMEDIATE
            driver.execute("BEGIN")

    return engine


def _reading_engine(url: URL) -> AsyncEngine:
    """Readers on aiosqlite; they cannot write."""
    engine = create_async_engine(url.set(drivername="sqlite+aiosqlite"))

    @event.listens_for(engine.sync_engine, "connect")
    def _only_read(driver: Any, _record: object) -> None:
        driver.isolation_level = None
        cursor = driver.cursor()
        cursor.execute("PRAGMA query_only = ON")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def _begin(connection: sa.Connection) -> None:
        connection.exec_driver_sql("BEGIN")  # the driver begins only for writes, and would read without a snapshot

    return engine


def _driver(connection: sa.Connection) -> sqlite3.Connection:
    return cast(sqlite3.Connection, connection.connection.dbapi_connection)


def _is_busy(error: sqlite3.Error) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}


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
