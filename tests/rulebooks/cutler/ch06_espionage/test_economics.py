"""Chapter 4: income, and what becomes of it; 12.0: the rate that wins."""

import pytest

from rules_engine.rulebooks.cutler.ch06_espionage.economics import (
    allocation,
    base_rate,
    cargo_room,
    collect_and_allocate,
    cpv_rate,
    income,
    income_of,
)
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.orders import EconomyLine
from rules_engine.rulebooks.cutler.sequence import close_turn
from rules_engine.rulebooks.cutler.victory import ending
from tests.rulebooks.cutler.worlds import refusals, table_of, world

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


@pytest.mark.rule("cutler", "4.1.6", "4.4.1", "6.2")
def test_new_cpv_go_to_reserve_pool_and_cargo_and_the_rest_is_lost():
    turn = table_of(world(HOME + "hydran base 0205\nreserve hydran 40"))
    state = turn.state
    line = EconomyLine(reserve=30, pool=100, cargo=20)
    assert allocation(state, "hydran", line) == (30, 100, 20, 25)
    collect_and_allocate(turn, "hydran", line)
    empire = state.empires["hydran"]
    assert (empire.reserve, empire.base_pool, empire.last_income) == (70, 100, 175)
    assert state.units["hydran-base-0205"].cargo_cpv == 20
    assert "25 lost" in turn.shared.reports[-1].text
    assert turn.shared.reports[-1].to == ("hydran",)


@pytest.mark.rule("cutler", "4.1.6")
def test_a_blank_pool_takes_the_rest():
    state = world(HOME)
    assert allocation(state, "hydran", EconomyLine(reserve=30)) == (30, 145, 0, 0)


@pytest.mark.rule("cutler", "4.1.5", "4.1.6")
def test_planets_load_only_the_empty_cargo_boxes_beside_them():
    state = world(HOME + "hydran base 0307\nhydran base 0404\nlyran base 0205")
    # 50 boxes beside a planet that makes 25; none of its own beside the capital; no planet at 0404.
    assert cargo_room(state, "hydran") == {"0307": 25}
    state.units["hydran-base-0307"].cargo_cpv = 40
    assert cargo_room(state, "hydran") == {"0307": 10}


@pytest.mark.rule("cutler", "6.3", "4.1.6")
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"reserve": 20}, []),
        ({"reserve": 21}, [("economy.reserve", "6.3, CU-R105")]),
        ({"reserve": 10, "pool": 170}, [("economy", "4.1.6.1")]),
        ({"reserve": 10, "pool": 165}, []),
        ({"cargo": 1}, [("economy.cargo", "4.1.6.1")]),
        ({"reserve": -1}, [("economy.reserve", "")]),
        ({"reserve": True}, [("economy.reserve", "")]),
        ({"reserve": "all"}, [("economy.reserve", "")]),
        ({"hoard": 5}, [("economy.hoard", "")]),
    ],
)
def test_allocations_that_do_not_fit_are_refused(line, expected):
    state = world(HOME + "reserve hydran 280")
    assert refusals(turn_ask(state, "hydran"), {"economy": line}) == expected


@pytest.mark.rule("cutler", "4.1.6")
def test_cpv_that_go_nowhere_are_warned_of():
    ask = turn_ask(world(HOME), "hydran")
    assert any("100 CPV" in line for line in ask.warn(ask.answer_from({"economy": {"reserve": 75, "pool": 0}})))
    assert not any("lost" in line for line in ask.warn(ask.answer_from({"economy": {"reserve": 75}})))


@pytest.mark.rule("cutler", "6.3")
def test_the_reserve_carries_over_and_is_trimmed_to_300():
    turn = table_of(world(HOME + "reserve hydran 120\nreserve lyran 300"))
    turn.state.empires["lyran"].reserve = 310
    close_turn(turn)
    assert {race: empire.reserve for race, empire in turn.state.empires.items()} == {
        "hydran": 120,
        "lyran": 300,
        "klingon": 0,
    }


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
