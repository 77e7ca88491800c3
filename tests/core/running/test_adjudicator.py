"""The referee: living and replaying are one code path, and everything that could diverge says where."""

from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest

from rules_engine.core.basics import canonical_json, refusals
from rules_engine.core.records import journal
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import Diverged, NotOpen, NotSettled, RuleFailure, Transition
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED
from tests.expected.kept import cases

AT = "2026-01-01T00:00:00.000+00:00"


class Game:
    """A small campaign with its journal."""

    def __init__(self) -> None:
        self.adjudicator, step = Adjudicator.open(PICKS, title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
        self.entries: list[journal.JournalEntry] = []
        self.steps: list[Transition] = []
        self.take(step)

    def take(self, step: Transition) -> Transition:
        self.entries.append(step.entry)
        self.steps.append(step)
        return step

    def ask_id(self, side: str) -> str:
        return self.adjudicator.asks_for(side)[0].id

    def pick(self, side: str, number: int) -> Transition:
        document = {"fleet": {"number": number}}
        return self.take(self.adjudicator.answer(side, self.ask_id(side), document, by=side, at=AT))

    def account(self, side: str, **fates: str) -> Transition:
        document = {unit.replace("_", "-"): {"fate": fate} for unit, fate in fates.items()}
        return self.take(self.adjudicator.answer(side, self.ask_id(side), document, by=side, at=AT))

    def close(self, reason: Any = "deadline") -> Transition:
        return self.take(self.adjudicator.close(reason, by="clock", at=AT))

    def turn(self, red: int, blue: int) -> None:
        self.pick(RED, red)
        self.pick(BLUE, blue)
        self.close()


def why_of(step: Transition, words: str) -> str:
    """Why the one thing was told that has these words in it."""
    (report,) = [one for one in step.reports if words in one.text]
    assert report.why is not None
    return report.why.text()


def test_what_was_taken_is_read_back_now_and_not_in_a_replay():
    game = Game()
    ids = [game.ask_id(side) for side in (RED, BLUE)]
    game.pick(RED, 3)
    again = replay(PICKS, game.entries, SEED)
    closed = game.close()
    assert sorted(closed.taken) == sorted(ids)
    assert all(closed.taken.values())
    assert again.repeat(closed.entry).taken == {}


def test_the_same_journal_gives_the_same_campaign_from_every_prefix():
    game = Game()
    game.turn(3, 7)
    game.turn(5, 5)
    game.account(RED, red_flag="ok", blue_flag="destroyed")
    game.account(BLUE, red_flag="ok", blue_flag="destroyed")
    game.close("all ready")
    game.turn(9, 1)
    assert game.adjudicator.ending is not None
    assert game.adjudicator.ending.scores == {RED: "2", BLUE: "1"}
    for length in range(1, len(game.entries) + 1):
        assert replay(PICKS, game.entries[:length], SEED).head == game.entries[length - 1]
    assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()


def test_a_snapshot_and_the_tail_give_the_same_campaign_as_the_whole_journal():
    game = Game()
    game.turn(3, 7)
    snapshot = game.steps[-1].snapshot
    game.pick(RED, 4)
    again = replay(PICKS, game.entries, SEED, snapshot)
    assert again.digest() == game.adjudicator.digest()
    assert again.saved(RED, again.asks_for(RED)[0].id).number == 4
    assert again.view(RED) == game.adjudicator.view(RED)


def test_a_changed_byte_names_its_entry():
    game = Game()
    game.turn(3, 7)
    text = game.entries[2].model_dump_json().replace('"number":7', '"number":8')
    tampered = [*game.entries[:2], journal.JournalEntry.model_validate_json(text), *game.entries[3:]]
    with pytest.raises(journal.Broken) as broken:
        journal.check_chain(tampered)
    assert broken.value.seq == 3


def test_an_entry_is_kept_as_the_canonical_json_that_its_hash_is_of():
    game = Game()
    game.turn(3, 7)
    assert {one.body.kind for one in game.entries} >= {"genesis", "answered", "closed"}
    for step in game.steps:
        whole = step.entry.model_dump(mode="json")
        assert step.line.encode() == canonical_json.canonical(whole)
        assert journal.JournalEntry.model_validate_json(step.line) == step.entry
        content = {key: value for key, value in whole.items() if key != "hash"}
        assert step.entry.hash == sha256(canonical_json.canonical(content)).hexdigest()
        assert replace(step, written="").line == step.line


def test_a_rewritten_chain_is_found_by_its_outcome():
    """Somebody who recomputes every hash still cannot make the rules come out otherwise."""
    game = Game()
    game.turn(3, 7)
    closed = game.entries[-1].body
    assert isinstance(closed, journal.Closed)
    forged = closed.model_copy(update={"outcome": closed.outcome.model_copy(update={"state": "0" * 64})})
    entries = [*game.entries[:-1], journal.write_entry(game.entries[-2], forged, at=AT, seed=SEED)[0]]
    with pytest.raises(Diverged) as diverged:
        replay(PICKS, entries, SEED)
    assert diverged.value.seq == len(entries)
    assert "state" in diverged.value.problem
    # To go back behind it is what helps then, and plays nothing of it.
    adjudicator, _ = rewind(PICKS, entries, SEED, to=len(entries) - 1, by="ref", reason="forged", at=AT)
    assert adjudicator.digest() == replay(PICKS, entries[:-1], SEED).digest()
    with pytest.raises(Diverged):
        rewind(PICKS, entries, SEED, to=len(entries), by="ref", reason="forged", at=AT)


def test_another_seed_does_not_match_the_commitment():
    game = Game()
    with pytest.raises(journal.Broken, match="commitment"):
        replay(PICKS, game.entries, bytes(32))


def test_a_silent_side_takes_its_default():
    game = Game()
    game.pick(RED, 0)
    assert any("Blue Union scores" in report.text for report in game.close().reports)


def test_answers_stay_revisable_and_take_back_being_ready():
    game = Game()
    game.pick(RED, 3)
    game.take(game.adjudicator.ready(RED, is_ready=True, by=RED, at=AT))
    assert game.adjudicator.is_done(RED)
    game.pick(RED, 4)
    assert not game.adjudicator.is_done(RED)
    assert not game.adjudicator.all_done()


def test_an_illegal_answer_changes_nothing():
    game = Game()
    before = game.adjudicator.digest()
    with pytest.raises(refusals.Refused) as refused:
        game.pick(RED, 12)
    assert (refused.value.refusals[0].rule, refused.value.refusals[0].legal) == ("Picks 1", "0 to 9")
    assert game.adjudicator.digest() == before
    assert game.adjudicator.saved(RED, game.ask_id(RED)) is None


def test_an_answer_that_stands_already_is_not_journalled_again():
    game = Game()
    game.pick(RED, 3)
    head, ask_id = game.adjudicator.head, game.ask_id(RED)
    game.adjudicator.ready(RED, is_ready=True, by=RED, at=AT)
    assert game.adjudicator.revise(RED, ask_id, {"fleet": {"number": 3}}, by=RED, at=AT) is None
    assert game.adjudicator.head is not None
    assert game.adjudicator.head.prev == getattr(head, "hash", ""), "only being ready follows the answer"
    assert game.adjudicator.is_ready(RED), "nothing was changed"
    step = game.adjudicator.revise(RED, ask_id, {"fleet": {"number": 4}}, by=RED, at=AT)
    assert step is not None
    assert step.entry.body.kind == "answered"
    assert game.adjudicator.saved(RED, ask_id).number == 4
    assert not game.adjudicator.is_ready(RED), "who changes an answer is not ready any more"
    with pytest.raises(refusals.Refused):
        game.adjudicator.revise(RED, ask_id, {"fleet": {"number": 99}}, by=RED, at=AT)


def test_a_side_cannot_answer_for_the_other():
    game = Game()
    with pytest.raises(NotOpen):
        game.adjudicator.answer(RED, game.ask_id(BLUE), {"fleet": {"number": 1}}, by=RED, at=AT)


class TestBattles:
    def battle(self) -> Game:
        game = Game()
        game.turn(5, 5)
        return game

    def test_both_accounts_must_agree(self):
        game = self.battle()
        game.account(RED, red_flag="ok", blue_flag="destroyed")
        assert not game.adjudicator.all_done()
        game.account(BLUE, red_flag="destroyed", blue_flag="ok")
        assert not game.adjudicator.all_done()
        found = game.adjudicator.agreement(game.ask_id(RED)).differences
        assert found == ("red-flag: ok against destroyed", "blue-flag: destroyed against ok")
        with pytest.raises(NotSettled):
            game.adjudicator.close("deadline", by="clock", at=AT)
        game.account(BLUE, red_flag="ok", blue_flag="destroyed")
        assert game.adjudicator.all_done()
        assert why_of(game.close("all ready"), "lost: blue-flag") == "both sides agree; Picks 4"

    def test_it_is_known_how_often_and_when_an_account_was_sent(self):
        game = self.battle()
        ask_id = game.ask_id(RED)
        assert game.adjudicator.sent(RED, ask_id) is None
        sheet = {"red-flag": {"fate": "ok"}, "blue-flag": {"fate": "destroyed"}}
        game.take(game.adjudicator.answer(RED, ask_id, sheet, by=RED, at="2026-11-01T10:00:00.000+00:00"))
        assert game.adjudicator.sent(RED, ask_id) == (1, "2026-11-01T10:00:00.000+00:00")
        assert game.adjudicator.sent(BLUE, ask_id) is None, "one side's account is not the other's"
        later = "2026-11-01T11:00:00.000+00:00"
        assert game.adjudicator.revise(RED, ask_id, sheet, by=RED, at=later) is None, "the same again is no version"
        sheet = {"red-flag": {"fate": "destroyed"}, "blue-flag": {"fate": "destroyed"}}
        step = game.adjudicator.revise(RED, ask_id, sheet, by=RED, at=later)
        assert step is not None
        game.take(step)
        assert game.adjudicator.sent(RED, ask_id) == (2, later)
        assert replay(PICKS, game.entries, SEED).sent(RED, ask_id) == (2, later), "a replay knows it, too"

    def test_nobody_answers_by_default(self):
        with pytest.raises(NotSettled):
            self.battle().close()

    def test_silence_to_the_deadline_agrees_to_the_one_account(self):
        game = self.battle()
        game.account(RED, red_flag="ok", blue_flag="destroyed")
        assert why_of(game.close(), "lost: blue-flag") == "one side reported, the other did not object; Picks 4"

    def test_the_referee_may_rule(self):
        game = self.battle()
        game.account(RED, red_flag="ok", blue_flag="destroyed")
        ruling = {"red-flag": {"fate": "destroyed"}, "blue-flag": {"fate": "ok"}}
        game.take(game.adjudicator.rule(game.ask_id(RED), ruling, by="ref", reason="photo", at=AT))
        assert why_of(game.close("referee"), "lost: red-flag") == "the referee's ruling; Picks 4"
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()

    def test_an_unaccounted_unit_is_a_question(self):
        with pytest.raises(refusals.Refused, match="blue-flag is not accounted for"):
            self.battle().account(RED, red_flag="ok")


class TestRewind:
    def test_the_branch_is_kept_and_fresh_dice_fall(self):
        game = Game()
        game.turn(3, 7)
        first_die = replay(PICKS, game.entries, SEED).view(RED).board.panel("Die")
        fork = game.entries[0].seq
        adjudicator, step = rewind(PICKS, game.entries, SEED, to=fork, by="ref", reason="mistake", at=AT)
        entries = [*game.entries, step.entry]
        journal.check_chain(entries)
        assert [entry.seq for entry in journal.effective(entries)] == [1, 5]
        assert adjudicator.saved(RED, adjudicator.asks_for(RED)[0].id) is None
        dice = set()
        for _ in range(3):
            for side, number in ((RED, 3), (BLUE, 7)):
                step = adjudicator.answer(
                    side, adjudicator.asks_for(side)[0].id, {"fleet": {"number": number}}, by=side, at=AT
                )
                entries.append(step.entry)
            entries.append(adjudicator.close("deadline", by="clock", at=AT).entry)
            dice.add(adjudicator.view(RED).board.panel("Die"))
            adjudicator, step = rewind(PICKS, entries, SEED, to=fork, by="ref", reason="again", at=AT)
            entries.append(step.entry)
        assert dice != {first_die}
        assert replay(PICKS, entries, SEED).digest() == adjudicator.digest()

    def test_an_entry_of_a_cut_off_branch_cannot_be_gone_to(self):
        game = Game()
        game.turn(3, 7)
        _, step = rewind(PICKS, game.entries, SEED, to=1, by="ref", reason="mistake", at=AT)
        with pytest.raises(refusals.Refused, match="not part of the present branch"):
            rewind(PICKS, [*game.entries, step.entry], SEED, to=3, by="ref", reason="no", at=AT)


class TestEdits:
    def test_an_edit_is_journalled_and_replayed(self):
        game = Game()
        game.take(game.adjudicator.edit("scores.red", 5, by="ref", reason="forgot", at=AT))
        game.turn(3, 7)
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()
        assert game.adjudicator.public_view().public.panels[0].rows == ("blue: 1", "red: 5")

    @cases("path, value, word", "")
    def test_what_does_not_fit_is_refused_and_undone(self, path: str, value: Any, word: str):
        game = Game()
        before = game.adjudicator.digest()
        with pytest.raises(refusals.Refused, match=word):
            game.adjudicator.edit(path, value, by="ref", reason="x", at=AT)
        assert game.adjudicator.digest() == before

    def test_a_removed_entry_comes_back_when_that_makes_no_sense(self):
        game = Game()
        with pytest.raises(refusals.Refused):
            game.adjudicator.edit("turn", None, remove=True, by="ref", reason="x", at=AT)


def test_rules_that_raise_do_so_as_one_error():
    game = Game()
    game.take(game.adjudicator.edit("fail_on", 4, by="ref", reason="test", at=AT))
    game.pick(RED, 4)
    with pytest.raises(RuleFailure):
        game.close()
    assert replay(PICKS, game.entries, SEED).saved(RED, "T1/pick/pick/red").number == 4


def test_the_seed_stays_sealed_until_the_end():
    game = Game()
    with pytest.raises(refusals.Refused, match="sealed"):
        game.adjudicator.reveal(by="clock", at=AT)
    for _ in range(3):
        game.turn(3, 7)
    game.take(game.adjudicator.reveal(by="clock", at=AT))
    assert SEED.hex() in game.entries[-1].model_dump_json()
    assert SEED.hex() not in "".join(entry.model_dump_json() for entry in game.entries[:-1])


def test_a_record_in_which_the_seed_stands_before_the_end_or_is_another_does_not_play_back():
    game = Game()
    early, _ = journal.write_entry(game.entries[-1], journal.Revealed(by="clock", seed=SEED.hex()), at=AT, seed=SEED)
    with pytest.raises(Diverged, match="cannot be repeated"):
        replay(game.adjudicator.rulebook, [*game.entries, early], SEED)
    for _ in range(3):
        game.turn(3, 7)
    other, _ = journal.write_entry(game.entries[-1], journal.Revealed(by="clock", seed="00" * 32), at=AT, seed=SEED)
    with pytest.raises(Diverged, match="cannot be repeated"):
        replay(game.adjudicator.rulebook, [*game.entries, other], SEED)


def test_own_saved_orders_are_drawn_and_nobody_elses():
    game = Game()
    game.pick(RED, 3)
    assert [course.counter for course in game.adjudicator.view(RED).board.courses] == ["red-flag"]
    assert game.adjudicator.view(BLUE).board.courses == ()


def test_an_answer_is_refused_when_a_text_in_it_cannot_be_kept() -> None:
    game = Game()
    document = {"fleet": {"number": 1, "note": "a\0b"}}
    for send in (game.adjudicator.answer, game.adjudicator.revise):
        with pytest.raises(refusals.Refused, match=r"U\+0000"):
            send(RED, game.ask_id(RED), document, by=RED, at=AT)
    with pytest.raises(refusals.Refused, match=r"U\+0000"):
        game.adjudicator.try_answer(RED, game.ask_id(RED), document)
    assert game.adjudicator.head == game.entries[-1]
