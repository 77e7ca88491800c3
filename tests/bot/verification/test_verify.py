"""What a record is refused for: letters that were changed, wishes that could not be, rewinding."""

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.records.letters.letter import FIRST_PREV, Letter, LetterKind, digest_of, pair_of
from bot.verification.export_file import VerifyError, read_export
from bot.verification.letters import check_letters
from bot.verification.people import check_people
from bot.verification.verify import rolls_of, verify
from rules_engine.core.records.journal import (
    Checkpoint,
    EntryBody,
    JournalEntry,
    Revealed,
    Seated,
    Tracking,
    Wish,
    write_entry,
)
from rules_engine.core.running.replay import rewind
from tests.bot.verification.kept import Kept, forged
from tests.expected.kept import cases
from tests.rulebooks.players import AT
from tests.rulebooks.test_every_rulebook import match

KEY = "cutler/intro"


@pytest.fixture(scope="module")
def game() -> Any:
    """Six rounds of a campaign."""
    made = match(KEY, 3)
    for _ in range(6):
        made.round()
    return made


def begun(game: Any, **changes: Any) -> list[JournalEntry]:
    """A record of the beginning alone, with something of it otherwise and its hash in order."""
    entry, _ = write_entry(None, game.entries[0].body.model_copy(update=changes), at=AT, seed=game.seed)
    return [entry]


@cases("changes, says", "")
def test_a_book_that_is_not_here_is_named(game: Any, changes: dict[str, str], says: str) -> None:
    with pytest.raises(VerifyError, match=says):
        verify(begun(game, **changes))


def test_a_rewound_record_holds_and_lists_the_rolls_of_its_present_branch(game: Any) -> None:
    entries = list(game.entries)
    closed = [entry.seq for entry in entries if entry.body.kind == "closed"]
    adjudicator, step = rewind(
        game.adjudicator.rulebook, entries, game.seed, to=closed[1], by="rita", reason="again", at=AT
    )
    entries.append(step.entry)
    verdict = verify(entries, game.seed)
    assert verdict.replayed
    assert verdict.turns == adjudicator.turn
    listed = list(rolls_of(entries, game.seed))
    assert all(seq <= closed[1] for seq, _ in listed)
    assert len(listed) == verdict.rolls
    assert list(rolls_of(entries)) == [], "without the seed nothing is known"


def test_a_seed_that_is_none_is_told(game: Any) -> None:
    body = Revealed(by="clock", seed="not hex")
    wrong, _ = write_entry(game.entries[-1], body, at=AT, seed=game.seed)
    with pytest.raises(VerifyError, match="holds no readable seed"):
        verify([*game.entries, wrong])


@pytest.mark.parametrize("letter", ["\u2028", "\x85", "\x0b", "\x1c"])
def test_line_ends_that_only_some_programs_know_do_not_part_an_entry(game: Any, tmp_path: Path, letter: str) -> None:
    entries = list(game.entries)
    _, step = rewind(game.adjudicator.rulebook, entries, game.seed, to=1, by="rita", reason=f"so{letter}so", at=AT)
    path = tmp_path / "record.jsonl"
    path.write_text("".join(f"{entry.model_dump_json()}\n" for entry in (*entries, step.entry)), encoding="utf-8")
    assert read_export(path) == [*entries, step.entry]


# --- letters ----------------------------------------------------------------------------------------------------------
# letters that somebody changed, dropped, or put in are found, also by who makes every hash of theirs fit again.
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
        at=f"2026-01-01T00:{minute:02}:00.000+00:00", turn=2, text=text, prev=FIRST_PREV, **more,
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
    return [(pair, one.number, one.hash) for pair, one in {one.pair: one for one in letters}.items()]


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


@cases("change, says", "", made="change")
def test_what_was_tampered_with_is_found(entries: list[JournalEntry], change: Callable[[Letters], Letters], says: str):
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


def test_a_letter_that_is_dated_when_nothing_could_be_written_is_found(campaign: Kept) -> None:
    """By who makes every hash fit again, the one in the record's end, too."""
    last = datetime.fromisoformat(campaign.entries[-1].at)
    first = datetime.fromisoformat(campaign.entries[0].at)
    for at, says in (
        (last + timedelta(minutes=1), "dated after the campaign's end"),
        (first - timedelta(minutes=1), "dated before the campaign began"),
    ):
        dated = chained([letter("hydran", "lyran", "Late.").model_copy(update={"at": at.isoformat()})])
        with pytest.raises(VerifyError, match=f"letter 1 between hydran and lyran, from hydran: it is {says}"):
            verify(sealed_with(campaign, dated), letters=dated)


