"""What standing orders answer: each ask by itself, whose orders are obeyed, and what falls back to asking."""

from typing import Any

import pytest

from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.views import STANDING_ORDERS, Knowledge
from rules_engine.core.protocol.asks import AnyAsk, Ask
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import cloaked_meetings_steps
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.setup import DepthLine, DepthSheet
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import espionage_steps
from rules_engine.rulebooks.cutler.records.parts.standing import Act, RouteStop, StandingRecord
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight, Mission
from rules_engine.rulebooks.cutler.standing.decisions import ask_details_steps, ask_or_obey_steps, challenge_decision
from rules_engine.rulebooks.cutler.standing.precedence import order_in, order_of
from rules_engine.rulebooks.cutler.standing.words import read_orders
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import armed, rearmed
from tests.rulebooks.cutler.worlds import Run, table_of, world

MEETING = "turn 1 impulse 3\nhydran F1 0404 CA+DD+FF\nhydran F2 0404 CW\nlyran F1 0404 CC+CW\n"


def given(state: CutlerState, **orders: str) -> CutlerState:
    """The state with these orders, by race or as ``hydran_F1`` by fleet."""
    for key, text in orders.items():
        name = key.replace("_", "/")
        found, refusals = read_orders(text, "", of_side="/" not in name)
        assert not refusals
        state.standing[name] = StandingRecord(orders=found)
    return state


def combat(text: str = MEETING, answers: Any = None, dice: Any = None, **orders: str) -> Run:
    """The combat phase of an impulse, with these standing orders."""
    turn = table_of(given(world(text), **orders), dice)
    return Run(turn, combat_phase_steps(turn.at("combat")), answers)


def decisions(run: Run, side: str) -> list[str]:
    """What a side's standing orders decided, each with the order and whose it is."""
    return [
        f"{one.text} {' '.join(f'{whose} {clause}' for whose, clause in one.why.inputs)}"
        for one in run.told(side, "doctrine")
        if one.why is not None
    ]


# --- cards ------------------------------------------------------------------------------------------------------------
def test_a_race_without_orders_is_asked_and_one_with_them_is_not() -> None:
    run = combat(hydran="bypass")
    assert [ask.kind for ask in run.asks] == ["card"]
    assert run.asked("hydran") == []
    assert decisions(run, "hydran") == ["Your card in 0404 is bypass. your race's standing orders “bypass”"]
    assert decisions(run, "lyran") == []
    assert "Cards in 0404: Hydran bypass; Lyran bypass." in run.texts("lyran")


@cases("order, card")
def test_a_ratio_counts_all_units_of_both_sides_there(order: str, card: str) -> None:
    assert decisions(combat(hydran=order, lyran="bypass"), "hydran")[0].startswith(f"Your card in 0404 is {card}. ")


@cases("case, text, orders, side, asked, decided", "asked, decided", made="text")
def test_what_standing_orders_decide_in_a_meeting(text: str, orders: dict[str, str], side: str, *, asked, decided):
    """``asked`` are the kinds of all that the side is asked, ``decided`` what its orders decided."""
    run = combat(text, dice={"escape": [1]}, **orders)
    assert [ask.kind for ask in run.asked(side)] == asked
    assert decisions(run, side) == decided


def test_fleets_that_agree_are_named_together_and_others_are_asked() -> None:
    state = given(world(MEETING), hydran="bypass", hydran_F1="combat", hydran_F2="fight")
    found = order_in(state, "hydran", "0404", "cards")
    assert found is not None
    assert found.whose == "F1 and F2's standing orders"
    state = given(world(MEETING), hydran="bypass", hydran_F1="combat", hydran_F2="combat x2")
    assert order_in(state, "hydran", "0404", "cards") is None
    run = combat(hydran="bypass", hydran_F1="combat", hydran_F2="combat x2")
    assert [ask.kind for ask in run.asked("hydran")] == ["card"]


def test_an_order_to_ask_comes_before_what_was_chosen_from_the_list() -> None:
    state = world(MEETING)
    state.empires["hydran"].cards = "bypass"
    assert order_of(state, "hydran", None, "cards") == (Act(what="never"), "bypass", "the choices on your sheet", False)
    assert order_of(given(state, hydran="cards ask"), "hydran", None, "cards") is None


def test_what_was_chosen_from_the_list_is_not_reported() -> None:
    state = world(MEETING)
    state.empires["hydran"].cards = state.empires["lyran"].cards = "bypass"
    run = Run(turn := table_of(state), combat_phase_steps(turn.at("combat")))
    assert (run.asks, decisions(run, "hydran")) == ([], [])


