"""Tracked battles as the record tells them: their film, and those in which nobody says anything."""

from typing import Any

import pytest

from rules_engine.core.records.journal import Broken, JournalEntry
from rules_engine.core.running import adjudicator, tracking
from rules_engine.core.running.moments import FlownBattle, flown_battle, is_film_due
from rules_engine.core.running.replay import rewind
from tests.core.small_rulebook import BLUE, RED, SEED, Picks
from tests.core.tracking.test_tracked_battles import AT, Table, begun, table, tracked
from tests.toy_tracker import TRACKER, ToyTracker

__all__ = ["table"]


def flown(table: Table, battle: str, **more: Any) -> FlownBattle | None:
    """A battle as the record tells it."""
    entries = [JournalEntry.model_validate_json(one.line) for one in table.done]
    return flown_battle(Picks(), entries, SEED, battle, **{"tracker": TRACKER, **more})


def moments(found: FlownBattle | None) -> list[tuple[int, str]]:
    """The turn of each scene, and where all stood; no two scenes that follow on each other are alike."""
    assert found is not None
    return [(scene.turn, scene.units[0].hex) for scene in found.scenes]


def all_wish(table: Table, wish: Any) -> None:
    for side in (RED, BLUE):
        table.wish(side, wish)


def back_to(table: Table, seq: int) -> None:
    """The referee goes back to an entry."""
    table.campaign, step = rewind(Picks(), table.entries, SEED, to=seq, by="ref", reason="test", at=AT, tracker=TRACKER)
    table.note(step)


def ended(table: Table) -> int:
    """Both report alike: the entry with which the battle closes."""
    return table.accounts().entry.seq


def test_the_set_up_and_the_end_of_each_piece_are_in_it(table: Table) -> None:
    begun(table)
    for _ in range(3):
        table.fly()
    battle = table.battle
    table.accounts()
    found = flown(table, battle)
    assert moments(found) == [(0, "5050"), (1, "5350"), (2, "5650"), (3, "5950")]
    assert found is not None
    assert (found.parties, found.key, found.turns) == ((RED, BLUE), "t1", 3)


def test_it_is_what_all_parties_saw_then(table: Table) -> None:
    """The scene that was posted, or a new look at it where one was taken back."""
    seen = [begun(table).campaign.common_tactical_view(table.battle).board.tactical]
    for by in (1, 4, 2):
        assert table.fly(by, by).pictures == (table.battle,)
        seen.append(table.campaign.common_tactical_view(table.battle).board.tactical)
    found = flown(table, table.battle)
    assert found is not None
    assert list(found.scenes) == seen
    assert flown(table, "T9/none") is None, "of another nothing is told"


def test_a_rest_that_nobody_was_shown_is_not_in_it_and_can_be_gone_back_to() -> None:
    class Dark(ToyTracker):
        def steps(self, turn: Any, battle: Any) -> Any:
            yield from super().steps(turn, battle)
            if turn.state.turn == 2:
                turn.shared.maps_for.clear()

    tracker = Dark()
    table = Table(tracker)
    table.meet()
    begun(table)
    for _ in range(3):
        table.fly()
    assert moments(flown(table, table.battle, tracker=tracker)) == [(0, "5050"), (1, "5350"), (3, "5950")]
    all_wish(table, "undo")
    assert moments(flown(table, table.battle, tracker=tracker)) == [(0, "5050"), (1, "5350"), (2, "5650")]


def test_what_was_taken_back_is_not_in_it(table: Table) -> None:
    begun(table)
    for _ in range(3):
        table.fly()
    for _ in range(2):
        all_wish(table, "undo")
    assert moments(flown(table, table.battle)) == [(0, "5050"), (1, "5350")]
    table.fly(4, 4)
    found = flown(table, table.battle)
    assert moments(found) == [(0, "5050"), (1, "5350"), (2, "6150")]
    assert found is not None
    assert found.turns == 2


