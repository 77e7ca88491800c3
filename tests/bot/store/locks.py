"""Two who want the same database, and whether anybody still has it."""

import asyncio
import sqlite3
from contextlib import closing

from sqlalchemy.engine import make_url

from bot.store.database import Store, open_store
from tests.databases import cluster
from tests.patience import PATIENCE

LOCKS = (
    "SELECT {} FROM pg_locks WHERE locktype = 'advisory' AND {}"
    " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


async def sql(*statements: str, database: str = "postgres") -> str:
    """Carry statements out as the superuser."""
    return await asyncio.to_thread(cluster().sql, *statements, database=database)


async def waiting_for_the_lock(address: str) -> "asyncio.Task[Store]":
    """A second store, being opened."""
    opening = asyncio.create_task(open_store(address))
    while await sql(LOCKS.format("count(*)", "NOT granted"), database=make_url(address).database or "") == "0":
        assert not opening.done()
    return opening


async def until_one_waits(address: str) -> None:
    """Return when somebody waits on a server for what another has locked: a row that is being written, say."""
    waiting = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{make_url(address).database}'"
    async with asyncio.timeout(PATIENCE):
        while await sql(f"{waiting} AND wait_event_type = 'Lock'") == "0":
            pass


async def taken_over(address: str) -> Store:
    """A second store, to which the lock falls as the server ends the connection of the first."""
    opening = await waiting_for_the_lock(address)
    await sql(LOCKS.format("pg_terminate_backend(pid)", "granted"), database=make_url(address).database or "")
    return await opening


async def unlocked(address: str) -> None:
    """Check that nobody has the database open or locked any more."""
    url = make_url(address)
    if url.get_backend_name() == "sqlite":
        with closing(sqlite3.connect(str(url.database), isolation_level=None, timeout=0)) as other:
            other.execute("PRAGMA locking_mode = EXCLUSIVE")
            other.execute("BEGIN EXCLUSIVE")
        return
    theirs = f"SELECT count(*) FROM pg_stat_activity WHERE datname = '{url.database}'"
    async with asyncio.timeout(PATIENCE):  # a connection that was left behind never goes
        while await sql(theirs) != "0":  # the server takes a moment to see that a connection was closed
            pass
