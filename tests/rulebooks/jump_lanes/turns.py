"""Flows and whole turns in the world of `frontier`, with sheets as players type them, and what reached a side."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Answers, AnyAsk, Steps
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.sequence import turn_steps
from rules_engine.rulebooks.jump_lanes.shown.boards import side_board
from tests.rulebooks.jump_lanes.frontier import TERRAN, turn_of

T = TypeVar("T")
Answer = Mapping[str, Mapping[str, Any]]


@dataclass
class Play:
    """What happened: all that was asked, in its order, and each side's reports."""

    turn: LanesTurn
    asked: list[AnyAsk] = field(default_factory=list[AnyAsk])

    @property
    def state(self) -> LanesState:
        """The state as it is now."""
        return self.turn.state

    def told(self, side: str, kind: str = "") -> list[str]:
        """What a side was told, of one kind or all."""
        return [one.text for one in self.turn.shared.reports if one.is_for(side) and kind in ("", one.kind)]

    def run(self, flow: Steps[T], answers: Callable[[AnyAsk], Answer | None]) -> T:
        """Play a flow to its end. ``answers`` gives the lines of an ask's answer that are not as filled in; None takes
        the default. Each answer must be legal, and the state possible at the end."""
        try:
            batch = next(flow)
            while True:
                given: Answers = {}
                for ask in batch.asks:
                    self.asked.append(ask)
                    given[ask.id] = self._answer(ask, answers(ask))
                batch = flow.send(given)
        except StopIteration as stop:
            assert list(defects(self.state)) == []
            return stop.value

    @staticmethod
    def _answer(ask: AnyAsk, said: Answer | None) -> Any:
        if said is None and ask.default is not None:
            return ask.default
        sheet = ask.form.prefilled()
        for key, values in (said or {}).items():
            sheet[key] = {**sheet[key], **values}
        answer = ask.model.model_validate(sheet)
        refusals = ask.check(answer)
        assert not refusals, [str(one) for one in refusals]
        return answer


def begin(state: LanesState, **dice: Sequence[int]) -> Play:
    """A turn of a state, with loaded dice."""
    return Play(turn_of(state, **dice))


def fates(**units: str) -> Callable[[AnyAsk], Answer | None]:
    """Answers of battles: the fates of units by name, all others as they were; of other asks the default."""

    def answer(ask: AnyAsk) -> Answer | None:
        if ask.kind != "battle":
            return None
        named = {line.key: line.label.partition(": ")[2].partition(" (")[0] for line in ask.form.lines}
        return {key: {"fate": units[name]} for key, name in named.items() if name in units}

    return answer


# --- sheets ----------------------------------------------------------------------------------------------------------
def sheet(text: str, state: LanesState, empire: str = TERRAN) -> LaneSheet:
    """The sheet that a text stands for, read by the form's own notation."""
    ask = sheet_ask(state, empire)
    return ask.model.model_validate(read_sheet(ask.form, text, ask.refusals_of))


def refused(text: str, state: LanesState, empire: str = TERRAN) -> list[str]:
    """What is refused of a text, as it is told."""
    try:
        answer = sheet(text, state, empire)
    except Refused as refusal:
        return [str(one) for one in refusal.refusals]
    return [str(one) for one in sheet_ask(state, empire).check(answer)]


def said(text: str, state: LanesState, empire: str = TERRAN) -> list[str]:
    """What is read back of a text that is taken."""
    ask = sheet_ask(state, empire)
    answer = sheet(text, state, empire)
    assert not ask.check(answer), ask.check(answer)
    return list(ask.read_back(answer))


# --- turns -----------------------------------------------------------------------------------------------------------
class TurnDice(DiceStream):
    """Loaded dice: a roll whose label contains a key takes the next of its values; any other shows its least."""

    def __init__(self, values: Mapping[str, Sequence[int]]) -> None:
        super().__init__(b"0123456789abcdef")
        self._values = {key: list(given) for key, given in values.items()}

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The next values of the first key that the label contains."""
        for key, values in self._values.items():
            if key in label and values:
                return tuple(values.pop(0) for _ in range(count))
        return (die.low,) * count


class TurnsPlayed:
    """Turns of a state. ``sheets`` are each side's texts, turn by turn; ``fates`` those of units in battles."""

    def __init__(
        self,
        state: LanesState,
        sheets: Mapping[str, Sequence[str]],
        *,
        turns: int = 1,
        fates: Mapping[str, str] | None = None,
        dice: Mapping[str, Sequence[int]] | None = None,
    ) -> None:
        self.state = state
        self.sheets = {side: list(texts) for side, texts in sheets.items()}
        self.fates = fates or {}
        self.asks: list[AnyAsk] = []
        sides = tuple(SideLabel(key=one.id, name=one.name, emblem=one.emblem) for one in state.empires.values())
        self.looks: dict[str, list[str]] = {one.key: [] for one in sides}
        self.shared = SharedTurn(
            dice=TurnDice(dice or {}), sides=sides, knowledge={one.key: Knowledge() for one in sides},
            now=When(turn=state.turn),
        )  # fmt: skip
        for _ in range(turns):
            self._turn()

    def _turn(self) -> None:
        flow = turn_steps(TurnContext(self.state, self.shared, f"T{self.state.turn + 1}"))
        try:
            batch = next(flow)
            while True:
                self.asks += batch.asks
                for side in dict.fromkeys(side for ask in batch.asks for side in ask.parties):
                    self.looks[side].append(self._board(side))
                assert list(defects(self.state)) == []
                batch = flow.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration:
            assert list(defects(self.state)) == []

    def _answer(self, ask: AnyAsk) -> Any:
        if ask.kind == "battle":
            given = {line.key: {"fate": fate} for line in ask.form.lines if (fate := self._fate(line.label))}
            return ask.answer_from({key: line | given.get(key, {}) for key, line in ask.form.prefilled().items()})
        texts = self.sheets.get(ask.parties[0], []) if ask.kind == "plot" else []
        text = texts.pop(0) if texts else ""
        if not text:
            return ask.default
        answer = ask.model.model_validate(read_sheet(ask.form, text, ask.refusals_of))
        assert [str(one) for one in ask.check(answer)] == []
        return answer

    def _fate(self, label: str) -> str:
        return next((fate for name, fate in self.fates.items() if name in label), "")

    def told(self, side: str, kind: str = "") -> list[Report]:
        """What a side was told."""
        return [one for one in self.shared.reports if one.is_for(side) and kind in ("", one.kind)]

    def _board(self, side: str) -> str:
        return side_board(self.state, side, self.shared.knowledge[side]).model_dump_json()

    def seen_by(self, side: str) -> str:
        """All that reached a side, as one text: its boards, what it was told, its dice, and what it was asked."""
        parts = [*self.looks[side], self._board(side)]
        parts += [one.model_copy(update={"number": 0}).model_dump_json() for one in self.told(side)]
        rolls = self.shared.rolls
        parts += [f"{one.label}: {one}" for one in rolls if one.seen_by is None or side in one.seen_by]
        for ask in (one for one in self.asks if side in one.parties):
            parts += [ask.id, ask.title, ask.text, str(ask.form.lines), str(ask.question)]
            parts += [] if ask.default is None else list(ask.read_back(ask.default))
            parts += [] if ask.setup is None else [ask.setup.seen_by(side).model_dump_json()]
        return "\n".join(parts)
