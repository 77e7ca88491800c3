"""What captains, spectators and a referee see of a duel, and what they read before the first order, whole. VM-R38"""

import pytest

from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.vector import RULEBOOK
from rules_engine.rulebooks.vector.records.aims import DuelRules, FarEdge
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions, TractorLink
from rules_engine.rulebooks.vector.shown.boards import omniscient_board, public_board, say_now, side_board
from rules_engine.rulebooks.vector.shown.sides import briefing, ranges_table, ships_table
from rules_engine.rulebooks.vector.shown.units import roster
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.written_texts import compare, spell_rulings


def seen(state: VectorState, side: str | None) -> list[str]:
    board = public_board(state) if side is None else side_board(state, side)
    assert board.tactical is not None
    assert [one.code for one in board.tactical.units] == [one.id for one in board.counters]
    return [one.id for one in board.counters]


def test_before_the_set_up_is_revealed_each_sees_its_own():
    state = opened("ambush", 3)
    assert (seen(state, "raiders"), seen(state, "traders"), seen(state, None)) == (["R1", "R2"], ["T1", "T2"], [])
    state.revealed, state.battle.turn = True, 1
    assert seen(state, "raiders") == ["T1", "T2", "R1", "R2", "W1"], "late ships are their owner's to see"
    assert seen(state, None) == ["T1", "T2", "R1", "W1"]
    state.battle.turn = 2
    assert (seen(state, None), len(omniscient_board(state).counters)) == (["T1", "T2", "R1", "R2", "W1"], 6)


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
    board = side_board(duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=2, impulse=16), "c")
    scene = board.tactical
    assert scene is not None
    courier, hunter = scene.units
    assert (courier.hex, courier.vector, courier.speed, courier.facing) == ("0410", "8C", 8, "A")
    # 8C moves on impulses 20, 24, 28, 32 of this turn: four hexes towards C from 0410
    assert [(one.impulse, one.hex) for one in courier.drifts] == [(24, "0611"), (32, "0812")]
    assert [(one.impulse, one.hex) for one in hunter.drifts] == [(24, "2020"), (32, "2019")]
    pair = scene.pairs[0]
    assert (pair.one, pair.other, pair.hexes) == ("C1", "H1", 18)
    assert (board.counters[0].sub, board.header.steps, board.header.step) == ("8C, faces A", ("1-16", "17-32"), 1)


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
            assert board.tactical is not None
            assert board.tactical.news[0].codes == (("C1", "H1") if side == "h" else ("H1", "C1"))

    def test_of_nobody_who_is_yet_to_arrive(self):
        state = duel("C1 courier 0410 8C | H1 hunter 0420 8C | H2 hunter 0412 8C")
        state.battle.units["H2"].waits_for = state.battle.turn + 1
        assert self.said(state, "h") == ["H1 10 hexes from C1, 0 off its vector"]
        state.battle.units["H2"].waits_for = state.battle.turn
        assert self.said(state, "h")[0] == "H2 2 hexes from C1, 0 off its vector"
        # whoever comes on turn 1 is there as soon as the battle begins
        state.battle.turn, state.battle.impulse, state.battle.units["H2"].waits_for = 0, 0, 1
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


# --- whole boards ----------------------------------------------------------------------------------------------------
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
    assert [(one.hex, one.terrain, one.name) for one in board.hexes] == kept("#2")
    assert (board.heading, board.header.scenario, board.header.turn, board.header.day) == kept()
    nameless = courier()
    nameless.battle.terrain = [one.with_values(name="") for one in nameless.battle.terrain]
    assert public_board(nameless).hexes == ()


def test_counters_say_what_they_are():
    first, second = public_board(courier()).counters
    assert (first.id, first.hex, first.owner, first.label, first.sub, first.details, first.ships) == (
        "C1", "0625", "courier", "C1", "6B, faces B", ("Quicksilver, COURIER",), 1,
    )  # fmt: skip
    assert (second.sub, second.details) == ("6C, faces C", ("Vigilant, CUTTER",))


