"""Whatever is typed: it is read or refused, never worse; and whatever is plotted is read again as it was."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.space import WAYS
from rules_engine.rulebooks.vector.accounts.reading import read_reports
from rules_engine.rulebooks.vector.plotting.actions import VERBS
from rules_engine.rulebooks.vector.plotting.reading import read_line
from rules_engine.rulebooks.vector.plotting.writing import write_plot
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import PlotAction, PlotCondition, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.sheets import LONGEST_PLOT, PlotLine
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.quick import at_most
from tests.rulebooks.vector.duel import HUNTERS, three
from tests.rulebooks.vector.plotting.sheets import asked

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
    line = PlotLine(thrust=text[:200], turn=text[:200], plot=text[:600])
    for refusal in read_line(NAMES, "H1", line).refusals:
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
