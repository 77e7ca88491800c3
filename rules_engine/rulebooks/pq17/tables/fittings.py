"""Pods and modules of bases: a base with its fittings has a class of its own, whose boxes include theirs.

Every chapter that looks at a base's class thus sees the whole base. Such classes are made during a campaign and are
filed in the state under the base's own id. PQ-17 1.8.12.2, rulings SCN-34, BAS-17, BAS-18.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.tables.operations import docking_positions
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass

SUMMED = (
    "warp",
    "awr",
    "impulse",
    "battery",
    "special_sensors",
    "cargo",
    "repair",
    "mine_capacity",
    "shuttles",
    "fighters",
    "crew_units",
    "boarding_parties",
    "hull",
)
"""Boxes and crews that a fitting adds to its base."""


@rule("1.8.12.2")
def fitted_class(base: ShipClass, fittings: Mapping[str, int], classes: Mapping[str, ShipClass], key: str) -> ShipClass:
    """The class of a base with pods and modules, given by class and count: the sum of its own and their boxes and
    value.

    PQ-17 1.8.12.2, C.oob, ruling SCN-34."""
    parts = [(classes[class_id], count) for class_id, count in sorted(fittings.items()) if count]
    if not parts:
        return base
    summed = {name: getattr(base, name) + sum(count * getattr(part, name) for part, count in parts) for name in SUMMED}
    economic = base.bpv_economic + sum((count * part.bpv_economic for part, count in parts), Fraction(0))
    combat = base.bpv_combat + sum((count * part.bpv_combat for part, count in parts), Fraction(0))
    layout = _repair_layout(base, parts)
    return base.model_copy(
        update={
            **summed,
            **layout,
            "class_id": f"{base.class_id}@{key}",
            "bpv_economic": economic,
            "bpv_combat": combat,
        }
    )


@rule("11.4.9.2.1", "11.4.9.2.2")
def _repair_layout(base: ShipClass, parts: Sequence[tuple[ShipClass, int]]) -> dict[str, tuple[int, ...]]:
    """The positions of the repair boxes of a base with fittings: its own and those of pods by docking position, one pod
    after the other; those of modules between two positions each. PQ-17 11.4.9.2.1, 11.4.9.2.2, ruling REP-2."""
    added = [part for part, count in parts for _ in range(count) if part.repair]
    if not added:
        return {}
    places = docking_positions(base.base_type)
    own = base.repair - sum(base.repair_modules)
    pods = list(base.repair_pods) or [len(range(n, own, places)) for n in range(places)]
    pods += [0] * (places - len(pods))
    for number, part in enumerate(one for one in added if one.unit_kind == "pod"):
        pods[number % places] += part.repair
    modules = [*base.repair_modules, *(part.repair for part in added if part.unit_kind != "pod")]
    return {"repair_pods": tuple(pods), "repair_modules": tuple(modules)}


def fitted_types(fittings: Mapping[str, int], classes: Mapping[str, ShipClass]) -> list[str]:
    """What everybody may know of a known base's pods and modules: how many of each printed name. Ruling BAS-10."""
    counts: dict[str, int] = {}
    for class_id, count in fittings.items():
        name = classes[class_id].msc_table
        counts[name] = counts.get(name, 0) + count
    return [f"{counts[name]} {name}" for name in sorted(counts) if counts[name]]


def say_fittings(fittings: Mapping[str, int], classes: Mapping[str, ShipClass]) -> str:
    """``6 Federation cargo pod, 2 Federation power module``; "none" without any."""
    return ", ".join(f"{count} {classes[one].name}" for one, count in sorted(fittings.items()) if count) or "none"
