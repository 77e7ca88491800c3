"""The rulings that players may read: those of the common list that decide here, and our own."""

from rules_engine.rulebooks.vector.rulings.duels import OWN_ON_DUELS
from rules_engine.rulebooks.vector.rulings.movement import COMMON_ON_MOVEMENT, OWN_ON_MOVEMENT
from rules_engine.rulebooks.vector.rulings.others import COMMON_ON_OTHERS, OWN_ON_OTHERS
from rules_engine.rulebooks.vector.rulings.plotting import OWN_ON_PLOTS

RULINGS = (*COMMON_ON_MOVEMENT, *COMMON_ON_OTHERS, *OWN_ON_MOVEMENT, *OWN_ON_OTHERS, *OWN_ON_DUELS, *OWN_ON_PLOTS)
