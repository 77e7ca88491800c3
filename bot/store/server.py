"""PostgreSQL: one bot a database, kept by a lock that lives and dies with the connection that writes.

All writing of a process goes through one connection, as it does on SQLite, and that connection holds an advisory lock
on the schema. So the server itself sees to it that a process which lost its connection, and with it the lock, can
write nothing more: there is no moment at which two bots write. A lost connection is made again when it is next needed.
If the lock cannot be had then, another bot has taken over, and this one must stop (:attr:`Store.lost`). If it can,
somebody may have come and gone meanwhile, so whatever was remembered is forgotten (:attr:`Store.tenure`).

Reading has a pool of connections of its own, which can only read, each transaction from one snapshot.
"""

import asyncio
import contextlib
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, TypeVar, cast

import sqlalchemy as sa
from sqlalchemy.engine import URL, CursorResult
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import faults
from bot.store import migrations
from bot.store.addresses import server_address, shown
from bot.store.base import Store, StoreUnavailable, newer
from bot.store.connections import Connection, finish, touched_by
from bot.store.memory import ANY, Memory
from bot.store.server_trouble import explained, is_trouble
from bot.store.tables import Base

_T = TypeVar("_T")

CONNECT_SECONDS = 10.0
"""How long the server may take to answer a new connection."""

COMMAND_SECONDS = 120.0
"""How long a statement may take; then its connection is given up. A migration of a long campaign is the slowest."""

LOCK_SECONDS = 5.0
"""How long a connection waits for the lock: a bot that has just been killed may not be gone yet for the server."""

IDLE_SECONDS = 1.0
"""A writer that has been idle this long is tried before it is used: the server may have been restarted."""

_LOCK_CLASS = 0x506C6F74  # "Plot": keeps our locks apart from those of others in the same database

_SETTINGS = {
    "jit": "off",  # small statements, found by key
    "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "0",
    # A computer that vanished lets go of its lock within half a minute.
    "tcp_keepalives_idle": "15",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}
_READING = {"default_transaction_read_only": "on", "default_transaction_isolation": "repeatable read"}


class _ServerWriting:
    """A :class:`Connection` in the writer's transaction, which notes the tables that its statements touch.

    A statement runs to its end even if the caller is cancelled: breaking it off would cost the connection, and the
    lock with it.
    """

    __slots__ = ("_connection", "touched")

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection
        self.touched: set[str] = set()

    async def execute(self, statement: Any, parameters: Any = None, /) -> CursorResult[Any]:
        self.touched |= touched_by(statement)
        return await _to_its_end(self._connection.execute(statement, parameters))

    async def scalar(self, statement: Any, parameters: Any = None, /) -> Any:
        self.touched |= touched_by(statement)
        return await _to_its_end(self._connection.scalar(statement, parameters))

    async def run_sync(self, work: Any, /, *args: Any) -> Any:
        self.touched.add(ANY)
        return await _to_its_end(self._connection.run_sync(work, *args))


