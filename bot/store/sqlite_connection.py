"""aiosqlite's connection with one trip to its thread a statement, where its own cursors make four.

Each trip waits twice for a scheduler: until the connection's thread wakes, and until the event loop does. A click asks
the database several things, and would spend most of its time on such waits.
"""

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Thread
from typing import Any
from weakref import WeakSet

import aiosqlite
from aiosqlite.context import contextmanager

_FETCHED_AT_ONCE = 64


@dataclass(frozen=True)
class _Outcome:
    """What a statement gave, in the words of Python's database interface (PEP 249)."""

    description: Any
    """A tuple of tuples, or None for what gives no rows."""
    rowcount: int
    lastrowid: int | None
    rows: Sequence[Any]


class WholeStatementConnection(aiosqlite.Connection):
    """A connection that begins, carries out and fetches a statement in one go.

    ``begins``, where it is given, opens the transaction of whatever is carried out first, so that a snapshot costs no
    trip of its own. Its thread is noted among the ``threads`` of the database.
    """

    def __init__(
        self, database: str, *, threads: WeakSet[Thread], begins: str | None = None, **options: Any
    ) -> None:
        super().__init__(partial(sqlite3.connect, database, **options), _FETCHED_AT_ONCE)
        self._begins = begins
        self._thread.daemon = True  # a process that stops does not wait for it
        threads.add(self._thread)

    @contextmanager
    async def cursor(self) -> aiosqlite.Cursor:
        """A cursor, of which the thread knows nothing until something is carried out."""
        return WholeStatementCursor(self)

    async def rollback(self) -> None:
        """Take back what was not committed. Nobody waits for a snapshot to be let go, or where nothing is left."""
        if self._begins is not None:
            self._tx.put_nowait((None, self._conn.rollback))  # pyright: ignore[reportUnknownMemberType]
        elif self.in_transaction:
            await super().rollback()

    async def carry_out(self, way: "_Way", sql: str, parameters: Iterable[Any]) -> _Outcome:
        """Carry a statement out in the connection's thread."""
        return await self._execute(self._carry_out, way, sql, parameters)  # pyright: ignore[reportUnknownMemberType]

    def _carry_out(self, way: "_Way", sql: str, parameters: Iterable[Any]) -> _Outcome:
        if self._begins and not self._conn.in_transaction:
            self._conn.execute(self._begins)
        cursor = self._conn.cursor()
        try:
            way(cursor, sql, parameters)
            return _Outcome(cursor.description, cursor.rowcount, cursor.lastrowid, cursor.fetchall())
        finally:
            cursor.close()


class WholeStatementCursor(aiosqlite.Cursor):
    """What the last statement gave; nothing of it is left in the connection's thread."""

    def __init__(self, connection: WholeStatementConnection) -> None:
        self._whole = connection
        self._outcome = _Outcome(None, -1, None, ())

    async def execute(self, sql: str, parameters: Iterable[Any] | None = None) -> "WholeStatementCursor":
        """Carry out a statement and fetch what it gives."""
        self._outcome = await self._whole.carry_out(sqlite3.Cursor.execute, sql, parameters or ())
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> "WholeStatementCursor":
        """Carry out a statement for each of many sets of parameters."""
        self._outcome = await self._whole.carry_out(sqlite3.Cursor.executemany, sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """The rows, which are here already."""
        return self._outcome.rows

    async def close(self) -> None:
        """Nothing is left to be closed."""

    @property
    def description(self) -> Any:
        """The columns of the rows."""
        return self._outcome.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._outcome.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The number of the row inserted last."""
        return self._outcome.lastrowid


_Way = Callable[[sqlite3.Cursor, str, Any], object]
