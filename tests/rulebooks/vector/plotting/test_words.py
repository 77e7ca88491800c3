"""Plots in words: read, refused or written as they are read again, whatever is typed, also in part."""

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.space import WAYS
from rules_engine.rulebooks.vector.accounts.reading import read_reports
from rules_engine.rulebooks.vector.plotting.actions import VERBS
from rules_engine.rulebooks.vector.plotting.reading import ReadPlot, read_line
from rules_engine.rulebooks.vector.plotting.writing import write_plot
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import PlotAction, PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.sheets import LONGEST_PLOT, PlotLine
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.expected.kept import Kept, cases
from tests.quick import at_most
from tests.rulebooks.vector.duel import CRUISER, HUNTERS, duel, ship, three
from tests.rulebooks.vector.plotting.sheets import asked, refused

WHOLE = TacticalOptions(pieces=1)


def read(battle: Tactical, unit: str = "H1", **line: str) -> ReadPlot:
    """What is read of a line."""
    return read_line(BattleNames(known_to(battle, HUNTERS), HUNTERS), unit, PlotLine(**line))


def told(battle: Tactical, **line: str) -> list[str]:
    """What is refused of it."""
    return [str(one) for one in read(battle, **line).refusals]


@cases("said, written")
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


@pytest.mark.parametrize(
    ("said", "order", "typed"),
    [
        ("when R1 within 99: accelerate 2; turn left on 1", ["accelerate", "turn"], (1, 0)),
        ("turn left on 1; when R1 within 99: accelerate 2", ["turn", "accelerate"], ()),
        ("turn left on 4; accelerate 2 on 1", ["accelerate", "turn"], ()),
    ],
)
def test_events_are_done_as_they_were_typed_when_one_waits_for_a_condition(
    said: str, order: list[str], typed: tuple[int, ...]
) -> None:
    """Thrust before a turn goes another way than thrust after it. VM-R09"""
    plot = read(three(), plot=said).plot()
    assert [one.action for one in plot.as_typed] == order
    assert plot.typed == typed


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


# --- any words -------------------------------------------------------------------------------------------------------
BATTLE = three(options=TacticalOptions(pieces=1))
NAMES = BattleNames(BATTLE, HUNTERS)

IMPULSE = st.integers(1, 32)
SOME = st.integers(1, 99)
WAY = st.sampled_from(WAYS)


@st.composite
def conditions(draw: st.DrawFn) -> PlotCondition:
    """Any condition of a whole turn."""
    first, last = sorted((draw(IMPULSE), draw(IMPULSE)))
    unit = draw(st.sampled_from(["", "R1", "H2"]))
    return PlotCondition(unit=unit, within=draw(st.integers(0, 99)), first=first, last=last)


@st.composite
def events(draw: st.DrawFn) -> PlotEvent:
    """Anything that may be said to a unit, legal or not."""
    action: PlotAction = draw(st.sampled_from(sorted({*VERBS.values()})))
    paid = draw(st.booleans())
    said: dict[str, object] = {"action": action}
    match action:
        case "accelerate" | "reverse" | "reserve":
            said |= {"amount": draw(SOME), "by_impulse": paid}
        case "turn":
            said |= {"hand": draw(st.sampled_from(["left", "right", "towards", "away"])), "by_impulse": paid}
            if said["hand"] in ("towards", "away"):
                said["subject"] = draw(st.sampled_from(["", "R1", "H2"]))
        case "slip":
            said["hand"] = draw(st.sampled_from(["left", "right"]))
        case "het":
            said["facing"] = draw(WAY)
        case "launch":
            said["subject"] = "D1"
            if draw(st.booleans()):
                said |= {"facing": draw(WAY), "amount": draw(st.integers(0, 99))}
        case "land":
            said["subject"] = "H2"
        case "weasel":
            said["subject"] = draw(st.sampled_from(["", "D1"]))
        case "stop":
            pass
    if draw(st.booleans()):
        return PlotEvent.model_validate({**said, "when": draw(conditions())})
    return PlotEvent.model_validate({**said, "impulse": draw(IMPULSE)})


@given(
    st.lists(events(), max_size=8),
    st.text("ABCDEF", max_size=8),
    st.none() | st.integers(0, 99),
    st.integers(0, 1),
    st.none() | WAY,
)
def test_any_plot_is_read_as_it_was_written(
    said: list[PlotEvent], path: str, warp: int | None, impulse: int, friction: str | None
) -> None:
    ordered = tuple(sorted(said, key=lambda one: one.impulse or 99))
    points = {"warp": warp, "impulse": None if warp is None else impulse}
    plot = UnitPlot.model_validate({"events": ordered, "path": path, "friction": friction, **points})
    written = write_plot(plot, piece_ahead(BATTLE))
    if len(written) <= LONGEST_PLOT:
        read = read_line(NAMES, "H1", PlotLine(plot=written))
        assert (read.refusals, read.plot()) == ([], plot)


