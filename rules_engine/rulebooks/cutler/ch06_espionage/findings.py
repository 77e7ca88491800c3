"""What a successful mission found, in the words in which its spy was told: written here, and read back from them.

Spies' findings are kept where a race keeps all that it was told, so that maps and dossiers know them without any record
of the truth.
"""

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side, SideLabel
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import HexNote
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission
from rules_engine.rulebooks.cutler.records.tables import MISSION_NAMES, MissionKind

_HEX = re.compile(r"hex (\d{4})")
_PLACE = re.compile(r"(?:the planet )?(.+?) in (\d{4})")
_TURN = re.compile(r"Turn (\d{1,4}): ")


class Finding(NamedTuple):
    """What a mission found: of which race, of what (``said``), where (empty: nowhere on the map), and in words."""

    kind: MissionKind
    against: Side
    said: str
    hex: HexId
    found: str
    turn: int = 0

    @property
    def subject(self) -> str:
        """What it is of, as dossiers file it."""
        place = _PLACE.fullmatch(self.said)
        if place is not None:
            return f"{place[1]} in {place[2]}"
        return self.said.removeprefix("the ship ")


@rule("6.4.1")
def heading_of(state: CutlerState, mission: Mission) -> str:
    """The mission that found something, before what it found. 6.4.1"""
    return f"{MISSION_NAMES[mission.kind]}, {state.name_of(mission.against)}, {mission.said}"


def read_finding(text: str, sides: Iterable[SideLabel], places: Iterable[HexNote]) -> Finding | None:
    """The finding that a report tells; None if it is none. ``places`` are those whose names the reader knows: names are
    typed by players, and none may be taken for another place."""
    for kind, name in MISSION_NAMES.items():
        for label in sides:
            before = f"{name}, {label.name}, "
            if text.startswith(before):
                return _aimed(kind, label, text.removeprefix(before), places)
    return None


def _aimed(kind: MissionKind, label: SideLabel, rest: str, places: Iterable[HexNote]) -> Finding | None:
    for note in places:
        known = f"the planet {note.name} in {note.hex}"
        if note.name and rest.startswith(f"{known}: "):
            return Finding(kind, label.key, known, note.hex, rest.removeprefix(f"{known}: "))
    said, gap, found = rest.partition(": ")
    if not gap:
        return None
    if (at := _HEX.fullmatch(said)) is not None:
        return Finding(kind, label.key, said, at[1], found)
    place = None if said.startswith("the ship ") else _PLACE.fullmatch(said)
    return Finding(kind, label.key, said, "" if place is None else place[2], found)


def findings_in(file: Iterable[str], sides: Iterable[SideLabel], places: Iterable[HexNote]) -> list[Finding]:
    """The findings in a race's intelligence file, oldest first, each with its turn."""
    sides, places = [*sides], [*places]
    found: list[Finding] = []
    for line in file:
        begins = _TURN.match(line)
        finding = read_finding(line[begins.end() :], sides, places) if begins else None
        if begins is not None and finding is not None:
            found.append(finding._replace(turn=int(begins[1])))
    return found


LATEST_TURNS = 3
"""Turns after which what a mission found in a hex is no longer marked on the map; the dossier keeps it."""


def spied_on(findings: Iterable[Finding], turn: int) -> Mapping[HexId, int]:
    """The hexes in which missions of late found something, with the turns that have passed since the last did."""
    ages: dict[HexId, int] = {}
    for one in findings:
        age = turn - one.turn
        if one.hex and 0 <= age <= LATEST_TURNS:
            ages[one.hex] = min(age, ages.get(one.hex, age))
    return ages
