"""A dossier as somebody looks at it: whose it is, how others are called, and where in it a page stands."""

from dataclasses import dataclass
from hashlib import sha256

from bot.errors import Sorry, there_is
from rules_engine.core.basics.base import HexId, Owner, Side, When
from rules_engine.core.grids.places import MapPlaces
from rules_engine.core.knowledge.dossiers.ages import TurnParts, ago
from rules_engine.core.knowledge.dossiers.files import Dossier, DossierFile

ALL = "all"
"""The place where the dossiers of all opponents stand."""
NOBODY, OWN = "Nobody known", "Your own side"
_LETTERS = 10
"""Of the digest that names a place."""


@dataclass(frozen=True)
class SeenDossier:
    """A side's dossier. ``names`` are those of all other sides and outsiders, by key, in the order of the campaign;
    ``places`` the reader's map."""

    campaign_id: str
    side: Side
    names: dict[Owner, str]
    dossier: Dossier
    parts: TurnParts | None
    places: MapPlaces

    @property
    def opponents(self) -> dict[Owner, str]:
        """Of whom there is a dossier, by key: all others; nobody known, if something of his was seen; and the reader's
        own side, if others handed on what they know of it."""
        besides = {"": NOBODY, self.side: OWN}
        return self.names | {owner: name for owner, name in besides.items() if self.dossier.about(owner)}

    def place_of(self, said: str) -> str:
        """The place of an opponent's dossier, by key or name.

        Raises:
            Sorry: when there is no such opponent, naming those there are.
        """
        wanted = " ".join(said.split()).casefold()
        for owner, name in self.opponents.items():
            if wanted in (owner.casefold(), name.casefold()):
                return owner_place(owner)
        known = there_is(said[:40], self.opponents.values())
        raise Sorry(f"There is no dossier of “{said[:40]}”. {known}", code="unknown-opponent")

    def owner_at(self, place: str) -> Owner | None:
        """The opponent whose dossier stands there."""
        return next((owner for owner in self.opponents if owner_place(owner) == place), None)

    def file_at(self, place: str) -> DossierFile | None:
        """The file that stands there."""
        return next((one for one in self.dossier.files if file_place(one) == place), None)

    def name_of(self, owner: Owner) -> str:
        """How an opponent, or the reader's own side, is called."""
        return self.opponents.get(owner, owner)

    def called(self, place: HexId) -> str:
        """How a place is called on the reader's map; empty for none."""
        return self.places.called(place) if place else ""

    def age(self, when: When) -> str:
        """How long ago something was, in words."""
        return ago(self.dossier.now, when, self.parts)


def owner_place(owner: Owner) -> str:
    """Where an opponent's dossier stands: a word that tells nothing of whose it is."""
    return _named("opponent", owner)


def file_place(file: DossierFile) -> str:
    """Where a file stands; it is the same as long as anything is known of that."""
    return _named("file", file.about, file.subject, file.handed_on_by)


def _named(*parts: str) -> str:
    return sha256("\n".join(parts).encode()).hexdigest()[:_LETTERS]
