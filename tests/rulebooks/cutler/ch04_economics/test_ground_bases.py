"""4.4.9: ground bases are paid for with a planet's own new CPV, stand at once, and keep it from being razed."""

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost, in_words, with_more, with_only
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_on, ground_units
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler.armed import armed
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, yard
from tests.rulebooks.cutler.yards import refused_saving as refused
from tests.rulebooks.cutler.yards import refused_saving_in_words as refused_in_words
from tests.rulebooks.cutler.yards import turn_saving as turn

PLACES = """
planet capital 0205 hydran throne
planet major 0303 hydran tide
planet minor 0307 hydran rock
planet capital 0902 lyran den
hydran F1 0205 CA
lyran F1 0902 CC
klingon F1 0908 CW
reserve lyran 60
"""
ROCK, THRONE, TIDE = "G1", "G2", "G3"
"""The Hydran planets' lines, by key: 25, 100 and 50 CPV."""


def start(price: int = 5, text: str = PLACES) -> CutlerState:
    state = world(text)
    state.ground_base_cost = GroundBaseCost(cpv=price)
    return state


@pytest.mark.rule("cutler", "4.1.2", "4.4.9")
def test_ground_bases_stand_at_once_and_cost_the_new_cpv_of_their_planet():
    state = start(7)
    run = turn(state, G2={"build": 3, "sides": ["D", "A"]}, economy={"reserve": 154})
    assert ground_on(state, state.planets["throne"]) == {"A": 2, "D": 1}
    assert len(ground_units(state, state.planets["throne"])) == 3
    assert state.empires["hydran"].reserve == 154
    text = "Throne (0205) builds 3 for 21 CPV, and has 3 ground bases (hexsides A 2, D 1)."
    assert text in run.texts("hydran")
    assert "154 to the Intelligence Reserve, 0 to the Base Pool, 21 into ground bases in 0205." in run.texts("hydran")
    # On all hexsides: B, C, E and F get their first, then B its second.
    turn(state, G2={"build": 5})
    assert ground_on(state, state.planets["throne"]) == {"A": 2, "B": 2, "C": 1, "D": 1, "E": 1, "F": 1}


@pytest.mark.rule("cutler", "4.4.9")
@cases("key, planet, side, most, in_all")
def test_a_planet_has_room_for_so_many_on_a_hexside_and_pays_by_itself(key, planet, side, most, in_all):
    state = start(5)
    assert refused(state, **{key: {"build": most}}) == []
    assert refused(state, **{key: {"build": most + 1}}) == [(f"{key}.build", "4.4.9, CU-R94")]
    state.ground_base_cost = GroundBaseCost(cpv=1)
    assert refused(state, **{key: {"build": side, "sides": ["E"]}}) == []
    assert refused(state, **{key: {"build": side + 1, "sides": ["E"]}}) == [(f"{key}.build", "4.4.9, CU-R94")]
    assert refused(state, **{key: {"build": in_all}}) == []
    assert refused(state, **{key: {"build": in_all + 1}}) == [(f"{key}.build", "4.4.9, CU-R94")]
    turn(state, **{key: {"build": in_all}})
    assert ground_on(state, state.planets[planet]) == dict.fromkeys("ABCDEF", side)
    assert key not in {line.key for line in turn_ask(state, "hydran").form.lines}
    assert refused(state, **{key: {"build": 1}}) == [(f"{key}.build", "4.4.9, CU-R94")]


@pytest.mark.rule("cutler", "4.4.9")
@cases("key, most, words")
def test_a_planet_has_room_for_so_many_on_a_hexside_and_pays_by_itself_and_why(key, most, words):
    state = start(5)
    assert refused_in_words(state, **{key: {"build": most + 1}}) == words


