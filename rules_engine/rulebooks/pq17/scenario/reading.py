"""Scenarios: reading and checking their files, and the state before the first turn.

A scenario is ``scenario.toml`` (map, sides, task forces, units, victory) and ``ships.toml`` or ``ships.csv`` (unit
classes), with the referee's own figures in ``own_ships.toml`` or ``own_ships.csv`` laid over them. All defects of all
files are reported at once, each with file and path.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from rules_engine.core.basics.base import Frozen, HexId, Json, Side, SideLabel
from rules_engine.core.basics.documents import toml_document
from rules_engine.core.basics.rational import Rational, file_decimal
from rules_engine.core.basics.refusals import Refusal, Refused, from_validation, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, OWN, read_layers
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.rulebooks.pq17.campaign.opening import READY_FILES, read_ready_made, ready_made_defects
from rules_engine.rulebooks.pq17.ch01_forces.base_setup import set_up_campaign
from rules_engine.rulebooks.pq17.ch01_forces.new_units import file_unit, new_unit
from rules_engine.rulebooks.pq17.ch08_combat import missing_types
from rules_engine.rulebooks.pq17.ch11_repair.costs import REPAIR_TABLE, RepairTable, read_repair_table
from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.standing_words import MOST_CHARACTERS, read_orders
from rules_engine.rulebooks.pq17.records.forces import BaseRecord, IdLevel, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import StandingOrders
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, MapHex, ScenarioSettings, State
from rules_engine.rulebooks.pq17.scenario.campaign_defects import campaign_defects
from rules_engine.rulebooks.pq17.scenario.minefields import (
    MinefieldEntry,
    lay_out,
    load_mines,
    minefield_defects,
    most_mines,
)
from rules_engine.rulebooks.pq17.special_conditions.ships_brought import missing_classes
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD
from rules_engine.rulebooks.pq17.tables.order_of_battle import HexNumber, OrderOfBattle, ReadyMade
from rules_engine.rulebooks.pq17.tables.schedule import SCHEDULE, Schedule, read_schedule
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

SCENARIO = "scenario.toml"


class SheetSize(Frozen):
    """How large the map is; its numbering is the book's."""

    columns: Annotated[int, Field(ge=2, le=99)]
    rows: Annotated[int, Field(ge=2, le=99)]
    stagger: Literal["odd", "even"] = "even"
    """The rows that are shifted half a hex to trailing. Ruling MAP-4."""
    elsewhere: Literal["text", "invented"] = "invented"
    """The source for hexes without an entry being open space. Ruling MAP-7."""

    @rule("1.3.1", "C.map")
    def grid(self) -> Grid:
        """Rows straight, counted from the coreward edge; columns counted from the spinward (right) edge.

        PQ-17 1.3.1, C.map, rulings MAP-1 to MAP-5."""
        return Grid(
            columns=self.columns,
            rows=self.rows,
            orientation="pointy",
            numbering="RRCC",
            origin="top-right",
            stagger=self.stagger,
        )


class TerrainEntry(Frozen):
    """A hex that is not empty space, or is known to be."""

    hex: HexNumber
    terrain: Literal["space", "nebula", "planet"]
    source: Literal["text", "invented"] = "invented"
    note: str = ""


class SettledEntry(Frozen):
    """A settled hex. PQ-17 1.7.1."""

    hex: HexNumber
    side: Side
    name: Annotated[str, Field(min_length=1, max_length=40)]
    empire: str = ""
    """Whose local forces raiders meet; one of the raid tables' empires, or none."""
    source: Literal["text", "invented"] = "invented"


class ForceEntry(Frozen):
    """A task force at the start."""

    id: Annotated[str, Field(pattern=r"^[A-Z]{1,2}[1-9]\d{0,2}$")]
    side: Side
    hex: HexNumber
    name: Annotated[str, Field(max_length=24)] = ""
    base: BaseRecord | None = None
    in_port: str = ""


class UnitEntry(Frozen):
    """One unit at the start."""

    id: Annotated[str, Field(pattern=r"^[a-z][a-z0-9-]{0,23}$")]
    name: Annotated[str, Field(min_length=1, max_length=32)]
    class_id: str
    task_force: str
    mines: Annotated[int, Field(ge=0, le=999)] = 0
    """Large mines aboard. PQ-17 12.1.4, 12.1.5."""


