"""Routes as players write them, what is read back of sheets, what is warned of, and the ways on the map."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import pass_legs
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.plotting.routes import read_route, way_to, write_route
from rules_engine.rulebooks.jump_lanes.records.orders import GroupOrders, LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import begin, refused, said, sheet


def at_sol() -> LanesState:
    """Hermes with a hold, a tug, a scout, and a base at Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes")).name = "Hermes"
    squadron(state, "T2", "sol", ship("tug", towing=2, ftl=4, name="Tug"), ship("tug2", towing=3, ftl=4, name="Ox"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=2, name="Seeker"))
    standing(state, ship("base", kind="starbase", siz=1, ftl=0, engines=0, name="Base"), "sol")
    return state


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_the_printed_order_is_typed_and_read_back_with_its_turn_of_arrival():
    assert said("Hermes: Sol > Wolf 359; load 2 census at Sol", at_sol())[0] == (
        "T1: goes Sol > Wolf 359 (turn 2); an extended jump of 2 turns; loads 2 census at Sol"
    )


@cases("text, line")
def test_orders_are_read_back(text: str, line: str):
    assert any(one.startswith(line) for one in said(text, at_sol())), said(text, at_sol())


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_turns_of_arrival_are_counted_from_the_present_one():
    state = at_sol()
    state.turn = 3
    assert said("T1: route to Ross", state)[0] == "T1: goes Sol > Barnard (turn 3) > Ross (turn 4)"


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_tows_go_to_as_few_tugs_as_can_the_strongest_first_and_slow_them():
    """The base takes Towing rating 4: Ox has 3 and Tug 2, so both tow, with FTL 4 halved."""
    state = at_sol()
    (line,) = [one for one in said("T2: tow Base; route Barnard > Ross > Wolf 359", state) if one.startswith("T2")]
    assert line == "T2: goes Sol > Barnard (turn 1) > Ross (turn 1) > Wolf 359 (turn 2); Tug, Ox tow Base"
    state.units["base"].kind = "satellite"
    (line,) = [one for one in said("T2: tow Base; route Barnard", state) if one.startswith("T2")]
    assert line == "T2: goes Sol > Barnard (turn 1); Ox tows Base"


