"""Buttons and forms of letters. Ids are ``l|<key>|<verb>|<argument>`` and ``k|<key>|<what>|<nonce>``; all of it may be
forged, and every right is checked again. Answers are for the eyes of whoever pressed alone."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.delivery.compose import message_of
from bot.delivery.exit import defer, open_modal, reply, update_message
from bot.delivery.prepared import Message
from bot.errors import Sorry
from bot.interactions.modals import TEXT_FIELD, fields_modal, submitted_values, text_modal
from bot.interactions.showing import Interaction, drawn_message, forged, is_callers_own
from bot.letters.cards import MOST_NOTE, answered_card, letter_card, sent_text
from bot.letters.corresponding import Sent, Writing
from bot.letters.diplomacy import FARTHEST_NOTICE
from bot.letters.diplomacy_cards import agreement_card
from bot.records.letters.agreements import AgreementState
from bot.records.letters.letter import LetterKind
from bot.services import Services
from rules_engine.core.forms.forms import Field, Line

ANSWERS = {"accept": LetterKind.ACCEPT, "decline": LetterKind.DECLINE, "withdraw": LetterKind.WITHDRAW}
MOST_DIGITS = 6
ONLY_THEY_READ = "Only the side that gets it reads it, and your own."


class LetterPresses:
    """Letters' components and forms."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._letters = services.letters

    async def pressed(
        self, interaction: Interaction, key: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu."""
        user_id = interaction.user.id
        match verb:
            case "read":
                await self._read(interaction, key)
            case "reply":
                await self._open_reply(interaction, key)
            case "accept" | "decline" | "withdraw":
                await self._answer(interaction, key, Writing(kind=ANSWERS[verb]))
            case "page":
                page, _, of = argument.partition(".")
                card = await self._letters.reading.page(key, user_id, _number(page), of)
                await self._show(interaction, key, card)
            case "pact" if len(values) == 1:
                found, one = await self._letters.diplomacy.one(values[0], user_id)
                await reply(interaction, message_of(agreement_card(found, one)))
            case "offer" if len(values) == 1:
                await self._open_offer(interaction, key, values[0])
            case "notice":
                await self._open_notice(interaction, key)
            case "send":
                own = is_callers_own(interaction)
                once = interaction.id
                campaign, sent = await self._letters.writing.send_prepared(key, user_id, interaction_id=once)
                await (update_message if own else reply)(interaction, Message(await self._said(campaign, sent)))
            case "drop":
                await self._letters.writing.drop_prepared(key, user_id)
                await (update_message if is_callers_own(interaction) else reply)(
                    interaction, Message("Nothing was sent.")
                )
            case _:
                raise forged()

    async def submitted(self, interaction: Interaction, key: str, what: str, data: Mapping[str, Any]) -> None:
        """A form that was sent back."""
        verb, _, argument = what.partition(".")
        filled = submitted_values(data)
        if verb == "notice":
            await self._give_notice(interaction, key, filled)
            return
        text = filled.get(TEXT_FIELD)
        if not isinstance(text, str):
            raise forged()
        match verb:
            case "new" | "offer":
                kind = LetterKind.LETTER if verb == "new" else LetterKind.OFFER
                await self._send(interaction, key, await self._sides(key, argument), Writing(text, kind))
            case "reply":
                await self._answer(interaction, key, Writing(text))
            case _:
                raise forged()

    # --- doing -----------------------------------------------------------------------------------------------------

    async def _send(self, interaction: Interaction, campaign_id: str, to: Sequence[str], writing: Writing) -> None:
        sent = await self._letters.writing.write(
            campaign_id, interaction.user.id, to, writing, interaction_id=interaction.id
        )
        await reply(interaction, Message(await self._said(campaign_id, sent)))

    async def _answer(self, interaction: Interaction, token: str, writing: Writing) -> None:
        """Answer a letter: with another, or by a word on the offer that it is."""
        found = await self._letters.reading.one(token, interaction.user.id)
        letter = found.kept.letter
        if found.reader is None:
            raise Sorry("You read this as the referee; only the two sides answer it.", code="denied-letter")
        other = letter.receiver if found.reader == letter.sender else letter.sender
        if writing.kind is not LetterKind.LETTER:
            if letter.kind is not LetterKind.OFFER:
                raise forged()
            words = writing.text if writing.kind is LetterKind.NOTICE else letter.text
            writing = Writing(words, writing.kind, about=letter.number, until=writing.until)
        sent = await self._letters.writing.write(
            letter.campaign, interaction.user.id, [other], writing, interaction_id=interaction.id
        )
        said, names = await self._said(letter.campaign, sent), found.campaign.side_names
        if writing.kind in ANSWERS.values() and is_callers_own(interaction):  # it asks for that no more
            title = found.campaign.title
            card = answered_card(found.kept, names, reader=found.reader, campaign=title, said=said)
            await update_message(interaction, message_of(card))
        else:
            await reply(interaction, Message(said))

    async def _open_reply(self, interaction: Interaction, token: str) -> None:
        user_id = interaction.user.id
        found = await self._letters.reading.one(token, user_id)
        letter = found.kept.letter
        others = await self._letters.writing.receivers(letter.campaign, user_id)
        other = letter.receiver if found.reader == letter.sender else letter.sender
        if other not in others:
            raise Sorry("That side is out of play: it gets no more letters.", code="out-of-play")
        modal = text_modal(
            f"k|{token}|reply|{secrets.token_hex(4)}",
            title=f"To {others[other]}",
            label="Your letter",
            help_text=ONLY_THEY_READ,
            most=found.campaign.settings.letter_length,
        )
        await open_modal(interaction, modal)

    async def _open_offer(self, interaction: Interaction, campaign_id: str, to: str) -> None:
        others = await self._letters.writing.receivers(campaign_id, interaction.user.id)
        if to not in others:
            raise forged()
        campaign = await self._services.campaigns.info(campaign_id)
        most = campaign.settings.letter_length
        await open_modal(interaction, write_modal(campaign_id, [to], campaign.side_names, "offer", most))

    async def _open_notice(self, interaction: Interaction, token: str) -> None:
        found, one = await self._letters.diplomacy.one(token, interaction.user.id)
        if one.agreement.state is not AgreementState.ACCEPTED:
            raise Sorry(f"This is {one.agreement.state}; there is nothing to give notice of.", code="not-now")
        last = Field(
            key="until",
            label="It still holds to the end of turn",
            kind="number",
            least=found.turn,
            most=found.turn + FARTHEST_NOTICE,
            value=found.turn + 1,
        )
        why = Field(key="why", label="Your words to it", kind="text", most=MOST_NOTE, optional=True)
        line = Line(key="notice", label=f"Notice of agreement {one.agreement.number}", fields=(last, why))
        await open_modal(interaction, fields_modal(f"k|{token}|notice|{secrets.token_hex(4)}", line))

    async def _give_notice(self, interaction: Interaction, token: str, filled: Mapping[str, Any]) -> None:
        until, why = filled.get("f0"), filled.get("f1") or ""
        found, _ = await self._letters.diplomacy.one(token, interaction.user.id)
        if not isinstance(until, str) or not isinstance(why, str):
            raise forged()
        last = until.strip()
        is_number = last.isascii() and last.isdigit() and len(last) <= MOST_DIGITS
        if not is_number or not found.turn <= int(last) <= found.turn + FARTHEST_NOTICE:
            raise Sorry(
                f"Notice runs to the end of a turn from {found.turn} (this one) to {found.turn + FARTHEST_NOTICE}; "
                f"“{last[:20]}” is none. Nothing was changed.",
                code="bad-turn",
            )
        await self._answer(interaction, token, Writing(why, LetterKind.NOTICE, until=int(last)))

    async def _said(self, campaign_id: str, sent: Sent) -> str:
        campaign = await self._services.campaigns.info(campaign_id)
        return sent_text(sent, campaign.side_names)

    # --- looking ---------------------------------------------------------------------------------------------------

    async def _read(self, interaction: Interaction, token: str) -> None:
        found = await self._letters.reading.one(token, interaction.user.id)
        names = found.campaign.side_names
        card = letter_card(found.kept, names, reader=found.reader, may_answer=found.reader is not None)
        if card.files:
            await defer(interaction)
        await reply(interaction, await drawn_message(interaction, card, found.campaign))

    async def _show(self, interaction: Interaction, campaign_id: str, card: Any) -> None:
        campaign = await self._services.campaigns.info(campaign_id)
        message = await drawn_message(interaction, card, campaign)
        await (update_message if is_callers_own(interaction) else reply)(interaction, message)

    async def _sides(self, campaign_id: str, argument: str) -> list[str]:
        """The sides that a form's id names by their places."""
        keys = [*(await self._services.campaigns.info(campaign_id)).side_names]
        places = [_number(one) for one in argument.split("-")]
        if not all(place < len(keys) for place in places):
            raise forged()
        return [keys[place] for place in places]


def write_modal(
    campaign_id: str, to: Sequence[str], names: Mapping[str, str], verb: str, most: int
) -> discord.ui.Modal:
    """The form for a new letter (``new``) or an offer (``offer``) to these sides."""
    keys = [*names]
    places = "-".join(str(keys.index(one)) for one in to)
    is_offer = verb == "offer"
    return text_modal(
        f"k|{campaign_id}|{verb}.{places}|{secrets.token_hex(4)}",
        title=f"To {', '.join(names[one] for one in to)}",
        label="Your terms" if is_offer else "Your letter",
        help_text="Accepted or declined with a button." if is_offer else ONLY_THEY_READ,
        most=most,
    )


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
        raise forged()
    return int(text)
