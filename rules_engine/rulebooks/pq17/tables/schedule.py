"""The reinforcement and transfer schedule: its file, and lookups by period.

``schedule.toml`` is an optional file of a scenario. Points are economic values by category, transfers numbers of hulls.
PQ-17 C.schedule.1 to C.schedule.20, C.emergency-reinforcements.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.rational import Rational
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.files import parsed
from rules_engine.core.scenarios.names import unknown
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle, PoolCategory
from rules_engine.rulebooks.pq17.tables.ship_classes import Category

SCHEDULE = "schedule.toml"

HULLS: tuple[Category, ...] = ("BB", "DN", "CA", "CL", "DD", "FF", "PF")
"""Warship categories, the largest first. PQ-17 C.schedule.note2, ruling SCN-9."""

DEFAULT_VALUE: dict[str, Fraction] = {
    "DN": Fraction(230),
    "CA": Fraction(135),
    "CL": Fraction(115),
    "TUG": Fraction(100),
    "DD": Fraction(80),
    "FF": Fraction(50),
}
"""The economic value of a hull of each category, for use when no such ship is left. PQ-17 rulings SCN-12, SCN-14."""

Period = Annotated[int, Field(ge=1, le=99)]
Hulls = dict[Category, Annotated[int, Field(ge=1)]]


class Reinforcement(Frozen):
    """Points that a nation gets at the end of a period, by category."""

    period: Period
    nation: str
    points: dict[PoolCategory, Annotated[Rational, Field(gt=0)]]


class HullTransfer(Frozen):
    """Hulls that must leave the map during a period."""

    key: Annotated[str, Field(pattern=r"^[a-z0-9-]{1,24}$")]
    period: Period
    nation: str
    operation: Annotated[str, Field(pattern=r"^[A-Z]*$")] = ""
    """A named operation's ships leave undamaged and with half of their fuel. PQ-17 C.schedule.note4."""
    hulls: Hulls

    @property
    def label(self) -> str:
        """As players write it: ``HARPOON: 2 CL, 5 DD``."""
        hulls = ", ".join(f"{count} {category}" for category, count in self.hulls.items())
        return f"{self.operation}: {hulls}" if self.operation else hulls


class Returning(Frozen):
    """Transferred hulls that come back at the end of a period. PQ-17 C.schedule.note8, ruling SCN-34c."""

    period: Period
    transfer: str
    hulls: Hulls


class Emergency(Frozen):
    """What a nation may add to its reinforcements each period, at a cost in victory points a hull."""

    nation: str
    category: PoolCategory
    points: Annotated[Rational, Field(gt=0)]


class Schedule(Frozen):
    """The whole schedule. Empty where a scenario has none."""

    reinforcement: tuple[Reinforcement, ...] = ()
    transfer: tuple[HullTransfer, ...] = ()
    returning: tuple[Returning, ...] = ()
    emergency: tuple[Emergency, ...] = ()

    def reinforcements_of(self, period: int) -> list[Reinforcement]:
        """The points given at the end of a period."""
        return [one for one in self.reinforcement if one.period == period]

    def transfers_of(self, period: int, nations: Iterable[str]) -> list[HullTransfer]:
        """The transfers due in a period by any of these nations."""
        wanted = set(nations)
        return [one for one in self.transfer if one.period == period and one.nation in wanted]

    def returns_of(self, period: int) -> list[Returning]:
        """What comes back at the end of a period."""
        return [one for one in self.returning if one.period == period]

    def transfer_of(self, key: str) -> HullTransfer | None:
        """The transfer of that key."""
        return next((one for one in self.transfer if one.key == key), None)


@rule("C.schedule.note2", "C.schedule.note7")
def fits(category: Category, wanted: Category) -> bool:
    """Whether a hull of ``category`` may go when ``wanted`` is called for: the same or a larger one.

    PQ-17 C.schedule.note2, C.schedule.note7."""
    if category == wanted:
        return True
    return category in HULLS and wanted in HULLS and HULLS.index(category) < HULLS.index(wanted)


def read_schedule(files: Mapping[str, str], campaign: OrderOfBattle | None) -> tuple[Schedule, list[Refusal]]:
    """The schedule among a scenario's files, and every defect of it; an empty one if there is none. Without a
    ``campaign`` it is not held against one.

    Periods after the campaign's last are not a defect, so that a campaign can be shortened."""
    refusals: list[Refusal] = []
    schedule = parsed(files, SCHEDULE, Schedule, refusals) if SCHEDULE in files else Schedule()
    if schedule is None or campaign is None:
        return Schedule(), refusals
    return schedule, [*refusals, *_defects(schedule, campaign)]


def _defects(schedule: Schedule, campaign: OrderOfBattle) -> Iterable[Refusal]:
    nations = [nation.key for nation in campaign.nation]
    named = (("reinforcement", schedule.reinforcement), ("transfer", schedule.transfer))
    for what, entries in (*named, ("emergency", schedule.emergency)):
        for index, entry in enumerate(entries):
            yield from unknown(entry.nation, nations, "nation", f"{SCHEDULE}.{what}.{index}.nation")
    keys = [one.key for one in schedule.transfer]
    for index, one in enumerate(schedule.transfer):
        if keys.index(one.key) != index:
            yield malformed(f"{one.key} is given twice", f"{SCHEDULE}.transfer.{index}.key")
    pairs = [(one.period, one.nation) for one in schedule.reinforcement]
    for index, pair in enumerate(pairs):
        if pairs.index(pair) != index:
            yield malformed("this nation has points for this period already", f"{SCHEDULE}.reinforcement.{index}")
    yield from _return_defects(schedule)


def _return_defects(schedule: Schedule) -> Iterable[Refusal]:
    """Defects of returns: they may return only what was transferred in an earlier period, and no more of it."""
    returned: dict[tuple[str, Category], int] = {}
    for index, one in enumerate(schedule.returning):
        path = f"{SCHEDULE}.returning.{index}"
        transfer = schedule.transfer_of(one.transfer)
        if transfer is None:
            keys = [other.key for other in schedule.transfer]
            yield from unknown(one.transfer, keys, "transfer", f"{path}.transfer")
            continue
        if transfer.period >= one.period:
            yield illegal("comes back before it has left", "PQ-17 C.schedule.note8", f"{path}.period")
        for category, count in one.hulls.items():
            key = (one.transfer, category)
            returned[key] = returned.get(key, 0) + count
            if returned[key] > transfer.hulls.get(category, 0):
                problem = f"gives back more {category} than {one.transfer} takes"
                yield illegal(problem, "PQ-17 C.schedule.note8", f"{path}.hulls.{category}")
