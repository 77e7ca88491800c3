"""Chapter 10.2.6: how many limited and restricted drones a nation may have, counted over all its units.

General availability drones may fill any space, so that only the other two levels have a limit (own ruling).
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.stores import PLACE_OF, consumables, in_place, set_in_place, spaces_left
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import DroneLevel
from rules_engine.rulebooks.pq17.tables.supply import DRONE_KINDS, Goods

LEVELS: dict[Goods, DroneLevel] = {
    Goods.DRONES: "general",
    Goods.LIMITED_DRONES: "limited",
    Goods.RESTRICTED_DRONES: "restricted",
}
SCARCE = (Goods.LIMITED_DRONES, Goods.RESTRICTED_DRONES)
"""The kinds whose number is limited for each nation."""


@dataclass(frozen=True)
class Inventory:
    """A nation's drones and its storage, in spaces. PQ-17 10.2.6.1, 10.2.6.3."""

    nation: str
    storage: int
    shares: Mapping[Goods, Fraction]
    """The part of its storage at each availability."""
    drones: Mapping[Goods, int]

    @property
    def total(self) -> int:
        """All its drones, in spaces."""
        return sum(self.drones.values())

    def plus(self, more: Mapping[Goods, Fraction] | Mapping[Goods, int]) -> "Inventory":
        """The same nation with more drones."""
        drones = {goods: self.drones[goods] + int(more.get(goods, 0)) for goods in DRONE_KINDS}
        return Inventory(self.nation, self.storage, self.shares, drones)

    @rule("10.2.6.4", "1.9.4")
    def excess(self) -> list[Goods]:
        """The kinds that exceed its percentages; none if there are no figures to judge by.

        PQ-17 10.2.6.4, ruling SUP-7."""
        if not self.storage:
            return []
        return [goods for goods in SCARCE if self.drones[goods] > self.shares[goods] * self.total]

    @property
    @rule("10.2.6.4")
    def is_compliant(self) -> bool:
        """Whether no kind exceeds its percentage. PQ-17 10.2.6.4."""
        return not self.excess()

    @property
    def is_unrecorded(self) -> bool:
        """Whether it has drones but no record of storage to judge them by. PQ-17 ruling SUP-7."""
        return not self.storage and self.total > 0


@rule("10.2.6.1")
def nation_of(state: State, unit: Unit) -> str:
    """The nation whose inventory a unit's drones count in: its builder. PQ-17 10.2.6.1."""
    empire = state.class_of(unit).empire
    nation = state.settings.campaign.nation_of_empire(empire)
    return empire if nation is None else nation.key


def nations(state: State, side: Side) -> dict[str, list[Unit]]:
    """A side's units in play by nation."""
    found: dict[str, list[Unit]] = {}
    for tf in state.all_task_forces(side):
        for unit in state.units_of(tf):
            found.setdefault(nation_of(state, unit), []).append(unit)
    return found


@rule("10.2.6.1", "10.2.6.2", "10.2.6.3")
def inventory(state: State, nation: str, units: Iterable[Unit]) -> Inventory:
    """A nation's drones and its storage, ignoring damage. PQ-17 10.2.6.1 to 10.2.6.3."""
    units = list(units)
    counted = Counter(unit.class_id for unit in units)
    kinds = [(kind, count) for one, count in counted.items() if (kind := state.classes[one]).drone_storage]
    storage = sum(count * kind.drone_storage for kind, count in kinds)
    spaces = {
        goods: sum((count * kind.drone_storage * kind.drone_share(level) for kind, count in kinds), Fraction(0))
        for goods, level in LEVELS.items()
    }
    shares = {goods: spaces[goods] / storage for goods in LEVELS} if storage else {}
    drones = {goods: sum(consumables(unit, goods) for unit in units) for goods in DRONE_KINDS}
    return Inventory(nation, storage, shares, drones)


@rule("10.2.6")
def inventories(state: State, side: Side) -> dict[str, Inventory]:
    """Every nation of a side: drones are judged by nation, not by ship. PQ-17 10.2.6."""
    return {nation: inventory(state, nation, units) for nation, units in nations(state, side).items()}


# --- conversions and loadouts -----------------------------------------------------------------------------------------


@rule("10.2.6.6", "10.2.6.8", "10.2.6.9")
def conversion_excess(before: Inventory, made: Mapping[Goods, Fraction]) -> list[Goods]:
    """The kinds of drones that this conversion of supply may not make: any kind is allowed while the result is within
    the limits, else general drones only. PQ-17 10.2.6.6, 10.2.6.8, 10.2.6.9."""
    after = before.plus(made)
    if after.is_compliant:
        return []
    return [goods for goods in SCARCE if made.get(goods)]


@rule("10.2.6.7", "10.2.6.9")
def load_reinforcements(turn: TurnContext[State], side: Side, units: Sequence[Unit]) -> None:
    """Choose the drones of ships that join, in the order of their ids: as many limited and restricted ones as their own
    storage has, as long as the nation is within its percentages; general ones for the rest. Their owner is told of
    ships that get fewer than their storage has. PQ-17 10.2.6.7, 10.2.6.9."""
    state = turn.state
    to_load = {unit.id for unit in units}
    for unit in sorted(units, key=lambda one: one.id):
        kind = state.class_of(unit)
        if not kind.drone_storage:
            continue
        nation = nation_of(state, unit)
        others = [one for one in nations(state, side).get(nation, []) if one.id not in to_load]
        to_load.remove(unit.id)
        for goods in DRONE_KINDS:
            set_in_place(unit, goods, 0)
        set_in_place(unit, Goods.DRONES, spaces_left(kind, unit, PLACE_OF[Goods.DRONES]))
        cut: dict[str, object] = {}
        for goods in SCARCE:
            wanted = int(kind.drone_share(LEVELS[goods]) * kind.drone_storage)
            for _ in range(wanted):
                _swap(unit, Goods.DRONES, goods)
                if not inventory(state, nation, [*others, unit]).is_compliant:
                    _swap(unit, goods, Goods.DRONES)
                    cut[goods.value] = f"{in_place(unit, goods)} of {wanted}"
                    break
        if cut:
            text = f"{unit.name} brings general drones for others of which {nation} would have too many."
            turn.tell([side], text, kind="supply", why=because("PQ-17 10.2.6.7", cut))


def _swap(unit: Unit, old: Goods, new: Goods) -> None:
    set_in_place(unit, old, in_place(unit, old) - 1)
    set_in_place(unit, new, in_place(unit, new) + 1)


@rule("10.2.6.4", "10.2.6.5")
def report_compliance(turn: TurnContext[State], side: Side) -> None:
    """Tell the owner which nations' drones exceed a percentage, and which cannot be judged.

    PQ-17 10.2.6.4, 10.2.6.5, ruling SUP-7."""
    for one in inventories(turn.state, side).values():
        if one.is_unrecorded:
            text = f"{one.nation}: no drone storage is recorded for its classes, so its drones are on your honour."
            turn.tell([side], text, kind="supply", why=because("PQ-17 10.2.6.1", {"drone spaces": one.total}))
        for goods in one.excess():
            inputs = {goods.value: one.drones[goods], "of all drones": one.total, "allowed": one.shares[goods]}
            text = f"{one.nation} has too many {goods.value}: only general drones may be made until that is mended."
            turn.tell([side], text, kind="supply", why=because("PQ-17 10.2.6.4", inputs))


@rule("10.2.6.5.2")
def report_drones(turn: TurnContext[State]) -> None:
    """The second evaluation, after reinforcements and transfers. PQ-17 10.2.6.5.2."""
    for side in turn.sides:
        report_compliance(turn, side)
