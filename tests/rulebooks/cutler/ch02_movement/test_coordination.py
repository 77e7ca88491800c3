"""Coordinated forces: agreed in secret, one force on the map, in stacking and in combat, ended by either."""

import json

import pytest

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.protocol.asks import Ask
from rules_engine.rulebooks.cutler.boards import public_board
from rules_engine.rulebooks.cutler.ch02_movement.coordination import coordination_rows
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch08_scanning.phase import scanning_phase
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

APART = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\nklingon F1 0708 CW\n"
TOGETHER = "together hydran lyran\n"
THREE = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF\nklingon F1 0404 DN+CW\n" + TOGETHER
ROCK = "turn 2 impulse 3\nplanet minor 0404 hydran rock\nhydran F1 0404 CA\nlyran F1 0404 CC+FF[from=0303]\n"
BESIEGED = ROCK + "klingon F1 0404 DN[from=0505]+CW[from=0505]\n" + TOGETHER
LURKS = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC[cloak=up]\nklingon F1 0404 DN\n"
FIGHT = {"force": {"card": "combat"}}


def plotted(text: str = APART, **lines: dict[str, object]) -> Run:
    """A plotting phase in which all are asked, with these coordination lines."""
    state = world(text)
    for empire in state.empires.values():
        empire.asking = "each"
    turn = table_of(state)
    answers = {("plot", race): {"coordination": line} for race, line in lines.items()}
    return Run(turn, plotting_steps(turn.at("plot")), answers)


def with_(*races: str, **more: object) -> dict[str, object]:
    return {"partners": list(races), **more}


def forces(run: Run) -> list[list[str]]:
    return run.table.state.coordination.forces


BY_RATING = "The counter of a coordinated force goes by command rating."


# --- offers ----------------------------------------------------------------------------------------------------------
@cases("line, said")
def test_what_a_race_wishes_of_a_force_is_read_back(line: dict[str, object], said: list[str]):
    ask = plotted().asked("hydran", "plot")[0]
    assert [one for one in ask.read_back(ask.answer_from({"coordination": line})) if "force" in one] == said


@pytest.mark.rule("cutler", "2.10")
def test_a_wish_for_a_counter_is_given_up_by_leaving_it_to_the_ratings():
    run = plotted(hydran={"colour": "hydran"})
    assert run.table.state.coordination.colours == {"hydran": "hydran"}
    ask = plot_ask(run.table.state, "hydran")
    assert BY_RATING in ask.read_back(ask.answer_from({"coordination": {"colour": "rating"}}))
    Run(run.table, plotting_steps(run.table.at("next")), {("plot", "hydran"): {"coordination": {"colour": "rating"}}})
    assert run.table.state.coordination.colours == {}


@cases("case, together, lines, forces, told", "forces, told", made="lines")
def test_what_comes_of_orders_to_act_as_one_force(together, lines, forces, told):
    run = plotted(APART + together, **lines)
    assert run.table.state.coordination.forces == forces
    assert [f"{race}: {one.text}" for race in run.table.state.races() for one in run.told(race, "coordination")] == told


@pytest.mark.rule("cutler", "2.10")
def test_an_offer_stands_until_it_is_answered_and_its_addressee_is_asked():
    run = plotted(hydran=with_("lyran"))
    for empire in run.table.state.empires.values():
        empire.asking = "contact"
    again = Run(run.table, plotting_steps(run.table.at("next")), {("plot", "lyran"): {"coordination": with_("hydran")}})
    assert [ask.parties for ask in again.asks] == [("lyran",)]
    assert "because the Hydran offers to act as one force" in again.asks[0].text
    assert forces(again) == [["hydran", "lyran"]]


