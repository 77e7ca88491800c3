"""Chapter 4.2.4: a sheet's orders for accessories: what is bought, what is moved within a hex, and every defect."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.accessories.catalogue import (
    FACTORY_DRONE,
    LEGENDS,
    PEOPLE,
    Accessory,
    Boxes,
    Lots,
)
from rules_engine.rulebooks.cutler.records.accessories.holds import Reason, add, load_defects, shuttles_aboard, there
from rules_engine.rulebooks.cutler.records.accessories.legends import board, legends_there, transports, why_not_serving
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
from rules_engine.rulebooks.cutler.records.tables import PACKS_A_FIGHTER
from rules_engine.rulebooks.cutler.records.yards import BUILDS_FROM_SIZE

LINES = 20
"""The most orders for accessories on one sheet. CU-N65"""
CARGO, HULL = " cargo", " hull"
"""After a unit's id: its cargo boxes, in which all lies inert, or its hull boxes, in which persons are transported."""
SAID: dict[Boxes, str] = {"own": "", "cargo": "the cargo boxes of ", "hull": "the hull boxes of "}
PACKS = {"ewp": PACKS_A_FIGHTER, "wbp": PACKS_A_FIGHTER}
"""Sets of booster packs that come with a fighter. 4.2.4.7"""
MOST_AT_ONCE = 200
SILENT = AccessoryLine()


@dataclass
class AccessoryPlan:
    """One order. ``unit`` and ``boxes`` say into which boxes; ``base`` makes what is bought, for ``cpv``, and without
    one ``origin`` and ``from_boxes`` say from where it is moved."""

    key: str
    item_key: str
    item: Accessory
    count: int
    unit: Unit
    boxes: Boxes
    base: Unit | None = None
    origin: Unit | None = None
    from_boxes: Boxes = "own"
    turned_in: int = 0
    cpv: int = 0

    @property
    def gains(self) -> dict[str, int]:
        """What is put into those boxes, and taken out of them, by key."""
        if self.base is None:
            return {self.item_key: self.count}
        return with_it(self.item_key, self.item, self.count) | (
            {FACTORY_DRONE: -2 * self.turned_in} if self.turned_in else {}
        )


@dataclass
class AccessoryPlans:
    """All orders of a sheet, and every defect. ``units`` are the units concerned as they will be."""

    plans: list[AccessoryPlan] = field(default_factory=list[AccessoryPlan])
    refusals: list[Refusal] = field(default_factory=list[Refusal])
    units: dict[str, Unit] = field(default_factory=dict[str, Unit])

    def spent_at(self, base: str) -> int:
        """CPV that go through the repair boxes of a base."""
        return sum(plan.cpv for plan in self.plans if plan.base and plan.base.id == base)


Free = Callable[[Unit], int]
"""How many repair boxes of a base are free for accessories."""


# --- what may be bought ----------------------------------------------------------------------------------------------


@rule("4.2.4.1", "4.2.4.1.1", "4.2.4.7")
def with_it(key: str, item: Accessory, count: int) -> dict[str, int]:
    """What one gets for so many: a drone with a reload of the same type, a fighter with three sets of booster packs of
    each kind. 4.2.4.1, 4.2.4.1.1, 4.2.4.7"""
    if item.kind == "drone":
        return {key: 2 * count}
    return {key: count} | ({pack: sets * count for pack, sets in PACKS.items()} if item.kind == "fighter" else {})


@rule("4.2.4", "4.2.4.1", "4.2.4.1.1")
def cost_of_order(item: Accessory, count: int, credit: Fraction) -> int:
    """CPV of one order, less the credit for drones that are turned in, rounded up. 4.2.4, 4.2.4.1, 4.2.4.1.1, CU-N65"""
    return max(0, ceil((item.price or Fraction(0)) * count - credit))


def is_trained(item: Accessory) -> bool:
    """Whether it is people, or a fighter with a pilot who is not as usual."""
    return item.kind in PEOPLE | LEGENDS or item.pilot != "normal"


@rule("4.2.1.2", "4.2.4", "4.2.4.1", "4.2.4.6", "4.2.4.8")
def makes(base: Unit, item: Accessory) -> bool:
    """Whether a base makes it: by size class, but a SWAC a starbase alone, and people, with pilots that are not as
    usual, a starbase or a battle station.

    4.2.1.2, 4.2.4, 4.2.4.1, 4.2.4.6, 4.2.4.8, CU-R83
    """
    if is_trained(item):
        return base.record.base_type in ("SB", "BATS")
    kind = base.record.base_type
    least = BUILDS_FROM_SIZE.get(kind) if kind else None
    return least is not None and item.size_class >= least and (item.kind != "swac" or kind == "SB")


