"""Chapter 9: survey ships look for planets in unsurveyed space; chapter 10: monsters are met in no other way."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import public_board
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, may_enter
from rules_engine.rulebooks.cutler.ch02_movement.passage import owner_by_passage
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.battle_setup import battle_panels
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.ch09_surveying.discoveries import discoveries_steps, newly_found
from rules_engine.rulebooks.cutler.ch09_surveying.orders import delayed, sites
from rules_engine.rulebooks.cutler.ch09_surveying.results import FINDINGS, finding
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import Battle
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.scenario_files import INTRO
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, texts, world

TEXT = "\nturn 1\nunsurveyed 0404 0405 0406\nhydran F1 0404 SUR+DD\nlyran F1 0505 CC\nklingon F1 0908 CW\n"
SUR, DD = "hydran-F1-SUR", "hydran-F1-DD"
MINOR, MAJOR, DELAY, MONSTER = [1, 1, 2], [1, 1, 1], [1, 2, 2], [5, 5, 6]


def survey(state, *falls, races=("hydran",), monster=(), chart=(), star=(), order=None):
    """The phase, in which these races survey all that they can; three dice for each hex, each for its chart …"""
    for race in races:
        state.empires[race].surveys = sites(state, race)
    dice = {f"survey order, {race}": rolls for race, rolls in (order or {}).items()}
    dice |= {
        "/open space": [die for roll in chart for die in roll],
        "black hole or": [*star],
        "monster": [*monster],
        "/survey": [die for roll in falls for die in roll],
    }
    surveying_phase(turn := table_of(state, dice))
    return turn


# --- who surveys what ------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "9.1")
def test_only_survey_ships_survey_and_only_the_hex_they_are_in():
    state = world(TEXT + "lyran F2 0405 SC\nklingon F2 0407 SUR\nklingon base 0406 Post[sensors=4]")
    assert {race: sites(state, race) for race in state.races()} == {"hydran": ["0404"], "lyran": [], "klingon": []}
    assert turn_ask(state, "lyran").form.line("survey") is None
    line = turn_ask(state, "hydran").form.line("survey")
    assert [(choice.value, choice.label) for choice in line.fields[0].choices] == [("0404", "0404")]
    assert line.fields[0].value == ["0404"]


@cases("hexes, problems")
def test_which_hexes_may_be_named(hexes, problems):
    sheet = {} if hexes is None else {"survey": {"hexes": hexes}}
    assert refusal_words(turn_ask(world(TEXT + "hydran F2 0405 SC"), "hydran"), sheet) == problems


@cases("sheet, said, surveyed")
def test_a_race_surveys_what_its_sheet_says_and_all_that_it_can_if_it_says_nothing(sheet, said, surveyed):
    state = world(TEXT.replace("turn 1", "turn 0"))
    assert said in turn_ask(state, "hydran").read_back(TurnSheet.model_validate(sheet))
    Run(turn := table_of(state, {"/survey": [3, 3, 3]}), turn_steps(turn), {("turn", "hydran"): sheet})
    assert ("0404" not in state.unsurveyed) is surveyed
    assert state.empires["hydran"].surveys == []


@pytest.mark.rule("cutler", "9.0", "9.1", "9.2")
def test_surveying_comes_before_ships_move_in_the_economics_phase():
    state = world(TEXT.replace("turn 1", "turn 0").replace("SUR+DD", "SUR+DD course 0405"))
    Run(turn := table_of(state, {"/survey": [3, 3, 3, 3, 3, 3]}), turn_steps(turn))
    assert (state.units[SUR].hex, state.unsurveyed) == ("0405", ["0405", "0406"])


@pytest.mark.rule("cutler", "9.2")
def test_a_hex_is_rolled_for_once_however_many_survey_ships_are_there():
    state = world(TEXT + "hydran F2 0404 SUR+SUR\nhydran F3 0406 SUR")
    turn = survey(state, [3, 3, 3], [3, 3, 4])
    assert [roll.purpose for roll in turn.shared.rolls if "survey" in roll.purpose] == ["survey", "survey"]
    assert state.unsurveyed == ["0405"]


# --- several races ---------------------------------------------------------------------------------------------------
RIVALS = TEXT + "lyran F2 0404 SUR\n"


@cases("case, races, order, owner, heard", made="races")
def test_who_surveys_where_two_races_might(races, order, owner, heard):
    """Dice for the order are rolled as often as ``order`` has them."""
    turn = survey(state := world(RIVALS), MINOR, races=races, order=order)
    assert [planet.owner for planet in state.planets.values()] == [owner]
    assert texts(turn, "klingon") == heard
    assert len([roll for roll in turn.shared.rolls if "order" in roll.purpose]) == sum(map(len, order.values()))


@pytest.mark.rule("cutler", "9.2", "9.3")
def test_one_die_says_who_surveys_three_what_is_found_and_one_for_each_ship_whether_it_lives(kept: Kept):
    order = {"Hydran": [6], "Lyran": [2]}
    turn = survey(world(RIVALS), MONSTER, races=("hydran", "lyran"), order=order, monster=[6, 4])
    assert [(one.label.removeprefix("T1/survey/0404/"), str(one)) for one in turn.shared.rolls] == kept()
    assert texts(turn, "hydran")[-1].startswith("Lost to the monster in 0404: Hydran F1 Dd")


@cases("turn, held, again")
def test_a_survey_that_was_delayed_in_the_last_turn_is_rolled_again(turn, held, again):
    state = world(TEXT)
    state.turn, state.units[SUR].held_turn = turn, held
    assert delayed(state, "hydran") == ["0404"] * again


# --- what is found ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "9.2", "10.0")
def test_the_table_covers_three_dice(kept: Kept):
    assert sorted(FINDINGS) == list(range(3, 19))
    assert {total: finding(total) for total in (3, 4, 5, 16, 17, 18)} == kept()
    assert {finding(total) for total in range(6, 16)} == {"open"}


@cases("roll, kind, rate")
def test_a_planet_is_the_surveyors_and_makes_cpv_from_the_next_turn(roll, kind, rate):
    state = world(TEXT.replace("turn 1", "turn 0") + "planet capital 0205 hydran\n")
    state.turns = 9
    Run(turn := table_of(state, {"/survey": roll}), turn_steps(turn))
    planet = state.planets["found_0404"]
    assert (planet.kind, planet.hex, planet.discovered) == (kind, "0404", True)
    assert planet.owner == planet.race == "hydran"
    assert state.empires["hydran"].last_income == 100
    Run(turn, turn_steps(turn))
    assert (state.empires["hydran"].last_income, state.unsurveyed) == (100 + rate, ["0405", "0406"])


@cases("chart, star, terrain", "")
def test_other_hexes_get_the_terrain_of_the_open_space_chart(chart, star, terrain):
    for roll in ([2, 2, 2], [5, 5, 5]):  # 6 and 15
        state = world(TEXT)
        turn = survey(state, roll, chart=[chart], star=star)
        assert state.terrain == ({"0404": terrain} if terrain else {})
        assert state.unsurveyed == ["0405", "0406"]
        words = TERRAIN_WORDS.get(terrain, "open space")
        assert texts(turn, "klingon") == [f"Hydran survey of 0404: {words}."]
        assert RULEBOOK.defects(state) == []


@pytest.mark.rule("cutler", "9.4", "9.5")
@pytest.mark.parametrize("roll", [MAJOR, MINOR, DELAY, MONSTER, [3, 3, 3]])
def test_results_are_public_and_hold_for_all(roll):
    state = world(TEXT)
    turn = survey(state, roll)
    assert len([one.text for one in turn.shared.reports if one.is_public()]) == 1
    boards = [RULEBOOK.public_board(state), RULEBOOK.side_board(state, "lyran", turn.knowledge("lyran"))]
    is_open = roll in (DELAY, MONSTER)
    for board in boards:
        assert ("unsurveyed" in {note.hex: note.marks for note in board.hexes}.get("0404", ())) is is_open
    # For everybody, the surveyor and others, speed is no longer halved.
    state.impulse = 1
    assert may_enter(state, state.units["lyran-F1-CC"], "0404", 1) is not is_open


# --- delay -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "9.2")
def test_a_delay_keeps_all_its_ships_in_the_hex_and_nobody_elses(kept: Kept):
    state = world(TEXT + "hydran F2 0404 FF\nhydran F3 0405 FF\nlyran F2 0404 DD")
    turn = survey(state, DELAY)
    assert [unit.id for unit in state.alive() if unit.held_turn] == [DD, SUR, "hydran-F2-FF"]
    assert texts(turn, "hydran")[-1] == kept("texts(turn, hydran)(-1)")
    assert texts(turn, "lyran") == kept("texts(turn, lyran)")
    state.unsurveyed = ["0404"]
    for impulse in range(1, 7):
        assert not may_enter(state, state.units[DD], "0403", impulse)
    assert may_enter(state, state.units["lyran-F2-DD"], "0403", 6)
    assert may_enter(state, state.units["hydran-F3-FF"], "0406", 6)


@pytest.mark.rule("cutler", "9.2")
def test_who_is_kept_may_not_be_told_to_go_and_a_stored_course_waits(kept: Kept):
    state = world(TEXT.replace("SUR+DD", "SUR+DD course 0403"))
    survey(state, DELAY)
    state.impulse = 2
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {}) == refusals(ask, {"F1": {"course": "0403"}}) == refusals(ask, {"F1": {"go": "hold"}}) == []
    assert refusal_words(ask, {"F1": {"course": "0304"}}) == kept("#1")
    assert refusal_words(ask, {"F1": {"go": "0304"}}) == kept("#2")
    assert refusal_words(ask, {"new": {"ships": [DD], "course": "0403"}}) == kept("#3")
    with pytest.raises(Refused) as caught:
        ask.answer_from({"F1": {"go": "0304"}})
    assert "its survey keeps Hydran F1 Sur, Hydran F1 Dd in 0404 for this turn" in str(caught.value)
    assert "Legal: hold" in str(caught.value)
    turn = table_of(state)
    for impulse in range(1, 7):
        state.impulse = impulse
        execute_moves(turn)
    assert (state.units[SUR].hex, state.fleet("hydran", "F1").course) == ("0404", ["0403"])
    state.turn = 2
    for impulse in range(1, 7):
        state.impulse = impulse
        execute_moves(turn)
    assert (state.units[SUR].hex, state.units[SUR].held_turn) == ("0403", 0)


@pytest.mark.rule("cutler", "9.2")
def test_a_delayed_survey_is_rolled_again_in_the_next_turn(kept: Kept):
    state = world(TEXT.replace("turn 1", "turn 0"))
    Run(turn := table_of(state, {"/survey": [*DELAY, *MINOR]}), turn_steps(turn))
    assert state.planets == {}
    state.turn += 1
    assert delayed(state, "hydran") == ["0404"]
    ask = turn_ask(state, "hydran")
    assert [choice.label for choice in ask.form.line("survey").fields[0].choices] == ["0404, again"]
    assert refusal_words(ask, {"survey": {"hexes": []}}) == kept()
    state.turn -= 1
    Run(turn, turn_steps(turn))
    assert state.planets["found_0404"].kind == "minor"
    state.turn += 1
    assert delayed(state, "hydran") == []


@pytest.mark.rule("cutler", "9.2", "3.4.5.4")
def test_who_disengages_leaves_all_the_same_and_need_not_roll_again():
    state = world(TEXT)
    survey(state, DELAY)
    for key in (SUR, DD):
        state.units[key].retreat_hex = "0405"
    state.impulse = 6
    execute_moves(table_of(state))
    assert (state.units[SUR].hex, state.units[SUR].held_turn) == ("0405", 0)
    state.turn = 2
    assert delayed(state, "hydran") == []


# --- monsters --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "9.2", "10.0")
def test_a_monster_destroys_on_five_and_six_and_the_hex_stays_unsurveyed():
    state = world(TEXT + "hydran F2 0404 FF+CA+PF\nlyran F2 0404 DD")
    turn = survey(state, MONSTER, monster=[4, 5, 6, 1])
    # By their ids: the DD rolls 4, the SUR 5, the CA 6, the FF 1. The PF is no ship, and the Lyran is not concerned.
    assert [unit.id for unit in state.units.values() if unit.destroyed] == [SUR, "hydran-F2-CA"]
    rolls = [roll for roll in turn.shared.rolls if roll.purpose == "monster"]
    assert [(roll.total, roll.seen_by) for roll in rolls] == [(die, frozenset({"hydran"})) for die in (4, 5, 6, 1)]
    assert state.unsurveyed == ["0404", "0405", "0406"]
    assert [fleet.units for fleet in state.fleets_of("hydran")] == [[DD], ["hydran-F2-FF", "hydran-F2-PF"]]
    assert texts(turn, "hydran")[1] == "Lost to the monster in 0404: Hydran F1 Sur (Sur), Hydran F2 Ca (CA)."
    assert texts(turn, "lyran") == ["Hydran survey of 0404: a monster! The hex is not surveyed."]


@pytest.mark.unseen("cutler", reports=("survey",))
@pytest.mark.rule("cutler", "9.2", "9.5")
def test_how_many_met_a_monster_and_who_is_lost_is_its_owners_alone():
    seen = []
    for ships, dice in (("SUR+DD", [6, 1]), ("SUR+DN+DD+FF", [1, 6, 6, 6])):
        turn = survey(world(TEXT.replace("SUR+DD", ships)), MONSTER, monster=dice)
        seen.append([sees(turn, [], side) for side in ("lyran", "klingon")])
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "9.2")
def test_after_a_monster_the_hex_may_be_tried_again():
    state = world(TEXT)
    survey(state, MONSTER, monster=[1, 1])
    assert (sites(state, "hydran"), delayed(state, "hydran")) == (["0404"], [])
    state.turn = 2
    survey(state, MINOR)
    assert state.planets["found_0404"].owner == "hydran"


# --- owners by passage -----------------------------------------------------------------------------------------------
def moved(state, *impulses):
    turn = table_of(state)
    for impulse in impulses or (1,):
        state.impulse = impulse
        execute_moves(turn)


@pytest.mark.rule("cutler", "9.7")
def test_the_surveyor_is_the_owner_until_another_moves_through():
    state = world(TEXT.replace("DD", "DD course 0304") + "lyran F2 0504 DD course 0404")
    assert owner_by_passage(state, "0404") is None
    survey(state, [3, 3, 3])
    assert owner_by_passage(state, "0404") == "hydran"
    moved(state, 1)
    assert (owner_by_passage(state, "0404"), owner_by_passage(state, "0304")) == ("lyran", "hydran")


@cases("case, text, territory, impulses, hexes, passed")
def test_who_moved_through_a_hex_alone(text, territory, impulses, *, hexes, passed):
    """``hexes`` are where the units are afterwards."""
    state = world(text)
    state.territory = territory
    moved(state, *impulses)
    assert [unit.hex for unit in state.alive()] == hexes
    assert state.last_through == passed == {hex_id: owner_by_passage(state, hex_id) for hex_id in passed}
    assert {owner_by_passage(state, hex_id) for hex_id in {*hexes} - {*passed}} <= {None}


@pytest.mark.rule("cutler", "9.7")
def test_a_battles_set_up_names_the_owner():
    state = world("turn 1\nhydran F1 0505 CA\nlyran F1 0505 CC")
    lines = {"H1": "hydran-F1-CA", "L1": "lyran-F1-CC"}
    battle = Battle(key="b", kind="main", hex="0505", sides=("hydran", "lyran"), lines=lines)

    def rows():
        return [row for panel in battle_panels(state, battle, "hydran") for row in panel.rows if "9.7" in row]

    assert rows() == []
    state.last_through = {"0505": "lyran"}
    assert rows() == ["Lyran counts as the hex's owner: the last to move through it alone (9.7)."]


# --- what is not known yet -------------------------------------------------------------------------------------------
@cases("hex_id, said", "")
def test_nothing_is_known_of_an_unsurveyed_hex(hex_id, said):
    files = {path.name: path.read_text(encoding="utf-8") for path in (INTRO.parent / "frontier").glob("*.toml")}
    assert RULEBOOK.read_scenario(files)
    files["scenario.toml"] = files["scenario.toml"].replace('"0402"', f'"{hex_id}"', 1)
    with pytest.raises(Refused) as caught:
        RULEBOOK.read_scenario(files)
    assert said in [one.problem for one in caught.value.refusals]
    assert {one.rule for one in caught.value.refusals if one.problem == said} == {"9.2, 9.3, CU-N28"}


def test_battles_in_unsurveyed_space_have_no_terrain():
    state = world("turn 1\nunsurveyed 0505\nhydran F1 0505 CA\nlyran F1 0505 CC")
    assert RULEBOOK.defects(state) == []
    state.terrain = {"0505": "nebula"}
    assert RULEBOOK.defects(state) == ["0505 is unsurveyed, and something is known of it"]


# --- survey freighters -----------------------------------------------------------------------------------------------
@cases("ships, able")
def test_two_large_or_four_small_survey_freighters_make_a_survey_ship(ships, able):
    state = world(f"turn 1\nunsurveyed 0404 0405\nhydran F1 0404 {ships}\nhydran F2 0405 SFL\nlyran F1 1101 CC")
    assert sites(state, "hydran") == (["0404"] if able else [])
    assert refusals(turn_ask(state, "hydran"), {"survey": {"hexes": ["0405"]}}) == [("survey.hexes", "9.1, CU-R123")]


@pytest.mark.rule("cutler", "2.4.1.1", "2.6.1")
def test_survey_freighters_are_plotted_like_ships_at_a_speed_of_3_and_show_no_counter():
    state = world("turn 1\nhydran F1 0404 SFL+SFL course 0405 0406 0407 0408\nlyran F1 1101 CC")
    assert ("hydran", "0404") not in state.counters()
    assert refusals(plot_ask(state, "hydran"), {"F1": {"course": "0405 0505"}}) == []
    found = []
    for number in range(1, 7):
        state.impulse = number
        execute_moves(turn := table_of(state))
        tidy_fleets(state)
        found.append(state.units["hydran-F1-SFL"].hex)
        assert not any(report.is_for("lyran") for report in turn.shared.reports)
    assert found == ["0404", "0405", "0405", "0406", "0406", "0407"]


@pytest.mark.rule("cutler", "9.2", "10.0")
def test_a_monster_rolls_for_freighters_and_their_cpv_are_lost_with_them(kept: Kept):
    state = world("turn 1\nunsurveyed 0404\nhydran F1 0404 SFL+SFL\nlyran F1 1101 CC")
    for unit in state.alive("hydran"):
        unit.cargo_cpv = 7
    survey(state, MONSTER, monster=(5, 4))
    assert [(unit.destroyed, unit.cargo_cpv) for unit in state.units.values() if unit.race == "hydran"] == kept()
    assert defects(state) == []


@pytest.mark.rule("cutler", "9.1", "9.2", "9.4", "9.5", "10.0")
def test_all_that_is_asked_and_told_of_surveys(kept: Kept):
    line = turn_ask(world(TEXT), "hydran").form.line("survey")
    assert [line.label, line.note, line.fields[0].label] == kept("#1")
    few = world(TEXT.replace("SUR+DD", "DD") + "hydran waits 0404 SFS\nhydran F2 0405 SUR")
    assert refusal_words(turn_ask(few, "hydran"), {"survey": {"hexes": ["0404"]}}) == kept("#2")
    told_of: list = []
    eaten, spared = {"monster": [1, 6]}, {"monster": [1, 2]}
    for fall, dice in ((MINOR, {}), (MAJOR, {}), (DELAY, {}), (MONSTER, eaten), (MONSTER, spared)):
        state = world(TEXT)
        state.units[SUR].officers = ("science",) if dice is spared else ()
        turn = survey(state, fall, **dice)
        said = [one.text for one in turn.shared.reports if one.is_for("hydran")]
        inputs = [dict(one.why.inputs) for one in turn.shared.reports if one.why and "lost at" in dict(one.why.inputs)]
        heard = [one.text for one in turn.shared.reports if one.is_for("lyran")]
        alerts = state.empires["hydran"].alerts
        told_of.append([said, inputs, heard, alerts, [roll.label for roll in turn.shared.rolls]])
    assert told_of == kept()


# --- what else is in a discovered planet's hex: sizes and distances chosen by its finder -----------------------------
FINDERS = (
    "turn 0\nunsurveyed 0404 0405\nplanet capital 0205 hydran throne\nplanet capital 0902 lyran den\n"
    "hydran F1 0404 SUR\nlyran F1 0902 CC\nklingon F1 0908 CW\n"
)
DICE = {
    "/survey": [1, 1, 2],  # a minor planet
    "0404/gas giant": [4, 5],  # 9: there is one (1.1.2.4.1)
    "0404/moons": [5],  # D3-1: 2 (1.1.2.4.2)
    "0404/moons of the gas giant": [2, 3],  # 2D6-2: 3 (1.1.2.4.3)
    "0404/rings": [6, 4],  # 10: none (1.1.2.4.4)
    "0404/asteroid field": [2, 3],  # 5: one (1.1.2.4.5)
}
KEY = "found_0404"


def discovered(answers=None, dice=None) -> Run:
    """A turn in which the Hydran find a planet."""
    return Run(table := table_of(world(FINDERS), {**DICE, **(dice or {})}), turn_steps(table), answers)


@pytest.mark.rule("cutler", "9.2", "1.1.2.4", "1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3", "1.1.2.4.4", "1.1.2.4.5")
def test_the_hex_of_a_discovery_is_rolled_for_and_its_finder_chooses_sizes_and_distances(kept: Kept):
    run = discovered({("systems", "hydran"): {KEY: {"moons": "30, 28", "giant": 4, "giant_moons": "8 10 40"}}})
    state = run.table.state
    assert state.planets[KEY].discovered
    expected = StarSystem(moons=(28, 30), gas_giant=4, giant_moons=(8, 10, 40), rings=False, asteroid_field=True)
    assert state.systems["0404"] == expected
    assert [one.key for one in features_of(state, "0404", [])] == kept()
    assert {moon.owner for moon in state.moons.values()} == {"hydran"}
    assert (len(state.moons), defects(state)) == (5, [])
    (ask,) = run.asked("hydran", "systems")
    assert ask.title == "Survey: moons and gas giants"
    assert refusal_words(ask, {KEY: {"giant": 6}}) == kept("#1")
    assert refusal_words(ask, {KEY: {"moons": "4 5"}}) == kept("#2")
    assert run.asked("lyran", "systems") == run.asked("klingon", "systems") == []


@pytest.mark.rule("cutler", "9.5", "1.1.2.4")
def test_what_is_there_is_public_with_its_dice():
    run = discovered()
    for side in ("hydran", "lyran", "klingon"):
        text = run.texts(side)
        assert "Discovery 0404 in 0404: 2 moons, a gas giant of 3 moons, an asteroid field." in text
        assert "About Discovery 0404 in 0404: moons at 4, 6; a gas giant of size 2, its moons at 8, 10, 12" in text
        assert "rings of 0404" in sees(run.table, run.asks, side)
    marks = next(one.marks for one in public_board(run.table.state).hexes if one.hex == "0404")
    assert marks == ("planet", "minor", "gas giant", "5 moons", "asteroid field")


@pytest.mark.rule("cutler", "9.2", "1.1.2.4")
def test_nobody_is_asked_where_nothing_is_to_be_chosen_and_nothing_is_rolled_twice():
    run = discovered(dice={"0404/gas giant": [5, 5], "0404/moons": [2]})
    state = run.table.state
    assert run.asked("hydran", "systems") == []
    assert (state.systems["0404"], state.moons) == (StarSystem(asteroid_field=True), {})
    assert newly_found(state) == []
    Run(table := table_of(state), discoveries_steps(table))
    assert table.shared.rolls == []


@pytest.mark.rule("cutler", "9.2")
def test_open_space_and_home_planets_are_not_rolled_for():
    state = world(FINDERS)
    state.empires["hydran"].surveys = ["0404"]
    surveying_phase(table_of(state, {"/survey": [3, 3, 4]}))
    assert newly_found(state) == []
