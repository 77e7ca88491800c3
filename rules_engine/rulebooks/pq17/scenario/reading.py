"""Scenarios: reading and checking their files, and the state before the first turn.

A scenario is ``scenario.toml`` (map, sides, task forces, units, victory) and ``ships.toml`` or ``ships.csv`` (unit
classes), with the referee's own figures in ``own_ships.toml`` or ``own_ships.csv`` laid over them. All defects of all
files are reported at once, each with file and path.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any, Literal

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, OWN, read_layers
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.core.scenarios.files import defaults, parsed, refusal_of, strange_files, wrong_keys
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.pq17.campaign.opening import READY_FILES, read_ready_made, ready_made_defects
from rules_engine.rulebooks.pq17.ch01_forces.base_setup import set_up_campaign
from rules_engine.rulebooks.pq17.ch01_forces.new_units import file_unit, new_unit
from rules_engine.rulebooks.pq17.ch08_combat import missing_types
from rules_engine.rulebooks.pq17.ch11_repair.costs import REPAIR_TABLE, RepairTable, read_repair_table
from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import StandingOrders
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, MapHex, ScenarioSettings, State
from rules_engine.rulebooks.pq17.scenario.campaign_defects import campaign_defects
from rules_engine.rulebooks.pq17.scenario.entries import (
    ForceEntry,
    ScenarioFile,
    SheetSize,
)
from rules_engine.rulebooks.pq17.scenario.minefields import (
    lay_out,
    load_mines,
    minefield_defects,
    most_mines,
)
from rules_engine.rulebooks.pq17.special_conditions.ships_brought import missing_classes
from rules_engine.rulebooks.pq17.tables.order_of_battle import ReadyMade
from rules_engine.rulebooks.pq17.tables.schedule import SCHEDULE, Schedule, read_schedule
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

SCENARIO = "scenario.toml"
FILES = (SCENARIO, SCHEDULE, REPAIR_TABLE, *READY_FILES, *CATALOGUE_FILES)
Classes = Mapping[str, ShipClass]


EMBLEM = re.compile(r"[A-Z]{1,2}")
"""Emblems with which ids of task forces may begin."""


MODELS: Mapping[str, Any] = {
    SCENARIO: ScenarioFile,
    SCHEDULE: Schedule,
    REPAIR_TABLE: RepairTable,
    **dict.fromkeys(READY_FILES, ReadyMade),
}
"""What each file is read as, unit classes apart."""
Look = Callable[[ScenarioFile, Classes], Iterable[Refusal]]
STAND_INS = defaults(
    ScenarioFile,
    title="Untitled",
    turns=999,
    victory_points=Fraction(1),
    map=SheetSize(columns=99, rows=99),
    side=(),
)


class Scenario(Frozen):
    """A validated scenario: all that a campaign begins with."""

    file: ScenarioFile
    classes: dict[str, ShipClass]
    schedule: Schedule = Schedule()
    repair: RepairTable = RepairTable()
    ready_made: dict[Side, ReadyMade] = Field(default_factory=dict[Side, ReadyMade])


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """Validate a scenario given as texts by file name.

    Raises:
        Refused: with all defects of all files.
    """
    refusals = strange_files(files, FILES)
    classes, ship_defects = read_layers(ShipClass, files)
    refusals += ship_defects
    file = parsed(files, SCENARIO, ScenarioFile, refusals, STAND_INS)
    wrong = wrong_keys(refusals, SCENARIO)
    ready_made, ready_defects = read_ready_made(files)
    refusals += ready_defects
    repair, repair_defects = read_repair_table(files)
    refusals += repair_defects
    campaign = None if file is None or "campaign" in wrong else file.campaign
    schedule, schedule_defects = read_schedule(files, campaign)
    refusals += schedule_defects
    if file is not None:
        known = {} if ship_defects else classes
        refusals += [one for needs, find in _LOOKS if not wrong & needs for one in find(file, known)]
    if refusals or file is None:
        raise refusal_of(files, refusals)
    scenario = Scenario(file=file, classes=classes, schedule=schedule, repair=repair, ready_made=ready_made)
    # The referee's own figures change prices; ready-made lines that no longer fit are not filled in.
    if not set(OWN) & set(files) and (unfit := list(ready_made_defects(_state_of(scenario), ready_made))):
        raise refusal_of(files, unfit)
    return scenario.model_dump(mode="json")


def _side_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    where = f"{SCENARIO}.side"
    if sorted(label.key for label in file.side) != [ALLIANCE, COALITION]:
        yield malformed("the sides must be one alliance and one coalition", where)
    if len({label.emblem for label in file.side}) != len(file.side):
        yield malformed("the sides need different emblems", where)
    for index, label in enumerate(file.side):
        if not EMBLEM.fullmatch(label.emblem):
            text = f"{label.emblem} cannot begin the ids of task forces"
            yield malformed(text, f"{where}.{index}.emblem", legal="one or two letters from A to Z")


def _condition_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    rising = list(file.local_conditions)
    if rising != sorted(rising) or rising[-1] != 100 or rising[0] < 1:
        problem = "the highest D100 of each condition must rise to 100"
        yield malformed(problem, f"{SCENARIO}.local_conditions", legal="four numbers, as 11, 59, 78, 100")


def _doctrine_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    keys = [label.key for label in file.side]
    for side, text in sorted(file.doctrine.items()):
        path = f"{SCENARIO}.doctrine.{side}"
        yield from unknown(side, keys, "side", path)
        yield from read_orders(text, path, of_side=True)[1]
        yield from idle_words(text, path, of_side=True)


def _off_map(what: str) -> Look:
    """A look for entries of a list whose hexes are not on the map."""

    def found(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
        grid = file.map.grid()
        for index, entry in enumerate(getattr(file, what)):
            if entry.hex not in grid:
                path = f"{SCENARIO}.{what}.{index}.hex"
                yield malformed(f"{entry.hex} is not on the map", path, legal=f"{grid.hexes()[0]}-{grid.hexes()[-1]}")

    return found


def _twice(what: str, key: Literal["hex", "id"]) -> Look:
    """A look for entries of a list that are given twice."""

    def found(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
        return doubled((getattr(entry, key) for entry in getattr(file, what)), f"{SCENARIO}.{what}")

    return found


def _minefield_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    bases = [entry.hex for entry in file.task_force if entry.base is not None]
    bases += [entry.hex for entry in file.campaign.base if entry.hex is not None]
    planets = [entry.hex for entry in file.terrain if entry.terrain == "planet"]
    allowed = {*bases, *planets, *file.minefield_hexes, *(entry.hex for entry in file.settled)}
    sides, on_map = [label.key for label in file.side], file.map.grid().hexes()
    return minefield_defects(file.minefield, f"{SCENARIO}.minefield", sides=sides, on_map=on_map, allowed=allowed)


def _settled_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    sides = [label.key for label in file.side]
    for index, entry in enumerate(file.settled):
        yield from unknown(entry.side, sides, "side", f"{SCENARIO}.settled.{index}.side")


def _force_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    emblems = {label.key: label.emblem for label in file.side}
    by_id = {entry.id: entry for entry in file.task_force}
    for index, entry in enumerate(file.task_force):
        path = f"{SCENARIO}.task_force.{index}"
        yield from unknown(entry.side, emblems, "side", f"{path}.side")
        emblem = emblems.get(entry.side)
        if emblem is not None and EMBLEM.fullmatch(emblem) and entry.id.rstrip("0123456789") != emblem:
            yield malformed(f"{entry.id} must be {emblem} and a number", f"{path}.id")
        if entry.in_port:
            yield from _port_defects(entry, by_id.get(entry.in_port), f"{path}.in_port")


def _crew_defects(file: ScenarioFile, _: Classes) -> Iterable[Refusal]:
    manned = {unit.task_force for unit in file.unit}
    for index, entry in enumerate(file.task_force):
        if entry.id not in manned:
            yield illegal(f"{entry.id} has no unit", "PQ-17 1.6.1", f"{SCENARIO}.task_force.{index}")


@rule("1.8.9", "5.2.3.5")
def _port_defects(entry: ForceEntry, port: ForceEntry | None, path: str) -> Iterable[Refusal]:
    """What is wrong about a task force that begins in port. PQ-17 1.8.9, 5.2.3.5."""
    if entry.base is not None:
        yield illegal("a base is never in port", "PQ-17 1.8.9", path)
    elif port is None or port.base is None or (port.side, port.hex) != (entry.side, entry.hex):
        yield illegal(f"{entry.in_port} is no friendly base in this hex", "PQ-17 5.2.3.5", path)


def _unit_defects(file: ScenarioFile, classes: Classes) -> Iterable[Refusal]:
    forces = {entry.id: entry for entry in file.task_force}
    for index, entry in enumerate(file.unit):
        path = f"{SCENARIO}.unit.{index}"
        force = forces.get(entry.task_force)
        unit_class = classes.get(entry.class_id)
        yield from unknown(entry.task_force, forces, "task force", f"{path}.task_force")
        if unit_class is None:
            yield from unknown(entry.class_id, classes, "unit class", f"{path}.class_id") if classes else ()
        elif force is not None and unit_class.is_base != (force.base is not None):
            yield illegal("bases and ships never share a task force", "PQ-17 1.6.7.1", f"{path}.task_force")
        if unit_class is not None and entry.mines > most_mines(unit_class):
            legal = f"at most {most_mines(unit_class)}"
            yield illegal("it has no room for so many mines", "PQ-17 12.1.5", f"{path}.mines", legal=legal)


def _table_defects(file: ScenarioFile, classes: Classes) -> Iterable[Refusal]:
    """Classes that the special conditions' and raids' tables name and the catalogue lacks, and local forces that could
    belong to no nation. PQ-17 ruling RAID-9."""
    if file.raid_table and not any(nation.side == ALLIANCE for nation in file.campaign.nation):
        legal = "a [[campaign.nation]] of the Alliance, whose local forces raiders meet"
        yield malformed("the raids' table needs a nation", f"{SCENARIO}.raid_table", legal=legal)
    for key, missing in (("special_tables", missing_classes), ("raid_table", missing_types)):
        for code in missing(classes) if classes and getattr(file, key) else ():
            yield malformed(f"this table needs the class {code}", f"{SCENARIO}.{key}")


def _campaign_defects(file: ScenarioFile, classes: Classes) -> Iterable[Refusal]:
    return campaign_defects(file.campaign, file.map.grid(), file.side, classes)


_OF_MINEFIELDS = frozenset(
    {"map", "side", "terrain", "settled", "task_force", "campaign", "minefield", "minefield_hexes"}
)
_LOOKS: tuple[tuple[frozenset[str], Look], ...] = (
    (frozenset({"side"}), _side_defects),
    (frozenset({"local_conditions"}), _condition_defects),
    *((frozenset({"map", what}), _off_map(what)) for what in ("terrain", "settled", "task_force")),
    *((frozenset({what}), _twice(what, "hex")) for what in ("terrain", "settled")),
    *((frozenset({what}), _twice(what, "id")) for what in ("task_force", "unit")),
    (frozenset({"side", "settled"}), _settled_defects),
    (
        frozenset({"map", "side", "terrain", "settled", "task_force", "campaign", "minefield", "minefield_hexes"}),
        _minefield_defects,
    ),
    (frozenset({"side", "task_force"}), _force_defects),
    (frozenset({"task_force", "unit"}), _crew_defects),
    (frozenset({"task_force", "unit"}), _unit_defects),
    (frozenset({"side", "doctrine"}), _doctrine_defects),
    (
        frozenset({"campaign", "map", "side"}),
        _campaign_defects,
    ),
    (frozenset({"campaign", "raid_table", "special_tables"}), _table_defects),
)
"""What is looked for in a scenario's file, and the keys that must hold no defect of their own for it."""


