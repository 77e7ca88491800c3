"""Chapter 3.9: the repairs of D9.4, once all combat of an impulse is over."""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.repairs import damage, in_words, mend
from rules_engine.rulebooks.cutler.records.combat.work import RepairsDue
from rules_engine.rulebooks.cutler.records.economy import RepairPoints
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit


@rule("3.9", "4.3", "2.4.1.6")
def repair_after_combat(turn: CutlerTurn) -> None:
    """Repair as much as the points of D9.4 suffice for that battles' reports give. Until now it was lost, in every
    battle and escape of the hex; what stays lost a base repairs. A derelict repairs nothing without full life support.
    3.9, 4.3, 2.4.1.6, CU-R22, CU-R76, CU-N12"""
    state = turn.state
    due, state.work.repairs = state.work.repairs, {}
    for unit in [one for one in state.alive() if one.id in due and one.life_support == "full"]:
        boxes = boxes_for(unit, due[unit.id], state.repair_points)
        if boxes:
            mend(unit, boxes)
            text = f"{unit.name} in {unit.hex} repairs {in_words(boxes)} after combat."
            turn.tell([unit.race], text, kind="combat", why=because("3.9, CU-N12"))


@rule("3.9")
def boxes_for(unit: Unit, due: RepairsDue, points: RepairPoints) -> dict[str, int]:
    """The boxes that D9.4 repairs of those that a unit lost in this impulse: warp engines first, then impulse engines,
    then cargo boxes. 3.9, CU-R76, CU-N12"""
    left, boxes = due.points, dict[str, int]()
    for kind, hurt in damage(unit).items():
        count = min(hurt, due.boxes.get(kind, 0), left // points.of(kind))
        left -= count * points.of(kind)
        if count:
            boxes[kind] = count
    return boxes
