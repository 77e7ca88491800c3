"""Cutler's standing orders in words: each clause, what is refused, reading back; patrols, and what ends a course."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets, watch_counters
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.parts.standing import Act, CounterOrder, RoutineOrders, StandingRecord
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import open_turn
from rules_engine.rulebooks.cutler.standing import patrols, words
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import Run, refusal_words, table_of, world


def read(text: str, *, of_side: bool = True) -> RoutineOrders:
    orders, refusals = words.read_orders(text, "standing.orders", of_side=of_side)
    assert refusals == []
    return orders


def refused(text: str, *, of_side: bool = True) -> list[str]:
    orders, refusals = words.read_orders(text, "standing.orders", of_side=of_side)
    assert orders == RoutineOrders()  # nothing is half applied
    return [str(one) for one in refusals]


@cases("text, name, value", made="value")
def test_each_clause_is_read_and_written_back_as_itself(text: str, name: str, value: object) -> None:
    assert read(text).given == {name: value}
    orders = RoutineOrders.model_validate({name: value})
    assert read(words.clause_of(name, value)) == orders
    assert read(words.say_orders(orders)) == orders


ACTS = (
    st.none()
    | st.builds(Act, what=st.sampled_from(["ask", "never"]))
    | st.builds(Act, what=st.just("do"), ratio=st.none() | st.fractions(Fraction(1, 20), 20, max_denominator=20))
)


@given(
    st.builds(
        RoutineOrders,
        cards=ACTS,
        run=ACTS,
        pursue=ACTS,
        flank=st.sampled_from([None, "ask", "never", "flank"]),
        counter=st.sampled_from(
            [None, CounterOrder(what="ask"), CounterOrder(what="do"), CounterOrder(what="do", points=1)]
        ),
        lodge=st.sampled_from([None, "ask", "course"]),
        land=st.sampled_from([None, "never", "land"]),
        challenge=st.sampled_from([None, "ask", "never"]),
        cloak=st.sampled_from([None, "ask", "stay", "show"]),
        sorties=st.sampled_from([None, "ask", "never"]),
        transfers=st.sampled_from([None, "ask", "never"]),
        details=st.sampled_from([None, "ask", "never"]),
        near=st.sampled_from([None, "ask", "go on", "hold"]),
    )
)
def test_what_is_written_and_what_is_said_are_read_as_the_same_orders(orders: RoutineOrders) -> None:
    assert (read(words.write_orders(orders)), read(words.say_orders(orders))) == (orders, orders)
    assert read(words.say_orders(orders).upper().replace("×", "x")) == orders


def test_the_example_is_what_it_says(kept: Kept) -> None:
    assert words.say_orders(read(words.EXAMPLE)) == kept()


@pytest.mark.parametrize("text", ["", "  ", "usual", "as side", "SIDE"])
def test_no_words_are_no_orders(text: str) -> None:
    assert read(text) == RoutineOrders()


@cases("text, said")
def test_what_is_not_understood_is_refused_in_a_sentence(text: str, said: str) -> None:
    assert any(said in one for one in refused(text)), refused(text)


@pytest.mark.parametrize("text", ["counter 10", "challenge never", "sorties never", "transfers never", "details never"])
def test_some_orders_are_the_races_and_no_fleets(text: str) -> None:
    read(text)
    assert "not a fleet's" in refused(text, of_side=False)[0]


@given(st.text(max_size=words.MOST_CHARACTERS))
def test_any_text_is_read_or_refused(text: str) -> None:
    orders, refusals = words.read_orders(text, "F1.orders")
    assert not refusals or orders == RoutineOrders()


def test_what_is_written_back_may_always_be_sent_again() -> None:
    figure = Fraction(999_998, 999_999)
    most = RoutineOrders(
        cards=Act(what="do", ratio=figure), run=Act(what="do", ratio=figure), pursue=Act(what="do", ratio=figure),
        flank="never", counter=CounterOrder(what="do", points=9999), lodge="ask", land="never", challenge="never",
        cloak="show", sorties="never", transfers="never", details="never", near="ask",
    )  # fmt: skip
    assert len(words.write_orders(most)) <= words.MOST_CHARACTERS
    assert read(words.write_orders(most)) == most


# --- patrols ---------------------------------------------------------------------------------------------------------
GRID = Grid(columns=11, rows=9)
QUIET = "turn 1 impulse 1\nhydran F1 0404 CA\nlyran F1 0908 CC\n"


def ordered(text: str = QUIET, **fields: str) -> CutlerState:
    """A world in which the Hydran's F1 was given these."""
    state = world(text)
    carry_out_plot(state, "hydran", plot_ask(state, "hydran").answer_from({"F1": fields}))
    assert not defects(state)
    return state


