"""Everything that a transition did, written down in one transaction: first the journal, then what tells of it."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

import structlog

from bot.campaigns.dossiers import keep_dossiers
from bot.recording.battle_threads import close_battles, open_battle, post_tracking
from bot.recording.campaign_clock import drop_clocks_of_none, keep_tracker_clocks, set_clock
from bot.recording.naming import name_sides
from bot.recording.posts import ends, post_end, post_film, post_public, post_reports
from bot.recording.prompts import close_prompts_of, open_prompt, post_list, refresh_open_prompts
from bot.recording.published import publish_seed
from bot.recording.transaction import Recording
from bot.records.campaigns import CampaignInfo, CampaignStatus
from rules_engine.core.basics.base import Json, Side
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.records.journal import Closed, Rewound
from rules_engine.core.running.transitions import RuleFailure, Transition

log = structlog.get_logger()

MOST_CARDS = 5
"""Strands that may open at once with a card for each of a side's sheets."""


def tracker_options(campaign: CampaignInfo) -> dict[str, Json]:
    """With what a battle's tracker begins in a campaign."""
    return {"pieces": campaign.settings.tracker_pieces}


async def _with_usual_trackers(recording: Recording, transitions: Sequence[Transition]) -> list[Transition]:
    """These transitions, and those of battles among them that are tracked from their beginning."""
    if recording.campaign.settings.tracker != "usual":
        return [*transitions]
    adjudicator = recording.adjudicator
    opened = {ask.id for transition in transitions for ask in transition.opened if ask.tactics is not None}
    found = [*transitions]
    for ask in adjudicator.open_asks():
        now = adjudicator.tracking(ask.id) if ask.id in opened else None
        if now is not None and not now.runs:
            options, at = tracker_options(recording.campaign), transitions[-1].entry.at
            begin = partial(adjudicator.track, "", ask.id, "begin", options=options, by="settings", at=at)
            try:
                found.append(await asyncio.to_thread(begin))
            except RuleFailure as failure:  # it holds up nothing: the battle is fought by hand
                log.error("tracker failed", campaign=recording.campaign.id, error=str(failure))
    return found


CARRIED = (
    "📜 From this turn on play goes by version {here} of the rules of {title}; until now it was {before}. The record "
    "says so, and `plotroom verify` knows."
)


async def _by_new_rules(recording: Recording, transitions: Sequence[Transition]) -> list[Transition]:
    """These transitions; and if a turn began with the last of them, by another version of the rules than the record
    names, that the record goes on from there by that version."""
    adjudicator, last = recording.adjudicator, transitions[-1]
    before, here = adjudicator.played_by, adjudicator.rulebook.version
    outcome = getattr(last.entry.body, "outcome", None)
    is_new = before != here and adjudicator.ending is None
    # Whoever plays is shown what is when they are asked, as at the beginning of most turns, or with the public map.
    # Else it is put off by a turn: nobody may read from it, or see by it, that play waits for one side alone.
    all_see = last.public_map or adjudicator.all_see_the_present()
    if not is_new or last.boundary is None or outcome is None or not all_see:
        return [*transitions]
    seq = last.entry.seq
    body = Rewound(
        by="clock",
        to=seq,
        branch=adjudicator.branch,
        reason=f"from version {before} of the rules to version {here}",
        outcome=outcome,
    )
    start = await asyncio.to_thread(last.boundary.snapshot, seq)
    carried = adjudicator.carry_on(start, body, last.entry.at)
    await post_public(recording, CARRIED.format(here=here, title=adjudicator.rulebook.title, before=before))
    return [*transitions, carried]


async def write_transitions(recording: Recording, transitions: Sequence[Transition]) -> None:
    """Write these transitions down, in order, and with them the beginnings of trackers that follow from them.

    Raises:
        Overtaken: when the journal has gone on since they were made; nothing of them can be written then.
    """
    if not transitions:
        return
    transitions = await _with_usual_trackers(recording, await _by_new_rules(recording, transitions))
    await recording.tx.journal.append(recording.campaign.id, transitions)
    await keep_dossiers(recording.tx, recording.campaign.id, recording.adjudicator, transitions)
    await name_sides(recording)
    for number, transition in enumerate(transitions):
        if transition.closed:
            await close_prompts_of(recording, transition)
        if transition.closed or isinstance(transition.entry.body, Rewound):
            await close_battles(recording, transition)
        if isinstance(transition.entry.body, Closed):
            await recording.tx.deadlines.drop(recording.campaign.id, transition.entry.body.strand)
        if transition.closed:
            await drop_clocks_of_none(recording)
        if isinstance(transition.entry.body, Rewound):
            await recording.tx.bulletins.undo(recording.campaign.id, transition.entry.body.to)
        if transition.reports or transition.maps_for or transition.opened:
            await post_reports(recording, transition)
        if transition.deeds:
            await post_tracking(recording, transition)
            for strand in await keep_tracker_clocks(recording, transition.deeds):
                await refresh_open_prompts(recording, strand)
        if transition.opened:
            # What is closed again in this very transaction is put to nobody.
            gone = {key for later in transitions[number + 1 :] for key in later.closed}
            await _open(recording, replace(transition, opened=tuple(x for x in transition.opened if x.id not in gone)))
        if transition.ending is not None and ends(transition):
            await _end(recording, transition.ending)
            await post_film(recording, transition.entry.seq)


async def _open(recording: Recording, transition: Transition) -> None:
    """The asks that the transition opened: a deadline for those of each strand, their battles, and a prompt for each
    side that is asked.

    A strand's cards go out one behind the other, in the order of the strands: clocks are moved, and messages are not.
    """
    seq = transition.entry.seq
    listed = _asked_too_much(transition)
    together: dict[str, list[AnyAsk]] = {}
    for ask in transition.opened:
        together.setdefault(ask.strand, []).append(ask)
    for strand, asks in together.items():
        minutes = max(recording.campaign.settings.minutes(ask.pace) for ask in asks)
        closes = recording.now + timedelta(minutes=minutes)
        await set_clock(recording, strand, closes, seq)
        for ask in asks:
            if ask.untracked and recording.campaign.settings.tracker != "off":
                log.error("battle not described", campaign=recording.campaign.id, where=ask.untracked)
            await open_battle(recording, ask, transition)
            for side in ask.parties:
                await open_prompt(recording, ask, side, seq, closes, shown=side not in listed)
    for side in sorted(listed):
        await post_list(recording, side)


def _asked_too_much(transition: Transition) -> set[Side]:
    """The sides that are asked in so many strands at once that they get one list instead of a card for each sheet."""
    asked = {(side, ask.strand) for ask in transition.opened if ask.awaited for side in ask.parties}
    counts = Counter(side for side, _ in asked)
    return {side for side, count in counts.items() if count > MOST_CARDS}


async def _end(recording: Recording, ending: Ending) -> None:
    """The campaign is over."""
    campaign, names = recording.campaign, recording.side_names
    scores = ", ".join(f"{names.get(side, side)} {score}" for side, score in ending.scores.items())
    await recording.tx.campaigns.set_status(campaign.id, CampaignStatus.ENDED, ending.text)
    await recording.tx.deadlines.drop(campaign.id)
    await post_end(recording, f"**The campaign is over.** {ending.text}\nScores: {scores}\n-# {ending.rule}")
    await post_public(recording, await publish_seed(recording))
