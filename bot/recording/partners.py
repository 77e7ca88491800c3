"""Partners: sides that answer an ask as one force. What one of them does reaches the sheets of the others.

The sheets stay each side's own: a partner reads what was answered, and never what is only filled in.
"""

import asyncio
from typing import Any

from bot.recording.drafts import reads_as
from bot.recording.prompts import refresh_as_it_stands
from bot.recording.transaction import Recording
from bot.records.prompts import Prompt
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk


async def partners_go_on(recording: Recording, ask: AnyAsk, side: str, draft: Sheet, stood: Any) -> None:
    """Let the sheets of a side's partners go on from what the side has answered (``draft``).

    A sheet that holds something else than what ``stood`` as the force's answer before is being worked on, and stays.
    """
    for prompt in await _of_partners(recording, ask, side):
        if not prompt.draft or await asyncio.to_thread(reads_as, ask, prompt.draft, stood):
            await recording.tx.prompts.keep_draft(prompt.token, draft)
            await recording.tx.steps.forget([prompt.token])  # they lead to a sheet that is no more


async def refresh_partners(recording: Recording, side: str, strand: str) -> None:
    """Have the cards of a side's partners in a strand show what it has answered alone for them all, and whether it is
    ready."""
    for ask in recording.adjudicator.asks_for(side):
        if ask.strand == strand and not ask.is_shared:
            for prompt in await _of_partners(recording, ask, side):
                await refresh_as_it_stands(recording, prompt, ask, await recording.closes(strand))


async def _of_partners(recording: Recording, ask: AnyAsk, side: str) -> list[Prompt]:
    partners = set(ask.force_of(side)) - {side}
    if not partners:
        return []
    prompts = await recording.tx.prompts.open_of(recording.campaign.id, ask_id=ask.id)
    return [prompt for prompt in prompts if prompt.side in partners]
