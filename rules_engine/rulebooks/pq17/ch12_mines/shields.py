"""Chapter 12.7.6 and 12.7.7: the effect of mine hits on shields, and the damage that goes through.

This is worked out if the ship's class lists its shields; otherwise the owner is given the hits and works it out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch11_repair.boxes import SHIELDS, destroy, destroyed, full_boxes
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State

HIT = 35
"""Points of damage that one successful mine attack does to a shield. PQ-17 12.7.6."""
POWER_TO_RESTORE = 2
"""Power that a ship needs to have its shields back after the attacks. PQ-17 12.7.7."""


@dataclass(frozen=True)
class Hit:
    """One successful mine attack: the unit, and the number of the shield it hit."""

    unit: str
    shield: int


@dataclass
class Suffered:
    """The effect of a step's hits on one unit."""

    unit: str
    volleys: list[int] = field(default_factory=list[int])
    """Internal damage of each hit that went through, each a separate volley."""
    open_hits: list[int] = field(default_factory=list[int])
    """Shields hit, if the campaign cannot work out what went through."""
    held: list[int] = field(default_factory=list[int])
    """Shields that absorbed a hit completely."""

    @property
    def most(self) -> int:
        """The most internals it can have taken."""
        return sum(self.volleys) + HIT * len(self.open_hits)

    @property
    def is_question(self) -> bool:
        """Whether its owner must be asked what was destroyed."""
        return bool(self.volleys or self.open_hits)


@rule("5.2.3.2", "12.7.7")
def power_of(tf: TaskForce, unit: Unit) -> int:
    """Power boxes that work: warp and AWR with warp on, and impulse. PQ-17 5.2.3.2, 12.7.7, own ruling PQ-190."""
    return unit.impulse + (unit.power_boxes if tf.posture.warp else 0)


@rule("12.7.7")
def restores_shields(tf: TaskForce, unit: Unit) -> bool:
    """Whether its shields are whole again after the attacks: a DAMCON rating, and two points of power. 12.7.7."""
    return unit.damcon_rating > 0 and power_of(tf, unit) >= POWER_TO_RESTORE


@rule("12.7.7", "5.4.8")
def knows_shields(state: State, tf: TaskForce, unit: Unit) -> bool:
    """Whether the campaign can work out how strong its shields are: its class lists six, and it is neither cloaked nor
    towed, for which they may have been lowered. PQ-17 12.7.7, 5.4.8; ruling MIN-6."""
    in_tow = any(unit.id in (tow.tower, *tow.towed) for tow in tf.tows)
    return len(state.class_of(unit).shields) == len(SHIELDS) and not tf.posture.cloak and not in_tow


@rule("12.7.7")
def shield_strength(state: State, tf: TaskForce, unit: Unit, number: int) -> int:
    """A shield's boxes as the attacks begin: all of them, except on a ship that cannot restore them. PQ-17 12.7.7."""
    box = SHIELDS[number - 1]
    full = full_boxes(state, unit, box) or 0
    return full if restores_shields(tf, unit) else max(0, full - destroyed(state, unit, box))


@rule("12.7.6", "12.7.7")
def take_hits(state: State, tf: TaskForce, hits: Iterable[Hit]) -> list[Suffered]:
    """The effect of one set of hits, unit by unit in the order of ids. PQ-17 12.7.6, 12.7.7; ruling MIN-5."""
    found: list[Suffered] = []
    by_unit: dict[str, list[int]] = {}
    for hit in hits:
        by_unit[hit.unit] = [*by_unit.get(hit.unit, []), hit.shield]
    for unit_id in sorted(by_unit):
        unit = state.units[unit_id]
        if knows_shields(state, tf, unit):
            found.append(_wear_down(state, tf, unit, by_unit[unit_id]))
        else:
            found.append(Suffered(unit_id, open_hits=by_unit[unit_id]))
    return found


@rule("12.7.6", "12.7.7")
def _wear_down(state: State, tf: TaskForce, unit: Unit, shields: Sequence[int]) -> Suffered:
    """Apply hits in order: each reduces its shield, batteries reinforce once a set, the rest goes through.

    A shield that cannot be restored stays as it is. PQ-17 12.7.6, 12.7.7; ruling MIN-5."""
    suffered = Suffered(unit.id)
    batteries = unit.battery if power_of(tf, unit) > 0 else 0
    left = {number: shield_strength(state, tf, unit, number) for number in shields}
    for number in shields:
        through = max(0, HIT - left[number])
        if not restores_shields(tf, unit):
            destroy(state, unit, SHIELDS[number - 1], HIT - through)
        left[number] -= HIT - through
        spent = min(batteries, through)
        batteries -= spent
        if through > spent:
            suffered.volleys.append(through - spent)
        else:
            suffered.held.append(number)
    return suffered
