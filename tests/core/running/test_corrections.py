"""A correction before it is made, what it tells whom, and that former records play back to the byte."""

from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.records.journal import Edited, JournalEntry
from rules_engine.core.running.replay import replay
from tests.core.running.test_adjudicator import AT, Game
from tests.core.small_rulebook import BLUE, PICKS, RED, SEED, PicksState

FORMER = Path(__file__).parent / "edits_before_sides_were_told.jsonl"
"""A record with two corrections, one of them of a wrong type, written before sides were told of corrections."""


UNTYPED = pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")


def texts(game: Game, side: str) -> list[str]:
    return [report.text for report in game.steps[-1].reports if report.is_for(side)]


GENERAL = "The referee made a correction; the journal records it."


class TestPlan:
    def test_old_and_new_stand_side_by_side_and_nothing_is_changed(self):
        game = Game()
        before = game.adjudicator.digest()
        plan = game.adjudicator.plan_edit("Secret_Die", "4")
        assert (plan.path, plan.value, plan.before, plan.after) == ("secret_die", 4, "0", "4")
        assert game.adjudicator.digest() == before
        assert game.adjudicator.head == game.entries[-1]

    def test_what_stands_there_already_is_no_correction(self):
        with pytest.raises(Refused, match="what stands there already"):
            Game().adjudicator.plan_edit("secret_die", "0")

    def test_a_units_battle_is_named(self):
        game = Game()
        game.turn(5, 5)
        assert game.adjudicator.plan_edit("scores.red", "4").battles == ("Battle of turn 1",)
        assert game.adjudicator.plan_edit("scores", '{"red": 1, "blue": 2}').battles == ("Battle of turn 1",)
        assert game.adjudicator.plan_edit("fail_on", "4").battles == ()

    def test_several_places_are_set_alike_at_once_or_none_of_them(self):
        game = Game()
        before = game.adjudicator.digest()
        plan = game.adjudicator.plan_edit(" scores.red , Picks.blue", "4")
        assert (plan.path, plan.value, plan.before, plan.after) == ("scores.red, picks.blue", 4, "0", "4")
        for path, value, words in (
            ("scores.red, nothing.here", "4", "nothing of that name"),
            ("scores.red, picks.blue", "-4", "below zero"),
            ("scores.red, picks.blue", "many", "a whole number"),
            ("scores.red, picks", "4", "a table is needed here"),
            (", ".join(["turn"] * 13), "4", "too many at once. Legal: at most 12"),
        ):
            with pytest.raises(Refused, match=words):
                game.adjudicator.edit(path, value, by="ref", reason="x", at=AT)
        with pytest.raises(Refused, match="at most 1"):
            game.adjudicator.edit("scores.red, scores.blue", None, remove=True, by="ref", reason="x", at=AT)
        assert game.adjudicator.digest() == before
        game.take(game.adjudicator.edit("scores.red,picks.blue", 4, by="ref", reason="x", at=AT))
        game.turn(3, 7)
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()
        assert game.adjudicator._state.scores[RED] == 4

    def test_a_state_that_the_rules_cannot_show_is_refused(self, monkeypatch: pytest.MonkeyPatch):
        game = Game()
        shown, before = PICKS.side_board, game.adjudicator.digest()

        def board(state: PicksState, side: str, knowledge: Any) -> Any:
            if state.fail_on == 3:
                raise KeyError(side)
            return shown(state, side, knowledge)

        monkeypatch.setattr(PICKS, "side_board", board)
        with pytest.raises(Refused, match="the state would become impossible: no view could be made of it"):
            game.adjudicator.edit("fail_on", 3, by="ref", reason="x", at=AT)
        assert game.adjudicator.digest() == before
        game.adjudicator._state.fail_on = 3
        game.take(game.adjudicator.edit("fail_on", 4, by="ref", reason="mended", at=AT))
        assert texts(game, RED) == [GENERAL], "what could not be shown before is compared with nothing"

    def test_a_defect_that_was_there_before_hinders_no_repair(self):
        game = Game()
        game.adjudicator._state.scores[BLUE] = -2
        game.take(game.adjudicator.edit("scores.red", 3, by="ref", reason="x", at=AT))
        game.take(game.adjudicator.edit("scores.blue", 0, by="ref", reason="x", at=AT))
        with pytest.raises(Refused, match="below zero"):
            game.adjudicator.edit("scores.blue", -1, by="ref", reason="x", at=AT)

    @UNTYPED
    def test_what_did_not_fit_before_hinders_no_repair(self):
        game = Game()
        game.adjudicator._state.picks[RED] = "a lot"  # type: ignore[assignment]
        game.take(game.adjudicator.edit("picks.blue", 3, by="ref", reason="x", at=AT))
        game.take(game.adjudicator.edit("picks.red", 3, by="ref", reason="x", at=AT))
        assert game.adjudicator._state.picks == {RED: 3, BLUE: 3}


