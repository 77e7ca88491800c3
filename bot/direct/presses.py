"""What happens when somebody presses a button below what was made of their message, or sends its form back.

Nothing of it is remembered but the text, in the database: rights, sheet and meaning are looked up again at each press.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from secrets import token_hex
from typing import Any

from bot.delivery.compose import message_of
from bot.delivery.exit import open_modal, reply, update_message
from bot.delivery.prepared import Message
from bot.direct.cards import CAMPAIGNS, asked_each_time, meant_card, saved_card, understood_card
from bot.direct.meaning import Meanings
from bot.errors import Stale
from bot.interactions.modals import MOST_INPUT, TEXT_FIELD, submitted_values, text_modal
from bot.interactions.showing import Interaction, forged, is_callers_own, show
from bot.orders.open_prompt import OpenPrompt
from bot.records.components import Card
from bot.records.prompts import TypedText
from bot.services import Services

TOO_LONG = "That is too long for a form. Change it where you wrote it, and send it again; nothing was saved."


class TypedPresses:
    """Components and forms below plain messages."""

    def __init__(self, services: Services) -> None:
        self._orders = services.orders
        self._meanings = Meanings(services)

    async def pressed(
        self, interaction: Interaction, message_id: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu."""
        user_id = interaction.user.id
        typed = await self._orders.typed.kept(_message_id(message_id), user_id)
        if verb == "sheet" and len(values) == 1 and typed.token is None and argument in {"", CAMPAIGNS}:
            await self._meant(interaction, replace(typed, token=values[0]), may_choose=argument == CAMPAIGNS)
            return
        token = typed.token
        if token is None or argument:
            raise forged()
        match verb:
            case "save":
                await self._save(interaction, typed, token)
            case "change":
                if len(typed.text) > MOST_INPUT:
                    await reply(interaction, Message(TOO_LONG))
                    return
                prompt = await self._orders.prompts.prompt(token, user_id, "write")
                await open_modal(
                    interaction,
                    text_modal(
                        f"u|{typed.message_id}|{TEXT_FIELD}|{token_hex(4)}",
                        title=prompt.ask.title,
                        label="Your orders",
                        text=typed.text,
                        help_text="You see how they are understood before anything is saved.",
                    ),
                )
            case "always":
                await self._from_now_on(interaction, typed, token)
            case "ask":
                await self._ask_again(interaction, typed)
            case "open":
                await show(interaction, await self._orders.prompts.prompt(token, user_id))
            case _:
                raise forged()

    async def _from_now_on(self, interaction: Interaction, typed: TypedText, token: str) -> None:
        """What fits several campaigns is for this one from now on."""
        user_id = interaction.user.id
        one = await self._orders.typed.for_prompt(token, user_id, typed.text)
        await self._meanings.choose(user_id, one.prompt.campaign, interaction.id)
        await _say(interaction, understood_card(typed.message_id, one, chose=True))

    async def _ask_again(self, interaction: Interaction, typed: TypedText) -> None:
        """It is asked again each time, now at once, unless this was saved meanwhile."""
        user_id = interaction.user.id
        await self._meanings.choose(user_id, None, interaction.id)
        if typed.saved:
            await reply(interaction, Message(asked_each_time()))
            return
        meaning = await self._meanings.of(user_id, typed.text)
        if not meaning.sheets:  # all have closed meanwhile
            raise Stale(asked_each_time())
        only = meaning.sheets[0].prompt.token if len(meaning.sheets) == 1 else None
        await self._orders.typed.keep(user_id, replace(typed, token=only), None)
        await _say(interaction, meant_card(typed.message_id, meaning))

    async def _meant(self, interaction: Interaction, typed: TypedText, *, may_choose: bool = False) -> None:
        """The sheet was chosen, or the text was changed: say how it is understood."""
        user_id = interaction.user.id
        one = await self._orders.typed.for_prompt(typed.token or "", user_id, typed.text)
        await self._orders.typed.keep(user_id, typed, interaction.id)
        await _say(interaction, understood_card(typed.message_id, one, may_choose=may_choose))

    async def _save(self, interaction: Interaction, typed: TypedText, token: str) -> None:
        """Save what was written; what was saved already is shown as it stands now."""
        user_id = interaction.user.id
        if typed.saved:
            await show(interaction, await self._orders.prompts.prompt(token, user_id))
            return
        before = await self._orders.typed.for_prompt(token, user_id, typed.text)
        filling = self._orders.filling
        write = filling.write_budget if before.left_out else filling.write
        answer = await write(token, user_id, typed.text, interaction_id=interaction.id)
        if not isinstance(answer, OpenPrompt) or answer.stuck_or_refused or answer.ask.pace == "battle":
            if isinstance(answer, OpenPrompt) and answer.refused_last and not answer.state.rest_saved:
                answer = answer.with_written(typed.text)
            await show(interaction, answer)
            return
        await self._orders.typed.is_saved(typed.message_id)
        await _say(interaction, saved_card(typed.message_id, before, answer))

    async def submitted(self, interaction: Interaction, message_id: str, what: str, data: Mapping[str, Any]) -> None:
        """The form of *Change*: shown again as it is understood now."""
        text = submitted_values(data).get(TEXT_FIELD)
        if what != TEXT_FIELD or not isinstance(text, str) or not text.strip():
            raise forged()
        typed = await self._orders.typed.kept(_message_id(message_id), interaction.user.id)
        if typed.token is None or typed.saved:
            raise Stale("These orders were saved already; open the sheet to change them.")
        await self._meant(interaction, replace(typed, text=text))


async def _say(interaction: Interaction, card: Card) -> None:
    """In the message that was used, which is its reader's own; elsewhere to the caller alone."""
    await (update_message if is_callers_own(interaction) else reply)(interaction, message_of(card))


def _message_id(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 20):
        raise forged()
    return int(text)
