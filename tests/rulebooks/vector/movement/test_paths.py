"""The order in which a vector is moved. CJD1.14, CJD1.141"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.grids.space import lattice_of
from rules_engine.rulebooks.vector.ch1_movement.paths import (
    hexes_left,
    move_in,
    path_objection,
    restart,
    usual_way,
    ways_open,
)
from tests.expected.kept import cases
from tests.rulebooks.vector.skies import fly, judged, next_turn, plot, sky, unit, vector, ways


@pytest.mark.rule("vector", "CJD1.14")
@pytest.mark.parametrize("order", ["CCCBCBCB", "BCBCBCCC", "BCCCCBBC"])
def test_the_orders_that_the_text_allows(order: str):
    assert path_objection(unit("H1 h 2020 A 3B+5C"), order) is None
    battle = sky("H1 h 2020 A 3B+5C")
    assert judged(battle, "H1", path=order) == []
    assert ways(fly(battle, {"H1": plot(path=order)}), "H1") == order


@pytest.mark.rule("vector", "CJD1.14")
def test_the_order_that_the_text_forbids_is_refused_at_its_second_move():
    objection = path_objection(unit("H1 h 2020 A 3B+5C"), "BBCBCCCC")
    assert objection is not None
    assert (objection.rule, objection.legal) == ("CJD1.14", "C as move 2")
    assert "move 2 of the path goes twice running to B" in objection.problem
    battle = sky("H1 h 2020 A 3B+5C")
    assert judged(battle, "H1", path="BBCBCCCC") == [(None, "CJD1.14", 0)]
    # flown all the same, it is dropped, its captain is told, and the usual path is taken
    happened = fly(battle, {"H1": plot(path="BBCBCCCC")})
    told = [one for one in happened if one.what == "refused"]
    assert [(one.impulse, one.rule, one.to) for one in told] == [(4, "CJD1.14", ("h",))]
    assert ways(happened, "H1") == "CBCBCBCC"


@pytest.mark.rule("vector", "CJD1.14")
@pytest.mark.parametrize(
    ("moved", "last", "open_to"),
    [
        ({}, "", ("B", "C")),
        ({"B": 1}, "B", ("C",)),
        ({"C": 2}, "C", ("B", "C")),  # 3 and 3: equal is allowed
        ({"C": 3}, "C", ("B",)),
        ({"B": 3, "C": 1}, "C", ("C",)),  # nothing is left of the other
        ({"B": 3}, "B", ("C",)),
        ({"B": 3, "C": 5}, "C", ()),
    ],
)
def test_not_twice_running_in_the_element_with_less_left(moved: dict[str, int], last: str, open_to: tuple[str, ...]):
    assert ways_open(vector("3B+5C"), moved, last) == open_to


@pytest.mark.rule("vector", "CJD1.14")
@cases("order, problem, legal")
def test_a_path_is_of_the_vector(order: str, problem: str, legal: str):
    objection = path_objection(unit("H1 h 2020 A 3B+5C"), order)
    assert objection is not None
    assert problem in objection.problem
    assert objection.legal == legal


@pytest.mark.rule("vector", "CJD1.14")
@pytest.mark.parametrize(
    ("flies", "facing", "usual"),
    [
        ("3B+5C", "A", "CBCBCBCC"),
        ("2A+2B", "B", "BABA"),
        ("2A+2B", "F", "ABAB"),
        ("2A+2B", "D", "BABA"),  # B is 120 degrees off the bow, A 180
        ("4D", "A", "DDDD"),
        ("1F+3A", "C", "AFAA"),
    ],
)
def test_the_usual_path_begins_with_the_greater_and_takes_turns(flies: str, facing: str, usual: str):
    assert ways(fly(sky(f"H1 h 2020 {facing} {flies}")), "H1") == usual


@pytest.mark.rule("vector", "CJD1.14")
def test_nothing_is_left_of_a_count_that_is_moved():
    ship = unit("H1 h 2020 A 1B")
    move_in(ship, "B")
    with pytest.raises(ValueError, match="empty"):
        usual_way(ship)


@pytest.mark.rule("vector", "CJD1.14")
def test_one_direction_is_the_first_to_move_in_each_count_of_the_piece():
    battle = sky("H1 h 2020 B 3B+5C")
    happened = fly(battle, {"H1": plot("accelerate 4 on 9", path="B")})
    # 3B+5C moves on 4 and 8; then 7B+5C from 9 on, on 11, 14, 16, …: B first, though the count is new
    assert battle.units["H1"].vector.says == "7B+5C"
    assert ways(happened, "H1")[:5] == "BCBCB"
    # and B first also where more is to move towards C
    other = sky("H1 h 2020 C 3B+5C")
    assert ways(fly(other, {"H1": plot("accelerate 4 on 9", path="B")}), "H1")[:4] == "BCBC"
    assert other.units["H1"].vector.says == "3B+9C"
    assert judged(sky("H1 h 2020 B 3B+5C"), "H1", path="E") == [(None, "CJD1.14", 0)]


@pytest.mark.rule("vector", "CJD1.14")
def test_a_path_is_kept_over_the_pieces_of_a_turn_but_not_over_its_end():
    battle = sky("H1 h 2020 A 3B+5C")
    first = fly(battle, {"H1": plot(path="BCCCCBBC")}, 16)
    second = fly(battle, {}, 32)
    assert ways(first, "H1") + ways(second, "H1") == "BCCCCBBC"
    next_turn(battle)
    fly(battle, {"H1": plot(path="BCCCCBBC")}, 16)
    battle.impulse = 32
    next_turn(battle)
    assert ways(fly(battle), "H1") == "CBCBCBCC"


@pytest.mark.rule("vector", "CJD1.141")
def test_acceleration_begins_the_count_anew_with_the_whole_vector():
    battle = sky("H1 h 2020 C 3B+5C")
    fly(battle, {}, 16)
    ship = battle.units["H1"]
    assert hexes_left(ship.vector, ship.moved) == {"B": 1, "C": 3}
    happened = fly(battle, {"H1": plot("accelerate 2 on 17")}, 32)
    # 3B+7C, speed 10: 5 hexes from impulse 17 on, begun with the greater element again
    assert ways(happened, "H1") == "CBCBC"
    assert hexes_left(ship.vector, ship.moved) == {"B": 1, "C": 4}
    assert ship.count_from == 16


@pytest.mark.rule("vector", "CJD1.141")
def test_the_last_hex_of_the_old_count_is_forgotten_after_acceleration():
    ship = unit("H1 h 2020 B 2B+5C")
    move_in(ship, "B")
    assert ways_open(ship.vector, ship.moved, ship.last_way) == ("C",)
    restart(ship, 8)
    assert ways_open(ship.vector, ship.moved, ship.last_way) == ("B", "C")
    # and in flight: C and B on 4 and 8, then 4B+5C on 11, where B may follow B
    battle = sky("H1 h 2020 B 3B+5C")
    fly(battle, {"H1": plot("accelerate 1 on 9")}, 9)
    assert judged(battle, "H1", path="BCBCC") == []


@pytest.mark.rule("vector", "CJD1.141")
def test_a_path_given_for_the_first_hex_holds_after_an_acceleration_before_it():
    battle = sky("H1 h 2020 B 3B+5C")
    assert judged(battle, "H1", "accelerate 2 on 1", path="BCBCBCBCBC") == []
    happened = fly(battle, {"H1": plot("accelerate 2 on 1", path="BCBCBCBCBC")})
    assert ways(happened, "H1") == "BCBCBCBCBC"
    # one given for hexes that were moved before is forgotten with the rest
    battle = sky("H1 h 2020 B 3B+5C")
    happened = fly(battle, {"H1": plot("accelerate 2 on 9", path="BCCCCBBC")})
    assert ways(happened, "H1")[:2] == "BC"
    assert ways(happened, "H1")[2:4] == "BC"  # 5B+5C: the one nearer to the bow first


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5), st.data())
def test_any_order_that_is_open_moves_the_whole_vector(first: int, second: int, around: int, data: st.DataObject):
    way, after = "ABCDEF"[around], "ABCDEF"[(around + 1) % 6]
    ship = unit(f"H1 h 2020 A {first}{way}+{second}{after}")
    order = ""
    while open_to := ways_open(ship.vector, ship.moved, ship.last_way):
        chosen = data.draw(st.sampled_from(open_to))
        move_in(ship, chosen)
        order += chosen
    assert len(order) == ship.vector.speed
    assert ship.moved == dict(ship.vector.elements)
    fresh = unit(f"H1 h 2020 A {first}{way}+{second}{after}")
    assert path_objection(fresh, order) is None


@given(st.integers(0, 90), st.integers(0, 60), st.integers(0, 5), st.sampled_from("ABCDEF"))
def test_the_hexes_of_a_turn_add_up_to_the_vector(first: int, second: int, around: int, facing: str):
    flies = f"{first}{'ABCDEF'[around]}+{second}{'ABCDEF'[(around + 1) % 6]}"
    battle = sky(f"H1 h 2020 {facing} {flies}")
    fly(battle)
    moved = lattice_of(battle.units["H1"].at).plus(lattice_of("2020"), -1)
    assert moved == vector(flies).lattice
    assert len(battle.units["H1"].trail) == first + second + 1
