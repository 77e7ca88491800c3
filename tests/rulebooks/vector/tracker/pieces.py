"""What is settled before a piece is flown, driven by the captains' sheets and answers."""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Side, SideLabel, When
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.vector.accounts.settling import settle_reports_steps
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical

EMBLEMS = {"hunters": "H", "racers": "R", "watchers": "W"}


class PieceSettled:
    """Reports in the text of each side's sheet, settled. ``objections``: by side, the reports that it says are not so;
    ``disputes``: what all then say of each."""

    def __init__(
        self,
        battle: Tactical,
        texts: Mapping[Side, str],
        objections: Mapping[Side, set[str]] | None = None,
        disputes: Mapping[str, str] | None = None,
    ) -> None:
        self.battle = battle
        self.asks: list[AnyAsk] = []
        self.happened: list[Happened] = []
        self._objections, self._disputes = objections or {}, disputes or {}
        sides = tuple(SideLabel(key=one, name=one.title(), emblem=EMBLEMS[one]) for one in battle.sides)
        knowledge = {one: Knowledge() for one in battle.sides}
        dice = DiceStream(b"0123456789abcdef")
        self.shared = SharedTurn(dice=dice, sides=sides, knowledge=knowledge, now=When(turn=battle.turn))
        turn: TurnContext[Any] = TurnContext(None, self.shared, f"T{battle.turn}")
        flow = settle_reports_steps(turn, battle, {side: self._sheet(side, text) for side, text in texts.items()})
        try:
            batch = next(flow)
            while True:
                self.asks += batch.asks
                batch = flow.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration as stop:
            self.happened = stop.value

    def _sheet(self, side: Side, text: str) -> PlotSheet:
        ask = plot_ask(self.battle, side)
        return ask.answer_from({**read_sheet(ask.form, text)})

    def _answer(self, ask: AnyAsk) -> Any:
        if ask.kind == "dispute":
            return ask.answer_from({ask.key: {"so": self._disputes[ask.key]}})
        wrong = self._objections.get(ask.parties[0], set())
        return ask.answer_from({line.key: {"so": "no"} for line in ask.form.lines if line.key in wrong})

    def told(self, side: Side) -> list[str]:
        """What a side was told."""
        return [one.text for one in self.reports(side)]

    def reports(self, side: Side) -> list[Report]:
        """The reports that reached a side."""
        return [one for one in self.shared.reports if one.is_for(side)]

    def asked(self) -> list[tuple[str, tuple[Side, ...], tuple[str, ...]]]:
        """What was asked: kind, parties and lines."""
        return [(ask.kind, ask.parties, tuple(line.key for line in ask.form.lines)) for ask in self.asks]