class ServerStore(Store):
    """An open PostgreSQL database: one writing connection with the lock, and a pool that reads."""

    dialect = "postgresql"

    def __init__(self, url: URL) -> None:
        # By this name the server's administrator, and we ourselves, know the connection that writes.
        self._name = f"plotroom writer {secrets.token_hex(6)}"
        self._shown = shown(url)
        self._writing = _engine(url, {"application_name": self._name}, poolclass=sa.NullPool)
        # The server may have been restarted while a reader was idle: each is tried before it is given out.
        self._reading = _engine(url, {"application_name": "plotroom reader", **_READING}, pool_pre_ping=True)
        self._writer: AsyncConnection | None = None
        self._driver: Any = None  # asyncpg's connection of the writer while it stands, as far as is known here
        self._used = 0.0
        self._regaining: asyncio.Task[None] | None = None
        self._lock = asyncio.Lock()
        self.memory = Memory()
        self.lost = asyncio.Event()

    async def open(self) -> None:
        """Connect, take the lock, and bring the schema up to date.

        Raises:
            StoreUnavailable: saying what is wrong; nothing was changed then, and nothing is left open.
        """
        try:
            self._writer = await self._with_lock()
            await self._migrate(self._writer)
            async with self._reading.connect() as reader:
                await reader.execute(sa.select(1))
        except BaseException as error:
            await self.close()
            self._explain(error)
            raise

    @asynccontextmanager
    async def write(self, what: str = "write") -> AsyncGenerator[Connection, None]:
        async with self._lock:
            writer = await self._holding()
            connection = _ServerWriting(writer)
            try:
                yield cast(Connection, connection)
                faults.point(f"{what}.before_commit")
                await _to_its_end(writer.commit())
            finally:
                # A commit that broke off may yet have happened; regaining the lock waits until that is settled.
                await self._roll_back(writer)
                self._used = time.monotonic()
                self.memory.written(connection.touched)
        faults.point(f"{what}.after_commit")

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Connection, None]:
        async with self._reading.connect() as connection:
            yield cast(Connection, connection)

    def glance(self) -> AbstractAsyncContextManager[Connection]:
        return self.read()

    async def close(self) -> None:
        if self._regaining is not None:
            self._regaining.cancel()
            await asyncio.wait([self._regaining])
        async with self._lock:
            await self._let_go()
            await self._reading.dispose()
            await self._writing.dispose()

    # --- the writer ------------------------------------------------------------------------------------------------

    async def _holding(self) -> AsyncConnection:
        """The writer, which holds the lock; made again if it was lost.

        Raises:
            StoreUnavailable: when it cannot be had now, or (with ``lost`` set) never again.
        """
        if self._writer is not None and await self._is_sound(self._writer):
            return self._writer
        await self._let_go()
        try:
            self._writer = await self._with_lock()
        except BaseException as error:
            self._explain(error)
            raise
        self.tenure += 1
        self.memory.written({ANY})
        return self._writer

    async def _is_sound(self, writer: AsyncConnection) -> bool:
        """Whether the writer's connection stands, as far as is known here, or as the server says after a while."""
        if self._driver is None or writer.closed or writer.invalidated:
            return False
        if time.monotonic() - self._used < IDLE_SECONDS:
            return True
        try:
            await _to_its_end(writer.execute(sa.select(1)))
        except Exception as error:
            if not is_trouble(error):
                raise
            return False
        return True

    def _on_end(self, driver: Any) -> None:
        """The writer's connection has ended, and not by us: find out at once who has the database now."""
        if driver is self._driver:
            self._driver = None
            self._regaining = asyncio.get_running_loop().create_task(self._regain(), name="database")

    async def _regain(self) -> None:
        async with self._lock:
            with contextlib.suppress(StoreUnavailable):  # the next write tries again, and says so
                await self._holding()

    async def _with_lock(self) -> AsyncConnection:
        """A new connection that holds the lock."""
        connection = await self._writing.connect()
        try:
            await self._check(connection)
            if not await self._take_lock(connection):
                raise StoreUnavailable(
                    f"Another Plotroom is running on the database {self._shown}; stop it first, or name another "
                    "database with PLOTROOM_DATABASE."
                )
            self._driver = (await connection.get_raw_connection()).driver_connection
            self._driver.add_termination_listener(self._on_end)
        except BaseException:
            await _drop(connection)
            raise
        return connection

    async def _take_lock(self, connection: AsyncConnection) -> bool:
        """Wait for the lock of this schema, which lasts as long as the connection."""
        # What is left of an earlier connection of ours, where the server does not know yet that it broke, goes first.
        ours = sa.text(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = :name AND usename = current_user AND pid <> pg_backend_pid()"
        )
        await connection.execute(ours, {"name": self._name})
        await connection.execute(sa.text(f"SET lock_timeout = {int(LOCK_SECONDS * 1000)}"))
        await connection.commit()
        lock = sa.text("SELECT pg_advisory_lock(:class, oid::int) FROM pg_namespace WHERE nspname = current_schema()")
        try:
            await connection.execute(lock, {"class": _LOCK_CLASS})
        except SQLAlchemyError as error:
            if getattr(getattr(error, "orig", None), "sqlstate", "") != "55P03":  # lock_not_available
                raise
            self.lost.set()
            return False
        await connection.execute(sa.text("SET lock_timeout = 0"))
        await connection.commit()
        return True

    async def _check(self, connection: AsyncConnection) -> None:
        """Refuse a server or database that could lose or spoil campaigns."""
        facts = sa.text(
            "SELECT current_schema() AS home, pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,"
            " current_setting('synchronous_commit') AS commits, current_setting('transaction_read_only') AS fixed,"
            " current_setting('server_encoding') AS encoding"
        )
        found = (await connection.execute(facts)).mappings().one()
        if found["home"] is None:
            raise StoreUnavailable(f"The database {self._shown} has no schema to work in; see its search_path.")
        if found["replica"] or found["fixed"] == "on":
            raise StoreUnavailable(f"The database {self._shown} can only be read; name the server that is written.")
        if found["fsync"] == "off":
            raise StoreUnavailable(
                f"The server of the database {self._shown} runs with fsync = off and could lose campaigns; turn it on."
            )
        if found["encoding"] != "UTF8":
            raise StoreUnavailable(
                f"The database {self._shown} is encoded in {found['encoding']}; make one with ENCODING 'UTF8'."
            )
        if found["commits"] == "off":
            await connection.execute(sa.text("SET synchronous_commit = on"))
        await connection.commit()

    async def _migrate(self, connection: AsyncConnection) -> None:
        """Bring the schema up to date in one transaction, and see that it may be written."""
        await connection.run_sync(migrations.upgrade)
        lacking = sa.text(
            "SELECT name FROM unnest(CAST(:names AS text[])) AS name,"
            " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS right_to"
            " WHERE NOT has_table_privilege(name, right_to) LIMIT 1"
        )
        table = await connection.scalar(lacking, {"names": sorted(Base.metadata.tables)})
        if table is not None:
            raise StoreUnavailable(
                f"The database {self._shown} cannot be written: its user has no right to change the table {table}."
            )
        await connection.commit()

    async def _roll_back(self, writer: AsyncConnection) -> None:
        """Take back what was not committed, if anything; a connection that cannot is given up."""
        try:
            await _to_its_end(writer.rollback())
        except Exception as error:
            if not is_trouble(error):
                raise
            await self._let_go()

    async def _let_go(self) -> None:
        """Close the writer, and with it let go of the lock."""
        writer, self._writer, self._driver = self._writer, None, None
        if writer is not None:
            await _drop(writer)

    def _explain(self, error: BaseException) -> None:
        """Raise the host's sentence for what the database said; do nothing about any other error."""
        if isinstance(error, migrations.TooNew):
            raise newer(self._shown, error.revision) from error
        sentence = explained(error, self._shown)
        if sentence is not None:
            raise sentence from error


