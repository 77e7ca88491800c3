"""What was read from the database before, kept until one of the tables that it came from is written.

A click must know its campaign, its sheet and who pressed, and these rarely change. Every write transaction of the
store notes which tables its statements touched, so nobody has to remember what to forget. That holds where one process
owns the database, as it does an SQLite file; other stores keep nothing.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Hashable, Iterable
from typing import Any, TypeVar

_T = TypeVar("_T")

ANY = "*"
"""Stands for every table, where a statement does not say which it writes."""

MOST_KEPT = 4_000
"""Results kept; the least recently used is dropped first."""


class Memory:
    """Results of reading, each with the versions of its tables before it was read."""

    def __init__(self) -> None:
        self._versions: defaultdict[str, int] = defaultdict(int)
        self._kept: OrderedDict[Hashable, tuple[tuple[int, ...], Any]] = OrderedDict()

    def version(self, *tables: str) -> tuple[int, ...]:
        """How often each of these tables was written."""
        versions = self._versions
        return (versions[ANY], *[versions[table] for table in tables])

    def written(self, tables: Iterable[str]) -> None:
        """These tables were changed by a transaction that is committed now."""
        for table in tables:
            self._versions[table] += 1

    async def recall(self, key: Hashable, tables: tuple[str, ...], read: Callable[[], Awaitable[_T]]) -> _T:
        """What ``read`` gives, or gave when its tables stood as they do. The result is shared: nobody may change it.

        What raises is not kept.
        """
        version = self.version(*tables)
        known = self._kept.get(key)
        if known is not None and known[0] == version:
            self._kept.move_to_end(key)
            return known[1]
        result = await read()
        self._keep(key, version, result)
        return result

    def know(self, key: Hashable, tables: tuple[str, ...], result: Any) -> None:
        """Remember what reading would give now. Only right behind the transaction that made it so, before anything is
        awaited."""
        self._keep(key, self.version(*tables), result)

    def _keep(self, key: Hashable, version: tuple[int, ...], result: Any) -> None:
        self._kept[key] = (version, result)
        self._kept.move_to_end(key)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)


class Forgetful(Memory):
    """Keeps nothing: others may write the database too, so every table may have changed at every look."""

    def version(self, *tables: str) -> tuple[int, ...]:
        """A number that was never given before."""
        self._versions[ANY] += 1
        return (self._versions[ANY],)

    async def recall(self, key: Hashable, tables: tuple[str, ...], read: Callable[[], Awaitable[_T]]) -> _T:
        """What ``read`` gives."""
        return await read()

    def know(self, key: Hashable, tables: tuple[str, ...], result: Any) -> None:
        """Nothing is kept."""
