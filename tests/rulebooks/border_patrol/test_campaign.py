"""Supply, score, income, storms, how a campaign ends, and the pace of a turn of forty units a Team."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol.campaign.boundaries import close_turn
from rules_engine.rulebooks.border_patrol.campaign.supply import determine_supply
from rules_engine.rulebooks.border_patrol.campaign.victory import ending
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import order_cloak
from rules_engine.rulebooks.border_patrol.records.settings import Scoring, Supply, TeamIncome, Zones  # noqa: F401
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import POINTS, after, play, world  # noqa: F401 - in cells of tables
from tests.rulebooks.border_patrol.squadrons import Asking, Sailing, sailed, squadrons


@pytest.mark.rule("border_patrol", "V8.13")
@cases("case, lines, settings, in_supply", made="settings")
def test_supply_reaches_six_hexes_past_others(lines: str, settings: dict[str, Any], in_supply: dict[str, bool]):
    """Sol is in 0101."""
    state = world(lines, supply=Supply(reach=6), **settings)
    determine_supply(state)
    assert {key: state.units[key].in_supply for key in in_supply} == in_supply


@pytest.mark.rule("border_patrol", "V8.56")
def test_who_is_hidden_bars_no_supply():
    state = world("blue B1 0107 CA\nred R1 0104 CA[cloak_cost=10]", supply=Supply(reach=6))
    order_cloak(state.units["R1-CA"], "all turn")
    determine_supply(state)
    assert state.units["B1-CA"].in_supply


@cases("case, proves, lines, orders, holds", "", made="orders")
def test_what_a_turn_brings(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


def test_income_is_each_teams_own_business():
    state = world("province home blue 0101 0102\nblue B1 0505 CA")
    state.economy = TeamIncome(province=2, system=3)
    play(state)
    assert (state.teams["blue"].treasury, state.teams["red"].treasury) == (5, 3)


class TestTheEnd:

    @cases("case, lines, settings, turns, found", made="settings")
    def test_when_and_how_it_ends(self, lines: str, settings: dict[str, Any], turns: int, found: Any):
        state = world(lines, **settings)
        for _ in range(turns):
            assert ending(state) is None
            play(state)
        end = ending(state)
        assert (end and (end.winners, end.scores, end.text, end.rule)) == found

    def test_when_a_team_has_nothing_left_that_moves_whatever_it_scored(self):
        state = world("blue B1 0505 CA\nred R1 0808 CA[warp_dropped=yes]\nred base 0909 BATS")
        state.teams["red"].score = 99
        play(state)
        found = ending(state)
        assert found is not None
        assert (found.winners, found.text) == (
            ("blue",),
            "Red Team has nothing left that moves. The Blue Team has won.",
        )


def test_storms_drift_to_the_edge_of_the_map():
    state = world("storm gale 0103\nblue B1 0505 CA")
    state.storms["gale"].drift = 5
    play(state)
    assert state.storms["gale"].hex == "0101"


@pytest.mark.rule("border_patrol", "V8.45")
def test_a_system_is_held_unless_others_alone_stand_there():
    state = world("system eden blue 0505\nred R1 0505 CA")
    state.turn = 1
    game = play(world("blue B1 0505 CA"))
    for held, hex_id in ((False, "0505"), (True, "0606")):
        state.stacks["R1"].hex = state.units["R1-CA"].hex = hex_id
        close_turn(type(game.table)(state, game.table.shared))
        assert state.systems["eden"].held is held


# --- pace ------------------------------------------------------------------------------------------------------------
def asked(game: Sailing) -> dict[tuple[str, str], int]:
    """How often each Team was asked each kind of thing in the first turn."""
    found: dict[tuple[str, str], int] = {}
    for ask in _of_the_turn(game):
        for side in ask.parties:
            found[side, ask.kind] = found.get((side, ask.kind), 0) + 1
    return found


def _of_the_turn(game: Sailing) -> list[AnyAsk]:
    return [ask for step in game.steps for ask in step.opened if ask.awaited and ask.id.startswith("T1/")]


def test_without_contact_each_team_has_one_sheet_and_play_rests_once() -> None:
    game = sailed(Sailing, squadrons())
    state = game.adjudicator._state
    assert (len(state.units), len({*state.captains})) == (80, 8)
    assert all(stack.hex[:2] in ("03", "22") for stack in state.stacks.values()), "everybody moved"
    assert (asked(game), game.closings) == ({("west", "plot"): 1, ("east", "plot"): 1}, 1)


def test_with_one_contact_those_who_met_report_their_battle_and_nobody_is_asked_more() -> None:
    game = sailed(Sailing, squadrons(meet=True))
    assert asked(game) == {(side, kind): 1 for side in ("west", "east") for kind in ("plot", "battle")}
    assert game.closings == 2
    (battle,) = (ask for ask in _of_the_turn(game) if ask.kind == "battle")
    assert len(battle.form.lines) == 6, "the two stacks that met, of eighty units"


def test_who_wants_to_be_asked_is_asked_of_the_stack_that_met_somebody_alone() -> None:
    game = sailed(Asking, squadrons(meet=True))
    assert asked(game)["west", "onward"] == 1
    assert {line.key for ask in _of_the_turn(game) if ask.kind == "onward" for line in ask.form.lines} == {"W1"}
    assert game.closings > 2