def test_who_comes_close_to_whom_is_told_by_turn_and_impulse():
    """Two hexes apart at the end of a turn: 4A and 4D meet on the way of the next."""
    state = duel("C1 courier 0420 4A | H1 hunter 0412 4D", turn=2, impulse=32)
    (met,) = [one for one in public_board(state).news if "on turn" in one.fact]
    assert (met.fact, met.title, met.hexes) == ("C1 and H1 in one hex on turn 3, impulse 32", "C1 in 0420", ("0420",))
    (near,) = public_board(duel("L1 racer 0420 4A | M1 racer 0612 4D", turn=2, impulse=16)).news
    assert near.fact == "L1 and M1 5 hexes apart on impulse 32"
    assert public_board(duel("L1 racer 0420 4D | M1 racer 0612 4A", turn=2, impulse=16)).news == ()


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


@cases("turn, impulse, thrust, shown")
def test_how_long_thrust_must_wait(turn: int, impulse: int, thrust: int, shown: str):
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=turn, impulse=impulse)
    state.battle.units["C1"].accelerated_on = thrust
    assert ships_table(state, "h").rows[0][8] == shown


def test_a_pause_after_a_stop_is_told_until_it_is_over():
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A", turn=1, impulse=16)
    for until, told in ((16, ""), (18, "no thrust before impulse 18")):
        state.battle.units["C1"].no_thrust_until = until
        assert ships_table(state, "c").rows[0][10] == told


# --- briefings -------------------------------------------------------------------------------------------------------
@cases("name, side, objective, victory, length")
def test_what_a_captain_is_to_reach(name: str, side: str, objective: str, victory: tuple[str, ...], length: str):
    found = briefing(opened(name), side)
    assert (found.objective, found.victory, found.length) == (objective, victory, length)


def test_figures_are_those_of_the_scenario(kept: Kept):
    rules = DuelRules(match_range=3, match_speed=0, match_before=0, pass_range=2)
    edge = FarEdge(column=-4, leads="left")
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A | L1 racer 0410 0", rules=rules, edge=edge)
    assert briefing(state, "h").victory == kept()
    assert briefing(state, "l").victory[0] == "A buoy is passed within 2 hexes, in the order of the numbers"


@cases("pieces, said")
def test_how_often_a_captain_plots(pieces: int, said: str):
    state = duel("C1 courier 0410 8C | H1 hunter 2020 2A")
    state.battle.options = TacticalOptions.model_validate({"pieces": pieces})
    assert briefing(state, "c").to_know == (
        "Your ships keep their vectors; a stop takes a turn about and as much thrust again.",
        said,
        "All see where ships are, how they face and move; nobody sees plots, energy or conditions.",
    )
    assert briefing(state, "c").forces == ("C1 Ship C1 at 0410, faces A, 8C, speed 8",)


def test_tables_have_their_columns_and_notes(kept: Kept):
    """8C moves on every fourth impulse: after 16 of 32 four more hexes towards C are to come."""
    state = duel("C1 courier 0410 8C | H1 hunter 0410 0")
    ships, ranges = ships_table(state, "c"), ranges_table(state, "c")
    assert (ships.title, ships.note) == kept("(ships.title, ships.note)")
    assert dict(zip(ships.columns, ships.rows[0], strict=True)) == kept("#3")
    assert (ranges.title, ranges.columns, ranges.note) == kept("#2")
    assert ranges.rows == (("C1", "H1", "0", "here"),)


def test_who_arrives_later_is_told_so_in_the_own_table_alone():
    state = opened("ambush", 2)
    state.revealed, state.battle.turn = True, 1
    own, other = (ships_table(state, one) for one in ("raiders", "traders"))
    assert [row[10] for row in own.rows if row[0] == "R2"] == ["arrives on turn 2"]
    assert [row[0] for row in other.rows] == ["T1", "T2", "R1"]
    state.battle.turn = 2
    assert [row[10] for row in ships_table(state, "raiders").rows if row[0] == "R2"] == [""]


# --- texts of rulings ------------------------------------------------------------------------------------------------
def test_rulings_on_the_book(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(RULEBOOK.rulings))
