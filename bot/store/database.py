"""The database, SQLite or PostgreSQL, through SQLAlchemy's asynchronous engine: one writer at a time, many readers.

What differs between the two is how a database is opened and who may own it: :mod:`bot.store.sqlite` and
:mod:`bot.store.postgresql`. There is no fall-back to memory: a database that cannot be used raises
:class:`StoreUnavailable` with what to do.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot import faults
from bot.store import postgresql, sqlite
from bot.store.engines import Engines, is_away
from bot.store.errors import StoreUnavailable
from bot.store.transaction import Transaction

_T = TypeVar("_T")

LOOK_SECONDS = 3.0
"""How often it is looked whether the database is still there."""

Told = Callable[[Transaction], None]


class Store:
    """An open database.

    ``lost`` is set when the database belongs to another process now, or its file is gone, for good: this one must stop,
    and ``why_lost`` says why.
    """

    def __init__(self, engines: Engines) -> None:
        self.lost = engines.lost
        self.why_lost = engines.why_lost
        self._engines = engines
        self._one_writer = asyncio.Lock()
        self._tell: Told = _nobody

    @property
    def dialect(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engines.writing.dialect.name

    def tell_of_commits(self, tell: Told) -> None:
        """Have ``tell``, and nobody else, called with every transaction that was committed: it knows whom to wake."""
        self._tell = tell

    async def until_lost(self) -> None:
        """Return when the database is lost; looks every few seconds whether it is there."""
        while not self.lost.is_set():
            self._look()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.lost.wait(), LOOK_SECONDS)

    def _look(self) -> bool:
        """Whether the database is still there."""
        if not self._engines.is_there():
            self.lost.set()
        return not self.lost.is_set()

    @asynccontextmanager
    async def write(self, what: str = "write") -> AsyncGenerator[Transaction, None]:
        """One write transaction: committed durably when the block ends, rolled back when it raises.

        ``what`` names the crash points ``<what>.before_commit`` and ``<what>.after_commit``.

        Raises:
            StoreUnavailable: when the database cannot be had now, or (with ``lost`` set) never again.
        """
        async with self._one_writer:
            connection = self._engines.writing.connect()
            try:
                await _to_its_end(_begin(connection))
            except Exception as error:
                raise self._engines.sentence(error) from error.__cause__
            except asyncio.CancelledError:
                await _to_its_end(_give_back(connection))
                raise
            transaction = Transaction(connection)
            try:
                yield transaction
                faults.point(f"{what}.before_commit")
            except BaseException as error:
                await _to_its_end(_give_back(connection))
                if not is_away(error):
                    raise
                raise self._engines.sentence(error) from error.__cause__
            await _to_its_end(self._commit(transaction))
        faults.point(f"{what}.after_commit")

    async def _commit(self, transaction: Transaction) -> None:
        try:
            await transaction.connection.commit()
            if not self._look():  # it went into a file that nobody will find again
                raise StoreUnavailable(self.why_lost)
            self._tell(transaction)  # here, because the writer may have been cancelled meanwhile
        except Exception as error:
            if not is_away(error):
                raise
            raise self._engines.sentence(error) from error.__cause__
        finally:
            await _give_back(transaction.connection)

    @asynccontextmanager
    async def read(self) -> AsyncGenerator[Transaction, None]:
        """A consistent snapshot to read from.

        Raises:
            StoreUnavailable: when the database cannot be had now.
        """
        connection = self._engines.reading.connect()
        try:
            try:
                await _to_its_end(connection.start())
            except Exception as error:
                raise self._engines.sentence(error) from error.__cause__
            try:
                yield Transaction(connection)
            except Exception as error:
                if not is_away(error):
                    raise
                raise self._engines.sentence(error) from error.__cause__
        finally:
            await _to_its_end(_give_back(connection))

    async def close(self) -> None:
        """Wait for the writer and close everything. The store is of no use afterwards."""
        async with self._one_writer:
            await self._engines.dispose()


async def _begin(connection: AsyncConnection) -> None:
    try:
        await connection.start()
        await connection.begin().start()  # SQLite waits for its write lock here
    except BaseException:
        await _give_back(connection)
        raise


async def _give_back(connection: AsyncConnection) -> None:
    """Give a connection back to its pool, if it was made; what was not committed is taken back."""
    if connection.sync_connection is not None:
        await connection.close()


async def _to_its_end(work: Awaitable[_T]) -> _T:
    """Await something whole even if cancelled: a connection that is half made or half given back would be nobody's."""
    job = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(job)
    except asyncio.CancelledError:
        while not job.done():
            with contextlib.suppress(asyncio.CancelledError):  # whoever waits may be cancelled more than once
                await asyncio.wait([job])
        if not job.cancelled():
            job.exception()  # taken note of: being cancelled is what is told
        raise


def _nobody(_: Transaction) -> None:
    """Nobody waits for anything."""


async def open_store(url: str) -> Store:
    """Open the database at ``url``, migrated to this version of the code.

    Raises:
        StoreUnavailable: if it cannot be opened, cannot be written, is damaged, is another bot's, or is newer than
            the code; nothing was changed then, and nothing is left open.
    """
    engines = engines_of(url)
    try:
        await (sqlite if engines.writing.dialect.name == "sqlite" else postgresql).prepare(engines)
    except BaseException as error:
        await engines.dispose()
        raise engines.sentence(error) from error.__cause__
    return Store(engines)


def engines_of(url: str) -> Engines:
    """The engines of the database at ``url``; nothing is opened yet.

    Raises:
        StoreUnavailable: when it names none.
    """
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):  # the second for a port that is no number
        raise StoreUnavailable(
            "The database address is not an SQLAlchemy URL; it should look like sqlite+aiosqlite:///var/plotroom.db."
        ) from None
    if parsed.get_backend_name() != "sqlite":
        return postgresql.engines(parsed)
    if "?" in url and not {"uri", "mode"} & parsed.query.keys():  # what is behind it is not read: another file is made
        raise StoreUnavailable(
            "The path of an SQLite database cannot hold a question mark; name a file without one, "
            "e.g. sqlite+aiosqlite:///var/plotroom.db."
        )
    return sqlite.engines(parsed)
