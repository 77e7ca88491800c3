"""Officers who look for trouble: they shadow, search, attack, pursue, tow, lay mines, go without warp, and let go."""

from dataclasses import dataclass
from random import Random
from typing import Any

from rules_engine.core.basics.base import HexId, Json
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.pq17.playing.officers import Officer, place_of
from tests.rulebooks.pq17.random_worlds.generator import ORDERS

ROUNDS = 4
"""How often a sheet is judged without the lines that were refused, before it is taken as it was filled in."""
SILENT = 0.05
"""How often a sheet is left to its default."""


@dataclass
class Raider(Officer):
    """One side's commander in a random world."""

    def answer(self, ask: AnyAsk) -> Json:
        """A legal answer, or None to leave it to the default."""
        if ask.pace == "battle":
            return self.account(ask)
        if self.chance.random() < SILENT:
            return None
        sheet = ask.form.prefilled()
        bold = self.chance.choice((0.3, 0.6, 0.9))
        wanted = {line.key: self._line(ask.kind, line, sheet.get(line.key, {}), bold) for line in ask.form.lines}
        changed = {key: one for key, one in wanted.items() if one != sheet.get(key, {})}
        for _ in range(ROUNDS):
            legal, refusals = self._tried(ask, {**sheet, **changed})
            if legal is not None:
                return legal
            wrong = {one.path.partition(".")[0] for one in refusals} & set(changed)
            for key in wrong or list(changed)[: 1 + len(changed) // 2]:
                changed.pop(key, None)
        return self.judged(ask, sheet)

    @property
    def grid(self) -> Grid:
        """The map, which is open to everybody."""
        return self.adjudicator._state.grid

    # --- lines --------------------------------------------------------------------------------------------------------

    def _line(self, kind: str, line: Line, values: dict[str, Json], bold: float) -> dict[str, Json]:
        """A line with some fields changed as somebody would who wants trouble."""
        changed = dict(values)
        if line.group == "New task forces" and self.chance.random() < 0.7:
            return changed
        for field in line.fields:
            if self.chance.random() < _eagerness(kind, field.key, bold):
                value = self._value(line, field)
                if value is None:
                    changed.pop(field.key, None)
                else:
                    changed[field.key] = value
        return changed

    def _value(self, line: Line, field: Field) -> Json:
        chance = self.chance
        match field.key:
            case "route":
                here = place_of(line, self.grid)
                return None if here is None else _route(self.grid, here, line, chance, self._lays(line))
            case "tow":
                return self._tow(line)
            case "doctrine":
                return chance.choice(ORDERS) or None
            case "shadow" if field.kind == "flag":
                return chance.random() < 0.85
            case "shadow" if field.kind == "one":
                return chance.choice(("go on", "go on", "go on", "keep speed", "plotted speed"))
            case "posture":
                words = [one.value for one in field.choices]
                return chance.choice([[], [], *([one] for one in words)])
            case "move":
                steps = [one.value for one in field.choices]
                return chance.choice(
                    [one for one in ("lay", "port", "exit") if one in steps and chance.random() < 0.5] or steps
                )
            case "target" | "pursue":
                return chance.choice(field.choices).value if field.choices else None
            case "attack" if field.kind == "one":
                return chance.choice(("id0", "id0", "ask", "never"))
            case _:
                return self.any_value(field, line)

    def _lays(self, line: Line) -> bool:
        """Whether the task force of a line has a minelayer; its owner knows its ships."""
        state = self.adjudicator._state
        tf = state.task_forces.get(line.key)
        return tf is not None and any(state.class_of(unit).is_minelayer for unit in state.units_of(tf))

    def _tow(self, line: Line) -> Json:
        """A towing order for ships of the task force; its owner reads their ids on the same sheet."""
        view: Any = self.adjudicator._state
        tf = view.task_forces.get(line.key)
        if tf is None or len(tf.units) < 2 or self.chance.random() < 0.3:
            return None
        tower, towed = self.chance.sample(sorted(tf.units), 2)
        return f"{tower}>{towed}{self.chance.choice(('', '*'))}"


def _eagerness(kind: str, key: str, bold: float) -> float:
    """How often a field is changed."""
    if kind in ("search", "attack") or key == "pursue":
        return 0.75
    if kind == "planning":
        return {"route": bold, "speed": bold, "posture": bold / 3, "tow": bold / 2, "task_force": 0.1}.get(key, 0.04)
    return bold


def _route(grid: Grid, here: HexId, line: Line, chance: Random, lays: bool) -> str:
    """A few steps to and fro, with stays and ports between them; minelayers often lay mines where they are."""
    if lays and chance.random() < 0.5:
        return "lay lay stay"
    steps = ["port"] if "in port" in line.label else []
    for _ in range(chance.randint(1, 4)):
        what = chance.random()
        if what < 0.7:
            here = chance.choice(sorted(grid.neighbours(here)))
            steps.append(here)
        else:
            steps.append("stay" if what < 0.85 else "port")
    return " ".join(steps)
