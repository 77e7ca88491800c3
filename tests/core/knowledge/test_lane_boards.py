"""A board of lanes beside a board of hexes: what is told of places is told of systems by their names."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, LaneKind, Uncharted
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.territory import Held, territory_around
from rules_engine.core.knowledge.dossiers.reading import hex_said, place_called
from rules_engine.core.knowledge.glance import LaneTransit
from rules_engine.core.knowledge.hearsay.cutouts import area_around, cutout
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.numbered import Happening, Rank, numbered_places
from rules_engine.core.knowledge.reports import Report, because
from rules_engine.core.knowledge.told_of import reports_of
from rules_engine.core.knowledge.view_changes import changes
from rules_engine.core.knowledge.views import Board, Counter, HexNote, Knowledge, PublicView, SideView

NAMES = ("Sol", "Minkar", "Wolf 359", "Kruger", "Izar")


def slug(name: str) -> str:
    return name.lower().replace(" ", "-")


def row(names: tuple[str, ...] = NAMES) -> Chart:
    """Systems in a row, each a jump from the next."""
    return Chart(
        systems=tuple(ChartSystem(id=slug(one), name=one, x=Fraction(n), y=Fraction(0)) for n, one in enumerate(names)),
        lanes=tuple(
            ChartLane(id=f"{slug(a)}~{slug(b)}", a=slug(a), b=slug(b), kind="normal") for a, b in pairwise(names)
        ),
        uncharted=(Uncharted(id="sol?1", at="sol"),),
        kinds=(LaneKind(key="normal", line="single", said="normal, 1"),),
    )


def board(*counters: Counter, chart: Chart | None = None, **parts: Any) -> Board:
    sides = (SideLabel(key="terran", name="Terran", emblem="T"), SideLabel(key="foe", name="Foe", emblem="F"))
    return Board(
        campaign="C", rulebook="jump_lanes", heading="Turn 1", when=When(turn=1), sides=sides, grid=chart or row(),
        counters=counters, **parts,
    )  # fmt: skip


def counter(label: str, at: str, owner: str = "foe", **parts: Any) -> Counter:
    return Counter(id=label, hex=at, owner=owner, label=label, **parts)


def looked(*counters: Counter, notes: tuple[HexNote, ...] = ()) -> Looked:
    return Looked(
        reader="terran", places=row(), counters=counters, notes=notes, since=When(turn=1), owners={"foe": "Foe"},
        knowledge=Knowledge(),
    )  # fmt: skip


def facts(at: Looked) -> list[tuple[str, str, str]]:
    return [(one.title, one.fact, one.choice) for one in numbered_places(noticed(at), at.places, {})]


class TestBoards:
    def test_a_board_is_written_and_read_as_before(self) -> None:
        hexes = board().model_copy(update={"places": Grid(columns=3, rows=3)})
        assert list(hexes.model_dump())[:6] == ["campaign", "rulebook", "heading", "when", "sides", "grid"]
        assert "transits" not in hexes.model_dump()
        assert "places" not in hexes.model_dump_json()
        assert Board.model_validate_json(hexes.model_dump_json()) == hexes

    def test_a_board_of_lanes_is_read_again_as_it_was_written(self) -> None:
        made = board(transits=(LaneTransit(counter="G1", start="sol", end="minkar", done=50, arrives="T2"),))
        again = Board.model_validate_json(made.model_dump_json())
        assert again == made
        assert again.chart == row()

    def test_it_has_no_hexes(self) -> None:
        with pytest.raises(TypeError, match="no sheet of hexes"):
            _ = board().grid


class TestWhatIsNoticed:
    def test_a_meeting_is_at_a_system(self) -> None:
        made = looked(counter("E1", "wolf-359", level=1, grade=1), counter("G1", "wolf-359", "terran"))
        assert facts(made) == [("Wolf 359", "Wolf 359: E1 still with G1", "")]

    def test_beside_a_place_of_ours_is_one_jump_away(self) -> None:
        home = HexNote(hex="minkar", name="Minkar", owner="terran", marks=("settled",))
        found = facts(looked(counter("E1", "wolf-359"), counter("G1", "sol", "terran"), notes=(home,)))
        assert found == [("Wolf 359", "E1 in Wolf 359, beside Minkar", "G1 is 2 jumps away")]

    def test_who_is_in_a_lane_is_met_in_it(self) -> None:
        found = facts(looked(counter("E1", "sol~minkar"), counter("G1", "sol~minkar", "terran")))
        assert found == [("Sol–Minkar lane", "Sol–Minkar lane: E1 still with G1", "")]

    def test_neighbouring_systems_have_a_number_each(self) -> None:
        happenings = [Happening(Rank.BATTLE, one, ["battle"]) for one in ("sol", "minkar")]
        assert [one.hexes for one in numbered_places(happenings, row(), {})] == [("minkar",), ("sol",)]

    def test_a_system_that_is_not_known_has_none(self) -> None:
        assert numbered_places([Happening(Rank.BATTLE, "vega", ["battle"])], row(), {}) == ()


def test_territory_follows_the_lanes() -> None:
    found = territory_around(row(), [Held("sol", "terran", 1), Held("kruger", "foe", 1)])
    assert found == {"sol": "terran", "minkar": "terran", "kruger": "foe", "wolf-359": "foe", "izar": "foe"}


def test_a_map_that_is_handed_on_shows_no_system_beyond_it() -> None:
    seen = SideView(
        side="terran",
        board=board(
            counter("E1", "minkar"),
            counter("E9", "izar"),
            hexes=(HexNote(hex="izar", name="Izar", owner="foe"),),
            transits=(LaneTransit(counter="E9", start="izar", end="kruger"),),
        ),
    )
    public = PublicView(public=board(chart=row(("Sol",))))
    area = area_around(seen.board, ["sol"])
    made = cutout(seen, public, area, with_own=False)
    assert [one.id for one in made.board.places.systems] == ["sol", "minkar", "wolf-359"]  # type: ignore[union-attr]
    assert [one.label for one in made.board.counters] == ["E1"]
    written = made.model_dump_json().lower()
    assert all(word not in written for word in ("izar", "kruger", "sol?1", "e9"))


def test_what_changed_on_a_map_is_said_by_names() -> None:
    before, after = board(counter("E1", "sol")), board(counter("E1", "wolf-359"))
    assert changes(before, after) == ("E1: system Sol is now system Wolf 359",)


def test_dossiers_speak_of_systems() -> None:
    assert hex_said("A starbase at Wolf 359 was seen", board()) == "wolf-359"
    assert place_called("Fort", "wolf-359", row()) == "Fort in Wolf 359"
    assert place_called("Sol", "sol", row()) == "system Sol"


def test_reports_of_a_system_are_found_by_its_name() -> None:
    told = [
        Report(
            number=1, place="T1", when=When(turn=1), to=("terran",), kind="news", text=text, why=because("13.2", {})
        )
        for text in ("E1 met G1 at Wolf 359.", "E2 met G2 at Wolf 424.")
    ]  # fmt: skip
    assert reports_of(["wolf-359"], "Wolf 359: E1 meets G1", told) == [0]
