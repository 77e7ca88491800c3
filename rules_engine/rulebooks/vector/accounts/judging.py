"""What may be reported: of units that are there, within what they have."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.rulebooks.vector.accounts.carrying import carry_out_loss, remaining
from rules_engine.rulebooks.vector.accounts.reading import TRACTOR, read_reports
from rules_engine.rulebooks.vector.records.reports import FATES, UnitReport
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.towing import catch_objection, release
from rules_engine.rulebooks.vector.typed.names import BattleNames


def reports_of(battle: Tactical, side: Side, sheet: PlotSheet) -> tuple[list[UnitReport], list[Refusal]]:
    """What a side's sheet reports, and every defect of it. Losses and lettings go are taken from ``battle`` at once: a
    copy."""
    names = BattleNames(battle, side)
    said: list[UnitReport] = []
    refusals: list[Refusal] = []
    for unit, line in sheet.root.items():
        if line.report is None or unit not in battle.units:
            continue
        read, defects = read_reports(names, unit, line.report)
        refusals += defects
        said += read
    found: list[UnitReport] = []
    # what lets go comes before what catches, whichever unit's line it stands in
    for report in sorted(said, key=lambda one: one.what == "tractor"):
        wrong = _defect(battle, side, report, found)
        if wrong is not None:
            refusals.append(wrong)
            continue
        found.append(report)
        if report.what == "lost":
            carry_out_loss(battle, report)
        elif report.what == "released":
            release(battle, report.unit, report.other)
    return [one for one in said if one in found], refusals


def _defect(battle: Tactical, side: Side, report: UnitReport, before: Iterable[UnitReport]) -> Refusal | None:
    """Why a report cannot be so."""
    path = f"{report.by}.report"
    unit = battle.units[report.unit]
    match report.what:
        case "lost":
            left = remaining(unit.figures, report)
            if report.amount > left:
                what = f"shield {report.number}" if report.system == "shield" else report.system
                problem = f"{unit.id} loses {report.amount} of its {what}, and has {left}"
                return malformed(problem, path, legal=f"1 to {left}" if left else "nothing: none is left")
        case "tractor":
            objection = catch_objection(battle, report.unit, report.other)
            return objection.refused(path, battle.turn) if objection is not None else None
        case "released":
            link, tow = battle.link_of(unit.id), battle.tow_of(unit.id)
            if tow is not None and report.other in ("", tow.lead, *tow.followers):
                return None
            if link is None:
                problem = f"{unit.id} is in no tractor"
                return illegal(problem, "CJD1.55", path, legal=TRACTOR)
            held = link.other if link.one == unit.id else link.one
            if report.other not in ("", held):
                problem = f"{unit.id} is in a tractor with {held}"
                return malformed(problem, path, legal=f"released {held}", nearest=(held,))
        case "weasel voided" if not unit.weasel:
            return illegal(f"{unit.id} has no wild weasel out", "CJD1.51", path, legal="weasel launched")
        case "weasel launched" if unit.weasel:
            return illegal(f"{unit.id} has a wild weasel out", "CJD1.51", path, legal="weasel voided")
        case _:
            other = next((one for one in before if one.unit == unit.id and one.what in FATES), None)
            if report.what in FATES and other is not None:
                return malformed(f"{unit.id} was reported {other.what} before", path, legal="one of them")
    return None