@pytest.mark.rule("jump_lanes", "13.5.1", "13.1.5")
def test_standing_orders_go_on_and_are_sent_back_unchanged_without_being_new():
    state = at_sol()
    play = begin(state)
    carry_out_sheets(play.turn, {TERRAN: sheet("T3: route Wolf 359 > Ross > Barnard\nT1: load 1 census", state)})
    ask = sheet_ask(state, TERRAN)
    whole = ask.form.prefilled()
    assert (whole["T3"]["route"], whole["T1"]["load"]) == ("Wolf 359 > Ross > Barnard", "1 census at Sol")
    assert ask.check(LaneSheet.model_validate(whole)) == []
    answer = LaneSheet.model_validate({**whole, "T3": {**whole["T3"], "explore": "ross?1"}})
    assert ask.check(answer) == []
    assert any("its route waits; explores ross?1" in one for one in ask.read_back(answer))
    again = {**whole, "T3": {**whole["T3"], "route": "Barnard", "explore": "ross?1"}}
    assert [one.rule for one in ask.check(LaneSheet.model_validate(again))] == ["13.5.1"]
    assert any(one.startswith("T3: goes Ross > Wolf 359") for one in ask.read_back(LaneSheet({})))
    stopped = LaneSheet.model_validate({"T3": {"route": "stop"}, "T1": {"load": "stop"}})
    assert "T3: stays at Ross" in ask.read_back(stopped)
    assert "T1: stays at Sol" in ask.read_back(stopped)


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_a_standing_route_that_cannot_be_gone_any_more_is_warned_of_and_not_refused_when_it_is_sent_back():
    """Its engine room is gone: whoever changes something else of it need not know that its route must be stopped."""
    state = at_sol()
    carry_out_sheets(begin(state).turn, {TERRAN: sheet("T2: route Barnard > Ross", state)})
    state.units["tug"].ftl = 0
    ask = sheet_ask(state, TERRAN)
    whole = ask.form.prefilled()
    assert whole["T2"]["route"] == "Barnard > Ross"
    assert ask.check(LaneSheet.model_validate(whole)) == []
    assert list(ask.warn(LaneSheet.model_validate(whole))) == ["T2: cannot begin its route (13.1.5)"]
    for text in ("T2: route Barnard", "T2: go Ross"):
        assert [one.partition(".")[2].partition(" for")[0] for one in refused(text, state)] == [
            f"{text.split()[1]}: Tug has no FTL"
        ]
    state.units["hermes"].ftl = 0
    for text in ("T1: join T2\nT2: detach -", "T1: join T2"):
        joined = refused(text, state)
        assert [one.partition(" for")[0] for one in joined] == ["T2.route: Hermes has no FTL"], "the sheet made it so"


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_a_group_in_transit_is_read_back_with_its_turn_of_arrival_and_has_no_line():
    state = at_sol()
    state.turn = 3
    hermes = state.squadrons["T1"]
    hermes.at, hermes.transit = "", JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(4), turns_left=2)
    assert said("T2: go barnard", state)[0] == "T1: in transit to Wolf 359, arrives in turn 4"
    assert sheet_ask(state, TERRAN).form.line("T1") is None


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_an_extended_jump_is_warned_of(kept: Kept):
    state = at_sol()
    ask = sheet_ask(state, TERRAN)
    assert list(ask.warn(sheet("T1: go wolf", state))) == kept()
    assert list(ask.warn(sheet("T1: go barnard", state))) == []


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_squadrons_that_explore_a_lane_together_are_told_their_chance_together():
    state = at_sol()
    squadron(state, "T4", "ross", ship("lens", science=4, name="Lens"))
    told = said("T3: explore ross?1\nT4: explore ross?1", state)
    together = "explores ross?1 with Science 20, Squadron T3, Squadron T4 together: chance 30 of 100"
    assert told[-2:] == [f"T3: {together}", f"T4: {together}"]
    assert said("T4: explore ross?1", state)[-1] == "T4: explores ross?1 with Science 4: chance 14 of 100"


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_is_let_go_of_a_tow_is_said_to_stay_behind():
    state = at_sol()
    carry_out_sheets(begin(state).turn, {TERRAN: sheet("T2: tow Base", state)})
    assert state.units["base"].towed
    assert said("T2: tow -; go Barnard", state)[1] == "T2: goes Sol > Barnard (turn 1); leaves Base at Sol"
    assert said("T2: go Barnard", state)[1] == "T2: goes Sol > Barnard (turn 1); Tug, Ox tow Base"


@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_cargo_that_waits_for_its_squadron_to_come_there_is_read_back_with_its_turn(kept: Kept):
    state = at_sol()
    state.squadrons["T1"].hold.append(HoldLot(kind="census", amount=1, embarked=0))
    assert said("T1: route to Ross; unload census at Ross", state)[0] == (
        "T1: goes Sol > Barnard (turn 1) > Ross (turn 2); unloads census at Ross (turn 3)"
    )
    assert said("T1: unload census", state)[0] == "T1: stays at Sol; unloads census at Sol"
    ask = sheet_ask(state, TERRAN)
    late = sheet("T1: route to Ross; unload census at Ross", state)
    assert list(ask.warn(late)) == []
    state.turns = 2
    assert list(sheet_ask(state, TERRAN).warn(late)) == kept()
    carry_out_sheets(begin(state).turn, {TERRAN: late})
    assert said("T1: go Sol", state)[0] == "T1: stays at Sol; unloads census at Ross, once it is there"


