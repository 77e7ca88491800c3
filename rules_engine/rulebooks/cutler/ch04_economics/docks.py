"""Chapters 4.2.1 and 4.2.3: docking bays, what is under way in them, and what becomes of it when its base is lost."""

from dataclasses import dataclass

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import send_to_post
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Boxes, CrewQuality
from rules_engine.rulebooks.cutler.records.accessories.holds import refitted
from rules_engine.rulebooks.cutler.records.accessories.legends import board, why_not_serving
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


@rule("4.1.2", "4.2.1", "4.2.1.1", "4.2.1.3", "4.2.3", "4.2.4.8")
def channel(turn: CutlerTurn, work: DockWork, cpv: int) -> Unit | None:
    """Spend CPV through the repair boxes of a work's bay; when all is paid, the new or changed ship is there, and is
    returned. It may rest for any time before. 4.1.2, 4.2.1, 4.2.1.1, 4.2.1.3, 4.2.3, 4.2.4.8"""
    state = turn.state
    work.paid += cpv
    base = state.units[work.base]
    if cpv:
        item = (
            f"{with_article(work.crew)} crew for {with_article(state.units[work.ship].record.name)}"
            if work.crew
            else f"{with_article(work.person)} for {with_article(state.units[work.ship].record.name)}"
            if work.trains
            else f"the refit of {with_article(state.units[work.ship].record.name)} into {with_article(work.into.name)}"
            if work.ship
            else f"{with_article(work.into.name)}{work.people}"
        )
        state.spent.append(Spent(base=base.id, race=work.race, item=item, cpv=cpv))
    if work.paid < work.cost:
        state.works[work.key] = work
        return None
    state.works.pop(work.key, None)
    if work.ship and work.crew:
        unit = state.units[work.ship]
        new_crew(unit, work.crew)
        text = f"{unit.name} gets a new crew at {base.name} in {base.hex}: {work.crew}."
    elif work.ship and work.trains:
        unit, item = state.units[work.ship], state.accessories[work.trains]
        boxes: Boxes = "hull" if why_not_serving(unit, item, 1, state.accessories) else "own"
        board(unit, work.trains, item, 1, boxes=boxes, items=state.accessories)
        text = f"{_first_upper(with_article(work.person))} is trained for {unit.name} at {base.name} in {base.hex}."
    elif work.ship:
        unit = state.units[work.ship]
        lost = _refit(unit, work.into)
        text = f"{unit.name} is made into {with_article(unit.record.name)} at {base.name} in {base.hex}."
        text += f" {lost} CPV that no longer have a cargo box are lost." if lost else ""
    else:
        unit = state.commission(work.race, work.named, work.into, base.hex)
        unit.crew_quality, unit.officers = work.manned, work.officers
        send_to_post(state, unit, work.post)
        text = f"{unit.title}{work.people} is completed at {base.name} in {base.hex}."
        state.empires[work.race].alerts.append(f"{unit.name} was completed in {base.hex}")
    turn.tell([work.race], text, kind="economy", why=because("4.2.3" if work.ship else "4.2.1"))
    return unit


def _first_upper(text: str) -> str:
    return text[:1].upper() + text[1:]


@rule("4.2.4.8", "7.3")
def new_crew(unit: Unit, quality: CrewQuality) -> None:
    """Give a unit a whole new crew. 4.2.4.8, 7.3"""
    unit.crew_quality, unit.penalties_doubled = quality, False
    unit.crew_units = max(unit.crew_units, unit.record.crew_units)


@rule("4.2.3", "4.2.4.8", "5.1", "5.1.2")
def _refit(unit: Unit, into: UnitClass) -> int:
    """Make an undamaged unit into one of another class; the CPV that are lost with boxes it has no more.

    Boarding parties for whom the class has no room leave it. A prize that becomes a hybrid is none any more, so that it
    may fire its weapons. 4.2.3, 4.2.4.8, 5.1, 5.1.2
    """
    unit.captured_from = "" if into.hybrid else unit.captured_from
    if unit.cloaked and not into.cloak:
        unit.drop_cloak()
    before, unit.record = unit.record, into
    refitted(unit, before)
    unit.warp_ok, unit.impulse_ok, unit.special_sensors_ok = into.warp, into.impulse, into.special_sensors
    kept = min(unit.cargo_cpv, unit.cargo_boxes)
    lost, unit.cargo_cpv = unit.cargo_cpv - kept, kept
    return lost


@rule("4.2.1.1", "4.2.3")
def keep_docks(turn: CutlerTurn) -> None:
    """Lose what is under way at a base that was destroyed or captured, or on the docking module of a starbase that was,
    and the refit of a ship that left its dock.

    4.2.1.1, 4.2.3, CU-N46, CU-N47, CU-N64
    """
    state = turn.state
    for key in sorted(state.works):
        work = state.works[key]
        base, ship = state.units[work.base], state.units.get(work.ship)
        if base.destroyed or base.race != work.race:
            text = f"With {base.name} in {base.hex} is lost what was in its docking bay: {said(work)}."
        elif base.module_lost:
            text = f"With the docking module of {base.name} in {base.hex} is lost what was in its bay: {said(work)}."
        elif work.bay > len(base.record.bays):
            text = f"{base.name} in {base.hex} has no such docking bay any more; lost: {said(work)}."
        elif ship and has_left(ship, base):
            text = f"{work.named} is no longer docked at {base.name} in {base.hex}; lost: {said(work)}."
        else:
            continue
        del state.works[key]
        turn.tell([work.race], text, kind="economy", why=because("4.2.3" if work.ship else "4.2.1.1, CU-N46"))
    for unit in state.units.values():
        unit.sailed = unit.module_lost = False


@rule("4.2.3")
def has_left(ship: Unit, base: Unit) -> bool:
    """Whether a ship is no longer docked at a base: it moved, fled, pursued, flanked, disengaged, or was lost.

    4.2.3, CU-N47
    """
    gone = ship.destroyed or ship.race != base.race or ship.hex != base.hex
    return gone or ship.sailed or bool(ship.escaped_from or ship.disengaged_from)


def said(work: DockWork) -> str:
    """A work in plain words, for its owner."""
    return f"{work.title}, {work.paid} of {work.cost} CPV"
