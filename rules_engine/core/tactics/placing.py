"""Finding a set-up that is legal by its conditions: for those who say nothing, and to see that there is one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product

from rules_engine.core.grids.space import Lattice, lattice_of
from rules_engine.core.tactics.battles import MIDDLE
from rules_engine.core.tactics.conditions import Bearing, Code, Condition, Distance, OneOf
from rules_engine.core.tactics.judging import Placed, SetUpSpot, candidates, faults_in, lies_so, named_in, ranges_of

MOST_TRIES = 60_000
"""Hexes that are looked at before a search is given up."""
MOST_EACH = 60
"""Hexes of one unit with which the rest is tried."""
MOST_WAYS = 24
"""Ways in which conditions of which one holds are taken as those that hold."""


def legal_placement(
    units: Sequence[Code], conditions: Sequence[Condition], placed: Placed, barred: Mapping[Code, Collection[Lattice]]
) -> dict[Code, Lattice] | None:
    """Hexes for these units by which no condition is broken, close together and near what the conditions measure from;
    None where none is found. ``barred`` are hexes in which a unit may not be. In hexes of their own if that can be."""
    plain = [one for one in conditions if not isinstance(one, OneOf)]
    some = [*_open_choices(units, conditions, placed)]
    for shared in (False, True):
        for chosen in islice(product(*some), MOST_WAYS):
            search = _Search(units, [*plain, *chosen], {**placed}, barred, shared=shared)
            found = search.find()
            if found is not None and not faults_in(conditions, {**placed, **_spots(found)}):
                return found
    return None


def _open_choices(
    units: Collection[Code], conditions: Sequence[Condition], placed: Placed
) -> Iterator[tuple[Distance, ...]]:
    """What can be chosen of conditions of which one holds. One that is about units which are placed already holds or
    does not, whatever is chosen."""
    for condition in conditions:
        if isinstance(condition, OneOf):
            is_met, left = False, list[Distance]()
            for one in condition.distances:
                if set(one.units).isdisjoint(units):
                    is_met = is_met or not faults_in([one], placed)
                else:
                    left.append(one)
            if not is_met:
                yield tuple(left)


def _spots(found: Mapping[Code, Lattice]) -> dict[Code, SetUpSpot]:
    return {code: SetUpSpot((at,)) for code, at in found.items()}


@dataclass
class _Search:
    """A search by trial, unit by unit: those that a condition binds most closely come first."""

    units: Sequence[Code]
    conditions: Sequence[Distance | Bearing]
    spots: dict[Code, SetUpSpot]
    barred: Mapping[Code, Collection[Lattice]]
    shared: bool
    tries: int = 0

    def find(self) -> dict[Code, Lattice] | None:
        before = {code for code in self.spots if code not in self.units}
        order = sorted(self.units, key=lambda code: (self._bound(code, before), self.units.index(code)))
        return self._placed(order, {})

    def _bound(self, code: Code, before: Collection[Code]) -> int:
        """How narrowly a unit is bound to what is placed already."""
        widths = [
            one.most - (one.least or 0)
            for one in self.conditions
            if isinstance(one, Distance)
            and one.most is not None
            and code in one.units
            and any(other in before for other in one.others)
        ]
        return min(widths, default=9999)

    def _placed(self, left: Sequence[Code], found: dict[Code, Lattice]) -> dict[Code, Lattice] | None:
        if not left:
            return found
        code, *rest = left
        for at in islice(self._legal(code, rest, found), MOST_EACH):
            self.spots[code] = SetUpSpot((at,))
            whole = self._placed(rest, {**found, code: at})
            if whole is not None:
                return whole
            del self.spots[code]
            if self.tries > MOST_TRIES:
                return None
        return None

    def _legal(self, code: Code, rest: Sequence[Code], found: Mapping[Code, Lattice]) -> Iterator[Lattice]:
        """Hexes of a unit that break nothing as far as the others are placed."""
        own = [one for one in self.conditions if code in named_in(one)]
        about = next(iter(found.values()), lattice_of(MIDDLE))
        taken = {spot for one in self.spots.values() for spot in one.hexes} if not self.shared else set[Lattice]()
        barred = self.barred.get(code, ())
        offered = candidates(code, own, self.spots, about)
        for at in sorted(offered, key=lambda one: (one.plus(about, -1).length, one)):
            self.tries += 1
            if self.tries > MOST_TRIES:
                return
            if at in barred or at in taken:
                continue
            self.spots[code] = SetUpSpot((at,))
            fits = all(_may_hold(one, self.spots, rest) for one in own)
            del self.spots[code]
            if fits:
                yield at


def _may_hold(one: Distance | Bearing, placed: Placed, rest: Sequence[Code]) -> bool:
    """Whether a condition holds as far as units are placed, or may still come to hold when the rest is."""
    is_whole = not any(other in rest for other in one.others)
    for unit in (code for code in one.units if code in placed):
        if isinstance(one, Bearing):
            if is_whole and not lies_so(one, unit, placed):
                return False
            continue
        ranges = ranges_of(one, unit, placed).values()
        if not ranges:
            continue
        if one.least is not None and min(ranges) < one.least:
            return False
        far = min(ranges) if one.measure == "nearest" else max(ranges)
        if one.most is not None and far > one.most and (is_whole or one.measure == "each"):
            return False
    return True
