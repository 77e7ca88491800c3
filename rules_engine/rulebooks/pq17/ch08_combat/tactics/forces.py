"""Task forces as they are placed: how far their units see, and how far from others there is room for them."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import track_order
from rules_engine.core.tactics.conditions import Code
from rules_engine.rulebooks.pq17.ch08_combat.pictures.ranges import ranges_of
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State


class PlacedForce(NamedTuple):
    """A task force as it is placed: its title on the sheet, the codes of its units with how far each sees open and
    cloaked units, and whether it is cloaked itself."""

    title: str
    sees: dict[Code, tuple[int, int]]
    cloaked: bool

    @property
    def codes(self) -> tuple[Code, ...]:
        return tuple(self.sees)

    @property
    def name(self) -> str:
        """Its title within a sentence."""
        return self.title[:1].lower() + self.title[1:]

    def without(self, codes: Iterable[Code]) -> "PlacedForce":
        """The force without some of its units."""
        left = {code: far for code, far in self.sees.items() if code not in {*codes}}
        return self._replace(sees=left)


@rule("8.5.5.3.10", "8.5.5.3.11", "8.5.5.3.12", "T3a", "T3c")
def placed(state: State, battle: Battle, title: str, force: TaskForce) -> PlacedForce:
    """A force as it is placed. Each unit sees as far as Table 3a says on the map: those that are cloaked half as far,
    and all if its fire control is off. Who may be a scout is one.

    PQ-17 8.5.5.3.10-.12, T3a, T3c; rulings DEP-1 to DEP-3, own ruling PQ-200."""
    sees = {
        battle.name_of(unit.id): (
            ranges_of(state, unit, force, cloaks={False})[-1],
            ranges_of(state, unit, force, cloaks={True})[-1],
        )
        for unit in state.separate_units(force)
    }
    return PlacedForce(title, sees, force.posture.cloak)


def by_reach(forces: Iterable[PlacedForce], *, cloaked: bool) -> dict[int, tuple[Code, ...]]:
    """The units of forces by how far they see units that are cloaked, or not; the shortest first."""
    found: dict[int, list[Code]] = {}
    for force in forces:
        for code, far in force.sees.items():
            found.setdefault(far[cloaked], []).append(code)
    return {far: tuple(found[far]) for far in sorted(found)}


def said(codes: Iterable[Code]) -> str:
    """Codes in words: successive ones as ``AT1 to AT3``."""
    runs: list[list[Code]] = []
    for code in sorted(codes, key=track_order):
        letters, number = track_order(code)
        if runs and track_order(runs[-1][-1]) == (letters, number - 1):
            runs[-1].append(code)
        else:
            runs.append([code])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


class RingRoom(NamedTuple):
    """How far apart forces can be, at most, wherever those before them are. Each attacking force stands on a ring
    around the Original Defender, each relieving one on a ring around its target. Hex rings leave two or three forces
    the sum of their widths, at corners that are not next to each other, and up to six the greater of these. Own ruling
    PQ-200.

    ``starts`` are the widths of the attackers' rings, by title; ``targets`` whom each relieving force attacked."""

    starts: dict[str, int]
    targets: tuple[PlacedForce, ...]

    @classmethod
    def around(
        cls, original: Sequence[PlacedForce], attacking: Sequence[PlacedForce], targets: Sequence[PlacedForce]
    ) -> "RingRoom":
        """The room that there is around the Original Defender."""
        starts = {force.title: max(by_reach(original, cloaked=force.cloaked)) for force in attacking}
        return cls(starts, tuple(targets))

    def of_attackers(self, one: PlacedForce, other: PlacedForce) -> int:
        """How far apart two attacking forces can be."""
        widths = self.starts[one.title], self.starts[other.title]
        return sum(widths) if len(self.starts) <= 3 else max(widths) if len(self.starts) <= 6 else 0

    def of_relief(self, target: PlacedForce, force: PlacedForce) -> int:
        """How far a relieving force can be from the Original Defender: beyond its target."""
        return self.starts[target.title] + max(by_reach([target], cloaked=force.cloaked))

    def of_reliefs(self, target: PlacedForce, other_target: PlacedForce, force: PlacedForce) -> int:
        """How far two relieving forces can be from each other: those of one target share half of the ring around it."""
        if target is not other_target:
            return self.of_attackers(target, other_target)
        width = max(by_reach([target], cloaked=force.cloaked))
        return 2 * width // (sum(one is target for one in self.targets) - 1)
