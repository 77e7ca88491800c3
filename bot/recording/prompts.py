"""Prompts: the sheets that are put to the sides of a campaign, opened, shown again, handed over and closed.

A prompt is a row; its card stands in one message for each commander of its side. What becomes of a prompt here goes
into the outbox in the same transaction.
"""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from bot.campaigns.info import CampaignInfo
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.places import side_place
from bot.cards.accounts import account_mark, others_account
from bot.cards.cards import PromptState, closed_text, prompt_card
from bot.recording.deadline_row import falls_at
from bot.recording.drafts import problems_of, unsent
from bot.recording.transaction import Recording
from bot.store.connections import Connection
from bot.store.outbox import card_under_way
from bot.store.tables import MemberRow, PromptMessageRow, PromptRow
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.transitions import Transition


def prompt_state(
    campaign: CampaignInfo,
    adjudicator: AnyAdjudicator,
    token: str,
    ask: AnyAsk,
    side: str,
    *,
    closes: datetime | None,
    receipt: str = "",
    **more: Any,
) -> PromptState:
    """What the card of this side's prompt is made from."""
    open_asks = adjudicator.asks_for(side)
    unanswered = [other for other in open_asks if adjudicator.saved(side, other.id) is None and other.id != ask.id]
    shared = len(ask.parties) > 1
    differences = adjudicator.agreement(ask.id).differences if shared else ()
    theirs = others_account(adjudicator, ask, side) if differences else None
    return PromptState(
        token=token,
        ask=ask,
        campaign=campaign.title,
        side=campaign.side_names[side],
        closes=closes,
        answer=adjudicator.saved(side, ask.id),
        receipt=receipt,
        ready=adjudicator.is_ready(side) and not shared,
        others_open=len(unanswered),
        differences=differences,
        theirs="" if theirs is None else account_mark(ask, theirs),
        **more,
    )


# --- opening ----------------------------------------------------------------------------------------------------------


async def open_prompt(recording: Recording, ask: AnyAsk, side: str, seq: int, closes: datetime) -> None:
    """Put an ask to a side: a prompt, and its card to each of the side's commanders."""
    token = secrets.token_urlsafe(9)
    await recording.conn.execute(
        insert(PromptRow).values(
            token=token,
            campaign_id=recording.campaign.id,
            ask_id=ask.id,
            side=side,
            title=ask.title,
            kind=ask.kind,
            status="open",
            opened_seq=seq,
            created_at=recording.now,
        )
    )
    if not ask.awaited:  # open to a commander who looks for it, but nobody is called
        return
    state = prompt_state(recording.campaign, recording.adjudicator, token, ask, side, closes=closes)
    card = prompt_card(state).as_json()
    await recording.queue(
        [_card_post(token, side, member["user_id"], card) for member in await recording.members(side)]
    )


def _card_post(token: str, side: str, user_id: int, card: dict[str, Any]) -> dict[str, Any]:
    return {
        "dm": user_id,
        "content": card["content"],
        "files": [],
        "card": card,
        "prompt": token,
        "fallback": side_place(side),
    }


async def move_prompts(recording: Recording, side: str, out_id: int, in_id: int) -> None:
    """Send a side's open sheets to a new commander, and take them from the one who leaves."""
    query = _open_prompts(recording).where(PromptRow.side == side)
    prompts = list((await recording.conn.execute(query.order_by(PromptRow.created_at, PromptRow.ask_id))).mappings())
    closes = await falls_at(recording.conn, recording.campaign.id)
    asks = {ask.id: ask for ask in recording.adjudicator.asks_for(side)}
    for prompt in prompts:
        token, ask = prompt["token"], asks.get(prompt["ask_id"])
        if ask is None:
            continue
        card = prompt_card(
            prompt_state(recording.campaign, recording.adjudicator, token, ask, side, closes=closes)
        ).as_json()
        await recording.queue([_card_post(token, side, in_id, card)])
        gone = closed_text(prompt["title"], "You handed your seat over.")
        await recording.queue([{"token": token, "content": gone, "dm": out_id}], "close_prompt")


# --- showing again ----------------------------------------------------------------------------------------------------


