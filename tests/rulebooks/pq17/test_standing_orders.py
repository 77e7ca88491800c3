"""What standing orders decide in each step, how it is reported, and how few prompts are left."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat import standing_attacks, standing_battles
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.plotting import impulse_plots, planning_sheet, standing_moves
from rules_engine.rulebooks.pq17.plotting.contact_sheet import all_meetings, contact_ask, contact_steps
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.standing_orders import AttackOrder, SearchOrder
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.sequence import half_steps, turn_steps
from rules_engine.rulebooks.pq17.shown.panel_standing_orders import standing_orders_panel
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.officers import a_result
from tests.rulebooks.pq17.worlds import notation
from tests.rulebooks.pq17.worlds.notation import run, table, told, world

MET = "A1 0405 CA speed 2 {a1}\nC1 0405 {c1}\nturn 1 impulse 1 half A"
"""A cruiser (movement cost 1, 34 fuel) and somebody in its hex."""


def met(a1: str = "", c1: str = "DD U", **orders: str) -> State:
    """Two forces in a hex; ``orders`` by side or task force. Who is not named is asked at every step."""
    return ordered(world(MET.format(a1=a1, c1=c1)), **orders)


def ordered(state: State, **orders: str) -> State:
    for name, text in orders.items():
        found, refusals = read_orders(text, name, of_side=name in state.doctrine)
        assert refusals == []
        if name in state.doctrine:
            state.doctrine[name].orders = found
        else:
            state.task_forces[name].doctrine = found
    return state


def decisions(at: TurnContext[State], side: str = "alliance") -> list[str]:
    return [report.text for report in at.shared.reports if report.kind == "doctrine" and report.is_for(side)]


def asked_in(steps: Any, answers: dict[str, Any] | None = None) -> list[str]:
    """The prompts of some steps, as kind/side; each takes its default unless ``answers`` has one."""

    def answer(ask: AnyAsk) -> object:
        return a_result(ask, Random(2)) if ask.kind == "battle" else (answers or {}).get(name(ask))

    def name(ask: AnyAsk) -> str:
        return f"{ask.kind}/{'+'.join(ask.parties)}"

    return [name(ask) for ask in notation.asked_in(steps, answer)]


def detected(state: State) -> TurnContext[State]:
    """The state once everybody has detected whom he can, with dice that fail."""
    at = table(state, by_label={"": 1})
    announce_detections(at)
    return at


ASKED = {"alliance": "ask on contact", "coalition": "ask on contact"}
"""Both sides want to be asked on contact."""


def sheet_of(state: State) -> AnyAsk:
    """The Alliance's contact sheet."""
    ask = contact_ask(state, "alliance", all_meetings(state))
    assert ask is not None
    return ask


def searched(state: State) -> tuple[list[str], list[str]]:
    """Play the reconnaissance step with dice that fail: who was asked, and what orders decided."""
    at = detected(state)
    return asked_in(reconnaissance_steps(at, "alliance")), decisions(at)


# --- searching --------------------------------------------------------------------------------------------------------
@cases("orders, said")
def test_searches_are_declared_by_standing_orders(orders: str, said: list[str]) -> None:
    asked, decided = searched(met(alliance=orders, coalition="search never"))
    assert (asked, decided) == ([], said)


@pytest.mark.rule("pq17", "6.2.6")
def test_what_is_known_well_enough_is_not_searched_again() -> None:
    state = met(c1="DD ID2", alliance="search below id2", coalition="search never")
    assert searched(state)[1] == ["A1 searches nobody in 0405 (E1)."]
    assert state.units["A1.CA"].fuel == 34
    state = met(c1="DD ID2", alliance="search", coalition="search never")
    assert searched(state)[1] == ["A1 searches E1."]
    assert state.units["A1.CA"].fuel == 32


def test_a_decision_carries_the_line_of_the_orders_that_made_it() -> None:
    at = detected(met(alliance="search; probes 1", A1="search fuel>5", coalition="search never"))
    run(reconnaissance_steps(at, "alliance"))
    (report,) = [one for one in at.shared.reports if one.kind == "doctrine" and one.is_for("alliance")]
    assert report.to == ("alliance",)
    assert report.why.text() == "A1's standing orders “search fuel>5; probes 1”; PQ-17 6.3.2"


