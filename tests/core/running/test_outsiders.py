"""A campaign in which an outsider acts by rules of its own: its dice are on the record, and nobody commands it."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from rules_engine.core.basics.base import Outsider
from rules_engine.core.knowledge.reports import Sighted, because
from rules_engine.core.knowledge.views import Board, Counter, Knowledge, Panel
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import NotOpen
from tests.core.running.test_adjudicator import AT, Game
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState

BEAST = Outsider(key="beast", name="Star eater", emblem="S")
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

    def turn_steps(self, turn: TurnContext[Any]) -> Steps[None]:
        roll = turn.at(f"T{turn.state.turn}").roll("the beast's way", faces=6, seen_by=[])
        turn.state.beast = WAY[roll.total - 1]
        seen = Sighted(track="E7", hex=turn.state.beast, owner=BEAST.key, level_name="seen", headline="it feeds")
        turn.tell([RED], "The beast was seen.", why=because("Beasts 1", {"hex": seen.hex}), facts=[seen])
        yield from super().turn_steps(turn)

    def _board(self, state: PicksState, counters: Sequence[Counter], panels: Sequence[Panel]) -> Board:
        board = super()._board(state, counters, panels)
        return board.model_copy(update={"outsiders": (BEAST,)})

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
