"""Catalogues: read whole from TOML and CSV or refused with every defect, written back, merged, looked up."""

from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from rules_engine.core.basics import base, canonical_json, rational
from rules_engine.core.catalogues.catalogue import Catalogue, UnitClassBase, UnknownClass
from rules_engine.core.catalogues.columns import columns
from rules_engine.core.catalogues.files import Defect, load_csv, load_toml, template_csv, write_csv
from tests.expected.kept import Kept, cases


class Hull(StrEnum):
    CRUISER = "cruiser"
    ESCORT = "escort"


class Sensors(base.Frozen):
    special: int = 0
    track: tuple[int, ...] = (6, 5, 3)


class Refit(base.Frozen):
    year: int


class Ship(UnitClassBase):
    move_cost: rational.Rational
    hull: Hull = Hull.CRUISER
    size_class: Literal[2, 3, 4] = 3
    crew: Annotated[int, Field(ge=10)] = 40
    cloak: bool = False
    ratio: float = 0.5
    sensors: Sensors = Sensors()
    boxes: dict[str, int] = Field(default_factory=dict[str, int])
    notes: tuple[str, ...] = ()
    tow: rational.Rational | None = None
    refits: tuple[Refit, ...] = ()


BASE = {"name": "Ship", "empire": "Kzinti", "source": "book p. 3"}


def ship(class_id: str, **values: object) -> Ship:
    return Ship.model_validate({"class_id": class_id, "move_cost": "1", **BASE, **values})


TOML = '''
# Test classes. [[class]] in a comment is no class.
[[class]]
class_id = "CC"
name = """Strike
[[class]] cruiser"""
empire = "Kzinti"
source = "SSD"
move_cost = 0.1
hull = "cruiser"
sensors = { special = 2, track = [6, 6, 5] }

  [[class]]   # the second
class_id = "FF"
name = "Frigate"
empire = "Kzinti"
source = "invented"
move_cost = "1/3"
tow = "1 1/2"
[class.boxes]
warp = 10
[[class.refits]]
year = 175
'''

CSV = """\
class_id,name,empire,source,move_cost,size_class,sensors.special,sensors.track,boxes,notes,cloak
CC,"Cruiser, strike",Kzinti,SSD,1,2,2,6; 6;5,warp=10; impulse=2,"says ""go""; twice",yes

FF,Frigate,Kzinti,invented: to fill a gap, 1/3 ,4,,,,,
"""


# --- reading ---------------------------------------------------------------------------------------------------------
def test_toml_is_read_exactly() -> None:
    first, second = load_toml(Ship, TOML, "ships.toml").rows
    assert (first.class_id, first.name) == ("CC", "Strike\n[[class]] cruiser")
    assert first.move_cost == Fraction(1, 10)  # not the binary number nearest to it
    assert first.sensors == Sensors(special=2, track=(6, 6, 5))
    assert (second.move_cost, second.tow) == (Fraction(1, 3), Fraction(3, 2))
    assert (second.boxes, second.refits) == ({"warp": 10}, (Refit(year=175),))
    assert (first.invented, second.invented) == (False, True)


def test_csv_is_read_with_lists_mappings_nested_fields_and_defaults() -> None:
    first, second = load_csv(Ship, CSV, "ships.csv").rows
    assert first == ship(
        "CC", name="Cruiser, strike", source="SSD", size_class=2, sensors={"special": 2, "track": [6, 6, 5]},
        boxes={"warp": 10, "impulse": 2}, notes=['says "go"', "twice"], cloak=True,
    )  # fmt: skip
    assert second == ship("FF", name="Frigate", source="invented: to fill a gap", move_cost="1/3", size_class=4)
    assert second.invented


def test_what_spreadsheets_do_to_csv_is_no_defect() -> None:
    assert load_csv(Ship, "\ufeff" + CSV.replace("\n", "\r\n"), "ships.csv") == load_csv(Ship, CSV, "ships.csv")
    assert load_toml(Ship, "\ufeff" + TOML.replace("\n", "\r\n"), "t").rows == load_toml(Ship, TOML, "t").rows


