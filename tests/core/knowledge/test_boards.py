"""Boards of lanes and of an unbounded sheet, outsiders on them, and the trails of contacts."""

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import Outsider, Party, SideLabel, When
from rules_engine.core.grids import territory, unbounded
from rules_engine.core.grids.charts import Chart, ChartLane, ChartSystem, LaneKind, Uncharted
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge import glance, numbered, side_tables, tactical_scene, told_of, view_changes
from rules_engine.core.knowledge.dossiers.reading import hex_said, place_called
from rules_engine.core.knowledge.hearsay.cutouts import area_around, cutout
from rules_engine.core.knowledge.noticed import Looked, noticed
from rules_engine.core.knowledge.reports import Lost, Report, Sighted, because
from rules_engine.core.knowledge.views import (
    Board,
    Counter,
    HexNote,
    Knowledge,
    PublicView,
    SideView,
    contact_counters,
    contact_trails,
)
from rules_engine.core.records.journal import Checkpoint, Genesis
from tests.core.small_rulebook import RED
from tests.expected.kept import cases

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
    return [(one.title, one.fact, one.choice) for one in numbered.numbered_places(noticed(at), at.places, {})]


class TestBoards:
    def test_a_board_is_written_and_read_as_before(self) -> None:
        hexes = board().model_copy(update={"places": Grid(columns=3, rows=3)})
        assert list(hexes.model_dump())[:6] == ["campaign", "rulebook", "heading", "when", "sides", "grid"]
        assert "transits" not in hexes.model_dump()
        assert "places" not in hexes.model_dump_json()
        assert Board.model_validate_json(hexes.model_dump_json()) == hexes

    def test_a_board_of_lanes_is_read_again_as_it_was_written(self) -> None:
        made = board(transits=(glance.LaneTransit(counter="G1", start="sol", end="minkar", done=50, arrives="T2"),))
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
        happenings = [numbered.Happening(numbered.Rank.BATTLE, one, ["battle"]) for one in ("sol", "minkar")]
        assert [one.hexes for one in numbered.numbered_places(happenings, row(), {})] == [("minkar",), ("sol",)]

    def test_a_system_that_is_not_known_has_none(self) -> None:
        assert numbered.numbered_places([numbered.Happening(numbered.Rank.BATTLE, "vega", ["battle"])], row(), {}) == ()


def test_territory_follows_the_lanes() -> None:
    found = territory.territory_around(row(), [territory.Held("sol", "terran", 1), territory.Held("kruger", "foe", 1)])
    assert found == {"sol": "terran", "minkar": "terran", "kruger": "foe", "wolf-359": "foe", "izar": "foe"}


def test_a_map_that_is_handed_on_shows_no_system_beyond_it() -> None:
    seen = SideView(
        side="terran",
        board=board(
            counter("E1", "minkar"),
            counter("E9", "izar"),
            hexes=(HexNote(hex="izar", name="Izar", owner="foe"),),
            transits=(glance.LaneTransit(counter="E9", start="izar", end="kruger"),),
        ),
    )
    public = PublicView(public=board(chart=row(("Sol",))))
    made = cutout(seen, public, area_around(seen.board, ["sol"]), with_own=False)
    assert [one.id for one in made.board.places.systems] == ["sol", "minkar", "wolf-359"]  # type: ignore[union-attr]
    assert [one.label for one in made.board.counters] == ["E1"]
    written = made.model_dump_json().lower()
    assert all(word not in written for word in ("izar", "kruger", "sol?1", "e9"))


def test_what_changed_on_a_map_is_said_by_names() -> None:
    before, after = board(counter("E1", "sol")), board(counter("E1", "wolf-359"))
    assert view_changes.changes(before, after) == ("E1: system Sol is now system Wolf 359",)


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
    assert told_of.reports_of(["wolf-359"], "Wolf 359: E1 meets G1", told) == [0]


