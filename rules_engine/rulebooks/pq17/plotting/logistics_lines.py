"""The logistics sheet's lines: for the side, for docking hosts, and for units that give something.

PQ-17 SOP.2.a.iv, 10.3.7.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices, text_field
from rules_engine.rulebooks.pq17.ch10_supply.docking import Yard, can_dock, positions, yards
from rules_engine.rulebooks.pq17.ch10_supply.routine import is_carrier, routine_of
from rules_engine.rulebooks.pq17.ch10_supply.standing_lines import DOCK, stands_field
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_boxes, cargo_free, holdings
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import LEGAL, write_transfers
from rules_engine.rulebooks.pq17.ch11_repair.plan import repair_lines
from rules_engine.rulebooks.pq17.plotting.construction_lines import WorkLine, build_lines
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import (
    GoodsTransfer,
    LogisticsPlan,
    RefuelWish,
    SheetWish,
    SupplyRoutine,
)
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods

SIDE_LINE = "stores"
"""The line for the whole side."""
MOST_TEXT = 4_000
"""The most characters of one unit's transfers."""


class LogisticsLine(WorkLine):
    """A line of the sheet: for the side, a host, a unit to be repaired, a giver, or builders."""

    plan: Literal["as below", "nothing"] | None = None
    sheet: SheetWish | None = None
    refuel: RefuelWish | None = None
    convert: bool | None = None
    lose: bool | None = None
    stands: Literal["yes", "once", "no"] | None = Bounded(default=None, exclude_if=lambda said: said is None)
    ships: tuple[str, ...] | None = None
    give: Annotated[str, Bounded(max_length=MOST_TEXT)] | None = None


class LogisticsSheet(RootModel[dict[str, LogisticsLine]]):
    """A side's logistics plan for a turn."""


NO_LINE = LogisticsLine()


def logistics_form(state: State, side: Side, proposal: LogisticsPlan) -> Form:
    """A line for the side, one for each host, for each unit that could be repaired, and for each that could give."""
    found = yards(state, side)
    docks = [line for yard in found for line in _dock_lines(state, yard, proposal)]
    units = [_unit_line(state, unit, proposal) for unit in givers(state, side, proposal)]
    repairs = repair_lines(state, side, proposal)
    return Form(lines=(_side_line(routine_of(state, side)), *docks, *repairs, *build_lines(state, side), *units))


@rule("10.3.10.1")
def givers(state: State, side: Side, proposal: LogisticsPlan) -> list[Unit]:
    """The units that get a line: all that can be docked, bases and carriers first; and, if the side wants its sheet
    every turn, all that could use supply of their own. PQ-17 10.3.10.1."""
    units = [state.units[one] for one in proposal.units]
    units.sort(key=lambda one: (not state.class_of(one).is_base, not is_carrier(state, one)))
    if routine_of(state, side).sheet == "always":
        own = [one for tf in state.all_task_forces(side) for one in state.units_of(tf) if one.supply or one.fuel_cargo]
        units += [one for one in own if one.id not in proposal.units]
    return units


def _side_line(wish: SupplyRoutine) -> Line:
    says = {"as below": "as the lines below say", "nothing": "nothing is docked, passed on, repaired or built"}
    plan = Field(key="plan", label="This turn", kind="one", choices=choices(**says), value="as below")
    convert = Field(key="convert", label="Ask me at the turn's end what supply becomes", kind="flag", value=False)
    lose = Field(key="lose", label="What finds no room may be lost", kind="flag", value=False)
    return Line(
        key=SIDE_LINE, label="The whole side", fields=(plan, *routine_fields(wish), convert, lose, stands_field(wish))
    )


def routine_fields(wish: SupplyRoutine) -> tuple[Field, Field]:
    """The fields of a side's logistics settings, for this sheet and the planning sheet."""
    when = choices(useful="when there is something to do", always="every turn", never="never: follow the routine")
    sheet = Field(key="sheet", label="Logistics sheet", kind="one", choices=when, value=wish.sheet)
    full = choices(half="at least half full", full="full", never="as they are")
    label = "Ships with supply of their own keep engines"
    refuel = Field(key="refuel", label=label, kind="one", choices=full, value=wish.refuel)
    return sheet, refuel


