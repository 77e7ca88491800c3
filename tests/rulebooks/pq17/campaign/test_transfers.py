"""Transfers, returns, emergency reinforcements and the Administrative Step, by hand."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.campaign import period_report, transfers
from rules_engine.rulebooks.pq17.campaign.arrivals import waiting
from rules_engine.rulebooks.pq17.campaign.emergency_reinforcements import EmergencySheet, emergency_ask, take_emergency
from rules_engine.rulebooks.pq17.campaign.period_ends import (
    administrative_steps,
    begin_period_steps,
    order_of_battle_steps,
    score_transfers,
    transfer_points,
)
from rules_engine.rulebooks.pq17.campaign.period_sheet import (
    PeriodLine,
    PeriodSheet,
    carry_out_period,
    period_ask,
    period_form,
)
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.nations.victory_points import score, total_for
from rules_engine.rulebooks.pq17.plotting.routes import read_route
from rules_engine.rulebooks.pq17.records.progress import CommandAccount
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables import operations, ship_classes
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, put, schedule, transferred
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told

F = Fraction


def absent(state: State, period: int, nation: str = "federation") -> list[tuple[str, str]]:
    """What of a nation was missing: operation or key, and category."""
    found = transfers.missing(state, period)
    return [(transfer.operation or transfer.key, category) for transfer, category in found if transfer.nation == nation]


@pytest.mark.rule("pq17", "C.vp.14", "C.vp.note9", "C.schedule.note2")
def test_a_hull_of_the_size_called_for_or_a_larger_one_satisfies_a_transfer() -> None:
    """Period 1 wants a CA and, for IRONCLAD, a DD."""
    state = campaign(turn=30)
    put(state, "A1", "1720", "FED-DN", "FED-CL", "FED-CA")
    assert absent(state, 1) == [("federation-1", "CA"), ("IRONCLAD", "DD")]
    transferred(state, "A1.FED-DN", "federation-1", turn=30)
    transferred(state, "A1.FED-CL", "ironclad", turn=30)
    assert absent(state, 1) == []


@pytest.mark.rule("pq17", "C.schedule.note4", "C.vp.14")
def test_named_operations_want_sound_ships_and_others_any() -> None:
    state = campaign(turn=30)
    put(state, "A1", "1720", "FED-CA", "FED-DD")
    transferred(state, "A1.FED-CA", "federation-1", fit=False, turn=30)
    transferred(state, "A1.FED-DD", "ironclad", fit=False, turn=30)
    assert absent(state, 1) == [("IRONCLAD", "DD")]


@cases("entry, fields")
def test_a_sheet_asks_where_ships_leave_only_if_there_is_a_choice(entry: tuple[str, ...], fields: list[str]) -> None:
    state = campaign()
    nations = [
        one.model_copy(update={"entry": entry}) if one.key == "federation" else one
        for one in state.settings.campaign.nation
    ]
    changed = state.settings.campaign.model_copy(update={"nation": tuple(nations)})
    state.settings = state.settings.model_copy(update={"campaign": changed})
    put(state, "A1", "1720", "FED-CA")
    assert [field.key for field in period_form(state, "alliance").line("federation-1-CA").fields] == fields


@cases("fuel, warp, refused", made="fuel")
def test_a_named_operations_ship_may_leave_sound_and_with_half_its_fuel(fuel: Fraction, warp: int, refused: bool):
    """A test destroyer has 15 warp boxes: half of its fuel is 7 1/2."""
    state = campaign()
    tf = put(state, "A1", "1720", "FED-DD", speed=operations.Speed.EFFICIENT)
    carry_out_period(table(state), "alliance", PeriodSheet({"ironclad-DD": PeriodLine(ships=("A1.FED-DD",))}))
    unit = state.units["A1.FED-DD"]
    unit.warp, unit.fuel = warp, fuel
    wrong = read_route(state, tf, "exit", operations.Speed.EFFICIENT, "A1.route").refusals
    assert [one.rule for one in wrong] == (["PQ-17 C.schedule.note4"] if refused else [])


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_an_unnamed_transfers_ship_may_leave_in_any_condition() -> None:
    state = campaign()
    tf = put(state, "A1", "1720", "FED-CA", speed=operations.Speed.EFFICIENT)
    carry_out_period(table(state), "alliance", PeriodSheet({"federation-1-CA": PeriodLine(ships=("A1.FED-CA",))}))
    unit = state.units["A1.FED-CA"]
    unit.warp, unit.fuel, unit.crippled = 3, F(1), True
    assert read_route(state, tf, "exit", operations.Speed.EFFICIENT, "A1.route").refusals == []
    transfers.forget_assignments(state)  # the next period
    wrong = read_route(state, tf, "exit", operations.Speed.EFFICIENT, "A1.route").refusals
    assert ([one.rule for one in wrong], state.progress.direct) == (["PQ-17 C.schedule.note3"], {})


@pytest.mark.rule("pq17", "C.vp.14", "C.vp.note9")
def test_a_missed_transfer_costs_what_the_cheapest_such_ship_is_worth() -> None:
    """CA 120/60 = 2; with none left the usual 135/60 = 2.25, rounded 2.5. Klingon CA x 1.5; DN 240/60 x 2 = 8."""
    state = campaign(turn=30)
    put(state, "A1", "1217", "FED-CA")
    transfer = schedule().transfer_of("federation-1")
    assert transfer is not None
    assert transfer_points(state, transfer, "CA") == 2
    transferred(state, "A1.FED-CA", "calendar", turn=30)
    assert transfer_points(state, transfer, "CA") == F(5, 2)
    late = schedule().transfer_of("klingon-16")
    assert late is not None
    put(state, "C1", "1715", "KLI-DN")
    assert [transfer_points(state, late, one) for one in ("DN", "CA")] == [8, F(7, 2)]  # 135/60 x 1.5 = 3.375
    assert transfer_points(state, late, "FF") == 1  # 50/60


@pytest.mark.rule("pq17", "C.vp.14")
def test_both_sides_pay_for_missing_hulls() -> None:
    """Period 3: Klingons 1 FF (60/60 = 1), Federation 2 DD (80/60 = 1.33, rounded 1.5 each)."""
    state = campaign(turn=90)
    put(state, "A1", "1217", "FED-DD", "FED-DD")
    put(state, "C1", "1715", "KLI-FF")
    score_transfers(table(state))
    found = [(line.line, line.amount) for line in state.ledger]
    assert found == [("C.vp.14", F(1)), ("C.vp.14", F(-3, 2)), ("C.vp.14", F(-3, 2))]


@pytest.mark.rule("pq17", "C.schedule.note8", "C.schedule.note7")
def test_who_was_transferred_comes_back_whole_the_larger_hull_too() -> None:
    """CALENDAR took a DN for its CA in period 2; in period 5 the DN comes back, repaired and full."""
    state = campaign(turn=60)
    put(state, "A1", "1217", "FED-DN", "FED-DD")
    unit = state.units["A1.FED-DN"]
    unit.warp, unit.fuel, unit.crippled = 30, F(20), True
    transferred(state, "A1.FED-DN", "calendar", turn=60)
    transferred(state, "A1.FED-DD", "calendar", turn=60)
    state.turn = 150
    assert [one.id for one in transfers.bring_back(state, 5)["federation"]] == ["A1.FED-DN"]
    assert (unit.warp, unit.fuel, unit.crippled) == (45, 45, False)
    assert transfers.bring_back(state, 5) == {}  # only once


@pytest.mark.rule("pq17", "C.schedule.note8")
def test_what_never_left_does_not_come_back() -> None:
    state = campaign(turn=150)
    put(state, "A1", "1217", "FED-CA")
    transferred(state, "A1.FED-CA", "calendar", turn=60, fit=False)  # it left, but not as the operation wanted
    assert transfers.bring_back(state, 5) == {}


@pytest.mark.rule("pq17", "C.schedule.note2")
def test_the_proposed_ships_are_the_least_useful_ones_and_none_twice() -> None:
    state = campaign()
    put(state, "A1", "1217", "FED-DN", "FED-CA", "FED-CA", "FED-DD", "FED-DD")
    put(state, "A2", "1105", "KZI-FF", "KZI-DD")
    state.units["A1.FED-DD"].warp = 10  # damaged: IRONCLAD wants a sound one
    chosen = transfers.usual_ships(state, "alliance", 1)
    assert chosen == {
        "federation-1-CA": ["A1.FED-CA"],
        "kzinti-1-FF": ["A2.KZI-FF", "A2.KZI-DD"],
        "ironclad-DD": ["A1.FED-DD2"],
    }


@cases("key, ships")
def test_ships_that_do_not_suit_a_transfer_are_refused(key: str, ships: tuple[str, ...]) -> None:
    state = campaign()
    put(state, "A1", "1217", "FED-CA", "FED-CA", "FED-DD")
    put(state, "A2", "1105", "KZI-FF")
    put(state, "C1", "1715", "KLI-DD")
    wrong = period_ask(table(state), "alliance").check(PeriodSheet({key: PeriodLine(ships=ships)}))
    assert [(one.rule, one.path) for one in wrong] == [("PQ-17 C.schedule.note2", f"{key}.ships")]


@pytest.mark.rule("pq17", "C.cp.patrol-white")
def test_patrol_white_is_two_cruisers() -> None:
    state = campaign()
    put(state, "A1", "0419", "FED-CA", "FED-CA", "FED-CA", tags=["patrol-white"])
    ask = period_ask(table(state), "alliance")
    three = PeriodSheet({"patrol-white": PeriodLine(ships=("A1.FED-CA", "A1.FED-CA2", "A1.FED-CA3"))})
    assert [one.rule for one in ask.check(three)] == ["PQ-17 C.cp.patrol-white"]
    carry_out_period(table(state), "alliance", PeriodSheet({}))
    assert state.progress.patrol == ["A1.FED-CA", "A1.FED-CA2"]


@pytest.mark.rule("pq17", "4.2.1", "4.2.3")
def test_where_points_are_short_their_owner_says_who_is_covered() -> None:
    """Ruling CP-5: three points for two dreadnoughts and four cruisers, which would need four."""
    state = campaign()
    put(state, "C1", "1613", "KLI-DN", "KLI-DN", "KLI-CA", "KLI-CA")
    put(state, "C2", "1613", "KLI-CA", "KLI-CA")
    ask = period_ask(table(state), "coalition")
    assert ask.form.line("cover-klingon") is not None
    everybody = tuple(sorted([*state.task_forces["C1"].units, *state.task_forces["C2"].units]))
    wrong = ask.check(PeriodSheet({"cover-klingon": PeriodLine(ships=everybody)}))
    assert [one.rule for one in wrong] == ["PQ-17 4.2.1"]
    chosen = PeriodSheet({"cover-klingon": PeriodLine(ships=tuple(state.task_forces["C1"].units))})
    assert not ask.check(chosen)
    carry_out_period(table(state), "coalition", chosen)
    assert state.progress.command["klingon"].uncovered == ["C2.KLI-CA", "C2.KLI-CA2"]
    assert (state.task_forces["C2"].route[-2:], state.task_forces["C1"].route) == (["1715", "port"], [])


@pytest.mark.rule("pq17", "4.2.1", "C.cp.kzinti")
def test_one_point_covers_all_kzinti_ships_within_range() -> None:
    """Far hexes are paid for as they are entered, not at the period's start."""
    state = campaign()
    put(state, "A1", "0805", "KZI-DN", "KZI-CA", "KZI-CA")
    state.progress.command["kzinti"] = CommandAccount(bank=1)
    ask = period_ask(table(state), "alliance")
    assert ask.form.line("cover-kzinti") is None
    state.progress.command["kzinti"] = CommandAccount(bank=0)
    ask = period_ask(table(state), "alliance")
    assert ask.form.prefilled()["cover-kzinti"] == {"ships": []}
    state.progress.command["kzinti"] = CommandAccount(bank=1)
    assert not ask.check(PeriodSheet({"cover-kzinti": PeriodLine(ships=("A1.KZI-DN", "A1.KZI-CA"))}))


