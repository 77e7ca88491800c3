"""The order of a sweep: breadth first over books and kinds, the same for the same seed."""

from itertools import islice
from typing import Any, cast

from tests.sweep.cases import SEEDS, Case, Drawing, Group, fits, keyed, seed_of_round

PLAY, SECRECY, THOROUGH = Group("cutler", "play"), Group("pq17", "secrecy"), Group("bot", "thorough")


def case(group: Group, function: str, number: int, takes: str = "parameter") -> Case:
    return Case(cast("Any", None), f"{function}[{number}-SEED]", group, takes)


MANY = [case(PLAY, function, number) for function in ("a", "b") for number in range(20)]
FEW = [case(SECRECY, "c", 1), *(case(THOROUGH, "d", number, "") for number in range(3))]


def test_each_group_has_one_turn_a_round_however_many_cases_it_has() -> None:
    turns = list(islice(Drawing([*MANY, *FEW], 5).turns(), 9))
    assert [turn.round for turn in turns] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    for number in (1, 2, 3):
        assert {turn.case.group for turn in turns if turn.round == number} == {PLAY, SECRECY, THOROUGH}


def test_what_takes_a_seed_comes_before_what_takes_none_in_each_round_and_in_each_group() -> None:
    fixed = [case(PLAY, "e", number, "") for number in range(5)]
    for seed in range(20):
        turns = list(islice(Drawing([*MANY, *FEW, *fixed], seed).turns(), 6))
        assert [turn.case.group for turn in turns if turn.case.takes == ""] == [THOROUGH] * 2
        assert [turn.case.group == THOROUGH for turn in turns] == [False, False, True] * 2
        assert {turn.case.function for turn in turns if turn.case.group == PLAY} == {"a", "b"}


def test_functions_of_a_group_take_turns_and_all_their_cases_come_up_before_any_comes_again() -> None:
    played = [turn.case for turn in islice(Drawing(MANY, 5).turns(), 80)]
    functions = [one.function for one in played]
    assert all({*functions[at : at + 2]} == {"a", "b"} for at in range(0, 80, 2))
    assert sorted(one.test for one in played[:40]) == sorted(one.test for one in MANY)
    assert played[40:] == played[:40]


def test_a_round_has_a_seed_of_its_own_which_follows_from_the_sweeps() -> None:
    turns = list(islice(Drawing([*MANY, *FEW], 5).turns(), 300))
    assert {turn.seed for turn in turns if turn.round == 4} == {seed_of_round(5, 4)}
    seeds = [seed_of_round(5, number) for number in range(1, 1000)]
    assert len({*seeds}) == len(seeds)
    assert max(seeds) < SEEDS
    assert seed_of_round(6, 4) != seed_of_round(5, 4)


def test_the_order_is_the_same_when_the_seed_is_and_another_when_it_is_not() -> None:
    def order(seed: int, cases: list[Case]) -> list[tuple[int, int, str]]:
        return [(turn.round, turn.seed, turn.case.test) for turn in islice(Drawing(cases, seed).turns(), 60)]

    assert order(5, [*MANY, *FEW]) == order(5, [*FEW, *reversed(MANY)])
    assert order(5, MANY) != order(6, MANY)
    assert keyed(5, "ab", "c") != keyed(5, "a", "bc")


def test_what_takes_no_seed_comes_up_once_and_the_sweep_ends_when_nothing_else_is_left() -> None:
    assert sorted(turn.case.test for turn in Drawing(FEW[1:], 5).turns()) == sorted(one.test for one in FEW[1:])


def test_what_is_left_out_has_no_further_turns() -> None:
    drawing = Drawing(MANY, 5)
    turns = drawing.turns()
    next(turns)
    drawing.leave_out(*drawing.all_of("a"))
    assert {turn.case.function for turn in islice(turns, 50)} == {"b"}
    drawing.leave_out(*drawing.all_of("b"))
    assert list(turns) == []


def test_a_name_fits_when_it_has_the_words_in_this_order() -> None:
    name = "tests/rulebooks/cutler/test_x.py::test_y[2-SEED]"
    assert all(fits(only, name) for only in ("", "cutler", "cutler*test_y", "[2-", "test_x.py"))
    assert not any(fits(only, name) for only in ("pq17", "test_y*cutler", "test.x", "[2]"))