def test_all_of_it_may_be_taken_back(table: Table) -> None:
    begun(table)
    table.fly()
    all_wish(table, "undo")
    found = flown(table, table.battle)
    assert moments(found) == [(0, "5050")]
    assert found is not None
    assert found.turns == 0


def test_several_rests_of_one_closing_are_taken_back_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the second turn nobody is asked on the third: two rests come of one closing, and the undo of one of them
    goes back to what nobody was shown apart."""

    class Drifting(ToyTracker):
        def steps(self, turn: Any, battle: Any) -> Any:
            if turn.state.turn == 2:
                turn.state.turn, turn.state.place = 3, turn.state.place + 10
                turn.show_maps()
                return
            yield from super().steps(turn, battle)

    tracker = Drifting()
    table = Table(tracker)
    table.meet()
    begun(table)
    table.fly()
    table.fly()
    assert moments(flown(table, table.battle, tracker=tracker)) == [(0, "5050"), (1, "5350"), (3, "6650")]
    all_wish(table, "undo")
    # From the second turn's end it drifts on to the third's again, as nobody is asked there.
    assert moments(flown(table, table.battle, tracker=tracker)) == [(0, "5050"), (1, "5350"), (3, "6650")]


def test_a_battle_set_up_anew_begins_its_film_anew_and_one_taken_up_late_goes_on(table: Table) -> None:
    begun(table)
    for _ in range(2):
        table.fly()
    table.wish(BLUE, "drop")
    found = flown(table, table.battle)
    assert moments(found) == [(0, "5050"), (1, "5350"), (2, "5650")]
    assert found is not None
    assert found.turns == 2, "what was flown before it was dropped was flown"
    all_wish(table, "begin late")
    table.fly(4, 4)
    found = flown(table, table.battle)
    assert moments(found) == [(0, "5050"), (1, "5350"), (2, "5650"), (0, "5050"), (1, "5850")]
    assert found is not None
    assert found.turns == 3, "each part for itself"
    table.wish(BLUE, "drop")
    all_wish(table, "begin")
    table.fly(2, 2)
    found = flown(table, table.battle)
    assert moments(found) == [(0, "5050"), (1, "5450")]
    assert found is not None
    assert found.turns == 1


def test_who_was_there_before_it_began_is_not_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions that were typed in and objected to: nobody is there any more, and they are typed in anew. When all are
    destroyed at its end nobody is there either, and that is how it ended."""

    class Objecting(ToyTracker):
        def _board(self, state: Any, battle: Any, heading: str) -> Any:  # type: ignore[override]
            board = ToyTracker._board(state, battle, heading)
            nobody = state.place in (2, 9)
            scene = board.tactical.with_values(units=()) if nobody else board.tactical
            return board.model_copy(update={"tactical": scene})

        def turn_of(self, state: Any) -> int:
            return 0 if state.place <= 2 else state.turn

    tracker = Objecting()
    table = Table(tracker)
    table.meet()
    begun(table)
    for by in (1, 1, 1, 2):
        table.fly(by, 0)
    assert moments(flown(table, table.battle, tracker=tracker)) == [(3, "5350"), (4, "5550")]
    table.fly(4, 0)
    found = flown(table, table.battle, tracker=tracker)
    assert found is not None
    assert [(scene.turn, len(scene.units)) for scene in found.scenes] == [(3, 2), (4, 2), (5, 0)]
    assert found.turns == 2


def test_there_is_none_of_a_battle_that_was_not_tracked(table: Table) -> None:
    battle = table.battle
    table.wish(RED, "begin")
    done = table.accounts()
    assert done.fought == ()
    assert flown(table, battle) is None
    assert not is_film_due(table.entries, "T9/none", done.entry.seq)


@pytest.mark.parametrize("how", ["tracked", "dropped"])
@pytest.mark.parametrize("from_rests", [False, True])
def test_the_end_of_a_battle_says_that_it_was_tracked(table: Table, how: str, from_rests: bool) -> None:
    """Also after a restart, and if it was dropped; never of one that is still open."""
    begun(table)
    assert table.fly().fought == ()
    if how == "dropped":
        assert table.wish(RED, "drop").fought == ()
    table.campaign, battle = table.again(table.rests() if from_rests else ()), table.battle
    assert [ask.id for ask in table.accounts().fought] == [battle]


