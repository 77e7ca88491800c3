"""Campaigns in which both sides carry out written orders: sheets by turn, side and kind; all else takes its default.

A campaign is entered as the bot enters it: a scenario's files are read, asks are answered, batches close. Its dice are
those of its seed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.rules.reached import unnoted

AT = "2026-01-01T00:00:00Z"
SEED = b"a seed for tests, not secret"
BOTH = "both"
"""Whose account of a battle is meant."""

Lines = Mapping[str, Mapping[str, Any]]
Habit = Callable[[AnyAsk], Sheet]


@dataclass(frozen=True)
class Order:
    """A sheet for the next ask of that kind in that turn: lines and fields that differ from those filled in."""

    turn: int
    side: Side
    kind: str
    lines: Lines
    place: str = ""
    """A part of the ask's id, where several come in a turn: ``I2/A`` for an impulse's first half."""


class OrderedPlay:
    """A campaign of a scenario's files, or of a scenario that was read, played by orders."""

    def __init__(
        self, scenario: Mapping[str, Any], *orders: Order, habits: Mapping[str, Habit] | None = None, seed: bytes = SEED
    ) -> None:
        document: dict[str, Json] = RULEBOOK.read_scenario(scenario) if "scenario.toml" in scenario else dict(scenario)
        self.orders = list(orders)
        self.habits = dict(habits or {})
        """By kind: what both sides answer without an order."""
        self.reports: list[Report] = []
        self.asked: list[tuple[int, Side, str]] = []
        self.adjudicator: Adjudicator[State]
        self.adjudicator, step = Adjudicator.open(RULEBOOK, title="Campaign", scenario=document, seed=seed, at=AT)
        self._take(step)

    @property
    def state(self) -> State:
        """The state itself, which only a test may look at."""
        return self.adjudicator._state

    def told(self, side: Side, kind: str, turn: int | None = None) -> list[str]:
        """The texts of a kind that reached a side (in a turn)."""
        heard = [one for one in self.reports if one.is_for(side) and one.kind == kind]
        return [one.text for one in heard if turn is None or one.when.turn == turn]

    def play(self, turns: int) -> "OrderedPlay":
        """Play until turn ``turns`` is over; every order of these turns must have found its ask."""
        while self.adjudicator.ending is None and self.adjudicator.turn <= turns:
            self._batch()
        missed = [one for one in self.orders if one.turn <= turns]
        assert not missed, f"nobody asked for {missed}; asked: {[one for one in self.asked if one[2] != 'planning']}"
        return self

    def _batch(self) -> None:
        answers = [
            (ask, side, sheet)
            for ask in self.adjudicator.open_asks()
            for sheet in [self._sheet(ask)]
            for side in (ask.parties if sheet is not None else ())
        ]
        for ask, side, sheet in answers:
            self._take(self.adjudicator.answer(side, ask.id, sheet, by=side, at=AT))
        self._take(self.adjudicator.close("deadline", by="clock", at=AT))

    def _sheet(self, ask: AnyAsk) -> Json:
        """The sheet ordered for an ask, or None to leave it to its default."""
        turn, (side, *others) = self.adjudicator.turn, ask.parties
        side = BOTH if others else side
        self.asked.append((turn, side, ask.kind))
        for order in self.orders:
            if (order.turn, order.side, order.kind) == (turn, side, ask.kind) and order.place in ask.id:
                self.orders.remove(order)
                sheet = ask.form.prefilled()
                return {**sheet, **{key: {**sheet.get(key, {}), **line} for key, line in order.lines.items()}}
        if ask.kind in self.habits:
            return dict(self.habits[ask.kind](ask))
        assert side != BOTH, f"turn {turn}: a battle without an account: {[line.key for line in ask.form.lines]}"
        return None

    def _take(self, step: Transition) -> None:
        self.reports += step.reports
        if step.closed:
            with unnoted():
                assert not (problems := list(self.adjudicator.defects())), problems