def test_what_orders_forbear_is_told_once_a_turn() -> None:
    at = detected(met(alliance="search never; attack never; go on", coalition="search never; attack never; go on"))
    for half in ("A", "B"):
        run(reconnaissance_steps(at.at(half), "alliance"))
    assert decisions(at) == ["A1 searches nobody in 0405 (E1)."]


def test_one_open_line_asks_with_the_decided_ones_filled_in() -> None:
    state = world("A1 0405 CA\nA2 0405 DD\nC1 0405 DD U\nturn 1 impulse 1 half A")
    ordered(state, A1="search", coalition="search never")
    at = detected(state)
    steps = reconnaissance_steps(at, "coalition")
    (ask,) = next(steps).asks
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.default})
    assert ask.form.prefilled()["A1"]["target"] == "E1"
    assert "target" not in ask.form.prefilled()["A2"]
    assert ask.default_says == (
        "Your standing orders are carried out. Where they are silent: Ships do not search; bases and settled hexes do, "
        "on their own."
    )
    assert state.units["A1.CA"].fuel == 32  # what was filled in is what silence takes


@cases("second, asks")
def test_the_order_of_hexes_is_asked_where_a_search_is(second: str, asks: bool) -> None:
    """Where orders decide every search, hexes are resolved in the usual order; where one is asked, so is the order."""
    state = world("A1 0405 CA\nC1 0405 DD U\nA2 0306 CA\nC2 0306 DD U\nturn 1 impulse 1 half A")
    ordered(state, A1="search", A2=second, coalition="search never")
    at = detected(state)
    assert asked_in(reconnaissance_steps(at, "alliance")) == (["search/alliance"] if asks else [])


def test_orders_that_change_nothing_of_what_silence_means_are_not_spoken_of() -> None:
    state = world("A1 0405 CA\nA2 0405 DD\nC1 0405 DD U\nturn 1 impulse 1 half A")
    ordered(state, A1="search never", coalition="search never")
    at = detected(state)
    (ask,) = next(reconnaissance_steps(at, "coalition")).asks
    assert ask.default_says == "Ships do not search; bases and settled hexes do, on their own."


# --- convoys ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("side", ["ask on contact", "ask on contact; search; attack id0; withdraw"])
def test_a_convoy_searches_nobody_and_sails_on_without_being_asked(side: str) -> None:
    state = ordered(world("A1 0405 FT#2 speed 1 route 0406\nC1 0405 DD U\nturn 2 impulse 2 half A"), alliance=side)
    fuel = state.units["A1.FT"].fuel
    at = detected(state)
    assert asked_in(contact_steps(at)) == []
    by_orders = run(impulse_plots.plot_movement_steps(at), lambda ask: pytest.fail(ask.title))
    assert state.task_forces["A1"].plot == "0406"
    assert [one.said for one in by_orders.values()] == ["A1 goes to 0406."]
    spent = fuel - state.units["A1.FT"].fuel
    assert asked_in(reconnaissance_steps(at, "alliance")) == ["search/coalition"]
    assert fuel - state.units["A1.FT"].fuel == spent  # for the hex alone
    said = [report for report in at.shared.reports if report.kind == "doctrine" and report.is_for("alliance")]
    assert [report.text for report in said] == ["A1 searches nobody in 0405 (E1)."]
    assert "the usual orders of convoys" in str(said[0].why.text() if said[0].why else "")


def test_orders_of_its_own_and_a_warship_in_company_come_before_the_usual_orders_of_convoys() -> None:
    text = "A1 0405 FT speed 1\nA2 0405 FT+DD speed 1\nA3 0405 FT speed 1\nC1 0405 DD U"
    state = ordered(world(text), alliance="ask on contact; search", A3="search below id2; move ask")
    assert orders_of(state, state.task_forces["A1"]).search == SearchOrder(what="never")
    assert orders_of(state, state.task_forces["A2"]).search == SearchOrder(what="search")
    own = orders_of(state, state.task_forces["A3"])
    assert (own.search, own.move, own.attack) == (SearchOrder(what="search", below=2), "ask", AttackOrder(what="never"))
    state.progress.errands["A2.FT"] = progress.Errand(port="A9", unload=True)  # an escorted convoy on its way
    assert orders_of(state, state.task_forces["A2"]).search == SearchOrder(what="never")
    shown = standing_orders_panel(state, "alliance").rows
    assert shown[1].startswith(
        "Convoys, and freighters and tugs without a warship, unless they have orders of their own: Searc"
    )