def goes_to(state: CutlerState, hex_id: str, fleet: str = "hydran/F1") -> None:
    """The fleet arrives there."""
    for key in state.fleets[fleet].units:
        state.units[key].hex = hex_id
    tidy_fleets(state)
    assert not defects(state)


@cases("text, steps, loop")
def test_a_patrol_is_read_with_its_gaps_filled_and_closed(text: str, steps: list[str], loop: list[str]) -> None:
    route = patrols.read_patrol(GRID, "0404", text, "F1.course")
    assert (route.steps, route.loop, route.refusals) == (steps, loop, [])
    again = patrols.read_patrol(GRID, "0404", patrols.write_patrol(steps, loop), "F1.course")
    assert (again.steps, again.loop) == (steps, loop)


@cases("text, said")
def test_what_is_no_patrol_is_refused(text: str, said: str) -> None:
    (refusal,) = refusal_words(plot_ask(world(QUIET), "hydran"), {"F1": {"course": text}})
    assert said in refusal


def test_a_patrol_is_flown_again_and_again_and_shown() -> None:
    state = ordered(course="loop 0404 0406")
    fleet = state.fleets["hydran/F1"]
    assert fleet.course == ["0405", "0406", "0405", "0404"]
    for _ in range(3):
        for hex_id in ("0405", "0406", "0405", "0404"):
            goes_to(state, hex_id)
    assert fleet.course == ["0405", "0406", "0405", "0404"]
    assert state.empires["hydran"].alerts == []


def test_what_stands_on_the_sheet_may_be_sent_again_as_it_stands() -> None:
    state = ordered(course="loop 0404 0406")
    goes_to(state, "0405")
    for _ in range(9):  # a form that is opened sends all its fields
        ask = plot_ask(state, "hydran")
        sheet = ask.answer_from({"F1": dict(ask.form.prefilled()["F1"])})
        before = (state.fleets["hydran/F1"].course, dict(state.standing))
        carry_out_plot(state, "hydran", sheet)
        assert (state.fleets["hydran/F1"].course, state.standing) == before
    assert ask.read_back(sheet)[0].endswith("0405 → 0406 → 0405 → 0404, again and again.")


def test_who_was_thrown_off_a_patrol_goes_back_to_its_nearest_hex() -> None:
    state = ordered(course="loop 0404 0406")
    goes_to(state, "0604")
    fleet = state.fleets["hydran/F1"]
    assert fleet.course[0] in state.grid.neighbours("0604")
    assert patrols.next_round(state.grid, "0604", ["0405", "0406", "0405", "0404"]) == fleet.course
    assert state.empires["hydran"].alerts == []


def test_next_over_another_hex_ends_the_patrol() -> None:
    state = ordered(course="loop 0404 0406")
    carry_out_plot(state, "hydran", plot_ask(state, "hydran").answer_from({"F1": {"go": "0504"}}))
    assert (state.fleets["hydran/F1"].course, state.standing) == (["0504"], {})


# --- stops ------------------------------------------------------------------------------------------------------------
def test_stops_are_read_and_written() -> None:
    stops, refusals = patrols.read_stops(GRID, "stop contact; Turn 5, at 0505", "F1.stop")
    assert (patrols.write_stops(stops), refusals) == ("contact; turn 5; at 0505", [])
    _, refusals = patrols.read_stops(GRID, "contct; at 9999; turn", "F1.stop")
    assert ["contact" in refusals[0].nearest, "no such hex" in str(refusals[1]), len(refusals)] == [True, True, 3]
    assert "“turn”: it is no stop condition" in str(refusals[2])
    assert len(patrols.read_stops(GRID, ";".join(f"turn {n}" for n in range(20)), "F1.stop")[1]) == 1


def near(state: CutlerState, hex_id: str = "0406") -> Run:
    """The Lyran comes there; then counters are looked at."""
    goes_to(state, hex_id, "lyran/F1")
    watch_counters(turn := table_of(state))
    return Run(turn, plotting_steps(turn.at("plot")))


