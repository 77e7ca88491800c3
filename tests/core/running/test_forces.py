"""Forces of several sides as parties: who answers for whom, what silence means, and when a side is done."""

from itertools import permutations
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.accounts import in_a_row, say_difference
from rules_engine.core.protocol.asks import SETTLED_BY, AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running import adjudicator, transitions
from rules_engine.core.running.replay import replay, rewind
from tests.core.coalitions import Coalitions
from tests.core.strands.islands import ask
from tests.expected.kept import cases
from tests.rulebooks.players import AT

SEED = bytes(range(32))
TWO = (("red", "blue"), ("green",))
THREE = (("red", "blue"), ("green",), ("gold",))
PAIRS = (("red", "blue"), ("green", "gold"))
SINGLE = (("red",), ("blue",), ("green",))
SIDES_OF_TWO = ("red", "blue", "green")


class Campaign:
    """A campaign of forces, with its journal."""

    def __init__(self, forces: Any, *, own: bool = False, awaited: bool = True) -> None:
        self.book = Coalitions(awaited=awaited)
        scenario: Any = {"forces": [list(force) for force in forces], "own": own}
        self.one, step = adjudicator.Adjudicator.open(self.book, title="T", scenario=scenario, seed=SEED, at=AT)
        self.steps = [step]

    def ask(self, side: str, kind: str = "") -> AnyAsk:
        return next(one for one in self.one.asks_for(side) if kind in ("", one.kind))

    def take(self, step: transitions.Transition) -> transitions.Transition:
        self.steps.append(step)
        return step

    def answer(self, side: str, value: str, kind: str = "") -> transitions.Transition:
        document: Any = {"it": {"value": value}}
        return self.take(self.one.answer(side, self.ask(side, kind).id, document, by=side, at=AT))

    def ready(self, side: str, *, is_ready: bool = True) -> None:
        self.take(self.one.ready(side, is_ready=is_ready, by=side, at=AT))

    def close(self, reason: Any = "deadline") -> transitions.Transition:
        return self.take(self.one.close(reason, by="clock", at=AT))

    def saved(self, side: str, kind: str = "") -> str | None:
        answer = self.one.saved(side, self.ask(side, kind).id)
        return None if answer is None else answer.value

    def sender(self, side: str) -> str | None:
        return self.one.sender(side, self.ask(side).id)

    @property
    def entries(self) -> list[JournalEntry]:
        return [step.entry for step in self.steps]


def battle(forces: Any) -> Campaign:
    """A campaign in which nobody plotted, and all stand in the battle."""
    campaign = Campaign(forces)
    campaign.close()
    return campaign


def settled(step: transitions.Transition) -> str:
    """Who won, and how that was settled."""
    (report,) = [one for one in step.reports if "won" in one.text]
    assert report.why is not None
    return f"{report.text} {report.why.text()}"


class TestForming:
    def test_each_party_is_a_force_of_its_own_where_none_are_named(self) -> None:
        one = ask("fight", ["red", "blue"], "T", ["0"], pace="battle", agree=lambda _: None)
        assert one.forces == (("red",), ("blue",))
        assert one.is_shared
        assert not ask("fight", ["red"], "T", ["0"], pace="battle").is_shared

    def test_an_ask_of_one_force_needs_no_agreement_and_of_several_does(self) -> None:
        assert not ask("fight", ["red", "blue"], "T", ["0"], pace="battle", forces=(("red", "blue"),)).is_shared
        with pytest.raises(TypeError, match="needs a way to agree"):
            ask("fight", ["red", "blue", "green"], "T", ["0"], pace="battle", forces=TWO)

    @cases("forces")
    def test_each_side_stands_in_exactly_one_force(self, forces: Any) -> None:
        with pytest.raises(TypeError, match="stands in no force or in two"):
            ask("fight", ["red", "blue", "green"], "T", ["0"], pace="battle", forces=forces, agree=lambda _: None)

    def test_no_side_is_named_twice(self) -> None:
        for forces in ((), (("red",), ("red", "blue"))):
            with pytest.raises(TypeError, match="stands in no force or in two"):
                ask("fight", ["red", "red", "blue"], "T", ["0"], pace="battle", forces=forces, agree=lambda _: None)

    def test_the_force_of_a_side_is_found_and_a_stranger_has_none(self) -> None:
        one = ask("fight", ["red", "blue", "green"], "T", ["0"], pace="battle", forces=TWO, agree=lambda _: None)
        assert one.force_of("blue") == ("red", "blue")
        assert one.force_of("green") == ("green",)
        with pytest.raises(KeyError):
            one.force_of("gold")

    def test_a_named_ask_keeps_its_forces(self) -> None:
        assert battle(TWO).ask("green").forces == TWO


