"""Small PQ-17 worlds played twice: everything that each side gets from a few steps is written down and compared."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from rules_engine.core.basics import base, refusals
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.worlds.notation import run
from tests.secrecy.twin_turns import ODDS, ask_as_seen, report_as_read

Answers = Mapping[str, Any] | Callable[[asks.AnyAsk], Any] | None
"""Sheets by kind of ask and side (``"flotilla coalition"``), or a function; what they leave out takes its default."""


class Watched:
    """A turn context with everything that either side was given during it."""

    def __init__(self, at: turn_context.TurnContext[State]) -> None:
        self.at = at
        self.asked: list[tuple[tuple[base.Side, ...], list[str]]] = []
        self.answered: list[Any] = []

    def play(self, steps: Any, answers: Answers = None) -> "Watched":
        """Play some steps."""

        def answer(ask: asks.AnyAsk) -> Any:
            for side in ask.parties:
                self.asked.append(((side,), list(ask_as_seen(ask, side))))
            found = answers(ask) if callable(answers) else (answers or {}).get(f"{ask.kind} {ask.parties[0]}")
            self.answered.append(found)
            return found

        run(steps, answer)
        return self

    def shown(self, ask: asks.AnyAsk) -> "Watched":
        """Show an ask that is not answered."""
        self.asked += [((side,), list(ask_as_seen(ask, side))) for side in ask.parties]
        return self

    def seen(self, side: base.Side) -> list[object]:
        """All of it: reports, asks, the board, the public board, tables, and odds."""
        at, book = self.at, RULEBOOK
        known = at.knowledge(side)
        menu = book.odds_menu(at.state, side, known)
        return [
            [report_as_read(one) for one in at.shared.reports if one.is_for(side)],
            [lines for to, lines in self.asked if side in to],
            book.side_board(at.state, side, known).model_dump(mode="json"),
            book.public_board(at.state).model_dump(mode="json"),
            [one.model_dump(mode="json") for one in book.side_tables(at.state, side, known)],
            menu.model_dump(mode="json"),
            [self._odds(side, own.value, target.value) for own in menu.own[:ODDS] for target in menu.targets[:ODDS]],
        ]

    def _odds(self, side: base.Side, own: str, target: str) -> object:
        try:
            return RULEBOOK.odds(self.at.state, side, self.at.knowledge(side), own, target).model_dump(mode="json")
        except refusals.Refused as refused:
            return str(refused)


def unseen_by(side: base.Side, *worlds: Watched) -> None:
    """Every world looks the same to this side, and something in them does differ."""
    first, *others = worlds
    for other in others:
        found = parting(first.seen(side), other.seen(side))
        assert not found, f"the {side} can tell: {found}"
        assert (other.at.state, other.answered) != (first.at.state, first.answered), "the worlds do not differ"


def parting(mine: list[object], theirs: list[object]) -> str:
    """Where two records differ first, or nothing."""
    for part, again in zip(mine, theirs, strict=True):
        one, two = json.dumps(part), json.dumps(again)
        if one != two:
            at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
            return f"{one[max(0, at - 200) : at + 100]!r} is not {two[max(0, at - 200) : at + 100]!r}"
    return ""
