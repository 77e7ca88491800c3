"""Chapter 4.3: repairs at a base, half a CPV for a point of the chart."""

import pytest

from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, damage, repaired_for
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from tests.expected.kept import cases
from tests.rulebooks.cutler.worlds import refusal_words, refusals
from tests.rulebooks.cutler.yards import HOME, YARD, turn, yard

CA, FF = "hydran-F1-CA", "hydran-F1-FF"
HURT = HOME + "hydran F1 0205 CA[warp=26,imp=3]+FF\nhydran F2 0303 CA[warp=1]\n"
"""The cruiser has lost four warp engines and one impulse engine."""
POINTS = RepairPoints(warp=10, impulse=5, cargo=1)


@pytest.mark.rule("cutler", "4.3")
@cases("boxes, cost")
def test_points_of_one_order_are_summed_halved_and_rounded_up(boxes, cost):
    # A warp engine of 10 points costs 5; 7 points together cost 4, not 3 + 1.
    assert cost_of(boxes, POINTS) == cost


@pytest.mark.rule("cutler", "4.3")
@cases("cpv, boxes")
def test_warp_engines_come_first(cpv, boxes):
    unit = yard(HURT).units[CA]
    assert damage(unit) == {"warp": 4, "impulse": 1}
    assert repaired_for(unit, POINTS, cpv) == boxes


@pytest.mark.rule("cutler", "4.3", "4.2.1")
def test_a_docked_ship_is_repaired_through_repair_boxes():
    state = yard(HURT)
    run = turn(state, D1={"work": f"repair {CA}"})
    assert (state.units[CA].warp_ok, state.units[CA].impulse_ok, state.works) == (30, 4, {})
    assert state.empires["hydran"].base_pool == 125 - 23
    assert [(one.item, one.cpv) for one in state.spent] == [("repairs of a CA", 23)]
    assert "4 warp and 1 impulse boxes for 23 CPV" in run.texts("hydran")


@pytest.mark.rule("cutler", "4.3", "4.1.6.2")
def test_what_repairs_no_whole_box_stays_in_repair_boxes_and_is_warned_of():
    state = yard(HURT)
    ask = turn_ask(state, "hydran")
    lines = {"D1": {"work": f"repair {CA}", "cpv": 7}}
    assert any("2 CPV repair no whole box" in text for text in ask.warn(ask.answer_from(lines)))
    turn(state, **lines)
    assert (state.units[CA].warp_ok, state.units[YARD].repair_cpv) == (27, 2)
    assert state.empires["hydran"].base_pool == 125 - 7


@pytest.mark.rule("cutler", "4.3")
def test_a_bay_with_few_boxes_repairs_what_it_can_and_asks_for_no_more():
    state = yard(HURT, bays=(7,))
    turn(state, D1={"work": f"repair {CA}"})
    assert (state.units[CA].warp_ok, state.units[YARD].repair_cpv, state.empires["hydran"].base_pool) == (27, 0, 120)


@pytest.mark.rule("cutler", "4.3", "4.2.1.2")
@cases("base_type, lines, expected")
def test_repairs_that_cannot_be_are_refused(base_type, lines, expected):
    state = yard(HURT + "lyran F1 0205 FF[warp=3]\n", base_type=base_type)
    assert refusals(turn_ask(state, "hydran"), lines) == expected


@pytest.mark.rule("cutler", "4.3", "4.2.1.2")
@cases("base_type, lines, words")
def test_repairs_that_cannot_be_are_refused_and_why(base_type, lines, words):
    state = yard(HURT + "lyran F1 0205 FF[warp=3]\n", base_type=base_type)
    assert refusal_words(turn_ask(state, "hydran"), lines) == words


@pytest.mark.rule("cutler", "4.3")
def test_a_base_repairs_its_own_cargo_boxes_whatever_its_size():
    state = yard(HURT, base_type="BATS")
    state.units[YARD].cargo_lost = 9
    turn(state, D1={"work": f"repair {YARD}"})
    assert (state.units[YARD].cargo_boxes, state.empires["hydran"].base_pool) == (50, 120)


@pytest.mark.rule("cutler", "4.3")
def test_the_chart_is_the_scenarios():
    state = yard(HURT)
    state.repair_points = RepairPoints(warp=4, impulse=2)
    turn(state, D1={"work": f"repair {CA}"})
    assert state.empires["hydran"].base_pool == 125 - 9
