"""What a turn's sheet says of itself and of its fields, why fields are not on it, and what is read back, word for
word."""

from fractions import Fraction

import pytest

from rules_engine.core.forms.forms import Field
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import read_cargo, say_cargo
from rules_engine.rulebooks.jump_lanes.plotting.words import read_back
from rules_engine.rulebooks.jump_lanes.records.orders import CargoAction, CargoOrder, LaneSheet, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.sheets import said, sheet


def home_waters() -> LanesState:
    """Merchants with census and a flight aboard, a fleet of a tug with company and a sloop, all at Sol; a seeker at
    Ross; and one who is under way."""
    state = frontier()
    merchants = squadron(state, "T1", "sol", ship("hermes", cargo=30, name="Hermes"), ship("iris", name="Iris"))
    merchants.name = "Merchants"
    merchants.hold = [HoldLot(kind="census", amount=1)]
    state.put(ship("probe", kind="flight", name="Probe"), aboard="T1")
    state.units["probe"].embarked = 0
    squadron(state, "T2", "sol", ship("tug", towing=4, ftl=3, name="Tug"), ship("wasp", ftl=2, name="Wasp"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=4, name="Seeker"))
    squadron(state, "T4", "sol", ship("sloop", engines=0, ftl=0, name="Sloop"))
    state.fleets["TF1"] = LaneFleet(id="TF1", empire=TERRAN, name="Home Fleet")
    state.squadrons["T2"].fleet = state.squadrons["T4"].fleet = "TF1"
    standing(state, ship("guards", kind="troop", ftl=0, siz=2, name="Guards"), "sol")
    jump = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), paid=Fraction(1), turns_left=2)
    squadron(state, "T5", "", ship("far", name="Far")).transit = jump
    return state


def ask_of(state: LanesState) -> AnyAsk:
    return sheet_ask(state, TERRAN)


def labels(field: Field) -> str:
    """A field's label with its choices."""
    return f"{field.label}: {', '.join(one.label for one in field.choices)}".removesuffix(": ")


def test_what_is_asked(kept: Kept):
    ask = ask_of(home_waters())
    assert (ask.kind, ask.title, ask.rule) == ("plot", "Turn 1: orders", "13.1.5, 13.3.3, 13.5.1")
    assert ask.text == (
        "Say where each group goes, what it does with cargo, and what it explores. Routes and trade runs go on by "
        "themselves until you change them."
    )
    assert ask.question is not None
    question = ask.question
    assert (question.heading, question.situation) == kept()
    assert (question.whole, question.noun, question.lines) == (True, "group", ("TF1", "T1", "T3"))


LINES = {
    "TF1": ("Home Fleet", "TF1 at Sol: Squadron T2, Squadron T4", ""),
    "T1": ("Merchants", "T1 at Sol: Engines 1, FTL 1", ""),
    "T2": ("Squadron T2", "T2 at Sol, in Home Fleet: Engines 1, FTL 2", ""),
    "T3": ("Squadron T3", "T3 at Ross: Engines 1, FTL 4", ""),
    "T4": ("Squadron T4", "T4 at Sol, in Home Fleet: does not move by itself", ""),
    CENTAURI: ("Towards Centauri", "", "Other empires"),
}
FIELDS = {
    "TF1": ["Goes to: Sol", "Route"],
    "T1": [
        "Goes to: Barnard, Perseus, Ross, Wolf 359, Sol",
        "Route",
        "Puts out here: Probe, All census",
        "Takes aboard here: Census, as much as fits, Guards",
        "Loads",
        "Unloads",
        "Throws out",
        "Moves with: Home Fleet",
        "Becomes a part of: Squadron T2, Squadron T4",
        "Leaves as a squadron: Hermes, Iris",
        "Invades where it comes to",
    ],
    "T2": [
        "Tows: Wasp, Hermes, Iris, Sloop",
        "Moves with: Merchants, in no fleet",
        "Becomes a part of: Merchants, Squadron T4",
        "Leaves as a squadron: Tug, Wasp",
    ],
    "T3": ["Goes to: Wolf 359, Barnard, Sol, Perseus, Ross", "Route", "Explores: unexplored lane 1 of Ross"],
    "T4": ["Moves with: Merchants, in no fleet", "Becomes a part of: Merchants, Squadron T2"],
    CENTAURI: ["Granted to Centauri: Nothing, Passage, War"],
}


def test_the_lines_and_their_fields():
    """A lone tug may tow its company and others, and not itself: of its own fleet the sloop stands for all three."""
    form = ask_of(home_waters()).form
    assert {line.key: (line.label, line.note, line.group) for line in form.lines} == LINES
    assert {line.key: [labels(one) for one in line.fields] for line in form.lines} == FIELDS


def test_a_fleet_of_one_squadron_with_which_a_campaign_may_begin_has_a_line():
    state = home_waters()
    state.squadrons["T4"].fleet = ""
    line = ask_of(state).form.line("TF1")
    assert line is not None
    assert (line.note, [one.key for one in line.fields]) == ("TF1 at Sol: Squadron T2", ["go", "route"])


@cases("line, field, says")
def test_what_is_said_beside_a_text(line: str, field: str, says: str):
    found = ask_of(home_waters()).form.line(line)
    assert found is not None
    assert next(one.help for one in found.fields if one.key == field) == says


