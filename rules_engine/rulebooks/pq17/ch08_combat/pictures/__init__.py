"""What pictures of a battle show: what both of its sides read on its sheet, then what an account says of its end."""

from rules_engine.rulebooks.pq17.ch08_combat.pictures.outcome import account_guide
from rules_engine.rulebooks.pq17.ch08_combat.pictures.places import labelled, place_of
from rules_engine.rulebooks.pq17.ch08_combat.pictures.scene import battle_scene, own_units

__all__ = ["account_guide", "battle_scene", "labelled", "own_units", "place_of"]
