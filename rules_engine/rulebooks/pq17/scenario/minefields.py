"""Minefields and mines in scenario files, and the invariants of minefields.

``[[minefield]]`` entries are announced to everybody (ruling MIN-10); what becomes of them later is not.
"""

from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.names import unknown
from rules_engine.rulebooks.pq17.ch10_supply.stores import put, room
from rules_engine.rulebooks.pq17.contacts.minefields import all_fields
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT, Minefield, PrintedField, field_key
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import HexNumber
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.supply import Goods


class MinefieldEntry(Frozen):
    """A minefield that is there at the start. PQ-17 12.1.3, 12.1.9, C.oob."""

    side: Side
    hex: HexNumber
    strength: Annotated[int, Field(ge=1, le=99)]


@rule("12.1.9")
def minefield_defects(
    entries: Sequence[MinefieldEntry],
    path: str,
    *,
    sides: Collection[Side],
    on_map: Collection[HexId],
    allowed: Collection[HexId],
) -> Iterable[Refusal]:
    """What is wrong with a scenario's minefields: ``allowed`` are the hexes with a base, a planet or a settlement, and
    those that the scenario names. PQ-17 12.1.9."""
    seen: list[str] = []
    for index, entry in enumerate(entries):
        where = f"{path}.{index}"
        yield from unknown(entry.side, sides, "side", f"{where}.side")
        if entry.hex not in on_map:
            yield malformed(f"{entry.hex} is not on the map", f"{where}.hex")
        elif entry.hex not in allowed:
            problem = f"{entry.hex} has neither base, planet nor settlement"
            yield illegal(problem, "PQ-17 12.1.9", f"{where}.hex", legal="name it in minefield_hexes")
        key = field_key(entry.side, entry.hex)
        if key in seen:
            yield illegal("a side has one minefield in a hex", "PQ-17 12.1.9", where)
        seen.append(key)


def lay_out(state: State, entries: Iterable[MinefieldEntry]) -> None:
    """Put a scenario's minefields on the map: announced to all, and not met by anybody yet. Ruling MIN-10."""
    for entry in entries:
        field = Minefield(side=entry.side, hex=entry.hex, strength=entry.strength)
        state.mines.fields[field_key(entry.side, entry.hex)] = field
        state.mines.printed.append(PrintedField(side=entry.side, hex=entry.hex, strength=entry.strength))


@rule("12.1.4", "12.1.5")
def load_mines(kind: ShipClass, unit: Unit, mines: int) -> None:
    """Take large mines aboard at the start: in the racks, and in cargo boxes instead of supply. PQ-17 12.1.4, 12.1.5;
    ruling MIN-15."""
    if not mines:
        return
    while unit.supply and room(kind, unit, Goods.LARGE_MINES) < mines:
        unit.supply -= 1
    put(kind, unit, Goods.LARGE_MINES, Fraction(mines))


def most_mines(kind: ShipClass) -> int:
    """The most large mines that an undamaged ship of the class carries: its racks, and four a cargo box. MIN-15."""
    return kind.mine_capacity + 4 * (kind.cargo + kind.orion_cargo // 2)


def mine_defects(state: State) -> Iterable[str]:
    """What must never be true of minefields."""
    mines = state.mines
    for key in sorted(mines.fields):
        field = mines.fields[key]
        if key != field_key(field.side, field.hex):
            yield f"the minefield of {field.side} in {field.hex} is filed as {key}"
        if field.hex not in state.grid:
            yield f"a minefield lies off the map in {field.hex}"
        if field.level >= 0 and field.known_strength is None:
            yield f"the minefield of {field.side} in {field.hex} is identified without its strength"
    for field in all_fields(state):
        held = state.tracks[state.enemy_of(field.side)].track_of(field_key(field.side, field.hex)) is not None
        if field.level > -2 and not held:
            yield f"the enemy knows the minefield in {field.hex} and has no number for it"
    yield from (f"{mines.loads[key]} mines laid for {key}" for key in mines.loads if mines.loads[key] >= MINES_A_POINT)
