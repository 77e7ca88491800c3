"""The planning sheet: what is asked, what is refused and by which rule, and what is made of it."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import Ask
from rules_engine.rulebooks.pq17.ch05_movement.speeds import fastest
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import seeker_of
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanSheet
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.plotting.planning_sheet import announce_plans, carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.plotting.routes import say_route
from rules_engine.rulebooks.pq17.records.forces import Posture, TowGroup
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import notation, table, told, world

PORT_AND_FLEET = """
A1 0403 CA+DD
A2 0403 FF
A3 0402 CL port A9
A4 0602 DD+FT
A9 0402 BATS base Haven known
C1 0607 CA
"""


def ask_of(state: State, side: str = "alliance") -> Ask[PlanSheet]:
    return planning_ask(table(state), side)


def refusals(state: State, sheet: dict[str, Any]) -> tuple[Refusal, ...]:
    """Why a sheet is refused; nothing where it is accepted."""
    try:
        ask_of(state).answer_from(sheet)
    except Refused as refused:
        return refused.refusals
    return ()


def rules(state: State, sheet: dict[str, Any]) -> list[str]:
    return [one.rule.removeprefix("PQ-17 ") for one in refusals(state, sheet)]


def plan(state: State, **sheets: dict[str, Any]) -> dict[str, int]:
    at = table(state)
    answers = {side: planning_ask(at, side).answer_from(sheets.get(side, {})) for side in ("alliance", "coalition")}
    planned = carry_out_plans(at, answers)
    announce_plans(at, planned)
    return planned.bids


POSTURES = """
A1 0403 CW
A2 0403 CA port A9
A3 0403 CA shadows C1
A9 0403 BATS base Haven known
C1 0403 CA ID0
"""


@cases("words, posture, shown", "", made="posture")
def test_a_posture_says_cloak_warp_sensors_and_logistics(words: list[str], posture: Posture, shown: str) -> None:
    state = world(POSTURES)
    (field,) = (one for one in ask_of(state).form.line("A1").fields if one.key == "posture")
    assert [choice.value for choice in field.choices] == ["cloak", "warp off", "passive", "logistics"]
    plan(state, alliance={"A1": {"posture": words}})
    assert state.task_forces["A1"].posture == posture
    assert f"A1 in 0403: Station Keeping (0), {shown}" in own_rows(state)


def test_a_force_goes_to_where_its_route_ends() -> None:
    ask = ask_of(world("A1 0403 CA\nC1 0607 CA"))
    now = ask.says_now(ask.answer_from({"A1": {"route": "0404 0405 0406", "speed": "2"}}), ["A1"])
    assert now["A1"].now == "To 0406 at military cruise."


@pytest.mark.rule("pq17", "5.2.3")
def test_a_posture_says_whether_a_force_is_in_port_and_whom_it_shadows() -> None:
    state = world(POSTURES)
    plan(state, alliance={"A2": {"posture": ["passive"]}, "A3": {"posture": ["passive"]}})
    assert "A2 in 0403: Station Keeping (0), passive, in port at Haven" in own_rows(state)
    assert "A3 in 0403: Station Keeping (0), passive, shadows E1" in own_rows(state)
    form = ask_of(state).form
    assert [line.key for line in form.lines if any(field.key == "shadow" for field in line.fields)] == ["A3"]
    assert [line.label for line in form.lines if "in port" in line.label] == ["A2 in 0403, in port"]


def own_rows(state: State) -> list[str]:
    """The rows of the Alliance's own board."""
    board = side_board(state, "alliance", table(state).knowledge("alliance"))
    return [row for panel in board.panels for row in panel.rows]


@pytest.mark.rule("pq17", "5.1.1", "5.2.1", "5.2.2")
def test_the_default_is_legal_and_changes_nothing() -> None:
    state = world(PORT_AND_FLEET)
    before = notation(state)
    ask = ask_of(state)
    assert ask.default is not None
    assert ask.check(ask.default) == []
    plan(state)
    assert notation(state) == before


@pytest.mark.rule("pq17", "1.6.2", "1.6.5.2", "SOP.2.a.i.1", "SOP.2.a.ii", "SOP.2.a.iii")
def test_units_are_regrouped_as_the_sheet_says(kept: Kept) -> None:
    state = world(PORT_AND_FLEET)
    groups = {"A1.DD": {"task_force": "A2"}, "A4.DD": {"task_force": "A6"}}
    moves = {"speed": "2", "route": "0603 0604", "posture": ["passive"]}
    plan(state, alliance=groups | {"A6": moves, "A2": {"name": "Screen", "speed": "3", "route": "0404,0405"}})
    assert notation(state).splitlines()[:6] == kept()
    assert state.task_forces["A2"].name == "Screen"


