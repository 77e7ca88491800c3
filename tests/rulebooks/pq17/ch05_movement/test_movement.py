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
from tests.rulebooks.pq17.worlds.notation import notation, ship_class, situation, table, world

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
@pytest.mark.rule("pq17", "5.1.5", "6.3.4.3.1", "7.2.3")
@cases("units, fastest, last, counted", "")
def test_without_fuel_no_warp_speed_is_chosen_but_searches_and_shadowing_count_what_the_ships_can_do(
    units: str, fastest: str, last: str, counted: str
) -> None:
    state = world(f"A1 0405 {units}")
    tf = state.task_forces["A1"]
    assert (speeds.fastest(state, tf), speeds.speeds(state, tf)[-1]) == (Speed[fastest], Speed[last])
    assert speeds.max_speed(state, tf) is speeds.speeds(state, tf, fuel_matters=False)[-1] is Speed[counted]


def tow(text: str) -> forces.TowGroup:
    """A tow such as ``A1.CA>A1.DD``, with ``off`` after it for engines that are off."""
    (tower, towed), off = text.split(maxsplit=1)[0].split(">"), text.endswith(" off")
    return forces.TowGroup(tower=tower, towed=[towed], engines_off=[towed] if off else [])


@cases("case, proves, line, tows, maximum, chosen", "maximum, chosen")
def test_how_fast_a_force_is_and_which_speeds_it_may_plot(line: str, tows: str, maximum: str, chosen: str) -> None:
    state = world(f"A9 0402 BATS base Haven known\nA1 0402 {line}")
    tf = state.task_forces["A1"]
    tf.tows = [tow(tows)] if tows else []
    assert speeds.max_speed(state, tf).name == maximum
    assert " ".join(one.name for one in speeds.affordable(state, tf)) == chosen


@pytest.mark.rule("pq17", "5.4.1", "5.4.5")
@pytest.mark.parametrize(("text", "practical"), [("A1.CA>A1.DD", 22), ("A1.CA>A1.DD off", 20)])
def test_the_speed_of_a_tow_is_that_of_its_boxes_by_both_movement_costs(text: str, practical: int) -> None:
    """A CA tows a DD of 4 warp boxes: (30 + 4) / (3/2) = 22, a cruise; engines off 30 / 1.5 = 20."""
    state = world("A1 0405 CA+DD[warp=4,fuel=4]")
    assert speeds.towed_speed(state, tow(text)) == practical


@pytest.mark.rule("pq17", "5.1.6")
@pytest.mark.parametrize("ships", ["CA", "CA+DD[warp=4]", "CA[warp=0]+DD", "CA[impulse=0]+DD", "DD[warp=0,impulse=0]"])
@pytest.mark.parametrize("where", ["", "logistics", "port A9", "logistics port A9"])
def test_a_force_keeps_just_those_speeds_that_could_be_plotted_with_fuel(ships: str, where: str) -> None:
    state = world(f"A9 0402 BATS base Haven known\nA1 0402 {ships} {where}")
    force = state.task_forces["A1"]
    allowed = speeds.speeds(state, force, fuel_matters=False)
    for force.speed in Speed:
        assert speeds.can_keep_speed(state, force) == (force.speed in allowed), force.speed


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
@cases("case, proves, forces, where")
def test_where_a_force_may_spend_its_point(forces: str, where: list[str]) -> None:
    state = world(forces)
    assert movement.destinations(state, state.task_forces["A1"]) == where


@cases("case, proves, forces, mark, side, staying, moved, must_stay, afterwards", "moved, must_stay, afterwards")
def test_how_a_side_moves(
    *, forces: str, mark: str, side: str, staying: list[str], moved: str, must_stay: str, afterwards: str
) -> None:
    """``mark`` is what a force has done or suffered in this impulse, ``must_stay`` the rule that keeps one in place."""
    state = world(forces)
    if mark:
        tf_id, word = mark.split()
        state.set_mark(state.task_forces[tf_id], word)  # type: ignore[arg-type]
    bound = [f"{tf.id} {rule}" for tf in state.all_task_forces(side) if (rule := movement.must_stay(state, tf))]
    assert " ".join(bound) == must_stay
    assert " ".join(tf.id for tf in movement.move(state, side, staying)) == moved
    assert situation(state) == afterwards


@pytest.mark.rule("pq17", "5.5.2", "1.6.7.3.1", "5.1.6", "5.2.4")
def test_entering_port_stops_the_task_force_for_the_turn() -> None:
    state = world("A9 0402 BATS base Haven\nA1 0402 CA speed 2 passive plot port\nturn 1 impulse 1 half A")
    tf = state.task_forces["A1"]
    movement.move(state, "alliance")
    assert (tf.in_port, tf.speed, tf.posture.active) == ("A9", Speed.STATION, False)
    state.impulse = 3
    assert not movement.has_point(state, tf)


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
