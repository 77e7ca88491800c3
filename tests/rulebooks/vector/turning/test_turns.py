"""Turns. CJD1.41 to CJD1.44"""

import pytest

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch4_turning.turns import sixths_to, turn
from rules_engine.rulebooks.vector.tables.figures import TURN_INTERVALS
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky, unit, ways, what


@pytest.mark.rule("vector", "CJD1.42-rate-of-turn")
@pytest.mark.parametrize(
    ("mode", "interval"),
    [
        ("drone", 1),
        ("shuttle", 3),
        ("AA", 4),
        ("A", 5),
        ("B", 6),
        ("C", 7),
        ("D", 8),
        ("E", 10),
        ("F", 12),
        ("G", 14),
        ("H", 16),
    ],
)
def test_the_interval_of_each_turn_mode(mode: str, interval: int):
    battle = sky(f"H1 h 2020 A 0 turn_mode={mode}")
    assert judged(battle, "H1", "turn left on 5", f"turn right on {5 + interval}") == []
    early = judged(battle, "H1", "turn left on 5", f"turn right on {4 + interval}")
    assert early == [(1, "CJD1.42-rate-of-turn", 5 + interval)]


@pytest.mark.rule("vector", "CJD1.42-rate-of-turn")
def test_the_table_has_all_eleven():
    assert len(TURN_INTERVALS) == 11


@pytest.mark.rule("vector", "CJD1.42-rate-of-turn")
def test_the_interval_goes_on_over_the_turns_end():
    battle = sky("H1 h 2020 A 0 turn_mode=H")
    fly(battle, {"H1": plot("turn left on 20")})
    next_turn(battle)
    assert judged(battle, "H1", "turn left on 3") == [(0, "CJD1.42-rate-of-turn", 36)]
    assert judged(battle, "H1", "turn left on 4") == []


@pytest.mark.rule("vector", "CJD1.4", "CJD1.41")
def test_a_turn_costs_a_point_of_warp_or_of_impulse():
    battle = sky("H1 h 2020 A 0")
    assert foresee(battle, "H1", plot("turn left on 1", "turn left on 8"), 32).spent == Bill(warp=2)
    assert foresee(battle, "H1", plot("turn left by impulse on 1", "turn left on 8"), 32).spent == Bill(1, 1)
    assert judged(battle, "H1", "turn left on 1", warp=0, impulse=0) == [(0, "CJD1.41", 0)]
    assert judged(battle, "H1", "turn on 1") == [(0, "CJD1.41", 0)]


@pytest.mark.rule("vector", "CJD1.411")
@pytest.mark.parametrize(("size", "cost"), [(2, 1), (4, 1), (5, 1), (6, 0), (7, 0)])
def test_size_classes_6_and_7_turn_free_and_keep_their_interval(size: int, cost: int):
    battle = sky(f"H1 h 2020 A 0 size_class={size} turn_mode=shuttle")
    assert foresee(battle, "H1", plot("turn left on 1"), 32).spent == Bill(warp=cost)
    assert judged(battle, "H1", "turn left on 1", "turn left on 3") == [(1, "CJD1.42-rate-of-turn", 4)]
    launched = sky(f"H1 h 2020 A 0 size_class={size} rated_speed=6 turn_mode=shuttle")
    assert foresee(launched, "H1", plot("turn left on 1"), 32).spent == Bill(half=cost)


@pytest.mark.rule("vector", "CJD1.42-no-effect-on-movement")
def test_turning_changes_nothing_about_movement():
    battle = sky("H1 h 2020 C 3B+5C")
    turning = fly(battle, {"H1": plot("turn left on 5", "turn left on 12", "turn left on 19")})
    coasting = fly(sky("H1 h 2020 C 3B+5C"))
    assert ways(turning, "H1") == ways(coasting, "H1")
    ship = battle.units["H1"]
    assert (ship.facing, ship.vector.says, ship.count_from) == ("F", "3B+5C", 0)


@pytest.mark.rule("vector", "CJD1.44")
def test_at_speed_zero_a_ship_turns_as_at_any_speed():
    battle = sky("H1 h 2020 A 0")
    assert judged(battle, "H1", "turn left on 5", "turn left on 12") == []
    assert judged(battle, "H1", "turn left on 5", "turn left on 11") == [(1, "CJD1.42-rate-of-turn", 12)]
    fly(battle, {"H1": plot("turn left on 5")})
    assert (battle.units["H1"].facing, battle.units["H1"].at) == ("F", "2020")


@pytest.mark.parametrize(
    ("facing", "target", "towards", "away"),
    [
        ("A", "2010", 0, 1),  # dead ahead; right behind for its stern, to either side
        ("B", "2010", -1, 1),
        ("C", "2010", -1, 1),
        ("E", "2010", 1, -1),
        ("F", "2010", 1, -1),
        ("D", "2010", 1, 0),
        ("D", "2110", -1, 0),  # behind, more of it on its left: B of A and B lies to the left of D
        ("D", "1910", 1, 0),
        ("A", "2020", 0, 0),
    ],
)
def test_which_turn_brings_a_hex_nearer(facing: str, target: str, towards: int, away: int):
    ship = unit(f"H1 h 2020 {facing} 0")
    assert (sixths_to(ship, target, away=False), sixths_to(ship, target, away=True)) == (towards, away)


@pytest.mark.rule("vector", "CJD1.41")
def test_turns_towards_and_away():
    lines = "H1 h 2020 A 0\nC1 c 2525 D 0\nC2 c 1220 D 0"
    battle = sky(lines)
    happened = fly(battle, {"H1": plot("turn towards on 1", "turn away on 8", "turn towards C2 on 15")})
    assert [one.facing for one in happened if one.what == "turned"] == ["B", "A", "F"]
    battle = sky("H1 h 2020 A 0\nC1 c 2010 D 0")
    happened = fly(battle, {"H1": plot("turn towards on 1")}, 1)
    assert what(happened) == [(1, "H1", "kept")]
    assert happened[0].to == ("h",)
    assert battle.units["H1"].warp_used == 0
    # nobody is there to turn to
    assert what(fly(sky("H1 h 2020 A 0"), {"H1": plot("turn towards on 1")})) == [(1, "H1", "kept")]


def test_nobody_turns_without_paying():
    ship = unit("H1 h 2020 A 0")
    with pytest.raises(ValueError, match="takes 1 point of"):
        turn(ship, 1, 1)
    assert ship.facing == "A"
