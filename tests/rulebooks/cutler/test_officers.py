"""Legendary officers: where they count on the campaign map, who must not learn of them, and how they are lost."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.navigators import navigators_steps
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch09_surveying.orders import sites
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.records.state import Mission
from tests.expected.kept import cases
from tests.rulebooks.cutler.worlds import Run, intro_files, on_sheet, refusal_words, sees, table_of, world

FIGHT = {"force": {"card": "combat"}}


def impulse_after(text, *, dice, add=None):
    """Movement with navigators' choices; then the impulse after it, in which nobody is asked."""
    state = world(text)
    turn = table_of(state, dice)
    answers = {} if add is None else {("navigator", "hydran"): {"navigator": {"add": add}}}

    def steps():
        execute_moves(turn, steered=(yield from navigators_steps(turn, {})))
        tidy_fleets(state)

    return Run(turn, steps(), answers)


NEBULA = "turn 1 impulse 1\nnebula 0605\nhydran F1 0605 CA+DD[officers=navigator] course 0604\n"


@pytest.mark.rule("cutler", "2.4.1.10")
@cases("die, add, hex_id, promise")
def test_a_navigator_may_add_one_after_the_die_was_seen(die, add, hex_id, promise):
    run = impulse_after(NEBULA, dice={"/nebula": [die], "drift": [4]}, add=add)
    ship = run.table.state.units["hydran-F1-CA"]
    assert (ship.hex, ship.nebula_exit) == (hex_id, promise)
    (ask,) = run.asks
    assert f"the die shows {die}" in ask.text
    assert [roll.purpose for roll in run.table.shared.rolls].count("nebula") == 1


@pytest.mark.rule("cutler", "2.4.1.10")
@cases("text, die")
def test_no_navigator_is_asked_where_there_is_nothing_to_choose(text, die):
    assert impulse_after(text, dice={"/nebula": [die]}).asks == []


@pytest.mark.rule("cutler", "2.4.1.10")
@pytest.mark.parametrize(("die", "added"), [(3, 0), (4, 1), (5, 0), (6, 0)])
def test_one_is_added_only_where_it_lets_a_group_out_that_would_stay(die, added):
    turn = table_of(world(NEBULA), {"/nebula": [die]})
    (steered,) = Run(turn, navigators_steps(turn, {})).result.values()
    assert (steered.die.total, steered.added) == (die, added)


@pytest.mark.rule("cutler", "2.4.1.10")
def test_who_was_set_free_by_an_earlier_roll_needs_neither_die_nor_navigator():
    run = impulse_after(NEBULA, dice={"/nebula": [3]}, add=False)
    run.table.state.impulse = 2
    again = Run(run.table, navigators_steps(run.table, {}))
    assert again.asks == []
    assert again.result == {}


STAY, OUT = "they stay, and must roll again", "they leave for 0604"
RANDOMLY = "they come out at once in a random hex"
FREE = "they stay, and may leave for 0604 in the next impulse without a roll"
DRIFT = "they stay, and drift out into a random hex in the next impulse"


@pytest.mark.rule("cutler", "2.4.1.10")
@cases("die, as_rolled, with_one, default")
def test_a_navigators_sheet_says_what_comes_of_the_die_and_of_one_more(die, as_rolled, with_one, default):
    (ask,) = impulse_after(NEBULA, dice={"/nebula": [die]}).asked("hydran", "navigator")
    assert on_sheet(ask) == [
        "0605: the navigator of F1",
        f"Hydran F1 Ca, Hydran F1 Dd: the die shows {die}, so {as_rolled}. With your navigator's 1 more, {with_one}.",
        default,
        "F1, leaving the nebula",
        f"- Add 1: flag; {die == 4}",
    ]
    said = [ask.read_back(ask.answer_from({"navigator": {"add": add}})) for add in (False, True)]
    assert said == [[f"Your navigator adds nothing: {as_rolled}."], [f"Your navigator adds 1: {with_one}."]]


@pytest.mark.unseen("cutler", asks=("navigator",))
def test_a_navigators_choice_reaches_nobody_else():
    one, other = (impulse_after(NEBULA, dice={"/nebula": [4]}, add=False) for _ in range(2))
    none = impulse_after(NEBULA.replace("[officers=navigator]", ""), dice={"/nebula": [4]})
    assert sees(one.table, one.asks, "lyran") == sees(none.table, none.asks, "lyran")
    assert sees(one.table, one.asks, "hydran") != sees(none.table, none.asks, "hydran")
    assert sees(one.table, one.asks, "hydran") == sees(other.table, other.asks, "hydran")


