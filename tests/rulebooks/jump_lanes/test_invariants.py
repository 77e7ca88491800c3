"""What may never be true of a state is said, each by itself; and a referee's corrections name places."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import Colony, Derelict
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from tests.expected.kept import cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing
from tests.rulebooks.jump_lanes.written import WrittenVoyage

Breaking = Callable[[LanesState], object]


def sound() -> LanesState:
    """A state without defects: a fleet of two squadrons with cargo, a tow and a flight, one in a lane, and a base."""
    state = frontier()
    state.fleets["TF1"] = LaneFleet(id="TF1", empire=TERRAN, name="First Fleet")
    hermes = squadron(state, "T1", "sol", ship("hermes", cargo=20, basing=1), fleet="TF1")
    hermes.hold = [HoldLot(kind="census", amount=1)]
    state.put(ship("guards", kind="troop"), aboard="T1")
    state.put(ship("wasp", kind="flight"), squadron="T1")
    state.units["wasp"].based_on = "hermes"
    squadron(state, "T2", "sol", ship("tug", towing=4), ship("hulk", ftl=0), fleet="TF1")
    state.units["tug"].tows = state.units["hulk"].towed = True
    raider = squadron(state, "C1", "", ship("raider", CENTAURI))
    raider.transit = JumpTransit(lane="L1", origin="sol", goal="wolf", cost=Fraction(2), paid=Fraction(1), turns_left=1)
    standing(state, ship("fort", CENTAURI, kind="starbase"), "ross")
    state.derelicts["d"] = Derelict(id="d", name="Wreck", at="wolf", kind="starship")
    return state


def leg(state: LanesState, lane: str, to: str) -> None:
    """Give a group a route."""
    state.fleets["TF1"].orders.legs = [RouteLegOrder(lane=lane, to=to)]


def without_unit(state: LanesState) -> None:
    """Let a squadron have no units."""
    state.take_out(state.units["raider"])


BREAKINGS: dict[str, Breaking] = {
    "the index of units is stale": lambda s: (s.found, setattr(s.units["guards"], "aboard", "T2")),
    "hermes is filed as x": lambda s: setattr(s.units["hermes"], "id", "x"),
    "fort is of no empire": lambda s: setattr(s.units["fort"], "empire", "nobody"),
    "guards is in 2 places: aboard, at": lambda s: setattr(s.units["guards"], "at", "sol"),
    "fort is in 0 places: ": lambda s: setattr(s.units["fort"], "at", ""),
    "guards is in C1, which is no squadron of its empire": lambda s: setattr(s.units["guards"], "aboard", "C1"),
    "fort stands at nowhere, which is no place": lambda s: setattr(s.units["fort"], "at", "nowhere"),
    "guards is a facility and is cargo": lambda s: setattr(s.units["guards"], "kind", "facility"),
    "guards was embarked in turn 9": lambda s: setattr(s.units["guards"], "embarked", 9),
    "wasp is based on tug, which is not with it": lambda s: setattr(s.units["wasp"], "based_on", "tug"),
    "fort is part of a tow and in no squadron": lambda s: setattr(s.units["fort"], "towed", True),
    "T1 is filed as x": lambda s: setattr(s.squadrons["T1"], "id", "x"),
    "T1 is of no empire": lambda s: setattr(s.squadrons["T1"], "empire", "nobody"),
    "C1 has no units": without_unit,
    "C1 is in a lane and at a place": lambda s: setattr(s.squadrons["C1"], "at", "sol"),
    "C1 is nowhere": lambda s: setattr(s.squadrons["C1"], "transit", None),
    "T1 is at x, which is no place": lambda s: setattr(s.squadrons["T1"], "at", "x"),
    "C1 is in a lane that is not explored": lambda s: setattr(s.squadrons["C1"].transit, "lane", "L6"),
    "C1 has paid 2 of 2 and has 1 turns left": lambda s: setattr(s.squadrons["C1"].transit, "paid", Fraction(2)),
    "C1 has paid 1 of 2 and has 0 turns left": lambda s: setattr(s.squadrons["C1"].transit, "turns_left", 0),
    "T1 carries lots of nothing, or of later turns": lambda s: setattr(s.squadrons["T1"].hold[0], "amount", 0),
    "T1 carries 31 with a Cargo rating of 20": lambda s: setattr(s.squadrons["T1"].hold[0], "amount", 3),
    "T2 tows what cannot be towed": lambda s: setattr(s.units["hulk"], "kind", "facility"),
    "T2 tows more than its tugs can": lambda s: setattr(s.units["hulk"], "siz", 3),
    "T2 has 0 units in tow by 1 tugs": lambda s: setattr(s.units["hulk"], "towed", False),
    "T2 has a tug that is in tow": lambda s: setattr(s.units["tug"], "towed", True),
    "TF1 is filed as TF2 of terran": lambda s: setattr(s.fleets["TF1"], "id", "TF2"),
    "TF1 has squadrons of others": lambda s: setattr(s.squadrons["C1"], "fleet", "TF1"),
    "TF1 is in several places": lambda s: setattr(s.squadrons["T2"], "at", "wolf"),
    "T1 is in no fleet that there is": lambda s: setattr(s.squadrons["T1"], "fleet", "TF7"),
    "L1 is filed as x": lambda s: setattr(s.lanes["L1"], "id", "x"),
    "L1 ends at milky, which is not on the map": lambda s: setattr(s.lanes["L1"], "a", "milky"),
    "L1 is explored and of class None": lambda s: setattr(s.lanes["L1"], "lane_class", None),
    "L1 is explored, and somebody has a bonus for it": lambda s: s.lanes["L1"].bonus.update({TERRAN: 1}),
    "L6 has a bonus of nobody, or below nothing": lambda s: s.lanes["L6"].bonus.update({"nobody": 1}),
    "sol is no colony at x": lambda s: setattr(s.colonies["sol"], "at", "x"),
    "sol is owned by nobody, who is no empire": lambda s: setattr(s.colonies["sol"], "owner", "nobody"),
    "sol has census -1, experience 25": lambda s: setattr(s.colonies["sol"], "census", -1),
    "sol has 2 colonies": lambda s: s.colonies.update({"x": Colony(id="x", name="X", at="sol")}),
    "d is nowhere": lambda s: setattr(s.derelicts["d"], "at", "x"),
    "sol is in x, which is no sector": lambda s: setattr(s.systems["sol"], "sector", "x"),
    "wolf/moon is no planet of sol": lambda s: s.systems["sol"].planets.append("wolf/moon"),
    "terran has a score of -1": lambda s: setattr(s.empires[TERRAN], "score", -1),
    "terran knows x, which is no system": lambda s: s.empires[TERRAN].places.append("x"),
    "terran knows a system twice": lambda s: s.empires[TERRAN].places.append("sol"),
    "terran knows sol?1, which is no unexplored lane": lambda s: s.empires[TERRAN].sights.append("sol?1"),
    "terran grants itself or nobody": lambda s: s.empires[TERRAN].stances.update({TERRAN: "war"}),
    "sol of terran is where terran does not know": lambda s: s.empires[TERRAN].places.remove("sol"),
    "terran follows C9, which is not there": lambda s: s.empires[TERRAN].tracks.issue("C9"),
    "TF1 has 1 of 1 legs behind it": lambda s: (leg(s, "L1", "wolf"), setattr(s.fleets["TF1"].orders, "gone", 1)),
    "TF1 begins its round at leg 1 of 1": lambda s: (
        leg(s, "L1", "wolf"),
        setattr(s.fleets["TF1"].orders, "again_from", 1),
    ),
    "TF1 has a route over a lane that is not explored": lambda s: leg(s, "L6", "vega"),
    "TF1 has a route to x, which is no place": lambda s: leg(s, "L1", "x"),
    "T1 has a route beside that of its fleet": lambda s: setattr(
        s.squadrons["T1"].orders, "legs", [RouteLegOrder(lane="L1", to="wolf")]
    ),
}


def lot(**values: int) -> HoldLot:
    """A lot in a hold."""
    return HoldLot(**({"amount": 1} | values), kind="census")


def owned_by_nobody(state: LanesState) -> None:
    """A colony that is nobody's, and holds nothing."""
    colony = state.colonies["sol"]
    colony.owner, colony.census, colony.experience = "", 0, 0


