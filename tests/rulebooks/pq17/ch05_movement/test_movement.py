"""Chapter 5: movement, speeds and postures, tugs with their pods, and what is refused."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple, new_unit, place_units
from rules_engine.rulebooks.pq17.ch05_movement import movement, ship_figures, speeds
from rules_engine.rulebooks.pq17.ch05_movement.speeds import fastest, practical_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, fill, hex_cost
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, PlanSheet
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed, fastest_under_warp, moves_on, warship_category
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign
from tests.rulebooks.pq17.worlds.notation import notation, ship_class, table, world

F = Fraction


@pytest.mark.rule("pq17", "T1", "5.1.5")
@cases("practical, speed")
def test_practical_speed_bands(practical: int, speed: str) -> None:
    assert fastest_under_warp(practical).value == speed


@pytest.mark.rule("pq17", "T2", "5.3.3")
@cases("speed, impulses")
def test_the_impulse_chart(speed: str, impulses: list[int]) -> None:
    assert [impulse for impulse in (1, 2, 3) if moves_on(Speed[speed], impulse)] == impulses


@pytest.mark.rule("pq17", "T1", "T2")
@pytest.mark.parametrize("speed", [Speed.WARP_CRAWL, Speed.IMPULSE_CRAWL])
def test_a_crawl_moves_on_impulse_two_of_every_second_turn_of_crawling(speed: Speed) -> None:
    moved = [(turns, impulse) for turns in range(5) for impulse in (1, 2, 3) if moves_on(speed, impulse, turns)]
    assert moved == [(2, 2), (4, 2)]


@pytest.mark.rule("pq17", "T8", "1.4.3")
@cases("cost, category")
def test_categories_by_movement_cost(cost: str, category: str) -> None:
    assert warship_category(F(cost)) == category


# --- maximum speeds ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "1.6.3.1", "5.1.2", "5.1.5")
@cases("units, speed", "")
def test_a_task_force_is_as_fast_as_its_slowest_ship(units: str, speed: str) -> None:
    state = world(f"A1 0405 {units}")
    assert speeds.max_speed(state, state.task_forces["A1"]) is Speed[speed]


@pytest.mark.rule("pq17", "5.1.5", "6.3.4.3.1", "7.2.3")
@cases("units, fastest, last, counted", "")
def test_without_fuel_no_warp_speed_is_chosen_but_searches_and_shadowing_count_what_the_ships_can_do(
    units: str, fastest: str, last: str, counted: str
) -> None:
    state = world(f"A1 0405 {units}")
    tf = state.task_forces["A1"]
    assert (speeds.fastest(state, tf), speeds.speeds(state, tf)[-1]) == (Speed[fastest], Speed[last])
    assert speeds.max_speed(state, tf) is speeds.speeds(state, tf, fuel_matters=False)[-1] is Speed[counted]


@pytest.mark.rule("pq17", "5.1.4", "6.3.4.3.1")
def test_little_fuel_limits_the_plot_but_not_the_maximum_that_searches_count() -> None:
    state = world("A1 0405 CA[fuel=1]")
    tf = state.task_forces["A1"]
    assert speeds.max_speed(state, tf) is Speed.SPRINT
    assert speeds.affordable(state, tf)[-1] is Speed.EFFICIENT  # 1/4 a turn; a cruise would need 2


@pytest.mark.rule("pq17", "5.2.3.1", "5.2.3.2", "5.2.3.4", "6.3.4.3.2")
@cases("line, speed", "")
def test_posture_caps_the_maximum(line: str, speed: str) -> None:
    state = world(line)
    (tf,) = state.all_task_forces()
    assert speeds.max_speed(state, tf) is Speed[speed]


@pytest.mark.rule("pq17", "5.2.3.5", "5.5.7", "5.5.5", "5.5.6", "5.5.3")
def test_in_port_the_plotted_speed_is_the_maximum_and_three_cannot_be_plotted() -> None:
    state = world("A9 0402 BATS base Haven known\nA1 0402 CA speed 1 port A9")
    tf = state.task_forces["A1"]
    assert speeds.max_speed(state, tf) is Speed.EFFICIENT
    assert speeds.speeds(state, tf)[-1] is Speed.CRUISE
    state.set_port(tf, "")
    assert speeds.max_speed(state, tf) is Speed.SPRINT


@pytest.mark.rule("pq17", "5.5.6", "5.2.3.5")
def test_logistics_in_port_needs_station_keeping() -> None:
    state = world("A9 0402 BATS base Haven known\nA1 0402 CA logistics port A9")
    assert speeds.speeds(state, state.task_forces["A1"]) == [Speed.STATION]


@pytest.mark.rule("pq17", "5.4.1", "5.4.5")
def test_a_tow_brings_a_slow_ship_along() -> None:
    """A DD of 4 warp boxes alone: 8, a crawl. With a CA: (30 + 4) / (3/2) = 22, a cruise; engines off 30 / 1.5 = 20."""
    state = world("A1 0405 CA+DD[warp=4,fuel=4]")
    tf = state.task_forces["A1"]
    assert speeds.max_speed(state, tf).rate == F(1, 2)
    tf.tows = [forces.TowGroup(tower="A1.CA", towed=["A1.DD"])]
    assert speeds.towed_speed(state, tf.tows[0]) == 22
    assert speeds.max_speed(state, tf) is Speed.CRUISE
    tf.tows[0].engines_off = ["A1.DD"]
    assert speeds.towed_speed(state, tf.tows[0]) == 20


@pytest.mark.rule("pq17", "5.4.6")
def test_impulse_power_tows_at_a_crawl() -> None:
    state = world("A1 0405 HK+DD[warp=0,awr=0,fuel=0,impulse=0]")
    tf = state.task_forces["A1"]
    assert speeds.max_speed(state, tf) is Speed.STATION
    tf.tows = [forces.TowGroup(tower="A1.HK", towed=["A1.DD"])]
    assert speeds.max_speed(state, tf) is Speed.IMPULSE_CRAWL


@pytest.mark.rule("pq17", "5.1.6")
@pytest.mark.parametrize("ships", ["CA", "CA+DD[warp=4]", "CA[warp=0]+DD", "CA[impulse=0]+DD", "DD[warp=0,impulse=0]"])
@pytest.mark.parametrize("where", ["", "logistics", "port A9", "logistics port A9"])
def test_a_force_keeps_just_those_speeds_that_could_be_plotted_with_fuel(ships: str, where: str) -> None:
    state = world(f"A9 0402 BATS base Haven known\nA1 0402 {ships} {where}")
    force = state.task_forces["A1"]
    allowed = speeds.speeds(state, force, fuel_matters=False)
    for force.speed in Speed:
        assert speeds.can_keep_speed(state, force) == (force.speed in allowed), force.speed


@pytest.mark.rule("pq17", "5.1.1")
def test_station_keeping_and_both_crawls_may_be_plotted() -> None:
    state = world("A1 0405 CA")
    assert speeds.speeds(state, state.task_forces["A1"]) == list(Speed)


@pytest.mark.rule("pq17", "7.3.1", "7.3.2")
def test_a_shadower_goes_at_its_targets_speed_and_has_its_points() -> None:
    state = world("A1 0405 CA speed 2\nC1 0405 CA speed 3 shadows A1\nturn 1 impulse 2")
    shadower = state.task_forces["C1"]
    assert movement.current_speed(state, shadower) is Speed.CRUISE
    assert not movement.has_point(state, shadower)  # speed 2 has no point on impulse 2
    state.impulse = 3
    assert movement.has_point(state, shadower)


# --- speed changes ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "T1", "5.1.6")
def test_crawl_turns_are_counted_and_lost_with_any_other_speed() -> None:
    state = world("A1 0405 CA speed WC crawl 1")
    tf = state.task_forces["A1"]
    speeds.count_crawls(state)
    assert movement.crawl_turns(state, tf) == 2
    speeds.set_speed(state, tf, Speed.IMPULSE_CRAWL)  # another way to crawl is still crawling
    assert movement.crawl_turns(state, tf) == 2
    speeds.set_speed(state, tf, Speed.EFFICIENT)
    assert movement.crawl_turns(state, tf) == 0
    speeds.count_crawls(state)
    assert movement.crawl_turns(state, tf) == 0


@pytest.mark.rule("pq17", "8.5.7.2.5")
def test_a_speed_chosen_after_combat_counts_from_the_next_impulse() -> None:
    state = world("A1 0405 CA speed 1\nturn 1 impulse 2 half A")
    tf = state.task_forces["A1"]
    tf.next_speed = Speed.SPRINT
    assert movement.current_speed(state, tf) is Speed.EFFICIENT
    speeds.take_new_speeds(state)
    assert (movement.current_speed(state, tf), tf.next_speed) == (Speed.SPRINT, None)


@pytest.mark.rule("pq17", "9.5", "5.4.7.3.1")
def test_short_of_fuel_the_lower_speeds_that_one_hex_can_be_paid_at_remain() -> None:
    state = world("A1 0405 CA[fuel=1/4] speed 2\nturn 1 impulse 3 half A")
    lower = speeds.lower_speeds(state, state.task_forces["A1"])
    assert lower == [Speed.EFFICIENT, Speed.IMPULSE_CRAWL, Speed.WARP_CRAWL, Speed.STATION]


# --- plots and moves --------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "5.3.2", "5.3.4", "5.5.2")
def test_a_point_may_be_spent_in_place_in_port_or_in_a_neighbouring_hex() -> None:
    """Odd rows: neighbours of 0505 are 0504, 0506, 0404, 0405, 0604, 0605 (ruling MAP-4)."""
    state = world("A1 0505 CA speed 2\nA9 0505 BATS base Haven")
    found = movement.destinations(state, state.task_forces["A1"])
    assert found == ["stay", "port", "0404", "0405", "0504", "0506", "0604", "0605"]


@pytest.mark.rule("pq17", "5.5.4")
def test_nobody_enters_port_at_sprint() -> None:
    state = world("A1 0505 CA speed 3\nA9 0505 BATS base Haven")
    assert "port" not in movement.destinations(state, state.task_forces["A1"])


@pytest.mark.rule("pq17", "5.5.3", "1.6.7.3.2")
def test_leaving_port_takes_a_point_and_the_hex_another() -> None:
    state = world("A9 0402 BATS base Haven\nA1 0402 CA speed 2 port A9 plot port\nturn 1 impulse 1 half A")
    tf = state.task_forces["A1"]
    assert movement.destinations(state, tf) == ["stay", "port"]
    movement.move(state, "alliance")
    assert (tf.in_port, tf.hex, tf.speed) == ("", "0402", Speed.CRUISE)


@pytest.mark.rule("pq17", "5.5.2", "1.6.7.3.1", "5.1.6", "5.2.4")
def test_entering_port_stops_the_task_force_for_the_turn() -> None:
    state = world("A9 0402 BATS base Haven\nA1 0402 CA speed 2 passive plot port\nturn 1 impulse 1 half A")
    tf = state.task_forces["A1"]
    movement.move(state, "alliance")
    assert (tf.in_port, tf.speed, tf.posture.active) == ("A9", Speed.STATION, False)
    state.impulse = 3
    assert not movement.has_point(state, tf)


@pytest.mark.rule("pq17", "5.3.1", "5.6.1", "5.6.3", "7.3.2")
def test_a_side_moves_at_once_and_takes_its_shadowers_and_theirs_along() -> None:
    state = world(
        """
        A1 0405 CA speed 2 plot 0406
        A2 0505 DD speed 2 plot 0405
        C1 0405 CA speed 2 shadows A1
        A3 0405 FF speed 2 shadows C1
        C2 0405 DD speed 2 plot 0404
        turn 1 impulse 1 half A
        """
    )
    assert [tf.id for tf in movement.move(state, "alliance")] == ["A1", "A3", "C1", "A2"]
    assert {tf.id: tf.hex for tf in state.all_task_forces()} == {
        "A1": "0406", "A2": "0405", "A3": "0406", "C1": "0406", "C2": "0405",
    }  # fmt: skip
    assert state.task_forces["C2"].plot == "0404"


@pytest.mark.rule("pq17", "5.3.1", "5.3.5", "7.3.2")
def test_a_point_expended_in_place_lets_nobody_enter_the_hex_again() -> None:
    """Neither who stays nor who shadows it has come into the hex, and gives an enemy there the option of 5.3.5.1."""
    state = world("A1 0405 CA speed 2 plot stay\nC1 0405 CA speed 2 shadows A1\nturn 1 impulse 1 half A")
    assert [tf.id for tf in movement.move(state, "alliance")] == ["A1", "C1"]
    for tf in state.all_task_forces():
        assert (tf.hex, tf.plot, tf.flown, state.has_mark(tf, "entered")) == ("0405", "", [], False)


def test_who_leaves_the_map_stays_in_its_hex_with_its_plot_until_it_is_taken_off() -> None:
    state = world("A1 0405 CA speed 2 plot exit\nturn 1 impulse 1 half A")
    allow_exit(state, "A1.CA", progress.Permit(kind="special", hexes=["0405"]))
    (tf,) = movement.move(state, "alliance")
    assert (tf.hex, tf.plot, tf.flown) == ("0405", "exit", [])


def test_the_way_flown_is_kept_until_operations_begin_again() -> None:
    state = world("A1 0405 CA speed 2 plot 0406\nC1 0405 CA speed 2 shadows A1\nA2 0505 DD\nturn 1 impulse 1 half A")
    movement.move(state, "alliance")
    state.task_forces["A1"].plot = "0407"
    movement.move(state, "alliance")
    ways = {tf.id: tf.flown for tf in state.all_task_forces()}
    assert ways == {"A1": ["0405", "0406", "0407"], "C1": ["0405", "0406", "0407"], "A2": []}
    movement.forget_ways(state)
    assert [tf.flown for tf in state.all_task_forces()] == [[], [], []]


@pytest.mark.rule("pq17", "5.3.5.3")
@pytest.mark.parametrize("mark", ["searched", "attempted_attack"])
def test_who_searched_or_attacked_first_must_stay_and_its_point_is_spent(mark: str) -> None:
    state = world("C1 0405 CA speed 2 plot 0406 route 0406\nturn 1 impulse 1 half B")
    tf = state.task_forces["C1"]
    state.set_mark(tf, mark)  # pyright: ignore[reportArgumentType]
    assert movement.must_stay(state, tf) == "5.3.5.3"
    assert movement.move(state, "coalition") == [tf]
    assert (tf.hex, tf.plot, tf.route) == ("0405", "", ["0406"])  # the step is kept for another point


@pytest.mark.rule("pq17", "5.3.5.4")
def test_who_declared_shadowing_first_does_not_make_its_own_move() -> None:
    state = world("A1 0405 CA speed 2\nC1 0405 CA speed 2 plot 0406 shadows A1\nturn 1 impulse 1 half B")
    tf = state.task_forces["C1"]
    state.set_mark(tf, "declared_shadowing")
    assert movement.move(state, "coalition") == [tf]
    assert (tf.hex, tf.plot) == ("0405", "")


@pytest.mark.rule("pq17", "5.3.5.1", "5.3.5.2")
def test_an_enemy_that_entered_or_attacked_gives_the_option_to_stay() -> None:
    text = "A1 0405 CA\nC1 0405 CA speed 2 plot 0406\nC2 0405 DD speed 2 plot stay\nturn 1 impulse 1 half B"
    state = world(text)
    there_already = state.task_forces["C1"]
    assert movement.may_stay(state, there_already) == ""
    state.set_mark(state.task_forces["A1"], "entered")
    assert movement.may_stay(state, there_already) == "5.3.5.1"
    assert movement.may_stay(state, state.task_forces["C2"]) == ""  # it stays anyway
    state = world(text)
    state.set_mark(state.task_forces["C1"], "was_attacked")
    assert movement.may_stay(state, state.task_forces["C1"]) == "5.3.5.2"
    movement.move(state, "coalition", ["C1"])
    assert state.task_forces["C1"].hex == "0405"


@pytest.mark.rule("pq17", "6.4.1")
def test_one_who_moves_in_both_halves_counts_as_a_mover_once() -> None:
    state = world("A1 0405 CA speed 2 plot 0406\nC1 0405 CA speed 2 plot 0406\nturn 1 impulse 1 half A")
    shadower = state.task_forces["A1"]
    assert movement.move(state, "alliance") == [shadower]
    state.set_hex(shadower, "0405")
    state.set_target(shadower, "C1")
    assert movement.move(state, "coalition") == [state.task_forces["C1"]]
    assert shadower.hex == "0406"


@pytest.mark.rule("pq17", "SOP.2.b.i.7", "5.3.4", "7.3.1")
def test_fuel_is_expended_in_the_plot_step_by_all_who_have_a_point() -> None:
    """The A1 cruise pays 1 for the CA; its shadower the same speed, 1/2 for the DD; C2 at speed 1 nothing yet."""
    state = world("A1 0405 CA speed 2 plot stay\nC1 0405 DD speed 3 shadows A1\nC2 0607 CA speed 1\nturn 1 impulse 1")
    movement.expend_fuel(state)
    assert [state.units[one].fuel for one in ("A1.CA", "C1.DD", "C2.CA")] == [33, F(31, 2), 34]


@pytest.mark.rule("pq17", "5.3.2")
def test_a_stored_route_is_flown_step_by_step_and_waits_when_it_no_longer_leads_on() -> None:
    state = world("A1 0405 CA speed 3 route 0406,stay,0407\nturn 1 impulse 1 half A")
    tf = state.task_forces["A1"]
    flown: list[str] = []
    for _ in range(3):
        tf.plot = movement.next_step(state, tf)
        movement.move(state, "alliance")
        flown.append(tf.hex)
    assert flown == ["0406", "0406", "0407"]
    tf.route = ["0102"]
    assert movement.next_step(state, tf) == "stay"


def test_worlds_are_written_as_they_are_read() -> None:
    text = "\n".join(
        [
            "A1 0405 CA+DD speed 2 passive ID1 plot 0406 route 0406,stay",
            "A9 0303 BATS base Haven known LC1",
            "C1 0406 CA+CA speed WC warp-off logistics",
            "C2 0405 CW speed 2 cloak U shadows A1",
        ]
    )
    assert notation(world(text)) == text


@pytest.mark.rule("pq17", "5.3.5.4")
def test_a_declared_shadowing_that_failed_costs_the_plotted_move_too() -> None:
    state = world("A1 0405 CA speed 3\nC1 0405 CA speed 2 plot 0406\nturn 1 impulse 1 half B")
    tf = state.task_forces["C1"]
    state.set_mark(tf, "declared_shadowing")
    assert movement.must_stay(state, tf) == "5.3.5.4"
    assert movement.move(state, "coalition") == [tf]
    assert tf.hex == "0405"


@pytest.mark.rule("pq17", "5.2.3.3", "6.3.4.2")
@cases("figures, choices")
def test_a_ship_may_lack_power_for_what_its_record_has(figures: dict[str, Any], choices: list[str] | None) -> None:
    state = world("A1 0405 CA speed 2")
    state.classes["CA"] = state.classes["CA"].model_copy(update=figures)
    fields = {one.key: one for one in ship_figures.figure_fields(state, state.units["A1.CA"])}
    found = [one.value for one in fields["unpowered"].choices] if "unpowered" in fields else None
    assert found == choices


@pytest.mark.rule("pq17", "5.1.4", "7.4.3.3")
@pytest.mark.parametrize(("speed", "legal"), [("WC", False), ("1", True)])
def test_within_a_turn_only_who_crawls_already_pays_for_a_crawl_in_it(speed: str, legal: bool) -> None:
    """In its second turn of crawling a force moves on impulse 2 and pays 1/16. A ship that crawled before it joined
    one that did not has that no longer to count on."""
    state = world(f"A1 0405 CA[fuel=1/24] speed {speed} crawl 2\nturn 3 impulse 1")
    assert speeds.is_affordable(state, state.task_forces["A1"], Speed.WARP_CRAWL) is legal


# --- tugs and their pods: coupled by themselves, moved as one, and counted in what the tug pays. Ruling FUE-5 ---------
def tug_and_pods(pods: int = 2) -> tuple[State, forces.TaskForce]:
    """A tug of movement cost 1 with 30 warp boxes and two slots, and pods of movement cost 1/4 each."""
    state = campaign()
    tug = ship_class("TUG", "1", warp=30, is_tug=True, pod_slots=2)
    pod = ship_class("POD", "1/4", warp=0, impulse=0, unit_kind="pod", cargo=25)
    state.classes |= {"TUG": tug, "POD": pod}
    units = [new_unit(tug, unit_id="tug", name="Tug", side="alliance", nation="federation")]
    units += [
        new_unit(pod, unit_id=f"pod{n}", name=f"Pod {n}", side="alliance", nation="federation")
        for n in range(1, pods + 1)
    ]
    for unit in units:
        fill(state, unit)
        state.units[unit.id] = unit
    return state, place_units(state, "alliance", units, "1720", tf_id="A1")


@pytest.mark.rule("pq17", "10.3.7.2.2")
def test_a_tug_takes_as_many_pods_as_it_has_slots() -> None:
    state, _ = tug_and_pods(3)
    assert [state.units[f"pod{n}"].carried_by for n in (1, 2, 3)] == ["tug", "tug", ""]


def test_a_tug_moves_and_pays_for_its_hull_and_its_pods() -> None:
    """1 + 2/4 = 3/2: speed 30 / (3/2) = 20, and 3/8 of a point a hex at Efficient Cruise; pods pay nothing."""
    state, tf = tug_and_pods()
    tug, pod = state.units["tug"], state.units["pod1"]
    assert practical_speed(state, tug) == 20
    assert hex_cost(state, tf, tug, Speed.EFFICIENT) == Fraction(3, 8)
    assert hex_cost(state, tf, pod, Speed.EFFICIENT) == 0
    assert cost(state, tug, "combat") == cost(state, new_twin(state), "combat") * Fraction(3, 2)
    assert cost(state, pod, "combat") == 0
    assert fastest(state, tf).rate >= Speed.EFFICIENT.rate


def new_twin(state: State) -> forces.Unit:
    """A tug of the same class without pods."""
    twin = new_unit(state.classes["TUG"], unit_id="twin", name="Twin", side="alliance", nation="federation")
    state.units["twin"] = twin
    return twin


def test_loose_pods_hold_their_task_force_and_pods_of_another_tug_are_not_taken() -> None:
    state, tf = tug_and_pods(3)
    assert fastest(state, tf) is Speed.STATION
    state.set_units(tf, [one for one in tf.units if one != "pod3"])
    assert fastest(state, tf) is not Speed.STATION
    state.units["pod1"].carried_by = "another"
    couple(state, tf)
    assert state.units["pod1"].carried_by == "tug"


def test_pods_go_with_their_tug_into_another_task_force_unless_they_are_told_where_to_go() -> None:
    state, tf = tug_and_pods()
    escort = new_unit(state.classes["FED-DD"], unit_id="escort", name="E", side="alliance", nation="federation")
    state.units["escort"] = escort
    state.set_units(tf, sorted([*tf.units, "escort"]))
    carry_out_plans(table(state), {"alliance": PlanSheet({"tug": PlanLine(task_force="A2")})})
    assert state.task_forces["A2"].units == ["pod1", "pod2", "tug"]
    carry_out_plans(table(state), {"alliance": PlanSheet({"pod1": PlanLine(task_force="A3")})})
    assert (state.task_forces["A2"].units, state.task_forces["A3"].units) == (["pod2", "tug"], ["pod1"])
    assert state.units["pod1"].carried_by == ""
    assert fastest(state, state.task_forces["A3"]) is Speed.STATION


@pytest.mark.rule("pq17", "1.8.12.5", "1.6.5.1")
def test_modules_in_cargo_go_with_their_ship_and_nowhere_else() -> None:
    """A freighter carries a module among its cargo; a destroyer is with them."""
    state = campaign()
    state.classes["PM"] = ship_class("PM", "1/6", unit_kind="module", cargo_size=12, warp=0, impulse=0)
    made = [("F-L", "carrier"), ("PM", "module"), ("FED-DD", "escort")]
    units = [new_unit(state.classes[kind], unit_id=key, name=key.title(), side="alliance") for kind, key in made]
    state.units |= {unit.id: unit for unit in units}
    state.units["module"].carried_by, state.units["carrier"].module_boxes = "carrier", 12
    place_units(state, "alliance", units, "1720", tf_id="A1")
    ask = planning_ask(table(state), "alliance")
    with pytest.raises(Refused, match="Module is cargo of Carrier and goes where that goes") as refused:
        ask.answer_from({"module": {"task_force": "A2"}})
    found = [(one.path, one.rule, one.legal) for one in refused.value.refusals]
    assert found == [("module.task_force", "PQ-17 1.8.12.5", "A1")]
    carry_out_plans(table(state), {"alliance": ask.answer_from({"carrier": {"task_force": "A2"}})})
    assert (state.task_forces["A1"].units, state.task_forces["A2"].units) == (["escort"], ["carrier", "module"])
