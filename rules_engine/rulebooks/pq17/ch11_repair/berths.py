"""Chapter 11.4.9.2: where a unit's repair boxes are, which docked units they may work on, and how points are shared.

A *crane* is a set of repair boxes that work as one: those at a docking position of a base, a repair module between
two positions, a tug's repair pod, or all of a repair ship's boxes. Ruling REP-2.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.docking import is_patrol_ship, pods, positions
from rules_engine.rulebooks.pq17.ch10_supply.transfers import berth
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup
from rules_engine.rulebooks.pq17.records.state import State

ANYWHERE: tuple[int, ...] = ()


@dataclass(frozen=True)
class Crane:
    """Repair boxes that work as one. ``berths`` are the docking positions it reaches, counted from 0; empty means all.
    A ``shared`` crane may divide its points among units, others serve one unit a turn."""

    points: int
    berths: tuple[int, ...] = ANYWHERE
    shared: bool = False


@dataclass
class Workshop:
    """A unit's repair boxes in one turn, with the points that they have left."""

    cranes: list[Crane]
    most_units: int | None = None
    """How many units it may work on in a turn; None if only its cranes limit that."""
    left: list[int] = field(default_factory=list[int])
    taken: dict[int, str] = field(default_factory=dict[int, str])
    """The unit that each unshared crane works on, by crane."""
    served: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        self.left = [crane.points for crane in self.cranes]

    @rule("11.4.9.2.3", "11.4.9.2.4", "11.4.9.2.5")
    def has_room_for(self, unit_id: str) -> bool:
        """Whether it may begin to work on another unit. PQ-17 11.4.9.2.3 to 11.4.9.2.5, ruling REP-12."""
        return unit_id in self.served or self.most_units is None or len(self.served) < self.most_units

    def reach(self, unit_id: str, berth: int | None) -> list[int]:
        """The cranes that may work on a unit at a docking position (None: the unit repairs itself), its own first.

        Of several cranes that reach every position, such as a tug's pods, only one works on it."""
        if not self.has_room_for(unit_id):
            return []
        near = [
            number
            for number, crane in enumerate(self.cranes)
            if (not crane.berths or berth is None or berth in crane.berths)
            and (crane.shared or self.taken.get(number, unit_id) == unit_id)
        ]
        loose = [number for number in near if not self.cranes[number].berths and not self.cranes[number].shared]
        for number in sorted(loose, key=lambda number: self.taken.get(number) != unit_id)[1:]:
            near.remove(number)
        return sorted(near, key=lambda number: (self.cranes[number].shared, number))

    def offer(self, unit_id: str, berth: int | None) -> int:
        """The CDR points that it could still give to a unit."""
        return sum(self.left[number] for number in self.reach(unit_id, berth))

    def give(self, unit_id: str, berth: int | None, points: int) -> int:
        """Take up to ``points`` for a unit, from its own cranes before shared ones; returns how many."""
        given = 0
        for number in self.reach(unit_id, berth):
            part = min(self.left[number], points - given)
            if part <= 0:
                continue
            self.left[number] -= part
            given += part
            if not self.cranes[number].shared:
                self.taken[number] = unit_id
        if given and unit_id not in self.served:
            self.served.append(unit_id)
        return given


@rule("11.4.9.2")
def workshop(state: State, unit: Unit) -> Workshop:
    """A unit's repair boxes for this turn; each undestroyed box gives one CDR point. PQ-17 11.4.9.2, .1 to .6; REP-12.

    A base works by docking position, an FRD on two units, a tug with repair pods on one unit a pod, and any other
    ship on one unit; a tender's boxes are free to work on any of its own fast patrol ships.
    """
    kind = state.class_of(unit)
    if is_inactive(unit):
        return Workshop([])
    if kind.is_base:
        if kind.base_type == "FRD":
            return Workshop([Crane(unit.repair, shared=True)], most_units=positions(state, unit))
        return Workshop(_base_cranes(state, unit))
    if is_tender(state, unit):
        return Workshop([Crane(unit.repair, shared=True)])
    cranes = [Crane(pod.repair) for pod in pods(state, unit) if state.class_of(pod).repair]
    if kind.repair:
        cranes.append(Crane(unit.repair))
    return Workshop([crane for crane in cranes if crane.points], most_units=len(cranes))


@rule("11.4.9.2.1", "11.4.9.2.2")
def _base_cranes(state: State, unit: Unit) -> list[Crane]:
    """A base's cranes by docking position, with damage spread evenly. PQ-17 11.4.9.2.1, 11.4.9.2.2."""
    kind = state.class_of(unit)
    places = positions(state, unit)
    printed = [(count, (n % places,), False) for n, count in enumerate(kind.repair_pods)]
    printed += [(count, (n % places, (n + 1) % places), True) for n, count in enumerate(kind.repair_modules)]
    if not printed:
        printed = [(len(range(n, kind.repair, places)), (n,), False) for n in range(places)]
    counts = [count for count, _, _ in printed]
    for _ in range(sum(counts) - unit.repair):
        counts[counts.index(max(counts))] -= 1
    cranes = [Crane(n, berths, shared) for n, (_, berths, shared) in zip(counts, printed, strict=True)]
    return [crane for crane in cranes if crane.points]


@rule("11.4.9.2.6", "11.4.9.9")
def is_tender(state: State, unit: Unit) -> bool:
    """Whether its repair boxes are for its own fast patrol ships alone. PQ-17 11.4.9.2.6, 11.4.9.9."""
    return state.class_of(unit).special_kind == "PFT"


@rule("11.4.9.2")
def has_repair_boxes(state: State, unit: Unit) -> bool:
    """Whether it, or a pod it carries, has an undestroyed repair box. PQ-17 11.4.9.2."""
    return any(crane.points for crane in workshop(state, unit).cranes)


def position(state: State, groups: Sequence[DockedGroup], unit: Unit) -> int | None:
    """The docking position at which a unit lies, from 0; None for a host, and for a unit that is not docked."""
    home = berth(state, unit.id)
    group = next((one for one in groups if not one.links and home in one.docked), None)
    return None if group is None else group.docked.index(home)


@rule("11.4.9.2.6", "11.4.9.2.7", "11.4.9.9", "11.4.9.2.8")
def may_work_on(state: State, host: Unit, unit: Unit, groups: Sequence[DockedGroup]) -> bool:
    """Whether the docking allows ``host`` to repair ``unit``: itself, what it carries, or a unit docked to it or to
    which it is docked; a tender works only on fast patrol ships docked with it.

    PQ-17 11.4.9.2.6, 11.4.9.2.7, 11.4.9.2.8, 11.4.9.9, ruling SUP-4."""
    home = unit.id if is_patrol_ship(state, unit) else berth(state, unit.id)
    together = any(group.host in (host.id, home) and {host.id, home} <= set(group.members()) for group in groups)
    if is_tender(state, host):
        return together and is_patrol_ship(state, unit)
    return home == host.id or together
