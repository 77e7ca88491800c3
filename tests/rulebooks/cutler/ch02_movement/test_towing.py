"""Towing (2.4.1.5) and Federal Express ships (2.4.1.8)."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import ports
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, has_opportunity, may_enter, top_speed
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of, features_of_bases
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import lose_bases_adrift, note_bases
from rules_engine.rulebooks.cutler.ch05_planets.razing import razers_of
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.conditions.towing import tow_capacity
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

# --- towed bases -----------------------------------------------------------------------------------------------------
DOCK, TUG, OTHER = "hydran-base-0404", "hydran-F1-CA", "hydran-F2-DD"
TEXT = """
turn 1 impulse 1
hydran base 0404 Dock[type=FRD]
hydran F1 0404 CA[tractors=1]
hydran F2 0404 DD[tractors=1]
lyran F1 0902 CC
"""


def plotted(text: str = TEXT, **sheet: Any) -> CutlerState:
    """The world after a Hydran plot."""
    state = world(text)
    assert refusals(plot_ask(state, "hydran"), sheet) == []
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    assert defects(state) == []
    return state


def towed(course: str = "0405 0406 0407 0408", text: str = TEXT) -> CutlerState:
    return plotted(text, F1={"tow": [DOCK], "course": course})


@pytest.mark.rule("cutler", "2.4.1.5", "4.4.1")
def test_a_base_goes_with_its_tower_three_hexes_a_turn():
    state = towed()
    turn = table_of(state)
    at = []
    for state.impulse in range(1, 7):
        execute_moves(turn)
        tidy_fleets(state)
        assert defects(state) == []
        at.append((state.units[DOCK].hex, state.units[TUG].hex))
    assert at == [("0404",) * 2, ("0405",) * 2, ("0405",) * 2, ("0406",) * 2, ("0406",) * 2, ("0407",) * 2]
    assert (state.units[TUG].towing, state.units[OTHER].hex) == ([DOCK], "0404")


@cases("base, sheet, problems")
def test_blms_and_frds_of_ones_own_in_the_same_hex_are_towed_by_one_tower(base, sheet, problems):
    more = "hydran base 0505 Far[type=FRD]\nlyran base 0404 Theirs[type=FRD]\n"
    assert refusal_words(plot_ask(world(TEXT.replace("FRD", base) + more), "hydran"), sheet) == problems


@cases("line, course, problems")
def test_a_base_is_not_towed_to_where_none_may_be(line, course, problems):
    ask = plot_ask(world(TEXT + line), "hydran")
    assert [rule for _, rule in refusals(ask, {"F1": {"tow": [DOCK], "course": course}})] == problems
    assert refusals(ask, {"F1": {"course": course}}) == []


@pytest.mark.rule("cutler", "1.1.2.5.2")
@pytest.mark.parametrize(("tow", "lost"), [(True, False), (False, True)])
def test_a_base_that_is_let_go_where_none_may_be_is_lost(tow, lost):
    state = towed() if tow else plotted()
    state.terrain["0404"] = "dust"  # a nebula has thrown them there
    state.units[DOCK].cargo_cpv = 5
    lose_bases_adrift(turn := table_of(state))
    assert (state.units[DOCK].destroyed, state.units[DOCK].cargo_cpv) == (lost, 0 if lost else 5)
    told = {side: [one.text for one in turn.shared.reports if one.is_for(side)] for side in state.races()}
    text = "No base may be in 0404: Dock, which nobody tows there, is lost."
    assert told == {"hydran": [text] * lost, "lyran": [], "klingon": []}


@pytest.mark.rule("cutler", "2.4.1.10", "2.4.1.5")
def test_a_base_leaves_a_nebula_with_its_tower():
    state = towed(text=TEXT.replace("impulse 1", "impulse 2") + "nebula 0404")
    execute_moves(table_of(state, {"/nebula": [2]}))  # out into a random hex
    assert state.units[DOCK].hex == state.units[TUG].hex != "0404"


@pytest.mark.rule("cutler", "3.5", "4.4.1")
def test_a_base_in_tow_is_no_feature_no_port_and_holds_no_site():
    for state, deployed in ((towed(), False), (plotted(), True)):
        bases = bases_in(state, "0404")
        features = features_of(state, "0404", bases)
        assert bool(features) is deployed
        assert features_of_bases(features, bases) == ({DOCK: "base1"} if deployed else {})
        assert ports(state, "hydran") == (["0404"] if deployed else [])
        note_bases(state)
        assert state.empires["hydran"].base_hexes == (["0404"] if deployed else [])
        assert tacintel.part_of(state, state.units[DOCK]) == ("fixed" if deployed else "convoy")


@pytest.mark.rule("cutler", "3.5.4.2", "2.4.1.5")
def test_a_base_in_tow_fights_with_its_tower_and_is_left_where_that_is_lost():
    state = towed(text=TEXT.replace("lyran F1 0902", "planet minor 0404 hydran rock\nlyran F1 0404"))
    turn = table_of(state)
    battle = {"H1": {}, "H2": {"fate": "destroyed"}, "H3": {}, "L1": {}}  # the dock, its tower, the other, the enemy
    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("battle", ""): [battle]}
    (posts,) = Run(turn, combat_phase_steps(turn.at("combat")), answers).asked("hydran", "allocate")
    assert {line.key: line.fields[0].value for line in posts.form.lines}[DOCK] == "approach"
    assert (state.units[TUG].destroyed, state.units[DOCK].destroyed, state.units[DOCK].hex) == (True, False, "0404")
    assert defects(state) == []
    bases = bases_in(state, "0404")
    assert features_of_bases(features_of(state, "0404", bases), bases) == {DOCK: "planet"}


@pytest.mark.rule("cutler", "2.4.1.5", "2.4.1.6")
def test_a_freighter_without_engines_is_towed_until_it_is_repaired(kept: Kept):
    wreck = "hydran-waits-FL"
    text = TEXT.replace("impulse 1", "impulse 2") + "hydran waits 0404 FL[warp=0,imp=0]+FS"
    assert refusal_words(plot_ask(world(text), "hydran"), {"F1": {"tow": ["hydran-waits-FS"]}}) == kept()
    state = plotted(text, F1={"tow": [wreck], "course": "0405"})
    execute_moves(table_of(state))
    tidy_fleets(state)
    assert (state.units[wreck].hex, state.units[TUG].hex, state.units[TUG].towing) == ("0405", "0405", [wreck])
    state.units[wreck].impulse_ok = 1
    tidy_fleets(state)
    assert (state.units[TUG].towing, defects(state)) == ([], [])


@pytest.mark.rule("cutler", "2.4.1.5", "2.7.1")
def test_a_freighter_that_is_still_in_its_convoy_is_not_towed(kept: Kept):
    state = world(TEXT + "hydran V1 0404 FL[warp=0,imp=0]+FS course 0405")
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"tow": ["hydran-V1-FL"]}}) == kept()


@pytest.mark.rule("cutler", "3.5.5.3", "2.4.1.5")
def test_a_base_in_tow_of_the_attacker_is_sent_to_no_feature():
    text = TEXT.replace("lyran F1 0902", "planet minor 0404 lyran rock\nlyran base 0404 Fort\nlyran F1 0404")
    state = towed(text=text)
    state.presence["0404"] = {"lyran": Moment(turn=1, impulse=0), "hydran": Moment(turn=1, impulse=1)}
    run = combats.met(state, {("card", "lyran"): {"force": {"card": "combat"}}})
    (sent,) = run.asked("hydran", "allocate")
    assert {line.key for line in sent.form.lines} == {TUG, OTHER}


@pytest.mark.rule("cutler", "4.4.1", "2.6.1")
def test_others_read_nothing_of_a_base_that_is_towed_by():
    seen = []
    for tow in ([DOCK], []):
        state = plotted(F1={"tow": tow, "course": "0405"})
        run = Run(turn := table_of(state), impulse_steps(turn, 2), {})
        assert (state.units[DOCK].hex == "0405") is bool(tow)
        seen.append([sees(turn, run.asks, side) for side in ("lyran", "klingon")])
    assert seen[0] == seen[1]


# --- towing ----------------------------------------------------------------------------------------------------------
WRECK = "FF[warp=0,imp=0]"
FIGHT = {"force": {"card": "combat"}}


def moved(text, impulses, dice=None):
    """The table after the moves of these impulses."""
    turn = table_of(world(text), dice)
    for turn.state.impulse in impulses:
        execute_moves(turn)
        tidy_fleets(turn.state)
        assert not defects(turn.state)
    return turn


def unit(turn, key):
    return turn.state.units[f"hydran-F1-{key}"]


def where(turn):
    return [one.hex for one in turn.state.alive("hydran")]


@cases("ship, speed, impulses")
def test_who_tows_moves_three_hexes_at_most(ship, speed, impulses):
    state = world(f"hydran F1 0404 {ship}+FF")
    tower = next(one for one in state.alive() if "FF" not in one.id)
    assert top_speed(tower) == speed
    assert [impulse for impulse in range(1, 7) if has_opportunity(tower, impulse)] == impulses
    # Hexes that were made before the tow count: at three in a turn it ends.
    tower.hexes_moved = 3
    assert may_enter(state, tower, "0405", 6) == (speed == 6)


@cases("case, proves, text, changes, impulses, hexes", "hexes")
def test_where_the_hydran_are_after_each_of_these_impulses(text, changes, impulses, hexes):
    turn = table_of(world(f"turn 1 impulse 1; {text}"), {"/nebula": [5]})
    for key, values in changes.items():
        for name, value in values.items():
            setattr(turn.state.units[f"hydran-{key}"], name, value)
    found = []
    for turn.state.impulse in impulses:
        execute_moves(turn)
        tidy_fleets(turn.state)
        assert not defects(turn.state)
        found.append("+".join(one.hex for one in turn.state.alive("hydran")))
    course = turn.state.fleet("hydran", "F1").course
    assert " ".join([*found, *["course"] * bool(course), *course]) == hexes


@pytest.mark.rule("cutler", "2.4.1.5")
def test_the_counter_of_a_fleet_with_a_tow_tells_its_speed():
    text = f"turn 1 impulse 1\nhydran F1 0404 CA[tractors=1,tows=FF]+{WRECK} course 0405 0406 0407 0408"
    turn = moved(text, range(1, 7))
    assert [one.hexes_moved for one in turn.state.alive()] == [3, 3]
    board = side_board(turn.state, "hydran", turn.knowledge("hydran"))
    assert [one.sub for one in board.counters if one.label == "F1"] == ["2 ships, speed 3"]


@cases("ship, capacity")
def test_who_may_tow_how_many(ship, capacity):
    (one,) = world(f"hydran F1 0404 {ship}").alive()
    assert tow_capacity(one) == capacity
    one.record = one.record.model_copy(update={"kind": "freighter", "tractors": 3})
    assert tow_capacity(one) == 0


@cases("ships, tow, words")
def test_what_is_refused_of_tows(ships, tow, words):
    ask = plot_ask(world(f"turn 1 impulse 1\nhydran F1 0404 {ships}\nhydran F2 0404 CW"), "hydran")
    assert refusal_words(ask, {"F1": {"tow": [f"hydran-F1-{one}" for one in tow]}}) == words
    assert [line.key for line in ask.form.lines if any(one.key == "tow" for one in line.fields)] == ["F1"]


@pytest.mark.rule("cutler", "2.4.1.5", "2.4.1.6")
def test_a_derelict_may_be_plotted_to_move_only_in_tow(kept: Kept):
    state = world(f"turn 1 impulse 1\nhydran F1 0404 CA[tractors=1]+{WRECK}")
    ask, course = plot_ask(state, "hydran"), {"course": "0405"}
    assert refusal_words(ask, {"F1": course}) == kept()
    assert refusals(ask, {"F1": {**course, "tow": ["hydran-F1-FF"]}}) == []
    state.units["hydran-F1-CA"].retreat_hex = "0404"
    assert ("F1.tow", "2.4.1.5, 3.4.5.4") in refusals(ask, {"F1": {**course, "tow": ["hydran-F1-FF"]}})


@cases("sheets, towing")
def test_a_tow_is_kept_until_it_is_dropped_or_its_ships_part(sheets, towing):
    state = world("turn 1 impulse 1\nhydran F1 0404 CA[tractors=1]+FF+DD[tractors=1]")
    for sheet in ({"F1": {"tow": ["hydran-F1-FF"]}}, *sheets):
        carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
        assert not defects(state)
    assert state.units["hydran-F1-CA"].towing == towing


@cases("fates, towing")
def test_a_tow_ends_when_its_tower_is_lost_captured_or_disengages(fates, towing):
    turn = table_of(world("turn 1 impulse 3\nhydran F1 0404 CA[tractors=1,tows=FF,from=0403]+FF\nlyran F1 0404 CC"))
    battle = {key: {"fate": fates.get(key, "intact")} for key in ("H1", "H2", "L1")}
    Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): FIGHT, ("battle", ""): battle})
    assert unit(turn, "CA").towing == towing
    assert not defects(turn.state)


@pytest.mark.rule("cutler", "2.4.1.5")
def test_a_tug_that_is_refit_into_one_with_a_single_tractor_lets_the_second_go():
    state = world("turn 1 impulse 1\nhydran F1 0404 CA[tractors=2,mark=tug,tows=DD/FF]+DD+FF")
    tug = state.units["hydran-F1-CA"]
    tug.record = tug.record.model_copy(update={"tractors": 1})
    tidy_fleets(state)
    assert (tug.towing, defects(state)) == (["hydran-F1-DD"], [])
    assert refusals(plot_ask(state, "hydran"), {}) == []


@pytest.mark.rule("cutler", "2.4.1.5")
@pytest.mark.parametrize("runner", ["CA", "FF"])
def test_who_runs_lets_go(runner):
    turn = table_of(world("turn 1 impulse 3\nhydran F1 0404 CA[tractors=1,tows=FF]+FF\nlyran F1 0404 CC"))
    answers = {("card", "lyran"): FIGHT, ("wave", "hydran"): [{"wave": {"ships": [f"hydran-F1-{runner}"]}}]}
    Run(turn, combat_phase_steps(turn.at("combat")), answers)
    assert unit(turn, "CA").towing == []


@pytest.mark.rule("cutler", "2.4.1.5", "5.2.4")
def test_what_is_towed_razes_nothing():
    state = world("planet minor 0404 lyran rock\nhydran F1 0404 CA[tractors=1,tows=DD]+DD")
    state.fleet("hydran", "F1").raze = "rock"
    assert [one.id for one in razers_of(state, state.planets["rock"], "hydran")] == ["hydran-F1-CA"]


# --- Federal Express -------------------------------------------------------------------------------------------------
EXPRESS = "FF[mark=express]"


@pytest.mark.rule("cutler", "2.4.1.8")
def test_an_express_ship_goes_two_hexes_an_impulse_and_six_a_turn():
    course = "0302 0303 0304 0305 0306 0307 0308"
    turn = table_of(world(f"turn 1 impulse 1\nhydran F1 0301 {EXPRESS} course {course}"))
    at = []
    for turn.state.impulse in range(1, 5):
        execute_moves(turn)
        tidy_fleets(turn.state)
        at.append(unit(turn, "FF").hex)
    assert at == ["0303", "0305", "0307", "0307"]
    assert (unit(turn, "FF").hexes_moved, turn.state.fleet("hydran", "F1").course) == (6, ["0308"])
    assert unit(turn, "FF").entered_from == "0306"
    assert turn.shared.reports[0].text == "Impulse 1, movement: Hydran CU 0301→0302; Hydran CU 0302→0303."


@cases("line, ship, impulse, ends")
def test_where_an_express_ship_ends_its_impulse(line, ship, impulse, ends):
    """Damage, company and cloaks take from its steps."""
    turn = moved(f"turn 1 impulse 1\n{line}\nhydran F1 0301 {ship} course 0302 0303", [impulse], {"/nebula": [5]})
    assert (unit(turn, "FF").hex, turn.state.meetings()) == (ends, [])


@pytest.mark.rule("cutler", "2.4.1.8", "6.4.1.3")
def test_a_lodged_plot_is_one_step_of_an_express_ship():
    state = world(f"turn 1 impulse 1\nhydran F1 0301 {EXPRESS} course 0302 0303")
    state.empires["hydran"].lodged = {"hydran-F1-FF": "0302"}
    turn, at = table_of(state), []
    for state.impulse in (1, 2):
        execute_moves(turn)
        tidy_fleets(state)
        at.append(unit(turn, "FF").hex)
    assert at == ["0302", "0303"]
