"""Sealed dice: what is settled, what was settled before and the nonce of a closing decide its rolls; nothing else."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics import canonical_json, dice
from rules_engine.core.basics.seals import first_seal, next_seal, seal_digest
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.records.journal import Closed, Genesis, JournalEntry, write_entry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay, rewind
from rules_engine.core.running.transitions import Diverged, Snapshot, Transition
from tests.chance import KnownNonces
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState, battle_ask, pick_ask
from tests.expected.kept import cases

AT = "2026-01-01T00:00:00.000+00:00"
FACES = 2**32
FATES = {"red-flag": {"fate": "ok"}, "blue-flag": {"fate": "ok"}}
LOST = {**FATES, "red-flag": {"fate": "destroyed"}}


class Draws(Picks):
    """Each turn everybody picks and fights, with rolls before, between and behind: none of them falls alike twice."""

    key = "draws"

    def turn_steps(self, turn: turn_context.TurnContext[PicksState]) -> asks.Steps[None]:
        """One turn."""
        state = turn.state
        turn.set_time(state.turn, 0, f"Turn {state.turn}")
        for phase in ("wind", "pick", "battle"):
            if phase == "pick":
                yield from turn.at("pick").window_steps(
                    turn.at("pick").ask_all_steps([pick_ask(side) for side in turn.sides]), "orders"
                )
            if phase == "battle":
                yield from turn.at("aside").window_steps(turn.at("aside").ask_all_steps([pick_ask(RED)]), "decision")
                yield from turn.at("battle").ask_steps(battle_ask(state.turn))
            turn.at(phase).roll("chance", faces=FACES)
        state.turn += 1


DRAWS = Draws()


class OtherNonce(KnownNonces):
    """The nonces of that seed, of which that one is another."""

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed)
        self.number = number

    def __call__(self) -> str:
        made = super().__call__()
        if len(self.made) == self.number + 1:
            self.made[-1] = made = made[::-1]
        return made


class Game:
    """A campaign with sealed dice, and its journal. What is answered is the same in each turn but for ``changes``."""

    def __init__(self, nonce: KnownNonces | None = None, turns: int = 3) -> None:
        self.nonce = nonce or KnownNonces(1)
        self.entries: list[JournalEntry] = []
        self.rolls: list[dice.Roll] = []
        self.snapshots: list[Snapshot] = []
        self.adjudicator, step = Adjudicator.open(
            DRAWS, title="Test", scenario={"turns": turns}, seed=SEED, at=AT, nonce=self.nonce()
        )
        self.take(step)

    def take(self, step: Transition) -> Transition:
        """Keep what it gave."""
        self.entries.append(JournalEntry.model_validate_json(step.line))
        self.rolls += step.rolls
        self.snapshots += [] if step.snapshot is None else [step.snapshot]
        return step

    def answer(self, side: str, kind: str, document: Any) -> None:
        """Answer the open ask of that kind."""
        (ask,) = [one for one in self.adjudicator.asks_for(side) if one.kind == kind]
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=AT))

    def close(self, reason: Any = "deadline", **more: Any) -> Transition:
        """Close what is open, with a nonce made now."""
        more = {"nonce": self.nonce(), **more}
        return self.take(self.adjudicator.close(reason, by="clock", at=AT, **more))

    def turn(self, changes: Mapping[str, Any] | None = None, *, order: tuple[str, str] = (RED, BLUE)) -> None:
        """Play a turn; ``changes`` are other answers, None for silence, by what they are to."""
        said = {RED: 3, BLUE: 7, "aside": 2, "account": FATES, "ruling": None, "patient": False, **(changes or {})}
        for side in order:
            if said[side] is not None:
                self.answer(side, "pick", {"fleet": {"number": said[side]}})
        self.close(patient=said["patient"])
        if said["aside"] is not None:
            self.answer(RED, "pick", {"fleet": {"number": said["aside"]}})
        if "noted" in said:
            self.answer(BLUE, "waiting", {"card": {"noted": said["noted"]}})
        self.close(patient=said["patient"])
        for side in order:
            self.answer(side, "battle", said["account"])
        if said["ruling"] is not None:
            (ask,) = self.adjudicator.open_asks()
            self.take(self.adjudicator.rule(ask.id, said["ruling"], by="rita", reason="as seen", at=AT))
        self.close()

    def fell(self) -> dict[str, int]:
        """All rolls so far, by label."""
        fell = {roll.label: roll.total for roll in self.rolls}
        assert len(fell) == len(self.rolls)
        return fell


def played(*turns: Mapping[str, Any], order: tuple[str, str] = (RED, BLUE)) -> Game:
    """Two turns with these changes."""
    game = Game()
    for changes in (*turns, *({},) * (2 - len(turns))):
        game.turn(changes, order=order)
    return game


def differing(one: Game, other: Game) -> set[str]:
    """The labels under which the dice fell otherwise."""
    these, those = one.fell(), other.fell()
    assert these.keys() == those.keys()
    return {label for label, total in these.items() if total != those[label]}


OF_THE_FIRST_TURN = ["T1/wind/chance", "T1/pick/chance", "T1/battle/chance"]
LATER = ["T2/wind/chance", "T2/pick/chance", "T2/battle/chance", "T3/wind/chance"]


class TestWhatASealTakesIn:
    def test_the_same_again_with_the_same_nonces_falls_alike(self) -> None:
        assert sorted(played().fell()) == sorted([*OF_THE_FIRST_TURN, *LATER])
        assert differing(played(), played()) == set()

    @cases("change, since")
    def test_any_one_answer_changes_the_rolls_of_its_closing_and_all_later_ones(
        self, change: dict[str, Any], since: int
    ) -> None:
        assert differing(played(), played(change)) == {*OF_THE_FIRST_TURN[since:], *LATER}

    @pytest.mark.parametrize(("number", "since"), [(0, 0), (1, 1), (2, 2), (3, 2), (4, 4)])
    def test_each_nonce_changes_the_rolls_of_its_closing_and_all_later_ones(self, number: int, since: int) -> None:
        """Behind the aside nothing is rolled, and in the battle's closing the next turn begins."""
        game = Game(OtherNonce(1, number))
        game.turn()
        game.turn()
        assert differing(played(), game) == set([*OF_THE_FIRST_TURN, *LATER][since:])

    def test_a_default_that_was_taken_counts_as_the_same_answer_handed_in(self) -> None:
        assert differing(played({RED: 1}), played({RED: None})) == set()

    def test_a_ruling_counts_as_the_answer_that_it_is(self) -> None:
        assert differing(played({"account": LOST}), played({"ruling": LOST})) == set()

    def test_the_order_in_which_answers_arrive_does_not_count(self) -> None:
        assert differing(played(), played(order=(BLUE, RED))) == set()

    def test_answers_that_were_taken_back_do_not_count(self) -> None:
        game = Game()
        game.answer(RED, "pick", {"fleet": {"number": 9}})
        game.turn()
        game.turn()
        assert differing(played(), game) == set()

    def test_what_is_pressed_on_a_waiting_card_does_not_count(self) -> None:
        waits, noted = ({"patient": True, **more} for more in ({}, {"noted": True}))
        assert differing(played(waits), played(noted)) == set()

    def test_by_hand(self) -> None:
        """Every roll of a turn from the seed, the nonces and the answers alone."""
        game = Game()
        game.turn()
        one, two, three, four = game.nonce.made
        picks = {f"T1/pick/pick/{side}": {"fleet": {"number": number, "note": ""}} for side, number in BOTH}
        seal = first_seal(SEED, one)
        assert game.fell()["T1/wind/chance"] == _die(seal, "T1/wind/chance")
        seal = next_seal(SEED, seal, picks, two)
        assert game.fell()["T1/pick/chance"] == _die(seal, "T1/pick/chance")
        seal = next_seal(SEED, seal, {"T1/aside/pick/red": {"fleet": {"number": 2, "note": ""}}}, three)
        seal = next_seal(SEED, seal, {"T1/battle/battle/red+blue": FATES}, four)
        assert game.fell()["T1/battle/chance"] == _die(seal, "T1/battle/chance")
        assert game.fell()["T2/wind/chance"] == _die(seal, "T2/wind/chance")
        body = game.entries[-1].body
        assert isinstance(body, Closed)
        assert body.outcome.seal == seal_digest(seal)


