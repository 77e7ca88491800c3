"""What a turn's sheet says of itself, of its fields and of each mistake, word for word."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.forms.forms import Field
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import read_cargo, say_cargo
from rules_engine.rulebooks.jump_lanes.plotting.names import Names
from rules_engine.rulebooks.jump_lanes.plotting.routes import MOST_LEGS, read_route
from rules_engine.rulebooks.jump_lanes.plotting.words import read_back
from rules_engine.rulebooks.jump_lanes.records.orders import CargoAction, CargoOrder, LaneSheet, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import said, sheet


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


def test_the_lines_and_their_fields(kept: Kept):
    """A lone tug may tow its company and others, and not itself: of its own fleet the sloop stands for all three."""
    form = ask_of(home_waters()).form
    assert {line.key: (line.label, line.note, line.group) for line in form.lines} == kept("lines")
    assert {line.key: [labels(one) for one in line.fields] for line in form.lines} == kept("fields")


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


def test_an_example_that_would_be_refused_is_not_given(kept: Kept):
    state = home_waters()
    state.squadrons["T1"].orders.cargo = [CargoOrder(action="load", what="guards", at="sol")]
    found = ask_of(state).form.line("T1")
    assert found is not None
    assert {one.key: one.help[:4] for one in found.fields if one.key in ("load", "unload", "jettison")} == kept()


def test_the_place_where_a_group_is_is_offered_last_and_as_its_own(kept: Kept):
    found = ask_of(home_waters()).form.line("T3")
    assert found is not None
    assert [one.hint for one in found.fields[0].choices] == kept()


@cases("line, field, problem, rule")
def test_why_a_field_is_not_there(line: str, field: str, problem: str, rule: str):
    form = ask_of(home_waters()).form
    found = {(one.key, one.field): (one.problem, one.rule) for one in form.why_absent()}
    assert found.get((line, field)) == (problem, rule)


def test_what_is_there_is_not_missing():
    form = ask_of(home_waters()).form
    offered = {(line.key, field.key) for line in form.lines for field in line.fields}
    assert offered.isdisjoint((one.key, one.field) for one in form.why_absent())


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


@cases("turns, says")
def test_cargo_of_the_last_turn_is_in_time(turns: int, says: list[str]):
    state = home_waters()
    state.turns = turns
    assert list(ask_of(state).warn(sheet("T1: route to Ross; unload census at Ross", state))) == says


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


# --- refusal words ---------------------------------------------------------------------------------------------------
Lines = dict[str, dict[str, Any]]


def busy() -> LanesState:
    """Merchants of two ships, a tug with company and a sloop at Sol, a seeker at Ross, and guards at Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes"), ship("iris", name="Iris")).name = "Merchants"
    squadron(state, "T2", "sol", ship("tug", towing=4, ftl=3, name="Tug"), ship("wasp", ftl=2, name="Wasp"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=4, name="Seeker"))
    squadron(state, "T4", "sol", ship("sloop", engines=3, ftl=0, name="Sloop"))
    standing(state, ship("guards", kind="troop", ftl=0, siz=2, name="Guards"), "sol")
    return state


def told(state: LanesState, lines: Lines) -> list[str]:
    """What is refused of a sheet."""
    return [str(one) for one in sheet_ask(state, TERRAN).check(LaneSheet.model_validate(lines))]


@cases("lines, says")
def test_what_is_refused(lines: Lines, says: str):
    state = busy()
    before = state.to_json()
    assert told(state, lines) == [says]
    assert state.to_json() == before


def without_lanes(state: LanesState) -> None:
    """Nothing leads from Sol as far as the Terrans know."""
    state.empires[TERRAN].places = ["sol", "vega"]


def laden(state: LanesState) -> None:
    """Hermes carries all that the merchants have."""
    state.put(ship("horse", kind="troop", ftl=0, siz=20, name="Horse"), aboard="T1")


def towing(state: LanesState) -> None:
    """Hermes has Iris in tow."""
    state.units["hermes"].tows = state.units["iris"].towed = True


NOTATION = {"laden": laden, "towing": towing, "without_lanes": without_lanes}


@cases("change, lines, says", "")
def test_what_is_refused_otherwise(change: Callable[[LanesState], None], lines: Lines, says: str):
    state = busy()
    evaluated(change, NOTATION)(state)
    assert told(state, lines) == [says]


def test_of_a_place_to_which_no_way_is_known_nothing_else_is_said(kept: Kept):
    """The route that stands is not taken away by a mistake, so that its cargo is no mistake as well."""
    state = busy()
    state.empires[TERRAN].places.append("vega")
    merchants = state.squadrons["T1"]
    merchants.orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    assert told(state, {"T1": {"go": "Vega", "load": "1 census at Barnard"}}) == kept()


@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.5")
def test_who_cannot_go_a_squadrons_standing_route_does_not_join_it():
    """Hermes has no drive and joins a squadron whose route stands, whether the sheet says more of that one or not."""
    state = busy()
    state.units["hermes"].ftl = 0
    state.squadrons["T2"].orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    joins: Lines = {"T1": {"join": "T2"}}
    for lines in (joins, {**joins, "T2": {"detach": ()}}):
        assert told(state, lines) == [
            "T2.route: Hermes has no FTL for interstellar lanes (13.1.2). "
            "Legal: units with FTL, or others in tow or as cargo."
        ]


def test_who_is_on_a_planet_is_told_to_go_to_the_outskirts_first():
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/earth", ship("hermes", intergalactic=1, name="Hermes"))
    for goal, rules in (("Barnard", "13.1.2, 13.1.3"), ("Mirach", "13.1.4")):
        assert told(state, {"T1": {"route": goal}}) == [
            f"T1.route: Earth is a planet, and other systems are reached from the outskirts ({rules}). "
            "Legal: first Sol. Did you mean Sol?"
        ]
    assert told(state, {"T1": {"route": "Sol > Mirach"}}) == []


def test_a_name_of_several_is_refused_with_their_ids():
    names = Names("place", [("Haven", "haven"), ("haven", "old-haven"), ("Haven", "haven"), ("Port", "port")])
    assert names.read("port", "x") == ("port", [])
    found, refusals = names.read("HAVEN", "T1.go")
    assert found == ""
    assert [str(one) for one in refusals] == ["T1.go: “HAVEN” could be several. Did you mean haven or old-haven?"]
    assert [str(one) for one in Names("place", []).read("x", "T1.go")[1]] == ["T1.go: you know no place “x”"]


def test_a_route_has_sixty_steps_and_no_more():
    state = busy()
    there_and_back = ["Barnard", "Sol"] * (MOST_LEGS // 2)
    read = read_route(state, TERRAN, "sol", " > ".join(there_and_back), "x")
    assert (len(read.legs), read.refusals) == (60, [])
    read = read_route(state, TERRAN, "sol", " > ".join([*there_and_back, "Barnard"]), "x")
    assert [str(one) for one in read.refusals] == ["x: a route has at most 60 steps"]


def test_others_squadrons_are_no_groups_to_command():
    state = busy()
    squadron(state, "C1", "sol", ship("raider", CENTAURI))
    assert told(state, {"C1": {"go": "Sol"}}) == ["C1: you command no such group. Legal: T1, T2, T3, T4."]
