"""Prompts: the sheets that are put to the sides of a campaign, opened, shown again, handed over and closed.

A prompt's card stands in one message for each commander of its side. What becomes of a prompt here goes into the outbox
in the same transaction.
"""

import asyncio
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from bot.campaigns.loaded import AnyAdjudicator
from bot.cards.accounts import account_mark, account_shown, differences_for, others_account
from bot.cards.cards import closed_text, prompt_card
from bot.cards.forces import force_name, is_of_two_sides, who_has_answered
from bot.cards.prompts.standing import SET_ASIDE
from bot.cards.prompts.state import PromptState
from bot.cards.sheets import ListedSheet, sheets_card
from bot.cards.strands import strand_name
from bot.cards.tracking import battle_name
from bot.recording.drafts import problems_of, unsent, whole, with_values
from bot.recording.teams import team_in
from bot.recording.transaction import Recording
from bot.records.campaigns import CampaignInfo
from bot.records.captains import Team
from bot.records.components import Card
from bot.records.effects import ClosePrompt, Post, Refresh
from bot.records.places import side_place
from bot.records.prompts import Prompt, PromptCopy, PromptStatus
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.transitions import Transition


def _called(adjudicator: AnyAdjudicator, ask: AnyAsk, asked_in: Iterable[str]) -> str:
    """What a side calls the strand of an ask of its own: that of a battle's tracker after the battle."""
    battle = adjudicator.battle_in(ask.strand)
    asks = [one for one in adjudicator.open_asks() if battle and one.id == battle]
    if asks:
        return battle_name(asks[0])
    name = strand_name(ask.strand, asked_in)
    return (ask.about or name) if name else ""


def prompt_state(
    campaign: CampaignInfo,
    adjudicator: AnyAdjudicator,
    prompt: Prompt,
    ask: AnyAsk,
    *,
    closes: datetime | None,
    receipt: str = "",
    team: Team | None = None,
) -> PromptState:
    """What the card of a prompt of this ask is made from, whoever reads it."""
    side = prompt.side
    asked = adjudicator.asks_for(side)
    together = [other for other in asked if other.strand == ask.strand and other.id != ask.id]
    unanswered = [other for other in together if adjudicator.saved(side, other.id) is None]
    differences = differences_for(adjudicator, ask, side)
    theirs = others_account(adjudicator, ask, side) if differences else None
    names = {label.key: label.name for label in adjudicator.labels}
    partners = tuple(one for one in ask.force_of(side) if one != side)
    sender = adjudicator.sender(side, ask.id)
    not_sent = unsent(adjudicator, ask, prompt)
    return PromptState(
        token=prompt.token,
        ask=ask,
        campaign=campaign.title,
        side=names[side],
        closes=closes,
        answer=adjudicator.saved(side, ask.id),
        unsent=not_sent,
        receipt=receipt,
        ready=adjudicator.is_ready(side, ask.strand) and not ask.is_shared,
        others_open=len(unanswered),
        differences=differences,
        theirs="" if theirs is None else account_mark(ask, theirs),
        partners=force_name(partners, names) if partners else "",
        sent_by=names[sender] if sender in partners else "",
        sender_ready=sender in partners and adjudicator.is_done_with(side, ask.id),
        answered=(who_has_answered(adjudicator, ask, names) if ask.is_shared and not is_of_two_sides(ask) else ""),
        team=None if ask.is_shared else team,
        strand=_called(adjudicator, ask, [other.strand for other in asked]),
        steps=prompt.steps,
        last_step=prompt.last_step,
        side_key=side,
        board=None if ask.is_shared else adjudicator.view_of(side, ask).board,
        place=[label.key for label in adjudicator.labels].index(side),
        account=account_shown(adjudicator, ask, prompt, whole(ask, prompt.draft), not_sent),
    )


# --- opening ----------------------------------------------------------------------------------------------------------


async def open_prompt(
    recording: Recording, ask: AnyAsk, side: str, seq: int, closes: datetime, *, shown: bool = True
) -> None:
    """Put an ask to a side: a prompt, and if it is ``shown`` its card to each of the side's commanders."""
    prompt = Prompt(
        token=secrets.token_urlsafe(9),
        campaign_id=recording.campaign.id,
        ask_id=ask.id,
        side=side,
        title=ask.title,
        kind=ask.kind,
        status=PromptStatus.OPEN,
        opened_seq=seq,
        created_at=recording.now,
        strand=ask.strand,
    )
    await recording.tx.prompts.add(prompt)
    if not (ask.awaited and shown):  # open to a commander who looks for it, but nobody is called by a card
        return
    await recording.put(
        *await _first_posts(recording, prompt, ask, closes, [one.user_id for one in await recording.commanders(side)])
    )


