"""Nothing takes effect that was not read back, and no number is without bounds: in every form that comes up in play."""

import ast
import random
from functools import cache
from pathlib import Path

import pytest

from rules_engine import rulebooks
from tests.rulebooks.filling import Tried
from tests.rulebooks.pq17.random_worlds.checks import WorldPlay
from tests.rulebooks.test_every_rulebook import EACH, LONG, first_asks, match
from tests.seeds import IS_FULL, IS_THOROUGH

ENOUGH = 5
ROUNDS = 25 if IS_FULL else 12 if IS_THOROUGH else 6
LONG_ROUNDS = 5
WORLDS = range(1, 13 if IS_THOROUGH else 5)
WIDEST = 999
"""The widest that the bounds of a number may be."""


@cache
def tried(key: str) -> Tried:
    """All fields of the forms in a campaign played at random."""
    found = Tried(ENOUGH)
    game = match(key, 5, sealed=False)  # so that dice alone make no difference
    chance = random.Random(5)
    for _ in range(LONG_ROUNDS if key in LONG else ROUNDS):
        if game.adjudicator.ending is not None:
            break
        found.open_asks(game.adjudicator, game.entries, game.seed, chance)
        game.round()
    return found


@pytest.mark.parametrize("key", EACH)
def test_what_is_set_is_read_back_or_has_no_effect(key: str) -> None:
    found = tried(key)
    assert sum(found.count.values()) > 50
    assert not found.wrong, "\n".join(found.wrong)


def test_what_is_set_in_small_worlds_of_pq17_is_read_back_or_has_no_effect() -> None:
    found = Tried(ENOUGH)
    for number in WORLDS:
        play, chance = WorldPlay(number), random.Random(number)
        play.check = False
        while play.adjudicator.ending is None and play.adjudicator.turn <= 3:
            found.open_asks(play.adjudicator, play.journal, play.key, chance)
            play.batch()
    assert {"battle", "reform", "search", "contact", "planning", "logistics"} <= {kind for kind, _ in found.count}
    assert not found.wrong, "\n".join(found.wrong)


@pytest.mark.parametrize("key", EACH)
def test_every_number_has_bounds(key: str) -> None:
    for _, _, ask in first_asks(key):
        for line in ask.form.lines:
            for field in line.fields:
                if field.kind == "number":
                    where = (ask.kind, line.key, field.key)
                    assert field.least is not None, where
                    assert field.most is not None, where
                    assert field.least <= field.most <= field.least + WIDEST, where


def test_every_ask_is_read_back() -> None:
    """Also those that random play does not come to."""
    silent: list[str] = []
    for path in sorted(Path(rulebooks.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            is_ask = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Ask"
            if is_ask and "read_back" not in {word.arg for word in node.keywords}:
                silent.append(f"{path.name}:{node.lineno}")
    assert silent == []


def test_every_number_in_the_source_has_bounds() -> None:
    """Also those in forms that random play does not come to."""
    boundless: list[str] = []
    for path in sorted(Path(rulebooks.__file__).parent.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Field":
                words = {word.arg: word.value for word in node.keywords}
                kind = words.get("kind")
                number = isinstance(kind, ast.Constant) and kind.value == "number"
                if number and not {"least", "most"} <= set(words):
                    boundless.append(f"{path.name}:{node.lineno}")
    assert boundless == []
