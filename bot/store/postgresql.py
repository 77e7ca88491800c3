"""Opening a PostgreSQL database: one bot each, by a lock that lives and dies with the connection that writes.

All writing of a process goes through one connection, and that connection takes an advisory lock on the schema as it is
made. So the server itself sees to it that a process which lost its connection, and with it the lock, can write nothing
more: there is no moment at which two bots write. A lost connection is made again when it is next needed. If the lock
cannot be had then, another bot has taken over, and this one must stop (:attr:`Store.lost`).
"""

import contextlib
import secrets
from functools import partial
from typing import Any

from sqlalchemy import event, select, text
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection, DBAPICursor
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.store import migrations
from bot.store.addresses import server_address, shown
from bot.store.engines import Engines
from bot.store.errors import StoreUnavailable, newer
from bot.store.postgresql_trouble import explained
from bot.store.tables import Base

CONNECT_SECONDS = 10.0
"""How long the server may take to answer a new connection."""

COMMAND_SECONDS = 120.0
"""How long a statement may take; then its connection is given up. A migration of a long campaign is the slowest."""

LOCK_SECONDS = 5.0
"""How long a connection waits for the lock: a bot that has just been killed may not be gone yet for the server."""

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

_FACTS = (
    "SELECT current_schema() AS home, pg_is_in_recovery() AS replica, current_setting('fsync') AS fsync,"
    " current_setting('transaction_read_only') AS fixed, current_setting('server_encoding') AS encoding"
)


def engines(url: URL) -> Engines:
    """The engines of the database at ``url``.

    Raises:
        StoreUnavailable: when it is no PostgreSQL address, or the driver is not installed.
    """
    address = server_address(url)
    # By this name the server's administrator, and we ourselves, know the connection that writes.
    name = f"plotroom writer {secrets.token_hex(6)}"
    # Whatever the database is set to: what was told must have been kept.
    durable = {"application_name": name, "synchronous_commit": "on"}
    try:
        made = Engines(
            shown=shown(url),
            writing=_engine(address, durable, pool_size=1, max_overflow=0),
            reading=_engine(address, {"application_name": "plotroom reader", **_READING}),
            explained=partial(_explained, where=shown(url)),
        )
    except ModuleNotFoundError as error:
        raise StoreUnavailable(
            f"The database {shown(url)} needs the Python package {error.name}, not installed; "
            "pip install 'plotroom[postgres]' brings it."
        ) from error
    _own(made, name)
    return made


async def prepare(opened: Engines) -> None:
    """Check that the database can keep campaigns, and bring its schema up to date, in one transaction.

    Raises:
        StoreUnavailable: for a server or database that could lose or spoil campaigns; the driver's errors come as they
            are.
    """
    async with opened.writing.connect() as connection:
        await _check(connection, opened.shown)
        await connection.run_sync(migrations.upgrade)
        await _may_write(connection, opened.shown)
        await connection.commit()
    async with opened.reading.connect() as connection:
        await connection.execute(select(1))


def _engine(url: URL, settings: dict[str, str], **options: Any) -> AsyncEngine:
    """The server may have been restarted while a connection was idle: each is tried before it is given out. Errors name
    no values: they could be orders."""
    arguments = {
        "timeout": CONNECT_SECONDS,
        "command_timeout": COMMAND_SECONDS,
        "server_settings": {**_SETTINGS, **settings},
    }
    return create_async_engine(url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments, **options)


def _own(made: Engines, name: str) -> None:
    """Have every connection that writes hold the lock of its schema, which lasts as long as the connection does."""

    @event.listens_for(made.writing.sync_engine, "connect")
    def _take_the_lock(driver: DBAPIConnection, _record: object) -> None:
        cursor = driver.cursor()
        try:
            if _is_free(cursor, name):
                driver.commit()
                return
            made.lost.set()
            raise StoreUnavailable(
                f"Another Plotroom is running on the database {made.shown}; stop it first, or name another database "
                "with PLOTROOM_DATABASE."
            )
        except BaseException:
            with contextlib.suppress(Exception):  # it may be broken, which is what is told
                driver.close()
            raise


def _is_free(cursor: DBAPICursor, name: str) -> bool:
    """Wait for the lock; False if somebody else keeps it."""
    # What is left of an earlier connection of ours, where the server does not know yet that it broke, goes first.
    cursor.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        f" WHERE application_name = '{name}' AND usename = current_user AND pid <> pg_backend_pid()"
    )
    cursor.execute(f"SET lock_timeout = {int(LOCK_SECONDS * 1000)}")
    try:
        cursor.execute(
            f"SELECT pg_advisory_lock({_LOCK_CLASS}, oid::int) FROM pg_namespace WHERE nspname = current_schema()"
        )
    except Exception as error:
        if getattr(error, "sqlstate", "") == "55P03":  # lock_not_available
            return False
        raise
    cursor.execute("SET lock_timeout = 0")
    return True


async def _check(connection: AsyncConnection, where: str) -> None:
    """Refuse a server or database that could lose or spoil campaigns."""
    found = (await connection.execute(text(_FACTS))).mappings().one()
    if found["home"] is None:
        raise StoreUnavailable(f"The database {where} has no schema to work in; see its search_path.")
    if found["replica"] or found["fixed"] == "on":
        raise StoreUnavailable(f"The database {where} can only be read; name the server that is written.")
    if found["fsync"] == "off":
        raise StoreUnavailable(
            f"The server of the database {where} runs with fsync = off and could lose campaigns; turn it on."
        )
    if found["encoding"] != "UTF8":
        raise StoreUnavailable(
            f"The database {where} is encoded in {found['encoding']}; make one with ENCODING 'UTF8'."
        )


async def _may_write(connection: AsyncConnection, where: str) -> None:
    lacking = text(
        "SELECT name FROM unnest(CAST(:names AS text[])) AS name,"
        " unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS right_to"
        " WHERE NOT has_table_privilege(name, right_to) LIMIT 1"
    )
    table = await connection.scalar(lacking, {"names": sorted(Base.metadata.tables)})
    if table is not None:
        raise StoreUnavailable(
            f"The database {where} cannot be written: its user has no right to change the table {table}."
        )


def _explained(error: BaseException, where: str) -> StoreUnavailable | None:
    """The host's sentence for what the database said; None where it is another matter."""
    if isinstance(error, StoreUnavailable):
        return error
    return newer(where, error.revision) if isinstance(error, migrations.TooNew) else explained(error, where)