# --- waves, pursuit, flanking -----------------------------------------------------------------------------------------
def test_all_that_can_run_do_and_are_pursued_without_a_question(kept: Kept) -> None:
    run = combat(hydran="bypass; run x1/3", lyran="combat; run never; pursue", dice={"escape": [1]})
    assert run.asks == []
    assert decisions(run, "hydran")[1] == kept("decisions(run, hydran)(1)")
    assert decisions(run, "lyran")[2] == kept("decisions(run, lyran)(2)")
    assert "Wave 1 of the Hydran in 0404 gets away from group 1." in run.texts("lyran")
    assert "standing orders" not in " ".join(str(one.why) for one in run.told("lyran") if one.kind != "doctrine")


def test_what_is_decided_in_part_is_filled_in_and_stands_if_nobody_answers() -> None:
    run = combat(hydran="run; combat", lyran="run never; bypass; flank never", lyran_F1="pursue ask")
    (ask,) = run.asked("lyran", "pursuit")
    assert ask.default_says == "Nobody pursues."
    run = combat(MEETING + "lyran F2 0404 DD\n", hydran="run; combat", lyran="run never; bypass", lyran_F2="pursue")
    (ask,) = run.asked("lyran", "pursuit")
    assert (ask.form.line("lyran-F2-DD").fields[0].value, ask.default.groups()) == ("1", {"lyran-F2-DD": 1})
    assert ask.default_says == "Your standing orders are carried out. Where they are silent: Nobody pursues."


def test_each_fleet_flanks_in_a_group_of_its_own() -> None:
    run = combat(
        hydran="combat; run never; flank never", hydran_F1="flank", hydran_F2="flank",
        lyran="combat; run never; flank never",
    )  # fmt: skip
    (battle,) = run.asks
    assert battle.kind == "battle"
    turns = [one for one in run.table.shared.rolls if one.label.startswith("T1/combat") and "flank " in one.label]
    assert {one.label.rsplit("/", 1)[1] for one in turns} == {"flank 1, hydran", "flank 2, hydran"}
    assert any(one.startswith("In 0404 flank: ") for one in decisions(run, "hydran"))


def test_three_races_meet_and_one_of_them_is_asked_nothing() -> None:
    text = MEETING + "klingon F1 0404 CW\n"
    run = combat(text, hydran="combat; run never; pursue never; flank never; challenge never; transfers never")
    assert {ask.kind for ask in run.asked("hydran")} <= {"battle"}
    assert run.asked("lyran")
    assert run.asked("klingon")
    assert any("You challenge nobody in 0404." in one for one in decisions(run, "hydran"))


ALLIES = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN\ntogether hydran lyran\n"
"""A force of two races, and another in the same hex."""
FORCE = ("hydran", "lyran")


def of_the_force(kind: str) -> AnyAsk:
    """A choice that the force makes as one: what any of its races sent last."""
    field = Field("depth", "Where", "one", (Choice("edge", "Edge"), Choice("deep", "Deep")), value="edge")
    return Ask(
        kind=kind,
        parties=FORCE,
        forces=(FORCE,),
        title="0404: where you fight",
        text="At the edge, or deep within?",
        model=DepthSheet,
        form=Form((Line("challenge" if kind == "challenge" else "battle", "Where", (field,)),)),
        rule="3.5.9",
        default=DepthSheet({"battle": DepthLine()}),
        default_says="You fight at its edge.",
        pace="decision",
    )


def together(*, waits: bool = False, **orders: str) -> Run:
    """The force is asked two things as one: whom it challenges, and a detail of a battle."""
    turn = table_of(given(world(ALLIES), **orders))
    turn.shared.orders_wait = waits
    turn.state.fights["0404"] = Fight(forces=[list(FORCE)])

    def both_steps() -> Any:
        decided = challenge_decision(turn.state, "hydran", "0404")
        yield from ask_or_obey_steps(turn.at("challenges"), [of_the_force("challenge")], [decided])
        yield from ask_details_steps(turn.at("battle"), [of_the_force("depth")])

    return Run(turn, both_steps())


@pytest.mark.rule("cutler", "2.10")
def test_a_forces_choice_is_answered_where_each_race_of_it_has_ordered_so() -> None:
    never = "challenge never; details never"
    for some in ({"hydran": never}, {"lyran": never}, {"hydran": never, "lyran": "challenge ask; details ask"}):
        assert [ask.kind for ask in together(**some).asks] == ["challenge", "depth"]
    run = together(hydran=never, lyran="challenge never")
    assert [ask.kind for ask in run.asks] == ["depth"]
    run = together(hydran=never, lyran=never)
    assert run.asks == []
    said = [
        "You challenge nobody in 0404. your race's standing orders “challenge never”",
        "0404: where you fight: You fight at its edge. your race's standing orders “details never”",
    ]
    assert decisions(run, "hydran") == decisions(run, "lyran") == said
    assert decisions(run, "klingon") == []


