"""Strands: what they may do, what others see of them, and their laws over random play."""

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rules_engine.core.knowledge.reports import Leak
from rules_engine.core.protocol.asks import Ask, Batch, Steps
from rules_engine.core.records.journal import Closed, Readied
from rules_engine.core.running import adjudicator, transitions
from rules_engine.core.running.replay import replay, rewind
from tests.core.strands.islands import Islands, Sheet, choice
from tests.rulebooks.players import AT
from tests.rulebooks.strand_play import StrandPlay, own_ground

SEED = bytes(range(32))
NONCES = {"begin": "0" * 32, "go": "1" * 32}
EAST, WEST = "T1/meet/0101", "T1/meet/0102"
GOES = {"ash": "0101", "birch": "0101", "cedar": "0102", "dogwood": "0102"}


class Table:
    """A campaign on two islands, each with two sides, or where they go."""

    def __init__(self, book: Islands | None = None, goes: Mapping[str, str] = GOES, *, patient: bool = False) -> None:
        self.patient = patient
        self.steps: list[transitions.Transition] = []
        self.one, step = adjudicator.Adjudicator.open(
            book or Islands(), title="T", scenario={"turns": 2}, seed=SEED, at=AT, nonce=NONCES["begin"]
        )
        self.steps.append(step)
        for side, island in goes.items():
            self.answer(side, island)
        self.close("", nonce=NONCES["go"])

    def answer(self, side: str, value: str, *, of: str = "") -> transitions.Transition:
        (ask,) = [ask for ask in self.one.asks_for(side) if of in ask.strand or not of]
        step = self.one.answer(side, ask.id, {"it": {"value": value}}, by=side, at=AT)
        self.steps.append(step)
        return step

    def close(self, strand: str | None, *, nonce: str = "2" * 32, reason: Any = "deadline") -> transitions.Transition:
        step = self.one.close(reason, by="clock", at=AT, strand=strand, patient=self.patient, nonce=nonce)
        self.steps.append(step)
        return step

    def words(self, side: str, since: int = 0) -> list[str]:
        return [one.text for step in self.steps[since:] for one in step.reports if one.is_for(side)]


def roll_of(step: transitions.Transition) -> list[tuple[int, ...]]:
    return [roll.dice for roll in step.rolls]


class TestClosing:
    def test_play_parts_and_each_part_closes_by_itself(self) -> None:
        table = Table()
        assert table.one.strands() == (EAST, WEST)
        asks = table.one.asks_for("cedar")
        table.answer("cedar", "2")
        step = table.close(EAST)
        assert isinstance(step.entry.body, Closed)
        assert step.entry.body.strand == EAST
        assert set(step.closed) == {f"{EAST}/claim/ash", f"{EAST}/claim/birch"}
        assert table.one.asks_for("cedar") == asks
        assert table.one.saved("cedar", asks[0].id) == Sheet.model_validate({"it": {"value": "2"}})

    def test_a_strand_must_be_named_while_several_are_open(self) -> None:
        table = Table()
        with pytest.raises(ValueError, match="say which strand"):
            table.close(None)
        with pytest.raises(transitions.NotOpen):
            table.close("T1/meet/0202")
        for side in ("ash", "cedar"):
            table.answer(side, "1")
        table.close(EAST)
        table.close(None)
        assert table.one.strands() == ("",)

    def test_what_closes_without_strands_does_not_speak_of_them(self) -> None:
        table = Table()
        assert not any("strand" in line for line in [step.line for step in table.steps[:-1]])
        assert '"strands":' in table.steps[-1].line
        assert '"strand":"T1/meet/0101"' in table.close(EAST).line

    def test_a_dispute_holds_its_own_strand(self) -> None:
        table = Table()
        for side in GOES:
            table.answer(side, "1")
        table.close(EAST)
        table.answer("ash", "ash")
        table.answer("birch", "birch")
        with pytest.raises(transitions.NotSettled):
            table.close(EAST)
        assert [ask.kind for ask in table.close(WEST).opened] == ["fight"]
        table.one.rule(f"{EAST}/fight/fight/ash+birch", {"it": {"value": "birch"}}, by="x", reason="y", at=AT)
        table.close(EAST)
        assert table.one._state.islands["0101"].owner == "birch"

    def test_how_an_account_was_settled_is_known_after_others_have_closed(self) -> None:
        table = Table()
        for side in GOES:
            table.answer(side, "1")
        table.close(EAST)
        table.close(WEST)
        table.answer("ash", "ash")
        table.close(EAST)  # by ash alone
        table.answer("cedar", "cedar")
        table.answer("dogwood", "cedar")
        table.close(WEST)
        table.close(EAST)
        assert any("Ash has won 0101: one side reported" in text for text in table.words("ash"))


