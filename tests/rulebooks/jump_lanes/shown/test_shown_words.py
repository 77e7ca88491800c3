"""What an empire reads of its units, its lanes, its map, its aim and its odds, word for word."""

from fractions import Fraction

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice
from rules_engine.core.knowledge.views import Contact, Glimpse, Knowledge
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import Colony, Derelict
from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from rules_engine.rulebooks.jump_lanes.shown import boards, maps, sides
from rules_engine.rulebooks.jump_lanes.shown.maps import side_map
from rules_engine.rulebooks.jump_lanes.shown.odds import odds_menu, odds_of
from rules_engine.rulebooks.jump_lanes.shown.units import roster, say_squadron, say_transit, say_unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, lane, ship, squadron, standing


def world() -> LanesState:
    """Merchants with troops aboard at Sol, a seeker at Barnard, one who goes to Wolf 359, a starbase and a garrison."""
    state = frontier()
    squadron(state, "T1", "sol", ship("hermes", cargo=20, name="Hermes"), ship("iris", name="Iris")).name = "Merchants"
    state.put(ship("horse", kind="troop", ftl=0, siz=2, name="Horse"), aboard="T1")
    squadron(state, "T2", "barnard", ship("seeker", science=16, basing=2, name="Seeker"))
    jump = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), paid=Fraction(1), turns_left=2)
    squadron(state, "T3", "", ship("far", towing=3, intergalactic=2, name="Far")).transit = jump
    standing(state, ship("base", kind="starbase", ftl=0, siz=4, name="Base"), "sol")
    standing(state, ship("guards", kind="troop", ftl=0, engines=0, name="Guards"), "sol")
    standing(state, ship("fort", CENTAURI, kind="starbase"), "ross")
    return state


def test_the_table_of_units(kept: Kept):
    state = world()
    state.units["guards"].crippled = state.units["far"].out_of_supply = True
    state.units["iris"].tows = state.units["hermes"].towed = True
    table = sides.units_table(state, TERRAN)
    assert (table.key, table.title) == ("units", "Units")
    assert table.columns == (
        "Group", "Where", "Unit", "Kind", "SIZ", "Engines", "FTL", "Intergalactic", "Cargo", "Towing", "Science",
        "Basing", "State",
    )  # fmt: skip
    assert [" ".join(row) for row in table.rows] == kept()
    assert table.note == "A group goes by its slowest unit that moves by itself. Ratings are those of undamaged units."


def test_the_table_of_lanes(kept: Kept):
    state = world()
    state.empires[TERRAN].sights.append("sol?2")
    state.lanes["L9"] = lane("L9", "sol", "vega", None)
    state.lanes["L9"].mark_a, state.lanes["L9"].difficulty = 2, "hard"
    state.lanes["L9"].bonus = {TERRAN: 11, CENTAURI: 20}
    state.index()
    table = sides.lanes_table(state, TERRAN)
    assert (table.key, table.title, table.note) == ("lanes", "Lanes", "Lanes into another sector cost twice as much.")
    assert table.columns == ("From", "To", "Class", "What else is known")
    assert list(table.rows) == kept()
    notes = {one.id: one.note for one in side_map(state, TERRAN).chart.uncharted}
    assert notes == {"sol?2": "hard, +11 gained", "ross?1": "easy"}


@cases("cost, says", "")
def test_costs_of_lanes(cost: str, says: str):
    state = world()
    state.costs = state.costs.with_values(restricted=Fraction(cost))
    kinds = {one.key: (one.line, one.said) for one in side_map(state, TERRAN).chart.kinds}
    assert kinds == {
        "major": ("double", "major, cost ½"), "normal": ("single", "normal, cost 1"),
        "minor": ("dashed", "minor, cost 2"), "restricted": ("dotted", f"restricted, cost {says}"),
    }  # fmt: skip


def test_the_briefing(kept: Kept):
    state = world()
    state.scoring = state.scoring.with_values(total=40, destroyed=2)
    found = sides.briefing(state, TERRAN)
    assert found.objective == "Score more points than any other empire."
    assert found.victory == kept()
    assert (found.length, found.forces) == ("6 turns", ("T1 at Sol: Hermes, Iris", "T2 at Barnard: Seeker"))
    assert found.to_know == (
        "You see others only where you have units yourself: whose they are and how many, not what.",
        "A lane that costs more than your slowest unit's rating takes several turns; in it no order reaches you.",
        "Unexplored lanes cannot be crossed: order a squadron with Science to explore one, and stay.",
    )
    state.turns = 1
    assert sides.briefing(state, TERRAN).length == "1 turn"


def test_what_scores_alone_is_said_alone():
    state = world()
    nothing = dict.fromkeys(("major", "normal", "minor", "restricted", "census", "system", "starbase"), 0)
    state.scoring = state.scoring.with_values(**(nothing | {"restricted": 3}))
    assert sides.briefing(state, TERRAN).victory == (
        "Points for lanes surveyed",
        "For a lane surveyed: 0 if it is major, 0 normal, 0 minor, 3 restricted",
    )


