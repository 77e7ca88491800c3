"""Scenario files read and checked; what can never be true of a state."""

from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.scenario.reading import read_scenario, set_up, sides_of

__all__ = ["defects", "read_scenario", "set_up", "sides_of"]
