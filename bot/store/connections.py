"""One open transaction, as code that reads and writes is given it, and prepared statements for what a click changes."""

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine import CursorResult, Dialect
from sqlalchemy.exc import DBAPIError

from bot.store.memory import ANY

_T = TypeVar("_T")

_Process = Callable[[Any], Any] | None


class Connection(Protocol):
    """What repositories are given: one open transaction. SQLAlchemy's ``AsyncConnection`` fits as it is."""

    async def execute(self, statement: Any, parameters: Any = None, /) -> CursorResult[Any]:
        """Run a Core statement; the result is already fetched and is read without ``await``."""
        ...

    async def scalar(self, statement: Any, parameters: Any = None, /) -> Any:
        """The first column of the first row, or ``None``."""
        ...

    async def run_sync(self, work: Callable[..., Any], /, *args: Any) -> Any:
        """Run ``work(sync_connection, *args)`` off the loop: for reads that fetch or decode much."""
        ...


class Inline:
    """A :class:`Connection` whose small statements run at once, on the loop."""

    __slots__ = ("_connection",)

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    async def execute(self, statement: Any, parameters: Any = None, /) -> CursorResult[Any]:
        return self._connection.execute(statement, parameters)

    async def scalar(self, statement: Any, parameters: Any = None, /) -> Any:
        return self._connection.scalar(statement, parameters)

    async def run_sync(self, work: Callable[..., Any], /, *args: Any) -> Any:
        return await finish(asyncio.get_running_loop().run_in_executor(None, work, self._connection, *args))


class Writing(Inline):
    """The writer's, which notes the tables that its statements touch."""

    __slots__ = ("_driver", "touched")

    def __init__(self, connection: sa.Connection, driver: sqlite3.Connection) -> None:
        super().__init__(connection)
        self._driver = driver
        self.touched: set[str] = set()

    async def execute(self, statement: Any, parameters: Any = None, /) -> CursorResult[Any]:
        self.touched |= touched_by(statement)
        return await super().execute(statement, parameters)

    async def scalar(self, statement: Any, parameters: Any = None, /) -> Any:
        self.touched |= touched_by(statement)
        return await super().scalar(statement, parameters)

    async def run_sync(self, work: Callable[..., Any], /, *args: Any) -> Any:
        self.touched.add(ANY)
        return await super().run_sync(work, *args)

    def quickly(self, prepared: "_Prepared", values: Mapping[str, Any]) -> None:
        """Run a prepared statement on the driver itself."""
        self.touched.add(prepared.table)
        try:
            self._driver.execute(prepared.sql, prepared.row(values))
        except sqlite3.Error as error:
            raise prepared.translated(error) from error

    @property
    def dialect(self) -> Dialect:
        """How the database is spoken to."""
        return self._connection.dialect


def touched_by(statement: Any) -> set[str]:
    """The table that a statement changes; any, where it does not say."""
    if getattr(statement, "is_dml", False):
        return {statement.table.name}
    return set() if getattr(statement, "is_select", False) else {ANY}


class Change:
    """An ``INSERT`` or ``UPDATE`` of one row, on the way from a click to its answer.

    SQLAlchemy looks each statement up, binds and wraps it each time, which takes ten times as long as SQLite takes to
    carry it out (120 µs to 10). So SQLite's writer is given the text and the values, both made from the same statement;
    any other connection is given the statement. An insert names every column of its table: no default is filled in.
    """

    def __init__(self, statement: "sa.Insert | sa.Update") -> None:
        self._statement = statement
        self._prepared: _Prepared | None = None

    async def make(self, conn: Connection, **values: Any) -> None:
        """Carry it out. Raises what SQLAlchemy does."""
        if not isinstance(conn, Writing):
            if self._statement.is_insert:
                values = {column.key: values[column.key] for column in self._statement.table.columns}
            await conn.execute(self._statement, values)
            return
        if self._prepared is None:
            self._prepared = _Prepared(self._statement, conn.dialect)
        conn.quickly(self._prepared, values)


class _Prepared:
    """A statement's text for one dialect, and how its values are put in order and translated."""

    def __init__(self, statement: "sa.Insert | sa.Update", dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        self.table: str = statement.table.name  # type: ignore[attr-defined]
        self._dialect = dialect
        names: list[str] = list(compiled.positiontup or ())  # type: ignore[attr-defined]
        self._columns = [(name, _process(compiled.binds[name], dialect)) for name in names]  # type: ignore[attr-defined]

    def row(self, values: Mapping[str, Any]) -> list[Any]:
        """The values in the statement's order, as the driver takes them."""
        return [values[name] if process is None else process(values[name]) for name, process in self._columns]

    def translated(self, error: sqlite3.Error) -> BaseException:
        """The driver's error as SQLAlchemy has it, without the values."""
        return DBAPIError.instance(self.sql, None, error, sqlite3.Error, hide_parameters=True, dialect=self._dialect)


def _process(bind: sa.BindParameter[Any], dialect: Dialect) -> _Process:
    return bind.type.dialect_impl(dialect).bind_processor(dialect)


async def finish(job: asyncio.Future[_T]) -> _T:
    """Await a thread's work to its end even if cancelled: it cannot be recalled, and it holds the connection."""
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        await asyncio.wait([job])
        raise