class TestReadiness:
    def test_ready_is_said_of_a_strand(self) -> None:
        both = {"ash": "0101", "birch": "0101", "cedar": "0101", "dogwood": "0102"}
        table = Table(Islands(island=two_flows_steps), both)
        inner, outer = "T1/meet/0101/a", "T1/meet/0101/b"
        assert table.one.strands() == (inner, outer)
        with pytest.raises(ValueError, match="say which strand"):
            table.one.ready("ash", is_ready=True, by="ash", at=AT)
        step = table.one.ready("ash", is_ready=True, by="ash", at=AT, strand=inner)
        assert isinstance(step.entry.body, Readied)
        assert step.entry.body.strand == inner
        assert table.one.is_ready("ash", inner)
        assert not table.one.is_ready("ash", outer)
        assert not table.one.is_ready("ash")
        assert table.one.is_done("ash", inner)
        assert not table.one.is_done("ash")
        table.one.ready("birch", is_ready=True, by="birch", at=AT)
        assert table.one.all_done(inner)
        assert not table.one.all_done(outer)
        assert not table.one.all_done()
        with pytest.raises(transitions.NotOpen):
            table.one.ready("dogwood", is_ready=True, by="dogwood", at=AT)

    def test_who_was_ready_is_not_when_asked_more(self) -> None:
        table = Table()
        for side in GOES:
            table.answer(side, "1")
        table.one.ready("ash", is_ready=True, by="ash", at=AT)
        table.one.ready("cedar", is_ready=True, by="cedar", at=AT)
        table.close(EAST)
        assert not table.one.is_ready("ash")
        assert table.one.is_ready("cedar")

    def test_an_answer_takes_back_the_readiness_of_its_strand_alone(self) -> None:
        both = {"ash": "0101", "birch": "0101", "cedar": "0101", "dogwood": "0102"}
        table = Table(Islands(island=two_flows_steps), both)
        for strand in table.one.strands():
            table.one.ready("ash", is_ready=True, by="ash", at=AT, strand=strand)
        table.answer("ash", "1", of="0101/a")
        assert not table.one.is_ready("ash", "T1/meet/0101/a")
        assert table.one.is_ready("ash", "T1/meet/0101/b")


def two_flows_steps(turn: Any, island_id: str) -> Steps[dict[str, int]]:
    """Ash bargains with two others at once."""
    pairs = {"a": ("ash", "birch"), "b": ("ash", "cedar")}

    def pair_steps(there: Any, key: str) -> Steps[int]:
        yield from there.ask_all_steps([choice("one", side, key, ["0", "1"]) for side in pairs[key]])
        return 0

    yield from turn.parting_steps(pairs, pair_steps)
    turn.state.islands[island_id].owner = "ash"
    return {}


