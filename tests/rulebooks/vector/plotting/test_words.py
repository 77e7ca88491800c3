"""Plots in words: read by clauses, refused by the word, and written as they are read again."""

import pytest

from rules_engine.rulebooks.vector.plotting.reading import ReadPlot, read_line
from rules_engine.rulebooks.vector.plotting.writing import write_plot
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.sheets import PlotLine
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.rulebooks.vector.duel import HUNTERS, ship, three

WHOLE = TacticalOptions(pieces=1)


def read(battle: Tactical, unit: str = "H1", **line: str) -> ReadPlot:
    """What is read of a line."""
    return read_line(BattleNames(known_to(battle, HUNTERS), HUNTERS), unit, PlotLine(**line))


def told(battle: Tactical, **line: str) -> list[str]:
    """What is refused of it."""
    return [str(one) for one in read(battle, **line).refusals]


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("accelerate 6 on 1", "accelerate 6 on 1"),
        ("thrust 6 hexes at impulse 4", "accelerate 6 on 4"),
        ("Accelerate 6", "accelerate 6 on 1"),
        ("turn right on 4; accelerate 6 on 1", "accelerate 6 on 1; turn right on 4"),
        ("reverse 2 on 3", "reverse 2 on 3"),
        ("reverse 1 by impulse on 3", "reverse 1 by impulse on 3"),
        ("accelerate 1 on 3 by impulse power", "accelerate 1 by impulse on 3"),
        ("turn port on 4, turn starboard on 12", "turn left on 4; turn right on 12"),
        ("turn left on 4 and accelerate 2 on 9", "turn left on 4; accelerate 2 on 9"),
        ("turn towards R1 on 4", "turn towards R1 on 4"),
        ("turn away from the courier on 4", None),
        ("turn away from courier on 4", "turn away R1 on 4"),
        ("turn towards nearest enemy on 4", "turn towards on 4"),
        ("het E on 9", "het E on 9"),
        ("stop on 3", "stop on 3"),
        ("slip left on 5", "slip left on 5"),
        ("sideslip right @ 5", "slip right on 5"),
        ("reserve 3", "reserve 3 on 1"),
        ("launch drone D1 C 12 on 4", "launch D1 C 12 on 4"),
        ("launch d1 12C on 4", "launch D1 C 12 on 4"),
        ("launch D1", "launch D1 on 1"),
        ("launch D1 C 0 on 4", "launch D1 C 0 on 4"),
        ("launch D1 0C on 4", "launch D1 C 0 on 4"),
        ("land on H2 on 20", "land on H2 on 20"),
        ("land aboard falcon on 20", "land on H2 on 20"),
        ("weasel on 2", "weasel on 2"),
        ("weasel D1 on 2", "weasel D1 on 2"),
        ("reserve 1 by impulse on 4", "reserve 1 by impulse on 4"),
        ("turn left by impulse on 4", "turn left by impulse on 4"),
        ("path A first", "path A first"),
        ("path b", "path B first"),
        ("path BCBCCC", "path BCBCCC"),
        ("energy 20+1", "energy 20+1"),
        ("energy 20", "energy 20+0"),
        ("friction c", "friction C"),
        ("when nearest enemy within 8: turn towards", "when nearest enemy within 8: turn towards"),
        ("when R1 is within 5 hexes from 9 to 12: accelerate 4", "when R1 within 5 from 9 to 12: accelerate 4"),
        (
            "when R1 within 5: turn left, accelerate 2",
            "when R1 within 5: turn left; when R1 within 5: accelerate 2",
        ),
        ("when closest within 2 until 20: stop", "when nearest enemy within 2 to 20: stop"),
        ("when R1 within 3 from 32: stop", "when R1 within 3 from 32: stop"),
        ("when R1 within 3 to 1: stop", "when R1 within 3 to 1: stop"),
        ("coast", "coast"),
        ("", "coast"),
    ],
)
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


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ({"plot": "acelerate 6 on 1"}, "H1.plot: “acelerate 6 on 1”: “acelerate” is not understood. Legal: for exam"),
        ({"plot": "acelerate 6 on 1"}, "Did you mean accelerate"),
        ({"plot": "accelerate"}, "“accelerate”: a number of hexes is missing. Legal: accelerate 6 on 1."),
        ({"plot": "reverse"}, "a number of hexes is missing. Legal: reverse 2 on 1."),
        ({"plot": "reserve"}, "a number of points is missing. Legal: reserve 3 on 1."),
        ({"plot": "reserve all"}, "“all” is not a number of points. Legal: reserve 3 on 1."),
        ({"plot": "when R1 within reach: stop"}, "“reach” is not a number of hexes. Legal: when nearest enemy "),
        ({"plot": "land"}, "unit to land on is missing. Legal: land on H1 on 20."),
        ({"plot": "slip"}, "a side is missing. Legal: slip left on 5."),
        ({"plot": "stop now"}, "“now” is not understood here. Legal: stop on 3."),
        ({"plot": "accelerate 1234567890123 on 1"}, "123456789 is not a number of hexes. Legal: 1 to 999."),
        ({"plot": "accelerate 1000 on 1"}, "1000 is not a number of hexes. Legal: 1 to 999."),
        ({"plot": "when R1 within 1000: stop"}, "1000 is not a number of hexes. Legal: 0 to 999."),
        ({"plot": "energy 1000"}, "1000 is not a number of points. Legal: 0 to 999."),
        (
            {"plot": "fly"},
            "“fly” is not understood. Legal: for example accelerate 6 on 1; turn right on 4; path A first; reserve 3.",
        ),
        ({"plot": "when R1 within 3 from 33: stop"}, "33 is not an impulse. Legal: 1 to 32."),
        ({"plot": "when R1 within 3 to 33: stop"}, "33 is not an impulse. Legal: 1 to 32."),
        ({"plot": "accelerate six on 1"}, "“six” is not a number of hexes. Legal: accelerate 6 on 1."),
        ({"plot": "accelerate 0 on 1"}, "0 is not a number of hexes. Legal: 1 to 999."),
        ({"plot": "accelerate 6 on 33"}, "33 is not an impulse. Legal: 1 to 32."),
        ({"plot": "accelerate 6 on"}, "an impulse is missing"),
        ({"plot": "accelerate 6 on 1 on 2"}, "“on” is not understood here. Legal: accelerate 6 on 1."),
        ({"plot": "accelerate 6 quickly"}, "“quickly” is not understood here."),
        ({"plot": "turn rihgt on 4"}, "“rihgt” is not a side. Legal: turn left on 4, turn right on 4, turn towards "),
        ({"plot": "turn rihgt on 4"}, "Did you mean right"),
        ({"turn": "sideways on 4"}, "H1.turn: “turn sideways on 4”: “sideways” is not a side."),
        ({"thrust": "much on 4"}, "H1.thrust: “accelerate much on 4”: “much” is not a number of hexes."),
        ({"plot": "turn towards R9 on 4"}, "there is no unit “R9”. Legal: turn left on 4, turn right on 4, turn "),
        ({"plot": "turn towards R9 on 4"}, "Did you mean R1?"),
        ({"plot": "slip towards on 4"}, "“towards” is not a side."),
        ({"plot": "het G on 9"}, "“g” is not a direction. Legal: het E on 9."),
        ({"plot": "het on 9"}, "“on” is not a direction."),
        ({"plot": "launch D7 C 12 on 4"}, "there is no unit to launch “D7”. Legal: launch D1 C 12 on 4. Did you mea"),
        ({"plot": "land on R1 on 4"}, "there is no unit to land on “R1”."),
        ({"plot": "path ABX"}, "“abx” is no order of moves. Legal: path A first, or an order of moves such as path "),
        ({"plot": "path"}, "it says no moves"),
        ({"plot": "path A; path B"}, "the path was said before, as A. Legal: one of them."),
        ({"plot": "energy 20+2"}, "2 is not a number of points of impulse power. Legal: 0 to 1."),
        ({"plot": "energy 20; energy 10"}, "energy was said before"),
        ({"plot": "when R1 within 8 turn left"}, "a colon stands between a condition and what is to be done. Legal:"),
        ({"plot": "when R1 nearby: turn left"}, "“nearby” is not understood here. Legal: when nearest enemy within "),
        ({"plot": "when R1: turn left"}, "it says no distance."),
        ({"plot": "when R7 within 3: turn left"}, "there is no unit “R7”."),
        ({"plot": "when R1 within 3 from 12 to 9: stop"}, "impulse 12 comes after 9. Legal: from 9 to 12."),
        ({"plot": "when R1 within 3: turn left on 4"}, "it is done on an impulse, or on a condition. Legal: one of "),
        ({"plot": "when R1 within 3: path A"}, "path goes with no condition"),
        ({"plot": "when R1 within 3:"}, "it does not say what is to be done"),
        ({"plot": "coast; accelerate 6 on 1"}, "H1.plot: it coasts, and does something as well. Legal: coast, or wh"),
        ({"plot": "coast now"}, "“now” is not understood here"),
        ({"plot": ";".join(["stop"] * 61)}, "H1.plot: 61 things are said here. Legal: at most 60."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_its_word(line: dict[str, str], problem: str) -> None:
    found = told(three(options=WHOLE), **line)
    assert any(problem in one for one in found), found


@pytest.mark.parametrize(
    ("impulse", "plot", "told_so"),
    [
        (0, "accelerate 6 on 17", "impulse 17 is not in this piece of the turn (VM-R36). Legal: impulses 1 to 16."),
        (16, "accelerate 6 on 16", "impulse 16 is not in this piece of the turn (VM-R36). Legal: impulses 17 to 32."),
        (0, "when R1 within 4 from 9 to 20: stop", "impulse 20 is not in this piece of the turn (VM-R36)."),
        (16, "when R1 within 4 from 9: stop", "impulse 9 is not in this piece of the turn (VM-R36)."),
    ],
)
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