def ends_its_jump(state: LanesState) -> None:
    """While groups move one has paid for all of its jump."""
    state.moving = True
    transit = state.squadrons["C1"].transit
    assert transit is not None
    transit.paid, transit.turns_left = transit.cost, 0


NOTATION = {one.__name__: one for one in (Fraction, RouteLegOrder, ends_its_jump, leg, lot, owned_by_nobody)} | {
    "CENTAURI": CENTAURI,
    "TERRAN": TERRAN,
}


@cases("case, change", "")
def test_a_sound_state_has_no_defects(change: Breaking):
    state = sound()
    evaluated(change, NOTATION)(state)
    state.index()
    assert list(defects(state)) == []


@pytest.mark.parametrize("said", BREAKINGS)
def test_what_is_impossible_is_said(said: str):
    state = sound()
    BREAKINGS[said](state)
    if not said.startswith("the index"):
        state.index()
    assert said in defects(state)


@cases("said, change", "")
def test_so_are_the_other_ways_to_it(said: str, change: Breaking):
    state = sound()
    evaluated(change, NOTATION)(state)
    state.index()
    assert said in defects(state)


# --- corrections -----------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def game() -> WrittenVoyage:
    """Two empires, before their first turn."""
    return WrittenVoyage("intro", {})


@pytest.mark.parametrize("typed", ["Wolf 359", "wolf 359", "WOLF-359", "wolf-359"])
def test_a_place_is_typed_by_its_name_or_id(game: WrittenVoyage, typed: str):
    planned = game.adjudicator.plan_edit("squadrons.T2.at", typed)
    assert (planned.value, planned.before, planned.after) == ("wolf-359", "sol (Sol)", "wolf-359 (Wolf 359)")


