"""Values as a referee types them: read by what stands there, and refused in plain words."""

import json
import re
from dataclasses import field
from enum import IntEnum, StrEnum
from fractions import Fraction
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.keys import KeyOf
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.running.corrections import plan_edit
from rules_engine.core.running.edit_values import read_value
from rules_engine.core.running.edits import assign
from rules_engine.core.running.state_paths import follow, path_of

LIBRARY_SAYS = re.compile(r"Input should|validation error|Value error|type=|pydantic|Extra inputs|Field required", re.I)
"""Words that no person should read."""


class Level(IntEnum):
    N = -2
    ID0 = 0
    ID2 = 2

    @property
    def label(self) -> str:
        return {-2: "Unidentified"}.get(int(self), self.name)


class Speed(StrEnum):
    CRUISE = "2"
    IMPULSE_CRAWL = "impulse crawl"


class Mark(Frozen):
    where: str
    worth: Rational = Fraction(0)


class Ship(Record):
    hex: str = "0404"
    retreat_hex: str = ""
    plot: str = "0404"
    fuel: Annotated[Rational, Field(ge=0)] = Fraction(0)
    boxes: Annotated[int, Field(ge=0, le=9)] = 3
    active: bool = True
    reserve: int | None = None
    quality: Literal["outstanding", "normal", "very_poor", ""] = "normal"
    level: Level = Level.N
    speed: Speed | None = None
    name: str = "Lark"
    course: list[str] = field(default_factory=lambda: ["0404"])
    track: list[int] = field(default_factory=list)
    goods: dict[str, int] = field(default_factory=dict)
    scans: list[str] = field(default_factory=list)
    fast: dict[Speed, int] = field(default_factory=dict)
    notes: dict[str, Any] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    pair: tuple[str, str] = ("a", "b")
    port: Annotated[str, KeyOf("ports")] = ""
    seen: Annotated[str, KeyOf("ports", or_other=True)] | None = None


PORTS = {"p1": "North Quay", "p2": "Mole", "p3": "mole", "p4": "Slip"}


class Port(Record):
    name: str


class World(Record):
    grid: Grid = Grid(columns=20, rows=20)
    ports: dict[str, Port] = field(default_factory=lambda: {key: Port(name=name) for key, name in PORTS.items()})
    ships: dict[str, Ship]


def world() -> World:
    return World(ships={"A1": Ship(marks=[Mark(where="0101")])})


def read(path: str, typed: Any) -> Any:
    """What stands there after it was typed."""
    state = world()
    spots = follow(state, f"ships.A1.{path}", new=True)
    value = read_value(spots, typed, state.grid)
    assert json.loads(json.dumps(value)) == value, "it can stand in the journal"
    assign(state, path_of(spots), value)
    return follow(state, path_of(spots))[-1].value


@pytest.mark.parametrize(
    ("path", "typed", "stands"),
    [
        ("hex", "1515", "1515"),
        ("hex", 1515, "1515"),
        ("hex", '"1515"', "1515"),
        ("hex", "315", "0315"),
        ("hex", "03-15", "0315"),
        ("hex", "none", ""),
        ("retreat_hex", "0515", "0515"),
        ("retreat_hex", "-", ""),
        ("plot", "1515", "1515"),
        ("plot", "stay", "stay"),
        ("fuel", "7/2", Fraction(7, 2)),
        ("fuel", "3.5", Fraction(7, 2)),
        ("fuel", "3½", Fraction(7, 2)),
        ("fuel", "3", Fraction(3)),
        ("fuel", 3, Fraction(3)),
        ("boxes", "7", 7),
        ("boxes", " +7 ", 7),
        ("boxes", "7.0", 7),
        ("active", "no", False),
        ("active", "Yes", True),
        ("active", "off", False),
        ("reserve", "none", None),
        ("reserve", "4", 4),
        ("reserve", None, None),
        ("quality", "Outstanding", "outstanding"),
        ("quality", "very poor", "very_poor"),
        ("quality", "none", ""),
        ("level", "Unidentified", Level.N),
        ("level", "id0", Level.ID0),
        ("level", "0", Level.ID0),
        ("level", 0, Level.ID0),
        ("level", "-2", Level.N),
        ("level", "2", Level.ID2),
        ("speed", "cruise", Speed.CRUISE),
        ("speed", "2", Speed.CRUISE),
        ("speed", "Impulse Crawl", Speed.IMPULSE_CRAWL),
        ("speed", "none", None),
        ("port", "north-quay", "p1"),
        ("port", "P4", "p4"),
        ("port", "p2", "p2"),
        ("port", "none", ""),
        ("port", "", ""),
        ("seen", "slip", "p4"),
        ("seen", "at sea", "at sea"),
        ("seen", "none", None),
        ("name", "1515", "1515"),
        ("name", "none", "none"),
        ("name", "Lark, the second", "Lark, the second"),
        ("course", "0405 0406", ["0405", "0406"]),
        ("course", "405, 406", ["0405", "0406"]),
        ("course", '["0405", "0406"]', ["0405", "0406"]),
        ("course", "[405, 406]", ["0405", "0406"]),
        ("course", "0405", ["0405"]),
        ("course", "none", []),
        ("scans", "304 305", ["0304", "0305"]),
        ("scans", "lark, 9999", ["lark", "9999"]),
        ("course", "[]", []),
        ("track", "4, 3", [4, 3]),
        ("track", "4", [4]),
        ("track.0", "4", 4),
        ("course.1", "405", "0405"),
        ("goods", '{"drones": "3"}', {"drones": 3}),
        ("goods.drones", "3", 3),
        ("marks", '[{"where": "x", "worth": "1/2"}]', [Mark(where="x", worth=Fraction(1, 2))]),
        ("marks.0.worth", "1/2", Fraction(1, 2)),
        ("marks.1", '{"where": "x"}', Mark(where="x")),
        ("pair.1", "c", "c"),
        ("pair", "c d", ("c", "d")),
    ],
)
def test_what_people_write_is_understood(path: str, typed: Any, stands: Any) -> None:
    found = read(path, typed)
    assert (found, type(found)) == (stands, type(stands))


