"""Each campaign's journal, what its entries told, and the snapshots they left.

Appending is a compare-and-swap: an entry is taken only behind the one that it names as the last. So a campaign in
memory that is behind its journal, for whatever reason, can write nothing.
"""

import asyncio
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime

from pydantic import ValidationError
from sqlalchemy import ColumnElement, bindparam, delete, func, insert, literal_column, not_, select, tuple_, union_all
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.store.errors import Overtaken
from bot.store.tables import DossierRow, JournalRow, ReaderOfReportRow, ReportRow, SnapshotRow, TrackedRestRow
from rules_engine.core.knowledge.dossiers.folding import KeptDossier
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.records.journal import GENESIS_HASH, Closed, JournalEntry, Rewound, first_needed
from rules_engine.core.running.tracked import TRACKER, TrackedRest
from rules_engine.core.running.transitions import Snapshot, Transition, TurnBoundary

EVERYBODYS = ""
"""Stands for the sides of a report that everybody was told."""

RESTING = ("genesis", "closed", "edited", "rewound")
"""Kinds of entries that tell where play stood after them."""

_OF_TRACKED = f'/{TRACKER}"'
"""How the strand of a tracked battle ends in a stored entry; nothing else in one does, since ids of asks go on."""

# Made once, because they are asked at every click: making a statement takes longer than carrying it out.
_HEAD = (
    select(JournalRow.hash).where(JournalRow.campaign_id == bindparam("of")).order_by(JournalRow.seq.desc()).limit(1)
)
_ENTRY = (JournalRow.campaign_id, JournalRow.seq, JournalRow.kind, JournalRow.hash, JournalRow.entry)
_APPEND = insert(JournalRow).from_select(
    _ENTRY,
    select(*(bindparam(column.key, type_=column.type) for column in _ENTRY)).where(
        func.coalesce(
            select(JournalRow.hash)
            .where(JournalRow.campaign_id == bindparam("campaign_id", type_=JournalRow.campaign_id.type))
            .order_by(JournalRow.seq.desc())
            .limit(1)
            .scalar_subquery(),
            GENESIS_HASH,
        )
        == bindparam("prev", type_=JournalRow.hash.type)
    ),
)
"""An entry, if the last one of its campaign is the one that it names: looking and writing are one statement."""

_REWINDS = (
    select(JournalRow.entry)
    # Written out, for neither database uses the index of rewinds for a value that it is told later.
    .where(JournalRow.campaign_id == bindparam("of"), JournalRow.kind == literal_column("'rewound'"))
    .order_by(JournalRow.seq)
)

EVERY_TURN = 4
"""So many turns back a snapshot of each is kept."""

Cut = tuple[int, int]
"""What a rewind undid: the last entry that it kept, and its own."""


