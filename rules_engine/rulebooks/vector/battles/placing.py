"""Placing units by their book's conditions: what one side may know of a step, and what its sheet comes to. VM-N62"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from pydantic import Field as Bound
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.grids.space import (
    WAYS,
    Lattice,
    NoHex,
    Way,
    column_row,
    hex_at,
    hexes_between,
    lattice_of,
    opposite,
    ways_towards,
)
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle, TacticalShip
from rules_engine.core.tactics.conditions import Code, SetUpStep
from rules_engine.core.tactics.judging import Placed, SetUpSpot, broken, conditions_for, nearest_legal, spot_of
from rules_engine.core.tactics.placing import legal_placement
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracked.state import TrackedState

LONGEST_HEX = 12
FARTHEST = 999
"""Columns and rows in which units are placed go so far from 0."""


class PlacingLine(Frozen):
    """A unit: in which hex it begins, where its bow points (left out: as the step says), at what speed, and whether it
    moves astern; what is left out stays as it stands."""

    at: Annotated[str, Bound(max_length=LONGEST_HEX)] | None = None
    facing: Way | None = None
    speed: Annotated[int, Bound(ge=0, le=200)] | None = None
    astern: bool | None = None


class PlacingSheet(RootModel[dict[str, PlacingLine]]):
    """A side's units in a step, by code."""

    def of(self, key: str) -> PlacingLine:
        """What is said of a unit."""
        return self.root.get(key, PlacingLine())


class PlacedUnit(NamedTuple):
    """A unit as a legal sheet places it. ``facing`` None: it turns to the nearest enemy once all are placed. ``speed``
    is negative astern."""

    ship: TacticalShip
    at: HexId
    facing: Way | None
    speed: int


def way_to(one: HexId, others: Iterable[HexId], otherwise: Way) -> Way:
    """The direction in which most of the way to the nearest of other hexes lies; of equally near ones the first
    clockwise from A. ``otherwise`` for a hex itself, or where there are none. VM-N62"""
    far = {other: hexes_between(one, other) for other in others}
    nearest = [ways_towards(one, other) for other, hexes in far.items() if hexes == min(far.values())]
    ways: list[Way] = [found[0] for found in nearest if found]
    return sorted(ways, key=WAYS.index)[0] if ways else otherwise


def vector_of(facing: Way, speed: int) -> Vector:
    """The vector straight ahead, or straight back where the speed is negative. VM-N62"""
    return Vector().plus(facing if speed >= 0 else opposite(facing), abs(speed))


