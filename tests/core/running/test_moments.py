"""What everybody was shown of a duel, told by its record: each moment once, in order, of the branch that stands."""

from collections.abc import Sequence
from itertools import pairwise

import pytest

from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.records.journal import JournalEntry, Revealed
from rules_engine.core.running.moments import scenes_of, shown_to_all, thinned
from rules_engine.core.running.replay import rewind
from tests.journals.record import path_of
from tests.rulebooks.players import AT, Match
from tests.rulebooks.test_every_rulebook import MOST_ROUNDS, match

DUEL = "vector/courier"


def moments(scenes: Sequence[TacticalScene]) -> list[tuple[int, int]]:
    """When each was shown."""
    return [(one.turn, one.impulse) for one in scenes]


def shown(game: Match) -> list[TacticalScene]:
    """The scenes of a match."""
    return list(scenes_of(game.adjudicator.rulebook, game.entries, game.seed))


def recorded(key: str) -> tuple[list[JournalEntry], bytes]:
    """A recorded campaign and its seed."""
    entries = read_export(path_of(key))
    body = entries[-1].body
    assert isinstance(body, Revealed)
    return entries, bytes.fromhex(body.seed)


def test_the_set_up_each_pieces_end_and_the_last_moment_are_shown_once() -> None:
    entries, seed = recorded(DUEL)
    scenes = list(scenes_of(rulebooks.rulebook("vector"), entries, seed))
    pieces = [(turn, impulse) for turn in range(1, 12) for impulse in (0, 16)]
    assert moments(scenes) == [*pieces, (11, 32)]
    assert {unit.code for unit in scenes[0].units} == {"C1", "H1"}
    assert not any(scene.plots for scene in scenes)


def test_nothing_is_shown_before_there_is_a_unit_to_be_seen() -> None:
    """The board of a set-up that is secret yet has its terrain alone."""
    entries, seed = recorded(DUEL)
    secret = next(n for n, entry in enumerate(entries) if entry.body.kind == "closed")
    assert list(scenes_of(rulebooks.rulebook("vector"), entries[:secret], seed)) == []


def test_a_book_without_battles_of_its_own_shows_none() -> None:
    entries, seed = recorded("jump_lanes/intro")
    assert list(scenes_of(rulebooks.rulebook("jump_lanes"), entries, seed)) == []


@pytest.mark.parametrize("seed", [1, 2])
def test_what_a_rewind_cut_off_is_not_shown(seed: int) -> None:
    game = match(DUEL, seed)
    game.play(8)
    before = shown(game)
    closed = [entry.seq for entry in game.entries if entry.body.kind == "closed"]
    game.adjudicator, step = rewind(
        game.adjudicator.rulebook, game.entries, game.seed, to=closed[-3], by="referee", reason="a slip", at=AT
    )
    game.take(step)
    kept = shown(game)
    assert 0 < len(kept) < len(before)
    assert before[: len(kept)] == kept
    game.play(MOST_ROUNDS)
    scenes = shown(game)
    assert scenes[: len(kept)] == kept
    assert all(one < other for one, other in pairwise(moments(scenes)))


def test_it_is_what_was_on_the_public_board_when_its_picture_was_due() -> None:
    game = match(DUEL, 3)
    seen: list[TacticalScene] = []
    take = game.take

    def noting(step: object) -> None:
        take(step)  # type: ignore[arg-type]
        scene = shown_to_all(game.adjudicator, step)  # type: ignore[arg-type]
        if scene is not None and scene.units:
            seen.append(scene)

    game.take = noting  # type: ignore[method-assign]
    game.play(MOST_ROUNDS)
    assert len(seen) > 2
    assert shown(game) == seen


def test_of_too_many_those_between_go_first_and_the_ends_never() -> None:
    entries, seed = recorded(DUEL)
    scenes = list(scenes_of(rulebooks.rulebook("vector"), entries, seed))
    assert thinned(scenes, len(scenes)) == scenes
    ends = [(turn, 0) for turn in range(1, 12)]
    assert moments(thinned(scenes, len(scenes) - 1)) == [*ends, (11, 32)]
    for most in range(3, len(ends) + 1):
        few = thinned(scenes, most)
        assert len(few) <= most
        assert (few[0], few[-1]) == (scenes[0], scenes[-1])
        assert set(moments(few)) <= {*ends, (11, 32)}
    half = [one for one in scenes if one.impulse == 16]
    assert moments(thinned(half, 5)) == [(1, 16), (11, 16)]


def test_of_whatever_is_looked_at_each_scene_is_taken_once_from_the_first_with_a_unit_on() -> None:
    """A picture that was posted again, say after a rewind, shows nothing new."""
    entries, seed = recorded(DUEL)
    full = next(scenes_of(rulebooks.rulebook("vector"), entries, seed))
    empty, later = full.with_values(units=()), full.with_values(impulse=8)
    posted = iter([None, empty, None, full, full, None, full, later, empty, full])
    taken = scenes_of(rulebooks.rulebook("vector"), entries, seed, lambda _, __: next(posted, None))
    assert list(taken) == [full, later, empty, full]
