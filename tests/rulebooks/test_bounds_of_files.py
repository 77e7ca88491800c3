"""What each key of a scenario's files may be, and the figures of its units, and what each field of a state may be: as
reviewed, for every book.

Bounds are promised to authors and keep hostile files small, and no scenario that comes with the bot touches one. Those
of a state are what a referee's corrections are held to, and a field that nobody sets holds what play begins with.
"""

from collections.abc import Iterator, Mapping
from typing import Any, cast

import pytest
from pydantic import BaseModel, TypeAdapter

from rules_engine import rulebooks
from rules_engine.rulebooks import border_patrol, cutler, jump_lanes, pq17, vector
from rules_engine.rulebooks.border_patrol.scenario.entries import ForcesFile
from rules_engine.rulebooks.border_patrol.scenario.entries import ScenarioFile as BorderFile
from rules_engine.rulebooks.cutler.ch01_setup.scenario_files import OpenScenarioFile
from rules_engine.rulebooks.cutler.records.scenario_entries import ScenarioFile as CutlerFile
from rules_engine.rulebooks.cutler.records.scenario_entries import UnitsFile
from rules_engine.rulebooks.jump_lanes.scenario.entries import ScenarioFile as LanesFile
from rules_engine.rulebooks.pq17.scenario.entries import ScenarioFile as Pq17File
from rules_engine.rulebooks.vector.scenario.entries import DuelFile
from tests.expected.kept import Kept

READ: Mapping[str, tuple[type[BaseModel], ...]] = {
    "border_patrol": (BorderFile, ForcesFile, border_patrol.RULEBOOK.unit_class),
    "cutler": (CutlerFile, UnitsFile, OpenScenarioFile, cutler.RULEBOOK.unit_class),
    "jump_lanes": (LanesFile, jump_lanes.RULEBOOK.unit_class),
    "pq17": (Pq17File, pq17.RULEBOOK.unit_class),
    "vector": (DuelFile, vector.RULEBOOK.unit_class),
}
"""The models that a book's files are read by, and that of its units' figures."""

SAID = ("type", "enum", "const", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength",
        "maxLength", "minItems", "maxItems", "multipleOf", "default")  # fmt: skip


@pytest.mark.parametrize("book", READ)
def test_keys_have_the_bounds_that_were_reviewed(book: str, kept: Kept) -> None:
    assert [line for model in READ[book] for line in bounds_of(model)] == kept(book)


@pytest.mark.parametrize("book", READ)
def test_fields_of_a_state_have_the_bounds_and_beginnings_that_were_reviewed(book: str, kept: Kept) -> None:
    found = bounds_of(rulebooks.rulebook(book).state_model)
    assert [line for line in found if any(word in line for word in BOUND)] == kept(book)


BOUND = ("default", "minimum", "maximum", "exclusive", "pattern", "Length", "Items")
"""Words of what is more than a type."""


def bounds_of(model: type[Any]) -> Iterator[str]:
    """A line for each key of a model and of those in it: its name, and what it may be."""
    schema = TypeAdapter(model).json_schema()
    parts: dict[str, Any] = {model.__name__: schema, **schema.get("$defs", {})}
    for name, part in sorted(parts.items()):
        needed = set(part.get("required", ()))
        for key, one in sorted(part.get("properties", {}).items()):
            yield f"{name}.{key}{' (needed)' if key in needed else ''}: {_said(one)}"
        if "properties" not in part and name != model.__name__:
            yield f"{name}: {_said(part)}"


def _said(one: Mapping[str, Any]) -> str:
    """What a value may be, in one line; another model by its name."""
    words = [f"{key} {one[key]!r}" for key in SAID if key in one and not (key == "default" and one[key] in ({}, []))]
    if "$ref" in one:
        words.append(str(one["$ref"]).rpartition("/")[2])
    either = [key for key in ("anyOf", "oneOf", "allOf") if key in one]
    words += [" or ".join(f"({_said(choice)})" for choice in one[key]) for key in either]
    for key, word in (("items", "of"), ("additionalProperties", "each"), ("propertyNames", "named")):
        inner = one.get(key)
        if isinstance(inner, Mapping):
            words.append(f"{word} ({_said(cast('Mapping[str, Any]', inner))})")
    words += [f"then ({_said(inner)})" for inner in one.get("prefixItems", ())]
    return ", ".join(words)
