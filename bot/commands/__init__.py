"""The slash commands. A module for each concern; all work is done by the bot's services."""

from typing import Any

from discord import app_commands

from bot.commands.briefing import brief
from bot.commands.campaign import CampaignCommands
from bot.commands.helping import QuietCommands, rulings, show_help, show_next
from bot.commands.letters import diplomacy, hand_on, letter, letters, offer
from bot.commands.look import dossier, forces, show_log
from bot.commands.maps import show_map
from bot.commands.orders import OrdersCommands, battle, missions, tracker
from bot.commands.overviews import plots, show_economy
from bot.commands.referee import RefereeCommands
from bot.commands.ships import ShipsCommands
from bot.commands.side_tables import ledger, odds


def add_commands(tree: app_commands.CommandTree[Any]) -> None:
    """Put every command into the tree."""
    for group in (CampaignCommands, OrdersCommands, ShipsCommands, RefereeCommands, QuietCommands):
        tree.add_command(group())
    looks = (show_map, forces, dossier, show_log, odds, ledger, show_economy)
    talks = (letter, letters, offer, diplomacy, hand_on)
    for command in (brief, missions, plots, battle, tracker, *looks, *talks, show_help, show_next, rulings):
        tree.add_command(command)
