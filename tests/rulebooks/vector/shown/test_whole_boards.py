"""Boards, whole: panels, places with names, and the numbered sentences."""

import pytest

from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.vector.records.aims import FarEdge
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.vector.shown.sides import ships_table
from tests.expected.kept import Kept
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened


def panels(board: Board) -> dict[str, tuple[str, ...]]:
    return {one.title: one.rows for one in board.panels}


def courier() -> VectorState:
    state = opened("courier", 2)
    state.revealed, state.battle.turn = True, 1
    return state


def test_panels_of_captains_spectators_and_referees():
    state = courier()
    quick, vigilant = "C1 Quicksilver at 0625, faces B, 6B, speed 6", "H1 Vigilant at 1814, faces C, 6C, speed 6"
    score = ("Silk Road Line: 0 ships away", "Revenue Fleet: 0 ships caught")
    assert panels(side_board(state, "courier")) == {"Your ships": (f"{quick}; energy left: none",), "Score": score}
    assert panels(omniscient_board(state)) == {
        "All ships": (f"{quick}; energy left: none", f"{vigilant}; energy left: none"),
        "Score": score,
    }
    public = panels(public_board(state))
    assert public.pop("Invented figures")[0].startswith("scenario, rules, ships, terrain, class ")
    assert public == {"Ships": (quick, vigilant), "Score": score}
    state.battle.units["H1"].waits_for = 2
    assert panels(public_board(state))["Ships"] == (quick,)


def test_places_that_have_a_name_are_noted(kept: Kept):
    board = public_board(courier())
    assert [(one.hex, one.terrain, one.name) for one in board.hexes] == [
        ("2823", "planet", "Haven"),
        ("5218", "asteroids", "The Shoals"),
        ("150.5", "line", "Far edge"),
    ]
    assert (board.heading, board.header.scenario, board.header.turn, board.header.day) == kept()
    nameless = courier()
    nameless.battle.terrain = [one.with_values(name="") for one in nameless.battle.terrain]
    assert public_board(nameless).hexes == ()


def test_counters_say_what_they_are():
    first, second = public_board(courier()).counters
    assert (first.id, first.hex, first.owner, first.label, first.sub, first.details, first.ships) == (
        "C1",
        "0625",
        "courier",
        "C1",
        "6B, faces B",
        ("Quicksilver, COURIER",),
        1,
    )
    assert (second.sub, second.details) == ("6C, faces C", ("Vigilant, CUTTER",))


def test_who_comes_close_to_whom_is_told_by_turn_and_impulse():
    """Two hexes apart at the end of a turn: 4A and 4D meet on the way of the next."""
    state = duel("C1 courier 0420 4A | H1 hunter 0412 4D", turn=2, impulse=32)
    (met,) = [one for one in public_board(state).news if "on turn" in one.fact]
    assert (met.fact, met.title, met.hexes) == ("C1 and H1 in one hex on turn 3, impulse 32", "C1 in 0420", ("0420",))
    passing = duel("L1 racer 0420 4A | M1 racer 0612 4D", turn=2, impulse=16)
    (near,) = public_board(passing).news
    assert near.fact == "L1 and M1 5 hexes apart on impulse 32"
    away = duel("L1 racer 0420 4D | M1 racer 0612 4A", turn=2, impulse=16)
    assert public_board(away).news == ()


def test_a_courier_is_told_how_far_the_edge_is_on_either_side():
    left = duel("C1 courier 0410 8C | H1 hunter 0430 6C", edge=FarEdge(column=-6, leads="left"))
    assert "C1 10 columns from the edge" in [one.fact for one in public_board(left).news]
    near = duel("C1 courier 0410 8C | H1 hunter 0430 6C", edge=FarEdge(column=5))
    assert "C1 1 column from the edge" in [one.fact for one in public_board(near).news]


def test_three_who_come_close_are_told_and_no_more_are_looked_for(kept: Kept):
    """Half a turn on, each pair of the first duel is two hexes nearer. In the second the three closest are all about
    L1, which is numbered once; whoever else comes closer is not looked for."""
    pairs = (
        "A1 racer 0410 4D | B1 racer 0420 0 | C1 racer 4010 4D | D1 racer 4020 0 | E1 racer 8010 4D | F1 racer 8020 0"
    )
    state = duel(pairs, turn=2, impulse=16)
    state.battle.allies = [["a", "c", "e"], ["b", "d", "f"]]
    assert [one.fact for one in public_board(state).news] == kept()
    about = duel("L1 racer 2020 0 | M1 racer 2010 4D | N1 racer 2030 4A | O1 racer 1020 8C", turn=2, impulse=16)
    assert len(public_board(about).news) == 1


@pytest.mark.parametrize(
    ("turn", "impulse", "thrust", "shown"),
    [
        # thrust is possible eight impulses later: on the next one, or the one after it
        (1, 16, 9, "at once"),
        (1, 16, 10, "18"),
        (2, 16, 41, "at once"),
        (2, 16, 42, "18"),
        (2, 32, 64, "40"),
    ],
)
def test_how_long_thrust_must_wait(turn: int, impulse: int, thrust: int, shown: str):
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=turn, impulse=impulse)
    state.battle.units["C1"].accelerated_on = thrust
    assert ships_table(state, "h").rows[0][8] == shown


def test_a_pause_after_a_stop_is_told_until_it_is_over():
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=1, impulse=16)
    for until, told in ((16, ""), (18, "no thrust before impulse 18")):
        state.battle.units["C1"].no_thrust_until = until
        assert ships_table(state, "c").rows[0][10] == told