# --- defects ---------------------------------------------------------------------------------------------------------
def test_every_defect_of_a_toml_text_is_told_with_the_line_of_its_class() -> None:
    text = """\
title = "x"
[[class]]
class_id = "CC"
name = "Cruiser"
empire = "Kzinti"
source = "s"
move_csot = "1"
size_class = 7
[class.sensors]
speical = 1

[[class]]
class_id = "cc"
name = "Other"
empire = ""
source = "s"
move_cost = "1/0"
crew = 9
"""
    loaded = load_toml(Ship, text, "ships.toml")
    assert loaded.rows == ()
    assert [(defect.line, defect.path) for defect in loaded.defects] == [
        (None, "title"), (2, "CC.move_cost"), (2, "CC.size_class"), (2, "CC.sensors.speical"), (2, "CC.move_csot"),
        (12, "cc.empire"), (12, "cc.move_cost"), (12, "cc.crew"), (12, "cc.class_id"),
    ]  # fmt: skip
    by_path = {defect.path: defect for defect in loaded.defects}
    assert by_path["title"].hint == "records are tables [[class]]"
    assert by_path["CC.move_csot"].hint.startswith("did you mean move_cost")
    assert by_path["CC.sensors.speical"].hint.startswith("did you mean sensors.special")
    assert by_path["CC.move_cost"] == Defect(2, "CC.move_cost", "is missing", "for example 2/3")
    assert by_path["cc.move_cost"].problem == "'1/0' divides by nought"
    assert by_path["cc.crew"].problem == "Input should be greater than or equal to 10, not '9'"
    assert by_path["cc.class_id"].problem == "is already taken by line 2"
    assert loaded.rows == ()
    assert str(by_path["CC.move_cost"]) == "line 2: CC.move_cost: is missing (for example 2/3)"


def test_every_defect_of_a_csv_text_is_told_with_its_line(kept: Kept) -> None:
    text = """\
class_id,name,source,move_cost,seize_class,crew,crew,boxes,,refits,sensors
CC,Cruiser,s,one,,,,warp,,,
FF,Frigate,s,1
CC,Cruiser,s,1,,ten,,a=1;a=2,,,
,Nameless,s,1,,,,,,,
"""
    loaded = load_csv(Ship, text, "ships.csv")
    assert loaded.rows == ()
    assert [(defect.line, defect.path, defect.problem) for defect in loaded.defects] == kept()
    assert loaded.defects[0].hint.startswith("did you mean size_class")
    assert loaded.defects[3].hint == "only TOML can hold it, or name its fields"
    assert loaded.defects[5].hint == "for example Testers"


def test_the_line_of_a_record_counts_line_breaks_inside_cells() -> None:
    text = 'class_id,name,empire,source,move_cost\nA,"two\nlines",e,s,1\nB,b,e,s,x\n'
    assert [defect.line for defect in load_csv(Ship, text, "t").defects] == [4]


@cases("text, line, problem", "line", made="text")
def test_broken_toml(text: str, line: int | None, problem: str) -> None:
    (defect,) = load_toml(Ship, text, "t").defects
    assert defect.line == line
    assert defect.problem.startswith(problem)


@cases("text, line, problem")
def test_broken_csv(text: str, line: int | None, problem: str) -> None:
    first = load_csv(Ship, text, "t").defects[0]
    assert first.line == line
    assert first.problem.startswith(problem)


def test_a_header_without_records_is_refused() -> None:
    header = template_csv(Ship).partition("\n")[0]
    assert [defect.problem for defect in load_csv(Ship, header, "t").defects] == ["holds no record"]


def test_records_may_stand_under_another_table_name() -> None:
    text = TOML.replace("[[class]]", "[[ 'base' ]]").replace("[class.", "[base.").replace("[[class.", "[[base.")
    assert load_toml(Ship, text.replace("move_cost = 0.1", "move_cost = 'x'"), "t", table="base").defects == (
        Defect(3, "CC.move_cost", "'x' is not a number such as 2, 2/3, 1 1/2 or 0.5"),
    )
    (defect, *_) = load_toml(Ship, "[[clas]]\n", "t").defects
    assert defect == Defect(None, "clas", "is not known here", "did you mean class?")


# --- columns and templates -------------------------------------------------------------------------------------------
def test_the_columns_of_a_model() -> None:
    assert [column.path for column in columns(Ship)] == [
        "class_id", "name", "empire", "source", "move_cost", "hull", "size_class", "crew", "cloak", "ratio",
        "sensors.special", "sensors.track", "boxes", "notes", "tow",
    ]  # fmt: skip
    assert [column.path for column in columns(Ship) if column.required] == [
        "class_id", "name", "empire", "source", "move_cost",
    ]  # fmt: skip


def test_the_template_is_a_header_and_one_record_that_loads() -> None:
    text = template_csv(Ship)
    assert text.splitlines() == [
        "class_id,name,empire,source,move_cost,hull,size_class,crew,cloak,ratio,"
        "sensors.special,sensors.track,boxes,notes,tow",
        "T-CA,Test cruiser,Testers,invented,2/3,cruiser,3,40,false,0.5,0,6; 5; 3,text=1,text,2/3",
    ]
    (example,) = load_csv(Ship, text, "template").rows
    assert example.invented


