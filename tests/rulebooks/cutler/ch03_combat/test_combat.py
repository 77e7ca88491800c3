"""Chapter 3: meeting in a hex. S1-S5, cards, challenges, the open-space battle, its result, and disengagement."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps, exchange, settle_fleets
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.state import Fight
from rules_engine.rulebooks.cutler.sequence import end_impulse
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

TWO = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\n"
FIGHT = {"force": {"card": "combat"}}
OK = {"fate": "intact"}


def combat(text, answers=None, dice=None):
    """The combat phase of an impulse."""
    return Run(turn := table_of(world(text), dice), combat_phase_steps(turn.at("combat")), answers)


def battle(text=TWO, result=None, dice=None, **more):
    """A combat phase in which the Hydran fights, with the battle's agreed result."""
    run = combat(text, {("card", "hydran"): FIGHT, ("battle", ""): result, **more}, dice)
    assert not defects(run.table.state)
    return run


def only_battle(run):
    return next(ask for ask in run.asks if ask.kind == "battle")


# --- S1-S5 -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "3.1.3")
def test_s1_to_s5_show_number_size_race_and_hull_and_nothing_else(kept: Kept):
    state = world("hydran F1 0404 CA[warp=3]+DD+SC+FF+PF+MON+AUX\nhydran base 0404 Rock\nhydran police 0404")
    assert tacintel.glance(state.alive()) == kept()
    assert tacintel.in_words("Hydran", [state.units["hydran-F1-CA"]]) == "1 Hydran unit (size 3: CA)"


@cases("case, proves, text, cards, asked, told", "asked, told")
def test_who_is_asked_and_told_what_where_races_meet(text, cards, asked, told):
    run = combat(f"turn 1 impulse 3; {text}", {("card", race): FIGHT for race in cards.split()})
    assert [f"{ask.kind} {'+'.join(ask.parties)}" for ask in run.asks] == asked
    assert [f"{race}: {one.text}" for race in run.table.state.races() for one in run.told(race)] == told


@pytest.mark.rule("cutler", "3.1.3", "2.10")
def test_whose_the_units_of_a_force_are_is_told_again_when_it_changes(kept: Kept):
    turn = table_of(world("hydran F1 0404 CA\nlyran F1 0404 FF+FF\nklingon F1 0404 FF\ntogether lyran klingon"))
    one, other, partner = (turn.state.units[key] for key in ("lyran-F1-FF", "lyran-F1-FF2", "klingon-F1-FF"))
    for units in ([one, other], [one, partner], [one, partner]):
        exchange(turn, "hydran", "lyran", "0404", units)
    assert [one.text for one in turn.shared.reports if one.is_for("hydran")] == kept()


# --- cards -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.1.1")
def test_standing_orders_answer_the_card():
    state = world(TWO)
    state.empires["hydran"].cards, state.empires["lyran"].cards = "combat", "bypass"
    run = Run(turn := table_of(state), combat_phase_steps(turn))
    assert [ask.kind for ask in run.asks if ask.kind == "card"] == []
    assert "Hydran combat; Lyran bypass" in run.texts("hydran")


def test_a_card_that_does_not_exist_is_refused(kept: Kept):
    ask = combat(TWO).asked("hydran", "card")[0]
    assert refusal_words(ask, {"force": {"card": "flee"}}) == kept("#1")
    assert refusals(ask, {"army": {"card": "combat"}}) != []
    assert refusal_words(ask, {"force": {"card": "combat", "who": "lyran"}}) == kept("#2")


# --- three races -----------------------------------------------------------------------------------------------------
THREE = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DD+CW\n"


NAMES = {"H": "Hydran", "L": "Lyran", "K": "Klingon"}


@cases("case, proves, cards, rolls, challenges, leave, asked, acted", "asked, acted")
def test_who_acts_and_fights_whom_where_three_races_meet(cards, rolls, challenges, *, leave, asked, acted):
    """``rolls`` are the dice of each round, such as H6 L2 K3; of each battle, all of one emblem leave."""
    dice = {
        f"{number}/acting player, {NAMES[one[0]]}": [int(die) for die in one[1:]]
        for number, rolled in enumerate(rolls.split("; "), 1)
        for one in rolled.split()
    }
    named = {
        ("challenge", race): [{"challenge": {"race": other}} for other in others] for race, others in challenges.items()
    }
    ends = [combats.fates(**{letter: "disengaged"}) for letter in leave]
    run = combat(THREE, {("card", cards): FIGHT, ("battle", ""): ends, **named}, dice)
    choices = [[one.value for line in ask.form.lines for one in line.fields[0].choices] for ask in run.asks]
    assert [
        f"{ask.kind} {'+'.join(ask.parties)}" + (f": {' or '.join(choice)}" if ask.kind == "challenge" else "")
        for ask, choice in zip(run.asks, choices, strict=True)
        if ask.kind in ("card", "challenge", "battle")
    ] == asked
    told = [one for one in run.told("hydran", "combat") if " acts and " in one.text]
    assert [f"{one.text} {[die.total for die in one.why.dice]}" for one in told] == acted


