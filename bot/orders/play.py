"""Playing: a side's sheets, being ready, accounts of battles, and the deadline that falls."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from sqlalchemy import select, update

from bot.campaigns.loaded import AnyReferee
from bot.campaigns.office import Office
from bot.campaigns.permissions import require
from bot.cards.accounts import account_mark, differences_told, others_account
from bot.cards.cards import PromptState, prompt_card
from bot.closing import Closing, gone_on, may_close
from bot.errors import Sorry, explain
from bot.faults import point
from bot.orders.find_prompt import Filing, open_ask
from bot.orders.open_prompt import Prompt
from bot.recording.drafts import complete, unsent, with_values
from bot.recording.ledger import CampaignInfo, Ledger
from bot.store.connections import Connection
from bot.store.outbox import card_under_way
from bot.store.tables import PromptMessageRow, PromptRow
from rules_engine.core.asks import AnyAsk
from rules_engine.core.forms import Form, Sheet
from rules_engine.core.refusals import Refusal, Refused
from rules_engine.core.sheets import read_sheet
from rules_engine.core.steps import RuleFailure, Step
from rules_engine.core.views import SideView

Reading = tuple[Sheet, Sequence[Refusal]]
"""What was made of something sent: values for the sheet, and what could not be made out."""

LARGEST_ORDERS = 100_000
"""Characters of an uploaded order sheet."""


class Play:
    """What commanders do."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._filing = Filing(office)
        self.closing = Closing(office)

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
        rows = await self._filing.open_rows(campaign_id, standing.side or "")
        closes = await self._filing.closes(campaign_id)
        async with self._office.using(campaign.id) as referee:
            open_ids = {ask.id for ask in referee.asks_for(standing.side or "")}
            return [
                self._filing.prompt(campaign, referee, row, closes)
                for row in rows
                if row["ask_id"] in open_ids and kind in (None, row["kind"])
            ]

    async def prompt(self, token: str, user_id: int, action: str = "fill") -> Prompt:
        """One prompt, for somebody who may answer it.

        Raises:
            Stale: when it is closed or unknown.
            Sorry: when it is not this user's.
        """
        row, campaign, _ = await self._filing.row(token, user_id, action)
        closes = await self._filing.closes(campaign.id)
        async with self._office.using(campaign.id) as referee:
            return self._filing.prompt(campaign, referee, row, closes)

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
        row, _, _ = await self._filing.row(token, user_id, "fill")
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

    async def agree(self, token: str, user_id: int, mark: str, *, interaction_id: int | None = None) -> Prompt:
        """Take another side's account of a battle over as this side's own; ``mark`` is that of the one that was shown.

        It is how a dispute is settled where the referee plays: by the consent of whoever it costs something.

        Raises:
            Sorry: when that account is no longer there to be taken.
        """

        def theirs(referee: AnyReferee, ask: AnyAsk, side: str) -> Sheet:
            account = others_account(referee, ask, side) if referee.agreement(ask.id).differences else None
            if account is None or account_mark(ask, account) != mark:
                raise Sorry("Their account is not what it was; look at the sheet again.", code="account-moved")
            return cast(Sheet, ask.document_of(account, None))

        return await self._change(
            token, user_id, lambda _: ({}, ()), None, interaction_id, action="fill", send=True, instead=theirs
        )

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
        row, campaign, standing = await self._filing.row(token, user_id, "ready")
        side = standing.side or ""
        async with self._office.using(campaign.id) as referee:
            ask = open_ask(referee, row, side)
            if is_ready and row["draft"]:
                try:
                    referee.try_answer(side, ask.id, complete(ask, row["draft"]))
                except Refused as refused:
                    return await self._keep_draft(campaign, referee, row, row["draft"], refused)
            if referee.is_ready(side) == is_ready:
                return self._filing.prompt(campaign, referee, row, await self._filing.closes(campaign.id))
            step = referee.ready(side, is_ready=is_ready, by=str(user_id), at=self._office.stamp())
            steps = [step]
            await self.closing.go_on(campaign, referee, steps, interaction_id)
            if len(steps) > 1:
                raise gone_on(row, steps[-1])
            prompt = self._filing.prompt(campaign, referee, row, await self._filing.closes(campaign.id))
            if await self._filing.shows_elsewhere(row, message_id):
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
        instead: Callable[[AnyReferee, AnyAsk, str], Sheet] | None = None,
    ) -> Prompt:
        row, campaign, standing = await self._filing.row(token, user_id, action)
        side = standing.side or ""
        async with self._office.using(campaign.id) as referee:
            ask = open_ask(referee, row, side)
            values, defects = read(ask.form)
            if defects:  # nothing of a form is taken that cannot be read whole
                prompt = self._filing.prompt(campaign, referee, row, await self._filing.closes(campaign.id))
                return self.with_problems(prompt, [explain(defects)])
            draft = with_values(ask, row["draft"], values) if instead is None else instead(referee, ask, side)
            document = complete(ask, draft)
            step: Step | None = None
            try:
                if send or ask.pace != "battle":
                    step = referee.revise(side, ask.id, document, by=str(user_id), at=self._office.stamp())
                else:
                    referee.try_answer(side, ask.id, document)
            except Refused as refused:
                return await self._keep_draft(campaign, referee, row, draft, refused)
            steps = [step] if step is not None else []
            return await self._write_answer(
                campaign, referee, row, draft, steps, message_id=message_id, interaction_id=interaction_id
            )

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
                await self.closing.failed(campaign, steps, interaction_id, failure)
        point("journal.before")
        try:
            async with office.store.write() as conn:
                open_rows = await self._filing.open_rows(campaign.id, row["side"])
                await office.mark_seen(conn, interaction_id)
                await self._filing.keep(conn, row, draft)
                ledger = Ledger(conn, campaign, referee, office.now())
                await ledger.write(steps)
                point("journal.written")
                if len(steps) < 2:
                    closes = await self._filing.closes(campaign.id)
                    prompt = self._filing.prompt(campaign, referee, {**row, "draft": draft}, closes, receipt=receipt)
                    await self._refresh_copies(conn, campaign, referee, row, prompt, but=message_id)
                    if steps and len(prompt.ask.parties) > 1:
                        await self._account_sent(ledger, referee, row, prompt)
        except BaseException:
            office.live.evict(campaign.id)
            raise
        if len(steps) < 2:
            self._filing.know_draft({**row, "draft": draft}, open_rows)
        point("journal.committed")
        office.kick()
        if len(steps) == 2:
            office.clock_changed()
            raise gone_on(row, steps[-1])
        return prompt  # pyright: ignore[reportPossiblyUnboundVariable]

    async def _account_sent(self, ledger: Ledger, referee: AnyReferee, row: Any, prompt: Prompt) -> None:
        """Tell the parties of a battle how their accounts compare."""
        ask, campaign = prompt.ask, prompt.campaign
        differences = referee.agreement(ask.id).differences
        name = campaign.side_names[prompt.side]
        if differences:
            text = f"{name} sent its account. The accounts differ:\n{differences_told(differences)}"
        else:
            text = f"{name} sent its account; the other side's is awaited."
        if ask.sheet is not None:
            await ledger.post([{"place": f"battle:{ask.sheet.key}", "content": text, "files": []}])
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
        closes = await self._filing.closes(campaign.id)
        prompt = self._filing.prompt(campaign, referee, {**row, "draft": draft}, closes)
        prompt = self.with_problems(prompt, [explain(refused.refusals)], stuck=True)
        async with self._office.store.write() as conn:
            await self._filing.keep(conn, row, draft)
            if await card_under_way(conn, campaign.id, row["token"]):
                await self._refresh_copies(conn, campaign, referee, row, prompt)
        self._office.kick()
        return prompt

    @staticmethod
    def with_problems(prompt: Prompt, problems: Sequence[str], *, stuck: bool = False) -> Prompt:
        """The prompt with something more to say about what was not accepted; ``stuck`` if it stands on the sheet."""
        told = {"problems": [*prompt.state.problems, *problems], "stuck": stuck or prompt.state.stuck}
        state = PromptState(**{**vars(prompt.state), **told})
        return Prompt(prompt.token, prompt.campaign, prompt.side, prompt.ask, state, prompt.kept)

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
        if await self._filing.shows_elsewhere(row, but):
            ledger = Ledger(conn, campaign, referee, self._office.now())
            await ledger.refresh(row, prompt.card.as_json(), but_message=but)
