"""The axis of a strip of times: which minutes it shows, where they lie, and which of them have words."""

from dataclasses import dataclass

from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.open_times import OpenTimes

HOUR, DAY = 60, 1440
STEPS = (5, 15, 30, HOUR, 2 * HOUR, 4 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2 * DAY, 4 * DAY, 7 * DAY, 14 * DAY, 28 * DAY)
"""Minutes between two words; beyond the last one, as many times that as is needed."""
MOST_TICKS = 4
LEAST_SPAN = 30
LONGEST_PAST = 3
"""How many times what is still to come is shown of what is past."""


@dataclass(frozen=True, slots=True)
class TimeTick:
    """A minute with words."""

    minute: int
    words: str


@dataclass(frozen=True, slots=True)
class Axis:
    """Minutes from ``first`` to ``last``, between two places in pixels."""

    first: int
    last: int
    left: int
    right: int
    ticks: tuple[TimeTick, ...]

    def at(self, minute: int) -> float:
        """Where a minute lies; what is beyond an end lies there."""
        share = (min(self.last, max(self.first, minute)) - self.first) / (self.last - self.first)
        return self.left + share * (self.right - self.left)


def axis_of(times: OpenTimes, left: int, right: int) -> Axis:
    """All that is to come, a little more, and as much of what is past as leaves that legible."""
    ends = [row.until for row in times.rows if row.until is not None]
    to_come: int = max(LEAST_SPAN, times.closes or 0, *ends)
    past: int = max(LEAST_SPAN // 2, 0, *(-row.since for row in times.rows))
    first, last = -min(past, LONGEST_PAST * to_come), to_come * 112 // 100
    span = last - first
    step = next((step for step in STEPS if span / step <= MOST_TICKS), STEPS[-1] * -(-span // (MOST_TICKS * STEPS[-1])))
    edge = span * 0.06
    minutes = [one for one in range(first // step * step, last + 1, step) if first + edge <= one <= last - edge]
    ticks = tuple(TimeTick(one, f"{'+' if one > 0 else '−'}{short(abs(one))}") for one in minutes if one)
    return Axis(first, last, left, right, ticks)


def short(minutes: int) -> str:
    """A time in one unit."""
    if minutes % DAY == 0:
        return f"{minutes // DAY} d"
    if minutes % HOUR == 0:
        return f"{minutes // HOUR} h"
    return f"{minutes} min"


def spoken(minutes: int) -> str:
    """About how long that is, in words."""
    for unit, name in ((DAY, "day"), (HOUR, "hour")):
        if minutes >= 2 * unit or (unit == HOUR and minutes >= HOUR):
            count = round(minutes / unit)
            return counted(count, name)
    return counted(minutes, "minute")
