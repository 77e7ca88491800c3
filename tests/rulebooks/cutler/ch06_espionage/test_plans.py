"""Chapter 6: what the lines for missions offer, how a target is understood, and what is warned of."""

from typing import Any

import pytest

from map_render import describe
from rules_engine.core.knowledge.views import HexNote, PublicView, SideView
from rules_engine.rulebooks.cutler.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import FILE
from rules_engine.rulebooks.cutler.ch06_espionage.findings import findings_in, heading_of, read_finding, spied_on
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch06_espionage.plans import mission_lines, turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn
from rules_engine.rulebooks.cutler.records.tables import MISSION_NAMES
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import mooned
from tests.rulebooks.cutler.ch06_espionage.test_espionage import PLACES, m
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, table_of, world

# --- findings --------------------------------------------------------------------------------------------------------
GROUNDS = "planet capital 0205 hydran\nplanet capital 0902 lyran\nplanet minor 0903 lyran\nhydran F1 0404 CA\nturn 3\n"


def mission(kind: Any, said: str, target: str = "0902", against: str = "lyran", aimed: Any = "hex") -> Mission:
    return Mission(line="M1", spy="hydran", kind=kind, against=against, target=target, aimed=aimed, said=said, ip=20)


def marks(board: Any) -> dict[str, list[str]]:
    """The hexes of a map with a mark of spies."""
    found = {note.hex: [mark for mark in note.marks if "spy" in mark] for note in board.hexes}
    return {hex_id: some for hex_id, some in found.items() if some}


def spied(text: str = f"{GROUNDS}lyran F1 0902 DD", kind: Any = "location", said: str = "hex 0902") -> CutlerTurn:
    """A world in which a Hydran mission has just found something."""
    report_success(turn := table_of(world(text)), mission(kind, said), FILE)
    return turn


def seen(state: CutlerState, turn: CutlerTurn, side: str = "hydran") -> Any:
    return side_board(state, side, turn.knowledge(side))


class TestReadBack:
    @pytest.mark.parametrize("kind", sorted(MISSION_NAMES))
    @cases("said, hex_id, subject", "")
    def test_every_mission_at_every_target(self, kind: Any, said: str, hex_id: str, subject: str):
        state = world(GROUNDS)
        text = f"{heading_of(state, mission(kind, said))}: 3 ships; in impulse 1: they stay."
        found = read_finding(text, state.sides, ())
        assert found is not None
        assert (found.kind, found.against, found.hex, found.subject) == (kind, "lyran", hex_id, subject)
        assert found.found == "3 ships; in impulse 1: they stay."

    @pytest.mark.parametrize("name", ["Aur in 0101: calm", "hex 0101", "X in 0101", ": ", "the ship 0101", "a: b: c"])
    def test_a_planet_is_found_whatever_it_is_called(self, name: str):
        state = world(GROUNDS)
        text = f"{heading_of(state, mission('planet', f'the planet {name} in 0902'))}: nobody."
        found = read_finding(text, state.sides, [HexNote(hex="0902", name=name)])
        assert found is not None
        assert (found.hex, found.found) == ("0902", "nobody.")

    @cases("text, times", "")
    def test_what_is_no_finding_is_none(self, text: str, times: int):
        assert read_finding(text * times, world(GROUNDS).sides, ()) is None

    def test_a_file_is_read_with_its_turns(self):
        file = ["Turn 2: Base Plans, Lyran, all bases of the Lyran: none.", "Turn 3: M1, x: failed.", "nonsense"]
        file.append("Turn 12: Resource Check, Klingon, hex 0708: 5 CPV.")
        found = findings_in(file, world(GROUNDS).sides, ())
        assert [(one.turn, one.against, one.hex) for one in found] == [(2, "lyran", ""), (12, "klingon", "0708")]


