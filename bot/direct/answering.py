"""What a plain message is, and the answer to it, through the outbox of the campaign that it is about."""

import asyncio
from dataclasses import replace
from typing import Any

import discord

from bot import spoken_of
from bot.cards.cards import next_button, prompt_card
from bot.cards.sheets import sheet_lines
from bot.commands.status import help_text, several_text, status_text
from bot.commands.words import check_upload, orders_text
from bot.direct.cards import asked_each_time, chosen_text, meant_card, nothing_said
from bot.direct.letters import letter_in, why_no_letter
from bot.direct.meaning import Meanings, called
from bot.direct.missed import Received
from bot.direct.words import Word, from_now_on, map_of, without_ready, word_of
from bot.errors import Sorry
from bot.interactions.again import again_component, which_campaign_card
from bot.interactions.door import fit_text
from bot.interactions.guard import UNREACHED
from bot.letters.cards import draft_card
from bot.letters.corresponding import Writing
from bot.letters.names import addressed
from bot.queries.waiting import MOST_CAMPAIGNS
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.components import Card
from bot.records.effects import Post
from bot.records.files import FileSpec, PublicMapFile, SideMapFile
from bot.records.places import side_place
from bot.records.prompts import TypedText
from bot.services import Services
from rules_engine.core.knowledge.views import PublicView, SideView

MOST_FILES = 3
"""Files of one message that are read."""


