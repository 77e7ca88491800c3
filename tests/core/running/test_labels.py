"""Seats before races: who sits is known before what the sides are called, and their names follow the state."""

from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import EVERYBODY
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.seats import label_defects, seated, seats_of
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import Genesis, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import RuleFailure, Snapshot, Transition
from tests.core.races import RACES, RACES_BOOK, Races, RacesState, seat_labels
from tests.core.small_rulebook import PICKS, SEED
from tests.core.strands.islands import choice
from tests.expected.kept import cases

AT = "2026-01-01T00:00:00.000+00:00"
SEATS_OF_THREE = ("seat-1", "seat-2", "seat-3")


class Game:
    """A campaign of three seats, with its journal."""

    def __init__(self, seats: int = 3, *, book: Any = RACES_BOOK, **scenario: Any) -> None:
        scenario = seated(book, {"turns": 3, **scenario}, seats)
        self.adjudicator, step = Adjudicator.open(book, title="Test", scenario=scenario, seed=SEED, at=AT)
        self.steps: list[Transition] = [step]

    @property
    def entries(self) -> list[JournalEntry]:
        return [step.entry for step in self.steps]

    def say(self, side: str, value: str) -> None:
        ask_id = self.adjudicator.asks_for(side)[0].id
        self.steps.append(self.adjudicator.answer(side, ask_id, {"it": {"value": value}}, by=side, at=AT))

    def close(self) -> Transition:
        self.steps.append(self.adjudicator.close("deadline", by="clock", at=AT))
        return self.steps[-1]

    def draw(self) -> Transition:
        """All wish to be Lyran; one is."""
        for label in self.adjudicator.sides:
            self.say(label.key, "Lyran")
        return self.close()

    def names(self) -> list[str]:
        return [label.name for label in self.adjudicator.labels]


@pytest.fixture
def drawn() -> Game:
    game = Game()
    game.draw()
    return game


# --- seats ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 8))
def test_as_many_seats_as_were_chosen_stand_in_the_genesis(seats: int) -> None:
    game = Game(seats)
    genesis = game.entries[0].body
    assert isinstance(genesis, Genesis)
    assert [label.name for label in genesis.sides] == [f"Seat {one}" for one in range(1, seats + 1)]
    assert genesis.scenario["seats"] == seats
    game.draw()
    assert len(set(game.names())) == seats
    assert game.adjudicator.sides == genesis.sides == seat_labels(seats)


@cases("scenario, seats, problem")
def test_a_number_of_seats_that_cannot_be_is_refused(scenario: Any, seats: int | None, problem: str) -> None:
    with pytest.raises(Refused) as refused:
        seated(RACES_BOOK, scenario, seats)
    assert str(refused.value) == problem


def test_where_sides_are_fixed_there_is_nothing_to_choose() -> None:
    scenario: dict[str, Any] = {"turns": 3}
    assert seats_of(PICKS, scenario) is None
    assert seated(PICKS, scenario, None) is scenario
    assert seated(RACES_BOOK, {"fixed": 4}, None) == {"fixed": 4}
    with pytest.raises(Refused):
        seated(PICKS, scenario, 2)


# --- names ------------------------------------------------------------------------------------------------------------


def test_names_and_emblems_follow_the_state_and_keys_stay(drawn: Game) -> None:
    labels = drawn.adjudicator.labels
    assert tuple(label.key for label in labels) == SEATS_OF_THREE
    assert {label.name for label in labels} == {"Lyran", "Hydran", "Federation"}
    assert {label.emblem for label in labels} == {"Ly", "Hy", "Fe"}
    assert [label.name for label in drawn.adjudicator.sides] == ["Seat 1", "Seat 2", "Seat 3"]


