"""What an empire may see of a campaign of jump lanes, and what it may not: two worlds that differ in that alone."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import pytest

from map_render import describe, render_side
from map_render.drawing.theme import Sizes, Theme
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.hearsay.items import hearsay_of
from rules_engine.core.knowledge.hearsay.onto_views import row_of
from rules_engine.core.knowledge.views import STANDING_ORDERS, Contact, Glimpse, Knowledge, SideView
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import Derelict, LaneSystem
from rules_engine.rulebooks.jump_lanes.records.settings import FrontierScoring
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit
from rules_engine.rulebooks.jump_lanes.shown import boards, sides
from rules_engine.rulebooks.jump_lanes.shown.maps import public_map, side_map, whole_map
from rules_engine.rulebooks.jump_lanes.shown.units import arrival_of, say_squadron
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing

SMALL = Theme(sizes=Sizes(longest=800))


def world() -> LanesState:
    """Terrans at Sol and Barnard; Centauri at Ross, and in transit from Perseus to Sol."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20), ship("achilles"))
    squadron(state, "T2", "barnard", ship("lens", science=10))
    squadron(state, "C1", "ross", ship("raider", CENTAURI))
    jump = JumpTransit(lane="L5", origin="perseus", goal="sol", cost=Fraction(4), paid=Fraction(1), turns_left=3)
    squadron(state, "C2", "", ship("runner", CENTAURI)).transit = jump
    return state


def seen(state: LanesState, knowledge: Knowledge | None = None) -> SideView:
    return SideView(side=TERRAN, board=boards.side_board(state, TERRAN, knowledge or Knowledge()))


def outcome(state: LanesState) -> tuple[object, ...]:
    """All that reaches a side: its view, its picture and its words, its tables and its briefing."""
    view = seen(state)
    image = render_side(view, theme=SMALL)
    tables = (sides.units_table(state, TERRAN), sides.lanes_table(state, TERRAN), sides.briefing(state, TERRAN))
    return view.model_dump_json(), image.png, image.alt, describe(view), *tables


def _more_systems(state: LanesState) -> None:
    """Ten systems beyond the unexplored lane of Ross, and lanes between them."""
    for number in range(10):
        key = f"deep-{number}"
        state.systems[key] = LaneSystem(
            id=key, name=f"Deep {number}", x=Fraction(90), y=Fraction(number), sector="orion"
        )
        state.lanes[f"D{number}"] = lane(f"D{number}", "vega", key)
    state.index()


def _farther(state: LanesState) -> None:
    """The unknown end of the unexplored lane lies elsewhere."""
    state.systems["vega"].x, state.systems["vega"].y = Fraction(-200), Fraction(300)


def _other_end(state: LanesState) -> None:
    """The unexplored lane leads elsewhere."""
    state.lanes["L6"].b = "almach"
    state.index()


def _no_transit(state: LanesState) -> None:
    """Nobody is in transit."""
    state.squadrons["C2"].transit, state.squadrons["C2"].at = None, "perseus"


def _cargo(state: LanesState) -> None:
    """Others carry cargo, and go elsewhere."""
    state.squadrons["C1"].hold = [HoldLot(kind="census", amount=3)]
    state.squadrons["C1"].orders.legs = [RouteLegOrder(lane="L3", to="barnard")]


def _their_colony(state: LanesState) -> None:
    """A colony of others, where no own unit is, has another owner and census, and is in rebellion."""
    colony = state.colonies["ross"]
    colony.owner, colony.census, colony.rebellion = "", 3, True


def _their_base(state: LanesState) -> None:
    standing(state, ship("fort", CENTAURI, kind="starbase"), "ross")


def _their_knowledge(state: LanesState) -> None:
    """Others know more of the map, and have a better score."""
    state.empires[CENTAURI].places += ["vega", "almach"]
    state.empires[CENTAURI].score = 40
    state.lanes["L6"].bonus = {CENTAURI: 20}


