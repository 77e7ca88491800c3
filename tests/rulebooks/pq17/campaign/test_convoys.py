"""Convoys: deliveries, losses, shortfalls and freighters that stay, by hand."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.pq17.campaign.convoys import (
    count_deliveries,
    count_losses,
    delivered,
    is_carrier,
    score_convoys,
    unload_for_want_of_bases,
    write_off_use,
)
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan
from rules_engine.rulebooks.pq17.ch10_supply.transfers import transfer_refusals
from rules_engine.rulebooks.pq17.nations.unloading import is_handed_over, unloading_refusal
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsDelivery, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.progress import Away, Freighter
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import Speed, table, told

F = Fraction


def convoy(state: State, tf_id: str, hex_id: str, count: int = 1, *, kind: str = "convoy", nation: str = "federation",
           period: int = 1, in_port: str = "") -> TaskForce:  # fmt: skip
    """Freighters of a convoy, 50 supply points each."""
    tf = put(state, tf_id, hex_id, *["F-L"] * count, nation=nation, in_port=in_port)
    for unit_id in tf.units:
        state.progress.freighters[unit_id] = Freighter.from_json(
            {"kind": kind, "convoy": "x", "nation": nation, "period": period, "original": 50 if kind == "convoy" else 0}
        )
    return tf


def lines(state: State) -> dict[str, Fraction]:
    """The victory points by line."""
    found: dict[str, Fraction] = {}
    for line in state.ledger:
        found[line.line] = found.get(line.line, F(0)) + line.amount
    return found


@pytest.mark.rule("pq17", "C.vp.7", "C.vp.note5", "C.oob.federation.kzinti-convoy")
def test_what_is_unloaded_at_murzank_or_arzangel_counts_whether_stored_or_not() -> None:
    """Ruling SUP-10. At Scapa Flow it does not count, and no more than the original load ever does."""
    state = campaign()
    convoy(state, "A1", "0806", 3, in_port="A94")
    murzank, scapa = state.units[state.task_forces["A94"].units[0]], state.units[state.task_forces["A91"].units[0]]
    at = table(state)
    first, second, third = (state.units[one] for one in state.task_forces["A1"].units)
    assert delivered(at, first, murzank, 50) == 50
    assert delivered(at, first, murzank, 50) == 0
    assert delivered(at, second, scapa, 30) == 0
    assert delivered(at, second, murzank, 50) == 20
    assert (state.progress.tally.delivered, told(at, "coalition")) == (70, [])
    assert is_handed_over(state, third, murzank)
    assert not is_handed_over(state, third, scapa)


@pytest.mark.rule("pq17", "C.vp.7", "C.vp.note5")
def test_being_in_the_base_hex_is_not_enough() -> None:
    state = campaign(turn=30)
    convoy(state, "A1", "0806", in_port="A94")
    count_deliveries(table(state))
    score_convoys(table(state))
    assert "C.vp.7" not in lines(state)


@pytest.mark.rule("pq17", "C.vp.7", "C.vp.9", "C.vp.note6")
@cases("points, scored, short", "")
def test_deliveries_and_the_shortfall(points: int, scored: int | str, short: int | str) -> None:
    """One rounding for the period: 635/50 = 12.7, 12.5; 590/50 = 11.8, 12; 570/50 = 11.4, 11.5, short by 0.25: 0.5."""
    state = campaign(turn=30)
    state.progress.tally.delivered = points
    score_convoys(table(state))
    assert lines(state).get("C.vp.7", 0) == F(scored)
    assert lines(state).get("C.vp.9", 0) == F(short)


@pytest.mark.rule("pq17", "C.vp.8", "C.vp.note5")
def test_cargo_lost_with_boxes_ships_and_captures_counts_as_destroyed() -> None:
    """Ruling SCN-19: 20 in boxes, 50 with a ship, 50 captured: 120/50 = 2.4, rounded 2.5."""
    state = campaign(turn=30)
    convoy(state, "A1", "0614", 4)
    one, two, three, _ = (state.units[key] for key in state.task_forces["A1"].units)
    one.supply = 30
    two.fate = "destroyed"
    three.fate = "captured"
    count_losses(state)
    count_losses(state)
    assert state.progress.tally.destroyed == 120
    score_convoys(table(state))
    assert lines(state)["C.vp.8"] == F(-5, 2)


@pytest.mark.rule("pq17", "C.vp.8", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_base_convoys_cargo_and_supplies_used_up_do_not_count() -> None:
    state = campaign()
    convoy(state, "A1", "0614", kind="resupply")
    convoy(state, "A2", "0614")
    state.units["A1.F-L"].supply = 0
    state.units["A2.F-L"].supply = 40
    write_off_use(state)
    count_losses(state)
    assert state.progress.tally.destroyed == 0


@pytest.mark.rule("pq17", "C.vp.10", "C.vp.note7")
def test_freighters_must_leave_by_the_end_of_the_period_after_they_came() -> None:
    """Of four that came in period 1: one has left, one is lost, two stay: -1 at the end of period 2, and only once."""
    state = campaign(turn=30)
    convoy(state, "A1", "0614", 4)
    state.progress.away["A1.F-L"] = Away(state="left")
    state.units["A1.F-L2"].fate = "destroyed"
    score_convoys(table(state))
    assert "C.vp.10" not in lines(state)
    state.turn = 60
    score_convoys(table(state))
    assert lines(state)["C.vp.10"] == -1
    state.turn = 90
    score_convoys(table(state))
    assert lines(state)["C.vp.10"] == -1


@pytest.mark.rule("pq17", "C.vp.10", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy",
                  "C.oob.klingon.base-convoy")  # fmt: skip
def test_base_convoys_that_stay_cost_their_own_side() -> None:
    """Ruling SCN-17: a Klingon freighter that stays gives the Alliance half a point."""
    state = campaign(turn=60)
    convoy(state, "A1", "1217", kind="resupply", in_port="A91")
    convoy(state, "A2", "1105", kind="resupply", nation="kzinti", in_port="A95")
    convoy(state, "C1", "1715", 3, kind="resupply", nation="klingon", in_port="C91")
    score_convoys(table(state))
    assert [line.amount for line in state.ledger if line.line == "C.vp.10"] == [F(-1), F(3, 2)]


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
@cases("nation, target, refused")
def test_base_convoys_unload_at_their_nations_bases_only(nation: str, target: str, refused: bool) -> None:
    state = campaign()
    tf_id = "C1" if nation == "klingon" else "A1"
    convoy(state, tf_id, "0614", kind="resupply", nation=nation)
    put(state, "A2", "0614", "FED-DD")
    goal = state.units[state.task_forces[target].units[0]]
    wrong = unloading_refusal(state, state.units[f"{tf_id}.F-L"], goal)
    assert (wrong.rule if wrong else "") == (f"PQ-17 C.oob.{nation}.base-convoy" if refused else "")


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy")
def test_a_logistics_plan_that_unloads_a_base_convoy_elsewhere_is_refused() -> None:
    state = campaign()
    convoy(state, "A1", "0806", kind="resupply", in_port="A94")
    base = state.task_forces["A94"].units[0]
    plan = LogisticsPlan(
        groups=[DockedGroup(host=base, docked=["A1.F-L"])],
        in_port={"A1.F-L": "A94", base: "A94"},
        transfers=[GoodsTransfer(source="A1.F-L", target=base, goods=Goods.SUPPLY, amount=F(10))],
        may_lose=True,
    )
    rules = [one.rule for one in transfer_refusals(state, "alliance", plan)]
    assert rules == ["PQ-17 C.oob.federation.base-convoy"]
    state.progress.freighters["A1.F-L"].kind = "convoy"  # the convoy to the Kzintis may
    assert transfer_refusals(state, "alliance", plan) == []


@pytest.mark.rule("pq17", "10.3.3", "C.vp.7")
@pytest.mark.parametrize(("convoys", "held", "left"), [(50, 78, 0), (10, 60, 20)])
def test_what_a_convoy_hands_over_leaves_other_freighters_less_room(convoys: int, held: int, left: int) -> None:
    """The routine's plan is legal in whatever order its lines stand: of Murzank's 90 boxes the convoy takes its own
    first."""
    state = campaign()
    put(state, "A1", "0806", "F-L", nation="federation", in_port="A94")
    convoy(state, "A2", "0806", in_port="A94")
    base = state.units[state.task_forces["A94"].units[0]]
    for force in (state.task_forces["A1"], state.task_forces["A2"]):
        force.posture = force.posture.with_values(logistics=True)
    base.cargo, base.supply = 90, held
    state.units["A1.F-L"].supply, state.units["A2.F-L"].supply = 45, convoys
    plan = routine_plan(state, "alliance")
    given = {one.source: one.amount for one in plan.transfers if one.target == base.id}
    assert given == {"A2.F-L": convoys, **({"A1.F-L": left} if left else {})}
    for transfers in (plan.transfers, [*reversed(plan.transfers)]):
        plan.transfers = list(transfers)
        assert transfer_refusals(state, "alliance", plan) == []


@pytest.mark.rule("pq17", "C.vp.7")
def test_deliveries_are_counted_from_what_the_turns_logistics_moved() -> None:
    state = campaign()
    convoy(state, "A1", "1105", in_port="A95")
    base = state.task_forces["A95"].units[0]
    done = GoodsDelivery(source="A1.F-L", target=base, goods=Goods.SUPPLY, plotted=F(50), amount=F(25))
    state.logistics["alliance"] = LogisticsPlan(done=[done])
    state.units["A1.F-L"].supply = 25
    count_deliveries(table(state))
    assert (state.progress.tally.delivered, state.progress.freighters["A1.F-L"].original) == (25, 25)


@pytest.mark.rule("pq17", "C.vp.note5")
def test_with_both_bases_lost_supplies_go_to_1001_in_one_turn() -> None:
    state = campaign()
    tf = convoy(state, "A1", "1001", 2)
    tf.posture = tf.posture.with_values(logistics=True)
    unload_for_want_of_bases(table(state))
    assert state.progress.tally.delivered == 0  # the bases stand
    for base in ("A94", "A95"):
        state.remove_force(base)
    unload_for_want_of_bases(table(state))
    assert state.progress.tally.delivered == 100
    assert [unit.supply for unit in state.units_of(tf)] == [0, 0]


@pytest.mark.rule("pq17", "C.vp.note5", "C.vp.7")
@pytest.mark.parametrize(
    ("change", "delivered"),
    [
        ({}, 50),
        ({"logistics": False}, 0),
        ({"speed": Speed.EFFICIENT}, 0),
        ({"kind": "resupply"}, 0),  # the base convoy does not count
        ({"interrupted": 0}, 50),
        ({"interrupted": 3}, 0),
        ({"supply": 20}, 20),
        ({"original": 30}, 30),  # the rest was taken on later
    ],
)
def test_who_unloads_at_1001_when_both_bases_are_lost(change: dict[str, Any], delivered: int) -> None:
    """A freighter of a bought convoy, at rest in logistics posture that nothing interrupted: what is left of 50."""
    state = campaign()
    tf = convoy(state, "A1", "1001", 1)
    (unit,) = state.units_of(tf)
    tf.posture = tf.posture.with_values(logistics=change.get("logistics", True))
    tf.speed = change.get("speed", Speed.STATION)
    unit.supply = change.get("supply", 50)
    freighter = state.progress.freighters[unit.id]
    freighter.kind, freighter.original = change.get("kind", "convoy"), change.get("original", 50)
    if "interrupted" in change:
        state.logistics["alliance"] = LogisticsPlan(units=[unit.id], interrupted={unit.id: change["interrupted"]})
    for base in ("A94", "A95"):
        state.remove_force(base)
    unload_for_want_of_bases(table(state))
    assert state.progress.tally.delivered == delivered


@pytest.mark.rule("pq17", "C.vp.7", "SOP.2.c.ii")
@pytest.mark.parametrize(
    ("line", "counted"),
    [
        ({}, 30),
        ({"goods": Goods.FUEL, "into": None}, 0),
        ({"amount": F(0)}, 0),
        ({"target": "A1.F-L", "into": Goods.FUEL}, 0),  # its own use of its supply
    ],
)
def test_what_a_freighter_hands_over_is_a_delivery(line: dict[str, Any], counted: int) -> None:
    state = campaign()
    convoy(state, "A1", "0806", in_port="A94")
    given = {"source": "A1.F-L", "target": state.task_forces["A94"].units[0], "goods": Goods.SUPPLY, "plotted": F(30)}
    done = GoodsDelivery.from_json(given | {"amount": F(30)} | line)
    state.logistics["alliance"] = LogisticsPlan(units=["A1.F-L"], done=[done])
    at = table(state)
    count_deliveries(at)
    assert state.progress.tally.delivered == counted
    assert state.progress.freighters["A1.F-L"].original == 50 - counted
    assert told(at, "alliance") == (["A1.F-L has delivered 30 supply points at Murzank."] if counted else [])


@pytest.mark.rule("pq17", "C.cargo-supply-benefit")
@cases("kind, change, carries")
def test_which_ships_may_carry_supplies_like_the_base_convoy(kind: str, change: dict[str, Any], carries: bool) -> None:
    state = campaign()
    put(state, "A1", "0806", "FED-CA", kind)
    unit = state.units[f"A1.{kind}"]
    for name, value in change.items():
        setattr(unit, name, value)
    assert is_carrier(state, unit) is carries
