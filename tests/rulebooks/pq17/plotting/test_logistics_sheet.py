"""The logistics sheet: when it is opened, its routine, orders as text, and the turn as a whole."""

from collections.abc import Generator
from typing import Any

import pytest

from rules_engine.core.basics import rational, refusals
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_plan
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import write_transfers
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.plotting import logistics_lines, logistics_sheet, planning_sheet
from rules_engine.rulebooks.pq17.records import logistics, progress
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown import public_board, side_board
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import ask_for, asks_of, run, table, told
from tests.rulebooks.pq17.worlds.supply import depot, empty, plan, routine, rules, stores, turn_end, unit

PORT = """
A9 0303 BATS base Haven known
A1 0303 CA#3+FT logistics port A9
C1 0606 CA speed 1
"""


@cases("text, rule, problem", "")
def test_who_takes_no_part_in_logistics_is_told_what_that_needs(text: str, rule: str, problem: str) -> None:
    ask = sheet_ask(depot(f"{PORT}A2 0405 FT speed 1"))
    with pytest.raises(refusals.Refused) as caught:
        read_sheet(ask.form, text, ask.refusals_of)
    needs = "Logistics posture, and Station Keeping or, underway, Impulse Crawl"
    assert [(one.rule, one.problem) for one in caught.value.refusals] == [(rule, problem.format(needs))]


def lines(made: logistics.LogisticsPlan) -> list[str]:
    """Transfers as ``source>target amount goods into``."""
    return [
        f"{one.source}>{one.target} {one.amount} {one.goods.value}" + (f" as {one.into.value}" if one.into else "")
        for one in made.transfers
    ]


def worth_asking(state: State) -> bool:
    """Whether the Alliance is asked about the routine's plan."""
    return logistics_sheet.worth_asking(state, "alliance", routine_plan(state, "alliance"))


def sheet_ask(state: State, side: str = "alliance") -> AnyAsk:
    return logistics_sheet.logistics_ask(table(state), side, routine_plan(state, side))


# --- the routine ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "10.3.8.1", "10.3.7.2.3")
def test_the_routine_in_port_fills_engines_and_unloads_freighters(kept: Kept) -> None:
    """Three positions: the freighter that brings 40 points and needs 2 and four repair points, the cruiser that lacks
    14, the one that lacks 6; the full one stays away. The base has 50 of 75 boxes full: it gives 2 + 14 + 6 of fuel
    and 4 repair points, which leaves 24, so that all 40 points find room."""
    state = depot(PORT)
    empty(state, "A9.BATS", fuel=12, supply=50)
    empty(state, "A1.FT", fuel=4, supply=40)
    unit(state, "A1.CA").fuel -= 6
    unit(state, "A1.CA3").fuel -= 14
    made = routine(state)
    (group,) = made.groups
    assert (group.host, group.docked) == ("A9.BATS", ["A1.FT", "A1.CA3", "A1.CA"])
    assert sorted(lines(made)) == kept()
    turn_end(state)
    assert stores(state, "A9.BATS") == "fuel 12, supply 64"
    assert stores(state, "A1.FT") == "fuel 6, damcon 4"
    assert unit(state, "A1.CA3").fuel == 34


def test_what_a_crowded_base_gives_fits_its_line() -> None:
    """Six positions, and in each a cruiser that lacks fuel, probes and everything that it carries: four hundred
    characters would not name half of it. The sheet proposes all of the routine, and it is legal."""
    state = depot("A9 0303 SB base Haven known\nA1 0303 CA#6 logistics port A9")
    empty(state, "A9.SB", fuel=30, supply=200)
    cruisers = [one.id for one in state.units.values() if one.class_id == "CA"]
    for one in cruisers:
        empty(state, one, fuel=20)
    made = routine(state)
    assert {one.target for one in made.transfers if one.into is not None} == set(cruisers)
    assert len(write_transfers(made.transfers)) > 800
    assert {one.source for one in made.transfers} == {"A9.SB"}


@cases("proves, text, aboard, routine_lines, after", "routine_lines, after")
def test_what_the_routine_moves(
    text: str, aboard: dict[str, dict[str, Any]], routine_lines: list[str], after: list[str]
) -> None:
    """``aboard`` is what units have with which it matters, ``after`` the stores of these units at the turn's end."""
    state = depot(text)
    for name, fields in aboard.items():
        empty(state, name, **fields)
    made = routine(state)
    assert [*(f"{one.host}: {' '.join(one.docked)}" for one in made.groups), *lines(made)] == routine_lines
    turn_end(state)
    assert [stores(state, name) for name in aboard] == after


