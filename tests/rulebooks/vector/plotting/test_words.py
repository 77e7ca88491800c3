"""Plots in words: read by clauses, refused by the word, and written as they are read again."""

import pytest

from rules_engine.rulebooks.vector.plotting.reading import ReadPlot, read_line
from rules_engine.rulebooks.vector.plotting.writing import write_plot
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.sheets import PlotLine
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import cases
from tests.rulebooks.vector.duel import HUNTERS, ship, three

WHOLE = TacticalOptions(pieces=1)


def read(battle: Tactical, unit: str = "H1", **line: str) -> ReadPlot:
    """What is read of a line."""
    return read_line(BattleNames(known_to(battle, HUNTERS), HUNTERS), unit, PlotLine(**line))


def told(battle: Tactical, **line: str) -> list[str]:
    """What is refused of it."""
    return [str(one) for one in read(battle, **line).refusals]


@cases("said, written")
@pytest.mark.rule("vector", "CJD1.2")
def test_what_is_said_is_written_and_read_again(said: str, written: str | None) -> None:
    battle = three(options=WHOLE)
    found = read(battle, plot=said)
    if written is None:
        assert found.refusals
        return
    assert (found.refusals, write_plot(found.plot(), piece_ahead(battle))) == ([], written)
    assert read(battle, plot=written).plot() == found.plot()


def test_the_fields_of_a_phone_say_the_same_as_words() -> None:
    battle = three(options=WHOLE)
    by_fields = read(battle, thrust="6 on 1, -2 on 16; reverse 1 on 30", turn="right on 4, left on 12")
    said = "accelerate 6 on 1; reverse 2 on 16; reverse 1 on 30; turn right on 4; turn left on 12"
    assert by_fields.refusals == []
    assert by_fields.plot() == read(battle, plot=said).plot()


def test_a_later_piece_begins_where_the_one_before_ended() -> None:
    battle = three(impulse=16)
    assert piece_ahead(battle) == range(17, 33)
    plot = read(battle, thrust="6", plot="when R1 within 3: stop").plot()
    assert (plot.events[0].impulse, plot.events[1].when) == (17, plot.events[1].when)
    assert plot.events[1].when is not None
    assert (plot.events[1].when.first, plot.events[1].when.last) == (17, 32)
    assert piece_ahead(three(impulse=16, options=TacticalOptions(pieces=4))) == range(17, 25)
    assert piece_ahead(three(impulse=16, options=TacticalOptions(pieces=32))) == range(17, 18)
    assert piece_ahead(three(impulse=16, options=WHOLE)) == range(17, 33)


@cases("line, problem")
def test_what_cannot_be_read_is_refused_by_its_word(line: dict[str, str], problem: str) -> None:
    found = told(three(options=WHOLE), **line)
    assert any(problem in one for one in found), found


@cases("impulse, plot, told_so")
def test_an_impulse_outside_the_piece_is_refused(impulse: int, plot: str, told_so: str) -> None:
    found = told(three(impulse=impulse), plot=plot)
    assert len(found) == 1
    assert told_so in found[0]


def test_all_defects_are_told_at_once() -> None:
    found = told(three(), thrust="much", turn="up", plot="fly; het Z; accelerate 6 on 30")
    assert len(found) == 5, found


def test_a_unit_that_is_not_there_yet_cannot_be_told_from_none() -> None:
    hidden = three()
    hidden.units["R2"] = ship("R2", "0101", waits_for=3)
    line = "when R2 within 3: stop"
    assert told(hidden, plot=line) == told(three(), plot=line) != []