@pytest.mark.rule("pq17", "1.6.4.1")
def test_an_owner_names_its_forces_as_it_likes_and_the_enemy_hears_nothing() -> None:
    state = world("A1 0405 CA ID1\nC1 0405 CA ID1")
    at = table(state)
    sheet = planning_ask(at, "alliance").answer_from({"A1": {"name": " Vanguard "}})
    announce_plans(at, carry_out_plans(at, {"alliance": sheet, "coalition": PlanSheet({})}))
    assert (state.task_forces["A1"].label, told(at, "coalition")) == ("A1 Vanguard", [])
    sheet = planning_ask(at, "alliance").answer_from({"A1": {"name": ""}})
    carry_out_plans(at, {"alliance": sheet, "coalition": PlanSheet({})})
    assert state.task_forces["A1"].label == "A1"


@pytest.mark.rule("pq17", "4.1.3")
def test_bids_and_standing_orders_come_back_from_the_sheet() -> None:
    state = world(PORT_AND_FLEET)
    assert plan(state, alliance={"side": {"bid": 2, "ask": "always"}}) == {"alliance": 2, "coalition": 0}
    assert state.doctrine["alliance"].ask_every_impulse
    assert not state.doctrine["coalition"].ask_every_impulse


@cases("sheet, rule", "")
def test_illegal_plans_are_refused_by_their_rule(sheet: dict[str, Any], rule: str) -> None:
    assert rule in rules(world(PORT_AND_FLEET), sheet)


@cases("unit, wanted, rule, problem, legal")
def test_why_a_ship_cannot_join_is_said(unit: str, wanted: str, rule: str, problem: str, legal: str) -> None:
    found = refusals(world(PORT_AND_FLEET), {unit: {"task_force": wanted}})
    said = [(one.path, one.rule, one.problem, one.legal) for one in found]
    assert said == [(f"{unit}.task_force", f"PQ-17 {rule}", problem, legal)]


@pytest.mark.rule("pq17", "1.6.5.1")
def test_ships_in_port_and_beside_it_do_not_join_and_it_is_said() -> None:
    state = world("A1 0402 CA+DD\nA3 0402 CL port A9\nA9 0402 BATS base Haven known\nC1 0607 CA")
    (found,) = refusals(state, {"A1.CA": {"task_force": "A3"}})
    assert (found.path, found.rule) == ("A1.CA.task_force", "PQ-17 1.6.5.1")
    assert found.problem == "A3 is in port at A9, and this ship not in port"


@pytest.mark.rule("pq17", "1.6.5.1", "1.6.7.1")
def test_a_base_and_a_ship_that_is_alone_join_nobody_and_it_is_said_why(kept: Kept) -> None:
    """The ship has a line for its figures; its field of the task force is what is not there."""
    found = refusals(world(PORT_AND_FLEET), {"A9": {"speed": "1"}, "A3.CL": {"task_force": "A3"}, "C1": {}})
    assert sorted((one.path, one.rule, one.problem) for one in found) == kept()


@cases("proves, force, line, broken")
def test_what_a_force_has_fuel_and_ships_for(force: str, line: dict[str, Any], broken: list[str]) -> None:
    """``broken`` are the rules by which the line is refused."""
    assert rules(world(f"A1 0405 {force}\nC1 0607 CA"), {"A1": line}) == broken


@pytest.mark.rule("pq17", "5.1.2", "5.1.4")
def test_one_ship_short_of_fuel_holds_all_back_and_the_nearest_speed_is_offered() -> None:
    (refusal,) = refusals(world("A1 0405 CA+DD[fuel=1]\nC1 0607 CA"), {"A1": {"speed": "3"}})
    assert refusal.rule == "PQ-17 5.1.4"
    assert refusal.nearest == ("2",)  # the DD cruises for 1/2 a hex, two hexes


@cases("proves, text, sheet, after")
def test_what_a_plan_makes_of_forces(text: str, sheet: dict[str, Any], after: list[str]) -> None:
    state = world(f"{text}\nC1 0607 CA")
    plan(state, alliance=sheet)
    assert notation(state).splitlines()[:-1] == after


