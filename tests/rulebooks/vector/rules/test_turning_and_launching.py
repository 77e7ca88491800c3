"""Turns, high energy turns and tumbling, launched units and landing. CJD1.41 to CJD1.44, CJD1.53"""

from typing import Any

import pytest

from rules_engine.rulebooks.vector.ch4_turning.high_energy import breaks_down, recover
from rules_engine.rulebooks.vector.ch4_turning.turns import sixths_to, turn
from rules_engine.rulebooks.vector.records.plots import PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink
from rules_engine.rulebooks.vector.tables.figures import TURN_INTERVALS
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from rules_engine.rulebooks.vector.tracker.towing import release
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import three
from tests.rulebooks.vector.plotting.sheets import asked, read_back, refused
from tests.rulebooks.vector.skies import (
    Step,
    after,
    comes_to,
    flown,
    fly,
    judged,
    plot,
    sky,
    unit,
    ways,
    what,
)  # fmt: skip


@cases("mode, interval")
def test_the_interval_of_each_turn_mode(mode: str, interval: int):
    battle = sky(f"H1 h 2020 A 0 turn_mode={mode}")
    assert judged(battle, "H1", "turn left on 5", f"turn right on {5 + interval}") == []
    early = judged(battle, "H1", "turn left on 5", f"turn right on {4 + interval}")
    assert early == [(1, "CJD1.42-rate-of-turn", 5 + interval)]


@pytest.mark.rule("vector", "CJD1.42-rate-of-turn")
def test_the_table_has_all_eleven():
    assert len(TURN_INTERVALS) == 11


@cases("case, proves, units, steps, plots", "")
def test_what_turns_launches_and_landings_cost_and_which_are_refused(
    units: str, steps: list[Step], plots: dict[str, Any]
):
    battle, _ = flown(units, steps)
    assert comes_to(battle, plots) == plots


@cases("case, proves, units, steps, holds", "")
def test_what_turns_launches_and_landings_bring_about(units: str, steps: list[Step], holds: dict[str, Any]):
    assert after(units, steps, holds) == holds


@pytest.mark.rule("vector", "CJD1.42-no-effect-on-movement")
def test_turning_changes_nothing_about_movement():
    battle = sky("H1 h 2020 C 3B+5C")
    turning = fly(battle, {"H1": plot("turn left on 5", "turn left on 12", "turn left on 19")})
    coasting = fly(sky("H1 h 2020 C 3B+5C"))
    assert ways(turning, "H1") == ways(coasting, "H1")
    ship = battle.units["H1"]
    assert (ship.facing, ship.vector.says, ship.count_from) == ("F", "3B+5C", 0)


@cases("facing, target, towards, away")
def test_which_turn_brings_a_hex_nearer(facing: str, target: str, towards: int, away: int):
    ship = unit(f"H1 h 2020 {facing} 0")
    assert (sixths_to(ship, [target], away=False), sixths_to(ship, [target], away=True)) == (towards, away)


@pytest.mark.rule("vector", "CJD1.41")
def test_turns_towards_and_away():
    battle = sky("H1 h 2020 A 0\nC1 c 2525 D 0\nC2 c 1220 D 0")
    happened = fly(battle, {"H1": plot("turn towards on 1", "turn away on 8", "turn towards C2 on 15")})
    assert [one.facing for one in happened if one.what == "turned"] == ["B", "A", "F"]
    (kept,) = fly(sky("H1 h 2020 A 0\nC1 c 2010 D 0"), {"H1": plot("turn towards on 1")}, 1)
    assert (kept.what, kept.to) == ("kept", ("h",))


def test_nobody_turns_without_paying():
    ship = unit("H1 h 2020 A 0")
    with pytest.raises(ValueError, match="takes 1 point of"):
        turn(ship, 1, 1)
    assert ship.facing == "A"


# --- high energy -----------------------------------------------------------------------------------------------------
TUMBLING = "H1 h 2020 A 8B tumbling=True tumbles_until=17 tumbles_to=right"


@pytest.mark.rule("vector", "CJD1.43")
def test_it_turns_to_any_facing_and_leaves_vector_and_interval():
    battle = sky("H1 h 2020 A 8B breakdown=5")
    happened = fly(battle, {"H1": plot("turn left on 1", "het to C on 2", "turn left on 8")}, 32, 4)
    assert what(happened) == [(1, "H1", "turned"), (2, "H1", "high energy turn"), (8, "H1", "turned")]
    ship = battle.units["H1"]
    assert (ship.facing, ship.vector.says, ship.hets, ship.warp_used) == ("B", "8B", 1, 2)
    assert (happened[1].dice[0].total, happened[1].to) == (4, ())


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(("breakdown", "breaks"), [(2, [2, 3, 4, 5, 6]), (5, [5, 6]), (6, [6]), (7, [])])
def test_it_may_break_down(breakdown: int, breaks: list[int]):
    ship = unit(f"H1 h 2020 A 0 breakdown={breakdown}")
    assert [rolled for rolled in range(1, 7) if breaks_down(ship, rolled)] == breaks


