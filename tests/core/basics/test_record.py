"""Records: read and written at the doors, copied without sharing what may change, and nothing validated between."""

from dataclasses import field
from fractions import Fraction
from typing import Annotated

import pytest
from pydantic import Field, ValidationError

from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record, Stamped, changing_fields
from tests.expected.kept import cases


class Marks(Record):
    moved: bool = False


class Ship(Record):
    fuel: Annotated[Rational, Field(ge=0)]
    boxes: Annotated[int, Field(ge=0)] = 0
    tags: list[str] = field(default_factory=list)
    stores: dict[str, int] = field(default_factory=dict)
    marks: Marks = field(default_factory=Marks)
    older: list[Marks] = field(default_factory=list)
    towed: dict[str, Marks] = field(default_factory=dict)


def test_a_record_is_read_and_written_as_json_has_it() -> None:
    document = {"fuel": "2/3", "boxes": 3, "tags": ["x"], "stores": {"a": 1}, "marks": {"moved": True}}
    ship = Ship.from_json(document)
    assert (ship.fuel, ship.marks) == (Fraction(2, 3), Marks(moved=True))
    assert ship.to_json() == {**document, "older": [], "towed": {}}
    assert list(ship.to_json()) == ["fuel", "boxes", "tags", "stores", "marks", "older", "towed"]


@cases("values, where")
def test_at_the_door_every_value_must_fit_its_field(values: dict[str, object], where: tuple[str, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        Ship.from_json(values)
    assert [one["loc"] for one in caught.value.errors()] == [where]


def test_a_copy_shares_nothing_that_may_change() -> None:
    ship = Ship(fuel=Fraction(1), tags=["x"], stores={"a": 1}, older=[Marks()], towed={"b": Marks()})
    copy = ship.copied()
    assert copy == ship
    copy.tags.append("y")
    copy.stores["a"] = 2
    copy.marks.moved = copy.older[0].moved = copy.towed["b"].moved = True
    assert (ship.tags, ship.stores, ship.marks.moved) == (["x"], {"a": 1}, False)
    assert (ship.older, ship.towed) == ([Marks()], {"b": Marks()})


def test_a_changed_record_is_another_one() -> None:
    ship = Ship(fuel=Fraction(1), boxes=2)
    other = ship.changed(boxes=3)
    assert (ship.boxes, other.boxes, other.fuel) == (2, 3, 1)
    assert other.tags is ship.tags, "what is not named is shared"


def test_a_record_has_slots_for_its_fields_and_nothing_else() -> None:
    with pytest.raises(AttributeError):
        Ship(fuel=Fraction(1)).crew = 9  # type: ignore[attr-defined]


class Fighter(Stamped):
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
    class Carrier(Record):
        name: str = ""
        places: tuple[int, ...] = ()
        tags: list[str] = field(default_factory=list[str])
        stores: dict[str, int] = field(default_factory=dict[str, int])
        marks: Marks = field(default_factory=Marks)
        older: Marks | None = None
        crew: Annotated[list[int], Field(min_length=1)] | None = None

    assert changing_fields(Carrier) == ("tags", "stores", "marks", "older", "crew")
