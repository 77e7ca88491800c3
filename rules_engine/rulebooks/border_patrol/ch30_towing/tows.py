"""Chapter V8.30: who may tow whom, and how far they go together."""

from collections.abc import Sequence

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import strategic_cost, whole_hexes
from rules_engine.rulebooks.border_patrol.records.units import Unit, UnitKind
from rules_engine.rulebooks.border_patrol.tables.towing import relative_size

NEVER_TOW: tuple[UnitKind, ...] = ("freighter", "armed freighter", "Q-ship")
"""Kinds that never tow. V8.38, BP-R21"""


@rule("V8.31")
def take_in_tow(tower: Unit, towed: Unit) -> None:
    """Begin a judged tow. V8.31"""
    tower.towing.append(towed.id)
    towed.towed_by = towed.towed_by or tower.id


@rule("V8.31", "V8.82")
def end_tow(tower: Unit, towed: Unit) -> None:
    """End a tow, if it is one; nothing else ends any. V8.31, V8.82"""
    if towed.id in tower.towing:
        tower.towing.remove(towed.id)
    if towed.towed_by == tower.id:
        towed.towed_by = ""


def end_tows(units: Sequence[Unit]) -> None:
    """End all tows among some units."""
    for tower in units:
        for towed in units:
            end_tow(tower, towed)


@rule("V8.32")
def towing_allowance(tower: Unit, towed: Sequence[Unit]) -> int:
    """The allowance of a unit that is no tug, with what it has in tow: the boxes and the strategic cost are the
    tower's, and the tactical costs are added up. V8.32, BP-R19"""
    if not tower.has_warp:
        return 0
    together = tower.movement_cost + sum(unit.movement_cost for unit in towed)
    return whole_hexes(tower.warp_ok, together, strategic_cost(tower, emergency=False))


@rule("V8.31", "V8.33", "V8.34", "V8.38", "V8.53", "V8.86")
def judge_any_tow(tower: Unit, towed: Sequence[Unit], path: str = "") -> list[Refusal]:
    """Refusals of a tow, whoever tows: without engines or tractor beams for each, by a freighter, cloaked, with
    Emergency Movement, from another hex, in chains, or of what cannot be moved. V8.31, V8.33, V8.34, V8.38, V8.53,
    V8.86, BP-R18, BP-R21"""
    refusals: list[Refusal] = []

    def refuse(text: str, rules: str, legal: str) -> None:
        refusals.append(illegal(text, rules, path, legal=legal))

    if not towed:
        return []
    if not tower.has_warp:
        refuse(f"{tower.name} does not travel by its own warp engines", "V8.31", "a tower with working warp engines")
    if tower.kind in NEVER_TOW:
        refuse(f"{tower.name} is a {tower.kind}", "V8.38", "a tower that is no freighter, armed freighter or Q-ship")
    if len(towed) > tower.tractors_ok:
        beams = counted(tower.tractors_ok, "working tractor beam")
        refuse(f"{tower.name} has {beams}, and would tow {len(towed)}", "V8.31, BP-R18", "a beam for each unit in tow")
    if tower.emergency:
        refuse(f"{tower.name} uses Emergency Movement", "V8.33", "a tow without Emergency Movement")
    if tower.cloaked or tower.cloaks:
        refuse(f"{tower.name} moves cloaked", "V8.53", "a tow without a cloak")
    if tower.towed_by:
        refuse(f"{tower.name} is in tow itself", "V8.86", "a tower that nobody tows")
    for unit in towed:
        if unit.id == tower.id:
            refuse(f"{tower.name} cannot tow itself", "V8.31", "another unit")
            continue
        if unit.team != tower.team:
            # what else is wrong with it is not for its tower to know
            refuse("a unit of another Team would be in tow", "V8.31, BP-N12", "units of the tower's own Team")
            continue
        if unit.hex != tower.hex:
            refuse(f"{unit.name} is not in {tower.hex}, where {tower.name} is", "V8.34", "a unit in the tower's hex")
        if unit.towing:
            refuse(f"{unit.name} tows another", "V8.86", "nobody in tow who tows")
        if unit.towed_by not in ("", tower.id):
            refuse(f"{unit.name} is in tow already", "V8.31", "one tower for each unit")
        if unit.is_burdened and not unit.towing:
            refuse(f"{unit.name} is a tug with pods", "V8.82", "a tug in tow without pods")
        if unit.movement_cost == 0:
            refuse(f"{unit.name} has no movement cost, so no speed is known for it in tow", "V8.32", "a unit with one")
    if len({unit.id for unit in towed}) < len(towed):
        refuse("a unit is named twice", "V8.31", "each unit once")
    return refusals


@rule("V8.37", "V8.39")
def judge_tow(tower: Unit, towed: Sequence[Unit], path: str = "") -> list[Refusal]:
    """Refusals of a tow by a unit that is no tug, or by a tug of one pod weight: also of more than one, and of a larger
    Size Class. V8.37, V8.39, BP-R20, BP-R24"""
    refusals = judge_any_tow(tower, towed, path)
    if len(towed) > 1:
        text = f"{tower.name} would tow {counted(len(towed), 'unit')}"
        refusals.append(illegal(text, "V8.37", path, legal="one; a tug may tow two"))
    for unit in towed:
        if relative_size(tower.size_class, unit.size_class) == "larger":
            text = f"{unit.name} is of Size Class {unit.size_class}, and {tower.name} of {tower.size_class}"
            legal = f"Size Class {tower.size_class} or a higher number"
            refusals.append(illegal(text, "V8.39, BP-R20", path, legal=legal))
    return refusals
