"""What a plot comes to: judged and read back without touching the battle."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.records.plots import PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.tracker.flying import fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import foresee, presence_objection
from tests.expected.kept import cases
from tests.rulebooks.vector.skies import event, fly, judged, plot, sky


def test_of_a_unit_that_is_not_there_nothing_is_foreseen_but_why():
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    battle.units["H1"].out = "destroyed"
    found = foresee(battle, "H1", plot("accelerate 4 on 1"), 16)
    assert (found.unit, found.turn, found.first, found.last, len(found.defects)) == ("H1", 1, 0, 16, 1)
    assert (found.steps, found.happened, found.course, found.doubts) == ((), (), (), ())
    assert (found.hex, found.facing, found.vector, found.spent) == ("", "A", "0", Bill(warp=0, impulse=0, half=0))
    assert (found.warp_left, found.warp_used, found.impulse_left, found.reserve_left, found.half_left) == (0,) * 5
    assert (found.turns_on, found.thrusts_on) == (0, 0)


def test_each_step_with_its_cost_and_where_it_leaves_the_unit():
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    before = battle.to_json()
    found = foresee(battle, "H1", plot("accelerate 4 on 1", "turn right on 4", "accelerate 2 on 12"), 16)
    assert [(one.event, one.impulse, one.what, one.hex, one.facing, one.vector, one.bill) for one in found.steps] == [
        (0, 1, "accelerated", "2020", "A", "8A", Bill(warp=8)),
        (1, 4, "turned", "2020", "B", "8A", Bill(warp=1)),
        (2, 12, "accelerated", "2018", "B", "8A+2B", Bill(warp=4)),
    ]
    # 8A on 4 and 8; 8A+2B, speed 10, on 13 and 16
    assert found.course == ((0, "2020"), (4, "2019"), (8, "2018"), (13, "2017"), (16, "2117"))
    assert (found.hex, found.facing, found.vector) == ("2117", "B", "8A+2B")
    assert (found.spent, found.warp_left, found.warp_used, found.impulse_left) == (Bill(warp=13), 17, 13, 1)
    assert (found.turns_on, found.thrusts_on, found.reserve_left) == (11, 20, 5)
    assert (found.turn, found.first, found.last, found.defects, found.doubts) == (1, 0, 16, (), ())
    assert battle.to_json() == before


@given(
    st.lists(
        st.sampled_from(
            [
                "accelerate 3 on {}",
                "reverse 2 on {}",
                "turn left on {}",
                "turn right on {}",
                "slip left on {}",
                "reserve 2 on {}",
                "stop on {}",
                "het to C on {}",
            ]
        ),
        max_size=8,
    ),
    st.data(),
)
def test_what_is_foreseen_is_what_is_flown(texts: list[str], data: st.DataObject):
    events = [text.format(data.draw(st.integers(1, 16))) for text in texts]
    battle = sky("H1 h 2020 A 5A+9B\nC1 c 2030 D 6A")
    found = foresee(battle, "H1", plot(*events), 16)
    happened = [one for one in fly_piece(battle, {"H1": plot(*events)}, 16, None) if one.unit == "H1"]
    assert list(found.happened) == happened
    ship = battle.units["H1"]
    assert (found.hex, found.facing, found.vector) == (ship.at, ship.facing, ship.vector.says)
    assert (found.warp_left, found.warp_used, found.reserve_left) == (ship.warp_left, ship.warp_used, ship.reserve_left)
    refused = [(one.event, one.rule) for one in happened if one.what == "refused"]
    assert sorted((one.event, one.refusal.rule) for one in found.defects) == sorted(refused)


@given(st.integers(1, 24), st.integers(1, 8), st.sampled_from(["accelerate 1", "turn left", "slip left"]))
def test_the_first_impulse_that_is_named_is_the_first_that_is_legal(first: int, gap: int, action: str):
    battle = sky("H1 h 2020 A 7A+6B slip_ready=True")
    events = [f"{action} on {first}", f"{action} on {first + gap}"]
    found = [one for one in foresee(battle, "H1", plot(*events), 32).defects if one.event == 1]
    if found and not judged(battle, "H1", events[0]):
        legal = [on for on in range(first + gap, 33) if not judged(battle, "H1", events[0], f"{action} on {on}")]
        assert found[0].legal_on == legal[0] if legal else found[0].legal_on > 32


def test_in_a_later_piece():
    battle = sky("H1 h 2020 A 4A")
    fly(battle, {"H1": plot("accelerate 4 on 10")}, 16)
    assert judged(battle, "H1", "accelerate 4 on 17") == [(0, "CJD1.32", 18)]
    found = foresee(battle, "H1", plot("accelerate 4 on 18"), 32)
    assert (found.first, found.course[0], found.warp_used) == (16, (16, battle.units["H1"].at), 16)


def test_when_a_turn_is_over_it_is_the_next_turns_plot():
    battle = sky("H1 h 2020 A 4A")
    fly(battle, {"H1": plot("accelerate 4 on 30")})
    found = foresee(battle, "H1", plot("accelerate 1 on 5", "accelerate 1 on 6"), 16)
    assert (found.turn, found.first) == (2, 0)
    assert [(one.event, one.legal_on) for one in found.defects] == [(0, 38)]
    assert (battle.turn, battle.impulse) == (1, 32)
    assert foresee(sky("H1 h 2020 A 4A waits_for=1", turn=False), "H1", plot(), 32).hex == "2016"


@cases("text, problem, legal")
def test_impulses_outside_the_piece(text: str, problem: str, legal: str):
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    fly(battle, {}, 16)
    found = foresee(battle, "H1", plot(text), 32)
    assert [(one.refusal.problem, one.refusal.legal, one.event) for one in found.defects] == [(problem, legal, 0)]


def test_impulses_after_the_piece_and_events_with_two_moments():
    battle = sky("H1 h 2020 A 4A")
    assert foresee(battle, "H1", plot("turn left on 17"), 16).defects[0].refusal.legal == "impulses 1 to 16"
    assert judged(battle, "H1", "turn left on 16", last=16) == []
    assert judged(battle, "H1", "when within 9 from 17 to 20: turn left", last=16) == [(0, "CJD1.32", 0)]
    assert judged(battle, "H1", "when within 9 from 9 to 20: turn left", last=16) == []
    both = PlotEvent(action="turn", hand="left", impulse=3, when=PlotCondition(within=3))
    assert "not both" in foresee(battle, "H1", UnitPlot(events=(both,)), 16).defects[0].refusal.problem


@cases("more, rule, legal_on")
def test_units_that_are_gone_or_not_yet_there(more: str, rule: str, legal_on: int):
    battle = sky(f"H1 h 2020 A 4A {more}\nC1 c 2010 D 0")
    assert judged(battle, "H1", "turn left on 1") == ([(None, rule, legal_on)] if rule else [])
    unknown = foresee(battle, "X1", plot(), 32).defects[0].refusal
    assert str(unknown) == "X1: there is no X1 (CJD1.0). Legal: units in play."
    battle.impulse = 32
    battle.units["C1"].waits_for = 2
    assert presence_objection(battle, "C1") is None


def test_what_waits_for_a_condition_is_judged_by_its_window():
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    # legal from 9 on, if at all
    window = "when within 9 from 2 to {}: accelerate 2"
    assert judged(battle, "H1", "accelerate 1 on 1", window.format(8)) == [(1, "CJD1.32", 9)]
    assert judged(battle, "H1", "accelerate 1 on 1", window.format(9)) == []
    assert judged(battle, "H1", "when within 9: accelerate 17") == [(0, "CJD1:313", 0)]
    assert judged(battle, "H1", "when within 9: turn towards") == []
    found = foresee(battle, "H1", plot("when within 99: accelerate 2"), 32)
    assert (found.vector, found.steps, found.doubts) == ("4A", (), ("condition not drawn",))
    assert foresee(battle, "H1", plot("when within 99: land C1"), 32).defects[0].refusal.rule == "CJD1.531"


def test_turns_towards_are_foreseen_as_if_the_others_coast():
    battle = sky("H1 h 2020 A 0\nC1 c 2515 D 20F")
    early = foresee(battle, "H1", plot("turn towards on 2"), 32)
    late = foresee(battle, "H1", plot("turn towards on 30"), 32)
    assert (early.facing, late.facing) == ("B", "F")


def test_events_as_they_are_written():
    assert event("accelerate 6 by impulse on 1") == PlotEvent(action="accelerate", amount=6, by_impulse=True, impulse=1)
    assert event("launch S1 4 to C on 2") == PlotEvent(action="launch", subject="S1", amount=4, facing="C", impulse=2)


def test_what_waits_for_a_condition_is_in_doubt_in_words():
    found = foresee(sky("H1 h 2020 A 4A\nC1 c 2010 D 0"), "H1", plot("when within 3: turn left"), 32)
    assert found.doubts == ("condition not drawn",)


@cases("window, refused")
def test_the_first_and_the_last_impulse_of_a_window_count(window: str, refused: list[tuple[int, str, int]]):
    """After thrust on 1 the next is legal on 9; on 1 itself what waits is judged before that."""
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    assert judged(battle, "H1", "accelerate 1 on 1", f"when within 5 from {window}: accelerate 1") == refused


@pytest.mark.rule("vector", "CJD1.21")
@pytest.mark.parametrize("fields", [{"warp": 3}, {"impulse": 1}, {"warp": 0, "impulse": 0}])
def test_energy_is_allocated_before_the_first_piece_alone(fields: dict[str, int]):
    battle = sky("H1 h 2020 A 4A")
    assert judged(battle, "H1", **fields) == []
    fly(battle, {}, 16)
    assert judged(battle, "H1", **fields) == [(None, "CJD1.21", 0)]


@cases("breakdown, doubts")
def test_a_breakdown_that_may_come_is_told(breakdown: int, doubts: tuple[str, ...]):
    assert foresee(sky(f"H1 h 2020 A 4A breakdown={breakdown}"), "H1", plot("het to C on 3"), 32).doubts == doubts


def test_what_waited_tells_its_captain_which_unit_came_near():
    happened = fly(sky("H1 h 2020 A 4A\nC1 c 2019 D 0"), {"H1": plot("when C1 within 1: turn left")}, 1)
    (fired,) = [one for one in happened if one.what == "fired"]
    assert (fired.other, fired.to, fired.event) == ("C1", ("h",), 0)


@pytest.mark.parametrize(
    ("first", "last", "legal"),
    [(17, 32, True), (1, 17, True), (32, 32, True), (17, 17, True), (1, 16, False), (20, 18, False)],
)
def test_condition_may_come_about_when_its_window_reaches_into_the_piece(first: int, last: int, legal: bool):
    """Impulses 1 to 16 are flown; what began to wait in them may wait on."""
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    battle.impulse = 16
    found = judged(battle, "H1", f"when within 5 from {first} to {last}: turn left")
    assert found == ([] if legal else [(0, "CJD1.32", 0)])


def test_condition_is_refused_when_its_window_begins_after_the_piece():
    battle = sky("H1 h 2020 A 4A\nC1 c 2010 D 0")
    for first, refused in ((16, []), (17, [(0, "CJD1.32", 0)])):
        assert judged(battle, "H1", f"when within 5 from {first} to 32: turn left", last=16) == refused
