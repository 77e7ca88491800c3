"""What authors have: a scenario's maps before anybody plays it, and schemas of its files for their editors."""

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from PIL import Image
from typer.testing import CliRunner, Result

from bot.cli import app
from bot.settings import BUILT_IN
from rules_engine import rulebooks
from tests.expected.kept import cases

SCENARIOS = BUILT_IN / "scenarios"
SHIPPED = sorted(f"{path.parent.parent.name}/{path.parent.name}" for path in SCENARIOS.glob("*/*/scenario.toml"))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def plotroom(*words: str) -> Result:
    return CliRunner().invoke(app, [*words])


def told(result: Result) -> str:
    return " ".join(result.output.split())


@pytest.mark.pictures
@cases("scenario, names", "")
def test_each_sides_map_is_drawn_as_the_scenario_begins(scenario: str, names: set[str]) -> None:
    result = plotroom("map", scenario, "--out", "maps")
    assert result.exit_code == 0, result.output
    drawn = {path.name: path.read_bytes() for path in Path("maps").iterdir()}
    assert set(drawn) == names
    for name in drawn:
        with Image.open(Path("maps") / name) as picture:
            assert f"maps/{name}: {picture.width} x {picture.height}" in result.output
    sides = [drawn[name] for name in names - {"public.png", "referee.png"}]
    assert drawn["public.png"] not in sides


def test_how_many_play_may_be_said_where_a_scenario_leaves_it_open() -> None:
    assert plotroom("map", "cutler/ring", "--out", "three", "--seats", "3").exit_code == 0
    assert {path.name for path in Path("three").glob("seat-*")} == {"seat-1.png", "seat-2.png", "seat-3.png"}
    refused = plotroom("map", "cutler/ring", "--seats", "9")
    assert refused.exit_code != 0
    assert "2 to 7 can play this scenario, not 9." in told(refused)
    assert "this scenario has 2 sides of its own." in told(plotroom("map", "pq17/intro", "--seats", "3"))


def test_a_scenario_that_cannot_be_used_is_told_with_all_its_defects(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = tmp_path / "config" / "scenarios" / "pq17" / "mine"
    shutil.copytree(SCENARIOS / "pq17" / "intro", own)
    text = (own / "scenario.toml").read_text(encoding="utf-8")
    text = text.replace("turns = 8", "turns = 0").replace('class_id = "MCA"', 'class_id = "MCB"', 1)
    (own / "scenario.toml").write_text(text, encoding="utf-8")
    monkeypatch.setenv("PLOTROOM_CONFIG_DIR", str(tmp_path / "config"))
    result = plotroom("map", "pq17/mine")
    assert result.exit_code != 0
    assert "pq17/mine cannot be used: scenario.toml.turns (line 5): " in told(result)
    assert "scenario.toml.unit.0.class_id (line 119): MCB is no unit class" in told(result)
    assert not Path("map-out").exists()
    assert "There is no scenario “pq17/min”." in told(plotroom("map", "pq17/min"))


@pytest.mark.parametrize("book", rulebooks.installed())
def test_what_is_shipped_holds_to_the_schemas_and_a_misspelt_key_does_not(book: str) -> None:
    result = plotroom("schema", book, "--out", "schemas")
    assert result.exit_code == 0, result.output
    checks = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in Path("schemas").iterdir()}
    for name, schema in checks.items():
        Draft202012Validator.check_schema(schema)
        for file in SCENARIOS.glob(f"{book}/*/{name.removesuffix('.schema.json')}.toml"):
            document: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
            assert [*Draft202012Validator(schema).iter_errors(document)] == [], file
            document["tilte"] = ""
            assert [*Draft202012Validator(schema).iter_errors(document)] != [], file
    assert {"scenario.schema.json", "ships.schema.json"} <= set(checks)


def test_a_rulebook_that_is_not_there_is_told_with_the_one_that_was_meant() -> None:
    result = plotroom("schema", "cutlre")
    assert result.exit_code != 0
    assert "there is no rulebook “cutlre”. Did you mean cutler?" in told(result)
