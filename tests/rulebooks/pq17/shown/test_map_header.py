"""What stands above a map: steps, the track as its reader counts, turn and day."""

from fractions import Fraction

import pytest

from bot.verification.export_file import read_export
from rules_engine.core.knowledge.glance import Header
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.records.journal import Closed, Revealed
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.pq17 import Pq17
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.pq17.shown.map_header import in_figures
from tests.expected.kept import Kept, cases
from tests.journals.record import path_of
from tests.rulebooks.pq17.worlds.notation import table, world


def headers(*points: Fraction, text: str = "turn 29 impulse 2 half A", aim: Fraction = Fraction(5)) -> list[Header]:
    """The headers of the Alliance, the Coalition, everybody and the referee, after these points were scored."""
    at = table(world(f"A1 0403 CA\n{text}", victory_points=aim, turns=60))
    for one in points:
        score(at, "T5.1", one, because("PQ-17 T5"), text="Something.")
    state = at.state
    sides = [side_board(state, side, Knowledge()).header for side in ("alliance", "coalition")]
    return [*sides, public_board(state).header, omniscient_board(state).header]


@pytest.mark.rule("pq17", "1.2.3", "1.2.4")
@cases("text, turn, day, step", "turn, day")
def test_turn_day_and_step(text: str, turn: str, day: str, step: int | None):
    for header in headers(text=text):
        assert (header.scenario, header.turn, header.day, header.step) == ("Test", turn, day, step)
        assert header.steps == ("PLAN", "1", "2", "3", "END")


@pytest.mark.rule("pq17", "T5.note2", "T5.victory")
def test_each_side_counts_its_own_points_up(kept: Kept):
    tracks = [header.track for header in headers(Fraction(3))]
    shown = [track and (track.value, track.number, track.aim, track.said) for track in tracks]
    assert shown == kept()
    assert [track and (track.least, track.most) for track in tracks] == [(-10, 10)] * 4


def test_half_points_are_said_and_no_side_seems_to_have_reached_its_mark_by_half():
    alliance, coalition, *_ = (header.track for header in headers(Fraction(9, 2)))
    assert (alliance.value, alliance.number) == (4, "+4½")
    assert (coalition.value, coalition.number) == (-4, "−4½")


def test_the_track_is_long_enough_for_its_value():
    track = headers(Fraction(-40), aim=Fraction(1))[0].track
    assert (track.least, track.value, track.aim, track.most) == (-40, -40, 1, 40)


@pytest.mark.rule("pq17", "2.1")
def test_points_that_a_side_may_not_know_are_not_on_its_track():
    at = table(world("A1 0403 CA\nturn 2"))
    score(at, "C.special", Fraction(2), because("PQ-17 1.5"), text="Secret.", seen_by=["coalition"])
    values = [side_board(at.state, side, Knowledge()).header.track for side in ("alliance", "coalition")]
    assert [track and track.value for track in values] == [0, -2]
    public, everything = public_board(at.state).header.track, omniscient_board(at.state).header.track
    assert [track and track.value for track in (public, everything)] == [0, 2]


@cases("points, said")
def test_points_in_figures(points: int | str, said: str):
    assert in_figures(Fraction(points)) == said


def test_who_is_asked_at_the_end_of_the_turn_sees_its_end_and_nobody_else_does():
    entries = read_export(path_of("pq17/intro"))
    seed = next(bytes.fromhex(entry.body.seed) for entry in entries if isinstance(entry.body, Revealed))
    asked = "T7/logistics/supply/conversions/coalition"
    until = next(
        place for place, entry in enumerate(entries) if isinstance(entry.body, Closed) and asked in str(entry.body)
    )
    referee = replay(Pq17(), entries[: until + 1], seed)
    assert [one.id for one in referee.open_asks()] == [asked]
    coalition, alliance = (referee.view(side).board for side in ("coalition", "alliance"))
    everything, public = referee.omniscient_view().omniscient, referee.public_view().public
    for board in (coalition, everything):
        assert board.header.step == len(board.header.steps) - 1
        assert board.heading == "Turn 7 (day 4 AM), end of turn"
    for board in (alliance, public):
        assert board.header.step != len(board.header.steps) - 1
        assert "end of turn" not in board.heading
