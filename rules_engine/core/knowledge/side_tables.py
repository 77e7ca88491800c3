"""Side tables: what a side may look up as a table, made from its own assets and its knowledge alone."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Frozen
from rules_engine.core.knowledge.dossiers.ages import TurnParts, ago
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.reading import said_of
from rules_engine.core.knowledge.views import Board, Knowledge, track_order


class SideTable(Frozen):
    """A titled table. ``key`` is the name it is asked for by; ``note`` says what its figures are based on."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


def contacts_table(
    knowledge: Knowledge, board: Board, learned: Iterable[DossierEntry] = (), parts: TurnParts | None = None
) -> SideTable:
    """The sightings of every contact, contacts in the order of their numbers, sightings oldest first, each with how it
    was made, how long ago and how sure it is, as what was ``learned`` tells.

    Whose they are is said on a board with outsiders, where it need not be an enemy.
    """
    whose = bool(board.outsiders)
    known = {(one.subject, one.hex, one.when.turn, one.when.step, one.text): one for one in learned if not one.ends}
    rows: list[tuple[str, ...]] = []
    for track in sorted(knowledge.contacts, key=track_order):
        contact = knowledge.contacts[track]
        for seen in (*contact.history, contact.latest):
            said = said_of(seen.headline, seen.level_name)
            entry = known.get((track, seen.hex, seen.when.turn, seen.when.step, said))
            rows.append(
                (
                    track,
                    *([board.name_of(contact.owner) or "unknown"] if whose else []),
                    seen.when.label,
                    seen.hex,
                    seen.level_name,
                    seen.headline,
                    entry.source if entry is not None else "",
                    ago(board.when, seen.when, parts),
                    entry.confidence if entry is not None else "",
                )
            )
    columns = ("Contact", *(["Whose"] if whose else []), "When", "Hex", "Level", "What was seen")
    return SideTable(
        key="contacts",
        title="Identification by contact",
        columns=(*columns, "Source", "Age", "Confidence"),
        rows=tuple(rows),
        note="Of sightings in a row that say the same, the first and the last.",
    )
