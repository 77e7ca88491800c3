"""The deadlines of a campaign's open sheets, and what pausing, moving and reminding make of them."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Deadline:
    """When a strand closes by itself: what is open together there, and all that is open where play has not parted.

    ``falls_at`` is None while the clock stands still; ``left`` is then the time that was left. ``remind_at`` is when
    those who are late are reminded; None once they were, and while the clock stands still. ``opened_seq`` is the
    entry of the journal that opened what is open there.

    A battle that nobody has settled when it falls is given more time: ``unsettled_at`` is when it first fell so, and
    ``to_end`` how long after ``falls_at`` the battle ends by rule; nothing once that is where it falls.
    """

    campaign_id: str
    opened_seq: int
    opened_at: datetime
    falls_at: datetime | None
    remind_at: datetime | None = None
    reminded: bool = False
    left: timedelta | None = None
    strand: str = ""
    unsettled_at: datetime | None = None
    to_end: timedelta | None = None

    @property
    def is_last(self) -> bool:
        """Whether a battle that nobody has settled ends by rule when it falls."""
        return self.to_end is not None and self.to_end <= timedelta()

    def given_grace(self, now: datetime, grace: timedelta, patience: timedelta, reminder_left: float) -> "Deadline":
        """The same with more time for a battle that nobody has settled: ``grace`` longer, and not beyond its end by
        rule, which comes when it has waited for ``patience`` beyond its deadline, and after one such time at least."""
        if self.to_end is None:
            left = max(grace, patience)
        else:
            ahead = timedelta() if self.falls_at is None else self.falls_at - now
            left = max(timedelta(), ahead + self.to_end)  # the end stays where it was announced
        step = min(grace, left)
        given = replace(self, unsettled_at=self.unsettled_at or now, to_end=left - step)
        return given.moved(now + step, reminder_left)

    def falling(self, moment: datetime, reminder_left: float) -> "Deadline":
        """The same, running out at ``moment``; people are reminded when that share of the time is left."""
        remind_at = None if self.reminded else moment - (moment - self.opened_at) * reminder_left
        return replace(self, falls_at=moment, left=None, remind_at=remind_at)

    def moved(self, moment: datetime, reminder_left: float) -> "Deadline":
        """The same, moved to ``moment``; people are reminded again."""
        return replace(self, reminded=False).falling(moment, reminder_left)

    def stopped(self, now: datetime) -> "Deadline":
        """The same with its clock standing still; what is left of the time is kept, in whole seconds."""
        if self.falls_at is None:
            return self
        left = timedelta(seconds=max(0, int((self.falls_at - now).total_seconds())))
        return replace(self, falls_at=None, remind_at=None, left=left)

    def started(self, now: datetime, reminder_left: float) -> "Deadline":
        """The same with its clock running again for the time that was left."""
        return self if self.left is None else self.falling(now + self.left, reminder_left)

    def told(self) -> "Deadline":
        """The same, those who are late having been reminded."""
        return replace(self, reminded=True, remind_at=None)

    def later(self, by: timedelta) -> "Deadline":
        """The same, put off by a time in which nobody could answer."""
        return replace(
            self,
            falls_at=None if self.falls_at is None else self.falls_at + by,
            remind_at=None if self.remind_at is None else self.remind_at + by,
        )
