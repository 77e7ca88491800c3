"""A side's stores and work at a glance, and what it will lose: figures worked out by hand from the rules."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.economy.holdings import Economy, QueuedWork
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch10_supply.implicit_supply import receive
from rules_engine.rulebooks.pq17.ch11_repair.losses import losses, supply_without_room
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from rules_engine.rulebooks.pq17.records.damage import BoxInHand, RepairOrder
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan, SupplyRoutine
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.pq17.worlds.repair import yard
from tests.rulebooks.pq17.worlds.supply import depot, unit

HAVEN = "A9 0303 BATS[supply=70] base Haven known"
"""A battle station of 75 cargo boxes and 12 AWR boxes."""


def economy(state: State, side: str = "alliance") -> Economy:
    return RULEBOOK.economy(state, side, Knowledge(), is_ahead=False)


def base(state: State, supply: int) -> None:
    record = state.task_forces["A9"].base
    record.supply = supply


@pytest.mark.rule("pq17", "9.1", "10.1.1", "10.2.7.2")
def test_stores_by_place_and_in_all(kept: Kept) -> None:
    state = depot(f"{HAVEN}\nA1 0405 CA[fuel=20]+FT[supply=3]\nC1 0606 CA")
    base(state, 4)
    found = economy(state)
    assert [(one.hex, one.name) for one in found.places] == [("0303", "Haven (A9)"), ("0405", "A1")]
    haven, force = ({figure.name: figure.value for figure in one.figures} for one in found.places)
    assert haven == kept()
    freighter = unit(state, "A1.FT")
    # The cruiser has 30 warp and 4 AWR boxes, a point of fuel for each; the freighter is full.
    assert force["Fuel"] == f"{20 + freighter.power_boxes} of {34 + freighter.power_boxes}"
    assert force["Supply"] == "3"
    assert {one.name: one.value for one in found.figures}["Supply received a turn"] == "4"
    assert {one.name: one.value for one in found.figures}["Supply"] == "73"
    assert "Each turn by your orders" not in {one.name for one in found.figures}


def test_what_stands_for_later_turns_is_said() -> None:
    state = depot(f"{HAVEN}\nA1 0303 CA port A9\nC1 0606 CA")
    state.supply_routine["alliance"] = SupplyRoutine(lines={"A9.BATS": "> A1.CA 5 supply", "dock-A9.BATS": ""})
    said = {one.name: one.value for one in economy(state).figures}["Each turn by your orders"]
    assert said == "A9.BATS: > A1.CA 5 supply; dock-A9.BATS: nothing"
    assert "Each turn by your orders" not in {one.name for one in economy(state, "coalition").figures}


@pytest.mark.rule("pq17", "10.2.7.2")
@pytest.mark.parametrize(("more", "lost"), [("", 2), ("\nA1 0303 FT[supply=0] port A9", 0), ("\nA1 0304 FT", 2)])
def test_supply_that_a_base_cannot_store_is_lost_and_told_before(more: str, lost: int) -> None:
    """Seven points come, five boxes are empty; ships in port with it take what it cannot."""
    state = depot(HAVEN + more)
    base(state, 7)
    said = "Haven receives 7 supply points in a turn, and 2 find no room and are lost (PQ-17 10.2.7.2)."
    assert losses(state, "alliance") == ([said] if lost else [])
    assert supply_without_room(state, state.task_forces["A9"]) == lost
    before = {key: one.to_json() for key, one in state.units.items()}
    assert receive(state, state.task_forces["A9"], 7) == lost  # as it comes, and was not yet changed by asking
    assert {key: one.to_json() for key, one in state.units.items()} != before


@pytest.mark.rule("pq17", "5.1.4", "9.1")
def test_a_force_without_fuel_for_another_turn_is_told() -> None:
    state = world("A1 0303 CA+DD speed 2\nA2 0405 CA speed 2\nA3 0505 CA")
    assert losses(state, "alliance") == []
    unit(state, "A1.DD").fuel = Fraction(1, 100)
    unit(state, "A3.CA").fuel = Fraction(0)  # which keeps station
    (said,) = losses(state, "alliance")
    assert said == f"A1 has no fuel for another whole turn at {state.task_forces['A1'].speed.label} (PQ-17 5.1.4)."


@pytest.mark.rule("pq17", "11.4.9.5", "11.4.9.6")
def test_repairs_under_way_and_points_that_are_lost_unless_work_goes_on() -> None:
    state = yard("A9 0303 FRD base Haven known\nA1 0303 CA port A9")
    ship = unit(state, "A1.CA")
    ship.repairs = ship.repairs.with_values(damage={"hull": 2}, in_hand=BoxInHand(box="hull", points=3, turn=0))
    (work,) = economy(state).places[1].queue
    assert work.what.startswith("A1.CA, destroyed: 2 hull")
    assert work.done == "nobody is to repair it"
    said = "3 CDR points put into hull of A1.CA are lost unless work on it goes on (PQ-17 11.4.9.6)."
    assert economy(state).losses == (said,)
    plan = LogisticsPlan(repairs=[RepairOrder(unit=ship.id, by="A9.FRD", boxes=["hull"])])
    state.logistics["alliance"] = plan
    (work,) = economy(state).places[1].queue
    assert work.done == "repaired by A9.FRD this turn"
    assert economy(state).losses == ()
    plan.repairs[0].by = ship.id
    assert economy(state).places[1].queue[0].done == "repaired by itself this turn"


@pytest.mark.rule("pq17", "1.8.12.7")
def test_bases_that_are_built_are_told_where_they_are_built() -> None:
    state = depot(f"{HAVEN}\nA1 0405 TG")
    order = BuildOrder(task_force="A1", units=["A1.TG"], what="build", subject="MB")
    state.logistics["alliance"] = LogisticsPlan(builds=[order])
    name = state.classes["MB"].name
    assert economy(state).places[1].queue == (QueuedWork(what=f"Builds {name}", done="this turn"),)
    order.disturbed = 2
    assert economy(state).places[1].queue[0].done == "interrupted"


def test_it_holds_nothing_of_the_other_side() -> None:
    plain = depot(f"{HAVEN}\nC1 0606 CA")
    other = depot(f"{HAVEN}\nC1 0606 CA[fuel=1]+FT[supply=9]\nC9 0707 BATS base Skarn known")
    assert economy(plain) == economy(other)
    assert economy(plain, "coalition") != economy(other, "coalition")
