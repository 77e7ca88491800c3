"""Letters that somebody changed, dropped, or put in are found, also by who makes every hash of theirs fit again."""

from collections.abc import Callable
from typing import Any

import pytest

from bot.records.letters.letter import FIRST_PREV, Letter, LetterKind, digest_of, pair_of
from bot.verification.export_file import VerifyError
from bot.verification.letters import check_letters
from bot.verification.verify import verify
from rules_engine.core.records.journal import JournalEntry, Revealed, Seated
from tests.bot.verification.kept import Kept, forged

Letters = list[Letter]


def chained(letters: Letters) -> Letters:
    """The letters with numbers, links and hashes made to fit, pair by pair."""
    last: dict[str, Letter] = {}
    made: Letters = []
    for letter in letters:
        before = last.get(letter.pair)
        number, prev = (1, FIRST_PREV) if before is None else (before.number + 1, before.hash)
        sealed = letter.model_copy(update={"number": number, "prev": prev}).sealed()
        last[letter.pair] = sealed
        made.append(sealed)
    return made


def letter(sender: str, receiver: str, text: str, *, minute: int = 30, **more: Any) -> Letter:
    return Letter(
        campaign="c1", number=1, kind=LetterKind.LETTER, sender=sender, receiver=receiver, by=sender,
        at=f"2026-01-01T00:{minute:02}:00.000+00:00", turn=1, text=text, prev=FIRST_PREV, **more,
    )  # fmt: skip


WRITTEN = chained(
    [
        letter("hydran", "lyran", "One."),
        letter("lyran", "hydran", "Two."),
        letter("hydran", "klingon", "Apart."),
        letter("hydran", "lyran", "Three."),
    ]
)


def heads(letters: Letters) -> list[tuple[str, int, str]]:
    last = {one.pair: one for one in letters}
    return [(pair, one.number, one.hash) for pair, one in last.items()]


@pytest.fixture(scope="module")
def campaign() -> Kept:
    made = Kept(3)
    made.whole()
    return made


@pytest.fixture(scope="module")
def entries(campaign: Kept) -> list[JournalEntry]:
    """A record whose end holds the hash of these letters."""

    def seal(lines: Any) -> None:
        at, body = lines[-1]
        lines[-1] = at, body.model_copy(update={"letters": digest_of(heads(WRITTEN))})

    return forged(campaign.entries, campaign.seed, seal)


def test_letters_that_were_sent_so_hold_and_their_receipts_are_found(entries: list[JournalEntry]) -> None:
    verdict = verify(entries, letters=WRITTEN, receipts=[f"`{WRITTEN[1].receipt}`"])
    assert verdict.letters == 4
    assert verdict.receipts == (
        "letter 2 between hydran and lyran, from lyran, by lyran, at 2026-01-01T00:30:00.000+00:00",
    )
    with pytest.raises(VerifyError, match="no answer in the record has the receipt"):
        verify(entries, letters=WRITTEN, receipts=["0" * 12])


def changed_word(letters: Letters) -> Letters:
    return [letters[0].model_copy(update={"text": "Another."}), *letters[1:]]


def dropped_first(letters: Letters) -> Letters:
    return letters[1:]


def dropped_middle(letters: Letters) -> Letters:
    return [letters[0], *letters[2:]]


def dropped_last(letters: Letters) -> Letters:
    return letters[:-1]


def dropped_all_of_a_pair(letters: Letters) -> Letters:
    return [one for one in letters if one.pair != pair_of("hydran", "klingon")]


def dropped_all(_: Letters) -> Letters:
    return []


def put_in(letters: Letters) -> Letters:
    return [*letters, letter("klingon", "lyran", "Forged.").sealed()]


def to_itself(letters: Letters) -> Letters:
    return [*letters, letter("klingon", "klingon", "Forged.").sealed()]


def of_another_campaign(letters: Letters) -> Letters:
    return [*letters, letter("klingon", "lyran", "x").model_copy(update={"campaign": "c2"}).sealed()]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (changed_word, "letter 1 between hydran and lyran, from hydran: its content was changed"),
        (dropped_first, "letter 2 between hydran and lyran, from lyran: it follows letter 0"),
        (dropped_middle, "it follows letter 1, so something between was taken out or put in"),
        (dropped_last, "the letters here are not those of which it holds the hash"),
        (dropped_all_of_a_pair, "the letters here are not those"),
        (dropped_all, "the letters here are not those"),
        (put_in, "the letters here are not those"),
        (to_itself, "it goes to its own side"),
        (of_another_campaign, "letters of several campaigns: c1, c2"),
    ],
)
def test_what_was_tampered_with_is_found(
    entries: list[JournalEntry], change: Callable[[Letters], Letters], says: str
) -> None:
    with pytest.raises(VerifyError, match=says):
        verify(entries, letters=change(WRITTEN))


@pytest.mark.parametrize("change", [changed_word, dropped_first, dropped_middle, dropped_all_of_a_pair])
def test_who_makes_all_hashes_of_letters_fit_again_is_found_by_the_journals_end(
    entries: list[JournalEntry], change: Callable[[Letters], Letters]
) -> None:
    with pytest.raises(VerifyError, match="the letters here are not those of which it holds the hash"):
        verify(entries, letters=chained(change(WRITTEN)))


def test_a_link_to_another_letter_is_found() -> None:
    wrong = WRITTEN[1].model_copy(update={"prev": "0" * 64}).sealed()
    with pytest.raises(VerifyError, match="does not follow the letter before it"):
        check_letters([], [WRITTEN[0], wrong])


def sealed_with(campaign: Kept, letters: Letters) -> list[JournalEntry]:
    def seal(lines: Any) -> None:
        at, body = lines[-1]
        lines[-1] = at, body.model_copy(update={"letters": digest_of(heads(letters))})

    return forged(campaign.entries, campaign.seed, seal)


def test_a_letter_by_who_did_not_command_that_side_is_found(campaign: Kept) -> None:
    forged_ones = chained([letter("hydran", "lyran", "Not mine.").model_copy(update={"by": "klingon"})])
    with pytest.raises(VerifyError, match="klingon did not command hydran then"):
        verify(sealed_with(campaign, forged_ones), letters=forged_ones)


def test_a_word_on_an_offer_that_could_not_be_said_is_found(campaign: Kept) -> None:
    offer = letter("hydran", "lyran", "Peace.").model_copy(update={"kind": LetterKind.OFFER})
    accepted = letter("hydran", "lyran", "Peace.", about=1).model_copy(update={"kind": LetterKind.ACCEPT})
    wrong = chained([offer, accepted])
    with pytest.raises(VerifyError, match="It is your own offer"):
        verify(sealed_with(campaign, wrong), letters=wrong)


def test_letters_in_a_record_that_has_not_ended_are_found(entries: list[JournalEntry]) -> None:
    running = [one for one in entries[:20] if not isinstance(one.body, Revealed)]
    assert any(isinstance(one.body, Seated) for one in running)
    with pytest.raises(VerifyError, match="though the campaign has not ended"):
        verify(running, letters=WRITTEN)