def _their_battle(state: LanesState) -> None:
    """Others fight each other."""
    state.battles["B1"] = Battle(key="B1", where="ross", name="Ross", sides=[CENTAURI, "argo"])


def _a_derelict(state: LanesState) -> None:
    state.derelicts["D1"] = Derelict(id="D1", name="Wreck", at="ross", kind="starship")


SECRETS: tuple[Callable[[LanesState], None], ...] = (
    _more_systems, _farther, _other_end, _no_transit, _cargo, _their_colony, _their_base, _their_knowledge, _a_derelict,
    _their_battle,
)  # fmt: skip


@pytest.mark.parametrize("change", SECRETS)
def test_what_an_empire_cannot_know_reaches_it_by_no_way(change: Callable[[LanesState], None]) -> None:
    one, other = world(), world()
    change(other)
    assert outcome(other) == outcome(one)


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.empires[TERRAN].places.append("vega"),
        lambda state: state.empires[TERRAN].sights.remove("ross?1"),
        lambda state: setattr(state.squadrons["T2"], "at", "ross"),
        lambda state: state.lanes["L6"].bonus.update({TERRAN: 10}),
        lambda state: state.squadrons["T1"].hold.append(HoldLot(kind="census", amount=1)),
    ],
)
def test_what_it_knows_does(change: Callable[[LanesState], None]) -> None:
    one, other = world(), world()
    change(other)
    assert outcome(other) != outcome(one)


def test_a_battle_of_others_is_on_no_map_of_ours() -> None:
    state = world()
    _their_battle(state)
    assert [one for one in seen(state).board.counters if one.form == "battle"] == []
    state.battles["B2"] = Battle(key="B2", where="sol", name="Sol", sides=[CENTAURI, TERRAN])
    assert [one.hex for one in seen(state).board.counters if one.form == "battle"] == ["sol"]
    assert seen(state).board.news[0].title == "Sol"


def test_unknown_systems_are_in_no_view() -> None:
    written = seen(world()).model_dump_json().lower()
    assert "vega" not in written
    assert "almach" not in written
    assert [one.id for one in side_map(world(), TERRAN).chart.uncharted] == ["ross?1"]


def test_a_map_names_lanes_by_their_ends_and_not_by_their_number() -> None:
    ids = {one.id for one in side_map(world(), TERRAN).chart.lanes}
    assert ids == {"sol~wolf", "sol~barnard", "barnard~ross", "wolf~ross", "sol~perseus~sector"}


def test_own_groups_under_way_are_in_their_lane_with_the_turn_of_arrival() -> None:
    """13.1.6: of three turns left at the orders of turn 1 the last is turn 3; in a battle of turn 1 it is paid for."""
    state = world()
    state.squadrons["T2"].at = ""
    state.squadrons["T2"].transit = JumpTransit(
        lane="L1", origin="sol", goal="wolf", cost=Fraction(2), paid=Fraction(1), turns_left=3
    )
    board = seen(state).board
    (jump,) = board.transits
    assert (jump.counter, jump.start, jump.end, jump.done, jump.arrives) == ("T2", "sol", "wolf", 50, "turn 3")
    assert next(one.hex for one in board.counters if one.id == "T2") == "sol~wolf"
    assert [(one.fact, one.idle) for one in board.news] == [("T2 in transit to Wolf 359, arrives in turn 3", True)]
    _their_battle(state)
    assert arrival_of(state, state.squadrons["T2"]) == 3
    state.battles["B1"].sides.append(TERRAN)
    assert arrival_of(state, state.squadrons["T2"]) == 4


