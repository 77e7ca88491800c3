"""The rulings that players may read: those of the common list that decide here, and our own."""

from rules_engine.rulebooks.border_patrol.rulings.common import COMMON
from rules_engine.rulebooks.border_patrol.rulings.own import OWN

RULINGS = (*COMMON, *OWN)
