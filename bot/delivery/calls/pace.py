"""Opening direct messages one after another: Discord quarantines bots that open many at once (code 40003)."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable

AT_ONCE = 10
"""People to whom the bot may begin to write at the same time."""

SECONDS_EACH = 2.0
"""Seconds after which one more may be added."""

REMEMBERED = 5_000
"""Channels of direct messages remembered; who was written to is not opened again."""


class DirectChannels:
    """The channels of direct messages, each opened once in a process, many of them spread out."""

    def __init__(
        self,
        open_one: Callable[[int], Awaitable[int]],
        *,
        now: Callable[[], float] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._open_one = open_one
        self._now = now
        self._sleep = sleep
        self._known: OrderedDict[int, int] = OrderedDict()
        self._free_at = 0.0
        """When all who were begun with are forgotten, so that as many may be begun with at once again."""

    async def of(self, user_id: int) -> int:
        """The channel of direct messages with a user; waits for its turn if many are being opened."""
        if user_id not in self._known:
            await self._turn()
            self._known[user_id] = await self._open_one(user_id)
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)
        self._known.move_to_end(user_id)
        return self._known[user_id]

    def forget(self, user_id: int) -> None:
        """It could not be written to: it is opened anew next time."""
        self._known.pop(user_id, None)

    async def _turn(self) -> None:
        now = asyncio.get_running_loop().time() if self._now is None else self._now()
        self._free_at = max(self._free_at, now) + SECONDS_EACH
        early = self._free_at - now - AT_ONCE * SECONDS_EACH
        if early > 0:
            await self._sleep(early)
