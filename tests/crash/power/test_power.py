"""The power fails: what was not synced is lost or torn, and every acknowledged order is there all the same.

A kill leaves the operating system alive, which writes later what a process gave it; power loss does not.
"""

import os
import random
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from bot.store.database import open_store
from rules_engine.core.records.journal import JournalEntry, check_chain
from tests.bot.worlds.simulated_server import use_toy
from tests.bot.worlds.two_bots import Bot, sound
from tests.checkout import ROOT
from tests.crash.power.disk import Step, after_power_loss, steps_of
from tests.crash.power.subject import ACKNOWLEDGED
from tests.patience import PATIENCE

ORDERS = 60
CUTS = 150
DATABASE = ("plotroom.db", "plotroom.db-wal")
OPENED = 10
"""How many of the databases are opened by the bot itself, which replays the campaign."""


@pytest.fixture(scope="module")
def traced(tmp_path_factory: pytest.TempPathFactory) -> list[Step]:
    """All that the bot did to its files while orders were acknowledged."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None or sys.platform != "linux":
        pytest.skip("no C compiler here, or no Linux: writes cannot be traced")
    there = tmp_path_factory.mktemp("power")
    shim, trace, folder = there / "trace.so", there / "trace", there / "data"
    folder.mkdir()
    source = Path(__file__).with_name("trace.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, source, "-ldl", "-lpthread"], check=True)
    traced = {"LD_PRELOAD": str(shim), "PLOTROOM_TRACED": str(folder), "PLOTROOM_TRACE": str(trace)}
    command = [sys.executable, "-m", "tests.crash.power.subject", str(folder), str(ORDERS)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **traced}, timeout=PATIENCE)
    return steps_of(trace)


def acknowledged(steps: list[Step]) -> list[str]:
    """The receipts of the orders that were acknowledged within these steps."""
    return [step.data.decode().strip() for step in steps if step.name == ACKNOWLEDGED]


def left_in(folder: Path, steps: list[Step], chance: random.Random) -> Path:
    """The database as it is found after the power loss; what lies beside it and is made anew is gone."""
    files = after_power_loss(steps, chance)
    folder.mkdir(parents=True)
    for name in DATABASE:
        if name in files:
            (folder / name).write_bytes(files[name])
    return folder / DATABASE[0]


def journal_of(database: Path) -> list[JournalEntry]:
    """The entries that are found."""
    connection = sqlite3.connect(database)
    try:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [
            JournalEntry.model_validate_json(line)
            for (line,) in connection.execute("SELECT entry FROM journal ORDER BY seq")
        ]
    finally:
        connection.close()


def test_the_trace_holds_what_a_power_loss_needs(traced: list[Step]) -> None:
    assert len(acknowledged(traced)) == ORDERS
    for name in DATABASE:
        assert {"w", "s"} <= {step.what for step in traced if step.name == name}, name


def test_every_acknowledged_order_survives_the_loss_of_power(traced: list[Step], tmp_path: Path, fewer_seed: int):
    chance = random.Random(fewer_seed)
    first = next(number for number, step in enumerate(traced) if step.name == ACKNOWLEDGED)
    for cut in sorted(chance.choices(range(first, len(traced)), k=CUTS)):
        steps = traced[: cut + 1]
        entries = journal_of(left_in(tmp_path / str(chance.random()), steps, chance))
        check_chain(entries)
        known = {entry.receipt for entry in entries}
        missing = [receipt for receipt in acknowledged(steps) if receipt not in known]
        assert missing == [], f"cut after step {cut}"


async def test_the_bot_goes_on_after_the_loss_of_power(
    traced: list[Step], tmp_path: Path, fewer_seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_toy(monkeypatch)
    chance = random.Random(fewer_seed)
    first = next(number for number, step in enumerate(traced) if step.name == ACKNOWLEDGED)
    for number in range(OPENED):
        steps = traced[: chance.randrange(first, len(traced)) + 1]
        store = await open_store(f"sqlite+aiosqlite:///{left_in(tmp_path / str(number), steps, chance)}")
        bot = Bot(store)
        async with store.read() as tx:
            (campaign,) = await tx.campaigns.in_server(1)
        entries = await sound(campaign.id, bot)
        assert set(acknowledged(steps)) <= {entry.receipt for entry in entries}
        await store.close()


def test_without_syncing_orders_are_lost(traced: list[Step], tmp_path: Path) -> None:
    """The same, had nothing been synced: a test that could not fail would prove nothing."""
    careless = [step for step in traced if step.what != "s" or step.name != "plotroom.db-wal"]
    chance = random.Random(7)
    lost = 0
    for number in range(20):
        cut = chance.randrange(len(careless) // 2, len(careless))
        database = left_in(tmp_path / str(number), careless[:cut], chance)
        try:
            known = {entry.receipt for entry in journal_of(database)}
        except (sqlite3.DatabaseError, AssertionError):
            lost += 1
            continue
        lost += any(receipt not in known for receipt in acknowledged(careless[:cut]))
    assert lost >= 5
