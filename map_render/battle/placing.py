"""Where the ships of a battle's drawing stand, with their chips and pins: worked out before anything is drawn.

Nothing in it is to scale but what the distance says: it shows who is placed in which step, and on which side of what.
"""

from collections.abc import Iterator, Sequence
from math import atan2, pi, sqrt
from typing import Literal, NamedTuple

from map_render.battle.page import EDGE, WIDTH
from map_render.battle.signs import CHIP, Look, chip_width
from map_render.drawing import text
from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.battle_scene import BattleStart, Spot, Station

HIGH = 424
"""The height of the drawing."""

LARGE, SMALL, TINY = 59, 44, 36
"""Radii of ships in their rings."""

MOST_TOGETHER, MOST_BEYOND, MOST_INNER = 3, 2, 2
"""The most stations of one spot that are drawn: in the middle or across the distance, beyond, and in the middle of
others. The rest are counted."""

PIN = 26
"""The radius of a pin on a ring."""

MORE = 32
"""The size of the figure beside a chip that says for how many more a ship stands."""

Beside = Literal["below", "right", "left"]
"""On which side of its ring a ship's chip is."""

LEFT, RIGHT = EDGE, WIDTH - EDGE
MIDDLE_X, CENTRE = 250, (EDGE + WIDTH - EDGE) / 2
DISTANCE = (184, 86)
EDGE_SHIFT, NARROW = 30, 400
_CORNERS = ((140, -126), (138, 148), (384, 148), (384, -126))
"""Where those stand that are near the middle."""
_WAYS: tuple[tuple[float, float, Beside], ...] = (
    (300, 0, "below"),
    (190, 137, "right"),
    (-225, 137, "left"),
    (-390, 0, "below"),
    (-225, -137, "left"),
    (190, -137, "right"),
)
"""Where the directions lie as from the centre, from the first one clockwise, and on which side their chips are."""

Box = tuple[float, float, float, float]
"""Left, top, right and low edge."""


class ShipPlace(NamedTuple):
    """A ship that is drawn: where, how large, facing where, and under what."""

    x: float
    y: float
    r: int
    look: Look
    code: str = ""
    step: int = 0
    turn: float = 0.0
    label: Beside = "below"
    more: int = 0


def set_out(start: BattleStart, looks: dict[Side, Look], top: float) -> list[ShipPlace]:
    """The ships of a drawing that begins at ``top``, in the order in which they are drawn."""
    middle = top + HIGH / 2
    return list(_around(start, looks, middle) if start.ground == "around" else _apart(start, looks, middle))


def distance_box(start: BattleStart) -> Box:
    """The room of the distance, as from the middle of the drawing's left edge."""
    wide, high = DISTANCE
    if start.ground == "around":
        x, y = CENTRE, -HIGH / 2 + high / 2 + 12
    else:
        from_x, to_x = reach_of(start)
        x, y = (from_x + to_x) / 2, 0.0
    return x - wide / 2, y - high / 2, x + wide / 2, y + high / 2


FEATURE = 32
"""The size of a feature's name."""


def feature_box(start: BattleStart, top: float) -> Box | None:
    """The room of the name of a feature, in the lower left corner."""
    if not start.feature or start.ground not in ("point", "edge"):
        return None
    wide = text.width(said_feature(start), FEATURE, heavy=True)
    return LEFT + 14, top + HIGH - 56, LEFT + 30 + wide, top + HIGH - 12


def said_feature(start: BattleStart) -> str:
    """The name of a feature, cut to its room."""
    return text.elide(text.plain(start.feature), FEATURE, 420, heavy=True)


def reach_of(start: BattleStart) -> tuple[float, float]:
    """Where the arrows to both sides end."""
    from_x = MIDDLE_X + (EDGE_SHIFT if start.ground == "edge" else 0) + LARGE + 10
    far = sum(station.spot == "far" for station in start.stations)
    return from_x, far_x(start) - 4 - (LARGE if far == 1 else SMALL if far > 2 else 0)


