"""Maps of campaigns as they are played: no board, and no map of one, leaves a side out of a hex in which it stands."""

from typing import Any

import pytest

from bot.campaigns.scenarios import InstalledScenarios
from bot.settings import BUILT_IN
from map_render import DEFAULT
from map_render.drawing.scene import AnyView, scene_of
from map_render.theatre.placing.plan import plan_theatre
from rules_engine.core.knowledge.views import Board, OmniscientView, PublicView, SideView
from rules_engine.core.running.adjudicator import Adjudicator
from tests.rulebooks.players import Match

ROUNDS = 15


def parties(board: Board) -> set[tuple[str, str]]:
    """(owner, hex) of all that stands on a board, but for minefields, which a side may have found gone."""
    return {(one.owner, one.hex) for one in board.counters if one.form != "minefield"}


def boards_of(adjudicator: Adjudicator[Any]) -> tuple[Board, Board, dict[str, Board]]:
    """The omniscient board, the public one and each side's, as they are now."""
    book, state = adjudicator.rulebook, adjudicator._state  # private: what was shown last may be older
    known = adjudicator._shared.knowledge
    sides = {label.key: book.side_board(state, label.key, known[label.key]) for label in adjudicator.sides}
    return book.omniscient_board(state), book.public_board(state), sides


def drawn_on(view: AnyView) -> set[tuple[str, str, str]]:
    """(owner, hex, id) of all that a map draws: by itself, under a sign that bears its owner's look, or as a place."""
    scene = scene_of(view)
    plan = plan_theatre(scene, DEFAULT)
    counters = {piece.id: piece for piece in scene.board.counters}
    found: set[tuple[str, str, str]] = set()
    for placed in plan.standing:
        for body in placed.bodies:
            under = [counters[name] for name in body.part.ids]
            assert len({piece.owner for piece in under}) <= 1
            found |= {(piece.owner, piece.hex, piece.id) for piece in under}
        found |= {
            (piece.owner, piece.hex, piece.id)
            for piece in scene.board.counters
            if piece.form == "battle" and piece.hex == placed.hex and getattr(placed.of, "battle", False)
        }
    sites = {(site.look.key if site.look else "", site.hex) for site in plan.pieces.places}
    return found | {
        (piece.owner, piece.hex, piece.id)
        for piece in scene.board.counters
        if piece.form == "base" and (piece.owner, piece.hex) in sites
    }


def most_in_a_hex(key: str, seed: int, rounds: int) -> int:
    """How many sides stood in one hex at the most in a campaign played at random; no board and no map left any out."""
    game = Match(*InstalledScenarios(BUILT_IN).read(key), seed)
    most = 0
    for _ in range(rounds):
        if game.adjudicator.ending is not None:
            break
        game.round()
        everything, public, sides = boards_of(game.adjudicator)
        for side, board in sides.items():
            ours = {(one.owner, one.hex) for one in board.counters if one.owner == side}
            assert ours <= {(one.owner, one.hex) for one in everything.counters}
            assert parties(public) <= parties(board)
        views: list[AnyView] = [OmniscientView(omniscient=everything), PublicView(public=public)]
        views += [SideView(side=side, board=board) for side, board in sides.items()]
        for view in views:
            board = scene_of(view).board
            there = {(one.owner, one.hex, one.id) for one in board.counters if one.hex in board.grid}
            assert drawn_on(view) == there
            owners = {name: {owner for owner, at, _ in there if at == name} for _, name, _ in there}
            most = max([most, *map(len, owners.values())])
    return most


@pytest.mark.parametrize("key", ["pq17/intro", "cutler/intro"])
@pytest.mark.headless
def test_no_board_and_no_map_leaves_a_side_out_of_a_hex(key: str) -> None:
    """Campaign after campaign, until sides have met in a hex."""
    assert any(most_in_a_hex(key, seed, ROUNDS) > 1 for seed in range(1, 40)), "no hex was contested"


@pytest.mark.headless
def test_no_board_and_no_map_of_the_great_campaign_leaves_a_side_out_of_a_hex() -> None:
    assert most_in_a_hex("pq17/campaign", 5, 4) >= 1
