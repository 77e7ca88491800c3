"""Vectors, the impulses on which they move, the order of their hexes, and sideslips. CJD1.11 to CJD1.142"""

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.grids.space import STEPS, WAYS, Lattice, lattice_of
from rules_engine.rulebooks.vector.ch1_movement import paths
from rules_engine.rulebooks.vector.ch1_movement.columns import next_step, steps_on
from rules_engine.rulebooks.vector.ch1_movement.slips import slip_objection, slipped_way
from rules_engine.rulebooks.vector.records.vectors import Vector
from tests.expected.kept import cases
from tests.rulebooks.vector.skies import (
    Step,
    after,
    comes_to,
    flown,
    fly,
    judged,
    next_turn,
    plot,
    sky,
    unit,
    vector,
    ways,
)  # fmt: skip


@cases("speed, impulses")
def test_a_speed_moves_on_its_impulses(speed: int, impulses: list[int]):
    assert [one for one in range(1, 33) if steps_on(speed, one)] == impulses
    assert max(steps_on(speed, one) for one in range(1, 33)) <= 1


@pytest.mark.rule("vector", "CJD1.131")
def test_above_32_some_impulses_move_two_hexes():
    assert [one for one in range(1, 33) if steps_on(36, one) == 2] == [8, 16, 24, 32]
    assert all(steps_on(64, one) == 2 for one in range(1, 33))
    assert [steps_on(100, one) for one in (1, 8, 32)] == [3, 4, 4]


@given(st.integers(0, 300))
def test_a_turn_moves_the_whole_speed(speed: int):
    assert sum(steps_on(speed, one) for one in range(1, 33)) == speed


@cases("speed, clock, moves")
def test_the_next_hex(speed: int, clock: int, moves: int):
    assert next_step(speed, clock) == moves


# --- paths -----------------------------------------------------------------------------------------------------------
@cases("case, proves, units, steps, plots", "")
def test_which_paths_and_slips_are_refused(units: str, steps: list[Step], plots: dict[str, Any]):
    battle, _ = flown(units, steps)
    assert comes_to(battle, plots) == plots


@cases("case, proves, units, steps, holds", "")
def test_the_hexes_of_a_turn(units: str, steps: list[Step], holds: dict[str, Any]):
    assert after(units, steps, holds) == holds


@pytest.mark.rule("vector", "CJD1.14")
def test_who_flies_an_order_that_the_text_forbids_is_told_alone():
    happened = fly(sky("H1 h 2020 A 3B+5C"), {"H1": plot(path="BBCBCCCC")})
    told = [one for one in happened if one.what == "refused"]
    assert [(one.impulse, one.rule, one.to) for one in told] == [(4, "CJD1.14", ("h",))]


@cases("moved, last, open_to")
def test_not_twice_running_in_the_element_with_less_left(moved: dict[str, int], last: str, open_to: tuple[str, ...]):
    assert paths.ways_open(vector("3B+5C"), moved, last) == open_to


@cases("order, problem, legal")
def test_a_path_is_of_the_vector(order: str, problem: str, legal: str):
    objection = paths.path_objection(unit("H1 h 2020 A 3B+5C"), order)
    assert objection is not None
    assert problem in objection.problem
    assert objection.legal == legal


@cases("flies, facing, usual")
def test_the_usual_path_begins_with_the_greater_and_takes_turns(flies: str, facing: str, usual: str):
    assert ways(fly(sky(f"H1 h 2020 {facing} {flies}")), "H1") == usual


@pytest.mark.rule("vector", "CJD1.14")
def test_nothing_is_left_of_a_count_that_is_moved():
    ship = unit("H1 h 2020 A 1B")
    paths.move_in(ship, "B")
    with pytest.raises(ValueError, match="empty"):
        paths.usual_way(ship)


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
    assert paths.hexes_left(ship.vector, ship.moved) == {"B": 1, "C": 3}
    happened = fly(battle, {"H1": plot("accelerate 2 on 17")}, 32)
    # 3B+7C, speed 10: 5 hexes from impulse 17 on, begun with the greater element again
    assert ways(happened, "H1") == "CBCBC"
    assert (paths.hexes_left(ship.vector, ship.moved), ship.count_from) == ({"B": 1, "C": 4}, 16)


