"""Numbered hex maps: every rulebook's own numbers outside, cube arithmetic inside.

A `Grid` is told how its book counts (which corner, columns or rows first, which lines are shifted half a hex) and
then speaks that book's hex numbers, texts such as `"0412"`, in everything it takes and gives. Directions are 0 to 5
clockwise, starting at north (flat tops) or north-east (pointed tops), as seen on the sheet with north at the top.

Distances and neighbours are exact; only `center` and `corners`, which serve drawing, use floats.
"""

import difflib
import re
from collections.abc import Collection
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeAlias

from pydantic import Field, model_validator

from rules_engine.core.basics.base import Frozen, HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.places import MapPlaces, UnknownPlace

Point: TypeAlias = tuple[float, float]
Side: TypeAlias = Literal["top", "bottom", "left", "right"]
SIDES: tuple[Side, ...] = ("top", "bottom", "left", "right")

_ROOT_3_HALF = 3**0.5 / 2
_LOOKALIKES = str.maketrans("oil", "011")
_WORD = re.compile(r"[0-9A-Za-z]+")
_NUMBER = re.compile(r"(?:hex|#)?\s*(\d{1,9})(?:\s*[-–—,.:;/\s]\s*(\d{1,9}))?")


class UnknownHex(UnknownPlace):
    """A text that names no hex of the map. `text` is as given, `nearest` lists the most likely hexes, best first."""


class NotAdjacent(ValueError):
    """Two hexes that share no side were given where neighbours are needed."""


class NoWay(ValueError):
    """Hexes that do not exist cut the two ends of a line off from each other."""


class _Layout(NamedTuple):
    """What differs between flat and pointed tops. Lattice units: half a hex size along the pointed axis of the hex,
    and half a hex size times the square root of three across it, so that centers and corners have whole coordinates."""

    steps: tuple[tuple[int, int], ...]
    names: tuple[str, ...]
    corners: tuple[tuple[int, int], ...]
    unit: Point


