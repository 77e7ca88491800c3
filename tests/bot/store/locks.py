"""Two who want the same PostgreSQL database."""

import asyncio

from sqlalchemy.engine import make_url

from bot.store.database import Store, open_store
from tests.databases import cluster

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


async def taken_over(address: str) -> Store:
    """A second store, to which the lock falls as the server ends the connection of the first."""
    opening = await waiting_for_the_lock(address)
    await sql(LOCKS.format("pg_terminate_backend(pid)", "granted"), database=make_url(address).database or "")
    return await opening
