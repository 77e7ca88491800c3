"""The two engines of an open database: one that writes, through one connection, and one whose connections only read."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

from sqlalchemy.ext.asyncio import AsyncEngine

from bot.store.errors import StoreUnavailable


@dataclass(frozen=True)
class Engines:
    """``shown`` is the database as people may read of it; ``explained`` the host's sentence for an error of it, or None
    where it is another matter. ``lost`` is set when another process has the database, or its file is gone, as
    ``is_there`` tells: ``why_lost`` is then what the host reads."""

    shown: str
    writing: AsyncEngine
    reading: AsyncEngine
    explained: Callable[[BaseException], StoreUnavailable | None]
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    is_there: Callable[[], bool] = lambda: True
    why_lost: str = "Another Plotroom has taken this database over; this one stops."

    def sentence(self, error: BaseException) -> BaseException:
        """What to raise for an error: the host's sentence for it, or the error itself where there is none."""
        return self.explained(error) or error

    async def dispose(self) -> None:
        """Close every connection."""
        await self.reading.dispose()
        await self.writing.dispose()