@pytest.mark.rule("cutler", "3.2")
def test_no_race_challenges_itself():
    judged: list = []
    challenge = [lambda ask: judged.extend(refusals(ask, {"challenge": {"race": "lyran"}}))]
    dice = {"acting player, Hydran": [4, 5], "acting player, Lyran": [4, 6], "acting player, Klingon": [1]}
    combat(THREE, {("card", "hydran"): FIGHT, ("challenge", "lyran"): challenge}, dice)
    assert judged == [("challenge.race", "3.2, CU-R51")]


@pytest.mark.rule("cutler", "3.2")
def test_who_has_lost_all_it_had_there_hears_no_more_of_who_acts():
    # Of four races the Klingon is the first to be challenged, and loses everything; three go on.
    state = combats.with_gorn(world(THREE + "hydran F2 0404 FF\n"), "hydran-F2-FF")
    dice = {f"1/acting player, {race}": [die] for race, die in (("Hydran", 6), ("Lyran", 2), ("Gorn", 2))}
    challenge = [{"challenge": {"race": "klingon"}}]
    answers = {("card", "hydran"): FIGHT, ("challenge", "hydran"): challenge}
    answers |= {("battle", ""): [combats.fates(K="destroyed")]}
    turn = table_of(state, dice)
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    heard = {race: sum(" acts and " in one.text for one in run.told(race)) for race in ("klingon", "gorn")}
    assert (heard["klingon"], heard["gorn"] > 1) == (1, True)


# --- the sheet -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.4", "3.4.1", "3.4.2", "3.4.3", "3.4.4", "3.4.5", "3.4.5.1", "3.4.5.1.1", "3.4.5.2")
def test_the_set_up_sheet(kept: Kept):
    sheet = only_battle(battle(dice={"set-up, Hydran": [2], "set-up, Lyran": [5]})).setup
    assert [line for panel in sheet.panels for line in (panel.title, *(f"- {row}" for row in panel.rows))] == kept()


@pytest.mark.rule("cutler", "3.4.3")
def test_the_first_set_up_is_rolled_for_and_ties_again():
    assert "The Hydran sets up first" in battle(dice={"set-up, Hydran": [3, 6], "set-up, Lyran": [3, 1]}).texts("lyran")


def test_each_side_reads_its_own_engines_and_no_others():
    run = battle("turn 1 impulse 3\nhydran F1 0404 CA[warp=11]\nlyran F1 0404 CC[imp=1]")
    secret = only_battle(run).setup.secret
    assert secret["hydran"][0].rows == ("H1 Hydran F1 Ca: warp 11/30, impulse 4/4",)
    assert secret["lyran"][0].rows == ("L1 Lyran F1 Cc: warp 30/30, impulse 1/4",)
    assert "11" not in form_text(only_battle(run).form)


@pytest.mark.rule("cutler", "3.7", "3.7.1", "3.7.2", "3.7.3", "3.7.6", "3.7.8")
def test_flanking_is_secret_and_its_delays_add_up(kept: Kept):
    """4 + 1 = turn 5; then 2 + 1 more = turn 8."""
    groups = {"hydran-F1-CA": {"group": 2}, "hydran-F1-DD": {"group": 1}}
    dice = {"flank 1, hydran": [4], "flank 2, hydran": [2]}
    run = combat(TWO, {("card", "hydran"): FIGHT, ("flank", "hydran"): groups}, dice)
    assert combats.account(run) == kept()
    assert len(only_battle(run).setup.secret["lyran"]) == 1
    assert "flank" not in run.texts("lyran").lower()


def test_flanking_orders_that_make_no_sense_are_refused():
    (ask,) = combat(TWO, {("card", "hydran"): FIGHT}).asked("hydran", "flank")
    found = refusals(ask, {"lyran-F1-CC": {"group": 1}, "hydran-F1-CA": {"group": 4}})
    assert found == [("lyran-F1-CC", "3.7.1"), ("hydran-F1-CA.group", "")]


# --- the result ------------------------------------------------------------------------------------------------------
def result(**fates):
    base = {"H1": OK, "H2": OK, "L1": OK, "L2": OK}
    return base | {key: {"fate": fate} if isinstance(fate, str) else fate for key, fate in fates.items()}


