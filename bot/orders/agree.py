"""Accounts of a battle: sending one's own, and taking another side's over."""

from typing import cast

from bot.campaigns.loaded import AnyAdjudicator
from bot.cards.accounts import account_mark, differences_for, others_account
from bot.errors import Sorry
from bot.orders.answering import Answering
from bot.orders.attempts import WholeSheet
from bot.orders.find_prompt import FoundPrompt, PromptFinder
from bot.orders.open_prompt import Answer
from bot.recording.commit import judged_again
from bot.recording.drafts import with_values
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk


class AccountSending:
    """Takes sides' accounts of battles."""

    def __init__(self, finder: PromptFinder, answering: Answering) -> None:
        self._finder = finder
        self._answering = answering

    @judged_again
    async def hand_in(self, token: str, user_id: int, *, interaction_id: int | None = None) -> Answer:
        """Send the sheet as it stands as this side's account of a battle."""

        def as_it_stands(_: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sheet:
            return with_values(ask, found.draft, {})

        found = await self._finder.found(token, user_id, "fill")
        return await self._answering.answer(
            found, user_id, WholeSheet(as_it_stands), send=True, interaction_id=interaction_id
        )

    @judged_again
    async def agree(self, token: str, user_id: int, mark: str, *, interaction_id: int | None = None) -> Answer:
        """Take another side's account of a battle over as this side's own; ``mark`` is that of the one that was shown.

        It is how a dispute is settled where the referee plays: by the consent of those whom it costs something.

        Raises:
            Sorry: when that account is no longer there to be taken.
        """

        def theirs(adjudicator: AnyAdjudicator, ask: AnyAsk, found: FoundPrompt) -> Sheet:
            differ = differences_for(adjudicator, ask, found.side)
            account = others_account(adjudicator, ask, found.side) if differ else None
            if account is None or account_mark(ask, account) != mark:
                raise Sorry("Their account is not what it was; look at the sheet again.", code="account-moved")
            return cast(Sheet, ask.document_of(account, None))

        found = await self._finder.found(token, user_id, "fill")
        return await self._answering.answer(
            found, user_id, WholeSheet(theirs), send=True, interaction_id=interaction_id
        )
