"""What a referee's corrections need of every rulebook: each value can be read back as it is shown, nothing is refused
in a library's words, and an open battle says what it was set up from."""

import random
import re
from collections.abc import Iterator, Sequence

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.corrections import map_of, offered_values
from rules_engine.core.running.edit_values import read_value
from rules_engine.core.running.edits import fitting
from rules_engine.core.running.state_paths import StatePart, follow, holds_parts, path_of, within
from tests.core.running.test_edit_values import LIBRARY_SAYS
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import SCENARIOS, SHORT, match

ROUNDS = 6
MOST_PLANNED = 12
MOST_READ = 2_000
GARBAGE = ("perhaps", "9999", "-7", "[]", '{"x": 1}', "none", "1/0", "²", "", "x" * 300)


def under_way(key: str) -> Match:
    game = match(key, 3)
    for _ in range(ROUNDS):
        game.round()
    return game


def leaves(way: Sequence[StatePart]) -> Iterator[list[StatePart]]:
    """The ways to all single values."""
    for spot in within(way[-1]):
        if holds_parts(spot.value):
            yield from leaves([*way, spot])
        else:
            yield [*way, spot]


def ways(game: Match) -> list[list[StatePart]]:
    state = game.adjudicator._state
    return list(leaves([StatePart("", state, type(state))]))


@pytest.mark.parametrize("key", SCENARIOS)
def test_every_value_reads_back_as_it_is_shown(key: str):
    game = under_way(key)
    state = game.adjudicator._state
    every = ways(game)
    for way in random.Random(1).sample(every, min(len(every), MOST_READ)):
        path, spot = path_of(way), way[-1]
        assert follow(state, path)[-1].value == spot.value
        offers = offered_values(state, path, "", 25)
        assert len(offers) <= 25
        if spot.value != "":  # an empty text is offered as nothing
            assert fitting(spot, read_value(way, offers[0].text, map_of(state)), path) == spot.value, path


@pytest.mark.parametrize("key", SCENARIOS)
def test_no_value_is_refused_in_a_librarys_words(key: str):
    game = under_way(key)
    refused = 0
    for way in {str(way[-1].kind) + type(way[-2].value).__name__: way for way in ways(game)}.values():
        for typed in GARBAGE:
            try:
                fitting(way[-1], read_value(way, typed, map_of(game.adjudicator._state)), path_of(way))
            except Refused as caught:
                refused += 1
                words = str(caught)
                assert LIBRARY_SAYS.search(words) is None, words
                assert words.startswith(path_of(way))
    assert refused > 10


@pytest.mark.parametrize("key", SCENARIOS)
def test_what_stands_there_is_no_correction_and_changes_no_view(key: str):
    game = under_way(key)
    shown = [way for way in ways(game) if way[-1].value != ""]
    before = game.adjudicator.digest()
    for way in random.Random(5).sample(shown, MOST_PLANNED):
        path = path_of(way)
        (now, *_) = offered_values(game.adjudicator._state, path, "", 1)
        with pytest.raises(Refused, match="what stands there already"):
            game.adjudicator.plan_edit(path, now.text)
    assert game.adjudicator.digest() == before


@pytest.mark.parametrize("key", SHORT)
def test_an_open_battle_says_what_it_was_set_up_from(key: str):
    for seed in range(1, 40):
        game = match(key, seed)
        for _ in range(40):
            battles = [ask for ask in game.adjudicator.open_asks() if ask.pace == "battle"]
            if battles or game.adjudicator.ending is not None:
                break
            game.round()
        if not battles:
            continue
        ask = battles[0]
        units = [part for part in ask.set_up_from if part.startswith("units.")]
        assert len(units) >= 2
        for part in ask.set_up_from:
            follow(game.adjudicator._state, part)
        names = follow(game.adjudicator._state, units[0])[-1].value
        own = next(name for name in type(names).model_fields if name == "name")
        plan = game.adjudicator.plan_edit(f"{units[0]}.{own}", "Another Name")
        assert ask.title in plan.battles
        assert not re.search(r"units\.", " ".join(line for told in plan.told.values() for line in told))
        return
    pytest.fail("no battle came up")
