"""What SQLAlchemy makes of a statement is made once for a whole run of tests, and not anew for each test's database.

It is kept by the engine, of which each test that runs a bot opens two, and by the engine's own dialect. All engines of
files are set up alike, so their dialects are taken for one here. That is a sixth of the time of such a test.
"""

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects.sqlite.aiosqlite import SQLiteDialect_aiosqlite
from sqlalchemy.util import LRUCache

ROOM = 2_000

_compiled: LRUCache[object, object] = LRUCache(ROOM)


def _is_alike(left: object, right: object) -> bool:
    return type(left) is type(right)


SQLiteDialect_aiosqlite.__eq__ = _is_alike
SQLiteDialect_aiosqlite.__hash__ = lambda _: hash(SQLiteDialect_aiosqlite)


@event.listens_for(Engine, "engine_connect")
def _share(connection: Connection) -> None:
    if isinstance(connection.dialect, SQLiteDialect_aiosqlite):
        connection.engine._compiled_cache = _compiled
