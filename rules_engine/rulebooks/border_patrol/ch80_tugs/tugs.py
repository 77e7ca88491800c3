"""Chapter V8.80: what a tug may carry and tow, and how far it goes then."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.figures import hull_allowance, strategic_cost, whole_hexes
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import end_tow, judge_any_tow, judge_tow, towing_allowance
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit
from rules_engine.rulebooks.border_patrol.tables.towing import pod_factor, relative_size, unit_factor

MOST_IN_TOW = 2
"""Units that a tug tows at most. V8.37"""
WEIGHTS_FOR_LARGER = 3
"""Pod weights of a tug that may tow one unit of the next larger Size Class. V8.84"""


@rule("V8.84", "V8.37")
def tow_limit(tug: Unit) -> int:
    """How many units of its own Size Class or smaller a tug may tow: one less than its pod weights, two at most; 0 of a
    tug that tows as other ships do. V8.84, V8.37, BP-R25"""
    return max(0, min(MOST_IN_TOW, tug.pod_weights - 1))


@rule("V8.84")
def tows_as_ships_do(unit: Unit) -> bool:
    """Whether V8.30 says what a unit may tow: it is no tug, or one of a single pod weight. V8.84, BP-R24"""
    return unit.kind != "tug" or tow_limit(unit) == 0


@rule("V8.82", "V8.83")
def judge_pods(tug: Unit, pods: Sequence[PodCarried], path: str = "") -> list[Refusal]:
    """Refusals of pods on a tug: of too many, of too much weight, on a crippled tug, and beside a tow. V8.82, V8.83"""
    refusals: list[Refusal] = []
    if not pods:
        return []
    if tug.kind != "tug":
        return [illegal(f"{tug.name} is no tug", "V8.83", path, legal="pods on a tug")]
    weight = sum(pod.weight for pod in pods)
    if len(pods) > tug.most_pods:
        text = f"{counted(len(pods), 'pod')} on {tug.name}"
        refusals.append(illegal(text, "V8.83", path, legal=f"at most {tug.most_pods}"))
    if weight > tug.pod_weights:
        text = f"{counted(weight, 'pod weight')} on {tug.name}"
        refusals.append(illegal(text, "V8.83", path, legal=f"at most {tug.pod_weights}"))
    elif pod_factor(weight) is None:
        text = f"the table of towing factors has no row for {counted(weight, 'pod weight')}"
        refusals.append(illegal(text, "T8.850", path, legal="at most 3"))
    if tug.crippled:
        refusals.append(illegal(f"{tug.name} is crippled", "V8.82", path, legal="no pods until it is repaired"))
    if tug.towing:
        refusals.append(illegal(f"{tug.name} has units in tow", "V8.82", path, legal="pods or a tow"))
    return refusals


@rule("V8.82", "V8.84", "V8.36")
def judge_tug_tow(tug: Unit, towed: Sequence[Unit], path: str = "") -> list[Refusal]:
    """Refusals of a tow by a tug. V8.82, V8.84, V8.36, BP-R24, BP-R25"""
    if not towed:
        return []
    refusals = judge_tow(tug, towed, path) if tows_as_ships_do(tug) else judge_any_tow(tug, towed, path)
    if tug.pods:
        refusals.append(illegal(f"{tug.name} carries pods", "V8.82", path, legal="pods or a tow"))
    if tug.crippled:
        refusals.append(illegal(f"{tug.name} is crippled", "V8.82", path, legal="no tow until it is repaired"))
    if tows_as_ships_do(tug):
        return refusals
    if len(towed) > tow_limit(tug):
        text = f"{tug.name} would tow {counted(len(towed), 'unit')}"
        refusals.append(illegal(text, "V8.84, BP-R25", path, legal=f"at most {tow_limit(tug)}"))
    for unit in towed:
        if relative_size(tug.size_class, unit.size_class) == "larger":
            able = tug.pod_weights >= WEIGHTS_FOR_LARGER and unit.size_class == tug.size_class - 1
            if not able or len(towed) > 1:
                text = f"{unit.name} is of Size Class {unit.size_class}, and {tug.name} of {tug.size_class}"
                legal = "one unit alone, one class larger, by a tug of three pod weights"
                refusals.append(illegal(text, "V8.84, BP-R25", path, legal=legal))
    return refusals


@rule("V8.85")
def towing_factor(tug: Unit, towed: Sequence[Unit]) -> Fraction | None:
    """The Strategic Towing Factor of a tug's burden, 0 of none; None where the table has no row for it. V8.85"""
    if towed:
        return unit_factor([relative_size(tug.size_class, unit.size_class) for unit in towed])
    return pod_factor(tug.pod_weight) if tug.pods else Fraction(0)


@rule("V8.85")
def pods_factor(unit: Unit) -> Fraction:
    """The factor by which a tug's pods add to its movement cost; 0 of who carries none. V8.85, BP-R27"""
    return pod_factor(unit.pod_weight) or Fraction(0) if unit.pods else Fraction(0)


@rule("V8.81", "V8.86")
def tug_allowance(tug: Unit, towed: Sequence[Unit], *, emergency: bool = False) -> int:
    """The allowance of a tug with its pods, or with what it has in tow: the burden's tactical cost counts by its
    factor. Of pods that is the tug's own, of units the sum of theirs. An unburdened tug moves as any ship; one with a
    burden that no table has, not at all. V8.81, V8.86, BP-R27"""
    if not (tug.pods or towed):
        return hull_allowance(tug, emergency=emergency)
    if not tug.has_warp:
        return 0
    if towed and tows_as_ships_do(tug):
        return towing_allowance(tug, towed)
    factor = towing_factor(tug, towed)
    if factor is None:
        return 0
    burden = sum((unit.movement_cost for unit in towed), Fraction(0)) if towed else tug.movement_cost
    return whole_hexes(tug.warp_ok, tug.movement_cost + factor * burden, strategic_cost(tug, emergency=False))


@rule("V8.82")
def drop_burden(tug: Unit, units: Mapping[str, Unit]) -> list[str]:
    """Let go what a tug that was crippled carried or had in tow, and say what, by name; nothing of a sound one.
    ``units`` are the campaign's, by id. V8.82, BP-R30"""
    if tug.kind != "tug" or not tug.crippled:
        return []
    towed = [units[key] for key in tug.towing if key in units]
    dropped = [*(pod.name for pod in tug.pods), *(unit.name for unit in towed)]
    for unit in towed:
        end_tow(tug, unit)
    tug.pods.clear()
    return dropped