def test_where_orders_wait_each_race_of_a_force_has_a_card_that_holds() -> None:
    never = "challenge never; details never"
    asks = together(waits=True, hydran=never, lyran=never).asks
    assert [(ask.kind, ask.parties, ask.holds) for ask in asks] == [
        ("waiting", (race,), True) for race in ("hydran", "lyran", "hydran", "lyran")
    ]


CHASE = "turn 1 impulse 3\nhydran F1 0404 FF\nlyran F1 0404 CC+CW\n"


def test_details_of_a_battle_are_left_as_they_are_filled_in() -> None:
    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("pursuit", "lyran"): {"lyran-F1-CC": {"group": 1}}}
    answers |= {("wave", "hydran"): {"wave": {"ships": ["hydran-F1-FF"]}}}
    assert len(combat(CHASE, answers, {"escape": [6]}).asked("lyran", "surround")) == 1
    run = combat(CHASE, answers, {"escape": [6]}, lyran="details never")
    assert run.asked("lyran", "surround") == []
    (said,) = decisions(run, "lyran")
    assert said.startswith("0404: surrounding those you caught: Nobody surrounds; your force is set up in direction 1")
    assert said.endswith("your race's standing orders “details never”")
    assert [ask.kind for ask in run.asks if ask.kind == "battle"] == ["battle"]


# --- cloaks, spies, landings ------------------------------------------------------------------------------------------
CLOAKED = "turn 1 impulse 3\nhydran F1 0404 CA[cloak=up]\nhydran F2 0404 CA[cloak=up]\nlyran F1 0404 CC\n"


def test_cloaked_fleets_stay_or_show_themselves(kept: Kept) -> None:
    turn = table_of(given(world(CLOAKED), hydran="cloak stay", hydran_F2="cloak show"))
    run = Run(turn, cloaked_meetings_steps(turn.at("cloaks")))
    assert run.asks == []
    assert decisions(run, "hydran") == kept()
    assert (turn.state.units["hydran-F1-CA"].engaged, turn.state.units["hydran-F2-CA"].engaged) == (False, True)


SPIES = "turn 1\nhydran F1 0205 CA\nlyran F1 0902 CC course 0802\nlyran base 0902 Station\nreserve hydran 200\n"


def spied_upon(*missions: tuple[str, int], pool: int, **orders: str) -> Run:
    """The Hydran's missions against the Lyran, whose pool holds so many points."""
    state = given(world(SPIES), **orders)
    state.empires["lyran"].counter_pool = pool
    for number, (kind, ip) in enumerate(missions, 1):
        values: Any = {"kind": kind, "aimed": "race" if kind == "base" else "hex"}
        values |= {"target": "" if kind == "base" else "0902", "said": "hex 0902"}
        state.missions.append(Mission(line=f"M{number}", spy="hydran", against="lyran", ip=ip, **values))
    turn = table_of(state, {"espionage order, Hydran": [6, 6], "espionage order, Lyran": [1, 1]})
    return Run(turn, espionage_steps(turn.at("espionage")))


def test_points_are_used_against_each_mission_as_far_as_they_go(kept: Kept) -> None:
    run = spied_upon(("base", 20), ("base", 20), ("base", 20), pool=25, lyran="counter 10")
    assert run.asks == []
    assert [one.split(". ")[0] for one in decisions(run, "lyran")] == kept()
    assert decisions(run, "hydran") == []


@pytest.mark.parametrize(("orders", "decided"), [("all", ["25 of your 25"]), ("never", ["0 of your 25"]), ("ask", [])])
def test_all_points_go_against_the_first_or_none_at_all(orders: str, decided: list[str]) -> None:
    run = spied_upon(("base", 20), pool=25, lyran=f"counter {orders}")
    assert len(run.asks) == (not decided)
    assert all(f"{points} points" in decisions(run, "lyran")[0] for points in decided)