class TestTelling:
    def test_only_the_side_that_sees_a_difference_is_told_of_it(self):
        game = Game()
        game.take(game.adjudicator.edit("secret_die", 4, by="ref", reason="It fell off the table.", at=AT))
        assert texts(game, BLUE) == [GENERAL]
        assert texts(game, RED) == [
            GENERAL,
            "The referee's correction changes what your side sees:\n• Die: “0” is now “4”",
        ], "the die is nobody's by its path, so the reason goes to nobody"
        assert replay(PICKS, game.entries, SEED).digest() == game.adjudicator.digest()

    def test_a_public_figure_with_an_owner_gives_its_reason_to_nobody_who_does_not_see_it(self):
        game = Game()
        plan = game.adjudicator.plan_edit("scores.red", "4")
        assert (plan.told, plan.reason_to) == ({}, ()), "scores stand in the public view alone"

    def test_what_no_view_shows_is_told_to_nobody(self):
        game = Game()
        game.take(game.adjudicator.edit("fail_on", 4, by="ref", reason="secret", at=AT))
        assert texts(game, RED) == texts(game, BLUE) == [GENERAL]
        assert game.entries[-1].body.told == {}

    def test_what_was_told_is_told_again_word_for_word_whatever_views_read_by_now(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        game = Game()
        game.take(game.adjudicator.edit("secret_die", 4, by="ref", reason="x", at=AT))
        monkeypatch.setattr(PICKS.__class__, "side_board", lambda *_: PICKS.public_board(game.adjudicator._state))
        again = replay(PICKS, game.entries, SEED)
        assert again.digest() == game.adjudicator.digest()


@UNTYPED
class TestFormerRecords:
    def test_they_play_back_to_the_byte(self):
        lines = FORMER.read_text(encoding="utf-8").splitlines()
        entries = [JournalEntry.model_validate_json(line) for line in lines]
        assert [entry.line() for entry in entries] == lines
        again = replay(PICKS, entries, SEED)  # which compares states and what was told
        assert again.head == entries[-1]
        kinds = [entry.body.kind for entry in entries]
        assert kinds.count("edited") == 2

    def test_a_value_of_a_wrong_type_stands_as_it_was_given(self):
        entries = [JournalEntry.model_validate_json(line) for line in FORMER.read_text(encoding="utf-8").splitlines()]
        assert isinstance(entries[1].body, Edited)
        assert entries[1].body.told is None
        assert replay(PICKS, entries[:2], SEED)._state.picks[RED] == "4"

    def test_today_it_has_the_type_of_its_table(self):
        game = Game()
        game.take(game.adjudicator.edit("picks.red", "4", by="ref", reason="x", at=AT))
        assert game.adjudicator._state.picks[RED] == 4


class TestOffers:
    def offered(self, typed: str, most: int = 25) -> list[tuple[str, str]]:
        game = Game()
        return [(one.text, one.shown) for one in game.adjudicator.offered_paths(typed, most)]

    def test_the_first_step_with_what_stands_there(self):
        assert self.offered("")[:3] == [("turn", "turn = 1"), ("scores", "scores …"), ("picks", "picks …")]

    def test_a_table_offers_what_it_holds(self):
        expected = [("scores.red", "scores.red = 0"), ("scores.blue", "scores.blue = 0")]
        assert self.offered("scores.") == expected
        assert self.offered("scores") == [("scores", "scores …"), *expected]
        assert self.offered("SCORES.b") == expected[1:]

    def test_behind_a_comma_another_path_begins(self):
        assert self.offered("turn, scores.b") == [("turn, scores.blue", "scores.blue = 0")]

    def test_an_entry_is_found_by_its_name_wherever_it_stands(self):
        assert self.offered("blue") == [("scores.blue", "scores.blue = 0"), ("picks.blue", "picks.blue = 0")]

    def test_never_more_than_asked_for(self):
        assert len(self.offered("", 2)) == 2
        assert len(self.offered("scores", 2)) == 2
        assert self.offered("", 0) == []

    @pytest.mark.parametrize("typed", ["scores..", "nothing.here", "turn.x", "turn.x.y", "x" * 400])
    def test_what_leads_nowhere_offers_nothing(self, typed: str):
        assert all(text.startswith(("turn", "scores")) for text, _ in self.offered(typed))

    def test_values_are_the_present_one_and_the_choices(self):
        game = Game()
        assert [one.shown for one in game.adjudicator.offered_values("turn", "", 25)] == ["1 (stands there now)"]
        with pytest.raises(Refused):
            game.adjudicator.offered_values("nothing.here", "", 25)