def test_groups_of_others_are_shown_as_they_were_seen() -> None:
    knowledge = Knowledge()
    glimpse = Glimpse(when=When(turn=1), hex="barnard", level=1, level_name="seen", headline="3 units")
    knowledge.contacts["E1"] = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse)
    (contact,) = (one for one in seen(world(), knowledge).board.counters if one.owner == CENTAURI)
    assert (contact.hex, contact.ships, contact.grade, contact.changed) == ("barnard", 3, 1, True)
    knowledge.contacts["E1"].latest = glimpse.model_copy(update={"level": 4, "headline": "Raider, Runner"})
    (contact,) = (one for one in seen(world(), knowledge).board.counters if one.owner == CENTAURI)
    assert (contact.ships, contact.grade) == (2, 4)


def test_what_is_in_sight_is_as_new_as_the_turn_and_what_was_lost_before_ones_own_eyes_is_gone() -> None:
    state = world()
    state.turn = 3
    squadron(state, "C3", "barnard", ship("lurker", CENTAURI))
    glimpse = Glimpse(when=When(turn=1), hex="barnard", level=1, level_name="seen", headline="1 unit")
    knowledge = Knowledge()
    knowledge.contacts["E1"] = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse)
    lost = Contact(track="E2", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse, live=False)
    elsewhere = glimpse.model_copy(update={"hex": "ross"})
    knowledge.contacts |= {"E2": lost, "E3": replace(lost, track="E3", latest=elsewhere)}
    found = {one.id: one.age for one in seen(state, knowledge).board.counters if one.owner == CENTAURI}
    assert found == {"E1": 0, "E3": 2}


def test_what_is_handed_on_is_told_with_the_name_of_its_place() -> None:
    """Who is told need not have that place on its map, nor any map with it."""
    knowledge = Knowledge()
    glimpse = Glimpse(when=When(turn=1), hex="wolf", level=1, level_name="seen", headline="1 unit")
    knowledge.contacts["E1"] = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse)
    view = seen(world(), knowledge)
    item = hearsay_of(view, next(one for one in view.board.counters if one.id == "E1"))
    assert (item.hex, item.place) == ("wolf", "Wolf 359")
    assert row_of(item, 1, {}).startswith("E1 (centauri, seen) at Wolf 359, as of this turn")
    of_hexes = item.model_copy(update={"hex": "0404", "place": ""})
    assert " at 0404, " in row_of(of_hexes, 1, {})
    assert "place" not in of_hexes.model_dump()


def test_damage_is_said_in_words_and_a_crippled_unit_is_not_drawn_as_lost() -> None:
    state = world()
    state.units["lens"].crippled = True
    state.units["hermes"].crippled = True
    state.squadrons["T1"].hold = [HoldLot(kind="census", amount=1)]
    counters = {one.id: one for one in seen(state).board.counters}
    assert (counters["T2"].sub, counters["T2"].whole) == ("crippled", 50)
    assert (counters["T1"].sub, counters["T1"].whole) == ("laden, 1 crippled", 75)
    state.units["hermes"].crippled = False
    assert next(one.whole for one in seen(state).board.counters if one.id == "T1") is None


def test_standing_orders_are_routes_with_what_is_done_with_cargo_on_the_way() -> None:
    state = world()
    trader = state.squadrons["T1"]
    state.squadrons["T1"].orders.legs = [RouteLegOrder(lane="L2", to="barnard"), RouteLegOrder(lane="L2", to="sol")]
    trader.orders.again_from = 0
    trader.orders.cargo = [
        CargoOrder(action="load", what="census", amount=2, at="sol", again=True),
        CargoOrder(action="unload", what="census", at="barnard", again=True),
    ]
    panel = seen(state).board.panel(STANDING_ORDERS)
    assert panel is not None
    assert panel.rows == ("T1: loop Sol > Barnard > Sol; unloads census at Barnard; loads 2 census at Sol",)
    trader.at, trader.orders.gone = "", 1
    trader.transit = JumpTransit(lane="L2", origin="sol", goal="barnard", cost=Fraction(2), turns_left=2)
    panel = seen(state).board.panel(STANDING_ORDERS)
    assert panel is not None
    assert panel.rows[0].startswith("T1: loop Barnard > Sol > Barnard; unloads"), "from where its jump leads"
    assert ", then goes loop Barnard > Sol > Barnard: " in say_squadron(state, trader)


