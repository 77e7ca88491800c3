"""What was read is remembered until its tables are written, and never beyond."""

from datetime import UTC, datetime

import pytest
import sqlalchemy as sa

from bot.store.engine import Store
from bot.store.memory import MOST_KEPT, Forgetful, Memory
from bot.store.tables import SeenInteractionRow, SettingRow


class Reader:
    """Reads one note, and counts how often the database was asked."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.asked = 0

    async def read(self) -> str | None:
        self.asked += 1
        async with self.store.glance() as conn:
            return await conn.scalar(sa.select(SettingRow.value).where(SettingRow.key == "flag"))

    async def look(self) -> str | None:
        return await self.store.memory.recall("the flag", ("note",), self.read)


async def write(store: Store, value: str) -> None:
    async with store.write() as conn:
        await conn.execute(sa.delete(SettingRow).where(SettingRow.key == "flag"))
        await conn.execute(sa.insert(SettingRow), {"key": "flag", "value": value})


async def test_a_second_look_asks_nothing_and_a_write_makes_it_ask_again(store: Store) -> None:
    reader = Reader(store)
    assert (await reader.look(), await reader.look(), reader.asked) == (None, None, 1)
    await write(store, "red")
    assert (await reader.look(), await reader.look(), reader.asked) == ("red", "red", 2)
    async with store.write() as conn:  # another table
        await conn.execute(sa.insert(SeenInteractionRow), {"id": 1, "at": datetime(2026, 1, 1, tzinfo=UTC)})
    assert (await reader.look(), reader.asked) == ("red", 2)
    async with store.write() as conn:  # a statement that does not say what it writes
        await conn.execute(sa.text("UPDATE note SET value = 'blue'"))
    assert (await reader.look(), reader.asked) == ("blue", 3)


async def test_what_was_rolled_back_is_not_remembered(store: Store) -> None:
    reader = Reader(store)
    await write(store, "red")

    async def stumble() -> None:
        async with store.write() as conn:
            await conn.execute(sa.update(SettingRow).where(SettingRow.key == "flag").values(value="blue"))
            assert await reader.look() == "red"
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await stumble()
    assert await reader.look() == "red"


async def test_what_changes_while_it_is_read_is_read_again() -> None:
    memory = Memory()
    values = iter(["old", "new"])

    async def read() -> str:
        found = next(values)
        if found == "old":
            memory.written({"note"})  # committed between the look and its answer
        return found

    assert await memory.recall("key", ("note",), read) == "old"
    assert await memory.recall("key", ("note",), read) == "new"


async def test_what_is_known_stands_until_its_table_is_written() -> None:
    memory = Memory()

    async def read() -> str:
        return "read"

    memory.know("key", ("note",), "known")
    assert await memory.recall("key", ("note",), read) == "known"
    memory.written({"note"})
    assert await memory.recall("key", ("note",), read) == "read"


async def test_only_so_much_is_kept() -> None:
    memory = Memory()
    asked: list[int] = []

    async def look(number: int) -> int:
        async def read() -> int:
            asked.append(number)
            return number

        return await memory.recall(number, ("note",), read)

    for number in range(MOST_KEPT + 1):
        await look(number)
    await look(MOST_KEPT)
    assert len(asked) == MOST_KEPT + 1
    await look(0)  # the oldest was dropped
    assert asked[-1] == 0


async def test_where_others_write_too_nothing_is_kept() -> None:
    memory = Forgetful()
    values = iter([1, 2])

    async def read() -> int:
        return next(values)

    memory.know("key", ("note",), 0)
    assert [await memory.recall("key", ("note",), read) for _ in range(2)] == [1, 2]
    assert memory.version("note") != memory.version("note")
