"""Chapter 4.2.1: docking bays, what is under way in them, and what becomes of it when its base is lost."""

from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.economy import DockWork, Spent, bay_key
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.yards import BUILDS_FROM_SIZE


@dataclass(frozen=True)
class Dock:
    """A docking bay of a base, with its repair boxes and what is under way there. ``key`` is that of its line."""

    key: str
    base: Unit
    bay: int
    boxes: int
    work: DockWork | None

    @property
    def title(self) -> str:
        """Its base and number, for its owner."""
        return f"{self.base.name}, bay {self.bay}" if len(self.base.record.bays) > 1 else self.base.name


@rule("4.2.1", "4.2.1.1")
def docks_of(state: CutlerState, race: Side) -> dict[str, Dock]:
    """A race's docking bays by the keys of their lines, base after base. 4.2.1, 4.2.1.1, CU-R82"""
    bays = [
        (base, bay, boxes)
        for base in state.alive(race)
        if base.kind == "base"
        for bay, boxes in enumerate(base.record.bays, 1)
    ]
    return {
        f"D{number}": Dock(f"D{number}", base, bay, boxes, state.works.get(bay_key(base.id, bay)))
        for number, (base, bay, boxes) in enumerate(bays, 1)
    }


@rule("4.2.1.2")
def can_build(base: UnitClass, item: UnitClass) -> bool:
    """Whether a base is equipped to construct units of that size. 4.2.1.2, CU-R83"""
    least = BUILDS_FROM_SIZE.get(base.base_type) if base.base_type else None
    return least is not None and item.size_class >= least


@rule("4.2.1", "4.2.1.1", "4.2.1.3")
def channel(turn: CutlerTurn, work: DockWork, cpv: int) -> None:
    """Spend CPV through the repair boxes of a work's bay; when all is paid, the ship is there. It may rest for any time
    before. 4.2.1, 4.2.1.1, 4.2.1.3"""
    state = turn.state
    work.paid += cpv
    base = state.units[work.base]
    if cpv:
        state.spent.append(Spent(base=base.id, race=work.race, item=work.into.name, cpv=cpv))
    if work.paid < work.cost:
        state.works[work.key] = work
        return
    state.works.pop(work.key, None)
    unit = state.commission(work.race, work.named, work.into, base.hex)
    text = f"{unit.title} is completed at {base.name} in {base.hex}."
    state.empires[work.race].alerts.append(f"{unit.name} was completed in {base.hex}")
    turn.tell([work.race], text, kind="economy", why=because("4.2.1"))


@rule("4.2.1.1")
def keep_docks(turn: CutlerTurn) -> None:
    """Lose what is under way at a base that was destroyed or captured. 4.2.1.1, CU-N46"""
    state = turn.state
    for key in sorted(state.works):
        work = state.works[key]
        base = state.units[work.base]
        if base.destroyed or base.race != work.race:
            del state.works[key]
            text = f"With {base.name} in {base.hex} is lost what was in its docking bay: {said(work)}."
            turn.tell([work.race], text, kind="economy", why=because("4.2.1.1, CU-N46"))


def said(work: DockWork) -> str:
    """A work in plain words, for its owner."""
    return f"{work.title}, {work.paid} of {work.cost} CPV"
