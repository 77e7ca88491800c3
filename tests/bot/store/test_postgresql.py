"""PostgreSQL: one owner at a time whatever the network does, and one line for whatever keeps us from a database."""

import asyncio
import signal
import socket
import sys
from pathlib import Path

import pytest
import sqlalchemy as sa
from sqlalchemy.engine import make_url

from bot.store import addresses, errors, postgresql
from bot.store.database import Store, open_store
from bot.store.tables import SettingRow
from tests.bot.store.contention import LOCKS, sql, taken_over, unlocked, waiting_for_the_lock
from tests.databases import PASSWORD, POSTGRESQL, Cluster, cluster, database_url
from tests.expected.kept import cases

COUNT = sa.select(sa.func.count()).select_from(SettingRow)


@pytest.fixture
def address(tmp_path: Path) -> str:
    """The URL of an empty PostgreSQL database."""
    return database_url(tmp_path, POSTGRESQL)


@pytest.fixture
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for the lock in vain finds out soon."""
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 0.2)


async def add(store: Store, key: str) -> None:
    async with store.write() as tx:
        await tx.connection.execute(sa.insert(SettingRow), {"key": key, "value": ""})


async def keys(store: Store) -> list[str]:
    async with store.read() as tx:
        return list((await tx.connection.execute(sa.select(SettingRow.key).order_by(SettingRow.key))).scalars())


async def cut_off(address: str, which: str) -> None:
    """Have the server end the connections whose name begins so, and wait until they are gone."""
    theirs = f"datname = '{make_url(address).database}' AND application_name LIKE '{which}%'"
    assert "t" in await sql(f"SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE {theirs}")


# --- one owner --------------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("short_waits")
async def test_a_second_bot_is_turned_away_until_the_first_has_ended(address: str) -> None:
    first = await open_store(address)
    with pytest.raises(errors.StoreUnavailable, match="Another Plotroom is running on the database"):
        await open_store(address)
    await add(first, "still mine")
    await first.close()
    second = await open_store(address)
    assert await keys(second) == ["still mine"]
    await second.close()


async def test_of_two_that_start_at_once_on_an_empty_database_one_makes_its_tables(address: str, short_waits: None):
    outcomes = await asyncio.gather(*(open_store(address) for _ in range(3)), return_exceptions=True)
    stores = [outcome for outcome in outcomes if isinstance(outcome, Store)]
    assert len(stores) == 1, outcomes
    assert [type(outcome) for outcome in outcomes if not isinstance(outcome, Store)] == [errors.StoreUnavailable] * 2
    await add(stores[0], "k")
    await stores[0].close()


async def test_who_starts_while_another_ends_waits_for_it(address: str) -> None:
    first = await open_store(address)
    opening = await waiting_for_the_lock(address)
    await first.close()
    second = await opening
    await add(second, "k")
    await second.close()


async def test_bots_in_different_schemas_of_a_database_do_not_meet(address: str) -> None:
    name = make_url(address).database or ""
    await sql("CREATE SCHEMA one", "CREATE SCHEMA two", database=name)
    stores: list[Store] = []
    for schema in ("one", "two"):
        await sql(f"ALTER DATABASE {name} SET search_path = {schema}")
        stores.append(await open_store(address))
        await add(stores[-1], schema)
    assert [await keys(store) for store in stores] == [["one"], ["two"]]
    for store in stores:
        await store.close()


async def test_who_lost_the_lock_to_another_can_write_nothing_more_and_is_told(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It finds out when it writes next, which the clock's sign of life does within half a minute."""
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 2.0)
    first = await open_store(address)
    await add(first, "first")
    second = await taken_over(address)
    await add(second, "second")
    for _ in range(2):  # and it stays so
        with pytest.raises(errors.StoreUnavailable, match="Another Plotroom is running on the database"):
            await add(first, "too late")
        assert first.lost.is_set()
    assert not second.lost.is_set()
    assert await keys(second) == ["first", "second"]
    await first.close()
    await second.close()


async def test_who_lost_the_lock_in_the_middle_of_writing_writes_nothing(address: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 2.0)
    first = await open_store(address)
    takers: list[Store] = []

    async def write_meanwhile() -> None:
        async with first.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "too late", "value": ""})
            takers.append(await taken_over(address))

    with pytest.raises(errors.StoreUnavailable, match="cannot be reached"):
        await write_meanwhile()
    (second,) = takers
    assert await keys(second) == []
    with pytest.raises(errors.StoreUnavailable, match="Another Plotroom is running on the database"):
        await add(first, "too late")
    assert first.lost.is_set()
    await first.close()
    await second.close()


async def test_a_transaction_whose_connection_breaks_writes_nothing_even_if_the_lock_is_free(address: str) -> None:
    store = await open_store(address)

    async def write_across_the_break() -> None:
        async with store.write() as tx:
            await tx.connection.execute(sa.insert(SettingRow), {"key": "before", "value": ""})
            await cut_off(address, "plotroom writer")
            await tx.connection.execute(sa.insert(SettingRow), {"key": "behind", "value": ""})

    with pytest.raises(errors.StoreUnavailable, match="cannot be reached"):
        await write_across_the_break()
    assert await keys(store) == []
    await add(store, "again")
    assert await keys(store) == ["again"]
    await store.close()


