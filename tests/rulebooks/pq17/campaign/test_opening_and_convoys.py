"""The campaign's opening, and its convoys: setting out, cargo, arrival and loss."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
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
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsDelivery, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.campaign_scenario import document
from tests.rulebooks.pq17.worlds.notation import Speed, table, told

AT = "2026-01-01T00:00:00Z"
SEED = b"a seed for tests, not secret"
ALLIANCE, COALITION = "alliance", "coalition"
Changes = dict[str, dict[str, dict[str, Json]]]
"""Lines to change, by kind of ask and line."""


class Opening:
    """A campaign played through its opening; keeps all that either side was asked and told."""

    def __init__(self, coalition: Changes | None = None, alliance: Changes | None = None) -> None:
        self.adjudicator: Adjudicator[State]
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Test", scenario=document(), seed=SEED, at=AT)
        self.changes = {ALLIANCE: alliance or {}, COALITION: coalition or {}}
        self.reports = list(step.reports)
        self.asked: dict[str, list[Any]] = {ALLIANCE: [], COALITION: []}
        self.boards: dict[str, list[str]] = {ALLIANCE: [], COALITION: []}

    def round(self) -> None:
        """Everybody answers what is open with the sheet filled in and the changed lines."""
        for side, kept in self.asked.items():
            self.boards[side].append(self.adjudicator.view(side).model_dump_json())
            for ask in self.adjudicator.asks_for(side):
                sheet = ask.form.prefilled()
                kept.append((ask.id, ask.title, ask.text, form_text(ask.form), ask.read_back(ask.default)))
                for key, line in self.changes[side].get(ask.kind, {}).items():
                    sheet[key] = {**sheet.get(key, {}), **line}
                self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT)
        self.reports += self.adjudicator.close("all ready", by="all", at=AT).reports
        assert self.adjudicator.defects() == []

    def play(self, rounds: int) -> "Opening":
        for _ in range(rounds):
            self.round()
        return self

    def told(self, side: str) -> list[str]:
        return [one.model_dump_json() for one in self.reports if one.is_for(side)]


def kinds(opening: Opening, side: str) -> list[str]:
    return [ask.kind for ask in opening.adjudicator.asks_for(side)]


def test_a_campaign_starts_with_two_sheets_a_side_that_need_only_be_confirmed() -> None:
    opening = Opening()
    assert [kinds(opening, side) for side in (ALLIANCE, COALITION)] == [["purchase"], ["purchase"]]
    opening.round()
    assert [kinds(opening, side) for side in (ALLIANCE, COALITION)] == [["deployment"], ["deployment"]]
    opening.round()
    assert not {"purchase", "deployment"} & {*kinds(opening, ALLIANCE), *kinds(opening, COALITION)}


@pytest.mark.rule("pq17", "C.oob.federation.kzinti-convoy", "C.oob.federation.base-convoy")
@pytest.mark.rule("pq17", "C.oob.kzinti.orion-mercenaries", "C.oob.kzinti.reaction-force", "C.oob.klingon.base-convoy")
def test_what_is_not_deployed_waits_off_the_map(opening_done: Opening, kept: Kept) -> None:
    state: State = opening_done.adjudicator._state  # pyright: ignore[reportPrivateUsage]  # what no side may see
    waiting = {one.key: one for one in state.progress.arrivals}
    assert {key: (one.kind, one.opens, len(one.units)) for key, one in waiting.items()} == kept()
    convoy = [state.units[unit] for unit in waiting["kzinti-convoy-1"].units]
    assert Counter(unit.class_id for unit in convoy) == {"F-L": 22, "FED-DD": 2, "FED-DDS": 1}
    assert sum(unit.supply for unit in convoy if unit.class_id == "F-L") == 22 * 50
    assert all(one.entry and set(one.entry) <= set(state.grid.hexes()) for one in waiting.values())


def test_both_sides_are_told_what_they_have_and_have_kept(opening_done: Opening) -> None:
    texts = [one.text for one in opening_done.reports if one.kind == "purchase"]
    assert "You keep 8 points for CA, " in texts[0]  # 1100 - 7 x 135 - 147
    assert "You keep 4 points for CA, " in texts[1]  # 1100 - 6 x 135 - 148 - 138
    assert [one.to for one in opening_done.reports if one.kind == "purchase"] == [(ALLIANCE,), (COALITION,)]


def test_the_ready_made_orders_of_battle_are_forgotten_once_play_begins(opening_done: Opening) -> None:
    state: State = opening_done.adjudicator._state  # pyright: ignore[reportPrivateUsage]
    assert state.ready_made == {}


@pytest.fixture(scope="module")
def opening_done() -> Opening:
    return Opening().play(2)




def learns_nothing(side: str, other: Opening, plain: Opening) -> None:
    """Two openings look alike to a side, though its enemy's look does not, else nothing was proved."""
    assert (other.boards[side], other.asked[side]) == (plain.boards[side], plain.asked[side])
    assert other.told(side) == plain.told(side)
    assert other.adjudicator.view(side) == plain.adjudicator.view(side)
    enemy = COALITION if side == ALLIANCE else ALLIANCE
    assert other.adjudicator.view(enemy) != plain.adjudicator.view(enemy)


