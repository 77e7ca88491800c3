"""Judging a set-up by its conditions, whoever's they are: what is broken, in words, and what would be legal instead."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.grids.space import Lattice, Way, hex_at, lattice_of, turned, ways_nearest
from rules_engine.core.tactics.conditions import Bearing, Code, Condition, Distance, OneOf, SetUpStep

FARTHEST_LOOK = 80
"""Rings around a hex in which a legal one is looked for where no condition says how far it may be."""


class SetUpSpot(NamedTuple):
    """Where a unit or a piece of ground is: the hexes it covers, and which way a unit faces that is set up."""

    hexes: tuple[Lattice, ...]
    facing: Way | None = None

    def far(self, other: "SetUpSpot") -> int:
        """How many hexes it is to another, between those that are nearest."""
        return min(one.plus(two, -1).length for one in self.hexes for two in other.hexes)


Placed = Mapping[Code, SetUpSpot]
"""All that is placed, by code."""


class SetUpFault(NamedTuple):
    """A condition that a set-up breaks, by which unit, measured to which ``other``, and what is wrong."""

    condition: Condition
    unit: Code
    problem: str
    other: Code = ""


def spot_of(*hexes: HexId, facing: Way | None = None) -> SetUpSpot:
    """A spot by the numbers of its hexes."""
    return SetUpSpot(tuple(map(lattice_of, hexes)), facing)


def named_in(condition: Condition) -> frozenset[Code]:
    """All that a condition names."""
    if isinstance(condition, OneOf):
        return frozenset[Code]().union(*map(named_in, condition.distances))
    return frozenset((*condition.units, *condition.others))


def conditions_for(step: SetUpStep, own: Collection[Code]) -> tuple[Condition, ...]:
    """The conditions of a step that are judged of a side with these units in it: those that name some of them, and no
    unit of another side that is placed at the same time and unseen."""
    unseen = {*step.units} - {*own}
    return tuple(
        one for one in step.conditions if not named_in(one).isdisjoint(own) and named_in(one).isdisjoint(unseen)
    )


def faults_in(conditions: Sequence[Condition], placed: Placed) -> list[SetUpFault]:
    """Everything that is broken, once all is placed that will be."""
    return [fault for one in conditions for fault in _faults(one, placed)]


def broken(step: SetUpStep, own: Collection[Code], placed: Placed, barred: Collection[Lattice] = ()) -> list[Refusal]:
    """What of a step a side's set-up of its ``own`` units breaks, each with the rule, what is legal, and the nearest
    legal hex of the unit; of one condition each unit that could mend it once. ``placed`` are these units, what was
    placed before, and the ground; nobody is placed in ``barred`` hexes."""
    conditions = conditions_for(step, own)
    refusals: dict[tuple[str, str, str], Refusal] = {}
    looked: _Looked = {}
    for fault in faults_in(conditions, placed):
        unit, near = _way_out(fault, conditions, own, placed, barred, looked=looked)
        key = fault.condition.rule, fault.condition.says, unit
        if key not in refusals:
            refusals[key] = illegal(
                fault.problem, fault.condition.rule, f"{unit}.at", legal=_plain(fault), nearest=near
            )
    return [*refusals.values()]


_Looked = dict[tuple[int, int, Code, int], Lattice | None]
"""The nearest legal hexes that one judging has looked for: by condition, choice in it, unit, and who
stands fixed."""


def _plain(fault: SetUpFault) -> str:
    says = fault.condition.says.rstrip(".")
    return f"{says[:1].lower()}{says[1:]}" if says[1:2].islower() else says


# --- one condition ------------------------------------------------------------------------------------------------


def _faults(condition: Condition, placed: Placed) -> Iterator[SetUpFault]:
    match condition:
        case Distance():
            yield from _too_near_or_far(condition, placed)
        case Bearing():
            yield from _wrong_bearing(condition, placed)
        case OneOf():
            tries = [[*_too_near_or_far(one, placed)] for one in condition.distances]
            if all(tries):
                first = min(tries, key=len)[0]
                yield SetUpFault(condition, first.unit, "none of the units stands so")


def ranges_of(one: Distance | Bearing, unit: Code, placed: Placed) -> dict[Code, int]:
    """How far a unit is from each of the others that are placed, but for itself."""
    here = placed[unit]
    return {other: here.far(placed[other]) for other in one.others if other != unit and other in placed}


def _too_near_or_far(one: Distance, placed: Placed) -> Iterator[SetUpFault]:
    for unit in one.units:
        if unit not in placed:
            continue
        ranges = ranges_of(one, unit, placed)
        if not ranges:
            continue
        other = min(ranges, key=lambda key: ranges[key])
        if one.least is not None and ranges[other] < one.least:
            yield SetUpFault(one, unit, _range_said(unit, other, ranges[other]), other)
            continue
        if one.measure == "each":
            other = max(ranges, key=lambda key: ranges[key])
        if one.most is not None and ranges[other] > one.most:
            nearest = ", the nearest" if one.measure == "nearest" and len(ranges) > 1 else ""
            yield SetUpFault(one, unit, _range_said(unit, other, ranges[other]) + nearest, other)


def _range_said(unit: Code, other: Code, hexes: int) -> str:
    return f"{unit} is {counted(hexes, 'hex')} from {other}" if hexes else f"{unit} is in the hex of {other}"


def _wrong_bearing(one: Bearing, placed: Placed) -> Iterator[SetUpFault]:
    for unit in one.units:
        if unit in placed and not lies_so(one, unit, placed):
            ranges = ranges_of(one, unit, placed)
            other = min(ranges, key=lambda key: ranges[key])
            yield SetUpFault(one, unit, f"{unit} lies in another direction from {other}", other)


def lies_so(one: Bearing, unit: Code, placed: Placed) -> bool:
    """Whether a unit lies in its direction from the nearest of the others, or from one of several that are nearest.
    Nobody lies in a direction from something that faces nowhere, or stands in the same hex."""
    ranges = ranges_of(one, unit, placed)
    if not ranges:
        return True
    least, here = min(ranges.values()), hex_at(placed[unit].hexes[0])
    for other in (key for key, far in ranges.items() if far == least):
        facing = placed[other].facing
        if facing is not None and turned(facing, one.way - 1) in ways_nearest(hex_at(placed[other].hexes[0]), here):
            return True
    return False


# --- a way out ----------------------------------------------------------------------------------------------------


def _way_out(
    fault: SetUpFault,
    conditions: Sequence[Condition],
    own: Collection[Code],
    placed: Placed,
    barred: Collection[Lattice],
    *,
    looked: "_Looked",
) -> tuple[Code, tuple[HexId, ...]]:
    """The unit of a side's own that could be moved to mend a fault, and the nearest hex in which it would be legal:
    as all others stand, or else as those stand that the side cannot move. ``looked`` keeps what was found before."""
    before = {code: spot for code, spot in placed.items() if code not in own}
    mendable = fault.condition.distances if isinstance(fault.condition, OneOf) else (fault.condition,)
    best: tuple[int, Code, HexId] | None = None
    place = conditions.index(fault.condition)
    for number, fixed in enumerate((placed, before)):
        for way_to_mend, one in enumerate(mendable):
            named = (fault.unit, fault.other) if one is fault.condition else (*one.units, *one.others)
            for unit in [code for code in dict.fromkeys(named) if code in own and code in placed]:
                key = place, way_to_mend, unit, number
                if key not in looked:
                    others = [other for other in conditions if other is not fault.condition and unit in named_in(other)]
                    looked[key] = nearest_legal(unit, (one, *others), {**fixed, unit: placed[unit]}, barred)
                found = looked[key]
                if found is not None:
                    way = found.plus(placed[unit].hexes[0], -1).length
                    best = min(best or (way, unit, hex_at(found)), (way, unit, hex_at(found)))
        if best is not None:
            return best[1], (best[2],)
    return next((code for code in (fault.unit, *own) if code in own), fault.unit), ()


def nearest_legal(
    unit: Code, conditions: Sequence[Condition], placed: Placed, barred: Collection[Lattice] = ()
) -> Lattice | None:
    """The hex nearest to where a unit stands in which it breaks none of these conditions, as all others stand; None
    where there is none, or where others break one whatever it does."""
    here, spots = placed[unit], {**placed}
    without = {code: spot for code, spot in placed.items() if code != unit}
    if any(_lasts(fault) for fault in faults_in(conditions, without)):
        return None
    measured = _measured(unit, conditions, placed)
    for at in sorted(candidates(unit, conditions, placed, here.hexes[0]), key=lambda one: _order(one, here.hexes[0])):
        if at in barred or not all(any(_all_hold(ways, at) for ways in choice) for choice in measured):
            continue
        spots[unit] = SetUpSpot((at,), here.facing)
        if not faults_in(conditions, spots):
            return at
    return None


def _lasts(fault: SetUpFault) -> bool:
    """Whether one more unit, wherever it stands, mends nothing of a fault: another may be nearer than was too far."""
    return isinstance(fault.condition, Distance) and fault.condition.measure == "each"


class _Measure(NamedTuple):
    """How far a unit must be from some hexes, or from the nearest of them."""

    hexes: tuple[Lattice, ...]
    least: int
    most: int | None
    nearest: bool

    def holds(self, at: Lattice) -> bool:
        """Whether a hex is so far from them. Thousands of hexes are asked, so it is worked out here and not by
        ``Lattice.length``."""
        closest = None
        for far_c, far_d in self.hexes:
            c, d = at.c - far_c, at.d - far_d
            far = max(abs(c), abs(d), abs(c + d))
            if far < self.least:
                return False
            if self.nearest:
                closest = far if closest is None else min(closest, far)
            elif self.most is not None and far > self.most:
                return False
        return closest is None or self.most is None or closest <= self.most


def _all_hold(measures: Sequence[_Measure], at: Lattice) -> bool:
    return all(one.holds(at) for one in measures)


def _measured(unit: Code, conditions: Sequence[Condition], placed: Placed) -> list[list[list[_Measure]]]:
    """What conditions measure this unit by, of each the choices of which one must hold; how others stand to each other
    is not looked at."""
    found: list[list[list[_Measure]]] = []
    for one in conditions:
        if isinstance(one, Distance):
            found.append([_measures(unit, one, placed)])
        elif isinstance(one, OneOf):
            others = [choice for choice in one.distances if unit not in named_in(choice)]
            if all([*_too_near_or_far(choice, placed)] for choice in others):
                found.append([_measures(unit, choice, placed) for choice in one.distances if choice not in others])
    return found


def _measures(unit: Code, one: Distance, placed: Placed) -> list[_Measure]:
    """What a condition measures a unit by, from where it may be measured to others or others to it."""
    found: list[_Measure] = []
    for measuring, codes in (
        (unit in one.units, one.others),
        (unit in one.others and one.measure == "each", one.units),
    ):
        spots = [placed[code].hexes for code in codes if measuring and code != unit and code in placed]
        if not spots:
            continue
        # Of a piece of ground that covers several hexes the nearest counts, also where each of the others does.
        groups = [[hexes for spot in spots for hexes in spot]] if one.measure == "nearest" else []
        if one.measure == "each":
            groups = [[*spot] for spot in spots if len(spot) > 1]
            single = tuple(dict.fromkeys(spot[0] for spot in spots if len(spot) == 1))
            found.append(_Measure(single, one.least or 0, one.most, nearest=False))
        found += [_Measure(tuple(dict.fromkeys(group)), one.least or 0, one.most, nearest=True) for group in groups]
    return found


def _order(spot: Lattice, centre: Lattice) -> tuple[int, Lattice]:
    return spot.plus(centre, -1).length, spot


def candidates(unit: Code, conditions: Sequence[Condition], placed: Placed, about: Lattice) -> Collection[Lattice]:
    """Hexes among which those are in which a unit meets the narrowest of these conditions, as what is placed stands;
    those around ``about`` where none says how far it may be."""
    narrow: list[tuple[int, int, list[Lattice]]] = []
    widest = 0
    for one in conditions:
        if not isinstance(one, Distance):
            continue
        around = _around(one, unit, placed)
        widest = max(widest, (one.least or 0) if around else 0)
        if around and one.most is not None:
            centres = around if one.measure == "nearest" and unit in one.units else around[:1]
            narrow.append((one.least or 0, one.most, centres))
    if not narrow:
        return ring_by_ring(about, 0, widest + FARTHEST_LOOK)
    least, most, centres = min(narrow, key=lambda one: len(one[2]) * (one[1] ** 2 - max(0, one[0] - 1) ** 2))
    return dict.fromkeys(spot for centre in centres for spot in ring_by_ring(centre, least, most))


def _around(one: Distance, unit: Code, placed: Placed) -> list[Lattice]:
    """The hexes of the others from which a condition measures a unit, or from which units are measured to it."""
    if unit in one.units:
        return [spot for other in one.others if other != unit and other in placed for spot in placed[other].hexes]
    if unit in one.others and one.measure == "each":
        return [spot for other in one.units if other != unit and other in placed for spot in placed[other].hexes]
    return []


def ring_by_ring(centre: Lattice, least: int, most: int) -> list[Lattice]:
    """All hexes ``least`` to ``most`` from one, the nearest first."""
    found: list[Lattice] = []
    for ring in range(least, most + 1):
        if not ring:
            found.append(centre)
            continue
        spot = centre.plus(_SIDES[4], ring)
        for side in _SIDES:
            for _ in range(ring):
                found.append(spot)
                spot = spot.plus(side)
    return found


_SIDES = (Lattice(1, 0), Lattice(0, 1), Lattice(-1, 1), Lattice(-1, 0), Lattice(0, -1), Lattice(1, -1))
"""The six ways along the sides of a ring, from the corner in the fifth of them."""
