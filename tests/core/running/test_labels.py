"""Seats before races, and outsiders that act by rules of their own."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rules_engine.core.basics import base, refusals
from rules_engine.core.knowledge.reports import EVERYBODY, Sighted, because
from rules_engine.core.knowledge.views import Board, Counter, Knowledge, Panel
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.protocol.seats import label_defects, seated, seats_of
from rules_engine.core.records.journal import Genesis, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import NotOpen, RuleFailure, Snapshot, Transition
from tests.core.races import RACES, RACES_BOOK, Races, RacesState, seat_labels
from tests.core.running.test_adjudicator import AT, Game
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED, Picks, PicksState
from tests.core.strands.islands import choice
from tests.expected.kept import cases

SEATS_OF_THREE = ("seat-1", "seat-2", "seat-3")


class SeatedGame:
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
def drawn() -> SeatedGame:
    game = SeatedGame()
    game.draw()
    return game


# --- seats ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", range(2, 8))
def test_as_many_seats_as_were_chosen_stand_in_the_genesis(seats: int) -> None:
    game = SeatedGame(seats)
    genesis = game.entries[0].body
    assert isinstance(genesis, Genesis)
    assert [label.name for label in genesis.sides] == [f"Seat {one}" for one in range(1, seats + 1)]
    assert genesis.scenario["seats"] == seats
    game.draw()
    assert len(set(game.names())) == seats
    assert game.adjudicator.sides == genesis.sides == seat_labels(seats)


@cases("scenario, seats, problem")
def test_a_number_of_seats_that_cannot_be_is_refused(scenario: Any, seats: int | None, problem: str) -> None:
    with pytest.raises(refusals.Refused) as refused:
        seated(RACES_BOOK, scenario, seats)
    assert str(refused.value) == problem


def test_where_sides_are_fixed_there_is_nothing_to_choose() -> None:
    scenario: dict[str, Any] = {"turns": 3}
    assert seats_of(PICKS, scenario) is None
    assert seated(PICKS, scenario, None) is scenario
    assert seated(RACES_BOOK, {"fixed": 4}, None) == {"fixed": 4}
    with pytest.raises(refusals.Refused):
        seated(PICKS, scenario, 2)


# --- names ------------------------------------------------------------------------------------------------------------
def test_names_and_emblems_follow_the_state_and_keys_stay(drawn: SeatedGame) -> None:
    labels = drawn.adjudicator.labels
    assert tuple(label.key for label in labels) == SEATS_OF_THREE
    assert {label.name for label in labels} == {"Lyran", "Hydran", "Federation"}
    assert {label.emblem for label in labels} == {"Ly", "Hy", "Fe"}
    assert [label.name for label in drawn.adjudicator.sides] == ["Seat 1", "Seat 2", "Seat 3"]


def test_a_rulebook_without_seats_keeps_the_names_of_its_genesis() -> None:
    adjudicator, _ = Adjudicator.open(PICKS, title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
    assert adjudicator.labels == adjudicator.sides == PICKS.sides({})


def test_everything_that_is_shown_uses_the_present_names(drawn: SeatedGame) -> None:
    adjudicator = drawn.adjudicator
    boards = [adjudicator.view(side).board for side in SEATS_OF_THREE]
    boards += [adjudicator.public_view().public, adjudicator.omniscient_view().omniscient]
    assert all(board.sides == adjudicator.labels for board in boards)
    drawn.say("seat-2", "3")
    (report,) = [one for one in drawn.close().reports if "scores" in one.text]
    assert report.text == f"{adjudicator.labels[1].name} scores."


def test_what_everybody_was_told_of_need_not_be_told_again(drawn: SeatedGame) -> None:
    for side in ("seat-1", "seat-2"):
        drawn.say(side, "3")
    assert drawn.close().reports == (), "a battle opens without a word"
    assert replay(RACES_BOOK, drawn.entries, SEED).labels == drawn.adjudicator.labels


def test_before_the_draw_all_go_by_their_seats() -> None:
    game = SeatedGame()
    assert game.names() == ["Seat 1", "Seat 2", "Seat 3"]
    assert game.adjudicator.view("seat-1").board.sides == seat_labels(3)


def test_what_was_told_keeps_the_names_it_was_told_with(drawn: SeatedGame) -> None:
    texts = [report.text for report in drawn.steps[-1].reports]
    for label in drawn.adjudicator.labels:
        (text,) = [one for one in texts if one.endswith(f"is the {label.name}.")]
        assert text.startswith(f"Seat {label.key[-1]} rolled ")
    purposes = [roll.purpose for roll in drawn.steps[-1].rolls]
    assert purposes
    assert all(purpose.startswith("order of Seat ") for purpose in purposes)
    assert all(roll.seen_by is None for roll in drawn.steps[-1].rolls), "the draw's dice are for all to see"


def test_every_prefix_of_the_journal_gives_the_names_of_its_end(drawn: SeatedGame) -> None:
    drawn.say("seat-1", "2")
    drawn.close()
    for length in range(1, len(drawn.entries) + 1):
        again = replay(RACES_BOOK, drawn.entries[:length], SEED)
        is_drawn = any(one.entry.body.kind == "closed" for one in drawn.steps[:length])
        assert (again.labels == drawn.adjudicator.labels) is is_drawn
        assert (again.labels == seat_labels(3)) is not is_drawn


def test_a_snapshot_gives_the_names_as_well(drawn: SeatedGame) -> None:
    boundary = drawn.steps[-1].boundary
    assert boundary is not None
    snapshot: Snapshot = boundary.snapshot(drawn.steps[-1].entry.seq)
    again = replay(RACES_BOOK, drawn.entries, SEED, snapshot)
    assert again.labels == drawn.adjudicator.labels
    again.answer("seat-2", again.asks_for("seat-2")[0].id, {"it": {"value": "3"}}, by="seat-2", at=AT)
    (report,) = again.close("deadline", by="clock", at=AT).reports
    assert report.text == f"{again.labels[1].name} scores."


def test_going_back_to_before_the_draw_puts_the_seats_back(drawn: SeatedGame) -> None:
    adjudicator, step = rewind(RACES_BOOK, drawn.entries, SEED, to=1, by="referee", reason="again", at=AT)
    assert adjudicator.labels == seat_labels(3)
    assert adjudicator.public_view().public.sides == seat_labels(3)
    assert replay(RACES_BOOK, [*drawn.entries, step.entry], SEED).labels == seat_labels(3)


def test_races_may_be_drawn_before_anybody_is_asked_anything() -> None:
    game = SeatedGame(asks_wishes=False)
    assert sorted(game.names()) == ["Federation", "Hydran", "Klingon"]
    assert game.adjudicator.sides == seat_labels(3)
    assert replay(RACES_BOOK, game.entries, SEED).labels == game.adjudicator.labels


# --- what must not be -------------------------------------------------------------------------------------------------
def test_two_seats_with_one_race_are_a_failure_of_the_rules() -> None:
    game = SeatedGame(drawn_twice=True)
    with pytest.raises(RuleFailure):
        game.draw()


def test_names_that_only_their_own_sides_are_told_of_are_a_failure_of_the_rules() -> None:
    game = SeatedGame(unsaid=True)
    with pytest.raises(RuleFailure):
        game.draw()


class DrawnApart(Races):
    """The draw is done in a strand, which goes on after it."""

    parts_play = True

    def turn_steps(self, turn: turn_context.TurnContext[RacesState]) -> asks.Steps[None]:
        def flow(apart: turn_context.TurnContext[RacesState], _: str) -> asks.Steps[None]:
            yield from self.draw_steps(apart)
            yield from apart.ask_steps(choice("rest", "seat-1", "Rest", ["yes", "no"]))

        yield from turn.parting_steps({"draw": turn.sides}, flow)


def test_names_cannot_be_given_within_a_strand() -> None:
    """What it tells everybody is held back, and names are public at once."""
    game = SeatedGame(book=DrawnApart())
    with pytest.raises(RuleFailure) as failure:
        game.draw()
    assert str(failure.value.__cause__) == "sides were named, and nobody was told"


def test_a_referee_cannot_give_two_seats_one_race(drawn: SeatedGame) -> None:
    taken = drawn.adjudicator.labels[1].name
    with pytest.raises(refusals.Refused, match="seat-1 has the name of another side"):
        drawn.adjudicator.plan_edit("races.seat-1", taken)


def test_a_referee_can_give_a_seat_another_race_and_play_goes_on(drawn: SeatedGame) -> None:
    free = next(race for race in RACES if race not in drawn.names())
    step = drawn.adjudicator.edit("races.seat-1", free, by="referee", reason="they wish so", at=AT)
    assert drawn.names()[0] == free
    assert any(report.to == EVERYBODY for report in step.reports)
    drawn.steps.append(step)
    drawn.close()  # nobody need be told again
    assert replay(RACES_BOOK, drawn.entries, SEED).labels == drawn.adjudicator.labels


@cases("second, defect")
def test_labels_that_cannot_be(second: dict[str, str], defect: str) -> None:
    first = base.SideLabel(key="seat-1", name="Lyran", emblem="Ly")
    labels = [first, base.SideLabel.model_validate({"key": "seat-2", **second})]
    assert defect in "; ".join(label_defects(labels, ["seat-1", "seat-2"]))


def test_labels_that_can_be() -> None:
    assert label_defects(seat_labels(7), [f"seat-{one}" for one in range(1, 8)]) == []


# --- a campaign in which an outsider acts by rules of its own: its dice are on the record, and nobody commands it -----
BEAST = base.Outsider(key="beast", name="Star eater", emblem="S")
WAY = ("0201", "0202", "0203", "0204", "0205", "0301")


class HauntedState(PicksState):
    """Where the beast is."""

    beast: str = "0201"


class HauntedPicks(Picks):
    """The small rulebook with a beast that moves by its own die each turn; red alone sees where it went."""

    key = "haunted"
    state_model = HauntedState

    def set_up(self, scenario: Any) -> HauntedState:
        return HauntedState(scores={RED: 0, BLUE: 0}, picks={RED: 0, BLUE: 0}, turns=3)

    def turn_steps(self, turn: turn_context.TurnContext[Any]) -> asks.Steps[None]:
        roll = turn.at(f"T{turn.state.turn}").roll("the beast's way", faces=6, seen_by=[])
        turn.state.beast = WAY[roll.total - 1]
        seen = Sighted(track="E7", hex=turn.state.beast, owner=BEAST.key, level_name="seen", headline="it feeds")
        turn.tell([RED], "The beast was seen.", why=because("Beasts 1", {"hex": seen.hex}), facts=[seen])
        yield from super().turn_steps(turn)

    def _board(self, state: PicksState, counters: Sequence[Counter], panels: Sequence[Panel]) -> Board:
        return super()._board(state, counters, panels).model_copy(update={"outsiders": (BEAST,)})

    def omniscient_board(self, state: Any) -> Board:
        board = super().omniscient_board(state)
        beast = Counter(id="beast", hex=state.beast, owner=BEAST.key, label="Beast")
        return board.model_copy(update={"counters": (*board.counters, beast)})


class HauntedGame(Game):
    """A campaign of it, with its journal."""

    def __init__(self) -> None:
        self.entries, self.steps = [], []
        self.adjudicator, step = Adjudicator.open(HauntedPicks(), title="Test", scenario={}, seed=SEED, at=AT)
        self.take(step)


@pytest.fixture(scope="module")
def played() -> HauntedGame:
    """A whole campaign. Only to be looked at."""
    game = HauntedGame()
    for _ in range(3):
        game.turn(3, 7)
    game.take(game.adjudicator.reveal(by="clock", at=AT))
    return game


def rolls_in(game: Game) -> Iterator[Any]:
    return (roll for step in game.steps for roll in step.rolls if roll.purpose == "the beast's way")


def test_its_dice_are_on_the_record_and_replay_alike(played: HauntedGame):
    rolls = list(rolls_in(played))
    assert len(rolls) == 3
    assert all(roll.seen_by == frozenset() for roll in rolls)
    again = replay(HauntedPicks(), played.entries, SEED)
    assert again.digest() == played.adjudicator.digest()
    assert again.checkpoint().rolls == played.adjudicator.checkpoint().rolls == 6, "one of red's each turn"


def test_nobody_reads_of_its_dice_before_the_end(played: HauntedGame):
    told = [report for step in played.steps for report in step.reports]
    shown = [roll.label for report in told if report.why for roll in report.why.dice]
    assert len(shown) == 3, "red's own"
    assert not set(shown) & {roll.label for roll in rolls_in(played)}
    assert "the beast's way" not in "".join(report.model_dump_json() for report in told)


def test_a_side_sees_it_as_its_contact_by_name():
    game = HauntedGame()
    red, blue = (game.adjudicator.view(side).board for side in (RED, BLUE))
    assert [(one.label, red.name_of(one.owner)) for one in red.counters if one.owner != RED] == [("E7", "Star eater")]
    assert [one.owner for one in blue.counters] == [BLUE]
    tables = {table.key: table for table in game.adjudicator.side_tables(RED)}
    assert tables["contacts"].rows[0][:2] == ("E7", "Star eater")


def test_nobody_commands_it():
    game = HauntedGame()
    assert BEAST.key not in [label.key for label in game.adjudicator.sides]
    assert game.adjudicator.asks_for(BEAST.key) == ()
    with pytest.raises(NotOpen):
        game.adjudicator.answer(BEAST.key, game.ask_id(RED), {"fleet": {"number": 1}}, by="x", at=AT)
    with pytest.raises(KeyError):
        game.adjudicator.view(BEAST.key)
    with pytest.raises(KeyError):
        game.adjudicator.side_tables(BEAST.key)
    assert game.adjudicator.is_ready(BEAST.key), "nothing is ever awaited of it"


def test_what_is_known_of_it_is_in_a_sides_knowledge_alone():
    knowledge: dict[str, Knowledge] = HauntedGame().adjudicator._shared.knowledge  # private: what nobody may look at
    assert set(knowledge) == {RED, BLUE}
    assert [contact.owner for contact in knowledge[RED].held()] == [BEAST.key]
    assert knowledge[BLUE].held() == []
