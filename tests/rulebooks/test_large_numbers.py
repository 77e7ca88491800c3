"""A number of a billion digits in a scenario's file is refused at once, in every book that comes with a scenario."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.border_patrol.scenario import reading as border_patrol
from rules_engine.rulebooks.cutler import scenario as cutler
from rules_engine.rulebooks.pq17.scenario import reading as pq17

SCENARIOS = Path(__file__).resolve().parents[2] / "config" / "scenarios"
READERS: dict[str, Callable[[Mapping[str, str]], Any]] = {
    "border_patrol": border_patrol.read_scenario,
    "cutler": cutler.read_scenario,
    "pq17": pq17.read_scenario,
}


@pytest.mark.parametrize(("file", "key"), [("scenario.toml", "columns"), ("ships.toml", "size_class")])
@pytest.mark.parametrize("book", READERS)
def test_a_number_of_a_billion_digits_is_refused(book: str, file: str, key: str):
    files = {path.name: path.read_text(encoding="utf-8") for path in (SCENARIOS / book / "intro").glob("*.toml")}
    lines = files[file].split("\n")
    at = next(number for number, line in enumerate(lines) if line.startswith(f"{key} ="))
    lines[at] = f"{key} = 1e999999999"
    with pytest.raises(Refused, match=file):
        READERS[book](files | {file: "\n".join(lines)})