def test_a_counter_that_comes_near_ends_a_course_and_asks() -> None:
    state = ordered(course="loop 0404 0405", stop="contact")
    run = near(state, "0405")
    assert (state.fleets["hydran/F1"].course, state.standing) == ([], {})
    (ask,) = run.asked("hydran")
    assert "F1 has stopped: a Lyran counter is at 0405" in ask.text


def test_a_course_ends_in_a_hex() -> None:
    state = ordered(course="0405 0406 0407", stop="at 0406")
    for hex_id in ("0405", "0406"):
        goes_to(state, hex_id)
        watch_counters(table_of(state))
    assert (state.fleets["hydran/F1"].course, state.empires["hydran"].alerts) == ([], ["F1 has stopped: it is in 0406"])


def test_a_course_ends_with_a_turn_before_its_sheet() -> None:
    state = ordered(course="loop 0404 0405", stop="turn 2")
    open_turn(turn := table_of(state))
    assert (state.turn, state.fleets["hydran/F1"].course, state.standing) == (2, [], {})
    run = Run(turn, plotting_steps(turn.at("plot")))
    assert "F1 holds in 0404: turn 2 has come." in run.texts("hydran")
    assert "F1" not in run.texts("lyran")


# --- when something is near -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("orders", "asked"), [({}, 1), ({"orders": "go on"}, 0)])
def test_a_counter_near_a_fleet_asks_without_orders_to_go_on(orders: dict[str, str], asked: int) -> None:
    state = ordered(course="0403", **orders)
    assert (len(near(state).asked("hydran")), state.fleets["hydran/F1"].course) == (asked, ["0403"])


def test_who_holds_is_told_and_not_asked() -> None:
    state = ordered(course="loop 0404 0403", orders="hold")
    run = near(state)
    assert run.asked("hydran") == []
    assert state.fleets["hydran/F1"].course == []
    (told,) = run.told("hydran", "doctrine")
    assert told.text == "F1 holds in 0404: a Lyran counter is at 0406."
    assert told.why is not None
    assert told.why.inputs == (("F1's standing orders", "“hold”"),)
    assert state.standing["hydran/F1"].orders.near == "hold"  # what it does the next time


def test_one_fleet_that_asks_is_enough_and_a_fleets_order_comes_before_its_races() -> None:
    text = QUIET + "hydran F2 0503 DD\n"
    state = world(text)
    sheet = {"standing": {"orders": "go on"}, "F2": {"orders": "ask plots"}}
    carry_out_plot(state, "hydran", plot_ask(state, "hydran").answer_from(sheet))
    (ask,) = near(state, "0504").asked("hydran")
    assert "a Lyran counter is at 0504" in ask.text
    state = world(text)
    sheet = {"standing": {"orders": "ask plots"}, "F1": {"orders": "go on"}, "F2": {"orders": "go on"}}
    carry_out_plot(state, "hydran", plot_ask(state, "hydran").answer_from(sheet))
    assert near(state, "0504").asked("hydran") == []


def test_orders_of_fleets_that_are_no_more_are_forgotten() -> None:
    state = ordered(orders="go on")
    assert "hydran/F1" in state.standing
    state.units["hydran-F1-CA"].destroyed = True
    tidy_fleets(state)
    assert state.standing == {}


def test_a_part_that_splits_off_keeps_the_orders_and_not_the_patrol() -> None:
    state = ordered("turn 1 impulse 1\nhydran F1 0404 CA+DD\n", course="loop 0404 0406", orders="run never")
    state.units["hydran-F1-CA"].hex = "0405"
    tidy_fleets(state)
    assert state.standing["hydran/F1"].loop
    assert state.fleets["hydran/F1"].units == ["hydran-F1-CA"]
    assert state.standing["hydran/F2"].loop == []
    assert state.standing["hydran/F2"].orders == state.standing["hydran/F1"].orders


NOTATION = {"RoutineOrders": RoutineOrders, "StandingRecord": StandingRecord}


@cases("key, record, said", "")
def test_what_can_never_be_true_of_standing_orders_is_found(key: str, record: StandingRecord, said: str) -> None:
    state = world(QUIET)
    state.standing[key] = evaluated(record, NOTATION)
    assert defects(state) == [said]