def makers(state: CutlerState, race: Side, item: Accessory, unit: Unit) -> list[Unit]:
    """A race's bases beside a unit that make it."""
    return [base for base in state.units_in(unit.hex, race) if base.kind == "base" and makes(base, item)]


def places_of_units(state: CutlerState, race: Side) -> dict[str, tuple[Unit, Boxes]]:
    """All boxes of a race's units, by the value that names them."""
    found: dict[str, tuple[Unit, Boxes]] = {}
    for unit in state.alive(race):
        found[unit.id] = (unit, "own")
        if unit.record.cargo > unit.cargo_lost:
            found[f"{unit.id}{CARGO}"] = (unit, "cargo")
        if transports(unit):
            found[f"{unit.id}{HULL}"] = (unit, "hull")
    return found


def _lots(unit: Unit, boxes: Boxes) -> Lots:
    return unit.stowed if boxes == "cargo" else unit.holds


@rule("4.2.4.8")
def _why_not_in(item: Accessory, boxes: Boxes, path: str) -> Refusal | None:
    """Why boxes hold no such thing: people are in no cargo boxes, and in hull boxes are officers and pilots alone.
    4.2.4.8"""
    if boxes == "cargo" and item.kind in PEOPLE | LEGENDS:
        text = "boarding parties, crew units, officers and pilots are in no cargo boxes"
        return illegal(text, "4.2.4.8", path, legal="a unit's own boxes")
    if boxes == "hull" and item.kind not in LEGENDS:
        return illegal("only officers and pilots are in hull boxes", "4.2.4.8", path, legal="a unit's own boxes")
    return None


# --- judging ---------------------------------------------------------------------------------------------------------


@rule("4.2.4")
def judge_accessories(
    state: CutlerState, race: Side, orders: Mapping[str, AccessoryLine], free: Free
) -> AccessoryPlans:
    """What a sheet has bought and moved, order after order, and every defect. ``free`` are the repair boxes of a base
    that nothing else takes. 4.2.4, CU-N65"""
    found = AccessoryPlans()
    judge = _Judge(state, race, found, free)
    lines = [f"A{number}" for number in range(1, LINES + 1)]
    text, legal = "there is no such line", f"A1 to A{LINES}"
    found.refusals += [malformed(text, key, legal=legal) for key in orders if key not in lines]
    for key in lines:
        line = orders.get(key, SILENT)
        if not line.is_blank:
            found.refusals += judge.order(key, line)
    return found