# --- setting up -------------------------------------------------------------------------------------------------------


def sides_of(scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The sides of a validated scenario."""
    return Scenario.model_validate(scenario).file.side


@rule("1.6.5.5", "1.8.10.1", "6.2.1", "9.4", "C.initiative.start")
def set_up(document: Mapping[str, Json]) -> State:
    """The state before the first turn: all units full of fuel and supply, all unidentified except known bases.

    PQ-17 1.6.5.5, 1.8.10.1, 6.2.1, 9.4, C.initiative.start."""
    return _state_of(Scenario.model_validate(document))


def _state_of(scenario: Scenario) -> State:
    file = scenario.file
    state = State(
        settings=ScenarioSettings(
            title=file.title,
            turns=file.turns,
            victory_points=file.victory_points,
            local_conditions=file.local_conditions,
            flag_empires=file.flag_empires,
            shadowed_is_cumulative=file.shadowed_is_cumulative,
            battle_notes=file.battle_notes,
            repair_costs=scenario.repair.cost,
            repair_source=scenario.repair.source,
            minefield_hexes=file.minefield_hexes,
            special_tables=file.special_tables,
            raid_table=file.raid_table,
            ghost_turns=file.ghost_turns,
            unsettled_battles=file.unsettled_battles,
            campaign=file.campaign,
            schedule=scenario.schedule,
        ),
        sides=file.side,
        grid=file.map.grid(),
        hexes={one.hex: MapHex(terrain=one.terrain, invented=one.source == "invented") for one in file.terrain},
        classes=dict(scenario.classes),  # bases with fittings are classes of the campaign, not of the scenario
        units={},
        task_forces={
            one.id: TaskForce(
                id=one.id,
                side=one.side,
                hex=one.hex,
                name=one.name,
                units=[],
                in_port=one.in_port,
                base=_fresh(one.base),
            )
            for one in file.task_force
        },
        settled={
            one.hex: SettledHex(hex=one.hex, side=one.side, name=one.name, empire=one.empire) for one in file.settled
        },
        tracks={label.key: TrackBook() for label in file.side},
        doctrine={label.key: _first_orders(file, label.key) for label in file.side},
    )
    for entry in file.unit:
        force = state.task_forces[entry.task_force]
        unit = new_unit(scenario.classes[entry.class_id], unit_id=entry.id, name=entry.name, side=force.side)
        file_unit(state, unit)
        load_mines(scenario.classes[entry.class_id], unit, entry.mines)
        state.set_units(force, [*force.units, unit.id])
    _show_known_bases(state)
    lay_out(state, file.minefield)
    set_up_campaign(state)
    state.ready_made = dict(scenario.ready_made)
    return state


@rule("1.8.10", "1.8.10.1")
def _show_known_bases(state: State) -> None:
    """Begin with the bases that the scenario says are known at ID3, and with all others unknown.

    PQ-17 1.8.10, 1.8.10.1.
    """
    for tf in state.all_task_forces():
        if tf.base is not None and tf.base.known:
            tf.id_level = IdLevel.ID3


def _first_orders(file: ScenarioFile, side: Side) -> StandingOrders:
    return StandingOrders(orders=read_orders(file.doctrine.get(side, ""), "", of_side=True)[0])


def _fresh(base: BaseRecord | None) -> BaseRecord | None:
    return None if base is None else base.copied()
