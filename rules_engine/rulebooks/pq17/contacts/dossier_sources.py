"""What a side's reports tell of the other side, and how it came to know: its dossier's entries.

Nothing is read but the reports that were told to the reader. PQ-17 6.2, 7, 8.5, 12.7, C.random.
"""

import re
from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.dossiers.ages import TurnParts
from rules_engine.core.knowledge.dossiers.entries import DossierEntry, Source
from rules_engine.core.knowledge.dossiers.reading import hex_said, learned_of_contacts, told_of
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.pq17.contacts.spies import AGENT
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES


def _impulse_of(step: int) -> int:
    """Each impulse has two halves, which are steps of their own."""
    return (step + 1) // 2


TURN_PARTS = TurnParts("impulse", len(IMPULSES), _impulse_of)

_BY_RULE: dict[str, Source] = {
    "6.3.4.13": "reconnaissance",
    "8.6.2.2": "reconnaissance",
    "12.4.4": "reconnaissance",
    "8.5.4": "battle",
    "6.5.3": "battle",
    "1.6.1": "battle",
    "8.5.5.6": "battle",
    "1.8.10.3": "battle",
    "C.random.hf-df": "intelligence",
}
"""How a contact came to be known, by the rule of the report; all else is seen with own eyes."""

_AFTER_BATTLE = frozenset({"6.5.3", "8.5.5.6", "8.5.6.1", "8.5.6.2", "8.5.6.5", "8.5.7.2"})
"""What of a battle tells of the other side: its course is on the battle's own sheets."""

_WITHDRAWS = "8.5.6.5"
"""Told of own forces, too, which have no number of a contact."""

_COLLECTED = frozenset({"C.random.fis-ultra", "C.random.kis-b", "C.random.whiskers"})
_TOLD = frozenset({"contact", "shadowing", "mines", "battle", "special"})
"""The kinds of reports that may tell of the other side."""
_MINES = "12.7.3"
_NUMBER = re.compile(r"\bE\d{1,6}\b")
CONDITIONS = "Special conditions"
_HELD_AT = " is held at "


def learned(report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
    """What one report tells ``reader`` of the other side."""
    if report.kind not in _TOLD:
        return ()
    others = [one.key for one in board.sides if one.key != reader]
    rule = report.why.rule.removeprefix("PQ-17 ") if report.why is not None else ""
    where = hex_said(report.text, board)
    match report.kind:
        case "contact":
            source = _source_of(report, rule)
            if report.facts:
                return learned_of_contacts(report, source, lambda level: IdLevel(level).grade)
            return told_of(report, source, about=others, subject=_of_what(report, where), hex_id=where)
        case "shadowing" if number := _NUMBER.search(report.text):
            return told_of(report, "shadowing", about=others, subject=number[0], hex_id=where)
        case "mines" if rule == _MINES and (number := _NUMBER.search(report.text)):
            return told_of(report, "own eyes", about=others, subject=number[0], hex_id=where)
        case "battle" if rule in _AFTER_BATTLE and (rule != _WITHDRAWS or _NUMBER.search(report.text)):
            return told_of(report, "battle", about=others, subject=_of_battle(report, where), hex_id=where)
        case "special" if rule in _COLLECTED:
            return told_of(report, "intelligence", about=others, subject=CONDITIONS)
        case _:
            return ()


def _source_of(report: Report, rule: str) -> Source:
    """How a contact came to be known."""
    inputs = report.why.inputs if report.why is not None else ()
    if any(AGENT in value for _, value in inputs):
        return "spy mission"
    return _BY_RULE.get(rule, "own eyes")


def _of_what(report: Report, where: str) -> str:
    """What a report without a sighting is of: a settled hex that was searched, a contact, or a hex."""
    settled, held, _ = report.text.partition(_HELD_AT)
    if held:
        return settled
    number = _NUMBER.search(report.text)
    return number[0] if number else f"hex {where}" if where else "Contacts"


def _of_battle(report: Report, where: str) -> str:
    number = _NUMBER.search(report.text)
    return f"battle in {where}" if where else number[0] if number else "Battles"
