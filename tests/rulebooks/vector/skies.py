"""Battles in a few lines, and plots as one would say them.

A line of a battle is a unit: ``H1 hunters 0505 A 3B+5C warp=15 move_cost=1/2 turn_mode=C`` (id, side, hex, facing,
vector, and figures that differ from those of a usual ship, or fields of the unit itself).
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.dice import Roll
from rules_engine.rulebooks.vector.records.happenings import Happened, What
from rules_engine.rulebooks.vector.records.plots import PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions, TacticalTerrain
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracker.flying import begin_turn, end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import Foreseen, foresee

USUAL: dict[str, Any] = {"warp": 30, "impulse": 4, "total_power": 38, "reserve": 5}

_WHEN = re.compile(r"when (?:(?P<unit>\w+) )?within (?P<within>\d+)(?: from (?P<first>\d+) to (?P<last>\d+))?: ")
_EVENT = re.compile(
    r"(?P<action>[a-z]+)(?: (?P<hand>left|right|towards|away))?(?: (?P<subject>[A-Z]\w+))?(?: (?P<amount>\d+))?"
    r"(?: to (?P<facing>[A-F]))?(?P<by_impulse> by impulse)?(?: on (?P<impulse>\d+))?"
)


def unit(line: str) -> VectorShip:
    """A unit from its line."""
    code, side, at, facing, vector, *more = line.split()
    values = {name: _value(value) for name, value in (one.split("=") for one in more)}
    figures = {name: values.pop(name) for name in list(values) if name in FlightFigures.model_fields}
    return VectorShip.from_json(
        {
            "id": code, "side": side, "name": code, "at": at, "facing": facing, "vector": {"says": vector},
            "figures": {**USUAL, **figures}, **values,
        }
    )  # fmt: skip


def _value(text: str) -> object:
    if text in ("True", "False"):
        return text == "True"
    if "," in text:
        return [int(one) for one in text.split(",")]
    return int(text) if text.isdigit() else str(Fraction(text)) if re.fullmatch(r"\d+/\d+", text) else text


def sky(lines: str, *, terrain: Sequence[TacticalTerrain] = (), turn: bool = True, **options: Any) -> Tactical:
    """A battle with these units, at the beginning of its first turn, or before it."""
    units = [unit(line) for line in lines.strip().splitlines()]
    battle = Tactical(
        options=TacticalOptions(**options), sides=sorted({one.side for one in units}),
        units={one.id: one for one in units}, terrain=list(terrain),
    )  # fmt: skip
    if turn:
        begin_turn(battle)
    return battle


def plot(*events: str, **fields: Any) -> UnitPlot:
    """A plot: ``accelerate 6 on 1``, ``turn right on 4``, ``het to C on 3``, ``when C1 within 5: turn towards``."""
    return UnitPlot(events=tuple(map(event, events)), **fields)


def event(text: str) -> PlotEvent:
    """One event."""
    when = _WHEN.match(text)
    found = _EVENT.fullmatch(text[when.end() :] if when else text)
    assert found is not None, text
    values: dict[str, Any] = {name: value for name, value in found.groupdict().items() if value}
    values["by_impulse"] = "by_impulse" in values
    if when:
        named = {name: value for name, value in when.groupdict().items() if value}
        values["when"] = PlotCondition.model_validate(named)
    return PlotEvent.model_validate(values)


class Loaded:
    """Dice that show what a test wants, in order; none is rolled that it does not expect."""

    def __init__(self, *shown: int) -> None:
        self.shown = list(shown)
        self.keys: list[str] = []

    def roll(self, purpose: str, *, faces: int, key: str = "", seen_by: Iterable[Side] | None = None) -> Roll:
        """The next number."""
        self.keys.append(key)
        number = self.shown.pop(0)
        seen = None if seen_by is None else frozenset(seen_by)
        return Roll(label=key, purpose=purpose, faces=faces, low=1, dice=(number,), total=number, seen_by=seen)


def fly(battle: Tactical, plots: Mapping[str, UnitPlot] | None = None, last: int = 32, *dice: int) -> list[Happened]:
    """Fly a piece with loaded dice."""
    return fly_piece(battle, plots or {}, last, Loaded(*dice))


def next_turn(battle: Tactical) -> list[Happened]:
    """End a turn, and begin the next."""
    happened = end_turn(battle)
    begin_turn(battle)
    return happened


def what(happened: Iterable[Happened], *kinds: What) -> list[tuple[int, str, What]]:
    """Impulse, unit and kind of what happened, of these kinds, or of all but plain moves."""
    return [
        (one.impulse, one.unit, one.what) for one in happened if (one.what in kinds if kinds else one.what != "moved")
    ]


def ways(happened: Iterable[Happened], code: str) -> str:
    """The directions in which a unit moved."""
    return "".join(one.way or "" for one in happened if one.unit == code and one.what in ("moved", "slipped"))


def refusals(found: Foreseen) -> list[tuple[int | None, str, int]]:
    """The event, the rule, and the first impulse that would be legal, of each defect."""
    return [(one.event, one.refusal.rule, one.legal_on) for one in found.defects]


def judged(
    battle: Tactical, code: str, *events: str, last: int = 32, **fields: Any
) -> list[tuple[int | None, str, int]]:
    """What is refused of a plot."""
    return refusals(foresee(battle, code, plot(*events, **fields), last))


def vector(says: str) -> Vector:
    """A vector."""
    return Vector(says=says)
