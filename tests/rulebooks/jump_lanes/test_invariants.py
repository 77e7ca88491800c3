"""What may never be true of a state is said, each by itself."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from rules_engine.rulebooks.jump_lanes.invariants import defects
from rules_engine.rulebooks.jump_lanes.records.orders import RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.places import Colony, Derelict
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot, JumpTransit, LaneFleet
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron, standing

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


MORE_BREAKINGS: list[tuple[str, Breaking]] = [
    (
        "guards is in 3 places: squadron, aboard, at",
        lambda s: (setattr(s.units["guards"], "squadron", "T1"), setattr(s.units["guards"], "at", "sol")),
    ),
    ("guards is in T9, which is no squadron of its empire", lambda s: setattr(s.units["guards"], "aboard", "T9")),
    ("hermes is in C1, which is no squadron of its empire", lambda s: setattr(s.units["hermes"], "squadron", "C1")),
    ("fort was embarked in turn 1", lambda s: setattr(s.units["fort"], "embarked", 1)),
    ("guards was embarked in turn 2", lambda s: setattr(s.units["guards"], "embarked", 2)),
    ("wasp is based on nothing, which is not with it", lambda s: setattr(s.units["wasp"], "based_on", "nothing")),
    ("fort is based on raider, which is not with it", lambda s: setattr(s.units["fort"], "based_on", "raider")),
    ("fort is part of a tow and in no squadron", lambda s: setattr(s.units["fort"], "tows", True)),
    ("C1 is in a lane that is not explored", lambda s: setattr(s.squadrons["C1"].transit, "lane", "L99")),
    ("C1 has paid 0 of 2 and has 1 turns left", lambda s: setattr(s.squadrons["C1"].transit, "paid", Fraction(0))),
    (
        "C1 has paid 2 of 2 and has 1 turns left",
        lambda s: (setattr(s, "moving", True), setattr(s.squadrons["C1"].transit, "paid", Fraction(2))),
    ),
    ("T1 carries lots of nothing, or of later turns", lambda s: s.squadrons["T1"].hold.append(lot(embarked=2))),
    ("T1 carries 21 with a Cargo rating of 20", lambda s: s.squadrons["T1"].hold.append(lot())),
    ("T2 has 1 units in tow by 0 tugs", lambda s: setattr(s.units["tug"], "tows", False)),
    ("TF1 is filed as TF1 of nobody", lambda s: setattr(s.fleets["TF1"], "empire", "nobody")),
    ("L1 ends at x, which is not on the map", lambda s: setattr(s.lanes["L1"], "b", "x")),
    ("L8 ends at sol, which is not on the map", lambda s: setattr(s.lanes["L8"], "a", "sol")),
    ("L6 is unexplored and of class minor", lambda s: setattr(s.lanes["L6"], "lane_class", "minor")),
    ("L6 has a bonus of nobody, or below nothing", lambda s: s.lanes["L6"].bonus.update({TERRAN: -1})),
    ("sol is no colony at sol", lambda s: setattr(s.colonies["sol"], "id", "x")),
    ("sol has census 9, experience -1", lambda s: setattr(s.colonies["sol"], "experience", -1)),
    ("terran grants itself or nobody", lambda s: s.empires[TERRAN].stances.update({"nobody": "war"})),
    ("terran follows T1, which is not there", lambda s: s.empires[TERRAN].tracks.issue("T1")),
    ("terran follows C1, which is not there", lambda s: s.empires[TERRAN].tracks.issue("C1")),
    (
        "TF1 begins its round at leg -1 of 1",
        lambda s: (leg(s, "L1", "wolf"), setattr(s.fleets["TF1"].orders, "again_from", -1)),
    ),
    ("TF1 begins its round at leg 0 of 0", lambda s: setattr(s.fleets["TF1"].orders, "again_from", 0)),
    ("TF1 has a route over a lane that is not explored", lambda s: leg(s, "L99", "wolf")),
    (
        "C1 has a route to x, which is no place",
        lambda s: s.squadrons["C1"].orders.legs.append(RouteLegOrder(lane="L1", to="x")),
    ),
]
"""The other ways to what is said above, and values one beyond what may be."""


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


SOUND: dict[str, Breaking] = {
    "as it is": lambda s: None,
    "a route": lambda s: leg(s, "L1", "wolf"),
    "a round from its first leg": lambda s: (leg(s, "L1", "wolf"), setattr(s.fleets["TF1"].orders, "again_from", 0)),
    "a route to a system that is drawn": lambda s: leg(s, "L8", "*halo"),
    "a bonus of nothing": lambda s: s.lanes["L6"].bonus.update({TERRAN: 0, CENTAURI: 10}),
    "a colony of nobody": owned_by_nobody,
    "a jump that ends": ends_its_jump,
    "a hold of this turn": lambda s: setattr(s.squadrons["T1"].hold[0], "embarked", 1),
    "a hold that is full": lambda s: setattr(s.units["hermes"], "cargo", 11),
    "a tug with no more than it needs": lambda s: setattr(s.units["tug"], "towing", 2),
    "a war": lambda s: s.empires[TERRAN].stances.update({CENTAURI: "war"}),
    "one who is followed": lambda s: s.empires[TERRAN].tracks.issue("@ross/centauri"),
    "one who is followed into a lane": lambda s: (setattr(s, "moving", True), s.empires[TERRAN].tracks.issue("C1")),
    "systems of no sector": lambda s: setattr(s.systems["sol"], "sector", ""),
}


@pytest.mark.parametrize("change", SOUND.values(), ids=SOUND)
def test_a_sound_state_has_no_defects(change: Breaking):
    state = sound()
    change(state)
    state.index()
    assert list(defects(state)) == []


@pytest.mark.parametrize("said", BREAKINGS)
def test_what_is_impossible_is_said(said: str):
    state = sound()
    BREAKINGS[said](state)
    if not said.startswith("the index"):
        state.index()
    assert said in defects(state)


@pytest.mark.parametrize(("said", "change"), MORE_BREAKINGS)
def test_so_are_the_other_ways_to_it(said: str, change: Breaking):
    state = sound()
    change(state)
    state.index()
    assert said in defects(state)