async def test_a_reader_whose_connection_breaks_midway_is_told_that_the_database_is_away(address: str) -> None:
    """Whoever pressed a button then reads that nothing was saved, and not of a defect."""
    store = await open_store(address)

    async def read_across_the_break() -> None:
        async with store.read() as tx:
            await tx.connection.execute(COUNT)
            await cut_off(address, "plotroom reader")
            await tx.connection.execute(COUNT)

    with pytest.raises(errors.StoreUnavailable, match="cannot be reached"):
        await read_across_the_break()
    assert await keys(store) == []
    await store.close()


async def test_a_statement_that_is_wrong_is_a_defect_and_not_a_database_that_is_away(store: Store) -> None:
    with pytest.raises(sa.exc.DBAPIError):
        async with store.read() as tx:
            await tx.connection.execute(sa.text("SELECT nothing FROM nowhere"))
    with pytest.raises(sa.exc.DBAPIError):
        async with store.read() as tx:
            await tx.connection.execute(sa.text("SELECT 1 / 0"))


async def test_who_lost_the_lock_to_nobody_takes_it_again_and_sees_what_was_written_meanwhile(address: str) -> None:
    store = await open_store(address)
    await add(store, "a")
    await cut_off(address, "plotroom writer")
    await sql("INSERT INTO note VALUES ('b', '')", database=make_url(address).database or "")  # as another bot could
    await add(store, "c")
    assert await keys(store) == ["a", "b", "c"]
    assert not store.lost.is_set()
    assert await sql(LOCKS.format("count(*)", "granted"), database=make_url(address).database or "") == "1"
    await store.close()


