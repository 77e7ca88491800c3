"""Side tables: what a side may look up as a table, made from its own assets and its knowledge alone."""

from rules_engine.core.basics.base import Frozen
from rules_engine.core.knowledge.views import Board, Knowledge, track_order


class SideTable(Frozen):
    """A titled table. ``key`` is the name it is asked for by; ``note`` says what its figures are based on."""

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


def contacts_table(knowledge: Knowledge, board: Board) -> SideTable:
    """The sightings of every contact, contacts in the order of their numbers, sightings oldest first.

    Whose they are is said on a board with outsiders, where it need not be an enemy.
    """
    whose = bool(board.outsiders)
    rows = [
        (
            track,
            *([board.name_of(contact.owner) or "unknown"] if whose else []),
            seen.when.label,
            seen.hex,
            seen.level_name,
            seen.headline,
        )
        for track in sorted(knowledge.contacts, key=track_order)
        for contact in [knowledge.contacts[track]]
        for seen in (*contact.history, contact.latest)
    ]
    return SideTable(
        key="contacts",
        title="Identification by contact",
        columns=("Contact", *(["Whose"] if whose else []), "When", "Hex", "Level", "What was seen"),
        rows=tuple(rows),
        note="Of sightings in a row that say the same, the first and the last.",
    )
