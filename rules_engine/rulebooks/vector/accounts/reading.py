"""Reports in words: ``lost 6 warp; tractor R1 6 to 4; destroyed``."""

from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.rulebooks.vector.records.reports import System, UnitReport
from rules_engine.rulebooks.vector.typed.clauses import MOST_CLAUSES, Misread, Words, clauses_of
from rules_engine.rulebooks.vector.typed.names import BattleNames

EXAMPLE = "lost 6 warp; shield 2 lost 8; tractor R1 6 to 4; released R1; weasel voided; destroyed; disengaged"
LOST = "lost 6 warp, lost 1 impulse, lost 4 power, lost 2 reserve, shield 2 lost 8"
TRACTOR = "tractor R1 6 to 4 (its power, and the power against it)"
WEASEL = "weasel launched, weasel voided"

MOST = 999
_SYSTEMS: dict[str, System] = {"warp": "warp", "impulse": "impulse", "power": "power", "reserve": "reserve"}
_VERBS = {
    "lost": "lost", "lose": "lost", "loses": "lost",
    "shield": "shield",
    "destroyed": "destroyed",
    "disengaged": "disengaged", "disengages": "disengaged", "left": "disengaged", "off": "off",
    "tractor": "tractor", "caught": "tractor", "catches": "tractor",
    "released": "released", "releases": "released", "release": "released",
    "weasel": "weasel",
}  # fmt: skip


def read_reports(names: BattleNames, unit: str, text: str) -> tuple[list[UnitReport], list[Refusal]]:
    """What is reported in the line of a unit, and every defect of its words."""
    found: list[UnitReport] = []
    refusals: list[Refusal] = []
    path = f"{unit}.report"
    clauses = list(clauses_of(text))
    if len(clauses) > MOST_CLAUSES:
        return [], [malformed(f"{len(clauses)} things are said here", path, legal=f"at most {MOST_CLAUSES}")]
    for clause in clauses:
        try:
            if clause.condition:
                raise Misread("what happened knows no condition", EXAMPLE)
            report = _read(names, unit, Words(clause.text, EXAMPLE))
        except Misread as wrong:
            refusals.append(clause.refusal(wrong, path))
            continue
        if report in found:
            refusals.append(malformed(f"{clause.quoted}: this was said before", path, legal="once"))
        else:
            found.append(report)
    return found, refusals


def _read(names: BattleNames, unit: str, words: Words) -> UnitReport:
    words.skip("report")
    subject = unit
    if words.next not in _VERBS and words.left:  # R1 destroyed
        known = _VERBS | dict.fromkeys(names.seen, "")
        if words.next not in names.seen:
            word = words.next
            raise Misread(f"“{word}” is not understood", EXAMPLE, nearest(word, known))
        subject = words.named(names.seen, "unit", names.like_seen)
    verb = words.one_of(_VERBS, "anything that could be reported")
    if subject != unit and verb not in ("destroyed", "disengaged", "off"):
        raise Misread(f"that is reported in the line of {subject}", f"{subject}: report …")
    match verb:
        case "lost":
            report = _lost(unit, words)
        case "shield":
            report = _shield(unit, words)
        case "tractor":
            report = _tractor(names, unit, words)
        case "released":
            other = words.named(names.seen, "unit", names.like_seen) if words.left else ""
            report = UnitReport(by=unit, unit=unit, what="released", other=other)
        case "weasel":
            words.legal = WEASEL
            kinds = {"launched": "weasel launched", "voided": "weasel voided"}
            report = UnitReport.model_validate(
                {"by": unit, "unit": unit, "what": words.one_of(kinds, "what became of a weasel")}
            )
        case _:
            words.skip("the")
            gone = "left the map" if words.skip("map") or verb == "off" else "disengaged"
            named = subject == unit and words.left
            of = words.named(names.seen, "unit", names.like_seen) if named else subject
            report = UnitReport(by=unit, unit=of, what="destroyed" if verb == "destroyed" else gone)
    if words.left:
        raise words.odd()
    return report


def _lost(unit: str, words: Words) -> UnitReport:
    words.legal = LOST
    amount = words.number("a number of points", 1, MOST)
    if words.skip("shield"):
        return UnitReport(by=unit, unit=unit, what="lost", system="shield", number=_which(words), amount=amount)
    system = words.one_of(_SYSTEMS, "what was lost")
    words.skip("power", "engines", "engine")
    return UnitReport(by=unit, unit=unit, what="lost", system=system, amount=amount)


def _shield(unit: str, words: Words) -> UnitReport:
    words.legal = LOST
    number = _which(words)
    words.skip("lost", "loses")
    amount = words.number("a number of points", 1, MOST)
    return UnitReport(by=unit, unit=unit, what="lost", system="shield", number=number, amount=amount)


def _which(words: Words) -> int:
    return words.number("the number of a shield", 1, 6)


def _tractor(names: BattleNames, unit: str, words: Words) -> UnitReport:
    words.legal = TRACTOR
    other = words.named(names.seen, "unit", names.like_seen)
    power, resistance = 1, 0
    if words.left:
        words.skip("with")
        power = words.number("a number of points", 0, MOST)
        words.skip("to", "against", ":")
        resistance = words.number("a number of points", 0, MOST)
    return UnitReport(by=unit, unit=unit, what="tractor", other=other, power=power, resistance=resistance)


def write_report(report: UnitReport) -> str:
    """A report as it is read again in its line."""
    match report.what:
        case "lost" if report.system == "shield":
            return f"shield {report.number} lost {report.amount}"
        case "lost":
            return f"lost {report.amount} {report.system}"
        case "tractor":
            return f"tractor {report.other} {report.power} to {report.resistance}"
        case "released":
            return f"released {report.other}".strip()
        case "destroyed" | "disengaged" | "left the map":
            return report.what if report.unit == report.by else f"{report.what} {report.unit}"
        case _:
            return report.what
