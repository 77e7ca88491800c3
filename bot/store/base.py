"""What every database offers, whichever it is."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager

from bot.store.connections import Connection
from bot.store.memory import Memory


class StoreUnavailable(Exception):
    """The database cannot be used. The message is one line for the host: what is wrong and what to do."""


class Store(ABC):
    """An open database. Transactions of one process never see "database is locked"."""

    dialect: str
    memory: Memory
    """What was read before and still stands."""

    tenure: int = 0
    """Rises when another process may have written meanwhile: what was made of rows read before no longer counts."""

    lost: asyncio.Event
    """Set when the database belongs to another process now, for good: this one must stop."""

    @abstractmethod
    def write(self, what: str = "write") -> AbstractAsyncContextManager[Connection]:
        """One write transaction: committed durably when the block ends, rolled back when it raises.

        ``what`` names the crash points ``<what>.before_commit`` and ``<what>.after_commit``.
        """

    @abstractmethod
    def read(self) -> AbstractAsyncContextManager[Connection]:
        """A consistent snapshot to read from, off the loop."""

    @abstractmethod
    def glance(self) -> AbstractAsyncContextManager[Connection]:
        """A consistent snapshot for a few rows found by key, at the least delay: what a click must know."""

    @abstractmethod
    async def close(self) -> None:
        """Wait for the writer and close everything. The store is of no use afterwards."""


def newer(where: str, revision: str) -> StoreUnavailable:
    """What is said of a database at a revision that this code does not know."""
    return StoreUnavailable(
        f"The database {where} was written by a newer Plotroom (schema {revision}); "
        "install that version again. Nothing was changed."
    )