class ScenarioFile(Frozen):
    """The content of ``scenario.toml``."""

    title: Annotated[str, Field(min_length=1, max_length=80)]
    turns: Annotated[int, Field(ge=1, le=999)]
    victory_points: Rational
    local_conditions: tuple[int, int, int, int] = (11, 59, 78, 100)
    flag_empires: tuple[str, ...] = ()
    shadowed_is_cumulative: bool = False
    battle_notes: str = ""
    special_tables: Literal["", "pq17"] = ""
    raid_table: Literal["", "pq17"] = ""
    ghost_turns: Annotated[int, Field(ge=1)] = TURNS_A_PERIOD
    """How many turns after its last sighting a lost contact stays on maps and in lists."""
    map: SheetSize
    side: tuple[SideLabel, ...]
    terrain: tuple[TerrainEntry, ...] = ()
    settled: tuple[SettledEntry, ...] = ()
    task_force: tuple[ForceEntry, ...] = ()
    unit: tuple[UnitEntry, ...] = ()
    minefield: tuple[MinefieldEntry, ...] = ()
    minefield_hexes: tuple[HexNumber, ...] = ()
    """Further hexes that may hold minefields. PQ-17 12.1.9."""
    campaign: OrderOfBattle = OrderOfBattle()
    doctrine: dict[Side, Annotated[str, Field(max_length=MOST_CHARACTERS)]] = Field(default_factory=dict[Side, str])
    """The standing orders that a side begins with, as it would write them."""


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
    refusals = _file_names(files)
    classes, ship_defects = read_layers(ShipClass, files)
    refusals += ship_defects
    file, file_defects = _read_file(files.get(SCENARIO))
    refusals += file_defects
    ready_made, ready_defects = read_ready_made(files)
    refusals += ready_defects
    repair, repair_defects = read_repair_table(files.get(REPAIR_TABLE))
    refusals += repair_defects
    schedule = Schedule()
    if file is not None:
        refusals += [*_side_defects(file), *_map_defects(file), *_force_defects(file), *_unit_defects(file, classes)]
        refusals += _doctrine_defects(file)
        refusals += campaign_defects(file.campaign, file.map.grid(), file.side, classes)
        schedule, schedule_defects = read_schedule(files.get(SCHEDULE), file.campaign)
        refusals += schedule_defects
        refusals += _table_defects(file, classes)
    if refusals or file is None:
        raise Refused(refusals)
    scenario = Scenario(file=file, classes=classes, schedule=schedule, repair=repair, ready_made=ready_made)
    # The referee's own figures change prices; ready-made lines that no longer fit are not filled in.
    if not set(OWN) & set(files) and (wrong := list(ready_made_defects(_state_of(scenario), ready_made))):
        raise Refused(wrong)
    return scenario.model_dump(mode="json")


def _file_names(files: Mapping[str, str]) -> list[Refusal]:
    known = (SCENARIO, SCHEDULE, REPAIR_TABLE, *READY_FILES, *CATALOGUE_FILES)
    refusals = [
        malformed("is not a file of a PQ-17 scenario", name, legal=", ".join(known), nearest=nearest(name, known))
        for name in sorted(files)
        if name not in known
    ]
    if SCENARIO not in files:
        refusals.append(malformed("is missing", SCENARIO))
    return refusals


def _read_file(text: str | None) -> tuple[ScenarioFile | None, list[Refusal]]:
    if text is None:
        return None, []
    try:
        document: dict[str, Any] = toml_document(text, SCENARIO, parse_float=file_decimal)
        return ScenarioFile.model_validate(document), []
    except ValidationError as error:
        return None, from_validation(error, SCENARIO)
    except Refused as unfit:
        return None, [*unfit.refusals]
    except (ValueError, RecursionError) as error:
        return None, [malformed(f"is not TOML: {error}", SCENARIO)]


def _side_defects(file: ScenarioFile) -> Iterable[Refusal]:
    where = f"{SCENARIO}.side"
    if sorted(label.key for label in file.side) != [ALLIANCE, COALITION]:
        yield malformed("the sides must be one alliance and one coalition", where)
    if len({label.emblem for label in file.side}) != len(file.side):
        yield malformed("the sides need different emblems", where)
    rising = list(file.local_conditions)
    if rising != sorted(rising) or rising[-1] != 100 or rising[0] < 1:
        yield malformed("must rise to 100: the highest D100 of each condition", f"{SCENARIO}.local_conditions")


def _doctrine_defects(file: ScenarioFile) -> Iterable[Refusal]:
    keys = [label.key for label in file.side]
    for side, text in sorted(file.doctrine.items()):
        path = f"{SCENARIO}.doctrine.{side}"
        if side not in keys:
            yield malformed("there is no such side", path, legal=", ".join(keys))
        yield from read_orders(text, path, of_side=True)[1]
        yield from idle_words(text, path, of_side=True)


