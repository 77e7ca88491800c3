"""Reading a scenario's files, all defects of all of them at once.

``scenario.toml`` holds the map, the Teams and the figures, ``units.toml`` the forces, and ``ships.toml`` or
``ships.csv`` the classes, over which a referee may lay ``own_ships.toml`` or ``own_ships.csv``.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, read_layers
from rules_engine.core.scenarios.files import parsed, refusal_of, strange_files
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass, class_defects
from rules_engine.rulebooks.border_patrol.records.settings import Scoring
from rules_engine.rulebooks.border_patrol.scenario.entries import (
    SCENARIO,
    UNITS,
    BorderScenario,
    ForcesFile,
    ScenarioFile,
)
from rules_engine.rulebooks.border_patrol.scenario.force_defects import force_defects
from rules_engine.rulebooks.border_patrol.scenario.map_defects import map_defects
from rules_engine.rulebooks.border_patrol.scenario.other_defects import (
    convoy_defects,
    habit_defects,
    pod_defects,
    supply_convoy_defects,
)

FILES = (SCENARIO, UNITS, *CATALOGUE_FILES)
STAND_INS: Mapping[str, Any] = {
    "title": "Untitled",
    "turns": 100,
    "scoring": dict.fromkeys(Scoring.model_fields.keys() - {"source"}, 1),
    "supply": {},
    "zones": {},
    "economy": {},
    "unsettled_battles": "all stay",
    "terrain": (),
    "province": (),
    "storm": (),
    "post": (),
}
"""What stands in for a key with a defect while the rest is looked at: nothing else of a scenario hangs on these."""


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """All files as one plain document.

    Raises:
        Refused: with every defect of every file.
    """
    refusals = strange_files(files, FILES)
    file = parsed(files, SCENARIO, ScenarioFile, refusals, STAND_INS)
    units = parsed(files, UNITS, ForcesFile, refusals, {"convoy": ()})
    classes, defects = read_layers(BorderClass, files)
    refusals += defects
    refusals += [one for key, kind in classes.items() for one in class_defects(kind, f"ships.{key}")]
    if file is not None:
        refusals += map_defects(file)
    if file is not None and units is not None:
        refusals += _defects_of_forces(file, units, {} if defects else classes)
    if refusals or file is None or units is None:
        raise refusal_of(files, refusals)
    return BorderScenario(file=file, units=units, classes=classes).model_dump(mode="json")


def _defects_of_forces(file: ScenarioFile, units: ForcesFile, classes: Mapping[str, BorderClass]) -> Iterable[Refusal]:
    yield from force_defects(file, units, classes)
    yield from convoy_defects(file, units, classes)
    yield from habit_defects(file, units, classes)
    yield from supply_convoy_defects(file, units, classes)
    yield from pod_defects(file, units)


def sides_of(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The Teams of a scenario without defects."""
    teams = BorderScenario.model_validate(document).file.team
    return tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in teams)
