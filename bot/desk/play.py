"""Playing: a side's sheets, being ready, accounts of battles, and the deadline that falls."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NoReturn

from sqlalchemy import bindparam, select, update

from bot.desk.errors import Sorry, Stale, explain
from bot.desk.ledger import CampaignInfo, Ledger, copies_of, how_it_closed
from bot.desk.live import AnyReferee
from bot.desk.office import Office
from bot.desk.prompt import Prompt, complete, merged, unsent
from bot.desk.rights import Standing, require
from bot.faults import point
from bot.prompts.cards import PromptState, closed_text, prompt_card
from bot.store.connections import Change, Connection
from bot.store.outbox import card_under_way
from bot.store.tables import DeadlineRow, PromptMessageRow, PromptRow
from rules_engine.core.asks import AnyAsk
from rules_engine.core.forms import Form, Sheet
from rules_engine.core.refusals import Refusal, Refused
from rules_engine.core.sheets import read_sheet
from rules_engine.core.steps import NotSettled, RuleFailure, Step
from rules_engine.core.views import SideView

Reading = tuple[Sheet, Sequence[Refusal]]
"""What was made of something sent: values for the sheet, and what could not be made out."""

LARGEST_ORDERS = 100_000
"""Characters of an uploaded order sheet."""

# Statements on the way from a click to its answer are made once: making one takes as long as carrying it out.
_prompts = PromptRow.__table__.c
_by_token = select(PromptRow.__table__).where(_prompts.token == bindparam("token"))
_open_ones = (
    select(PromptRow.__table__)
    .where(
        _prompts.campaign_id == bindparam("campaign"), _prompts.side == bindparam("side"), _prompts.status == "open"
    )
    .order_by(_prompts.created_at, _prompts.ask_id)
)
_falls_at = select(DeadlineRow.falls_at).where(DeadlineRow.campaign_id == bindparam("campaign"))
_keep = Change(update(PromptRow.__table__).where(_prompts.token == bindparam("of")).values(draft=bindparam("sheet")))  # type: ignore[arg-type]


class Play:
    """What commanders do."""

    def __init__(self, office: Office) -> None:
        self._office = office

    # --- looking -----------------------------------------------------------------------------------------------------

    async def view(self, campaign_id: str, user_id: int) -> SideView:
        """What the user's side knows."""
        campaign = await self._office.info(campaign_id)
        standing = await self._office.standing(campaign_id, user_id)
        if standing.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with self._office.using(campaign.id) as referee:
            return referee.view(standing.side)

    async def open_prompts(self, campaign_id: str, user_id: int, kind: str | None = None) -> list[Prompt]:
        """The user's open sheets, in the order in which they were opened."""
        campaign = await self._office.info(campaign_id)
        standing = await self._office.standing(campaign_id, user_id)
        require(standing, "orders")
        rows = await self._open_rows(campaign_id, standing.side or "")
        closes = await self._closes(campaign_id)
        async with self._office.using(campaign.id) as referee:
            open_ids = {ask.id for ask in referee.asks_for(standing.side or "")}
            return [
                self._prompt(None, campaign, referee, row, closes)
                for row in rows
                if row["ask_id"] in open_ids and kind in (None, row["kind"])
            ]

    async def prompt(self, token: str, user_id: int, action: str = "fill") -> Prompt:
        """One prompt, for somebody who may answer it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        row, campaign, _ = await self._row(token, user_id, action)
        closes = await self._closes(campaign.id)
        async with self._office.using(campaign.id) as referee:
            return self._prompt(None, campaign, referee, row, closes)

    async def is_copy(self, token: str, message_id: int) -> bool:
        """Whether this message is one in which the prompt was posted."""
        query = select(PromptMessageRow.message_id).where(
            PromptMessageRow.token == token, PromptMessageRow.message_id == message_id
        )
        async with self._office.store.glance() as conn:
            return (await conn.execute(query)).scalar() is not None

    # --- answering ---------------------------------------------------------------------------------------------------

    async def fill(
        self,
        token: str,
        user_id: int,
        values: Sheet,
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Prompt:
        """Put values into the sheet. What is then a legal answer is journalled at once; else only the draft is kept.

        An account of a battle is journalled only by :meth:`accept`.
        """
        return await self._change(token, user_id, lambda _: (values, ()), message_id, interaction_id, action="fill")

    async def put_in(
        self,
        token: str,
        user_id: int,
        read: Callable[[Form], Reading],
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Prompt:
        """The same with what ``read`` makes of what was sent, by the sheet's own form; its defects are told."""
        return await self._change(token, user_id, read, message_id, interaction_id, action="fill")

    async def write(
        self, token: str, user_id: int, text: str, *, message_id: int | None = None, interaction_id: int | None = None
    ) -> Prompt:
        """Take the sheet as text: typed orders, or an uploaded file."""
        if len(text) > LARGEST_ORDERS:
            raise Sorry(f"Orders have at most {LARGEST_ORDERS:,} characters; this has {len(text):,}.", code="too-long")
        prompt = await self.prompt(token, user_id, "write")
        try:
            values = read_sheet(prompt.form, text)
        except Refused as refused:
            return self.with_problems(prompt, [explain(refused.refusals)])
        return await self._change(token, user_id, lambda _: (values, ()), message_id, interaction_id, action="write")

    async def reset(self, token: str, user_id: int, *, interaction_id: int | None = None) -> Prompt:
        """Start the sheet over from what was filled in at the beginning."""
        row, _, _ = await self._row(token, user_id, "fill")
        async with self._office.store.write() as conn:
            await self._office.mark_seen(conn, interaction_id)
            await conn.execute(update(PromptRow).where(PromptRow.token == token).values(draft={}))
        prompt = await self.prompt(token, user_id)
        if prompt.ask.pace == "battle":
            return prompt
        return await self.fill(row["token"], user_id, prompt.form.prefilled())

    async def accept(self, token: str, user_id: int, *, interaction_id: int | None = None) -> Prompt:
        """Send the sheet as it stands as this side's account of a battle."""
        return await self._change(token, user_id, lambda _: ({}, ()), None, interaction_id, action="fill", send=True)

    async def ready(
        self,
        token: str,
        user_id: int,
        *,
        is_ready: bool,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Prompt:
        """Say that the side is done, or not after all. When nothing more is expected of anybody, play goes on.

        A sheet that nobody touched counts as its default. One whose last change was not accepted is shown again with
        what is wrong, for whoever presses Ready means what stands there.
        """
        row, campaign, standing = await self._row(token, user_id, "ready")
        side = standing.side or ""
        async with self._office.using(campaign.id) as referee:
            ask = self._ask(referee, row, side)
            if is_ready and row["draft"]:
                try:
                    referee.try_answer(side, ask.id, complete(ask.form, row["draft"]))
                except Refused as refused:
                    return await self._keep_draft(campaign, referee, row, row["draft"], refused)
            if referee.is_ready(side) == is_ready:
                return self._prompt(None, campaign, referee, row, await self._closes(campaign.id))
            step = referee.ready(side, is_ready=is_ready, by=str(user_id), at=self._office.stamp())
            steps = [step]
            await self._go_on(campaign, referee, steps, interaction_id)
            if len(steps) > 1:
                raise _gone_on(row, steps[-1])
            prompt = self._prompt(None, campaign, referee, row, await self._closes(campaign.id))
            if await self._shows_elsewhere(row, message_id):
                async with self._office.store.write() as conn:
                    await self._refresh_copies(conn, campaign, referee, row, prompt, but=message_id)
        self._office.kick()
        return prompt

    async def _change(
        self,
        token: str,
        user_id: int,
        read: Callable[[Form], Reading],
        message_id: int | None,
        interaction_id: int | None,
        *,
        action: str,
        send: bool = False,
    ) -> Prompt:
        row, campaign, standing = await self._row(token, user_id, action)
        side = standing.side or ""
        async with self._office.using(campaign.id) as referee:
            ask = self._ask(referee, row, side)
            values, defects = read(ask.form)
            draft = merged(self._draft(ask, row), values)
            document = complete(ask.form, draft)
            step: Step | None = None
            try:
                if send or ask.pace != "battle":
                    step = referee.revise(side, ask.id, document, by=str(user_id), at=self._office.stamp())
                else:
                    referee.try_answer(side, ask.id, document)
            except Refused as refused:
                prompt = await self._keep_draft(campaign, referee, row, draft, refused)
            else:
                steps = [step] if step is not None else []
                prompt = await self._write_answer(
                    campaign, referee, row, draft, steps, message_id=message_id, interaction_id=interaction_id
                )
        return self.with_problems(prompt, [explain(defects)]) if defects else prompt

    async def _write_answer(
        self,
        campaign: CampaignInfo,
        referee: AnyReferee,
        row: Any,
        draft: Sheet,
        steps: list[Step],
        *,
        message_id: int | None,
        interaction_id: int | None,
    ) -> Prompt:
        """Journal the answer and keep the draft in one transaction; play on if that was the last thing awaited."""
        office = self._office
        receipt = steps[0].entry.receipt if steps else ""
        if steps and may_close(campaign, referee):
            try:
                steps.append(await office.close(campaign, referee, "all ready", by="clock"))
            except RuleFailure as failure:
                await self.failed(campaign, steps, interaction_id, failure)
        point("journal.before")
        try:
            async with office.store.write() as conn:
                open_rows = await self._open_rows(campaign.id, row["side"])
                await office.mark_seen(conn, interaction_id)
                await _keep.make(conn, of=row["token"], sheet=draft)
                ledger = Ledger(conn, campaign, referee, office.now())
                await ledger.write(steps)
                point("journal.written")
                if len(steps) < 2:
                    closes = await self._closes(campaign.id)
                    prompt = self._prompt(conn, campaign, referee, {**row, "draft": draft}, closes, receipt=receipt)
                    await self._refresh_copies(conn, campaign, referee, row, prompt, but=message_id)
                    if steps and len(prompt.ask.parties) > 1:
                        await self._account_sent(ledger, referee, row, prompt)
        except BaseException:
            office.live.evict(campaign.id)
            raise
        if len(steps) < 2:
            self._know_draft({**row, "draft": draft}, open_rows)
        point("journal.committed")
        office.kick()
        if len(steps) == 2:
            office.clock_changed()
            raise _gone_on(row, steps[-1])
        return prompt  # pyright: ignore[reportPossiblyUnboundVariable]

    async def _account_sent(self, ledger: Ledger, referee: AnyReferee, row: Any, prompt: Prompt) -> None:
        """Tell the parties of a battle how their accounts compare."""
        ask, campaign = prompt.ask, prompt.campaign
        differences = referee.agreement(ask.id).differences
        name = campaign.side_names[prompt.side]
        if differences:
            listed = "\n".join(f"✏️ {line}" for line in differences[:12])
            text = f"{name} sent its account. The accounts differ in {len(differences)} line(s):\n{listed}"
        else:
            text = f"{name} sent its account; the other side's is awaited."
        if ask.sheet is not None:
            await ledger.post([{"place": f"battle:{ask.sheet.key}", "content": text[:1900], "files": []}])
        others = select(PromptRow).where(
            PromptRow.campaign_id == campaign.id,
            PromptRow.ask_id == ask.id,
            PromptRow.status == "open",
            PromptRow.side != prompt.side,
        )
        for other in (await ledger.conn.execute(others)).mappings().all():
            drafted = unsent(referee, ask, other)
            state = ledger.prompt_state(other["token"], ask, other["side"], prompt.state.closes, unsent=drafted)
            await ledger.refresh(other, prompt_card(state).as_json())

    async def _keep_draft(
        self, campaign: CampaignInfo, referee: AnyReferee, row: Any, draft: Sheet, refused: Refused
    ) -> Prompt:
        closes = await self._closes(campaign.id)
        prompt = self._prompt(None, campaign, referee, {**row, "draft": draft}, closes)
        prompt = self.with_problems(prompt, [explain(refused.refusals)])
        async with self._office.store.write() as conn:
            await _keep.make(conn, of=row["token"], sheet=draft)
            if await card_under_way(conn, campaign.id, row["token"]):
                await self._refresh_copies(conn, campaign, referee, row, prompt)
        self._office.kick()
        return prompt

    # --- going on ----------------------------------------------------------------------------------------------------

    async def _go_on(
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
                await self._call_referee(campaign, unsettled.asks, row)
                return False
            except RuleFailure as failure:
                await self.failed(campaign, [], None, failure)
            await office.commit(campaign, referee, [step])
        return True

    async def _call_referee(self, campaign: CampaignInfo, asks: Sequence[AnyAsk], row: Any) -> None:
        office = self._office
        grace = timedelta(minutes=campaign.settings.grace_minutes)
        falls_at = office.now() + grace
        async with office.store.write() as conn:
            await conn.execute(
                update(DeadlineRow)
                .where(DeadlineRow.campaign_id == campaign.id, DeadlineRow.opened_seq == row["opened_seq"])
                .values(falls_at=falls_at, reminded=False)
            )
            ledger = Ledger(conn, campaign, _NO_REFEREE, office.now())
            text = (
                "⏰ The deadline fell without an agreed account of "
                + ", ".join(f"“{ask.title}”" for ask in asks)
                + f". The clock runs on to <t:{int(falls_at.timestamp())}:R>. You may settle it with `/referee ruling`."
            )
            payloads = [{"place": "referee", "content": text, "files": []}]
            note = "The deadline has passed without an agreed account. Compare yours with the other side's."
            sheets = [ask.sheet for ask in asks if ask.sheet is not None]
            payloads += [{"place": f"battle:{sheet.key}", "content": note, "files": []} for sheet in sheets]
            await ledger.post(payloads)
        office.kick()
        office.clock_changed()

    # --- finding -----------------------------------------------------------------------------------------------------

    async def _row(self, token: str, user_id: int, action: str) -> tuple[Any, CampaignInfo, Standing]:
        row = await self._prompt_row(token)
        if row is None:
            raise Stale("This sheet is not known (any more).")
        campaign = await self._office.info(row["campaign_id"])
        standing = await self._office.standing(campaign.id, user_id)
        require(standing, action)
        if standing.side != row["side"]:
            raise Sorry("This is not your side's sheet.", code="not-yours")
        if row["status"] != "open":
            raise Stale(f"“{row['title']}” is closed; nothing was changed.")
        if campaign.status == "paused":
            raise Sorry("The campaign is paused; the clock stands still and orders wait.", code="paused")
        if campaign.status != "running":
            raise Sorry(f"The campaign is {campaign.status}.", code=f"status-{campaign.status}")
        return row, campaign, standing

    @staticmethod
    def _ask(referee: AnyReferee, row: Any, side: str) -> AnyAsk:
        for ask in referee.asks_for(side):
            if ask.id == row["ask_id"]:
                return ask
        raise Stale(f"“{row['title']}” is closed; nothing was changed.")

    # What a click must know is remembered from one to the next, until its tables are written.

    async def _closes(self, campaign_id: str) -> datetime | None:
        async def read() -> datetime | None:
            async with self._office.store.glance() as conn:
                return await conn.scalar(_falls_at, {"campaign": campaign_id})

        return await self._office.store.memory.recall(("closes", campaign_id), ("deadline",), read)

    async def _prompt_row(self, token: str) -> Any:
        async def read() -> Any:
            async with self._office.store.glance() as conn:
                return (await conn.execute(_by_token, {"token": token})).mappings().first()

        return await self._office.store.memory.recall(("prompt", token), ("prompt",), read)

    async def _open_rows(self, campaign_id: str, side: str) -> Sequence[Any]:
        async def read() -> Sequence[Any]:
            async with self._office.store.glance() as conn:
                found = await conn.execute(_open_ones, {"campaign": campaign_id, "side": side})
                return list(found.mappings())

        return await self._office.store.memory.recall(("open prompts", campaign_id, side), ("prompt",), read)

    def _know_draft(self, row: Any, open_rows: Sequence[Any]) -> None:
        """Remember a draft that was written by the transaction just now; ``open_rows`` are those from before it."""
        memory = self._office.store.memory
        memory.know(("prompt", row["token"]), ("prompt",), row)
        rows = [row if one["token"] == row["token"] else one for one in open_rows]
        memory.know(("open prompts", row["campaign_id"], row["side"]), ("prompt",), rows)

    async def _copies(self, row: Any) -> Sequence[Any]:
        """The messages in which a prompt stands, of its side's present commanders."""

        async def read() -> Sequence[Any]:
            async with self._office.store.glance() as conn:
                return await copies_of(conn, row)

        tables = ("prompt_message", "member")
        return await self._office.store.memory.recall(("copies", row["token"]), tables, read)

    @staticmethod
    def _draft(ask: AnyAsk, row: Any) -> Sheet:
        return row["draft"] or ask.form.prefilled()

    def _prompt(
        self,
        conn: Connection | None,
        campaign: CampaignInfo,
        referee: AnyReferee,
        row: Any,
        closes: datetime | None,
        *,
        receipt: str = "",
    ) -> Prompt:
        ask = self._ask(referee, row, row["side"])
        ledger = Ledger(conn, campaign, referee, self._office.now())  # pyright: ignore[reportArgumentType]
        state = ledger.prompt_state(row["token"], ask, row["side"], closes, receipt, unsent=unsent(referee, ask, row))
        return Prompt(row["token"], campaign, row["side"], ask, state, self._draft(ask, row))

    @staticmethod
    def with_problems(prompt: Prompt, problems: Sequence[str]) -> Prompt:
        """The prompt with something more to say about what was not accepted."""
        state = PromptState(**{**vars(prompt.state), "problems": [*prompt.state.problems, *problems]})
        return Prompt(prompt.token, prompt.campaign, prompt.side, prompt.ask, state, prompt.draft)

    async def _refresh_copies(
        self,
        conn: Connection,
        campaign: CampaignInfo,
        referee: AnyReferee,
        row: Any,
        prompt: Prompt,
        *,
        but: int | None = None,
    ) -> None:
        if await self._shows_elsewhere(row, but):
            ledger = Ledger(conn, campaign, referee, self._office.now())
            await ledger.refresh(row, prompt.card.as_json(), but_message=but)

    async def _shows_elsewhere(self, row: Any, but: int | None) -> bool:
        """Whether the prompt stands in other messages than this, or an older card of it is still on its way."""
        if any(copy["message_id"] != but for copy in await self._copies(row)):
            return True
        return await self._under_way(row)

    async def _under_way(self, row: Any) -> bool:
        """Whether an older card of the prompt, queued by an earlier transaction, has still to reach Discord."""

        async def read() -> bool:
            async with self._office.store.glance() as conn:
                return await card_under_way(conn, row["campaign_id"], row["token"])

        return await self._office.store.memory.recall(("card under way", row["token"]), ("outbox",), read)


_NO_REFEREE: Any = None


def may_close(campaign: CampaignInfo, referee: AnyReferee) -> bool:
    """Whether nothing more is awaited, so that play may go on before the deadline."""
    early = campaign.settings.early_close or all(ask.pace == "battle" for ask in referee.open_asks())
    return early and referee.all_done()


def _gone_on(row: Any, step: Step) -> Stale:
    """The answer to the press that closed the batch: the very words that its other copies will show."""
    return Stale(closed_text(row["title"], how_it_closed(step), step.taken.get(row["ask_id"], ())))
