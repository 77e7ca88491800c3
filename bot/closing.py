"""Going on: the batch that closes when nothing more is awaited, at its deadline, or by the referee's word."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal, NoReturn

from sqlalchemy import select, update

from bot.campaigns.loaded import AnyReferee
from bot.campaigns.office import Office, standing_of
from bot.cards.cards import closed_text
from bot.errors import Sorry, Stale
from bot.recording.ledger import REFEREE_PLACE, CampaignInfo, Ledger, how_it_closed
from bot.store.tables import DeadlineRow
from rules_engine.core.asks import AnyAsk
from rules_engine.core.steps import NotSettled, RuleFailure, Step

CLOSED_EARLY = (
    "⏩ The referee closed the open sheets before their deadline. Who had saved nothing has the stated default taken."
)


class Closing:
    """Closes batches and writes down what play then brings."""

    def __init__(self, office: Office) -> None:
        self._office = office

    async def go_on(
        self, campaign: CampaignInfo, referee: AnyReferee, steps: list[Step], interaction_id: int | None
    ) -> None:
        """Write steps down, and close the batch in the same transaction if nothing more is awaited."""
        if may_close(campaign, referee):
            try:
                steps.append(await self._office.close(campaign, referee, "all ready", by="clock"))
            except NotSettled:
                pass
            except RuleFailure as failure:
                await self.failed(campaign, steps, interaction_id, failure)
        await self._office.commit(campaign, referee, steps, interaction_id=interaction_id)

    async def failed(
        self, campaign: CampaignInfo, steps: Sequence[Step], interaction_id: int | None, failure: RuleFailure
    ) -> NoReturn:
        """The rules raised: keep what was accepted, then halt this campaign alone."""
        office = self._office
        referee = await office.live.reload(campaign.id)
        if steps:
            for step in steps:
                referee.repeat(step.entry)
            await office.commit(campaign, referee, steps, interaction_id=interaction_id)
        await office.halt(campaign.id, f"The rules failed while playing on ({failure}).")
        raise Sorry("Your orders are saved, but play could not go on; the referee has been told.", code="halted")

    async def close(
        self, campaign_id: str, reason: Literal["deadline", "referee"], *, by: str, opened_seq: int | None = None
    ) -> bool:
        """Close the open batch now. A late or doubled deadline (``opened_seq`` of an older batch) does nothing.

        Returns:
            Whether play went on. When accounts of a battle are missing or differ the referee is told and the clock
            runs on.
        """
        office = self._office
        campaign = await office.info(campaign_id)
        if campaign.status != "running":
            return False
        async with self._office.using(campaign.id) as referee:
            async with office.store.glance() as conn:
                row = (
                    (await conn.execute(select(DeadlineRow).where(DeadlineRow.campaign_id == campaign_id)))
                    .mappings()
                    .first()
                )
            if row is None or (opened_seq is not None and row["opened_seq"] != opened_seq):
                return False
            try:
                step = await office.close(campaign, referee, reason, by=by)
            except NotSettled as unsettled:
                await self._still_differ(campaign, referee, unsettled.asks, row, reason)
                return False
            except RuleFailure as failure:
                await self.failed(campaign, [], None, failure)
            await office.commit(campaign, referee, [step], first=CLOSED_EARLY if reason == "referee" else "")
        return True

    async def _still_differ(
        self,
        campaign: CampaignInfo,
        referee: AnyReferee,
        asks: Sequence[AnyAsk],
        row: Any,
        reason: Literal["deadline", "referee"],
    ) -> None:
        """A battle without an agreed account: its parties are told, and the referee who can rule on it."""
        office = self._office
        grace = timedelta(minutes=campaign.settings.grace_minutes)
        falls_at = office.now() + grace
        async with office.store.write() as conn:
            await conn.execute(
                update(DeadlineRow)
                .where(DeadlineRow.campaign_id == campaign.id, DeadlineRow.opened_seq == row["opened_seq"])
                .values(falls_at=falls_at, reminded=False)
            )
            ledger = Ledger(conn, campaign, referee, office.now())
            payloads: list[dict[str, Any]] = []
            # Who commands a side is told nothing of other sides' battles, and cannot rule on their own.
            if not (await standing_of(conn, campaign.id, campaign.referee_id)).plays_and_referees:
                text = (
                    "⏰ The deadline fell without an agreed account of "
                    + ", ".join(f"“{ask.title}”" for ask in asks)
                    + f". The clock runs on to <t:{int(falls_at.timestamp())}:R>. "
                    "You may settle it with `/referee ruling`."
                )
                payloads.append({"place": REFEREE_PLACE, "content": text, "files": []})
            note = (
                "The deadline has passed without an agreed account. Compare the two: change yours, or take theirs."
                if reason == "deadline"
                else "The referee would have play go on, but there is no agreed account yet."
            )
            note = f"{note} The clock runs on to <t:{int(falls_at.timestamp())}:R>."
            sheets = [ask.sheet for ask in asks if ask.sheet is not None]
            payloads += [{"place": f"battle:{sheet.key}", "content": note, "files": []} for sheet in sheets]
            await ledger.post(payloads)
            await ledger.refresh_open(falls_at)
        office.kick()
        office.clock_changed()


def may_close(campaign: CampaignInfo, referee: AnyReferee) -> bool:
    """Whether nothing more is awaited, so that play may go on before the deadline."""
    early = campaign.settings.early_close or all(ask.pace == "battle" for ask in referee.open_asks())
    return early and referee.all_done()


def gone_on(row: Any, step: Step) -> Stale:
    """The answer to the press that closed the batch: the very words that its other copies will show."""
    return Stale(closed_text(row["title"], how_it_closed(step), step.taken.get(row["ask_id"], ())))
