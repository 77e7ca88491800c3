"""Logistics: standing orders about it, and its texts written down whole."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.forms import forms, order_rows
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch01_forces.construction import carry_out_construction, note_disturbances
from rules_engine.rulebooks.pq17.ch10_supply.routine import routine_of, routine_plan
from rules_engine.rulebooks.pq17.ch10_supply.standing_lines import standing_now, standing_said
from rules_engine.rulebooks.pq17.plotting import logistics_lines, planning_sheet
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import LogisticsDrafts, logistics_ask, logistics_steps
from rules_engine.rulebooks.pq17.records import forces, logistics
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.ch01_forces.test_construction import READY, site
from tests.rulebooks.pq17.playing.written_scenes import answered, heard, put, refused_as_written, scene, sheet
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.supply import depot, empty, unit
from tests.rulebooks.written_texts import compare

PORT = """
A9 0303 BATS[supply=50] base Haven known
A1 0303 CA#3+FT logistics port A9
C1 0606 CA speed 1
"""
"""Three docking positions; the cruisers are full, the freighter has 50 cargo boxes."""

KEEPS = {"stores": {"stands": "yes"}, "A9.BATS": {"give": "> A1.FT 5 supply"}}
ROUTINE = ["A9.BATS>A1.FT 6 as fuel", "A9.BATS>A1.CA 6 as fuel", "A9.BATS>A1.FT 4 as fuel"]
"""What the routine passes on there: fuel for both, and repair points for the freighter."""


def port(supply: int = 0, **fuel: int) -> State:
    state = depot(PORT)
    empty(state, "A1.FT", supply=supply)
    for ship, lacks in fuel.items():
        unit(state, f"A1.{ship}").fuel -= lacks
    return state


def played(state: State, document: dict[str, Any] | None) -> turn_context.TurnContext[State]:
    """A logistics step in which the Alliance sends this sheet as changes to what is filled in (None: nothing)."""

    def answer(ask: asks.AnyAsk) -> object:
        if document is None or "alliance" not in ask.parties:
            return None
        sheet = ask.form.prefilled()
        return ask.answer_from({**sheet, **{key: {**sheet[key], **line} for key, line in document.items()}})

    at = table(state)
    run(logistics_steps(at), answer)
    return at


def passed_on(state: State) -> list[str]:
    plan = state.logistics.get("alliance", logistics.LogisticsPlan())
    return [f"{one.source}>{one.target} {one.amount}{' as fuel' if one.into else ''}" for one in plan.transfers]


def later(state: State) -> None:
    state.turn += 1


@pytest.mark.rule("pq17", "10.3.7.1")
def test_what_a_side_has_changed_stands_in_the_next_turn_too() -> None:
    state = port(CA=6)
    assert passed_on_after(state, KEEPS) == ["A9.BATS>A1.FT 5"]
    later(state)
    assert passed_on_after(state, None) == ["A9.BATS>A1.FT 5"]
    assert routine_of(state, "alliance").lines == {"A9.BATS": "> A1.FT 5 supply"}


def passed_on_after(state: State, document: dict[str, Any] | None) -> list[str]:
    played(state, document)
    return passed_on(state)


def test_what_is_not_said_to_stand_does_not() -> None:
    state = port(CA=6)
    assert passed_on_after(state, {"A9.BATS": {"give": "> A1.FT 5 supply"}}) == ["A9.BATS>A1.FT 5"]
    later(state)
    assert passed_on_after(state, None) == ROUTINE
    assert routine_of(state, "alliance").lines == {}


@cases("says, later_turns")
def test_a_turn_may_differ_once_and_what_stands_may_end_or_change(says: dict[str, Any], later_turns: list[str]) -> None:
    state = port(CA=6)
    played(state, KEEPS)
    later(state)
    assert passed_on_after(state, says) == ["A9.BATS>A1.FT 2"]
    later(state)
    assert passed_on_after(state, None) == later_turns


def test_who_wants_no_sheet_is_served_by_what_stands() -> None:
    state = port(CA=6)
    played(state, KEEPS)
    later(state)
    state.supply_routine["alliance"] = routine_of(state, "alliance").changed(sheet="never")
    assert asks_of(logistics_steps(table(state))) == ()
    assert passed_on_after(state, None) == ["A9.BATS>A1.FT 5"]


def test_what_fits_no_more_ends_and_its_owner_alone_is_told() -> None:
    state = port(CA=6)
    played(state, {**KEEPS, "A1.CA2": {"give": "> A9.BATS 1 fuel"}})
    assert set(routine_of(state, "alliance").lines) == {"A9.BATS", "A1.CA2"}
    later(state)
    empty(state, "A9.BATS", supply=4)
    at = played(state, None)
    (said,) = [text for text in told(at, "alliance") if "standing" in text]
    assert said == (
        "No longer standing in your logistics, for it does not fit: A9.BATS (BATS) gives: A9.BATS has 4 supply "
        "(PQ-17 10.3.7.4). The rest stands."
    )
    assert told(at, "coalition") == []
    assert routine_of(state, "alliance").lines == {"A1.CA2": "> A9.BATS 1 fuel"}
    assert "A9.BATS>A1.FT 4 as fuel" in passed_on(state)  # the routine's again


def test_a_line_whose_unit_is_away_waits_and_that_of_a_lost_one_ends() -> None:
    state = port(CA=6)
    played(state, {"stores": {"stands": "yes"}, "A1.CA2": {"give": "> A9.BATS 1 fuel"}})
    later(state)
    force = state.task_forces["A1"]
    state.set_port(force, "")  # the base stays behind; the ships are still together, and in Logistics posture
    state.set_hex(force, "0405")
    at = played(state, None)
    assert told(at, "alliance") == []
    assert set(routine_of(state, "alliance").lines) == {"A1.CA2"}
    later(state)
    state.set_units(force, [one for one in force.units if one != "A1.CA2"])
    at = played(state, None)
    assert any("you have it no longer" in text for text in told(at, "alliance"))
    assert routine_of(state, "alliance").lines == {}


def test_the_routine_gives_way_where_both_cannot_be() -> None:
    """The routine docks the cruiser that lacks fuel; three others take all positions by a standing order."""
    state = depot(f"{PORT}A2 0303 CA#1 logistics port A9")
    unit(state, "A2.CA").fuel -= 6
    empty(state, "A1.FT", supply=0)
    others = ["A1.CA", "A1.CA2", "A1.CA3"]
    played(state, {"stores": {"stands": "yes"}, "dock-A9.BATS": {"ships": others}, "A9.BATS": {"give": None}})
    later(state)
    ask = logistics_ask(table(state), "alliance", routine_plan(state, "alliance"))
    assert ask.form.filled_in("dock-A9.BATS")["ships"] == others
    assert ask.default is not None
    assert not list(ask.check(ask.default))
    assert passed_on_after(state, None) == []


def test_so_it_does_where_the_refusal_names_neither_of_them() -> None:
    """The routine docks the freighter and the cruiser to the base; a standing order docks one to the other."""
    state = port(supply=5, CA=6)
    plain = logistics_ask(table(state), "alliance", routine_plan(state, "alliance")).form
    assert plain.filled_in("dock-A9.BATS")["ships"] == ["A1.FT", "A1.CA"]
    state.supply_routine["alliance"] = routine_of(state, "alliance").changed(lines={"dock-A1.FT": "A1.CA"})
    made = LogisticsDrafts(state, "alliance", routine_plan(state, "alliance"))
    assert made.form.filled_in("dock-A1.FT")["ships"] == ["A1.CA"]
    assert made.form.filled_in("dock-A9.BATS")["ships"] == []
    assert made.of(made.usual)[1] == []
    assert made.now.misfits == {}


def test_the_sheet_says_what_will_stand() -> None:
    state = port(CA=6)
    ask = logistics_ask(table(state), "alliance", routine_plan(state, "alliance"))
    plain = ask.form.prefilled()

    def said(document: dict[str, Any]) -> str:
        sheet = {**plain, **{key: {**plain[key], **line} for key, line in document.items()}}
        return [*ask.read_back(ask.answer_from(sheet))][-1]

    assert said(KEEPS) == "Each turn until you change it: A9.BATS (BATS) gives: > A1.FT 5 supply."
    assert said({"stores": {"stands": "yes"}}) == "Nothing differs from the routine, so nothing stands for later turns."
    kept = standing_said(state, {"dock-A9.BATS": "A1.CA A7.DD", "dock-A8.FT": "", "A1.CA": "> A9.BATS 1 fuel"})
    assert kept == (
        "Docked to A9.BATS (BATS): A1.CA (CA), a unit that is gone; Docked to a unit that is gone: nothing; "
        "A1.CA (CA) gives: > A9.BATS 1 fuel"
    )


def test_a_state_in_which_nothing_stands_is_written_as_before() -> None:
    assert logistics.SupplyRoutine().to_json() == {"sheet": "useful", "refuel": "half"}
    sheet = logistics_lines.LogisticsSheet.model_validate({"stores": {"plan": "nothing"}})
    assert "stands" not in sheet.model_dump(mode="json")["stores"]


# --- line by line -----------------------------------------------------------------------------------------------------
TEXT = """A9.BATS: give > A1.FT 5 supply
A1.CA: give > A9.BATS 99 fuel
A1.CA2: give > A9.BATS 2 fuel
dock-A9.BATS: ships A1.CA A1.CA2 A1.CA3 A1.FT
C1.CA: give > A1.FT 3 supply
stores: sheet always"""


def test_good_lines_are_kept_and_each_other_says_rule_and_what_is_legal(kept: Kept) -> None:
    state = port(CA=6)
    ask = logistics_ask(table(state), "alliance", routine_plan(state, "alliance"))
    rows = order_rows.read_rows(ask.form, TEXT, ask.refusals_of)
    assert order_rows.is_about(ask.form, rows, ask.budget)
    sheet = ask.form.prefilled()

    def trial(values: dict[str, dict[str, Any]]) -> Any:
        return ask.refusals_of(values)

    taken = order_rows.take_rows(ask.form, rows, ask.budget, trial)
    assert taken.sheet == kept("taken.sheet")
    assert [(one.path, one.rule) for one in taken.refusals] == kept("#2")
    assert all(one.legal for one in taken.refusals[:2])
    answer = ask.answer_from({key: {**line, **taken.sheet.get(key, {})} for key, line in sheet.items()})
    assert not list(ask.check(answer))


def test_a_correction_that_takes_away_what_stands_leaves_a_sheet_that_is_legal() -> None:
    state = port(CA=6)
    played(state, KEEPS)
    later(state)
    made = LogisticsDrafts(state, "alliance", routine_plan(state, "alliance"))
    assert made.form.filled_in("A9.BATS")["give"] == "> A1.FT 5 supply"
    empty(state, "A9.BATS", supply=2)
    made.forget()
    assert made.of(made.usual)[1] == []
    assert [*made.now.misfits] == ["A9.BATS"]


def test_two_sides_with_the_same_settings_share_nothing() -> None:
    state = port()
    state.supply_routine.clear()  # neither has said anything yet
    for side in ("alliance", "coalition"):
        logistics_lines.set_wishes(state, side, "always", None)
    assert routine_of(state, "alliance").lines is not routine_of(state, "coalition").lines


@pytest.mark.parametrize(("rules", "ends"), [(["PQ-17 10.3.8.1"], False), (["PQ-17 10.3.8.1", "PQ-17 T4"], True)])
def test_a_line_waits_only_if_nothing_but_distance_is_in_its_way(rules: list[str], ends: bool) -> None:
    form = forms.Form(lines=(forms.Line("A1.CA", "A1", (forms.text_field("give", "Gives", 40, None, "what"),)),))

    def trial(filled: forms.Form) -> list[Refusal]:
        says = filled.filled_in("A1.CA").get("give")
        return [illegal("it cannot", rule, "A1.CA.give", legal="later") for rule in rules] if says else []

    now = standing_now(form, {"A1.CA": "> A9 5 supply"}, trial)
    assert now.misfits == ({"A1.CA": "it cannot (PQ-17 10.3.8.1)"} if ends else {})
    assert now.form.filled_in("A1.CA").get("give") is None


# --- logistics sheets written down whole: docking, transfers and construction -----------------------------------------
Request = pytest.FixtureRequest


def ask_of(state: State) -> asks.AnyAsk:
    return logistics_ask(table(state), "alliance", routine_plan(state, "alliance"))


@pytest.mark.rule("pq17", "10.3.7.1", "10.3.7.2", "10.3.7.4", "10.3.8.1", "SOP.2.a.iv.1", "SOP.2.a.iv.2")
def test_a_base_with_a_freighter_and_a_cruiser_in_port(request: Request) -> None:
    """The freighter brings 40 supply points and lacks 2 fuel; the cruiser lacks 6. The base has 75 boxes, of which
    25 are empty."""
    state = depot("A9 0303 BATS base Haven known\nA1 0303 CA+FT logistics port A9\nC1 0606 CA speed 1")
    empty(state, "A9.BATS", fuel=12, supply=50)
    empty(state, "A1.FT", fuel=4, supply=40, fuel_cargo=1)
    unit(state, "A1.CA").fuel -= 6
    ask = ask_of(state)
    found = [*put(table(state), ask), *answered(ask, ask.default)]
    orders: list[dict[str, Any]] = [
        {"stores": {"plan": "nothing"}},
        {"A9.BATS": {"give": ""}, "A1.FT": {"give": "> A9.BATS 25 supply"}, "dock-A9.BATS": {"ships": ["A1.FT"]}},
        {"A9.BATS": {"give": ""}, "A1.FT": {"give": "> A9.BATS 40 supply"}, "stores": {"lose": True}},
    ]
    for order in orders:
        found += answered(ask, ask.answer_from(order))
    compare(request, found)


@pytest.mark.rule("pq17", "10.3.7.2", "10.3.9")
def test_a_tender_a_drone_ship_and_supply_of_their_own(request: Request) -> None:
    """What finds no room is lost, supply that no order turns into something, and drones that no record covers."""
    state = depot("A1 0405 PT+PF+DR+RS logistics\nA2 0606 FT\nC1 0606 CA speed 1")
    empty(state, "A1.RS", fuel=8, supply=10)
    empty(state, "A1.DR", fuel=15)
    unit(state, "A1.PF").carried_by = "A1.PT"
    ask = ask_of(state)
    found = [*put(table(state), ask), *answered(ask, ask.default)]
    orders: list[dict[str, Any]] = [
        {"A1.RS": {"give": "> A1.DR 4 supply"}},
        {"A1.RS": {"give": "> A1.DR 4 supply as general drones"}},
        {"A1.RS": {"give": "> A1.RS 3 supply as fuel"}},
    ]
    for order in orders:
        found += answered(ask, ask.answer_from(order))
    compare(request, found)


@pytest.mark.rule("pq17", "10.3.10.1")
def test_the_stores_of_a_side_in_planning(request: Request) -> None:
    ask = planning_sheet.planning_ask(table(depot("A1 0405 FT\nC1 0606 CA")), "alliance")
    lines = tuple(line for line in ask.form.lines if line.key == "stores")
    compare(request, [*sheet(forms.Form(lines=lines, why_absent=ask.form.why_absent))])


# --- construction -----------------------------------------------------------------------------------------------------
def building(state: State) -> asks.AnyAsk:
    (ask,) = [ask for ask in asks_of(logistics_steps(table(state))) if ask.parties == ("alliance",)]
    return ask


def built(state: State, *, disturbed: bool = False, **order: Any) -> list[str]:
    """Plan a construction, let it be disturbed by a search or not, and carry it out: what is read back and told."""
    at = table(state)
    found = scene(at, logistics_steps(at), {"logistics alliance": [{"build-A1": order}]}, brief=("logistics",))
    state.units["A1.TG"].marks = forces.Marks(searched=disturbed)
    state.impulse = 2
    note_disturbances(state)
    state.impulse, state.units["A1.TG"].marks = 0, forces.Marks()
    at = table(state)
    carry_out_construction(at, "alliance")
    state.logistics, state.turn = {}, state.turn + 1
    return [*found, *(line for report in at.shared.reports for line in heard(at, report))]


@pytest.mark.rule("pq17", "1.8.12.4", "1.8.12.7", "1.8.12.9", "1.8.12.10")
def test_a_base_can_be_built(request: Request) -> None:
    """Of two core pods, with a repair pod more, beside an old base."""
    ask = building(state := site("A9 0405 BATS base Haven known LC2\n" + READY + "\nC1 0405 CA ID0"))
    lines = tuple(line for line in ask.form.lines if line.key == "build-A1")
    orders = [
        {"build": "MB", "near": "A9", "place": "12 hexes, direction C", "parts": ["A1.RP"]},
        {"build": "MB", "conditions": "3"},
    ]
    found = [*sheet(forms.Form(lines=lines, why_absent=ask.form.why_absent))]
    found += [line for order in orders for line in answered(ask, ask.answer_from({"build-A1": order}))]
    compare(request, [*found, *built(state, **orders[0])])


@pytest.mark.rule("pq17", "1.8.12.4", "1.8.12.7", "1.8.12.8")
def test_a_base_is_built_put_to_work_and_extended(request: Request) -> None:
    state = site(READY)
    found = built(state, build="MB", disturbed=True)
    (base,) = [one for one in state.units.values() if one.class_id.startswith("MB")]
    lines = tuple(line for line in building(state).form.lines if line.key == "build-A1")
    found += sheet(forms.Form(lines=lines, why_absent=building(state).form.why_absent))
    found += built(state, build=f"activate {base.id}", disturbed=True)
    found += built(state, build=f"activate {base.id}")
    found += built(state, build=f"extend {base.id}", parts=["A1.RP"], disturbed=True)
    found += built(state, build=f"extend {base.id}", parts=["A1.RP"])
    compare(request, found)


@pytest.mark.rule("pq17", "1.8.11", "1.8.12.9")
def test_in_a_nebula_conditions_are_terrible(request: Request) -> None:
    ask = building(site("nebula 0405\n" + READY))
    lines = tuple(line for line in ask.form.lines if line.key == "build-A1")
    found = [*sheet(forms.Form(lines=lines, why_absent=ask.form.why_absent))]
    compare(request, [*found, *answered(ask, ask.answer_from({"build-A1": {"build": "MB"}}))])


@pytest.mark.rule("pq17", "1.8.12.2", "1.8.12.4", "1.8.12.7", "1.8.12.8", "1.8.12.10")
def test_constructions_that_are_refused(request: Request) -> None:
    state = site("A9 0405 BATS base Haven known LC2\nA1 0405 TG+MP#4+RP#3 logistics speed 0")
    built(state, build="MB")
    refused_as_written(request, building(state))


@pytest.mark.rule("pq17", "1.8.12.7")
def test_who_is_driven_off_builds_nothing(request: Request) -> None:
    state = site()
    run(logistics_steps(table(state)), lambda _: {"build-A1": {"build": "MB"}})
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    at = table(state)
    carry_out_construction(at, "alliance")
    compare(request, [line for report in at.shared.reports for line in heard(at, report)])
