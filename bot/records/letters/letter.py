"""One letter, as it is kept and exported. Each names the hash of the one before it between the same two sides, so that
none can be changed, dropped or put in without its breaking the chain of that pair."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.core.knowledge.views import SideView

FIRST_PREV = ""
"""What the first letter of a pair names as the one before it."""

RECEIPT_LENGTH = 12


class LetterKind(StrEnum):
    """What a letter is. All but ``LETTER`` and ``HANDED`` are words of an agreement; those from ``ACCEPT`` on are about
    an offer that was made before."""

    LETTER = "letter"
    HANDED = "handed"
    OFFER = "offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    WITHDRAW = "withdraw"
    NOTICE = "notice"


AGREEING = frozenset(LetterKind) - {LetterKind.LETTER, LetterKind.HANDED}
"""Kinds of letters that agreements are made of."""


class Handed(BaseModel):
    """What is handed on with a letter: things that its writer knew, and perhaps a map of an area as its side saw it.
    ``view`` holds that area and nothing else of what the side sees."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    items: tuple[Hearsay, ...] = ()
    area: tuple[HexId, ...] = ()
    view: SideView | None = None


class Letter(BaseModel):
    """One letter. ``number`` counts the letters between its two sides from 1, whoever wrote them; ``by`` is the id of
    its writer, ``turn`` the campaign's turn, ``about`` the number of the offer that it answers, and ``until`` the last
    turn in which what is given notice of still holds. ``handed`` is the JSON of what is handed on, letter by letter as
    it was sent, so that its hash is the same whatever later versions make of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    campaign: str
    number: int = Field(ge=1)
    kind: LetterKind
    sender: str
    receiver: str
    by: str
    at: str
    turn: int
    text: str
    about: int | None = None
    until: int | None = None
    handed: str = ""
    prev: str
    hash: str = ""

    @field_validator("at")
    @classmethod
    def _is_a_moment(cls, at: str) -> str:
        if datetime.fromisoformat(at).tzinfo is None:
            raise ValueError("is no time with a zone")
        return at

    @property
    def hands_on(self) -> Handed | None:
        """What is handed on with it; None if nothing is, or what this version cannot read."""
        if not self.handed:
            return None
        try:
            return Handed.model_validate_json(self.handed)
        except ValidationError:
            return None

    @property
    def pair(self) -> str:
        """The two sides, in an order that does not depend on who writes."""
        return pair_of(self.sender, self.receiver)

    @property
    def receipt(self) -> str:
        """The beginning of its hash, which both sides are shown."""
        return self.hash[:RECEIPT_LENGTH]

    @property
    def moment(self) -> datetime:
        """When it was sent."""
        return datetime.fromisoformat(self.at)

    def worked_out(self) -> str:
        """The hash of all that stands in it."""
        return hashlib.sha256(canonical(self.model_dump(mode="json", exclude={"hash"}))).hexdigest()

    def sealed(self) -> "Letter":
        """The same with its hash."""
        return self.model_copy(update={"hash": self.worked_out()})

    def says_the_same(self, other: "Letter") -> bool:
        """Whether the same person says the same to the same side, whenever it was."""
        apart = {"number", "at", "turn", "prev", "hash"}
        return self.model_dump(exclude=apart) == other.model_dump(exclude=apart)


@dataclass(frozen=True, slots=True)
class KeptLetter:
    """A letter with the ``token`` by which its buttons find it, which says nothing."""

    token: str
    letter: Letter


@dataclass(frozen=True, slots=True)
class Draft:
    """What somebody has prepared and not sent: to which sides, and the letter's words or what it hands on."""

    token: str
    campaign_id: str
    user_id: int
    at: datetime
    to: tuple[str, ...]
    text: str
    handed: Handed | None = None


PairHead = tuple[str, int, str]
"""Two sides, how many letters there are between them, and the hash of the last."""


def pair_of(one: str, other: str) -> str:
    """The key of two sides."""
    return " & ".join(sorted((one, other)))


def digest_of(heads: Sequence[PairHead]) -> str:
    """One hash for all letters of a campaign, by the last of each pair."""
    return hashlib.sha256(canonical([list(one) for one in sorted(heads)])).hexdigest()
