"""Accounts of a battle: sending one's own, taking another side's over or a part of it, and what is said beside them."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, cast

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.accounts import (
    account_mark,
    called_to_decide,
    compared_mark,
    differences_for,
    differences_told,
    others_account,
)
from bot.errors import Sorry
from bot.orders.account_attempts import AlreadySo, ShortFormSent, TakenPart
from bot.orders.answering import Answering
from bot.orders.attempts import WholeSheet
from bot.orders.find_prompt import FoundPrompt, PromptFinder
from bot.orders.open_prompt import Answer, OpenPrompt
from bot.recording.commit import judged_again
from bot.recording.drafts import with_values
from bot.recording.prompts import own_cards, refresh_prompt
from bot.recording.transaction import Recording
from bot.records.effects import Post
from bot.records.places import battle_place
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk


class AccountSending:
    """Takes sides' accounts of battles."""

    def __init__(self, runtime: Runtime, finder: PromptFinder, answering: Answering) -> None:
        self._runtime = runtime
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

    @judged_again
    async def fill_short(
        self,
        token: str,
        user_id: int,
        number: int,
        mark: str,
        submitted: Mapping[str, Any],
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Put a page of the short form in; ``mark`` is that of the questions that were asked. Nothing is sent by it."""
        found = await self._finder.found(token, user_id, "fill")
        attempt = ShortFormSent(number, mark, submitted)
        return await self._answering.answer(
            found, user_id, attempt, message_id=message_id, interaction_id=interaction_id
        )

    @judged_again
    async def take_part(
        self,
        token: str,
        user_id: int,
        name: str,
        mark: str,
        *,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Take the part ``name`` of another side's account over and send one's own with it; ``mark`` is that of what
        was shown. Where one's own says it already, nothing is done.

        Raises:
            Sorry: when the other side says something else by now.
        """
        found = await self._finder.found(token, user_id, "fill")
        try:
            return await self._answering.answer(
                found,
                user_id,
                TakenPart(name, mark),
                send=True,
                message_id=message_id,
                interaction_id=interaction_id,
            )
        except AlreadySo:
            return await self._finder.prompt(token, user_id)

    async def stand_by(self, token: str, user_id: int, mark: str, *, message_id: int | None = None) -> OpenPrompt:
        """Tell the others, once, that the side stands by its account; ``mark`` is that of the accounts that were shown.

        Raises:
            Sorry: when these are not the accounts any more.
        """

        async def say(recording: Recording, ask: AnyAsk, found: FoundPrompt) -> bool:
            if not await recording.tx.prompts.stand_by(found.token, mark):
                return False
            text = f"{recording.side_names[found.side]} stands by its account."
            await recording.put(*_in_thread(ask, text))
            return True

        return await self._say(token, user_id, mark, say, "stood_by", message_id=message_id)

    async def ask_referee(self, token: str, user_id: int, mark: str, *, message_id: int | None = None) -> OpenPrompt:
        """Put the differing accounts before the referee, once; ``mark`` is that of the accounts that were shown.

        Raises:
            Sorry: when these are not the accounts any more, or the referee plays.
        """

        async def say(recording: Recording, ask: AnyAsk, found: FoundPrompt) -> bool:
            campaign, tx = recording.campaign, recording.tx
            _, referee = await seat_in(tx, campaign.id, campaign.referee_id)
            if referee.plays_and_referees:
                raise Sorry(
                    "The referee commands a side in this campaign, so the sides settle their battles: take their "
                    "account, or a part of it, or wait until they take yours.",
                    code="referee-plays",
                )
            if not await tx.prompts.ask_referee(found.token, mark):
                return False
            name, differences = recording.side_names[found.side], recording.adjudicator.compared(ask.id).differences
            asked = (
                f"⚖️ {name} asks you to settle “{ask.title}”. The accounts differ:\n{differences_told(differences)}\n"
                "**Decide** shows all of it and settles it, as `/referee battle` and `/referee ruling` do."
            )
            told = f"{name} has asked the referee to settle this battle."
            await recording.put(called_to_decide(campaign, [ask], asked), *_in_thread(ask, told))
            return True

        return await self._say(token, user_id, mark, say, "referee_asked", message_id=message_id)

    async def _say(
        self,
        token: str,
        user_id: int,
        mark: str,
        say: Callable[[Recording, AnyAsk, FoundPrompt], Awaitable[bool]],
        noted: str,
        *,
        message_id: int | None,
    ) -> OpenPrompt:
        """Say something beside differing accounts, in one transaction, and show it on the side's cards."""
        runtime, found = self._runtime, await self._finder.found(token, user_id, "fill")
        async with holding(runtime, found.campaign.id, found.campaign.head) as adjudicator:
            ask = found.ask(adjudicator)
            if not differences_for(adjudicator, ask, found.side) or compared_mark(adjudicator, ask) != mark:
                raise Sorry("The accounts are not what they were; look at the sheet again.", code="account-moved")
            after = replace(found, prompt=replace(found.prompt, **{noted: mark}))
            prompt = after.opened(adjudicator)
            async with runtime.store.write() as tx:
                recording = Recording(tx, found.campaign, adjudicator, runtime.now())
                if await say(recording, ask, found):
                    own = await own_cards(recording, after.prompt, prompt.state)
                    await refresh_prompt(recording, after.prompt, prompt.card, but_message=message_id, own=own)
            return prompt


def _in_thread(ask: AnyAsk, text: str) -> list[Post]:
    """Words for all parties, in the battle's thread."""
    return [] if ask.setup is None else [Post(place=battle_place(ask.setup.key), content=text)]