@pytest.mark.rule("cutler", "4.4.9", "4.1.6.1")
def test_new_cpv_that_are_used_elsewhere_build_no_ground_base(kept: Kept):
    state = yard(HOME, bays=(30,))
    state.ground_base_cost = GroundBaseCost(cpv=50)
    base = state.units[YARD]
    base.cargo_cpv = 20
    # 100 are made in 0205, and 20 lie there: two ground bases leave repair boxes those 20, and cargo boxes nothing.
    two = {"G1": {"build": 2}, "economy": {"pool": 25}}
    assert refused(state, **two, H0205={"repair": 20}) == []
    assert refused_in_words(state, **two, H0205={"repair": 21}) == kept("#1")
    assert refused_in_words(state, **two, H0205={"cargo": 1}) == kept("#2")
    assert refused_in_words(state, **two | {"economy": {"pool": 26}}) == kept("#3")
    # Stored CPV and those of other planets pay nothing.
    state.planets["p0205"].razed = 50
    assert refused_in_words(state, G1={"build": 2}) == kept("#4")
    state.planets["p0205"].razed = 51
    assert refused_in_words(state, G1={"build": 1}) == kept("#5")


@pytest.mark.rule("cutler", "4.4.9")
def test_lines_that_name_no_planet_or_hexside_are_refused(kept: Kept):
    state = start()
    assert refused_in_words(state, G4={"build": 1}) == ["G4: you hold no such planet. Legal: G1, G2, G3."]
    assert refused_in_words(state, G1={"build": 1, "sides": ["A", "G"]}) == kept()
    assert "Ground bases on Den" not in form_text(turn_ask(state, "hydran").form)


@pytest.mark.rule("cutler", "4.4.9", "5.2.3")
def test_ground_bases_that_are_built_keep_their_planet_from_being_razed():
    for build, razed in ((1, 0), (0, 5)):
        state = armed("turn 1 impulse 1\nplanet minor 0404 klingon cub\nhydran F1 0404 CA+DD\nklingon F1 0908 CW")
        state.fleet("hydran", "F1").raze = "cub"
        table = table_of(state)
        Run(table, turn_sheets_steps(table), {("turn", "klingon"): {"economy": {"pool": 0}, "G1": {"build": build}}})
        raze_planets(table)
        assert state.planets["cub"].razed == razed


@pytest.mark.rule("cutler", "4.4.9", "6.4.1.10")
def test_a_planet_check_finds_ground_bases_with_their_hexsides_and_nobody_else_does():
    seen = []
    spy = {"M1": {"kind": "planet", "against": "hydran", "other": "throne", "ip": 30}}
    for lines in ({"G2": {"build": 3, "sides": ["C", "F"]}}, {}):
        state = start(text="turn 0\n" + PLACES)
        answers = {("turn", "hydran"): {"economy": {"pool": 0}} | lines, ("turn", "lyran"): spy}
        run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), answers)
        found = "3 ground bases (hexsides C 2, F 1), no ships" if lines else "no ground bases, no ships"
        assert found in run.texts("lyran")
        assert (found in sees(table, run.asks, "hydran")) is False
        seen.append(sees(table, run.asks, "klingon"))
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "4.4.9")
def test_what_is_built_is_unseen_by_others():
    seen = []
    for lines in ({"G2": {"build": 3}}, {}):
        state = start(text="turn 0\n" + PLACES)
        answers = {("turn", "hydran"): {"economy": {"pool": 0}} | lines}
        run = Run(table := table_of(state), turn_steps(table), answers)
        seen.append([sees(table, run.asks, side) for side in ("lyran", "klingon")])
        assert ("3 ground bases (hexsides A 1, B 1, C 1)" in sees(table, run.asks, "hydran")) is bool(lines)
    assert seen[0] == seen[1]


def test_hexsides_are_filled_and_emptied_evenly():
    assert with_more({"C": 1}, 4, ["C", "B"]) == {"B": 3, "C": 2}
    assert with_more({}, 7) == {"A": 2, "B": 1, "C": 1, "D": 1, "E": 1, "F": 1}
    assert with_only({"B": 3, "C": 2, "F": 1}, 3) == {"B": 1, "C": 1, "F": 1}
    assert with_only({"B": 1}, 0) == {}
    assert in_words({"D": 1}) == "1 ground base (hexside D 1)"
