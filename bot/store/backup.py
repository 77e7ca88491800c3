"""A backup: every row of a database of either kind, in an SQLite file of this version's schema; and the way back."""

import asyncio
import os
import shutil
import tempfile
from pathlib import Path

import sqlalchemy as sa
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store import migrations
from bot.store.database import engines_of, open_store
from bot.store.errors import StoreUnavailable
from bot.store.lock import only_one
from bot.store.tables import Base, CampaignRow, OutboxRow
from bot.store.transaction import Transaction
from rules_engine.core.records.journal import Broken, check_chain

SOME = 500
"""Rows that are copied together."""


async def back_up(url: str, target: Path) -> int:
    """Copy the database at ``url`` into the file ``target`` as it is at one moment; the bot may be running meanwhile.

    Returns:
        How many campaigns there are.

    Raises:
        StoreUnavailable: when it cannot be read or written, or the file is there already.
    """
    engines = engines_of(url)
    part = _place_for(target)
    if engines.writing.dialect.name == "sqlite":
        _must_be_there(Path(engines.shown))
    try:
        copy = await open_store(_file(part))
        try:
            async with engines.reading.connect() as source, copy.write() as tx:
                await source.run_sync(_is_of_this_version, engines.shown)
                count = await _copy(source, tx.connection)
        finally:
            await copy.close()
        await asyncio.to_thread(_keep, part, target)
    except Exception as error:
        part.unlink(missing_ok=True)
        raise engines.sentence(error) from error.__cause__
    finally:
        await engines.dispose()
    return count


async def restore(url: str, source: Path) -> int:
    """Put the rows of a backup into the empty database at ``url``, all or none, and check every journal's hashes.

    Returns:
        How many campaigns there are.

    Raises:
        StoreUnavailable: when the backup cannot be read or does not hold, or the database is not empty or is in use.
    """
    _must_be_there(source)
    with only_one(url) as opened, tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "backup.db"
        await asyncio.to_thread(shutil.copyfile, source, copied)  # an earlier version's is brought up to date there
        backup = await open_store(_file(copied))
        try:
            target = await open_store(url)
            opened()
            try:
                async with backup.read() as read, target.write() as tx:
                    count = await _put_back(read.connection, tx)
            finally:
                await target.close()
        finally:
            await backup.close()
    return count


async def _put_back(source: AsyncConnection, tx: Transaction) -> int:
    there = await tx.connection.scalar(sa.select(sa.func.count()).select_from(CampaignRow))
    if there:
        raise StoreUnavailable(
            f"The database holds {there} campaigns already; a backup is restored into an empty one. Name another with "
            "PLOTROOM_DATABASE, or put this one away first."
        )
    for table in reversed(Base.metadata.sorted_tables):  # a new one remembers a little of itself
        await tx.connection.execute(sa.delete(table))
    count = await _copy(source, tx.connection)
    if tx.connection.dialect.name == "postgresql":
        newest = sa.select(sa.func.coalesce(sa.func.max(OutboxRow.id), 0) + 1).scalar_subquery()
        await tx.connection.execute(
            sa.select(sa.func.setval(sa.func.pg_get_serial_sequence("outbox", "id"), newest, False))
        )
    for campaign in (await tx.connection.execute(sa.select(CampaignRow.id))).scalars().all():
        try:
            check_chain(await tx.journal.entries(campaign))
        except (Broken, ValueError) as wrong:
            what = str(wrong) if isinstance(wrong, Broken) else "an entry that cannot be read"
            text = f"The backup does not hold: campaign {campaign}, {what}. Nothing was changed."
            raise StoreUnavailable(text) from None
    return count


async def _copy(source: AsyncConnection, target: AsyncConnection) -> int:
    """Copy all rows of all tables; gives the number of campaigns."""
    count = 0
    for table in Base.metadata.sorted_tables:
        page = sa.select(table).order_by(*table.primary_key.columns).limit(SOME)
        done = 0
        while rows := (await source.execute(page.offset(done))).mappings().all():
            await target.execute(sa.insert(table), [dict(row) for row in rows])
            done += len(rows)
        count += done if table is CampaignRow.__table__ else 0
    return count


def _is_of_this_version(connection: sa.Connection, shown: str) -> None:
    head = ScriptDirectory.from_config(migrations.config()).get_current_head()
    if MigrationContext.configure(connection).get_current_revision() != head:
        raise StoreUnavailable(
            f"The database {shown} has another version's schema; back it up with that version, or run `plotroom "
            "migrate`."
        )


def _place_for(target: Path) -> Path:
    """The file in which the copy is made before it gets its name."""
    if target.exists():
        raise StoreUnavailable(f"{target} is there already; name a file that is not.")
    part = target.with_name(f"{target.name}.part")
    part.unlink(missing_ok=True)
    return part


def _must_be_there(path: Path) -> None:
    if not path.is_file():
        raise StoreUnavailable(f"There is no file {path}.")


def _keep(part: Path, target: Path) -> None:
    """Have the file on the disk before it gets its name."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())
    part.rename(target)
    for beside in ("-wal", "-shm"):
        part.with_name(part.name + beside).unlink(missing_ok=True)


def _file(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"
