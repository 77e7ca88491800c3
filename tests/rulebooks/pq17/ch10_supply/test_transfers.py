"""Chapter 10.3: transfers, Table 4, interruptions and the Tactical Logistics Step."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import report_transfers
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan, upkeep
from rules_engine.rulebooks.pq17.ch10_supply.transfers import collect, note_interruptions, pair_worth
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import worth_asking
from rules_engine.rulebooks.pq17.records.forces import MarkName
from rules_engine.rulebooks.pq17.records.logistics import GoodsDelivery, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.sequence import tactical_logistics_steps
from rules_engine.rulebooks.pq17.tables.supply import Goods
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import run, table, told
from tests.rulebooks.pq17.worlds.supply import depot, draft, empty, plan, rules, stores, turn_end, unit

F = Fraction
PAIR = "A1 0404 FT#2+CA#2+DR logistics"
PORT = """
A9 0303 BATS base Haven known
A1 0303 CA#2 logistics port A9
A2 0303 FT logistics port A9
"""


# --- Table 4 ----------------------------------------------------------------------------------------------------------
@cases("proves, text, aboard, sheet, broken", made="text, aboard")
def test_what_a_plan_of_transfers_may_say(
    text: str, aboard: dict[str, dict[str, Any]], sheet: dict[str, Any], broken: list[str]
) -> None:
    """``aboard`` is what ships have with which it matters; ``broken`` are the rules by which the plan is refused."""
    state = depot(text)
    for name, fields in aboard.items():
        empty(state, name, **fields)
    assert rules(state, **sheet) == broken


@pytest.mark.rule("pq17", "T4", "10.3.7.3")
def test_consumables_count_by_their_worth() -> None:
    """478 drone spaces and one crew unit are 59 3/4 + 1 = 60 3/4."""
    state = depot(PAIR)
    empty(state, "A1.FT", cargo=80, cargo_goods={Goods.DRONES: 480, Goods.CREW: 5})
    empty(state, "A1.FT2", cargo=80)
    made, _ = draft(state, A1_FT="> A1.FT2 478 drones, > A1.FT2 1 crew unit")
    assert pair_worth(state, made, made.groups[0], "A1.FT2") == 60 + 3 / 4


@pytest.mark.rule("pq17", "T4", "10.3.8.2")
def test_at_a_base_and_between_ships_in_port_there_is_no_limit() -> None:
    """100 points from a base to a ship, and between two ships docked in port (ruling SUP-14b)."""
    state = depot(PORT)
    empty(state, "A9.BATS", supply=75, cargo=200)
    empty(state, "A2.FT", cargo=200, supply=100)
    assert rules(state, A2_FT="> A9.BATS 100 supply") == []
    state = depot("A9 0303 BATS base Haven known\nA1 0303 FT#2 logistics port A9")
    empty(state, "A1.FT", cargo=200, supply=100)
    empty(state, "A1.FT2", cargo=200)
    made = plan(state, A1_FT="> A1.FT2 100 supply")
    assert [(one.host, one.docked) for one in made.groups] == [("A1.FT", ["A1.FT2"])]


@cases("proves, text, refuel, aboard, sheet, after", "after", made="text, aboard")
def test_what_transfers_leave_aboard(
    text: str, refuel: bool, aboard: dict[str, dict[str, Any]], *, sheet: dict[str, Any], after: list[str]
) -> None:
    """``aboard`` is what units have at first, ``after`` what they have when the plan was carried out, whose internal
    orders are never interrupted. ``refuel``: ships fill their engines by themselves."""
    state = depot(text)
    if refuel:
        state.supply_routine.clear()
    for name, fields in aboard.items():
        empty(state, name, **fields)
    made = plan(state, **sheet)
    made.interrupted = {one.source: 1 for one in made.transfers if one.source == one.target}
    turn_end(state)
    assert [stores(state, name) for name in aboard] == after


# --- what may be plotted ----------------------------------------------------------------------------------------------
@cases("text, problem, nearest", "problem, nearest")
def test_what_is_no_transfer_is_refused_with_what_may_be_meant(text: str, problem: str, nearest: list[str]) -> None:
    state = depot(PAIR)
    empty(state, "A1.CA", fuel=1)
    (wrong,) = draft(state, A1_FT=text)[1]
    assert (wrong.kind, wrong.path, wrong.problem) == ("malformed", "A1.FT.give", problem)
    assert list(wrong.nearest[:1]) == nearest


@cases("text", "")
def test_transfers_are_read_in_several_spellings(text: str) -> None:
    """The arrow may be left out, names have singulars and short forms."""
    state = depot(PAIR)
    empty(state, "A1.CA", fuel=1)
    (one,) = plan(state, A1_FT=text).transfers
    assert (one.source, one.target, one.goods, one.amount, one.into) == ("A1.FT", "A1.CA", "supply", 3, "fuel")


@pytest.mark.rule("pq17", "10.3.3")
def test_a_plot_that_would_lose_goods_is_refused_unless_agreed_to() -> None:
    """A cruiser with two points of room in its tanks gets three (ruling SUP-5)."""
    state = depot(PAIR)
    unit(state, "A1.CA").fuel -= 2
    (wrong,) = draft(state, A1_FT="> A1.CA 3 supply as fuel")[1]
    assert (wrong.rule, wrong.path) == ("PQ-17 10.3.3", "A1.FT.give")
    assert "worth 1 supply would be lost" in wrong.problem
    plan(state, A1_FT="> A1.CA 3 supply as fuel", stores={"lose": True})
    at = turn_end(state)
    assert (unit(state, "A1.FT").supply, unit(state, "A1.CA").fuel) == (47, 34)
    assert "what is worth 1 supply found no room and was lost" in told(at, "alliance")[0]


# --- interruptions ----------------------------------------------------------------------------------------------------
@cases("impulse, supply, fuel")
def test_an_interruption_leaves_a_part_of_each_line(impulse: int, supply: int, fuel: int) -> None:
    """Of 23: 0, 23/4 = 5 3/4, 23/2 = 11 1/2; of 7: 0, 1 3/4, 3 1/2; each line rounded down (rulings SUP-2, GEN-7)."""
    state = depot(PAIR)
    empty(state, "A1.FT2")
    empty(state, "A1.FT", supply=23, fuel=6, fuel_cargo=7)
    made = plan(state, A1_FT="> A1.FT2 23 supply, > A1.FT2 7 fuel")
    if impulse:
        state.impulse = impulse
        state.set_mark(state.task_forces["A1"], "searched")
        note_interruptions(state)
        state.impulse = 0
    at = turn_end(state)
    ship = unit(state, "A1.FT2")
    assert (ship.supply, ship.fuel + ship.fuel_cargo) == (supply, fuel)
    assert [one.impulse for one in made.done] == [impulse, impulse]
    text = told(at, "alliance")[0]
    assert (f"interrupted in impulse {impulse}" in text) == bool(impulse)


@cases("mark, stops")
def test_what_interrupts_underway(mark: MarkName, stops: bool) -> None:
    """Searching, attacking, being attacked, becoming a shadower; a crawl does not (ruling SUP-3)."""
    state = depot(PAIR)
    made = plan(state, A1_FT="> A1.FT2 1 supply", stores={"lose": True})
    state.impulse = 2
    state.set_mark(state.task_forces["A1"], mark)
    note_interruptions(state)
    assert made.interrupted == ({"A1.FT": 2, "A1.FT2": 2} if stops else {})


@pytest.mark.rule("pq17", "10.3.9.3")
def test_being_searched_or_shadowed_interrupts_nothing() -> None:
    """Only what the force itself does counts; the first interruption is the one that counts (ruling SUP-3)."""
    state = depot(f"{PAIR} ID2\nC1 0404 CA shadows A1")
    made = plan(state, A1_FT="> A1.FT2 1 supply", stores={"lose": True})
    state.impulse = 1
    state.set_mark(state.task_forces["C1"], "searched")
    note_interruptions(state)
    assert made.interrupted == {}
    state.set_target(state.task_forces["A1"], "C1")
    note_interruptions(state)
    state.impulse = 3
    note_interruptions(state)
    assert made.interrupted == {"A1.FT": 1, "A1.FT2": 1}


@cases("mark, stops")
def test_in_port_only_combat_interrupts(mark: MarkName, stops: bool) -> None:
    """A search from port does not; an attack on the base takes in all that is in port."""
    state = depot(PORT)
    empty(state, "A9.BATS", fuel=12)
    made = plan(state, A2_FT="> A9.BATS 50 supply")
    state.impulse = 3
    for tf in state.port_group(state.task_forces["A9"]):
        state.set_mark(tf, mark)
    note_interruptions(state)
    assert bool(made.interrupted) == stops
    turn_end(state)
    assert unit(state, "A9.BATS").supply == (25 if stops else 50)


@pytest.mark.rule("pq17", "10.3.8.3", "10.3.7.4")
def test_a_line_of_a_unit_that_is_gone_falls_away() -> None:
    """The freighter is destroyed, another is captured: their cargo does not arrive, other lines do."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 FT#3 logistics port A9\nC1 0303 CA")
    empty(state, "A9.BATS")
    text = "> A9.BATS 10 supply"
    plan(state, A1_FT=text, A1_FT2=text, A1_FT3=text)
    state.set_units(state.task_forces["A1"], ["A1.FT3"])
    unit(state, "A1.FT").fate = "destroyed"
    state.set_units(state.task_forces["C1"], ["C1.CA", "A1.FT2"])
    unit(state, "A1.FT2").side = "coalition"
    at = turn_end(state)
    assert (unit(state, "A9.BATS").supply, unit(state, "A1.FT2").supply) == (10, 50)
    assert told(at, "alliance")[0].count("not to be had any more") == 2


