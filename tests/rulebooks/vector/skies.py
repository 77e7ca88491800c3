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


# --- tables ----------------------------------------------------------------------------------------------------------
Step = str | Mapping[str, Any]
"""A step of a table: a piece that is flown (``{"H1": "turn left on 5; warp=9", "to": 16, "dice": [4]}``), ``next
turn``, or, first, the battle's options (``{"options": {"friction": True}}``)."""


def said(text: str) -> UnitPlot:
    """A plot in one line: events, and other fields of it as ``warp=9``, between semicolons."""
    parts = list(filter(None, text.split("; ")))
    fields = [part.split("=") for part in parts if "=" in part]
    return plot(
        *(part for part in parts if "=" not in part),
        **{name: int(value) if value.isdigit() else value for name, value in fields},
    )


def flown(lines: str, steps: Iterable[Step]) -> tuple[Tactical, list[Happened]]:
    """A battle after these steps, its units between semicolons, and what happened in the last step."""
    options: dict[str, Any] = {}
    battle, happened = None, list[Happened]()
    for step in steps:
        if isinstance(step, Mapping) and "options" in step:
            options = step["options"]
            continue
        battle = battle or sky(lines.replace("; ", "\n"), **options)
        if isinstance(step, str):
            happened = next_turn(battle)
        else:
            plots = {code: said(text) for code, text in step.items() if code not in ("to", "dice")}
            happened = fly(battle, plots, step.get("to", 32), *step.get("dice", []))
    return battle or sky(lines.replace("; ", "\n"), **options), happened


def after(lines: str, steps: Iterable[Step], names: Iterable[str]) -> dict[str, Any]:
    """What is so after these steps: ``H1.vector``, ``H1.facing`` and other fields, ``H1 ways`` in which it moved in the
    last step, and ``what`` happened in that."""
    battle, happened = flown(lines, steps)
    found: dict[str, Any] = {}
    for name in names:
        code, *path = name.replace(" ", ".").split(".")
        if name == "what":
            found[name] = what(happened)
        elif path == ["ways"]:
            found[name] = ways(happened, code)
        else:
            value: Any = battle.units[code]
            for field in path:
                value = getattr(value, field)
            found[name] = value.says if isinstance(value, Vector) else value
    return found


def comes_to(battle: Tactical, plots: Mapping[str, Any]) -> dict[str, Any]:
    """What plots come to that are judged, of H1 or of the unit that stands before a colon.

    What kind of thing is expected says which: a list are refusals, as `judged` gives them; a mapping is what the plot
    costs, by kind of energy; a text is the first refusal in full.
    """
    found: dict[str, Any] = {}
    for key, expected in plots.items():
        code, _, text = key.partition(": ") if re.match(r"[A-Z]\d: ", key) else ("H1", "", key)
        foreseen = foresee(battle, code, said(text), 32)
        if isinstance(expected, list):
            found[key] = refusals(foreseen)
        elif isinstance(expected, str):
            found[key] = str(foreseen.defects[0].refusal) if foreseen.defects else ""
        else:
            found[key] = {kind: points for kind, points in foreseen.spent._asdict().items() if points}
    return found
