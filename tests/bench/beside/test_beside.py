"""What stands beside what, and which pieces of play may not be compared."""

from pathlib import Path

import pytest

from tests.bench.beside import __main__ as beside
from tests.bench.beside.__main__ import TINY, Pair, Piece, figures_of, main, pieces
from tests.checkout import ROOT

BEFORE = {"seconds": 10.0, "replayed": 5.0, "memory": 100.0}
NOW = {"seconds": 1.0, "replayed": 2.0, "memory": 100.0}


@pytest.mark.bench
def test_it_runs_with_a_little_of_everything(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(ROOT), "--tiny"]) == 0
    assert "All journals were the same." in capsys.readouterr().out


def test_every_piece_is_set_beside_the_other_versions_and_growth_beside_the_smallest_world() -> None:
    figures = figures_of(TINY, dict.fromkeys(pieces(TINY), Pair(BEFORE, NOW)))
    met = {part: {one.met for one in figures if one.part == part} for part in ("Engine", "Growth", "Replay")}
    assert met == {"Engine": {True}, "Growth": {True}, "Replay": {False}}
    assert [one.ratio for one in figures if one.part == "Growth"] == [1 / 2, 1 / 4]
    assert {one.target for one in figures if one.name == "Cutler's introduction"} == {1 / 3, 1.0}
    assert all(one.met for one in figures if one.part == "Peak memory"), "as much is not more"


def test_versions_that_journal_different_things_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(beside, "played", lambda tree, _: {**NOW, "journal": str(tree)})
    with pytest.raises(RuntimeError, match="journal differs: campaign 2"):
        beside.pair(Path("/elsewhere"), Piece(("campaign", "2"), "a campaign", 1))
