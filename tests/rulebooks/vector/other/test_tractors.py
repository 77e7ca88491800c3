"""Tractors. CJD1.55, CJD1.551"""

import pytest

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch5_other.tractors import pair_vector
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.coasting import drifts
from rules_engine.rulebooks.vector.tracker.flying import end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from rules_engine.rulebooks.vector.tracker.towing import catch, catch_objection, release
from tests.rulebooks.vector.skies import Loaded, fly, judged, next_turn, plot, sky, unit, vector, ways, what

LINES = "H1 h 2020 A 8A\nC1 c 2021 D 4B move_cost=1/2\nC2 c 2525 D 0"


def held(mine: int = 20, *, literal: bool = False) -> Tactical:
    """A battle in which H1 has caught C1."""
    battle = sky(LINES, tractor_literal=literal)
    catch(battle, "H1", "C1", {"H1": mine, "C1": 10}, Loaded())
    return battle


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize(
    ("one", "other", "costs", "literal", "common"),
    [
        ("8A", "4B", ("1", "1"), False, "4A+2B"),
        ("8A", "4B", ("1", "1"), True, "8A+4B"),
        ("8A", "4B", ("1", "1/2"), False, "5A+1B"),  # (8A + 2B) / 1.5
        ("8A", "4B", ("1", "1/2"), True, "8A+2B"),
        ("9A", "9A", ("1", "1"), False, "9A"),
        ("9A", "8D", ("1", "1"), False, "0"),  # 1A / 2 rounded down
        ("9A", "6C", ("1", "1"), False, "1A+3B"),  # 3A+6B / 2
        ("7A", "3A", ("5/4", "2/3"), False, "5A"),  # 129/12 over 23/12
        ("0", "0", ("1", "1"), False, "0"),
        ("5A", "4B", ("1/2", "1/2"), True, "2A+2B"),
    ],
)
def test_the_common_vector(one: str, other: str, costs: tuple[str, str], literal: bool, common: str):
    units = unit(f"H1 h 2020 A {one} move_cost={costs[0]}"), unit(f"C1 c 2021 D {other} move_cost={costs[1]}")
    assert pair_vector(*units, literal=literal).says == common


@pytest.mark.rule("vector", "CJD1.55")
def test_both_have_it_at_once_and_keep_it_when_let_go():
    battle = sky(LINES)
    fly(battle, {}, 16)
    happened = catch(battle, "H1", "C1", {"H1": 20, "C1": 10}, Loaded())
    assert [(one.what, one.unit, one.other, one.to) for one in happened] == [
        ("caught", "C1", "H1", ()),
        ("controls", "H1", "C1", ()),
    ]
    first, second = battle.units["H1"], battle.units["C1"]
    assert (first.vector.says, second.vector.says) == ("5A+1B", "5A+1B")
    assert (first.moved, second.moved) == ({}, {})
    assert (first.count_from, second.count_from) == (16, 16)
    assert [one.what for one in release(battle, "C1")] == ["released"]
    assert release(battle, "C1") == []
    assert (first.vector.says, second.vector.says) == ("5A+1B", "5A+1B")
    literal = held(literal=True)
    assert literal.units["C1"].vector.says == "8A+2B"


@pytest.mark.rule("vector", "CJD1.551")
def test_who_applies_more_power_controls_both():
    battle = held()
    assert battle.tractors[0].controller == "H1"
    for event in ("accelerate 2 on 3", "reverse 2 on 3", "slip left on 6"):
        assert judged(battle, "C1", event) == [(0, "CJD1.551", 0)]
    assert judged(battle, "C1", path="A") == [(None, "CJD1.551", 0)]
    assert judged(battle, "C1", "turn left on 3") == []
    # A and B by H1's plot; C1 moves as H1 does, though its own usual path would begin with A
    happened = fly(battle, {"H1": plot(path="BAAAAA"), "C1": plot(path="AABAAA")})
    assert (ways(happened, "H1"), ways(happened, "C1")) == ("BAAAAA", "BAAAAA")
    assert held(mine=5).tractors[0].controller == "C1"


@pytest.mark.rule("vector", "CJD1.551")
@pytest.mark.parametrize(("rolled", "controls"), [(1, "H1"), (3, "H1"), (4, "C1"), (6, "C1")])
def test_a_tie_is_decided_by_a_die_and_then_alternates(rolled: int, controls: str):
    battle = sky(LINES)
    happened = catch(battle, "H1", "C1", {"H1": 10, "C1": 10}, Loaded(rolled))
    assert [one.total for one in happened[1].dice] == [rolled]
    assert battle.tractors[0].controller == controls
    fly(battle)
    assert [(one.what, one.unit) for one in next_turn(battle)] == [("controls", "C1" if controls == "H1" else "H1")]
    assert battle.tractors[0].controller != controls
    fly(battle)
    next_turn(battle)
    assert battle.tractors[0].controller == controls


