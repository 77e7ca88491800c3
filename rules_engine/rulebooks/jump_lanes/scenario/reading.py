"""Reading a scenario's files, all defects of all of them at once.

``scenario.toml`` holds the map, the empires and the figures, ``units.toml`` the forces, and ``ships.toml`` or
``ships.csv`` the classes, over which a referee may lay ``own_ships.toml`` or ``own_ships.csv``.
"""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, read_layers
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.core.scenarios.files import parsed, refusal_of, strange_files
from rules_engine.rulebooks.jump_lanes.records.units import LaneUnitClass
from rules_engine.rulebooks.jump_lanes.scenario.empire_defects import empire_defects
from rules_engine.rulebooks.jump_lanes.scenario.entries import (
    SCENARIO,
    UNITS,
    FrontierForces,
    FrontierScenario,
    ScenarioFile,
)
from rules_engine.rulebooks.jump_lanes.scenario.force_defects import force_defects
from rules_engine.rulebooks.jump_lanes.scenario.map_defects import map_defects

FILES = (SCENARIO, UNITS, *CATALOGUE_FILES)
STAND_INS: Mapping[str, Any] = {
    "title": "Untitled",
    "turns": 100,
    "seats": None,
    "unsettled_battles": "all stay",
    "costs": {},
    "classes": {},
    "chances": {},
    "scoring": {},
    "treaty": (),
    "derelict": (),
    "source": "invented",
}
"""What stands in for a key with a defect while the rest is looked at: nothing else of a scenario hangs on these."""


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """All files as one plain document.

    Raises:
        Refused: with every defect of every file.
    """
    refusals = strange_files(files, FILES)
    file = parsed(files, SCENARIO, ScenarioFile, refusals, STAND_INS)
    forces = parsed(files, UNITS, FrontierForces, refusals, {"reinforcement": ()})
    classes, defects = read_layers(LaneUnitClass, files)
    refusals += defects
    if file is not None:
        refusals += map_defects(file)
        refusals += empire_defects(file)
    if file is not None and forces is not None:
        refusals += force_defects(file, forces, {} if defects else classes)
    if refusals or file is None or forces is None:
        raise refusal_of(files, refusals)
    return FrontierScenario(file=file, forces=forces, classes=classes).model_dump(mode="json")


def seats(document: Mapping[str, Json]) -> SeatRange | None:
    """How many empires may play; None where the file's play, all of them."""
    found = FrontierScenario.model_validate(document).file.seats
    return None if found is None else SeatRange(least=found.least, most=found.most)


def with_seats(document: Mapping[str, Json], count: int) -> dict[str, Json]:
    """The scenario in which so many empires play, the first of the file."""
    return {**document, "playing": count}


def sides_of(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The empires that play by a scenario without defects."""
    empires = FrontierScenario.model_validate(document).empires
    return tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in empires)