@pytest.mark.rule("pq17", "11.2.4.4", "10.3.6")
@pytest.mark.parametrize(
    ("track", "why"), [(2, "its DAMCON track is full"), (0, "none is left in its boxes")], ids=["full", "nothing left"]
)
def test_repair_points_that_do_not_come_into_its_own_track_are_given_to_nobody(track: int, why: str) -> None:
    state = depot("A1 0303 CA logistics")
    empty(state, "A1.CA", rp_damcon=track)
    unit(state, "A1.CA").damcon_track = [1, 1]
    done = [GoodsDelivery(source="A1.CA", target="A1.CA", goods=Goods.REPAIR, plotted=F(2))]
    at = table(state)
    report_transfers(at, "alliance", LogisticsPlan(done=done))
    assert told(at, "alliance") == [f"Supply: A1.CA put none of 2 repair points into its DAMCON track ({why})."]


# --- the step itself --------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.2.c.ii", "10.3.6", "10.2.5")
def test_goods_arrive_in_the_logistics_step_and_not_before() -> None:
    """The plan alone changes nothing; the step does, and the owner alone is told what each line came to."""
    state = depot(PORT)
    empty(state, "A1.CA", fuel=20)
    before = stores(state, "A2.FT")
    plan(state, dock_A9_BATS="A2.FT+A1.CA", A2_FT="> A1.CA 14 supply as fuel")
    assert (stores(state, "A2.FT"), unit(state, "A1.CA").fuel) == (before, 20)
    at = table(state)
    run(tactical_logistics_steps(at))
    assert (unit(state, "A2.FT").supply, unit(state, "A1.CA").fuel) == (36, 34)
    (report,) = [one for one in at.shared.reports if one.kind == "supply"]
    assert (report.to, report.text) == (("alliance",), "Supply: A2.FT gave A1.CA 14 supply, as 14 fuel.")
    assert report.why.rule == "PQ-17 10.3.6"