def seen(state: LanesState) -> dict[str, tuple[str, ...]]:
    """The panels of the Terrans' board."""
    return {one.title: one.rows for one in boards.side_board(state, TERRAN, Knowledge()).panels}


def test_the_panels_of_a_board():
    state = world()
    state.empires[TERRAN].score = 7
    state.colonies["sol"].rebellion = True
    state.colonies["mine"] = Colony(id="mine", name="Dig", at="barnard", owner=TERRAN)
    found = seen(state)
    assert found["Colonies"] == (
        "Dig at Barnard: census 0",
        "Sol: census 9, 25 experience points, in rebellion, Base, Guards",
    )
    assert found["Score"] == ("Terran: 7 points",)
    assert found["Squadrons"] == (
        "T1 Merchants at Sol, FTL 1, carries Horse (2 of 20): Hermes (starship, SIZ 1); Iris (starship, SIZ 1)",
        "T2 Squadron T2 at Barnard, FTL 1: Seeker (starship, SIZ 1)",
        "T3 Squadron T3 in transit to Wolf 359, arrives in turn 2, FTL 1: Far (starship, SIZ 1)",
    )
    assert "Invented figures" not in found


def test_invented_figures_are_on_boards_of_all_and_of_none_if_there_are_none():
    state = world()
    for board in (boards.public_board(state), boards.omniscient_board(state)):
        assert [one.title for one in board.panels if one.title == "Invented figures"] == []
    state.invented = ("scoring", "costs")
    for board in (boards.public_board(state), boards.omniscient_board(state)):
        (panel,) = (one for one in board.panels if one.title == "Invented figures")
        assert panel.rows == ("scoring, costs",)


def test_the_head_of_a_board():
    state = world()
    state.turn = 3
    board = boards.side_board(state, TERRAN, Knowledge())
    assert (board.campaign, board.rulebook, board.heading) == ("The frontier", "Jump lanes", "Turn 3 of 6")
    header = board.header
    assert (header.scenario, header.turn, header.day) == ("The frontier", "Turn 3 of 6", "orders")
    assert (header.tallied, [(one.owner, one.count) for one in header.tallies]) == ("systems, as known", [(TERRAN, 1)])
    assert (board.when.turn, board.when.step) == (3, 0)
    state.battles["b"] = Battle(key="b", where="sol", name="Sol", sides=[TERRAN, CENTAURI])
    board = boards.side_board(state, TERRAN, Knowledge())
    assert (board.header.day, board.when.step) == ("battles", 1)
    state.colonies["sol"].owner = ""
    state.battles = {}
    assert boards.side_board(state, TERRAN, Knowledge()).header.tallied == ""
    state.turn = 0
    assert boards.side_board(state, TERRAN, Knowledge()).when.turn == 1


def test_what_may_be_done_at_a_battle_is_told_to_a_side_alone():
    state = world()
    state.battles["b"] = Battle(key="b", where="sol", name="Sol", sides=[TERRAN, CENTAURI])
    (mine,) = (one for one in boards.side_board(state, TERRAN, Knowledge()).news if "battle" in one.fact)
    assert mine.choice == "Fight it out, then enter the result"
    (of_all,) = (one for one in boards.omniscient_board(state).news if "battle" in one.fact)
    assert of_all.choice == ""


def test_a_group_in_a_lane_takes_no_orders():
    (news,) = (one for one in boards.side_board(world(), TERRAN, Knowledge()).news if "in transit" in one.fact)
    assert (news.fact, news.aside) == ("T3 in transit to Wolf 359, arrives in turn 2", "takes no orders")


def test_whoever_comes_to_own_groups_is_news_to_their_empire():
    knowledge = Knowledge()
    glimpse = Glimpse(when=When(turn=1), hex="barnard", level=1, level_name="seen", headline="1 unit")
    knowledge.contacts["E1"] = Contact(track="E1", owner=CENTAURI, first_seen=When(turn=1), latest=glimpse)
    news = boards.side_board(world(), TERRAN, knowledge).news
    assert [one.fact for one in news] == ["Barnard: E1 meets T2", "T3 in transit to Wolf 359, arrives in turn 2"]


def test_what_is_not_as_usual_with_a_unit():
    state = world()
    hermes, iris = state.units["hermes"], state.units["iris"]
    assert say_unit(state, hermes) == "Hermes (starship, SIZ 1)"
    hermes.crippled = hermes.out_of_supply = hermes.tows = True
    assert say_unit(state, hermes) == "Hermes (starship, SIZ 1, crippled, out of supply, tows)"
    iris.towed, iris.based_on = True, "hermes"
    assert say_unit(state, iris) == "Iris (starship, SIZ 1, in tow, based on Hermes)"
    iris.based_on = "gone"
    assert say_unit(state, iris) == "Iris (starship, SIZ 1, in tow, based on gone)"


