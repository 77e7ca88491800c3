"""A side's dossier kept as play goes on: what its reports told of others, folded report by report. So nobody has to
read them all again. Nothing is in it that was not told to its reader.
"""

from collections.abc import Iterable, Sequence

from pydantic import Field

from rules_engine.core.basics.base import Frozen, Owner, Side
from rules_engine.core.knowledge.dossiers.entries import DossierEntry
from rules_engine.core.knowledge.dossiers.reading import learned_from
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Board

MOST_ENTRIES = 25
"""What is kept of one thing, the newest; all that was told stands in the side's news."""
MOST_SUBJECTS = 200
"""Things of which something is kept: those of which nothing was learnt for the longest go first."""


class KeptFile(Frozen):
    """What is kept of one thing, in the order in which it was learnt."""

    about: Owner
    subject: str
    entries: tuple[DossierEntry, ...]


class KeptDossier(Frozen):
    """What is kept of all things, that of which something was learnt last at the end."""

    files: tuple[KeptFile, ...] = Field(default=(), max_length=MOST_SUBJECTS)

    @property
    def entries(self) -> list[DossierEntry]:
        """All of it."""
        return [entry for file in self.files for entry in file.entries]


def folded(kept: KeptDossier, rulebook: object, reader: Side, board: Board, told: Sequence[Report]) -> KeptDossier:
    """What is kept once these reports were told, too. Those that are not for the reader are not read; ``board`` is the
    reader's own, for names and hexes."""
    learned = (entry for one in told if one.is_for(reader) for entry in learned_from(rulebook, one, reader, board))
    files = {(one.about, one.subject): one for one in kept.files}
    for entry in _owned(kept, learned):
        key = (entry.about, entry.subject)
        before = files.pop(key, None)
        entries = joined((*(before.entries if before is not None else ()), entry))
        files[key] = KeptFile(about=entry.about, subject=entry.subject, entries=tuple(entries[-MOST_ENTRIES:]))
    return KeptDossier(files=tuple(files.values())[-MOST_SUBJECTS:])


def _owned(kept: KeptDossier, entries: Iterable[DossierEntry]) -> Iterable[DossierEntry]:
    """Entries with whose they are: of what ended, whose it was when it was seen last."""
    owners: dict[str, Owner] = {one.subject: one.about for one in kept.files if one.about}
    for one in entries:
        if one.about:
            owners[one.subject] = one.about
        whose = one.about or owners.get(one.subject, "")
        yield one if whose == one.about else one.model_copy(update={"about": whose})


def joined(entries: Iterable[DossierEntry]) -> list[DossierEntry]:
    """Entries of one thing, of which several in a row that say the same are one, with since when; hearsay is not."""
    found: list[DossierEntry] = []
    for one in entries:
        if found and found[-1].says_the_same(one) and not one.is_hearsay:
            found[-1] = one.model_copy(update={"since": found[-1].since or found[-1].when})
        else:
            found.append(one)
    return found
