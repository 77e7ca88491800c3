"""Ships brought by special conditions: placed at Kiel at once, or waiting off the map like reinforcements.

PQ-17 C.special; rulings SPC-6, SPC-8, SPC-8b, SPC-12, SPC-17, SPC-21. Ships of the Alliance come on where its
reinforcements do, in the period the condition was rolled for.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.departures import expect
from rules_engine.rulebooks.pq17.ch01_forces.construction import stow_module
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch10_supply.drones import load_reinforcements
from rules_engine.rulebooks.pq17.nations.conditions_in_force import (
    KIEL,
    KIEL_HEX,
    UNRESTRICTED,
    base_called,
    held,
    last_turn_of,
    period_of,
)
from rules_engine.rulebooks.pq17.nations.homes import FEDERATION as FEDERATION_KEY
from rules_engine.rulebooks.pq17.nations.homes import KLINGON as KLINGON_KEY
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit, force_name
from rules_engine.rulebooks.pq17.records.progress import Arrival
from rules_engine.rulebooks.pq17.records.special_conditions import BaseProject, Flotilla, RolledCondition, Shipload
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.special_conditions import RULES, TITLES, ConditionName

FEDERATION, KLINGON = "Federation", "Klingon"
PREFIXES = {FEDERATION: "FED", "Kzinti": "KZI", KLINGON: "KLI"}
"""Prefixes of each empire's own classes in the catalogue; classes that everybody has are without a prefix."""

ALLIANCE_ENTRY = "1719-1721"
"""Where Federation reinforcements come on. PQ-17 C.schedule.note3, ruling SPC-6."""


@dataclass(frozen=True)
class BroughtFleet:
    """Ships by designation, and how many of each."""

    empire: str
    ships: tuple[tuple[str, int], ...]


FLEETS: Mapping[str, BroughtFleet] = {
    "mobile reserves": BroughtFleet(FEDERATION, (("DDF", 3),)),
    "sector reserves": BroughtFleet(FEDERATION, (("DDG", 3),)),
    "coalition convoy": BroughtFleet(KLINGON, (("E4B", 1), ("F-L", 2))),
    "large convoy": BroughtFleet(KLINGON, (("E4B", 2), ("F-L", 3))),
    "prinz keugen": BroughtFleet(KLINGON, (("D7C", 1),)),
    "breakout": BroughtFleet(KLINGON, (("FD7", 3), ("TGB", 1))),
    "flotilla 5": BroughtFleet(KLINGON, (("F5C", 1), ("F5B", 2), ("F5DB", 1))),
    "gearbox": BroughtFleet(FEDERATION, (("TUG", 3), ("F-AL", 1))),
    "wunderland": BroughtFleet(KLINGON, (("TUG", 3), ("F-AL", 1))),
}
"""PQ-17 C.special.*; rulings SPC-8b, SPC-21."""

PODS: tuple[str, ...] = ("MB-POD", "CARGO-POD", "REPAIR-POD")
"""A pair of each travels with GEARBOX's and WUNDERLAND's tugs, one pair a tug. PQ-17 C.special.gearbox."""
MODULE = "POWER-MODULE"
MODULES = 2
"""Modules aboard the F-AL: they take 24 of its cargo boxes, 12 each. PQ-17 C.special.gearbox, ruling BAS-18."""


class NoSuchClass(LookupError):
    """The catalogue has no class of that designation; a scenario with special conditions needs it."""


def class_for(state: State, code: str, empire: str = "") -> ShipClass:
    """The class of a designation: the empire's own, else the general one.

    Raises:
        NoSuchClass: when the catalogue has neither.
    """
    found = find_class(state.classes, code, empire)
    if found is None:
        raise NoSuchClass(f"{code} of {empire or 'any empire'}")
    return found


def find_class(classes: Mapping[str, ShipClass], code: str, empire: str = "") -> ShipClass | None:
    """The class of a designation as in :func:`class_for`, or None."""
    own = f"{PREFIXES.get(empire, empire)}-{code}"
    return classes.get(own) or classes.get(code)


