"""Missions of espionage."""

from typing import Literal

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.record import Record
from rules_engine.rulebooks.cutler.records.tables import MissionKind

MissionStatus = Literal["plotted", "succeeded", "failed", "cancelled"]


class Mission(Record):
    """A mission of this turn. ``target`` is a hex, a planet's key or a unit's id, depending on its kind."""

    line: str
    spy: Side
    kind: MissionKind
    against: Side
    target: str
    aimed: Literal["hex", "planet", "unit", "race"]
    said: str
    ip: int
    committed: int = 0
    status: MissionStatus = "plotted"
