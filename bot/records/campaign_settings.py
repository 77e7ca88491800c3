"""A campaign's own settings: how long things may take."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from bot.errors import Sorry

SHORTEST_MINUTES, LONGEST_MINUTES = 0.02, 60 * 24 * 60

Minutes = Annotated[float, Field(ge=SHORTEST_MINUTES, le=LONGEST_MINUTES)]


class CampaignSettings(BaseModel):
    """Deadlines by class, in minutes, and when the reminder goes out.

    ``reminder_left`` is the share of the time that is left when those who are not done are reminded.
    ``grace_minutes`` is how much longer the referee is given when a battle's deadline falls without agreement.
    ``early_close`` lets play go on as soon as everybody is ready. Without it sheets close at their deadlines only, so
    that nobody can tell from the waiting how long the other side took; nor whether it was asked, where the rulebook
    gives a step a window in any case. Battles, which both sides are in, still end with the agreed account.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    orders_minutes: Minutes = 24 * 60
    decision_minutes: Minutes = 12 * 60
    battle_minutes: Minutes = 7 * 24 * 60
    grace_minutes: Minutes = 24 * 60
    reminder_left: float = Field(default=0.25, ge=0, lt=1)
    early_close: bool = True

    def minutes(self, pace: str) -> float:
        """How long an ask of that deadline class stays open."""
        return {"orders": self.orders_minutes, "decision": self.decision_minutes, "battle": self.battle_minutes}[pace]

    def said(self) -> str:
        """The deadlines in words."""
        return (
            f"Orders: {spoken(self.orders_minutes)}. Decisions: {spoken(self.decision_minutes)}. "
            f"Battles: {spoken(self.battle_minutes)}. "
            + ("Play goes on once everybody is ready." if self.early_close else "Sheets close at their deadlines only.")
        )

    def changed(self, changes: Mapping[str, float | bool]) -> "CampaignSettings":
        """These settings with some deadlines, in minutes, changed.

        Raises:
            Sorry: when a deadline is too short or too long.
        """
        times = [value for value in changes.values() if not isinstance(value, bool)]
        if not all(SHORTEST_MINUTES <= value <= LONGEST_MINUTES for value in times):
            raise Sorry("A deadline lasts at least 2 seconds and at most 60 days.", code="bad-settings")
        return CampaignSettings.model_validate({**self.model_dump(), **changes})


def spoken(minutes: float) -> str:
    """A number of minutes as people say it."""
    for unit, length in (("day", 24 * 60), ("hour", 60)):
        if minutes >= length:
            return _counted(minutes / length, unit)
    return _counted(minutes, "minute")


def _counted(number: float, unit: str) -> str:
    shown = f"{number:.1f}".rstrip("0").rstrip(".")
    return f"{shown} {unit}{'' if shown == '1' else 's'}"