@pytest.mark.rule("pq17", "1.6.9", "1.6.3.2")
def test_postures_are_judged_after_the_organisation() -> None:
    """The CW may cloak only because the same sheet takes the CA out of its task force."""
    state = world("A1 0405 CA+CW\nC1 0607 CA")
    assert rules(state, {"A1": {"posture": ["cloak"], "speed": "0"}}) == ["5.2.3.1"]
    plan(state, alliance={"A1.CA": {"task_force": "A2"}, "A1": {"posture": ["cloak"], "speed": "1"}})
    assert notation(state).splitlines() == ["A1 0405 CW speed 1 cloak", "A2 0405 CA", "C1 0607 CA"]


@pytest.mark.rule("pq17", "5.4.1", "5.4.3", "5.4.4", "5.4.2")
def test_towing_is_checked_and_lets_the_group_go_faster(kept: Kept) -> None:
    state = world("A1 0405 CA+DD[warp=4,fuel=4]+FF\nC1 0607 CA")
    assert "5.1.5" in rules(state, {"A1": {"speed": "2"}})
    plan(state, alliance={"A1": {"speed": "2", "tow": "A1.CA>A1.DD"}})
    assert state.task_forces["A1"].speed is Speed.CRUISE
    tows = ("A1.CA>A1.DD+A1.FF", "A1.CA>A1.DD, A1.FF>A1.DD", "A1.CA>A9.DD", "A1.CA A1.DD")
    wrong = [one for tow in tows for one in refusals(state, {"A1": {"speed": "0", "tow": tow}})]
    assert [(one.kind, one.rule, one.problem) for one in wrong] == kept()


@cases("proves, ships, towing")
def test_who_has_too_little_fuel_may_be_taken_in_tow(ships: str, towing: bool) -> None:
    line = ask_of(world(f"A1 0405 {ships}\nC1 0607 CA")).form.line("A1")
    assert ("tow" in [field.key for field in line.fields]) is towing


@pytest.mark.rule("pq17", "5.4.1", "7.2.1")
def test_towing_and_shadowing_that_are_not_on_the_sheet_are_explained(kept: Kept) -> None:
    ask = planning_ask(table(world("A1 0405 CA+DD\nC1 0405 CA")), "alliance")
    with pytest.raises(Refused) as caught:
        read_sheet(ask.form, "A1: tow A1.CA>A1.DD; shadow yes")
    assert [(one.problem, one.rule) for one in caught.value.refusals] == kept()


@cases("sheet, path", "")
def test_what_is_not_understood_is_refused_with_its_path(sheet: dict[str, Any], path: str) -> None:
    assert path in [one.path for one in refusals(world(PORT_AND_FLEET), sheet)]


@pytest.mark.rule("pq17", "1.6.5.1", "5.1.5", "5.2.3.1")
def test_all_defects_are_told_at_once() -> None:
    state = world(PORT_AND_FLEET)
    sheet = {"A1.CA": {"task_force": "A3"}, "A4": {"speed": "3"}, "A2": {"posture": ["cloak"]}, "zz": {}}
    assert len(refusals(state, sheet)) == 4


@pytest.mark.rule("pq17", "1.3.3")
def test_a_route_through_an_undetected_enemy_is_accepted_without_a_word() -> None:
    def world_with(hex_id: str) -> State:
        return world(f"A1 0404 CA\nC1 {hex_id} CA+DD\nC9 {hex_id} BATS base Lair")

    sheet = {"A1": {"speed": "2", "route": "0405 0406"}}
    said: list[Any] = []
    for hex_id in ("0405", "0707"):
        ask = ask_of(world_with(hex_id))
        answer = ask.answer_from(sheet)
        said.append((ask.form, ask.title, ask.text, ask.read_back(answer), ask.warn(answer), ask.courses(answer)))
    assert said[0] == said[1]


@pytest.mark.rule("pq17", "7.5.2", "7.5.3")
def test_shadowing_goes_on_unless_the_sheet_says_otherwise() -> None:
    text = "A1 0405 CA speed 2 shadows C1\nC1 0405 CA speed 2 ID1"
    state = world(text)
    assert state.task_forces["A1"].shadowing == "C1"
    plan(state)
    assert state.task_forces["A1"].shadowing == "C1"
    plan(state, alliance={"A1": {"shadow": False}})
    assert state.task_forces["A1"].shadowing == ""
    assert "5.2.3.4" in rules(world(text), {"A1": {"posture": ["logistics"], "speed": "0"}})