class _Judge:
    """Judges order after order upon copies of the units."""

    def __init__(self, state: CutlerState, race: Side, found: AccessoryPlans, free: Free) -> None:
        self.state, self.race, self.found, self.free = state, race, found, free
        self.places = places_of_units(state, race)

    def order(self, key: str, line: AccessoryLine) -> list[Refusal]:
        """One order."""
        item = self.state.accessories.get(line.item or "")
        if item is None or line.item is None:
            near = nearest(line.item or "", self.state.accessories)
            legal = ", ".join(self.state.accessories)
            return [malformed("say which accessory", f"{key}.item", legal=legal, nearest=near)]
        to, refusals = self._place(line.to, f"{key}.to", "say into whose boxes")
        origin = None
        if line.origin is not None:
            origin, more = self._place(line.origin, f"{key}.origin", "say from whose boxes")
            refusals += more
        if refusals or to is None:
            return refusals
        unit, boxes = to
        if refused := _why_not_in(item, boxes, f"{key}.to"):
            return [refused]
        plan = AccessoryPlan(key, line.item, item, line.count or 1, unit, boxes, turned_in=line.turned_in or 0)
        if origin is None:
            refusals = self._buy(plan)
        else:
            plan.origin, plan.from_boxes = origin
            refusals = self._move(plan)
        return refusals or self._load(plan)

    def _place(self, text: str | None, path: str, problem: str) -> tuple[tuple[Unit, Boxes] | None, list[Refusal]]:
        found = self.places.get(text or "")
        if found:
            return found, []
        near = nearest(text or "", self.places)
        return None, [malformed(problem, path, legal="a unit of yours, or its cargo boxes", nearest=near)]

    @rule("4.2.4", "4.2.4.1", "4.2.4.1.1", "4.2.1", "4.2.1.2")
    def _buy(self, plan: AccessoryPlan) -> list[Refusal]:
        """Something that is bought at a base beside the unit. 4.2.4, 4.2.4.1, 4.2.4.1.1, 4.2.1, 4.2.1.2, CU-N65"""
        item, key = plan.item, plan.key
        if item.kind in LEGENDS:
            text = f"{with_article(item.name)} is trained along with a ship or a fighter, or as a refit"
            return [illegal(text, "4.2.4.8", f"{key}.item", legal="a docking bay, or a fighter with an ace")]
        if item.price is None:
            return [illegal(f"{item.name} is not sold by itself", "4.2.4.7", f"{key}.item", legal="a fighter")]
        if item.empire not in ("any", self.race):
            return [illegal(f"{item.name} is of another race", "4.2.4", f"{key}.item")]
        able = makers(self.state, self.race, item, plan.unit)
        if not able:
            text = f"no base of yours in {plan.unit.hex} makes any {item.name}"
            legal = "a unit beside a base that makes it"
            law = "4.2.4.8" if is_trained(item) else "4.2.1.2, 4.2.4, CU-R83"
            return [illegal(text, law, f"{key}.to", legal=legal)]
        factory = self.state.accessories.get(FACTORY_DRONE)
        most = plan.count if item.kind == "drone" and plan.item_key != FACTORY_DRONE and factory else 0
        if plan.turned_in > most:
            text = "a factory drone is turned in for each advanced drone that is bought"
            return [illegal(text, "4.2.4.1.1", f"{key}.turned_in", legal=f"0 to {most}")]
        credit = factory.credit * plan.turned_in if factory else Fraction(0)
        plan.cpv = cost_of_order(item, plan.count, credit)
        plan.base = max(able, key=self._left)
        if plan.cpv > (left := self._left(plan.base)):
            text = f"{plan.base.name} has {left} repair boxes that nothing else uses, and this takes {plan.cpv} CPV"
            legal = f"an order of at most {left} CPV, or less in the docking bays"
            return [illegal(text, "4.2.1, CU-N65", f"{key}.count", legal=legal)]
        return []

    def _left(self, base: Unit) -> int:
        return self.free(base) - self.found.spent_at(base.id)

    @rule("4.2.4", "4.2.4.2.1")
    def _move(self, plan: AccessoryPlan) -> list[Refusal]:
        """Something that is moved from boxes to boxes in one hex. A ship keeps a shuttle. 4.2.4, 4.2.4.2.1, CU-N65"""
        origin, key = self._trial(plan.origin or plan.unit), plan.key
        if origin.hex != plan.unit.hex:
            text = f"{origin.name} is not where {plan.unit.name} is"
            return [illegal(text, "4.1.7, CU-N65", f"{key}.to", legal=f"boxes in {origin.hex}")]
        if (plan.origin, plan.from_boxes) == (plan.unit, plan.boxes):
            return [malformed("these are the same boxes", f"{key}.to", legal="other boxes")]
        if plan.turned_in:
            text = "drones are turned in where others are bought"
            return [illegal(text, "4.2.4.1.1", f"{key}.turned_in", legal="0 or blank")]
        if plan.item.quality not in (None, origin.crew_quality):
            text = f"the crew of {origin.name} is {origin.crew_quality}"
            return [illegal(text, "4.2.4.8", f"{key}.item", legal=f"crew units that are {origin.crew_quality}")]
        if refused := _why_not_in(plan.item, plan.from_boxes, f"{key}.origin"):
            return [refused]
        has = _there(origin, plan)
        if plan.count > has:
            text = f"{has} x {plan.item.name} are there"
            return [illegal(text, "4.2.4", f"{key}.count", legal=f"at most {has}")]
        had = shuttles_aboard(origin)
        _put(self.state, origin, plan, -plan.count, plan.from_boxes)
        if had and not shuttles_aboard(origin) and origin.record.shuttles:
            text = f"{origin.name} must keep a shuttle"
            return [illegal(text, "4.2.4.2.1", f"{key}.count", legal=f"at most {had - 1}")]
        return self._defects(origin, f"{key}.origin")

    def _load(self, plan: AccessoryPlan) -> list[Refusal]:
        """Put it into its boxes."""
        unit = self._trial(plan.unit)
        if plan.item.kind in LEGENDS and plan.boxes == "own":
            reason = why_not_serving(unit, plan.item, plan.count, self.state.accessories)
            if reason:
                return [illegal(reason[0], reason[1], f"{plan.key}.to", legal=reason[2])]
        lot = _lots(unit, plan.boxes).get(FACTORY_DRONE)
        old = lot.count // 2 if lot else 0
        if plan.turned_in > old:
            text = f"{old} factory drones with their reloads are there"
            return [illegal(text, "4.2.4.1.1", f"{plan.key}.turned_in", legal=f"0 to {old}")]
        load_unit(self.state, plan, unit)
        self.found.plans.append(plan)
        return self._defects(unit, f"{plan.key}.to")

    def _trial(self, unit: Unit) -> Unit:
        if unit.id not in self.found.units:
            self.found.units[unit.id] = unit.changed(
                holds=dict(unit.holds), stowed=dict(unit.stowed), passengers=dict(unit.passengers)
            )
        return self.found.units[unit.id]

    def _defects(self, unit: Unit, path: str) -> list[Refusal]:
        return [illegal(text, law, path, legal=legal) for text, law, legal in self._new_defects(unit)]

    def _new_defects(self, unit: Unit) -> Sequence[Reason]:
        before = load_defects(self.state.units[unit.id])
        return [reason for reason in load_defects(unit) if reason not in before]


