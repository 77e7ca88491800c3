"""Pages of a side's forces and of its dossiers: turned in the caller's own message, and what is chosen beside it."""

from collections.abc import Sequence

from bot.cards.dossiers.card import dossier_card, dossier_file
from bot.cards.dossiers.seen import SeenDossier
from bot.cards.forces_pages import HEADS, LONGEST_WORD, WHOLE, forces_card, forces_pages, forces_text
from bot.cards.told import button
from bot.delivery.compose import message_of
from bot.delivery.exit import reply, update_message
from bot.delivery.prepared import TEXT_LIMIT, Attachment, Message
from bot.interactions.again import CAMPAIGN, again_component
from bot.interactions.bulletin_presses import number_in
from bot.interactions.showing import Interaction, forged, is_callers_own
from bot.records.components import ButtonSpec
from bot.records.signs.marks import without_signs
from rules_engine.core.knowledge.views import SideView

FILE = "file"
LONGEST_PLACE = 20
"""Characters of what names a place in a dossier."""
MISSIONS = "missions"
"""The command that opens sheets of missions, and the topic of those sheets."""


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
    plain = without_signs(forces_text(view, about)).replace("**", "").replace("__", "")
    return Attachment("forces.txt", f"{plain}\n".encode())


async def show_dossier(interaction: Interaction, campaign_id: str, argument: str, values: Sequence[str]) -> None:
    """A page of the dossiers, the one that was chosen, or what stands there as a file."""
    place, _, page = (f"{values[0]}.0" if len(values) == 1 and not argument else argument).partition(".")
    if not (place.isascii() and place.isalnum() and len(place) <= LONGEST_PLACE):
        raise forged()
    seen = await interaction.client.services.queries.dossiers.of_side(campaign_id, interaction.user.id)
    if page == FILE:
        attachment = Attachment("dossier.txt", dossier_file(seen, place).encode())
        await reply(interaction, Message("All of it is in `dossier.txt`.", files=(attachment,)))
        return
    card = dossier_card(seen, place, number_in(page), missions=await missions_button(interaction, seen))
    await (update_message if is_callers_own(interaction) else reply)(interaction, message_of(card))


async def missions_button(interaction: Interaction, seen: SeenDossier) -> ButtonSpec | None:
    """A button that opens the caller's sheet of missions; None where none can be ordered now."""
    prompts = await interaction.client.services.orders.prompts.open_prompts(seen.campaign_id, interaction.user.id)
    if not any(MISSIONS in one.ask.topics for one in prompts):
        return None
    made_id = again_component(MISSIONS, {CAMPAIGN: seen.campaign_id})
    return None if made_id is None else button(made_id, "Missions …")