@pytest.mark.parametrize("turn", [0, 1, 99])
def test_a_letter_of_another_turn_than_play_stood_in_is_found(campaign: Kept, turn: int) -> None:
    other = chained([letter("hydran", "lyran", "When?").model_copy(update={"turn": turn})])
    with pytest.raises(VerifyError, match=f"it is of turn {turn}, and play stood in turn 2"):
        verify(sealed_with(campaign, other), letters=other)


def test_a_letter_may_name_either_turn_at_the_moment_when_one_ends(campaign: Kept) -> None:
    """Both times are the host's, and may be stamped in either order."""
    outcomes = [(one.at, getattr(one.body, "outcome", None)) for one in campaign.entries]
    turns = [(at, outcome.turn) for at, outcome in outcomes if outcome is not None]
    at = next(at for (_, before), (at, after) in pairwise(turns) if before == 1 and after == 2)
    for turn in (1, 2):
        ends = chained([letter("hydran", "lyran", "Now.").model_copy(update={"at": at, "turn": turn})])
        assert verify(sealed_with(campaign, ends), letters=ends).letters == 1


def test_letters_in_a_record_that_has_not_ended_are_found(entries: list[JournalEntry]) -> None:
    running = [one for one in entries[:20] if not isinstance(one.body, Revealed)]
    assert any(isinstance(one.body, Seated) for one in running)
    with pytest.raises(VerifyError, match="though the campaign has not ended"):
        verify(running, letters=WRITTEN)


# --- wishes -----------------------------------------------------------------------------------------------------------
# whether those who wished something of a battle's tracker could: the side's commanders, the referee, or the setting
# that all battles are tracked.
SEATS = Seated(by="rita", referee="rita", commanders={"ash": ("ann",), "birch": ("leo",)}, text="play begins")


def wished(side: str, by: str, wish: Wish = "begin", **more: bool) -> list[JournalEntry]:
    """A record in which somebody wishes something of a battle's tracker: that it begins."""
    outcome = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=1)
    made: list[JournalEntry] = []
    bodies: list[EntryBody] = [SEATS, Tracking(ask="b", side=side, by=by, wish=wish, outcome=outcome, **more)]
    for body in bodies:
        entry, _ = write_entry(made[-1] if made else None, body, at="2026-01-01T00:00:00.000+00:00", seed=bytes(32))
        made.append(entry)
    return made


@pytest.mark.parametrize(("side", "by"), [("ash", "ann"), ("birch", "leo"), ("", "rita"), ("", "settings")])
def test_a_wish_is_of_those_who_have_it(side: str, by: str):
    (line,) = check_people(wished(side, by))
    assert line.startswith("entry 1: play begins.")


@cases("side, by, says", "")
def test_a_wish_of_anybody_else_is_found(side: str, by: str, says: str):
    with pytest.raises(VerifyError, match=says):
        check_people(wished(side, by))


@pytest.mark.parametrize(("wish", "lost"), [("drop", False), ("drop", True), ("pause", False)])
def test_the_clock_lets_go_of_a_tracker_and_stops_it(wish: Wish, lost: bool):
    (line,) = check_people(wished("", "clock", wish, lost=lost))
    assert line.startswith("entry 1: play begins.")


@pytest.mark.parametrize("wish", ["begin", "begin late", "go on", "undo"])
def test_the_clock_does_nothing_else_to_it(wish: Wish):
    with pytest.raises(VerifyError, match=f"no clock may {wish} alone") as wrong:
        check_people(wished("", "clock", wish))
    assert wrong.value.seq == 2


@pytest.mark.parametrize("wish", ["begin late", "pause", "go on", "undo", "drop"])
def test_the_setting_begins_it_and_does_nothing_else(wish: Wish):
    with pytest.raises(VerifyError, match=f"no settings may {wish} alone"):
        check_people(wished("", "settings", wish))


def test_the_clock_takes_no_wish_back():
    with pytest.raises(VerifyError, match="no clock may drop alone"):
        check_people(wished("", "clock", "drop", wanted=False))


@cases("side, by, wish", "")
def test_for_a_side_nobody_speaks_but_its_commanders(side: str, by: str, wish: Wish):
    with pytest.raises(VerifyError, match=f"{by} did not command {side} then"):
        check_people(wished(side, by, wish))


@cases("side, by, wish", "")
def test_that_it_does_not_play_back_says_the_clock_alone(side: str, by: str, wish: Wish):
    with pytest.raises(VerifyError, match="does not play back is let go of by the clock"):
        check_people(wished(side, by, wish, lost=True))
