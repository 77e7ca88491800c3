"""From a plain message to the answer to it: nothing that somebody writes here is left without one.

Answers leave through the outbox of the campaign that they are about. Who is in no campaign, or cannot be answered so
because the database is not there, gets a line at once; it says nothing of any campaign.
"""

import asyncio
import secrets
from typing import Any

import discord
import structlog

from bot.cards.cards import next_button, prompt_card
from bot.cards.sheets import sheet_lines
from bot.commands.status import help_text, several_text, status_text
from bot.commands.words import check_upload, orders_text
from bot.delivery.exit import Exit
from bot.delivery.prepared import Message
from bot.direct.cards import nothing_said, understood_card, which_card
from bot.direct.words import Word, word_of
from bot.errors import Sorry
from bot.interactions.again import again_component, which_campaign_card
from bot.interactions.door import check_text
from bot.interactions.guard import NOT_SAVED, UNREACHED
from bot.interactions.turns import TooQuick, Turns
from bot.logs import where
from bot.orders.typed import Understood
from bot.queries.waiting import MOST_CAMPAIGNS
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.files import FileSpec, PublicMapFile, SideMapFile
from bot.records.places import side_place
from bot.records.prompts import TypedText
from bot.services import Services
from bot.store.errors import StoreUnavailable
from rules_engine.core.knowledge.views import PublicView, SideView

log = structlog.get_logger()

MOST_FILES = 3
"""Files of one message that are read."""

WENT_WRONG = (
    "Something went wrong here, so what you wrote may not count. What was saved before is safe; `/orders show` shows "
    "it."
)


def is_for_us(message: discord.Message, bot_id: int | None) -> bool:
    """Whether a message is a person's own, to the bot alone: no other bot's, and nothing that Discord itself says."""
    is_persons = not message.author.bot and message.author.id != bot_id and message.webhook_id is None
    return (
        is_persons
        and message.guild is None
        and message.type in {discord.MessageType.default, discord.MessageType.reply}
    )


