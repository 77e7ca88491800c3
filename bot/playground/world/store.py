"""The playground's file: every record as a JSON row in SQLite, one transaction for each acknowledged change.

WAL with `synchronous=NORMAL`: a commit reaches the operating system before anything is acknowledged, so that killing
the process loses nothing. (A power cut can lose the last commits, which is acceptable here.)
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from bot.playground.world.model import RECORDS, StoredRecord

_SCHEMA = """
CREATE TABLE IF NOT EXISTS record (
    kind TEXT NOT NULL, key TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bytes (id TEXT PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

SCHEMA_VERSION = 1


class StoreError(Exception):
    """The state file cannot be used; the text says why and what to do."""


class Store:
    """Write-through storage; changes collect in memory until `commit`."""

    def __init__(self, path: Path | None) -> None:
        try:
            self._db = sqlite3.connect(":memory:" if path is None else str(path), isolation_level=None, timeout=1.0)
            # Only one playground may use a file: a second one fails when it starts.
            self._db.execute("PRAGMA locking_mode=EXCLUSIVE")
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            self._db.executescript(_SCHEMA)
            version = int(self.meta("schema") or SCHEMA_VERSION)
            self._db.execute("INSERT OR REPLACE INTO meta VALUES ('schema', ?)", (str(version),))
        except sqlite3.DatabaseError as error:
            raise StoreError(f"cannot open the playground's state {path}: {error}") from error
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{path} has schema {version}, this playground reads {SCHEMA_VERSION}: start with a new file"
            )
        self._changed: dict[tuple[str, str], StoredRecord | None] = {}
        self._meta: dict[str, str] = {}
        self._bytes: dict[str, bytes] = {}

    def records(self) -> Iterator[StoredRecord]:
        """Every stored record; messages in the order of their ids."""
        rows = self._db.execute("SELECT kind, body FROM record ORDER BY kind, length(key), key")
        for kind, body in rows:
            yield RECORDS[kind].load(body)

    def put(self, record: StoredRecord) -> None:
        self._changed[record.kind, record.key] = record

    def drop(self, record: StoredRecord) -> None:
        self._changed[record.kind, record.key] = None

    def meta(self, name: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return None if row is None else row[0]

    def set_meta(self, name: str, value: str) -> None:
        self._meta[name] = value

    def put_bytes(self, blob_id: str, data: bytes) -> None:
        self._bytes[blob_id] = data

    def bytes_of(self, blob_id: str) -> bytes | None:
        if blob_id in self._bytes:
            return self._bytes[blob_id]
        row = self._db.execute("SELECT data FROM bytes WHERE id = ?", (blob_id,)).fetchone()
        return None if row is None else row[0]

    @property
    def dirty(self) -> bool:
        return bool(self._changed or self._bytes)

    def commit(self) -> None:
        """Write all that changed in one transaction."""
        db = self._db
        db.execute("BEGIN")
        try:
            for (kind, key), record in self._changed.items():
                if record is None:
                    db.execute("DELETE FROM record WHERE kind = ? AND key = ?", (kind, key))
                else:
                    db.execute("INSERT OR REPLACE INTO record VALUES (?, ?, ?)", (kind, key, record.dump()))
            for blob_id, data in self._bytes.items():
                db.execute("INSERT OR REPLACE INTO bytes VALUES (?, ?)", (blob_id, data))
            for name, value in self._meta.items():
                db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (name, value))
        except BaseException:
            db.execute("ROLLBACK")
            raise
        db.execute("COMMIT")
        self._changed.clear()
        self._bytes.clear()
        self._meta.clear()

    def close(self) -> None:
        if self.dirty or self._meta:
            self.commit()
        self._db.close()