async def open_server(url: URL) -> Store:
    """Open the PostgreSQL database at ``url``, migrated to this version of the code.

    Raises:
        StoreUnavailable: with one line for the host.
    """
    address = server_address(url)
    try:
        store = ServerStore(address)
    except ModuleNotFoundError as error:
        raise StoreUnavailable(
            f"The database {shown(url)} needs the Python package {error.name}, not installed; "
            "pip install 'plotroom[postgres]' brings it."
        ) from error
    await store.open()
    return store


def _engine(url: URL, settings: dict[str, str], **options: Any) -> AsyncEngine:
    """Errors name no values: they could be orders."""
    arguments = {
        "timeout": CONNECT_SECONDS,
        "command_timeout": COMMAND_SECONDS,
        "server_settings": {**_SETTINGS, **settings},
    }
    return create_async_engine(url, hide_parameters=True, connect_args=arguments, **options)


async def _drop(connection: AsyncConnection) -> None:
    """Close a connection for good, whatever state it is in."""
    with contextlib.suppress(SQLAlchemyError, OSError):
        await _to_its_end(connection.invalidate())
    with contextlib.suppress(SQLAlchemyError, OSError):
        await _to_its_end(connection.close())


async def _to_its_end(work: Awaitable[_T]) -> _T:
    return await finish(asyncio.ensure_future(work))