def test_a_side_that_is_asked_at_every_step_is_asked_about_its_convoys() -> None:
    state = world("A1 0405 FT speed 1\nC1 0405 DD U")
    assert orders_of(state, state.task_forces["A1"]).search == SearchOrder(what="ask")
    assert not any(row.startswith("Convoys") for row in standing_orders_panel(state, "alliance").rows)


# --- attacking --------------------------------------------------------------------------------------------------------
def attacked(state: State) -> tuple[list[str], list[str]]:
    at = table(state, by_label={"main": 100, "": 1})  # attempts fail
    return asked_in(combat_steps(at, "alliance")), decisions(at)


@cases("c1, orders, said")
def test_attacks_are_declared_by_standing_orders(c1: str, orders: str, said: str) -> None:
    asked, decided = attacked(met(c1=c1, alliance=orders, coalition="attack never"))
    assert (asked, decided) == ([], [said])


@pytest.mark.parametrize("orders", ["search; shadow; go on", "ask on contact", "withdraw"])
def test_nobody_attacks_by_himself_unless_ordered_to(orders: str) -> None:
    asked, decided = attacked(met(c1="DD ID2", alliance=orders, coalition="attack never"))
    assert (asked, decided) == (["attack/alliance"], [])


@pytest.mark.rule("pq17", "6.2.4", "6.2.6")
def test_a_ratio_counts_what_the_level_shows_and_nothing_else() -> None:
    state = met(c1="CA+DD+FF ID1")
    enemy = state.task_forces["C1"]
    assert standing_attacks.shown_cost(state, enemy) == 1 + Fraction(1, 2) + Fraction(1, 3)
    state.units["C1.FF"].fuel = Fraction(0)  # negligible propulsion: it hides (6.2.4)
    assert standing_attacks.shown_cost(state, enemy) is None
    enemy.id_level = type(enemy.id_level)(3)
    assert standing_attacks.shown_cost(state, enemy) == 1 + Fraction(1, 2) + Fraction(1, 3)
    enemy.id_level = type(enemy.id_level)(0)
    assert standing_attacks.shown_cost(state, enemy) is None


# --- moving -----------------------------------------------------------------------------------------------------------
HOME = "A1 0405 CA speed 2 route 0406\nA9 0402 BATS base Haven known\nC1 0405 DD speed 0 U\nturn 1 impulse 1 half A"


@cases("orders, plot")
def test_plots_in_contact_are_made_by_standing_orders(orders: str, plot: str) -> None:
    state = ordered(world(HOME), alliance=orders, coalition="hold")
    state.tracks["alliance"].issue("C1")
    at = table(state)
    by_orders = run(impulse_plots.plot_movement_steps(at))
    assert state.task_forces["A1"].plot == plot
    assert decisions(at) == []
    run(half_steps(at.at("A"), "alliance", by_orders))
    assert decisions(at)[0] == {"stay": "A1 stays."}.get(plot, f"A1 goes to {plot}.")


def moved_in_both_halves(state: State, *, marked: bool = False, after: str = "") -> TurnContext[State]:
    """Play an impulse's plots and both halves; the Alliance moves second. ``marked``: A1 has searched before that."""
    at = table(state, by_label={"": 1})
    by_orders = run(impulse_plots.plot_movement_steps(at))
    state.half = "A"
    run(half_steps(at.at("A"), "coalition", by_orders))
    if marked:
        state.set_mark(state.task_forces["A1"], "searched")
    state.half = "B"
    run(half_steps(at.at("B"), "alliance", by_orders))
    return at


MOVES = "A1 0405 CA{fuel} speed 2 route 0406\nC1 0405 DD speed 0 U\nturn 1 impulse 1 initiative coalition"
QUIET = "go on; search never; attack never; shadow never"


