"""Where a commit to SQLite waits for the disk: on the loop while that is quick, else in the store's thread."""

import sqlite3
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from bot.store import engine
from bot.store.connections import Change
from bot.store.engine import QUICK_COMMIT_SECONDS, open_store
from bot.store.tables import SettingRow

QUICK, SLOW = QUICK_COMMIT_SECONDS / 2, QUICK_COMMIT_SECONDS * 2


class Disk:
    """The store's connection to its file, whose commits take as long as they are told, by a clock of their own."""

    def __init__(self, driver: sqlite3.Connection) -> None:
        self._driver = driver
        self._takes = 0.0
        self._now = 0.0
        self._on_loop: list[bool] = []

    def takes(self, seconds: float) -> None:
        self._takes = seconds

    def clock(self) -> float:
        return self._now

    def commit(self) -> None:
        self._on_loop.append(threading.current_thread() is threading.main_thread())
        self._driver.commit()
        self._now += self._takes

    def was_on_loop(self) -> bool:
        return self._on_loop[-1]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._driver, name)


async def test_one_slow_commit_sends_the_next_to_the_thread_and_one_quick_commit_brings_it_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(f"sqlite+aiosqlite:///{tmp_path / 'a.db'}")
    disk = Disk(store._driver)  # type: ignore[attr-defined]
    monkeypatch.setattr(store, "_driver", disk)
    monkeypatch.setattr(engine, "time", SimpleNamespace(perf_counter=disk.clock, monotonic=time.monotonic))
    note = Change(sa.insert(SettingRow.__table__))  # type: ignore[arg-type]
    seen: list[bool] = []
    for number, seconds in enumerate((QUICK, QUICK, SLOW, SLOW, QUICK, QUICK)):
        disk.takes(seconds)
        async with store.write() as conn:
            await note.make(conn, key=f"k{number}", value="v")
        seen.append(disk.was_on_loop())
    # The first is not trusted; the fourth and fifth follow a slow one.
    assert seen == [False, True, True, False, False, True]
    await store.close()
