"""Pages of a side's forces: turned in the caller's own message, and what is chosen beside it."""

from collections.abc import Sequence

from bot.cards.forces_pages import HEADS, LONGEST_WORD, WHOLE, forces_card, forces_pages, forces_text
from bot.delivery.compose import message_of
from bot.delivery.exit import reply, update_message
from bot.delivery.prepared import TEXT_LIMIT, Attachment, Message
from bot.interactions.bulletin_presses import number_in
from bot.interactions.showing import Interaction, forged, is_callers_own
from rules_engine.core.knowledge.views import SideView

FILE = "file"


async def turn_forces(interaction: Interaction, campaign_id: str, view: SideView, argument: str) -> None:
    """A page of the forces, or all of them as a file."""
    kind, _, page = argument.partition(".")
    number = number_in(page)
    if kind == FILE:
        await reply(interaction, Message("All of it is in `forces.txt`.", files=(_file(view),)))
        return
    if kind not in (HEADS, WHOLE):
        raise forged()
    card = forces_card(campaign_id, view, kind, number)
    message = message_of(card)
    await (update_message if is_callers_own(interaction) else reply)(interaction, message)


async def show_force(interaction: Interaction, view: SideView, chosen: Sequence[str]) -> None:
    """All that speaks of the one that was chosen."""
    if len(chosen) != 1 or not 0 < len(chosen[0].strip()) <= LONGEST_WORD:
        raise forged()
    await reply(interaction, forces_message(view, chosen[0]))


def forces_message(view: SideView, about: str) -> Message:
    """What speaks of something; what is too long for one message goes along as a file."""
    text = forces_text(view, about)
    if len(text) <= TEXT_LIMIT:
        return Message(text)
    first = forces_pages(view, about)[0]
    return Message(f"{first}\n-# All of it is in `forces.txt`.", files=(_file(view, about),))


def _file(view: SideView, about: str = "") -> Attachment:
    plain = forces_text(view, about).replace("**", "").replace("__", "")
    return Attachment("forces.txt", f"{plain}\n".encode())