class TestDice:
    def test_dice_depend_on_what_their_own_strand_has_closed_with(self) -> None:
        def wind(east: str, west: str, claim: str = "1") -> list[tuple[int, ...]]:
            found: list[tuple[int, ...]] = []
            for seed in range(6):
                table = Table()
                table.answer("cedar", "0")
                table.answer("ash", claim)
                table.close(WEST, nonce=f"{seed}{west}" * 16)
                found += roll_of(table.close(EAST, nonce=f"{seed}{east}" * 16))
            return found

        assert wind("a", "b") == wind("a", "c"), "another strand moves no dice"
        assert wind("a", "b") != wind("d", "b"), "no roll exists before its sheets have closed"
        assert wind("a", "b") != wind("a", "b", "2")

    def test_dice_after_a_parting_depend_on_what_was_settled_in_it(self) -> None:
        def seal(nonce: str) -> str:
            table = Table()
            table.answer("ash", "1")
            table.answer("cedar", "1")
            table.close(EAST, nonce=nonce)
            table.close(WEST)
            return table.one._shared.dice.seal

        assert seal("a" * 32) != seal("b" * 32)

    def test_a_waiting_card_moves_no_dice(self) -> None:
        def seal(*, noted: bool) -> str:
            goes = {**GOES, "cedar": "0101", "dogwood": "0201"}
            table = Table(Islands(window="decision"), goes, patient=True)
            (card,) = table.one.asks_for("dogwood")
            if noted:
                table.one.answer("dogwood", card.id, {"card": {"noted": True}}, by="x", at=AT)
            table.answer("ash", "1")
            table.close(card.strand, nonce="a" * 32 if noted else "b" * 32)
            table.close(EAST)
            return table.one._shared.dice.seal

        assert seal(noted=True) == seal(noted=False)

    def test_what_is_held_back_and_the_seals_are_in_the_journal_as_a_digest(self) -> None:
        def outcome(nonce: str, claim: str) -> Any:
            table = Table()
            table.answer("ash", claim)
            body = table.close(EAST, nonce=nonce).entry.body
            assert isinstance(body, Closed)
            return body.outcome.strands

        assert outcome("a" * 32, "1") == outcome("a" * 32, "1")
        assert outcome("a" * 32, "1") != outcome("b" * 32, "1")