def missing_classes(classes: Mapping[str, ShipClass]) -> list[str]:
    """Designations that special conditions need and the catalogue lacks, ascending: for the scenario's check."""
    wanted = {(code, fleet.empire) for fleet in FLEETS.values() for code, _ in fleet.ships}
    wanted |= {(code, empire) for code in (*PODS, MODULE) for empire in (FEDERATION, KLINGON)}
    return sorted(f"{PREFIXES[empire]}-{code}" for code, empire in wanted if find_class(classes, code, empire) is None)


# --- making units -----------------------------------------------------------------------------------------------------


def make_fleet(state: State, nation: str, fleet: BroughtFleet, tag: str) -> list[Unit]:
    """New units, undamaged and full, filed in the state but in no task force yet."""
    made: list[Unit] = []
    for code, count in fleet.ships:
        made += new_units(state, nation, class_for(state, code, fleet.empire).class_id, count, tags=[tag])
    return made


@rule("10.2.6.7")
def place_at_kiel(turn: TurnContext[State], units: Sequence[Unit], name: str) -> TaskForce:
    """Place new ships in port at Kiel, or just in its hex if the base is gone or captured.

    PQ-17 C.special, 10.2.6.7, ruling SPC-8.
    """
    state = turn.state
    load_reinforcements(turn, COALITION, units)
    base = base_called(state, KIEL)
    if base is None or base.side != COALITION:
        hex_id = KIEL_HEX if base is None else base.hex
        return place_units(state, COALITION, units, hex_id, name=force_name(name))
    return place_units(state, COALITION, units, base.hex, in_port=base.id, name=force_name(name))


@rule("C.schedule.note5", "C.special.sector-reserves", "C.special.gearbox")
def wait_off_map(state: State, units: Sequence[Unit], key: str, name: str) -> None:
    """Let Alliance ships wait like reinforcements of the last period; from now on they enter when their owner likes.

    PQ-17 C.schedule.note5, C.special.sector-reserves, C.special.gearbox; ruling SPC-6.
    """
    everything = [one.id for unit in units for one in (unit, *aboard(state, unit))]
    arrival = Arrival(
        key=key,
        kind="special",
        nation=FEDERATION_KEY,
        name=name,
        units=everything,
        entry=list(spread([ALLIANCE_ENTRY])),
        opens=state.turn,
    )
    expect(state, arrival)


def aboard(state: State, unit: Unit) -> list[Unit]:
    """The pods and modules that a ship carries."""
    return [one for _, one in sorted(state.units.items()) if one.carried_by == unit.id]


# --- what a condition brings ------------------------------------------------------------------------------------------


@rule(
    "C.special.sector-mobile-reserves",
    "C.special.sector-reserves",
    "C.special.flotilla-5",
    "C.special.reinforcements.coalition",
)
def bring_on(turn: TurnContext[State], rolled: RolledCondition) -> None:
    """Bring the ships of a condition as soon as it is rolled, and tell their owner alone.

    PQ-17 C.special.sector-mobile-reserves, C.special.sector-reserves, C.special.flotilla-5,
    C.special.reinforcements.coalition.
    """
    state = turn.state
    key = f"special {rolled.period} {rolled.side}"
    match rolled.name:
        case "mobile reserves" | "sector reserves":
            units = make_fleet(state, FEDERATION_KEY, FLEETS[rolled.name], key)
            wait_off_map(state, units, key, TITLES[rolled.name])
            _tell(turn, ALLIANCE, units, rolled.name, f"wait to come on in {ALLIANCE_ENTRY}")
        case "coalition convoy" | "large convoy":
            _bring_convoy(turn, rolled, key)
        case "reinforcements" if rolled.side == COALITION and len(held(state, COALITION, "reinforcements")) == 1:
            units = make_fleet(state, KLINGON_KEY, FLEETS["prinz keugen"], key)
            units[0].name = "Prinz Keugen"
            units[0].tags = [*units[0].tags, UNRESTRICTED]
            place_at_kiel(turn, units, "")
            _tell(turn, COALITION, units, rolled.name, "has joined at Kiel, under no deployment restriction")
        case "gearbox" | "wunderland":
            _bring_project(turn, rolled, key)
        case "flotilla 5":
            state.special.flotilla = Flotilla(period=rolled.period, ask_on=state.turn)
        case _:
            pass


