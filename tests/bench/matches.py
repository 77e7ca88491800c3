"""Campaigns to measure with: the introductory scenarios, played by the random players of the rulebooks' tests."""

from collections.abc import Iterator
from functools import cache
from itertools import islice
from typing import Any

from bot.campaigns.scenarios import InstalledScenarios
from bot.settings import BUILT_IN
from map_render.drawing.scene import scene_of
from map_render.drawing.theme import DEFAULT
from map_render.theatre.pieces import pieces_of
from rules_engine.core.basics.base import Json
from rules_engine.core.knowledge.views import SideView
from tests.rulebooks.cutler.ch01_setup.test_whole_set_up import ring
from tests.rulebooks.players import AT, Match, random_answer

PQ17 = "pq17/intro"
CUTLER = "cutler/intro"
SHELF = InstalledScenarios(BUILT_IN)


def match(scenario: str, seed: int, **changes: Json) -> Match:
    """A campaign at its beginning; ``changes`` go into the scenario's own file (a longer campaign, say)."""
    book, document = SHELF.read(scenario)
    if changes:
        document = {**document, "file": {**document["file"], **changes}}
    return Match(book, document, seed)


def turns_of(scenario: str, count: int, seed: int = 5) -> tuple[SideView, ...]:
    """What one side saw, batch for batch: ``count`` situations of one campaign that all differ."""
    return seen_in(match(scenario, seed), count)


def set_up_of(empires: int, seed: int) -> Match:
    """Empires at the beginning of their first turn, from the draft of races on, with random answers."""
    game = ring(empires, seed, turns=12)
    while all(ask.kind != "turn" for ask in game.adjudicator.open_asks()):
        game.round()
    return game


def seen_in(game: Match, count: int) -> tuple[SideView, ...]:
    """What one side sees from here on, batch for batch: ``count`` situations that all differ."""
    return tuple(islice(_seen(game), count))


def quiet_and_contested(game: Match, count: int) -> tuple[tuple[SideView, ...], tuple[SideView, ...]]:
    """The same twice: situations without contested hexes, and those with some. As many of each as there are, up to
    ``count``."""
    kinds: tuple[list[SideView], list[SideView]] = ([], [])
    for view in _seen(game):
        kinds[has_contested(view)].append(view)
        if min(map(len, kinds)) >= count:
            break
    return tuple(kinds[0][:count]), tuple(kinds[1][:count])


def has_contested(view: SideView) -> bool:
    """Whether counters of several owners stand in one hex of a side's map."""
    board = view.board
    return any(stand.contested for stand in pieces_of(scene_of(view), DEFAULT, board.grid.hexes()).stands)


def _seen(game: Match) -> Iterator[SideView]:
    side = game.adjudicator.sides[0].key
    before: SideView | None = None
    while True:
        view = game.adjudicator.view(side)
        if view != before:
            yield view
            before = view
        if game.adjudicator.ending is not None:
            return
        game.round()


@cache
def running_turn(entries: int) -> Match:
    """A campaign in its first turn whose sides have changed their minds until the journal has so many entries."""
    game = match(PQ17, 2)
    adjudicator = game.adjudicator
    documents = {
        (label.key, ask.id): [random_answer(adjudicator, label.key, ask, game.chance) for _ in range(4)]
        for label in adjudicator.sides
        for ask in adjudicator.asks_for(label.key)
    }
    while len(game.entries) < entries:
        for (side, ask), choices in documents.items():
            game.entries.append(adjudicator.answer(side, ask, game.chance.choice(choices), by=side, at=AT).entry)
    return game


@cache
def finished_turns(entries: int) -> Match:
    """A campaign of many turns, in which every answer is given three times before its batch closes."""
    game = match(PQ17, 3, turns=999)
    adjudicator = game.adjudicator
    while len(game.entries) < entries and adjudicator.ending is None:
        for label in adjudicator.sides:
            for ask in adjudicator.asks_for(label.key):
                if len(ask.parties) == 1:
                    document = random_answer(adjudicator, label.key, ask, game.chance)
                    for _ in range(2):
                        game.entries.append(adjudicator.answer(label.key, ask.id, document, by=label.key, at=AT).entry)
        game.round()
    return game


PADDING = "What was settled at the table, as long as a sheet of orders is with its lines. " * 8


@cache
def long_record(entries: int) -> Match:
    """A campaign whose journal has so many entries, or as few as there can be: nearly all of them lie before its last
    turn, and change nothing."""
    game = match(PQ17, 3, turns=999)
    _play_turns(game, 2)
    while len(game.entries) < entries:
        game.entries.append(game.adjudicator.remark("note", PADDING, by="rita", at=AT).entry)
    _play_turns(game, 1)
    game.round()
    return game


def _play_turns(game: Match, count: int) -> None:
    ended = 0
    while ended < count:
        game.round()
        ended += game.steps[-1].boundary is not None


def snapshots_of(game: Match) -> list[Any]:
    """The snapshots that the store would hold: one for each turn boundary."""
    return [step.snapshot for step in game.steps if step.snapshot is not None]
