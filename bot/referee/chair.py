"""The referee's chair: pausing, extending, resolving, ruling, editing, rewinding, exporting."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import delete, select, update

from bot.campaigns.loaded import read_journal, resting_points
from bot.campaigns.office import Office
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.settings import CampaignSettings
from bot.closing import may_close
from bot.errors import Sorry, explain, shortened
from bot.orders.play import Play
from bot.recording.ledger import PUBLIC_PLACE, CampaignInfo, Ledger, battle_place
from bot.store.outbox import enqueue
from bot.store.tables import CampaignRow, DeadlineRow, ReportRow
from rules_engine import rulebooks
from rules_engine.core.base import Json
from rules_engine.core.journal import Entry, effective
from rules_engine.core.refusals import Refused
from rules_engine.core.replaying import rewind
from rules_engine.core.reports import Report
from rules_engine.core.sheets import read_sheet
from rules_engine.core.steps import NotOpen, RuleFailure
from rules_engine.core.views import OmniscientView, PublicView, SideView

LONGEST_EXTENSION_DAYS = 21
"""One extension; many of them cannot push a deadline out of sight unnoticed, since each is announced."""


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


@dataclass(frozen=True)
class ResolvePlan:
    """What would be closed before its deadline: the sheets of whoever is not done, by side; and the batch."""

    waiting: tuple[tuple[str, tuple[str, ...]], ...]
    opened_seq: int


class Chair:
    """What the referee does."""

    def __init__(self, office: Office, play: Play) -> None:
        self._office = office
        self._play = play

    # --- the clock -----------------------------------------------------------------------------------------------

    async def pause(self, campaign_id: str, user_id: int, reason: str, interaction_id: int | None = None) -> None:
        """Stop the clock; the time that is left is kept."""
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "pause", {"running"})
        now = office.now()
        text = f"⏸️ The campaign is paused; the clock stands still. {reason}".strip()
        async with self._on_record(campaign, user_id, ("pause", reason), text, interaction_id) as ledger:
            conn = ledger.conn
            await conn.execute(update(CampaignRow).where(CampaignRow.id == campaign_id).values(status="paused"))
            falls_at = (
                await conn.execute(select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == campaign_id))
            ).scalar()
            if falls_at is not None:
                left = max(0, int((falls_at - now).total_seconds()))
                await conn.execute(
                    update(DeadlineRow)
                    .where(DeadlineRow.campaign_id == campaign_id)
                    .values(falls_at=None, left_seconds=left)
                )
            await ledger.refresh_open(None)

    async def resume(self, campaign_id: str, user_id: int, interaction_id: int | None = None) -> None:
        """Start the clock again with the time that was left; a halted campaign is tried again."""
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "resume", {"paused", "halted"})
        if campaign.status == "halted":
            office.live.evict(campaign_id)
            async with office.using(campaign_id):
                pass
        now = office.now()
        text = "▶️ The campaign goes on."
        async with self._on_record(campaign, user_id, ("resume", ""), text, interaction_id) as ledger:
            conn = ledger.conn
            await conn.execute(
                update(CampaignRow).where(CampaignRow.id == campaign_id).values(status="running", status_note="")
            )
            left = (
                await conn.execute(select(DeadlineRow.left_seconds).where(DeadlineRow.campaign_id == campaign_id))
            ).scalar()
            if left is not None:
                await conn.execute(
                    update(DeadlineRow)
                    .where(DeadlineRow.campaign_id == campaign_id)
                    .values(falls_at=now + timedelta(seconds=left), left_seconds=None)
                )
                await ledger.refresh_open(now + timedelta(seconds=left))

    async def extend(self, campaign_id: str, user_id: int, hours: float, interaction_id: int | None = None) -> datetime:
        """Move the deadline; returns when it falls now."""
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "extend", {"running"})
        if not 0 < hours <= LONGEST_EXTENSION_DAYS * 24:
            raise Sorry(f"Extend by more than 0 and at most {LONGEST_EXTENSION_DAYS * 24} hours.", code="bad-hours")
        async with office.store.read() as conn:
            falls_at = (
                await conn.execute(select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == campaign_id))
            ).scalar()
        if falls_at is None:
            raise Sorry("No deadline is running.", code="no-deadline")
        moved = (DeadlineRow.campaign_id == campaign_id, DeadlineRow.falls_at == falls_at)
        falls_at += timedelta(hours=hours)
        text = f"🕰️ The deadline moves to <t:{int(falls_at.timestamp())}:F>."
        remark = ("extend", f"{hours:g} hours")
        async with self._on_record(campaign, user_id, remark, text, interaction_id) as ledger:
            moving = update(DeadlineRow).where(*moved).values(falls_at=falls_at, reminded=False)
            if not (await ledger.conn.execute(moving)).rowcount:
                raise Sorry("The deadline has just moved or fallen; look again.", code="no-deadline")
            await ledger.refresh_open(falls_at)
        return falls_at

    async def resolve_plan(self, campaign_id: str, user_id: int) -> ResolvePlan:
        """What would be closed before its deadline; shown before it is done."""
        campaign = await self._mine(campaign_id, user_id, "resolve", {"running"})
        async with self._office.using(campaign_id) as referee:
            waiting = tuple(
                (campaign.side_names[label.key], tuple(ask.title for ask in referee.asks_for(label.key)))
                for label in referee.sides
                if referee.asks_for(label.key) and not referee.is_done(label.key)
            )
            async with self._office.store.glance() as conn:
                opened = select(DeadlineRow.opened_seq).where(DeadlineRow.campaign_id == campaign_id)
                return ResolvePlan(waiting, await conn.scalar(opened) or 0)

    async def resolve(self, campaign_id: str, user_id: int, *, opened_seq: int) -> bool:
        """Close the batch that was opened by that entry now, as if its deadline had fallen; whether play went on.

        Raises:
            Sorry: when another is open by now.
        """
        plan = await self.resolve_plan(campaign_id, user_id)
        if plan.opened_seq != opened_seq:
            raise Sorry("Play has gone on since this was listed; look at the list again.", code="plan-moved")
        return await self._play.closing.close(campaign_id, "referee", by=str(user_id), opened_seq=opened_seq)

    # --- ruling and editing --------------------------------------------------------------------------------------

    async def open_disputes(self, campaign_id: str, user_id: int) -> list[tuple[str, str]]:
        """The shared asks that wait for agreement, as (ask id, title)."""
        await self._mine(campaign_id, user_id, "ruling", {"running", "paused"})
        async with self._office.using(campaign_id) as referee:
            return [(ask.id, ask.title) for ask in referee.open_asks() if len(ask.parties) > 1]

    async def ruling(
        self,
        campaign_id: str,
        user_id: int,
        ask_id: str,
        *,
        text: str | None,
        account_of: str | None,
        reason: str,
        interaction_id: int | None = None,
    ) -> None:
        """Settle a battle: by one side's account, or by a sheet of the referee's own."""
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "ruling", {"running"})
        async with office.using(campaign_id) as referee:
            ask = next((one for one in referee.open_asks() if one.id == ask_id and len(one.parties) > 1), None)
            if ask is None:
                raise Sorry("No battle waits for a ruling under that name.", code="no-dispute")
            try:
                document: Json
                if account_of is not None:
                    account = referee.saved(account_of, ask_id) if account_of in ask.parties else None
                    if account is None:
                        raise Sorry("That side has sent no account.", code="no-account")
                    document = account.model_dump(mode="json")
                else:
                    document = {**ask.form.prefilled(), **read_sheet(ask.form, text or "")}
                steps = [referee.rule(ask_id, document, by=str(user_id), reason=reason, at=office.stamp())]
            except Refused as refused:
                raise Sorry(f"The ruling was not accepted:\n{explain(refused.refusals)}", code="bad-ruling") from None
            except NotOpen:
                raise Sorry("That battle is settled already.", code="no-dispute") from None
            if may_close(campaign, referee):
                try:
                    steps.append(await office.close(campaign, referee, "referee", by=str(user_id)))
                except RuleFailure as failure:
                    await self._play.closing.failed(campaign, steps, interaction_id, failure)
            await office.commit(campaign, referee, steps, interaction_id=interaction_id)
        if ask.sheet is not None:
            text = f"⚖️ The referee has ruled on “{ask.title}”. {reason}"
            await office.tell(campaign_id, battle_place(ask.sheet.key), text)

    async def edit(
        self,
        campaign_id: str,
        user_id: int,
        path: str,
        value: str,
        reason: str,
        *,
        remove: bool = False,
        interaction_id: int | None = None,
    ) -> None:
        """Change the record by hand; ``value`` is JSON, or taken as plain text if it is not."""
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "edit", {"running", "paused"})
        if not reason.strip():
            raise Sorry("An edit needs a reason; it stands in the journal.", code="no-reason")
        try:
            parsed: Json = json.loads(value) if value else None
        except json.JSONDecodeError:
            parsed = value
        async with office.using(campaign_id) as referee:
            try:
                step = referee.edit(path, parsed, remove=remove, by=str(user_id), reason=reason, at=office.stamp())
            except Refused as refused:
                text = f"The edit was not made:\n{explain(refused.refusals)}"
                raise Sorry(text, code="bad-edit") from None
            except Exception:
                office.live.evict(campaign_id)
                raise
            await office.commit(campaign, referee, [step], interaction_id=interaction_id)
        done = "taken out" if remove else f"set to `{value[:200]}`"
        text = f"✍️ `{path}` was {done}. {reason}\n-# journal entry {step.entry.seq}"
        await office.tell_referee(campaign_id, text)

    # --- rewinding -----------------------------------------------------------------------------------------------

    async def rewind_points(self, campaign_id: str, user_id: int, most: int = 25) -> list[tuple[int, str]]:
        """The latest entries at which play stood still, with the time in the game, newest first."""
        await self._mine(campaign_id, user_id, "rewind", {"running", "paused", "halted"})
        async with self._office.store.read() as conn:
            rests = await resting_points(conn, campaign_id, most)
            rows = await conn.execute(
                select(ReportRow.seq, ReportRow.body)
                .where(ReportRow.campaign_id == campaign_id, ReportRow.seq.in_(rests))
                .order_by(ReportRow.seq, ReportRow.number)
            )
            last = {row["seq"]: row["body"] for row in rows.mappings()}
        labels = {seq: Report.model_validate_json(body).when.label for seq, body in last.items()}
        return [(seq, labels.get(seq, "")) for seq in reversed(rests)]

    async def rewind_plan(self, campaign_id: str, user_id: int, to: int) -> RewindPlan:
        """Who has seen what since entry ``to``; asked for before a rewind."""
        await self._mine(campaign_id, user_id, "rewind", {"running", "paused", "halted"})
        async with self._office.store.read() as conn:
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
        office = self._office
        campaign = await self._mine(campaign_id, user_id, "rewind", {"running", "paused", "halted"})
        async with office.store.read() as conn:
            row = (await conn.execute(select(CampaignRow).where(CampaignRow.id == campaign_id))).mappings().one()
        async with office.live.hold(campaign_id):
            async with office.store.read() as conn:
                entries = await read_journal(conn, campaign_id)
            if undoes is not None and undoes != sum(entry.seq > to for entry in effective(entries)):
                raise Sorry("More has happened since this was listed; look at the list again.", code="plan-moved")
            book = rulebooks.rulebook(campaign.rulebook)
            try:
                referee, step = await asyncio.to_thread(
                    rewind, book, entries, row["seed"], to=to, by=str(user_id), reason=reason, at=office.stamp()
                )
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="bad-entry") from None
            office.live.evict(campaign_id)
            async with office.store.write() as conn:
                await office.mark_seen(conn, interaction_id)
                ledger = Ledger(conn, campaign, referee, office.now())
                await ledger.close_prompts(None, "Withdrawn: the referee went back to an earlier point.")
                await conn.execute(delete(DeadlineRow).where(DeadlineRow.campaign_id == campaign_id))
                where = referee.public_view().public.heading
                text = (
                    f"⏪ The referee goes back: play stands at **{where}** again; what was posted of later is void. "
                    f"{reason}\n-# fresh dice from here"
                )
                await ledger.post([{"place": PUBLIC_PLACE, "content": text, "files": []}])
                await ledger.write([step])
                await conn.execute(
                    update(CampaignRow).where(CampaignRow.id == campaign_id).values(status="running", status_note="")
                )
            office.live.put(campaign_id, referee)
        office.kick()
        office.clock_changed()

    # --- looking and handing out ---------------------------------------------------------------------------------

    async def look(self, campaign_id: str, user_id: int) -> SideView | PublicView | OmniscientView:
        """The most that this user may see: an own side's view, everything for a referee who plays no side, else the
        public view."""
        office = self._office
        campaign = await office.info(campaign_id)
        standing = await office.standing(campaign_id, user_id)
        require(standing, "map")
        async with office.using(campaign_id) as referee:
            if standing.side is not None:
                return referee.view(standing.side)
            if SeatRole.REFEREE in standing.roles or campaign.status == "ended":
                return referee.omniscient_view()
            return referee.public_view()

    async def omniscient(self, campaign_id: str, user_id: int) -> OmniscientView:
        """Everything, for a referee who plays no side (or once the campaign is over)."""
        campaign = await self._office.info(campaign_id)
        standing = await self._office.standing(campaign_id, user_id)
        require(standing, "omniscient", ended=campaign.status == "ended")
        async with self._office.using(campaign_id) as referee:
            return referee.omniscient_view()

    async def change_settings(
        self, campaign_id: str, user_id: int, changes: dict[str, float | bool], interaction_id: int | None = None
    ) -> CampaignSettings:
        """Change how long things may take, from the next deadline on; returns what then holds."""
        campaign = await self._mine(campaign_id, user_id, "settings", {"gathering", "running", "paused"})
        settings = campaign.settings.changed(changes)
        row = update(CampaignRow).where(CampaignRow.id == campaign_id).values(settings=settings.model_dump(mode="json"))
        text = f"⏱️ From the next deadline on: {settings.said()}"
        if campaign.status != "gathering":
            remark = ("settings", settings.said())
            async with self._on_record(campaign, user_id, remark, text, interaction_id) as ledger:
                await ledger.conn.execute(row)
            return settings
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            await conn.execute(row)
            payload = {"place": PUBLIC_PLACE, "content": text, "files": []}
            await enqueue(conn, campaign_id, [(PUBLIC_PLACE, "post", payload)], now=self._office.now())
        self._office.kick()
        return settings

    async def export(self, campaign_id: str, user_id: int) -> str:
        """The campaign's whole record as JSON lines, for ``plotroom verify``.

        While it runs only a referee who plays no side may have it, for it holds every secret; at its end everybody
        inside may, and the seed is in it.
        """
        office = self._office
        campaign = await office.info(campaign_id)
        standing = await office.standing(campaign_id, user_id)
        require(standing, "export")
        if campaign.status != "ended":
            require(standing, "omniscient")
        else:
            await self.reveal(campaign)
        async with office.store.read() as conn:
            entries = await read_journal(conn, campaign_id)
        return export_text(entries)

    async def reveal(self, campaign: CampaignInfo) -> None:
        """Put the seed of an ended campaign on the record, once."""
        office = self._office
        async with office.using(campaign.id) as referee:
            if referee.head is not None and referee.head.body.kind == "revealed":
                return
            await office.commit(campaign, referee, [referee.reveal(by="clock", at=office.stamp())])

    async def _mine(self, campaign_id: str, user_id: int, action: str, statuses: set[str]) -> CampaignInfo:
        campaign = await self._office.info(campaign_id)
        require(await self._office.standing(campaign_id, user_id), action)
        if campaign.status not in statuses:
            raise Sorry(f"The campaign is {campaign.status}.", code=f"status-{campaign.status}")
        return campaign

    @asynccontextmanager
    async def _on_record(
        self,
        campaign: CampaignInfo,
        user_id: int,
        remark: tuple[str, str],
        text: str,
        interaction_id: int | None,
    ) -> AsyncIterator[Ledger]:
        """One transaction for what is done to the clock: a remark (topic, text) in the journal, and a public word."""
        office = self._office
        async with office.using(campaign.id) as referee:
            topic, note = remark
            step = referee.remark(topic, note, by=str(user_id), at=office.stamp())
            try:
                async with office.store.write() as conn:
                    await office.mark_seen(conn, interaction_id)
                    ledger = Ledger(conn, campaign, referee, office.now())
                    await ledger.write([step])
                    await ledger.post([{"place": PUBLIC_PLACE, "content": text, "files": []}])
                    yield ledger
            except BaseException:
                office.live.evict(campaign.id)
                raise
        office.kick()
        office.clock_changed()


def export_text(entries: list[Entry]) -> str:
    """A journal as JSON lines, one entry each."""
    return "".join(f"{entry.model_dump_json()}\n" for entry in entries)
