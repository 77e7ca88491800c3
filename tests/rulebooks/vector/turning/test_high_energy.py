"""High energy turns and tumbling. CJD1.43, CJD1.431"""

import pytest

from rules_engine.rulebooks.vector.ch4_turning.high_energy import breaks_down, recover
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from tests.rulebooks.vector.skies import fly, judged, plot, sky, unit, ways, what

TUMBLING = "H1 h 2020 A 8B tumbling=True tumbles_until=17 tumbles_to=right"


@pytest.mark.rule("vector", "CJD1.43")
def test_it_turns_to_any_facing_and_leaves_vector_and_interval():
    battle = sky("H1 h 2020 A 8B breakdown=5")
    happened = fly(battle, {"H1": plot("turn left on 1", "het to C on 2", "turn left on 8")}, 32, 4)
    assert what(happened) == [(1, "H1", "turned"), (2, "H1", "high energy turn"), (8, "H1", "turned")]
    ship = battle.units["H1"]
    assert (ship.facing, ship.vector.says, ship.hets, ship.warp_used) == ("B", "8B", 1, 2)
    assert happened[1].dice[0].total == 4
    assert happened[1].to == ()


@pytest.mark.rule("vector", "CJD1.43")
@pytest.mark.parametrize(("breakdown", "breaks"), [(2, [2, 3, 4, 5, 6]), (5, [5, 6]), (6, [6]), (7, [])])
def test_it_may_break_down(breakdown: int, breaks: list[int]):
    ship = unit(f"H1 h 2020 A 0 breakdown={breakdown}")
    assert [rolled for rolled in range(1, 7) if breaks_down(ship, rolled)] == breaks


@pytest.mark.rule("vector", "CJD1.43", "CJD1.431")
def test_a_ship_that_breaks_down_keeps_its_vector_and_tumbles_until_it_is_over():
    battle = sky("H1 h 2020 A 8B")
    happened = fly(battle, {"H1": plot("het to C on 2", "turn left on 17", "turn left on 18")}, 32, 5, 4)
    assert [(one.impulse, one.what, one.facing) for one in happened if one.what != "moved"] == [
        (2, "tumbling", "A"),
        (6, "tumbling", "B"),
        (10, "tumbling", "C"),
        (14, "tumbling", "D"),
        (17, "refused", "D"),
        (18, "recovered", "D"),
        (18, "turned", "C"),
    ]
    assert ways(happened, "H1") == "BBBBBBBB"
    refused = next(one for one in happened if one.what == "refused")
    assert (refused.rule, refused.legal_on, refused.to) == ("CJD1.431", 18, ("h",))
    assert [one.total for one in happened[0].dice] == [5, 4]


@pytest.mark.rule("vector", "CJD1.431")
def test_a_low_die_tumbles_to_the_left():
    battle = sky("H1 h 2020 A 8B")
    fly(battle, {"H1": plot("het to C on 2")}, 6, 6, 3)
    assert (battle.units["H1"].facing, battle.units["H1"].hets) == ("F", 1)


@pytest.mark.rule("vector", "CJD1.431")
@pytest.mark.parametrize(
    "event", ["accelerate 2 on 3", "reverse 2 on 3", "turn left on 3", "het to B on 3", "stop on 3"]
)
def test_who_tumbles_neither_accelerates_nor_turns(event: str):
    assert judged(sky(TUMBLING), "H1", event) == [(0, "CJD1.431", 17)]


@pytest.mark.rule("vector", "CJD1.431")
def test_a_captain_may_recover_by_report():
    battle = sky(TUMBLING)
    recover(battle.units["H1"])
    assert judged(battle, "H1", "turn left on 3") == []
    assert what(fly(battle)) == []


@pytest.mark.rule("vector", "CJD1.43")
def test_what_is_refused():
    assert judged(sky("H1 h 2020 A 8B"), "H1", "het on 3") == [(0, "CJD1.43", 0)]
    for size, refused in ((5, []), (6, [(0, "CJD1.43", 0)]), (7, [(0, "CJD1.43", 0)])):
        assert judged(sky(f"H1 h 2020 A 8B size_class={size}"), "H1", "het to B on 3") == refused


@pytest.mark.rule("vector", "CJD1.43")
def test_what_is_foreseen_does_not_break_down_but_says_that_it_may():
    found = foresee(sky("H1 h 2020 A 8B"), "H1", plot("het to C on 2"), 32)
    assert (found.facing, found.doubts) == ("C", ("impulse 2: it breaks down on a D6 of 5 or more",))
    assert foresee(sky("H1 h 2020 A 8B breakdown=7"), "H1", plot("het to C on 2"), 32).doubts == ()


@pytest.mark.rule("vector", "CJD1.431")
def test_who_tumbles_no_more_is_as_if_it_never_had():
    battle = sky("H1 h 2020 A 8B", tumble_pause=5)
    fly(battle, {"H1": plot("het to C on 2")}, 6, 5, 4)
    ship = battle.units["H1"]
    assert (ship.tumbling, ship.tumbles_until, ship.tumbles_to, ship.hets) == (True, 7, "right", 1)
    fly(battle, {}, 7)
    assert (ship.tumbling, ship.tumbles_until, ship.tumbles_to, ship.hets) == (False, 0, "", 1)
