"""Cargo at the beginning of the Movement Phase, and trade runs that go round by themselves (13.3.3)."""

import pytest

from rules_engine.rulebooks.jump_lanes.phases.cargo import move_cargo
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import Colony
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron
from tests.rulebooks.jump_lanes.plays import begin, fates
from tests.rulebooks.jump_lanes.sheets import sheet


@pytest.mark.rule("jump_lanes", "13.3", "13.3.3-embarking", "13.3.2.1")
def test_a_trade_run_carries_census_turn_by_turn_until_it_is_stopped():
    """Sol has 9 census points; Hermes, FTL 1 and Cargo 20, takes two at a time to Barnard, one lane of cost 1."""
    state = frontier()
    state.colonies["barnard"] = Colony(id="barnard", name="Barnard", at="barnard", owner=TERRAN)
    squadron(state, "T1", "sol", ship("hermes", cargo=20))
    play = begin(state)
    text = "T1: route loop Sol > Barnard; load 2 census at Sol; unload census at Barnard"
    carry_out_sheets(play.turn, {TERRAN: sheet(text, state)})
    seen: list[tuple[str, int, int]] = []
    for _ in range(6):
        carry_out_sheets(play.turn, {TERRAN: LaneSheet({})})
        move_cargo(play.turn.at(state.turn))
        play.run(movement_steps(play.turn.at(state.turn), ()), fates())
        seen.append((state.squadrons["T1"].at, state.colonies["sol"].census, state.colonies["barnard"].census))
        state.turn += 1
    assert seen == [
        ("barnard", 7, 0),
        ("sol", 7, 2),
        ("barnard", 5, 2),
        ("sol", 5, 4),
        ("barnard", 3, 4),
        ("sol", 3, 6),
    ]
    assert play.told(CENTAURI) == []


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_an_order_is_done_once_and_what_is_not_possible_any_more_is_told():
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20))
    play = begin(state)
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: load 1 census", state)})
    state.colonies["sol"].rebellion = True
    move_cargo(play.turn)
    assert play.told(TERRAN) == ["Cargo stays as it is: Sol is in rebellion, and no census embarks."]
    assert state.squadrons["T1"].orders.cargo == []
    state.colonies["sol"].rebellion = False
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: load 1 census", state)})
    move_cargo(play.turn)
    move_cargo(play.turn)
    assert state.colonies["sol"].census == 8
