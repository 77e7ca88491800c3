"""Rulings of the referee: settling a battle whose accounts differ."""

import asyncio

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.closing.batch import close_if_done
from bot.errors import Sorry, explain
from bot.recording.commit import commit_transitions, judged_again
from bot.recording.drafts import complete, with_values
from bot.records.campaigns import IN_PLAY, CampaignStatus
from bot.records.effects import Post
from bot.records.places import battle_place
from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.transitions import NotOpen


class BattleRulings:
    """Settles battles by the referee's word."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def open_disputes(self, campaign_id: str, user_id: int) -> list[tuple[str, str]]:
        """The shared asks that wait for agreement, as (ask id, title)."""
        await self._runtime.directory.permitted(campaign_id, user_id, "ruling", IN_PLAY)
        async with holding(self._runtime, campaign_id) as adjudicator:
            return [(ask.id, ask.title) for ask in adjudicator.open_asks() if ask.is_shared]

    @judged_again
    async def rule(
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
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "ruling", {CampaignStatus.RUNNING})
        async with holding(runtime, campaign_id) as adjudicator:
            ask = next((one for one in adjudicator.open_asks() if one.id == ask_id and one.is_shared), None)
            if ask is None:
                raise Sorry("No battle waits for a ruling under that name.", code="no-dispute")
            try:
                document = await asyncio.to_thread(_document, adjudicator, ask, text, account_of)
                transitions = [adjudicator.rule(ask_id, document, by=str(user_id), reason=reason, at=runtime.stamp())]
            except Refused as refused:
                raise Sorry(f"The ruling was not accepted:\n{explain(refused.refusals)}", code="bad-ruling") from None
            except NotOpen:
                raise Sorry("That battle is settled already.", code="no-dispute") from None
            after = await close_if_done(
                runtime,
                campaign,
                adjudicator,
                transitions,
                strand=ask.strand,
                reason="referee",
                by=str(user_id),
                interaction_id=interaction_id,
            )
            transitions += [after] if after is not None else []
            told: list[Post] = []
            if ask.setup is not None:
                text = f"⚖️ The referee has ruled on “{ask.title}”. {reason}"
                told = [Post(place=battle_place(ask.setup.key), content=text)]
            await commit_transitions(
                runtime, campaign, adjudicator, transitions, interaction_id=interaction_id, told=told
            )


def _document(adjudicator: AnyAdjudicator, ask: AnyAsk, text: str | None, account_of: str | None) -> Json:
    """What is to stand: the account of a side or its force as it was sent, or what the referee has written."""
    by_name = {label.name.casefold(): label.key for label in adjudicator.labels}
    if account_of is None:
        values = read_sheet(ask.form, text or "", ask.refusals_of)
        if not any(values.values()):
            raise Sorry(
                "Nothing was in that text, so nothing was ruled. Write `line: field value`.", code="nothing-said"
            )
        return complete(ask, with_values(ask, None, values))
    side = by_name.get(account_of.strip().casefold(), account_of)
    account = adjudicator.saved(side, ask.id) if side in ask.parties else None
    if account is None:
        raise Sorry("That side has sent no account.", code="no-account")
    return account.model_dump(mode="json")