@pytest.mark.rule("vector", "CJD1.141")
def test_the_last_hex_of_the_old_count_is_forgotten_after_acceleration():
    ship = unit("H1 h 2020 B 2B+5C")
    paths.move_in(ship, "B")
    assert paths.ways_open(ship.vector, ship.moved, ship.last_way) == ("C",)
    paths.restart(ship, 8)
    assert paths.ways_open(ship.vector, ship.moved, ship.last_way) == ("B", "C")
    # and in flight: C and B on 4 and 8, then 4B+5C on 11, where B may follow B
    battle = sky("H1 h 2020 B 3B+5C")
    fly(battle, {"H1": plot("accelerate 1 on 9")}, 9)
    assert judged(battle, "H1", path="BCBCC") == []


@given(st.integers(0, 60), st.integers(0, 60), st.integers(0, 5), st.data())
def test_any_order_that_is_open_moves_the_whole_vector(first: int, second: int, around: int, data: st.DataObject):
    way, after = "ABCDEF"[around], "ABCDEF"[(around + 1) % 6]
    ship = unit(f"H1 h 2020 A {first}{way}+{second}{after}")
    order = ""
    while open_to := paths.ways_open(ship.vector, ship.moved, ship.last_way):
        chosen = data.draw(st.sampled_from(open_to))
        paths.move_in(ship, chosen)
        order += chosen
    assert len(order) == ship.vector.speed
    assert ship.moved == dict(ship.vector.elements)
    assert paths.path_objection(unit(f"H1 h 2020 A {first}{way}+{second}{after}"), order) is None


@given(st.integers(0, 90), st.integers(0, 60), st.integers(0, 5), st.sampled_from("ABCDEF"))
def test_the_hexes_of_a_turn_add_up_to_the_vector(first: int, second: int, around: int, facing: str):
    flies = f"{first}{'ABCDEF'[around]}+{second}{'ABCDEF'[(around + 1) % 6]}"
    battle = sky(f"H1 h 2020 {facing} {flies}")
    fly(battle)
    assert lattice_of(battle.units["H1"].at).plus(lattice_of("2020"), -1) == vector(flies).lattice
    assert len(battle.units["H1"].trail) == first + second + 1


# --- slips -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_leads_60_degrees_off():
    assert [slipped_way("A", hand) for hand in ("left", "right")] == ["F", "B"]


@pytest.mark.rule("vector", "CJD1.142")
def test_a_slip_of_who_is_ready_needs_a_hex_to_move():
    assert slip_objection(unit("H1 h 2020 A 4A slip_ready=True"), 32 + 8) is None


# --- vectors ---------------------------------------------------------------------------------------------------------
elements = st.lists(st.tuples(st.integers(0, 40), st.sampled_from(WAYS)), max_size=6)


@cases("given_as, says, speed")
def test_a_vector_is_hexes_in_one_direction_or_two(given_as: str, says: str, speed: int):
    assert (vector(given_as).says, vector(given_as).speed) == (says, speed)


@cases("given_as, says")
def test_opposites_cancel_and_120_degrees_fold_into_the_middle(given_as: str, says: str):
    assert vector(given_as).says == says


@pytest.mark.rule("vector", "CJD1.111")
@given(elements)
def test_the_order_of_reduction_does_not_matter(parts: list[tuple[int, str]]):
    orders = itertools.islice(itertools.permutations(parts), 24)
    assert len({Vector(says="+".join(f"{n}{way}" for n, way in order) or "0").says for order in orders}) == 1


@pytest.mark.rule("vector", "CJD1.111")
@given(elements)
def test_a_vector_leads_where_its_parts_lead_in_at_most_two_neighbouring_directions(parts: list[tuple[int, str]]):
    made = Vector(says="+".join(f"{n}{way}" for n, way in parts) or "0")
    total = Lattice(0, 0)
    for hexes, way in parts:
        total = total.plus(STEPS[way], hexes)  # type: ignore[index]
    assert made.lattice == total
    assert len(made.elements) <= 2
    assert all(hexes > 0 for hexes in made.elements.values())
    numbers = [WAYS.index(way) for way in made.elements]
    assert len(numbers) < 2 or (numbers[1] - numbers[0]) % 6 == 1
    assert sum(made.elements.values()) == total.length


@pytest.mark.parametrize("text", ["3G", "A", "3A+", "-3A", "999999A", "3a", ""])
def test_what_is_no_vector_is_refused(text: str):
    with pytest.raises(ValidationError):
        vector(text)
