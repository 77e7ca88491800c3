"""The moments of a duel that everybody was shown, and the last one that may be looked up."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.records.journal import JournalEntry, Revealed
from rules_engine.core.running import last_shown, transitions
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.moments import scenes_of, shown_to_all, thinned
from rules_engine.core.running.replay import replay, rewind
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState, pick_ask
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
    assert moments(thinned([one for one in scenes if one.impulse == 16], 5)) == [(1, 16), (11, 16)]


def test_of_whatever_is_looked_at_each_scene_is_taken_once_from_the_first_with_a_unit_on() -> None:
    """A picture that was posted again, say after a rewind, shows nothing new."""
    entries, seed = recorded(DUEL)
    full = next(scenes_of(rulebooks.rulebook("vector"), entries, seed))
    empty, later = full.with_values(units=()), full.with_values(impulse=8)
    posted = iter([None, empty, None, full, full, None, full, later, empty, full])
    taken = scenes_of(rulebooks.rulebook("vector"), entries, seed, lambda _, __: next(posted, None))
    assert list(taken) == [full, later, empty, full]


# --- last shown -------------------------------------------------------------------------------------------------------
# what one may look up while only others are asked: the moment one was last told or asked something, and no later.
LAST_TURN = 6


class Watch(Picks):
    """Each turn red picks twice. Blue picks at the beginning alone, and is told something in turn 3, before red is
    asked the second time. Everybody is told when turn 5 begins. The score of blue is the moment, for all to see."""

    def turn_steps(self, turn: turn_context.TurnContext[PicksState]) -> asks.Steps[None]:
        state = turn.state
        for step in (1, 2):
            turn.moment_ends()
            state.scores[BLUE] = 10 * state.turn + step
            turn.set_time(state.turn, step, f"Turn {state.turn}, step {step}")
            if (state.turn, step) == (3, 1):
                turn.tell([BLUE], "Something stirs.")
            if (state.turn, step) == (5, 1):
                turn.tell_all("Half time.")
            asked = (RED, BLUE) if (state.turn, step) == (1, 1) else (RED,)
            if (state.turn, step) != (3, 1):
                yield from turn.at(str(step)).ask_all_steps([pick_ask(side) for side in asked])
        state.turn += 1


class Showing(Watch):
    """The same, whose boards tell the moment in their headings."""

    def side_board(self, state: PicksState, side: str, knowledge: Any) -> Any:
        return super().side_board(state, side, knowledge).model_copy(update={"heading": str(state.scores[BLUE])})


def played() -> tuple[list[transitions.Transition], list[dict[str, str]]]:
    """A whole campaign: its transitions, and what each reader sees after each of them."""
    adjudicator, step = Adjudicator.open(Showing(), title="Watch", scenario={"turns": LAST_TURN}, seed=SEED, at=AT)
    steps, seen = [step], [headings(adjudicator)]
    while adjudicator.ending is None:
        steps.append(adjudicator.close("deadline", by="clock", at=AT))
        seen.append(headings(adjudicator))
    return steps, seen


def headings(adjudicator: Adjudicator[Any]) -> dict[str, str]:
    """The moment that each reader sees."""
    rows = adjudicator.public_view().public.panels[0].rows
    public = next(row.removeprefix("blue: ") for row in rows if row.startswith("blue"))
    return {RED: adjudicator.view(RED).board.heading, BLUE: adjudicator.view(BLUE).board.heading, "*": public}


def test_who_is_neither_told_nor_asked_sees_the_moment_before() -> None:
    _, seen = played()
    assert [one[RED] for one in seen[:-1]] == ["11", "12", "21", "22", "32", "41", "42", "51", "52", "61", "62"]
    #                                             asked           told at 31            everybody is told at 51
    assert [one[BLUE] for one in seen[:-1]] == ["11", "11", "11", "11", "31", "31", "31", "51", "51", "51", "51"]
    assert [one["*"] for one in seen[:-1]] == [*["11"] * 7, *["51"] * 4], "how play begins is for all to see"
    assert set(seen[-1].values()) == {"62"}, "at the end everybody sees how it stands"


@pytest.mark.parametrize("number", range(12))
def test_a_replay_shows_what_was_shown(number: int) -> None:
    steps, seen = played()
    entries = [step.entry for step in steps[: number + 1]]
    assert headings(replay(Showing(), entries, SEED)) == seen[number]


def snapshots_of(steps: Sequence[transitions.Transition]) -> list[transitions.Snapshot]:
    """All that were kept, the newest first."""
    return [step.snapshot for step in steps if step.snapshot is not None][::-1]


@pytest.mark.parametrize("number", range(2, 12))
def test_restored_play_either_shows_what_was_shown_or_says_that_it_does_not_know(number: int) -> None:
    steps, seen = played()
    entries: list[JournalEntry] = [step.entry for step in steps[: number + 1]]
    for snapshot in snapshots_of(steps[: number + 1]):
        again = replay(Showing(), entries, SEED, snapshot)
        if again.knows_what_was_shown():
            assert headings(again) == seen[number]
        else:
            with pytest.raises(LookupError):
                headings(again)


def test_who_is_kept_sees_that_moment_and_nobody_else() -> None:
    shown = last_shown.LastShown[str]()
    assert shown.of("red") is None, "the present"
    shown.keep(["red"], "then")
    assert (shown.of("red"), shown.of("blue")) == ("then", None)
    shown.show_the_present(["red"])
    assert shown.of("red") is None
    shown.forget(["red"])
    with pytest.raises(LookupError):
        shown.of("red")