BOTH = ((RED, 3), (BLUE, 7))


def _die(seal: str, label: str) -> int:
    return 1 + next(dice.keyed_words(SEED, 0, label, 0, seal))


class TestNobodyKnowsBefore:
    def test_all_that_stands_written_before_a_closing_gives_none_of_its_rolls(self) -> None:
        """Whoever has the seed and the whole record, orders included, still needs the nonce."""
        game = Game()
        game.answer(RED, "pick", {"fleet": {"number": 3}})
        game.answer(BLUE, "pick", {"fleet": {"number": 7}})
        known = [entry.line() for entry in game.entries]
        seal = game.adjudicator._shared.dice.seal
        fell = game.close().rolls[0]
        body = game.entries[-1].body
        assert isinstance(body, Closed)
        assert body.nonce is not None
        assert not [line for line in known if body.nonce in line]
        settled = {f"T1/pick/pick/{side}": {"fleet": {"number": number, "note": ""}} for side, number in BOTH}
        guesses = [seal, next_seal(SEED, seal, settled, ""), next_seal(SEED, seal, settled, game.nonce.made[0]), ""]
        assert fell.total not in {_die(guess, fell.label) for guess in guesses}
        assert fell.total == _die(next_seal(SEED, seal, settled, body.nonce), fell.label)

    def test_a_closing_that_is_done_again_brings_other_dice(self) -> None:
        totals: set[int] = set()
        for nonces in range(5):
            game = Game()
            game.nonce = KnownNonces(100 + nonces)  # from here on
            totals.add(game.close().rolls[0].total)
        assert len(totals) == 5

    def test_without_a_nonce_nothing_closes_and_nothing_changes(self) -> None:
        game = Game()
        before = game.adjudicator.checkpoint()
        for wrong in (None, "", "short", "X" * 32, "5e" * 33):
            with pytest.raises(ValueError, match="nonce"):
                game.close(nonce=wrong)
        with pytest.raises(ValidationError):
            Adjudicator.open(DRAWS, title="Test", scenario={"turns": 3}, seed=SEED, at=AT, nonce="")
        assert game.adjudicator.checkpoint() == before
        assert len(game.entries) == 1

    def test_the_seal_itself_is_in_no_entry(self) -> None:
        game = played()
        game.take(game.adjudicator.edit("scores.red", 5, by="rita", reason="x", at=AT))
        written = "\n".join(entry.line() for entry in game.entries)
        seals = {snapshot.seal for snapshot in game.snapshots} | {first_seal(SEED, game.nonce.made[0])}
        assert len(seals) == 3
        assert not [seal for seal in seals if seal in written]
        assert all(seal_digest(seal) in written for seal in seals)