@pytest.mark.rule("pq17", "10.3.9.1", "10.3.9.2", "T4")
def test_the_routine_underway_fuels_the_neediest_within_the_limit() -> None:
    """One tanker, one position: the ship that lacks 100 points gets 60, the one that lacks three waits."""
    state = depot("A1 0404 FT+CA+DD logistics")
    empty(state, "A1.FT", cargo=100, supply=100, fuel=6, rp_damcon=4)
    empty(state, "A1.CA", warp=100, fuel=4, rp_damcon=4)
    unit(state, "A1.DD").fuel -= 3
    made = routine(state)
    assert [(one.host, one.docked) for one in made.groups] == [("A1.FT", ["A1.CA"])]
    assert lines(made) == ["A1.FT>A1.CA 60 supply as fuel"]


def convoy(kind: str) -> State:
    """A convoy's freighter with fifty points, a cruiser that lacks ten, and a base of the Kzintis with five boxes
    free and no supply to spare for engines but 70."""
    alike = {"side": "alliance", "home": "0303", "entry": []}
    nations = [{"key": "kzinti", "name": "Kzinti", "empires": ["Kzinti"]} | alike]
    nations += [{"key": "federation", "name": "Federation", "empires": ["Testers"]} | alike]
    entry = {"id": "A9", "key": "arzangel", "nation": "kzinti", "name": "Arzangel", "class_id": "BATS"}
    sheet = {"nation": nations, "base": [entry | {"hex": "0303", "conditions": 1}]}
    campaign = OrderOfBattle.model_validate(sheet)
    state = depot("A9 0303 BATS base Arzangel known\nA1 0303 CA+FT logistics port A9", campaign=campaign)
    record = state.task_forces["A9"].base
    record.key = "arzangel"
    empty(state, "A9.BATS", fuel=12, supply=70)
    empty(state, "A1.FT", fuel=6, supply=50, rp_damcon=4)
    unit(state, "A1.CA").fuel -= 10
    document = {"kind": kind, "convoy": "kzinti-convoy", "nation": "federation", "period": 1, "original": 50}
    state.progress.freighters["A1.FT"] = progress.Freighter.from_json(document)
    return state


@pytest.mark.rule("pq17", "10.3.3", "10.3.8.1")
def test_a_bought_convoy_hands_all_over_to_the_kzintis_and_fuels_nobody() -> None:
    """The base fuels the cruiser and has fifteen boxes free then: 15 of the 50 points are stored, the rest is passed
    on (ruling SUP-10). That is no loss that must be agreed to."""
    state = convoy("convoy")
    assert lines(routine(state)) == ["A9.BATS>A1.CA 10 supply as fuel", "A1.FT>A9.BATS 50 supply"]
    at = turn_end(state)
    assert (unit(state, "A9.BATS").supply, unit(state, "A1.FT").supply) == (75, 0)
    assert "A1.FT gave A9.BATS 50 supply; 35 supply was passed on at once." in told(at, "alliance")[0]


@cases("answer, left, said")
def test_what_is_handed_over_is_no_loss_when_supply_is_asked_about_at_the_end(
    answer: str | None, left: int, said: str
) -> None:
    """The same, and what supply becomes is asked at the turn's end: the 35 points that find no room are passed on
    whatever is answered. Three crew units take three of the fifteen boxes, and as many points."""
    state = convoy("convoy")
    state.logistics["alliance"] = routine(state)
    state.logistics["alliance"].ask_at_end = True
    asked: list[str] = []

    def reply(ask: AnyAsk) -> object:
        asked.append(ask.kind)
        assert ask.default is not None
        assert ask.check(ask.default) == []
        return ask.default if answer is None else {"A9.BATS": {"make": answer}}

    at = turn_end(state, reply)
    assert asked == ["conversions"]
    assert unit(state, "A9.BATS").supply == left
    assert [text for text in told(at, "alliance") if "passes on" in text] == [said]


def test_a_base_convoy_unloads_at_bases_and_fuels_nobody() -> None:
    """At a base that its nation built it unloads what finds room, 15 of 50; ships get nothing of it (SUP-14)."""
    state = convoy("resupply")
    assert lines(routine(state)) == ["A9.BATS>A1.CA 10 supply as fuel", "A1.FT>A9.BATS 15 supply"]
    assert rules(state, A1_FT="> A1.CA 1 supply as fuel")[0] == "PQ-17 C.oob.federation.base-convoy"