@rule("4.2.4.1.2", "4.1.5")
def judge_room(found: AccessoryPlans, loads: dict[str, int]) -> list[Refusal]:
    """Cargo boxes that would hold more than they can, with the CPV that they keep. 4.2.4.1.2, 4.1.5, CU-N65"""
    refusals: list[Refusal] = []
    for plan in found.plans:
        unit = found.units[plan.unit.id]
        kept = loads.get(unit.id, unit.cargo_cpv)
        if plan.boxes == "cargo" and unit.cargo_boxes < kept:
            text = f"{unit.name} has no cargo box free for it: {kept} hold CPV"
            refusals.append(illegal(text, "4.2.4.1.2, 4.1.5", f"{plan.key}.to", legal="fewer, or other boxes"))
    return refusals


# --- carrying out ----------------------------------------------------------------------------------------------------


def load(state: CutlerState, plan: AccessoryPlan) -> None:
    """Carry out one order."""
    if plan.origin is not None:
        _put(state, plan.origin, plan, -plan.count, plan.from_boxes)
    load_unit(state, plan, plan.unit)


def load_unit(state: CutlerState, plan: AccessoryPlan, unit: Unit) -> None:
    """Put what one order brings into a unit, or a copy of it."""
    if plan.item.kind in LEGENDS:
        _put(state, unit, plan, plan.count, plan.boxes)
        return
    for key, count in plan.gains.items():
        add(unit, key, state.accessories.get(key, plan.item), count, boxes=plan.boxes)


def _put(state: CutlerState, unit: Unit, plan: AccessoryPlan, count: int, boxes: Boxes) -> None:
    if plan.item.kind in LEGENDS:
        board(unit, plan.item_key, plan.item, count, boxes=boxes, items=state.accessories)
    else:
        add(unit, plan.item_key, plan.item, count, boxes=boxes)


def _there(unit: Unit, plan: AccessoryPlan) -> int:
    if plan.item.kind in LEGENDS:
        return legends_there(unit, plan.item_key, plan.item, plan.from_boxes)
    return there(unit, plan.item_key, plan.item, boxes=plan.from_boxes)


def say_order(plan: AccessoryPlan) -> str:
    """One order in plain words."""
    what = f"{plan.count} CPV of mines" if plan.item.kind == "mines" else f"{plan.count} x {plan.item.name}"
    where = f"{SAID[plan.boxes]}{plan.unit.name} in {plan.unit.hex}"
    if plan.base is None:
        origin = plan.origin or plan.unit
        return f"{what} from {SAID[plan.from_boxes]}{origin.name} into {where}"
    reload = " with as many reloads" if plan.item.kind == "drone" else ""
    packs = " with 3 EWP and 3 WBP sets each" if plan.item.kind == "fighter" else ""
    back = f", {plan.turned_in} factory drones turned in" if plan.turned_in else ""
    return f"{what}{reload}{packs} for {plan.cpv} CPV from {plan.base.name} into {where}{back}"
