"""Costs, limits and intervals that the book prints."""

from collections.abc import Mapping

from rules_engine.rulebooks.vector.records.ships import TurnMode

FORWARD_POINTS = 2
"""Points of warp movement for a hex of acceleration the way the unit faces. CJD1.31"""
REVERSE_POINTS = 4
"""Points of warp movement for a hex the other way. CJD1:312"""
TURN_POINTS = 1
"""Points of warp movement for a turn of 60 degrees. CJD1.41"""

MOST_WARP = 30
"""Points of warp movement that a unit uses in a turn at most. CJD1:313"""
MOST_IMPULSE = 1
"""Points of impulse power that a unit uses for movement in a turn at most. CJD1:313"""

THRUST_INTERVAL = 8
"""Impulses from one acceleration to the next. CJD1.32"""
NIMBLE_THRUST_INTERVAL = 6
"""The same, of nimble units. CJD1.32"""

TURN_INTERVALS: Mapping[TurnMode, int] = {
    "drone": 1,
    "shuttle": 3,
    "AA": 4,
    "A": 5,
    "B": 6,
    "C": 7,
    "D": 8,
    "E": 10,
    "F": 12,
    "G": 14,
    "H": 16,
}
"""Impulses from one turn to the next, by turn mode. CJD1.42-rate-of-turn"""

HET_ENERGY = 5
"""Energy that a high energy turn takes where nothing is said. VM-R21"""

FREE_TURNS_FROM = 6
"""Size classes that turn without paying: this one and smaller units. CJD1.411"""

WEASEL_BEARS = 1
"""The greatest acceleration in one event that does not void a wild weasel. CJD1.51"""

FAST = 32
"""Above this speed terrain counts as met at this speed and does more damage, and friction is greater. CJD1.541"""
FASTER_STEP = 8
"""Hexes of speed above that for each further share. CJD1.541, CJD1.611"""

BREAKDOWN_FACES = 6
"""Faces of the dice of breakdowns, tumbling and ties of tractors."""