# --- emergency reinforcements ---------------------------------------------------------------------------------------
@cases("side, lines, refused")
def test_emergency_points_are_limited(side: str, lines: dict[str, dict[str, int]], refused: bool) -> None:
    wrong = emergency_ask(table(campaign(turn=30)), side).check(EmergencySheet.model_validate(lines))
    assert [one.rule for one in wrong] == (["PQ-17 C.emergency-reinforcements"] if refused else [])


@cases("side, kind, total")
def test_each_emergency_hull_costs_a_point_in_secret(side: str, kind: str, total: int) -> None:
    state = campaign(turn=30)
    at = table(state)
    made = take_emergency(at, side, EmergencySheet.model_validate({kind: {"hulls": 2}}))
    assert sum(len(units) for units in made.values()) == 2
    assert state.total() == total
    other = "coalition" if side == "alliance" else "alliance"
    assert (total_for(state, side), total_for(state, other)) == (total, 0)
    assert told(at, other) == []


def test_heavier_hulls_are_not_offered_in_an_emergency() -> None:
    ask = emergency_ask(table(campaign(turn=30)), "alliance")
    assert [line.key for line in ask.form.lines] == ["FED-DD", "FED-FF"]


# --- the Administrative Step ----------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.3.d", "C.schedule.note5", "C.emergency-reinforcements", "C.schedule.note8")
def test_what_is_bought_at_a_periods_end_comes_on_in_the_next() -> None:
    state = campaign(turn=150)
    put(state, "A1", "1217", "FED-CA")
    transferred(state, "A1.FED-CA", "calendar", turn=60)
    at = table(state)

    def answer(ask: AnyAsk) -> object:
        if (ask.kind, ask.parties) == ("purchase", ("alliance",)):
            return {**ask.form.prefilled(), "federation-CA": {"buy": "1 FED-CA"}}
        if (ask.kind, ask.parties) == ("emergency", ("coalition",)):
            return {"KLI-DD": {"hulls": 1}}
        return None

    run(order_of_battle_steps(at), answer)
    assert waiting(state, "alliance") == waiting(state, "coalition") == []  # not in this period
    state.turn = 151
    kinds = {one.key: sorted(state.units[unit].class_id for unit in one.units) for one in waiting(state, "alliance")}
    assert kinds["federation-back-6"] == ["FED-CA"]
    assert "FED-CA" in kinds["federation-new-6"]
    assert any(key.startswith("kzinti-convoy-6") for key in kinds)
    assert any(key.startswith("federation-supply-6") for key in kinds)
    assert any(state.units[one].class_id == "KLI-DD" for two in waiting(state, "coalition") for one in two.units)
    assert not [unit for unit in state.units if state.tf_of(unit) is None and unit not in state.progress.away]


