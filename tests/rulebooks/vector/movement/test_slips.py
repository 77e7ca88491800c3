"""Sideslips. CJD1.142"""

import pytest

from rules_engine.rulebooks.vector.ch1_movement.slips import slip_objection, slipped_way
from tests.rulebooks.vector.skies import fly, judged, plot, sky, unit, vector, ways, what


@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_leads_60_degrees_off_and_counts_as_the_move():
    battle = sky("H1 h 2020 A 4A")
    happened = fly(battle, {"H1": plot("slip left on 16")})
    # A on 8, the slip on 16 leads to F, then A twice; the vector is as it was
    assert ways(happened, "H1") == "AFAA"
    assert what(happened) == [(16, "H1", "slipped")]
    ship = battle.units["H1"]
    assert (ship.vector.says, ship.moved, ship.facing) == ("4A", {"A": 4}, "A")
    assert [slipped_way("A", hand) for hand in ("left", "right")] == ["F", "B"]


@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_needs_a_straight_hex_since_the_last():
    battle = sky("H1 h 2020 A 4A")
    # nothing was moved yet before impulse 8: the hex after it may be slipped
    assert judged(battle, "H1", "slip left on 8") == [(0, "CJD1.142", 16)]
    assert judged(battle, "H1", "slip left on 16", "slip right on 24") == [(1, "CJD1.142", 32)]
    assert judged(battle, "H1", "slip left on 16", "slip right on 32") == []


@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_needs_a_hex_to_move():
    battle = sky("H1 h 2020 A 4A")
    assert judged(battle, "H1", "slip left on 17") == [(0, "CJD1.142", 24)]
    assert judged(sky("H1 h 2020 A 0"), "H1", "slip left on 17") == [(0, "CJD1.142", 0)]
    assert judged(battle, "H1", "slip on 16") == [(0, "CJD1.142", 0)]
    assert slip_objection(unit("H1 h 2020 A 4A slip_ready=True"), 32 + 8) is None


@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_is_judged_after_what_else_happens_on_its_impulse():
    battle = sky("H1 h 2020 A 4A slip_ready=True")
    # at speed 4 it would not move on impulse 4; at speed 8 it does
    assert judged(battle, "H1", "slip left on 4", "accelerate 4 on 4") == []
    happened = fly(battle, {"H1": plot("slip left on 4", "accelerate 4 on 4")}, 4)
    assert what(happened) == [(4, "H1", "accelerated"), (4, "H1", "slipped")]


@pytest.mark.rule("vector", "CJD1.142")
def test_of_two_hexes_on_an_impulse_the_first_is_slipped():
    battle = sky("H1 h 2020 A 64A slip_ready=True")
    assert ways(fly(battle, {"H1": plot("slip right on 1")}, 1), "H1") == "BA"
    assert battle.units["H1"].vector == vector("64A")
