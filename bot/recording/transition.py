"""Everything that a transition did, written down in one transaction: first the journal, then what tells of it."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import update

from bot.recording.battle_threads import open_battle
from bot.recording.deadline_row import drop_deadline, set_deadline
from bot.recording.journal import write_entry
from bot.recording.posts import post_public, post_reports
from bot.recording.prompts import close_prompts_of, open_prompt
from bot.recording.transaction import Recording
from bot.store.tables import CampaignRow
from rules_engine.core.running.transitions import Transition


async def write_transitions(recording: Recording, transitions: Sequence[Transition]) -> None:
    """Write these transitions down, in order."""
    for transition in transitions:
        await write_entry(recording, transition)
        if transition.closed:
            await close_prompts_of(recording, transition)
        if transition.reports or transition.maps_for:
            await post_reports(recording, transition)
        if transition.opened:
            await _open(recording, transition)
        if transition.ending is not None and transition.closed:
            await _end(recording, transition)


async def _open(recording: Recording, transition: Transition) -> None:
    """The asks that the transition opened: their deadline, their battles, and a prompt for each side that is asked."""
    minutes = max(recording.campaign.settings.minutes(ask.pace) for ask in recording.adjudicator.open_asks())
    closes = recording.now + timedelta(minutes=minutes)
    await set_deadline(recording, closes, transition.entry.seq)
    for ask in transition.opened:
        await open_battle(recording, ask)
        for side in ask.parties:
            await open_prompt(recording, ask, side, transition.entry.seq, closes)


async def _end(recording: Recording, transition: Transition) -> None:
    """The campaign is over."""
    ending, campaign = transition.ending, recording.campaign
    if ending is None:
        return
    scores = ", ".join(f"{campaign.side_names.get(side, side)} {score}" for side, score in ending.scores.items())
    ended = update(CampaignRow).where(CampaignRow.id == campaign.id)
    await recording.conn.execute(ended.values(status="ended", status_note=ending.text))
    await drop_deadline(recording)
    await post_public(recording, f"**The campaign is over.** {ending.text}\nScores: {scores}\n-# {ending.rule}")
