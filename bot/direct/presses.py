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
from bot.direct.cards import saved_card, understood_card
from bot.errors import Stale
from bot.interactions.modals import MOST_INPUT, TEXT_FIELD, submitted_values, text_modal
from bot.interactions.showing import Interaction, forged, is_callers_own, show
from bot.orders.open_prompt import OpenPrompt
from bot.records.components import Card
from bot.records.prompts import TypedText
from bot.services import OrdersServices

TOO_LONG = "That is too long for a form. Change it where you wrote it, and send it again; nothing was saved."


class TypedPresses:
    """Components and forms below plain messages."""

    def __init__(self, orders: OrdersServices) -> None:
        self._orders = orders

    async def pressed(
        self, interaction: Interaction, message_id: str, verb: str, argument: str, values: Sequence[str]
    ) -> None:
        """A button or menu."""
        user_id = interaction.user.id
        typed = await self._orders.typed.kept(_message_id(message_id), user_id)
        if verb == "sheet" and len(values) == 1 and typed.token is None:
            await self._meant(interaction, replace(typed, token=values[0]))
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
            case "open":
                await show(interaction, await self._orders.prompts.prompt(token, user_id))
            case _:
                raise forged()

    async def _meant(self, interaction: Interaction, typed: TypedText) -> None:
        """The sheet was chosen, or the text was changed: say how it is understood."""
        user_id = interaction.user.id
        one = await self._orders.typed.for_prompt(typed.token or "", user_id, typed.text)
        await self._orders.typed.keep(user_id, typed, interaction.id)
        await _say(interaction, understood_card(typed.message_id, one))

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
