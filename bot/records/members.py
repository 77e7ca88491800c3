"""Who belongs to a campaign."""

from dataclasses import dataclass


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
