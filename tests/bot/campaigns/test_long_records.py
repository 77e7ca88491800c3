"""Of a campaign's record only the end is read to play on, however long it is; a rewind reads from the turn before."""

import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, event, select, update

from bot import client
from bot.campaigns import loaded
from bot.campaigns.loaded import Halted
from bot.referee import rewinding
from bot.store.database import open_store
from bot.store.tables import JournalRow, SnapshotRow
from rules_engine.core.running.replay import replay, resumed, rewind
from tests.bot.worlds.simulated_server import SimulatedServer, use_toy
from tests.bot.worlds.two_bots import ANN, RITA, Bot
from tests.databases import DEFAULT, SQLITE, prepared_url
from tests.toy import RULEBOOK


@pytest.fixture
async def bot(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bot]:
    """A bot with campaigns of the toy rulebook."""
    use_toy(monkeypatch)
    store = await open_store(prepared_url(tmp_path))
    yield Bot(store)
    await store.close()


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The entries of a record that each load was given, by their numbers."""
    given: list[list[int]] = []

    def noted(book: Any, entries: Any, *words: Any, **others: Any) -> object:
        given.append([entry.seq for entry in entries])
        return resumed(book, entries, *words, **others)

    monkeypatch.setattr(loaded, "resumed", noted)
    return given


async def test_load_reads_the_genesis_and_what_follows_the_last_snapshot(bot: Bot, read: list[list[int]]) -> None:
    campaign = await bot.begin()
    for _ in range(2):
        await bot.play_turn(campaign)
    await bot.name(await bot.token(campaign, ANN), ANN, 7)
    entries = await bot.entries(campaign)
    async with bot.store.read() as tx:
        snapshot = await tx.journal.latest_snapshot(campaign)
    assert snapshot is not None
    bot.loaded.evict(campaign)
    async with bot.loaded.use(campaign) as adjudicator:
        assert adjudicator.checkpoint() == replay(RULEBOOK, entries, await seed_of(bot, campaign)).checkpoint()
    assert read == [[1, *range(snapshot.seq, len(entries) + 1)]]
    assert snapshot.seq > 5


@pytest.mark.skipif(DEFAULT != SQLITE, reason="asks SQLite how it finds rows")
async def test_load_finds_each_row_by_an_index(bot: Bot) -> None:
    campaign = await bot.begin()
    await bot.play_turn(campaign)
    asked: list[tuple[str, Any]] = []
    engine = bot.store._engines.reading.sync_engine

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_others: Any) -> None:
        asked.append((statement, parameters))

    bot.loaded.evict(campaign)
    event.listen(engine, "before_cursor_execute", note)
    async with bot.loaded.use(campaign):
        event.remove(engine, "before_cursor_execute", note)
    assert {"journal", "snapshot", "campaign"} <= {word for statement, _ in asked for word in statement.split()}
    async with bot.store.read() as tx:
        for statement, parameters in asked:
            plan = await tx.connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            steps = [row[3] for row in plan]
            assert not any(step.startswith("SCAN") or "TEMP B-TREE" in step for step in steps), (statement, steps)


async def test_load_imports_the_rules_in_a_thread(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = await bot.begin()
    threads: list[threading.Thread] = []
    usual = loaded.rulebooks.rulebook

    def noted(key: str) -> Any:
        threads.append(threading.current_thread())
        return usual(key)

    monkeypatch.setattr(loaded.rulebooks, "rulebook", noted)
    bot.loaded.evict(campaign)
    async with bot.loaded.use(campaign):
        pass
    assert threads
    assert threading.main_thread() not in threads


async def test_start_imports_the_rules_of_campaigns_that_are_not_over(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await here.found()
    given: list[list[str]] = []
    monkeypatch.setattr(client, "import_rules", given.append)
    await here.restart()
    await here.bot.services.seats.founding.cancel(campaign, user_id=here.rita.user.id)
    await here.restart()
    assert given == [["toy"], []]


async def test_load_reads_rewinds_besides_however_long_ago_they_were(bot: Bot, read: list[list[int]]) -> None:
    campaign = await bot.begin()
    await bot.remark(campaign)
    back = len(await bot.entries(campaign))
    await bot.name(await bot.token(campaign, ANN), ANN, 3)
    await bot.services.referee.rewinding.rewind(campaign, RITA, back, "a slip")
    rewound = len(await bot.entries(campaign))
    for _ in range(2):
        await bot.play_turn(campaign)
    async with bot.store.read() as tx:
        snapshot = await tx.journal.latest_snapshot(campaign)
    assert snapshot is not None
    entries = await bot.entries(campaign)
    bot.loaded.evict(campaign)
    async with bot.loaded.use(campaign) as adjudicator:
        assert adjudicator.checkpoint() == replay(RULEBOOK, entries, await seed_of(bot, campaign)).checkpoint()
        assert adjudicator.branch == 1
    assert read == [[1, rewound, *range(snapshot.seq, len(entries) + 1)]]


async def test_load_halts_when_an_entry_since_the_snapshot_was_changed_or_taken_out(bot: Bot) -> None:
    """What is older is checked by ``plotroom verify`` alone."""
    campaign = await bot.begin()
    await bot.play_turn(campaign)
    for number in (6, 7, 8):
        await bot.name(await bot.token(campaign, ANN), ANN, number)
    last = len(await bot.entries(campaign))
    entry = select(JournalRow.entry).where(JournalRow.campaign_id == campaign, JournalRow.seq == last - 1)
    where = (JournalRow.campaign_id == campaign) & (JournalRow.seq == last - 1)
    async with bot.store.write() as tx:
        text = await tx.connection.scalar(entry)
        assert text is not None
        await tx.connection.execute(
            update(JournalRow).where(where).values(entry=text.replace('"number":7', '"number":9'))
        )
    bot.loaded.evict(campaign)
    with pytest.raises(Halted) as changed:
        async with bot.loaded.use(campaign):
            raise AssertionError
    assert changed.value.reason == f"entry {last - 1}: its content was changed (its hash differs)"
    async with bot.store.write() as tx:
        await tx.connection.execute(delete(JournalRow).where(where))
    with pytest.raises(Halted) as missing:
        async with bot.loaded.use(campaign):
            raise AssertionError
    assert missing.value.reason == f"entry {last}: expected entry number {last - 1}"


async def test_rewind_plays_from_the_snapshot_before_it(bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    campaign = await bot.begin()
    taken: list[tuple[int | None, int]] = []

    def noted(book: Any, entries: Any, seed: bytes, *, snapshot: Any, **others: Any) -> Any:
        taken.append((None if snapshot is None else snapshot.turn, len(entries)))
        return rewind(book, entries, seed, snapshot=snapshot, **others)

    monkeypatch.setattr(rewinding, "rewind", noted)
    await bot.play_turn(campaign)
    await bot.name(await bot.token(campaign, ANN), ANN, 3)
    to = len(await bot.entries(campaign))
    await bot.name(await bot.token(campaign, ANN), ANN, 4)
    await bot.play_turn(campaign)
    await bot.services.referee.rewinding.rewind(campaign, RITA, to, "a slip")
    entries = await bot.entries(campaign)
    assert [turn for turn, _ in taken] == [2], "from where turn 2 began, though turn 3 has begun since"
    assert taken[0][1] < len(entries) - 1
    async with bot.loaded.use(campaign) as adjudicator:
        assert adjudicator.checkpoint() == replay(RULEBOOK, entries, await seed_of(bot, campaign)).checkpoint()
        (ask,) = (ask for ask in adjudicator.asks_for("red") if ask.kind == "orders")
        assert adjudicator.saved("red", ask.id).fleet.number == 3


async def test_rewind_plays_the_whole_record_when_its_snapshots_are_of_no_use(bot: Bot) -> None:
    campaign = await bot.begin()
    await bot.play_turn(campaign)
    to = len(await bot.entries(campaign))
    await bot.remark(campaign)
    async with bot.store.write() as tx:
        await tx.connection.execute(update(SnapshotRow).values(body="{}"))
    await bot.services.referee.rewinding.rewind(campaign, RITA, to, "a slip")
    entries = await bot.entries(campaign)
    again = replay(RULEBOOK, entries, await seed_of(bot, campaign))
    async with bot.loaded.use(campaign) as adjudicator:
        assert adjudicator.checkpoint() == again.checkpoint()


async def seed_of(bot: Bot, campaign: str) -> bytes:
    """The seed of a campaign's dice."""
    async with bot.store.read() as tx:
        return (await tx.campaigns.source(campaign)).seed
