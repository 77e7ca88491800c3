"""What captains, spectators and a referee see of a duel. VM-R38"""

from rules_engine.rulebooks.vector.records.aims import FarEdge
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TractorLink
from rules_engine.rulebooks.vector.shown.boards import omniscient_board, public_board, say_now, side_board
from rules_engine.rulebooks.vector.shown.sides import ranges_table, ships_table
from rules_engine.rulebooks.vector.shown.units import roster
from tests.expected.kept import cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened


def seen(state: VectorState, side: str | None) -> list[str]:
    board = public_board(state) if side is None else side_board(state, side)
    assert board.tactical is not None
    assert [one.code for one in board.tactical.units] == [one.id for one in board.counters]
    return [one.id for one in board.counters]


def test_before_the_set_up_is_revealed_each_sees_its_own():
    state = opened("ambush", 3)
    assert seen(state, "raiders") == ["R1", "R2"]
    assert seen(state, "traders") == ["T1", "T2"]
    assert seen(state, None) == []
    state.revealed, state.battle.turn = True, 1
    assert seen(state, "raiders") == ["T1", "T2", "R1", "R2", "W1"], "late ships are their owner's to see"
    assert seen(state, None) == ["T1", "T2", "R1", "W1"]
    state.battle.turn = 2
    assert seen(state, None) == ["T1", "T2", "R1", "R2", "W1"]
    assert len(omniscient_board(state).counters) == 6


def test_what_is_out_of_play_is_not_there():
    state = duel("C1 courier 0410 8C out:caught | H1 hunter 2020 2A")
    assert seen(state, "c") == seen(state, None) == ["H1"]
    assert [one.id for one in roster(state, "c")] == []
    assert [one.id for one in roster(state, "h")] == ["H1"]


def test_energy_is_its_owners():
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A")
    state.battle.units["C1"].warp_left, state.battle.units["C1"].reserve_left = 12, 3
    own, other = (side_board(state, one) for one in "ch")
    assert any("energy left: 12 warp + 3 reserve" in row for panel in own.panels for row in panel.rows)
    assert not any("12 warp" in row for panel in other.panels for row in panel.rows)
    cells = [[row[9] for row in ships_table(state, one).rows] for one in "ch"]
    assert cells == [["12 warp + 3 reserve", ""], ["", "none"]]


def test_a_unit_is_shown_as_it_flies():
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=2, impulse=16)
    board = side_board(state, "c")
    scene = board.tactical
    assert scene is not None
    courier, hunter = scene.units
    assert (courier.hex, courier.vector, courier.speed, courier.facing) == ("0410", "8C", 8, "A")
    # 8C moves on impulses 20, 24, 28, 32 of this turn: four hexes towards C from 0410
    assert [(one.impulse, one.hex) for one in courier.drifts] == [(24, "0611"), (32, "0812")]
    assert [(one.impulse, one.hex) for one in hunter.drifts] == [(24, "2020"), (32, "2019")]
    pair = scene.pairs[0]
    assert (pair.one, pair.other, pair.hexes) == ("C1", "H1", 18)
    assert board.counters[0].sub == "8C, faces A"
    assert (board.header.steps, board.header.step) == (("1-16", "17-32"), 1)


@cases("turn, impulse, revealed, said")
def test_the_moment_in_words(turn: int, impulse: int, revealed: bool, said: str):
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=turn, impulse=impulse)
    state.revealed = revealed
    assert say_now(state) == said
    assert side_board(state, "c").header.step == (None if impulse == 32 or not revealed else impulse // 16)


def test_intervals_are_shown_as_anybody_can_work_them_out():
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=2, impulse=16)
    courier = state.battle.units["C1"]
    courier.accelerated_on, courier.turned_on = 45, 46
    own, other = (ships_table(state, one).rows[0] for one in "ch")
    # thrust on 13 of turn 2, again from 21 on; a turn in mode C on 14, again from 21 on
    assert own[7:9] == other[7:9] == ("21", "21")
    courier.no_thrust_until = 70
    own, other = (ships_table(state, one).rows[0] for one in "ch")
    assert own[8] == "38", "an emergency stop is its owner's business"
    assert other[8] == "21"
    assert own[10] == "no thrust before impulse 38"
    assert other[10] == ""