@pytest.mark.rule("pq17", "1.6.5.7")
@pytest.mark.unseen("pq17", asks=("planning",))
def test_the_other_side_hears_nothing_of_plans_that_it_cannot_see() -> None:
    at = table(world(PORT_AND_FLEET))
    answers = {side: planning_ask(at, side).answer_from({}) for side in ("alliance", "coalition")}
    answers["alliance"] = planning_ask(at, "alliance").answer_from({"A1.DD": {"task_force": "A2"}})
    announce_plans(at, carry_out_plans(at, answers))
    assert told(at, "coalition") == []


def test_warnings_name_what_will_be_regretted() -> None:
    ask = ask_of(world("A1 0405 CA[fuel=6]\nC1 0607 CA"))
    said = ask.warn(ask.answer_from({"A1": {"speed": "3"}}))
    assert any("no route" in line for line in said)
    assert any("could not pay for combat" in line for line in said)


def test_the_sheet_keeps_to_what_a_chat_window_can_show() -> None:
    for line in ask_of(world(PORT_AND_FLEET)).form.lines:
        assert len(line.label) <= 80
        for field in line.fields:
            assert len(field.label) <= 80
            assert len(field.choices) <= 25
            assert all(len(choice.label) <= 80 and len(choice.hint) <= 100 for choice in field.choices)


def test_what_is_remembered_of_speeds_holds_for_the_same_ships_posture_and_towing_only() -> None:
    """However a sheet is changed, one ask judges and warns as a fresh one would; fuel is short, so that it matters."""
    state = world("A1 0405 CA+DD+FF")
    state.units["A1.DD"].fuel = Fraction(2)
    state.units["A1.FF"].warp = 0
    kept = ask_of(state)
    groups: list[dict[str, Any]] = [{}, {"A1.DD": {"task_force": "A2"}}, {"A1.FF": {"task_force": "A2"}}]
    postures: list[list[str]] = [[], ["passive"], ["warp off"], ["logistics"]]
    tows = ["", "A1.CA>A1.FF", "A1.CA>A1.DD", "A1.CA>A1.DD*"]
    seen: set[tuple[str, ...]] = set()
    for group, posture, tow, speed in product(groups, postures, tows, ("0", "impulse crawl", "1", "2", "3")):
        line = {"posture": posture, "tow": tow, "speed": speed, "name": f"Wing {len(seen)}"}
        sheet = PlanSheet.model_validate({"A1": line, **group})
        fresh = ask_of(state)
        said = tuple(map(str, kept.check(sheet))), tuple(kept.warn(sheet))
        assert said == (tuple(map(str, fresh.check(sheet))), tuple(fresh.warn(sheet)))
        seen.add(said[0])
    assert len(seen) > 8, "it does matter"
    state.units["A1.DD"].fuel = Fraction(20)
    kept.forget()
    sheet = PlanSheet.model_validate({"A1": {"speed": "2", "tow": "A1.CA>A1.FF"}})
    assert kept.check(sheet) == ask_of(state).check(sheet)


def test_orders_for_a_task_force_without_ships_are_warned_of() -> None:
    ask = ask_of(world("A1 0405 CA+DD"))
    spare = next(line.key for line in ask.form.lines if "if you form it" in line.label)
    empty = ask.answer_from({spare: {"speed": "1"}})
    assert f"{spare} gets no ships, so what stands in its line does nothing." in ask.warn(empty)
    formed = ask.answer_from({spare: {"speed": "1", "route": "0406"}, "A1.DD": {"task_force": spare}})
    assert not any("gets no ships" in line for line in ask.warn(formed))
    assert ask.default is not None
    assert not any("gets no ships" in line for line in ask.warn(ask.default))