class Journal:
    """All journals."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    # --- writing -----------------------------------------------------------------------------------------------------

    async def append(self, campaign_id: str, transitions: Sequence[Transition]) -> None:
        """Write the entries of these transitions down, in order, with what they told and the newest snapshot of each.

        Raises:
            Overtaken: when the journal has gone on meanwhile; the transaction is of no use then.
        """
        rows = [
            {
                "campaign_id": campaign_id,
                "seq": transition.entry.seq,
                "kind": transition.entry.body.kind,
                "hash": transition.entry.hash,
                "entry": transition.line,
            }
            for transition in transitions
        ]
        try:
            first = {**rows[0], "prev": transitions[0].entry.prev}
            if not (await self._connection.execute(_APPEND, first)).rowcount:
                raise Overtaken(campaign_id)
            if rows[1:]:
                await self._connection.execute(insert(JournalRow), rows[1:])
        except IntegrityError:  # between our look and our writing
            raise Overtaken(campaign_id) from None
        for transition in transitions:
            if transition.reports:
                reports = await asyncio.to_thread(_report_rows, campaign_id, transition)
                await self._connection.execute(insert(ReportRow), reports)
                readers = _readers_rows(campaign_id, transition.entry.seq, transition.reports)
                await self._connection.execute(insert(ReaderOfReportRow), readers)
            if transition.boundary is not None:
                body = await asyncio.to_thread(_snapshot_json, transition.boundary, transition.entry.seq)
                turn = transition.boundary.rest.turn
                row = {"campaign_id": campaign_id, "seq": transition.entry.seq, "turn": turn, "body": body}
                await self._connection.execute(insert(SnapshotRow), row)
                await self._thin_snapshots(campaign_id)
                # Between two turns no battle is open, so none is tracked.
                await self._connection.execute(delete(TrackedRestRow).where(TrackedRestRow.campaign_id == campaign_id))
            for rest in transition.rests:
                await self._keep_rest(campaign_id, rest)

    async def _thin_snapshots(self, campaign_id: str) -> None:
        """Drop the snapshots that are no longer worth their room: each is as large as the whole state."""
        mine = select(SnapshotRow.seq, SnapshotRow.turn).where(SnapshotRow.campaign_id == campaign_id)
        found = [(row.seq, row.turn) for row in await self._connection.execute(mine.order_by(SnapshotRow.seq))]
        cuts = await self.cuts(campaign_id)
        present = [(seq, turn) for seq, turn in found if not is_cut(seq, cuts)]
        kept = kept_turns([turn for _, turn in present])
        gone = [(seq, turn) for seq, turn in found if (seq, turn) not in present or turn not in kept]
        if gone:
            these = tuple_(SnapshotRow.seq, SnapshotRow.turn).in_(gone)
            await self._connection.execute(delete(SnapshotRow).where(SnapshotRow.campaign_id == campaign_id, these))

    async def _keep_rest(self, campaign_id: str, rest: TrackedRest) -> None:
        """Keep where a tracked battle has come to rest, in place of where it rested before."""
        body = await asyncio.to_thread(rest.model_dump_json)
        mine = (TrackedRestRow.campaign_id == campaign_id) & (TrackedRestRow.ask == rest.ask)
        await self._connection.execute(delete(TrackedRestRow).where(mine))
        row = {"campaign_id": campaign_id, "ask": rest.ask, "seq": rest.seq, "body": body}
        await self._connection.execute(insert(TrackedRestRow), row)

    # --- entries -----------------------------------------------------------------------------------------------------

    async def head(self, campaign_id: str) -> str | None:
        """The hash of the last entry."""
        return await self._connection.scalar(_HEAD, {"of": campaign_id})

    async def last_entry(self, campaign_id: str) -> JournalEntry | None:
        """The last entry."""
        query = select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id)
        line = await self._connection.scalar(query.order_by(JournalRow.seq.desc()).limit(1))
        return None if line is None else JournalEntry.model_validate_json(line)

    async def has_sent_since(self, campaign_id: str, user_id: int, moment: datetime) -> bool:
        """Whether somebody has sent orders, or said that they are done, since a moment."""
        query = select(JournalRow.entry).where(
            JournalRow.campaign_id == campaign_id,
            JournalRow.kind.in_(("answered", "readied")),
            JournalRow.entry.like(f'%"by":"{user_id}"%'),
        )
        newest = await self._connection.scalar(query.order_by(JournalRow.seq.desc()).limit(1))
        return newest is not None and datetime.fromisoformat(JournalEntry.model_validate_json(newest).at) > moment

    async def last_word_of(self, campaign_id: str, user_id: int) -> datetime | None:
        """When somebody last did anything that stands in the journal."""
        query = select(JournalRow.entry).where(
            JournalRow.campaign_id == campaign_id, JournalRow.entry.like(f'%"by":"{user_id}"%')
        )
        newest = await self._connection.scalar(query.order_by(JournalRow.seq.desc()).limit(1))
        return None if newest is None else datetime.fromisoformat(JournalEntry.model_validate_json(newest).at)

    async def entries(self, campaign_id: str, since: int = 1, until: int | None = None) -> list[JournalEntry]:
        """All entries of a campaign, in order, from the entry ``since`` on, and up to the entry ``until``.

        A record grows with its campaign: whoever needs its end alone does not ask for all.
        """
        query = select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id, JournalRow.seq >= since)
        query = query if until is None else query.where(JournalRow.seq <= until)
        lines = (await self._connection.execute(query.order_by(JournalRow.seq))).scalars().all()
        return await asyncio.to_thread(lambda: [JournalEntry.model_validate_json(line) for line in lines])

    async def landmarks(self, campaign_id: str) -> list[JournalEntry]:
        """The genesis of a campaign and every rewind: what has to be known of a record whose end alone is read."""
        first = select(JournalRow.entry).where(JournalRow.campaign_id == campaign_id, JournalRow.seq == 1)
        lines = [
            *(await self._connection.execute(first)).scalars(),
            *(await self._connection.execute(_REWINDS, {"of": campaign_id})).scalars(),
        ]
        return await asyncio.to_thread(lambda: [JournalEntry.model_validate_json(line) for line in lines])

    async def to_play_on(
        self, campaign_id: str, landmarks: Sequence[JournalEntry], snapshot: Snapshot | None, until: int | None = None
    ) -> list[JournalEntry]:
        """The excerpt of a record from which a campaign is taken up at its end, or as it was after the entry ``until``,
        from this ``snapshot``. The ``landmarks`` were read in the same transaction."""
        past = [entry for entry in landmarks if until is None or entry.seq <= until]
        first = first_needed(past, None if snapshot is None else snapshot.seq)
        return [
            *(entry for entry in past if entry.seq < first),
            *await self.entries(campaign_id, first, until),
        ]

    async def resting_points(self, campaign_id: str, most: int) -> list[int]:
        """The latest entries of the present branch at which play came to rest, oldest first; not the pieces of battles
        that are tracked, of which nobody hears who is not in them, and which their parties take back themselves.

        Reads only what it needs, because it is asked for while somebody types.
        """
        kept = [
            not_((JournalRow.seq > last) & (JournalRow.seq < rewind)) for last, rewind in await self.cuts(campaign_id)
        ]
        resting = (
            select(JournalRow.seq)
            .where(JournalRow.campaign_id == campaign_id, JournalRow.kind.in_(RESTING), *kept)
            .where(not_((JournalRow.kind == "closed") & JournalRow.entry.contains(_OF_TRACKED)))
        )
        rows = await self._connection.execute(resting.order_by(JournalRow.seq.desc()).limit(most))
        return sorted(rows.scalars())

    async def closed_strands(self, campaign_id: str, seqs: Sequence[int]) -> dict[int, str]:
        """The strands that these entries closed, where play had parted, by entry."""
        closings = select(JournalRow.entry).where(
            JournalRow.campaign_id == campaign_id, JournalRow.seq.in_(seqs), JournalRow.kind == "closed"
        )
        entries = map(JournalEntry.model_validate_json, (await self._connection.execute(closings)).scalars())
        closed = [(entry.seq, entry.body) for entry in entries]
        return {seq: body.strand for seq, body in closed if isinstance(body, Closed) and body.strand}

    async def cuts(self, campaign_id: str) -> list[Cut]:
        """What rewinds undid."""
        rewinds = (await self._connection.execute(_REWINDS, {"of": campaign_id})).scalars()
        bodies = [(entry.seq, entry.body) for entry in map(JournalEntry.model_validate_json, rewinds)]
        return [(body.to, seq) for seq, body in bodies if isinstance(body, Rewound)]

    async def present_branch(self, campaign_id: str) -> set[int]:
        """The entries that led to where play stands, by their numbers."""
        newest = select(JournalRow.seq).where(JournalRow.campaign_id == campaign_id)
        last = await self._connection.scalar(newest.order_by(JournalRow.seq.desc()).limit(1)) or 0
        kept = set(range(1, last + 1))
        for to, rewound in await self.cuts(campaign_id):
            kept.difference_update(range(to + 1, rewound))
        return kept

    # --- snapshots ---------------------------------------------------------------------------------------------------

    async def latest_snapshot(self, campaign_id: str, *, back: int = 0, before: int | None = None) -> Snapshot | None:
        """The newest snapshot (of those before an entry, as the record stood then) that no rewind has cut off, or one
        so many before it."""
        cuts = [cut for cut in await self.cuts(campaign_id) if before is None or cut[1] < before]
        query = select(SnapshotRow.body).where(SnapshotRow.campaign_id == campaign_id)
        if before is not None:
            query = query.where(SnapshotRow.seq < before)
        kept = [not_((SnapshotRow.seq > last) & (SnapshotRow.seq < rewind)) for last, rewind in cuts]
        newest = query.where(*kept).order_by(SnapshotRow.seq.desc(), SnapshotRow.turn.desc()).offset(back).limit(1)
        body = await self._connection.scalar(newest)
        return None if body is None else await asyncio.to_thread(Snapshot.model_validate_json, body)

    async def tracked_rests(self, campaign_id: str, since: int) -> list[TrackedRest]:
        """Where tracked battles rested last, if it was behind the entry ``since``, on the present branch."""
        mine = (TrackedRestRow.campaign_id == campaign_id, TrackedRestRow.seq > since)
        rows = (await self._connection.execute(select(TrackedRestRow.seq, TrackedRestRow.body).where(*mine))).all()
        cuts = await self.cuts(campaign_id) if rows else []
        bodies = [row.body for row in rows if not is_cut(row.seq, cuts)]
        return await asyncio.to_thread(lambda: [TrackedRest.model_validate_json(body) for body in bodies])

    # --- what was told -----------------------------------------------------------------------------------------------

    async def reports(self, campaign_id: str) -> list[Report]:
        """All that was told and still stands, in order."""
        cuts = await self.cuts(campaign_id)
        query = select(ReportRow.seq, ReportRow.body).where(ReportRow.campaign_id == campaign_id)
        rows = (await self._connection.execute(query.order_by(ReportRow.seq, ReportRow.number))).all()
        return await _reports([row.body for row in rows if not is_cut(row.seq, cuts)])

    async def count_told(self, campaign_id: str, side: str) -> int:
        """How many reports to a side still stand."""
        row = ReaderOfReportRow
        among = (row.campaign_id == campaign_id, row.side.in_((EVERYBODYS, side)), *await self._kept(campaign_id))
        return await self._connection.scalar(select(func.count()).select_from(row).where(*among)) or 0

    async def told(self, campaign_id: str, side: str, first: int, most: int, *, of: int) -> list[Report]:
        """So many of the reports to a side that still stand, in order, from the ``first`` on, counted from 0; there are
        ``of`` in all. They are looked for from the end that is nearer: what was told last is found at once."""
        row = ReaderOfReportRow
        last = min(first + most, of)
        is_late = first > of - last
        skipped, wanted = (of - last if is_late else first), max(0, last - first)
        keys = [one.desc() if is_late else one.asc() for one in (row.seq, row.number)]
        kept = await self._kept(campaign_id)
        each = [
            select(row.seq, row.number)
            .where(row.campaign_id == campaign_id, row.side == reader, *kept)
            .order_by(*keys)
            .limit(skipped + wanted)
            .subquery()
            for reader in (EVERYBODYS, side)
        ]
        both = union_all(*(select(one.c.seq, one.c.number) for one in each)).subquery()
        order = [one.desc() if is_late else one.asc() for one in (both.c.seq, both.c.number)]
        page = select(both.c.seq, both.c.number).order_by(*order).offset(skipped).limit(wanted).subquery()
        query = select(ReportRow.body).join(page, (ReportRow.seq == page.c.seq) & (ReportRow.number == page.c.number))
        query = query.where(ReportRow.campaign_id == campaign_id).order_by(ReportRow.seq, ReportRow.number)
        return await _reports((await self._connection.execute(query)).scalars().all())

    async def _kept(self, campaign_id: str) -> tuple[ColumnElement[bool], ...]:
        row = ReaderOfReportRow
        return tuple(not_((row.seq > last) & (row.seq < rewind)) for last, rewind in await self.cuts(campaign_id))

    async def reports_since(self, campaign_id: str, seq: int, kept: Collection[int]) -> list[Report]:
        """What the entries behind ``seq`` told, of those that are ``kept``."""
        query = select(ReportRow.seq, ReportRow.body).where(ReportRow.campaign_id == campaign_id, ReportRow.seq > seq)
        rows = (await self._connection.execute(query.order_by(ReportRow.seq, ReportRow.number))).all()
        return await _reports([row.body for row in rows if row.seq in kept])

    async def reports_between(self, campaign_id: str, since: int, until: int) -> list[Report]:
        """What the entries behind ``since`` told, up to and with ``until``, in order. No rewind may lie among them."""
        among = (ReportRow.campaign_id == campaign_id, ReportRow.seq > since, ReportRow.seq <= until)
        query = select(ReportRow.body).where(*among).order_by(ReportRow.seq, ReportRow.number)
        return await _reports((await self._connection.execute(query)).scalars().all())

    # --- dossiers ----------------------------------------------------------------------------------------------------

    async def dossier(self, campaign_id: str, side: str) -> tuple[int, KeptDossier] | None:
        """What is kept of a side's dossier, and up to which entry; None if nothing is that this version can read: then
        it is made anew from what was told."""
        query = select(DossierRow.seq, DossierRow.body).where(
            DossierRow.campaign_id == campaign_id, DossierRow.side == side
        )
        row = (await self._connection.execute(query)).one_or_none()
        if row is None:
            return None
        try:
            return row.seq, await asyncio.to_thread(KeptDossier.model_validate_json, row.body)
        except ValidationError:
            return None

    async def keep_dossier(self, campaign_id: str, side: str, seq: int, kept: KeptDossier) -> None:
        """Keep this of it, up to that entry, in place of what was."""
        body = await asyncio.to_thread(kept.model_dump_json)
        await self._connection.execute(
            delete(DossierRow).where(DossierRow.campaign_id == campaign_id, DossierRow.side == side)
        )
        row = {"campaign_id": campaign_id, "side": side, "seq": seq, "body": body}
        await self._connection.execute(insert(DossierRow), row)

    async def last_report(self, campaign_id: str, seq: int) -> Report | None:
        """The last thing told up to the entry ``seq`` of the present branch."""
        cuts = await self.cuts(campaign_id)
        kept = [not_((ReportRow.seq > last) & (ReportRow.seq < rewind)) for last, rewind in cuts]
        query = select(ReportRow.body).where(ReportRow.campaign_id == campaign_id, ReportRow.seq <= seq, *kept)
        body = await self._connection.scalar(query.order_by(ReportRow.seq.desc(), ReportRow.number.desc()).limit(1))
        return None if body is None else Report.model_validate_json(body)

    async def last_reports(self, campaign_id: str, of: Collection[int]) -> dict[int, Report]:
        """The last thing that each of these entries told, by entry."""
        query = select(ReportRow.seq, ReportRow.body).where(ReportRow.campaign_id == campaign_id, ReportRow.seq.in_(of))
        rows = await self._connection.execute(query.order_by(ReportRow.seq, ReportRow.number))
        last = {row.seq: row.body for row in rows}
        return {seq: Report.model_validate_json(body) for seq, body in last.items()}


def _snapshot_json(boundary: TurnBoundary, seq: int) -> str:
    return boundary.snapshot(seq).model_dump_json()


def _report_rows(campaign_id: str, transition: Transition) -> list[dict[str, str | int]]:
    seq = transition.entry.seq
    return [
        {"campaign_id": campaign_id, "seq": seq, "number": report.number, "body": report.model_dump_json()}
        for report in transition.reports
    ]


def _readers_rows(campaign_id: str, seq: int, reports: Iterable[Report]) -> list[dict[str, str | int]]:
    return [
        {"campaign_id": campaign_id, "side": side, "seq": seq, "number": report.number}
        for report in reports
        for side in ((EVERYBODYS,) if report.is_public() else report.to)
    ]


async def _reports(bodies: Sequence[str]) -> list[Report]:
    """Reports from what is kept of them, off the loop: of a long campaign there are thousands."""
    return await asyncio.to_thread(lambda: [Report.model_validate_json(body) for body in bodies])


def kept_turns(turns: Collection[int]) -> set[int]:
    """Of which of these turns snapshots are kept: of the last few all, and the older, the fewer.

    Who goes back by some turns has at most about half as many more to be played again, and a campaign of any length
    keeps a few dozen at most. A snapshot that is kept was kept before, so nothing is missed later.
    """
    newest = max(turns, default=0)
    first: dict[tuple[int, int], int] = {}
    for turn in sorted(turns):
        step = 1
        while newest - turn >= EVERY_TURN * step:
            step *= 2
        first.setdefault((step, turn // step), turn)
    return {*first.values()}


def is_cut(seq: int, cuts: Iterable[Cut]) -> bool:
    """Whether an entry lies on a branch that a rewind cut off."""
    return any(kept < seq < rewound for kept, rewound in cuts)
