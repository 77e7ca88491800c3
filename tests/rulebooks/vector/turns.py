"""Whole turns of a duel with sheets as players type them, and all that reached a side."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rules_engine.core.basics.base import Json, When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.vector.campaign.victory import ending, out_of_play
from rules_engine.rulebooks.vector.invariants import defects
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.sequence import turn_steps
from rules_engine.rulebooks.vector.shown.boards import labels, side_board
from rules_engine.rulebooks.vector.shown.sides import briefing, ranges_table, ships_table

Pilot = Callable[[VectorState, str, AnyAsk], "Json | None"]
"""What a captain sends when it is asked; None for silence."""


class DuelDice(DiceStream):
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


class DuelPlayed:
    """Turns of a duel. ``sheets`` are each side's texts, ask by ask, of the kinds ``set-up`` and ``plot``; a pilot
    answers instead where there is one. Others' reports are so, but those that are in ``disputed``."""

    def __init__(
        self,
        state: VectorState,
        sheets: Mapping[str, Sequence[str]] | None = None,
        *,
        turns: int = 1,
        pilot: Pilot | None = None,
        dice: Mapping[str, Sequence[int]] | None = None,
        disputed: bool = False,
    ) -> None:
        self.state = state
        self.sheets = {side: list(texts) for side, texts in (sheets or {}).items()}
        self.pilot = pilot
        self.disputed = disputed
        self.asks: list[AnyAsk] = []
        self.count: Counter[str] = Counter()
        sides = labels(state)
        self.looks: dict[str, list[str]] = {one.key: [] for one in sides}
        self.shared = SharedTurn(
            dice=DuelDice(dice or {}), sides=sides, knowledge={one.key: Knowledge() for one in sides},
            now=When(turn=state.battle.turn), out_of_play=lambda: out_of_play(self.state),
        )  # fmt: skip
        for _ in range(turns):
            if ending(state) is None:
                self._turn()

    def _turn(self) -> None:
        flow = turn_steps(TurnContext(self.state, self.shared, f"T{self.state.battle.turn + 1}"))
        try:
            batch = next(flow)
            while True:
                self.asks += batch.asks
                for side in self.looks:
                    self.looks[side].append(self._look(side))
                assert list(defects(self.state)) == []
                self.count.update(f"ask {ask.kind}" for ask in batch.asks)
                batch = flow.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration:
            assert list(defects(self.state)) == []

    def _answer(self, ask: AnyAsk) -> Any:
        side = ask.parties[0]
        if ask.kind in ("reports", "dispute"):
            so = "no" if self.disputed and ask.kind == "reports" else "yes"
            return ask.answer_from({line.key: {"so": so} for line in ask.form.lines})
        if self.pilot is not None:
            sheet = self.pilot(self.state, side, ask)
            return ask.default if sheet is None else ask.answer_from(sheet)
        texts = self.sheets.get(side, [])
        text = texts.pop(0) if texts else ""
        if not text:
            return ask.default
        typed: Any = read_sheet(ask.form, text, ask.refusals_of)
        return ask.answer_from(typed)

    def told(self, side: str, kind: str = "") -> list[Report]:
        """What a side was told."""
        return [one for one in self.shared.reports if one.is_for(side) and kind in ("", one.kind)]

    def _look(self, side: str) -> str:
        board = side_board(self.state, side).model_dump_json()
        tables = (ships_table(self.state, side), ranges_table(self.state, side), briefing(self.state, side))
        return "\n".join([board, *(one.model_dump_json() for one in tables)])

    def seen_by(self, side: str) -> str:
        """All that reached a side, as one text: its boards, tables, what it was told, its dice, and what it was
        asked."""
        parts = [*self.looks[side], self._look(side)]
        parts += [one.model_copy(update={"number": 0}).model_dump_json() for one in self.told(side)]
        rolls = self.shared.rolls
        parts += [f"{one.label}: {one}" for one in rolls if one.seen_by is None or side in one.seen_by]
        for ask in (one for one in self.asks if side in one.parties):
            parts += [ask.id, ask.title, ask.text, str(ask.form.lines), str(ask.question)]
            parts += [str(one) for one in ask.form.absent]
            parts += [] if ask.default is None else list(ask.read_back(ask.default))
        return "\n".join(parts)