class TestOnTheMap:
    def test_the_spy_alone_sees_where_something_was_found(self):
        turn = spied()
        state = turn.state
        assert marks(seen(state, turn)) == {"0902": ["spy report this turn"]}
        assert marks(seen(state, turn, "lyran")) == {}
        assert marks(seen(state, turn, "klingon")) == {}
        assert (marks(public_board(state)), marks(omniscient_board(state))) == ({}, {})

    def test_a_mark_ages_and_goes_after_three_turns(self):
        turn = spied()
        state = turn.state
        said = []
        for age in range(5):
            state.turn = 3 + age
            said.append(marks(seen(state, turn)).get("0902", [""])[0])
        assert said == [
            "spy report this turn", "spy report 1 turn ago", "spy report 2 turns ago", "spy report 3 turns ago", "",
        ]  # fmt: skip

    def test_open_space_gets_a_mark_too_and_a_planet_keeps_its_own(self):
        turn = spied(kind="resources", said="hex 0605")
        report_success(turn, mission("planet", "the planet x in 0902", target=planet_key(turn.state)), FILE)
        notes = {note.hex: note for note in seen(turn.state, turn).hexes}
        assert (notes["0605"].marks, notes["0605"].owner) == (("spy report this turn",), "")
        assert (notes["0902"].marks[0], notes["0902"].marks[-1]) == ("planet", "spy report this turn")

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
        assert "0605 spy report this turn" in describe(SideView(side="hydran", board=seen(turn.state, turn)))
        assert "spy" not in describe(PublicView(public=public_board(turn.state)))

    def test_of_several_the_newest_counts(self):
        found = findings_in(
            ["Turn 1: Resource Check, Lyran, hex 0605: 1.", "Turn 3: Resource Check, Lyran, hex 0605: 2."],
            world(GROUNDS).sides,
            (),
        )
        assert (spied_on(found, 4), spied_on(found[::-1], 4)) == ({"0605": 1}, {"0605": 1})
        assert spied_on(found, 2) == {"0605": 1}, "what is not yet is not shown"


def planet_key(state: CutlerState) -> str:
    return next(planet.key for planet in state.planets.values() if planet.hex == "0902")


# --- plans -----------------------------------------------------------------------------------------------------------
MORE = "klingon F3 0702 FF\nklingon F4 0404 DD\nlyran F7 0404 DD\nhydran F9 0303 DD\n"


def spying(more: str = "") -> CutlerState:
    """The world of espionage, with moons of Cub, and ships that the Hydran know by name."""
    state = mooned(world(f"turn 1\n{PLACES}{more}"), "0803")
    state.empires["hydran"].known_ships = {"lyran-F1-FF": "lyran", "klingon-F1-CW": "klingon"}
    return state


def said(state: CutlerState, **lines: dict[str, Any]) -> list[str]:
    """The refusals of a sheet, or else what it says of espionage and warns of."""
    ask = turn_ask(state, "hydran")
    if refused := refusal_words(ask, lines):
        return refused
    sheet = ask.answer_from(lines)
    return [line for line in ask.read_back(sheet) if " IP" in line] + ask.warn(sheet)


@pytest.mark.rule("cutler", "6.0", "6.4", "6.4.1")
def test_a_line_offers_the_planets_and_counters_of_others_and_ships_known_by_name(kept: Kept) -> None:
    state = spying(MORE)
    fields = {field.key: field for field in turn_ask(state, "hydran").form.line("M1").fields}
    public = [
        ("cub", "Cub, 0803 (Lyran)"), ("den", "Den, 0902 (Lyran)"), ("hearth", "Hearth, 0908 (Klingon)"),
        ("0404", "0404: Lyran, Klingon"), ("0702", "0702: Lyran, Klingon"),
    ]  # fmt: skip
    lyran, klingon = (("Lyran F1 Ff", "the ship Lyran F1 Ff"), ("Klingon F1 Cw", "the ship Klingon F1 Cw"))
    assert [(choice.value, choice.label) for choice in fields["target"].choices] == [*public, klingon, lyran]
    assert [choice.value for choice in fields["against"].choices] == ["lyran", "klingon"]
    assert (fields["ip"].least, fields["ip"].most, fields["other"].most) == (10, 300, 60)
    state.out = ["klingon"]
    fields = {field.key: field for field in turn_ask(state, "hydran").form.line("M1").fields}
    assert [(choice.value, choice.label) for choice in fields["target"].choices] == [*public, lyran]
    assert [choice.value for choice in fields["against"].choices] == ["lyran"]
    assert said(state, M1=m("base", against="klingon")) == kept()


@pytest.mark.rule("cutler", "6.4", "6.4.1.8")
def test_points_to_set_aside_are_those_of_the_reserve_with_this_turns_income() -> None:
    counter = turn_ask(spying(), "hydran").form.line("counter")
    assert offered(counter) == [("Set aside", "0 to 300", 0, "0, or 10 and more")]
    poor = world("turn 1\nhydran F1 0404 CA\nlyran F1 0505 CC")
    lines = turn_ask(poor, "hydran").form.lines
    assert [line.key for line in lines if line.group == "Missions"] == ["M1"], "one line at least"
    assert offered(turn_ask(poor, "hydran").form.line("counter"))[0][1] == "0 to 0"
    for reserve, count in ((19, 1), (20, 2), (29, 2)):
        poor.empires["hydran"].reserve = reserve
        assert mission_lines(poor, "hydran") == count