async def post_list(recording: Recording, side: str) -> None:
    """Send a side's commanders one list of all that is open to it."""
    adjudicator, campaign = recording.adjudicator, recording.campaign
    asks = {ask.id: ask for ask in adjudicator.asks_for(side) if ask.awaited}
    strands = {ask.strand for ask in adjudicator.asks_for(side)}
    falls_at = {one.strand: one.falls_at for one in await recording.deadlines()}
    sheets = [
        ListedSheet(
            prompt.token,
            prompt.title,
            "nothing saved yet" if adjudicator.saved(side, prompt.ask_id) is None else "saved",
            falls_at.get(prompt.strand),
            _called(adjudicator, asks[prompt.ask_id], strands),
        )
        for prompt in await recording.tx.prompts.open_of(campaign.id, side)
        if prompt.ask_id in asks
    ]
    card = sheets_card(campaign.id, campaign.title, sheets)
    posts = [
        Post(dm=one.user_id, content=card.content, card=card, fallback=side_place(side))
        for one in await recording.commanders(side)
    ]
    await recording.put(*posts)


async def _first_posts(
    recording: Recording, prompt: Prompt, ask: AnyAsk, closes: datetime | None, readers: Sequence[int]
) -> list[Post]:
    """A prompt's card as these commanders have not seen it yet, made off the loop: reading a long sheet back takes a
    while. Where a side has captains, each has another one."""
    team = await team_in(recording, prompt.side, prompt.strand)
    state = prompt_state(recording.campaign, recording.adjudicator, prompt, ask, closes=closes, team=team)
    if team is None:
        cards = [await asyncio.to_thread(prompt_card, state)] * len(readers)
    else:
        cards = [await asyncio.to_thread(prompt_card, state.for_reader(user_id)) for user_id in readers]
    return [
        Post(dm=user_id, content=card.content, card=card, prompt=prompt.token, fallback=side_place(prompt.side))
        for user_id, card in zip(readers, cards, strict=True)
    ]


async def move_prompts(recording: Recording, side: str, out_id: int, in_id: int) -> None:
    """Send a side's open sheets to a new commander, and take them from the one who leaves."""
    asks = {ask.id: ask for ask in recording.adjudicator.asks_for(side)}
    for prompt in await recording.tx.prompts.open_of(recording.campaign.id, side):
        ask = asks.get(prompt.ask_id)
        if ask is None:
            continue
        posts = await _first_posts(recording, prompt, ask, await recording.closes(prompt.strand), [in_id])
        gone = closed_text(recording.campaign.title, prompt.title, "You handed your seat over.")
        await recording.put(*posts, ClosePrompt(token=prompt.token, content=gone, dm=out_id))


# --- showing again ----------------------------------------------------------------------------------------------------


async def own_cards(recording: Recording, prompt: Prompt, state: PromptState) -> dict[int, Card]:
    """A prompt's card for each of those for whom it is not the common one: all commanders of a side with captains, and
    those who wrote something for it that was not accepted; theirs go on saying so."""
    readers = [] if state.team is None else await recording.commanders(prompt.side)
    told = {one.user_id: state.for_reader(one.user_id) for one in readers}
    for user_id, returned in (await recording.tx.returned.for_prompt(prompt.token)).items():
        mine = told.get(user_id, state.for_reader(user_id))
        why = tuple(one for one in returned.why if one != SET_ASIDE)
        note = SET_ASIDE if SET_ASIDE in returned.why else state.note
        told[user_id] = replace(mine, problems=(*state.problems, *why), note=note, has_returned=True)
    return {user_id: await asyncio.to_thread(prompt_card, one) for user_id, one in told.items()}


async def refresh_prompt(
    recording: Recording,
    prompt: Prompt,
    card: Card,
    *,
    but_message: int | None = None,
    own: Mapping[int, Card] | None = None,
) -> frozenset[int]:
    """Have a prompt's other messages show ``card``: those of the side's present commanders, nobody else's. Some have
    their ``own``. Gives those of its messages that it came across by that.

    While an older card is on its way it would come last and stay, so then ``card`` goes behind it everywhere.
    """
    cards = own or {}
    if await recording.tx.outbox.is_card_under_way(recording.campaign.id, prompt.token):
        shown = [
            Refresh(token=prompt.token, card=cards.get(member.user_id, card), dm=member.user_id)
            for member in await recording.commanders(prompt.side)
        ]
        copies: list[PromptCopy] = []
    else:
        copies = await recording.tx.prompts.commanders_copies(prompt)
        shown = [
            Refresh(token=prompt.token, card=cards.get(copy.user_id, card), dm=copy.user_id, message=copy.message_id)
            for copy in copies
            if copy.message_id != but_message
        ]
    await recording.put(*shown)
    return frozenset(copy.message_id for copy in copies)


async def refresh_open_prompts(recording: Recording, strand: str | None = None) -> None:
    """Have all open cards (of a strand) say when they close now."""
    asks = {ask.id: ask for ask in recording.adjudicator.open_asks() if strand in (None, ask.strand)}
    falls_at = {one.strand: one.falls_at for one in await recording.deadlines()}
    for prompt in await recording.tx.prompts.open_of(recording.campaign.id):
        ask = asks.get(prompt.ask_id)
        if ask is not None:
            await refresh_as_it_stands(recording, prompt, ask, falls_at.get(prompt.strand))


