"""What people wrote to the bot while it was away: looked for in their channels, and read in order, each once.

Discord tells a fresh session nothing of what was said before it. Up to which message somebody was heard is kept with
the answer to it, so that nothing is read twice; it moves on only while nothing before it may be unread.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

import discord

from bot.campaigns.runtime import Runtime
from bot.delivery.doubt import SKEW
from bot.delivery.gateway import ChannelHistory
from bot.orders.typed import Heard
from bot.store.repositories.typed import Unread

MOST_MISSED = 10
"""Messages of one person that are read again at once: the last ones."""

LOOKED_AT = 50
"""Messages of a channel that are looked at for them, the bot's own among them."""

STILL_AWAITED = timedelta(days=1)
"""How old a message may be that somebody wrote to whom no sheet is open. Else no older than their sheets."""


def is_for_us(message: discord.Message, bot_id: int | None) -> bool:
    """Whether a message is a person's own, to the bot alone: no other bot's, and nothing that Discord itself says."""
    is_persons = not message.author.bot and message.author.id != bot_id and message.webhook_id is None
    return (
        is_persons
        and message.guild is None
        and message.type in {discord.MessageType.default, discord.MessageType.reply}
    )


@dataclass(frozen=True)
class Received:
    """A message that somebody wrote. ``is_last``: all before it was read as well; ``was_missed``: the bot was away."""

    message: discord.Message
    is_last: bool
    was_missed: bool = False

    @property
    def heard(self) -> Heard:
        """Whose it is, and where."""
        message = self.message
        return Heard(message.author.id, message.channel.id, message.id, self.is_last)


@dataclass(frozen=True)
class Missed:
    """What somebody wrote meanwhile, oldest first; ``more`` if they wrote more before."""

    messages: tuple[discord.Message, ...] = ()
    more: bool = False


class MissedMessages:
    """Knows who was heard in this session, and finds what those who were not have written."""

    def __init__(self, runtime: Runtime, history: ChannelHistory) -> None:
        self._runtime = runtime
        self._history = history
        self._caught_up: set[int] = set()

    def session_began(self) -> None:
        """What was written before this moment may be unread, whoever wrote it."""
        self._caught_up = set()

    def is_caught_up(self, user_id: int) -> bool:
        """Whether all that somebody wrote before this session was looked for."""
        return user_id in self._caught_up

    async def people(self) -> list[int]:
        """Those of whom something may be unread."""
        await self._reads_since()
        async with self._runtime.store.read() as tx:
            return [one.user_id for one in await tx.typed.unread()]

    async def of(self, user_id: int, before: int | None) -> Missed:
        """What somebody wrote ``before`` a message (None: to this day) that was not read. They are caught up by that.

        Raises:
            discord.HTTPException: when Discord does not give it.
        """
        session = self._caught_up
        async with self._runtime.store.read() as tx:
            found = await tx.typed.unread(user_id)
        missed = await self._behind(found[0], before) if found else Missed()
        session.add(user_id)
        return missed

    async def _behind(self, unread: Unread, before: int | None) -> Missed:
        now = self._runtime.now()
        since = unread.since or now - STILL_AWAITED
        if not unread.read:
            since = max(since, await self._reads_since())
        least = max(unread.read, discord.utils.time_snowflake(since - SKEW))
        found = await self._history.written(unread.channel_id, before=before, most=LOOKED_AT)
        bot_id = self._history.bot_id
        theirs = [one for one in found if one.id > least and one.author.id == unread.user_id and is_for_us(one, bot_id)]
        return Missed(tuple(theirs[-MOST_MISSED:]), more=len(theirs) > MOST_MISSED)

    async def _reads_since(self) -> datetime:
        """What was written before this installation began to read so was answered then, or is long forgotten."""
        async with self._runtime.store.write() as tx:
            return await tx.installation.reads_since(self._runtime.now())