@pytest.mark.rule("pq17", "10.3.7.5", "10.3.5")
def test_what_supply_becomes_may_be_said_at_the_end(kept: Kept) -> None:
    """Six points reach a cruiser without cargo boxes: it wants 3 fuel, a probe (one point) and two crew units. A
    freighter that nothing reaches keeps its full cargo as it is, whatever it lacks."""
    state = depot("A1 0404 FT#2+CA logistics")
    empty(state, "A1.CA", fuel=10)
    empty(state, "A1.FT2", fuel=2, supply=50)
    plan(state, A1_FT="> A1.CA 6 supply", stores={"convert": True})
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> object:
        asked.append(ask)
        assert ask.default is not None
        lines = ask.sheet_of(ask.default)
        assert lines["A1.CA"] == {"make": "6 fuel"}  # what would become of it otherwise
        assert lines["A1.FT2"] == {"make": None}
        assert [(line.key, line.label, line.note) for line in ask.form.lines if line.key != "side"] == kept("lines")
        help_text = "Amounts of what is made; a supply point serves one purpose"
        assert {field.help for line in ask.form.lines for field in line.fields if field.key == "make"} == {help_text}
        texts = ("7 fuel", "6 supply", "3 UIMs, 3 fuel", "3 limited drones")
        sheets = [ask.model.model_validate({"A1.CA": {"make": text}}) for text in texts]
        assert [str(one) for sheet in sheets for one in ask.check(sheet)] == kept("refusals")
        nothing = ask.model.model_validate({"A1.CA": {"make": None}, "A1.FT": {"make": ""}})
        assert ask.read_back(nothing) == ["All supply stays supply, where there is room."]
        made = ask.model.model_validate({"A1.CA": {"make": "3 fuel, 1 probe"}, "A1.FT": {"make": "1 drone"}})
        found = ask.read_back(made)
        assert found == ["A1.CA makes 3 fuel, 1 probe of its supply.", "A1.FT makes 1 drone of its supply."]
        return {"A1.CA": {"make": "3 fuel, 1 probe, 2 crew units"}, "A1.FT": {"make": None}}

    at = turn_end(state, answer)
    assert [ask.kind for ask in asked] == ["conversions"]
    assert stores(state, "A1.CA") == "fuel 13, probes 1, 2 crew units"
    assert unit(state, "A1.FT").supply == 44
    assert "A1.CA makes 3 fuel, 1 probe, 2 crew units of its supply." in told(at, "alliance")