class TestAccountsOfForces:
    @pytest.mark.parametrize("who", ["red", "blue"])
    def test_either_side_of_a_force_accounts_for_it(self, who: str) -> None:
        campaign = battle(TWO)
        campaign.answer(who, "red")
        assert not campaign.one.all_done()
        campaign.answer("green", "red")
        assert all(campaign.one.is_done(side) for side in ("red", "blue", "green"))
        assert settled(campaign.close("all ready")) == "Red won. all accounts agree; C 1"

    def test_a_partner_reads_the_account_and_who_sent_it_and_the_enemy_does_not(self) -> None:
        campaign = battle(TWO)
        campaign.answer("blue", "red")
        assert campaign.saved("red") == campaign.saved("blue") == "red"
        assert campaign.sender("red") == campaign.sender("blue") == "blue"
        assert campaign.saved("green") is None
        assert campaign.sender("green") is None

    def test_a_later_account_of_a_partner_takes_the_place_of_an_earlier_one(self) -> None:
        campaign = battle(TWO)
        campaign.answer("red", "red")
        campaign.answer("blue", "green")
        assert (campaign.saved("red"), campaign.sender("red")) == ("green", "blue")
        campaign.answer("green", "green")
        assert campaign.one.all_done()
        campaign.answer("red", "red")
        assert (campaign.saved("blue"), campaign.sender("blue")) == ("red", "red")
        assert not campaign.one.all_done()
        campaign.answer("blue", "green")
        assert settled(campaign.close("all ready")).startswith("Green won. all accounts agree")

    @pytest.mark.parametrize("order", list(permutations(["red", "blue", "green", "gold"])))
    def test_only_who_sent_last_of_a_force_matters(self, order: tuple[str, ...]) -> None:
        """Red and Gold say the first thing, Blue and Green the second; each force says what came last."""
        campaign, values = battle(PAIRS), {"red": "red", "gold": "red", "blue": "blue", "green": "blue"}
        for side in order:
            campaign.answer(side, values[side])
        last = [next(side for side in reversed(order) if side in force) for force in PAIRS]
        agree = values[last[0]] == values[last[1]]
        assert campaign.one.all_done() is agree
        assert [campaign.sender(force[0]) for force in PAIRS] == last
        if not agree:
            with pytest.raises(transitions.NotSettled):
                campaign.close()
            return
        alone = battle(PAIRS)
        for side in last:
            alone.answer(side, values[side])
        assert campaign.close("all ready").reports == alone.close("all ready").reports
        assert campaign.one.digest() == alone.one.digest()

    def test_accounts_are_compared_by_the_first_side_of_each_force(self) -> None:
        campaign = battle(PAIRS)
        campaign.answer("gold", "red")
        campaign.answer("blue", "red")
        assert campaign.one.all_done()
        assert campaign.book.seen[-1] == {"green": "red", "red": "red"}

    def test_the_same_account_of_a_partner_is_an_entry_and_of_the_sender_is_none(self) -> None:
        campaign = battle(TWO)
        campaign.answer("red", "red")
        ask_id, document = campaign.ask("red").id, {"it": {"value": "red"}}
        assert campaign.one.revise("red", ask_id, document, by="red", at=AT) is None
        assert campaign.one.revise("blue", ask_id, document, by="blue", at=AT) is not None
        assert campaign.sender("red") == "blue"
        assert campaign.one.revise("blue", ask_id, document, by="blue", at=AT) is None

    def test_who_is_no_party_cannot_answer_for_a_force(self) -> None:
        campaign = Campaign(TWO)
        with pytest.raises(transitions.NotOpen):
            campaign.one.answer("green", campaign.ask("red").id, {"it": {"value": "1"}}, by="green", at=AT)