@rule("C.special.coalition-convoy", "C.special.coalition-convoy-large")
def _bring_convoy(turn: TurnContext[State], rolled: RolledCondition, key: str) -> None:
    """Bring freighters with full cargo and their escort. C.special.coalition-convoy, C.special.coalition-convoy-large.

    Their supplies count when they are delivered or destroyed."""
    state = turn.state
    units = make_fleet(state, KLINGON_KEY, FLEETS[rolled.name], key)
    place_at_kiel(turn, units, "Convoy")
    loads = [
        Shipload(unit=unit.id, period=rolled.period, left=unit.supply)
        for unit in units
        if state.class_of(unit).is_freighter
    ]
    state.special.shiploads = [*state.special.shiploads, *loads]
    _tell(turn, COALITION, units, rolled.name, "have joined at Kiel with full cargo")


@rule("C.special.gearbox", "C.special.wunderland")
def _bring_project(turn: TurnContext[State], rolled: RolledCondition, key: str) -> None:
    """Bring tugs with pods and a freighter with modules; they must leave by the end of the second period.

    PQ-17 C.special.gearbox, C.special.wunderland; rulings GEN-4, SPC-12.
    """
    state = turn.state
    fleet = FLEETS[rolled.name]
    nation = FEDERATION_KEY if rolled.side == ALLIANCE else KLINGON_KEY
    ships = make_fleet(state, nation, fleet, key)
    tugs = [unit for unit in ships if state.class_of(unit).is_tug]
    freighter = next(unit for unit in ships if not state.class_of(unit).is_tug)
    for tug, code in zip(tugs, PODS, strict=True):
        _load(state, nation, tug, BroughtFleet(fleet.empire, ((code, 2),)), key)
    modules = make_fleet(state, nation, BroughtFleet(fleet.empire, ((MODULE, MODULES),)), key)
    freighter.supply = max(0, freighter.supply - sum(state.class_of(one).cargo_size for one in modules))
    for module in modules:
        stow_module(state, freighter, module)
    project = BaseProject(side=rolled.side, name=rolled.name, due=rolled.period + 1, ships=[unit.id for unit in ships])
    state.special.projects = [*state.special.projects, project]
    if rolled.side == ALLIANCE:
        wait_off_map(state, ships, key, TITLES[rolled.name])
        where = f"wait to come on in {ALLIANCE_ENTRY}"
    else:
        everything = [one for unit in ships for one in (unit, *aboard(state, unit))]
        place_at_kiel(turn, everything, TITLES[rolled.name].removeprefix("Operation "))
        where = "have come on at Kiel"
    _tell(turn, rolled.side, ships, rolled.name, f"{where}, with their pods and modules; due by turn {due(project)}")


def _load(state: State, nation: str, carrier: Unit, fleet: BroughtFleet, tag: str) -> None:
    for unit in make_fleet(state, nation, fleet, tag):
        unit.carried_by = carrier.id


def due(project: BaseProject) -> int:
    """The last turn of a base project."""
    return last_turn_of(project.due)


@rule("C.special.breakout")
def bring_on_breakout(turn: TurnContext[State]) -> None:
    """Bring the breakout's own ships when it is carried out; they must leave by the end of the second period.

    PQ-17 C.special.breakout.
    """
    state = turn.state
    period = period_of(state.turn)
    units = make_fleet(state, KLINGON_KEY, FLEETS["breakout"], f"special {period} breakout")
    place_at_kiel(turn, units, "Breakout")
    project = BaseProject(side=COALITION, name="breakout", due=period + 1, ships=[unit.id for unit in units])
    state.special.projects = [*state.special.projects, project]
    _tell(turn, COALITION, units, "breakout", f"have joined at Kiel; they must leave the map by turn {due(project)}")


def _tell(turn: TurnContext[State], side: Side, units: Sequence[Unit], name: ConditionName, ending: str) -> None:
    listed = ", ".join(unit.name for unit in units)
    turn.tell([side], f"{listed} {ending}.", kind="special", why=because(f"PQ-17 {RULES[name]}"))
