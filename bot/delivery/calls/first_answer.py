"""The first answer to an interaction: Discord takes one, within three seconds, and what follows goes another way.

Two may want to give it at the same moment: the work that was asked for, and the watch that wins time for it. So all of
them come here, one after the other, and the second learns that there is an answer and goes the other way.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import discord

from bot.delivery.calls.call import called

Kind = discord.InteractionResponseType

ANSWERED_ALREADY = 40060
"""Discord's code: this interaction has its first answer."""

_KEPT_AS = "first answer"
"""Where an interaction keeps it."""

_OWN_MESSAGES = (Kind.channel_message, Kind.deferred_channel_message)
"""First answers that are messages of their own."""


class FirstAnswer:
    """Whether an interaction was answered, and how."""

    def __init__(self) -> None:
        self._one_at_a_time = asyncio.Lock()
        self._kind: Kind | None = None

    @property
    def was_given(self) -> bool:
        """Whether there is a first answer."""
        return self._kind is not None

    @property
    def is_own_message(self) -> bool:
        """Whether the answer is a message of its own, beside the pressed one."""
        return self._kind in _OWN_MESSAGES

    async def give(self, kind: Kind, name: str, call: Callable[[], Awaitable[Any]]) -> bool:
        """Make the call if there is no answer yet. Returns whether it was made; if not, the caller follows up.

        Waits for another first answer that is under way. The call is made once more if the connection broke, since
        discord.py does not do that, and there are three seconds. Where Discord has an answer by then, it is that one.
        """
        async with self._one_at_a_time:
            if self.was_given:
                return False
            try:
                try:
                    await called(name, call)
                except aiohttp.ClientConnectionError:
                    await called(name, call)
            except discord.HTTPException as error:
                if error.code != ANSWERED_ALREADY:
                    raise
            self._kind = kind
            return True


def first_answer(interaction: discord.Interaction[Any]) -> FirstAnswer:
    """The first answer to this interaction, given or not."""
    return interaction.extras.setdefault(_KEPT_AS, FirstAnswer())
