"""What a race's reports tell of the others, and how it came to know: the entries of its dossiers.

Nothing is read but the reports that were told to the reader, and names that are public.
"""

import re
from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import with_article
from rules_engine.core.knowledge.dossiers.ages import TurnParts
from rules_engine.core.knowledge.dossiers.entries import LONGEST_SUBJECT, LONGEST_TEXT, DossierEntry
from rules_engine.core.knowledge.dossiers.reading import hex_said, learned_of_contacts, told_of
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.cutler.ch06_espionage.findings import read_finding
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.tables import IMPULSES, MISSION_NAMES, MISSION_RULES


def _impulse_of(step: int) -> int:
    """Impulses are ten steps apart; what comes before the first is economics and espionage."""
    return step // 10


TURN_PARTS = TurnParts("impulse", IMPULSES, _impulse_of)

_TOLD = frozenset({"contact", "scan", "intelligence", "espionage", "combat", "battle"})
"""The kinds of reports that may tell of others."""
_MISSIONS = frozenset(MISSION_RULES.values())
_GLANCES = frozenset({"3.3.3", "3.3.4", "3.5.10"})
"""Where a battle gives a race a glance at others: waves of escapers, their pursuers, and who is at a feature."""
_OVER = "3.4"
_ANNOUNCED = "6.5.1"
_NOTICED = re.compile(r": \d+ (.+?) units? \(")
SPIES = "spies"


def learned(report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
    """What one report tells ``reader`` of others."""
    if report.kind not in _TOLD:
        return ()
    rule = report.why.rule.partition(",")[0] if report.why is not None else ""
    where = hex_said(report.text, board)
    match report.kind:
        case "contact":
            source = "scan" if rule == "8.4" else "own eyes"
            return learned_of_contacts(report, source, _grade_of)
        case "scan":
            return learned_of_contacts(report, "scan", _grade_of)
        case "intelligence" if rule in _MISSIONS:
            found = _of_mission(report, board)
            return [*found, *learned_of_contacts(report, "spy mission", _grade_of)]
        case "espionage" if rule == _ANNOUNCED:
            return told_of(report, "intelligence", about=_spies_of(report, board), subject=SPIES, hex_id=where)
        case "combat" if rule in _GLANCES and not report.is_public():
            seen = _NOTICED.search(report.text)
            about = _named_in(seen[1], reader, board) if seen else []
            return told_of(report, "battle", about=about, subject=_battle_in(where), hex_id=where)
        case "battle" if rule == _OVER and not report.is_public():
            others = [one.key for one in board.sides if one.key != reader and one.key in report.to]
            return told_of(report, "battle", about=others, subject=_battle_in(where), hex_id=where)
        case _:
            return ()


def _grade_of(level: int) -> int:
    """How far a contact is identified. Of what was only counted, nothing but its number would be known."""
    return tacintel.GRADE if level else 0


def _of_mission(report: Report, board: Board) -> list[DossierEntry]:
    """What a mission of the reader's own found."""
    finding = read_finding(report.text, board.sides, board.hexes)
    if finding is None or report.why is None:
        return []
    return [
        DossierEntry(
            about=finding.against,
            subject=finding.subject[:LONGEST_SUBJECT],
            text=f"{MISSION_NAMES[finding.kind]}: {finding.found}"[:LONGEST_TEXT],
            source="spy mission",
            confidence="certain",
            when=report.when,
            hex=finding.hex,
            rule=report.why.rule,
        )
    ]


def _spies_of(report: Report, board: Board) -> list[Side]:
    """Whose spy it is that was announced."""
    return [
        one.key for one in board.sides if report.text.casefold().startswith(f"{with_article(one.name)} spy ".casefold())
    ]


def _named_in(words: str, reader: Side, board: Board) -> list[Side]:
    """The other races that are named among the owners of units."""
    named = {word.strip() for word in re.split(r" and |, ", words)}
    return [one.key for one in board.sides if one.key != reader and one.name in named]


def _battle_in(where: str) -> str:
    return f"battle in {where}" if where else "battles"
