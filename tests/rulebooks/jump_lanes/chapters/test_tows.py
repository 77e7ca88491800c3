"""Tugs and tows (13.4), and the book's tables: loads, Towing ratings, surveys and perils."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import slowest
from rules_engine.rulebooks.jump_lanes.ch4_towing import tows
from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable, SurveyChances
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from rules_engine.rulebooks.jump_lanes.tables import exploration
from rules_engine.rulebooks.jump_lanes.tables.loads import points_requirement, towing_cost, unit_requirement
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import frontier, rules, ship, squadron, standing


@pytest.fixture
def state() -> LanesState:
    """Two tugs of Towing 2, Engines 3 and FTL 3 at Sol, and what may be towed there."""
    made = frontier()
    tugs = [ship(key, towing=2, engines=3, ftl=3, mobility=5) for key in ("Ox", "Mule")]
    squadron(made, "S1", "sol", *tugs, ship("Lead", ftl=4))
    standing(made, ship("Base", kind="starbase", siz=1, ftl=0, engines=0), "sol")
    standing(made, ship("Eye", kind="satellite", siz=2, ftl=0), "sol")
    squadron(made, "S2", "sol", ship("Gnat", siz=2, ftl=0))
    return made


def judged(state: LanesState, tugs: str, towed: str) -> list[str]:
    found = [[state.units[key] for key in keys.split()] for keys in (tugs, towed)]
    return rules(tows.judge_tow(state, state.squadrons["S1"], found[0], found[1], "S1.tow"))


def tow(state: LanesState, tugs: str, towed: str) -> list[str]:
    assert judged(state, tugs, towed) == []
    found = [[state.units[key] for key in keys.split()] for keys in (tugs, towed)]
    return [unit.id for unit in tows.set_tow(state, state.squadrons["S1"], found[0], found[1])]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_the_printed_example_two_tugs_of_two_tow_a_starship_of_siz_two(state: LanesState):
    assert (judged(state, "Ox Mule", "Gnat"), judged(state, "Ox", "Gnat")) == ([], ["13.4.1"])


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_a_starbase_takes_four_a_point_and_a_satellite_one(state: LanesState):
    assert (judged(state, "Ox Mule", "Base"), judged(state, "Ox Mule", "Base Eye")) == ([], ["13.4.1"])
    assert judged(state, "Ox", "Eye") == []
    state.units["Eye"].siz = 3
    assert judged(state, "Ox", "Eye") == ["13.4.1"]


@pytest.mark.rule("jump_lanes", "13.4")
def test_only_working_tugs_of_the_squadron_tow(state: LanesState):
    assert judged(state, "Lead", "Eye") == ["13.4", "13.4.1"]
    state.units["Mule"].crippled = True
    assert judged(state, "Ox Mule", "Eye") == ["13.4"]
    assert [unit.id for unit in tows.able_tugs(state, state.squadrons["S1"])] == ["Ox"]
    squadron(state, "S3", "sol", ship("Yak", towing=9))
    assert judged(state, "Yak", "Eye") == ["13.4.1"]


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize("kind", ["facility", "troop", "aircraft", "seacraft", "installation", "officer"])
def test_what_is_no_unit_of_space_and_facilities_are_not_towed(state: LanesState, kind: str):
    standing(state, ship("Thing", kind=kind), "sol")  # type: ignore[arg-type]
    assert judged(state, "Ox Mule", "Thing") == ["13.4.1"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_not_what_is_elsewhere_cargo_or_the_tug_itself(state: LanesState):
    state.squadrons["S2"].at = "wolf"
    assert judged(state, "Ox Mule", "Gnat") == ["13.4.1"]
    state.put(state.units["Eye"], aboard="S1")
    assert judged(state, "Ox Mule", "Eye") == ["13.4.1"]
    state.units["Ox"].siz = 1
    assert (judged(state, "Ox", "Ox"), judged(state, "Ox Mule", "Lead Lead")) == (["13.4.1"], ["13.4.1"])


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_not_what_others_tow(state: LanesState):
    squadron(state, "S3", "sol", ship("Yak", towing=9), ship("Hulk", siz=1))
    state.units["Yak"].tows = state.units["Hulk"].towed = True
    assert (judged(state, "Ox Mule", "Hulk"), judged(state, "Ox Mule", "Yak")) == (["13.4.1"], ["13.4.1"])


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_not_who_carries_what_its_squadron_cannot_carry_without_it(state: LanesState):
    state.units["Gnat"].cargo = 10
    state.put(ship("Crow", cargo=5), squadron="S2")
    state.squadrons["S2"].hold = [HoldLot(kind="census", amount=1)]
    assert judged(state, "Ox Mule", "Gnat") == ["13.3.1"]


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_not_all_together_whose_squadron_could_spare_each_alone(state: LanesState):
    """Each of the two can carry the census, which needs 10; none is left to do so when both are in tow."""
    state.units["Gnat"].cargo, state.units["Gnat"].siz = 10, 1
    state.put(ship("Crow", siz=1, cargo=10), squadron="S2")
    state.squadrons["S2"].hold = [HoldLot(kind="census", amount=1)]
    assert (judged(state, "Ox Mule", "Gnat"), judged(state, "Ox Mule", "Crow")) == ([], [])
    both = [state.units[key] for key in ("Gnat", "Crow")]
    (refusal,) = tows.judge_tow(state, state.squadrons["S1"], [state.units[key] for key in ("Ox", "Mule")], both, "x")
    assert (refusal.rule, refusal.problem) == (
        "13.3.1", "without Gnat and Crow, Squadron S2 carries more than its Cargo rating"
    )  # fmt: skip
    state.put(ship("Kite", siz=1, cargo=10), squadron="S2")
    assert judged(state, "Ox Mule", "Gnat Crow") == [], "one that is left carries it"


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_tow_begins_in_a_lane(state: LanesState):
    state.squadrons["S1"].transit = JumpTransit.from_json({"lane": "L1", "origin": "sol", "goal": "wolf", "cost": 2})
    assert judged(state, "Ox Mule", "Base") == ["13.1.6"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_tugs_go_at_half_their_ratings_rounded_up_and_what_is_towed_does_not_count(state: LanesState):
    assert slowest(state.members("S1")).ftl == 3
    tow(state, "Ox Mule", "Base")
    assert (slowest(state.members("S1")).ftl, slowest(state.members("S1")).engines) == (2, 1)
    tow(state, "Ox", "Eye")
    state.units["Ox"].engines = 1
    state.units["Lead"].engines = 9
    assert (slowest(state.members("S1")).ftl, slowest(state.members("S1")).engines) == (2, 1)
    assert not state.units["Mule"].tows


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_is_towed_is_of_the_squadron_and_stands_alone_when_it_is_let_go(state: LanesState):
    assert tow(state, "Ox Mule", "Base") == []
    assert (state.units["Base"].squadron, state.units["Base"].towed, state.units["Ox"].tows) == ("S1", True, True)
    state.squadrons["S1"].at = "wolf"
    assert tow(state, "", "") == ["Base"]
    assert (state.units["Base"].at, state.units["Base"].squadron, state.units["Base"].towed) == ("wolf", "", False)
    assert not state.units["Ox"].tows


def test_a_starship_that_is_let_go_stays_with_the_squadron(state: LanesState):
    tow(state, "Ox Mule", "Gnat")
    assert "S2" not in state.squadrons
    tow(state, "", "")
    assert (state.units["Gnat"].squadron, state.units["Gnat"].towed) == ("S1", False)


def test_a_carrier_in_tow_brings_its_flights(state: LanesState):
    fly = ship("Fly", kind="flight")
    state.put(fly, squadron="S2")
    state.units["Gnat"].basing = 1
    fly.based_on = "Gnat"
    tow(state, "Ox Mule", "Gnat")
    assert (fly.squadron, fly.based_on, fly.towed) == ("S1", "Gnat", False)


def test_a_tow_that_goes_on_keeps_what_it_has(state: LanesState):
    tow(state, "Ox Mule", "Base")
    assert tow(state, "Ox Mule", "Base") == []
    assert state.units["Base"].towed


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_with_too_few_tugs_left_everything_is_let_go(state: LanesState):
    tow(state, "Ox Mule", "Base")
    assert tows.let_go_what_is_too_much(state, state.squadrons["S1"]) == []
    state.units["Mule"].crippled = True
    assert [unit.id for unit in tows.let_go_what_is_too_much(state, state.squadrons["S1"])] == ["Base"]
    assert state.units["Base"].at == "sol"
    assert not any(unit.tows for unit in state.members("S1"))


def test_tugs_do_not_strain_for_what_was_lost(state: LanesState):
    tow(state, "Ox Mule", "Base")
    state.take_out(state.units["Base"])
    tows.let_go_what_is_too_much(state, state.squadrons["S1"])
    assert not any(unit.tows for unit in state.members("S1"))


def test_a_base_that_is_let_go_in_a_lane_is_lost_and_a_starship_is_not(state: LanesState):
    tow(state, "Ox Mule", "Base")
    state.squadrons["S1"].at = ""
    tows.release(state, state.squadrons["S1"])
    assert "Base" not in state.units
    state.squadrons["S1"].at = "sol"
    tow(state, "Ox Mule", "Gnat")
    state.squadrons["S1"].at = ""
    tows.release(state, state.squadrons["S1"])
    assert state.units["Gnat"].squadron == "S1"


@pytest.mark.rule("jump_lanes", "13.4.2")
def test_a_tow_in_battle_is_a_log_of_formation_and_silence(state: LanesState, kept: Kept):
    tugs, towed = [state.units["Ox"], state.units["Mule"]], [state.units["Base"]]
    assert tows.battle_notes(tugs, towed) == kept()
    assert tows.battle_notes(tugs, []) == []


# --- loads -----------------------------------------------------------------------------------------------------------
@cases("kind, siz, takes")
def test_space_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@cases("kind, siz, takes")
def test_ground_units_as_cargo(kind: str, siz: int, takes: int):
    assert unit_requirement(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.3.2.3-officers")
def test_an_officer_takes_one_and_ten_experience_points_take_one():
    assert unit_requirement("officer", 0) == 1
    assert points_requirement(0, 1) == Fraction(1, 10)
    assert points_requirement(0, 10) == 1
    assert points_requirement(0, 25) == Fraction(5, 2)


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_a_census_point_takes_ten():
    assert points_requirement(1, 0) == 10
    assert points_requirement(3, 5) == Fraction(61, 2)


@pytest.mark.rule("jump_lanes", "13.3.2")
def test_facilities_are_no_cargo():
    assert unit_requirement("facility", 1) is None


@cases("kind, siz, takes")
def test_towing_ratings_by_kind(kind: str, siz: int, takes: int):
    assert towing_cost(kind, siz) == takes


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize("kind", ["facility", "troop", "aircraft", "seacraft", "installation", "officer"])
def test_what_the_chart_does_not_name_is_not_towed(kind: str):
    assert towing_cost(kind, 1) is None


# --- exploration tables ----------------------------------------------------------------------------------------------
@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_printed_example_ten_and_sixteen_are_twenty_six():
    assert exploration.success_chance(SurveyChances().of("easy"), 16, 0) == 26


@cases("base, science, bonus, chance")
def test_a_chance_is_held_between_one_and_ninety_nine(base: int, science: int, bonus: int, chance: int):
    assert exploration.success_chance(base, science, bonus) == chance


@cases("chance, rolled, outcome")
def test_how_a_check_comes_out(chance: int, rolled: int, outcome: exploration.Outcome):
    assert exploration.check_outcome(chance, rolled) == outcome


@pytest.mark.rule("jump_lanes", "13.5.2-peril")
def test_the_peril_table(kept: Kept):
    results = [exploration.peril(rolled) for rolled in range(1, exploration.PERIL_FACES + 1)]
    assert results == kept()
    for rolled in (0, 11):
        with pytest.raises(ValueError, match="1 to 10"):
            exploration.peril(rolled)


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_d10_gives_a_surveyed_lane_its_class():
    table = LaneClassTable(major=2, normal=5, minor=8)
    classes = [exploration.surveyed_class(rolled, table) for rolled in range(1, exploration.CLASS_FACES + 1)]
    assert classes == [*["major"] * 2, *["normal"] * 3, *["minor"] * 3, *["restricted"] * 2]
