"""What the pictures of a battle show, made from what both of its sides read on its sheet."""

from rules_engine.rulebooks.pq17.ch08_combat.pictures.scene import battle_scene, own_units

__all__ = ["battle_scene", "own_units"]
