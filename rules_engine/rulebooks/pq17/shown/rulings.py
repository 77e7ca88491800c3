"""This package's own rulings, for players to read. NOTES.md tells more."""

from rules_engine.core.protocol.rulebook import RulingNote
from rules_engine.rulebooks.pq17.shown.rulings_book import BOOK_RULINGS
from rules_engine.rulebooks.pq17.shown.rulings_campaign import CAMPAIGN_RULINGS

RULINGS: tuple[RulingNote, ...] = BOOK_RULINGS + CAMPAIGN_RULINGS
