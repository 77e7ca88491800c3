"""Defects of ``units.toml``: fleets, squadrons and units at the beginning."""

from collections.abc import Iterator, Mapping

from rules_engine.core.basics.counted import plural
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import pooled_rating, requirement_of
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, LaneUnitClass, Unit, UnitKind
from rules_engine.rulebooks.jump_lanes.scenario.entries import (
    SCENARIO,
    UNITS,
    FrontierForces,
    LaterUnitEntry,
    ScenarioFile,
    UnitEntry,
)
from rules_engine.rulebooks.jump_lanes.scenario.map_defects import places_of
from rules_engine.rulebooks.jump_lanes.scenario.new_units import new_unit
from rules_engine.rulebooks.jump_lanes.tables.loads import unit_requirement

Classes = Mapping[str, LaneUnitClass]
MEMBERS: tuple[UnitKind, ...] = ("starship", "flight")
"""Kinds that are members of squadrons at the beginning; others are cargo, or stand at places."""
NEED_COLONY: tuple[UnitKind, ...] = ("troop", "aircraft", "seacraft", "installation", "facility", "officer")
"""Kinds that stand at own colonies."""


def force_defects(file: ScenarioFile, forces: FrontierForces, classes: Classes) -> Iterator[Refusal]:
    """Every defect, each with its path. Those of units need the classes, and wait until these have none."""
    yield from _group_defects(file, forces)
    entries = [*forces.unit, *(unit for later in forces.reinforcement for unit in later.unit)]
    yield from doubled((one.id for one in entries), f"{UNITS}.unit")
    yield from doubled((one.name.casefold() for one in entries), f"{UNITS}.unit.name")
    if not classes:
        return
    for key, kind in classes.items():
        yield from class_defects(kind, f"ships.{key}")
    for index, entry in enumerate(forces.unit):
        yield from _unit_defects(file, forces, classes, entry, f"{UNITS}.unit.{index}")
    for index, later in enumerate(forces.reinforcement):
        path = f"{UNITS}.reinforcement.{index}"
        colonies = [one.at for one in file.colony if one.empire == later.empire]
        yield from unknown(later.empire, (one.key for one in file.empire), "empire", f"{path}.empire")
        yield from unknown(later.at, colonies, "place with a colony of that empire", f"{path}.at")
        if later.turn > file.turns:
            yield malformed("comes after the last turn", f"{path}.turn", legal=f"1 to {file.turns}")
        for number, entry in enumerate(later.unit):
            at = f"{path}.unit.{number}"
            yield from unknown(entry.class_id, classes, "unit class", f"{at}.class_id")
            yield from _member_defects(classes, entry, at)
            yield from _basing_defects(classes, list(later.unit), entry, at)
    yield from _load_defects(forces, classes)
    yield from _empty_handed(file, forces, classes)


@rule("13.1", "13.3.2.3-officers")
def class_defects(kind: LaneUnitClass, path: str) -> Iterator[Refusal]:
    """What does not fit together in a class: a SIZ of 0 of other units than officers, and propulsion of what stands
    where it is built. 13.1, 13.3.2.3-officers"""
    if kind.kind != "officer" and not kind.siz:
        yield malformed("must be above 0", f"{path}.siz", legal="1 or more")
    propulsion = kind.engines or kind.ftl or kind.intergalactic
    if kind.kind in ("installation", "facility", "officer") and propulsion:
        text = f"an {kind.kind}" if kind.kind != "facility" else "a facility"
        yield illegal(f"{text} does not move by itself", "13.1", path, legal="engines, ftl and intergalactic 0")


