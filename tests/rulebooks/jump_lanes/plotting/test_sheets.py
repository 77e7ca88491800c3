"""What a turn's sheet offers on each line and how many of it, and what it may not say: refused all at once."""

from fractions import Fraction
from itertools import pairwise

import pytest
from pydantic import ValidationError

from rules_engine.core.basics.base import When
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.core.knowledge.views import Contact, Glimpse, Knowledge
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn, open_turn
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.plotting.cargo_words import MOST_ORDERS, other_name
from rules_engine.rulebooks.jump_lanes.plotting.judging import judge_sheet
from rules_engine.rulebooks.jump_lanes.plotting.names import listed
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.places import LaneSystem
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from rules_engine.rulebooks.jump_lanes.shown.boards import side_board
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import begin, refused, said, sheet


def busy() -> LanesState:
    """Hermes, which carries; tugs; an explorer at Ross; a base and a dock at Sol; others there as well."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes")).name = "Hermes"
    squadron(state, "T2", "sol", ship("tug", towing=4, ftl=3, name="Tug"), ship("wasp", ftl=2, name="Wasp"))
    squadron(state, "T3", "ross", ship("seeker", science=16, ftl=4, name="Seeker"))
    squadron(state, "T4", "sol", ship("sloop", engines=3, ftl=0, name="Sloop"))
    standing(state, ship("base", kind="starbase", siz=1, ftl=0, engines=0, name="Base"), "sol")
    standing(state, ship("bastion", kind="starbase", siz=2, ftl=0, engines=0, name="Bastion"), "sol")
    standing(state, ship("dock", kind="facility", ftl=0, name="Dock"), "sol")
    standing(state, ship("guards", kind="troop", ftl=0, siz=2, name="Guards"), "sol")
    squadron(state, "C1", "sol", ship("c1", CENTAURI, name="Stranger"))
    standing(state, ship("c2", CENTAURI, kind="troop", name="Strangers"), "sol")
    return state


@cases("case, text, told, proves", "told")
def test_bad_orders_are_refused_with_what_would_be_legal(text: str, told: str):
    state = busy()
    before = state.to_json()
    assert told in " | ".join(refused(text, state))
    assert state.to_json() == before


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_no_order_of_any_kind_reaches_a_group_in_transit(kept: Kept):
    state = busy()
    hermes = state.squadrons["T1"]
    hermes.at, hermes.transit = "", JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), turns_left=1)
    for order in ("route Ross", "load 1 census", "jettison 1 census", "explore ross?1"):
        assert refused(f"T1: {order}", state) == [
            "line 1: Hermes is in transit until turn 1 and out of communication (13.1.6). Legal: T2, T3, T4, centauri."
        ]
    # A sheet that comes by another way than the form says the same.
    told = sheet_ask(state, TERRAN).check(LaneSheet.model_validate({"T1": {"route": "Ross"}}))
    assert [str(one) for one in told] == kept()


@pytest.mark.rule("jump_lanes", "13.3.2.1")
def test_census_of_a_colony_in_rebellion_neither_embarks_nor_disembarks(kept: Kept):
    state = busy()
    state.colonies["sol"].rebellion = True
    assert refused("T1: load 1 census", state) == kept()


def test_all_defects_are_told_at_once():
    state = busy()
    told = refused(
        "T1: load 3 census; route Vega\nT2: tow Bastion\nT3: explore ross?1; route Barnard\nT4: route Barnard", state
    )
    assert [one.partition(":")[0] for one in told] == ["T2.tow", "T1.route", "T1.load", "T3.explore", "T4.route"]


@pytest.mark.rule("jump_lanes", "13.1.5", "13.4.1")
def test_what_cannot_move_by_itself_moves_in_tow_or_as_cargo(kept: Kept):
    state = busy()
    assert refused("T2: tow Base; route Barnard", state) == []
    assert refused("T4: fleet T2\nT2: tow Base; route Barnard", state) == kept()
    # A starship of SIZ 1 takes Cargo rating 10.
    assert refused("T1: load Sloop; route Barnard", state) == []


@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_troops_may_embark_and_invade_in_the_same_turn():
    state = busy()
    state.units["hermes"].ftl = 4
    assert refused("T1: load Guards; route to Ross; invade yes", state) == []
    assert "there is no colony to invade at Sol" in refused("T1: load Guards; invade yes", state)[0]
    # What is at Barnard is not known before somebody is there, and no refusal tells.
    assert refused("T1: load Guards; route Barnard; invade yes", state) == []
    squadron(state, "T5", "barnard", ship("picket"))
    assert "there is no colony to invade at Barnard" in refused("T1: load Guards; route Barnard; invade yes", state)[0]


def test_the_default_is_legal_and_standing_orders_that_became_impossible_refuse_no_other_order():
    state = busy()
    assert sheet_ask(state, TERRAN).check(LaneSheet({})) == []
    assert said("T1: route to Ross; load 2 census", state)[0] == (
        "T1: goes Sol > Barnard (turn 1) > Ross (turn 2); loads 2 census at Sol"
    )


# --- fields ----------------------------------------------------------------------------------------------------------
def at_sol() -> LanesState:
    """A freighter, a tug and a courier at Sol with a base and a garrison, and a scout at Ross, where no colony is."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=25, name="Hermes")).name = "Hermes"
    squadron(state, "T2", "sol", ship("tug", towing=4, name="Tug"))
    squadron(state, "T3", "ross", ship("seeker", science=16, name="Seeker")).name = "Seeker"
    squadron(state, "T4", "sol", ship("mail", name="Mail"))
    standing(state, ship("base", kind="starbase", siz=1, ftl=0, engines=0, name="Base"), "sol")
    standing(state, ship("guards", kind="troop", siz=3, ftl=0, engines=0, name="Guards"), "sol")
    return state


