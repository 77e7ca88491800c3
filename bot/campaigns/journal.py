"""Reading a campaign's journal from the database: all of it, where play came to rest, and what a rewind cut off."""

from collections.abc import Iterable, Sequence

from sqlalchemy import not_, select

from bot.store.connections import Connection
from bot.store.tables import JournalRow, SnapshotRow
from rules_engine.core.records.journal import JournalEntry, Rewound
from rules_engine.core.running.transitions import Snapshot

RESTING = ("genesis", "closed", "edited", "rewound")
"""Kinds of entries that tell where play stood after them."""


async def read_journal(conn: Connection, campaign_id: str) -> list[JournalEntry]:
    """All entries of a campaign, in order."""
    rows = await conn.execute(
        select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id).order_by(JournalRow.seq)
    )
    return [JournalEntry.model_validate_json(text) for text in rows.scalars()]


async def resting_points(conn: Connection, campaign_id: str, most: int) -> list[int]:
    """The latest entries of the present branch at which play came to rest, oldest first.

    Reads only what it needs, because it is asked for while somebody types.
    """
    kept = [
        not_((JournalRow.seq > last) & (JournalRow.seq < rewind)) for last, rewind in await cut_off(conn, campaign_id)
    ]
    resting = select(JournalRow.seq).where(JournalRow.campaign_id == campaign_id, JournalRow.kind.in_(RESTING), *kept)
    rows = await conn.execute(resting.order_by(JournalRow.seq.desc()).limit(most))
    return sorted(rows.scalars())


async def cut_off(conn: Connection, campaign_id: str) -> list[tuple[int, int]]:
    """What rewinds undid, as (last entry kept, entry of the rewind)."""
    rows = await conn.execute(
        select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id, JournalRow.kind == "rewound")
    )
    bodies = [(entry.seq, entry.body) for entry in map(JournalEntry.model_validate_json, rows.scalars())]
    return [(body.to, seq) for seq, body in bodies if isinstance(body, Rewound)]


def is_cut(seq: int, cut: Iterable[tuple[int, int]]) -> bool:
    """Whether an entry lies on a branch that a rewind cut off."""
    return any(kept < seq < rewound for kept, rewound in cut)


async def latest_snapshot(conn: Connection, campaign_id: str, entries: Sequence[JournalEntry]) -> Snapshot | None:
    """The newest snapshot that no rewind has cut off."""
    rewinds = [(entry.seq, entry.body.to) for entry in entries if isinstance(entry.body, Rewound)]
    last_rewind = max((seq for seq, _ in rewinds), default=0)
    oldest_cut = min((to for _, to in rewinds), default=None)
    query = (
        select(SnapshotRow.body, SnapshotRow.seq)
        .where(SnapshotRow.campaign_id == campaign_id)
        .order_by(SnapshotRow.seq.desc(), SnapshotRow.turn.desc())
    )
    for row in (await conn.execute(query)).mappings():
        if row["seq"] > last_rewind or (oldest_cut is not None and row["seq"] <= oldest_cut):
            return Snapshot.model_validate_json(row["body"])
    return None