def test_a_spied_upon_plot_is_asked_for_unless_it_is_ordered_too() -> None:
    (ask,) = spied_upon(("movement", 20), pool=25, lyran="counter 10").asks
    assert (ask.form.line("counter").fields[0].value, ask.default.points()) == (10, 10)
    run = spied_upon(("movement", 20), pool=25, lyran="counter 10; lodge")
    assert run.asks == []
    assert "F1 goes to 0802 in impulse 1. your race's standing orders “lodge”" in decisions(run, "lyran")
    assert run.table.state.empires["lyran"].lodged == {"lyran-F1-CC": "0802"}


def landed(text: str, **orders: str) -> Run:
    """Troops land on planets, with ten parties aboard the Hydran's cruiser."""
    state = given(armed(text), **orders)
    rearmed(state.units["hydran-F1-CA"], boarding_parties=10, shuttles=2)
    land_troops(turn := table_of(state))
    return Run(turn, iter(()))  # type: ignore[arg-type]


ENEMYS = "turn 2 impulse 1\nplanet minor 0404 lyran cub\nhydran F1 0404 CA\n"


def test_troops_land_on_planets_of_others_and_on_no_own() -> None:
    run = landed(ENEMYS, hydran="land")
    assert run.table.state.planets["cub"].landed == {"hydran": 10}
    assert decisions(run, "hydran") == ["F1 is to land on Cub. your race's standing orders “land”"]
    assert landed(ENEMYS).table.state.planets["cub"].landed == {}
    assert landed(ENEMYS, hydran="land", hydran_F1="land never").table.state.planets["cub"].landed == {}
    assert landed(ENEMYS + "together hydran lyran", hydran="land").table.state.planets["cub"].landed == {}


# --- given on sheets --------------------------------------------------------------------------------------------------
def test_orders_are_given_changed_and_taken_back_on_any_sheet() -> None:
    state = world(MEETING)

    def send(sheet: Any) -> list[str]:
        ask = plot_ask(state, "hydran")
        answer = ask.answer_from(sheet)
        carry_out_plot(state, "hydran", answer)
        return list(ask.read_back(answer))

    said = send({"standing": {"orders": "combat x1.5"}, "F2": {"orders": "bypass; go on"}})
    assert "F2, unasked: Its card is bypass. It goes on along its course, whatever is near." in said
    assert said[-1].startswith("All fleets, unasked: Its card is combat if we have at least 1 1/2")
    assert order_of(state, "hydran", state.fleets["hydran/F2"], "cards").clause == "bypass"
    send({})  # what is left out stays
    assert order_of(state, "hydran", state.fleets["hydran/F1"], "cards").clause == "combat x1.5"
    send({"F2": {"orders": ""}, "standing": {"orders": "usual"}})
    assert state.standing == {}


def test_a_sheet_with_a_wrong_order_changes_nothing() -> None:
    ask = plot_ask(world(MEETING), "hydran")
    refusals = ask.check(ask.model.model_validate({"F1": {"orders": "combt"}, "standing": {"orders": "counter"}}))
    assert [(one.path, one.nearest[:1]) for one in refusals] == [("F1.orders", ("combat",)), ("standing.orders", ())]


def test_the_panel_says_whose_orders_are_which_and_nothing_twice(kept: Kept) -> None:
    state = given(world(MEETING), hydran="combat; cloak stay; go on", hydran_F2="bypass")
    state.standing["hydran/F1"] = StandingRecord(loop=["0405", "0404"], stops=(RouteStop(kind="turn", turn=3),))
    panel = RULEBOOK.side_board(state, "hydran", Knowledge()).panel(STANDING_ORDERS)
    assert panel is not None
    assert panel.rows[:4] == kept()
    ask = plot_ask(state, "hydran")
    said = ask.read_back(ask.answer_from({}))
    assert not [line for line in said if line.startswith("Standing orders")], "the words say it themselves"
    state.empires["hydran"].asking = "each"
    assert ask.read_back(ask.answer_from({}))[-2] == kept("#1")
    others = RULEBOOK.side_board(state, "lyran", Knowledge()).panel(STANDING_ORDERS)
    assert others is not None
    assert "0405" not in str(others.rows)


def test_typed_orders_with_clauses_stand_in_quotes() -> None:
    ask = plot_ask(world(MEETING), "hydran")
    text = 'standing: orders "combat x1.5; run x2"\nF1: course loop 0404 0406; orders "bypass, go on"; stop "turn 4"'
    sheet = read_sheet(ask.form, text)
    assert sheet["standing"]["orders"] == "combat x1.5; run x2"
    assert sheet["F1"] == {"course": "loop 0404 0406", "orders": "bypass, go on", "stop": "turn 4"}
    assert "F1, unasked: Its card is bypass. It goes on along its course, whatever is near." in ask.read_back(
        ask.answer_from(sheet)
    )