def left(state):
    """Each fleet with its ships, what they have left of their engines, where they must go, and its course."""

    def of(unit):
        damage = f" {unit.warp_ok}+{unit.impulse_ok}" if unit.warp_ok < unit.record.warp else ""
        return unit.id.rsplit("-")[-1] + damage + (f" to {unit.retreat_hex}" if unit.retreat_hex else "")

    return "; ".join(
        f"{fleet.race} {fleet.key} {', '.join(of(state.units[key]) for key in fleet.units)}"
        + (f" course {' '.join(fleet.course)}" if fleet.course else "")
        for fleet in state.fleets.values()
    )


@cases("case, proves, text, dice, fates, ends", "ends")
def test_what_a_battle_leaves_of_fleets(text, dice, fates, ends):
    run = battle(f"turn 1 impulse 3; {text}", lambda ask: {line.key: OK for line in ask.form.lines} | fates, dice)
    tidy_fleets(run.table.state)
    assert (left(run.table.state), run.table.state.fights) == (ends, {})


@pytest.mark.rule("cutler", "3.4", "2.4.1.6")
def test_losses_and_damage_are_told():
    run = battle(result=result(H2="destroyed", L1={"fate": "damaged", "warp_lost": 10, "impulse_lost": 1}))
    assert "H2 Hydran F1 Dd: destroyed; L1 Lyran F1 Cc: damaged, lost 10 warp and 1 impulse box" in run.texts("lyran")


@cases("fates, warned")
def test_whoever_reports_that_nobody_has_left_is_asked_to_look_again(fates, warned):
    ask = only_battle(battle(result=result()))
    said = [*ask.warn(ask.answer_from(result(**fates)))]
    assert (["Both sides still have units" in one for one in said] == [True]) == warned


@cases("sheet, expected")
def test_every_unit_is_accounted_for_within_what_it_can_lose(sheet, expected):
    assert refusal_words(only_battle(battle()), sheet) == expected


def test_a_base_cannot_disengage(kept: Kept):
    ask = only_battle(battle("turn 1 impulse 3\nhydran F1 0902 CA[from=0901]\nlyran base 0902 Den"))
    assert refusal_words(ask, {"H1": OK, "L1": {"fate": "disengaged"}}) == kept()
    assert "disengaged" not in [choice.value for choice in ask.form.line("L1").fields[0].choices]


@cases("one, other, differences")
def test_both_sides_must_agree_line_by_line(one, other, differences):
    """But for boxes of what was destroyed."""
    ask = only_battle(battle())
    mine, theirs = (ask.answer_from(result(**said)) for said in (one, other))
    verdict = ask.agree({"hydran": mine, "lyran": theirs})
    assert [*verdict.differences] == differences
    assert verdict.settled == (None if differences else mine)


@cases("one, other, differences")
def test_who_captured_a_unit_is_agreed_and_matters_of_nothing_else(one, other, differences):
    text = "turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 CW\ntogether hydran lyran\n"
    ask = only_battle(combat(text, {("card", "klingon"): FIGHT}))
    told = [ask.answer_from({"H1": OK, "L1": OK, "K1": line}) for line in (one, other)]
    assert [*ask.agree(dict(zip(("hydran", "klingon"), told, strict=True))).differences] == differences


def test_a_battle_has_no_default():
    ask = only_battle(battle())
    assert ask.default is None
    assert ask.pace == "battle"
    with pytest.raises(Refused):
        ask.answer_from({})


@pytest.mark.rule("cutler", "5.1", "5.1.2")
def test_a_captured_ship_changes_hands_in_a_fleet_of_its_own():
    run = battle(result=result(L2="captured", L1="disengaged"))
    state = run.table.state
    prize = state.units["lyran-F1-FF"]
    assert (prize.race, prize.captured_from) == ("hydran", "lyran")
    assert [fleet.units for fleet in state.fleets_of("hydran")] == [["hydran-F1-CA", "hydran-F1-DD"], ["lyran-F1-FF"]]
    end_impulse(run.table)
    again = Run(run.table, combat_phase_steps(run.table.at("later")), {("card", "hydran"): FIGHT})
    assert len([row for panel in only_battle(again).setup.panels for row in panel.rows if "weapons barred" in row]) == 1


# --- disengagement ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.4.5.4")
def test_a_retreat_is_told_after_the_battle_to_both_and_where_to_to_its_own_race(kept: Kept):
    """One of the two has lost its last engine boxes; its enemy reads no less of it for that."""
    text = "turn 1 impulse 3\nhydran F1 0404 CA[from=0304]+DD[from=0304,warp=0,imp=0]\nlyran F1 0404 CC\n"
    run = battle(f"{text}klingon F1 0808 CW", combats.fates(H="disengaged"))
    assert combats.account(run) == kept()
    assert "0304" not in sees(run.table, run.asks, "lyran")


