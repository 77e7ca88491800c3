"""Who belongs to a campaign, and who has."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.records.places import SPECTATOR

EVERYTHING = "@everything"
"""Stands for a seat in what is remembered of somebody who could look at the secrets of all sides."""


@dataclass(frozen=True, slots=True)
class PastSeat:
    """What somebody has been: a side's key, :data:`bot.records.places.SPECTATOR`, or :data:`EVERYTHING`.

    ``in_play``: while play was under way.
    """

    seat: str
    in_play: bool


@dataclass(frozen=True, slots=True)
class SeatInPlay:
    """Somebody's seat in a campaign under way. ``seat``: a side's key, or what stands for spectators or the referee."""

    guild_id: int
    campaign_id: str
    user_id: int
    seat: str


def has_played(past: Iterable[PastSeat]) -> bool:
    """Whether somebody has commanded a side while play was under way."""
    return any(one.in_play and one.seat not in {SPECTATOR, EVERYTHING} for one in past)


@dataclass(frozen=True, slots=True)
class CampaignMember:
    """Somebody's seat. ``side`` is a side's key, or :data:`bot.records.places.SPECTATOR`; quiet hours are UTC."""

    user_id: int
    side: str
    quiet_from: int | None = None
    quiet_to: int | None = None

    def is_quiet_at(self, hour: int) -> bool:
        """Whether this hour (UTC) lies in the member's quiet hours, which may go across midnight."""
        start, end = self.quiet_from, self.quiet_to
        if start is None or end is None or start == end:
            return False
        return start <= hour < end if start < end else hour >= start or hour < end
