"""Whom play waits for: which sides, with which sheets, since when and until when."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.records.campaigns import IN_PLAY
from bot.referee.clock import title_of
from rules_engine.core.protocol.asks import AnyAsk


@dataclass(frozen=True)
class AwaitedSide:
    """A side that is not done: its name, its commanders, and its sheets with what is missing of each."""

    name: str
    commanders: tuple[int, ...]
    sheets: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Awaited:
    """Whom play waits for in one strand, which has a ``title`` where play has parted. ``until`` is None while the
    clock stands still with ``left`` on it."""

    title: str
    sides: tuple[AwaitedSide, ...]
    since: datetime
    until: datetime | None
    left: timedelta | None
    reminded: bool


class AwaitedSides:
    """Tells a referee who plays no side; who is asked something is no other's business while a campaign runs."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def awaited(self, campaign_id: str, user_id: int) -> tuple[Awaited, ...]:
        """The sides that are not done, and the time they have, strand by strand; none while nothing is open."""
        runtime = self._runtime
        campaign = await runtime.directory.permitted(campaign_id, user_id, "late", IN_PLAY)
        async with holding(runtime, campaign_id) as adjudicator, runtime.store.read() as tx:
            commanders = await tx.members.by_side(campaign_id)
            return tuple(
                Awaited(
                    title_of([ask for ask in adjudicator.open_asks() if deadline.strand == ask.strand != ""]),
                    tuple(
                        AwaitedSide(name, tuple(commanders.get(side, ())), sheets)
                        for side, name in campaign.side_names.items()
                        if (sheets := _sheets(adjudicator, side, deadline.strand))
                    ),
                    since=deadline.opened_at,
                    until=deadline.falls_at,
                    left=deadline.left,
                    reminded=deadline.reminded,
                )
                for deadline in await tx.deadlines.all_of(campaign_id)
                if not adjudicator.battle_in(deadline.strand)  # for which play does not wait
            )


def _sheets(adjudicator: AnyAdjudicator, side: str, strand: str) -> tuple[tuple[str, str], ...]:
    """What is still expected of a side before a strand closes, as titles with what is missing."""
    asks = [ask for ask in adjudicator.asks_for(side) if ask.strand == strand]
    missing = [(ask.title, _missing(adjudicator, ask, side)) for ask in asks]
    return tuple((title, what) for title, what in missing if what)


def _missing(adjudicator: AnyAdjudicator, ask: AnyAsk, side: str) -> str:
    if adjudicator.is_done_with(side, ask.id):
        return ""
    sent = adjudicator.saved(side, ask.id) is not None
    if not ask.is_shared:
        return "saved, not ready" if sent else "nothing saved"
    if not sent:
        return "no account sent"
    return "account sent, the accounts differ" if adjudicator.compared(ask.id).differences else ""
