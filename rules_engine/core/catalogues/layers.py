"""A scenario's unit classes from two files: those that come with it, and the referee's own laid over them.

A record of the referee's file replaces the whole record of that id; classes that only it names are added. Taking the
file away brings the shipped figures back.
"""

from collections.abc import Mapping
from typing import TypeVar

from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.catalogues.catalogue import UnitClassBase
from rules_engine.core.catalogues.files import Loaded, load_csv, load_toml

M = TypeVar("M", bound=UnitClassBase)

SHIPPED = ("ships.toml", "ships.csv")
OWN = ("own_ships.toml", "own_ships.csv")
CATALOGUE_FILES = (*SHIPPED, *OWN)


def load_classes(model: type[M], text: str, name: str) -> Loaded[M]:
    """The records of a file, by the ending of its ``name``: ``.csv``, else TOML."""
    return load_csv(model, text, name) if name.casefold().endswith(".csv") else load_toml(model, text, name)


def read_layers(model: type[M], files: Mapping[str, str]) -> tuple[dict[str, M], list[Refusal]]:
    """All classes by id, and every defect of the files they come from."""
    classes: dict[str, M] = {}
    refusals: list[Refusal] = []
    for names, needed in ((SHIPPED, True), (OWN, False)):
        present = [name for name in names if name in files]
        if len(present) > 1 or (needed and not present):
            refusals.append(malformed(f"give one of {' and '.join(names)}", names[0]))
        for name in present:
            loaded = load_classes(model, files[name], name)
            refusals += [malformed(str(defect), name) for defect in loaded.defects]
            classes |= {row.class_id: row for row in loaded.rows}
    return classes, refusals