def wishes_line(state: State, side: Side) -> Line | None:
    """The logistics settings as a line of the planning sheet, for a side that can store supply."""
    units = (unit for tf in state.all_task_forces(side) for unit in state.units_of(tf))
    if not any(cargo_boxes(unit) for unit in units):
        return None
    return Line(key=SIDE_LINE, label="Stores of the whole side", fields=routine_fields(routine_of(state, side)))


def set_wishes(state: State, side: Side, sheet: SheetWish | None, refuel: RefuelWish | None) -> None:
    """Store a side's logistics settings; None leaves a setting as it is."""
    wish = routine_of(state, side)
    wanted = wish.changed(sheet=sheet or wish.sheet, refuel=refuel or wish.refuel, lines={**wish.lines})
    if wanted != wish:
        state.supply_routine[side] = wanted


def say_wishes(state: State, side: Side, sheet: SheetWish | None, refuel: RefuelWish | None) -> Iterator[str]:
    """The logistics settings that a sheet changes, in plain words."""
    wish = routine_of(state, side)
    for field, value, now in zip(routine_fields(wish), (sheet, refuel), (wish.sheet, wish.refuel), strict=True):
        if value is not None and value != now:
            chosen = next(one.label for one in field.choices if one.value == value)
            yield f"{field.label}{'' if field.key == 'refuel' else ':'} {chosen}."


@rule("10.3.7.2")
def _dock_lines(state: State, yard: Yard, proposal: LogisticsPlan) -> Iterable[Line]:
    """Bases, tugs and carriers get a line; any other pair is docked by its transfers. PQ-17 10.3.7.2."""
    ships = [state.units[one] for one in yard.units if can_dock(state, state.units[one])]
    for unit_id in yard.units:
        host = state.units[unit_id]
        kind = state.class_of(host)
        others = [one for one in ships if one.id != unit_id]
        if not others or not (kind.is_base or kind.is_tug or kind.repair or (can_dock(state, host) and host.supply)):
            continue
        group = proposal.group_of(unit_id)
        most = positions(state, host)
        offered = tuple(Choice(one.id, f"{one.name} ({state.class_of(one).label})") for one in others)
        docked: list[Json] = [*group.docked] if group is not None and group.host == unit_id else []
        label, text = f"Docked ships, at most {most}", "Docking positions in this order"
        field = Field("ships", label, "many", offered, value=docked, optional=True, help=text)
        yield Line(key=f"{DOCK}{unit_id}", label=f"Docked to {host.name} ({kind.label})", fields=(field,))


def _unit_line(state: State, unit: Unit, proposal: LogisticsPlan) -> Line:
    own = [one for one in proposal.transfers if one.source == unit.id]
    field = text_field("give", "Gives", MOST_TEXT, _written(own) or None, LEGAL)
    kind = state.class_of(unit)
    return Line(key=unit.id, label=f"{unit.name} ({kind.label}) gives", fields=(field,), note=stores_text(unit))


def _written(transfers: Sequence[GoodsTransfer]) -> str:
    """The transfers as text, cut to the length of a field."""
    taken = list(transfers)
    while len(write_transfers(taken)) > MOST_TEXT:
        taken.pop()
    return write_transfers(taken)


def stores_text(unit: Unit) -> str:
    """What a unit carries, for its owner."""
    parts = [f"fuel {show_fraction(unit.fuel)} of {unit.power_boxes}"] if unit.power_boxes else []
    carried = [(Goods.SUPPLY, unit.supply), (Goods.REPAIR, unit.repair_points)]
    parts += [f"{goods.value} {count}" for goods, count in carried if count]
    parts += [f"fuel in cargo {show_fraction(unit.fuel_cargo)}"] if unit.fuel_cargo else []
    parts += [f"{goods.value} {int(count)}" for goods, count in holdings(unit)]
    free = cargo_free(unit)
    parts += [f"{counted(free, 'cargo box')} free"] if free else []
    return ", ".join(parts)
