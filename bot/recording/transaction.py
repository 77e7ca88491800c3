"""One open transaction for one campaign: what everything that writes a transition down is given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select

from bot.campaigns.info import CampaignInfo
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.places import SPECTATOR
from bot.store.connections import Connection
from bot.store.outbox import enqueue
from bot.store.tables import MemberRow


@dataclass(frozen=True, slots=True)
class Recording:
    """A transaction, the campaign it is about, that campaign in memory, and the time at which it is written."""

    conn: Connection
    campaign: CampaignInfo
    adjudicator: AnyAdjudicator
    now: datetime

    async def queue(self, payloads: Sequence[dict[str, Any]], kind: str = "post") -> None:
        """Put payloads into the outbox, each into the queue of its destination."""
        rows = [(queue_of(payload), kind, payload) for payload in payloads]
        await enqueue(self.conn, self.campaign.id, rows, now=self.now)

    async def members(self, side: str | None = None) -> list[Any]:
        """The commanders (of one side), by user id; spectators are not among them."""
        query = select(MemberRow).where(MemberRow.campaign_id == self.campaign.id).order_by(MemberRow.user_id)
        query = query.where(MemberRow.side == side) if side else query.where(MemberRow.side != SPECTATOR)
        return list((await self.conn.execute(query)).mappings())


def queue_of(payload: dict[str, Any]) -> str:
    """The queue in which a payload keeps its order: its destination."""
    if payload.get("dm") is not None:
        return f"dm:{payload['dm']}"
    return str(payload.get("place", "setup"))
