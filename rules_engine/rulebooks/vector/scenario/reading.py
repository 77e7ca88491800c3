"""Reading a scenario's files, all defects of all of them at once.

``scenario.toml`` holds the duel, and ``ships.toml`` or ``ships.csv`` the classes, over which a referee may lay
``own_ships.toml`` or ``own_ships.csv``.
"""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.catalogues.layers import CATALOGUE_FILES, read_layers
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.core.scenarios.files import parsed, refusal_of, strange_files
from rules_engine.rulebooks.vector.records.ships import VectorShipClass
from rules_engine.rulebooks.vector.scenario.defects import defects_of
from rules_engine.rulebooks.vector.scenario.entries import SCENARIO, DuelFile, DuelScenario
from rules_engine.rulebooks.vector.scenario.ground_defects import ground_defects

FILES = (SCENARIO, *CATALOGUE_FILES)
STAND_INS: Mapping[str, Any] = {
    "title": "Untitled",
    "under": "Untitled",
    "turns": 100,
    "seats": None,
    "options": {},
    "rules": {},
    "source": "invented",
}
"""What stands in for a key with a defect while the rest is looked at: nothing else of a scenario hangs on these."""


def read_scenario(files: Mapping[str, str]) -> dict[str, Json]:
    """All files as one plain document.

    Raises:
        Refused: with every defect of every file.
    """
    refusals = strange_files(files, FILES)
    file = parsed(files, SCENARIO, DuelFile, refusals, STAND_INS)
    classes, found = read_layers(VectorShipClass, files)
    refusals += found
    if file is not None:
        refusals += defects_of(file, {} if found else classes)
        refusals += ground_defects(file)
    if refusals or file is None:
        raise refusal_of(files, refusals)
    return DuelScenario(file=file, classes=classes).model_dump(mode="json")


def seats(document: Mapping[str, Json]) -> SeatRange | None:
    """How many captains may play; None where the file's play, all of them."""
    found = DuelScenario.model_validate(document).file.seats
    return None if found is None else SeatRange(least=found.least, most=found.most)


def with_seats(document: Mapping[str, Json], count: int) -> dict[str, Json]:
    """The scenario in which so many captains play, the first of the file."""
    return {**document, "playing": count}


def sides_of(document: Mapping[str, Json]) -> tuple[SideLabel, ...]:
    """The captains who play by a scenario without defects."""
    captains = DuelScenario.model_validate(document).captains
    return tuple(SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in captains)
