"""What a captain is told before the first order, and what stands over its tables: whole, for every word counts."""

from rules_engine.rulebooks.vector.records.aims import DuelRules, FarEdge
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.shown.sides import briefing, ranges_table, ships_table
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duels import duel
from tests.rulebooks.vector.scenarios import opened

SAVED = "Couriers win who save half their ships; else the hunters who caught most"


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
    assert dict(zip(ships.columns, ships.rows[0], strict=True)) == {
        "Ship": "C1",
        "Name": "Ship C1",
        "Hex": "0410",
        "Facing": "A",
        "Vector": "8C",
        "Speed": "8",
        "End if it coasts": "0812",
        "Turns on": "at once",
        "Accelerates on": "at once",
        "Energy left": "none",
        "Remarks": "",
    }
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