@pytest.mark.unseen("cutler", reports=("coordination",))
@pytest.mark.rule("cutler", "2.10")
@pytest.mark.unseen("cutler", reports=("coordination",), asks=("plot",))
def test_an_offer_is_known_to_the_two_alone():
    # Offered, refused, agreed, ended: the third sees the same byte for byte.
    quiet = plotted()
    for lines in (
        {"hydran": with_("lyran")},
        {"hydran": with_("lyran", colour="hydran"), "lyran": with_("klingon")} | {"lyran": with_()},
    ):
        run = plotted(**lines)
        assert sees(run.table, run.asks, "klingon") == sees(quiet.table, quiet.asks, "klingon")
        assert sees(run.table, run.asks, "lyran") != sees(quiet.table, quiet.asks, "lyran")
    far = APART.replace("lyran F1 0404", "lyran F1 0902")
    agreed, apart = plotted(far, hydran=with_("lyran"), lyran=with_("hydran")), plotted(far)
    assert sees(agreed.table, agreed.asks, "klingon") == sees(apart.table, apart.asks, "klingon")


@cases("line, words", made="line")
def test_what_cannot_be_ordered_is_refused_with_the_rule(line, words):
    assert refusal_words(plotted().asked("hydran", "plot")[0], {"coordination": line}) == words


@pytest.mark.rule("cutler", "2.10")
def test_a_race_that_is_out_of_play_is_no_partner():
    state = world(APART + TOGETHER)
    state.out = ["lyran"]
    state.empires["hydran"].asking = "each"
    turn = table_of(state)
    ask = Run(turn, plotting_steps(turn.at("plot"))).asked("hydran", "plot")[0]
    assert refusals(ask, {"coordination": with_("lyran")}) == [("coordination.partners", "2.10, CU-N15")]
    assert state.coordination.forces == []


@pytest.mark.rule("cutler", "2.10")
def test_offers_are_read_in_the_scenarios_order_also_when_they_were_stored():
    # Written down, the Klingon's comes before the Lyran's.
    run = plotted(lyran=with_("hydran"), klingon=with_("hydran"))
    stored = CutlerState.from_json(json.loads(canonical(run.table.state.to_json())))
    rows = [coordination_rows(state, "hydran") for state in (run.table.state, stored)]
    assert rows[0] == rows[1] == [f"The {name} offers to act as one force." for name in ("Lyran", "Klingon")]


# --- one force on the map --------------------------------------------------------------------------------------------


@cases("text, colours, counters", made="text")
def test_one_counter_stands_for_a_force_by_command_rating_or_as_agreed(text, colours, counters):
    state = world(text)
    state.coordination.colours = colours
    assert ", ".join(f"{counter.owner} {counter.hex}" for counter in public_board(state).counters) == counters


@cases("together, moves")
def test_a_force_that_moves_together_moves_as_one_counter(together, moves):
    text = "turn 1 impulse 3\nhydran F1 0404 CA course 0405\nlyran F1 0404 CC course 0405\nlyran F2 0902 FF course 0903"
    execute_moves(turn := table_of(world(f"{text}\n{together}")))
    assert turn.shared.reports[0].text == moves


@pytest.mark.rule("cutler", "2.10", "2.5")
@pytest.mark.parametrize(("hydran", "entered"), [("CC+DD+DD+DD+DD", True), ("CC+DD+DD+DD+DD+DD", False)])
def test_one_stacking_limit_with_the_best_command_rating_of_both(hydran, entered):
    # A command cruiser, 9, leads ten ships. Five Lyran frigates, 3, could not even be led by their own.
    text = f"turn 1 impulse 3\nhydran F1 0404 {hydran}\nlyran F1 0403 FF+FF+FF+FF+FF course 0404\n"
    turn = table_of(world(text + TOGETHER))
    execute_moves(turn)
    tidy_fleets(turn.state)
    assert (turn.state.units["lyran-F1-FF"].hex == "0404") == entered
    alone = table_of(world(text))
    execute_moves(alone)
    assert alone.state.units["lyran-F1-FF"].hex == "0403"


@pytest.mark.rule("cutler", "2.10", "2.5")
def test_a_call_off_counts_the_movers_of_both_and_is_told_to_them_alone():
    text = "turn 1 impulse 3\nhydran F1 0405 CA+FF+FF+FF+FF course 0404\nlyran F1 0403 DD+FF+FF+FF+FF course 0404\n"
    turn = table_of(world(text + "klingon F1 0908 CW\n" + TOGETHER))
    execute_moves(turn)
    # Ten ships, and a cruiser leads nine: all stay.
    assert {unit.hex for unit in turn.state.alive("hydran")} == {"0405"}
    assert {unit.hex for unit in turn.state.alive("lyran")} == {"0403"}
    assert [one.to for one in turn.shared.reports] == [("hydran",), ("lyran",)]