class TestReplay:
    def test_every_prefix_and_every_snapshot_stand_at_the_same_seal(self) -> None:
        game = played()
        game.answer(RED, "pick", {"fleet": {"number": 3}})
        for length in range(1, len(game.entries) + 1):
            again = replay(DRAWS, game.entries[:length], SEED)
            outcome = getattr(game.entries[length - 1].body, "outcome", None)
            assert outcome is None or again.checkpoint(outcome.told) == outcome
        assert len(game.snapshots) == 2
        for snapshot in game.snapshots:
            kept = Snapshot.model_validate_json(snapshot.model_dump_json())
            again = replay(DRAWS, game.entries, SEED, kept)
            assert again.checkpoint() == game.adjudicator.checkpoint()
            nonce = "7" * 32
            goes_on = [
                one.close("deadline", by="clock", at=AT, nonce=nonce).rolls
                for one in (again, replay(DRAWS, game.entries, SEED))
            ]
            assert goes_on[0] == goes_on[1]

    def test_a_snapshot_with_another_seal_or_none_is_noticed(self) -> None:
        game = played()
        for seal in ("", "0" * 64):
            snapshot = game.snapshots[0].model_copy(update={"seal": seal})
            with pytest.raises(Diverged, match="seal"):
                replay(DRAWS, game.entries, SEED, snapshot)

    @pytest.mark.parametrize("nonce", [None, "6" * 32])
    def test_another_nonce_is_noticed_even_with_fresh_hashes_and_where_nothing_is_rolled(self, nonce: str | None):
        game = Game()
        game.close()
        before = len(game.entries)
        game.close()  # the aside: nothing is rolled
        body = game.entries[before].body
        assert isinstance(body, Closed)
        forged = body.model_copy(update={"nonce": nonce})
        entry, _ = write_entry(game.entries[before - 1], forged, at=AT, seed=SEED)
        with pytest.raises(Diverged, match="nonce" if nonce is None else "seal") as diverged:
            replay(DRAWS, [*game.entries[:before], entry], SEED)
        assert diverged.value.seq == before + 1

    def test_a_nonce_in_a_campaign_without_seals_is_noticed(self) -> None:
        adjudicator, begun = Adjudicator.open(DRAWS, title="Test", scenario={"turns": 3}, seed=SEED, at=AT)
        closed = adjudicator.close("deadline", by="clock", at=AT).entry
        assert isinstance(closed.body, Closed)
        forged = closed.body.model_copy(update={"nonce": "6" * 32})
        entry, _ = write_entry(begun.entry, forged, at=AT, seed=SEED)
        with pytest.raises(Diverged, match="nonce"):
            replay(DRAWS, [begun.entry, entry], SEED)

    def test_another_beginning_is_noticed(self) -> None:
        first = Game().entries[0].body
        assert isinstance(first, Genesis)
        for nonce in (None, "6" * 32):
            entry, _ = write_entry(None, first.model_copy(update={"nonce": nonce}), at=AT, seed=SEED)
            with pytest.raises(Diverged):
                replay(DRAWS, [entry], SEED)


