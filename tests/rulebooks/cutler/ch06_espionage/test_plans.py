"""Chapter 6: what the lines for missions offer, how a target is understood, and what is warned of."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch06_espionage.plans import mission_lines, turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.ch06_espionage.test_espionage import PLACES, m
from tests.rulebooks.cutler.orbits import mooned
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, table_of, world

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
        ("cub", "Cub, 0803 (Lyran)"),
        ("den", "Den, 0902 (Lyran)"),
        ("hearth", "Hearth, 0908 (Klingon)"),
        ("0404", "0404: Lyran, Klingon"),
        ("0702", "0702: Lyran, Klingon"),
    ]
    lyran, klingon = (
        ("Lyran F1 Ff", "the ship Lyran F1 Ff"),
        ("Klingon F1 Cw", "the ship Klingon F1 Cw"),
    )
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


COUNTER = (
    "counter.points: counter-intelligence is a mission of its own and needs 10 IP or none (6.4.1.8, CU-R108). "
    "Legal: 0, or 10 and more."
)
OVERDRAWN = "missions: missions and counter-intelligence take {} IP, the Reserve will hold {} (6.4, CU-R104)."
IP = "a mission takes 10 to 300 IP (6.4). Legal: 10 to 300."


@pytest.mark.rule("cutler", "6.4", "6.4.1.8")
@cases("lines, expected")
def test_what_may_be_spent_on_missions(lines: dict[str, Any], expected: list[str] | None) -> None:
    if expected is None:  # a target alone is no mission yet
        expected = [
            "M1.kind: say which mission this is. Legal: Minefield Detection, Construction Plans, Movement Plot, "
            "Ship Plans, Base Plans, Location Detection, Insurrection, Resource Check, Planet Check.",
            "M1.against: name the race to spy upon. Legal: lyran, klingon.",
            f"M1.ip: {IP}",
        ]
    assert said(spying(), **lines) == expected


NO_SHIP = (
    "M1.other: you have not learnt the name of such a ship (6.4.1.4). Legal: a hex (a random ship there), or a ship "
    "whose name you know."
)
NO_PLANET = "M1.other: Planet Check needs a planet. Legal: a planet's name or hex."
NO_HEX = "Legal: the number of a hex of the map, such as 0404, or a planet's name."
MOON = "M1.other: nobody rises on a moon (5.3.2, 6.4.1.7). Legal: a planet's name or hex."


@pytest.mark.rule("cutler", "6.4", "6.4.1", "6.4.1.4", "6.4.1.10")
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
