"""What is reached at the end of an impulse. VM-N20 to VM-N24, worked out by hand on the sheet: columns rise to the
right, rows downwards, and even columns stand half a hex lower."""

from collections.abc import Mapping, Sequence

import pytest

from rules_engine.rulebooks.vector.campaign.deeds import Watcher, judge_impulse, yet_to_come
from rules_engine.rulebooks.vector.campaign.matching import are_matched, relative_speed
from rules_engine.rulebooks.vector.records.aims import EDGE, DuelRules, FarEdge
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.rulebooks.vector.duels import duel

RULES = DuelRules()


def deeds(state: object, entered: Mapping[str, Sequence[str]] | None = None) -> list[tuple[str, str, str]]:
    return [(one.what, one.unit, one.other) for one in judge_impulse(state, entered or {})]  # pyright: ignore[reportArgumentType]


def test_who_arrives_on_this_turn_is_there():
    state = duel("C1 courier 0410 8C | H1 hunter 0910 8C")
    unit = state.battle.units["H1"]
    for waits_for, to_come in ((state.battle.turn, []), (state.battle.turn + 1, ["H1"])):
        unit.waits_for = waits_for
        assert [one.id for one in yet_to_come(state, unit.side)] == to_come


@pytest.mark.parametrize(
    ("one", "other", "speed"),
    [
        ("0", "0", 0),
        ("6A", "6A", 0),
        ("6A", "4A", 2),
        ("6A", "6D", 12),
        ("6A", "6B", 6),
        ("3A+3B", "6A", 3),
        ("2C", "2E", 4),
    ],
)
def test_relative_speed_is_the_length_of_what_parts_two_vectors(one: str, other: str, speed: int):
    assert relative_speed(Vector(says=one), Vector(says=other)) == speed
    assert relative_speed(Vector(says=other), Vector(says=one)) == speed


@pytest.mark.parametrize(
    ("at", "vector", "matched"),
    [
        ("0410", "8C", True),
        ("0409", "8C", True),
        ("0511", "8C", True),
        ("0408", "8C", False),
        ("0612", "8C", False),
        ("0409", "10C", True),
        ("0409", "8C+2D", True),
        ("0409", "11C", False),
        ("0409", "6C+2D", True),
        ("0409", "5C+3D", False),
    ],
)
def test_who_is_within_a_hex_and_two_of_the_vector_matches(at: str, vector: str, matched: bool):
    state = duel(f"C1 courier 0410 8C | H1 hunter {at} {vector}")
    units = state.battle.units
    assert are_matched(units["C1"], units["H1"], RULES) is matched
    assert (deeds(state) == [("caught", "C1", "H1")]) is matched
    assert (units["C1"].out == "caught") is matched


def test_nobody_is_caught_from_turn_12_on():
    assert deeds(duel("C1 courier 0410 8C | H1 hunter 0410 8C", turn=11)) == [("caught", "C1", "H1")]
    assert deeds(duel("C1 courier 0410 8C | H1 hunter 0410 8C", turn=12)) == []
    late = DuelRules(match_before=0)
    assert deeds(duel("C1 courier 0410 8C | H1 hunter 0410 8C", turn=12, rules=late)) == [("caught", "C1", "H1")]


def test_all_who_match_a_courier_have_caught_it():
    state = duel("C1 courier 0410 8C | H1 hunter 0409 8C | P1 hunter 0411 9C | G1 hunter 0420 8C")
    assert deeds(state) == [("caught", "C1", "H1 and P1")]
    assert [state.captains[key].caught for key in "hpg"] == [["C1"], ["C1"], []]


@pytest.mark.parametrize("out", ["destroyed", "caught", "left"])
def test_a_ship_that_is_out_of_play_neither_catches_nor_is_caught(out: str):
    assert deeds(duel(f"C1 courier 0410 8C out:{out} | H1 hunter 0410 8C")) == []
    assert deeds(duel(f"C1 courier 0410 8C | H1 hunter 0410 8C out:{out}")) == []
    assert deeds(duel("C1 courier 0410 8C | H1 hunter 0410 8C from:2")) == []


def test_weapons_and_shuttles_catch_nobody():
    state = duel("C1 courier 0410 8C | H1 hunter 0410 8C")
    hunter = state.battle.units["H1"]
    hunter.figures = hunter.figures.with_values(form="drone")
    assert deeds(state) == []
    hunter.figures = hunter.figures.with_values(form="PF")
    assert deeds(state) == [("caught", "C1", "H1")]


@pytest.mark.parametrize(("at", "away"), [("3915", False), ("4015", True), ("4115", True), ("40.-3", True)])
def test_a_courier_at_the_edge_or_beyond_it_is_away(at: str, away: bool):
    state = duel(f"C1 courier {at} 20C | H1 hunter 0101 0", edge=FarEdge(column=40))
    assert (deeds(state) == [("away", "C1", "")]) is away
    assert (state.battle.units["C1"].out, state.captains["c"].away) == (("left the map", ["C1"]) if away else ("", []))


