"""The state before the first turn, as a scenario without defects makes it."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.scenarios.entries import Marked
from rules_engine.rulebooks.vector.records.aims import EDGE, SetUpZone
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.scenario.entries import DuelScenario, TacticalShipEntry, ZoneEntry
from rules_engine.rulebooks.vector.scenario.ground import edge_hexes, hexes_of


def set_up(document: Mapping[str, Json]) -> VectorState:
    """The state before the first turn: the captains who play, and their ships where the scenario puts them."""
    scenario = DuelScenario.model_validate(document)
    file = scenario.file
    captains = {
        one.key: VectorCaptain(
            id=one.key,
            name=one.name,
            emblem=one.emblem,
            aim=one.aim,
            zone=None if one.zone is None else _zone(one.zone),
        )
        for one in scenario.captains
    }
    return VectorState(
        title=file.title,
        under=file.under,
        turns=file.turns,
        rules=file.rules,
        edge=file.edge,
        battle=Tactical(
            options=file.options,
            sides=list(captains),
            units={one.id: _ship(one, scenario) for one in file.ship if one.captain in captains},
            terrain=list(_terrain(scenario)),
            allies=_allies(captains),
        ),
        captains=captains,
        invented=tuple(_invented(scenario)),
    )


def _zone(entry: ZoneEntry) -> SetUpZone:
    return SetUpZone(at=entry.at or "", within=entry.within, speed=entry.speed)


def _ship(entry: TacticalShipEntry, scenario: DuelScenario) -> VectorShip:
    kind = scenario.classes[entry.class_id]
    at = next(one.at for one in (entry, *scenario.file.ship) if one.at and one.id in (entry.id, entry.aboard))
    figures = FlightFigures(**{name: getattr(kind, name) for name in FlightFigures.model_fields})
    return VectorShip(
        id=entry.id,
        side=entry.captain,
        name=entry.name,
        class_id=entry.class_id,
        figures=figures,
        at=at,
        facing=entry.facing,
        vector=Vector(says=entry.vector),
        waits_for=entry.arrives,
        aboard=entry.aboard or "",
        trail=[at],
    )


def _allies(captains: Mapping[str, VectorCaptain]) -> list[list[str]]:
    """In a chase couriers are no enemies of each other, nor are hunters: orders speak of the nearest enemy. VM-N20"""
    forces = [[key for key, one in captains.items() if one.aim == aim] for aim in ("courier", "hunter")]
    return [one for one in forces if len(one) > 1]


def _terrain(scenario: DuelScenario) -> Iterable[TacticalTerrain]:
    file = scenario.file
    for one in file.terrain:
        yield TacticalTerrain(id=one.id, kind=one.kind, name=one.name, hexes=hexes_of(one), number=one.number)
    if file.edge is not None:
        bounds, column = edge_hexes(file.edge), file.edge.column
        yield TacticalTerrain(id=EDGE, kind="line", name="Far edge", hexes=bounds, column=column)


def _invented(scenario: DuelScenario) -> Iterable[str]:
    """The parts whose figures are made up, in the words of the files."""
    file = scenario.file
    parts: dict[str, Marked] = {"scenario": file, "rules": file.rules}
    yield from (name for name, part in parts.items() if part.invented)
    for what, entries in (("ships", file.ship), ("terrain", file.terrain)):
        if any(one.invented for one in entries):
            yield what
    yield from (f"class {key}" for key, kind in sorted(scenario.classes.items()) if kind.invented)
