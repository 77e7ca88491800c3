"""Changes made ready for the way of a click: the same rows, errors and transactions as SQLAlchemy's own."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import create_async_engine

from bot.store.connections import Change
from bot.store.engine import Store
from bot.store.tables import Base, CampaignRow, PromptRow, SeenInteractionRow, SettingRow

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
SEEN = Change(sa.insert(SeenInteractionRow.__table__))  # type: ignore[arg-type]
NOTE = Change(sa.insert(SettingRow.__table__))  # type: ignore[arg-type]
DRAFT = Change(
    sa.update(PromptRow.__table__)  # type: ignore[arg-type]
    .where(PromptRow.__table__.c.token == sa.bindparam("of"))
    .values(draft=sa.bindparam("sheet"))
)


async def notes(store: Store) -> list[str]:
    async with store.read() as connection:
        return list((await connection.execute(sa.select(SettingRow.key).order_by(SettingRow.key))).scalars())


async def test_moments_and_sheets_are_read_back_as_they_were_given(store: Store) -> None:
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    campaign = {"id": "c1", "guild_id": 1, "title": "T", "rulebook": "r", "version": "1", "scenario": {}, "sides": []}
    more = {"seed": b"s", "referee_id": 1, "settings": {}, "created_at": NOON}
    prompt = {"campaign_id": "c1", "ask_id": "a", "side": "red", "title": "t", "kind": "k", "opened_seq": 1}
    async with store.write() as connection:
        await connection.execute(sa.insert(CampaignRow), {**campaign, **more})
        await connection.execute(sa.insert(PromptRow), {"token": "one", "created_at": NOON, **prompt})
        await connection.execute(sa.insert(PromptRow), {"token": "two", "created_at": NOON, **prompt, "ask_id": "b"})
        await SEEN.make(connection, id=7, at=east)
        await DRAFT.make(connection, of="one", sheet={"A1": {"name": "Ünï", "posture": []}})
    async with store.read() as connection:
        assert await connection.scalar(sa.select(SeenInteractionRow.at)) == NOON
        drafts = (await connection.execute(sa.select(PromptRow.token, PromptRow.draft))).all()
    assert sorted(drafts) == [("one", {"A1": {"name": "Ünï", "posture": []}}), ("two", None)]


async def test_a_second_row_of_the_same_key_is_refused_without_telling_its_values(store: Store) -> None:
    async with store.write() as connection:
        await NOTE.make(connection, key="k", value="first")

    async def write_again() -> None:
        async with store.write() as connection:
            await NOTE.make(connection, key="other", value="taken back")
            await NOTE.make(connection, key="k", value="a secret order")

    with pytest.raises(IntegrityError) as refused:
        await write_again()
    assert "secret" not in str(refused.value)
    assert await notes(store) == ["k"]


@pytest.mark.parametrize("ready_made", [True, False])
async def test_what_a_raising_block_changed_is_taken_back(store: Store, ready_made: bool) -> None:
    async def change_and_fail() -> None:
        async with store.write() as connection:
            await NOTE.make(connection, key="a", value="")
            if not ready_made:
                await connection.execute(sa.insert(SettingRow), {"key": "b", "value": ""})
            raise RuntimeError("on purpose")

    with pytest.raises(RuntimeError, match="on purpose"):
        await change_and_fail()
    assert await notes(store) == []
    async with store.write() as connection:
        await NOTE.make(connection, key="c", value="")
    assert await notes(store) == ["c"]


@pytest.mark.parametrize("ready_made_first", [True, False])
async def test_both_kinds_of_statements_share_a_transaction(store: Store, ready_made_first: bool) -> None:
    async with store.write() as connection:
        for ready_made in (ready_made_first, not ready_made_first):
            if ready_made:
                await NOTE.make(connection, key="a", value="")
            else:
                await connection.execute(sa.insert(SettingRow), {"key": "b", "value": ""})
        assert await connection.scalar(sa.select(sa.func.count()).select_from(SettingRow)) == 2
        assert await notes(store) == [], "nothing is seen elsewhere before the commit"
    assert await notes(store) == ["a", "b"]


async def test_what_was_remembered_of_the_table_is_forgotten(store: Store) -> None:
    before = store.memory.version("note"), store.memory.version("outbox")
    async with store.write() as connection:
        await NOTE.make(connection, key="a", value="")
    after = store.memory.version("note"), store.memory.version("outbox")
    assert after[0] != before[0]
    assert after[1] == before[1]


async def test_any_other_connection_is_given_the_statement(tmp_path: Path) -> None:
    engine = create_async_engine(f"sqlite+aiosqlite:///{tmp_path / 'other.db'}")
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
        await NOTE.make(connection, key="a", value="b")
        assert await connection.scalar(sa.select(SettingRow.value)) == "b"
    await engine.dispose()


async def test_a_value_that_is_left_out_is_an_error(store: Store) -> None:
    """No default is filled in behind the caller's back."""
    with pytest.raises(KeyError, match="value"):
        async with store.write() as connection:
            await NOTE.make(connection, key="a")
    assert await notes(store) == []
