"""The rulings that players may read: those of the common list that decide here, and our own."""

from rules_engine.rulebooks.jump_lanes.rulings.loads import COMMON_ON_LOADS, OWN_ON_LOADS
from rules_engine.rulebooks.jump_lanes.rulings.moves import COMMON_ON_MOVES, OWN_ON_MOVES

RULINGS = (*COMMON_ON_MOVES, *COMMON_ON_LOADS, *OWN_ON_MOVES, *OWN_ON_LOADS)
