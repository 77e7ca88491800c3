"""Chapter 4.3: what is damaged, what its repair costs, and repairing it."""

from rules_engine.core.basics.counted import noun
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.state import Unit


def damage(unit: Unit) -> dict[str, int]:
    """Boxes of each kind that it has lost, of those that are known."""
    lost = {
        "warp": unit.record.warp - unit.warp_ok,
        "impulse": unit.record.impulse - unit.impulse_ok,
        "cargo": unit.cargo_lost,
    }
    return {kind: boxes for kind, boxes in lost.items() if boxes}


@rule("4.3")
def cost_of(boxes: dict[str, int], points: RepairPoints) -> int:
    """CPV of one order of work: half a CPV for each point of all its boxes, rounded up. 4.3, CU-R88"""
    return -(-sum(count * points.of(kind) for kind, count in boxes.items()) // 2)


@rule("4.3")
def repaired_for(unit: Unit, points: RepairPoints, cpv: int) -> dict[str, int]:
    """The boxes that so many CPV repair: warp engines first, then impulse engines, then cargo boxes. 4.3, CU-N48"""
    left, boxes = 2 * cpv, dict[str, int]()
    for kind, lost in damage(unit).items():
        count = min(lost, left // points.of(kind))
        left -= count * points.of(kind)
        if count:
            boxes[kind] = count
    return boxes


@rule("4.3", "2.4.1.6")
def mend(unit: Unit, boxes: dict[str, int]) -> None:
    """Repair boxes of a unit; who gets an engine back is no derelict any more. 4.3, 2.4.1.6"""
    unit.warp_ok += boxes.get("warp", 0)
    unit.impulse_ok += boxes.get("impulse", 0)
    unit.cargo_lost -= boxes.get("cargo", 0)
    unit.note_life_support(unit.life_support)


def in_words(boxes: dict[str, int]) -> str:
    """``3 warp and 1 impulse boxes``, ``1 warp box``."""
    if not boxes:
        return "nothing"
    said = " and ".join(f"{count} {kind}" for kind, count in boxes.items())
    return f"{said} {noun(sum(boxes.values()), 'box')}"
