"""What a side is shown, and what it can look up."""

from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, roster, side_board
from rules_engine.rulebooks.pq17.shown.briefing import briefing
from rules_engine.rulebooks.pq17.shown.economy import economy
from rules_engine.rulebooks.pq17.shown.odds import odds_between, odds_menu
from rules_engine.rulebooks.pq17.shown.rulings import RULINGS
from rules_engine.rulebooks.pq17.shown.tables_of_side import side_tables

__all__ = [
    "RULINGS",
    "briefing",
    "economy",
    "odds_between",
    "odds_menu",
    "omniscient_board",
    "public_board",
    "roster",
    "side_board",
    "side_tables",
]