async def refresh_together(recording: Recording, prompt: Prompt) -> None:
    """Have the other cards of a prompt's side in its strand show it as it stands now."""
    asks = {ask.id: ask for ask in recording.adjudicator.asks_for(prompt.side) if ask.strand == prompt.strand}
    closes = await recording.closes(prompt.strand)
    for other in await recording.tx.prompts.open_of(recording.campaign.id, prompt.side):
        if other.ask_id in asks and other.token != prompt.token:
            await refresh_as_it_stands(recording, other, asks[other.ask_id], closes)


async def refresh_as_it_stands(recording: Recording, prompt: Prompt, ask: AnyAsk, closes: datetime | None) -> None:
    """Have a prompt's messages show it as it stands now, though its side did nothing."""
    state = await _as_it_stands(recording, prompt, ask, closes)
    card = await asyncio.to_thread(prompt_card, state)
    await refresh_prompt(recording, prompt, card, own=await own_cards(recording, prompt, state))


async def _as_it_stands(recording: Recording, prompt: Prompt, ask: AnyAsk, closes: datetime | None) -> PromptState:
    problems = await asyncio.to_thread(problems_of, recording.adjudicator, ask, prompt)
    team = await team_in(recording, prompt.side, prompt.strand)
    state = prompt_state(recording.campaign, recording.adjudicator, prompt, ask, closes=closes, team=team)
    return replace(state, problems=problems, stuck=bool(problems))


async def refresh_for(recording: Recording, side: str, user_id: int) -> None:
    """Have the open cards of a side's commander, and nobody else's, leave again as they stand: what is made of them for
    this reader has changed."""
    asks = {ask.id: ask for ask in recording.adjudicator.asks_for(side)}
    for prompt in await recording.tx.prompts.open_of(recording.campaign.id, side):
        ask = asks.get(prompt.ask_id)
        if ask is None:
            continue
        state = await _as_it_stands(recording, prompt, ask, await recording.closes(prompt.strand))
        card = (await own_cards(recording, prompt, state)).get(user_id)
        card = card or await asyncio.to_thread(prompt_card, state)
        await recording.put(Refresh(token=prompt.token, card=card, dm=user_id))


async def fill_in_counted(recording: Recording, ask: AnyAsk, *, is_over: bool) -> None:
    """Fill what a battle's tracker has counted into the account of each side that has not begun one, once it is over;
    where the end was taken back, take it out again. Nothing is sent by that."""
    adjudicator, campaign = recording.adjudicator, recording.campaign
    counted = adjudicator.filled_in(ask.id) if is_over else {}
    draft = with_values(ask, None, counted) if counted else {}
    for prompt in await recording.tx.prompts.open_of(campaign.id, ask_id=ask.id):
        is_begun = prompt.steps or adjudicator.sent(prompt.side, ask.id) is not None
        if not is_begun and (prompt.draft or {}) != draft:
            await recording.tx.prompts.keep_draft(prompt.token, draft)
            closes = await recording.closes(prompt.strand)
            await refresh_as_it_stands(recording, replace(prompt, draft=draft), ask, closes)


# --- closing ----------------------------------------------------------------------------------------------------------


async def close_prompts_of(recording: Recording, transition: Transition) -> None:
    """Close the prompts of the asks that the transition closed."""
    await close_prompts(recording, list(transition.closed), how_it_closed(transition), transition.taken)


async def close_prompts(
    recording: Recording, ask_ids: list[str] | None, how: str, taken: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Close the prompts of these asks (None: all) and have their messages say how."""
    # The card's own post goes first in its queue, so every queue that may hold one gets the closing behind it.
    closed = await recording.tx.prompts.close(recording.campaign.id, ask_ids)
    tokens = [prompt.token for prompt in closed]
    await recording.tx.returned.forget(tokens)
    await recording.tx.steps.forget(tokens)
    await recording.tx.typed.forget(tokens)
    await recording.tx.captains.forget_confirmed(recording.campaign.id, {(one.side, one.strand) for one in closed})
    for prompt in closed:
        content = closed_text(recording.campaign.title, prompt.title, how, (taken or {}).get(prompt.ask_id, ()))
        await recording.put(
            *[
                ClosePrompt(token=prompt.token, content=content, dm=member.user_id)
                for member in await recording.commanders(prompt.side)
            ]
        )


def how_it_closed(transition: Transition) -> str:
    """What a sheet's message says of its end."""
    return {
        "deadline": "Closed at its deadline.",
        "all ready": "Closed: everybody was ready.",
        "referee": "Closed by the referee.",
    }.get(getattr(transition.entry.body, "reason", ""), "Closed.")
