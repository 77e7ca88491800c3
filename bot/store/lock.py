"""One bot a database file: what it remembers of a campaign would not hold if another process wrote there too."""

import os
import sys
from collections.abc import Callable, Generator
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


KNOWN = b"The database beside this file has been opened. If it is gone, it is not begun anew.\n"
"""What stands in the lock file once the database was there."""


@contextmanager
def only_one(database: str) -> Generator[Callable[[], None], None, None]:
    """Hold the database file of this URL while the bot runs, by whatever name. The system lets go of it when the
    process ends, however it does. A database on a server is held by the store itself (:mod:`bot.store.postgresql`).

    What it gives is to be called once the database is open.

    Raises:
        StoreUnavailable: when another process holds it, or it was there before and is gone.
    """
    path = _path(database)
    lock = None if path is None else _opened(Path(f"{path}.lock"))
    if path is None or lock is None:
        yield _nothing
        return
    files = [lock]
    try:
        _take_or_say(lock)
        if not path.exists() and os.fstat(lock).st_size:
            raise StoreUnavailable(
                f"The database {path} was here before and is gone; put it back, or a backup of it. To begin with an "
                f"empty one, delete {path}.lock."
            )
        if sys.platform != "win32" and not path.is_dir() and (file := _opened(path)) is not None:
            files.append(file)  # another name of the same file has another lock beside it
            _take_or_say(file)
        yield lambda: _note(lock)
    finally:
        for file in files:
            os.close(file)


def _take_or_say(file: int) -> None:
    try:
        _take(file)
    except OSError:
        raise StoreUnavailable(
            "Another Plotroom is running on this database; stop it first, or name another file with PLOTROOM_DATABASE."
        ) from None


def _path(database: str) -> Path | None:
    """The file of an SQLite database, behind any symbolic links; None for others."""
    try:
        url = make_url(database)
    except ArgumentError:
        return None
    if url.get_backend_name() != "sqlite" or not url.database or ":memory:" in url.database:
        return None
    return Path(os.path.realpath(url.database.removeprefix("file:").partition("?")[0]))


def _opened(path: Path) -> int | None:
    """The file, made if it is not there; None where there can be none, which opening the database explains."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return None


def _note(lock: int) -> None:
    """Remember that the database was there."""
    os.lseek(lock, 0, os.SEEK_SET)
    os.write(lock, KNOWN)


def _nothing() -> None:
    """Nothing is held, and nothing remembered."""
