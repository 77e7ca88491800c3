"""Routes of stacks: hexes in order, ``to 0405``, and ``P4`` before those that are entered in phase 4."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.routes import walked, words_in
from rules_engine.core.grids.hexes import Grid, NoWay, UnknownHex
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import entitled, judge_hexes, phases_of
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.tables.movement import PHASES

MOST_LEGS = 60
_MARK = re.compile(r"(?:P|PHASE)(\d+):?", re.IGNORECASE)


@dataclass
class StackWalk:
    """Where a route has led so far, while it is read. ``here`` is at first the hex in which the stack stands; a route
    that begins by naming it is read without it. BP-R64"""

    grid: Grid
    here: HexId
    path: str
    phase: int = 0
    steps: list[str] = field(default_factory=list[str])
    legs: list[RouteLeg] = field(default_factory=list[RouteLeg])
    defect: Refusal | None = None

    def take(self, word: str) -> bool:
        """Go on to a hex beside the last one, or note the phase of what follows."""
        mark = _MARK.fullmatch(word)
        if mark is not None:
            return self._mark(int(mark[1]))
        goal = self._hex(word)
        if goal is None:
            return False
        if goal == self.here and not self.legs:
            return True
        if self.grid.distance(self.here, goal) != 1:
            between = () if goal == self.here else (" ".join(self.grid.line(self.here, goal)[1:]),)
            text = f"{goal} is not beside {self.here}"
            legal = f"one of {' '.join(self.grid.neighbours(self.here))}, or to {goal}"
            self.defect = illegal(text, "V8.11", self.path, legal=legal, nearest=between)
            return False
        self._step(goal)
        return True

    def go_to(self, word: str) -> bool:
        """Go to a hex by a shortest way."""
        goal = self._hex(word)
        if goal is None:
            return False
        try:
            way = self.grid.line(self.here, goal)
        except NoWay as error:
            self.defect = malformed(str(error), self.path)
            return False
        for one in way[1:]:
            self._step(one)
        return True

    def again(self, loop: Sequence[str]) -> Refusal | None:
        """A route ends with its turn; nothing is repeated."""
        legal = "hexes in order, for this turn"
        return malformed(f"a route of {counted(len(loop), 'hex')} cannot be repeated here", self.path, legal=legal)

    def _step(self, goal: HexId) -> None:
        self.here = goal
        self.steps.append(goal)
        self.legs.append(RouteLeg(hex=goal, phase=self.phase))

    def _mark(self, phase: int) -> bool:
        if phase not in PHASES or phase <= self.phase:
            text = f"there is no phase {phase}" if phase not in PHASES else f"phase {phase} is not after {self.phase}"
            self.defect = malformed(text, self.path, legal=f"P{self.phase + 1} to P{PHASES[-1]}")
            return False
        self.phase = phase
        return True

    def _hex(self, word: str) -> HexId | None:
        try:
            return self.grid.parse(word)
        except UnknownHex as error:
            self.defect = malformed(str(error), self.path, legal="a hex of the map", nearest=error.nearest)
            return None


def read_legs(grid: Grid, here: HexId, text: str, path: str) -> tuple[list[RouteLeg], list[Refusal]]:
    """The legs of a written route that begins in a hex, and its defects."""
    walk = StackWalk(grid, here, path)
    read = walked(words_in(text, {}), walk, path, most=MOST_LEGS)
    return ([], read.refusals) if read.refusals else (walk.legs if read.steps else [], [])


def write_legs(legs: Sequence[RouteLeg]) -> str:
    """The reverse of reading a route."""
    words: list[str] = []
    phase = 0
    for leg in legs:
        if leg.phase != phase:
            words.append(f"P{leg.phase}")
            phase = leg.phase
        words.append(leg.hex)
    return " ".join(words)


def within_allowance(legs: Sequence[RouteLeg], allowance: int) -> list[RouteLeg]:
    """As much of a way as a turn's points reach, without its phases."""
    return [leg.with_values(phase=0) for leg in legs[:allowance]]


@rule("V8.12", "V8.92", "V8.93", "V8.94")
def judge_legs(key: str, lead: Unit, legs: Sequence[RouteLeg], allowance: int, path: str) -> list[Refusal]:
    """Refusals of a stack's way: of more hexes than it has points, and of phases in which it has none, or fewer. V8.12,
    V8.92, V8.93, V8.94"""
    refusals: list[Refusal] = []
    marked: dict[int, int] = {}
    for leg in legs:
        marked[leg.phase] = marked.get(leg.phase, 0) + 1
    for phase, count in sorted(marked.items()):
        if phase:
            trial = lead.changed(name=key, allowed_in={phase: allowance}, moved_in={phase: 0})
            near = _nearest_phase(allowance, phase)
            refusals += [one.with_values(nearest=near) for one in judge_hexes(trial, phase, count, path)]
    if len(legs) > allowance:
        text = f"{key} would enter {counted(len(legs), 'hex')} in this turn"
        near = (write_legs(within_allowance(legs, allowance)),) if allowance else ()
        legal = f"{allowance}: its allowance" if allowance else "none: it does not move"
        return [*refusals, illegal(text, "V8.12, V8.93", path, legal=legal, nearest=near)]
    first = min(filter(None, marked), default=None)
    if refusals or first is None:
        return refusals
    before = sum(entitled(allowance, phase) for phase in PHASES if phase < first)
    if marked.get(0, 0) > before:
        text = f"{key} would enter {counted(marked[0], 'hex')} before phase {first}"
        refusals.append(illegal(text, "V8.93, V8.94", path, legal=f"{before} there"))
    return refusals


def _nearest_phase(allowance: int, phase: int) -> tuple[str, ...]:
    """The phase with a point that is nearest to one without any."""
    with_points = phases_of(allowance)
    if not with_points or phase in with_points:
        return ()
    return (f"P{min(with_points, key=lambda one: (abs(one - phase), one))}",)
