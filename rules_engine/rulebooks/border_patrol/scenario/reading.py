"""Reading a scenario's files, all defects of all of them at once.

``scenario.toml`` holds the map, the Teams and the figures, ``units.toml`` the forces, and ``ships.toml`` or
``ships.csv`` the classes, over which a referee may lay ``own_ships.toml`` or ``own_ships.csv``.
"""

import tomllib
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from pydantic import ValidationError

from rules_engine.core.basics.base import Frozen, Json, SideLabel
from rules_engine.core.basics.plain_text import without_unfit
from rules_engine.core.basics.rational import file_decimal
from rules_engine.core.basics.refusals import Refusal, Refused, from_validation, malformed, nearest
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, read_layers
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
from rules_engine.rulebooks.border_patrol.scenario.lines import Lines
from rules_engine.rulebooks.border_patrol.scenario.map_defects import map_defects
from rules_engine.rulebooks.border_patrol.scenario.other_defects import (
    convoy_defects,
    habit_defects,
    pod_defects,
    supply_convoy_defects,
)

M = TypeVar("M", bound=Frozen)
FILES = (SCENARIO, UNITS, *CATALOGUE_FILES)
STAND_INS: Mapping[str, Any] = {
    "title": "Untitled",
    "turns": 99,
    "scoring": dict.fromkeys(Scoring.model_fields.keys() - {"source"}, 1),
    "supply": {},
    "zones": {},
    "economy": {},
    "terrain": (),
    "province": (),
    "storm": (),
    "post": (),
}
"""What stands in for a key with a defect while the rest is looked at: nothing else of a scenario hangs on these."""
LONGEST_PATH = 120
LONGEST_PROBLEM = 300
"""Characters of a refusal, which may quote what a file holds."""


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """All files as one plain document.

    Raises:
        Refused: with every defect of every file.
    """
    refusals = [
        malformed("this file is not part of a scenario", name, nearest=nearest(name, FILES))
        for name in sorted(files)
        if name not in FILES
    ]
    file = _parsed(files, SCENARIO, ScenarioFile, refusals, STAND_INS)
    units = _parsed(files, UNITS, ForcesFile, refusals, {"convoy": ()})
    classes, defects = read_layers(BorderClass, files)
    refusals += defects
    refusals += [one for key, kind in classes.items() for one in class_defects(kind, f"ships.{key}")]
    if file is not None:
        refusals += map_defects(file)
    if file is not None and units is not None:
        refusals += _defects_of_forces(file, units, {} if defects else classes)
    if refusals or file is None or units is None:
        lines = Lines(files)
        raise Refused(_clean(one, lines) for one in refusals)
    return BorderScenario(file=file, units=units, classes=classes).model_dump(mode="json")


def _clean(refusal: Refusal, lines: Lines) -> Refusal:
    """A refusal that any screen can show, whatever the files hold, with the line that it is about."""
    path, problem = without_unfit(refusal.path)[:LONGEST_PATH], without_unfit(refusal.problem)
    place = lines.place_of(refusal.path)
    return refusal.with_values(path=f"{path} {place}".strip(), problem=problem[:LONGEST_PROBLEM])


def _defects_of_forces(file: ScenarioFile, units: ForcesFile, classes: Mapping[str, BorderClass]) -> Iterable[Refusal]:
    yield from force_defects(file, units, classes)
    yield from convoy_defects(file, units, classes)
    yield from habit_defects(file, units, classes)
    yield from supply_convoy_defects(file, units, classes)
    yield from pod_defects(file, units)


def _parsed(
    files: Mapping[str, str], name: str, model: type[M], refusals: list[Refusal], stand_ins: Mapping[str, Any]
) -> M | None:
    """A file as its model, with what is wrong with it added to ``refusals``. Others stand in for keys with defects, so
    that the rest can be looked at; None where nothing can."""
    if name not in files:
        refusals.append(malformed("this file is missing", name))
        return None
    document: dict[str, Any] = {}
    try:
        document = tomllib.loads(files[name].removeprefix("\ufeff"), parse_float=file_decimal)
        return model.model_validate(document)
    except ValidationError as error:
        refusals += from_validation(error, name)
        wrong = {str(one["loc"][0]) for one in error.errors(include_context=False)}
        replaced = {key: value for key, value in stand_ins.items() if key in wrong}
        unknown = {key for key in wrong if key not in model.model_fields}
        kept = {key: value for key, value in document.items() if key not in unknown}
        try:
            return model.model_validate({**kept, **replaced})
        except ValidationError:
            return None
    except (ValueError, RecursionError) as error:
        # beside broken syntax: a whole number of thousands of digits, brackets nested a thousand deep
        refusals.append(malformed(f"this is not TOML: {error}", name))
    return None


def sides_of(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The Teams of a scenario without defects."""
    teams = BorderScenario.model_validate(document).file.team
    return tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in teams)