@pytest.mark.parametrize("text", [NEBULA, NEBULA.replace("nebula 0605", "nebula 0101") + "lyran F1 0101 FF\n"])
def test_where_windows_are_fixed_all_wait_alike_whether_or_not_a_navigator_chooses(text):
    state = world(text)
    state.navigators = True
    turn = table_of(state, {"/nebula": [4]})
    turn.shared.patient = True
    run = Run(turn, navigators_steps(turn, {}))
    asked = {ask.parties: ask.kind for ask in run.asks}
    mine = "navigator" if "0605" in text.split("\n")[1] else "waiting"
    assert asked == {("hydran",): mine, ("lyran",): "waiting", ("klingon",): "waiting"}
    assert [one.added for one in run.result.values()] == ([1] if mine == "navigator" else [])


def test_where_windows_are_fixed_hidden_navigators_do_not_make_others_wait():
    state = world("turn 1 impulse 2\nnebula 0605\nlyran F1 0605 CA[officers=navigator,cloak=up] course 0604\n")
    state.navigators = True
    for patient, asked in ((True, []), (False, [("lyran",)])):
        turn = table_of(state, {"/nebula": [4]})
        turn.shared.patient = patient
        run = Run(turn, navigators_steps(turn, {}))
        assert [ask.parties for ask in run.asks] == asked
        assert [one.added for one in run.result.values()] == [1]


# --- escape, surround, flank -----------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "3.3.7.1")
@cases("runner, hunter, total")
def test_navigators_in_the_escape_roll(runner, hunter, total):
    state = world(f"hydran F1 0404 CA[officers={runner}]\nlyran F1 0404 CC[officers={hunter}]")
    mods = escape_modifiers(state, "0404", state.alive("hydran"), state.alive("lyran"))
    assert sum(mods.values()) == total


def caught(runner, hunter):
    """The sheet of the escape battle of a Hydran frigate that a Lyran cruiser caught, with these officers aboard."""
    text = f"turn 1 impulse 3\nhydran F1 0404 FF{runner}+CA\nlyran F1 0404 CC{hunter}+CW\n"
    answers = {
        ("card", "lyran"): FIGHT,
        ("wave", "hydran"): [{"wave": {"ships": ["hydran-F1-FF"]}}],
        ("pursuit", "lyran"): [{"lyran-F1-CC": {"group": 1}}],
    }
    turn = table_of(world(text), {"escape from": [6]})
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    return run, next(ask.setup for ask in run.asks if ask.kind == "battle")


NAVIGATOR = "[officers=navigator]"


def test_officers_stand_on_their_owners_sheet_alone_and_navigators_who_do_nothing_stay_unseen():
    with_one, setup = caught("[officers=captain/doctor]", "")
    without, _ = caught("", "")
    panels = {panel.title: panel.rows for panel in setup.secret["hydran"]}
    assert panels["Your officers"] == ("H1 Hydran F1 Ff: legendary captain and doctor",)
    assert sees(with_one.table, with_one.asks, "lyran") == sees(without.table, without.asks, "lyran")
    # Aboard what stays for the main battle a navigator changes no roll, so that nobody sees of it.
    stays, _ = caught("", "")
    elsewhere = world("turn 1 impulse 3\nhydran F1 0404 FF+CA[officers=navigator]\nlyran F1 0404 CC\n")
    mods = escape_modifiers(elsewhere, "0404", [elsewhere.units["hydran-F1-FF"]], elsewhere.alive("lyran"))
    assert mods == {}
    assert "navigator" not in stays.texts("lyran")


FLANK = "turn 1 impulse 3\nhydran F1 0404 CA[officers=navigator]+DD+FF\nlyran F1 0404 CC+FF\n"


def flanking(sheet):
    dice = {"flank 1, hydran": [4], "flank 2, hydran": [1]}
    turn = table_of(world(FLANK), dice)
    answers = {("card", "hydran"): FIGHT, ("flank", "hydran"): sheet}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    setup = next(ask.setup for ask in run.asks if ask.kind == "battle")
    rows = [row for panel in setup.secret["hydran"] if "flanking" in panel.title for row in panel.rows]
    return run, [row.split(":")[0].removeprefix("Arrives on turn ") for row in rows if row.startswith("Arrives")]