def test_the_score_is_in_words_and_among_the_figures_of_the_map() -> None:
    state = world()
    state.empires[TERRAN].score = 1
    header = seen(state).board.header
    assert header.score == "1 point"
    assert [(one.value, one.said) for one in header.figures] == [("1", "point"), ("1", "lane unexplored")]
    state.scoring = state.scoring.with_values(total=40)
    assert seen(state).board.header.score == "1 point of 40"


def test_a_colony_that_is_called_as_its_place_is_named_once() -> None:
    panel = seen(world()).board.panel("Colonies")
    assert panel is not None
    assert panel.rows[0].startswith("Sol: census 9")


def test_colonies_of_others_are_seen_where_own_units_are() -> None:
    state = world()
    state.squadrons["T2"].at = "ross"
    (note,) = (one for one in seen(state).board.hexes if one.hex == "ross")
    assert (note.owner, note.figure, note.marks) == (CENTAURI, "", ("colony", "capital"))
    (ours,) = (one for one in seen(state).board.hexes if one.hex == "sol")
    assert (ours.owner, ours.figure, ours.marks) == (TERRAN, "9", ("colony", "capital"))


def test_the_public_map_has_what_is_charted_and_what_was_surveyed_alone() -> None:
    state = world()
    systems = ("almach", "barnard", "mirach", "perseus", "ross", "sol", "wolf")
    lanes = ("barnard~ross", "mirach~almach", "sol~barnard", "sol~perseus~sector", "sol~wolf", "wolf~ross")
    for empire in state.empires.values():
        empire.places = [*systems]
    assert public_map(state).chart.ids() == (*systems, *lanes)
    state.empires[CENTAURI].places.remove("almach")  # what one empire does not know is on no map of everybody's
    assert {"almach", "mirach~almach"}.isdisjoint(public_map(state).chart.ids())
    state.lanes["L1"].type = "interplanetary"  # what is within a system is known to those who were there
    assert "sol~wolf" not in public_map(state).chart.ids()
    state.lanes["L6"].explored, state.lanes["L6"].lane_class = True, "normal"
    assert "vega" not in public_map(world()).chart.ids()
    state.lanes["L6"].surveyed_by = TERRAN
    assert {"vega", "ross~vega"} <= set(public_map(state).chart.ids())
    board = boards.public_board(state)
    assert (board.counters, board.transits, {one.owner for one in board.hexes}) == ((), (), {""})


def test_everything_has_both_ends_of_what_is_unexplored() -> None:
    state = world()
    assert [one.id for one in whole_map(state).chart.uncharted] == ["ross?1", "vega?1"]
    board = boards.omniscient_board(state)
    assert {one.id for one in board.counters} == {"T1", "T2", "C1", "C2"}
    assert [one.counter for one in board.transits] == ["C2"]
    assert [one.title for one in board.panels][:2] == ["Squadrons of Terran", "Squadrons of Centauri"]
    assert board.rulebook == "Jump lanes"


def test_lanes_into_another_sector_are_marked() -> None:
    lanes = side_map(world(), TERRAN).chart.lanes
    assert {(one.a, one.b) for one in lanes if one.crosses == "sector"} == {("sol", "perseus")}
    assert {one.crosses for one in lanes} == {"", "sector"}


def test_a_squadron_is_said_with_what_it_carries_and_where_it_goes() -> None:
    state = world()
    state.squadrons["T1"].hold = [HoldLot(kind="census", amount=2), HoldLot(kind="experience", amount=1)]
    state.squadrons["T1"].orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    said = say_squadron(state, state.squadrons["T1"])
    assert said.startswith("T1 Squadron T1 at Sol, FTL 1, goes ")
    assert "carries 2 census points, 1 experience point (201/10 of 20)" in said


