"""What a turn's sheet offers on each line, with what it takes, and why it does not offer something."""

import pytest

from rules_engine.core.forms.forms import Choice, Field
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.expected.kept import cases
from tests.rulebooks.jump_lanes.frontier import TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.sheets import refused


def at_sol() -> LanesState:
    """A freighter, a tug and a courier at Sol with a base and a garrison, and a scout at Ross, where no colony is."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=25, name="Hermes")).name = "Hermes"
    squadron(state, "T2", "sol", ship("tug", towing=4, name="Tug"))
    squadron(state, "T3", "ross", ship("seeker", science=16, name="Seeker")).name = "Seeker"
    squadron(state, "T4", "sol", ship("mail", name="Mail"))
    standing(state, ship("base", kind="starbase", siz=1, ftl=0, engines=0, name="Base"), "sol")
    standing(state, ship("guards", kind="troop", siz=3, ftl=0, engines=0, name="Guards"), "sol")
    return state


def field(state: LanesState, line: str, key: str) -> Field:
    """A field of a sheet."""
    found = sheet_ask(state, TERRAN).form.line(line)
    assert found is not None
    return next(one for one in found.fields if one.key == key)


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_what_may_come_aboard_is_offered_with_what_it_takes_of_the_room_that_is_left():
    state = at_sol()
    assert field(state, "T1", "take").choices == (
        Choice("census", "Census, as much as fits", "each point takes 10 of 25"),
        Choice("base", "Base", "takes 15 of 25"),
        Choice("guards", "Guards", "takes 3 of 25"),
    )
    state.units["hermes"].crippled = True
    assert [one.key for one in sheet_ask(state, TERRAN).form.lines[0].fields] == ["go", "route", "fleet", "join"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_may_be_towed_is_offered_with_what_it_takes_and_a_lone_tug_not_to_itself():
    state = at_sol()
    offered = field(state, "T2", "tow").choices
    assert Choice("base", "Base", "takes 4 of 4") in offered
    assert "tug" not in [one.value for one in offered]
    state.put(ship("ox", towing=2, name="Ox"), squadron="T2")
    assert {"tug", "ox"} <= {one.value for one in field(state, "T2", "tow").choices}


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_lane_is_offered_to_explorers_with_its_difficulty_and_their_chance():
    state = at_sol()
    assert field(state, "T3", "explore").choices == (
        Choice("ross?1", "unexplored lane 1 of Ross", "easy, chance 26 of 100"),
    )


def test_places_are_offered_with_the_points_that_it_takes_to_come_there():
    hints = [one.hint for one in field(at_sol(), "T4", "go").choices]
    assert hints[0] == "1 point away"
    assert hints[1] == "2 points away"


@cases("text, problem")
def test_why_a_line_has_no_such_field(text: str, problem: str):
    assert [one.partition(". Legal")[0] for one in refused(text, at_sol())] == [f"line 1: {problem}"]