def test_cargo_is_offered_of_own_units_that_a_hold_takes():
    """Of what stands at Sol a dock goes into no hold, and a troop of Centauri is another's."""
    offered = [one.value for one in field(busy(), "T1", "take").choices]
    assert offered == ["census", "base", "bastion", "guards"]


@pytest.mark.rule("jump_lanes", "13.4.1")
@pytest.mark.parametrize(("rating", "tows"), [(4, ["tug"]), (3, ["tug", "ox"])])
def test_no_tug_more_tows_than_has_to(rating: int, tows: list[str]):
    """A base of SIZ 1 takes four points: the strongest tug alone, or with the next."""
    state = at_sol()
    state.units["tug"].towing = rating
    state.put(ship("ox", towing=2, name="Ox"), squadron="T2")
    judged = judge_sheet(state, TERRAN, sheet("T2: tow Base", state))
    assert judged.refusals == []
    assert [key for key in ("tug", "ox") if judged.state.units[key].tows] == tows


def field(state: LanesState, line: str, key: str) -> Field:
    """A field of a sheet."""
    found = sheet_ask(state, TERRAN).form.line(line)
    assert found is not None
    return next(one for one in found.fields if one.key == key)


@pytest.mark.rule("jump_lanes", "13.3.1")
def test_what_may_come_aboard_is_offered_with_what_it_takes_of_the_room_that_is_left():
    state = at_sol()
    assert field(state, "T1", "take").choices == (
        Choice("census", "Census, as much as fits", "each point takes 10 of 25"),
        Choice("base", "Base", "takes 15 of 25"),
        Choice("guards", "Guards", "takes 3 of 25"),
    )
    state.squadrons["T1"].hold = [HoldLot(kind="experience", amount=250)]
    assert field(state, "T1", "take").choices[-1] == Choice("guards", "Guards", "takes 3 of 0")
    state.squadrons["T1"].hold = []
    state.units["hermes"].crippled = True
    assert [one.key for one in sheet_ask(state, TERRAN).form.lines[0].fields] == ["go", "route", "fleet", "join"]


@pytest.mark.rule("jump_lanes", "13.4.1")
def test_what_may_be_towed_is_offered_with_what_it_takes_and_a_lone_tug_not_to_itself():
    state = at_sol()
    offered = field(state, "T2", "tow").choices
    assert Choice("base", "Base", "takes 4 of 4") in offered
    assert "tug" not in [one.value for one in offered]
    state.put(ship("ox", towing=2, name="Ox"), squadron="T2")
    assert {"tug", "ox"} <= {one.value for one in field(state, "T2", "tow").choices}


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_a_lane_is_offered_to_explorers_with_its_difficulty_and_their_chance():
    state = at_sol()
    assert field(state, "T3", "explore").choices == (
        Choice("ross?1", "unexplored lane 1 of Ross", "easy, chance 26 of 100"),
    )


def test_places_are_offered_with_the_points_that_it_takes_to_come_there():
    hints = [one.hint for one in field(at_sol(), "T4", "go").choices]
    assert (hints[0], hints[1]) == ("1 point away", "2 points away")


@cases("text, problem")
def test_why_a_line_has_no_such_field(text: str, problem: str):
    assert [one.partition(". Legal")[0] for one in refused(text, at_sol())] == [f"line 1: {problem}"]


# --- limits ----------------------------------------------------------------------------------------------------------
def test_a_menu_offers_the_23_nearest_places_and_then_the_own():
    """With these a menu of Discord, which has 25 lines, has one left."""
    state = frontier()
    for number in range(30):
        key = f"moon-{number:02}"
        state.systems[key] = LaneSystem(id=key, name=key.title(), x=Fraction(number), y=Fraction(5), sector="orion")
        state.lanes[f"M{number}"] = lane(f"M{number}", "sol", key, "major")
        state.empires[TERRAN].places.append(key)
    state.index()
    squadron(state, "T1", "sol", ship("hermes"))
    line = sheet_ask(state, TERRAN).form.line("T1")
    assert line is not None
    assert [one.value for one in line.fields[0].choices] == [*(f"moon-{number:02}" for number in range(23)), "sol"]


