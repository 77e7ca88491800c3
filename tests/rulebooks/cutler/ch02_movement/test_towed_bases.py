"""BLMs and FRDs are built as ships and towed to their site (4.4.1, 2.4.1.5), and are deployed when nobody tows them."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import ports
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in, features_of, features_of_bases
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import lose_bases_adrift, note_bases
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, refusal_words, refusals, sees, table_of, world

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
    assert state.units[TUG].towing == [DOCK]
    assert state.units[OTHER].hex == "0404"


@pytest.mark.rule("cutler", "2.4.1.5", "4.4.1")
@cases("base, sheet, problems")
def test_blms_and_frds_of_ones_own_in_the_same_hex_are_towed_by_one_tower(base, sheet, problems):
    more = "hydran base 0505 Far[type=FRD]\nlyran base 0404 Theirs[type=FRD]\n"
    assert refusal_words(plot_ask(world(TEXT.replace("FRD", base) + more), "hydran"), sheet) == problems


@pytest.mark.rule("cutler", "1.1.2.5.2", "4.4.1")
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
    text = TEXT.replace("lyran F1 0902", "planet minor 0404 hydran rock\nlyran F1 0404")
    state = towed(text=text)
    turn = table_of(state)
    battle = {"H1": {}, "H2": {"fate": "destroyed"}, "H3": {}, "L1": {}}  # the dock, its tower, the other, the enemy
    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("battle", ""): [battle]}
    run = Run(turn, combat_phase_steps(turn.at("combat")), answers)
    (posts,) = run.asked("hydran", "allocate")
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
    assert state.units[TUG].towing == []
    assert defects(state) == []


@pytest.mark.rule("cutler", "2.4.1.5", "2.7.1")
def test_a_freighter_that_is_still_in_its_convoy_is_not_towed(kept: Kept):
    state = world(TEXT + "hydran V1 0404 FL[warp=0,imp=0]+FS course 0405")
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"tow": ["hydran-V1-FL"]}}) == kept()


@pytest.mark.rule("cutler", "3.5.5.3", "2.4.1.5")
def test_a_base_in_tow_of_the_attacker_is_sent_to_no_feature():
    text = TEXT.replace("lyran F1 0902", "planet minor 0404 lyran rock\nlyran base 0404 Fort\nlyran F1 0404")
    state = towed(text=text)
    state.presence["0404"] = {"lyran": Moment(turn=1, impulse=0), "hydran": Moment(turn=1, impulse=1)}
    turn = table_of(state)
    run = Run(turn, combat_phase_steps(turn.at("combat")), {("card", "lyran"): {"force": {"card": "combat"}}})
    (sent,) = run.asked("hydran", "allocate")
    assert {line.key for line in sent.form.lines} == {TUG, OTHER}


@pytest.mark.rule("cutler", "4.4.1", "2.6.1")
def test_others_read_nothing_of_a_base_that_is_towed_by():
    seen = []
    for tow in ([DOCK], []):
        state = plotted(F1={"tow": tow, "course": "0405"})
        turn = table_of(state)
        run = Run(turn, impulse_steps(turn, 2), {})
        assert (state.units[DOCK].hex == "0405") is bool(tow)
        seen.append([sees(turn, run.asks, side) for side in ("lyran", "klingon")])
    assert seen[0] == seen[1]
