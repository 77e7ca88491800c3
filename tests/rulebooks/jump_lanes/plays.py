"""Flows of this book played with scripted answers, and what was asked and told in them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from rules_engine.core.protocol.asks import Answers, AnyAsk, Steps
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from tests.rulebooks.jump_lanes.freight import turn_of

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