@pytest.mark.rule("pq17", "SOP.3.c")
def test_nothing_is_delivered_to_bases_but_by_convoys() -> None:
    """Ruling SUP-8: supplies are explicit."""
    state = campaign(turn=660)
    for base in state.all_task_forces():
        for unit in state.units_of(base):
            unit.supply = 7
    run(administrative_steps(table(state)))
    assert {unit.supply for base in state.all_task_forces() for unit in state.units_of(base)} == {7}


@pytest.mark.rule("pq17", "SOP.3.c", "SOP.3.d")
def test_after_the_last_period_nobody_buys() -> None:
    assert asks_of(administrative_steps(table(campaign(turn=660)))) == ()
    assert {ask.kind for ask in asks_of(administrative_steps(table(campaign(turn=630))))} == {"purchase"}


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b")
def test_everybody_reads_who_scored_what_in_a_period_and_why_if_it_was_secret() -> None:
    """Spectators have not read of any of it: the Coalition's points for the Alliance's command, and another line of the
    same title; what was public, a raid and a bid, is told with its points alone."""
    state = campaign(turn=660)
    for amount, nation in ((-3, "Federation"), (-2, "Kzinti")):
        text = f"{nation}: {-amount} command points expended."
        score(table(state), "C.vp.12", F(amount), because("PQ-17 C.vp.12"), text=text, seen_by=["alliance"])
    for line, amount in (("C.vp.11", F(-1)), ("4.1.2", F(1, 2))):
        score(table(state), line, amount, because("PQ-17 2.1"), text="Public.")
    at = table(state)
    run(administrative_steps(at))
    assert any("Revealed: -3" in text for text in told(at, "coalition"))
    (report,) = [one for one in at.shared.reports if one.text.startswith("Period 22:")]
    assert report.is_public()
    secret = "Federation: 3 command points expended; Kzinti: 2 command points expended"
    assert "Alliance scores 1/2 (0.5): Bids for the initiative 1/2 (0.5)" in report.text
    # nothing was delivered to the Kzintis, which costs 6
    assert f"Coalition scores 12: Too few deliveries 6, Raids 1, Command points 5 ({secret})." in report.text
    assert "Public" not in report.text