class TestSilence:
    @pytest.mark.parametrize("who", ["red", "blue", "green"])
    def test_a_force_that_is_silent_agrees_with_the_only_account(self, who: str) -> None:
        campaign = battle(TWO)
        campaign.answer(who, "blue")
        with pytest.raises(transitions.NotSettled):
            campaign.close("all ready")
        assert settled(campaign.close()) == "Blue won. one account was sent, and nobody objected; C 1"

    def test_two_accounts_of_one_force_are_one(self) -> None:
        campaign = battle(TWO)
        campaign.answer("red", "red")
        campaign.answer("blue", "blue")
        assert settled(campaign.close()).startswith("Blue won. one account was sent")

    def test_without_any_account_the_referee_is_called(self) -> None:
        for forces in (TWO, THREE, SINGLE):
            with pytest.raises(transitions.NotSettled):
                battle(forces).close()

    @pytest.mark.parametrize("forces", [THREE, SINGLE])
    def test_of_three_all_must_agree_before_the_deadline(self, forces: Any) -> None:
        campaign, (first, second, third) = battle(forces), [force[-1] for force in forces]
        campaign.answer(first, "red")
        campaign.answer(second, "red")
        assert not any(campaign.one.is_done(side) for side in (first, second, third))
        with pytest.raises(transitions.NotSettled):
            campaign.close("all ready")
        campaign.answer(third, "red")
        assert campaign.one.all_done()
        assert settled(campaign.close("all ready")) == "Red won. all accounts agree; C 1"

    @pytest.mark.parametrize("forces", [THREE, SINGLE])
    @pytest.mark.parametrize("silent", [0, 1, 2])
    def test_of_three_the_silent_one_agrees_with_two_that_agree(self, forces: Any, silent: int) -> None:
        campaign = battle(forces)
        for force in forces:
            if force != forces[silent]:
                campaign.answer(force[-1], "red")
        assert settled(campaign.close()) == "Red won. the accounts that were sent agree, and nobody objected; C 1"

    @pytest.mark.parametrize("forces", [THREE, SINGLE])
    def test_of_three_two_silent_ones_agree_with_the_only_account(self, forces: Any) -> None:
        campaign = battle(forces)
        campaign.answer(forces[1][0], "green")
        assert settled(campaign.close()) == "Green won. one account was sent, and nobody objected; C 1"

    @pytest.mark.parametrize("forces", [THREE, SINGLE])
    def test_where_those_that_were_sent_differ_the_referee_is_called(self, forces: Any) -> None:
        campaign = battle(forces)
        campaign.answer(forces[0][-1], "red")
        campaign.answer(forces[1][0], "green")
        with pytest.raises(transitions.NotSettled) as open_still:
            campaign.close()
        assert open_still.value.asks == (campaign.ask("red"),)
        campaign.answer(forces[2][0], "green")
        with pytest.raises(transitions.NotSettled):
            campaign.close()
        campaign.take(
            campaign.one.rule(campaign.ask("red").id, {"it": {"value": "blue"}}, by="ref", reason="seen", at=AT)
        )
        assert campaign.one.all_done()
        assert settled(campaign.close("referee")) == "Blue won. the referee's ruling; C 1"

    def test_a_ruling_needs_no_account_and_comes_before_the_only_one(self) -> None:
        for sent in (False, True):
            campaign = battle(THREE)
            if sent:
                campaign.answer("blue", "gold")
            ruling: Any = {"it": {"value": "red"}}
            campaign.take(campaign.one.rule(campaign.ask("red").id, ruling, by="ref", reason="seen", at=AT))
            assert settled(campaign.close()) == "Red won. the referee's ruling; C 1"

    def test_two_sides_are_spoken_of_as_ever(self) -> None:
        campaign = battle((("red",), ("blue",)))
        campaign.answer("red", "red")
        assert "one side reported, the other did not object" in settled(campaign.close())
        campaign.close()
        campaign.answer("red", "red")
        campaign.answer("blue", "red")
        assert "both sides agree" in settled(campaign.close("all ready"))
        assert len(set(SETTLED_BY.values())) == len(SETTLED_BY)


