"""The examples of orders on the page for players can be typed."""

import re
from pathlib import Path

import pytest

from rules_engine.rulebooks.vector.accounts.reading import read_reports
from rules_engine.rulebooks.vector.plotting.actions import VERBS
from rules_engine.rulebooks.vector.plotting.reading import read_line
from rules_engine.rulebooks.vector.records.sheets import PlotLine
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.rulebooks.vector.duel import HUNTERS, duel, ship, three
from tests.rulebooks.vector.plotting.sheets import asked

PAGE = (Path(__file__).resolve().parents[4] / "docs" / "vector.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| [^|]+ \| (`.+`) \|$", PAGE, re.MULTILINE)
BEGIN = {*VERBS, "path", "when"} - {"weasel"}
"""What begins a plot, and no report."""
WORDS = sorted({one for one in re.findall(r"`([^`\n]+)`", PAGE) if one.partition(" ")[0] in BEGIN})


def test_the_first_example_is_legal() -> None:
    (sheet,) = re.findall(r"^(H1: .+)$", PAGE, re.MULTILINE)
    _, answer = asked(duel(ship("H1", "1814", "6C", "C")), sheet)
    line = answer.of("H1")
    assert (line.thrust, line.turn, line.plot) == ("6 on 1", "right on 4", "accelerate 4 on 12; path C first")


@pytest.mark.parametrize("said", WORDS)
def test_each_example_of_a_plot_is_read(said: str) -> None:
    names = BattleNames(three(options=TacticalOptions(pieces=1)), HUNTERS)
    read = read_line(names, "H1", PlotLine(plot=said))
    assert read.refusals == []
    assert read.events or read.moves


def test_the_table_was_found() -> None:
    assert len(ROWS) == 7
    assert len(WORDS) >= 10


def test_each_example_of_a_report_is_read() -> None:
    (said,) = re.findall(r"goes into \*report\*: (.+?)\. What only", " ".join(PAGE.split()))
    names = BattleNames(duel(ship("H1", "1020"), ship("C1", "1021")), HUNTERS)
    for one in re.findall(r"`([^`]+)`", said):
        found, refusals = read_reports(names, "H1", one)
        assert (len(found), refusals) == (1, [])