class TestSecrecy:
    def test_others_hear_when_all_have_ended(self) -> None:
        table = Table()
        table.answer("ash", "1")
        since = len(table.steps)
        table.close(EAST)
        assert "There was talk on 0101." not in table.words("ash", since) + table.words("cedar", since)
        table.answer("cedar", "1")
        table.close(WEST)
        for side in GOES:
            heard = table.words(side, since)
            assert heard.index("There was talk on 0101.") < heard.index("There was talk on 0102.")

    def test_what_is_learnt_in_a_parting_within_a_parting_is_kept(self) -> None:
        table = Table(goes=dict.fromkeys(GOES, "0101"))
        while any(strand for strand in table.one.strands()):
            table.close(table.one.strands()[-1])
        logs = {side: table.one._shared.knowledge[side].logs for side in GOES}
        assert logs["ash"]["bargains"] == ["ash+birch: 0", "ash+cedar: 0", "ash+dogwood: 0"]
        assert logs["cedar"]["bargains"] == ["ash+cedar: 0", "birch+cedar: 0", "cedar+dogwood: 0"]
        assert len(logs["birch"]["rumours"]) == 6

    def test_maps_of_others_wait(self) -> None:
        def shows_all(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            side = "ash" if island_id == "0101" else "cedar"
            if side == "ash":
                turn.show_maps()
            yield from turn.ask_steps(choice("more", side, "More", ["0", "1"]))
            turn.state.islands[island_id].owner = side
            return {}

        table = Table(Islands(island=shows_all))
        assert table.steps[-1].maps_for == ("ash",)
        assert not table.steps[-1].public_map
        assert table.one._shared.strands[EAST].maps_for == {"ash", "birch", "cedar", "dogwood"}
        table.close(EAST)
        step = table.close(WEST)
        assert step.maps_for == ("ash", "birch", "cedar", "dogwood")
        assert step.public_map

    def test_a_bystander_looks_at_what_was_before(self) -> None:
        table = Table(goes={**GOES, "cedar": "0201"})
        before = table.one.public_view(), table.one.view("cedar")
        for side in ("ash", "birch"):
            table.answer(side, "2")
        table.close(EAST)
        for side in ("ash", "birch"):
            table.answer(side, "ash")
        table.close(EAST)
        assert table.one._state.islands["0101"].owner == "ash", "which anybody could see"
        assert table.one.strands() == (EAST,)
        assert (table.one.public_view(), table.one.view("cedar")) == before

    def test_a_strand_asks_and_parts_among_its_parties_only(self) -> None:
        def asks_another(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            yield from turn.ask_steps(choice("more", "cedar", "More", ["0", "1"]))
            return {}

        def parts_with_another(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            yield from turn.parting_steps({"x": ["ash", "cedar"]}, asks_another)
            return {}

        for wrong in (asks_another, parts_with_another):
            with pytest.raises(transitions.RuleFailure) as failed:
                Table(Islands(island=wrong))
            assert isinstance(failed.value.__cause__, Leak)

    def test_time_stands_still_in_a_strand(self) -> None:
        def moves_time(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            turn.set_time(1, 5, "later")
            yield Batch(())
            return {}

        with pytest.raises(transitions.RuleFailure) as failed:
            Table(Islands(island=moves_time))
        assert "cannot move time" in str(failed.value.__cause__)


class TestFlows:
    def test_a_flow_that_is_resumed_with_a_part_of_its_answers_says_so(self) -> None:
        flow = Table().one._flow
        assert flow is not None
        with pytest.raises(LookupError, match="only a part"):
            flow.send({f"{EAST}/claim/ash": Sheet.model_validate({"it": {"value": "1"}})})

    def test_a_window_around_a_flow_that_parts_is_refused(self) -> None:
        def wrapped_steps(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            return (yield from turn.window_steps(two_flows_steps(turn, island_id), "decision"))

        goes = {"ash": "0101", "birch": "0101", "cedar": "0101", "dogwood": "0102"}
        Table(Islands(island=wrapped_steps), goes)
        with pytest.raises(transitions.RuleFailure) as failed:
            Table(Islands(island=wrapped_steps), goes, patient=True)
        assert "windows of its own" in str(failed.value.__cause__)

    def test_an_ask_that_is_made_anew_before_it_closed_is_an_error(self) -> None:
        class Copies(Islands):
            def turn_steps(self, turn: Any) -> Steps[None]:
                flow = super().turn_steps(turn)
                batch = next(flow)
                while True:
                    answers = yield Batch(tuple(ask.named(ask.id, ask.strand) for ask in batch.asks))
                    try:
                        batch = flow.send(answers)
                    except StopIteration:
                        return

        table = Table(Copies())
        with pytest.raises(transitions.RuleFailure) as failed:
            table.close(EAST)
        assert "made anew" in str(failed.value.__cause__)

    def test_what_was_judged_is_judged_again_when_another_strand_has_closed(self) -> None:
        judged: list[str] = []

        def judges(turn: Any, island_id: str) -> Steps[dict[str, int]]:
            side = "ash" if island_id == "0101" else "cedar"
            asked: Ask[Any] = choice("more", side, "More", ["0", "1"])
            check = asked.check
            object.__setattr__(asked, "check", lambda sheet: (judged.append(side), check(sheet))[1])
            yield from turn.ask_steps(asked)
            turn.state.islands[island_id].owner = side
            return {}

        table = Table(Islands(island=judges))
        (ask,) = table.one.asks_for("ash")
        document: dict[str, Any] = {"it": {"value": "1"}}
        table.one.try_answer("ash", ask.id, document)
        table.one.try_answer("ash", ask.id, document)
        assert judged.count("ash") == 1
        table.close(WEST)
        table.one.try_answer("ash", ask.id, document)
        assert judged.count("ash") == 2

    def test_with_fixed_windows_an_idle_side_has_one_card_whatever_happens(self) -> None:
        everywhere = dict(zip(GOES, ("0101", "0102", "0201", "0101"), strict=True))
        nowhere = dict(zip(GOES, ("0101", "0102", "0201", "0201"), strict=True))
        for goes in (everywhere, nowhere):
            table = Table(Islands(window="decision"), goes, patient=True)
            (card,) = table.one.asks_for("birch")
            assert (card.kind, card.strand) == ("waiting", "T1/meet/waiting")
            assert table.one.asks_for("birch") == (card,)
            assert table.one.is_done("birch")
        alone = Table(Islands(window="decision"), {**nowhere, "dogwood": "0101"})
        assert alone.one.asks_for("birch") == (), "windows are not fixed"


# --- the laws of strands, over random play of a small rulebook that parts, and parts again within ---------------------
TURNS = 4
SCENARIO = {"turns": TURNS}


def played(seed: int, *, order: int | None = None, window: bool = False, **how: bool) -> StrandPlay:
    """A whole campaign."""
    chance = None if order is None else Random(f"{seed}/{order}")
    book = Islands(window="decision" if window else None)
    return StrandPlay(book, SCENARIO, seed, order=chance, patient=window, **how).play(TURNS)


@pytest.mark.parametrize("window", [False, True])
def test_the_order_in_which_strands_close_changes_nothing(sweep_seed: int, window: bool) -> None:
    one_by_one = played(sweep_seed, window=window)
    assert one_by_one.adjudicator.ending is not None
    for order in range(3):
        mixed = played(sweep_seed, order=order, window=window, watched=True)
        assert mixed.outcome() == one_by_one.outcome()
        assert mixed.problems == []


def test_play_goes_on_from_the_journal_alone_after_any_closing(sweep_seed: int) -> None:
    assert played(sweep_seed, order=7, rebuilt=True, watched=True).outcome() == played(sweep_seed).outcome()


def test_random_play_parts_and_parts_again_and_disputes() -> None:
    games = [played(seed, order=1) for seed in range(30)]
    assert any(len(game.adjudicator.strands()) == 0 and game.disputes for game in games)
    depths = {strand.count("/") for game in games for strand in game.strands}
    assert len(depths) == 3, "the trunk, islands, and bargains within them"


def test_every_prefix_replays(sweep_seed: int) -> None:
    game = played(sweep_seed, order=2)
    outcomes = {entry.seq: getattr(entry.body, "outcome", None) for entry in game.entries}
    for length in range(1, len(game.entries) + 1, 7):
        head = replay(game.rulebook, game.entries[:length], game.seed)
        outcome = outcomes[length]
        if outcome is not None:
            assert head.checkpoint(outcome.told) == outcome


def test_play_may_go_back_to_between_two_closings(sweep_seed: int) -> None:
    game = played(sweep_seed, order=3)
    within = [entry.seq for entry in game.entries if isinstance(entry.body, Closed) and entry.body.strand]
    for to in within[:: max(1, len(within) // 3)]:
        there = replay(game.rulebook, game.entries[:to], game.seed)
        again, _ = rewind(game.rulebook, game.entries, game.seed, to=to, by="x", reason="again", at=AT)
        assert [ask.id for ask in again.open_asks()] == [ask.id for ask in there.open_asks()]
        assert again.strands() == there.strands()
        for label in there.sides:
            for ask in there.asks_for(label.key):
                assert again.saved(label.key, ask.id) == there.saved(label.key, ask.id)
                assert again.is_ready(label.key, ask.strand) == there.is_ready(label.key, ask.strand)


def test_strands_write_to_their_own_ground_alone() -> None:
    games: list[StrandPlay] = []
    with own_ground(lambda: games[-1].adjudicator._state if games else None) as clashes:
        for seed in range(20):
            games.append(StrandPlay(Islands(), SCENARIO, seed, order=Random(seed)))
            games[-1].play(TURNS)
    assert clashes == []
