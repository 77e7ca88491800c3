"""How a campaign's sides are named, and that play names them only as it may."""

from collections.abc import Iterable, Sequence
from typing import Any

from rules_engine.core.basics.base import SideLabel
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.seats import NamesSides, label_defects


class SideNames:
    """The sides' names: those of the beginning for good or, where play may name the sides, those of the state."""

    def __init__(self, rulebook: object, sides: Sequence[SideLabel]) -> None:
        self._naming = rulebook if isinstance(rulebook, NamesSides) else None
        self._sides = tuple(sides)
        self._known = self._sides
        """As they were when everybody was last told."""

    @property
    def may_change(self) -> bool:
        """Whether play may name the sides."""
        return self._naming is not None

    def of(self, state: Any) -> tuple[SideLabel, ...]:
        """As they are in this state."""
        return self._sides if self._naming is None else self._naming.labels(state)

    def told(self, state: Any) -> None:
        """Everybody knows them as they are in this state."""
        self._known = self.of(state)

    def check(self, state: Any, reports: Iterable[Report]) -> None:
        """See that play has named the sides as it may, and with ``reports`` told everybody something if it has.

        Raises:
            ValueError: when it has not.
        """
        if self._naming is None:
            return
        labels = self.of(state)
        if defects := label_defects(labels, [label.key for label in self._sides]):
            raise ValueError("; ".join(defects))
        if labels != self._known and not any(report.is_public() for report in reports):
            raise ValueError("sides were named, and nobody was told")
        self._known = labels