# --- two forces apart -------------------------------------------------------------------------------------------------


def far_x(start: BattleStart) -> float:
    """Where the second force's distance lies, in the middle of the drawing."""
    return 620 if any(station.spot == "beyond" for station in start.stations) else 766


def _apart(start: BattleStart, looks: dict[Side, Look], middle: float) -> Iterator[ShipPlace]:
    at: dict[Spot, list[Station]] = {"middle": [], "near": [], "far": [], "beyond": []}
    for station in start.stations:
        at[station.spot].append(station)
    x = MIDDLE_X + (EDGE_SHIFT if start.ground == "edge" else 0)
    yield from _middles(at["middle"], looks, (x, middle), crowd=start.ground == "space")
    corners = [0, 1] if at["beyond"] else [0, 1, 2, 3]
    if start.feature:
        corners = [0] if at["beyond"] else [0, 3]
    yield from _nears(at["near"], looks, middle, [_CORNERS[corner] for corner in corners])
    yield from _across(at["far"], looks, middle, far_x(start) - MIDDLE_X)
    yield from _beyond(at["beyond"], looks, middle)


def _gathered(stations: Sequence[Station], most: int) -> list[tuple[Station, int, int]]:
    """The first of some stations, each with its step if it is the first of all, and for how many units it stands beside
    the one that is drawn: the last for those of all that are left out, too."""
    shown = stations[:most]
    found: list[tuple[Station, int, int]] = []
    for number, station in enumerate(shown):
        left_out = stations[most:] if number == len(shown) - 1 else ()
        more = max(0, len(station.codes) - 1) + sum(max(1, len(one.codes)) for one in left_out)
        found.append((station, 0 if number else station.step, more))
    return found


def _middles(
    stations: Sequence[Station], looks: dict[Side, Look], at: tuple[float, float], *, crowd: bool
) -> Iterator[ShipPlace]:
    """Those in the middle: in a ``crowd`` more. Without codes, up to two more ships stand for the rest."""
    (x, middle), found = at, _gathered(stations, MOST_TOGETHER if crowd else MOST_INNER)
    for number, (station, step, more) in enumerate(found):
        look = looks[station.side]
        if len(found) > 1:
            y = middle + (number - (len(found) - 1) / 2) * 132
            yield ShipPlace(x, y, SMALL, look, _name(station, look), step, label="right", more=more)
            continue
        for dy in (-118, 118)[: station.units - 1] if crowd and not station.codes else ():
            yield ShipPlace(x - 112, middle + dy, SMALL, look)
        yield ShipPlace(x, middle, LARGE, look, _name(station, look), step, more=more)


def _nears(
    stations: Sequence[Station], looks: dict[Side, Look], middle: float, corners: Sequence[tuple[int, int]]
) -> Iterator[ShipPlace]:
    """Those near the middle, around it; what does not fit is counted beside the last."""
    placed = [(code, station) for station in stations for code in station.codes]
    for number, ((code, station), (x, dy)) in enumerate(zip(placed, corners, strict=False)):
        more = len(placed) - len(corners) if number == len(corners) - 1 else 0
        step = 0 if number else station.step
        look = looks[station.side]
        yield ShipPlace(x, middle + dy, SMALL, look, text.plain(code), step, label="right", more=max(0, more))