def test_the_ways_of_a_sheet_are_on_the_map(kept: Kept):
    state = at_sol()
    found = sheet_ask(state, TERRAN).courses(sheet("T1: route to Ross\nT3: route loop Ross > Wolf 359", state))
    assert [(one.counter, one.hexes) for one in found] == kept()


def test_squadrons_part_and_join_with_their_flights_and_cargo():
    state = at_sol()
    tug = state.units["tug"]
    tug.basing = 2
    state.put(ship("wasp", kind="flight", ftl=0, name="Wasp"), squadron="T2")
    state.units["wasp"].based_on = "tug"
    assert "T2.detach: Wasp is based on Tug. Legal: Tug as well." in refused("T2: detach wasp", state)
    play = begin(state)
    carry_out_sheets(play.turn, {TERRAN: sheet("T2: detach tug", state)})
    assert [unit.name for unit in state.members("T4")] == ["Tug", "Wasp"]
    assert state.units["wasp"].based_on == "tug"
    state.put(ship("guards", kind="troop", ftl=0, name="Guards"), aboard="T1")
    state.units["guards"].embarked = 0
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: join T4", state)})
    assert "T1" not in state.squadrons
    assert (state.units["guards"].aboard, state.units["guards"].embarked) == ("T4", 0)


def test_a_squadron_does_not_part_from_what_its_cargo_needs():
    state = at_sol()
    state.put(ship("ketch", cargo=5, name="Ketch"), squadron="T1")
    state.put(ship("guards", kind="troop", ftl=0, siz=21, name="Guards"), aboard="T1")
    told = refused("T1: detach ketch", state)
    assert "T1.detach: without them Hermes, left with Hermes, carries too much (13.3.1)" in told[0]


@pytest.mark.rule("jump_lanes", "13.1.5")
def test_fleets_have_one_route_and_end_when_they_are_one_squadron(kept: Kept):
    state = at_sol()
    play = begin(state)
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: fleet T2\nT2: route Barnard > Ross", state)})
    assert list(state.fleets) == ["TF1"]
    assert [one.to for one in state.fleets["TF1"].orders.legs] == ["barnard", "ross"]
    assert refused("T1: route Wolf 359", state) == kept("refused(T1: route Wolf 359, state)")
    told = sheet_ask(state, TERRAN).check(LaneSheet.model_validate({"T1": {"route": "Wolf 359"}}))
    assert [str(one) for one in told] == kept("(str(one) for one in told)")
    told = refused("T1: fleet none\nTF1: route Wolf 359", state)
    assert told == kept("told")
    carry_out_sheets(play.turn, {TERRAN: sheet("T1: fleet none", state)})
    assert state.fleets == {}
    assert [one.to for one in state.squadrons["T2"].orders.legs] == ["barnard", "ross"]


@pytest.mark.rule("jump_lanes", "13.2")
def test_treaties_and_wars_are_told_to_all_and_offers_to_the_two():
    play = begin(frontier(empires=3))

    def settle(terran: str, centauri: str) -> list[list[str]]:
        before = len(play.turn.shared.reports)
        sheets = {
            TERRAN: LaneSheet.model_validate({CENTAURI: {"stance": terran}}),
            CENTAURI: LaneSheet.model_validate({TERRAN: {"stance": centauri}}),
        }
        carry_out_sheets(play.turn, sheets)
        return [[one.text, *one.to] for one in play.turn.shared.reports[before:]]

    assert settle("passage", "none") == [["Terran grants Centauri passage.", CENTAURI, TERRAN]]
    assert settle("passage", "passage") == [["Centauri and Terran have a treaty of passage.", "*"]]
    assert settle("passage", "passage") == []
    assert settle("none", "passage") == [["Centauri and Terran no longer have a treaty of passage.", "*"]]
    assert settle("none", "none") == [["Centauri grants Terran nothing.", CENTAURI, TERRAN]]
    assert settle("war", "none") == [["Terran is at war with Centauri.", "*"]]