# --- boards of an unbounded sheet: they hold their scene, and what is told of places is told of its hexes -------------
SIDES = (SideLabel(key="red", name="Red", emblem="R"), SideLabel(key="blue", name="Blue", emblem="B"))


def scene(at: str = "0505", **parts: Any) -> tactical_scene.TacticalScene:
    unit = tactical_scene.TacticalUnit(code="R1", side="red", name="Courier", hex=at, facing="A", vector="4A", speed=4)
    return tactical_scene.TacticalScene(
        title="Chase", turn=1, parties=tuple(Party(label=one, seat=n) for n, one in enumerate(SIDES)), units=(unit,),
        **parts,
    )  # fmt: skip


def unbounded_board(at: str = "0505", **parts: Any) -> Board:
    filled: dict[str, Any] = {"grid": unbounded.Space(hexes=(at, "-3.12")), "tactical": scene(at)}
    counters = (
        Counter(id="R1", hex=at, owner="red", label="R1"),
        Counter(id="B1", hex="-3.12", owner="blue", label="B1"),
    )
    return Board(
        campaign="C", rulebook="vector", heading="Turn 1", when=When(turn=1), sides=SIDES, counters=counters,
        **(filled | parts),
    )  # fmt: skip


def test_a_board_is_read_again_as_it_was_written() -> None:
    again = Board.model_validate_json(unbounded_board().model_dump_json())
    assert again == unbounded_board()
    assert isinstance(again.places, unbounded.Space)
    assert again.tactical == scene()


def test_other_boards_are_written_as_before() -> None:
    assert "tactical" not in unbounded_board(grid=Grid(columns=3, rows=3), tactical=None).model_dump_json()


@pytest.mark.parametrize("parts", [{"tactical": None}, {"grid": Grid(columns=3, rows=3)}], ids=["none", "a grid"])
def test_an_unbounded_board_has_a_scene_and_no_other_has(parts: dict[str, Any]) -> None:
    with pytest.raises(ValidationError, match="if and only if its map is unbounded"):
        unbounded_board(**parts)


def test_it_is_neither_of_hexes_with_an_edge_nor_of_lanes() -> None:
    assert unbounded_board().chart is None
    with pytest.raises(TypeError, match="no sheet of hexes"):
        _ = unbounded_board().grid


def test_what_is_near_shares_a_number() -> None:
    happenings = [numbered.Happening(numbered.Rank.ELSE, one, ["turns"]) for one in ("0505", "0506", "-3.12")]
    found = numbered.numbered_places(happenings, unbounded_board().places, {})
    assert [one.hexes for one in found] == [("-3.12",), ("0505", "0506")]
    assert [one.fact for one in found] == ["-3.12: turns", "0505: turns"]


def test_what_changed_is_said_by_hexes() -> None:
    assert view_changes.changes(unbounded_board(), unbounded_board("0601")) == ("R1: hex 0505 is now hex 0601",)


def test_reports_speak_of_hexes_in_which_something_stands() -> None:
    assert hex_said("B1 flew from 0909 to -3.12", unbounded_board()) == "-3.12"


def test_what_is_handed_on_tells_of_no_plot() -> None:
    """A map that is handed on has the scene that all see: plots are the side's own."""
    plots = (tactical_scene.TacticalPlot(code="R1", hexes=("0505", "0504")),)
    view = SideView(side="red", board=unbounded_board(tactical=scene(plots=plots)))
    made = cutout(view, PublicView(public=unbounded_board()), area_around(view.board, ["-3.12"]), with_own=False)
    assert made.board.tactical == scene()
    assert [one.label for one in made.board.counters] == ["B1"]
    assert isinstance(made.board.places, unbounded.Space)


# --- outsiders: owners on a board that are no sides -------------------------------------------------------------------
RED_SIDE = SideLabel(key="red", name="Red League", emblem="R")
MONSTERS = Outsider(key="monsters", name="Beasts of the Rim", emblem="B")
PIRATES = Outsider(key="pirates", name="Pirates", emblem="Pi")


