"""The state before the set-up of a tracked battle, by the options that its captains have chosen."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, malformed, nearest
from rules_engine.core.grids.space import Way
from rules_engine.core.tactics.battles import TacticalBattle, TacticalGroundPiece, TacticalShip
from rules_engine.rulebooks.vector.ch2_energy.allocating import allocate, refresh
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import (
    Tactical,
    TacticalOptions,
    TacticalTerrain,
    TerrainKind,
    TowLink,
)
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracked.figures import figures_of, invented_in
from rules_engine.rulebooks.vector.tracked.state import RangeCount, TrackedState, UnitCount

PIECES = (1, 2, 4)
OPTIONS: Mapping[str, str] = {"pieces": "1, 2 or 4", "friction": "yes or no"}
"""The options, and what may be chosen."""

MARKS: Mapping[str, TerrainKind] = {
    "planet": "planet",
    "asteroids": "asteroids",
    "dust": "dust",
    "web": "web",
    "buoy": "buoy",
}
"""The kinds of ground that units enter; of the others, and of what fills the whole sheet, captains are told."""


def begin(battle: TacticalBattle, options: Mapping[str, Json], *, late: bool) -> TrackedState:
    """The state before the set-up; ``late``: before positions are typed in.

    Raises:
        Refused: when an option is none, or has no such value.
    """
    return TrackedState(
        battle=Tactical(
            options=_options(options),
            sides=[*battle.sides],
            terrain=[_terrain(one) for one in battle.ground if one.hexes and one.kind in MARKS],
            allies=[[*force] for force in battle.forces if len(force) > 1],
            tows=tows_of(battle),
            towable=[*battle.towable],
        ),
        forces=[[*force] for force in battle.forces],
        begun="positions" if late else "",
        silent=[*battle.sides] if late else [],
        ranges=[
            RangeCount(one=one[0], other=other[0])
            for number, one in enumerate(battle.forces)
            for other in battle.forces[number + 1 :]
        ],
    )


def tows_of(battle: TacticalBattle) -> list[TowLink]:
    """What is in tow when a battle begins. VM-N68"""
    stays = {ship.code for ship in battle.ships if ship.flight.stays}
    return [
        TowLink(tugs=[*one.tugs], towed=[*one.towed], stand=[code for code in one.towed if code in stays])
        for one in battle.tows
    ]


def _options(given: Mapping[str, Json]) -> TacticalOptions:
    refusals: list[Refusal] = [
        malformed(f"there is no option {key!r}", key, legal=", ".join(OPTIONS), nearest=nearest(key, OPTIONS))
        for key in given
        if key not in OPTIONS
    ]
    pieces, friction = given.get("pieces", 2), given.get("friction", False)
    if isinstance(pieces, bool) or pieces not in PIECES:
        refusals.append(malformed(f"a turn is not plotted in {pieces} pieces", "pieces", legal=OPTIONS["pieces"]))
    if not isinstance(friction, bool):
        refusals.append(malformed("friction is played, or not", "friction", legal=OPTIONS["friction"]))
    if refusals:
        raise Refused(refusals)
    return TacticalOptions.model_validate({"pieces": pieces, "friction": friction})


def _terrain(piece: TacticalGroundPiece) -> TacticalTerrain:
    return TacticalTerrain(id=piece.id, kind=MARKS[piece.kind], name=piece.name, hexes=piece.hexes)


def put_in(state: TrackedState, ship: TacticalShip, at: str, facing: Way, vector: Vector) -> VectorShip:
    """Put a unit on the map, with the points of movement of a whole turn."""
    unit = state.battle.units[ship.code] = VectorShip(
        id=ship.code,
        side=ship.side,
        name=ship.name,
        class_id=ship.kind,
        figures=figures_of(ship.flight),
        at=at,
        facing=facing,
        vector=vector,
        trail=[at],
    )
    tow = state.battle.tow_of(ship.code)
    unit.strained = tow is not None and ship.code in tow.tugs
    refresh(unit)
    allocate(unit)
    if ship.flight.stays and tow is None and ship.code not in state.battle.fixed:
        state.battle.fixed.append(ship.code)
    if made_up := invented_in(ship.flight):
        state.invented[ship.code] = made_up
    state.counts[ship.code] = UnitCount()
    return unit