@cases("case, changes", "")
@pytest.mark.unseen("pq17", reports=("command", "purchase", "special"), asks=("deployment", "period", "purchase"))
def test_the_alliance_learns_nothing_of_what_the_coalition_buys_and_where_it_begins(
    opening_done: Opening, changes: Changes
) -> None:
    learns_nothing(ALLIANCE, Opening(coalition=changes).play(2), opening_done)


@cases("changes")
@pytest.mark.unseen("pq17", reports=("command", "purchase", "special"), asks=("deployment", "period", "purchase"))
def test_the_coalition_learns_nothing_of_the_alliances_choices(opening_done: Opening, changes: Changes) -> None:
    """Which modules a base has is no public matter: of a known base only its type is (ruling BAS-10)."""
    learns_nothing(COALITION, Opening(alliance=changes).play(2), opening_done)


def test_silence_gives_the_ready_made_order_of_battle(opening_done: Opening) -> None:
    adjudicator, _ = Adjudicator.open(RULEBOOK, title="Test", scenario=document(), seed=SEED, at=AT)
    for _ in range(2):
        adjudicator.close("deadline", by="clock", at=AT)
    for side in (ALLIANCE, COALITION):
        assert adjudicator.view(side) == opening_done.adjudicator.view(side)


# --- convoys: deliveries, losses, shortfalls and freighters that stay, by hand ----------------------------------------
F = Fraction


def convoy(state: State, tf_id: str, hex_id: str, count: int = 1, *, kind: str = "convoy", nation: str = "federation",
           period: int = 1, in_port: str = "") -> forces.TaskForce:  # fmt: skip
    """Freighters of a convoy, 50 supply points each."""
    tf = put(state, tf_id, hex_id, *["F-L"] * count, nation=nation, in_port=in_port)
    for unit_id in tf.units:
        state.progress.freighters[unit_id] = progress.Freighter.from_json(
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
    state.progress.away["A1.F-L"] = progress.Away(state="left")
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
    assert [one.rule for one in transfer_refusals(state, "alliance", plan)] == ["PQ-17 C.oob.federation.base-convoy"]
    state.progress.freighters["A1.F-L"].kind = "convoy"  # the convoy to the Kzintis may
    assert transfer_refusals(state, "alliance", plan) == []


@cases("convoys, held, left")
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


@cases("change, delivered", made="change")
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


@cases("line, counted", made="line")
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


@cases("kind, change, carries")
def test_which_ships_may_carry_supplies_like_the_base_convoy(kind: str, change: dict[str, Any], carries: bool) -> None:
    state = campaign()
    put(state, "A1", "0806", "FED-CA", kind)
    unit = state.units[f"A1.{kind}"]
    for name, value in change.items():
        setattr(unit, name, value)
    assert is_carrier(state, unit) is carries
