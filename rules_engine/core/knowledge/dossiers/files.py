"""The dossier itself: entries filed by whom they are about and what they are of, the newest first."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Frozen, Owner, Side, When
from rules_engine.core.knowledge.dossiers.ages import TurnParts
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.folding import KeptDossier, folded, joined
from rules_engine.core.knowledge.dossiers.reading import OPEN_MAP, KeepsDossiers, seen_on
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Board, track_order

NOTHING_KEPT = KeptDossier()


class DossierFile(Frozen):
    """All that is known of one thing, the newest first; hearsay has files of its own, by who handed it on."""

    about: Owner
    subject: str
    handed_on_by: Owner = ""
    entries: tuple[DossierEntry, ...]

    @property
    def latest(self) -> DossierEntry:
        """What was learnt last."""
        return self.entries[0]

    @property
    def last_seen(self) -> DossierEntry:
        """What was learnt last of it itself, and not of its end."""
        return next((one for one in self.entries if not one.ends), self.entries[0])

    @property
    def is_held(self) -> bool:
        """Whether the reader still knows where it is."""
        return not self.latest.ends

    @property
    def is_contact(self) -> bool:
        """Whether it is a contact, which may be held or lost."""
        return any(one.is_contact for one in self.entries)

    @property
    def is_on_the_open_map(self) -> bool:
        """Whether nothing is known of it but what everybody sees."""
        return self.latest.source == OPEN_MAP

    @property
    def is_hearsay(self) -> bool:
        """Whether it is known only because another side says so."""
        return self.handed_on_by != ""


class Dossier(Frozen):
    """What a side knows of others. ``files`` are in order: what was learnt last first, own knowledge before hearsay of
    the same moment, what is on the open map last."""

    now: When
    files: tuple[DossierFile, ...] = ()

    def about(self, owner: Owner) -> tuple[DossierFile, ...]:
        """The files of one opponent."""
        return tuple(one for one in self.files if one.about == owner)


def dossier_of(
    rulebook: object,
    reader: Side,
    board: Board,
    told: Sequence[Report],
    *,
    open_map: Board,
    handed_on: Iterable[DossierEntry] = (),
    kept: KeptDossier = NOTHING_KEPT,
) -> Dossier:
    """The dossier of ``reader``, from what was ``kept`` of it and the reports that it was ``told`` since, its own
    ``board`` for names and hexes, the map that everybody sees, and entries that others have ``handed_on``. Reports that
    are not for the reader are not read.
    """
    own = folded(kept, rulebook, reader, board, told).entries
    known = filed(own)
    held = {(one.about, one.last_seen.hex) for one in known if one.is_contact and one.is_held}
    own += seen_on(open_map, reader, {one.subject for one in own}, held)
    others = [one for one in handed_on if one.is_hearsay]
    return Dossier(now=board.when, files=filed([one for one in own if one.about != reader], others))


def parts_of(rulebook: object) -> TurnParts | None:
    """What the ages of entries are counted in; None: whole turns."""
    return rulebook.turn_parts if isinstance(rulebook, KeepsDossiers) else None


def filed(own: Iterable[DossierEntry], hearsay: Iterable[DossierEntry] = ()) -> tuple[DossierFile, ...]:
    """Entries, each kind in the order in which they were learnt, as files."""
    files: dict[tuple[Owner, str, Owner], list[DossierEntry]] = {}
    for one in (*own, *hearsay):
        files.setdefault((one.about, one.subject, one.handed_on_by), []).append(one)
    made = [
        DossierFile(about=about, subject=subject, handed_on_by=giver, entries=tuple(_newest_first(joined(entries))))
        for (about, subject, giver), entries in files.items()
    ]
    return tuple(sorted(made, key=_order))


def _newest_first(entries: Sequence[DossierEntry]) -> list[DossierEntry]:
    """Of the same moment, what was learnt later first; what is on the open map, which everybody sees, last."""
    latest_first = [*reversed(entries)]
    return sorted(latest_first, key=lambda one: (one.source == OPEN_MAP, -one.when.turn, -one.when.step))


def _order(file: DossierFile) -> tuple[object, ...]:
    latest = file.latest
    names = (track_order(file.subject), file.subject, file.about)
    return file.is_on_the_open_map, -latest.when.turn, -latest.when.step, file.is_hearsay, *names
