"""What spies found is read back from what their race was told, whatever players have called their places; and it is
marked on that race's map alone, with its age, until it is too old."""

from typing import Any

import pytest

from map_render import describe
from rules_engine.core.knowledge.views import HexNote, PublicView, SideView
from rules_engine.rulebooks.cutler.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import FILE
from rules_engine.rulebooks.cutler.ch06_espionage.findings import findings_in, heading_of, read_finding, spied_on
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.records.tables import MISSION_NAMES
from tests.rulebooks.cutler.worlds import table_of, world

HOMES = "planet capital 0205 hydran\nplanet capital 0902 lyran\nplanet minor 0903 lyran\nhydran F1 0404 CA\nturn 3\n"


def mission(kind: Any, said: str, target: str = "0902", against: str = "lyran", aimed: Any = "hex") -> Mission:
    return Mission(line="M1", spy="hydran", kind=kind, against=against, target=target, aimed=aimed, said=said, ip=20)


def marks(board: Any) -> dict[str, list[str]]:
    """The hexes of a map with a mark of spies."""
    found = {note.hex: [mark for mark in note.marks if "spy" in mark] for note in board.hexes}
    return {hex_id: some for hex_id, some in found.items() if some}


def spied(text: str = f"{HOMES}lyran F1 0902 DD", kind: Any = "location", said: str = "hex 0902") -> CutlerTurn:
    """A world in which a Hydran mission has just found something."""
    turn = table_of(world(text))
    report_success(turn, mission(kind, said), FILE)
    return turn


def seen(state: CutlerState, turn: CutlerTurn, side: str = "hydran") -> Any:
    return side_board(state, side, turn.knowledge(side))


class TestReadBack:
    @pytest.mark.parametrize("kind", sorted(MISSION_NAMES))
    @pytest.mark.parametrize(
        ("said", "hex_id", "subject"),
        [
            ("hex 0902", "0902", "hex 0902"),
            ("the planet High Den in 0902", "0902", "High Den in 0902"),
            ("Luna in 0902", "0902", "Luna in 0902"),
            ("the ship Manticore", "", "Manticore"),
            ("all bases of the Lyran", "", "all bases of the Lyran"),
        ],
    )
    def test_every_mission_at_every_target(self, kind: Any, said: str, hex_id: str, subject: str):
        state = world(HOMES)
        text = f"{heading_of(state, mission(kind, said))}: 3 ships; in impulse 1: they stay."
        found = read_finding(text, state.sides, ())
        assert found is not None
        assert (found.kind, found.against, found.hex, found.subject) == (kind, "lyran", hex_id, subject)
        assert found.found == "3 ships; in impulse 1: they stay."

    @pytest.mark.parametrize("name", ["Aur in 0101: calm", "hex 0101", "X in 0101", ": ", "the ship 0101", "a: b: c"])
    def test_a_planet_is_found_whatever_it_is_called(self, name: str):
        state = world(HOMES)
        text = f"{heading_of(state, mission('planet', f'the planet {name} in 0902'))}: nobody."
        found = read_finding(text, state.sides, [HexNote(hex="0902", name=name)])
        assert found is not None
        assert (found.hex, found.found) == ("0902", "nobody.")

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "Location Detection",
            "Location Detection, Gorn, hex 0902: 2 units.",
            "Location Detection, Lyran, hex 0902",
            "M1, Location Detection against the Lyran (hex 0902): failed.",
            "A Lyran spy attempts Location Detection on hex 0205.",
            "Location Detection, Lyran, " + "in 0902 " * 20_000,
        ],
    )
    def test_what_is_no_finding_is_none(self, text: str):
        assert read_finding(text, world(HOMES).sides, ()) is None

    def test_a_file_is_read_with_its_turns(self):
        file = ["Turn 2: Base Plans, Lyran, all bases of the Lyran: none.", "Turn 3: M1, x: failed.", "nonsense"]
        file.append("Turn 12: Resource Check, Klingon, hex 0708: 5 CPV.")
        found = findings_in(file, world(HOMES).sides, ())
        assert [(one.turn, one.against, one.hex) for one in found] == [(2, "lyran", ""), (12, "klingon", "0708")]


class TestOnTheMap:
    def test_the_spy_alone_sees_where_something_was_found(self):
        turn = spied()
        state = turn.state
        assert marks(seen(state, turn)) == {"0902": ["spy report this turn"]}
        assert marks(seen(state, turn, "lyran")) == {}
        assert marks(seen(state, turn, "klingon")) == {}
        assert marks(public_board(state)) == {}
        assert marks(omniscient_board(state)) == {}

    def test_a_mark_ages_and_goes_after_three_turns(self):
        turn = spied()
        state = turn.state
        said = []
        for age in range(5):
            state.turn = 3 + age
            said.append(marks(seen(state, turn)).get("0902", [""])[0])
        assert said == [
            "spy report this turn",
            "spy report 1 turn ago",
            "spy report 2 turns ago",
            "spy report 3 turns ago",
            "",
        ]

    def test_open_space_gets_a_mark_too_and_a_planet_keeps_its_own(self):
        turn = spied(kind="resources", said="hex 0605")
        report_success(turn, mission("planet", "the planet x in 0902", target=planet_key(turn.state)), FILE)
        notes = {note.hex: note for note in seen(turn.state, turn).hexes}
        assert notes["0605"].marks == ("spy report this turn",)
        assert notes["0605"].owner == ""
        assert notes["0902"].marks[0] == "planet"
        assert notes["0902"].marks[-1] == "spy report this turn"

    def test_it_is_among_the_news_of_its_turn(self):
        turn = spied(kind="resources", said="hex 0605")
        state = turn.state
        state.impulse = 1
        assert [one.fact for one in seen(state, turn).news if one.aside == "spies"] == [
            "0605: 0 CPV in cargo and repair boxes"
        ]
        report_success(turn, mission("location", "hex 0605"), FILE)  # what two found does not fit in one sentence
        assert [one.fact for one in seen(state, turn).news if one.aside == "spies"] == [
            "0605: spies report, Resource Check and 1 more"
        ]
        state.turn += 1
        assert not [one.fact for one in seen(state, turn).news if one.aside == "spies"]

    def test_it_is_in_the_words_of_the_map(self):
        turn = spied(kind="resources", said="hex 0605")
        words = describe(SideView(side="hydran", board=seen(turn.state, turn)))
        assert "0605 spy report this turn" in words
        assert "spy" not in describe(PublicView(public=public_board(turn.state)))

    def test_of_several_the_newest_counts(self):
        found = findings_in(
            ["Turn 1: Resource Check, Lyran, hex 0605: 1.", "Turn 3: Resource Check, Lyran, hex 0605: 2."],
            world(HOMES).sides,
            (),
        )
        assert spied_on(found, 4) == {"0605": 1}
        assert spied_on(found[::-1], 4) == {"0605": 1}
        assert spied_on(found, 2) == {"0605": 1}, "what is not yet is not shown"


def planet_key(state: CutlerState) -> str:
    return next(planet.key for planet in state.planets.values() if planet.hex == "0902")