def test_an_example_that_would_be_refused_is_not_given():
    state = home_waters()
    state.squadrons["T1"].orders.cargo = [CargoOrder(action="load", what="guards", at="sol")]
    found = ask_of(state).form.line("T1")
    assert found is not None
    assert {one.key: one.help[:4] for one in found.fields if one.key in ("load", "unload", "jettison")} == {
        "load": "e.g.",
        "unload": "what",
        "jettison": "what",
    }


def test_the_place_where_a_group_is_is_offered_last_and_as_its_own(kept: Kept):
    found = ask_of(home_waters()).form.line("T3")
    assert found is not None
    assert [one.hint for one in found.fields[0].choices] == kept()


FEW = {
    ("T1", "explore"): ("Merchants has no Science rating", "13.5"),
    ("T1", "tow"): ("Merchants has no tug", "13.4"),
    ("T2", "go"): ("Squadron T2 moves with Home Fleet", "13.1.5"),
    ("T2", "route"): ("Squadron T2 moves with Home Fleet", "13.1.5"),
    ("T2", "jettison"): ("Squadron T2 has no Cargo rating", "13.3.1"),
    ("T2", "take"): ("Squadron T2 has no Cargo rating", "13.3.1"),
    ("T2", "invade"): ("Squadron T2 has no ground units to land", "13.3.2.3"),
    ("T3", "join"): ("no other squadron of yours is at Ross", "13.1.5"),
    ("T3", "fleet"): ("no other squadron of yours is at Ross", "13.1.5"),
    ("T3", "detach"): ("Squadron T3 is a single unit", "13.1.5"),
    ("T5", ""): ("Squadron T5 is in transit until turn 2 and out of communication", "13.1.6"),
}


def test_why_a_field_is_not_there():
    form = ask_of(home_waters()).form
    found = {(one.key, one.field): (one.problem, one.rule) for one in form.why_absent()}
    assert {key: found.get(key) for key in FEW} == FEW
    offered = {(line.key, field.key) for line in form.lines for field in line.fields}
    assert offered.isdisjoint(found), "what is there is not missing"


def test_why_nobody_explores_where_there_is_nothing_and_a_fleet_that_is_under_way_has_no_line():
    state = home_waters()
    state.empires[TERRAN].sights = []
    state.squadrons["T5"].fleet = "TF2"
    state.fleets["TF2"] = LaneFleet(id="TF2", empire=TERRAN, name="Far Fleet")
    found = {(one.key, one.field): (one.label, one.problem, one.rule) for one in ask_of(state).form.why_absent()}
    assert found["T3", "explore"] == ("Squadron T3", "you know no unexplored lane at Ross", "13.5.1")
    assert found["TF2", ""] == ("Far Fleet", "Far Fleet is in transit and out of communication", "13.1.6")
    assert ("TF1", "") not in found


@cases("text, lines")
def test_what_is_read_back(text: str, lines: list[str]):
    told = said(text, home_waters())
    assert [one for one in lines if one not in told] == []
    assert lines or not any(one.startswith("centauri") for one in told)


def test_who_carries_no_troops_and_has_a_colony_there_is_told_both(kept: Kept):
    found = ask_of(home_waters()).check(LaneSheet.model_validate({"T1": {"invade": True}}))
    assert [str(one) for one in found] == kept()


def test_what_stood_is_read_back_when_it_is_taken_back():
    state = home_waters()
    state.empires[TERRAN].stances[CENTAURI] = "war"
    assert "centauri: nothing is granted from this turn on" in said("centauri: stance none", state)


def test_several_leave_together_and_who_lands_troops_invades():
    state = home_waters()
    state.put(ship("ketch", name="Ketch"), squadron="T1")
    assert "T1: Iris, Ketch leave as a squadron of their own" in said("T1: detach iris ketch", state)
    told = said("T1: load Guards; route to Ross; invade yes", state)
    assert "T1: goes Sol > Barnard (turn 1) > Ross (turn 2); loads Guards at Sol; invades where it comes to" in told, (
        told
    )


def test_who_commands_nothing_is_told_so():
    assert read_back(frontier(), TERRAN, LaneSheet({})) == ["You command no group."]


def test_a_route_that_cannot_be_begun_is_read_back_as_a_stay():
    state = home_waters()
    state.squadrons["T1"].orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    state.units["iris"].ftl = 0
    ask = ask_of(state)
    assert "T1: stays at Sol, for it cannot begin its route" in ask.read_back(LaneSheet({}))
    assert list(ask.warn(LaneSheet({}))) == ["T1: cannot begin its route (13.1.5)"]


@pytest.mark.parametrize(
    ("turns", "says"), [(3, []), (2, ["T1: unloads census at Ross in turn 3, after the last (13.3.3)"])]
)
def test_cargo_of_the_last_turn_is_in_time(turns: int, says: list[str]):
    state = home_waters()
    state.turns = turns
    ask = ask_of(state)
    assert list(ask.warn(sheet("T1: route to Ross; unload census at Ross", state))) == says


@cases("action, text, written")
def test_cargo_is_read_and_written(action: CargoAction, text: str, written: str):
    state = home_waters()
    (order,), refusals = read_cargo(state, state.squadrons["T1"], action, text, "x")
    assert refusals == []
    assert say_cargo(state, order) == written


@pytest.mark.parametrize("text", ["", " ", "-", "stop"])
def test_nothing_is_read_of_what_says_nothing(text: str):
    state = home_waters()
    assert read_cargo(state, state.squadrons["T1"], "load", text, "x") == ([], [])