class PlainAnswers:
    """Knows what people mean by what they write."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._meanings = Meanings(services)

    async def answer(self, got: Received) -> str | None:
        """Answer it; gives what is to be said at once instead, to who is in no campaign.

        Raises:
            Sorry: when it cannot be read.
        """
        user_id = got.heard.user_id
        text = fit_text(await _text_of(got.message))
        mine = (await self._services.campaigns.of_user(user_id))[:MOST_CAMPAIGNS]  # the newest
        playing = [one for one in mine if one.status in IN_PLAY]
        word = word_of(text)
        if not mine:
            return await help_text(self._services, user_id, None)
        if word is Word.HELP:
            await self._help(got, mine)
        elif word is Word.STATUS:
            await self._status(got, playing or mine)
        elif word is Word.MAP:
            await self._map(got, playing or mine)
        elif word is Word.NEXT:
            await self._next(got, playing or mine)
        elif word is Word.ASK:
            await self._meanings.choose(user_id, None)
            await self._tell(got, (playing or mine)[0], asked_each_time())
        elif (chosen := called(playing, from_now_on(text))) is not None:
            await self._meanings.choose(user_id, chosen)
            await self._tell(got, chosen, chosen_text(chosen.title))
        elif (shown := called(mine, map_of(text))) is not None:
            await self._map(got, [shown])
        elif not await self._letter(got, text, playing):
            await self._orders(got, text, playing, mine)
        return None

    async def _tell(
        self,
        got: Received,
        campaign: CampaignInfo,
        content: str | Card,
        *,
        side: str | None = None,
        files: tuple[FileSpec, ...] = (),
        typed: TypedText | None = None,
        prompt: str | None = None,
    ) -> None:
        """Answer through the outbox; what is a ``side``'s own only while its reader commands it. ``prompt`` is the
        token of the prompt whose card it is."""
        card = content if isinstance(content, Card) else Card(content)
        card = replace(card, content=spoken_of.named(card.content))
        if got.was_missed:
            card = replace(card, content=f"{card.content}\n{_late(got.message)}")
        post = Post(
            dm=got.heard.user_id,
            content=card.content,
            card=card if card.rows or card.layout else None,
            files=files,
            prompt=prompt,
            fallback=None if side is None else side_place(side),
        )
        await self._services.orders.typed.answer(campaign.id, got.heard, [post], typed)

    # --- words ---------------------------------------------------------------------------------------------------

    async def _help(self, got: Received, mine: list[CampaignInfo]) -> None:
        user_id, services = got.heard.user_id, self._services
        going_on = [one for one in mine if one.status in IN_PLAY] or mine
        words = (
            "-# Here you may write orders as they come to mind, `to SIDE: …` for a letter, and **map**, **status** or "
            "**next**."
        )
        if len(going_on) > 1:
            text = await several_text(services, user_id, None, commands=True)
            await self._tell(got, going_on[0], Card(f"{text}\n{words}", ((next_button(),),)))
        else:
            text = await help_text(services, user_id, going_on[0])
            await self._tell(got, going_on[0], f"{text}\n{words}")

    async def _status(self, got: Received, campaigns: list[CampaignInfo]) -> None:
        user_id, services = got.heard.user_id, self._services
        if len(campaigns) > 1:
            text = await several_text(services, user_id, None)
            await self._tell(got, campaigns[0], Card(text, ((next_button(),),)))
            return
        campaign = campaigns[0]
        prompts = await services.queries.waiting.sheets(user_id, [campaign])
        text = await status_text(services, campaign)
        await self._tell(got, campaign, "\n".join([text, *sheet_lines([one.listed for one in prompts])]))

    async def _map(self, got: Received, campaigns: list[CampaignInfo]) -> None:
        """The map, as its reader may see it; of several campaigns a menu asks for which, those that wait first."""
        user_id, waiting = got.heard.user_id, self._services.queries.waiting
        own = await waiting.commanded(user_id, campaigns) if len(campaigns) > 1 else campaigns
        if len(own) != 1:
            sheets = await waiting.sheets(user_id, campaigns)
            which = await waiting.first_waiting(user_id, campaigns)
            component = again_component("map", {}) or ""
            called = frozenset(one.campaign.id for one in sheets if one.waits)
            await self._tell(got, which[0], which_campaign_card(component, which, called))
            return
        campaign = own[0]
        view = await self._services.queries.views.widest(campaign.id, user_id)
        if isinstance(view, SideView):
            text, files, side = view.board.heading, (SideMapFile(view=view),), view.side
            await self._tell(got, campaign, f"**{campaign.title}** · {text}", files=files, side=side)
        elif isinstance(view, PublicView):
            text = f"**{campaign.title}** · {view.public.heading}"
            await self._tell(got, campaign, text, files=(PublicMapFile(view=view),))
        else:
            text = f"**{campaign.title}**: you see everything, and that is shown by `/map` alone."
            await self._tell(got, campaign, text)

    async def _next(self, got: Received, campaigns: list[CampaignInfo]) -> None:
        """The sheet that waits first, in whatever campaign it is; else one that may still be changed."""
        sheets = await self._services.queries.waiting.sheets(got.heard.user_id, campaigns)
        if not sheets:
            await self._tell(got, campaigns[0], nothing_said(campaigns[0].title, ()))
            return
        first = sheets[0]
        card = await asyncio.to_thread(prompt_card, first.state)
        await self._tell(got, first.campaign, card, side=first.side, prompt=first.state.token)

    # --- letters -------------------------------------------------------------------------------------------------

    async def _letter(self, got: Received, text: str, playing: list[CampaignInfo]) -> bool:
        """Show a letter as it would go; False of a message that is none. A reply to a sheet's card is meant for that
        sheet."""
        services, user_id = self._services, got.heard.user_id
        if addressed(text) is None or await self._answered_sheet(got) is not None:
            return False
        own = await services.queries.waiting.commanded(user_id, playing)
        found = await letter_in(services, user_id, text, own)
        if found is None:
            return False
        draft, names = await services.letters.writing.prepare(
            found.campaign.id, user_id, found.to, Writing(found.words)
        )
        seat, caller = await services.campaigns.seat(found.campaign.id, user_id)
        await self._tell(got, seat, draft_card(draft, names), side=caller.side)
        return True

    async def _answered_sheet(self, got: Received) -> str | None:
        """The token of the sheet whose card a message answers."""
        reference = got.message.reference
        answers = reference.message_id if reference is not None else None
        return await self._services.orders.typed.answering(answers, got.heard.user_id)

    # --- orders --------------------------------------------------------------------------------------------------

    async def _orders(self, got: Received, text: str, playing: list[CampaignInfo], mine: list[CampaignInfo]) -> None:
        """Say how orders are understood; what is none gets a kind line."""
        user_id, said = got.heard.user_id, text
        text, barer = without_ready(said), without_ready(said, apart=False)
        token = await self._answered_sheet(got)
        meant = await self._meanings.of(user_id, text, token)
        if barer != text and not meant.may_be_saved:
            without = await self._meanings.of(user_id, barer, token)
            if without.may_be_saved:
                text, meant = barer, without
        if not meant.may_be_saved and token is None:
            own = await self._services.queries.waiting.commanded(user_id, playing)
            if why := await why_no_letter(self._services, user_id, said, own):
                raise Sorry(why, code="unknown-side")
        if not meant.sheets:
            waiting = await self._services.queries.waiting.sheets(user_id, playing)
            campaign = waiting[0].campaign if waiting else (playing or mine)[0]
            example = await self._services.orders.prompts.example(waiting[0]) if waiting else ""
            await self._tell(got, campaign, nothing_said(campaign.title, waiting, example))
            return
        first = meant.sheets[0].prompt
        message_id = got.heard.message_id
        typed = TypedText(message_id, first.token if len(meant.sheets) == 1 else None, text)
        card = await asyncio.to_thread(meant_card, message_id, meant)
        await self._tell(got, first.campaign, card, side=first.side, typed=typed)


def _late(message: discord.Message) -> str:
    """Which message it is that is answered so late."""
    return f"-# This answers what you wrote <t:{int(message.created_at.timestamp())}:f>, while I was away."


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
