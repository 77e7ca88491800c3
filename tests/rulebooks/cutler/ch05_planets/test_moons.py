"""Moons may hold troops and ground bases and be taken; they are not razed and do not rebel. Gas giants are nobody's."""

from typing import Any

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import features_of
from rules_engine.rulebooks.cutler.ch03_combat.terrain.presence import note_presence
from rules_engine.rulebooks.cutler.ch04_economics.income import income, public_rate
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import rebellion_segment
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_base_limit, ground_bases_in, ground_on
from rules_engine.rulebooks.cutler.records.planetary import is_free_to_act, room_for
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler.armed import armed, mooned, taken, valued
from tests.rulebooks.cutler.combats import whole_turn
from tests.rulebooks.cutler.worlds import Run, alike, refusal_words, refusals, sees, table_of, world

MOON, FAR = "moon1_0404", "giantmoon3_0404"
KEYS = ["giantmoon1_0404", "giantmoon2_0404", FAR, MOON, "moon2_0404"]


def sieged(**moon: Any) -> CutlerState:
    """A Hydran force of 20 boarding parties over a Klingon planet with five moons; the first has these values."""
    state = mooned(armed(), "0404")
    valued(state, state.moons[MOON], **moon)
    return state


def attacked(state: CutlerState, result: Any = None, on: str = MOON) -> Run:
    """What follows combat when the Hydran force lands on a moon."""
    state.fleets["hydran/F1"].land = on
    run = Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})
    assert defects(state) == []
    return run


# --- whose they are ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "1.1.2.4", "1.1.2.4.2", "1.1.2.4.3")
def test_whose_planet_it_is_has_its_moons_and_those_of_the_gas_giant_to_begin_with(kept: Kept):
    state = sieged()
    assert sorted(state.moons) == KEYS
    assert {(moon.kind, moon.owner, moon.race, moon.hex) for moon in state.moons.values()} == kept()
    points = {one.key for one in features_of(state, "0404", []) if "moon" in one.key}
    assert points == {moon.feature for moon in state.moons.values()}
    assert (state.moons[MOON].name, state.moons[FAR].name) == ("moon 1 of Cub", "gas giant moon 3 of Cub")
    assert defects(state) == []


@pytest.mark.rule("cutler", "4.1.4", "1.1.2.4")
def test_moons_make_no_cpv():
    state = sieged()
    for moon in state.moons.values():
        moon.owner = "hydran"
    assert (income(state, "hydran"), public_rate(state, "hydran")) == (100, 100)
    assert (income(state, "klingon"), public_rate(state, "klingon")) == (125, 125)


def test_a_bare_moon_keeps_nobody_in_play_and_troops_or_a_ground_base_on_it_do():
    state = mooned(world("planet minor 0404 klingon cub\nhydran F1 0404 CA"), "0404")
    state.planets["cub"].owner = "hydran"
    assert state.has_nothing("klingon")
    note_presence(state, state.moment())
    assert set(state.presence["0404"]) == {"hydran"}
    for name, value in (("boarding_parties", 1), ("ground", {"A": 1})):
        valued(state, state.moons[MOON], **{name: value})
        assert not state.has_nothing("klingon")
        note_presence(state, state.moment())
        assert set(state.presence["0404"]) == {"hydran", "klingon"}  # what stands there was there (3.5.4)
        state.moons[MOON].boarding_parties = 0
    state.moons[MOON].landed = {"lyran": 1}
    assert not state.has_nothing("lyran")


# --- they are taken ---------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_a_moon_without_troops_is_captured_at_once_and_everybody_is_told():
    state = sieged()
    run = attacked(state)
    moon = state.moons[MOON]
    assert (moon.owner, moon.captured_turn, moon.boarding_parties, moon.landed) == ("hydran", 2, 20, {})
    assert state.planets["cub"].owner == "klingon"
    text = "The Hydran captures moon 1 of Cub (0404) from the Klingon."
    assert all(text in run.texts(side) for side in state.races())
    assert "You hold moon 1 of Cub with 20 boarding parties." in run.texts("hydran")
    assert "1 moon of the Hydran" in next(one.marks for one in public_board(state).hexes if one.hex == "0404")
    # Its new holder alone reads what is on it.
    row = "moon 1 of Cub, 0404: 20 boarding parties, 0 GCV, 0 crew units"
    assert row in side_board(state, "hydran", Knowledge()).panel("Planets").rows
    assert not any("20 boarding" in sees(run.table, run.asks, side) for side in ("klingon", "lyran"))


