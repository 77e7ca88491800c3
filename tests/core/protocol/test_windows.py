"""What waiting reveals: windows pass whether or not a side is asked, and maps wait until their side is asked."""

from typing import Any

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Batch, Steps
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.records.journal import Closed, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED, Picks, PicksState, pick_ask
from tests.expected.kept import cases

AT = "2026-01-01T00:00:00.000+00:00"


def table(*, patient: bool) -> TurnContext[PicksState]:
    sides = PICKS.sides({})
    knowledge = {label.key: Knowledge() for label in sides}
    shared = SharedTurn(dice=DiceStream(SEED), sides=sides, knowledge=knowledge, now=When(turn=1), patient=patient)
    return TurnContext(PICKS.set_up({}), shared, "T1")


def opened(batch: Batch) -> list[tuple[str, str, bool]]:
    return sorted((ask.parties[0], ask.kind, ask.awaited) for ask in batch.asks)


@cases("asked, cards")
def test_where_windows_are_fixed_there_is_one_window_no_matter_who_is_asked(
    asked: tuple[str, ...], cards: list[tuple[str, str, bool]]
) -> None:
    at = table(patient=True)
    steps = at.window_steps(at.ask_all_steps([pick_ask(side) for side in asked]), "decision")
    batch = next(steps)
    assert opened(batch) == cards
    with pytest.raises(StopIteration) as done:
        steps.send({ask.id: ask.default for ask in batch.asks})
    assert done.value.value == [pick_ask(side).default for side in asked]


def test_elsewhere_nobody_waits_for_nobody() -> None:
    at = table(patient=False)
    assert opened(next(at.window_steps(at.ask_all_steps([pick_ask(RED)]), "decision"))) == [(RED, "pick", True)]
    with pytest.raises(StopIteration):
        next(at.window_steps(at.ask_all_steps([]), "decision"))


def test_a_waiting_card_takes_nothing_that_is_not_on_it() -> None:
    (card, _) = next(table(patient=True).window_steps(table(patient=True).ask_all_steps([]), "decision")).asks
    assert card.answer_from({"card": {"noted": True}}) != card.default
    with pytest.raises(Refused, match="no such line"):
        card.answer_from({"fleet": {"noted": True}})


class Asides(Picks):
    """Picks, in which red alone is asked once more, in a window; all maps are due before."""

    def turn_steps(self, turn: TurnContext[PicksState]) -> Steps[None]:
        turn.set_time(turn.state.turn, 0, f"Turn {turn.state.turn}")
        yield from turn.at("pick").ask_all_steps([pick_ask(side) for side in turn.sides])
        turn.show_maps()
        once_more = [pick_ask(RED)] if turn.state.turn % 2 else []
        yield from turn.window_steps(turn.at("again").ask_all_steps(once_more), "decision")
        turn.state.turn += 1


class Game:
    def __init__(self, *, patient: bool) -> None:
        self.patient = patient
        self.adjudicator, step = Adjudicator.open(Asides(), title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
        self.steps: list[Transition] = [step]

    def close(self) -> Transition:
        self.steps.append(self.adjudicator.close("deadline", by="clock", at=AT, patient=self.patient))
        return self.steps[-1]

    @property
    def entries(self) -> list[JournalEntry]:
        return [step.entry for step in self.steps]


def test_a_sides_map_waits_until_the_side_is_asked() -> None:
    game = Game(patient=False)
    step = game.close()
    assert [ask.parties for ask in step.opened] == [(RED,)]
    assert step.maps_for == (RED,)
    step = game.close()  # turn 2: both are asked
    assert step.maps_for == (BLUE,)
    game.close()
    assert game.close().maps_for == (RED,)  # turn 3 has passed to red's aside
    assert game.close().maps_for == (BLUE,)  # nobody is asked any more: it has ended
    assert game.adjudicator.ending is not None


def test_the_public_map_is_due_where_it_is_no_secret_that_everybodys_are() -> None:
    at = table(patient=False)
    at.show_maps(RED, BLUE)
    assert not at.shared.public_due
    at.show_maps()
    assert at.shared.public_due
    game = Game(patient=False)
    assert not game.close().public_map, "red alone is asked: it waits, as the sides' maps do"
    assert game.adjudicator._shared.public_due


def test_a_map_that_waits_across_a_turns_boundary_is_not_forgotten_in_a_restart() -> None:
    game = Game(patient=False)
    game.close()
    boundary = game.close()
    again = replay(Asides(), game.entries, SEED, boundary.snapshot)
    assert boundary.snapshot.maps_for == (BLUE,)
    assert again._shared.maps_for == game.adjudicator._shared.maps_for == set()


def test_the_journal_says_whether_windows_passed_and_a_replay_lets_them_pass_again() -> None:
    games = {patient: Game(patient=patient) for patient in (True, False)}
    for patient, game in games.items():
        while game.adjudicator.ending is None:
            game.close()
        bodies = [entry.body for entry in game.entries if isinstance(entry.body, Closed)]
        assert {body.patient for body in bodies} == {patient}
        for length in range(1, len(game.entries) + 1):
            assert replay(Asides(), game.entries[:length], SEED).head == game.entries[length - 1]
    assert [len(games[patient].entries) for patient in (True, False)] == [7, 6]  # turn 2 has a window but no ask


def test_a_restart_in_the_middle_of_a_patient_turn_stands_at_the_same_window() -> None:
    game = Game(patient=True)
    last: Any = None
    for _ in range(4):
        step = game.close()
        last = step.snapshot if step.snapshot else last
    again = replay(Asides(), game.entries, SEED, last)
    assert [ask.id for ask in again.open_asks()] == [ask.id for ask in game.adjudicator.open_asks()]
    assert [ask.kind for ask in again.open_asks()] == ["pick", "pick"]


class Prelude(Asides):
    """Each turn begins with a window in which nobody is asked."""

    def turn_steps(self, turn: TurnContext[PicksState]) -> Steps[None]:
        yield from turn.at("prelude").window_steps(turn.ask_all_steps([]), "orders")
        yield from super().turn_steps(turn)


def test_a_restart_at_a_window_that_opens_a_turn_stands_there_again() -> None:
    adjudicator, step = Adjudicator.open(Prelude(), title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
    entries = [step.entry]
    while not step.snapshot:
        step = adjudicator.close("deadline", by="clock", at=AT, patient=True)
        entries.append(step.entry)
    assert [ask.kind for ask in adjudicator.open_asks()] == ["waiting", "waiting"]
    again = replay(Prelude(), entries, SEED, step.snapshot)
    assert [ask.id for ask in again.open_asks()] == [ask.id for ask in adjudicator.open_asks()]


def test_an_entry_of_hasty_play_is_spelled_as_ever() -> None:
    hasty, patient = Game(patient=False).close().entry, Game(patient=True).close().entry
    assert '"patient"' not in hasty.line()
    assert '"patient":true' in patient.line()
    assert JournalEntry.model_validate_json(patient.line()).computed_hash() == patient.hash