def test_many_task_forces_at_rest_are_read_back_in_one_line_and_no_other() -> None:
    """Nine are at rest; then A7 gives a ship to A8, A9 goes, A10 has orders of its own. Four do not share a line."""
    state = world("\n".join([*(f"A{n} 040{n} CA" for n in range(1, 7)), "A7 0407 CA+DD", "A9 0409 DD", "A10 0503 DD"]))
    said = ask_of(state).read_back(PlanSheet({}))
    assert said == [
        "As they are, keeping station, active: "
        + "; ".join([*(f"A{n} in 040{n}" for n in range(1, 8)), "A9 in 0409", "A10 in 0503"])
        + "."
    ]
    tow = TowGroup(tower="A7.CA", towed=["A7.DD"])
    for changes in (
        {"route": ["0407"]},
        {"tows": [tow]},
        {"shadowing": "C1"},
        {"doctrine": read_orders("search", "")[0]},
    ):
        other = state.copied()
        other.put_force(other.task_forces["A6"].changed(id="C1", side="coalition"))
        for name, value in changes.items():
            setattr(other.task_forces["A7"], name, value)
        other.task_forces["A7"].speed = Speed.STATION
        *_, shared = ask_of(other).read_back(PlanSheet({}))
        assert "A7 in" not in shared, changes
    busy = {"A7.DD": {"task_force": "A8"}, "A9": {"speed": "1", "route": "0408"}, "A10": {"doctrine": "attack never"}}
    *own, shared = ask_of(state).read_back(ask_of(state).answer_from(busy))
    assert sorted(line.partition(" (")[0] for line in own) == ["A10", "A7", "A8", "A9"]
    assert shared == "As they are, keeping station, active: " + "; ".join(f"A{n} in 040{n}" for n in range(1, 7)) + "."
    few = world("A1 0401 CA\nA2 0402 CA\nA3 0403 CA\nA4 0404 CA")
    assert [line.partition(" (")[0] for line in ask_of(few).read_back(PlanSheet({}))] == ["A1", "A2", "A3", "A4"]


def test_lines_of_the_sheet_stand_in_groups() -> None:
    groups: dict[str, list[str]] = {}
    for line in ask_of(world(PORT_AND_FLEET)).form.lines:
        groups.setdefault(line.group, []).append(line.key)
    assert list(groups) == ["Task forces", "Ships", "New task forces", "Bases"]
    assert groups["Task forces"][:4] == ["side", "A1", "A2", "A3"]
    assert "A1.CA" in groups["Ships"]


def test_a_step_of_port_says_whether_it_leads_in_or_out() -> None:
    assert say_route(["port", "0404", "0403", "port"], in_port=True) == "leave port → 0404 → 0403 → enter port"
    assert say_route(["0403", "port"]) == "0403 → enter port"
    found = say_route(["port"], ["port", "0404", "port"], in_port=False)
    assert found == "enter port, then again and again leave port → 0404 → enter port"


@pytest.mark.rule("pq17", "5.1.1", "T1", "T2")
def test_the_hint_of_a_speed_says_what_it_gives_and_costs(kept: Kept) -> None:
    """MC 1: 1/16 a hex at Warp Crawl, which moves on every second turn; then 1/4, 1 and 2 a hex."""
    (field,) = [one for one in ask_of(world("A1 0405 CA\nC1 0607 CA")).form.line("A1").fields if one.key == "speed"]
    assert [choice.hint for choice in field.choices] == kept()


def test_many_ships_are_read_back_by_kind_the_heaviest_first() -> None:
    ask = ask_of(world("A1 0405 CA#2+DD#5\nC1 0607 CA"))
    (said,) = [line for line in ask.read_back(ask.answer_from({})) if line.startswith("A1")]
    assert "7 ships: 2 CA, 5 DD" in said


# --- figures that only the owner knows --------------------------------------------------------------------------------
def entering(text: str, sheet: dict[str, Any]) -> tuple[State, list[str]]:
    """The state once the Alliance's sheet is carried out, and how it was read back; or the rules that refuse it."""
    state = world(text)
    ask = planning_ask(table(state), "alliance")
    try:
        answer = ask.answer_from(sheet)
    except Refused as refused:
        return state, [f"{one.path} {one.rule}" for one in refused.refusals]
    said = [one for one in ask.read_back(answer) if one.startswith("A1.CA:") or "powered" in one]
    carry_out_plans(table(state), {"alliance": answer})
    return state, said


@pytest.mark.rule("pq17", "5.4.8", "5.1.5", "5.1.2")
def test_an_owner_enters_a_lower_practical_speed_which_counts_on_the_same_sheet() -> None:
    """17 is Efficient Cruise; a lone ship has a line, too."""
    state, said = entering("A1 0405 CA speed 1", {"A1.CA": {"practical_speed": 17}, "A1": {"speed": "1"}})
    assert said == ["A1.CA: practical speed 17."]
    assert fastest(state, state.task_forces["A1"]) is Speed.EFFICIENT
    assert planning_ask(table(state), "alliance").form.prefilled()["A1.CA"]["practical_speed"] == 17


@cases("units, sheet, wrong")
def test_figures_that_do_not_fit_are_refused(units: str, sheet: dict[str, Any], wrong: list[str]) -> None:
    assert entering(f"A1 0405 {units}", sheet)[1] == wrong


