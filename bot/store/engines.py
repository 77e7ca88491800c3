"""The two engines of an open database: one that writes, through one connection, and one whose connections only read."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.errors import StoreUnavailable

_TROUBLE = frozenset({"08", "53", "57", "58"})
"""Classes of SQLSTATE that tell of the connection, of what the server lacks, of its being stopped, or of its disk."""


def is_away(error: BaseException) -> bool:
    """Whether an error in the midst of a transaction says that the database cannot be had; if not, a statement was
    wrong, or something else was. Nothing but the database is reached over a network within a transaction."""
    if isinstance(error, ConnectionError | TimeoutError):
        return True
    if not isinstance(error, DBAPIError):
        return False
    state = getattr(error.orig, "sqlstate", None) or ""
    return error.connection_invalidated or isinstance(error, OperationalError | InterfaceError) or state[:2] in _TROUBLE


async def _at_once() -> None:
    """Nothing is waited for."""


@dataclass(frozen=True)
class Engines:
    """``shown`` is the database as people may read of it; ``explained`` the host's sentence for an error of it, or None
    where it is another matter. ``lost`` is set when another process has the database, or its file is gone, as
    ``is_there`` tells: ``why_lost`` is then what the host reads. ``until_quiet`` returns when nothing of closed
    connections is at work any more."""

    shown: str
    writing: AsyncEngine
    reading: AsyncEngine
    explained: Callable[[BaseException], StoreUnavailable | None]
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    is_there: Callable[[], bool] = lambda: True
    why_lost: str = "Another Plotroom has taken this database over; this one stops."
    until_quiet: Callable[[], Awaitable[None]] = _at_once

    def sentence(self, error: BaseException) -> BaseException:
        """What to raise for an error: the host's sentence for it, or the error itself where there is none."""
        return self.explained(error) or error

    async def dispose(self) -> None:
        """Close every connection."""
        await self.reading.dispose()
        await self.writing.dispose()
        await self.until_quiet()