def test_a_squadron_of_a_fleet_without_a_name_of_its_own():
    state = world()
    state.fleets["TF1"] = LaneFleet(id="TF1", empire=TERRAN, name="Home Fleet")
    state.fleets["TF1"].orders.legs = [RouteLegOrder(lane="L3", to="ross")]
    seeker = state.squadrons["T2"]
    seeker.fleet, seeker.name = "TF1", "T2"
    seeker.hold = [HoldLot(kind="census", amount=0), HoldLot(kind="experience", amount=5)]
    assert say_squadron(state, seeker) == (
        "T2 at Barnard, with TF1, FTL 1, goes Ross, carries 5 experience points (1/2 of 0): Seeker (starship, SIZ 1)"
    )
    seeker.at = ""
    assert say_transit(state, seeker) == "nowhere"


def test_the_roster_is_of_units_in_squadrons(kept: Kept):
    assert [tuple(one) for one in roster(world(), TERRAN)] == kept()


def notes_of(state: LanesState) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What the Terrans' map says of each place."""
    return {one.hex: (one.owner, one.marks) for one in boards.side_board(state, TERRAN, Knowledge()).hexes}


def test_the_marks_of_places():
    state = world()
    state.derelicts = {"d": Derelict(id="d", name="Wreck", at="barnard", kind="starship")}
    state.derelicts["e"] = Derelict(id="e", name="Hulk", at="wolf", kind="starship")
    state.colonies["sol"].rebellion = True
    state.colonies["mine"] = Colony(id="mine", name="Dig", at="barnard", owner=CENTAURI, rebellion=True)
    found = notes_of(state)
    assert found["sol"] == (TERRAN, ("colony", "capital", "rebellion", "starbase"))
    assert found["barnard"] == (CENTAURI, ("colony", "derelict")), "of a rebellion only its owner knows"
    assert found["wolf"] == ("", ()), "nobody is there to see it"
    assert found["ross"] == ("", ())


def test_lanes_of_the_same_ends_are_told_apart_by_their_type(kept: Kept):
    state = world()
    state.lanes["L10"] = lane("L10", "sol", "wolf", "normal", "sector")
    state.lanes["L11"] = lane("L11", "sol", "wolf", "normal", "sector")
    state.index()
    shown = side_map(state, TERRAN)
    assert [one.id for one in shown.chart.lanes if {one.a, one.b} == {"sol", "wolf"}] == ["sol~wolf", "sol~wolf~sector"]
    assert maps.BETWEEN == "~"
    assert [(one.level, one.name, one.systems) for one in shown.chart.regions] == kept()


# --- odds ------------------------------------------------------------------------------------------------------------
@pytest.fixture
def state() -> LanesState:
    """A surveyor with Science 16 and a courier at Ross, and one with Science 5 where nothing is unexplored."""
    found = frontier()
    found.classes = LaneClassTable(major=1, normal=6, minor=9)
    squadron(found, "T1", "ross", ship("probe", science=16)).name = "Probe"
    squadron(found, "T2", "ross", ship("mail"))
    squadron(found, "T3", "sol", ship("lens", science=5)).name = "Lens"
    return found


def refusals(state: LanesState, own: str, target: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        odds_of(state, TERRAN, own, target)
    return [str(one) for one in refused.value.refusals]


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_odds_of_the_printed_example(state: LanesState, kept: Kept):
    """Easy 10 and Science 16 are 26: up to 13 complete, up to 26 partial, from 91 on peril."""
    found = odds_of(state, TERRAN, "t1", "ROSS?1")
    assert (found.title, found.rule) == ("Probe explores ross?1", "13.5.2, JL-R36")
    assert found.lines == kept()


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_squadrons_that_could_explore_it_together_are_told_their_chance_together(state: LanesState):
    state.squadrons["T3"].at = "ross"
    assert odds_of(state, TERRAN, "T1", "ross?1").lines[-1] == "Together, Probe and Lens: chance 31 of 100."


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_one_gains_by_ones_own_partial_surveys_alone(state: LanesState):
    state.lanes["L6"].bonus = {TERRAN: 10, CENTAURI: 30}
    assert odds_of(state, TERRAN, "T1", "ross?1").lines[0].startswith("Chance 36 of 100")


def test_whoever_could_explore_is_on_the_menu_with_what_there_is(state: LanesState):
    menu = odds_menu(state, TERRAN)
    assert (menu.own, menu.targets) == ((Choice("T1", "T1 Probe at Ross"),), (Choice("ross?1", "ross?1, easy"),))
    assert odds_menu(state, CENTAURI).own == ()


def test_others_are_refused_with_what_may_be_asked_of(state: LanesState):
    no_squadron = "is no squadron of yours that could explore where it is. Legal: T1."
    assert refusals(state, "T2", "ross?1") == [f"own: T2 {no_squadron}"]
    assert refusals(state, "T3", "ross?1") == [f"own: T3 {no_squadron}"]
    lane = "target: you know no unexplored lane ross?2 at Ross. Legal: ross?1. Did you mean ross?1?"
    assert refusals(state, "T1", "ross?2") == [lane]