@pytest.mark.rule("pq17", "5.1.5", "1.6.3.1")
def test_damage_lowers_a_ship_below_the_speed_its_owner_entered() -> None:
    """20 of 30 was entered; with 12 boxes left for a movement cost of 1 it is 12: Efficient Cruise."""
    state, _ = entering("A1 0405 CA", {"A1.CA": {"practical_speed": 20}})
    assert fastest(state, state.task_forces["A1"]) is Speed.CRUISE
    state.units["A1.CA"].warp = 12
    assert fastest(state, state.task_forces["A1"]) is Speed.EFFICIENT


@pytest.mark.rule("pq17", "5.1.5", "5.4.8")
def test_no_owner_enters_more_than_the_warp_boxes_give_and_that_takes_the_figure_back() -> None:
    state, _ = entering("A1 0405 CA[warp=20]", {"A1.CA": {"practical_speed": 5}})
    ask = planning_ask(table(state), "alliance")
    carry_out_plans(table(state), {"alliance": ask.answer_from({"A1.CA": {"practical_speed": 20}})})
    assert state.units["A1.CA"].practical_speed is None
    state.units["A1.CA"].warp = 30
    assert fastest(state, state.task_forces["A1"]) is Speed.SPRINT


@pytest.mark.rule("pq17", "5.2.3.3", "6.3.4.2")
def test_an_owner_says_what_a_ship_cannot_power_and_the_posture_follows() -> None:
    dark = {"A1.CA": {"unpowered": ["fire control"]}}
    state, said = entering("A1 0405 CA", {**dark, "A1": {"posture": ["passive"]}})
    assert said == ["A1.CA: fire control cannot be powered."]
    assert not state.task_forces["A1"].posture.active
    ask = planning_ask(table(state), "alliance")
    carry_out_plans(table(state), {"alliance": ask.answer_from({"A1.CA": {"unpowered": []}, "A1": {"posture": []}})})
    assert state.task_forces["A1"].posture.active


@pytest.mark.rule("pq17", "6.3.4.2", "1.8.5", "5.2.3.3")
def test_what_cannot_be_powered_makes_no_scout_on_ships_and_bases() -> None:
    text = "A9 0303 BATS base Haven known\nA1 0405 SC"
    sheet = {"A1.SC": {"unpowered": ["special sensors"]}, "A9.BATS": {"unpowered": ["special sensors"]}}
    state, _ = entering(text, sheet)
    assert [seeker_of(state, state.task_forces[one]).kind for one in ("A1", "A9")] == ["FORCE", "FORCE"]
    state, _ = entering(text, {"A9.BATS": {"unpowered": ["fire control"]}})
    assert not state.task_forces["A9"].posture.active
    ask = planning_ask(table(state), "alliance")
    carry_out_plans(table(state), {"alliance": ask.answer_from({"A9.BATS": {"unpowered": []}})})
    assert state.task_forces["A9"].posture.active


@pytest.mark.rule("pq17", "5.4.8", "5.2.3.3")
def test_a_sheet_as_filled_in_and_a_plan_that_runs_on_change_no_figure() -> None:
    state, _ = entering("A1 0405 SC", {"A1.SC": {"practical_speed": 9, "unpowered": ["special sensors"]}})
    for sheet in (planning_ask(table(state), "alliance").default, PlanSheet({})):
        carry_out_plans(table(state), {"alliance": sheet})
        unit = state.units["A1.SC"]
        assert (unit.practical_speed, unit.can_power_sensors, unit.can_power_fire_control) == (9, False, True)


@cases("name, said")
def test_a_force_is_not_called_like_a_number_or_by_what_maps_have_no_letters_for(name: str, said: str) -> None:
    (wrong,) = refusals(world(PORT_AND_FLEET), {"A1": {"name": name}})
    assert str(wrong) == f"A1.name: {said}"


@pytest.mark.rule("pq17", "1.6.4.1")
def test_a_name_stands_on_one_line() -> None:
    sheet = ask_of(world(PORT_AND_FLEET)).answer_from({"A1": {"name": " Home\n fleet\t2 "}})
    assert any(line.startswith("A1 Home fleet 2 (") for line in ask_of(world(PORT_AND_FLEET)).read_back(sheet))


def test_a_side_without_task_forces_is_told_so() -> None:
    ask = ask_of(world("C1 0607 CA"))
    assert list(ask.read_back(ask.default)) == ["You have no task force to order."]
