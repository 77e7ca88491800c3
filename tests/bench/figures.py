"""What the bench prints: figures, each beside what it is compared with, and how often each thing is measured."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median, quantiles
from typing import Any

from tests.expected.sections import section_rows

Tick = Callable[[], None]
"""Called once for every step of work, to move the progress bar."""

NS_PER_MS = 1_000_000


@dataclass(frozen=True)
class Counts:
    """How often each thing is done. The defaults are the bench; the tests take a few of each."""

    map_turns: int = 15
    clicks: int = 200
    warm_up: int = 30
    matches: int = 4
    parting: int = 20
    """Campaigns for each number of empires in which rests are counted."""
    repeats: int = 5
    entries: int = 1_000
    long_records: tuple[int, ...] = (20_000, 60_000)
    """Entries of campaigns whose end alone is read."""
    campaigns: int = 50
    played: int = 30
    """Campaigns of all books that are in play at once."""
    rounds: int = 60
    """How often all of these are answered and closed."""
    task_forces: int = 60
    operations: int = 4
    """Turns of each large world."""
    campaign_turns: int = 660
    sizes: tuple[int, ...] = (100, 1_000, 5_000)
    """Running campaigns in the database, from few to many."""
    falling: int = 200
    """Deadlines that fall together."""
    founded: int = 200
    """Campaigns founded and started by one process."""
    flood: int = 500
    """Commands that one user sends at once."""
    empires: tuple[int, ...] = (2, 3, 5, 7)
    """In Cutler's crowded play, from few to many."""
    systems: tuple[int, ...] = (60, 200)
    """On maps of lanes."""
    ships: int = 24
    """In a battle of vectors whose map is drawn."""


TINY = Counts(**dict(section_rows("tiny")))  # type: ignore[arg-type]


@dataclass(frozen=True)
class Figure:
    """One line of the table. ``value`` in ``unit``; ``base`` is what it is set against, in the same unit.

    ``target`` is the greatest ratio of ``value`` to ``base`` that is good enough, ``limit`` the most by which ``value``
    may lie above ``base`` (above nothing, where there is none). Where both are None nothing is asked.
    """

    part: str
    name: str
    value: float
    unit: str
    base: float | None = None
    beside: str = ""
    target: float | None = None
    p95: float | None = None
    note: str = ""
    limit: float | None = None

    @property
    def ratio(self) -> float | None:
        """``value`` in terms of ``base``."""
        return self.value / self.base if self.base else None

    @property
    def excess(self) -> float:
        """How much ``value`` lies above ``base``, in ``unit``."""
        return self.value - (self.base or 0.0)

    @property
    def met(self) -> bool | None:
        """Whether the target or the limit is met; None where there is neither."""
        if self.limit is not None:
            return self.excess <= self.limit
        return None if self.target is None or self.ratio is None else self.ratio <= self.target

    def as_json(self) -> dict[str, Any]:
        """Everything, with the ratio, the excess and the verdict."""
        return {**asdict(self), "ratio": self.ratio, "excess": self.excess, "met": self.met}


def p95(values: Sequence[float]) -> float:
    """The value that 95 in 100 do not exceed."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def p99(values: Sequence[float]) -> float:
    """The value that 99 in 100 do not exceed."""
    return quantiles(values, n=100, method="inclusive")[-1] if len(values) > 1 else values[0]


def middle(values: Sequence[float]) -> float:
    """The median."""
    return median(values)
