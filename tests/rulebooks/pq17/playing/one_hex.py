"""Scenario files, as a host could write them, in which all task forces begin in one hex; and accounts of battles."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

HERE = "0404"

CLASS = """
[[class]]
class_id = "{0}"
name = "{0}"
empire = "Testers"
source = "invented"
msc_table = "Tester {0}"
damcon_track = [2, 2, 0]
bpv_economic = 120
bpv_combat = 100
{1}
"""
KINDS = {
    "CA": """
        move_cost = 1
        warp = 30
        awr = 4
        impulse = 4
        battery = 2
        hull = 12
        [[class.refits]]
        name = "mix"
        year = 165
        bpv = 8
        boxes_added = { battery = 1 }
        boxes_changed = { phaser-2 = "phaser-1", drone-a = "drone-a" }
        shields_changed = [1]""",
    "RS": 'move_cost = "1/2"\nwarp = 8\nimpulse = 2\nrepair = 30\ncargo = 10\nis_warship = false',
    "TG": "move_cost = 1\nwarp = 30\nimpulse = 2\nis_tug = true\npod_slots = 2",
    "RP": 'move_cost = "1/4"\nunit_kind = "pod"\nrepair = 10\ncargo = 4',
    "FRD": 'move_cost = 0\nunit_kind = "base"\nbase_type = "FRD"\nawr = 8\nrepair = 300\ncargo = 50',
    "ML": "move_cost = 1\nwarp = 30\nimpulse = 4\nis_minelayer = true\nmine_capacity = 600\nmine_deploy_large = 600",
    "MS": 'move_cost = "1/2"\nwarp = 15\nimpulse = 2\nis_minesweeper = true',
}
HEAD = """
title = "By orders"
turns = {turns}
victory_points = 1
{more}
[map]
columns = 9
rows = 8
[[side]]
key = "alliance"
name = "Alliance"
emblem = "A"
[[side]]
key = "coalition"
name = "Coalition"
emblem = "C"
"""
COSTS = 'source = "tests"\n[cost]\nwarp = 10\nhull = 1\n'


@dataclass(frozen=True)
class Force:
    """A task force at the start; a base cluster if it has the name of a base. Ships by id and class."""

    id: str
    ships: dict[str, str]
    base: str = ""
    port: str = ""
    mines: int = 0
    """Large mines aboard each of its ships."""

    def lines(self) -> Iterable[str]:
        """Its tables of a scenario file."""
        side = "alliance" if self.id.startswith("A") else "coalition"
        yield f'[[task_force]]\nid = "{self.id}"\nside = "{side}"\nhex = "{HERE}"'
        if self.port:
            yield f'in_port = "{self.port}"'
        if self.base:
            yield f'[task_force.base]\nname = "{self.base}"\nknown = true\nconditions = 1'
        for unit_id, kind in self.ships.items():
            yield f'[[unit]]\nid = "{unit_id}"\nname = "{unit_id.title()}"\nclass_id = "{kind}"'
            yield f'task_force = "{self.id}"\nmines = {self.mines}'


def files(*forces: Force, turns: int, more: str = "", tables: str = "") -> dict[str, str]:
    """The files of a scenario in which all task forces begin in one hex."""
    lines = [line for force in forces for line in force.lines()]
    return {
        "scenario.toml": "\n".join([HEAD.format(turns=turns, more=more), tables, *lines]),
        "ships.toml": "".join(CLASS.format(kind, fields) for kind, fields in KINDS.items()),
        "repair.toml": COSTS,
    }


def won(winner: str, **lines: dict[str, Any]) -> dict[str, Any]:
    """The account of a battle with these units' lines."""
    return {"battle": {"winner": winner, "turns": 3}, **lines}