def test_a_planet_is_typed_by_its_name(game: WrittenVoyage):
    planned = game.adjudicator.plan_edit("squadrons.T2.at", "mars")
    assert (planned.value, planned.after) == ("sol/mars", "sol/mars (Mars)")


def test_an_unknown_place_is_refused_with_what_may_have_been_meant(game: WrittenVoyage):
    with pytest.raises(Refused) as refusal:
        game.adjudicator.plan_edit("squadrons.T2.at", "Wolf 358")
    assert str(refusal.value) == (
        "squadrons.T2.at: there is nothing of that name. "
        "Legal: a name or key, as Sol, Wolf 359, Minkar … (19 in all). Did you mean Wolf 359?"
    )


def test_places_are_offered_by_name_the_present_one_first(game: WrittenVoyage):
    offers = game.adjudicator.offered_values("squadrons.T2.at", "", 3)
    assert [one.shown for one in offers] == ["sol (Sol, stands there now)", "wolf-359 (Wolf 359)", "minkar (Minkar)"]
    assert [one.text for one in game.adjudicator.offered_values("squadrons.T2.at", "f 35", 25)] == ["wolf-359"]
    (path,) = game.adjudicator.offered_paths("squadrons.T2.at", 25)
    assert path.shown == "squadrons.T2.at = sol (Sol)"


def test_places_within_lists_and_records_are_shown_by_name(game: WrittenVoyage):
    lane = next(key for key, one in game.state.lanes.items() if (one.a, one.b) == ("sol", "wolf-359"))
    (a,) = game.adjudicator.offered_paths(f"lanes.{lane}.a", 1)
    assert a.shown.endswith("= sol (Sol)")
    legs = game.adjudicator.plan_edit("squadrons.T2.orders.legs", f'[{{"lane": "{lane}", "to": "wolf-359"}}]')
    assert legs.after == f"lane: {lane}, to: wolf-359 (Wolf 359)"


def test_where_a_sector_may_stand_it_is_taken_as_it_is_typed():
    game = WrittenVoyage("long-frontier", {})
    lane = next(key for key, one in game.state.lanes.items() if one.type == "intergalactic")
    for typed, kept in (("*near-veil", "*near-veil"), ("Wolf 359", "wolf-359")):
        planned = game.adjudicator.plan_edit("squadrons.T2.orders.legs", f'[{{"lane": "{lane}", "to": "{typed}"}}]')
        assert planned.value == [{"lane": lane, "to": kept}]
