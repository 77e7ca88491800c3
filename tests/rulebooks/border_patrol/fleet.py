"""Units for tests, named by their class: a cruiser has 30 boxes at a cost of 1, a destroyer 15 at 1/2."""

from fractions import Fraction
from typing import Any

from rules_engine.rulebooks.border_patrol.records.standing import Cloak, Reaction
from rules_engine.rulebooks.border_patrol.records.units import Unit

FIGURES: dict[str, dict[str, Any]] = {
    "DN": {"size_class": 2, "movement_cost": Fraction(3, 2), "boxes": 45, "dcr": 6},
    "CA": {"size_class": 3, "movement_cost": Fraction(1), "boxes": 30, "dcr": 4},
    "DD": {"size_class": 4, "movement_cost": Fraction(1, 2), "boxes": 15, "dcr": 2},
    "FF": {"size_class": 4, "movement_cost": Fraction(1, 3), "boxes": 12, "dcr": 2},
    "TUG": {"size_class": 3, "movement_cost": Fraction(1), "boxes": 30, "dcr": 4, "kind": "tug"},
    "BATS": {"size_class": 2, "movement_cost": Fraction(0), "boxes": 0, "dcr": 8, "kind": "base"},
    "MONSTER": {"size_class": 2, "movement_cost": Fraction(0), "boxes": 0, "dcr": 0, "kind": "monster"},
}


def ship(ship_class: str = "CA", **given: Any) -> Unit:
    """A unit of the blue Team in 0505, with what is given otherwise; ``boxes`` and ``dcr`` are of the undamaged. What
    :func:`lasting` takes is given as that says."""
    figures = FIGURES[ship_class] | given
    figures |= lasting(figures, figures.get("hex", "0505"))
    boxes, dcr = figures.pop("boxes"), figures.pop("dcr")
    base: dict[str, Any] = {
        "id": f"{figures.get('team', 'blue')}-{ship_class}",
        "team": "" if ship_class == "MONSTER" else "blue",
        "name": ship_class.title(),
        "ship_class": ship_class,
        "hex": "0505",
        "warp_original": boxes,
        "warp_ok": boxes,
        "dcr_original": dcr,
        "dcr": dcr,
        "tractors_original": 3,
        "tractors_ok": 3,
        "special_sensors_original": figures.get("special_sensors_ok", 0),
        "pod_weights": 3 if ship_class == "TUG" else 0,
        "most_pods": 2 if ship_class == "TUG" else 0,
    }
    return Unit.from_json(base | figures)


def lasting(given: dict[str, Any], hex_id: str) -> dict[str, Any]:
    """Take a cloak (``cloaks``, ``cloaked``, ``shown``) and a reaction (``reacting``, ``target``, ``accrued``,
    ``reacted_into``) out of what is given of a unit, and make records of them."""
    cloaks, cloaked, shown = given.pop("cloaks", None), given.pop("cloaked", None), given.pop("shown", "")
    keys = {"target": "target", "accrued": "held", "reacted_into": "entered"}
    held = {field: given.pop(key) for key, field in keys.items() if key in given}
    if "entered" in held:
        held["entered"] = (held["entered"],)
    made: dict[str, Any] = {}
    if cloaks or cloaked:
        worn = bool(cloaked) if cloaked is not None else not cloaks
        made["cloak"] = Cloak(order="all turn", worn=worn, shown=shown)
    if given.pop("reacting", False):
        made["reaction"] = Reaction(station=hex_id, **held)
    return made


def ships(*classes: str, **given: Any) -> list[Unit]:
    """Several, each with a number at the end of its id."""
    made = [ship(one, **given) for one in classes]
    for number, unit in enumerate(made, 1):
        unit.id = f"{unit.id}-{number}"
    return made


def rules(refusals: Any) -> list[str]:
    """The first rule that each refusal names; each says what is wrong, where, and what would be right."""
    assert all(one.kind == "illegal" and one.problem and one.legal and one.path == "plot" for one in refusals)
    return [one.rule.split(",")[0] for one in refusals]