@cases("theirs, ours, holder")
def test_troops_fight_for_a_moon_by_hand_as_for_a_planet(theirs, ours, holder):
    state = sieged(boarding_parties=5, ground={"A": 1, "C": 1})
    result = {"planet": {"boarding_parties": theirs, "ground_bases": 1}, "H": {"boarding_parties": ours}}

    def judged(ask: Any) -> Any:
        assert ask.title == "Ground combat on moon 1 of Cub"
        assert ask.set_up_from == {f"moons.{MOON}", "units.klingon-1", "units.klingon-2"}
        for what, most in (("boarding_parties", 5), ("ground_bases", 2)):
            assert refusals(ask, {**result, "planet": {what: most}}) == []
            assert refusals(ask, {**result, "planet": {what: most + 1}}) == [(f"planet.{what}", "5.3, CU-R99")]
        return result

    run = attacked(state, judged)
    moon = state.moons[MOON]
    assert (moon.owner, ground_on(state, moon)) == (holder, {"C": 1})  # the first hexside loses its own
    assert run.asked("lyran") == []
    assert "moon" not in run.texts("lyran") or holder == "hydran"


@cases("there, landed")
def test_a_moon_has_room_for_fifty_boarding_parties(there, landed):
    state = sieged(owner="hydran", race="hydran", boarding_parties=there)
    assert room_for(state.moons[MOON], "hydran") == 50 - there
    attacked(state)
    assert state.moons[MOON].boarding_parties == there + landed
    assert sum(unit.boarding_parties for unit in state.alive("hydran")) == 20 - landed


@cases("escaped_to, lands")
def test_who_escaped_to_a_feature_lands_there_and_nowhere_else(escaped_to, lands):
    state = sieged()
    for unit in state.alive("hydran"):
        unit.escaped_to = escaped_to
        assert is_free_to_act(unit, "moon1") is lands
        assert is_free_to_act(unit) is (escaped_to in ("", "planet"))
    state.fleets["hydran/F1"].land = MOON
    land_troops(table_of(state))
    assert bool(state.moons[MOON].landed) is lands


@pytest.mark.rule("cutler", "5.3", "5.2.2", "4.2.4.8")
def test_landing_on_moons_is_plotted_and_gas_giants_are_refused(kept: Kept):
    state = sieged()
    ask = plot_ask(state, "hydran")
    (line,) = [line for line in ask.form.lines if line.key == "F1"]
    offered = next(field for field in line.fields if field.key == "land").choices
    assert [choice.value for choice in offered] == ["none", "cub", "den", "hearth", "throne", *KEYS]
    assert refusals(ask, {"F1": {"land": FAR}}) == []
    assert refusal_words(ask, {"F1": {"land": "giant_0404"}}) == kept("#1")
    assert refusal_words(ask, {"F1": {"land": "giantmoon4_0404"}}) == kept("#2")
    assert refusal_words(ask, {"F1": {"raze": MOON}}) == kept("#3")
    assert refusal_words(ask, {"F1": {"raze": "giant_0404"}}) == kept("#4")
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": FAR, "parties": 3}}))
    assert "lands 3 boarding parties on gas giant moon 3 of Cub" in " ".join(ask.read_back(FleetPlots()))
    assert defects(state) == []


def test_so_many_moons_are_offered_and_the_stored_one_among_them():
    state = mooned(armed(), "0404", "0205", "0902", "0908")

    def offered() -> list[str]:
        (line,) = [line for line in plot_ask(state, "hydran").form.lines if line.key == "F1"]
        return [choice.value for choice in next(field for field in line.fields if field.key == "land").choices]

    first = offered()
    assert len(first) == 1 + 4 + 19  # none, four planets, and nineteen moons of twenty
    assert set(KEYS) < set(first)
    (left,) = set(state.moons).difference(first)
    state.fleets["hydran/F1"].land = left
    assert offered() == [*first, left]  # as many as a menu holds


# --- neither razed nor rebelling --------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3.2", "5.3.3")
def test_captured_moons_do_not_rebel(kept: Kept):
    state = sieged(owner="hydran", captured_turn=1, boarding_parties=1)
    taken(state, "cub", "hydran", 1, boarding_parties=60)
    rebellion_segment(table := table_of(state, {"rebels": [6], "losses": [6]}))
    # A minor planet's one die shows 6: six rebels, who kill 6 x 6 / 10 = 3.
    assert state.planets["cub"].boarding_parties == 57
    assert (state.moons[MOON].owner, state.moons[MOON].boarding_parties) == ("hydran", 1)
    assert [roll.label for roll in table.shared.rolls if "moon" in roll.label] == []
    spy = {"M1": {"kind": "insurrection", "against": "hydran", "other": "moon 1 of Cub", "ip": 30}}
    state.empires["klingon"].reserve = 60
    assert refusal_words(turn_ask(state, "klingon"), spy) == kept()


