"""The rulings that players may read: those of the common list that decide here, and our own."""

from rules_engine.rulebooks.vector.rulings.battles import OWN_ON_BATTLES
from rules_engine.rulebooks.vector.rulings.duels import OWN_ON_DUELS
from rules_engine.rulebooks.vector.rulings.movement import COMMON_ON_MOVEMENT, OWN_ON_MOVEMENT
from rules_engine.rulebooks.vector.rulings.others import COMMON_ON_OTHERS, OWN_ON_OTHERS
from rules_engine.rulebooks.vector.rulings.plotting import OWN_ON_PLOTS

TRACKED_RULINGS = (
    *COMMON_ON_MOVEMENT,
    *COMMON_ON_OTHERS,
    *OWN_ON_MOVEMENT,
    *OWN_ON_OTHERS,
    *OWN_ON_PLOTS,
    *OWN_ON_BATTLES,
)
"""Those that hold where another rulebook's battle is tracked: all but the ones on duels."""

RULINGS = (
    *COMMON_ON_MOVEMENT,
    *COMMON_ON_OTHERS,
    *OWN_ON_MOVEMENT,
    *OWN_ON_OTHERS,
    *OWN_ON_DUELS,
    *OWN_ON_PLOTS,
    *OWN_ON_BATTLES,
)
