"""Pictures of battles: the set-up at first sight, the details for the table, sheets that have words alone; the end."""

from map_render.battle.cards import render_battle, render_battle_details, render_own_units
from map_render.battle.outcome import render_outcome
from map_render.battle.words import describe_battle

__all__ = ["describe_battle", "render_battle", "render_battle_details", "render_outcome", "render_own_units"]