@pytest.mark.rule("vector", "CJD1.43", "CJD1.431")
def test_a_ship_that_breaks_down_keeps_its_vector_and_tumbles_until_it_is_over(kept: Kept):
    battle = sky("H1 h 2020 A 8B")
    happened = fly(battle, {"H1": plot("het to C on 2", "turn left on 17", "turn left on 18")}, 32, 5, 4)
    assert [(one.impulse, one.what, one.facing) for one in happened if one.what != "moved"] == kept()
    assert ways(happened, "H1") == "BBBBBBBB"
    refused = next(one for one in happened if one.what == "refused")
    assert (refused.rule, refused.legal_on, refused.to) == ("CJD1.431", 18, ("h",))
    assert [one.total for one in happened[0].dice] == [5, 4]


@pytest.mark.rule("vector", "CJD1.431")
def test_a_captain_may_recover_by_report():
    battle = sky(TUMBLING)
    recover(battle.units["H1"])
    assert (judged(battle, "H1", "turn left on 3"), what(fly(battle))) == ([], [])


@pytest.mark.rule("vector", "CJD1.43")
def test_what_is_foreseen_does_not_break_down_but_says_that_it_may():
    found = foresee(sky("H1 h 2020 A 8B"), "H1", plot("het to C on 2"), 32)
    assert (found.facing, found.doubts) == ("C", ("impulse 2: it breaks down on a D6 of 5 or more",))
    assert foresee(sky("H1 h 2020 A 8B breakdown=7"), "H1", plot("het to C on 2"), 32).doubts == ()


@cases("figures, energy, left, refused")
def test_its_energy_is_taken_from_what_accelerations_are_paid_with(
    figures: str, energy: int | None, left: tuple[int, int], refused: bool
):
    battle = sky(f"H1 h 2020 A 8B breakdown=7 {figures}")
    turn = UnitPlot(events=(PlotEvent(action="het", impulse=2, facing="C", energy=energy),))
    assert [one.refusal.rule for one in foresee(battle, "H1", turn, 32).defects] == (["CJD1.43"] if refused else [])
    fly(battle, {"H1": turn}, 32, 1)
    ship = battle.units["H1"]
    assert (ship.facing, ship.hets) == (("A", 0) if refused else ("C", 1))
    assert (ship.warp_left, ship.impulse_left) == left
    assert ship.warp_used == 0
    assert ship.half_left == (5 if "PF" in figures else 0)


@pytest.mark.rule("vector", "CJD1.3x", "CJD1.43")
def test_emergency_stop_leaves_the_energy_of_high_energy_turns_that_are_plotted():
    """Of 30+1 points the first turn takes 3, and 12 are kept for those to come: 15 and 1 go to the shields."""
    battle = sky("H1 h 2020 A 8B breakdown=7")
    turn = UnitPlot(
        events=(
            PlotEvent(action="het", impulse=2, facing="B", energy=3), PlotEvent(action="stop", impulse=3),
            PlotEvent(action="het", impulse=4, facing="C"), PlotEvent(action="het", impulse=5, facing="D", energy=7),
            PlotEvent(action="het", impulse=6, facing="E", energy=0),
        )
    )  # fmt: skip
    assert [one.amount for one in fly(battle, {"H1": turn}, 32, 1, 1, 1, 1) if one.what == "stopped"] == [16]
    assert (battle.units["H1"].facing, battle.units["H1"].warp_left, battle.units["H1"].impulse_left) == ("E", 0, 0)


@cases("text, typed, bill", "")
def test_its_energy_is_entered_on_the_line_that_orders_it(text: str, typed: str, bill: str):
    said = read_back(three(), f"H1: {text}")
    assert said[0] == f"H1: {typed}"
    paid = f" for {bill}" if bill else ""
    assert any(f"on 9: {typed.partition(' on ')[0]}{paid}: vector 6A, faces E" in one for one in said)
    assert read_back(three(), said[0]) == said


@cases("text, problem", "")
def test_energy_that_cannot_be_is_refused(text: str, problem: str):
    assert any(problem in one for one in refused(three(), text))