def test_a_rulebook_without_seats_keeps_the_names_of_its_genesis() -> None:
    adjudicator, _ = Adjudicator.open(PICKS, title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
    assert adjudicator.labels == adjudicator.sides == PICKS.sides({})


def test_everything_that_is_shown_uses_the_present_names(drawn: Game) -> None:
    adjudicator = drawn.adjudicator
    boards = [adjudicator.view(side).board for side in SEATS_OF_THREE]
    boards += [adjudicator.public_view().public, adjudicator.omniscient_view().omniscient]
    assert all(board.sides == adjudicator.labels for board in boards)
    drawn.say("seat-2", "3")
    (report,) = [one for one in drawn.close().reports if "scores" in one.text]
    assert report.text == f"{adjudicator.labels[1].name} scores."


def test_what_everybody_was_told_of_need_not_be_told_again(drawn: Game) -> None:
    for side in ("seat-1", "seat-2"):
        drawn.say(side, "3")
    assert drawn.close().reports == (), "a battle opens without a word"
    assert replay(RACES_BOOK, drawn.entries, SEED).labels == drawn.adjudicator.labels


def test_before_the_draw_all_go_by_their_seats() -> None:
    game = Game()
    assert game.names() == ["Seat 1", "Seat 2", "Seat 3"]
    assert game.adjudicator.view("seat-1").board.sides == seat_labels(3)


def test_what_was_told_keeps_the_names_it_was_told_with(drawn: Game) -> None:
    texts = [report.text for report in drawn.steps[-1].reports]
    for label in drawn.adjudicator.labels:
        (text,) = [one for one in texts if one.endswith(f"is the {label.name}.")]
        assert text.startswith(f"Seat {label.key[-1]} rolled ")
    purposes = [roll.purpose for roll in drawn.steps[-1].rolls]
    assert purposes
    assert all(purpose.startswith("order of Seat ") for purpose in purposes)
    assert all(roll.seen_by is None for roll in drawn.steps[-1].rolls), "the draw's dice are for all to see"


def test_every_prefix_of_the_journal_gives_the_names_of_its_end(drawn: Game) -> None:
    drawn.say("seat-1", "2")
    drawn.close()
    for length in range(1, len(drawn.entries) + 1):
        again = replay(RACES_BOOK, drawn.entries[:length], SEED)
        is_drawn = any(one.entry.body.kind == "closed" for one in drawn.steps[:length])
        assert (again.labels == drawn.adjudicator.labels) is is_drawn
        assert (again.labels == seat_labels(3)) is not is_drawn


def test_a_snapshot_gives_the_names_as_well(drawn: Game) -> None:
    boundary = drawn.steps[-1].boundary
    assert boundary is not None
    snapshot: Snapshot = boundary.snapshot(drawn.steps[-1].entry.seq)
    again = replay(RACES_BOOK, drawn.entries, SEED, snapshot)
    assert again.labels == drawn.adjudicator.labels
    ask_id = again.asks_for("seat-2")[0].id
    again.answer("seat-2", ask_id, {"it": {"value": "3"}}, by="seat-2", at=AT)
    (report,) = again.close("deadline", by="clock", at=AT).reports
    assert report.text == f"{again.labels[1].name} scores."


def test_going_back_to_before_the_draw_puts_the_seats_back(drawn: Game) -> None:
    adjudicator, step = rewind(RACES_BOOK, drawn.entries, SEED, to=1, by="referee", reason="again", at=AT)
    assert adjudicator.labels == seat_labels(3)
    assert adjudicator.public_view().public.sides == seat_labels(3)
    assert replay(RACES_BOOK, [*drawn.entries, step.entry], SEED).labels == seat_labels(3)


def test_races_may_be_drawn_before_anybody_is_asked_anything() -> None:
    game = Game(asks_wishes=False)
    assert sorted(game.names()) == ["Federation", "Hydran", "Klingon"]
    assert game.adjudicator.sides == seat_labels(3)
    assert replay(RACES_BOOK, game.entries, SEED).labels == game.adjudicator.labels


# --- what must not be -------------------------------------------------------------------------------------------------


def test_two_seats_with_one_race_are_a_failure_of_the_rules() -> None:
    game = Game(drawn_twice=True)
    with pytest.raises(RuleFailure):
        game.draw()


def test_names_that_only_their_own_sides_are_told_of_are_a_failure_of_the_rules() -> None:
    game = Game(unsaid=True)
    with pytest.raises(RuleFailure):
        game.draw()


class DrawnApart(Races):
    """The draw is done in a strand, which goes on after it."""

    parts_play = True

    def turn_steps(self, turn: TurnContext[RacesState]) -> Steps[None]:
        def flow(apart: TurnContext[RacesState], _: str) -> Steps[None]:
            yield from self.draw_steps(apart)
            yield from apart.ask_steps(choice("rest", "seat-1", "Rest", ["yes", "no"]))

        yield from turn.parting_steps({"draw": turn.sides}, flow)


def test_names_cannot_be_given_within_a_strand() -> None:
    """What it tells everybody is held back, and names are public at once."""
    game = Game(book=DrawnApart())
    with pytest.raises(RuleFailure) as failure:
        game.draw()
    assert str(failure.value.__cause__) == "sides were named, and nobody was told"


def test_a_referee_cannot_give_two_seats_one_race(drawn: Game) -> None:
    taken = drawn.adjudicator.labels[1].name
    with pytest.raises(Refused, match="seat-1 has the name of another side"):
        drawn.adjudicator.plan_edit("races.seat-1", taken)


def test_a_referee_can_give_a_seat_another_race_and_play_goes_on(drawn: Game) -> None:
    free = next(race for race in RACES if race not in drawn.names())
    step = drawn.adjudicator.edit("races.seat-1", free, by="referee", reason="they wish so", at=AT)
    assert drawn.names()[0] == free
    assert any(report.to == EVERYBODY for report in step.reports)
    drawn.steps.append(step)
    drawn.close()  # nobody need be told again
    assert replay(RACES_BOOK, drawn.entries, SEED).labels == drawn.adjudicator.labels


@cases("second, defect")
def test_labels_that_cannot_be(second: dict[str, str], defect: str) -> None:
    first = SideLabel(key="seat-1", name="Lyran", emblem="Ly")
    labels = [first, SideLabel.model_validate({"key": "seat-2", **second})]
    assert defect in "; ".join(label_defects(labels, ["seat-1", "seat-2"]))


def test_labels_that_can_be() -> None:
    assert label_defects(seat_labels(7), [f"seat-{one}" for one in range(1, 8)]) == []
