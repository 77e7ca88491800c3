"""Asking for a look at whether everything on Discord is as it should be: once is enough until it has been looked."""

from datetime import datetime

from bot.records.effects import Reconcile
from bot.store.transaction import Transaction


async def ask(tx: Transaction, campaign_id: str, now: datetime, *users: int, hurry: bool = True) -> None:
    """Queue the look at a campaign, and at whether these ``users`` hold a role that is not theirs. One that waits
    already, perhaps because Discord refused something, is made at once if there is reason to ``hurry``."""
    look = Reconcile(users=tuple(sorted(users)))
    if not await tx.outbox.has_waiting(campaign_id, look.kind, look.about, hurry=hurry):
        await tx.outbox.put(campaign_id, look, now=now)