IP = "a mission takes 10 to 300 IP (6.4). Legal: 10 to 300."


@cases("lines, expected")
def test_what_may_be_spent_on_missions(lines: dict[str, Any], expected: list[str]) -> None:
    assert said(spying(), **lines) == expected


NO_HEX = "Legal: the number of a hex of the map, such as 0404, or a planet's name."


@cases("mission, expected")
def test_how_a_target_is_understood(mission: dict[str, Any], expected: str) -> None:
    expected = expected if expected.startswith("M1") else f"M1: {expected} with 30 IP."
    assert said(spying(), M1=mission) == [expected]


@pytest.mark.rule("cutler", "6.4")
def test_of_a_mission_without_kind_or_victim_nothing_more_is_judged(kept: Kept) -> None:
    which = "M1.kind: say which mission this is. Legal: Minefield Detection, Construction Plans, Movement Plot, "
    which += "Ship Plans, Base Plans, Location Detection, Insurrection, Resource Check, Planet Check."
    assert said(spying(), M1={"against": "lyran", "ip": 30}) == [which]
    assert said(spying(), M1=m("planet", "Atlantis", against="gorn")) == kept()


@pytest.mark.rule("cutler", "6.4.1.4")
def test_a_ship_whose_name_begins_with_a_number_is_found_by_it() -> None:
    state = spying()
    state.units["lyran-F1-FF"].name = "77 Seas"
    assert said(state, M1=m("ship", "77 seas")) == ["M1: Ship Plans against the Lyran, the ship 77 Seas with 30 IP."]
    assert said(state, M1=m("ship", "78 Seas")) == [f"M1.other: Ship Plans needs a hex. {NO_HEX} Did you mean 0708?"]


@pytest.mark.rule("cutler", "6.4.1.7")
def test_whoever_plots_an_insurrection_where_nobody_can_revolt_is_warned(kept: Kept) -> None:
    state = spying()
    state.planets["den"].captured_turn = 0
    sheets = {
        kind: said(state, M1=m(kind, target))[1:]
        for kind, target in (("insurrection", "cub"), ("planet", "cub"), ("location", "cub"), ("base", None))
    }
    nobody = ["M1: only a captured planet can revolt (6.4.1.7)."]
    assert sheets == {"insurrection": nobody, "planet": [], "location": [], "base": []}
    assert said(state, M1=m("insurrection", "den"), M2=m("insurrection", "cub"))[2:] == kept()


@pytest.mark.rule("cutler", "6.1", "6.4", "6.5.1")
def test_missions_are_kept_in_the_order_of_their_lines_and_news_are_read(kept: Kept) -> None:
    state = spying()
    state.empires["hydran"].alerts = ["there is news"]
    turn = table_of(state)
    sheet = {"counter": {"points": 12}, "M10": m("base", ip=11), "M2": m("planet", "cub", 40), "M7": {}}
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): sheet})
    assert [(one.line, one.target, one.aimed, one.ip) for one in state.missions] == kept()
    empire = state.empires["hydran"]
    assert (empire.reserve, empire.counter_pool, empire.alerts) == (200 - 12 - 40 - 11, 12, [])


def test_a_line_offers_bases_that_are_held_as_contacts_and_no_others() -> None:
    """What has no counter is offered once it was seen: by whom it was, where it was, under the spy's own number."""
    bases = "lyran base 0605 Den\nlyran base 0606 Lair\nklingon base 0707\n"
    state = world(f"{bases}lyran F1 0505 DD\nlyran waits 0305 FL\nhydran F1 0404 CA")

    def targets() -> list[tuple[str, str]]:
        (field,) = [one for one in turn_ask(state, "hydran").form.by_key["M1"].fields if one.key == "target"]
        return [(choice.value, choice.label) for choice in field.choices]

    assert targets() == [("0505", "0505: Lyran")], "of bases and freighters nothing is seen"
    for race, hex_id in (("lyran", "0605"), ("klingon", "0707"), ("lyran", "0505"), ("lyran", "0305")):
        tacintel.sightings(state, "hydran", race, hex_id, state.units_in(hex_id, race))
    seen = [("0505", "0505: Lyran"), ("0605", "0605: Lyran, base C1"), ("0707", "0707: Klingon, base C2")]
    assert targets() == seen
    state.out = ["klingon"]
    assert targets() == seen[:-1]
    assert ("0605", "0605: Lyran, base C1") not in [
        (choice.value, choice.label)
        for one in turn_ask(state, "klingon").form.by_key["M1"].fields
        for choice in one.choices
    ], "others know nothing of it"
