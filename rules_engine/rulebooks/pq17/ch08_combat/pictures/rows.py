"""A row for each unit of a battle: what damage has left of it, and its figures for the table."""

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.knowledge.battle_scene import BattleFigure, BattleUnit
from rules_engine.core.knowledge.views import track_order
from rules_engine.rulebooks.pq17.ch08_combat.pictures.ranges import Forces, ranges_of
from rules_engine.rulebooks.pq17.ch11_repair.boxes import full_boxes
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

COLUMNS = ("warp", "AWR", "imp", "batt", "tract", "sens", "damcon", "fuel", "range")
_BOXES = (("warp", "warp"), ("AWR", "awr"), ("imp", "impulse"), ("batt", "battery"), ("tract", "tractors"))
_SHORT = {box: name for name, box in _BOXES}


def rank(state: State, battle: Battle, unit: Unit) -> tuple[bool, int, tuple[str, int]]:
    """Bases first, then the largest, then by code."""
    return not state.class_of(unit).is_base, -size_of(state, unit)[1], track_order(battle.name_of(unit.id))


def size_of(state: State, unit: Unit) -> tuple[str, int]:
    """What its size is taken by, warp boxes or, without an engine, AWR, and how many its undamaged record has."""
    found = {box: full_boxes(state, unit, box) or 0 for box in ("warp", "awr")}
    box = "warp" if found["warp"] else "awr"
    return box, found[box]


class BattleTable(NamedTuple):
    """What all rows of a battle have in common: the columns in which any unit has a figure, whether ranges differ, and
    of each side the empires that built its ships and whether its enemies are cloaked."""

    columns: tuple[str, ...]
    ranges_differ: bool
    empires: dict[Side, set[str]]
    cloaks: dict[Side, set[bool]]


def table_of(state: State, battle: Battle, forces: Forces, *, ranges_differ: bool) -> BattleTable:
    """What the rows of a battle have in common."""
    units = {force.side: set[str]() for force in forces.values()}
    enemies = {force.side: set[bool]() for force in forces.values()}
    present: list[Unit] = []
    for force in forces.values():
        own = state.units_of(force)
        present += own
        units[force.side] |= {state.class_of(unit).empire for unit in own}
        enemies[battle.attacker if force.side == battle.defender else battle.defender].add(force.posture.cloak)
    seen = {
        ranges_of(state, unit, force, cloaks=enemies[force.side])
        for force in forces.values()
        for unit in state.units_of(force)
    }
    none = {name for name, box in _BOXES if not any(full_boxes(state, unit, box) for unit in present)}
    none |= {"range"} if len(seen) == 1 else set()
    return BattleTable(tuple(name for name in COLUMNS if name not in none), ranges_differ, units, enemies)


def row_of(state: State, battle: Battle, unit: Unit, force: TaskForce, table: BattleTable) -> BattleUnit:
    """The row of a unit of a force. It says how far those of the Original Defender see where that differs."""
    cells = {name: _boxes(state, unit, box) for name, box in _BOXES}
    kind = state.class_of(unit)
    cells["sens"] = _track(unit.sensor_track, kind.sensor_track)
    cells["damcon"] = _track(unit.damcon_track, kind.damcon_track)
    cells["fuel"] = BattleFigure(says=show_fraction(unit.fuel).partition(" (")[0])
    ranges = ranges_of(state, unit, force, cloaks=table.cloaks[force.side])
    cells["range"] = BattleFigure(says="/".join(map(str, ranges)))
    by_range = table.ranges_differ and force.id in battle.original
    box, whole = size_of(state, unit)
    return BattleUnit(
        code=battle.name_of(unit.id),
        side=force.side,
        kind=_kind(kind, table.empires[force.side]),
        aside=f"range {' or '.join(map(str, ranges))}" if by_range else f"fuel {cells['fuel'].says}",
        left=getattr(unit, box) if whole else None,
        whole=whole or None,
        of=_SHORT[box] if whole else "",
        cells=tuple(cells[name] for name in table.columns),
    )


def _kind(kind: ShipClass, empires: set[str]) -> str:
    """A class's name, without its empire where its side has ships of no other."""
    short = kind.name.removeprefix(kind.empire).strip()
    return f"{short[:1].upper()}{short[1:]}" if len(empires) == 1 and short else kind.name


def _track(left: Sequence[int], full: Sequence[int]) -> BattleFigure:
    shown = sorted(left, reverse=True)
    return BattleFigure(says=",".join(map(str, shown)) or "–", differs=shown != sorted(full, reverse=True))


def _boxes(state: State, unit: Unit, box: str) -> BattleFigure:
    left, full = int(getattr(unit, box)), full_boxes(state, unit, box) or 0
    if not full and not left:
        return BattleFigure(says="–")
    shown = f"{left}/{full}" if box == "warp" or left != full else str(left)
    return BattleFigure(says=shown, differs=left != full)