class TestDifferences:
    def test_those_who_say_the_same_are_named_together(self) -> None:
        said = [(["Red", "Blue"], "ok"), (["Green"], "lost"), (["Gold"], "ok")]
        assert say_difference("A1 fate", said) == "A1 fate: Red, Blue and Gold say ok, Green says lost"
        assert say_difference("A1", [(["Red"], "ok"), (["Blue"], "lost")]) == "A1: Red says ok, Blue says lost"
        assert [in_a_row(names) for names in (["A"], ["A", "B"], ["A", "B", "C"])] == ["A", "A and B", "A, B and C"]

    def test_three_accounts_that_differ_say_who_says_what(self) -> None:
        campaign = battle(THREE)
        campaign.answer("blue", "red")
        campaign.answer("green", "green")
        ask_id = campaign.ask("red").id
        assert campaign.one.agreement(ask_id).differences == ()
        assert campaign.one.compared(ask_id).differences == ("The winner: Red and Blue say red, Green says green",)
        campaign.answer("gold", "gold")
        whole = ("The winner: Red and Blue say red, Green says green, Gold says gold",)
        assert campaign.one.agreement(ask_id).differences == campaign.one.compared(ask_id).differences == whole

    def test_one_account_is_compared_with_nothing(self) -> None:
        campaign = battle(THREE)
        campaign.answer("red", "red")
        assert campaign.one.compared(campaign.ask("red").id).settled is None
        assert campaign.book.seen == []


class TestOneForce:
    def test_the_last_answer_of_any_of_its_sides_stands(self) -> None:
        campaign = Campaign(TWO)
        campaign.answer("red", "3")
        campaign.answer("blue", "4")
        campaign.answer("green", "1")
        campaign.close()
        assert campaign.one._state.plots == ["red+blue: 4", "green: 1"]

    def test_a_silent_force_takes_its_default(self) -> None:
        assert battle(TWO).one._state.plots == ["red+blue: 0", "green: 0"]

    def test_it_waits_for_all_of_its_sides_while_none_has_answered(self) -> None:
        campaign = Campaign(TWO)
        campaign.ready("green")
        campaign.ready("red")
        assert campaign.one.is_done("red")
        assert not campaign.one.is_done("blue")
        assert not campaign.one.all_done()
        campaign.ready("blue")
        assert campaign.one.all_done()

    def test_it_waits_for_nobody_but_the_one_who_answered_last(self) -> None:
        campaign = Campaign(TWO)
        campaign.ready("green")
        campaign.answer("red", "3")
        assert not campaign.one.is_done("red")
        assert not campaign.one.is_done("blue")
        campaign.ready("red")
        assert campaign.one.is_done("blue")
        assert campaign.one.all_done()

    def test_who_answers_after_a_partner_was_ready_is_waited_for_and_the_partner_is_not(self) -> None:
        campaign = Campaign(TWO)
        campaign.ready("green")
        campaign.answer("red", "3")
        campaign.ready("red")
        campaign.answer("blue", "4")
        assert campaign.one.is_done("red")
        assert not campaign.one.all_done()
        campaign.ready("blue")
        assert campaign.one.all_done()
        campaign.close("all ready")
        assert campaign.one._state.plots[0] == "red+blue: 4"

    def test_who_is_still_at_work_on_it_is_waited_for_though_the_partner_is_ready(self) -> None:
        campaign = Campaign(TWO)
        campaign.answer("red", "3")
        campaign.ready("blue")
        assert campaign.one.is_done("blue")
        assert not campaign.one.is_done("red")

    def test_a_side_is_waited_for_by_its_own_sheets(self) -> None:
        campaign = Campaign(TWO, own=True)
        campaign.answer("red", "3", "plot")
        campaign.ready("red")
        assert campaign.one.is_done_with("blue", campaign.ask("blue", "plot").id)
        assert not campaign.one.is_done_with("blue", campaign.ask("blue", "own").id)
        assert not campaign.one.is_done("blue")
        campaign.ready("blue")
        assert campaign.one.is_done("blue")

    def test_where_nobody_is_waited_for_only_who_has_begun_is(self) -> None:
        campaign = Campaign(TWO, awaited=False)
        assert campaign.one.all_done()
        campaign.answer("red", "3")
        assert not campaign.one.is_done("red")
        assert campaign.one.is_done("blue")
        campaign.answer("blue", "4")
        assert campaign.one.is_done("red")
        assert not campaign.one.is_done("blue")

    def test_all_its_sides_see_what_was_plotted_and_nobody_else(self) -> None:
        campaign = Campaign(TWO)
        campaign.answer("blue", "3")
        drawn = {side: [one.counter for one in campaign.one.view(side).board.courses] for side in SIDES_OF_TWO}
        assert drawn == {"red": ["red+blue 3"], "blue": ["red+blue 3"], "green": []}

    def test_after_a_correction_the_whole_force_is_told_to_answer_again(self) -> None:
        campaign = Campaign(TWO)
        campaign.answer("red", "4")
        campaign.answer("green", "2")
        for side in SIDES_OF_TWO:
            campaign.ready(side)
        step = campaign.take(campaign.one.edit("limit", 3, by="ref", reason="typed wrong", at=AT))
        lost = [one for one in step.reports if "must be given again" in one.text]
        assert [one.to for one in lost] == [("blue", "red")]
        assert (campaign.saved("red"), campaign.sender("blue"), campaign.saved("green")) == (None, None, "2")
        assert [campaign.one.is_ready(side) for side in SIDES_OF_TWO] == [False, False, True]
        with pytest.raises(Refused):
            campaign.answer("blue", "4")


