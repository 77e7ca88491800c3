"""What else is in the hex of a discovered planet: rolled as at the set-up, sizes and distances chosen by its finder."""

import pytest

from rules_engine.rulebooks.cutler.boards import public_board
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.ch09_surveying.discoveries import discoveries_steps, newly_found
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import Run, refusal_words, sees, table_of, world

TEXT = """
turn 0
unsurveyed 0404 0405
planet capital 0205 hydran throne
planet capital 0902 lyran den
hydran F1 0404 SUR
lyran F1 0902 CC
klingon F1 0908 CW
"""
DICE = {
    "/survey": [1, 1, 2],  # a minor planet
    "0404/gas giant": [4, 5],  # 9: there is one (1.1.2.4.1)
    "0404/moons": [5],  # D3-1: 2 (1.1.2.4.2)
    "0404/moons of the gas giant": [2, 3],  # 2D6-2: 3 (1.1.2.4.3)
    "0404/rings": [6, 4],  # 10: none (1.1.2.4.4)
    "0404/asteroid field": [2, 3],  # 5: one (1.1.2.4.5)
}
KEY = "found_0404"


def found(answers=None, dice=None) -> Run:
    """A turn in which the Hydran find a planet."""
    return Run(table := table_of(world(TEXT), {**DICE, **(dice or {})}), turn_steps(table), answers)


@pytest.mark.rule("cutler", "9.2", "1.1.2.4", "1.1.2.4.1", "1.1.2.4.2", "1.1.2.4.3", "1.1.2.4.4", "1.1.2.4.5")
def test_the_hex_of_a_discovery_is_rolled_for_and_its_finder_chooses_sizes_and_distances(kept: Kept):
    run = found({("systems", "hydran"): {KEY: {"moons": "30, 28", "giant": 4, "giant_moons": "8 10 40"}}})
    state = run.table.state
    assert state.planets[KEY].discovered
    expected = StarSystem(moons=(28, 30), gas_giant=4, giant_moons=(8, 10, 40), rings=False, asteroid_field=True)
    assert state.systems["0404"] == expected
    features = [one.key for one in features_of(state, "0404", [])]
    assert features == kept()
    assert {moon.owner for moon in state.moons.values()} == {"hydran"}
    assert (len(state.moons), defects(state)) == (5, [])
    (ask,) = run.asked("hydran", "systems")
    assert ask.title == "Survey: moons and gas giants"
    assert refusal_words(ask, {KEY: {"giant": 6}}) == kept("#1")
    assert refusal_words(ask, {KEY: {"moons": "4 5"}}) == kept("#2")
    assert run.asked("lyran", "systems") == run.asked("klingon", "systems") == []


@pytest.mark.rule("cutler", "9.5", "1.1.2.4")
def test_what_is_there_is_public_with_its_dice():
    run = found()
    for side in ("hydran", "lyran", "klingon"):
        text = run.texts(side)
        assert "Discovery 0404 in 0404: 2 moons, a gas giant of 3 moons, an asteroid field." in text
        assert "About Discovery 0404 in 0404: moons at 4, 6; a gas giant of size 2, its moons at 8, 10, 12" in text
        assert "rings of 0404" in sees(run.table, run.asks, side)
    marks = next(one.marks for one in public_board(run.table.state).hexes if one.hex == "0404")
    assert marks == ("planet", "minor", "gas giant", "5 moons", "asteroid field")


@pytest.mark.rule("cutler", "9.2", "1.1.2.4")
def test_nobody_is_asked_where_nothing_is_to_be_chosen_and_nothing_is_rolled_twice():
    run = found(dice={"0404/gas giant": [5, 5], "0404/moons": [2]})
    state = run.table.state
    assert run.asked("hydran", "systems") == []
    assert (state.systems["0404"], state.moons) == (StarSystem(asteroid_field=True), {})
    assert newly_found(state) == []
    Run(table := table_of(state), discoveries_steps(table))
    assert table.shared.rolls == []


@pytest.mark.rule("cutler", "9.2")
def test_open_space_and_home_planets_are_not_rolled_for():
    state = world(TEXT)
    state.empires["hydran"].surveys = ["0404"]
    surveying_phase(table_of(state, {"/survey": [3, 3, 4]}))
    assert newly_found(state) == []
