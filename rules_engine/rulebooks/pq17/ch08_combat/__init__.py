"""Chapter 8: from attack to regrouping, and raids."""

from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch08_combat.raid_forces import missing_types

__all__ = ["combat_steps", "missing_types"]