@pytest.mark.rule("cutler", "2.10", "8.4")
def test_a_scan_sees_a_force_as_one_contact():
    state = world(THREE + "klingon F2 0405 SC")
    state.fleet("klingon", "F2").scans = ["0404"]
    turn = table_of(state, {"scan of": [1]})
    scanning_phase(turn)
    told = [one for one in turn.shared.reports if one.is_for("klingon") and one.facts]
    assert [fact.headline for one in told for fact in one.facts] == ["3 Hydran and Lyran units"]
    assert [fact.owner for one in told for fact in one.facts] == ["lyran"]


# --- one force in combat ---------------------------------------------------------------------------------------------
def battle_of(run: Run) -> Ask:
    return next(ask for ask in run.asks if ask.kind == "battle")


@cases("case, proves, text, marks, answers, dice", "", made="text, answers")
def test_the_whole_account_of_forces_that_meet(text, marks, answers, dice, kept: Kept):
    state = world(text)
    for key, values in marks.items():
        for name, value in values.items():
            setattr(state.units[key], name, value)
    assert combats.account(combats.met(state, answers, dice)) == kept()


@cases("text, answers, asked, sheet, words", made="text, answers, sheet")
def test_what_may_not_be_ordered_of_forces_that_meet(text, answers, asked, sheet, words):
    said: list[list[str]] = []
    combats.met(text, answers | {tuple(asked.split()): lambda ask: said.append(refusal_words(ask, sheet))})
    assert said[0] == words


@pytest.mark.rule("cutler", "2.10")
def test_who_is_coordinated_is_not_told_by_how_the_third_is_asked():
    cards = {("card", "hydran"): FIGHT, ("card", "klingon"): FIGHT}
    one, other = combats.met(THREE, cards), combats.met(THREE.replace(TOGETHER, ""), cards)
    asked = [[(ask.id, ask.text) for ask in run.asked("klingon", "card")] for run in (one, other)]
    assert asked[0] == asked[1]
    assert [ask.parties for ask in one.asks][:3] == [ask.parties for ask in other.asks][:3]


@pytest.mark.rule("cutler", "2.10")
def test_who_is_coordinated_is_unseen_where_no_rule_shows_it():
    # Hidden bases share a hex, so no counter tells: one force or two, kept or ended, it looks the same to the third.
    text = "turn 1 impulse 3\nhydran base 0303 Rock\nlyran base 0303 Den\nklingon F1 0708 CW\n"
    leaves = {("card", "lyran"): {"force": {"stay": False}}}
    runs = [combats.met(text), combats.met(text + TOGETHER), combats.met(text + TOGETHER, leaves)]
    assert len({sees(run.table, run.asks, "klingon") for run in runs}) == 1
    assert len({sees(run.table, run.asks, "hydran") for run in runs}) == 3


@pytest.mark.rule("cutler", "2.10", "5.1", "3.4.5.3")
def test_a_captor_is_named_where_the_enemy_is_of_two_races(kept: Kept):
    line = {"fate": "intact"}
    result = {
        "H1": line, "L1": line, "L2": line, "K1": {"fate": "captured", "captor": "lyran"},
        "K2": {"fate": "disengaged"},
    }  # fmt: skip
    run = combats.met(THREE, {("card", "klingon"): FIGHT, ("battle", ""): result})
    units = run.table.state.units
    assert (units["klingon-F1-DN"].race, units["klingon-F1-CW"].disengaged_from) == ("lyran", ["hydran", "lyran"])
    known = {race: empire.known_ships.get("klingon-F1-DN") for race, empire in run.table.state.empires.items()}
    assert known == {"hydran": "lyran", "klingon": "lyran", "lyran": None}
    stranger = {**result, "K1": {"fate": "captured", "captor": "klingon"}}
    assert refusal_words(battle_of(combats.met(THREE, {("card", "klingon"): FIGHT})), stranger) == kept()


