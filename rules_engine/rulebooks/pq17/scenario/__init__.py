"""Scenario files: reading and checking them; and invariants of the state."""

from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.scenario.reading import MODELS, read_scenario, set_up, sides_of

__all__ = ["MODELS", "defects", "read_scenario", "set_up", "sides_of"]
