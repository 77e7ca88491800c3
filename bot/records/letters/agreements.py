"""Agreements between two sides, as their letters have it: offered, accepted, declined, withdrawn, given notice of.

Nothing is kept of them besides the letters: what stands follows from these, so that it can be checked afterwards.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from bot.records.letters.letter import Letter, LetterKind


class AgreementState(StrEnum):
    """How an offer stands."""

    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    NOTICE = "notice given"
    DISSOLVED = "dissolved"


STANDING = frozenset({AgreementState.ACCEPTED, AgreementState.NOTICE})
OPEN = frozenset({AgreementState.OFFERED})


@dataclass(frozen=True, slots=True)
class SideAgreement:
    """An offer and what became of it. ``number`` is that of the letter that made it; ``given_by`` gave notice, and it
    holds to the end of the turn ``until``."""

    number: int
    maker: str
    other: str
    terms: str
    turn: int
    state: AgreementState = AgreementState.OFFERED
    given_by: str = ""
    until: int | None = None

    def at(self, turn: int) -> "SideAgreement":
        """As it stands in that turn: what notice was given of has ended behind its last turn."""
        if self.state is AgreementState.NOTICE and self.until is not None and turn > self.until:
            return replace(self, state=AgreementState.DISSOLVED)
        return self


class NotNow(Exception):
    """A word that cannot be said of an agreement as it stands; the text says why."""


def after(agreement: SideAgreement, letter: Letter) -> SideAgreement:
    """An agreement after a letter about it.

    Raises:
        NotNow: when the letter's writer cannot say that of it now.
    """
    standing = agreement.at(letter.turn)
    is_makers = letter.sender == agreement.maker
    match letter.kind:
        case LetterKind.ACCEPT | LetterKind.DECLINE:
            if is_makers:
                raise NotNow("It is your own offer; the other side answers it.")
            _expect(standing, AgreementState.OFFERED)
            is_accepted = letter.kind is LetterKind.ACCEPT
            return replace(agreement, state=AgreementState.ACCEPTED if is_accepted else AgreementState.DECLINED)
        case LetterKind.WITHDRAW:
            if not is_makers:
                raise NotNow("It is the other side's offer; you may decline it.")
            _expect(standing, AgreementState.OFFERED)
            return replace(agreement, state=AgreementState.WITHDRAWN)
        case LetterKind.NOTICE:
            _expect(standing, AgreementState.ACCEPTED)
            if letter.until is None or letter.until < letter.turn:
                raise NotNow("Notice runs to the end of this turn or of a later one.")
            return replace(agreement, state=AgreementState.NOTICE, given_by=letter.sender, until=letter.until)
        case _:
            raise NotNow("That is no answer to an offer.")


def _expect(agreement: SideAgreement, state: AgreementState) -> None:
    if agreement.state is not state:
        raise NotNow(f"This is {agreement.state} already, so it cannot be changed so.")


def agreements_in(letters: Iterable[Letter]) -> dict[int, SideAgreement]:
    """The agreements of one pair's letters, in order, by the number of the letter that offered each.

    Raises:
        NotNow: when a letter says what its writer could not say, which no letter does that the bot took.
    """
    found: dict[int, SideAgreement] = {}
    for letter in letters:
        if letter.kind is LetterKind.OFFER:
            found[letter.number] = SideAgreement(
                number=letter.number, maker=letter.sender, other=letter.receiver, terms=letter.text, turn=letter.turn
            )
        elif letter.about is not None:
            if letter.about not in found:
                raise NotNow(f"Letter {letter.about} is no offer.")
            found[letter.about] = after(found[letter.about], letter)
    return found