def _across(stations: Sequence[Station], looks: dict[Side, Look], middle: float, reach: float) -> Iterator[ShipPlace]:
    """Those across the distance: one on the arc for each station, and with one station a second ship behind it."""
    found = _gathered(stations, MOST_TOGETHER)
    for number, (station, step, more) in enumerate(found):
        look, codes = looks[station.side], station.codes
        if len(found) > 1:
            dy = (number - (len(found) - 1) / 2) * (132 if len(found) > 2 else 190)
            x = MIDDLE_X + sqrt(reach * reach - dy * dy)
            yield ShipPlace(x, middle + dy, SMALL, look, _name(station, look), step, 180, "right", more)
            continue
        x = MIDDLE_X + reach
        alone = reach < NARROW or len(codes) < 2
        yield ShipPlace(x, middle - 10, LARGE, look, _name(station, look), step, 180, more=more if alone else 0)
        for dy in (-128, 108)[: station.units - 1] if reach > NARROW and not codes else ():
            yield ShipPlace(x + 112, middle + dy, SMALL, look, turn=180)
        for code in () if alone else codes[1:2]:
            yield ShipPlace(x + 104, middle + 108, SMALL, look, text.plain(code), 0, 180, more=len(codes) - 2)


def _beyond(stations: Sequence[Station], looks: dict[Side, Look], middle: float) -> Iterator[ShipPlace]:
    """Those behind the second force, one below the other."""
    found = _gathered(stations, MOST_BEYOND)
    for number, (station, step, more) in enumerate(found):
        y = middle + (number - (len(found) - 1) / 2) * HIGH / len(found) - 24
        look = looks[station.side]
        yield ShipPlace(906, y, SMALL, look, _name(station, look), step, 180, more=more)


def _name(station: Station, look: Look) -> str:
    return text.plain(station.codes[0]) if station.codes else look.emblem


# --- one force in the middle of others --------------------------------------------------------------------------------


def _around(start: BattleStart, looks: dict[Side, Look], middle: float) -> Iterator[ShipPlace]:
    """The first force in the middle, facing right; the others by their directions, clockwise, facing it."""
    inner = _gathered([one for one in start.stations if one.spot == "middle"], MOST_INNER)
    for number, (station, step, more) in enumerate(inner):
        look = looks[station.side]
        if len(inner) == 1:
            yield ShipPlace(CENTRE, middle, LARGE, look, _name(station, look), step, more=more)
        else:
            y = middle + (number * 2 - 1) * 46
            yield ShipPlace(CENTRE, y, TINY, look, _name(station, look), step, label="right", more=more)
    ways: dict[int, list[Station]] = {}
    for station in start.stations:
        if station.spot != "middle":
            ways.setdefault(station.way or 1, []).append(station)
    for number, (way, stations) in enumerate(sorted(ways.items())):
        station, step, more = _gathered(stations, 1)[0]
        dx, dy, label = _WAYS[way - 1]
        turn = atan2(-dy, -dx) * 180 / pi
        look, at_step = looks[station.side], 0 if number else step
        yield ShipPlace(
            CENTRE + dx, middle + dy, SMALL, look, _name(station, look), at_step, turn, label=label, more=more
        )


# --- the room that they take ------------------------------------------------------------------------------------------


def label_box(place: ShipPlace) -> Box | None:
    """The room of a ship's chip, and of how many more it stands for; within the drawing."""
    if not place.code:
        return None
    chip = chip_width(place.code)
    wide = chip + (text.width(said_more(place), MORE, heavy=True) + 10 if place.more else 0)
    if place.label == "below":
        left, y = place.x - chip / 2, place.y + place.r + CHIP / 2 + 4
        left = min(max(left, LEFT + 8), RIGHT - 8 - wide)
    else:
        left, y = place.x + place.r + 4 if place.label == "right" else place.x - place.r - 4 - wide, place.y
    return left, y - CHIP / 2, left + wide, y + CHIP / 2


def pin_point(place: ShipPlace) -> tuple[float, float]:
    """The middle of the pin on a ship's ring: above, behind the ship, or where no chip is beside it."""
    behind = 1 if abs(place.turn) > 90 else -1
    aside = {"below": behind, "right": -1, "left": 1}[place.label]
    return place.x + aside * place.r * 0.98, place.y - place.r * 0.94


def said_more(place: ShipPlace) -> str:
    """For how many more a ship stands, as a figure."""
    return f"+{place.more}"