def test_a_model_whose_examples_are_not_valid_is_told_so() -> None:
    class Strict(BaseModel):
        code: Annotated[str, Field(pattern=r"^\d+$")]

    with pytest.raises(TypeError, match=r"Strict has no valid example: line 2: record 1.code"):
        template_csv(Strict)


def test_required_parts_need_their_required_columns_only() -> None:
    class Engine(base.Frozen):
        power: int
        spare: int = 0

    class Tug(UnitClassBase):
        engine: Engine
        pod: Engine | None = None

    assert [column.path for column in columns(Tug) if column.required][4:] == ["engine.power"]
    text = "class_id,name,empire,source\nT,t,e,s\nU,u,e,s\n"
    assert [(defect.line, defect.path) for defect in load_csv(Tug, text, "t").defects] == [(1, "engine.power")]
    text = "class_id,name,empire,source,engine.power,pod.spare\nT,t,e,s,3,\nU,u,e,s,,1\n"
    found = [(defect.line, defect.path) for defect in load_csv(Tug, text, "t").defects]
    assert found == [(3, "U.engine"), (3, "U.pod.power")]


# --- the collection --------------------------------------------------------------------------------------------------
def test_a_catalogue_is_looked_up_by_id_and_by_name() -> None:
    catalogue = Catalogue(Ship, [ship("D7", name="Battle cruiser"), ship("D7C"), ship("F5", source="Invented")])
    assert catalogue.get("D7").name == "Battle cruiser"
    assert catalogue.parse(" d7 ").class_id == "D7"
    assert catalogue.parse("battle  Cruiser").class_id == "D7"
    assert (catalogue.ids, len(catalogue), "F5" in catalogue, "f5" in catalogue) == (
        ("D7", "D7C", "F5"), 3, True, False,
    )  # fmt: skip
    assert catalogue.invented == ("F5",)
    with pytest.raises(UnknownClass, match="'D7D' is not a unit class of this catalogue; nearest: D7") as refusal:
        catalogue.get("D7D")
    assert refusal.value.nearest[0] in ("D7", "D7C")
    with pytest.raises(UnknownClass) as refusal:
        catalogue.parse("Ship")
    assert refusal.value.nearest == ("D7C", "F5")  # both are called Ship


def test_an_id_given_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="given twice: A, B"):
        Catalogue(Ship, [ship("A"), ship("B"), ship("A"), ship("B")])


def test_the_digest_of_a_catalogue_tells_its_content() -> None:
    def plain(class_id: str, name: str) -> UnitClassBase:
        return UnitClassBase(class_id=class_id, name=name, empire="e", source="s")

    ours = Catalogue(UnitClassBase, [plain("A", "a")])
    assert canonical_json.digest(ours.rows) == canonical_json.digest(Catalogue(UnitClassBase, [plain("A", "a")]).rows)
    assert canonical_json.digest(ours.rows) != canonical_json.digest(Catalogue(UnitClassBase, [plain("A", "b")]).rows)


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters=";="), min_size=1)
SHIPS = st.builds(
    ship, TEXTS.filter(lambda text: len(text) <= 40), name=TEXTS.filter(lambda text: len(text) <= 80),
    move_cost=st.fractions(min_value=0, max_value=10, max_denominator=1000),
    hull=st.sampled_from(Hull), size_class=st.sampled_from([2, 3, 4]), crew=st.integers(10, 500), cloak=st.booleans(),
    ratio=st.floats(allow_nan=False, allow_infinity=False),
    sensors=st.builds(Sensors, special=st.integers(), track=st.lists(st.integers(), min_size=1).map(tuple)),
    boxes=st.dictionaries(TEXTS, st.integers()), notes=st.lists(TEXTS).map(tuple),
    tow=st.none() | st.fractions(min_value=0, max_value=9, max_denominator=9),
)  # fmt: skip


@given(st.lists(SHIPS, max_size=4, unique_by=lambda row: row.class_id.casefold()))
def test_csv_is_read_back_unchanged(rows: list[Ship]) -> None:
    assert load_csv(Ship, write_csv(Ship, rows), "t").rows == tuple(rows)


@cases("values", "")
def test_what_csv_cannot_hold_is_told_and_not_lost(values: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="CSV cannot hold B: use TOML"):
        write_csv(Ship, [ship("A"), ship("B", **values)])


def test_a_part_that_is_wrong_by_type_is_refused_in_toml() -> None:
    text = TOML.replace('hull = "cruiser"', "hull = 2024-01-01").replace("year = 175", "year = 1.5")
    found = [(defect.line, defect.path) for defect in load_toml(Ship, text, "t").defects]
    assert found == [(3, "CC.hull"), (13, "FF.refits[0].year")]
