"""A tracked battle to which nobody says anything: how long that is counted, and what the clock may do about it."""

import pytest

from rules_engine.core.running.tracking import TrackingNow
from tests.core.small_rulebook import BLUE, RED
from tests.core.tracking.test_tracked_battles import AT, Table, begun, tracked
from tests.toy_tracker import TRACKER


@pytest.fixture
def table() -> Table:
    table = Table()
    table.meet()
    return begun(table)


def now(table: Table):
    return table.campaign.tracking(table.battle)


def say_something(table: Table, what: str) -> None:
    ask = next(ask for ask in table.campaign.asks_for(BLUE) if ask.beside)
    match what:
        case "plot":
            table.answer(BLUE, ask.id, {"ship": {"by": 3}})
        case "ready":
            table.note(table.campaign.ready(BLUE, is_ready=True, by=BLUE, at=AT, strand=table.strand))
        case "not ready":
            table.note(table.campaign.ready(BLUE, is_ready=False, by=BLUE, at=AT, strand=table.strand))
        case "wish":
            table.wish(BLUE, "pause")
        case "wish taken back":
            table.wish(BLUE, "pause", wanted=False)


@pytest.mark.parametrize("what", ["plot", "ready", "not ready", "wish", "wish taken back"])
def test_pieces_without_a_word_are_counted_and_any_word_begins_anew(table: Table, what: str):
    assert now(table).is_flown
    for silent in (1, 2):
        table.close(table.strand)
        assert now(table).silent == silent
        assert not now(table).is_flown
    say_something(table, what)
    assert now(table).silent == 0
    assert now(table).is_flown
    table.close(table.strand)
    assert now(table).silent == 0
    assert now(table).is_flown, "there was a word in that piece"
    table.close(table.strand)
    assert now(table).silent == 1


def test_a_word_elsewhere_is_none_in_the_battle(table: Table):
    table.close(table.strand)
    table.answer(RED, table.battle, {f"{RED}-flag": {"fate": "ok"}, f"{BLUE}-flag": {"fate": "ok"}})
    assert now(table).silent == 1


def test_what_is_taken_back_begins_the_counting_anew(table: Table):
    table.fly()
    table.close(table.strand)
    for side in (RED, BLUE):
        table.wish(side, "undo")
    assert now(table).silent == 0
    table.close(table.strand)
    assert now(table).silent == 1, "the wish was of the piece that is gone"


def test_the_clock_pauses_it_and_a_word_of_one_lets_it_run(table: Table):
    table.close(table.strand)
    table.close(table.strand)
    paused = table.note(table.campaign.track("", table.battle, "pause", by="clock", at=AT))
    assert paused.deeds[0].did == "fallen silent"
    assert now(table).is_paused
    assert not now(table).is_flown
    assert table.wish(BLUE, "go on").deeds[0].did == "gone on"
    assert now(table).is_flown


def test_a_battle_that_all_pause_is_not_flown_meanwhile(table: Table):
    for side in (RED, BLUE):
        done = table.wish(side, "pause")
    assert done.deeds[0].did == "paused"
    assert not now(table).is_flown


def asks_again(steps):
    """A tracker that must know something: it asks again until one side has said it."""

    def again(self, turn, battle):
        answers = yield from turn.ask_all_steps([self._ask(turn.state, side) for side in turn.in_play])
        turn.state.place += sum(line.by for answer in answers for line in answer.root.values())

    return again


def test_what_stands_still_is_let_go_of(table: Table, monkeypatch: pytest.MonkeyPatch):
    table.close(table.strand)
    assert not now(table).stands_still, "it was flown"
    monkeypatch.setattr(type(TRACKER), "steps", asks_again(TRACKER.steps))
    table.fly()
    assert not now(table).stands_still
    table.close(table.strand)
    assert now(table).stands_still
    dropped = table.note(table.campaign.track("", table.battle, "drop", by="clock", at=AT))
    assert dropped.deeds[0].did == "let go"
    assert not now(table).runs


def test_a_tracker_that_the_clock_lets_go_of_for_another_reason_is_dropped(table: Table):
    table.close(table.strand)
    assert table.campaign.track("", table.battle, "drop", by="clock", at=AT).deeds[0].did == "dropped"


def test_a_restart_knows_how_long_nobody_said_anything(table: Table):
    say_something(table, "plot")
    for _ in range(3):
        table.close(table.strand)
    table.note(table.campaign.track("", table.battle, "pause", by="clock", at=AT))
    table.wish(RED, "go on")
    for side in (BLUE, RED):
        table.wish(side, "undo")
    table.close(table.strand)
    say_something(table, "ready")
    table.close(table.strand, "all ready")
    table.close(table.strand)
    done = table.done
    for length in range(1, len(done) + 1):
        table.done = done[:length]
        assert tracked(table.again(table.rests())) == tracked(table.again())
    assert tracked(table.again(table.rests())) == tracked(table.campaign)


def test_a_battle_is_flown_while_somebody_says_something():
    now = TrackingNow(runs=True)
    assert now.is_flown
    for change in ({"silent": 1}, {"is_paused": True}, {"is_over": True}, {"runs": False}):
        assert not now._replace(**change).is_flown
