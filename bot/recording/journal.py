"""Writing a transition into the journal, with what it told and the snapshot it left."""

from sqlalchemy import insert

from bot.recording.transaction import Recording
from bot.store.connections import Change
from bot.store.tables import JournalRow, ReportRow, SnapshotRow
from rules_engine.core.running.transitions import Transition

_journal = Change(insert(JournalRow.__table__))  # type: ignore[arg-type]


async def write_entry(recording: Recording, transition: Transition) -> None:
    """The transition's entry, its reports, and the newest of its snapshots."""
    campaign_id, conn = recording.campaign.id, recording.conn
    await _journal.make(
        conn, campaign_id=campaign_id, seq=transition.entry.seq, kind=transition.entry.body.kind, entry=transition.line
    )
    if transition.reports:
        await conn.execute(
            insert(ReportRow),
            [
                {
                    "campaign_id": campaign_id,
                    "seq": transition.entry.seq,
                    "number": report.number,
                    "body": report.model_dump_json(),
                }
                for report in transition.reports
            ],
        )
    if transition.snapshots:
        newest = transition.snapshots[-1]
        await conn.execute(
            insert(SnapshotRow).values(
                campaign_id=campaign_id, seq=newest.seq, turn=newest.turn, body=newest.model_dump_json()
            )
        )