def test_a_turn_is_begun_with_one_sheet_a_side_and_the_enemys_is_nobodys_business() -> None:
    """Two worlds: the Klingons have reinforcements waiting or not; the Alliance sees and hears the same."""
    seen: list[object] = []
    for ships in ((), ("KLI-FF",)):
        state = campaign(turn=31)
        put(state, "A1", "1217", "FED-CA", in_port="A91")
        put(state, "C1", "1715", *(ships or ("KLI-CL",)), in_port="C91")
        at = table(state)
        asks = [ask for ask in asks_of(begin_period_steps(at)) if ask.parties == ("alliance",)]
        seen.append((told(at, "alliance"), [ask.form for ask in asks], period_report.campaign_rows(state, "alliance")))
    assert seen[0] == seen[1]


# --- refits -----------------------------------------------------------------------------------------------------------
def refitted(state: State, *ships: str) -> State:
    """The state once these cruisers have a refit of 60, which adds two AWR boxes."""
    refit = ship_classes.Refit(name="Y165", year=165, bpv=F(60), boxes_added={"awr": 2})
    state.classes = state.classes | {"FED-CA": state.classes["FED-CA"].model_copy(update={"refits": (refit,)})}
    for ship in ships:
        give_refit(state, state.units[ship], "Y165")
    return state