@cases("fuel, marked, said")
def test_a_move_is_told_once_it_is_made_and_else_only_what_holds_the_force_back(
    fuel: str, marked: bool, said: list[str]
) -> None:
    """Ruling X-03."""
    state = ordered(world(MOVES.format(fuel=fuel)), alliance=QUIET, coalition=QUIET)
    state.tracks["alliance"].issue("C1")
    at = moved_in_both_halves(state, marked=marked)
    told_of_moves = [text for text in told(at, "alliance") if text.startswith("A1 ") and "nobody" not in text]
    assert told_of_moves == said
    assert state.task_forces["A1"].hex == ("0406" if said == ["A1 goes to 0406."] else "0405")


@pytest.mark.rule("pq17", "5.3.2")
def test_withdrawing_avoids_other_contacts_and_goes_home() -> None:
    state = world(HOME + "\nC2 0404 DD U")
    assert standing_moves.way_out(state, state.task_forces["A1"]) != "0404"
    step = standing_moves.way_out(state, state.task_forces["A1"])
    assert state.grid.distance(step, "0402") == 3  # as near as it gets without meeting C2
    at_home = world("A1 0402 CA speed 2\nA9 0402 BATS base Haven known\nC1 0402 DD U\nturn 1 impulse 1 half A")
    assert standing_moves.way_out(at_home, at_home.task_forces["A1"]) == "port"


@cases("flown, step")
def test_withdrawing_goes_back_where_it_came_from(flown: list[str], step: str) -> None:
    state = world("A1 0405 CA speed 2\nC1 0405 DD U\nsettled 0203 alliance Home\nturn 1 impulse 1 half A")
    state.task_forces["A1"].flown = flown
    assert standing_moves.way_out(state, state.task_forces["A1"]) == step


def test_on_a_map_of_one_hex_it_stays() -> None:
    state = world("A1 0405 CA speed 2\nC1 0405 DD U\nturn 1 impulse 1 half A")
    state.grid = state.grid.model_copy(update={"columns": 1, "rows": 1})
    for tf in state.all_task_forces():
        state.set_hex(tf, "0101")
    assert standing_moves.way_out(state, state.task_forces["A1"]) == "stay"


@pytest.mark.rule("pq17", "5.3.2")
def test_without_a_base_it_withdraws_to_a_settled_hex_of_its_own_side() -> None:
    text = "A1 0405 CA speed 2\nC1 0405 DD U\nsettled 0402 alliance Home\nsettled 0408 coalition Den"
    state = world(f"{text}\nturn 1 impulse 1 half A")
    assert standing_moves.way_out(state, state.task_forces["A1"]) == "0404"


def test_orders_for_one_force_leave_the_others_to_their_owner() -> None:
    state = ordered(world(HOME + "\nA2 0305 DD speed 2"), A1="hold", coalition="hold")
    at = table(state)
    assert asked_in(impulse_plots.plot_movement_steps(at)) == []  # A2 has no contact, and A1 is decided
    state.doctrine["alliance"].ask_every_impulse = True
    assert asked_in(impulse_plots.plot_movement_steps(at)) == ["plot/alliance"]


@cases("orders, stays")
def test_whether_a_plotted_move_is_made_after_all(orders: str, stays: list[str]) -> None:
    state = ordered(world("A1 0405 CA speed 2 plot 0406\nC1 0405 DD U\nturn 1 impulse 1 half B"), alliance=orders)
    state.units["C1.DD"].marks = forces.Marks(entered=True)
    assert run(impulse_plots.stay_steps(table(state), "alliance")) == stays


