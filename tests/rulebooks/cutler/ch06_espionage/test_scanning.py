"""Chapter 8: ships with special sensors scan the hexes beside them, by standing orders."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot, plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.scanning import planned_scans, scan_limit, scanning_phase
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from tests.rulebooks.cutler.worlds import refusals, table_of, world

TEXT = "turn 1 impulse 2\nhydran F1 0404 SC+DD\nlyran F1 0405 CC+FF\nlyran police 0406\nklingon F1 0708 SC"


def scan(*hexes, dice=None, text=TEXT):
    state = world(text)
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"scan": " ".join(hexes)}}))
    turn = table_of(state, dice)
    scanning_phase(turn)
    return turn


def told(table, side):
    return "\n".join(one.text for one in table.shared.reports if one.is_for(side))


@pytest.mark.rule("cutler", "8.3.2", "8.4", "8.4.1")
@pytest.mark.parametrize(("distance", "limit"), [(0, 3), (1, 3), (2, 1), (3, 0)])
def test_reach_and_chance(distance, limit):
    assert scan_limit(distance) == limit


@pytest.mark.rule("cutler", "8.0", "8.1", "8.3", "8.3.2")
def test_one_hex_for_each_sensor_of_a_scout_and_none_for_others():
    state = world(TEXT)
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"F1": {"scan": "0405 0403"}}) == []
    assert refusals(ask, {"F1": {"scan": "0405 0403 0304"}}) == [("F1.scan", "8.3.2")]
    assert refusals(ask, {"F1": {"scan": "0499"}}) == [("F1.scan", "")]
    assert refusals(plot_ask(state, "lyran"), {"F1": {"scan": "0404"}}) == [("F1.scan", "8.3.2")]


@pytest.mark.rule("cutler", "8.3.2")
def test_one_hex_is_not_said_to_be_many():
    state = world("turn 1 impulse 1\nhydran F1 0404 SC+CA")
    state.units["hydran-F1-SC"].special_sensors_ok = 1
    ask = plot_ask(state, "hydran")
    (scan,) = [field for field in ask.form.line("F1").fields if field.key == "scan"]
    assert scan.help == "Up to 1 hex; next door, or two away at long range"
    with pytest.raises(Refused) as caught:
        ask.answer_from({"F1": {"scan": "0405 0403"}})
    problem = "F1.scan: 2 hexes for 1 special sensor (8.3.2). Legal: at most 1 hex."
    assert str(caught.value) == problem


@pytest.mark.rule("cutler", "8.2", "8.4")
@pytest.mark.parametrize(("die", "found"), [(3, True), (4, False)])
def test_a_scan_succeeds_on_three_and_shows_the_whole_hex(die, found):
    table = scan("0405", dice={"scan of 0405": [die]})
    assert ("2 Lyran units (size 3: CC; size 4: FF)" in told(table, "hydran")) is found
    assert bool(table.knowledge("hydran").contacts) is found
    assert ("shows nothing" in told(table, "hydran")) is not found


@pytest.mark.rule("cutler", "8.4.1")
@pytest.mark.parametrize(("die", "found"), [(1, True), (2, False)])
def test_a_long_range_scan_succeeds_on_one(die, found):
    table = scan("0406", dice={"scan of 0406": [die]})
    assert ("1 Lyran unit (size 4: police)" in told(table, "hydran")) is found


@pytest.mark.rule("cutler", "8.5", "8.9")
def test_empty_hexes_may_be_scanned_and_hidden_units_turn_up():
    table = scan("0403", "0406", dice={"scan of": [2, 1]})
    assert "succeeds: nobody is there" in told(table, "hydran")
    assert "police" in told(table, "hydran")


@pytest.mark.rule("cutler", "8.7")
def test_others_see_race_hex_and_die_only():
    tables = {die: scan("0405", dice={"scan of 0405": [die]}) for die in (2, 5)}
    for die, table in tables.items():
        assert told(table, "lyran") == told(table, "klingon") == f"Hydran scan of 0405: {die}."
        public = next(one for one in table.shared.reports if one.is_public())
        assert public.why.inputs == ()


@pytest.mark.rule("cutler", "8.7")
def test_range_is_not_let_out():
    near, far = (
        scan("0405", dice={"scan of": [5]}),
        scan("0405", dice={"scan of": [5]}, text=TEXT.replace("0404", "0403")),
    )
    assert told(near, "lyran") == told(far, "lyran")


@pytest.mark.rule("cutler", "8.8")
def test_scans_go_in_die_roll_order_and_hexes_may_be_scanned_twice():
    state = world(TEXT)
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"scan": "0405 0405"}}))
    carry_out_plot(state, "klingon", FleetPlots.model_validate({"F1": {"scan": "0707"}}))
    turn = table_of(state, {"scanning order, Hydran": [2], "scanning order, Klingon": [5], "scan of": [4, 4, 4]})
    scanning_phase(turn)
    public = [one.text for one in turn.shared.reports if one.is_public()]
    assert public == [
        "Scanning order: Klingon, Hydran.",
        "Klingon scan of 0707: 4.",
        "Hydran scan of 0405: 4.",
        "Hydran scan of 0405: 4.",
    ]


def test_hexes_out_of_reach_are_left_out():
    state = world(TEXT)
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"scan": "0405 0908"}}))
    assert planned_scans(state, state.fleet("hydran", "F1")) == [("0405", 3)]
    assert any("too far" in line for line in plot_ask(state, "hydran").warn(FleetPlots()))
