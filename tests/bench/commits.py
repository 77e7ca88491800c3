"""The least that a durable receipt can cost: one small insert and one commit that has reached the disk."""

import sqlite3
import time
from pathlib import Path

BODY = "x" * 600
"""About as long as a journal entry."""


class BareCommits:
    """The standard library's sqlite3 with the settings of the store: WAL, ``synchronous=FULL``."""

    def __init__(self, path: Path) -> None:
        self._driver = sqlite3.connect(path, isolation_level=None)
        self._driver.execute("PRAGMA journal_mode = WAL")
        self._driver.execute("PRAGMA synchronous = FULL")
        self._driver.execute("CREATE TABLE journal (seq INTEGER PRIMARY KEY, entry TEXT NOT NULL)")

    def commit(self) -> int:
        """Insert one row and commit; nanoseconds."""
        start = time.monotonic_ns()
        self._driver.execute("BEGIN IMMEDIATE")
        self._driver.execute("INSERT INTO journal (entry) VALUES (?)", (BODY,))
        self._driver.execute("COMMIT")
        return time.monotonic_ns() - start

    def close(self) -> None:
        """Close the file."""
        self._driver.close()
