"""Tugs and their pods: coupled by themselves, moved as one, and counted in what the tug pays. Ruling FUE-5."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple, new_unit, place_units
from rules_engine.rulebooks.pq17.ch05_movement.speeds import fastest, practical_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, fill, hex_cost
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, PlanSheet
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.rulebooks.pq17.worlds.campaign import campaign
from tests.rulebooks.pq17.worlds.notation import ship_class, table


def tug_and_pods(pods: int = 2) -> tuple[State, TaskForce]:
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


def new_twin(state: State) -> Unit:
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
    assert [(one.path, one.rule, one.legal) for one in refused.value.refusals] == [
        ("module.task_force", "PQ-17 1.8.12.5", "A1")
    ]
    carry_out_plans(table(state), {"alliance": ask.answer_from({"carrier": {"task_force": "A2"}})})
    assert (state.task_forces["A1"].units, state.task_forces["A2"].units) == (["escort"], ["carrier", "module"])
