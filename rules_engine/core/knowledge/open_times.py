"""What is open at a table and how the time runs there, for a referee's strip of times. No clock is read: every moment
is given in whole minutes before (less than 0) or after the one at which it is looked at."""

from typing import Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen

TimeState = Literal["ready", "awaited", "late", "differ"]
"""Done; not done; not done though it was reminded; accounts of a battle that differ."""


class TimeRow(Frozen):
    """A row of the strip: who or what it is (with the letter and the place of a side among the seats), how it stands,
    and from when to when it has time; ``until`` is None where the clock stands still."""

    name: str
    state: TimeState
    says: str
    since: int = Field(le=0)
    until: int | None = None
    emblem: str = ""
    seat: int | None = None


class OpenTimes(Frozen):
    """The rows, and when what closes first does so (None while the clock stands still)."""

    rows: tuple[TimeRow, ...] = ()
    closes: int | None = None
