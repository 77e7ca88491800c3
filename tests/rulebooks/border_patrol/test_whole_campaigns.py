"""Whole campaigns, played by captains to their ends: they replay alike, nothing impossible comes of them, what lasts
ends by its own chapter alone, nobody is asked the same twice, and no Team sees more than stands in the open."""

import re
from collections import Counter

import pytest

from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.rulebooks.border_patrol.captains import MOST, CaptainsMatch, crewed
from tests.rulebooks.lasting import only_their_own_write
from tests.rulebooks.test_every_rulebook import SHELF

NAMES = ("intro", "neutral_zone")
MOST_ROUNDS = 400


def begun(name: str, seed: int) -> CaptainsMatch:
    return CaptainsMatch(*SHELF.read(f"border_patrol/{name}"), seed)


def others_shown(board: Board, side: str) -> set[tuple[str, str]]:
    """Owner and hex of all counters of others that stand on a map now."""
    return {(piece.owner, piece.hex) for piece in board.counters if piece.owner not in (side, "") and piece.live}


def others_open(state: BorderState, side: str) -> set[tuple[str, str]]:
    """The same, as the rules have it: what is uncloaked or turned up, bases, monsters and alien ships."""
    kinds = {"monster": "monsters", "alien ship": "aliens"}
    turned_up = {unit.id for unit in state.units.values() if unit.turned_up}
    return {
        (kinds.get(unit.kind, unit.team), unit.hex)
        for unit in state.units.values()
        if unit.team != side and (not unit.cloaked or unit.id in turned_up)
    }


PHASE = re.compile(r"[Pp]hase \d")


def asks_nothing_twice(game: CaptainsMatch, before: dict[tuple[object, ...], str]) -> None:
    """Nobody is asked the same again in a turn, while its map and its stacks are as they were."""
    for ask in game.adjudicator.open_asks():
        if ask.kind in ("plot", "phase"):
            continue
        boards = [game.adjudicator.view(side).board for side in ask.parties]
        pieces = tuple((piece.id, piece.hex, piece.sub, piece.details) for board in boards for piece in board.counters)
        lines = tuple((line.key, line.label) for line in ask.form.lines)
        state = game.adjudicator._state
        came = len(state.now.seen) if ask.kind == "reaction" else 0  # who comes to others changes no counter
        turn = (game.adjudicator.turn, came)
        found = (turn, ask.kind, ask.parties, ask.title, PHASE.sub("", ask.text), lines, pieces)
        assert before.setdefault(found, ask.id) == ask.id, f"{before[found]} is asked again as {ask.id}"


ONE_OF_MANY = re.compile(
    r"\b1 (?:\w+ ){0,3}?(?:hexes|boxes|units|points|turns|stacks|beams|sensors|provinces|pods|weights|modes)\b"
)
DOUBLED = re.compile(r"\b([A-Za-z]\w*) \1\b")


def reads_well(game: CaptainsMatch, since: int) -> None:
    """Numbers agree with their nouns, no word stands twice, and no sentence begins with a small letter."""
    steps = game.steps[since:]
    said = [report.text for step in steps for report in step.reports]
    said += [text for step in steps for ask in step.opened for text in (ask.title, ask.text)]
    for side in game.adjudicator.sides:
        panels = game.adjudicator.view(side.key).board.panels
        said += [row for panel in panels for row in panel.rows if panel.title != "Invented figures"]
    for text in said:
        assert not ONE_OF_MANY.search(text), text
        assert not DOUBLED.search(text), text
        assert not text[:1].islower(), text


def played_to_its_end(game: CaptainsMatch) -> None:
    """Play all of a campaign; invariants hold after each closing, and maps show what stands in the open."""
    looked, told, asked_before = 0, 0, dict[tuple[object, ...], str]()
    for _ in range(MOST_ROUNDS):
        if game.adjudicator.ending is not None:
            break
        with only_their_own_write("border_patrol"):
            game.round()
        asks_nothing_twice(game, asked_before)
        reads_well(game, told)
        told = len(game.steps)
        for ask in (one for one in game.adjudicator.open_asks() if one.kind == "plot"):
            assert ask.refusals_of({}) == (), "a sheet is legal as it is filled in"
        state = game.adjudicator._state
        asked = [side for side in state.teams if game.adjudicator.asks_for(side)]
        for side in asked:  # who is not may still see the moment before
            board = game.adjudicator.view(side).board
            assert others_shown(board, side) == others_open(state, side)
            generic = [piece for piece in board.counters if piece.owner == state.other(side) and piece.live]
            assert all((piece.ships, piece.details) == (None, ()) for piece in generic if piece.level == 1)
        looked += len(asked)
    assert looked >= 4
    assert game.adjudicator.ending is not None
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(1, 5))
def test_a_campaign_is_played_to_its_end_and_replays_alike(name: str, seed: int):
    played_to_its_end(begun(name, seed))


CREWS = [(west, east) for west in range(1, MOST + 1) for east in range(1, MOST + 1)]


def test_teams_of_one_to_four_captains_play_to_their_end(fewer_seed: int):
    """A few crews in everyday testing; in a long sweep each of them some sixty times."""
    west, east = CREWS[(fewer_seed * 7) % len(CREWS)]
    game = CaptainsMatch(RULEBOOK, crewed(west, east), fewer_seed)
    assert Counter(one.team for one in game.adjudicator._state.captains.values()) == {"west": west, "east": east}
    played_to_its_end(game)


@pytest.mark.headless
def test_captains_come_to_everything_that_a_turn_may_bring():
    """Of each kind of report and ask one at least."""
    wanted = {"battle", "contact", "convoy", "encounter", "engines", "held", "monster", "movement", "onward"}
    wanted |= {"reaction", "score", "turn"}
    asks = {"plot", "battle", "withdrawal", "onward", "reaction", "moving on"}
    kinds: set[str] = set()
    asked: set[str] = set()
    for seed in range(1, 30):
        game = begun("neutral_zone" if seed % 2 else "intro", seed)
        game.play(MOST_ROUNDS)
        kinds |= {report.kind for step in game.steps for report in step.reports}
        asked |= {entry.body.ask.split("/")[-2] for entry in game.entries if entry.body.kind == "answered"}
        if kinds >= wanted and asked >= asks:
            break
    assert (kinds, asked) == (wanted, asks)


@pytest.mark.headless
def test_a_turn_without_contact_asks_each_team_once():
    """Who keeps apart from the others is asked for one sheet a turn and nothing else."""
    game = begun("intro", 1)
    for _ in range(3):
        assert [ask.kind for ask in game.adjudicator.open_asks()] == ["plot", "plot"]
        game.round(silent=[label.key for label in game.adjudicator.sides])
    assert game.adjudicator.ending is not None
