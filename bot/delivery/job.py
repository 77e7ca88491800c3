"""An item of the outbox while it is delivered: what its calls gave so far, and where its campaign is on Discord."""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TypeVar, cast

import structlog

from bot.delivery.calls.at_work import MessagesAtWork
from bot.delivery.composing.making import FileMaking
from bot.delivery.exit import Exit
from bot.records.campaigns import CampaignInfo
from bot.records.components import Card
from bot.records.outbox import OutboxItem, StepResult
from bot.store.database import Store
from bot.store.transaction import Transaction

log = structlog.get_logger("delivery")

_R = TypeVar("_R", bound=StepResult)

Write = Callable[[Transaction], Awaitable[None]]
"""Something to be written in the transaction that records a call's result."""


Opened = Callable[[str, int, frozenset[str]], Awaitable[Card | None]]
"""What the reader (an id) of a prompt (a token) has opened in its message, which has buttons of these ids, as it stands
now; None where the message shows the prompt's card."""


async def nothing_opened(*_: object) -> Card | None:
    """Where cards have nothing that can be opened in their place."""
    return None


@dataclass(slots=True)
class SharedByJobs:
    """What the rows at work have in common: how files are made, which messages are being answered, what readers have
    opened, closed channels that were looked at, who is building what, and the installation's secret."""

    files: FileMaking
    at_work: MessagesAtWork
    opened: Opened = nothing_opened
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    secret: str = ""
    plain: set[int] = field(default_factory=set[int])
    """Rows that Discord stumbles over again and again while others pass: their messages go out in the plainest form."""
    verified: set[int] = field(default_factory=set[int])
    building: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    roles: defaultdict[str, asyncio.Lock] = field(default_factory=lambda: defaultdict(asyncio.Lock))
    """Held by whoever gives or takes roles of a campaign; taken before ``building``."""


class OutboxJob:
    """One effect. :meth:`once` makes a call of several at most once, also across a crash."""

    def __init__(
        self,
        item: OutboxItem,
        home: CampaignInfo,
        store: Store,
        exit_: Exit,
        shared: SharedByJobs,
    ) -> None:
        self.now = shared.now
        self.item = item
        self.home = home
        self.store = store
        self.exit = exit_
        self.shared = shared
        self.results: dict[str, StepResult] = dict(item.results)
        self.in_doubt = item.in_doubt
        """Whether the call behind the last recorded one may have been made already."""
        self._unsaved = False
        self._writes: list[Write] = []

    async def once(
        self,
        step: str,
        call: Callable[[], Awaitable[_R]],
        *,
        find: Callable[[], Awaitable[_R | None]] | None = None,
        also: Callable[[_R], Write] | None = None,
    ) -> _R:
        """The result of ``call``, made once. If the last try may have reached Discord, ``find`` looks first.

        ``also`` gives what is written together with the result. Results are saved before the next call is made.
        """
        if step in self.results:
            return cast(_R, self.results[step])  # what the same call gave before
        await self.save()
        value = await find() if find and self.in_doubt else None
        self.in_doubt = False
        if value is None:
            value = await call()
        self.results[step] = value
        self._unsaved = True
        if also:
            self._writes.append(also(value))
        return value

    def forget_messages_in(self, channel_id: int) -> None:
        """What was posted in a channel went with it, so that it is to be posted again: all of a message's parts, and
        the layout that it was to become."""
        gone = {name for name, value in self.results.items() if isinstance(value, list) and value[:1] == [channel_id]}
        self.results = {name: value for name, value in self.results.items() if name.removesuffix("l") not in gone}
        self._unsaved = self._unsaved or bool(gone)
        self.in_doubt = self.in_doubt and not gone

    async def save(self) -> None:
        """Commit what the calls so far gave, if that has not been done."""
        if self._unsaved:
            async with self.store.write("progress") as tx:
                await self.write_progress(tx)
            self.saved()

    async def write_progress(self, tx: Transaction) -> None:
        """Within a transaction: the results so far and what belongs to them."""
        await tx.outbox.progressed(self.item, self.results)
        await self.write_what_belongs(tx)

    async def write_what_belongs(self, tx: Transaction) -> None:
        """Within a transaction that keeps the results: what belongs to them."""
        for write in self._writes:
            await write(tx)

    def saved(self) -> None:
        """The transaction of :meth:`write_progress` has been committed."""
        self._unsaved = False
        self._writes.clear()

    # --- places --------------------------------------------------------------------------------------------------

    async def place(self, key: str) -> int | None:
        """Where a place is on Discord, as far as we know."""
        async with self.store.read() as tx:
            return await tx.places.find(self.home.id, key)

    async def places(self) -> dict[str, int]:
        """All places of the campaign."""
        async with self.store.read() as tx:
            return await tx.places.all_of(self.home.id)

    async def settle_place(self, key: str, discord_id: int) -> None:
        """Remember where a place is, in a transaction of its own."""
        async with self.store.write("place") as tx:
            await tx.places.settle(self.home.id, key, discord_id)