def outsiders_board(**parts: Any) -> Board:
    fields = {"campaign": "C", "rulebook": "none", "heading": "Turn 1", "when": When(turn=1), "sides": (RED_SIDE,)}
    return Board(**(fields | {"grid": Grid(columns=4, rows=4)} | parts))


def known_to_red() -> Knowledge:
    """A monster, and something of which nobody knows whose it is."""
    knowledge = Knowledge()
    beast = Sighted(track="E1", hex="0101", owner="monsters", level_name="ID1", headline="it is large")
    blip = Sighted(track="E2", hex="0102", level_name="U", headline="a blip")
    when = When(turn=1, label="Turn 1")
    knowledge.learn(Report(number=1, place="T1", when=when, to=("red",), kind="x", text="x", facts=(beast, blip)))
    return knowledge


class TestOnABoard:
    def test_a_board_without_them_is_written_as_ever(self):
        assert "outsiders" not in outsiders_board().model_dump()
        assert b"outsiders" not in outsiders_board().spelling
        assert outsiders_board() == outsiders_board(outsiders=())

    def test_a_board_with_them_is_read_as_it_was_written(self):
        outsiders = (MONSTERS, PIRATES)
        one = outsiders_board(outsiders=outsiders, counters=(Counter(id="1", hex="0101", owner="pirates", label="P"),))
        assert Board.model_validate_json(one.model_dump_json()) == one

    @cases("case, outsiders, what", "", made="outsiders")
    def test_no_two_owners_are_called_alike(self, outsiders: tuple[Outsider, ...], what: str):
        with pytest.raises(ValidationError, match=rf"two owners are called {what} \["):
            outsiders_board(outsiders=outsiders)

    @pytest.mark.parametrize("emblem", ["", "ABC", "7", "B-", " B"])
    def test_an_emblem_is_one_or_two_letters(self, emblem: str):
        with pytest.raises(ValidationError, match="emblem"):
            Outsider(key="monsters", name="Monsters", emblem=emblem)
        assert Outsider(key="monsters", name="Monsters", emblem="Ж").emblem == "Ж"

    @pytest.mark.parametrize("key", ["", "*", "@referee", "Monsters", "red+blue", "a b"])
    def test_a_key_is_none_that_an_audience_could_have(self, key: str):
        with pytest.raises(ValidationError, match="key"):
            Outsider(key=key, name="Monsters", emblem="M")

    def test_a_board_names_all_its_owners(self):
        one = outsiders_board(outsiders=(MONSTERS,))
        found = [one.name_of(key) for key in ("red", "monsters", "", "who")]
        assert found == ["Red League", "Beasts of the Rim", "", "who"]


class TestNoSide:
    def test_they_never_stand_among_the_sides(self):
        outcome = Checkpoint(state="", asks=(), reports=0, rolls=0, turn=1)
        rest: dict[str, Any] = {"rulebook": "r", "version": "1", "commitment": "c", "scenario": {}, "outcome": outcome}
        Genesis(title="t", sides=(RED_SIDE,), **rest)
        monsters: Any = MONSTERS
        with pytest.raises(ValidationError, match="sides"):
            Genesis(title="t", sides=(RED_SIDE, monsters), **rest)
        with pytest.raises(ValidationError, match="sides"):
            outsiders_board(sides=(RED_SIDE, monsters))
        with pytest.raises(ValidationError, match="outsiders"):
            outsiders_board(outsiders=(RED_SIDE,))


