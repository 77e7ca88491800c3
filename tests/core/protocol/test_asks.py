"""Asks: what the journal keeps of an answer, and what waiting reveals."""

from dataclasses import replace
from typing import Any

import pytest
from pydantic import RootModel

from rules_engine.core.basics import dice, refusals
from rules_engine.core.basics.base import Frozen, When
from rules_engine.core.forms.forms import Form, Line
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Ask, Batch, Steps
from rules_engine.core.protocol.question import LineNow, usual_lines
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.records.journal import Closed, JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import OpenAsk, Transition
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED, Picks, PicksState, pick_ask
from tests.expected.kept import cases


class Course(Frozen):
    """A line with fields that may be left out, and with one whose default is not nothing."""

    name: str | None = None
    route: str | None = "as stored"
    ships: tuple[str, ...] = ()


class Orders(RootModel[dict[str, Course]]):
    """A sheet."""


def ask() -> Ask[Orders]:
    return Ask("orders", ("red",), "Orders", "", Orders, "Toy 1", Form(), default=Orders({}))


def test_the_journal_keeps_what_was_said_and_nothing_else():
    """What was cleared is not the same as what was left as it stood."""
    said = {"A1": {"name": None, "ships": ["one"]}, "A2": {"route": None}, "A3": {}}
    kept = ask().document_of(ask().answer_from(said), said)
    assert kept == said
    again = ask().answer_from(kept)
    assert [sorted(line.model_fields_set) for line in again.root.values()] == [["name", "ships"], ["route"], []]


def test_an_answer_is_judged_once_on_its_way_into_the_journal():
    judged: list[Orders] = []

    def check(orders: Orders) -> list[object]:
        judged.append(orders)
        return []

    standing = OpenAsk(Ask("orders", ("red",), "", "", Orders, "", Form(), default=Orders({}), check=check))  # type: ignore[arg-type]
    answer = standing.judge({"A1": {"name": "Wing"}})
    kept = standing.for_journal({"A1": {"name": "Wing"}})
    assert standing.judge(kept) is answer
    assert len(judged) == 1
    standing.forget()
    assert standing.judge(kept) == answer
    assert len(judged) == 2, "after a correction by hand it is judged anew"


def standing_lines(**more: object) -> Ask[Orders]:
    usual = Orders.model_validate({"A1": {"name": "Wing", "ships": ["one"]}, "A2": {"route": "home"}})
    return Ask("orders", ("red",), "", "", Orders, "", Form(), default=usual, lines_stand=True, **more)  # type: ignore[arg-type]


def test_a_line_that_is_not_mentioned_stands_as_the_default_has_it() -> None:
    one = standing_lines()
    answer = one.answer_from({"A2": {"name": "Tail"}})
    assert list(answer.root) == ["A1", "A2"]
    assert answer.root["A1"] is one.default.root["A1"]  # type: ignore[union-attr]
    assert answer.root["A2"] == Course(name="Tail"), "of a line that is mentioned nothing is filled in"
    assert one.answer_from({}) == one.default
    assert one.answer_from({"A3": {}}).root["A3"] == Course(), "a line of which the default says nothing"


def test_the_journal_keeps_only_the_lines_that_were_mentioned() -> None:
    standing = OpenAsk(standing_lines())
    given = {"A2": {"name": None}}
    kept = standing.for_journal(given)
    assert kept == {"A2": {"name": None}}
    assert kept is not given, "who gave it may change it"
    again = OpenAsk(standing_lines()).judge(kept)
    assert again == standing.judge(given)
    assert again.root["A2"].model_fields_set == {"name"}


def test_all_lines_are_judged() -> None:
    judged: list[Orders] = []

    def check(orders: Orders) -> list[object]:
        judged.append(orders)
        return []

    standing_lines(check=check).answer_from({"A1": {}})
    assert [sorted(one.root) for one in judged] == [["A1", "A2"]]


def test_lines_can_stand_only_where_there_are_lines() -> None:
    with pytest.raises(TypeError, match="no lines"):
        Ask("course", ("red",), "", "", Course, "", Form(), default=Course(), lines_stand=True)


def test_a_form_is_made_when_somebody_looks_and_again_after_a_correction() -> None:
    made: list[Form] = []

    def make() -> Form:
        made.append(Form(lines=(Line(key=f"A{len(made)}", label="", fields=()),)))
        return made[-1]

    usual = Orders({"A1": Course(name="Wing")})
    one = Ask("orders", ("red",), "", "", Orders, "", make, default=usual, lines_stand=True).named("T1/orders/red")
    assert one.id == "T1/orders/red"
    assert one.is_choice(), "lines that stand may be changed"
    assert one.answer_from({}) == usual
    OpenAsk(one).judge({"A1": {"name": None}})
    assert made == [], "nobody has looked at it"
    assert one.form is one.form is made[0]
    one.forget()
    assert one.form is made[1]
    assert one.default is usual


def test_an_ask_needs_a_form() -> None:
    with pytest.raises(TypeError, match="form"):
        Ask("orders", ("red",), "", "", Orders, "", default=Orders({}))  # type: ignore[call-arg]


def test_lines_stand_in_the_order_of_the_sheet() -> None:
    form = Form(lines=tuple(Line(key=key, label=key, fields=()) for key in ("A9", "A10", "A11")))
    answer = replace(ask(), form=form).answer_from({"A11": {}, "B1": {}, "A10": {}, "A9": {}})
    assert list(answer.root) == ["A9", "A10", "A11", "B1"]


def test_an_answer_is_made_of_what_the_journal_gives_back() -> None:
    """The journal keeps keys in alphabetical order; an answer that is taken now must not know of another."""
    for document in ({"B": {"ships": ["2", "1"]}, "A": {}}, {"A": {}, "B": {"ships": ["2", "1"]}}):
        answer = OpenAsk(ask()).judge(document)
        assert list(answer.root) == ["A", "B"]
        assert answer.root["B"].ships == ("2", "1")


# --- what cards say of a line where the rulebook does not say it ------------------------------------------------------
VANGUARD = Line("A1", "A1 Vanguard in 0405", ())


def test_what_is_said_of_the_only_line_does_not_name_it_again() -> None:
    said = ["A1 Vanguard in 0405: does not search.", "Nothing else is asked."]
    found = usual_lines([VANGUARD], {}, said, ["A1 is short of fuel."], is_all=True)
    assert found == {"A1": LineNow("Does not search. Nothing else is asked.", "A1", doubts=("A1 is short of fuel.",))}


def test_what_is_said_of_the_whole_stays_as_it_is() -> None:
    assert usual_lines([VANGUARD], {}, ["All ships stay."], [], is_all=True)["A1"].now == "All ships stay."


# --- what waiting reveals: windows pass whether or not a side is asked, and maps wait until their side is asked -------
AT = "2026-01-01T00:00:00.000+00:00"


def table(*, patient: bool) -> TurnContext[PicksState]:
    sides = PICKS.sides({})
    knowledge = {label.key: Knowledge() for label in sides}
    shared = SharedTurn(dice=dice.DiceStream(SEED), sides=sides, knowledge=knowledge, now=When(turn=1), patient=patient)
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
    with pytest.raises(refusals.Refused, match="no such line"):
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
