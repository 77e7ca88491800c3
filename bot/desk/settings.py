"""A campaign's own settings: how long things may take."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Minutes = Annotated[float, Field(ge=0.02, le=60 * 24 * 60)]


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
    reminder_left: float = Field(0.25, ge=0, lt=1)
    early_close: bool = True

    def minutes(self, pace: str) -> float:
        """How long an ask of that deadline class stays open."""
        return {"orders": self.orders_minutes, "decision": self.decision_minutes, "battle": self.battle_minutes}[pace]
