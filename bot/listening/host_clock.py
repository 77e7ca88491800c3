"""The host's clock, set right by Discord's: each answer of Discord carries the time, to the second.

People read of a deadline by Discord's time, so that is the time by which it must fall. A host's clock that is fast
would close a turn early, unseen by everybody.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import SimpleNamespace

import aiohttp
import structlog

log = structlog.get_logger()

SECOND = timedelta(seconds=1)
TOLERATED = timedelta(seconds=2)
"""A clock that is off by less is taken as it is: answers tell the time to the second only."""
SLOWEST = timedelta(seconds=5)
"""An answer that took longer tells too little."""


class HostClock:
    """What time it is by Discord, as far as its answers tell; until the first of them, by the ``host``."""

    def __init__(self, host: Callable[[], datetime]) -> None:
        self.host = host
        self.ahead = timedelta()
        """By how much the host's clock is fast; negative where it is slow."""
        self._least, self._most = timedelta.min, timedelta.max
        """Bounds of that by the answers so far."""

    def now(self) -> datetime:
        """The time."""
        return self.host() - self.ahead

    def trace(self) -> aiohttp.TraceConfig:
        """What reads the time in each answer of an HTTP client."""
        trace = aiohttp.TraceConfig()
        trace.on_request_start.append(self._asked)
        trace.on_request_end.append(self._answered)
        return trace

    async def _asked(self, _: object, context: SimpleNamespace, __: object) -> None:
        context.asked_at = self.host()

    async def _answered(self, _: object, context: SimpleNamespace, answer: aiohttp.TraceRequestEndParams) -> None:
        headers = answer.response.headers
        if "Date" not in headers or "Age" in headers:  # what a cache kept tells the time at which it was made
            return
        try:
            said = parsedate_to_datetime(headers["Date"])
        except ValueError:
            return
        if said.tzinfo is not None:
            self.heard(said.astimezone(UTC), context.asked_at, self.host())

    def heard(self, said: datetime, asked_at: datetime, came_at: datetime) -> None:
        """An answer ``said`` what time it is, in whole seconds; it was asked for and came at these times of the host's
        clock."""
        if not timedelta() <= came_at - asked_at <= SLOWEST:
            return
        least, most = asked_at - said - SECOND, came_at - said
        self._least, self._most = max(self._least, least), min(self._most, most)
        if self._least > self._most:  # one of the two clocks was set
            self._least, self._most = least, most
        middle = self._least + (self._most - self._least) / 2
        before, is_right = self.ahead, self._least <= timedelta() <= self._most or abs(middle) < TOLERATED
        if is_right or abs(middle - before) >= TOLERATED:
            self.ahead = timedelta() if is_right else middle
        if abs(self.ahead - before) >= TOLERATED:
            seconds = round(self.ahead.total_seconds(), 1)
            log.warning("host's clock is off; going by Discord's time", fast_by_seconds=seconds)
