"""Reports as others are told them."""

from rules_engine.core.basics.counted import counted
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.tactical import Tactical

RULES: dict[str, str] = {
    "lost": "VM-N40",
    "destroyed": "VM-N41",
    "disengaged": "VM-N41",
    "left the map": "VM-N41",
    "tractor": "CJD1.55",
    "released": "CJD1.55",
    "weasel launched": "CJD1.51",
    "weasel voided": "CJD1.51",
}
"""The rule under which each kind of report is carried out."""


def say_report(battle: Tactical, report: UnitReport) -> str:
    """What a report says, as a sentence without its full stop."""
    unit = _name(battle, report.unit)
    match report.what:
        case "lost" if report.system == "shield":
            return f"{unit} loses {report.amount} of shield {report.number}"
        case "lost":
            return f"{unit} loses {counted(report.amount, 'point')} of {_SYSTEMS[report.system or 'warp']}"
        case "tractor":
            against = f"{counted(report.power, 'point')} of power against {report.resistance}"
            return f"{unit} holds {_name(battle, report.other)} in a tractor, {against}"
        case "released":
            return _released(battle, report, unit)
        case "weasel launched":
            return f"{unit} has a wild weasel out"
        case "weasel voided":
            return f"{unit}'s wild weasel is void"
        case "destroyed":
            return f"{unit} is destroyed"
        case "disengaged":
            return f"{unit} has disengaged"
        case "left the map":
            return f"{unit} has left the map"


_SYSTEMS = {
    "warp": "warp power",
    "impulse": "impulse power",
    "power": "total power",
    "reserve": "reserve",
    "shield": "shield",
}


def _released(battle: Tactical, report: UnitReport, unit: str) -> str:
    link, tow = battle.link_of(report.unit), battle.tow_of(report.unit)
    if tow is not None and report.unit in tow.towed:
        return f"{unit} is in tow no more"
    if tow is not None and (link is None or report.other in tow.towed):
        return f"{unit} lets go of {' and '.join(_name(battle, one) for one in tow.towed if report.other in ('', one))}"
    other = report.other or ("" if link is None else link.other if link.one == report.unit else link.one)
    return f"{unit} and {_name(battle, other)} are in a tractor no more" if other else f"{unit} is in no tractor"


def _name(battle: Tactical, unit: str) -> str:
    found = battle.units.get(unit)
    return unit if found is None or found.name == unit else f"{unit} {found.name}"