def test_the_form_offers_what_there_is_and_says_why_other_things_are_not_on_it():
    state = at_sol()
    state.fleets["TF9"] = LaneFleet(id="TF9", empire=TERRAN, name="Home Fleet")
    for key in ("T1", "T2"):
        state.squadrons[key].fleet = "TF9"
    form = sheet_ask(state, TERRAN).form
    assert [line.key for line in form.lines] == ["TF9", "T1", "T2", "T3", CENTAURI]
    fields = {line.key: [field.key for field in line.fields] for line in form.lines}
    assert (fields["TF9"], fields["T1"]) == (["go", "route"], ["take", "load", "unload", "jettison", "fleet", "join"])
    assert (fields["T2"], fields["T3"]) == (["tow", "fleet", "join", "detach"], ["go", "route", "explore"])
    goals = {field.key: field for field in form.lines[0].fields}["go"].choices
    assert [one.label for one in goals] == ["Barnard", "Perseus", "Ross", "Wolf 359", "Sol"]
    assert form.absence("T1", "route") is not None
    assert form.absence("T2", "explore") is not None


# --- routes ----------------------------------------------------------------------------------------------------------
def read(state: LanesState, text: str, start: str = "sol") -> tuple[list[str], int | None]:
    """The legs of a route, as ``L1:wolf``, and where its round begins."""
    found = read_route(state, TERRAN, start, text, "T1.route")
    assert found.refusals == []
    return [f"{one.lane}:{one.to}" for one in found.legs], found.again_from


def refusal(state: LanesState, text: str, start: str = "sol") -> str:
    """The one thing that is wrong with a route."""
    (found,) = read_route(state, TERRAN, start, text, "T1.route").refusals
    return str(found)


@cases("text, legs, again_from")
def test_routes_are_read(text: str, legs: list[str], again_from: int | None):
    assert read(frontier(), text) == (legs, again_from)


def test_a_round_closes_by_the_cheapest_way_and_is_written_as_it_goes_on():
    state = frontier()
    legs, start = read(state, "loop Barnard > Ross > Wolf 359")
    # From Wolf 359 back to Barnard: by Ross 1/2 + 1, by Sol 2 + 1.
    assert (legs, start) == (["L2:barnard", "L3:ross", "L4:wolf", "L4:ross", "L3:barnard"], 1)
    found = read_route(state, TERRAN, "sol", "loop Barnard > Ross > Wolf 359", "")
    orders = GroupOrders(legs=found.legs, again_from=found.again_from)
    here = "sol"
    for _ in range(12):
        again = read_route(state, TERRAN, here, write_route(state, orders, here), "")
        other = GroupOrders(legs=again.legs, again_from=again.again_from)
        ways: list[list[str]] = []
        for one in (orders.copied(), other):
            ways.append([])
            for _ in range(10):
                ways[-1].append(one.legs[one.gone].to)
                pass_legs(one, 1)
        assert ways[0] == ways[1], (here, write_route(state, orders, here))
        here = orders.legs[orders.gone].to
        pass_legs(orders, 1)


def test_what_is_left_of_a_route_is_written_as_it_is_read():
    state = frontier()
    orders = GroupOrders(legs=read_route(state, TERRAN, "sol", "Barnard > Ross > Wolf 359", "").legs)
    assert write_route(state, orders, "sol") == "Barnard > Ross > Wolf 359"
    pass_legs(orders, 1)
    assert write_route(state, orders, "barnard") == "Ross > Wolf 359"


