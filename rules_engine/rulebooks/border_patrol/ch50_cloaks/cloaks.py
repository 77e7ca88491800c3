"""Chapter V8.50: who may move cloaked, how far, and what it eases."""

from collections.abc import Sequence
from fractions import Fraction

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import strategic_cost, whole_hexes
from rules_engine.rulebooks.border_patrol.records.units import Unit

NO_BURDEN = Fraction(0)


@rule("V8.51", "V8.86")
def cloaked_allowance(unit: Unit, *, emergency: bool = False, burden: Fraction = NO_BURDEN) -> int:
    """The allowance of a unit that is under cloak in any phase of the turn: the cloak's cost comes off its boxes first.
    ``burden`` is the factor by which what it carries adds to its movement cost. V8.51, V8.86, BP-R41, BP-R42, BP-R61"""
    if not unit.has_warp:
        return 0
    boxes = unit.warp_ok - unit.cloak_cost
    return whole_hexes(boxes, unit.movement_cost * (1 + burden), strategic_cost(unit, emergency=emergency))


@rule("V8.53", "V8.57")
def judge_cloak(unit: Unit, path: str = "") -> list[Refusal]:
    """Refusals of a unit's strategic cloaked movement: without a device, crippled, or with others in tow. V8.53, V8.57,
    BP-R45"""
    refusals: list[Refusal] = []
    if not unit.cloak_cost:
        refusals.append(illegal(f"{unit.name} has no cloaking device", "V8.51", path, legal="a unit with one"))
    if unit.crippled:
        text = f"{unit.name} is crippled, and cannot move cloaked"
        refusals.append(illegal(text, "V8.57", path, legal="an uncrippled unit"))
    if unit.towing:
        text = f"{unit.name} has others in tow, and cannot do that cloaked"
        refusals.append(illegal(text, "V8.53", path, legal="a cloak without a tow, or a tow without a cloak"))
    return refusals


@rule("V8.58")
def judge_cloaked_stack(stack: Sequence[Unit], path: str = "") -> list[Refusal]:
    """Refusals of a stack that would move cloaked: everybody in it must be able to. V8.58, BP-R45"""
    return [
        illegal(
            f"{one.problem}: nobody who moves with it is hidden", f"V8.58, {one.rule}", path, legal="leave it behind"
        )
        for unit in stack
        for one in judge_cloak(unit)
    ]


@rule("V8.52")
def all_cloaked(leaving: Sequence[Unit]) -> bool:
    """Whether a force that leaves a hex is wholly under cloak. V8.52"""
    return bool(leaving) and all(unit.cloaked for unit in leaving)


@rule("V8.52", "V8.23")
def left_behind_at_least(enemy_strength: int, *, cloaked: bool) -> int:
    """The strength that must stay when others leave: the enemy's, or half of it, rounded up, when all who leave are
    cloaked. V8.52, V8.23, BP-R43"""
    return -(-enemy_strength // 2) if cloaked else enemy_strength