def test_it_can_be_told_from_the_last_snapshot_on(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table()
    table.meet()
    begun(table)
    table.fly()
    table.accounts()
    table.meet()
    begun(table)
    table.fly(4, 4)
    battle, snapshot = table.battle, next(one.snapshot for one in reversed(table.done) if one.snapshot is not None)
    table.accounts()
    whole = flown(table, battle)
    assert moments(whole) == [(0, "5050"), (1, "5850")]
    repeated: list[int] = []
    repeat = adjudicator.Adjudicator.repeat

    def noting(campaign: Any, entry: JournalEntry) -> Any:
        repeated.append(entry.seq)
        return repeat(campaign, entry)

    monkeypatch.setattr(adjudicator.Adjudicator, "repeat", noting)
    assert flown(table, battle, snapshot=snapshot) == whole
    assert repeated == [entry.seq for entry in table.entries if entry.seq > snapshot.seq]
    with pytest.raises(Broken):
        flown(table, battle, snapshot=snapshot.model_copy(update={"seq": 10_000}))


# --- what a rewind does to it -----------------------------------------------------------------------------------------
def test_what_a_rewind_cut_off_is_not_in_it_and_the_other_end_is_told(table: Table) -> None:
    begun(table)
    first = table.fly().entry.seq
    table.fly()
    battle, old = table.battle, ended(table)
    assert is_film_due(table.entries, battle, old)
    back_to(table, first)
    assert not is_film_due(table.entries, battle, old), "its second turn is void"
    table.fly(4, 4)
    new = ended(table)
    assert not is_film_due(table.entries, battle, old)
    assert is_film_due(table.entries, battle, new)
    assert moments(flown(table, battle)) == [(0, "5050"), (1, "5350"), (2, "6150")]


def test_a_battle_whose_end_alone_is_taken_back_has_had_its_film(table: Table) -> None:
    begun(table)
    last = table.fly().entry.seq
    battle, old = table.battle, ended(table)
    back_to(table, last)
    assert is_film_due(table.entries, battle, old), "all of it stands, however late it leaves"
    again = ended(table)
    assert is_film_due(table.entries, battle, old)
    assert not is_film_due(table.entries, battle, again), "nothing is told twice"
    back_to(table, last)
    table.fly()
    longer = ended(table)
    assert is_film_due(table.entries, battle, longer), "it went on"
    back_to(table, last)
    once_more = ended(table)
    assert not is_film_due(table.entries, battle, once_more), "as it was told at first"


def test_a_battle_that_is_void_has_none(table: Table) -> None:
    before = table.done[-1].entry.seq
    begun(table)
    table.fly()
    battle, old = table.battle, ended(table)
    back_to(table, before)
    assert not is_film_due(table.entries, battle, old)
    by_hand = ended(table)
    assert not is_film_due(table.entries, battle, by_hand), "nobody tracked it"
    assert flown(table, battle) is None


# --- a tracked battle to which nobody says anything: how long that is counted, and what the clock may do about it -----
@pytest.fixture
def silent_table() -> Table:
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
def test_pieces_without_a_word_are_counted_and_any_word_begins_anew(silent_table: Table, what: str):
    assert now(silent_table).is_flown
    for silent in (1, 2):
        silent_table.close(silent_table.strand)
        assert now(silent_table).silent == silent
        assert not now(silent_table).is_flown
    say_something(silent_table, what)
    assert now(silent_table).silent == 0
    assert now(silent_table).is_flown
    silent_table.close(silent_table.strand)
    assert now(silent_table).silent == 0
    assert now(silent_table).is_flown, "there was a word in that piece"
    silent_table.close(silent_table.strand)
    assert now(silent_table).silent == 1


def test_a_word_elsewhere_is_none_in_the_battle(silent_table: Table):
    silent_table.close(silent_table.strand)
    silent_table.answer(RED, silent_table.battle, {f"{RED}-flag": {"fate": "ok"}, f"{BLUE}-flag": {"fate": "ok"}})
    assert now(silent_table).silent == 1


def test_what_is_taken_back_begins_the_counting_anew(silent_table: Table):
    silent_table.fly()
    silent_table.close(silent_table.strand)
    for side in (RED, BLUE):
        silent_table.wish(side, "undo")
    assert now(silent_table).silent == 0
    silent_table.close(silent_table.strand)
    assert now(silent_table).silent == 1, "the wish was of the piece that is gone"


def test_the_clock_pauses_it_and_a_word_of_one_lets_it_run(silent_table: Table):
    silent_table.close(silent_table.strand)
    silent_table.close(silent_table.strand)
    paused = silent_table.note(silent_table.campaign.track("", silent_table.battle, "pause", by="clock", at=AT))
    assert paused.deeds[0].did == "fallen silent"
    assert now(silent_table).is_paused
    assert not now(silent_table).is_flown
    assert silent_table.wish(BLUE, "go on").deeds[0].did == "gone on"
    assert now(silent_table).is_flown


def test_a_battle_that_all_pause_is_not_flown_meanwhile(silent_table: Table):
    for side in (RED, BLUE):
        done = silent_table.wish(side, "pause")
    assert done.deeds[0].did == "paused"
    assert not now(silent_table).is_flown


def asks_again(steps):
    """A tracker that must know something: it asks again until one side has said it."""

    def again(self, turn, battle):
        answers = yield from turn.ask_all_steps([self._ask(turn.state, side) for side in turn.in_play])
        turn.state.place += sum(line.by for answer in answers for line in answer.root.values())

    return again


def test_what_stands_still_is_let_go_of(silent_table: Table, monkeypatch: pytest.MonkeyPatch):
    silent_table.close(silent_table.strand)
    assert not now(silent_table).stands_still, "it was flown"
    monkeypatch.setattr(type(TRACKER), "steps", asks_again(TRACKER.steps))
    silent_table.fly()
    assert not now(silent_table).stands_still
    silent_table.close(silent_table.strand)
    assert now(silent_table).stands_still
    dropped = silent_table.note(silent_table.campaign.track("", silent_table.battle, "drop", by="clock", at=AT))
    assert dropped.deeds[0].did == "let go"
    assert not now(silent_table).runs


def test_a_tracker_that_the_clock_lets_go_of_for_another_reason_is_dropped(silent_table: Table):
    silent_table.close(silent_table.strand)
    assert silent_table.campaign.track("", silent_table.battle, "drop", by="clock", at=AT).deeds[0].did == "dropped"


def test_a_restart_knows_how_long_nobody_said_anything(silent_table: Table):
    say_something(silent_table, "plot")
    for _ in range(3):
        silent_table.close(silent_table.strand)
    silent_table.note(silent_table.campaign.track("", silent_table.battle, "pause", by="clock", at=AT))
    silent_table.wish(RED, "go on")
    for side in (BLUE, RED):
        silent_table.wish(side, "undo")
    silent_table.close(silent_table.strand)
    say_something(silent_table, "ready")
    silent_table.close(silent_table.strand, "all ready")
    silent_table.close(silent_table.strand)
    done = silent_table.done
    for length in range(1, len(done) + 1):
        silent_table.done = done[:length]
        assert tracked(silent_table.again(silent_table.rests())) == tracked(silent_table.again())
    assert tracked(silent_table.again(silent_table.rests())) == tracked(silent_table.campaign)


def test_a_battle_is_flown_while_somebody_says_something():
    now = tracking.TrackingNow(runs=True)
    assert now.is_flown
    for change in ({"silent": 1}, {"is_paused": True}, {"is_over": True}, {"runs": False}):
        assert not now._replace(**change).is_flown