@pytest.mark.rule("pq17", "10.3.7.2.2")
def test_a_pod_without_its_tug_is_on_its_own() -> None:
    """Whose tug was lost is docked as any other unit."""
    state = depot("A1 0404 KP+FT logistics\nA2 0404 TG")
    unit(state, "A1.KP").carried_by = "A2.TG"
    empty(state, "A1.KP")
    assert [(one.host, one.docked) for one in plan(state, A1_FT="> A1.KP 20 supply").groups] == [("A1.FT", ["A1.KP"])]


@cases("fuel", "")
def test_the_routine_is_legal_and_loses_nothing(fuel: str) -> None:
    """Whatever the tanks hold, whole points only (:func:`routine` checks the sheet it proposes)."""
    state = depot(PORT)
    unit(state, "A1.CA").fuel = rational.parse_rational(fuel)
    made = routine(state)
    turn_end(state)
    assert all(one.lost == 0 for one in made.done)


# --- asking -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "SOP.2.a.iv.1", "10.3.7.1")
def test_nobody_is_asked_without_logistics_posture() -> None:
    """Ships that could use fuel, beside a freighter, in port and out of it, but not in Logistics posture."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT port A9\nA2 0404 CA+FT\nC1 0505 CA")
    for name in ("A1.CA", "A2.CA"):
        unit(state, name).fuel -= 10
    assert asks_of(logistics_sheet.logistics_steps(table(state))) == ()
    assert state.logistics == {}


@pytest.mark.rule("pq17", "SOP.2.a.iv.1", "SOP.2.a.iv.2", "10.3.7.1")
def test_a_side_with_something_to_do_is_asked_once_and_alone() -> None:
    """The alliance has a cruiser to fuel; its sheet proposes the routine, and silence takes it."""
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 6
    assert [ask.parties for ask in asks_of(logistics_sheet.logistics_steps(table(state)))] == [("alliance",)]
    run(logistics_sheet.logistics_steps(table(state)))
    assert "A9.BATS>A1.CA 6 supply as fuel" in lines(state.logistics["alliance"])
    assert "coalition" not in state.logistics


def test_full_ships_are_not_asked_about_turn_after_turn() -> None:
    """Newly in Logistics posture, with somebody who could load supply: asked once. Later only when there is need."""
    state = depot(PORT)
    unit(state, "A1.FT").supply = 0
    assert worth_asking(state)
    run(logistics_sheet.logistics_steps(table(state)))
    assert not worth_asking(state)
    unit(state, "A1.CA").fuel -= 1
    assert worth_asking(state)


@cases("force, supply, is_asked")
def test_a_force_is_asked_about_supply_where_one_has_some_and_another_has_room(
    force: str, supply: dict[str, int], is_asked: bool
) -> None:
    state = depot(f"A1 0404 {force} logistics")
    for name, points in supply.items():
        unit(state, name).supply = points
    assert worth_asking(state) == is_asked


def test_a_side_may_want_its_sheet_always_or_never() -> None:
    """Never: the routine is followed without a question. Always: also for a freighter underway with its own supply."""
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 6
    state.supply_routine["alliance"].sheet = "never"
    assert asks_of(logistics_sheet.logistics_steps(table(state))) == ()
    run(logistics_sheet.logistics_steps(table(state)))
    turn_end(state)
    assert unit(state, "A1.CA").fuel == 34
    state = depot("A1 0404 FT speed 2")
    assert not worth_asking(state)
    state.supply_routine["alliance"].sheet = "always"
    assert worth_asking(state)
    assert [line.key for line in sheet_ask(state).form.lines] == ["stores", "A1.FT"]


def test_a_side_that_lets_turns_go_by_follows_the_routine() -> None:
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 6
    state.doctrine["alliance"].run.on = True
    assert asks_of(logistics_sheet.logistics_steps(table(state))) == ()


def test_the_wishes_stand_on_the_planning_sheet() -> None:
    """A side with cargo boxes finds them there; one without does not."""
    state = depot(PORT)
    assert planning_sheet.planning_ask(table(state), "coalition").form.line("stores") is None
    assert planning_sheet.planning_ask(table(state), "alliance").form.line("stores") is not None
    sheet = PlanSheet.model_validate({"stores": {"sheet": "never", "refuel": "full"}})
    planning_sheet.carry_out_plans(table(state), {"alliance": sheet, "coalition": PlanSheet({})})
    wish = state.supply_routine["alliance"]
    assert (wish.sheet, wish.refuel) == ("never", "full")


# --- orders as text ---------------------------------------------------------------------------------------------------
def typed(state: State, *text: str) -> logistics.LogisticsPlan:
    """What a player types, laid over what was filled in, as the interface does it."""
    ask = sheet_ask(state)
    filled = ask.form.prefilled()
    for key, values in read_sheet(ask.form, "\n".join(text)).items():
        filled.setdefault(key, {}).update(values)
    run(logistics_sheet.logistics_steps(table(state)), lambda one: filled if one.kind == "logistics" else None)
    return state.logistics["alliance"]


@pytest.mark.rule("pq17", "10.3.7.4", "SOP.2.a.iv.2")
def test_an_order_is_typed_as_one_says_it() -> None:
    """``tanker > haven 20 supply``: who gives, who gets, how much; the two are docked by that."""
    state = depot(PORT)
    for old, new in (("A1.FT", "tanker"), ("A9.BATS", "haven")):
        one = state.units.pop(old)
        one.id, one.name = new, new.title()
        state.units[new] = one
        tf = next(tf for tf in state.all_task_forces() if old in tf.units)
        state.set_units(tf, [new if name == old else name for name in tf.units])
    empty(state, "haven", fuel=12)
    unit(state, "A1.CA").fuel -= 1
    made = typed(state, "dock-haven -", "tanker > haven 20 supply", "A1.CA: -")
    assert lines(made)[-1:] == ["tanker>haven 20 supply"]
    assert [(one.host, one.docked) for one in made.groups if "tanker" in one.members()] == [("haven", ["tanker"])]


def test_nothing_is_one_choice_away() -> None:
    """A player who wants none of the routine says so on the first line."""
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 1
    made = typed(state, "stores plan nothing")
    assert (made.groups, made.transfers) == ([], [])


def test_the_sheet_survives_being_written_and_read() -> None:
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 1
    ask = sheet_ask(state)
    assert ask.default is not None
    text = write_sheet(ask.form, ask.sheet_of(ask.default))
    again = logistics_lines.LogisticsSheet.model_validate(read_sheet(ask.form, text))
    assert ask.check(again) == []
    assert ask.read_back(again) == ask.read_back(ask.default)
    assert ask.read_back(again)[0].startswith("Docked to A9.BATS: A1.FT, A1.CA")
    assert "A9.BATS gives A1.CA 1 supply as fuel." in ask.read_back(again)


@cases("key, line", "")
def test_junk_is_refused_with_its_place(key: str, line: dict[str, Any]) -> None:
    state = depot(PORT)
    unit(state, "A1.CA").fuel -= 1
    ask = sheet_ask(state)
    wrong = ask.check(ask.model.model_validate({key: line}))
    assert [one.path.split(".ships")[0].split(".give")[0] for one in wrong] == [key]


def test_the_sheet_warns_of_what_will_be_made_and_lost(kept: Kept) -> None:
    """Five points for a cruiser that lacks two of fuel, agreed to: the sheet tells it beforehand."""
    state = depot("A1 0404 FT+CA logistics")
    empty(state, "A1.CA", fuel=32, rp_damcon=4, probes=5, stores=unit(state, "A1.CA").stores)
    ask = sheet_ask(state)
    answer = ask.model.model_validate({"A1.FT": {"give": "> A1.CA 5 supply"}, "stores": {"lose": True}})
    assert ask.check(answer) == []
    assert list(ask.warn(answer)) == kept()


# --- what others see --------------------------------------------------------------------------------------------------
def boards(state: State) -> list[Any]:
    """What the coalition's board and the public one show, and what the coalition is asked."""
    at = table(state)
    steps: Generator[Any, Any, Any] = logistics_sheet.logistics_steps(at)
    asked = [ask for ask in asks_of(steps) if "coalition" in ask.parties]
    return [side_board(state, "coalition", at.knowledge("coalition")), public_board(state), asked]


@cases("change", made="change")
@pytest.mark.unseen("pq17")
def test_the_enemy_sees_none_of_it(change: Any) -> None:
    """The same boards and the same questions, whatever the other side's stores, plans and wishes are."""
    text = f"{PORT}C2 0303 CA ID0\n"
    one, other = depot(text), depot(text)
    change(other)
    assert boards(one) == boards(other)


def test_the_owner_sees_his_stores(kept: Kept) -> None:
    """Fuel and supply by unit, the drones, and the plan of the turn."""
    state = depot("A1 0404 FT+DR logistics\nC1 0505 CA")
    plan(state, A1_FT="> A1.DR 2 supply as fuel", stores={"lose": True})
    at = table(state)
    board = side_board(state, "alliance", at.knowledge("alliance"))
    (panel,) = [one for one in board.panels if one.title == "Stores"]
    assert panel.rows == kept()
    assert not told(at, "coalition")
    assert ask_for([sheet_ask(state)], "alliance").kind == "logistics"
