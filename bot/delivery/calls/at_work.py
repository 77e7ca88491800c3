"""Messages that would be changed from two sides at once: by the answer to whoever used them, and by the outbox.

Of two edits under way nobody knows which comes last, and an answer names again the files that the message had when it
was used. So the outbox waits until answers are there, and an answer for the edit that was under way when it was asked
for. Only what this process does is known here.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any

import discord

from bot.delivery.composing.made_layout import Kept, files_shown

Files = Sequence[discord.Attachment | Kept]
Edit = asyncio.Future[Files | None]
"""An edit under way, and the files that the message has after it; None if that failed."""

_EDIT_BEFORE = "edit under way"
"""Where an interaction has the edit of its message that was under way when the message was used."""


class MessagesAtWork:
    """Which messages wait for an answer, and which the outbox is editing."""

    def __init__(self, answered: Callable[[], None] = lambda: None) -> None:
        """``answered`` is called whenever a message waits for no answer any more."""
        self._answered = answered
        self._answers: Counter[int] = Counter()
        self._edits: dict[int, Edit] = {}

    @contextmanager
    def answering(self, interaction: discord.Interaction[Any]) -> Generator[None, None, None]:
        """Whoever used a message is being answered, perhaps by a change of it."""
        if interaction.message is None:
            yield
            return
        used = interaction.message.id
        self._answers[used] += 1
        if used in self._edits:
            interaction.extras[_EDIT_BEFORE] = self._edits[used]
        try:
            yield
        finally:
            self._answers[used] -= 1
            if not self._answers[used]:
                del self._answers[used]
                self._answered()

    def waits_for_an_answer(self, message_id: int) -> bool:
        """Whether somebody who used the message is being answered."""
        return message_id in self._answers

    async def edit(self, message_id: int, edit: Callable[[], Awaitable[discord.Message]]) -> None:
        """Edit a message for the outbox."""
        under_way: Edit = asyncio.get_running_loop().create_future()
        self._edits[message_id] = under_way
        files: Files | None = None
        try:
            files = files_in(await edit())
        finally:
            under_way.set_result(files)
            if self._edits.get(message_id) is under_way:
                del self._edits[message_id]


async def files_now(interaction: discord.Interaction[Any]) -> Files:
    """The files of the message that was used, once no edit from before that is under way."""
    before: Edit | None = interaction.extras.get(_EDIT_BEFORE)
    edited = None if before is None else await before
    if edited is not None:
        return edited
    return () if interaction.message is None else files_in(interaction.message)


def files_in(message: discord.Message) -> Files:
    """The files of a message: those that Discord lists, and those that blocks show, which it lists nowhere else."""
    return list({file.id: file for file in (*files_shown(message.components), *message.attachments)}.values())
