"""What other sides have handed on, as entries of a dossier."""

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.dossiers.entries import DossierEntry, as_hearsay
from rules_engine.core.knowledge.hearsay.items import Hearsay


def entry_of(told: Hearsay) -> DossierEntry:
    """The entry that something makes which was handed on: as old as its giver's knowledge was, and not confirmed."""
    said = ", ".join(filter(None, (*told.words[:1], told.confidence))) or "seen"
    entry = DossierEntry(
        about=told.owner,
        subject=told.about,
        text=f"{said}; handed on in turn {told.turn}",
        details=told.words[1:],
        source="hearsay",
        confidence="unconfirmed",
        when=When(turn=told.seen, step=0, label=f"Turn {told.seen}"),
        hex=told.hex,
        is_contact=True,
        ends="" if told.live else "lost",
    )
    return as_hearsay(entry, told.source)