@dataclass(frozen=True)
class UnitPlacing:
    """A step as one side sees it: its units, what is placed already, and hexes in which nobody can be."""

    step: SetUpStep
    ships: tuple[TacticalShip, ...]
    placed: Placed
    planets: frozenset[Lattice]
    begins: dict[Code, HexId]
    """Where units begin of which nothing is said: legally, if that can be."""
    faced: Way | None = None
    """How units of its force face that an earlier step has placed, if all are to face one way."""
    later: tuple[TacticalShip, ...] = ()
    """The side's own units that are placed by later steps, and those that arrive."""

    @property
    def codes(self) -> tuple[Code, ...]:
        """Its units."""
        return tuple(one.code for one in self.ships)

    def units(self, sheet: PlacingSheet) -> list[PlacedUnit]:
        """The units as a legal sheet places them."""
        said = self._facing_said(sheet)
        found: list[PlacedUnit] = []
        for ship in self.ships:
            line = sheet.of(ship.code)
            at = self.begins[ship.code] if line.at is None else hex_at(lattice_of(line.at))
            facing = line.facing or (said if self.step.one_facing else None)
            speed = ship.least_speed if line.speed is None else line.speed
            found.append(PlacedUnit(ship, at, facing or self._usual_facing(at), -speed if line.astern else speed))
        return found

    def _facing_said(self, sheet: PlacingSheet) -> Way | None:
        """How units face by what was said of the first of them, or of their force before."""
        if self.faced is not None:
            return self.faced
        lines = (sheet.of(key) for key in self.codes)
        line = next((one for one in lines if one.facing is not None), None)
        return None if line is None else line.facing

    def _usual_facing(self, at: HexId) -> Way | None:
        if self.step.faces and self.step.faces in self.placed:
            return way_to(at, map(hex_at, self.placed[self.step.faces].hexes), "A")
        return None if self.step.faces_enemy else "A"

    def refusals(self, sheet: PlacingSheet) -> list[Refusal]:
        """Everything that is wrong with a sheet; how units stand to others only where all stand somewhere."""
        known = self.codes
        strange = [
            malformed(f"{key} is no unit that you place here", key, legal=", ".join(known))
            for key in sheet.root
            if key not in known
        ]
        wrong = [*strange, *(found for one in self.ships for found in self._wrong_hex(one, sheet.of(one.code)))]
        if not wrong:
            spots = {one.ship.code: spot_of(one.at, facing=one.facing) for one in self.units(sheet)}
            around = {**self.placed, **spots}
            wrong += [
                found
                for one in self.ships
                if not one.flight.stays and spots[one.code].hexes[0] in self.planets
                for found in self._in_planet(one.code, around)
            ]
            wrong += broken(self.step, known, around, self.planets)
        wrong += [found for one in self.ships for found in self._wrong_speed(one, sheet.of(one.code))]
        return [*wrong, *self._facings(sheet)]

    def _wrong_hex(self, ship: TacticalShip, line: PlacingLine) -> Iterator[Refusal]:
        if line.at is None:
            return
        path = f"{ship.code}.at"
        try:
            spot = lattice_of(line.at)
        except NoHex as error:
            yield malformed(str(error), path, legal=self.step.says.rstrip("."), nearest=(self.begins[ship.code],))
            return
        if any(abs(one) > FARTHEST for one in column_row(spot)):
            yield malformed(f"{line.at} is too far off", path, legal=f"columns and rows from -{FARTHEST} to {FARTHEST}")

    def _in_planet(self, code: Code, around: Placed) -> Iterator[Refusal]:
        near = nearest_legal(code, conditions_for(self.step, self.codes), around, self.planets)
        found = () if near is None else (hex_at(near),)
        at = hex_at(around[code].hexes[0])
        yield illegal(f"{at} is in a planet", "VM-N62", f"{code}.at", legal="a hex in no planet", nearest=found)

    def _wrong_speed(self, ship: TacticalShip, line: PlacingLine) -> Iterator[Refusal]:
        least, most = ship.least_speed, ship.most_speed
        if line.speed is not None and not least <= line.speed <= most:
            legal = f"speed {least}" if least == most else f"speed {least} to {most}"
            yield illegal(
                f"{ship.code} begins at speed {line.speed}", self.step.rule, f"{ship.code}.speed", legal=legal
            )

    def _facings(self, sheet: PlacingSheet) -> Iterator[Refusal]:
        said = {key: facing for key in self.codes if (facing := sheet.of(key).facing) is not None}
        first = self._facing_said(sheet)
        other = next((key for key, facing in said.items() if facing != first), None)
        if self.step.one_facing and first is not None and other is not None:
            problem = f"{other} faces {said[other]}, and others {first}"
            legal = "one facing for all of them"
            yield illegal(problem, self.step.rule, f"{other}.facing", legal=legal, nearest=(first,))


def placing_of(state: TrackedState, battle: TacticalBattle, step: SetUpStep, side: Side) -> UnitPlacing:
    """A step as a side sees it: of others, what was placed and seen before."""
    left = [battle.ship(code) for code in step.units if code not in state.battle.units]
    ships = tuple(ship for ship in left if ship.side == side)
    ground = {one.id: spot_of(*one.hexes) for one in battle.ground if one.hexes}
    units = {one.id: spot_of(one.at, facing=one.facing) for one in state.battle.present()}
    planets = frozenset(
        lattice_of(place) for one in state.battle.terrain if one.kind == "planet" for place in one.hexes
    )
    placed: dict[Code, SetUpSpot] = {**ground, **units}
    codes = [one.code for one in ships]
    barred = {one.code: planets for one in ships if not one.flight.stays}
    found = legal_placement(codes, conditions_for(step, codes), placed, barred)
    begins = {one: hex_at(found[one]) if found is not None else MIDDLE for one in codes}
    waiting = [one for number, one in enumerate(battle.steps) if number not in state.placed and one is not step]
    codes_later = {code for one in waiting for code in one.units}
    later = tuple(one for one in battle.ships if one.side == side and one.code in codes_later)
    return UnitPlacing(step, ships, placed, planets, begins, _faced(state, battle, step, side), later)


def _faced(state: TrackedState, battle: TacticalBattle, step: SetUpStep, side: Side) -> Way | None:
    """The facing of the force's units that an earlier step has placed which wants one facing, if this one does."""
    earlier = [state.battle.units.get(code) for one in battle.steps if one.one_facing for code in one.units]
    own = [unit for unit in earlier if unit is not None and state.battle.friends(unit.side, side)]
    settled = next((unit for unit in own if unit.id not in state.unturned), None)
    return settled.facing if step.one_facing and settled is not None else None