@pytest.mark.rule("pq17", "C.schedule.note2", "C.purchase.3")
def test_of_two_cruisers_the_one_without_a_refit_is_the_cheaper() -> None:
    state = campaign()
    put(state, "A1", "1217", "FED-CA", "FED-CA")
    line = period_ask(table(refitted(state, "A1.FED-CA")), "alliance").form.prefilled()["federation-1-CA"]
    assert line["ships"] == ["A1.FED-CA2"]


@pytest.mark.rule("pq17", "C.vp.14", "C.vp.note9", "C.purchase.3")
def test_a_transfer_missed_by_a_refitted_ship_costs_its_refits_as_well() -> None:
    """120 + 60 = 180, so 3 points; the destroyer of IRONCLAD 80/60, so 1 1/2."""
    state = campaign(turn=30)
    put(state, "A1", "1217", "FED-CA", "FED-DD")
    run(administrative_steps(table(refitted(state, "A1.FED-CA"))))
    lines = {line.text: line.amount for line in state.ledger if line.line == "C.vp.14"}
    assert lines["Federation CA not transferred."] == -3


@pytest.mark.rule("pq17", "C.schedule.note8", "C.purchase.3")
def test_a_refitted_ship_comes_back_with_all_boxes_of_its_refits() -> None:
    state = campaign(turn=60)
    put(state, "A1", "1720", "FED-CA")
    refitted(state, "A1.FED-CA")
    returning = next(one for period in range(1, 21) for one in schedule().returns_of(period) if "CA" in one.hulls)
    transfer = schedule().transfer_of(returning.transfer)
    transferred(state, "A1.FED-CA", transfer.key, turn=30 * transfer.period)
    ship = state.units["A1.FED-CA"]
    full = ship.awr
    ship.awr = full - 1
    transfers.bring_back(state, returning.period)
    assert (ship.awr, ship.fuel) == (full, ship.power_boxes)