def test_planets_are_places_of_their_own_where_systems_have_maps() -> None:
    state = frontier(system_maps=True)
    squadron(state, "T1", "sol/earth", ship("hermes"))
    board = seen(state).board
    assert board.chart is not None
    assert [one.id for one in board.chart.planets] == ["sol/earth", "sol/mars"]
    assert next(one.hex for one in board.counters) == "sol/earth"


def test_a_lane_between_galaxies_is_on_a_map_that_has_systems_of_both() -> None:
    state = world()
    state.empires[TERRAN].places = ["sol", "barnard"]
    shown = side_map(state, TERRAN)
    assert (shown.chart.between, "L8" in shown.lanes) == ((), False)
    state.empires[TERRAN].places.append("mirach")
    shown = side_map(state, TERRAN)
    (found,) = shown.chart.between
    assert (found.id, found.a, found.b, found.kind) == ("milky~andromeda~intergalactic", "Milky", "Andromeda", "minor")
    assert shown.lanes["L8"] == found.id
    state.lanes["L8"].explored = False
    assert side_map(state, TERRAN).chart.between == ()


def test_a_group_between_galaxies_is_in_that_lane_and_its_goal_may_be_a_sector() -> None:
    state = world()
    jump = JumpTransit(lane="L8", origin="sol", goal="*halo", cost=Fraction(2), paid=Fraction(1), turns_left=1)
    squadron(state, "T3", "", ship("argo", intergalactic=1)).transit = jump
    state.empires[TERRAN].places = ["sol", "mirach"]
    board = seen(state).board
    assert next(one.hex for one in board.counters if one.id == "T3") == "milky~andromeda~intergalactic"
    (told,) = board.transits
    assert (told.start, told.end, told.done) == ("sol", "sector Halo", 50)
    state.empires[TERRAN].places = ["sol"]
    board = seen(state).board
    assert next(one.hex for one in board.counters if one.id == "T3") == "between galaxies"
    assert board.transits == ()


def test_a_battle_is_told_with_the_own_groups_in_it_or_without() -> None:
    state = world()
    for key, where in (("space-sol", "sol"), ("space-ross", "ross")):
        state.battles[key] = Battle(key=key, where=where, name=where.title(), kind="space", sides=[TERRAN, CENTAURI])
    board = seen(state).board
    assert {(one.title, one.fact, one.aside) for one in board.news} == {
        ("Sol", "Sol: T1 in battle", "thread is open"),
        ("Ross", "Ross: battle", "thread is open"),
    }


def test_a_side_sees_how_many_lanes_are_unexplored_and_the_public_does_not(kept: Kept) -> None:
    state = world()
    assert [(one.value, one.said) for one in seen(state).board.header.figures] == kept()
    assert boards.public_board(state).header.figures == ()


@pytest.mark.parametrize(("points", "said"), [(0, False), (2, True)])
def test_the_briefing_tells_what_scores(points: int, said: bool) -> None:
    state = world()
    state.scoring = state.scoring.with_values(destroyed=points)
    general, *lines = sides.briefing(state, TERRAN).victory
    assert ("units destroyed" in general) == said
    assert [one for one in lines if "destroyed" in one] == (["2 points for a unit destroyed"] if said else [])


def test_a_briefing_begins_with_all_that_scores_for_a_card_shows_the_first_line_alone(kept: Kept) -> None:
    state = world()
    state.scoring = FrontierScoring(
        major=8, normal=6, minor=4, restricted=3, census=3, system=1, starbase=10, destroyed=1
    )
    first, *figures = sides.briefing(state, TERRAN).victory
    assert first == ("Points for lanes surveyed, census landed, systems held, starbases set up and units destroyed")
    assert figures[0] == "For a lane surveyed: 8 if it is major, 6 normal, 4 minor, 3 restricted"
    none = dict.fromkeys(("major", "normal", "minor", "restricted", "census", "starbase"), 0)
    state.scoring = FrontierScoring.model_validate({**none, "system": 1})
    assert sides.briefing(state, TERRAN).victory == kept()