@pytest.mark.rule("pq17", "10.3.10.1")
def test_ships_use_supply_of_their_own_wherever_they_are() -> None:
    """At full speed, without Logistics posture, and even when it fought: half full is 3 of 6 for a freighter."""
    state = depot("A1 0404 FT+CA speed 2\nA9 0303 BATS base Haven known")
    state.supply_routine.clear()
    empty(state, "A1.FT", fuel="1/2", supply=20)
    empty(state, "A1.CA", fuel=1)
    empty(state, "A9.BATS", fuel=4, supply=20)
    state.set_mark(state.task_forces["A1"], "searched")
    at = turn_end(state)
    assert stores(state, "A1.FT") == "fuel 5/2, supply 18"  # two whole points; a third would pass the half
    assert stores(state, "A9.BATS") == "fuel 12, supply 12"  # bases fill up
    assert stores(state, "A1.CA") == "fuel 1"
    assert told(at, "alliance") == ["Taken from their own cargo into the engines: A1.FT (2 fuel), A9.BATS (8 fuel)."]
    assert told(at, "coalition") == []


def test_a_side_may_forbid_its_ships_to_touch_their_supply() -> None:
    state = depot("A1 0404 FT speed 2")
    empty(state, "A1.FT", supply=20)
    assert upkeep(state, "alliance") == []
    state.supply_routine["alliance"].refuel = "full"
    (one,) = upkeep(state, "alliance")
    assert (one.goods, one.amount, one.into) == (Goods.SUPPLY, 6, Goods.FUEL)


@cases("wish, fuel, stowed, moved")
def test_engines_are_filled_up_from_what_is_carried(wish: Any, fuel: int, stowed: int, moved: list[tuple[str, int]]):
    """A freighter with eight power boxes and twenty points of supply."""
    state = depot("A1 0404 FT speed 2")
    empty(state, "A1.FT", supply=20, fuel=Fraction(fuel), fuel_cargo=stowed)
    unit(state, "A1.FT").warp = 8
    state.supply_routine["alliance"].refuel = wish
    assert [(one.goods.value, one.amount) for one in upkeep(state, "alliance")] == moved


# --- secrecy ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "10.3.6", "SOP.2.c.ii")
@pytest.mark.unseen("pq17", reports=("supply",))
def test_the_enemy_learns_nothing_of_supply() -> None:
    """With and without transfers, interrupted or not, the enemy is told the same: nothing."""
    told_to_enemy: list[list[str]] = []
    for text, interrupted in (("", {}), ("> A1.FT2 20 supply", {}), ("> A1.FT2 20 supply", {"A1.FT": 2})):
        state = depot(f"{PAIR} ID3\nC1 0404 CA ID3")
        empty(state, "A1.FT2")
        plan(state, A1_FT=text).interrupted = dict(interrupted)
        assert not worth_asking(state, "coalition", routine_plan(state, "coalition"))
        told_to_enemy.append(told(turn_end(state), "coalition"))
    assert told_to_enemy == [[], [], []]


@pytest.mark.rule("pq17", "10.3.10.1", "10.3.8.3")
def test_repair_points_are_put_to_use_by_who_has_them_and_handed_over_to_others() -> None:
    """Of its own cargo a ship stows what its DAMCON lacks; what another gets leaves the giver."""
    state = depot("A1 0404 CA#2 logistics")
    own, other = unit(state, "A1.CA"), unit(state, "A1.CA2")
    for ship in (own, other):
        empty(state, ship.id, cargo=10, rp_cargo=6, rp_damcon=0)
    lines = [
        GoodsTransfer(source=own.id, target=target, goods=Goods.REPAIR, amount=F(2)) for target in (own.id, other.id)
    ]
    kept, given = collect(state, "alliance", state.units, LogisticsPlan(units=[own.id, other.id], transfers=lines))
    assert (kept.amount, kept.stored, given.amount, given.stored) == (2, {Goods.REPAIR: 2}, 2, {})
    assert (own.rp_damcon, own.rp_cargo, other.rp_damcon, other.rp_cargo) == (2, 2, 0, 6)
