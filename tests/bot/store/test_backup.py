"""Backups of both kinds of database, and back into both: every row, or nothing."""

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.effects import Post
from bot.store.backup import back_up, restore
from bot.store.database import Store, open_store
from bot.store.errors import StoreUnavailable
from bot.store.tables import Base, CampaignRow, JournalRow
from tests.bot.store.played import Played
from tests.bot.store.samples import NOON, founded
from tests.databases import POSTGRESQL, SQLITE, database_url

KINDS = [SQLITE, POSTGRESQL]


async def rows(store: Store) -> dict[str, list[Any]]:
    """All that is kept, table by table."""
    async with store.read() as tx:
        found = {
            table.name: [tuple(row) for row in await tx.connection.execute(sa.select(table))]
            for table in Base.metadata.sorted_tables
        }
    return {name: sorted(kept, key=repr) for name, kept in found.items()}


def beside(file: Path) -> list[str]:
    """What of the same name lies in its folder."""
    return sorted(path.name for path in file.parent.iterdir() if path.name.startswith(file.stem))


async def played(url: str) -> tuple[Store, Played]:
    """A database with a campaign under way, and posts that wait."""
    store, game = await open_store(url), Played()
    await founded(store, "runs")
    game.turn()
    async with store.write() as tx:
        await tx.journal.append("runs", game.transitions)
        await tx.outbox.put("runs", Post(place="public", content="ünicode ☕"), now=NOON)
        await tx.installation.secret()
    return store, game


@pytest.mark.parametrize("to", KINDS)
@pytest.mark.parametrize("of", KINDS)
async def test_a_backup_made_while_the_bot_runs_is_put_back_whole(tmp_path: Path, of: str, to: str) -> None:
    url = database_url(tmp_path / "of", of)
    store, game = await played(url)
    before = await rows(store)
    file = tmp_path / "copy.db"
    assert await back_up(url, file) == 1
    async with store.write() as tx:
        await tx.outbox.put("runs", Post(place="public", content="Too late for it."), now=NOON)
    await store.close()
    assert beside(file) == ["copy.db"]

    other = database_url(tmp_path / "to", to)
    assert await restore(other, file) == 1
    store = await open_store(other)
    assert await rows(store) == before
    async with store.write() as tx:  # and play goes on
        assert await tx.journal.entries("runs") == game.entries
        await tx.journal.append("runs", [game.remark("it goes on")])
        await tx.outbox.put("runs", Post(place="public", content="News."), now=NOON)
    await store.close()


async def test_a_backup_is_not_put_over_campaigns_nor_over_a_file(tmp_path: Path) -> None:
    url = database_url(tmp_path, SQLITE)
    store, _ = await played(url)
    before = await rows(store)
    file = tmp_path / "copy.db"
    await back_up(url, file)
    with pytest.raises(StoreUnavailable, match=r"copy\.db is there already; name a file that is not"):
        await back_up(url, file)
    await store.close()
    with pytest.raises(StoreUnavailable, match="holds 1 campaigns already; a backup is restored into an empty one"):
        await restore(url, file)
    store = await open_store(url)
    assert await rows(store) == before
    await store.close()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [("orders/red", "orders/blu", "entry 2"), ("answered", "remembered", "an entry that cannot be read")],
)
async def test_a_backup_that_does_not_hold_changes_nothing(tmp_path: Path, old: str, new: str, said: str) -> None:
    url = database_url(tmp_path, SQLITE)
    store, _ = await played(url)
    async with store.write() as tx:
        other_side = sa.func.replace(JournalRow.entry, old, new)
        await tx.connection.execute(sa.update(JournalRow).where(JournalRow.seq == 2).values(entry=other_side))
    await back_up(url, tmp_path / "copy.db")
    await store.close()
    other = database_url(tmp_path / "other", SQLITE)
    with pytest.raises(StoreUnavailable, match=f"The backup does not hold: campaign runs, {said}"):
        await restore(other, tmp_path / "copy.db")
    store = await open_store(other)
    async with store.read() as tx:
        assert await tx.connection.scalar(sa.select(sa.func.count()).select_from(CampaignRow)) == 0
    await store.close()


@pytest.mark.parametrize("content", [b"no database at all, only some words of text", b""])
async def test_what_is_no_backup_is_refused_in_one_sentence(tmp_path: Path, content: bytes) -> None:
    url = database_url(tmp_path, SQLITE)
    with pytest.raises(StoreUnavailable, match=r"There is no file .*away\.db"):
        await restore(url, tmp_path / "away.db")
    with pytest.raises(StoreUnavailable, match=r"There is no file .*plotroom\.db"):
        await back_up(url, tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()
    if content:
        (tmp_path / "text.db").write_bytes(content)
        with pytest.raises(StoreUnavailable, match="is damaged or is not a database"):
            await restore(url, tmp_path / "text.db")