# --- after battles ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.6.1", "8.5.6.2", "8.5.6.7")
def test_withdrawal_and_pursuit_by_standing_orders() -> None:
    state = met(c1="DD speed 2 ID4", alliance="regroup keep; pursue shadow", coalition="regroup keep; withdraw")
    speeds = [Speed.STATION, Speed.EFFICIENT, Speed.CRUISE, Speed.SPRINT]
    form: Any = type("Form", (), {"lines": ()})()
    fled = standing_battles.reform_decisions(state, ["C1"], [], form, lambda _: speeds, losing=True)["force 1"]
    assert (fled.values, fled.clause) == ({"speed": "3"}, "withdraw")
    chased = standing_battles.reform_decisions(state, ["A1"], ["E1"], form, lambda _: speeds, losing=False)["force 1"]
    assert chased.values == {"pursue": "E1", "then": "shadow", "speed": "2"}
    slow = standing_battles.reform_decisions(state, ["A1"], ["E1"], form, lambda _: speeds[:2], losing=False)["force 1"]
    assert slow.values == {}
    assert "too slow" in slow.said
    ordered(state, alliance="regroup keep; pursue ask")
    assert standing_battles.reform_decisions(state, ["A1"], ["E1"], form, lambda _: speeds, losing=False) == {}


# --- the contact sheet ------------------------------------------------------------------------------------------------
def test_the_contact_sheet_asks_each_side_once_and_its_answer_holds() -> None:
    at = detected(state := met(**ASKED))
    sheet = {"A1": {"search": "yes", "probes": 2, "shadow": True, "attack": "id1", "ratio": "3/2", "then": "hold"}}
    answers = {"contact/alliance": sheet}
    assert asked_in(contact_steps(at), answers) == ["contact/alliance", "contact/coalition"]
    assert write_orders(state.task_forces["A1"].meeting) == "search; shadow; probes 2; attack id1 x1.5; hold"
    assert asked_in(contact_steps(at.at("again"))) == []
    assert asked_in(reconnaissance_steps(at, "alliance")) == []
    assert decisions(at) == ["A1 searches E1, 2 probes if it succeeds, to shadow it."]


def test_the_contact_sheet_speaks_of_raids_only_where_something_can_be_raided() -> None:
    """The usual orders ask about raids; a hex without a settled hex of the enemy leaves nothing to ask."""
    state = met(alliance="ask on contact; raid ask", coalition="ask on contact")
    ask = sheet_of(state)
    assert ask.default is not None
    (said,) = ask.read_back(ask.default)
    assert said.startswith("A1: Searches what appears.")
    assert "raid" not in said


def test_the_contact_sheet_attacks_nobody_by_default() -> None:
    state = met(**ASKED)
    ask = sheet_of(state)
    assert ask.default is not None
    values = ask.form.prefilled()["A1"]
    assert (values["attack"], values["search"], values["then"]) == ("never", "yes", "go on")
    alone = met(a1="", c1="DD U", alliance="ask on contact")
    assert sheet_of(alone) is not None
    state.units["A1.CA"].fuel = Fraction(5)  # a search (2) would leave too little to fight (4)
    assert sheet_of(state).form.prefilled()["A1"]["search"] == "no"


@cases("orders, found")
def test_a_contact_sheet_that_searches_keeps_the_limit_of_the_orders_that_stand(orders: str, found: str) -> None:
    state = met(alliance="ask on contact", A1=orders, coalition="ask on contact")
    at = detected(state)
    run(contact_steps(at), lambda ask: {"A1": {"search": "yes"}} if ask.parties == ("alliance",) else None)
    searching, *_ = write_orders(state.task_forces["A1"].meeting).split(";")
    assert searching == found


def test_orders_for_a_contact_end_with_it() -> None:
    at = detected(state := met(**ASKED))
    run(contact_steps(at))
    assert state.task_forces["A1"].meeting is not None
    state.set_hex(state.task_forces["A1"], "0406")
    run(contact_steps(at.at("later")))
    assert state.task_forces["A1"].meeting is None
    assert orders_of(state, state.task_forces["A1"]).move == "ask"


def test_a_second_contact_is_asked_about_with_what_was_said_of_the_first() -> None:
    at = detected(state := met(**ASKED))
    run(contact_steps(at), lambda ask: {"A1": {"then": "hold"}} if ask.parties == ("alliance",) else None)
    newcomer = world("C2 0405 FF U")
    state.units |= newcomer.units
    for tf in newcomer.all_task_forces():
        state.put_force(tf)
    state.tracks["alliance"].issue("C2")
    ask = sheet_of(state)
    assert ask.form.prefilled()["A1"]["then"] == "hold"
    assert "E1 (U), E2 (U)" in ask.form.lines[0].label