WORDS = """accelerate reverse turn het stop slip reserve launch land weasel path energy friction coast when within from
to on by impulse nearest enemy left right towards H1 H2 R1 D1 A B C 1 4 12 33 999 0 -1 + : ; , and lost warp shield
tractor destroyed released 🚀 \x00 “x” # = 99999999999999999999"""
PIECES = st.sampled_from(WORDS.split())


@given(st.lists(PIECES, max_size=40).map(" ".join) | st.text(max_size=200))
@settings(max_examples=300)
def test_any_text_is_read_or_refused(text: str) -> None:
    for refusal in read_line(NAMES, "H1", PlotLine(thrust=text[:200], turn=text[:200], plot=text[:600])).refusals:
        assert refusal.path.startswith("H1.")
        assert len(str(refusal)) < 600
    read_reports(NAMES, "H1", text)
    try:
        ask, answer = asked(BATTLE, f"H1: {text}")
    except Refused:
        return
    assert ask.read_back(answer)


@pytest.mark.parametrize("text", ["accelerate " * 54, ";" * 600, "when " * 120, "a" * 600, "turn towards " + "R" * 580])
def test_long_texts_are_read_at_once(text: str) -> None:
    with at_most(0.2):
        read_line(NAMES, "H1", PlotLine(plot=text[:600]))


# --- unread ----------------------------------------------------------------------------------------------------------
SHUTTLE = CRUISER.with_values(size_class=6, form="shuttle", turn_mode="shuttle", rated_speed=12, warp=0, impulse=0)
TRIES = 150


def weak() -> Tactical:
    """H1 with engines for twelve points and a point of impulse power, and four in reserve."""
    figures = CRUISER.with_values(warp=12)
    return duel(ship("H1", "1020", "6A", figures=figures, warp_left=12, impulse_left=1, reserve_left=4), options=WHOLE)


def paths_of(told: list[str]) -> list[str]:
    """Where the refusals are."""
    return [one.partition(":")[0] for one in told]


@pytest.mark.rule("vector", "CJD1:313", "CJD1.42-rate-of-turn")
def test_a_clause_that_cannot_be_read_hides_no_defect_of_its_line(kept: Kept) -> None:
    assert refused(weak(), "H1: accelerate 17 on 1; turn left on 2; turn left on 4; acclerate 2 on 20") == kept()


def test_of_several_things_that_cannot_be_read_the_number_is_told() -> None:
    told = refused(weak(), "H1: turn left on 2; turn left on 4; stpo on 5; tunr left on 20")
    assert paths_of(told) == ["H1.plot", "H1.plot", "H1.turn"]
    assert "; judged without 2 things that are not understood (" in told[-1]


def test_what_reads_well_is_judged_without_a_word_of_it() -> None:
    told = refused(three(), "H1: turn left on 2; turn left on 4\nH2: stpo on 5")
    assert [one for one in told if "judged without" in one] == []
    assert paths_of(told) == ["H1.turn", "H2.plot"]


def test_a_unit_that_is_reported_gone_is_told_beside_what_cannot_be_read() -> None:
    told = refused(three(), "H1: accelerate 2 on 1; stpo on 5; report destroyed")
    assert paths_of(told) == ["H1.plot", "H1.plot"]
    assert "reported destroyed" in told[1]


@cases("text, count")
def test_nothing_is_refused_that_follows_only_from_what_cannot_be_read(text: str, count: int) -> None:
    if not count:
        asked(weak(), f"H1: {text}")
        return
    assert len(refused(weak(), f"H1: {text}")) == count


@pytest.mark.rule("vector", "CJD1:313")
def test_the_point_of_impulse_power_may_be_what_could_not_be_read() -> None:
    """Seven hexes are six at 2 points of warp and one by the point of impulse power; 12 and 1 of warp are too few."""
    figures = CRUISER.with_values(warp=12, reserve=1)
    battle = duel(ship("H1", "1020", "6A", figures=figures, warp_left=12, reserve_left=1), options=WHOLE)
    told = refused(battle, "H1: energy 12+0; accelerate 7 on 1; rserve 1 on 1 by impulse")
    assert paths_of(told) == ["H1.plot"]
    assert "“rserve 1 on 1 by impulse”" in told[0]


@cases("warp, reserve, text, paths")
def test_what_is_left_of_the_reserve_may_be_what_could_not_be_read(
    warp: int, reserve: int, text: str, paths: list[str]
) -> None:
    figures = CRUISER.with_values(warp=warp, reserve=reserve)
    battle = duel(ship("H1", "1020", "6A", figures=figures, warp_left=warp, reserve_left=reserve), options=WHOLE)
    assert paths_of(refused(battle, f"H1: {text}")) == paths


