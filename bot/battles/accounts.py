"""Telling the parties of a battle what came of their accounts, and what holds when a deadline finds no agreement."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Literal

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.runtime import Runtime
from bot.cards.accounts import called_to_decide, differences_told
from bot.cards.forces import awaited, force_name, is_of_two_sides
from bot.recording.campaign_clock import give_grace, put_off_quietly
from bot.recording.prompts import refresh_as_it_stands, refresh_open_prompts
from bot.recording.transaction import Recording
from bot.records.campaign_settings import spoken
from bot.records.campaigns import CampaignInfo
from bot.records.deadlines import Deadline
from bot.records.effects import Post
from bot.records.places import battle_place
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.asked import ends_said


async def tell_account_sent(recording: Recording, ask: AnyAsk, side: str) -> None:
    """Tell the parties of a battle that ``side`` has sent its account, and how it compares with the others'."""
    campaign, adjudicator = recording.campaign, recording.adjudicator
    differences = adjudicator.agreement(ask.id).differences
    names, force = recording.side_names, ask.force_of(side)
    sent = f"{names[side]} sent {'its account' if len(force) == 1 else f'the account of {force_name(force, names)}'}"
    if differences:
        text = f"{sent}. The accounts differ:\n{differences_told(differences)}"
    else:
        text = f"{sent}; {awaited(adjudicator, ask, names)}."
    if ask.setup is not None:
        await recording.put(Post(place=battle_place(ask.setup.key), content=text))
    closes = await recording.closes(ask.strand)
    for other in await recording.tx.prompts.open_of(campaign.id, ask_id=ask.id):
        if other.side != side:
            await refresh_as_it_stands(recording, other, ask, closes)


def is_flown(adjudicator: AnyAdjudicator, ask: AnyAsk) -> bool:
    """Whether a battle is being flown by its tracker, so that nobody is late with its account."""
    now = adjudicator.tracking(ask.id)
    return now is not None and now.is_flown


async def tell_unsettled(
    runtime: Runtime,
    campaign: CampaignInfo,
    adjudicator: AnyAdjudicator,
    asks: Sequence[AnyAsk],
    deadline: Deadline,
    *,
    reason: Literal["deadline", "referee"],
) -> None:
    """Battles without an agreed account keep their strand open: give it more time, and tell their parties and the
    referee."""
    settings, now = campaign.settings, runtime.now()
    grace = timedelta(minutes=settings.grace_minutes)
    async with runtime.store.write() as tx:
        recording = Recording(tx, campaign, adjudicator, now)
        asks = [ask for ask in asks if not is_flown(adjudicator, ask)]
        if not asks:
            await put_off_quietly(recording, deadline, now + grace)
            await refresh_open_prompts(recording, deadline.strand)
            return
        patience = timedelta(minutes=settings.battle_end_minutes - settings.battle_minutes)
        given = deadline.given_grace(now, grace, patience, settings.reminder_left)
        await give_grace(recording, given)
        clock, end = _clock_said(given)
        # A referee who commands a side is told nothing of other sides' battles, and cannot rule on their own.
        _, referee = await seat_in(tx, campaign.id, campaign.referee_id)
        if not referee.plays_and_referees:
            titles = ", ".join(f"“{ask.title}”" for ask in asks)
            which = "Both" if all(map(is_of_two_sides, asks)) else "The"
            what = "⏰ The deadline fell without" if reason == "deadline" else "✋ Play could not go on without"
            text = (
                f"{what} an agreed account of {titles}. {clock} "
                f"{which} accounts stand behind **Decide**, which settles it, as `/referee ruling` does. If "
                f"nobody does, it ends by rule {end}."
            )
            await recording.put(called_to_decide(campaign, asks, text))
        note = (
            "The deadline has passed without an agreed account. Compare them: change yours, or take theirs."
            if reason == "deadline"
            else "The referee would have play go on, but there is no agreed account yet."
        )
        told = [
            Post(place=battle_place(ask.setup.key), content=f"{note} {clock} If there is none {end}: {ends_said(ask)}")
            for ask in asks
            if ask.setup is not None
        ]
        await recording.put(*told)
        await refresh_open_prompts(recording, deadline.strand)


def _clock_said(given: Deadline) -> tuple[str, str]:
    """Until when the clock runs on, and when a battle that nobody settles until then ends by rule, in words."""
    assert given.falls_at is not None
    assert given.to_end is not None
    ends_at = given.falls_at + given.to_end
    return f"The clock runs on to <t:{int(given.falls_at.timestamp())}:R>.", f"by <t:{int(ends_at.timestamp())}:f>"


def told_of_its_end(campaign: CampaignInfo, asks: Sequence[AnyAsk]) -> list[Post]:
    """What the parties of battles read that have ended by rule."""
    after = spoken(campaign.settings.battle_end_minutes)
    return [
        Post(
            place=battle_place(ask.setup.key),
            content=f"⌛ No account of “{ask.title}” was agreed on within {after}: it ends by rule. {ends_said(ask)}",
        )
        for ask in asks
        if ask.setup is not None
    ]
