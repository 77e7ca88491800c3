"""Whom play waits for: which sides, with which sheets, since when and until when."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.records.campaigns import IN_PLAY
from rules_engine.core.protocol.asks import AnyAsk


@dataclass(frozen=True)
class AwaitedSide:
    """A side that is not done: its name, its commanders, and its sheets with what is missing of each."""

    name: str
    commanders: tuple[int, ...]
    sheets: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Awaited:
    """Everybody whom play waits for. ``until`` is None while the clock stands still with ``left`` on it."""

    sides: tuple[AwaitedSide, ...]
    since: datetime | None
    until: datetime | None
    left: timedelta | None
    reminded: bool


class AwaitedSides:
    """Tells a referee who plays no side; who is asked something is no other's business while a campaign runs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def awaited(self, campaign_id: str, user_id: int) -> Awaited:
        """The sides that are not done, and the open batch's time."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "late", IN_PLAY)
        async with holding(runtime, campaign_id) as adjudicator, runtime.store.read() as tx:
            deadline = await tx.deadlines.of(campaign_id)
            commanders = await tx.members.by_side(campaign_id)
            sides = tuple(
                AwaitedSide(name, tuple(commanders.get(side, ())), sheets)
                for side, name in campaign.side_names.items()
                if (sheets := _sheets(adjudicator, side))
            )
        if deadline is None:
            return Awaited(sides, None, None, None, reminded=False)
        return Awaited(sides, deadline.opened_at, deadline.falls_at, deadline.left, reminded=deadline.reminded)


def _sheets(adjudicator: AnyAdjudicator, side: str) -> tuple[tuple[str, str], ...]:
    """What is still expected of a side before its deadline, as titles with what is missing."""
    missing = [(ask.title, _missing(adjudicator, ask, side)) for ask in adjudicator.asks_for(side)]
    return tuple((title, what) for title, what in missing if what)


def _missing(adjudicator: AnyAdjudicator, ask: AnyAsk, side: str) -> str:
    sent = adjudicator.saved(side, ask.id) is not None
    if len(ask.parties) == 1:
        if not (ask.awaited or sent) or adjudicator.is_ready(side):
            return ""
        return "saved, not ready" if sent else "nothing saved"
    agreement = adjudicator.agreement(ask.id)
    if agreement.settled is not None:
        return ""
    if not sent:
        return "no account sent"
    return "account sent, the accounts differ" if agreement.differences else ""