class PlainMessages:
    """Answers what people write."""

    def __init__(self, services: Services, exit_: Exit, turns: Turns) -> None:
        self._services = services
        self._exit = exit_
        self._turns = turns

    async def heard(self, message: discord.Message) -> None:
        """Answer one message, when it is its writer's turn."""
        ids = {"message": message.id, "user": message.author.id}
        try:
            async with self._turns.turn(message.author.id):
                await self._answer(message)
        except TooQuick as quick:
            if not quick.silently:
                log.info("too quick", **ids)
                await self._at_once(message, quick.text)
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

    async def _at_once(self, message: discord.Message, text: str) -> None:
        """Say something that is about no campaign; the message's id sees to it that Discord takes it once."""
        try:
            for part in Message(text).parts()[:1]:
                await self._exit.post(message.channel.id, part, str(message.id))
        except (discord.HTTPException, *UNREACHED) as error:
            log.warning("answer not taken", error=type(error).__name__, message=message.id, user=message.author.id)

    # --- what it is ----------------------------------------------------------------------------------------------

    async def _answer(self, message: discord.Message) -> None:
        user_id = message.author.id
        text = await _text_of(message)
        check_text(text)
        mine = (await self._services.campaigns.of_user(user_id))[:MOST_CAMPAIGNS]  # the newest
        playing = [one for one in mine if one.status in IN_PLAY]
        word = word_of(text)
        if not mine:
            await self._at_once(message, await help_text(self._services, user_id, None))
        elif word is Word.HELP:
            await self._help(message, mine)
        elif word is Word.STATUS:
            await self._status(message, playing or mine)
        elif word is Word.MAP:
            await self._map(message, playing or mine)
        elif word is Word.NEXT:
            await self._next(message, playing or mine)
        else:
            await self._orders(message, text, playing, mine)

    async def _tell(
        self,
        message: discord.Message,
        campaign: CampaignInfo,
        content: str | Card,
        *,
        side: str | None = None,
        files: tuple[FileSpec, ...] = (),
        typed: TypedText | None = None,
    ) -> None:
        """Answer through the outbox; what is a ``side``'s own only while its reader commands it."""
        card = content if isinstance(content, Card) else None
        post = Post(
            dm=message.author.id,
            content=content.content if isinstance(content, Card) else content,
            card=card if card is not None and (card.rows or card.layout) else None,
            files=files,
            fallback=None if side is None else side_place(side),
        )
        await self._services.orders.typed.answer(campaign.id, message.author.id, message.id, [post], typed)

    # --- words ---------------------------------------------------------------------------------------------------

    async def _help(self, message: discord.Message, mine: list[CampaignInfo]) -> None:
        user_id, services = message.author.id, self._services
        going_on = [one for one in mine if one.status in IN_PLAY] or mine
        words = "-# Here you may write orders as they come to mind, and **map**, **status** or **next**."
        if len(going_on) > 1:
            text = await several_text(services, user_id, None)
            await self._tell(message, going_on[0], Card(f"{text}\n{words}", ((next_button(),),)))
        else:
            text = await help_text(services, user_id, going_on[0])
            await self._tell(message, going_on[0], f"{text}\n{words}")

    async def _status(self, message: discord.Message, campaigns: list[CampaignInfo]) -> None:
        user_id, services = message.author.id, self._services
        if len(campaigns) > 1:
            text = await several_text(services, user_id, None)
            await self._tell(message, campaigns[0], Card(text, ((next_button(),),)))
            return
        campaign = campaigns[0]
        prompts = await services.queries.waiting.sheets(user_id, [campaign])
        text = await status_text(services, campaign)
        await self._tell(message, campaign, "\n".join([text, *sheet_lines([one.listed for one in prompts])]))

    async def _map(self, message: discord.Message, campaigns: list[CampaignInfo]) -> None:
        """The map, as its reader may see it; of several campaigns a menu asks for which, those that wait first."""
        user_id, waiting = message.author.id, self._services.queries.waiting
        own = await waiting.commanded(user_id, campaigns) if len(campaigns) > 1 else campaigns
        if len(own) != 1:
            sheets = await waiting.sheets(user_id, campaigns)
            which = await waiting.first_waiting(user_id, campaigns)
            component = again_component("map", {}) or ""
            called = frozenset(one.campaign.id for one in sheets if one.waits)
            await self._tell(message, which[0], which_campaign_card(component, which, called))
            return
        campaign = own[0]
        view = await self._services.queries.views.widest(campaign.id, user_id)
        if isinstance(view, SideView):
            text, files, side = view.board.heading, (SideMapFile(view=view),), view.side
            await self._tell(message, campaign, f"**{campaign.title}** · {text}", files=files, side=side)
        elif isinstance(view, PublicView):
            text = f"**{campaign.title}** · {view.public.heading}"
            await self._tell(message, campaign, text, files=(PublicMapFile(view=view),))
        else:
            text = f"**{campaign.title}**: you see everything, and that is shown by `/map` alone."
            await self._tell(message, campaign, text)

    async def _next(self, message: discord.Message, campaigns: list[CampaignInfo]) -> None:
        """The sheet that waits first, in whatever campaign it is; else one that may still be changed."""
        sheets = await self._services.queries.waiting.sheets(message.author.id, campaigns)
        if not sheets:
            await self._tell(message, campaigns[0], nothing_said(campaigns[0].title, ()))
            return
        first = sheets[0]
        card = await asyncio.to_thread(prompt_card, first.state)
        await self._tell(message, first.campaign, card, side=first.side)

    # --- orders --------------------------------------------------------------------------------------------------

    async def _orders(
        self, message: discord.Message, text: str, playing: list[CampaignInfo], mine: list[CampaignInfo]
    ) -> None:
        """Say how orders are understood; what is none gets a kind line."""
        user_id = message.author.id
        found: list[Understood] = []
        answers = message.reference.message_id if message.reference is not None else None
        token = await self._services.orders.typed.answering(answers, user_id)
        if token is not None:  # a reply to a sheet's card is meant for that sheet, whatever is in it
            found = [await self._services.orders.typed.for_prompt(token, user_id, text)]
        for campaign in () if found else await self._services.queries.waiting.commanded(user_id, playing):
            found += await self._services.orders.typed.for_campaign(campaign.id, user_id, text)
        meant = _meant(found) or (found if token is not None else [])
        if not meant:
            waiting = await self._services.queries.waiting.sheets(user_id, playing)
            campaign = waiting[0].campaign if waiting else (playing or mine)[0]
            await self._tell(message, campaign, nothing_said(campaign.title, waiting))
            return
        first = meant[0].prompt
        only = len(meant) == 1
        typed = TypedText(message.id, first.token if only else None, text)
        card = await asyncio.to_thread(understood_card, message.id, meant[0]) if only else which_card(message.id, meant)
        await self._tell(message, first.campaign, card, side=first.side, typed=typed)


def _meant(found: list[Understood]) -> list[Understood]:
    """The sheets that a text may be meant for: those that it can be saved on, else the one that it speaks of."""
    fitting = [one for one in found if one.may_be_saved]
    if fitting:
        return [one for one in fitting if one.says] or fitting[:1]
    read = [one for one in found if one.is_read] or [one for one in found if one.names]
    return sorted(read, key=lambda one: -one.names)[:1]


async def _text_of(message: discord.Message) -> str:
    """What somebody wrote, with the files of orders that came along.

    Raises:
        Sorry: when a file is none that can be read.
    """
    texts = [message.content]
    if len(message.attachments) > MOST_FILES:
        raise Sorry(f"I read at most {MOST_FILES} files of a message; nothing was changed.", code="many-files")
    for file in message.attachments:
        check_upload(file.size)
        texts.append(await _read(file))
    return "\n".join(part for part in texts if part.strip())


async def _read(file: Any) -> str:
    try:
        content: bytes = await file.read()
    except (discord.HTTPException, *UNREACHED):
        raise Sorry("Discord did not give me that file; send it again.", code="file-lost") from None
    check_upload(len(content))
    return orders_text(content)