class TestGoingBackAndCorrecting:
    def test_after_a_rewind_the_seal_is_that_of_the_entry_gone_back_to(self) -> None:
        game = played()
        for to in [entry.seq for entry in game.entries]:
            there = replay(DRAWS, game.entries[:to], SEED)
            back, step = rewind(DRAWS, game.entries, SEED, to=to, by="rita", reason="x", at=AT)
            assert back._shared.dice.seal == there._shared.dice.seal
            entries = [*game.entries, step.entry]
            for ask in back.open_asks():
                if ask.kind == "battle":
                    entries.append(back.rule(ask.id, FATES, by="rita", reason="x", at=AT).entry)
                    there.rule(ask.id, FATES, by="rita", reason="x", at=AT)
            nonce = "7" * 32
            closed = back.close("referee", by="rita", at=AT, nonce=nonce)
            entries.append(closed.entry)
            assert replay(DRAWS, entries, SEED).checkpoint() == back.checkpoint()
            other = there.close("referee", by="rita", at=AT, nonce=nonce)
            assert [roll.label for roll in closed.rolls] == [roll.label for roll in other.rolls]
            assert not {roll.total for roll in closed.rolls} & {roll.total for roll in other.rolls}, "another branch"

    def test_a_snapshot_behind_a_rewind_goes_on_with_its_seal(self) -> None:
        game = played()
        back, step = rewind(DRAWS, game.entries, SEED, to=2, by="rita", reason="x", at=AT)
        game.adjudicator = back
        game.take(step)
        game.snapshots.clear()
        game.turn({RED: 8})
        game.close()
        again = replay(DRAWS, game.entries, SEED, game.snapshots[-1])
        assert again.checkpoint() == game.adjudicator.checkpoint()
        assert again.branch == 1

    def test_a_correction_leaves_the_seal_and_is_replayed(self) -> None:
        game, plain = Game(), Game()
        game.take(game.adjudicator.edit("scores.red", 5, by="rita", reason="x", at=AT))
        game.turn()
        plain.turn()
        assert differing(game, plain) == set()
        assert replay(DRAWS, game.entries, SEED).checkpoint() == game.adjudicator.checkpoint()


class TestWithoutSeals:
    def test_campaigns_of_before_are_spelt_as_ever_and_keep_their_dice(self) -> None:
        adjudicator, begun = Adjudicator.open(DRAWS, title="Test", scenario={"turns": 1}, seed=SEED, at=AT)
        steps = [begun]
        steps += [adjudicator.close("deadline", by="clock", at=AT, nonce="6" * 32) for _ in range(2)]
        assert not [step.line for step in steps if '"nonce"' in step.line or '"seal"' in step.line]
        for roll in [roll for step in steps for roll in step.rolls]:
            assert roll.total == _die("", roll.label)
        assert replay(DRAWS, [step.entry for step in steps], SEED).checkpoint() == adjudicator.checkpoint()

    def test_snapshots_of_before_are_read_and_spelt_as_ever(self) -> None:
        adjudicator, begun = Adjudicator.open(DRAWS, title="Test", scenario={"turns": 2}, seed=SEED, at=AT)
        steps = [begun, *(adjudicator.close("deadline", by="clock", at=AT) for _ in range(2))]
        battle = {
            side: adjudicator.answer(side, "T1/battle/battle/red+blue", FATES, by=side, at=AT) for side, _ in BOTH
        }
        steps += [*battle.values(), adjudicator.close("deadline", by="clock", at=AT)]
        snapshot = steps[-1].snapshot
        assert b"seal" not in canonical_json.canonical(snapshot)
        entries = [step.entry for step in steps]
        again = replay(DRAWS, entries, SEED, Snapshot.model_validate_json(snapshot.model_dump_json()))
        assert again.checkpoint() == adjudicator.checkpoint()
        assert again._shared.dice.draw("x", 0, dice.Die(FACES), 1) == (_die("", "x"),)
