"""Going back: what a rewind to an entry of the journal would undo, and the rewind itself."""

import asyncio
from collections import Counter
from dataclasses import dataclass

from sqlalchemy import select, update

from bot.campaigns.journal import read_journal, resting_points
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, explain, shortened
from bot.recording.commit import mark_seen
from bot.recording.deadline_row import drop_deadline
from bot.recording.posts import post_public
from bot.recording.prompts import close_prompts
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.store.tables import CampaignRow, ReportRow
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.records.journal import effective
from rules_engine.core.running.replay import rewind

_STATUSES = frozenset({"running", "paused", "halted"})


@dataclass(frozen=True)
class RewindPlan:
    """What going back to an entry would undo: how many entries, and what each side was told since.

    ``when`` is the time in the game at which play then stands.
    """

    to: int
    when: str
    undone: int
    told: dict[str, int]
    headlines: tuple[str, ...]


class Rewinding:
    """Takes a campaign back to an earlier entry of its journal."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def points(self, campaign_id: str, user_id: int, most: int = 25) -> list[tuple[int, str]]:
        """The latest entries at which play stood still, with the time in the game, newest first."""
        await self._runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        async with self._runtime.store.read() as conn:
            rests = await resting_points(conn, campaign_id, most)
            rows = await conn.execute(
                select(ReportRow.seq, ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id, ReportRow.seq.in_(rests))
                .order_by(ReportRow.seq, ReportRow.number)
            )
            last = {row["seq"]: row["body"] for row in rows.mappings()}
        labels = {seq: Report.model_validate_json(body).when.label for seq, body in last.items()}
        return [(seq, labels.get(seq, "")) for seq in reversed(rests)]

    async def plan(self, campaign_id: str, user_id: int, to: int) -> RewindPlan:
        """Who has seen what since entry ``to``; asked for before a rewind."""
        await self._runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        async with self._runtime.store.read() as conn:
            entries = await read_journal(conn, campaign_id)
            kept = {entry.seq for entry in effective(entries)}
            if to not in kept:
                near = max((seq for seq in kept if seq <= to), default=1)
                raise Sorry(f"Entry {to} is not part of the present branch; the nearest is {near}.", code="bad-entry")
            rows = await conn.execute(
                select(ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id, ReportRow.seq > to, ReportRow.seq.in_(kept))
                .order_by(ReportRow.seq, ReportRow.number)
            )
            reports = [Report.model_validate_json(body) for body in rows.scalars()]
            before = (
                select(ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id, ReportRow.seq <= to, ReportRow.seq.in_(kept))
                .order_by(ReportRow.seq.desc(), ReportRow.number.desc())
                .limit(1)
            )
            last = (await conn.execute(before)).scalar()
        when = Report.model_validate_json(last).when.label if last else ""
        told: Counter[str] = Counter()
        for report in reports:
            told.update("everybody" if one == "*" else one for one in report.to)
        public = tuple(shortened(report.text.splitlines()[0], 120) for report in reports if report.is_public())
        return RewindPlan(to, when, sum(seq > to for seq in kept), dict(told), public[:10])

    async def rewind(
        self,
        campaign_id: str,
        user_id: int,
        to: int,
        reason: str,
        *,
        undoes: int | None = None,
        interaction_id: int | None = None,
    ) -> None:
        """Go back to just after entry ``to``; the cut-off branch stays in the journal.

        ``undoes`` is the number of entries that the plan showed; if more has happened since, nothing is done.
        """
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "rewind", _STATUSES)
        mine = CampaignRow.id == campaign_id
        async with runtime.store.read() as conn:
            seed = (await conn.execute(select(CampaignRow.seed).where(mine))).scalar_one()
        async with runtime.loaded.hold(campaign_id):
            async with runtime.store.read() as conn:
                entries = await read_journal(conn, campaign_id)
            if undoes is not None and undoes != sum(entry.seq > to for entry in effective(entries)):
                raise Sorry("More has happened since this was listed; look at the list again.", code="plan-moved")
            book = rulebooks.rulebook(campaign.rulebook)
            try:
                adjudicator, transition = await asyncio.to_thread(
                    rewind, book, entries, seed, to=to, by=str(user_id), reason=reason, at=runtime.stamp()
                )
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="bad-entry") from None
            runtime.loaded.evict(campaign_id)
            async with runtime.store.write() as conn:
                await mark_seen(runtime, conn, interaction_id)
                recording = Recording(conn, campaign, adjudicator, runtime.now())
                await close_prompts(recording, None, "Withdrawn: the referee went back to an earlier point.")
                await drop_deadline(recording)
                where = adjudicator.public_view().public.heading
                text = (
                    f"⏪ The referee goes back: play stands at **{where}** again; what was posted of later is void. "
                    f"{reason}\n-# fresh dice from here"
                )
                await post_public(recording, text)
                await write_transitions(recording, [transition])
                await conn.execute(update(CampaignRow).where(mine).values(status="running", status_note=""))
            runtime.loaded.put(campaign_id, adjudicator)
        runtime.deliver()
        runtime.deadlines_changed()