def _group_defects(file: ScenarioFile, forces: FrontierForces) -> Iterator[Refusal]:
    emblems = {one.key: one.emblem for one in file.empire}
    fleets = {one.id: one for one in forces.fleet}
    manned = {one.squadron for one in forces.unit}
    yield from doubled((one.id for one in forces.fleet), f"{UNITS}.fleet")
    yield from doubled((one.id for one in forces.squadron), f"{UNITS}.squadron")
    names = [*(one.name.casefold() for one in forces.fleet), *(one.name.casefold() for one in forces.squadron)]
    yield from doubled(names, f"{UNITS}.squadron.name")
    for index, one in enumerate(forces.fleet):
        path = f"{UNITS}.fleet.{index}"
        yield from unknown(one.empire, emblems, "empire", f"{path}.empire")
        if one.empire in emblems and one.id.rstrip("0123456789") != f"{emblems[one.empire]}F":
            yield malformed(f"{one.id} is no fleet of {one.empire}", f"{path}.id", legal=f"{emblems[one.empire]}F1")
        places = {squadron.at for squadron in forces.squadron if squadron.fleet == one.id}
        if len(places) != 1:
            text = f"its squadrons are at {len(places)} places"
            yield malformed(text, path, legal="squadrons that name it, all at one place")
    for index, one in enumerate(forces.squadron):
        path = f"{UNITS}.squadron.{index}"
        yield from unknown(one.empire, emblems, "empire", f"{path}.empire")
        yield from unknown(one.at, places_of(file), "place", f"{path}.at")
        yield from unknown(one.fleet, fleets, "fleet", f"{path}.fleet")
        if one.fleet in fleets and fleets[one.fleet].empire != one.empire:
            yield malformed("the fleet is another empire's", f"{path}.fleet", legal="a fleet of its own empire")
        if one.empire in emblems and one.id.rstrip("0123456789") != emblems[one.empire]:
            yield malformed(f"{one.id} is no squadron of {one.empire}", f"{path}.id", legal=f"{emblems[one.empire]}1")
        if one.id not in manned:
            yield malformed(f"{one.id} has no units", path, legal="a unit that names it")


@rule("13.3.2", "13.3.2.3-ground")
def _unit_defects(
    file: ScenarioFile, forces: FrontierForces, classes: Classes, entry: UnitEntry, path: str
) -> Iterator[Refusal]:
    """A unit of no known class, empire or place, in more places than one, or where its kind cannot be. 13.3.2,
    13.3.2.3-ground"""
    squadrons = {one.id: one for one in forces.squadron}
    yield from unknown(entry.class_id, classes, "unit class", f"{path}.class_id")
    yield from unknown(entry.empire, (one.key for one in file.empire), "empire", f"{path}.empire")
    yield from unknown(entry.squadron, squadrons, "squadron", f"{path}.squadron")
    yield from unknown(entry.aboard, squadrons, "squadron", f"{path}.aboard")
    yield from unknown(entry.at, places_of(file), "place", f"{path}.at")
    if sum(one is not None for one in (entry.squadron, entry.aboard, entry.at)) != 1:
        yield malformed("must be in one place", path, legal="one of squadron, aboard and at")
    group = squadrons.get(entry.squadron or entry.aboard or "")
    if group is not None and group.empire != entry.empire:
        yield malformed(f"{group.id} is another empire's", path, legal="a squadron of its own empire")
    kind = classes.get(entry.class_id)
    if kind is None:
        return
    if entry.squadron is not None:
        yield from _member_defects(classes, entry, path)
    yield from _basing_defects(classes, [one for one in forces.unit if one.squadron == entry.squadron], entry, path)
    if entry.aboard is not None and unit_requirement(kind.kind, kind.siz) is None:
        yield illegal(f"a {kind.kind} is no cargo", "13.3.2", f"{path}.aboard", legal="at, with a place")
    colonies = {(one.at, one.empire) for one in file.colony}
    if entry.at is not None and kind.kind in NEED_COLONY and (entry.at, entry.empire) not in colonies:
        text = f"there is no colony of {entry.empire} at {entry.at}"
        yield illegal(text, "13.3.2.3", f"{path}.at", legal=f"a colony of its empire, for a {kind.kind}")
    if entry.crippled and kind.kind in ("officer", "installation", "facility"):
        yield malformed(f"a {kind.kind} is never crippled", f"{path}.crippled", legal="a unit that fights")


