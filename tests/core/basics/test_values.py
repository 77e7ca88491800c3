"""Values: canonical JSON, counted numbers, plain text, fractions and records."""

import hashlib
import subprocess
import sys
from dataclasses import field
from decimal import Decimal  # noqa: F401 - in cells of tables
from enum import Enum, StrEnum
from fractions import Fraction
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError, field_serializer

from rules_engine.core.basics import canonical_json, plain_text, record
from rules_engine.core.basics.counted import counted, noun, singular, verb, with_article
from rules_engine.core.basics.rational import Rational, file_decimal, parse_rational, show_fraction
from rules_engine.rulebooks.pq17.ch10_supply.stores import say_goods
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases


class Mode(StrEnum):
    CRUISE = "cruise"


class Level(Enum):
    TWO = 2


class Ship(BaseModel):
    name: str
    parts: tuple[int, ...] = ()


class Seen(BaseModel):
    sides: frozenset[str]


class SeenInOrder(Seen):
    @field_serializer("sides")
    def _sorted(self, sides: frozenset[str]) -> list[str]:
        return sorted(sides)


@cases("value, text", made="value, text")
def test_each_kind_of_value_has_its_one_spelling(value: object, text: str) -> None:
    assert canonical_json.canonical(value) == text.encode()
    assert canonical_json.digest(value) == hashlib.sha256(text.encode()).hexdigest()


@cases("value, path", "", made="value")
def test_what_has_no_exact_spelling_is_refused_with_its_path(value: object, path: str) -> None:
    with pytest.raises(TypeError, match=rf"^{path}:"):
        canonical_json.canonical(value)


def test_a_refusal_tells_the_path_and_not_the_content() -> None:
    with pytest.raises(ValueError, match=r"^value\.plot:") as refusal:
        canonical_json.canonical({"plot": "secret \ud800"})
    assert "secret" not in str(refusal.value)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=4), VALUES, max_size=6))
def test_the_order_of_insertion_does_not_matter(value: dict[str, object]) -> None:
    assert canonical_json.canonical(dict(reversed(value.items()))) == canonical_json.canonical(value)


def test_the_digest_is_the_same_in_another_process() -> None:
    code = "from rules_engine.core.basics.canonical_json import digest; print(digest({'b': ['x', 'y'], 'a': 3}))"
    shown = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout.strip()
        for seed in ("1", "2")
    ]
    assert shown == [hashlib.sha256(b'{"a":3,"b":["x","y"]}').hexdigest()] * 2


# --- numbers with what they count -------------------------------------------------------------------------------------
@cases("count, thing, said", made="count")
def test_one_is_not_spoken_of_as_many(count: int | Fraction, thing: str, said: str) -> None:
    assert counted(count, thing) == said
    assert said.endswith(f" {noun(count, thing)}")


def test_goods_have_a_singular() -> None:
    found = [singular(goods.value) for goods in (Goods.BOARDERS, Goods.SUPPLY, Goods.UIMS)]
    assert found == ["boarding party", "supply", "UIM"]
    assert (
        say_goods([(Goods.PROBES, Fraction(1)), (Goods.CREW, Fraction(2)), (Goods.FUEL, Fraction(1))])
        == "1 probe, 2 crew units, 1 fuel"
    )


@cases("name, said")
def test_an_article_goes_by_the_sound_of_the_name(name: str, said: str) -> None:
    assert with_article(name) == said


def test_a_verb_goes_by_the_number() -> None:
    assert [verb(count, "acts", "act") for count in (0, 1, 2)] == ["act", "acts", "act"]


# --- one rule for the characters of every text that somebody sends ----------------------------------------------------
@cases("text")
def test_what_people_write_is_taken_as_it_is(text: str) -> None:
    assert plain_text.unfit_character(text) is None
    assert plain_text.without_unfit(text) == text


@cases("letter, named", "")
def test_what_no_file_or_screen_keeps_is_named_with_its_place(letter: str, named: str) -> None:
    assert plain_text.unfit_character(f"abc{letter}def") == f"{named}, character 4"
    assert plain_text.without_unfit(f"abc{letter}def") == "abcdef"


# --- exact fractions: read as people write them, shown as mixed fractions with a decimal ------------------------------
class Cost(BaseModel):
    cost: Rational


@cases("written, value", made="written, value")
def test_every_usual_spelling_is_read_exactly(written: object, value: Fraction) -> None:
    assert parse_rational(written) == value
    assert Cost.model_validate({"cost": written}).cost == value


@cases("written, reason", "", made="written")
def test_what_is_not_exact_is_refused(written: object, reason: str) -> None:
    with pytest.raises(ValidationError, match=reason):
        Cost.model_validate({"cost": written})


@cases("value, shown", made="value")
def test_shown_as_a_mixed_fraction_with_a_decimal(value: Fraction, shown: str) -> None:
    assert show_fraction(value) == shown


