"""What one may look up while only others are asked: the moment one was last told or asked something, and no later."""

from collections.abc import Sequence
from typing import Any

import pytest

from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.last_shown import LastShown
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Snapshot, Transition
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState, pick_ask

AT = "2026-01-01T00:00:00.000+00:00"
LAST_TURN = 6


class Watch(Picks):
    """Each turn red picks twice. Blue picks at the beginning alone, and is told something in turn 3, before red is
    asked the second time. Everybody is told when turn 5 begins. The score of blue is the moment, for all to see."""

    def turn_steps(self, turn: TurnContext[PicksState]) -> Steps[None]:
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
        board = super().side_board(state, side, knowledge)
        return board.model_copy(update={"heading": str(state.scores[BLUE])})


def played() -> tuple[list[Transition], list[dict[str, str]]]:
    """A whole campaign: its transitions, and what each reader sees after each of them."""
    book = Showing()
    adjudicator, step = Adjudicator.open(book, title="Watch", scenario={"turns": LAST_TURN}, seed=SEED, at=AT)
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


def snapshots_of(steps: Sequence[Transition]) -> list[Snapshot]:
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
    shown = LastShown[str]()
    assert shown.of("red") is None, "the present"
    shown.keep(["red"], "then")
    assert (shown.of("red"), shown.of("blue")) == ("then", None)
    shown.show_the_present(["red"])
    assert shown.of("red") is None
    shown.forget(["red"])
    with pytest.raises(LookupError):
        shown.of("red")
