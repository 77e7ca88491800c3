"""Pods and modules of bases: a base with its fittings counts as a class of its own, whose boxes include theirs.

So every chapter that looks at a base's class sees the whole base. Such classes are made while a campaign runs and are
filed in the state under the base's own id. PQ-17 1.8.12.2, rulings SCN-34, BAS-17, BAS-18.
"""

from collections.abc import Mapping
from fractions import Fraction

from rules_engine.rulebooks.pq17.classes import ShipClass

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


def fitted_class(base: ShipClass, fittings: Mapping[str, int], classes: Mapping[str, ShipClass], key: str) -> ShipClass:
    """The class of a base with pods and modules, by class and count: its own boxes and value and all of theirs.

    PQ-17 1.8.12.2, C.oob, ruling SCN-34."""
    parts = [(classes[class_id], count) for class_id, count in sorted(fittings.items()) if count]
    if not parts:
        return base
    summed = {name: getattr(base, name) + sum(count * getattr(part, name) for part, count in parts) for name in SUMMED}
    economic = base.bpv_economic + sum((count * part.bpv_economic for part, count in parts), Fraction(0))
    combat = base.bpv_combat + sum((count * part.bpv_combat for part, count in parts), Fraction(0))
    return base.model_copy(
        update={**summed, "class_id": f"{base.class_id}@{key}", "bpv_economic": economic, "bpv_combat": combat}
    )


def say_fittings(fittings: Mapping[str, int], classes: Mapping[str, ShipClass]) -> str:
    """``6 Federation cargo pod, 2 Federation power module``; "none" without any."""
    return ", ".join(f"{count} {classes[one].name}" for one, count in sorted(fittings.items()) if count) or "none"