def _map_defects(file: ScenarioFile) -> Iterable[Refusal]:
    grid = file.map.grid()
    sides = [label.key for label in file.side]
    places: list[tuple[str, HexId]] = []
    for what, entries in (("terrain", file.terrain), ("settled", file.settled), ("task_force", file.task_force)):
        places += [(f"{SCENARIO}.{what}.{index}", entry.hex) for index, entry in enumerate(entries)]
    for path, hex_id in places:
        if hex_id not in grid:
            yield malformed(f"{hex_id} is not on the map", f"{path}.hex", legal=f"{grid.hexes()[0]}-{grid.hexes()[-1]}")
    yield from _doubled((entry.hex for entry in file.terrain), f"{SCENARIO}.terrain")
    yield from _doubled((entry.hex for entry in file.settled), f"{SCENARIO}.settled")
    bases = [entry.hex for entry in file.task_force if entry.base is not None]
    bases += [entry.hex for entry in file.campaign.base if entry.hex is not None]
    planets = [entry.hex for entry in file.terrain if entry.terrain == "planet"]
    allowed = {*bases, *planets, *file.minefield_hexes, *(entry.hex for entry in file.settled)}
    path = f"{SCENARIO}.minefield"
    yield from minefield_defects(file.minefield, path, sides=sides, on_map=grid.hexes(), allowed=allowed)
    for index, entry in enumerate(file.settled):
        if entry.side not in sides:
            yield malformed("is no side", f"{SCENARIO}.settled.{index}.side", nearest=nearest(entry.side, sides))


def _force_defects(file: ScenarioFile) -> Iterable[Refusal]:
    emblems = {label.key: label.emblem for label in file.side}
    by_id = {entry.id: entry for entry in file.task_force}
    yield from _doubled((entry.id for entry in file.task_force), f"{SCENARIO}.task_force")
    manned = {unit.task_force for unit in file.unit}
    for index, entry in enumerate(file.task_force):
        path = f"{SCENARIO}.task_force.{index}"
        if entry.side not in emblems:
            yield malformed("is no side", f"{path}.side", nearest=nearest(entry.side, emblems))
        elif entry.id.rstrip("0123456789") != emblems[entry.side]:
            yield malformed(f"must be {emblems[entry.side]} and a number", f"{path}.id")
        if entry.id not in manned:
            yield illegal("has no unit", "PQ-17 1.6.1", path)
        if entry.in_port:
            yield from _port_defects(entry, by_id.get(entry.in_port), f"{path}.in_port")


@rule("1.8.9", "5.2.3.5")
def _port_defects(entry: ForceEntry, port: ForceEntry | None, path: str) -> Iterable[Refusal]:
    """What is wrong about a task force that begins in port. PQ-17 1.8.9, 5.2.3.5."""
    if entry.base is not None:
        yield illegal("a base is never in port", "PQ-17 1.8.9", path)
    elif port is None or port.base is None or (port.side, port.hex) != (entry.side, entry.hex):
        yield illegal("is no friendly base in this hex", "PQ-17 5.2.3.5", path)


def _unit_defects(file: ScenarioFile, classes: Mapping[str, ShipClass]) -> Iterable[Refusal]:
    forces = {entry.id: entry for entry in file.task_force}
    yield from _doubled((entry.id for entry in file.unit), f"{SCENARIO}.unit")
    for index, entry in enumerate(file.unit):
        path = f"{SCENARIO}.unit.{index}"
        force = forces.get(entry.task_force)
        unit_class = classes.get(entry.class_id)
        if force is None:
            yield malformed("is no task force", f"{path}.task_force", nearest=nearest(entry.task_force, forces))
        if unit_class is None:
            if classes:
                yield malformed("is no unit class", f"{path}.class_id", nearest=nearest(entry.class_id, classes))
        elif force is not None and unit_class.is_base != (force.base is not None):
            yield illegal("bases and ships never share a task force", "PQ-17 1.6.7.1", f"{path}.task_force")
        if unit_class is not None and entry.mines > most_mines(unit_class):
            legal = f"at most {most_mines(unit_class)}"
            yield illegal("it has no room for so many mines", "PQ-17 12.1.5", f"{path}.mines", legal=legal)


def _table_defects(file: ScenarioFile, classes: Mapping[str, ShipClass]) -> Iterable[Refusal]:
    """Classes that the special conditions' and raids' tables name and the catalogue lacks, and local forces that could
    belong to no nation. PQ-17 ruling RAID-9."""
    if file.raid_table and not any(nation.side == ALLIANCE for nation in file.campaign.nation):
        legal = "a [[campaign.nation]] of the Alliance, whose local forces raiders meet"
        yield malformed("needs a nation", f"{SCENARIO}.raid_table", legal=legal)
    if classes and file.special_tables:
        yield from (
            malformed(f"needs the class {code}", f"{SCENARIO}.special_tables") for code in missing_classes(classes)
        )
    if classes and file.raid_table:
        yield from (malformed(f"needs the class {code}", f"{SCENARIO}.raid_table") for code in missing_types(classes))


def _doubled(ids: Iterable[str], path: str) -> Iterable[Refusal]:
    return [malformed(f"{key} is given {count} times", path) for key, count in Counter(ids).items() if count > 1]


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
