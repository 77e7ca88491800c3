"""What of a sheet moves, the ways that a menu makes longer, and steps that are typed one by one."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.forms.movers import ends_of, longer_ways, movers_of, values_for
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.grids.hexes import Grid
from tests.expected.kept import cases

GO = Field("go", "Next", "one", (Choice("course", "By its course"), Choice("0405", "0405"), Choice("hold", "Hold")))
MOVE = Field("move", "Move to", "one", (Choice("stay", "Stay"), Choice("0404", "0404"), Choice("0304", "0304")))
STAYS = Field("move", "Move", "one", (Choice("go", "Go to 0404"), Choice("stay", "Stay")))
COURSE, ROUTE = text_field("course", "Course", 300, ""), text_field("route", "Route", 300, "")
FORM = Form(
    lines=(
        Line("side", "The whole side", (Field("bid", "Bid", "number"),)),
        Line("F1", "F1", (GO, COURSE)),
        Line("A1", "A1 in 0403", (MOVE,)),
        Line("A2", "A2 in 0402", (ROUTE,)),
        Line("A3", "A3 in 0401, if you form it", (ROUTE,)),
        Line("A4", "A4 in 0401", (STAYS,)),
    )
)
GRID = Grid(columns=8, rows=8)


def test_lines_that_choose_the_next_hex_or_have_a_way_of_their_own_counter_move() -> None:
    found = movers_of(FORM, {"F1": "0505", "A1": "0403", "A2": "0402", "A4": "0401"}, GRID)
    assert [(one.line.key, one.hex) for one in found] == [("A2", "0402"), ("A1", "0403"), ("F1", "0505")]
    assert [(one.next is not None, one.way is not None) for one in found] == [
        (False, True),
        (True, False),
        (True, True),
    ]


def test_a_way_is_made_longer_by_the_neighbours_of_its_end() -> None:
    longer = longer_ways("0404 0405", "0405", GRID, is_docked=False)
    assert set(longer.values()) == set(GRID.neighbours("0405"))
    assert all(text == f"0404 0405 {hex_id}" for text, hex_id in longer.items())
    assert all(text.startswith("port ") for text in longer_ways("", "0405", GRID, is_docked=True))
    assert not any("port" in text for text in longer_ways("0404", "0404", GRID, is_docked=True))


@pytest.mark.parametrize(
    ("way", "end"), [("loop 0404 0405", "0405"), ("0404", "9999"), ("0404 " * 20, "0404"), ("", "")]
)
def test_patrols_and_ways_that_are_too_long_are_not(way: str, end: str) -> None:
    assert longer_ways(way, end, GRID, is_docked=False) == {}


@cases("key, chosen, put_in")
def test_what_a_choice_puts_into_a_line(key: str, chosen: str, put_in: dict[str, str] | None) -> None:
    line = FORM.line(key)
    assert line is not None
    assert values_for(line, chosen) == put_in


def test_courses_end_at_their_last_hex() -> None:
    assert ends_of([("A1", ("0403", "0404")), ("A2", ())]) == {"A1": "0404"}


@pytest.mark.parametrize("text", ["A1: 0403 > 0404", "A1 0403 > 0404", "A1 to 0404", "A1: 0404"])
def test_a_step_is_typed_from_where_the_line_stands(text: str) -> None:
    assert read_sheet(FORM, text) == {"A1": {"move": "0404"}}


@pytest.mark.parametrize("text", ["A1: 0303 > 0404", "A1: 0403 > 0808", "A1: 0403 > 0404 > 0304"])
def test_from_elsewhere_or_to_what_is_no_choice_it_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        read_sheet(FORM, text)
