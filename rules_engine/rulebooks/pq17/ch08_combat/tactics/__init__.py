"""A battle as the tactical tracker flies it: ships, set-up by 8.5.5.4, and the account filled in by its tally."""

from rules_engine.rulebooks.pq17.ch08_combat.tactics.battle import tactics_of

__all__ = ["tactics_of"]