@cases("moon, holder, razed")
def test_a_ground_base_on_any_moon_of_the_hex_keeps_its_planet_from_being_razed(moon, holder, razed):
    state = sieged()
    if moon:
        valued(state, state.moons[moon], owner=holder, ground={"D": 1})
    state.fleet("hydran", "F1").raze = "cub"
    assert ground_bases_in(state, "0404") == bool(moon)
    raze_planets(table := table_of(state))
    assert state.planets["cub"].razed == razed  # a CA of size 3 and a DD of size 4: 3 + 2
    told = [one.text for one in table.shared.reports if one.is_for("hydran")]
    assert (told == ["Cub is not razed: a ground base in its hex is intact."]) is (razed == 0)


# --- ground bases -----------------------------------------------------------------------------------------------------
HOME = """
planet major 0303 hydran tide
planet capital 0902 lyran den
hydran F1 0303 CA
lyran F1 0902 CC
klingon F1 0908 CW
reserve lyran 60
"""


def home(price: int = 5) -> CutlerState:
    """A planet of 50 CPV with five moons."""
    state = mooned(world(HOME), "0303")
    state.ground_base_cost = GroundBaseCost(cpv=price)
    return state


def built(state: CutlerState, **line: Any) -> Run:
    table = table_of(state)
    run = Run(table, turn_sheets_steps(table), {("turn", "hydran"): {"economy": {"pool": 0}, "G1": line}})
    assert defects(state) == []
    return run


@pytest.mark.rule("cutler", "4.4.9")
def test_a_moon_has_room_for_one_ground_base_on_each_hexside_paid_by_the_planet_of_its_hex():
    assert ground_base_limit("moon") == 6
    state = home()
    run = built(state, build=2, on_moons=7, moons=["moon1_0303", "giantmoon2_0303"], moon_sides=["B", "C", "D", "E"])
    assert ground_on(state, state.planets["tide"]) == {"A": 1, "B": 1}
    # One by one in turn, first on the one named first by its key.
    assert ground_on(state, state.moons["giantmoon2_0303"]) == {"B": 1, "C": 1, "D": 1, "E": 1}
    assert ground_on(state, state.moons["moon1_0303"]) == {"B": 1, "C": 1, "D": 1}
    assert "45 into ground bases in 0303" in run.texts("hydran")

    def refused(**line: Any) -> list[tuple[str, str]]:
        return refusals(turn_ask(state, "hydran"), {"economy": {"pool": 0}, "G1": line})

    # 50 CPV pay ten; the first moon has room on one of these hexsides, and on two others.
    assert refused(on_moons=1, moons=["moon1_0303"], moon_sides=["B", "C", "D", "E"]) == []
    assert refused(on_moons=2, moons=["moon1_0303"], moon_sides=["B", "E"]) == [("G1.on_moons", "4.4.9, CU-R94")]
    assert refused(on_moons=3, moons=["moon1_0303"]) == []
    assert refused(on_moons=4, moons=["moon1_0303"]) == [("G1.on_moons", "4.4.9, CU-R94")]
    assert refused(build=4, on_moons=6) == []
    assert refused(build=4, on_moons=7) == [("G1.build", "4.4.9, CU-R94")]
    assert refused(on_moons=11) == [("G1.on_moons", "4.4.9, CU-R94")]
    assert refused(on_moons=1, moons=["giant_0303"]) == [("G1.moons", "4.4.9, CU-R94")]
    assert refused(on_moons=1, moons=["moon3_0303"]) == [("G1.moons", "")]
    assert refused(on_moons=1, moon_sides=["G"]) == [("G1.moon_sides", "")]
    state.moons["moon2_0303"].owner = "lyran"
    assert refused(on_moons=1, moons=["moon2_0303"]) == [("G1.moons", "4.4.9, CU-N113")]


@pytest.mark.rule("cutler", "4.4.9", "6.4.1.10")
def test_a_planet_check_finds_what_is_on_a_moon_and_nobody_else_reads_of_it():
    runs = []
    spy = {"M1": {"kind": "planet", "against": "hydran", "other": "Moon 2 of Tide", "ip": 30}}
    for line in ({"on_moons": 2, "moons": ["moon2_0303"]}, {}):
        state = home()
        state.turn = 0
        runs.append(run := whole_turn(state, {"mission": [1]}, hydran={"economy": {"pool": 0}, "G1": line}, lyran=spy))
        found = "2 ground bases (hexsides A 1, B 1), no ships" if line else "no ground bases, no ships"
        assert found in run.texts("lyran")
        assert ("moon 2 of Tide" in form_text(turn_ask(state, "klingon").form)) is False
    alike(*runs, "klingon")


def test_a_state_with_moons_is_read_as_it_was_written_and_a_moon_that_is_none_is_a_defect():
    state = mooned(world("planet minor 0404 klingon cub\nhydran F1 0404 CA"), "0404")
    assert CutlerState.from_json(state.to_json()).to_json() == state.to_json()
    state.moons["moon9_0404"] = state.moons.pop("moon2_0404")
    assert defects(state) == ["there is no moon moon9_0404"]
