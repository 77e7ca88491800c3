"""Boards of an unbounded sheet: they hold their scene, and what is told of places is told of its hexes."""

from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import Party, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.dossiers.reading import hex_said
from rules_engine.core.knowledge.hearsay.cutouts import area_around, cutout
from rules_engine.core.knowledge.numbered import Happening, Rank, numbered_places
from rules_engine.core.knowledge.tactical_scene import TacticalPlot, TacticalScene, TacticalUnit
from rules_engine.core.knowledge.view_changes import changes
from rules_engine.core.knowledge.views import Board, Counter, PublicView, SideView

SIDES = (SideLabel(key="red", name="Red", emblem="R"), SideLabel(key="blue", name="Blue", emblem="B"))


def scene(at: str = "0505", **parts: Any) -> TacticalScene:
    unit = TacticalUnit(code="R1", side="red", name="Courier", hex=at, facing="A", vector="4A", speed=4)
    return TacticalScene(
        title="Chase", turn=1, parties=tuple(Party(label=one, seat=n) for n, one in enumerate(SIDES)), units=(unit,),
        **parts,
    )  # fmt: skip


def board(at: str = "0505", **parts: Any) -> Board:
    filled: dict[str, Any] = {"grid": Space(hexes=(at, "-3.12")), "tactical": scene(at)}
    counters = (
        Counter(id="R1", hex=at, owner="red", label="R1"),
        Counter(id="B1", hex="-3.12", owner="blue", label="B1"),
    )
    return Board(
        campaign="C", rulebook="vector", heading="Turn 1", when=When(turn=1), sides=SIDES, counters=counters,
        **(filled | parts),
    )  # fmt: skip


def test_a_board_is_read_again_as_it_was_written() -> None:
    again = Board.model_validate_json(board().model_dump_json())
    assert again == board()
    assert isinstance(again.places, Space)
    assert again.tactical == scene()


def test_other_boards_are_written_as_before() -> None:
    assert "tactical" not in board(grid=Grid(columns=3, rows=3), tactical=None).model_dump_json()


@pytest.mark.parametrize("parts", [{"tactical": None}, {"grid": Grid(columns=3, rows=3)}], ids=["none", "a grid"])
def test_an_unbounded_board_has_a_scene_and_no_other_has(parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="if and only if its map is unbounded"):
        board(**parts)


def test_it_is_neither_of_hexes_with_an_edge_nor_of_lanes() -> None:
    assert board().chart is None
    with pytest.raises(TypeError, match="no sheet of hexes"):
        _ = board().grid


def test_what_is_near_shares_a_number() -> None:
    happenings = [Happening(Rank.ELSE, one, ["turns"]) for one in ("0505", "0506", "-3.12")]
    found = numbered_places(happenings, board().places, {})
    assert [one.hexes for one in found] == [("-3.12",), ("0505", "0506")]
    assert [one.fact for one in found] == ["-3.12: turns", "0505: turns"]


def test_what_changed_is_said_by_hexes() -> None:
    assert changes(board(), board("0601")) == ("R1: hex 0505 is now hex 0601",)


def test_reports_speak_of_hexes_in_which_something_stands() -> None:
    assert hex_said("B1 flew from 0909 to -3.12", board()) == "-3.12"


def test_what_is_handed_on_tells_of_no_plot() -> None:
    """A map that is handed on has the scene that all see: plots are the side's own."""
    plots = (TacticalPlot(code="R1", hexes=("0505", "0504")),)
    view = SideView(side="red", board=board(tactical=scene(plots=plots)))
    made = cutout(view, PublicView(public=board()), area_around(view.board, ["-3.12"]), with_own=False)
    assert made.board.tactical == scene()
    assert [one.label for one in made.board.counters] == ["B1"]
    assert isinstance(made.board.places, Space)
