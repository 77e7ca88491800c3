"""Large worlds: many task forces on a map as large as the campaign's, made from a seed.

Each side keeps to its own half of the map, with known bases in its rear; pairs of enemies share hexes between the
halves. So contacts grow in proportion to the number of task forces, not to its square, and the engine is measured
rather than the crowding.
"""

from random import Random
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.pq17.scenario.entries import SheetSize
from tests.rulebooks.pq17.playing.officers import intro

COLUMNS, ROWS = 22, 17
BETWEEN = range(10, 13)
"""The columns between the halves."""
SHIPS = {
    "alliance": ("MCA", "MCL", "MDD", "MSC", "TFF", "MFT"),
    "coalition": ("OCA", "OCL", "ODD", "OSC", "OFF", "OFT"),
}
BASES = {"alliance": "MBS", "coalition": "OBS"}
EMBLEMS = {"alliance": "A", "coalition": "C"}
FORCES_A_BASE = 12
FORCES_A_MEETING = 6


def grid() -> Grid:
    """The map of a large world."""
    return SheetSize(columns=COLUMNS, rows=ROWS).grid()


def half(side: str) -> list[str]:
    """The hexes where a side keeps: all columns on its side of those in the middle."""
    columns = range(1, BETWEEN[0]) if side == "alliance" else range(BETWEEN[-1] + 1, COLUMNS + 1)
    return [f"{row:02}{column:02}" for row in range(1, ROWS + 1) for column in columns]


def armada(forces: int, ships: int, seed: int = 1, *, turns: int = 30) -> dict[str, Json]:
    """A scenario of ``forces`` task forces of ships, both sides together, with so many ``ships`` in all."""
    chance = Random(seed)
    file: dict[str, Any] = dict(intro()["file"])  # type: ignore[arg-type]  a scenario's document is an object
    file |= {"title": f"{forces} task forces", "turns": turns, "map": {"columns": COLUMNS, "rows": ROWS}}
    file |= {"terrain": [], "settled": [], "task_force": [], "unit": []}
    for side in EMBLEMS:
        _muster(file, side, forces // 2, ships // 2, chance)
    meetings = [f"{row:02}{column:02}" for row in range(1, ROWS + 1) for column in BETWEEN]
    chance.shuffle(meetings)
    for number in range(forces // FORCES_A_MEETING):
        for emblem in EMBLEMS.values():
            force = next(one for one in file["task_force"] if one["id"] == f"{emblem}{number + 1}")
            force |= {"hex": meetings[number % len(meetings)], "in_port": ""}
    return {"file": file, "classes": intro()["classes"]}


def _muster(file: dict[str, Any], side: str, forces: int, ships: int, chance: Random) -> None:
    """A side's bases and task forces, its ships dealt out among them."""
    emblem, places = EMBLEMS[side], half(side)
    for number in range(forces):
        file["task_force"].append({"id": f"{emblem}{number + 1}", "side": side, "hex": chance.choice(places)})
    for number in range(max(ships, forces)):
        kind = chance.choice(SHIPS[side])
        file["unit"].append(_unit(f"{emblem.lower()}-ship-{number}", kind, f"{emblem}{number % forces + 1}"))
    for number in range(forces // FORCES_A_BASE):
        key = f"{emblem}{forces + number + 1}"
        base = {"name": f"Base {key}", "known": True, "conditions": 1}
        file["task_force"].append({"id": key, "side": side, "hex": chance.choice(places), "base": base})
        file["unit"].append(_unit(f"{emblem.lower()}-base-{number}", BASES[side], key))


def _unit(key: str, kind: str, force: str) -> dict[str, Json]:
    return {"id": key, "name": key.title(), "class_id": kind, "task_force": force}