@pytest.mark.rule("cutler", "3.7.7")
@cases("first, second, early, turns")
def test_a_navigator_may_bring_his_flanking_group_a_turn_sooner(first, second, early, turns):
    sheet = {f"hydran-F1-{first}": {"group": 1}, f"hydran-F1-{second}": {"group": 2}}
    sheet["hydran-F1-CA"]["early"] = early
    run, arrivals = flanking(sheet)
    assert arrivals == turns
    ask = run.asked("hydran", "flank")[0]
    assert [line.key for line in ask.form.lines if len(line.fields) == 2] == ["hydran-F1-CA"]
    assert refusal_words(ask, {"hydran-F1-DD": {"group": 1, "early": True}}) == [
        "hydran-F1-DD.early: no legendary navigator brings a flanking group (3.7.7, CU-R72). Legal: not a turn sooner."
    ]
    assert "navigator" not in sees(run.table, run.asks, "lyran")


# --- science officers ------------------------------------------------------------------------------------------------

SURVEY = "turn 1\nunsurveyed 0404\nhydran F1 0404 SUR{hydran}+DD{escort}\nlyran F1 0404 SUR\n"


@pytest.mark.rule("cutler", "9.3")
@cases("aboard, escort, dice, winner", "")
def test_a_science_officer_adds_one_where_several_would_survey(aboard, escort, dice, winner):
    state = world(SURVEY.format(hydran=aboard, escort=escort))
    for race in ("hydran", "lyran"):
        state.empires[race].surveys = sites(state, race)
    falls = {"order, Hydran": [dice[0], 1], "order, Lyran": [dice[1], 6], "/survey": [1, 2, 2]}
    turn = table_of(state, falls)
    surveying_phase(turn)
    said = next(one for one in turn.shared.reports if "would survey" in one.text)
    assert f"the {winner or 'Lyran'} does" in said.text
    assert ("Hydran", "+1 for a legendary science officer") in said.why.inputs or aboard != "[officers=science]"


@pytest.mark.rule("cutler", "9.2")
@pytest.mark.parametrize(
    ("aboard", "escort", "lost"), [("", "", 2), ("[officers=science]", "", 1), ("", "[officers=science]", 2)]
)
def test_a_science_officer_takes_one_off_the_monsters_dice(aboard, escort, lost):
    state = world(f"turn 1\nunsurveyed 0404\nhydran F1 0404 SUR{aboard}+DD{escort}\nlyran F1 0505 CC")
    state.empires["hydran"].surveys = ["0404"]
    surveying_phase(table_of(state, {"monster": [6, 5], "/survey": [5, 5, 6]}))
    assert [unit.destroyed for unit in state.units.values()].count(True) == lost


# --- as data ---------------------------------------------------------------------------------------------------------


def test_officers_come_from_the_scenario_and_are_lost_with_a_capture():
    files = intro_files()
    key, unit_id = "[units.undertow]", "undertow"
    named = files | {"units.toml": files["units.toml"].replace(key, f'{key}\nofficers = ["navigator", "captain"]')}
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(named))
    unit = state.units[unit_id]
    assert (unit.officers, state.navigators) == (("navigator", "captain"), True)
    assert not RULEBOOK.set_up(RULEBOOK.read_scenario(files)).navigators
    unit.taken_by("lyran" if unit.race != "lyran" else "hydran")
    assert unit.officers == ()
    twice = files | {"units.toml": files["units.toml"].replace(key, f'{key}\nofficers = ["doctor", "doctor"]')}
    with pytest.raises(Refused, match="officer twice"):
        RULEBOOK.read_scenario(twice)


@pytest.mark.rule("cutler", "6.4.1.4")
def test_ship_plans_show_officers():
    state = world("turn 1\nhydran F1 0404 CA\nlyran F1 0505 CC[officers=science]")
    mission = Mission(
        line="M1", spy="hydran", kind="ship", against="lyran", target="0505", aimed="hex", said="hex 0505", ip=30
    )
    turn = table_of(state)
    report_success(turn, mission, "Intelligence file")
    assert "crew normal; legendary science officer" in turn.shared.reports[-1].text