def test_an_edge_may_lie_to_the_left():
    edge = FarEdge(column=3, leads="left")
    assert deeds(duel("C1 courier 0415 20F | H1 hunter 4001 0", edge=edge)) == []
    assert deeds(duel("C1 courier 0315 20F | H1 hunter 4001 0", edge=edge)) == [("away", "C1", "")]


def test_hunters_do_not_leave_by_the_edge():
    assert deeds(duel("C1 courier 0101 0 | H1 hunter 4501 0", edge=FarEdge(column=40))) == []


def test_who_is_over_the_edge_is_away_before_anybody_is_caught():
    state = duel("C1 courier 4015 20C | H1 hunter 4015 20C", edge=FarEdge(column=40))
    assert deeds(state) == [("away", "C1", "")]


def test_a_courier_that_has_passed_all_buoys_is_away():
    state = duel("C1 courier 0430 9D | H1 hunter 2020 0", buoys=("0410", "0430"))
    assert deeds(state, {"C1": ["0410"]}) == [("passed", "C1", "")]
    assert deeds(state, {"C1": ["0430"]}) == [("passed", "C1", ""), ("away", "C1", "")]


class TestBuoys:
    """A race round 0410 and 0420."""

    def test_buoys_are_passed_within_a_hex_and_in_their_order(self):
        state = duel("L1 racer 0415 4D | M1 racer 2020 0", buoys=("0410", "0420"), line=("0430",))
        assert deeds(state, {"L1": ["0420"]}) == [], "the first comes first"
        assert deeds(state, {"L1": ["0412"]}) == [], "two hexes are too far"
        assert deeds(state, {"L1": ["0411"]}) == [("passed", "L1", "")]
        assert deeds(state, {"L1": ["0411", "0410"]}) == [], "it is passed once"
        assert deeds(state, {"L1": ["0421", "0422"]}) == [("passed", "L1", "")]
        assert state.captains["l"].passed == {"L1": 2}

    def test_two_buoys_may_be_passed_in_one_hex(self):
        state = duel("L1 racer 0415 4D | M1 racer 2020 0", buoys=("0410", "0411"), line=("0430",))
        assert deeds(state, {"L1": ["0410"]}) == [("passed", "L1", ""), ("passed", "L1", "")]

    def test_the_line_counts_after_the_last_buoy(self):
        state = duel("L1 racer 0415 4D | M1 racer 2020 0", buoys=("0410",), line=("0430", "0530"), turn=2, impulse=5)
        assert deeds(state, {"L1": ["0430"]}) == []
        assert deeds(state, {"L1": ["0410"]}) == [("passed", "L1", "")]
        assert deeds(state, {"L1": ["0530"]}) == [("crossed", "L1", "")]
        assert state.captains["l"].done_on == 37
        assert deeds(state, {"L1": ["0430"]}) == [], "a captain is home once"

    def test_the_far_edge_is_no_line_of_a_race(self):
        state = duel("L1 racer 0415 4D | M1 racer 2020 0")
        state.battle.terrain.append(TacticalTerrain(id=EDGE, kind="line", hexes=("0430",)))
        assert deeds(state, {"L1": ["0430"]}) == []


class TestSquadrons:
    """Three ships and more that must gather."""

    def test_all_match_one_of_them(self):
        assert deeds(duel("N1 squadron 0410 5C | N2 squadron 0409 5C | N3 squadron 0411 6C")) == [
            ("gathered", "N1", "")
        ]

    def test_two_that_match_a_third_need_not_match_each_other(self):
        state = duel("N1 squadron 0410 5C | N2 squadron 0409 7C | N3 squadron 0411 3C")
        assert not are_matched(state.battle.units["N2"], state.battle.units["N3"], RULES)
        assert deeds(state) == [("gathered", "N1", "")]

    @pytest.mark.parametrize("third", ["0412 5C", "0411 8C", "0411 5C from:2"])
    def test_one_that_is_missing_is_waited_for(self, third: str):
        assert deeds(duel(f"N1 squadron 0410 5C | N2 squadron 0409 5C | N3 squadron {third}")) == []

    def test_one_that_is_lost_is_not(self):
        state = duel("N1 squadron 0410 5C | N2 squadron 0409 5C | N3 squadron 0430 5C out:destroyed", turn=3, impulse=8)
        assert deeds(state) == [("gathered", "N1", "")]
        assert state.captains["n"].done_on == 72

    def test_one_alone_is_no_squadron(self):
        assert deeds(duel("N1 squadron 0410 5C | N2 squadron 0409 5C out:destroyed")) == []


def test_a_watcher_looks_at_the_hexes_that_were_entered_in_each_impulse_alone():
    state = duel("L1 racer 0412 4D | M1 racer 2020 0", buoys=("0410",), line=("0430",))
    state.battle.units["L1"].trail = ["0410", "0411", "0412"]
    watcher = Watcher(state)
    watcher(state.battle)
    assert watcher.deeds == [], "0410 was entered before this piece"
    state.battle.impulse = 17
    state.battle.units["L1"].trail += ["0411"]
    watcher(state.battle)
    state.battle.impulse = 18
    watcher(state.battle)
    assert [(one.what, one.impulse, one.number) for one in watcher.deeds] == [("passed", 17, 1)]