@pytest.mark.rule("cutler", "2.10")
def test_either_race_may_account_for_the_force():
    run = combats.met(THREE, {("card", "klingon"): FIGHT}, {"set-up, Hydran": [6], "set-up, Klingon": [1]})
    assert "Battle in 0404. The Hydran and Lyran set up first." in run.texts("lyran")
    ask = battle_of(run)
    assert ask.setup.panels[0].rows[0].startswith("Hydran and Lyran set up first, all their units within 10 hexes ")
    account = ask.answer_from({key: {"fate": "intact"} for key in ("H1", "L1", "L2", "K1", "K2")})
    assert ask.agree({"hydran": account, "klingon": account}).settled == account
    assert ask.force_of("lyran") == ("hydran", "lyran")


@pytest.mark.rule("cutler", "2.10", "3.2")
def test_a_force_rolls_and_challenges_as_one():
    # Four races, two of them one force: three sides, of which the force acts first.
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN+CW\n"
    state = combats.with_gorn(world(text + TOGETHER), "klingon-F1-CW")
    turn = table_of(
        state, {"1/acting player, Hydran": [6], "1/acting player, Klingon": [2], "1/acting player, Gorn": [3]}
    )
    answers = {("card", "gorn"): FIGHT, ("challenge", ""): [{"challenge": {"race": "gorn"}}]}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    ask = next(ask for ask in run.asks if ask.kind == "challenge")
    assert (ask.parties, ask.forces) == (("hydran", "lyran"), (("hydran", "lyran"),))
    assert battle_of(run).forces == (("hydran", "lyran"), ("gorn",))
    assert "the Hydran and Lyran act and challenge the Gorn" in run.texts("klingon")


def test_a_partner_that_is_gone_takes_its_colour_along():
    state = world(APART + TOGETHER)
    state.coordination.colours["hydran"] = "lyran"
    state.empires["hydran"].asking = state.empires["lyran"].asking = "each"
    turn = table_of(state)
    Run(turn, plotting_steps(turn.at("plot")), {("plot", "lyran"): {"coordination": with_()}})
    ask = Run(turn, plotting_steps(turn.at("again"))).asked("hydran", "plot")[0]
    assert refusals(ask, ask.form.prefilled()) == []


# --- with what other chapters have -----------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_a_hidden_partner_is_in_no_force_and_unseen_by_the_enemy():
    # The Hydran fights by itself; whether the Lyran under cloak is its partner, there alone, or not there looks alike.
    cards = {("card", "hydran"): FIGHT}
    worlds = (LURKS + TOGETHER, LURKS, LURKS.replace("lyran F1 0404", "lyran F1 0101"))
    runs = [combats.met(text, cards) for text in worlds]
    assert [battle_of(run).parties for run in runs] == [("hydran", "klingon")] * 3
    assert len({sees(run.table, run.asks, "klingon") for run in runs}) == 1


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_partners_who_both_found_a_hidden_ship_hunt_it_as_one(kept: Kept):
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN[cloak=up]\n" + TOGETHER)
    state.units["klingon-F1-DN"].found_by = ["hydran", "lyran"]
    run = combats.met(state, {("card", "lyran"): FIGHT})
    assert combats.account(run) == kept()
    assert refusal_words(run.asked("hydran", "card")[-1], {"force": {"card": "combat", "stay": False}}) == kept("#1")
    assert state.empires["klingon"].alerts == kept("state.empires(klingon).alerts")


@pytest.mark.rule("cutler", "2.10", "2.6.2.1")
def test_the_counter_of_a_force_does_not_tell_of_a_hidden_flagship():
    # The Lyran command cruiser would have the higher rating; under cloak it counts for nothing that others see.
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 FF\nlyran F2 0404 CC[cloak=up]\n" + TOGETHER
    assert world(text).counters() == world(text.replace("lyran F2 0404 CC[cloak=up]\n", "")).counters()
