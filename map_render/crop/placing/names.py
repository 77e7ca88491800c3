"""Names and signs of places, and the numbers of hexes: where counters and their captions leave room."""

from map_render.crop.box import Box
from map_render.crop.placing.lettering import NAME, NUMBER, Lines, Spot, TextLine, centred, extent, find
from map_render.crop.placing.plan import CropPlan, Label, Mark
from map_render.crop.placing.room import around
from map_render.crop.stands import PlaceSign
from rules_engine.core.basics.base import HexId

_CLOSE = 100
"""Pixels from a hex's centre to its corner below which its number stands nearer to the centre."""


def place_name(plan: CropPlan, place: PlaceSign, title: str) -> None:
    """A place's sign and its name: in the middle of its hex if that is empty, else small where there is room."""
    frame = plan.frame
    x, y = frame.centres[place.hex]
    titled = len(frame.focus) == 1 and place.hex in frame.focus and place.name in title
    name = "" if titled else place.name
    figure = (f" {place.figure}") if place.figure else ""
    words = (TextLine(f"{name}{figure}", NAME, heavy=True),) if name or figure else ()
    r = frame.px(0.28 if place.planet else 0.25)
    if place.hex not in plan.blocks:
        here = around(x, y - frame.px(0.2), 2 * r, 2 * r)
        if plan.room.is_free(here):
            plan.marks.append(Mark(place, x, y - frame.px(0.2), r))
            plan.room.take(here)
            _name_at(plan, words, [centred(x, y + frame.px(shift)) for shift in (0.36, 0.5, 0.62, -0.7)])
            return
    small = max(16, frame.px(0.13))
    _small_mark(plan, place, words, small)


def _name_at(plan: CropPlan, lines: Lines, spots: list[Spot]) -> None:
    if not lines:
        return
    short = tuple(one._replace(words=one.words[:9] + "…") for one in lines if len(one.words) > 10)
    found = find(plan.room, [lines, short], spots)
    if found is not None:
        plan.labels.append(Label(*found))
        plan.room.take(found[1])


def _small_mark(plan: CropPlan, place: PlaceSign, words: Lines, r: int) -> None:
    """The sign small before the name, or alone, below or above the counters of its hex or in its corners."""
    frame = plan.frame
    x, y = frame.centres[place.hex]
    low = max((one.box.bottom for one in plan.blocks[place.hex].cells), default=y) if place.hex in plan.blocks else y
    high = min((one.box.top for one in plan.blocks[place.hex].cells), default=y) if place.hex in plan.blocks else y
    for lines in (words, ()) if words else ((),):
        wide, tall = extent(lines) if lines else (0, 2 * r)
        whole = wide + (2 * r + 6 if wide else 2 * r)
        downs = [low + 4 + tall // 2, y + frame.px(0.84), high - 6 - tall // 2, y - frame.px(0.84), y + frame.px(1.2)]
        spots = [(x, down) for down in downs]
        spots += [(x + side * frame.px(0.7), y + down * frame.px(0.45)) for down in (1, -1) for side in (-1, 1)]
        for at_x, at_y in spots:
            box = around(at_x, at_y, whole, max(tall, 2 * r))
            if plan.room.is_free(box, 2):
                plan.marks.append(Mark(place, box.left + r, at_y, r))
                plan.room.take(box)
                if lines:
                    left = box.left + 2 * r + 6
                    plan.labels.append(Label(lines, Box(left, at_y - tall // 2, box.right, at_y - tall // 2 + tall)))
                return


def place_numbers(plan: CropPlan, inside: list[HexId]) -> None:
    """Hex numbers, where nothing else is."""
    frame = plan.frame
    for name in inside:
        x, y = frame.centres[name]
        up = frame.px(0.42 if frame.size < _CLOSE else 0.66 if frame.flat else 0.72)
        lines: Lines = (TextLine(name, NUMBER, ink="quiet"),)
        box = around(x, y - up, *extent(lines))
        if plan.room.is_free(box, 2, strict=True):
            plan.labels.append(Label(lines, box))
            plan.room.take(box)
