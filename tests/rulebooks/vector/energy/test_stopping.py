"""Emergency deceleration. CJD1.3x"""

import pytest

from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky


@pytest.mark.rule("vector", "CJD1.3x")
def test_it_stops_nothing_and_turns_unused_energy_into_shields():
    battle = sky("H1 h 2020 A 12A move_cost=2/3 warp=20")
    happened = fly(battle, {"H1": plot("accelerate 3 on 1", "stop on 9")}, 16)
    stopped = [one for one in happened if one.what == "stopped"]
    # 30 points, 6 used: 24 at 2/3 power are 16, and 1 of impulse power; nobody else is told
    assert [(one.impulse, one.amount, one.to) for one in stopped] == [(9, 17, ("h",))]
    ship = battle.units["H1"]
    assert (ship.vector.says, ship.warp_left, ship.impulse_left) == ("15A", 0, 0)


@pytest.mark.rule("vector", "CJD1.3x")
def test_no_acceleration_for_the_pause_also_over_the_turns_end():
    battle = sky("H1 h 2020 A 12A")
    assert judged(battle, "H1", "stop on 9", "reserve 4 on 9", "accelerate 2 on 24") == [(2, "CJD1.3x", 25)]
    assert judged(battle, "H1", "stop on 9", "reserve 4 on 9", "accelerate 2 on 25") == []
    fly(battle, {"H1": plot("stop on 30")})
    next_turn(battle)
    assert judged(battle, "H1", "accelerate 1 on 13") == [(0, "CJD1.3x", 46)]
    assert judged(battle, "H1", "accelerate 1 on 14") == []
    assert judged(sky("H1 h 2020 A 0", thrust_pause=4), "H1", "stop on 9", "stop on 13") == []
    assert judged(battle, "H1", "stop on 3") == [(0, "CJD1.3x", 46)]


@pytest.mark.rule("vector", "CJD1.3x")
def test_it_may_turn_and_make_high_energy_turns():
    battle = sky("H1 h 2020 A 12A breakdown=7")
    assert judged(battle, "H1", "stop on 9", "het to D on 10", "reserve 1 on 11", "turn left on 11") == []


@pytest.mark.rule("vector", "CJD1.32", "CJD1.3x")
def test_of_two_reasons_the_longer_is_named():
    battle = sky("H1 h 2020 A 12A", thrust_pause=2)
    assert judged(battle, "H1", "accelerate 1 on 1", "stop on 2", "reserve 4 on 2", "accelerate 1 on 3") == [
        (3, "CJD1.32", 9)
    ]
    battle = sky("H1 h 2020 A 12A")
    assert judged(battle, "H1", "accelerate 1 on 1", "stop on 2", "reserve 4 on 2", "accelerate 1 on 3") == [
        (3, "CJD1.3x", 18)
    ]