@pytest.mark.rule("vector", "CJD1.551")
def test_without_a_tie_nothing_alternates():
    battle = held()
    fly(battle)
    assert end_turn(battle) == []
    assert battle.tractors[0].controller == "H1"


@pytest.mark.rule("vector", "CJD1.55")
def test_the_controller_accelerates_both_and_pays_for_both():
    battle = held()
    # both move costs are 3/2 of its own: 4 hexes take 8 points times 3/2
    found = foresee(battle, "H1", plot("accelerate 4 on 3"), 32)
    assert (found.defects, found.spent, found.vector) == ((), Bill(warp=12), "9A+1B")
    # 15 points each 3 make 10 hexes, and the point of impulse power one more
    assert judged(battle, "H1", "accelerate 12 on 3") == [(0, "CJD1:313", 0)]
    assert judged(battle, "H1", "accelerate 11 on 3") == []
    happened = fly(battle, {"H1": plot("accelerate 4 on 3")}, 3)
    assert what(happened) == [(3, "H1", "accelerated"), (3, "C1", "accelerated")]
    assert {battle.units[one].vector.says for one in ("H1", "C1")} == {"9A+1B"}
    release(battle, "H1")
    assert judged(battle, "C1", "accelerate 1 on 5") == [(0, "CJD1.32", 11)]
    assert foresee(battle, "H1", plot("accelerate 1 on 11"), 32).spent == Bill(warp=2)


@pytest.mark.rule("vector", "CJD1.55", "CJD1.551")
def test_who_is_held_is_foreseen_to_coast_with_its_controller():
    battle = held()
    battle.units["H1"].path = "BAAAAA"
    course = drifts(battle, battle.units["C1"])
    flown = held()
    flown.units["H1"].path = "BAAAAA"
    for impulse in range(1, 33):
        fly(flown, {}, impulse)
        assert flown.units["C1"].at == course[impulse]


@pytest.mark.rule("vector", "CJD1.55")
def test_what_cannot_be_held():
    battle = held()
    battle.units["C2"].waits_for = 4
    for one, other, absent in (("C2", "H1", "C2"), ("X1", "H1", "X1"), ("C2", "C2", "C2")):
        objection = catch_objection(battle, one, other)
        assert objection == (f"{absent} is not in play", "CJD1.55", "units in play", 0)
    battle.units["C2"].waits_for = 0
    for one, other, problem, legal in (
        ("C2", "C1", "C1 is in a tractor already", "one tractor for each unit"),
        ("H1", "C2", "H1 is in a tractor already", "one tractor for each unit"),
        ("C2", "C2", "a unit does not hold itself", "two units"),
    ):
        assert catch_objection(battle, one, other) == (problem, "CJD1.55", legal, 0)
        with pytest.raises(ValueError, match=r"tractor|itself"):
            catch(battle, one, other, {}, Loaded())
    assert len(battle.tractors) == 1


@pytest.mark.rule("vector", "CJD1.55")
def test_a_tractor_ends_with_its_units():
    battle = held()
    battle.units["H1"].out = "destroyed"
    fly(battle, {"C1": plot("accelerate 1 on 1")}, 1)
    assert battle.tractors == []
    assert battle.units["C1"].vector.says == "4A+1B"


@pytest.mark.rule("vector", "CJD1.55")
def test_who_was_held_flies_on_when_its_controller_leaves_play_in_mid_piece():
    battle = held()

    def after(battle: Tactical) -> None:
        if battle.impulse == 6:
            battle.units["H1"].out = "left the map"

    happened = fly_piece(battle, {}, 32, Loaded(), after_impulse=after)
    assert ways(happened, "H1") == "A"
    assert ways(happened, "C1") == "ABAAAA"


@pytest.mark.rule("vector", "CJD1.55", "CJD1.61")
def test_friction_slows_both_alike():
    battle = held()
    battle.options = battle.options.with_values(friction=True)
    first, second = battle.units["H1"], battle.units["C1"]
    first.vector = second.vector = vector("4A+4B")
    # H1 faces A, and loses of B; C1 faces D, and would lose of A
    fly(battle)
    end_turn(battle)
    assert (first.vector.says, second.vector.says) == ("4A+3B", "4A+3B")
    first.out, second.vector = "disengaged", vector("4A+4B")
    end_turn(battle)
    assert (second.vector.says, battle.tractors) == ("3A+4B", [])


@pytest.mark.rule("vector", "CJD1.551")
def test_who_is_held_is_told_who_decides():
    battle = held()
    (defect,) = foresee(battle, "C1", plot("accelerate 1 on 1"), 32).defects
    assert str(defect.refusal) == (
        "C1: H1 controls the movement of both in the tractor (CJD1.551). Legal: a plot for H1, or a turn."
    )
    assert foresee(battle, "C1", plot("turn left on 1"), 32).defects == ()
