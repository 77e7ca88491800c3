"""What of a sheet goes from hex to hex: its lines that choose the next one, that have a way, or both.

A rulebook has nothing to do for it but to call its fields as all do: the next hex is chosen in ``go`` or ``move``, a
way is written in ``route`` or ``course``. Of a line that has a way alone, the next hex is put at the way's end.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules_engine.core.basics.base import HexId, Json
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.forms.plain_orders import STEPS, WAYS
from rules_engine.core.forms.routes import LOOP, NOWHERE
from rules_engine.core.grids.places import MapPlaces

LEAVES_PORT = "port"
"""The first step of a way that begins in port."""
LONGEST_WAY = 100
"""Letters of a way that a menu can still lengthen."""
NOWHERE_AT_ALL = NOWHERE[0]
"""What a menu says for no way."""

_HEX = re.compile(r"\d{4}")
_WAY = re.compile(r"[a-z0-9/-]+(?: [a-z0-9/-]+)*")
"""Places of a map in a row, by numbers or ids; which of them can be, the book judges."""


@dataclass(frozen=True)
class Mover:
    """A line of a sheet that goes somewhere: its number on the form, where it stands ("" if that is not known), and its
    fields, of which it has one at least."""

    number: int
    line: Line
    hex: HexId
    next: Field | None
    way: Field | None


def next_field(line: Line, places: MapPlaces | None) -> Field | None:
    """The field of a line that chooses its next hex: some of its choices are places of the map."""
    if places is None:
        return None
    found = (one for one in line.fields if one.kind == "one" and one.key in STEPS)
    return next((one for one in found if any(choice.value in places for choice in one.choices)), None)


def way_field(line: Line) -> Field | None:
    """The field of a line that holds its way."""
    return next((field for field in line.fields if field.kind == "text" and field.key in WAYS), None)


def movers_of(form: Form, standing: Mapping[str, HexId], places: MapPlaces | None) -> list[Mover]:
    """What of a sheet moves, by hex. ``standing`` is where the side's own counters stand, by their ids; a line that has
    no more than a way is of one of them, or is for something that is not there yet."""
    found: list[Mover] = []
    for number, line in enumerate(form.lines):
        chosen, way = next_field(line, places), way_field(line)
        if chosen is not None or (way is not None and line.key in standing):
            found.append(Mover(number, line, standing.get(line.key, ""), chosen, way))
    return sorted(found, key=lambda one: one.hex)


def longer_ways(way: str, end: HexId, places: MapPlaces, *, is_docked: bool) -> dict[str, HexId]:
    """The ways that a hex more makes of one that leads to ``end``, as they are written, with that hex; none of a
    patrol, nor of one that has become too long."""
    words = way.split()
    if LOOP in (word.casefold() for word in words) or end not in places:
        return {}
    begins = [LEAVES_PORT] if is_docked and not words else []
    made = {" ".join([*words, *begins, hex_id]): hex_id for hex_id in sorted(places.neighbours(end))}
    return {text: hex_id for text, hex_id in made.items() if len(text) <= LONGEST_WAY}


def values_for(line: Line, chosen: str) -> dict[str, Json] | None:
    """What a choice of the next hex puts into a line; None if it is none that the line could offer."""
    steps = [one for one in line.fields if one.kind == "one" and one.key in STEPS]
    offered = {choice.value: field.key for field in reversed(steps) for choice in reversed(field.choices)}
    if chosen in offered:
        return {offered[chosen]: chosen}
    way = way_field(line)
    if any(map(_HEX.fullmatch, offered)) or way is None or len(chosen) > min(LONGEST_WAY, way.most or LONGEST_WAY):
        return None
    if chosen == NOWHERE_AT_ALL:
        return {way.key: ""}
    return {way.key: chosen} if _WAY.fullmatch(chosen) else None


def ends_of(hexes: Iterable[tuple[str, tuple[HexId, ...]]]) -> dict[str, HexId]:
    """Where courses end, by their counters."""
    return {counter: course[-1] for counter, course in hexes if course}
