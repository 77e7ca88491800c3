"""Whole campaigns, played by captains to their ends: they replay alike, nothing impossible comes of them, and no Team
sees more of others than stands open on the map."""

from collections import Counter

import pytest

from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from tests.rulebooks.border_patrol.captains import CaptainsMatch
from tests.rulebooks.border_patrol.crews import MOST, crewed
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
    turned_up = {unit for stack in state.stacks.values() if stack.upturned for unit in stack.units}
    return {
        (kinds.get(unit.kind, unit.team), unit.hex)
        for unit in state.units.values()
        if unit.team != side and (not unit.cloaked or unit.id in turned_up)
    }


def played_to_its_end(game: CaptainsMatch) -> None:
    """Play all of a campaign; invariants hold after each closing, and maps show what stands in the open."""
    looked = 0
    for _ in range(MOST_ROUNDS):
        if game.adjudicator.ending is not None:
            break
        game.round()
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
    scenario = crewed(west, east)
    game = CaptainsMatch(RULEBOOK, scenario, fewer_seed)
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
        opened = [ask.kind for ask in game.adjudicator.open_asks()]
        assert opened == ["plot", "plot"]
        game.round(silent=[label.key for label in game.adjudicator.sides])
    assert game.adjudicator.ending is not None
