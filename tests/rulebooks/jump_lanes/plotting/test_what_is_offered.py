"""What a sheet offers for each squadron, and how it is called."""

from fractions import Fraction
from itertools import pairwise

import pytest
from pydantic import ValidationError

from rules_engine.core.forms.forms import Field
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import MOST_ORDERS, other_name
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import LaneSystem
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.sheets import refused, said


def field(state: LanesState, line: str, key: str) -> Field:
    """A field of a line of the Terrans' sheet."""
    found = sheet_ask(state, TERRAN).form.line(line)
    assert found is not None
    return next(one for one in found.fields if one.key == key)


def at_sol() -> LanesState:
    """A freighter with census aboard, and guards, at Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=40, name="Hermes")).hold = [HoldLot(kind="census", amount=1)]
    standing(state, ship("guards", kind="troop", name="Guards"), "sol")
    return state


def test_what_is_there_and_what_is_aboard_is_offered_by_name():
    state = at_sol()
    assert [(one.value, one.label) for one in field(state, "T1", "take").choices] == [
        ("census", "Census, as much as fits"),
        ("guards", "Guards"),
    ]
    assert [(one.value, one.label) for one in field(state, "T1", "land").choices] == [("census", "All census")]
    assert field(state, "T1", "load").help.endswith("blank leaves it, stop ends it")


def test_an_unexplored_lane_is_called_by_its_number_where_it_begins(kept: Kept):
    state = frontier()
    squadron(state, "T1", "ross", ship("seeker", science=16))
    assert [(one.value, one.label) for one in field(state, "T1", "explore").choices] == kept()


def test_a_menu_offers_places_that_are_at_most_twelve_points_away():
    """From Sol by three restricted lanes, 4 points each, and by one more lane behind them."""
    state = frontier()
    ends = ["sol", "near", "middle", "far", "beyond"]
    for number, (start, end) in enumerate(pairwise(ends)):
        state.systems[end] = LaneSystem(id=end, name=end.title(), x=Fraction(number), y=Fraction(9), sector="orion")
        state.empires[TERRAN].places.append(end)
        state.lanes[f"N{number}"] = lane(f"N{number}", start, end, "normal" if end == "beyond" else "restricted")
    state.index()
    squadron(state, "T1", "sol", ship("hermes"))
    goals = {one.value: one.hint for one in field(state, "T1", "go").choices}
    assert goals["far"] == "12 points away"
    assert "beyond" not in goals


def test_twenty_orders_for_cargo_are_read_and_no_more(kept: Kept):
    assert MOST_ORDERS == 20
    state = at_sol()
    assert refused(f"T1: load {', '.join(['1 census'] * 21)}", state) == kept()
    assert not any("orders for cargo" in one for one in refused(f"T1: load {', '.join(['1 census'] * 20)}", state))


def test_who_gives_or_takes_cargo_is_read_back_by_name():
    state = at_sol()
    squadron(state, "T2", "sol", ship("atlas", cargo=40, basing=2, name="Atlas")).name = "Liners"
    assert "T1: stays at Sol; unloads 1 census to Liners at Sol" in said("T1: unload 1 census to T2", state)
    assert [other_name(state, key) for key in ("T2", "atlas", "nobody")] == ["Liners", "Atlas", "nobody"]


def test_what_nobody_answers_is_said():
    ask = sheet_ask(at_sol(), TERRAN)
    assert ask.default_says == "Routes and trade runs go on as ordered."
    assert ask.question is not None
    assert ask.question.others == "go on as ordered"


def test_a_name_that_is_far_too_long_is_cut_where_it_is_refused():
    (told,) = refused(f"T1: route {'x' * 70}", at_sol())
    assert f"you know no place “{'x' * 60}”" in told


@pytest.mark.parametrize("name", ["route", "load", "unload", "jettison"])
def test_texts_are_at_most_400_characters_long(name: str):
    assert LaneSheet.model_validate({"T1": {name: "x" * 400}}).of("T1") is not None
    with pytest.raises(ValidationError, match="at most 400"):
        LaneSheet.model_validate({"T1": {name: "x" * 401}})


def test_five_fields_of_a_line_are_asked_at_once():
    assert [line.together for line in sheet_ask(at_sol(), TERRAN).form.lines if line.key == "T1"] == [5]