@pytest.mark.parametrize(
    ("path", "typed", "said"),
    [
        ("hex", "9915", "that is no hex of this map. Legal: a hex number of the map. Did you mean `"),
        ("hex", "soon", "that is no hex of this map"),
        ("plot", "9999", "that is no hex of this map"),
        ("fuel", "lots", "a number is needed here. Legal: a number such as 3, 7/2, 1 1/2 or 0.5."),
        ("fuel", "-1", "the number is too small. Legal: at least 0."),
        ("fuel", "1/0", "a number is needed here"),
        ("boxes", "many", "a whole number is needed here. Legal: a whole number."),
        ("boxes", "1e9", "a whole number is needed here"),
        ("boxes", "9" * 400, "a whole number is needed here"),
        ("boxes", "10", "the number is too large. Legal: at most 9."),
        ("boxes", True, "a whole number is needed here"),
        ("active", "perhaps", "yes or no is needed here. Legal: yes or no."),
        ("active", "3", "yes or no is needed here"),
        ("quality", "normall", "that is no choice here. Legal: outstanding, normal, very_poor,"),
        ("quality", "normall", "Did you mean normal?"),
        ("level", "7", "that is no choice here. Legal: -2 (Unidentified), 0 (ID0), 2 (ID2)"),
        ("speed", "warp", "that is no choice here"),
        ("name", True, "a text is needed here"),
        ("port", True, "a text is needed here"),
        ("port", "Slipp", "there is nothing of that name. Legal: a name or key, as North Quay, Mole, mole … (4 in"),
        ("port", "Slipp", "Did you mean Slip?"),
        ("port", "MOLE", "this could be several. Legal: p2, p3. Did you mean p2"),
        ("track", "4, many", "track.1: a whole number is needed here"),
        ("goods", "drones", "a table is needed here"),
        ("goods", '{"drones": "many"}', "goods.drones: a whole number is needed here"),
        ("marks", "x", "a list is needed here"),
        ("marks.0", "x", "this has several fields. Legal: an object with fields"),
        ("marks.0", '{"wher": "x"}', "marks.0.wher: there is no such field. Legal: where, worth. Did you mean where?"),
        ("marks.1", '{"worth": 1}', "marks.1.where: this is missing"),
        ("pair", "a b c", "there are too many"),
        ("marks", "[" * 5_000, "a list is needed here"),
        ("goods", '{"a":' * 3_000, "a table is needed here"),
    ],
)
def test_what_does_not_fit_is_refused_with_what_would(path: str, typed: Any, said: str) -> None:
    with pytest.raises(Refused) as caught:
        read(path, typed)
    words = "\n".join(map(str, caught.value.refusals))
    assert said in words
    assert words.startswith("ships.A1.")
    assert LIBRARY_SAYS.search(words) is None, words


def test_the_nearest_path_is_named_whole() -> None:
    with pytest.raises(Refused) as caught:
        read("fule", "3")
    assert "Did you mean ships.A1.fuel?" in str(caught.value)
    with pytest.raises(Refused) as caught:
        follow(world(), "shps.A1.fuel")
    assert "Did you mean ships.A1.fuel?" in str(caught.value)


def test_a_new_key_is_of_the_kind_that_its_table_has() -> None:
    state = world()
    assign(state, "ships.A1.fast.2", 3)
    assert state.ships["A1"].fast == {Speed.CRUISE: 3}
    assert [type(key) for key in state.ships["A1"].fast] == [Speed]
    with pytest.raises(Refused, match=r"ships.A1.fast.warp.*that is no choice here"):
        assign(state, "ships.A1.fast.warp", 3)
    assert state.ships["A1"].fast == {Speed.CRUISE: 3}


def test_what_no_journal_keeps_is_refused() -> None:
    with pytest.raises(Refused, match="this cannot stand in the record"):
        plan_edit(Anything(), world(), "ships.A1.notes.weight", "1.5", knowledge={})  # type: ignore[arg-type]


class Anything:
    def defects(self, _: World) -> list[str]:
        return []


def test_large_and_small_letters_do_not_matter_where_there_is_no_doubt() -> None:
    assert path_of(follow(world(), "Ships.a1.FUEL")) == "ships.A1.fuel"
    two = World(ships={"A1": Ship(), "a1": Ship()})
    assert path_of(follow(two, "ships.a1")) == "ships.a1"
    with pytest.raises(Refused):
        follow(World(ships={"AA": Ship(), "aa": Ship()}), "ships.Aa")