class TestReplay:
    def test_every_prefix_stands_where_it_stood(self) -> None:
        campaign, stood = Campaign(THREE, own=True), list[Any]()

        def look() -> None:
            stood.append(_standing(campaign.one))

        look()
        for act in (
            lambda: campaign.answer("red", "3", "plot"),
            lambda: campaign.ready("red"),
            lambda: campaign.answer("blue", "4", "plot"),
            lambda: campaign.answer("gold", "1", "own"),
            lambda: campaign.ready("blue"),
            lambda: campaign.answer("red", "2", "plot"),
            campaign.close,
            lambda: campaign.answer("blue", "red"),
            lambda: campaign.answer("gold", "green"),
            lambda: campaign.answer("red", "green"),
            campaign.close,
            campaign.close,
            lambda: campaign.answer("green", "gold"),
        ):
            act()
            look()
        assert campaign.one._state.won == ["green"]
        for length, standing in enumerate(stood, start=1):
            assert _standing(replay(campaign.book, campaign.entries[:length], SEED)) == standing
        for length in range(1, len(stood)):
            again, _ = rewind(campaign.book, campaign.entries, SEED, to=length, by="ref", reason="r", at=AT)
            assert _standing(again)[1:] == stood[length - 1][1:]


def _standing(one: Any) -> list[Any]:
    """Where a campaign stands: what was answered by whom, who is ready and done."""
    sides = [label.key for label in one.sides]
    answered = [
        (side, ask.id, one.saved(side, ask.id), one.sender(side, ask.id), one.is_done_with(side, ask.id))
        for side in sides
        for ask in one.asks_for(side)
    ]
    done = [(one.is_ready(side), one.is_done(side)) for side in sides]
    return [one.digest(), answered, done, one.all_done()]


def test_an_answer_is_read_back_to_all_parties_once() -> None:
    campaign = Campaign(TWO)
    campaign.answer("blue", "3")
    assert campaign.close().taken == {"T1/plot/red+blue": ("The plot: 3",), "T1/plot/green": ("The plot: 0",)}