@pytest.mark.rule("vector", "CJD1.43")
def test_field_for_it_stands_on_the_lines_of_units_that_can_turn_so():
    form, _ = asked(three(), "")
    keys = {line.key: [field.label for field in line.fields] for line in form.form.lines}
    assert keys["H1"] == ["Thrust", "Turn", "Plot", "Report", "Energy for it"]
    small = three()
    small.units["H2"].figures = small.units["H2"].figures.with_values(size_class=6)
    form, _ = asked(small, "")
    assert [field.label for line in form.form.lines if line.key == "H2" for field in line.fields] == [
        "Thrust", "Turn", "Plot", "Report",
    ]  # fmt: skip


# --- launching -------------------------------------------------------------------------------------------------------
CARRIER = "H1 h 2020 A 6A"
SHUTTLE = "S1 h 0101 A 0 aboard=H1 form=shuttle size_class=6 rated_speed=7 turn_mode=shuttle nimble=True"
PF = "P1 h 0101 A 0 aboard=H1 form=PF size_class=5 rated_speed=16 turn_mode=A nimble=True"
DRONE = "D1 h 0101 A 0 aboard=H1 form=drone size_class=7 rated_speed=20 turn_mode=drone"
LINES = "\n".join((CARRIER, SHUTTLE, PF, DRONE, "C1 c 3030 A 0"))


@pytest.mark.rule("vector", "CJD1.53")
def test_what_is_launched_has_the_carriers_vector_and_up_to_half_its_speed_in_any_direction():
    battle = sky(LINES)
    assert [one.id for one in battle.present()] == ["C1", "H1"]
    happened = fly(battle, {"H1": plot("launch D1 10 to C on 6", "launch S1 on 6")}, 6)
    assert what(happened) == [(6, "D1", "launched"), (6, "S1", "launched")]
    drone, shuttle = battle.units["D1"], battle.units["S1"]
    # launched where the carrier is before it moves on impulse 6: in 2020
    assert (drone.vector.says, drone.facing, drone.half_left, drone.launched_from) == ("6B+4C", "C", 0, "H1")
    assert (shuttle.vector.says, shuttle.facing, shuttle.half_left) == ("6A", "A", 3)
    assert happened[[one.what for one in happened].index("launched")].hex == "2020"
    assert [one.id for one in battle.present()] == ["C1", "D1", "H1", "S1"]
    assert shuttle.at == battle.units["H1"].at


@pytest.mark.rule("vector", "CJD1.53")
def test_the_others_learn_of_it_once_it_happens():
    happened = fly(sky(LINES), {"H1": plot("launch S1 2 to F on 6")}, 6)
    launched = next(one for one in happened if one.what == "launched")
    assert (launched.to, launched.other, launched.amount, launched.way) == ((), "H1", 2, "F")
    assert not [one for one in happened if one.unit == "S1" and one.impulse < 6]


# --- landing ---------------------------------------------------------------------------------------------------------
HOST = "H1 h 2020 A 6A"


def shuttle(at: str, facing: str, vector: str, **more: object) -> str:
    """A shuttle's line."""
    rest = " ".join(f"{name}={value}" for name, value in more.items())
    return f"S1 h {at} {facing} {vector} form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle {rest}"


@pytest.mark.rule("vector", "CJD1.531")
def test_who_has_landed_is_present_no_more():
    battle = sky(f"{HOST}\n{shuttle('2020', 'D', '6A')}")
    assert what(fly(battle, {"S1": plot("land H1 on 1")}, 32)) == [(1, "S1", "landed")]
    assert [one.id for one in battle.present()] == ["H1"]
    assert judged(battle, "S1", "turn left on 32") == [(None, "CJD1.0", 0)]


@cases("at, facing, flies, refused")
def test_or_one_acceleration_away_in_the_segment_of_landing(at: str, facing: str, flies: str, refused: list[str]):
    battle = sky(f"{HOST}\n{shuttle(at, facing, flies)}")
    assert [one.refusal.rule for one in foresee(battle, "S1", plot("land H1 on 1"), 32).defects] == refused
    happened = fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert bool(battle.units["S1"].out) is not bool(refused)
    if not refused:
        assert what(happened) == [(1, "S1", "accelerated"), (1, "S1", "landed")]
        assert battle.units["S1"].vector.says == "6A"


@pytest.mark.rule("vector", "CJD1.531")
def test_a_shuttle_lands_on_an_ally():
    allied = sky(f"{HOST}\nC1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}")
    allied.allies = [["h", "c"]]
    assert judged(allied, "S1", "land C1 on 1") == []