def _member_defects(classes: Classes, entry: UnitEntry | LaterUnitEntry, path: str) -> Iterator[Refusal]:
    kind = classes.get(entry.class_id)
    if kind is not None and kind.kind not in MEMBERS:
        legal = f"{' and '.join(map(plural, MEMBERS))}, or the unit aboard or at a place"
        yield illegal(f"a {kind.kind} does not move with a squadron", "13.1", f"{path}.squadron", legal=legal)


@rule("13.3.3-embarking")
def _basing_defects(
    classes: Classes,
    together: list[UnitEntry] | list[LaterUnitEntry],
    entry: UnitEntry | LaterUnitEntry,
    path: str,
) -> Iterator[Refusal]:
    """A carrier that is not of the squadron, or bases more than it can; flights that cannot move by themselves and are
    based on nothing. 13.3.3-embarking"""
    kind = classes.get(entry.class_id)
    carriers = {one.id: classes[one.class_id] for one in together if one.class_id in classes}
    yield from unknown(entry.based_on, carriers, "unit of its squadron", f"{path}.based_on")
    if kind is None:
        return
    is_member = isinstance(entry, LaterUnitEntry) or entry.squadron is not None
    if entry.based_on is None:
        if kind.kind == "flight" and is_member and not kind.ftl:
            text = "a flight without FTL equipment is based on a carrier"
            yield illegal(text, "13.3.3", f"{path}.based_on", legal="a carrier of its squadron")
        return
    if kind.kind != "flight":
        yield illegal(f"a {kind.kind} is not based on others", "13.3.3", f"{path}.based_on", legal="flights")
    carrier = carriers.get(entry.based_on)
    if carrier is None:
        return
    sizes = [
        classes[one.class_id].siz for one in together if one.based_on == entry.based_on and one.class_id in classes
    ]
    if sum(sizes) > carrier.basing:
        text = f"flights of {sum(sizes)} are based on {entry.based_on}"
        yield illegal(text, "13.3.3", f"{path}.based_on", legal=f"at most {carrier.basing}")


@rule("13.3.1")
def _load_defects(forces: FrontierForces, classes: Classes) -> Iterator[Refusal]:
    """A squadron that begins with more cargo than it can carry. 13.3.1"""
    for index, squadron in enumerate(forces.squadron):
        known = [one for one in forces.unit if one.class_id in classes]
        members = [_made(one, classes) for one in known if one.squadron == squadron.id]
        carried = [_made(one, classes) for one in known if one.aboard == squadron.id]
        load = requirement_of(carried, [HoldLot(kind="census", amount=squadron.census)])
        rating = pooled_rating(members)
        if load > rating:
            text = f"{squadron.name} carries {show_fraction(load)}"
            yield illegal(text, "13.3.1", f"{UNITS}.squadron.{index}", legal=f"at most {rating}")


def _made(entry: UnitEntry, classes: Classes) -> Unit:
    return new_unit(entry, classes[entry.class_id], entry.empire)


def _empty_handed(file: ScenarioFile, forces: FrontierForces, classes: Classes) -> Iterator[Refusal]:
    """An empire that has nothing that leaves a system, also not later."""
    for index, empire in enumerate(file.empire):
        own = [one.class_id for one in forces.unit if one.empire == empire.key and one.squadron is not None]
        own += [one.class_id for later in forces.reinforcement if later.empire == empire.key for one in later.unit]
        if not any(key in classes and classes[key].ftl for key in own):
            text = f"{empire.name} has nothing that crosses lanes between systems"
            yield malformed(text, f"{SCENARIO}.empire.{index}", legal="a unit with FTL equipment in a squadron")
