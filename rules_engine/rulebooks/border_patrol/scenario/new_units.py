"""Units as a scenario's entries make them."""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Owner
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, PodCarried, Unit
from rules_engine.rulebooks.border_patrol.scenario.entries import ForcesFile, ScenarioFile, SupplyConvoyEntry, UnitEntry


def new_unit(entry: UnitEntry, kind: BorderClass, team: Owner, hex_id: HexId) -> Unit:
    """An undamaged unit of a class, in its place."""
    return Unit(
        id=entry.id,
        team=team,
        race=entry.race or "",
        name=entry.name,
        ship_class=kind.hull or kind.class_id,
        kind=kind.kind,
        hex=hex_id,
        size_class=kind.size_class,
        movement_cost=kind.move_cost,
        bpv=int(kind.bpv_combat),
        warp_original=kind.warp,
        warp_ok=kind.warp,
        sublight=kind.sublight,
        command_rating=kind.command_rating,
        flagship=entry.flagship,
        crew_quality=entry.crew_quality,
        chief_engineer=entry.chief_engineer,
        helmsman=entry.helmsman,
        orion=entry.orion,
        cloak_cost=kind.cloak_cost,
        special_sensors_original=kind.special_sensors,
        special_sensors_ok=kind.special_sensors,
        tractors_original=kind.tractors,
        tractors_ok=kind.tractors,
        pod_weights=kind.pod_weights,
        most_pods=kind.most_pods,
        pods=[PodCarried(name=pod.name, weight=pod.weight) for pod in entry.pods],
        pseudo_pods=entry.pseudo_pods,
        towing=list(entry.towing),
        dcr_original=kind.dcr,
        dcr=kind.dcr,
    )


def new_units(file: ScenarioFile, forces: ForcesFile, classes: Mapping[str, BorderClass]) -> dict[str, Unit]:
    """All units whose class and place are known, by id; of two with one id the first. What is in tow knows its tower,
    the first that names it."""
    teams: dict[str | None, Owner] = {one.key: one.team for one in file.race}
    hexes: dict[str | None, HexId] = {one.id: one.hex for one in forces.stack}
    made: dict[str, Unit] = {}
    for entry in forces.unit:
        kind = classes.get(entry.class_id)
        hex_id = entry.hex if entry.stack is None else hexes.get(entry.stack)
        if kind is not None and hex_id is not None:
            team = "" if kind.kind in NEUTRALS else teams.get(entry.race, "")
            made.setdefault(entry.id, new_unit(entry, kind, team, hex_id))
    for unit in made.values():
        for towed in towed_by(unit, made):
            towed.towed_by = towed.towed_by or unit.id
    return made


def convoy_ships(file: ScenarioFile, entry: SupplyConvoyEntry, classes: Mapping[str, BorderClass]) -> list[Unit]:
    """The ships of a Team's supply convoys, numbered; until one is met they are nowhere."""
    race = next((one.key for one in file.race if one.team == entry.team), None)
    ships: list[Unit] = []
    for number, class_id in enumerate(entry.class_ids, 1):
        kind = classes[class_id]
        unit = UnitEntry(id=f"convoy-{number}", name=f"{kind.name} {number}"[:40], class_id=class_id, race=race)
        ships.append(new_unit(unit, kind, entry.team, file.map.grid().hexes()[0]))
    return ships


def towed_by(unit: Unit, units: Mapping[str, Unit]) -> Sequence[Unit]:
    """What a unit has in tow, as far as it is known."""
    return [units[key] for key in unit.towing if key in units]
