"""Defects of captains and their ships, and that each has something to reach."""

from collections.abc import Iterator, Mapping

from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.grids.space import hexes_between
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.vector.records.ships import VectorShipClass
from rules_engine.rulebooks.vector.records.state import FLIES
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.scenario.entries import (
    FEWEST,
    MOST_SHIPS,
    SCENARIO,
    DuelFile,
    TacticalCaptainEntry,
    TacticalShipEntry,
)


def defects_of(file: DuelFile, classes: Mapping[str, VectorShipClass]) -> Iterator[Refusal]:
    """Every defect, each with its path; of classes with defects of their own none are given, and none are missed."""
    yield from _captain_defects(file)
    yield from _seat_defects(file)
    yield from _aim_defects(file)
    yield from doubled((one.id for one in file.ship), f"{SCENARIO}.ship.id")
    yield from doubled((one.name.casefold() for one in file.ship), f"{SCENARIO}.ship.name")
    for index, one in enumerate(file.ship):
        yield from _ship_defects(file, one, f"{SCENARIO}.ship.{index}", classes)


def _captain_defects(file: DuelFile) -> Iterator[Refusal]:
    where = f"{SCENARIO}.captain"
    if len(file.captain) < FEWEST:
        yield malformed(f"too few captains: {len(file.captain)}", where, legal=f"{FEWEST} or more")
    yield from doubled((one.key for one in file.captain), where)
    yield from doubled((one.emblem for one in file.captain), f"{where}.emblem")
    yield from doubled((one.name.casefold() for one in file.captain), f"{where}.name")
    for index, one in enumerate(file.captain):
        ships = [ship for ship in file.ship if ship.captain == one.key and ship.aboard is None]
        if not 1 <= len(ships) <= MOST_SHIPS:
            yield malformed(f"{one.name} has {len(ships)} ships", f"{where}.{index}", legal=f"1 to {MOST_SHIPS}")
        if ships and all(ship.arrives > 1 for ship in ships):
            text = f"{one.name} has no ship before turn {min(ship.arrives for ship in ships)}"
            yield malformed(text, f"{where}.{index}", legal="a ship that is there from the beginning")


def _seat_defects(file: DuelFile) -> Iterator[Refusal]:
    if file.seats is not None and not file.seats.least <= file.seats.most <= len(file.captain):
        most, least = len(file.captain), file.seats.least
        text = "more may play than there are captains" if file.seats.most > most else f"fewer than {least} may play"
        legal = f"least and most in rising order, {most} at most, for so many captains are in the file"
        yield malformed(text, f"{SCENARIO}.seats", legal=legal)


def _aim_defects(file: DuelFile) -> Iterator[Refusal]:
    """Aims that do not go together, or that nobody can reach: also where only the fewest play. VM-N20 to VM-N25"""
    where = f"{SCENARIO}.captain"
    fewest = file.captain[: file.seats.least if file.seats else None]
    aims = {one.aim for one in fewest}
    chase, ground = {"courier", "hunter"}, {one.kind for one in file.terrain}
    if file.captain and not (aims == chase or (len(aims) == 1 and not aims & chase)):
        text = f"these aims do not go together: {', '.join(sorted(aims))}"
        legal = "couriers and hunters among the fewest that may play; else all racers, or all squadrons"
        yield illegal(text, "VM-N20", where, legal=legal)
    if any(one.aim not in (chase if aims & chase else aims) for one in file.captain):
        yield illegal("the aims of all captains do not go together", "VM-N20", where, legal="those of the first")
    if "courier" in aims and file.edge is None and "buoy" not in ground:
        legal = "an [edge], or a course of buoys"
        yield illegal("a courier has no way to get away", "VM-N21", where, legal=legal)
    if "racer" in aims and not {"buoy", "line"} <= ground:
        yield illegal("a race needs a course", "VM-N23", f"{SCENARIO}.terrain", legal="buoys and a line")
    for index, one in enumerate(file.captain):
        ships = sum(ship.captain == one.key and ship.aboard is None for ship in file.ship)
        if one.aim == "squadron" and ships == 1:
            yield illegal(f"{one.name} is one ship", "VM-N24", f"{where}.{index}", legal="2 ships or more to gather")


def _ship_defects(
    file: DuelFile, one: TacticalShipEntry, path: str, classes: Mapping[str, VectorShipClass]
) -> Iterator[Refusal]:
    captains = {captain.key: captain for captain in file.captain}
    yield from unknown(one.captain, captains, "captain", f"{path}.captain")
    if classes:
        yield from unknown(one.class_id, classes, "class", f"{path}.class_id")
        kind = classes.get(one.class_id)
        if kind is not None and kind.form not in FLIES and one.aboard is None:
            legal = f"a class of {' or '.join(FLIES)}, or aboard a ship"
            yield malformed(f"{one.class_id} is no ship", f"{path}.class_id", legal=legal)
    yield from _place_defects(file, one, path)
    if one.arrives > file.turns:
        yield malformed(f"arrives after turn {file.turns}, the last", f"{path}.arrives", legal="an earlier turn, or 0")
    captain = captains.get(one.captain)
    if captain is not None:
        if one.id.rstrip("123456789") != captain.emblem:
            text = f"{one.id} is not named after {captain.name}"
            yield malformed(text, f"{path}.id", legal=f"{captain.emblem} and a number, as in {captain.emblem}1")
        yield from _zone_defects(captain, one, path)


def _place_defects(file: DuelFile, one: TacticalShipEntry, path: str) -> Iterator[Refusal]:
    """A unit nowhere, in two places, or aboard what does not carry it."""
    if (one.at is None) == (one.aboard is None):
        yield malformed("a unit is in a hex, or aboard a ship", f"{path}.at", legal="either at or aboard")
    hosts = [ship.id for ship in file.ship if ship.captain == one.captain and ship.aboard is None]
    yield from unknown(one.aboard, hosts, "ship of its captain", f"{path}.aboard")
    if one.aboard is not None and one.arrives:
        yield malformed("it arrives with its ship", f"{path}.arrives", legal="nothing for what is aboard")


def _zone_defects(captain: TacticalCaptainEntry, one: TacticalShipEntry, path: str) -> Iterator[Refusal]:
    """A ship whose place in the file, where it begins if its captain says nothing, is not in its captain's zone."""
    zone = captain.zone
    if zone is None or one.at is None:
        return
    if zone.at is not None and (far := hexes_between(zone.at, one.at)) > zone.within:
        text = f"{one.at} is {far} hexes from {zone.at}"
        yield illegal(text, "VM-N26", f"{path}.at", legal=f"{zone.within} hexes or fewer: the zone of {captain.name}")
    if (speed := Vector(says=one.vector).speed) > zone.speed:
        legal = f"{zone.speed} or less: the zone of {captain.name}"
        yield illegal(f"speed {speed}", "VM-N26", f"{path}.vector", legal=legal)
