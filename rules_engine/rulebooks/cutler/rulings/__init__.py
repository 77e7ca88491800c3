"""The rulings that players can read: the package's own, and those on the book's text that reports and refusals name."""

from rules_engine.rulebooks.cutler.rulings.common import COMMON
from rules_engine.rulebooks.cutler.rulings.meetings import MEETINGS
from rules_engine.rulebooks.cutler.rulings.own import OWN
from rules_engine.rulebooks.cutler.rulings.ships import SHIPS

RULINGS = (*OWN, *MEETINGS, *COMMON, *SHIPS)