@pytest.mark.rule("jump_lanes", "13.1.4")
def test_another_galaxy_is_reached_from_any_system_as_a_known_system_or_a_sector():
    state = frontier()
    assert read(state, "Mirach")[0] == ["L8:mirach"]
    assert read(state, "Barnard > Mirach")[0] == ["L2:barnard", "L8:mirach"]
    assert (read(state, "to Mirach")[0], read(state, "sector Halo")[0]) == (["L8:mirach"], ["L8:*halo"])
    # Almach is not known, and cannot be named.
    assert "you know no place “Almach”" in refusal(state, "Almach")
    assert "a sector is named only where" in refusal(state, "sector Orion")
    assert "Did you mean Halo" in refusal(state, "sector Haloo")
    assert "where it arrives is drawn" in refusal(state, "sector Halo > Mirach")
    assert "Legal: a sector as the last step." in refusal(state, "sector Halo > Mirach")
    found = read_route(state, TERRAN, "sol", "sector Halo", "")
    assert write_route(state, GroupOrders(legs=found.legs), "sol") == "sector Halo"
    state.lanes["L8"].explored = False
    assert "no lane that you know leads to Andromeda (13.1.4)" in refusal(state, "Mirach")


@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.3", "13.1.4")
def test_with_system_maps_other_systems_are_reached_from_the_outskirts():
    state = frontier(system_maps=True)
    assert read(state, "Sol > Barnard", "sol/earth")[0] == ["L9:sol", "L2:barnard"]
    assert read(state, "to Ross", "sol/mars")[0] == ["L10:sol/earth", "L9:sol", "L2:barnard", "L3:ross"]
    assert read(state, "Mars", "sol/earth")[0] == ["L10:sol/mars"]
    assert refusal(state, "Barnard", "sol/earth") == (
        "T1.route: Earth is a planet, and other systems are reached from the outskirts (13.1.2, 13.1.3). "
        "Legal: first Sol. Did you mean Sol?"
    )
    assert "(13.1.4)" in refusal(state, "Mirach", "sol/earth")
    assert "Earth is a planet, and an intergalactic lane ends at a system" in refusal(state, "Mirach > Earth", "sol")


@pytest.mark.rule("jump_lanes", "13.5")
def test_an_unexplored_lane_is_in_no_route():
    state = frontier()
    assert "an unexplored lane cannot be crossed (13.5)" in refusal(state, "ross?1", "ross")
    state.empires[TERRAN].places.append("vega")
    assert "no lane that you know leads from Ross to Vega" in refusal(state, "Vega", "ross")
    assert "no lanes that you know lead from Ross to Vega" in refusal(state, "to Vega", "ross")
    state.lanes["L6"].explored, state.lanes["L6"].lane_class = True, "normal"
    assert read(state, "Vega", "ross")[0] == ["L6:vega"]


def test_a_step_must_be_beside_the_last_and_the_way_between_is_named():
    assert refusal(frontier(), "Ross") == (
        "T1.route: no lane that you know leads from Sol to Ross (13.1). "
        "Legal: Wolf 359, Barnard, Perseus, or to Ross. Did you mean Barnard > Ross?"
    )


@cases("text, problem")
def test_what_cannot_be_a_route_is_refused(text: str, problem: str):
    assert problem in refusal(frontier(), text)


def test_of_two_lanes_between_two_places_the_cheaper_is_taken():
    state = frontier()
    state.lanes["L0"] = lane("L0", "wolf", "sol", "restricted")
    state.lanes["L11"] = lane("L11", "wolf", "sol", "major")
    state.index()
    assert read(state, "Wolf 359")[0] == ["L11:wolf"]
    assert way_to(state, TERRAN, "sol", "ross") == [("L11", "wolf"), ("L4", "ross")]


def test_a_way_leads_only_by_what_is_known():
    state = frontier()
    state.empires[TERRAN].places.remove("barnard")
    assert way_to(state, TERRAN, "sol", "ross") == [("L1", "wolf"), ("L4", "ross")]
    assert way_to(state, TERRAN, "sol", "barnard") is None


@cases("text", "")
def test_a_place_is_not_said_twice_in_a_row(text: str):
    assert "the route is at Barnard already" in refusal(frontier(), text)