@cases("values, rule, path", "rule, path")
def test_contact_sheets_that_cannot_be_are_refused(values: dict[str, Any], rule: str, path: str) -> None:
    state = met(alliance="ask on contact")
    ask = sheet_of(state)
    (refusal,) = ask.check(ask.model.model_validate({"A1": values}))
    assert (refusal.rule, refusal.path) == (rule, path)


# --- how many prompts -------------------------------------------------------------------------------------------------
MEETING = "A1 0404 CA speed 2 route 0405\nC1 0406 DD speed 2 route 0405\nturn 0"


def prompts(text: str, answers: dict[str, Any] | None = None, main: int = 100, **orders: str) -> list[str]:
    state = ordered(world(text), **orders)
    at = table(state, by_label={"initiative": 4, "alliance": 4, "coalition": 3, "main": main, "ID roll": 100, "": 1})
    return asked_in(turn_steps(at), answers)


@pytest.mark.parametrize("orders", ["", "ask on contact", "search; attack id2"])
def test_a_turn_without_contact_asks_each_side_for_its_plan_alone(orders: str) -> None:
    apart = "A1 0404 CA speed 2 route 0405\nC1 0608 DD speed 2 route 0607\nturn 0"
    assert prompts(apart, alliance=orders, coalition=orders) == ["planning/alliance", "planning/coalition"]


def test_a_turn_with_a_contact_needs_six_prompts_at_most_even_with_a_battle() -> None:
    """Both are asked on contact. The cruiser searches, finds and attacks; the battle is fought by hand: a form each."""
    attack = {"A1": {"search": "yes", "attack": "id0", "then": "hold"}}
    keep = {"C1": {"search": "no", "attack": "never", "then": "hold"}}
    answers = {"contact/alliance": attack, "contact/coalition": keep}
    asked = prompts(MEETING, answers, main=1, **ASKED)
    both = ["planning/alliance", "planning/coalition", "contact/alliance", "contact/coalition"]
    assert asked == [*both, "battle/alliance+coalition"]
    assert sum(key.count("+") + 1 for key in asked) == 6


def test_standing_orders_leave_the_battle_alone_to_be_asked() -> None:
    full = "search; attack id0; hold; regroup keep; pursue never; power full"
    quiet = "search never; attack never; hold; regroup keep; pursue never; power full"
    asked = prompts(MEETING, main=1, alliance=full, coalition=quiet)
    assert asked == ["planning/alliance", "planning/coalition", "battle/alliance+coalition"]


def test_a_contact_without_an_attack_needs_four() -> None:
    assert len(prompts(MEETING, **ASKED)) == 4


# --- what the enemy must not learn ------------------------------------------------------------------------------------
@cases("orders, others", "")
@pytest.mark.unseen("pq17", reports=("contact", "doctrine", "initiative"), asks=("planning", "search"))
def test_orders_that_change_nothing_that_happens_are_unseen(orders: str, others: str) -> None:
    def seen(mine: str) -> list[str]:
        state = ordered(world(MEETING), alliance="search ask; attack never; hold", coalition=mine)
        at = table(state, by_label={"initiative": 4, "alliance": 4, "coalition": 3, "": 1})
        asked = asked_in(turn_steps(at), {"contact/coalition": {"C1": {"search": "no", "then": "hold"}}})
        return [*told(at, "alliance"), *(one for one in asked if "alliance" in one)]

    assert seen(orders) == seen(others)


@cases("text, kept")
def test_orders_that_say_the_same_leave_those_for_the_present_contact(text: str, *, kept: bool) -> None:
    """Only what is new replaces what was chosen on a contact sheet, which the planning sheet shows."""
    at = detected(state := met(**ASKED))
    run(contact_steps(at))
    answers = {side: planning_sheet.planning_ask(at, side).answer_from({}) for side in ("alliance", "coalition")}
    answers["alliance"] = planning_sheet.planning_ask(at, "alliance").answer_from({"A1": {"doctrine": text}})
    planning_sheet.carry_out_plans(at, answers)
    assert (state.task_forces["A1"].meeting is not None) is kept