async def refresh_prompt(
    recording: Recording, prompt: Any, card: dict[str, Any], *, but_message: int | None = None
) -> None:
    """Have a prompt's other messages show ``card``: those of the side's present commanders, nobody else's.

    While an older card is on its way it would come last and stay, so then ``card`` goes behind it everywhere.
    """
    token = prompt["token"]
    if await card_under_way(recording.conn, recording.campaign.id, token):
        targets = [{"dm": member["user_id"]} for member in await recording.members(prompt["side"])]
    else:
        targets = [
            {"message": row["message_id"], "dm": row["user_id"]}
            for row in await copies_of(recording.conn, prompt)
            if row["message_id"] != but_message
        ]
    await recording.queue([{"token": token, "card": card, **target} for target in targets], "refresh")


async def refresh_open_prompts(recording: Recording, closes: datetime | None) -> None:
    """Have all open cards say when they close now; None while the clock stands still."""
    campaign, adjudicator = recording.campaign, recording.adjudicator
    query = _open_prompts(recording).order_by(PromptRow.created_at, PromptRow.token)
    asks = {ask.id: ask for ask in adjudicator.open_asks()}
    for prompt in (await recording.conn.execute(query)).mappings().all():
        ask = asks.get(prompt["ask_id"])
        if ask is None:
            continue
        drafted, problems = unsent(adjudicator, ask, prompt), problems_of(adjudicator, ask, prompt)
        state = prompt_state(
            campaign,
            adjudicator,
            prompt["token"],
            ask,
            prompt["side"],
            closes=closes,
            unsent=drafted,
            problems=problems,
            stuck=bool(problems),
        )
        await refresh_prompt(recording, prompt, prompt_card(state).as_json())


async def copies_of(conn: Connection, prompt: Any) -> list[Any]:
    """The messages in which a prompt stands, of its side's present commanders: message_id, user_id."""
    seated = select(MemberRow.user_id).where(
        MemberRow.campaign_id == prompt["campaign_id"], MemberRow.side == prompt["side"]
    )
    rows = await conn.execute(
        select(PromptMessageRow.message_id, PromptMessageRow.user_id).where(
            PromptMessageRow.token == prompt["token"], PromptMessageRow.user_id.in_(seated)
        )
    )
    return list(rows.mappings())


# --- closing ----------------------------------------------------------------------------------------------------------


async def close_prompts_of(recording: Recording, transition: Transition) -> None:
    """Close the prompts of the asks that the transition closed."""
    await close_prompts(recording, list(transition.closed), how_it_closed(transition), transition.taken)


async def close_prompts(
    recording: Recording, ask_ids: list[str] | None, how: str, taken: Mapping[str, Sequence[str]] | None = None
) -> None:
    """Close the prompts of these asks (None: all) and have their messages say how."""
    query = _open_prompts(recording)
    if ask_ids is not None:
        query = query.where(PromptRow.ask_id.in_(ask_ids))
    prompts = list((await recording.conn.execute(query)).mappings())
    if not prompts:
        return
    tokens = [prompt["token"] for prompt in prompts]
    await recording.conn.execute(update(PromptRow).where(PromptRow.token.in_(tokens)).values(status="closed"))
    # The card's own post goes first in its queue, so every queue that may hold one gets the closing behind it.
    payloads: list[dict[str, Any]] = []
    for prompt in prompts:
        content = closed_text(prompt["title"], how, (taken or {}).get(prompt["ask_id"], ()))
        payloads += [
            {"token": prompt["token"], "content": content, "dm": member["user_id"]}
            for member in await recording.members(prompt["side"])
        ]
    await recording.queue(payloads, "close_prompt")


def how_it_closed(transition: Transition) -> str:
    """What a sheet's message says of its end."""
    return {
        "deadline": "Closed at its deadline.",
        "all ready": "Closed: everybody was ready.",
        "referee": "Closed by the referee.",
    }.get(getattr(transition.entry.body, "reason", ""), "Closed.")


def _open_prompts(recording: Recording) -> Any:
    return select(PromptRow).where(PromptRow.campaign_id == recording.campaign.id, PromptRow.status == "open")
