"""Here a sheet becomes a journal entry: the one path of everything that commanders do with a prompt.

The adjudicator judges the sheet and makes the entry (:meth:`Adjudicator.revise`); the room ``recording`` writes it down
with the draft and the prompt's other messages. If nothing more is awaited in the prompt's strand it closes in the same
transaction.
"""

import asyncio
from dataclasses import dataclass, replace
from typing import Any

from bot.battles.accounts import tell_account_sent
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.cards.cards import closed_text
from bot.cards.prompts.standing import SET_ASIDE
from bot.closing.batch import close_if_done
from bot.errors import explained
from bot.faults import point
from bot.orders.attempts import LONGEST_KEPT, SheetAttempt, check_captains
from bot.orders.find_prompt import FoundPrompt
from bot.orders.open_prompt import Answer, OpenPrompt, PlayedOn
from bot.orders.pictures import PicturesToFollow
from bot.recording.commit import recording_of
from bot.recording.drafts import as_sent, complete, step_between, whole
from bot.recording.partners import partners_go_on, refresh_partners
from bot.recording.prompts import how_it_closed, own_cards, refresh_prompt, refresh_together
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.prompts import Returned, Step
from bot.store.transaction import Transaction
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.transitions import Transition


class Answering:
    """Takes answers to prompts."""

    def __init__(self, runtime: Runtime, pictures: PicturesToFollow) -> None:
        self._runtime = runtime
        self._pictures = pictures

    async def answer(
        self,
        found: FoundPrompt,
        user_id: int,
        attempt: SheetAttempt,
        *,
        before: Returned | None = None,
        undone: Step | None = None,
        send: bool = False,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Put a new sheet in the place of what is kept. A legal answer is journalled at once; of what is not accepted
        nothing stands on the sheet, and it is kept for whoever wrote it, beside what was so ``before``. ``undone`` is
        the change that is taken back by it.

        An account of a battle is journalled only if it is to be sent (``send``); until then its draft may be
        unfinished. ``message_id`` is the message that was used: its card is shown again by the caller.
        """
        async with holding(self._runtime, found.campaign.id, found.campaign.head) as adjudicator:
            at = self._runtime.stamp()
            # What somebody typed may take long to read and to judge, and the others must not wait for it.
            judged = await asyncio.to_thread(_judge, adjudicator, found, attempt, by=str(user_id), at=at, send=send)
            left: KeptFor | None = None
            if before is not None:
                kept = attempt.kept(before, judged.taken)
                if judged.set_aside:
                    kept = replace(kept, text=found.opened(adjudicator).changes()[:LONGEST_KEPT], why=(SET_ASIDE,))
                elif judged.refused is not None and judged.taken is None:
                    kept = replace(kept, why=tuple(explained(judged.refused.refusals, found.ask(adjudicator).form)))
                left = (user_id, kept) if kept != before else None
            if judged.refused is not None:
                return await self.keep_refused(
                    found, adjudicator, judged.draft, judged.refused, left=left, undone=undone, message_id=message_id
                )
            answer = await self.record(
                found,
                adjudicator,
                judged.transition,
                draft=judged.draft,
                stood=judged.stood,
                left=left,
                undone=undone,
                message_id=message_id,
                interaction_id=interaction_id,
            )
            return answer.with_note(SET_ASIDE) if judged.set_aside and isinstance(answer, OpenPrompt) else answer

    async def record(
        self,
        found: FoundPrompt,
        adjudicator: AnyAdjudicator,
        transition: Transition | None,
        *,
        draft: Sheet | None = None,
        stood: Any = None,
        left: "KeptFor | None" = None,
        undone: Step | None = None,
        confirms: bool = False,
        message_id: int | None = None,
        interaction_id: int | None = None,
    ) -> Answer:
        """Record what was accepted (``transition``), keep ``draft`` and what is ``left`` of what was not accepted; play
        on if that was the last thing awaited. ``stood`` is what the side or its force had answered before; ``undone``
        the change that is taken back by it.

        Of a side with captains, whoever did it has confirmed the strand by that (``confirms``), or has not after all.
        """
        runtime, campaign = self._runtime, found.campaign
        change = None if draft is None else step_between(found.ask(adjudicator), found.draft, draft, found.user_id)
        transitions = [transition] if transition is not None else []
        after: Transition | None = None
        if transitions:
            strand = found.prompt.strand
            after = await close_if_done(
                runtime, campaign, adjudicator, transitions, strand=strand, interaction_id=interaction_id
            )
            transitions += [after] if after is not None else []
        found = found.said(is_done=confirms)
        point("journal.before")
        async with recording_of(runtime, campaign, adjudicator, interaction_id) as recording:
            if found.shared is not None:
                await recording.tx.captains.confirm(
                    campaign.id, found.side, found.prompt.strand, found.user_id, is_done=confirms
                )
            if draft is not None:
                found = await _keep_draft(recording.tx, found, draft, change, undone)
            if left is not None:
                await recording.tx.returned.keep(found.token, *left)
            await write_transitions(recording, transitions)
            point("journal.written")
            if after is not None:
                answer: Answer = played_on(found, after)
            else:
                if draft is not None and transition is not None:
                    await partners_go_on(recording, found.ask(adjudicator), found.side, draft, stood)
                answer = await self._still_open(recording, found, transition, message_id)
        point("journal.committed")
        return answer

    async def _still_open(
        self, recording: Recording, found: FoundPrompt, transition: Transition | None, message_id: int | None
    ) -> OpenPrompt:
        """The prompt as it is now, shown again where else it stands; the parties of a battle learn of an account, and
        partners of what was answered for them."""
        receipt = (
            transition.entry.receipt if transition is not None and transition.entry.body.kind == "answered" else ""
        )
        found = replace(found, closes=await recording.closes(found.prompt.strand))
        prompt = found.opened(recording.adjudicator, receipt=receipt)
        own = await own_cards(recording, found.prompt, prompt.state)
        copies = await refresh_prompt(recording, found.prompt, prompt.card, but_message=message_id, own=own)
        if receipt and prompt.ask.is_shared:
            await tell_account_sent(recording, prompt.ask, prompt.side)
        if transition is not None:
            await refresh_partners(recording, prompt.side, found.prompt.strand)
        if found.shared is not None:
            await refresh_together(recording, found.prompt)
        return await self._pictures.with_answer(recording, replace(prompt, copies=copies), message_id)

    async def keep_refused(
        self,
        found: FoundPrompt,
        adjudicator: AnyAdjudicator,
        draft: Sheet | None,
        refused: Refused,
        *,
        left: "KeptFor | None" = None,
        undone: Step | None = None,
        message_id: int | None = None,
    ) -> OpenPrompt:
        """Say why something is not accepted. Its ``draft`` is kept if it may be unfinished, and shown where else the
        prompt stands; else what is ``left``."""
        runtime, campaign = self._runtime, found.campaign
        unfinished = draft is not None
        why = explained(refused.refusals, found.ask(adjudicator).form)
        async with runtime.store.write() as tx:
            if draft is not None:
                change = step_between(found.ask(adjudicator), found.draft, draft, found.user_id)
                found = await _keep_draft(tx, found, draft, change, undone)
            if left is not None:
                await tx.returned.keep(found.token, *left)
            before = found.opened(adjudicator)
            prompt = before.with_problems(why, stuck=unfinished, refused_last=not unfinished)
            recording = Recording(tx, campaign, adjudicator, runtime.now())
            if unfinished and before.ask.pace == "battle":
                await refresh_prompt(recording, found.prompt, prompt.card, but_message=message_id)
            elif await tx.outbox.is_card_under_way(campaign.id, found.token):
                own = await own_cards(recording, found.prompt, before.state) if not unfinished else {}
                card = (prompt if unfinished else before).card
                await refresh_prompt(recording, found.prompt, card, own=own)
        return prompt

    async def set_aside(
        self, found: FoundPrompt, adjudicator: AnyAdjudicator, refused: Refused, user_id: int
    ) -> OpenPrompt:
        """Take from the sheet what is legal no longer, and give it back to who found it there."""
        ask = found.ask(adjudicator)
        was = found.opened(adjudicator).changes()
        draft = as_sent(ask, adjudicator.saved(found.side, ask.id))
        found = found.with_draft(draft)
        reasons = explained(refused.refusals, ask.form)
        why = [*reasons, SET_ASIDE]
        async with self._runtime.store.write() as tx:
            before = await tx.returned.of(found.token, user_id)
            await tx.prompts.keep_draft(found.token, draft)
            await tx.returned.keep(found.token, user_id, replace(before, text=was[:LONGEST_KEPT], why=tuple(why)))
        return found.opened(adjudicator).with_problems(reasons).with_note(SET_ASIDE)


async def _keep_draft(
    tx: Transaction, found: FoundPrompt, draft: Sheet, change: Step | None, undone: Step | None
) -> FoundPrompt:
    """Keep a draft, and what has changed by it, so that it can be taken back; nothing more of what was ``undone``."""
    found = found.with_draft(draft)
    if undone is None and change is not None:
        return found.with_step(await tx.steps.add(found.token, change, draft))
    await tx.prompts.keep_draft(found.token, draft)
    return found if undone is None else found.with_step(await tx.steps.take(found.token, undone.number))


KeptFor = tuple[int, Returned]
"""Who wrote something that was not accepted, and what is kept of it."""


@dataclass(frozen=True)
class _Judged:
    """What came of an attempt: the draft to be kept, with a journal entry if it is one, or what is wrong.

    ``stood`` is what had been answered before.
    ``taken`` is the number of the sheet that was taken; None if none was. ``set_aside``: what stood on the sheet before
    is legal no longer and was left out.
    """

    draft: Sheet | None = None
    transition: Transition | None = None
    stood: Any = None
    refused: Refused | None = None
    taken: int | None = None
    set_aside: bool = False


def _judge(
    adjudicator: AnyAdjudicator, found: FoundPrompt, attempt: SheetAttempt, *, by: str, at: str, send: bool
) -> _Judged:
    """Make the sheets of an attempt and judge them, until one is legal."""
    ask = found.ask(adjudicator)
    unfinished = ask.pace == "battle"
    try:
        sheets = attempt.sheets(adjudicator, ask, found)
    except Refused as refused:  # nothing is taken that cannot be read whole
        return _Judged(refused=refused)
    why: Refused | None = None
    team = None if unfinished else found.team(adjudicator)
    for taken, draft in enumerate(sheets):
        document = complete(ask, draft)
        try:
            if team is not None:
                check_captains(team, found.user_id, whole(ask, found.draft), whole(ask, draft))
            if send or not unfinished:
                stood = adjudicator.saved(found.side, ask.id)
                transition = adjudicator.revise(found.side, ask.id, document, by=by, at=at)
                return _Judged(draft, transition, stood, taken=taken)
            adjudicator.try_answer(found.side, ask.id, document)
        except Refused as refused:
            why = refused
        else:
            return _Judged(draft, taken=taken)
    if unfinished:
        return _Judged(sheets[-1], refused=why, taken=len(sheets) - 1)
    if found.draft and not _is_legal(adjudicator, found, ask):  # then no change to it could be
        fresh = found.with_draft(as_sent(ask, adjudicator.saved(found.side, ask.id)))
        judged = _judge(adjudicator, fresh, attempt, by=by, at=at, send=send)
        return replace(judged, set_aside=judged.refused is None)
    return _Judged(refused=why)


def _is_legal(adjudicator: AnyAdjudicator, found: FoundPrompt, ask: AnyAsk) -> bool:
    """Whether what is kept of the sheet is legal: not after a correction that it did not fit, for one."""
    try:
        adjudicator.try_answer(found.side, ask.id, complete(ask, found.draft or {}))
    except Refused:
        return False
    return True


def played_on(found: FoundPrompt, transition: Transition) -> PlayedOn:
    """The answer to what closed the batch: the very words that the prompt's other messages will show."""
    prompt = found.prompt
    taken = transition.taken.get(prompt.ask_id, ())
    return PlayedOn(closed_text(found.campaign.title, prompt.title, how_it_closed(transition), taken))
