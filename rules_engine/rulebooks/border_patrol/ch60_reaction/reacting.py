"""Chapter V8.60: who may lie in wait, and whom such a unit must or may react to."""

from collections.abc import Collection, Sequence
from typing import Literal

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import standing_of
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, Unit

Answer = Literal["must", "may", "no"]

SENSORS_ROLL = 7
"""What 2d6 must show for a unit with damaged sensors or scanners. V8.68, BP-R35"""


@rule("V8.61", "V8.68", "V8.82")
def judge_reaction(
    unit: Unit, path: str = "", *, pinned: bool = False, sensors_roll: int | None = None
) -> list[Refusal]:
    """Refusals of Reactionary Movement at a turn's beginning; ``sensors_roll`` is the roll of 2d6 of a unit whose
    sensors or scanners are damaged. V8.61, V8.68, V8.82, BP-R35, BP-R49"""
    refusals: list[Refusal] = []

    def refuse(text: str, rules: str, legal: str) -> None:
        refusals.append(illegal(f"{unit.name} {text}", rules, path, legal=legal))

    if unit.emergency:
        refuse("uses Emergency Movement", "V8.61", "one or the other")
    if unit.orion != "none":
        refuse("is an Orion pirate", "V8.61", "a unit of another race")
    if pinned:
        refuse("is pinned", "V8.68", "a unit that is not")
    if unit.crippled:
        refuse("is crippled", "V8.68", "an uncrippled unit")
    if not unit.has_warp:
        refuse("does not travel by its own warp engines", "V8.68", "a warp-capable unit")
    if unit.towing or unit.towed_by:
        refuse("tows or is in tow", "V8.68", "no tow")
    if unit.is_burdened and not unit.towing:
        refuse("carries pods", "V8.82", "an unburdened tug")
    if unit.overhaul_at:
        refuse("is being overhauled", "V8.45", "the turn after")
    if unit.sensors_damaged and (sensors_roll is None or sensors_roll < SENSORS_ROLL):
        refuse("has damaged sensors or scanners", "V8.68, BP-R35", f"a roll of 2d6 that shows {SENSORS_ROLL} or more")
    return refusals


@rule("V8.54")
def sees_through_cloaks(unit: Unit) -> bool:
    """Whether a waiting unit reacts to cloaked ones in its Zone of Control: uncrippled, with special sensors. V8.54,
    BP-R44"""
    return unit.reacting and not unit.crippled and unit.special_sensors_ok > 0


@rule("V8.54", "V8.61", "V8.62", "V8.26")
def answer_to(unit: Unit, intruder: Unit, *, in_zone: bool, left_hex: HexId = "", stack: Sequence[Unit] = ()) -> Answer:
    """Whether a waiting unit must, may or may not react to an intruder: to monsters and alien ships it must; to a
    cloaked unit elsewhere it must if it has special sensors, and may beside one that has. Nobody reacts anew to who
    leaves the hex that it reacted into. ``stack`` are those that it stands and moves with. V8.54, V8.61, V8.62, V8.26,
    BP-R17, BP-R44, BP-R46"""
    here = intruder.hex == unit.hex
    if not unit.reacting or unit.target or standing_of(intruder, unit.team) != "unfriendly" or not (in_zone or here):
        return "no"
    if unit.reaction is not None and left_hex in unit.reaction.entered:
        return "no"
    if intruder.cloaked and not here:
        if sees_through_cloaks(unit):
            return "must"
        beside = any(other.hex == unit.hex and sees_through_cloaks(other) for other in stack)
        return "may" if beside else "no"
    return "must" if intruder.kind in NEUTRALS else "may"


@rule("V8.62", "V8.61")
def closing_hexes(grid: Grid, unit_hex: HexId, target_hex: HexId) -> tuple[HexId, ...]:
    """The hexes that a reacting unit may enter next: those on a shortest way to its target; none once it is there.
    V8.62, V8.61, BP-R46"""
    now = grid.distance(unit_hex, target_hex)
    return tuple(one for one in grid.neighbours(unit_hex) if grid.distance(one, target_hex) < now)


@rule("V8.55")
def quarries_of(grid: Grid, hunter: Unit, units: Sequence[Unit], lost: Collection[str] = ()) -> list[Unit]:
    """What a monster or an alien ship may turn to: the nearest units of any Team, cloaked ones only in its own hex, and
    none of those, ``lost``, that went under cloak elsewhere before it, though they show themselves again. V8.55"""
    seen = [
        unit
        for unit in units
        if unit.kind not in NEUTRALS and (unit.hex == hunter.hex or not (unit.cloaked or unit.id in lost))
    ]
    least = min((grid.distance(hunter.hex, unit.hex) for unit in seen), default=0)
    return sorted((one for one in seen if grid.distance(hunter.hex, one.hex) == least), key=lambda unit: unit.id)
