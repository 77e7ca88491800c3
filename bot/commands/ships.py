"""``/ships``: which of a side's captains has which ships, and handing them on."""

import discord
from discord import app_commands

from bot.cards.cards import MOST_CONTENT
from bot.cards.prompts.standing import mentions
from bot.commands.context import (
    EVERYWHERE,
    GUILD_INSTALL,
    Offer,
    campaign_here,
    chosen,
    offers,
    own_campaigns,
    services_of,
)
from bot.delivery.exit import reply
from bot.delivery.prepared import Message
from bot.interactions.guard import answers
from bot.interactions.showing import Interaction
from bot.seats.ships import ALL, SharedShips

EVERYBODYS = (
    "No ship has a captain of its own: any commander of your side gives all of them their orders, and one **Ready** "
    "counts for all. `/ships hand` gives somebody ships of their own."
)
MOST_OF_ONE = 400
"""Characters of the ships of one captain."""


@offers
async def ships_to_hand(interaction: Interaction, _: str) -> list[Offer]:
    """The forces and ships that the caller may hand on."""
    found = await campaign_here(interaction, chosen(interaction, "campaign"))
    shared = await services_of(interaction).seats.ships.shared(found.id, interaction.user.id)
    free = shared.free_for(interaction.user.id)
    forces = dict.fromkeys(ship.force for ship in free if ship.force)
    return [
        ("All that you may hand on", ALL),
        *((f"{force}, the whole force", force) for force in forces),
        *((f"{ship.id} {ship.name}"[:100], ship.id) for ship in free),
    ]


class ShipsCommands(app_commands.Group):
    """The group."""

    def __init__(self) -> None:
        super().__init__(
            name="ships",
            description="Which of your side's captains has which ships",
            allowed_contexts=EVERYWHERE,
            allowed_installs=GUILD_INSTALL,
        )

    @app_commands.command(name="show", description="Who of your side has which ships, and whose word is awaited")
    @app_commands.describe(campaign="Which campaign, if you are in several")
    @app_commands.autocomplete(campaign=own_campaigns)
    @answers
    async def show(self, interaction: Interaction, campaign: str | None = None) -> None:
        """Show the captains."""
        found = await campaign_here(interaction, campaign)
        shared = await services_of(interaction).seats.ships.shared(found.id, interaction.user.id)
        await reply(interaction, Message(_shown(found.title, shared)))

    @app_commands.command(name="hand", description="Hand ships of yours, or of nobody's, to a commander of your side")
    @app_commands.describe(
        ships="Ships or whole forces, by their ids",
        to="Who has them from now on; leave it out to make them everybody's",
        campaign="Which campaign, if you are in several",
    )
    @app_commands.autocomplete(ships=ships_to_hand, campaign=own_campaigns)
    @answers
    async def hand(
        self, interaction: Interaction, ships: str, to: discord.User | None = None, campaign: str | None = None
    ) -> None:
        """Hand ships on."""
        found = await campaign_here(interaction, campaign)
        done = await services_of(interaction).seats.ships.hand(
            found.id,
            by=interaction.user.id,
            words=ships,
            to=None if to is None else to.id,
            interaction_id=interaction.id,
        )
        await reply(interaction, Message(f"{done}."))


def _shown(title: str, shared: SharedShips) -> str:
    """The captains of a side, each with what they have."""
    team = shared.team
    if not team.captains:
        return EVERYBODYS
    lines = [f"**Your side's captains** · {title}"]
    captains = sorted(set(team.captains.values()))
    lines += [f"⚓ <@{user_id}>: {_cut(team.names_of(user_id))}" for user_id in captains]
    if rest := team.names_of(None):
        lines.append(f"Everybody's: {_cut(rest)}")
    if shared.missing:
        lines.append(f"-# 👥 Not confirmed yet, of what is open: {mentions(shared.missing)}.")
    return "\n".join(lines)[:MOST_CONTENT]


def _cut(names: list[str]) -> str:
    text = ", ".join(names)
    return text if len(text) <= MOST_OF_ONE else f"{text[:MOST_OF_ONE]} … ({len(names)} in all)"