def test_remarks_tell_what_is_to_be_seen():
    state = duel("C1 courier 0410 8C | H1 hunter 0410 8C")
    state.battle.units["C1"].tumbling = True
    state.battle.units["C1"].weasel = "C1"
    state.battle.units["C1"].launched_from = "C9"
    state.battle.tractors.append(TractorLink(one="H1", other="C1", controller="H1"))
    remarks = [row[10] for row in ships_table(state, "h").rows]
    assert remarks == ["tumbling, wild weasel out, launched by C9, in tractor with H1", "in tractor with C1"]


def test_ranges_are_from_own_ships_and_with_bearings():
    state = duel("C1 courier 0410 8C | H1 hunter 0415 2A | P1 hunter 0610 0")
    assert ranges_table(state, "c").rows == (("C1", "P1", "2", "B+C"), ("C1", "H1", "5", "D"))
    assert {row[:3] for row in ranges_table(state, "h").rows} == {("H1", "C1", "5"), ("H1", "P1", "6")}


class TestNews:
    """What is numbered on a map."""

    def said(self, state: VectorState, side: str | None = None) -> list[str]:
        board = public_board(state) if side is None else side_board(state, side)
        assert board.tactical is not None
        assert [one.fact for one in board.news] == [one.says for one in board.tactical.news]
        return [one.fact for one in board.news]

    def test_of_a_chase(self):
        state = duel("C1 courier 0410 8C | H1 hunter 0415 6C", edge=FarEdge(column=40))
        assert self.said(state)[:2] == ["H1 5 hexes from C1, 2C off its vector", "C1 36 columns from the edge"]
        close = duel("C1 courier 0410 8D | H1 hunter 0420 8A", impulse=0)
        assert self.said(close) == ["H1 10 hexes from C1, 16D off its vector", "C1 and H1 in one hex on impulse 20"]

    def test_the_number_stands_at_the_others_ship_for_beside_ones_own_stands_what_it_does(self):
        state = duel("C1 courier 0410 8C | H1 hunter 0415 6C", edge=FarEdge(column=40))
        for side, place in (("c", "0415"), ("h", "0410"), (None, "0415")):
            board = public_board(state) if side is None else side_board(state, side)
            assert (board.news[0].fact, board.news[0].hexes) == ("H1 5 hexes from C1, 2C off its vector", (place,))

    def test_of_nobody_who_is_yet_to_arrive(self):
        state = duel("C1 courier 0410 8C | H1 hunter 0420 8C | H2 hunter 0412 8C")
        state.battle.units["H2"].waits_for = state.battle.turn + 1
        assert self.said(state, "h") == ["H1 10 hexes from C1, 0 off its vector"]
        state.battle.units["H2"].waits_for = state.battle.turn
        assert self.said(state, "h")[0] == "H2 2 hexes from C1, 0 off its vector"

    def test_of_a_race(self):
        state = duel("L1 racer 0410 0 | M1 racer 0430 0", buoys=("0414", "0505"), line=("0101",))
        assert self.said(state, "l") == ["L1 4 hexes from buoy 1"]
        state.captains["l"].passed["L1"] = 2
        assert self.said(state, "l") == []
        assert self.said(state) == ["M1 16 hexes from buoy 1"]

    def test_of_squadrons(self):
        state = duel("N1 squadron 0410 0 | N2 squadron 0414 0 | N3 squadron 0415 0 | S1 squadron 2020 0")
        assert self.said(state, "n") == ["all of N within 4 hexes of N2"]
        assert self.said(state, "s") == [], "one ship has nobody to gather with"
        two = duel("N1 squadron 0410 0 | N2 squadron 0414 0 | S1 squadron 2020 0")
        assert self.said(two, "n") == ["all of N within 4 hexes of N1"]

    def test_places_that_are_near_are_numbered_once(self):
        state = duel("C1 courier 0410 8C | H1 hunter 0411 8C | P1 hunter 0412 8C")
        assert self.said(state) == ["H1 1 hex from C1, 0 off its vector"]