async def test_what_is_left_of_an_own_connection_does_not_keep_the_lock_from_the_next(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A network that broke leaves the server a connection that it thinks alive, with the lock; the next one ends it."""
    monkeypatch.setattr(postgresql, "LOCK_SECONDS", 2.0)
    store = await open_store(address)
    await add(store, "before")
    await store._engines.writing.dispose(close=False)  # forgotten here, alive there
    await add(store, "behind")
    assert await keys(store) == ["before", "behind"]
    assert not store.lost.is_set()
    await store.close()


async def test_readers_whose_connections_broke_while_idle_are_given_new_ones(address: str, store: Store) -> None:
    await add(store, "k")
    assert await keys(store) == ["k"]
    await cut_off(address, "plotroom reader")
    assert await keys(store) == ["k"]


async def test_while_the_server_takes_nobody_the_host_is_told_and_then_play_goes_on(address: str) -> None:
    name = make_url(address).database
    store = await open_store(address)
    await add(store, "before")
    await sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false")
    await cut_off(address, "plotroom writer")
    with pytest.raises(errors.StoreUnavailable, match="is not currently accepting connections"):
        await add(store, "while it is away")
    await cut_off(address, "plotroom reader")
    with pytest.raises(errors.StoreUnavailable, match="is not currently accepting connections"):
        await keys(store)
    assert not store.lost.is_set()
    await sql(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true")
    await add(store, "behind")
    assert await keys(store) == ["before", "behind"]
    await store.close()


@pytest.mark.slow
async def test_a_server_that_crashes_and_comes_back_has_what_was_committed() -> None:
    """On a server of its own: with the other tests' databases its recovery would take longer still."""
    cluster()  # skips where there is none
    own = Cluster()
    store = await open_store(own.new_database())
    await add(store, "before")
    await asyncio.to_thread(own.stop, signal.SIGQUIT)
    with pytest.raises(errors.StoreUnavailable, match="cannot be reached: nothing listens there"):
        await add(store, "while it is away")
    with pytest.raises(errors.StoreUnavailable, match="cannot be reached: nothing listens there"):
        await keys(store)
    own.start()  # not in a thread of its own: the server ends with the thread that started it
    await add(store, "behind")
    assert await keys(store) == ["before", "behind"]
    await store.close()
    own.remove()


async def test_a_killed_process_lets_go_at_once(address: str) -> None:
    program = f"""
import asyncio, sys
from bot.store.database import open_store
async def main():
    await open_store({address!r})
    print("open", flush=True)
    await asyncio.Event().wait()
asyncio.run(main())
"""
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", program, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    assert await process.stdout.readline() == b"open\n"
    process.kill()
    await process.wait()
    await (await open_store(address)).close()


# --- one line ---------------------------------------------------------------------------------------------------------
async def refused(address: str) -> str:
    """What the host is told; never a password."""
    with pytest.raises(errors.StoreUnavailable) as problem:
        await open_store(address)
    text = str(problem.value)
    assert PASSWORD not in text
    assert "secret" not in text
    assert "\n" not in text
    return text


@pytest.fixture
def server_url() -> Cluster:
    """The server, for its addresses."""
    return cluster()


async def test_a_wrong_password(address: str, server_url: Cluster) -> None:
    wrong = server_url.url(make_url(address).database or "", password="secret")
    assert "refuses the password; put the right one into PLOTROOM_DATABASE" in await refused(wrong)


async def test_an_unknown_user(server_url: Cluster) -> None:
    assert "refuses the password" in await refused(server_url.url("postgres", user="nobody", password="secret"))


async def test_a_database_that_is_not_there_is_not_made_nor_replaced(server_url: Cluster) -> None:
    assert "does not exist; make it with CREATE DATABASE" in await refused(server_url.url("missing"))
    assert await sql("SELECT count(*) FROM pg_database WHERE datname = 'missing'") == "0"


async def test_no_server(server_url: Cluster) -> None:
    away = server_url.url("postgres").replace("plotroom-pg-", "plotroom-away-")
    assert "cannot be reached: nothing listens there; is the server running" in await refused(away)


async def test_a_closed_port() -> None:
    pytest.importorskip("asyncpg")
    assert "cannot be reached" in await refused("postgresql://me:secret@127.0.0.1:1/plotroom")


async def test_a_server_of_unknown_name() -> None:
    pytest.importorskip("asyncpg")
    assert "its server's name is not known" in await refused("postgresql://me:secret@no.such.host.invalid/plotroom")


async def test_a_server_that_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("asyncpg")
    monkeypatch.setattr(postgresql, "CONNECT_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:  # connections are made, and nobody reads them
        port = silent.getsockname()[1]
        assert "its server does not answer" in await refused(f"postgresql://me:secret@127.0.0.1:{port}/plotroom")


async def test_a_user_who_may_make_no_tables(address: str, server_url: Cluster) -> None:
    name = make_url(address).database or ""
    await sql(f"CREATE ROLE guest_{name} LOGIN PASSWORD 'secret'", database=name)
    said = await refused(server_url.url(name, user=f"guest_{name}", password="secret"))
    assert "cannot be written: permission denied for schema public" in said


async def test_a_user_who_may_only_read_the_tables(address: str, server_url: Cluster) -> None:
    await (await open_store(address)).close()
    name = make_url(address).database or ""
    await sql(f"CREATE ROLE guest_{name} LOGIN PASSWORD 'secret'", database=name)
    await sql(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest_{name}", database=name)
    said = await refused(server_url.url(name, user=f"guest_{name}", password="secret"))
    assert "its user has no right to change the table" in said


async def test_a_database_that_can_only_be_read(address: str) -> None:
    await sql(f"ALTER DATABASE {make_url(address).database} SET default_transaction_read_only = on")
    assert "can only be read" in await refused(address)


async def test_a_database_that_cannot_hold_every_letter(server_url: Cluster) -> None:
    latin = await asyncio.to_thread(server_url.new_database, "ENCODING LATIN1 LOCALE 'C' TEMPLATE template0")
    assert "is encoded in LATIN1; make one with ENCODING 'UTF8'" in await refused(latin)


async def test_a_server_that_does_not_wait_for_its_disk(address: str) -> None:
    await sql("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")
    try:
        assert "runs with fsync = off and could lose campaigns" in await refused(address)
    finally:
        await sql("ALTER SYSTEM RESET fsync", "SELECT pg_reload_conf()")


async def test_commits_wait_for_the_disk_whatever_the_database_is_set_to(address: str) -> None:
    await sql(f"ALTER DATABASE {make_url(address).database} SET synchronous_commit = off")
    store = await open_store(address)
    async with store.write() as tx:
        assert await tx.connection.scalar(sa.text("SHOW synchronous_commit")) == "on"
    await store.close()


async def test_tables_of_another_program_are_left_alone(address: str) -> None:
    name = make_url(address).database or ""
    await sql("CREATE TABLE campaign (mail text)", database=name)
    assert "holds tables of another program" in await refused(address)
    found = await sql("SELECT string_agg(tablename, ' ') FROM pg_tables WHERE schemaname = 'public'", database=name)
    assert found == "campaign"


async def test_a_missing_driver_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    said = await refused("postgresql+asyncpg://me:secret@localhost/plotroom")
    assert "needs the Python package asyncpg, not installed; pip install 'plotroom[postgres]' brings it" in said


@cases("given, reason", "")
async def test_an_address_that_leaves_something_open(given: str, reason: str) -> None:
    """Nothing is guessed: a guess may be another database."""
    assert reason in await refused(given)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_an_address_as_a_hoster_spells_it(scheme: str) -> None:
    given = make_url(f"{scheme}://me:a%40b@db.example:6543/plotroom?sslmode=verify-full")
    wanted = "postgresql+asyncpg://me:a%40b@db.example:6543/plotroom?ssl=verify-full"
    assert addresses.server_address(given).render_as_string(hide_password=False) == wanted


async def test_nothing_is_left_open_when_a_database_is_refused(address: str) -> None:
    await sql(f"ALTER DATABASE {make_url(address).database} SET default_transaction_read_only = on")
    await refused(address)
    await unlocked(address)
