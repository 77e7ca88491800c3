"""From a plain message to the answer to it: nothing that somebody writes here is left without one.

Answers leave through the outbox of the campaign that they are about. Who is in no campaign, or cannot be answered so
because the database is not there, gets a line at once.
"""

import contextlib
import secrets
from collections.abc import Callable

import discord
import structlog

from bot import spoken_of
from bot.delivery.exit import Exit
from bot.delivery.gateway import ChannelHistory
from bot.delivery.prepared import Message
from bot.direct.answering import PlainAnswers
from bot.direct.missed import MissedMessages, Received
from bot.errors import Sorry
from bot.interactions.guard import NOT_SAVED, UNREACHED
from bot.interactions.turns import TooQuick, Turns
from bot.logs import where
from bot.services import Services
from bot.store.errors import StoreUnavailable

log = structlog.get_logger()

MISSED_MORE = (
    "You wrote more to me while I was away than I read again: I answer the last of it. What you wrote before that was "
    "not read, and changed nothing; send it again if it still counts."
)

WENT_WRONG = (
    "Something went wrong here, so what you wrote may not count. What was saved before is safe; `/orders show` shows "
    "it."
)


class PlainMessages:
    """Answers what people write."""

    def __init__(
        self,
        services: Services,
        exit_: Exit,
        history: ChannelHistory,
        turns: Turns,
        is_new: Callable[[discord.Message], bool],
    ) -> None:
        self._services = services
        self._exit = exit_
        self._turns = turns
        self._is_new = is_new
        self._answers = PlainAnswers(services)
        self._missed = MissedMessages(services.runtime, history)

    def session_began(self) -> None:
        """A fresh session with Discord has begun, which brings nothing of what was written before it."""
        self._missed.session_began()

    async def catch_up(self) -> None:
        """Answer what was written while the bot was away, person by person."""
        try:
            for user_id in await self._missed.people():
                try:
                    async with self._turns.turn(user_id):
                        await self._read_missed(user_id, None)
                except TooQuick:
                    continue  # what they write now is read after what they wrote before
        except StoreUnavailable:
            log.warning("missed messages not read")

    async def heard(self, message: discord.Message) -> None:
        """Answer one message, when it is its writer's turn; what they wrote before it comes first."""
        user_id = message.author.id
        try:
            async with self._turns.turn(user_id):
                await self._read_missed(user_id, message.id)
                await self._read(Received(message, is_last=self._missed.is_caught_up(user_id)))
        except TooQuick as quick:
            if not quick.silently:
                log.info("too quick", message=message.id, user=user_id)
                await self._at_once(message, quick.text)

    async def _read_missed(self, user_id: int, before: int | None) -> None:
        """Answer what somebody wrote before a message and nobody has read; where Discord or the database do not give
        it, it is looked for again before they are heard next."""
        if self._missed.is_caught_up(user_id):
            return
        try:
            missed = await self._missed.of(user_id, before)
        except (discord.HTTPException, *UNREACHED, StoreUnavailable) as error:
            log.warning("missed messages not read", error=type(error).__name__, user=user_id)
            return
        if missed.more:
            await self._at_once(missed.messages[0], MISSED_MORE, nonce=f"more.{missed.messages[0].id}")
        for message in missed.messages:
            if self._is_new(message):
                log.info("read late", message=message.id, user=user_id)
                await self._read(Received(message, is_last=True, was_missed=True))

    async def _read(self, got: Received) -> None:
        """Answer one message, whatever becomes of it, and note that it was read."""
        message = got.message
        ids = {"message": message.id, "user": message.author.id}
        spoken_of.begin()
        try:
            said = await self._answers.answer(got)
            if said is not None:
                await self._at_once(message, said)
        except Sorry as sorry:
            log.info("refused", code=sorry.code, **ids)
            if sorry.code != "seen":  # the first of two deliveries was answered
                await self._at_once(message, sorry.text)
        except StoreUnavailable:
            log.error("not saved", **ids)
            await self._at_once(message, NOT_SAVED)
        except Exception as error:
            number = secrets.token_hex(3)
            log.error("incident", incident=number, error=type(error).__name__, where=where(error), **ids)
            await self._at_once(message, f"{WENT_WRONG} Incident `{number}`.")
        else:
            return  # noted with the answer
        with contextlib.suppress(StoreUnavailable):
            await self._services.orders.typed.is_heard(got.heard)

    async def _at_once(self, message: discord.Message, text: str, *, nonce: str | None = None) -> None:
        """Say something that changes nothing; the message's id sees to it that Discord takes it once."""
        try:
            for part in Message(spoken_of.named(text)).parts()[:1]:
                await self._exit.post(message.channel.id, part, nonce or str(message.id))
        except (discord.HTTPException, *UNREACHED) as error:
            log.warning("answer not taken", error=type(error).__name__, message=message.id, user=message.author.id)
