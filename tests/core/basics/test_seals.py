"""Seals: the recipe, computed by hand, and that each part of it counts."""

import hashlib
import hmac
import json
from itertools import combinations
from typing import Any

import pytest

from rules_engine.core.basics.seals import first_seal, next_seal, seal_digest
from tests.core.small_rulebook import SEED, Pick, PickLine

ONE, TWO = "1" * 32, "2" * 32
SETTLED = {"T1/pick/red": Pick({"fleet": PickLine(number=3)}), "T1/pick/blue": Pick({"fleet": PickLine(number=7)})}


def by_hand(message: list[Any]) -> str:
    text = json.dumps(message, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hmac.new(SEED, text.encode(), hashlib.sha256).hexdigest()


def test_the_recipe() -> None:
    first = first_seal(SEED, ONE)
    assert first == by_hand(["seal", "", {}, ONE])
    answers = {
        "T1/pick/red": {"fleet": {"number": 3, "note": ""}},
        "T1/pick/blue": {"fleet": {"number": 7, "note": ""}},
    }
    assert next_seal(SEED, first, SETTLED, TWO) == by_hand(["seal", first, answers, TWO])


def test_everything_that_goes_into_a_seal_changes_it() -> None:
    other_answer = {**SETTLED, "T1/pick/blue": Pick({"fleet": PickLine(number=6)})}
    swapped = dict(zip(SETTLED, reversed(SETTLED.values()), strict=True))
    seals = [
        next_seal(SEED, ONE, SETTLED, TWO),
        next_seal(SEED[::-1], ONE, SETTLED, TWO),
        next_seal(SEED, TWO, SETTLED, TWO),
        next_seal(SEED, ONE, SETTLED, ONE),
        next_seal(SEED, ONE, {}, TWO),
        next_seal(SEED, ONE, other_answer, TWO),
        next_seal(SEED, ONE, swapped, TWO),
        first_seal(SEED, ONE),
        first_seal(SEED, TWO),
    ]
    assert all(one != other for one, other in combinations(seals, 2))


def test_the_order_in_which_answers_came_is_not_in_it() -> None:
    turned = dict(reversed(SETTLED.items()))
    assert list(turned) != list(SETTLED)
    assert next_seal(SEED, ONE, turned, TWO) == next_seal(SEED, ONE, SETTLED, TWO)


def test_an_answer_that_could_be_spelt_in_two_ways_is_an_error() -> None:
    with pytest.raises(TypeError):
        next_seal(SEED, ONE, {"T1/pick/red": {"a", "b"}}, TWO)


def test_the_journal_is_given_a_digest_and_not_the_seal() -> None:
    seal = first_seal(SEED, ONE)
    assert seal_digest(seal) == hashlib.sha256(f'"{seal}"'.encode()).hexdigest()
    assert seal_digest("") == ""
