"""Records that somebody changed who knows the seed and makes every hash fit: what is found, what only Discord shows.

Each kind is found by the hash that the public channel showed last. ``says`` is what is said without it; None where a
record alone cannot show it, which is then said of every record that nothing was held against.
"""

from typing import Any

import pytest

from bot.verification.export_file import VerifyError
from bot.verification.verify import UNSEEN, verify
from rules_engine.core.basics.dice import commitment
from rules_engine.core.records.journal import JournalEntry, Remarked, write_entry
from tests.bot.verification.kept import REFEREE, Change, Kept, forged
from tests.expected.kept import cases
from tests.rulebooks.players import random_answer

Lines = list[tuple[str, Any]]


@pytest.fixture(scope="module")
def campaign() -> Kept:
    made = Kept(3)
    made.whole()
    return made


def first(lines: Lines, kind: str, **having: Any) -> int:
    """The place of the first entry of a kind with those values."""
    found = (
        number
        for number, (_, body) in enumerate(lines)
        if body.kind == kind and all(getattr(body, name) == value for name, value in having.items())
    )
    return next(found)


def put(lines: Lines, number: int, **values: Any) -> None:
    """Change values of an entry."""
    at, body = lines[number]
    lines[number] = at, body.model_copy(update=values)


def the_tail_is_cut(lines: Lines) -> None:
    del lines[len(lines) // 2 :]


def half_a_game_gets_the_seed(lines: Lines) -> None:
    del lines[len(lines) // 2 : -1]


def the_seed_is_cut_from_the_end(lines: Lines) -> None:
    del lines[-1]


def all_times_are_others(lines: Lines) -> None:
    lines[:] = [(at.replace("2026-01", "2026-02"), body) for at, body in lines]


def all_ready_becomes_a_deadline(lines: Lines) -> None:
    put(lines, first(lines, "closed", reason="all ready"), reason="deadline")


def a_deadline_becomes_all_ready(lines: Lines) -> None:
    put(lines, first(lines, "closed", reason="deadline"), reason="all ready")


def somebodys_ready_is_taken_out(lines: Lines) -> None:
    del lines[first(lines, "readied")]


def a_remark_is_invented(lines: Lines) -> None:
    lines.insert(-9, (lines[-9][0], Remarked(by=REFEREE, topic="extend", text="99 hours")))


def a_remark_by_a_player_is_invented(lines: Lines) -> None:
    lines.insert(-9, (lines[-9][0], Remarked(by="lyran", topic="extend", text="99 hours")))


def an_answer_is_changed(lines: Lines) -> None:
    others = [body.document for _, body in lines if body.kind == "answered"]
    number = first(lines, "answered")
    put(lines, number, document=next(one for one in others[1:] if one != lines[number][1].document))


def an_answer_is_taken_out(lines: Lines) -> None:
    del lines[max(number for number, (_, body) in enumerate(lines[:12]) if body.kind == "answered")]


def who_was_first_is_turned_round(lines: Lines) -> None:
    here = next(
        number
        for number in range(len(lines) - 1)
        if [body.kind for _, body in lines[number : number + 2]] == ["readied", "answered"]
    )
    lines[here], lines[here + 1] = lines[here + 1], lines[here]


def an_answer_is_somebody_elses(lines: Lines) -> None:
    put(lines, first(lines, "answered"), by="somebody")


def an_answer_is_given_for_another_side(lines: Lines) -> None:
    put(lines, first(lines, "answered", side="hydran"), by="lyran")


def a_closing_becomes_the_referees(lines: Lines) -> None:
    put(lines, first(lines, "closed", reason="deadline"), reason="referee", by=REFEREE)


def a_closing_becomes_a_players(lines: Lines) -> None:
    put(lines, first(lines, "closed", reason="deadline"), reason="referee", by="klingon")


def a_closing_becomes_that_of_a_referee_who_has_played(lines: Lines) -> None:
    number = first(lines, "closed", reason="deadline")
    put(lines, number, reason="referee", by="klingon")
    at, seated = lines[first(lines, "seated")]
    lines.insert(number, (at, seated.model_copy(update={"referee": "klingon"})))


def what_happens_by_itself_becomes_somebodys(lines: Lines) -> None:
    put(lines, first(lines, "closed", reason="deadline"), by=REFEREE)


def an_outcome_is_changed(lines: Lines) -> None:
    number = first(lines, "closed")
    outcome = lines[number][1].outcome
    put(lines, number, outcome=outcome.model_copy(update={"rolls": outcome.rolls + 1}))


def the_scenario_is_changed(lines: Lines) -> None:
    put(lines, 0, title="Another", sides=tuple(reversed(lines[0][1].sides)))


def the_seed_is_exchanged(lines: Lines) -> None:
    put(lines, 0, commitment=commitment(bytes(32)))
    put(lines, len(lines) - 1, seed=bytes(32).hex())


def a_rewind_is_kept_quiet(lines: Lines) -> None:
    number = first(lines, "rewound")
    del lines[lines[number][1].to : number + 1]


def what_was_cut_off_is_changed(lines: Lines) -> None:
    """Before the rewind, behind the point to which it went back: none of it counts any more."""
    number = first(lines, "rewound")
    inside = [at for at in range(lines[number][1].to, number) if lines[at][1].kind == "closed"]
    outcome = lines[inside[-1]][1].outcome
    put(lines, inside[-1], outcome=outcome.model_copy(update={"state": "0" * 64}))


def something_follows_the_seed(lines: Lines) -> None:
    lines.append((lines[-1][0], Remarked(by=REFEREE, topic="extend", text="1 hours")))


def a_seat_is_doubled(lines: Lines) -> None:
    number = first(lines, "seated")
    put(lines, number, commanders={**lines[number][1].commanders, "lyran": ("lyran", "hydran")})


@cases("case, change, says", "", made="change")
def test_tampering_is_found_or_it_is_said_that_it_could_not_be(campaign: Kept, change: Change, says: str | None):
    record = forged(campaign.entries, campaign.seed, change)
    assert record != campaign.entries
    if says is None:
        assert UNSEEN in verify(record, campaign.seed).proves
    else:
        with pytest.raises(VerifyError, match=says):
            verify(record, campaign.seed)
    with pytest.raises(VerifyError):
        verify(record, campaign.seed, heads=[campaign.entries[-1].hash])


def test_salts_that_are_not_the_seeds_are_found(campaign: Kept) -> None:
    """By somebody who makes the hashes fit and the salts up."""
    record = list[JournalEntry]()
    for entry in campaign.entries:
        fitting, _ = write_entry(record[-1] if record else None, entry.body, at=entry.at, seed=bytes(32))
        record.append(fitting)
    with pytest.raises(VerifyError, match="its salt is not the one that the seed gives"):
        verify(record, campaign.seed)


def test_an_untouched_record_holds_with_every_head(campaign: Kept) -> None:
    hashes = [entry.hash for entry in campaign.entries]
    verdict = verify(campaign.entries, heads=[hashes[20], f"`{hashes[-1].upper()}`"])
    assert verdict.replayed
    assert verdict.ending is not None
    assert UNSEEN not in verdict.proves
    assert f"Entries 1 to {len(hashes)} are, letter by letter, those" in verdict.proves[-1]


def test_what_no_head_covers_is_said(campaign: Kept) -> None:
    verdict = verify(campaign.entries, heads=[campaign.entries[20].hash])
    assert f"For entries 22 to {len(campaign.entries)} nothing shows" in verdict.proves[-1]


def test_a_record_of_a_campaign_that_runs_does_not_pass_for_a_whole_one(campaign: Kept) -> None:
    verdict = verify(campaign.entries[:40], campaign.seed)
    assert any("does not reach the end" in sentence for sentence in verdict.proves)
    sealed = verify(campaign.entries[:40])
    assert not sealed.replayed
    assert any("The seed is still sealed" in sentence for sentence in sealed.proves)


@pytest.mark.parametrize("topic", ["settings", "resume"])
def test_a_batch_that_had_to_wait_for_its_deadline_is_no_fault(campaign: Kept, topic: str) -> None:
    """Sheets that close at deadlines only were set otherwise meanwhile; a halted campaign goes on."""

    def waited(lines: Lines) -> None:
        number = max(at for at, (_, body) in enumerate(lines) if body.kind == "closed" and body.reason == "all ready")
        put(lines, number, reason="deadline")
        lines.insert(number, (lines[number][0], Remarked(by=REFEREE, topic=topic, text="")))

    assert verify(forged(campaign.entries, campaign.seed, waited)).replayed


def test_who_goes_back_to_where_all_were_ready_waits_for_the_deadline() -> None:
    made = Kept(5)
    made.round()
    made.go_back(max(entry.seq for entry in made.entries if entry.body.kind == "readied"))
    assert made.adjudicator.all_done()
    made.take(made.adjudicator.close("deadline", by="clock", at=made.at(), nonce=made.nonce()))
    assert verify(made.entries, made.seed).replayed


def test_a_clock_that_was_turned_back_is_said_and_is_no_fault(campaign: Kept) -> None:
    def turned(lines: Lines) -> None:
        lines[30] = ("2025-12-31T00:00:00.000+00:00", lines[30][1])

    record = forged(campaign.entries, campaign.seed, turned)
    assert any("turned back before entry 31" in sentence for sentence in verify(record).proves)


@pytest.mark.parametrize("time", ["", "yesterday", "2026-01-01T00:00:00"])
def test_a_time_that_is_none_is_found(campaign: Kept, time: str) -> None:
    def changed(lines: Lines) -> None:
        lines[30] = (time, lines[30][1])

    with pytest.raises(VerifyError, match=r"entry 31: .* is no time with a zone"):
        verify(forged(campaign.entries, campaign.seed, changed))


def test_a_receipt_of_an_answer_that_play_went_back_behind_says_so() -> None:
    made = Kept(5)
    made.round()
    resting = made.entries[-1].seq
    side = next(label.key for label in made.adjudicator.sides if made.adjudicator.asks_for(label.key))
    for number in (0, 1):
        ask = made.adjudicator.asks_for(side)[0]
        document = random_answer(made.adjudicator, side, ask, made.chance)
        made.take(made.adjudicator.answer(side, ask.id, document, by=side, at=made.at()))
        answer = made.entries[-1]
        made.go_back(answer.seq if number == 0 else resting)
        (said,) = verify(made.entries, receipts=[answer.receipt]).receipts
        ending = f"entry {answer.seq + 1} went back to before it" if number else "it has not been closed yet"
        assert said.endswith(ending)


def test_a_receipt_leads_to_its_answer_and_says_what_became_of_it(campaign: Kept) -> None:
    answers = [entry for entry in campaign.entries if entry.body.kind == "answered"]
    back: Any = next(entry.body for entry in campaign.entries if entry.body.kind == "rewound")
    (kept,) = verify(campaign.entries, receipts=[answers[0].receipt]).receipts
    assert kept.startswith(f"entry {answers[0].seq}: ")
    assert "it counted when entry" in kept
    gone = next(entry for entry in answers if entry.seq > back.to)
    (said,) = verify(campaign.entries, receipts=[gone.receipt]).receipts
    assert "it counted when entry" in said
    with pytest.raises(VerifyError, match="no answer in the record has the receipt 000000000000"):
        verify(campaign.entries, receipts=["0" * 12])
    with pytest.raises(VerifyError, match="is no receipt"):
        verify(campaign.entries, receipts=["mine"])
    with pytest.raises(VerifyError, match="is no head"):
        verify(campaign.entries, heads=["abc"])
