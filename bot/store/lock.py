"""One bot a database file: what it remembers of a campaign would not hold if another process wrote there too."""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from bot.store.errors import StoreUnavailable

if sys.platform == "win32":  # pragma: no cover: Windows alone has these locks, and the tests run on Linux
    import msvcrt

    def _take(file: int) -> None:
        """Lock a file's first byte, which need not be there. Raises OSError when another process has it."""
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        """Lock a file. Raises OSError when another process has it."""
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def only_one(database: str) -> Generator[None, None, None]:
    """Hold the database file of this URL while the bot runs. The system lets go of it when the process ends, however
    it does. A database on a server is held by the store itself (:mod:`bot.store.postgresql`).

    Raises:
        StoreUnavailable: when another process holds it.
    """
    file = _lock_file(database)
    if file is None:
        yield
        return
    try:
        try:
            _take(file)
        except OSError:
            raise StoreUnavailable(
                "Another Plotroom is running on this database; stop it first, or name another file with "
                "PLOTROOM_DATABASE."
            ) from None
        yield
    finally:
        os.close(file)


def _lock_file(database: str) -> int | None:
    """The file beside an SQLite database, opened; None where there can be none, which opening the database explains."""
    try:
        url = make_url(database)
    except ArgumentError:
        return None
    if url.get_backend_name() != "sqlite" or not url.database or ":memory:" in url.database:
        return None
    path = Path(f"{url.database.removeprefix('file:').partition('?')[0]}.lock")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None