@cases("count, says")
def test_of_many_names_six_are_listed(count: int, says: str):
    assert listed("abcdefg"[:count]) == says


@pytest.mark.parametrize(("turn", "shown"), [(5, ["E1"]), (6, [])])
def test_who_was_lost_from_sight_is_shown_for_four_turns(turn: int, shown: list[str]):
    state = frontier()
    state.turn = turn
    squadron(state, "T1", "sol", ship("hermes"))
    glimpse = Glimpse(when=When(turn=1), hex="ross", level=1, level_name="seen", headline="2 units")
    gone = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse, live=False)
    knowledge = Knowledge()
    knowledge.contacts["E1"] = gone
    assert [one.id for one in side_board(state, TERRAN, knowledge).counters if one.owner == CENTAURI] == shown


def test_what_is_told_at_a_turns_end_is_told_at_its_ninetieth_step():
    play = begin(frontier())
    open_turn(play.turn)
    assert (play.turn.shared.now.turn, play.turn.shared.now.step, play.turn.shared.now.label) == (2, 0, "Turn 2")
    close_turn(play.turn)
    assert (play.turn.shared.now.turn, play.turn.shared.now.step, play.turn.shared.now.label) == (2, 90, "Turn 2, end")


# --- what is offered -------------------------------------------------------------------------------------------------
def freighter_at_sol() -> LanesState:
    """A freighter with census aboard, and guards, at Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=40, name="Hermes")).hold = [HoldLot(kind="census", amount=1)]
    standing(state, ship("guards", kind="troop", name="Guards"), "sol")
    return state


def test_what_is_there_and_what_is_aboard_is_offered_by_name(kept: Kept):
    state = freighter_at_sol()
    assert [(one.value, one.label) for one in field(state, "T1", "take").choices] == kept()
    assert [(one.value, one.label) for one in field(state, "T1", "land").choices] == [("census", "All census")]
    assert field(state, "T1", "load").help.endswith("blank leaves it, stop ends it")


def test_an_unexplored_lane_is_called_by_its_number_where_it_begins(kept: Kept):
    state = frontier()
    squadron(state, "T1", "ross", ship("seeker", science=16))
    assert [(one.value, one.label) for one in field(state, "T1", "explore").choices] == kept()


def test_a_menu_offers_places_that_are_at_most_twelve_points_away():
    """From Sol by three restricted lanes, 4 points each, and by one more lane behind them."""
    state = frontier()
    for number, (start, end) in enumerate(pairwise(["sol", "near", "middle", "far", "beyond"])):
        state.systems[end] = LaneSystem(id=end, name=end.title(), x=Fraction(number), y=Fraction(9), sector="orion")
        state.empires[TERRAN].places.append(end)
        state.lanes[f"N{number}"] = lane(f"N{number}", start, end, "normal" if end == "beyond" else "restricted")
    state.index()
    squadron(state, "T1", "sol", ship("hermes"))
    goals = {one.value: one.hint for one in field(state, "T1", "go").choices}
    assert goals["far"] == "12 points away"
    assert "beyond" not in goals


def test_twenty_orders_for_cargo_are_read_and_no_more(kept: Kept):
    assert MOST_ORDERS == 20
    state = freighter_at_sol()
    assert refused(f"T1: load {', '.join(['1 census'] * 21)}", state) == kept()
    assert not any("orders for cargo" in one for one in refused(f"T1: load {', '.join(['1 census'] * 20)}", state))


def test_who_gives_or_takes_cargo_is_read_back_by_name():
    state = freighter_at_sol()
    squadron(state, "T2", "sol", ship("atlas", cargo=40, basing=2, name="Atlas")).name = "Liners"
    assert "T1: stays at Sol; unloads 1 census to Liners at Sol" in said("T1: unload 1 census to T2", state)
    assert [other_name(state, key) for key in ("T2", "atlas", "nobody")] == ["Liners", "Atlas", "nobody"]


def test_what_nobody_answers_is_said():
    ask = sheet_ask(freighter_at_sol(), TERRAN)
    assert ask.default_says == "Routes and trade runs go on as ordered."
    assert ask.question is not None
    assert ask.question.others == "go on as ordered"


def test_a_name_that_is_far_too_long_is_cut_where_it_is_refused():
    (told,) = refused(f"T1: route {'x' * 70}", freighter_at_sol())
    assert f"you know no place “{'x' * 60}”" in told


@pytest.mark.parametrize("name", ["route", "load", "unload", "jettison"])
def test_texts_are_at_most_400_characters_long(name: str):
    assert LaneSheet.model_validate({"T1": {name: "x" * 400}}).of("T1") is not None
    with pytest.raises(ValidationError, match="at most 400"):
        LaneSheet.model_validate({"T1": {name: "x" * 401}})


def test_five_fields_of_a_line_are_asked_at_once():
    assert [line.together for line in sheet_ask(freighter_at_sol(), TERRAN).form.lines if line.key == "T1"] == [5]