@given(st.fractions(max_denominator=10**6, min_value=-(10**6), max_value=10**6))
def test_what_is_written_and_shown_is_read_back(value: Fraction) -> None:
    assert Cost.model_validate_json(canonical_json.canonical(Cost(cost=value))).cost == value
    assert parse_rational(show_fraction(value).partition(" (")[0]) == value


@pytest.mark.parametrize("text", ["1e999999999", "-1e13", "1e-999999999", "nan", "inf", "-inf"])
def test_decimals_of_a_file_that_would_take_a_billion_digits_are_refused(text: str):
    with pytest.raises(ValueError, match="is no number of this size"):
        file_decimal(text)


def test_decimals_of_a_file_stay_as_they_were_written():
    assert [str(file_decimal(text)) for text in ("0.1", "-2.50", "1_000.5", "0.0")] == ["0.1", "-2.50", "1000.5", "0.0"]


# --- record -----------------------------------------------------------------------------------------------------------
# records: read and written at the doors, copied without sharing what may change, and nothing validated between.
class Marks(record.Record):
    moved: bool = False


class RecordedShip(record.Record):
    fuel: Annotated[Rational, Field(ge=0)]
    boxes: Annotated[int, Field(ge=0)] = 0
    tags: list[str] = field(default_factory=list)
    stores: dict[str, int] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    older: list[Marks] = field(default_factory=list)
    towed: dict[str, Marks] = field(default_factory=dict)


def test_a_record_is_read_and_written_as_json_has_it() -> None:
    document = {"fuel": "2/3", "boxes": 3, "tags": ["x"], "stores": {"a": 1}, "marks": {"moved": True}}
    ship = RecordedShip.from_json(document)
    assert (ship.fuel, ship.marks) == (Fraction(2, 3), Marks(moved=True))
    assert ship.to_json() == {**document, "older": [], "towed": {}}
    assert list(ship.to_json()) == ["fuel", "boxes", "tags", "stores", "marks", "older", "towed"]


@cases("values, where")
def test_at_the_door_every_value_must_fit_its_field(values: dict[str, object], where: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        RecordedShip.from_json(values)
    assert [one["loc"] for one in caught.value.errors()] == [where]


def test_a_copy_shares_nothing_that_may_change() -> None:
    ship = RecordedShip(fuel=Fraction(1), tags=["x"], stores={"a": 1}, older=[Marks()], towed={"b": Marks()})
    copy = ship.copied()
    assert copy == ship
    copy.tags.append("y")
    copy.stores["a"] = 2
    copy.marks.moved = copy.older[0].moved = copy.towed["b"].moved = True
    assert (ship.tags, ship.stores, ship.marks.moved) == (["x"], {"a": 1}, False)
    assert (ship.older, ship.towed) == ([Marks()], {"b": Marks()})


def test_a_changed_record_is_another_one() -> None:
    ship = RecordedShip(fuel=Fraction(1), boxes=2)
    other = ship.changed(boxes=3)
    assert (ship.boxes, other.boxes, other.fuel) == (2, 3, 1)
    assert other.tags is ship.tags, "what is not named is shared"


def test_a_record_has_slots_for_its_fields_and_nothing_else() -> None:
    with pytest.raises(AttributeError):
        RecordedShip(fuel=Fraction(1)).crew = 9  # type: ignore[attr-defined]


class Fighter(record.Stamped):
    fuel: int = 0
    tags: list[str] = field(default_factory=list[str])


def test_a_stamped_record_has_another_stamp_once_a_field_is_set_to_another_value() -> None:
    fighter = Fighter(fuel=400)
    stamps = [fighter.stamp]
    fighter.fuel = fighter.fuel
    assert fighter.stamp is stamps[0], "nothing has changed"
    fighter.fuel = 300
    stamps.append(fighter.stamp)
    fighter.fuel = 400
    stamps += [fighter.stamp, fighter.copied().stamp, fighter.changed().stamp, Fighter.from_json({"fuel": 400}).stamp]
    assert len({*map(id, stamps)}) == len(stamps), "not even the same values have the same stamp"
    assert fighter == fighter.copied() == Fighter.from_json(fighter.to_json())


def test_what_may_change_in_place_are_lists_dicts_and_records_wherever_they_stand() -> None:
    class Carrier(record.Record):
        name: str = ""
        places: tuple[int, ...] = ()
        tags: list[str] = field(default_factory=list[str])
        stores: dict[str, int] = field(default_factory=dict[str, int])
        marks: Marks = field(default_factory=Marks)
        older: Marks | None = None
        crew: Annotated[list[int], Field(min_length=1)] | None = None

    assert record.changing_fields(Carrier) == ("tags", "stores", "marks", "older", "crew")