@pytest.mark.rule("vector", "CJD1.531")
def test_later_landings_are_in_doubt_for_the_host_may_do_otherwise(kept: Kept):
    battle = sky(f"{HOST}\n{shuttle('2018', 'A', '6A')}")
    found = foresee(battle, "S1", plot("land H1 on 20"), 32)
    assert found.defects == ()
    assert found.doubts[0].startswith("impulse 20: if H1 coasts, it does not land (H1 is in 2017")
    assert judged(battle, "S1", "when H1 within 0: land H1") == []
    assert judged(battle, "S1", "when H1 within 0: land X1") == [(0, "CJD1.531", 0)]
    happened = fly(battle, {"S1": plot("land H1 on 20")})
    assert [(one.what, one.rule, one.to) for one in happened if one.what != "moved"] == kept()


def held(battle: Tactical, *, one: str, other: str, controller: str) -> Tactical:
    """A battle in which a unit holds another in a tractor."""
    battle.tractors.append(TractorLink(one=one, other=other, power={one: 2, other: 1}, controller=controller))
    return battle


@cases("one, other, controller, refused")
def test_shuttle_that_is_held_or_controlled_does_nothing_by_its_own_energy(
    one: str, other: str, controller: str, refused: bool
):
    lines = f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"
    for orders in ("land H1 on 1", "accelerate 1 on 1", "reverse 1 on 1", "stop on 1"):
        battle = held(sky(lines), one=one, other=other, controller=controller)
        assert bool(judged(battle, "S1", orders)) is refused
        happened = fly(battle, {"S1": plot(orders)}, 1)
        said = [(happening.rule, happening.to) for happening in happened if happening.what == "refused"]
        assert said == ([("CJD1.551", ("h",))] if refused else [])
        if refused:
            ship = battle.units["S1"]
            assert (ship.out, ship.vector.says, ship.half_left, ship.no_thrust_until) == ("", "6A", 3, 0)
            assert battle.link_of("S1") is not None


@pytest.mark.rule("vector", "CJD1.551")
def test_held_shuttle_turns_since_that_takes_no_energy():
    battle = held(sky(f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"), one="R1", other="S1", controller="R1")
    fly(battle, {"S1": plot("turn left on 1")}, 1)
    assert battle.units["S1"].facing == "F"


@pytest.mark.rule("vector", "CJD1.551", "CJD1.531")
def test_held_shuttle_does_not_land_later_or_on_a_condition_either():
    battle = held(sky(f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"), one="R1", other="S1", controller="R1")
    assert judged(battle, "S1", "land H1 on 20") == [(0, "CJD1.551", 0)]
    assert judged(battle, "S1", "when H1 within 0: land H1") == [(0, "CJD1.551", 0)]
    fly(battle, {"S1": plot("when H1 within 0: land H1")})
    assert battle.units["S1"].out == ""


@pytest.mark.rule("vector", "CJD1.551", "CJD1.531")
def test_shuttle_lands_when_it_was_let_go():
    battle = held(sky(f"{HOST}\nR1 c 2020 A 6A\n{shuttle('2020', 'A', '6A')}"), one="R1", other="S1", controller="R1")
    release(battle, "S1")
    fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert battle.units["S1"].out == "landed"


@pytest.mark.rule("vector", "CJD1.531")
@pytest.mark.parametrize(("controller", "refused"), [("P1", False), ("R1", True)])
def test_pf_does_not_land_when_another_controls_how_it_moves(controller: str, refused: bool):
    lines = f"{HOST}\nR1 c 2020 A 6A\nP1 h 2020 A 6A form=PF size_class=5 turn_mode=A rated_speed=20"
    battle = held(sky(lines), one="R1", other="P1", controller=controller)
    assert judged(battle, "P1", "land H1 on 1") == ([(0, "CJD1.551", 0)] if refused else [])


@pytest.mark.rule("vector", "CJD1.55", "CJD1.531")
def test_lander_pays_for_what_it_tows_in_its_last_acceleration():
    """Both cost 1, so each hex takes 2: the host flies 1 faster, and of 3 left 1 remains."""
    battle = held(sky(f"{HOST}\nR1 c 2020 A 5A\n{shuttle('2020', 'A', '5A')}"), one="S1", other="R1", controller="S1")
    fly(battle, {"S1": plot("land H1 on 1")}, 1)
    assert (battle.units["S1"].out, battle.units["S1"].vector.says) == ("landed", "6A")
    assert (battle.units["R1"].vector.says, battle.units["R1"].accelerated_on, battle.tractors) == ("6A", 1, [])
