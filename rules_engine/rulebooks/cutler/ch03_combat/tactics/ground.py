"""The ground of a battle as a tracker lays it out: what fills the map, and the feature that is fought for. 3.5"""

from collections.abc import Iterator, Sequence
from functools import cache

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.space import Lattice, hex_at, lattice_of
from rules_engine.core.tactics.battles import MIDDLE, TacticalGroundPiece
from rules_engine.rulebooks.cutler.ch03_combat.pictures import Placing
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.combat.terrain import ASTEROIDS, BASE, GIANT, SUN, TerrainFeature
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState

HEART = "middle"
"""The id of the middle hex of a location, by which its edge is known; other pieces have the keys of their features."""
LOCATION_RADIUS = 18
"""Hexes from the middle of a location to its edge: 1,027 hexes in all, as few as a location has. 3.5.2, CU-N155"""
MOST_RADIUS = 17
"""The same of the largest point that is drawn. 3.5.2"""
STARS = ("black_hole", "neutron_star", "white_dwarf", "pulsar")
"""Points whose effects no tracker knows: a marker stands in their hex."""


@cache
def _disc(radius: int) -> tuple[HexId, ...]:
    """All hexes so far from the middle at most."""
    middle = lattice_of(MIDDLE)
    reach = range(-radius, radius + 1)
    gaps = [Lattice(c, d) for c in reach for d in reach]
    return tuple(hex_at(middle.plus(gap)) for gap in gaps if gap.length <= radius)


@rule("3.5.2", "3.5.9", "3.5.10")
def ground_of(state: CutlerState, battle: Battle, placing: Placing) -> tuple[TacticalGroundPiece, ...]:
    """What fills the map, and the feature around which the battle is set up. 3.5.2, 3.5.9, 3.5.10, CU-R68, CU-N155"""
    return (*_everywhere(state, battle, placing), *_pieces(state, battle, placing))


def _everywhere(state: CutlerState, battle: Battle, placing: Placing) -> Iterator[TacticalGroundPiece]:
    terrain = state.terrain.get(battle.hex)
    if terrain in ("nebula", "dust", "heat"):
        yield TacticalGroundPiece(id=terrain, kind=terrain, name=f"the {terrain}")
    if placing.place == "deep":  # asteroids alone: nobody fights within a sun
        yield TacticalGroundPiece(id=ASTEROIDS, kind="asteroids", name=_feature(state, battle).name)


def _pieces(state: CutlerState, battle: Battle, placing: Placing) -> Iterator[TacticalGroundPiece]:
    if placing.place not in ("point", "edge"):
        return
    feature = _feature(state, battle)
    if placing.place == "edge":
        kind = "planet" if feature.key == SUN else "asteroids"
        hexes = tuple(one for one in _disc(LOCATION_RADIUS) if one != MIDDLE)
        yield TacticalGroundPiece(id=feature.key, kind=kind, name=feature.name, hexes=hexes)
        yield TacticalGroundPiece(id=HEART, kind=kind, name=f"the middle of {feature.name}", hexes=_disc(0))
    elif feature.key.startswith(BASE) or feature.key in STARS:
        yield TacticalGroundPiece(id=feature.key, kind="buoy", name=feature.name, hexes=_disc(0))
    else:
        yield TacticalGroundPiece(id=feature.key, kind="planet", name=feature.name, hexes=_disc(_radius(state, battle)))


def _feature(state: CutlerState, battle: Battle) -> TerrainFeature:
    return state.fights[battle.hex].ground.named(battle.feature)


def _radius(state: CutlerState, battle: Battle) -> int:
    """How far a planet reaches from its middle: a gas giant as far as its size says. CU-N155"""
    size = state.systems.get(battle.hex, StarSystem()).gas_giant if battle.feature == GIANT else 0
    return min(size, MOST_RADIUS)


def ground_notes(state: CutlerState, battle: Battle, placing: Placing) -> Sequence[str]:
    """What the map cannot show of the ground, and what of it is made up."""
    if not battle.feature:
        return ()
    feature = _feature(state, battle)
    notes = [feature.says] if feature.says else []
    if placing.place == "edge":
        notes.append(f"The book gives {feature.name} no shape: it is drawn as round, 18 hexes to its edge (invented).")
    if feature.key == GIANT:
        notes.append("The gas giant is drawn as far from its middle as its size says (invented).")
    if feature.key in STARS:
        notes.append(f"A marker stands for {feature.name}: what it does to units is for the players.")
    return notes