_FLAT = _Layout(
    steps=((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)),
    names=("N", "NE", "SE", "S", "SW", "NW"),
    corners=((-1, -1), (1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0)),
    unit=(0.5, _ROOT_3_HALF),
)
_POINTY = _Layout(
    steps=((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1)),
    names=("NE", "E", "SE", "SW", "W", "NW"),
    corners=((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
    unit=(_ROOT_3_HALF, 0.5),
)
_TOWARDS: dict[str, dict[Side, tuple[int, ...]]] = {
    "flat": {"top": (0,), "right": (1, 2), "bottom": (3,), "left": (4, 5)},
    "pointy": {"top": (0, 5), "right": (1,), "bottom": (2, 3), "left": (4,)},
}
_WINDS = {
    "N": "north",
    "NE": "north-east",
    "E": "east",
    "SE": "south-east",
    "S": "south",
    "SW": "south-west",
    "W": "west",
    "NW": "north-west",
}


class Grid(Frozen):
    """A rectangular sheet of hexes and its book's way of numbering them; frozen, and readable from configuration.

    `orientation`: flat tops stand in straight columns, pointed tops lie in straight rows. `numbering`: column or row
    first. `origin`: the corner from which both are counted. `first`: the number at which counting starts. `digits`: the
    length of each half of a number. `stagger`: whether the odd or the even columns (flat) or rows (pointy), by their
    own numbers, are shifted by half a hex. `shift`: whether they are shifted away from the origin's edge or towards it.
    `holes`: numbers on the sheet that are not hexes.
    """

    columns: Annotated[int, Field(ge=1, le=999)]
    rows: Annotated[int, Field(ge=1, le=999)]
    orientation: Literal["flat", "pointy"] = "flat"
    numbering: Literal["CCRR", "RRCC"] = "CCRR"
    origin: Literal["top-left", "top-right", "bottom-left", "bottom-right"] = "top-left"
    stagger: Literal["odd", "even"] = "even"
    shift: Literal["away", "towards"] = "away"
    first: Annotated[int, Field(ge=0)] = 1
    digits: Annotated[int, Field(ge=1, le=4)] = 2
    holes: tuple[HexId, ...] = ()

    step: ClassVar[str] = "hex"
    spot: ClassVar[str] = "hex"
    near: ClassVar[int] = 3
    is_numbered: ClassVar[bool] = True

    @model_validator(mode="after")
    def _numbers_fit(self) -> Self:
        defects: list[str] = []
        for what, count in (("columns", self.columns), ("rows", self.rows)):
            if self.first + count > 10**self.digits:
                defects.append(f"{what} {self.first} to {self.first + count - 1} do not fit {self.digits} digits")
        sheet = {self.number(*place): place for place in self._places()}
        defects += [f"hole {hole!r} is not on the sheet" for hole in self.holes if hole not in sheet]
        defects += [f"hole {hole!r} is named twice" for hole in dict.fromkeys(self.holes) if self.holes.count(hole) > 1]
        if len(sheet) <= len(self.holes):
            defects.append("no hex is left")
        if defects:
            raise ValueError("; ".join(defects))
        return self

    def model_copy(self, *, update: Any = None, deep: bool = False) -> Self:
        """A copy with other settings, validated and worked out afresh."""
        return type(self).model_validate({**self.model_dump(), **(update or {})})

    # --- numbers ---------------------------------------------------------------------------------------------------

    def hexes(self) -> tuple[HexId, ...]:
        """Every hex of the map, in ascending order of number."""
        return self._hexes

    ids = hexes

    def called(self, name: HexId) -> str:
        """What a hex is called: its number."""
        return name

    def named_in(self, text: str) -> HexId:
        """The first hex that a text names by its number; "" if it names none."""
        return next((word for word in _WORD.findall(text) if word in self._axial), "")

    def __contains__(self, name: object) -> bool:
        return name in self._axial

    def number(self, column: int, row: int) -> HexId:
        """The hex number of a column and a row as the book counts them, whether or not the map has that hex."""
        halves = (column, row) if self.numbering == "CCRR" else (row, column)
        return "".join(str(half).zfill(self.digits) for half in halves)

    def column_row(self, name: HexId) -> tuple[int, int]:
        """(column, row) of a hex as the book counts them. Raises UnknownHex."""
        self._spot_of(name)
        halves = int(name[: self.digits]), int(name[self.digits :])
        return halves if self.numbering == "CCRR" else (halves[1], halves[0])

    def parse(self, text: str) -> HexId:
        """The hex a person means by `0412`, `412`, ` 04-12`, `4,12` or `#0412`.

        Raises UnknownHex with the nearest hexes (first the one with column and row swapped, if there is one).
        """
        if text in self._axial:
            return text
        found = _NUMBER.fullmatch(text.strip().lower())
        if found is None:
            raise self._no_number(text)
        first, second = found.groups()
        if second is None:
            if not 2 * self.digits - 1 <= len(first) <= 2 * self.digits:
                raise self._no_number(text)
            # A number typed without its leading zero, as calculators and spreadsheets write it.
            first = first.zfill(2 * self.digits)
            first, second = first[: self.digits], first[self.digits :]
        halves = int(first), int(second)
        column, row = halves if self.numbering == "CCRR" else (halves[1], halves[0])
        name = self.number(column, row)
        if name in self._axial:
            return name
        swapped = self.number(row, column)
        others = self._nearest(self._spot(column, row))
        likeliest = (swapped, *others) if swapped in self._axial else others
        raise UnknownHex(text.strip(), f"is not a hex of this map ({self._ranges()})", likeliest[:3])

    # --- neighbours ------------------------------------------------------------------------------------------------

    def neighbour(self, name: HexId, direction: int) -> HexId | None:
        """The hex next to `name` in direction 0..5, or None if there is none. Raises UnknownHex, or ValueError."""
        if not 0 <= direction < 6:
            raise ValueError(f"a direction is 0 to 5, not {direction}")
        q, r = self._spot_of(name)
        step_q, step_r = self._layout.steps[direction]
        return self._ids.get((q + step_q, r + step_r))

    def neighbours(self, name: HexId) -> tuple[HexId, ...]:
        """The hexes that touch `name`, clockwise from direction 0. Raises UnknownHex."""
        around = self._around.get(name)
        if around is None:
            raise self._unknown(name)
        return around

    def direction_of(self, start: HexId, end: HexId) -> int:
        """The direction 0..5 from a hex to its neighbour. Raises NotAdjacent or UnknownHex."""
        step = self._difference(start, end)
        if step not in self._layout.steps:
            raise NotAdjacent(f"{start} and {end} share no side")
        return self._layout.steps.index(step)

    def edge(self, one: HexId, other: HexId) -> str:
        """The side two neighbours share, the same name from both: `"0505/0605"`. Raises NotAdjacent or UnknownHex."""
        self.direction_of(one, other)
        return "/".join(sorted((one, other)))

    # --- distances -------------------------------------------------------------------------------------------------

    def distance(self, one: HexId, other: HexId) -> int:
        """Hexes from one to the other as the crow flies, over holes too. Raises UnknownHex."""
        if one not in (spots := self._axial) or other not in spots:
            raise self._unknown(one if one not in spots else other)
        (q, r), (end_q, end_r) = spots[one], spots[other]  # asked so often that nothing is called on the way
        q, r = end_q - q, end_r - r
        return max(abs(q), abs(r), abs(q + r))

    def within(self, name: HexId, radius: int) -> tuple[HexId, ...]:
        """Every hex at distance 0 to `radius`, in ascending order of number. Raises UnknownHex."""
        q, r = self._spot_of(name)
        near = (
            self._ids.get((q + dq, r + dr))
            for dq in range(-radius, radius + 1)
            for dr in range(max(-radius, -dq - radius), min(radius, -dq + radius) + 1)
        )
        return tuple(sorted(other for other in near if other is not None))

    def ring(self, name: HexId, radius: int) -> tuple[HexId, ...]:
        """Every hex at distance exactly `radius`, in ascending order of number. Raises UnknownHex."""
        return tuple(other for other in self.within(name, radius) if self.distance(name, other) == radius)

    def line(self, start: HexId, end: HexId) -> tuple[HexId, ...]:
        """A shortest path over existing hexes, both ends included, as close to the straight line as possible.

        The way back is the same path. Raises NoWay if holes cut the ends apart, UnknownHex for hexes not on the map.
        """
        if start > end:
            return tuple(reversed(self.line(end, start)))
        way = self._way(start, end, detour=False) or self._way(start, end, detour=True)
        if way is None:
            raise NoWay(f"no way over the map leads from {start} to {end}")
        return way

    def compass(self, start: HexId, end: HexId) -> str:
        """The nearest of the eight winds from one hex to another: "N", "NE" ...; "" for the hex itself."""
        u, v = self._doubled(self._difference(start, end))
        across, along = (3 * u * u, v * v) if self.orientation == "flat" else (u * u, 3 * v * v)
        vertical = ("N" if v < 0 else "S") if not _under_half_a_wind(along, across) else ""
        horizontal = ("W" if u < 0 else "E") if not _under_half_a_wind(across, along) else ""
        return vertical + horizontal if u or v else ""

    def bearing(self, start: HexId, end: HexId) -> str:
        """`compass` in words: "north", "south-west"...; "here" for the hex itself. Raises UnknownHex."""
        return _WINDS.get(self.compass(start, end), "here")

    def away(self, start: HexId, end: HexId) -> str:
        """How far and which way it is, in words: ``3 hexes north``; "" for the hex itself. Raises UnknownHex."""
        far = self.distance(start, end)
        return f"{counted(far, self.step)} {self.bearing(start, end)}" if far else ""

    def part(self, shown: Collection[HexId], common: MapPlaces) -> Self:
        """Itself: everybody has the sheet."""
        return self

    # --- the sheet -------------------------------------------------------------------------------------------------

    def side(self, side: Side) -> tuple[HexId, ...]:
        """The hexes along one edge of the sheet, in ascending order of number; not along holes inside the map."""
        return self._sides[side]

    @cached_property
    def extent(self) -> Point:
        """(width, height) of the whole sheet in hex sizes (center to corner)."""
        left, top, right, bottom = self._bounds
        unit_x, unit_y = self._layout.unit
        return (right - left) * unit_x, (bottom - top) * unit_y

    def center(self, name: HexId) -> Point:
        """(x, y) in hex sizes from the sheet's top left, y down; for drawing only. Raises UnknownHex."""
        return self._point(self._lattice(self._spot_of(name)))

    def corners(self, name: HexId) -> tuple[Point, ...]:
        """The six corners, clockwise, as `center`: the side in direction d runs from corner d to corner d + 1 mod 6."""
        return tuple(self._point(point) for point in self._lattice_corners(self._spot_of(name)))

    def at(self, q: int, r: int) -> HexId | None:
        """The hex at axial (q, r), or None."""
        return self._ids.get((q, r))

    # --- what follows from the settings, worked out once ------------------------------------------------------------

    @cached_property
    def _axial(self) -> dict[HexId, tuple[int, int]]:
        """Where every hex lies, in ascending order of number."""
        spots = {self.number(*place): self._spot(*place) for place in self._places()}
        for hole in self.holes:
            del spots[hole]
        return dict(sorted(spots.items()))

    @cached_property
    def _hexes(self) -> tuple[HexId, ...]:
        return tuple(self._axial)

    @cached_property
    def _ids(self) -> dict[tuple[int, int], HexId]:
        return {spot: name for name, spot in self._axial.items()}

    @cached_property
    def _around(self) -> dict[HexId, tuple[HexId, ...]]:
        """Every hex's neighbours, clockwise from direction 0."""
        ids, steps = self._ids, self._layout.steps
        return {
            name: tuple(ids[q + dq, r + dr] for dq, dr in steps if (q + dq, r + dr) in ids)
            for name, (q, r) in self._axial.items()
        }

    @cached_property
    def _bounds(self) -> tuple[int, int, int, int]:
        """The least and the greatest coordinates of the sheet on the lattice: left, top, right, bottom."""
        corners = [corner for place in self._places() for corner in self._lattice_corners(self._spot(*place))]
        across, down = [x for x, _ in corners], [y for _, y in corners]
        return min(across), min(down), max(across), max(down)

    @cached_property
    def _sides(self) -> dict[Side, tuple[HexId, ...]]:
        return {side: self._find_side(side) for side in SIDES}

    # --- inside ----------------------------------------------------------------------------------------------------

    @property
    def _layout(self) -> _Layout:
        return _FLAT if self.orientation == "flat" else _POINTY

    def _places(self) -> list[tuple[int, int]]:
        columns = range(self.first, self.first + self.columns)
        return [(column, row) for column in columns for row in range(self.first, self.first + self.rows)]

    def _spot(self, column: int, row: int) -> tuple[int, int]:
        """Axial (q, r) by doubled coordinates (u, v) on the sheet, in which a shift of half a hex is 1."""
        i, j = column - self.first, row - self.first
        line = column if self.orientation == "flat" else row
        aside = (1 if self.shift == "away" else -1) if line % 2 == (self.stagger == "odd") else 0
        right = 1 if self.origin.endswith("left") else -1
        down = 1 if self.origin.startswith("top") else -1
        if self.orientation == "flat":
            u, v = right * i, down * (2 * j + aside)
            return u, (v - u) // 2
        u, v = right * (2 * i + aside), down * j
        return (u - v) // 2, v

    def _doubled(self, step: tuple[int, int]) -> tuple[int, int]:
        q, r = step
        return (q, 2 * r + q) if self.orientation == "flat" else (2 * q + r, r)

    def _spot_of(self, name: HexId) -> tuple[int, int]:
        spot = self._axial.get(name)
        if spot is None:
            raise self._unknown(name)
        return spot

    def _unknown(self, name: HexId) -> UnknownHex:
        # Not parsed tolerantly: inside the engine a hex number is exact, or there is an error in the rules.
        return UnknownHex(name, f"is not a hex of this map ({self._ranges()})", ())

    def _difference(self, start: HexId, end: HexId) -> tuple[int, int]:
        (q, r), (end_q, end_r) = self._spot_of(start), self._spot_of(end)
        return end_q - q, end_r - r

    def _lattice(self, spot: tuple[int, int]) -> tuple[int, int]:
        u, v = self._doubled(spot)
        return (3 * u, v) if self.orientation == "flat" else (u, 3 * v)

    def _lattice_corners(self, spot: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = self._lattice(spot)
        return [(x + dx, y + dy) for dx, dy in self._layout.corners]

    def _point(self, lattice: tuple[int, int]) -> Point:
        unit_x, unit_y = self._layout.unit
        left, top, _, _ = self._bounds
        return (lattice[0] - left) * unit_x, (lattice[1] - top) * unit_y

    def _find_side(self, side: Side) -> tuple[HexId, ...]:
        """Hexes with no neighbour on that side and no hex of the map farther out in their own column or row."""
        upright = side in ("top", "bottom")
        counts_outwards = side not in self.origin
        outermost: dict[int, int] = {}
        places = {name: self.column_row(name) for name in self._hexes}
        for column, row in places.values():
            line, rank = (column, row) if upright else (row, column)
            farthest = max if counts_outwards else min
            outermost[line] = farthest(outermost.get(line, rank), rank)
        return tuple(
            name
            for name, (column, row) in places.items()
            if outermost[column if upright else row] == (row if upright else column)
            and not any(self.neighbour(name, direction) for direction in _TOWARDS[self.orientation][side])
        )

    def _way(self, start: HexId, end: HexId, *, detour: bool) -> tuple[HexId, ...] | None:
        """The path whose sum of distances from the straight line is least, built layer by layer; ties by hex number."""
        whole = self._doubled(self._difference(start, end))
        reached: dict[HexId, tuple[int, tuple[HexId, ...]]] = {start: (0, (start,))}
        seen = dict.fromkeys(reached)
        while reached and end not in reached:
            layer: dict[HexId, tuple[int, tuple[HexId, ...]]] = {}
            for name, (strayed, way) in reached.items():
                for other in self.neighbours(name):
                    if other in seen or not (detour or self.distance(other, end) < self.distance(name, end)):
                        continue
                    u, v = self._doubled(self._difference(start, other))
                    better = (strayed + abs(whole[0] * v - whole[1] * u), (*way, other))
                    layer[other] = min(layer.get(other, better), better)
            seen.update(dict.fromkeys(layer))
            reached = layer
        return reached[end][1] if end in reached else None

    def _nearest(self, spot: tuple[int, int]) -> tuple[HexId, ...]:
        def remoteness(name: HexId) -> tuple[int, HexId]:
            q, r = self._axial[name]
            away, down = q - spot[0], r - spot[1]
            return max(abs(away), abs(down), abs(away + down)), name

        return tuple(sorted(self._hexes, key=remoteness)[:3])

    def _no_number(self, text: str) -> UnknownHex:
        # Only short texts with figures are compared: similarity between a sentence and a number means nothing.
        typed = text.strip().lower()[:16]
        close: list[str] = []
        if len(re.findall(r"\d", typed)) >= self.digits:
            digits = "".join(re.findall(r"\d", typed.translate(_LOOKALIKES)))
            close = difflib.get_close_matches(digits, self._hexes, n=3, cutoff=0.6)
        example = self._hexes[len(self._hexes) // 2]
        return UnknownHex(text.strip(), f"is not a hex number such as {example}", tuple(close))

    def _ranges(self) -> str:
        def span(count: int) -> str:
            return f"{str(self.first).zfill(self.digits)}-{str(self.first + count - 1).zfill(self.digits)}"

        parts = [f"columns {span(self.columns)}", f"rows {span(self.rows)}"]
        return ", ".join(parts if self.numbering == "CCRR" else reversed(parts)) + f", numbered {self.numbering}"


def _under_half_a_wind(part: int, whole: int) -> bool:
    """Whether sqrt(part) < tan(22.5 degrees) * sqrt(whole), in whole numbers; tan(22.5 degrees) is sqrt(2) - 1."""
    return whole > part and 4 * part * whole < (whole - part) ** 2
