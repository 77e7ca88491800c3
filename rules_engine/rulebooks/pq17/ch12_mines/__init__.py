"""Chapter 12: laying and sweeping minefields, and the attacks they make."""

from rules_engine.rulebooks.pq17.ch12_mines.attacks import minefield_attack_steps, old_mines_steps
from rules_engine.rulebooks.pq17.ch12_mines.removal import minefield_step, resolve_sweeps, wear_minefields
from rules_engine.rulebooks.pq17.ch12_mines.tactical_map import mine_panels

__all__ = [
    "mine_panels",
    "minefield_attack_steps",
    "minefield_step",
    "old_mines_steps",
    "resolve_sweeps",
    "wear_minefields",
]
