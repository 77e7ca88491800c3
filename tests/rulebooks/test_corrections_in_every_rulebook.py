"""What a referee's corrections need of every rulebook: each value can be read back as it is shown, nothing is refused
in a library's words, and an open battle says what it was set up from."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.basics.record import field_names
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.corrections import map_of, offered_values
from rules_engine.core.running.edit_values import read_value
from rules_engine.core.running.edits import fitting
from rules_engine.core.running.state_paths import StatePart, follow, holds_parts, path_of, within
from tests.core.running.test_corrections import LIBRARY_SAYS
from tests.journals.record import path_of as recorded_in
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import EACH, EACH_SHORT, SHORT, match

ROUNDS = 6
MOST_PLANNED = 12
MOST_READ = 2_000
GARBAGE = ("perhaps", "9999", "-7", "[]", '{"x": 1}', "none", "1/0", "²", "", "x" * 300)


def under_way(key: str) -> Match:
    """A campaign after so many rounds; one that has ended by then, a round before its end."""
    for rounds in range(ROUNDS, 0, -1):
        game = match(key, 3)
        for _ in range(rounds):
            if game.adjudicator.ending is None:
                game.round()
        if game.adjudicator.ending is None:
            return game
    raise AssertionError("it ends with its first round")


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


@pytest.mark.parametrize("key", EACH)
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


@pytest.mark.parametrize("key", EACH)
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


@pytest.mark.parametrize("key", EACH)
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


@pytest.mark.parametrize("key", EACH_SHORT)
def test_whatever_is_emptied_is_refused_or_can_be_shown(key: str):
    game = under_way(key)
    before = game.adjudicator.digest()
    words: list[str] = []
    for name in field_names(type(game.adjudicator._state)):
        for typed in ("{}", "[]", "none", "0", "-1", "9999"):
            try:
                game.adjudicator.plan_edit(name, typed)
            except Refused as caught:
                words.append(str(caught))
    assert len(words) > 20
    assert [one for one in words if LIBRARY_SAYS.search(one)] == []
    assert game.adjudicator.digest() == before


def at_a_battle(key: str) -> Adjudicator[Any]:
    """The recorded campaign of the scenario, where its first battle is open."""
    entries = read_export(recorded_in(key))
    seed, genesis = bytes.fromhex(entries[-1].body.seed), entries[0].body
    adjudicator = Adjudicator(rulebooks.rulebook(genesis.rulebook), genesis, seed)
    for entry in entries:
        adjudicator.repeat(entry)
        if any(ask.pace == "battle" for ask in adjudicator.open_asks()):
            return adjudicator
    raise AssertionError("no battle was recorded")


SET_UP = [key for key in SHORT if not key.startswith("vector/")]
"""Scenarios whose battles are set up from units; duels by vectors are the battle, and agree on reports of it alone."""


@pytest.mark.parametrize("key", SET_UP)
def test_an_open_battle_says_what_it_was_set_up_from(key: str):
    adjudicator = at_a_battle(key)
    state = adjudicator._state
    ask = next(one for one in adjudicator.open_asks() if one.pace == "battle")
    units = sorted(part for part in ask.set_up_from if part.startswith("units."))
    assert len(units) >= 2
    for part in ask.set_up_from:
        follow(state, part)
    for unit in units:
        plan = adjudicator.plan_edit(f"{unit}.name", "Another Name")
        assert ask.title in plan.battles
    others = sorted(set(map("units.{}".format, state.units)) - set(units))
    assert ask.title not in adjudicator.plan_edit(f"{others[0]}.name", "Another Name").battles