@pytest.mark.rule("cutler", "3.4.5.4")
def test_who_disengages_goes_back_where_it_came_from_at_the_next_opportunity():
    text = "turn 1 impulse 3\nhydran F1 0404 CA[from=0304] course 0405\nlyran F1 0404 CC"
    run = battle(text, result={"H1": {"fate": "disengaged"}, "L1": OK})
    state = run.table.state
    unit = state.units["hydran-F1-CA"]
    assert (unit.retreat_hex, state.fleet("hydran", "F1").course) == ("0304", [])
    assert "off to 0304 at the next opportunity" in run.texts("hydran")
    assert "0304" not in run.texts("lyran")
    end_impulse(run.table)
    state.impulse = 4
    ask = plot_ask(state, "hydran")
    assert "F1 (Hydran F1 Ca): 0404 → 0304; having disengaged, must first go to 0304." in ask.read_back(ask.default)
    onward = ask.answer_from({"F1": {"course": "0303"}})
    assert [course.hexes for course in ask.courses(onward)] == [("0404", "0304", "0303")]
    execute_moves(run.table)
    assert (unit.hex, unit.retreat_hex, unit.disengaged_from) == ("0304", "", [])


@pytest.mark.rule("cutler", "3.4.5.4")
def test_who_came_in_earlier_and_then_let_an_opportunity_pass_goes_at_random():
    # It came in impulse 2 from 0304 and sat through impulse 3: the die (3, south-east) decides, not the way it came.
    state = world("turn 1 impulse 2\nhydran F1 0404 CA[from=0304]\nlyran F1 0404 CC")
    state.impulse = 3
    turn = table_of(state, {"retreat": [3]})
    execute_moves(turn)
    out = {"H1": {"fate": "disengaged"}, "L1": OK}
    Run(turn, combat_phase_steps(turn), {("card", "hydran"): FIGHT, ("battle", ""): out})
    assert state.units["hydran-F1-CA"].retreat_hex == "0505"


@pytest.mark.rule("cutler", "3.4.5.4")
def test_a_forced_move_replaces_any_plot_and_waits_for_an_opportunity():
    state = world("turn 1 impulse 1\nhydran F1 0404 MON course 0405")
    monitor = state.units["hydran-F1-MON"]
    monitor.retreat_hex = "0403"
    turn = table_of(state)
    for impulse in (1, 2, 3):
        assert monitor.hex == "0404"
        state.impulse = impulse
        execute_moves(turn)
    assert monitor.hex == "0403"


@pytest.mark.rule("cutler", "3.4.5.4")
def test_what_cannot_move_stays_and_may_be_fought_again():
    text = "turn 1 impulse 3\nhydran F1 0404 CA[warp=1]\nlyran F1 0404 CC"
    run = battle(text, result={"H1": {"fate": "disengaged", "warp_lost": 1, "impulse_lost": 4}, "L1": OK})
    assert run.table.state.units["hydran-F1-CA"].retreat_hex == ""
    end_impulse(run.table)
    assert Run(run.table, combat_phase_steps(run.table.at("next"))).asked("hydran", "card")


@pytest.mark.rule("cutler", "3.4.5.3", "3.3.7.4")
def test_disengaging_protects_for_the_impulse_only():
    run = battle(result=result(H1="disengaged", H2="disengaged"))
    unit = run.table.state.units["hydran-F1-CA"]
    assert unit.disengaged_from == ["lyran"]
    end_impulse(run.table)
    assert unit.disengaged_from == []


def test_after_a_battle_what_is_gone_is_no_longer_a_contact():
    run = battle(result=result(L1="destroyed", L2="destroyed"))
    assert run.table.knowledge("hydran").held() == []
    assert "C1, the Lyran ships in 0404, are no more." in run.texts("hydran")


def test_after_a_battle_each_side_knows_the_others_ships_by_name(kept: Kept):
    run = battle(result=result(L2="captured"))
    assert {race: run.table.state.empires[race].known_ships for race in ("hydran", "lyran")} == kept()


@pytest.mark.rule("cutler", "5.1")
def test_a_prize_that_was_lost_again_gets_no_fleet():
    state = world("turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 CC+FF")
    prize = state.units["lyran-F1-FF"]
    prize.race, prize.captured_from, prize.destroyed = "hydran", "lyran", True
    settle_fleets(state, "0404", Fight(prizes=[prize.id]))
    assert state.fleet("lyran", "F1").units == ["lyran-F1-CC"]
    assert [fleet.units for fleet in state.fleets_of("hydran")] == [["hydran-F1-CA"]]
