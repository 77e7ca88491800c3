"""What a side's reports and its map tell of others, as entries. Nothing else is read: no state comes near here."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Protocol, runtime_checkable

from rules_engine.core.basics.base import HexId, Owner, Side
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.dossiers.ages import TurnParts
from rules_engine.core.knowledge.dossiers.entries import (
    LONGEST_SUBJECT,
    LONGEST_TEXT,
    MOST_DETAILS,
    DossierEntry,
    Source,
    confidence_of,
)
from rules_engine.core.knowledge.reports import Lost, Removed, Report, Sighted
from rules_engine.core.knowledge.views import Board, Counter, HexNote

OPEN_MAP: Source = "open map"


@runtime_checkable
class KeepsDossiers(Protocol):
    """What a rulebook offers besides, if its dossiers hold more than contacts seen with own eyes."""

    @property
    def turn_parts(self) -> TurnParts:
        """What the ages of entries are counted in."""
        ...

    def learned(self, report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
        """What one report tells ``reader`` of others; ``board`` is the reader's own, for names and hexes."""
        ...


def learned_from(rulebook: object, report: Report, reader: Side, board: Board) -> Sequence[DossierEntry]:
    """What a report tells of others, as the rulebook reads it."""
    if isinstance(rulebook, KeepsDossiers):
        return rulebook.learned(report, reader, board)
    return learned_of_contacts(report)


def learned_of_contacts(
    report: Report, source: Source = "own eyes", grade_of: Callable[[int], int] = lambda level: level
) -> list[DossierEntry]:
    """What the facts of a report tell of contacts. Whose a contact is that ended, its own entries tell."""
    entries: list[DossierEntry] = []
    rule = report.why.rule if report.why is not None else ""
    for fact in report.facts:
        match fact:
            case Sighted():
                entries.append(
                    DossierEntry(
                        about=fact.owner,
                        subject=fact.track[:LONGEST_SUBJECT],
                        text=said_of(fact.headline, fact.level_name),
                        details=fact.details[:MOST_DETAILS],
                        source=source,
                        confidence=confidence_of(grade_of(fact.level)),
                        when=report.when,
                        hex=fact.hex,
                        is_contact=True,
                        rule=rule,
                    )
                )
            case Lost(track=track):
                entries.append(_end(report, track, "lost from sight", source))
            case Removed(track=track, into=into):
                said = f"is now {into}" if into else "is no more"
                entries.append(_end(report, track, said, source, is_gone=True))
            case _:
                pass
    return entries


def _end(report: Report, track: str, text: str, source: Source, *, is_gone: bool = False) -> DossierEntry:
    return DossierEntry(
        subject=track[:LONGEST_SUBJECT],
        text=text,
        source=source,
        confidence="certain",
        when=report.when,
        is_contact=True,
        rule=report.why.rule if report.why is not None else "",
        ends="gone" if is_gone else "lost",
    )


def told_of(
    report: Report, source: Source, *, about: Iterable[Side], subject: str, hex_id: HexId = ""
) -> list[DossierEntry]:
    """A report's own words as an entry of each of the sides that it is ``about``."""
    rule = report.why.rule if report.why is not None else ""
    return [
        DossierEntry(
            about=side,
            subject=subject[:LONGEST_SUBJECT],
            text=report.text[:LONGEST_TEXT],
            source=source,
            confidence="certain",
            when=report.when,
            hex=hex_id,
            rule=rule,
        )
        for side in about
    ]


def seen_on(
    open_map: Board, reader: Side, contacts: Iterable[str], held: Collection[tuple[Owner, HexId]] = ()
) -> Iterator[DossierEntry]:
    """What others have on the map that everybody sees, besides the ``contacts`` that the reader was told of, and the
    counters that it holds as contacts where they stand."""
    listed = {*contacts}
    marked: set[tuple[str, HexId]] = set()
    for counter in open_map.counters:
        is_known = counter.id in listed or (counter.owner, counter.hex) in held
        if counter.owner not in ("", reader) and not is_known:
            marked.add((counter.label, counter.hex))
            yield _of_counter(open_map, counter)
    for note in open_map.hexes:
        if note.owner not in ("", reader) and note.name and (note.name, note.hex) not in marked:
            yield _of_place(open_map, note)


def _of_counter(board: Board, counter: Counter) -> DossierEntry:
    said = ", ".join(filter(None, (counter.form, counter.sub, counter.level_name)))
    return DossierEntry(
        about=counter.owner,
        subject=place_called(counter.label, counter.hex, board.places),
        text=said[:LONGEST_TEXT] or "on the map",
        details=counter.details[:MOST_DETAILS],
        source=OPEN_MAP,
        confidence=confidence_of(counter.grade),
        when=board.when,
        hex=counter.hex,
    )


def _of_place(board: Board, note: HexNote) -> DossierEntry:
    return DossierEntry(
        about=note.owner,
        subject=place_called(note.name, note.hex, board.places),
        text=", ".join(note.marks)[:LONGEST_TEXT] or "a place of theirs",
        source=OPEN_MAP,
        confidence="certain",
        when=board.when,
        hex=note.hex,
    )


def place_called(name: str, hex_id: HexId, places: MapPlaces) -> str:
    """What a place is called in a dossier: never like a contact, whatever somebody has named it."""
    where = places.called(hex_id)[: LONGEST_SUBJECT // 2]
    if not name or name == where:
        return f"{places.spot} {where}"
    return f"{name[: LONGEST_SUBJECT - len(where) - 16]} in {where}"


def said_of(headline: str, level_name: str) -> str:
    """What is said of a sighting in a line."""
    return ", ".join(filter(None, (headline, level_name)))[:LONGEST_TEXT] or "seen"


def hex_said(text: str, board: Board) -> HexId:
    """The first hex of the board that a text names; empty if it names none."""
    return board.places.named_in(text)
