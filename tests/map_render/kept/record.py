"""Records the views of `positions` anew, from campaigns played at random. Needed when boards tell more than they did.

python -m tests.map_render.kept.record
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import BaseModel

from rules_engine.core.knowledge.views import Board, Knowledge, OmniscientView, SideView
from rules_engine.core.protocol import asks, seats
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.jump_lanes.shown import boards
from tests.bench.matches import CUTLER, PQ17, match, seven_set_up
from tests.map_render.kept.positions import VIEWS
from tests.map_render.lanes.positions import near_arm
from tests.map_render.tactical.duels import course, melee, public_view, side_view
from tests.rulebooks.border_patrol.captains import CaptainsMatch
from tests.rulebooks.jump_lanes.scenarios import opened
from tests.rulebooks.players import Match
from tests.rulebooks.test_every_rulebook import SHELF

BORDER = "border_patrol"
ROUNDS = 60
"""Batches after which a campaign is left."""

SEEDS = range(1, 9)


def _crowded(referee: Adjudicator[Any], side: str) -> int:
    """How much there is to see for a side: others' counters that are held, then what is remembered, then news."""
    board = referee.view(side).board
    return sum(3 if one.live else 1 for one in board.counters if one.owner != side) + 5 * len(board.news)


def _situations(games: Iterable[Match], rounds: int) -> Iterator[tuple[Adjudicator[Any], bool]]:
    """Each situation of some campaigns, with whether it is the fullest so far for its first side."""
    most = -1
    for game in games:
        for _ in range(rounds):
            referee = game.adjudicator
            if referee.ending is not None:
                break
            full = _crowded(referee, referee.sides[0].key)
            yield referee, full > most
            most = max(most, full)
            game.round()


def _drawn(view: SideView) -> SideView:
    """What of a view is drawn: lists for text stay away."""
    return view.model_copy(update={"board": _bare(view.board)})


def _bare(board: Board) -> Board:
    return board.model_copy(update={"panels": ()})


def _battle(referee: Adjudicator[Any]) -> asks.BattleSetup | None:
    """The set-up of a battle that is open, as all its parties see it."""
    found = (ask.setup.common() for ask in referee.open_asks() if ask.setup is not None)
    return next(found, None)


def recorded() -> dict[str, BaseModel]:
    """What is kept, by the name of its file."""
    found: dict[str, BaseModel] = {}
    for referee, is_fullest in _situations((match(PQ17, seed) for seed in SEEDS), ROUNDS):
        if is_fullest:
            found["pq17-intro"] = _drawn(referee.view(referee.sides[0].key))
            found["pq17-intro-public"] = referee.public_view()
            found["pq17-intro-everything"] = referee.omniscient_view()
        if "pq17-battle" not in found and (battle := _battle(referee)) is not None:
            found["pq17-battle"] = battle
    found["lanes-arm"] = near_arm()
    found["vector-race"] = side_view(course())
    found["vector-melee"] = public_view(melee(1, 24))
    frontier = opened("long-frontier")
    found["lanes-frontier"] = _drawn(SideView(side="terran", board=boards.side_board(frontier, "terran", Knowledge())))
    found["lanes-frontier-everything"] = OmniscientView(omniscient=_bare(boards.omniscient_board(frontier)))
    games = {
        "pq17-campaign": ([match("pq17/campaign", 5)], 40),
        "cutler-intro": ([match(CUTLER, seed) for seed in (1, 2, 3)], ROUNDS),
        "cutler-seven": ([seven_set_up(1)], 30),
        "border-intro": ([captains(f"{BORDER}/intro", seed) for seed in SEEDS], ROUNDS),
        "border-zone": ([captains(f"{BORDER}/neutral_zone", 1)], ROUNDS),
    }
    games["lanes-played"] = ([frontier_of_four(seed) for seed in SEEDS], ROUNDS)
    for name, (several, rounds) in games.items():
        battle_of = f"{name.partition('-')[0]}-battle"
        for referee, is_fullest in _situations(several, rounds):
            if is_fullest:
                found[name] = _drawn(referee.view(referee.sides[0].key))
            if battle_of not in found and (battle := _battle(referee)) is not None:
                found[battle_of] = battle
    return found


def frontier_of_four(seed: int) -> Match:
    """A campaign of the jump lanes with four empires."""
    book, scenario = SHELF.read("jump_lanes/long-frontier")
    return Match(book, seats.seated(book, scenario, 4), seed)


def captains(key: str, seed: int) -> Match:
    """A campaign of Border Patrol whose captains seek each other, lie in wait and hide."""
    return CaptainsMatch(*SHELF.read(key), seed)


def main() -> None:
    """Write the files, and say how long each is."""
    VIEWS.mkdir(exist_ok=True)
    for name, one in recorded().items():
        text = one.model_dump_json(exclude_defaults=True)
        (VIEWS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
        print(f"{name}: {len(text) // 1024} kB")


if __name__ == "__main__":
    main()
