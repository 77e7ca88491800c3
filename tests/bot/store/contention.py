"""Two who want the same database, and tasks that are cancelled at each of their awaits."""

import asyncio
import gc
import sqlite3
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import closing
from typing import Any

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


# --- cancelling a task at each of its awaits in turn: whatever holds must hold wherever somebody gives up -------------
class CancelledAt:
    """Work whose own task is cancelled where it waits for the ``first`` time (counted from 1), and at the next waits
    until it was cancelled ``times`` times. ``reached`` says whether it waited so often."""

    def __init__(self, work: Coroutine[Any, Any, None], first: int, times: int = 1) -> None:
        self._work = work
        self._when = range(first, first + times)
        self.reached = False

    def __await__(self) -> Generator[Any, Any, None]:
        waits = 0
        advance: Callable[[Any], Any] = self._work.send
        given: Any = None
        while True:
            try:
                awaited = advance(given)
            except StopIteration:
                return
            waits += 1
            if waits in self._when:
                self.reached = True
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            try:
                yield awaited
                advance, given = self._work.send, None
            except BaseException as error:
                advance, given = self._work.throw, error


async def at_each_await(
    work: Callable[[], Coroutine[Any, Any, None]], check: Callable[[], Awaitable[None]], *, times: int = 1
) -> int:
    """Do ``work`` again and again, cancelled at its first await, its second and so on, with a ``check`` after each;
    gives how many awaits it has."""
    gc.collect()  # connections that earlier tests left are closed by waiting: here, and not in the midst of the work
    number = 0
    while True:
        number += 1
        cancelled = CancelledAt(work(), number, times)

        async def run(job: CancelledAt = cancelled) -> None:
            await job

        outcome = (await asyncio.gather(asyncio.create_task(run()), return_exceptions=True))[0]
        assert outcome is None or isinstance(outcome, asyncio.CancelledError), outcome
        await check()
        if not cancelled.reached:
            return number - 1