class TestAsContacts:
    def test_a_sighting_keeps_its_owner(self):
        (beast, blip) = contact_counters(known_to_red(), When(turn=1), grade_of=lambda level: level)
        assert (beast.owner, blip.owner) == ("monsters", "")

    def test_the_table_of_contacts_says_whose_they_are_by_name(self):
        table = side_tables.contacts_table(known_to_red(), outsiders_board(outsiders=(MONSTERS,)))
        assert table.columns[:6] == ("Contact", "Whose", "When", "Hex", "Level", "What was seen")
        assert table.columns[6:] == ("Source", "Age", "Confidence")
        assert table.rows == (
            ("E1", "Beasts of the Rim", "Turn 1", "0101", "ID1", "it is large", "", "now", ""),
            ("E2", "unknown", "Turn 1", "0102", "U", "a blip", "", "now", ""),
        )

    def test_where_there_are_none_the_table_is_as_ever(self):
        table = side_tables.contacts_table(known_to_red(), outsiders_board())
        assert table.columns[:5] == ("Contact", "When", "Hex", "Level", "What was seen")
        assert table.rows[1] == ("E2", "Turn 1", "0102", "U", "a blip", "", "now", "")


# --- the trails of contacts: where they were seen to come from, by the side's own sightings alone ---------------------
def knowing(*sightings: tuple[int, str]) -> Knowledge:
    """What a side knows that saw E1 in these (turn, hex), in order."""
    knowledge = Knowledge()
    for number, (turn, hex_id) in enumerate(sightings):
        knowledge.learn(report(number, turn, Sighted(track="E1", hex=hex_id, level=1, level_name="ID1", headline="")))
    return knowledge


def report(number: int, turn: int, fact: Sighted | Lost) -> Report:
    return Report(number=number, place="", when=When(turn=turn), to=(RED,), kind="x", text="x", facts=(fact,))


def trail(knowledge: Knowledge, turn: int) -> list[tuple[str, ...]]:
    return [one.hexes for one in contact_trails(knowledge, When(turn=turn))]


def test_a_contact_that_was_seen_to_move_has_a_trail_oldest_first():
    assert trail(knowing((1, "0101"), (1, "0102"), (2, "0203")), 2) == [("0101", "0102", "0203")]


def test_seen_again_in_the_same_hex_is_no_step():
    assert trail(knowing((1, "0101"), (1, "0101"), (2, "0102"), (2, "0102")), 2) == [("0101", "0102")]
    assert trail(knowing((1, "0101"), (2, "0101")), 2) == []


def test_a_trail_is_short_and_recent():
    long = knowing((1, "0101"), (4, "0102"), (4, "0103"), (4, "0104"), (4, "0105"), (5, "0106"))
    assert trail(long, 5) == [("0103", "0104", "0105", "0106")]
    # Turn 1 is four turns before turn 5: too old.
    assert trail(knowing((1, "0101"), (5, "0102")), 5) == []
    assert trail(knowing((2, "0101"), (5, "0102")), 5) == [("0101", "0102")]


def test_what_is_no_longer_held_has_no_trail():
    knowledge = knowing((1, "0101"), (1, "0102"))
    knowledge.learn(report(9, 1, Lost(track="E1")))
    assert trail(knowledge, 1) == []


def test_of_sightings_that_say_the_same_the_first_and_the_last_are_kept():
    """Seen in 0101 in turns 1 to 4, in 0102 in turn 5, and in 0101 again in turns 6 to 8."""
    way = [(1, "0101"), (2, "0101"), (3, "0101"), (4, "0101"), (5, "0102"), (6, "0101"), (7, "0101"), (8, "0101")]
    contact = knowing(*way).contacts["E1"]
    kept = [(seen.when.turn, seen.hex) for seen in (*contact.history, contact.latest)]
    assert kept == [(1, "0101"), (4, "0101"), (5, "0102"), (6, "0101"), (8, "0101")]
    assert trail(knowing(*way[:5]), 5) == [("0101", "0102")]


def test_who_was_lost_and_is_seen_again_is_news():
    knowledge = knowing((1, "0101"), (2, "0101"))
    knowledge.learn(report(8, 3, Lost(track="E1")))
    knowledge.learn(report(9, 6, Sighted(track="E1", hex="0101", level=1, level_name="ID1", headline="")))
    assert [seen.when.turn for seen in knowledge.contacts["E1"].history] == [1, 2]
