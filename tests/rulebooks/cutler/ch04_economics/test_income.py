"""Chapter 4: income, and what becomes of it; 12.0: the rate that wins."""

import pytest

from rules_engine.rulebooks.cutler.ch04_economics.income import base_rate, cpv_rate, income, income_of
from rules_engine.rulebooks.cutler.sequence import close_turn
from rules_engine.rulebooks.cutler.victory import ending
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import table_of, world

HOME = "planet capital 0205 hydran\nplanet major 0303 hydran\nplanet minor 0307 hydran\nplanet capital 0902 lyran\n"


@pytest.mark.rule("cutler", "4.1.4", "4.1.3")
def test_planets_make_100_50_and_25():
    state = world(HOME)
    assert [income_of(state.planets[key], 1) for key in ("p0205", "p0303", "p0307")] == [100, 50, 25]
    assert income(state, "hydran") == 175
    assert income(state, "klingon") == 0


@pytest.mark.rule("cutler", "4.1.4.2")
def test_a_full_empire_starts_with_300():
    majors = "".join(f"planet major 030{row} hydran\n" for row in (1, 3))
    minors = "".join(f"planet minor 050{row} hydran\n" for row in (1, 3, 5, 7))
    assert income(world("planet capital 0205 hydran\n" + majors + minors), "hydran") == 300


@pytest.mark.rule("cutler", "4.1.4.1")
@pytest.mark.parametrize(("kind", "discovered", "captured"), [("major", 37, 18), ("minor", 18, 9)])
def test_discovered_planets_make_three_quarters_and_half_of_that_when_captured(kind, discovered, captured):
    planet = world(f"planet {kind} 0404 hydran").planets["p0404"]
    planet.discovered = True
    assert income_of(planet, 5) == discovered  # 37.5 and 18.75, rounded down
    planet.captured_turn = 1
    assert income_of(planet, 5) == captured  # 18.75 and 9.375


@pytest.mark.rule("cutler", "5.3.1")
def test_a_captured_planet_pays_half_after_a_whole_turn():
    planet = world(HOME).planets["p0205"]
    planet.captured_turn, planet.razed = 3, 50
    # Captured in turn 3, held through turn 4, first paid in turn 5: (100 - 50) / 2.
    assert [income_of(planet, turn) for turn in (3, 4, 5, 6)] == [0, 0, 25, 25]


@pytest.mark.rule("cutler", "5.2.3.2")
def test_each_point_of_razing_takes_one_cpv_but_never_more_than_there_is():
    planet = world(HOME).planets["p0303"]
    planet.razed = 12
    assert income_of(planet, 1) == 38
    planet.razed = 80
    assert income_of(planet, 1) == 0
    assert base_rate(planet) == 50


@pytest.mark.rule("cutler", "6.3")
def test_the_reserve_carries_over_and_is_trimmed_to_300(kept: Kept):
    turn = table_of(world(HOME + "reserve hydran 120\nreserve lyran 300"))
    turn.state.empires["lyran"].reserve = 310
    close_turn(turn)
    assert {race: empire.reserve for race, empire in turn.state.empires.items()} == kept()


@pytest.mark.rule("cutler", "12.0")
def test_the_highest_rate_after_the_last_turn_wins():
    state = world(HOME)
    state.turn = 2
    assert ending(state) is None
    state.turn = 3
    end = ending(state)
    assert end is not None
    assert (end.winners, end.scores["hydran"], end.scores["lyran"]) == (("hydran",), "175 CPV a turn", "100 CPV a turn")
    assert cpv_rate(state, "klingon") == 0


@pytest.mark.rule("cutler", "12.0")
def test_equal_rates_are_shared_or_parted_by_the_fleets():
    state = world("planet capital 0205 hydran\nplanet capital 0902 lyran\nhydran F1 0205 CA\nlyran F1 0902 CA+DD")
    state.turn = 3
    assert ending(state).winners == ("hydran", "lyran")
    state.tie_break = "fleet_value"
    assert ending(state).winners == ("lyran",)
    state.units["lyran-F1-CA"].destroyed = True
    assert ending(state).winners == ("hydran",)
    assert ending(state).scores["lyran"] == "100 CPV a turn, fleet worth 80"
