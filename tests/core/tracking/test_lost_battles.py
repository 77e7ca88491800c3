"""Tracked battles that go on by hand: the tracker is another one now, or the book fails to describe them."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running import adjudicator, transitions
from rules_engine.core.running.replay import replay, resumed, rewind
from rules_engine.core.tactics import describing
from rules_engine.core.tactics.describing import described
from rules_engine.core.tactics.tactics import Tactics
from tests.core.small_rulebook import BLUE, RED, SEED, Picks, PicksState
from tests.core.tracking.test_tracked_battles import AT, Table, begun, table, tracked, whole
from tests.expected.kept import cases
from tests.toy_tracker import BATTLE, TRACKER, Flown

__all__ = ["table"]
STEPS = TRACKER.steps


def flies_further(_: Any, turn: Any, battle: Any) -> Any:
    """Another version of the rules: who flies on turn 2 comes a hex further."""
    yield from STEPS(turn, battle)
    turn.state.place += turn.state.turn == 2


def asks_otherwise(_: Any, turn: Any, battle: Any) -> Any:
    """One that cannot fly on at all."""
    raise ZeroDivisionError


def patched(monkeypatch: pytest.MonkeyPatch, steps: Callable[..., Any]) -> None:
    monkeypatch.setattr(type(TRACKER), "steps", steps)


def taken_up(of: Table, rests: Any = ()) -> adjudicator.Adjudicator[PicksState]:
    """The campaign as the bot takes it up."""
    entries = [JournalEntry.model_validate_json(one.line) for one in of.done]
    return resumed(Picks(), entries, SEED, tracker=TRACKER, rests=rests)


def flown(of: Table, turns: int = 3) -> Table:
    begun(of)
    for _ in range(turns):
        of.fly()
    return of


def let_go(of: Table) -> Table:
    """Taken up, and its battle let go of."""
    of.campaign = taken_up(of)
    of.note(of.campaign.let_go(of.battle, by="clock", at=AT))
    return of


@cases("steps, is_kept", "", made="steps")
def test_a_battle_that_does_not_come_out_again_is_lost_and_play_stands(
    table: Table, monkeypatch: pytest.MonkeyPatch, steps: Any, is_kept: bool
):
    flown(table)
    before, battle = table.campaign, table.battle
    rests = table.rests() if is_kept else ()
    patched(monkeypatch, steps)
    with pytest.raises(transitions.TrackerDiverged) as diverged:
        table.again()
    assert diverged.value.ask == battle
    campaign = taken_up(table, rests)
    assert campaign.lost_battles() == (battle,)
    assert campaign.digest() == before.digest()
    assert [ask.id for ask in campaign.open_asks()] == [ask.id for ask in before.open_asks() if not ask.beside]
    assert campaign.checkpoint().reports == before.checkpoint().reports
    assert campaign.checkpoint().rolls == before.checkpoint().rolls == 2
    assert not campaign.tracking(battle).runs


def test_nothing_else_is_done_before_it_is_let_go_of(table: Table, monkeypatch: pytest.MonkeyPatch):
    flown(table)
    own = {ask.id for ask in table.campaign.open_asks() if ask.beside}
    with pytest.raises(transitions.NotOpen):
        table.campaign.let_go(table.battle, by="clock", at=AT)
    patched(monkeypatch, flies_further)
    table.campaign = taken_up(table)
    with pytest.raises(RuntimeError, match="let go of first"):
        table.wish(RED, "begin")
    done = table.note(table.campaign.let_go(table.battle, by="clock", at=AT))
    assert [one.did for one in done.deeds] == ["lost"]
    assert set(done.closed) == own
    assert not done.opened
    assert table.campaign.lost_battles() == ()
    assert table.accounts(), "it goes on by hand"


def test_a_battle_kept_at_rest_is_played_from_the_record_if_it_cannot_be_read_any_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
):
    flown(table)
    (rest,) = table.rests()
    assert tracked(taken_up(table, [rest.model_copy(update={"rests": ({"sails": 3},)})])) == tracked(table.campaign)
    played: list[str] = []

    def noted(_: Any, turn: Any, battle: Any) -> Any:
        played.append(turn.place)
        return STEPS(turn, battle)

    patched(monkeypatch, noted)
    assert tracked(taken_up(table, [rest])) == tracked(table.campaign)
    assert len(played) == 1, "what can be read is used"


def test_once_let_go_of_it_is_no_more_played_and_can_be_tracked_anew(table: Table, monkeypatch: pytest.MonkeyPatch):
    flown(table)
    rests = table.rests()
    named = {ask.id for each in table.done for ask in each.opened}
    with monkeypatch.context() as changed:
        patched(changed, flies_further)
        let_go(table)
        again = taken_up(table, rests)
        assert again.lost_battles() == ()
        assert again.checkpoint() == table.campaign.checkpoint()
        begun(table)
        fresh = {ask.id for each in table.done[-2:] for ask in each.opened}
        assert len(fresh) == 2
        assert not fresh & named
        table.fly(4, 4)
        assert tracked(taken_up(table)) == tracked(table.campaign)
        assert tracked(taken_up(table, table.rests())) == tracked(table.campaign)
        table.fly(1, 1)
    # With the tracker by which it was flown first that part comes out again; the new part, flown otherwise, does not.
    with pytest.raises(transitions.TrackerDiverged) as diverged:
        table.again()
    assert diverged.value.seq == table.done[-1].entry.seq
    assert taken_up(table).lost_battles() == (table.battle,)


def test_a_battle_let_go_of_comes_out_as_recorded_with_the_tracker_that_flew_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
):
    flown(table)
    with monkeypatch.context() as changed:
        patched(changed, flies_further)
        let_go(table)
    assert tracked(table.again()) == tracked(table.campaign)
    table.accounts()
    assert tracked(table.again()) == tracked(table.campaign)


def test_one_that_has_ended_is_not_played_again_at_all(monkeypatch: pytest.MonkeyPatch):
    table = whole(sealed=True)
    rests = table.rests()
    table.accounts()
    tried: list[str] = []

    def noted(_: Any, turn: Any, battle: Any) -> Any:
        tried.append(turn.place)
        raise ZeroDivisionError

    patched(monkeypatch, noted)
    with pytest.raises(transitions.TrackerDiverged):
        table.again()
    tried.clear()
    for kept in ((), rests):
        campaign = taken_up(table, kept)
        assert not tried
        assert campaign.lost_battles() == ()
        assert campaign.checkpoint() == table.campaign.checkpoint()


def test_one_that_was_dropped_is_lost_too_as_nobody_knows_where_its_counting_stood(
    table: Table, monkeypatch: pytest.MonkeyPatch
):
    flown(table)
    table.wish(BLUE, "drop")
    patched(monkeypatch, flies_further)
    assert not let_go(table).done[-1].closed
    assert tracked(taken_up(table)) == tracked(table.campaign)


def test_plots_that_the_rules_take_no_more_are_no_harm_either(table: Table, monkeypatch: pytest.MonkeyPatch):
    begun(table)
    ask = next(ask for ask in table.campaign.asks_for(RED) if ask.beside)
    table.answer(RED, ask.id, {"ship": {"by": 4}})

    def refuses(state: Flown, side: str) -> Any:
        made = own(state, side)

        def check(_: Any) -> Any:
            raise KeyError(side)

        return made if side == BLUE else type(made)(**{**vars(made), "check": check})

    own = TRACKER._ask
    monkeypatch.setattr(type(TRACKER), "_ask", staticmethod(refuses))
    assert taken_up(table).lost_battles() == (table.battle,)


def test_what_play_itself_did_must_still_come_out_as_recorded(table: Table, monkeypatch: pytest.MonkeyPatch):
    flown(table)
    table.accounts()
    entries = table.entries
    assert resumed(Picks(), entries, SEED, tracker=TRACKER)
    own = Picks.turn_steps

    def turn_steps(book: Picks, turn: Any) -> Any:
        yield from own(book, turn)
        turn.state.secret_die += 1

    monkeypatch.setattr(Picks, "turn_steps", turn_steps)
    with pytest.raises(transitions.Diverged) as diverged:
        resumed(Picks(), entries, SEED, tracker=TRACKER)
    assert not isinstance(diverged.value, transitions.TrackerDiverged)
    assert diverged.value.seq == entries[-1].seq


def test_the_referee_goes_back_to_where_a_battle_cannot_be_played(table: Table, monkeypatch: pytest.MonkeyPatch):
    flown(table)
    to = table.done[-1].entry.seq
    table.accounts()
    with monkeypatch.context() as changed:
        patched(changed, flies_further)
        table.campaign, back = rewind(
            Picks(), table.entries, SEED, to=to, by="ref", reason="test", at=AT, tracker=TRACKER
        )
        table.note(back)
        assert table.campaign.lost_battles() == (table.battle,)
        table.note(table.campaign.let_go(table.battle, by="clock", at=AT))
        assert tracked(taken_up(table)) == tracked(table.campaign)
    assert tracked(table.again()) == tracked(table.campaign), "the tracker is as before: all of it is played"
    assert replay(Picks(), table.entries, SEED, tracker=TRACKER, passing={table.battle: to}).lost_battles() == ()


# --- a battle of which its book fails to say how it is flown: it is played by hand, and halts nothing -----------------
SECRET = "the flagship hides in 0303"


def fails() -> Tactics:
    raise KeyError(SECRET)


def test_a_description_is_handed_on():
    tactics = Tactics(BATTLE, lambda _: {})
    assert described(lambda: tactics) == (tactics, "")
    assert described(lambda: None) == (None, "")


def test_one_that_fails_says_where_and_nothing_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(describing, "_GUARDED", True)
    found = described(fails)
    assert found.tactics is None
    assert found.untracked.startswith("KeyError at test_lost_battles.py:")
    assert found.untracked.endswith(" in fails")
    assert SECRET not in found.untracked


def test_tests_see_it():
    with pytest.raises(KeyError):
        described(fails)


def test_it_is_let_pass_where_it_ships():
    with open(describing.__file__, encoding="utf-8") as source:
        assert "\n_GUARDED = True\n" in source.read()
