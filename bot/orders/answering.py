"""Here a sheet becomes a journal entry: the one path of everything that commanders do with a prompt.

The adjudicator judges the sheet and makes the entry (:meth:`Adjudicator.revise`); the room ``recording`` writes it down
with the draft and the prompt's other messages. If nothing more is awaited the batch closes in the same transaction.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.battles.accounts import tell_account_sent
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.cards import closed_text
from bot.closing.batch import close_if_done
from bot.errors import explain
from bot.faults import point
from bot.orders.find_prompt import FoundPrompt
from bot.orders.open_prompt import Answer, OpenPrompt, PlayedOn
from bot.recording.commit import recording_of
from bot.recording.drafts import complete
from bot.recording.prompts import how_it_closed, refresh_prompt
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.transitions import Transition

SheetMaker = Callable[[AnyAdjudicator, AnyAsk, FoundPrompt], Sheet]
"""Makes the new sheet of a prompt. It raises Refused when what was sent cannot be read, and Sorry for other reasons."""


class Answering:
    """Takes answers to prompts."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def answer(
        self,
        found: FoundPrompt,
        user_id: int,
        new_sheet: SheetMaker,
        *,
        send: bool = False,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Put a new sheet in the place of what is kept. A legal answer is journalled at once; else the draft is kept.

        An account of a battle is journalled only if it is to be sent (``send``). ``message_id`` is the message that
        was used: its card is shown again by the caller.
        """
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            at = self._runtime.stamp()
            # What somebody typed may take long to read and to judge, and the others must not wait for it.
            judged = await asyncio.to_thread(_judge, adjudicator, found, new_sheet, by=str(user_id), at=at, send=send)
            if isinstance(judged, OpenPrompt):
                return judged
            if judged.refused is not None:
                return await self.keep_refused(found, adjudicator, judged.draft, judged.refused)
            return await self.record(
                found,
                adjudicator,
                judged.transition,
                draft=judged.draft,
                message_id=message_id,
                interaction_id=interaction_id,
            )

    async def record(
        self,
        found: FoundPrompt,
        adjudicator: AnyAdjudicator,
        transition: Transition | None,
        *,
        draft: Sheet | None = None,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Record what was accepted (``transition``) and keep ``draft``; play on if that was the last thing awaited."""
        runtime, campaign = self._runtime, found.campaign
        transitions = [transition] if transition is not None else []
        after: Transition | None = None
        if transitions:
            after = await close_if_done(runtime, campaign, adjudicator, transitions, interaction_id=interaction_id)
            transitions += [after] if after is not None else []
        point("journal.before")
        async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
            if draft is not None:
                found = found.with_draft(draft)
                await recording.tx.prompts.keep_draft(found.token, draft)
            await write_transitions(recording, transitions)
            point("journal.written")
            if after is not None:
                answer: Answer = played_on(found, after)
            else:
                answer = await self._still_open(recording, found, transition, message_id)
        point("journal.committed")
        return answer

    async def _still_open(
        self, recording: Recording, found: FoundPrompt, transition: Transition | None, message_id: int | None
    ) -> OpenPrompt:
        """The prompt as it is now, shown again where else it stands; the parties of a battle learn of an account."""
        receipt = (
            transition.entry.receipt if transition is not None and transition.entry.body.kind == "answered" else ""
        )
        found = replace(found, closes=await recording.tx.deadlines.falls_at(found.campaign.id))
        prompt = found.opened(recording.adjudicator, receipt=receipt)
        await refresh_prompt(recording, found.prompt, prompt.card, but_message=message_id)
        if receipt and len(prompt.ask.parties) > 1:
            await tell_account_sent(recording, prompt.ask, prompt.side)
        return prompt

    async def keep_refused(
        self, found: FoundPrompt, adjudicator: AnyAdjudicator, draft: Sheet, refused: Refused
    ) -> OpenPrompt:
        """Keep a sheet that is not accepted, and say why not."""
        runtime, campaign = self._runtime, found.campaign
        prompt = found.with_draft(draft).opened(adjudicator).with_problems([explain(refused.refusals)], stuck=True)
        async with runtime.store.write() as tx:
            await tx.prompts.keep_draft(found.token, draft)
            if await tx.outbox.is_card_under_way(campaign.id, found.token):
                await refresh_prompt(Recording(tx, campaign, adjudicator, runtime.now()), found.prompt, prompt.card)
        return prompt


@dataclass(frozen=True)
class _Judged:
    """A new sheet, with its journal entry if it was accepted and is one, or what is wrong with it."""

    draft: Sheet
    transition: Transition | None = None
    refused: Refused | None = None


def _judge(
    adjudicator: AnyAdjudicator, found: FoundPrompt, new_sheet: SheetMaker, *, by: str, at: str, send: bool
) -> _Judged | OpenPrompt:
    """Make the new sheet and judge it; the prompt with what is wrong if it cannot even be read."""
    ask = found.ask(adjudicator)
    try:
        draft = new_sheet(adjudicator, ask, found)
    except Refused as refused:  # nothing is taken that cannot be read whole
        return found.opened(adjudicator).with_problems([explain(refused.refusals)])
    document = complete(ask, draft)
    try:
        if send or ask.pace != "battle":
            return _Judged(draft, adjudicator.revise(found.side, ask.id, document, by=by, at=at))
        adjudicator.try_answer(found.side, ask.id, document)
    except Refused as refused:
        return _Judged(draft, refused=refused)
    return _Judged(draft)


def played_on(found: FoundPrompt, transition: Transition) -> PlayedOn:
    """The answer to what closed the batch: the very words that the prompt's other messages will show."""
    prompt = found.prompt
    return PlayedOn(closed_text(prompt.title, how_it_closed(transition), transition.taken.get(prompt.ask_id, ())))