def random_clauses(chance: random.Random) -> list[str]:
    """Some clauses, which are legal often enough."""
    impulses = sorted(chance.sample(range(1, 33), 4))
    offered = [
        *(f"{chance.choice(('accelerate', 'reverse'))} {chance.randint(1, 7)} on {one}" for one in impulses[::3]),
        *(f"turn {chance.choice(('left', 'right', 'towards', 'away'))} on {one}" for one in impulses),
        *(f"slip {chance.choice(('left', 'right'))} on {one}" for one in impulses),
        *(f"reserve {chance.randint(1, 2)} on {one}" for one in impulses[:2]),
        f"reserve 1 on {impulses[0]} by impulse",
        f"energy {chance.randint(8, 12)}+{chance.randint(0, 1)}",
        f"stop on {impulses[2]}",
        f"het C on {impulses[1]}",
        f"weasel on {impulses[0]}",
        f"weasel on {impulses[2]}",
        f"path {chance.choice('ABF')} first",
        f"path {''.join(chance.choice('AB') for _ in range(3))}",
        f"land on H2 on {impulses[1]}",
        f"launch D1 A 3 on {impulses[0]}",
        f"when nearest enemy within 20: turn {chance.choice(('left', 'towards'))}",
    ]
    return chance.sample(offered, chance.randint(2, 5))


def battle_for(chance: random.Random) -> Tactical:
    """H1 with little power, or a shuttle of it beside its ship; at the beginning of a turn or in its middle."""
    if chance.random() < 0.3:
        vector = chance.choice(("6A", "4A", "6A"))
        shuttle = ship("H1", "1020", vector, figures=SHUTTLE, half_left=6, launched_from="H2")
        return duel(shuttle, ship("H2", "1020", "6A"), ship("R1", "1010", "8D"), options=WHOLE)
    whole = chance.random() < 0.5
    figures = CRUISER.with_values(warp=12)
    point = int(whole)
    carried = ship("D1", "1020", figures=SHUTTLE, aboard="H1")
    vector = chance.choice(("6A", "4A+3B", "0"))
    flown = ship("H1", "1020", vector, figures=figures, warp_left=12, impulse_left=point, reserve_left=4)
    return duel(flown, carried, ship("R1", "1010", "8D"), options=WHOLE, impulse=0 if whole else 8)


def mangled(clause: str, chance: random.Random) -> str:
    """A clause that cannot be read any more: its verb, or what follows it."""
    if chance.random() < 0.5:
        return f"{clause} quickly"
    return clause.replace(": ", ": zq") if ":" in clause else f"zq{clause}"


@pytest.mark.parametrize("seed", range(TRIES))
def test_a_legal_line_of_which_one_thing_is_misspelt_has_one_defect(seed: int) -> None:
    chance = random.Random(seed)
    battle = battle_for(chance)
    for _ in range(12):
        clauses = random_clauses(chance)
        try:
            asked(battle, f"H1: {'; '.join(clauses)}")
        except Refused:
            continue
        for at, clause in enumerate(clauses):
            line = [*clauses[:at], mangled(clause, chance), *clauses[at + 1 :]]
            assert len(refused(battle, f"H1: {'; '.join(line)}")) == 1, line
        return


# --- players page ----------------------------------------------------------------------------------------------------
PAGE = (Path(__file__).resolve().parents[4] / "docs" / "vector.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| [^|]+ \| (`.+`) \|$", PAGE, re.MULTILINE)
BEGIN = {*VERBS, "path", "when"} - {"weasel"}
"""What begins a plot, and no report."""
EXAMPLES = sorted({one for one in re.findall(r"`([^`\n]+)`", PAGE) if one.partition(" ")[0] in BEGIN})


def test_the_first_example_is_legal() -> None:
    (sheet,) = re.findall(r"^(H1: .+)$", PAGE, re.MULTILINE)
    _, answer = asked(duel(ship("H1", "1814", "6C", "C")), sheet)
    line = answer.of("H1")
    assert (line.thrust, line.turn, line.plot) == ("6 on 1", "right on 4", "accelerate 4 on 12; path C first")


@pytest.mark.parametrize("said", EXAMPLES)
def test_each_example_of_a_plot_is_read(said: str) -> None:
    read = read_line(BattleNames(three(options=TacticalOptions(pieces=1)), HUNTERS), "H1", PlotLine(plot=said))
    assert read.refusals == []
    assert read.events or read.moves


def test_the_table_was_found() -> None:
    assert len(ROWS) == 7
    assert len(EXAMPLES) >= 10


def test_each_example_of_a_report_is_read() -> None:
    (said,) = re.findall(r"goes into \*report\*: (.+?)\. What only", " ".join(PAGE.split()))
    names = BattleNames(duel(ship("H1", "1020"), ship("C1", "1021")), HUNTERS)
    for one in re.findall(r"`([^`]+)`", said):
        found, refusals = read_reports(names, "H1", one)
        assert (len(found), refusals) == (1, [])
