"""What judging may go by: own units whole, of others what shows, and nothing of those that are not there."""

from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.ships import FlightFigures
from rules_engine.rulebooks.vector.records.tactical import TractorLink
from rules_engine.rulebooks.vector.typed.names import BattleNames
from tests.rulebooks.vector.duel import CRUISER, HUNTERS, RACERS, ship, three


def test_of_others_only_what_shows_is_known() -> None:
    battle = three(tractors=[TractorLink(one="H1", other="R1", power={"H1": 3, "R1": 2}, controller="H1")])
    other = battle.units["R1"]
    other.path, other.no_thrust_until, other.accelerated_on, other.half_left = "A", 40, 7, 3
    known = known_to(battle, HUNTERS)
    seen = known.units["R1"]
    assert (seen.at, seen.facing, seen.vector, seen.name, seen.side) == ("1008", "A", other.vector, "Courier", RACERS)
    assert seen.figures == FlightFigures(size_class=CRUISER.size_class, form="ship", move_cost=CRUISER.move_cost)
    points = (seen.warp_left, seen.warp_used, seen.impulse_left, seen.reserve_left, seen.half_left)
    assert points == (0, 0, 0, 0, 0)
    assert (seen.path, seen.no_thrust_until, seen.accelerated_on) == ("", 0, 0)
    assert known.units["H1"] == battle.units["H1"]
    assert known.units["H1"] is not battle.units["H1"]
    assert known.units["D1"].aboard == "H1"
    assert "D1" not in known_to(battle, RACERS).units
    assert [one.power for one in known.tractors] == [{"H1": 3}]
    assert [one.power for one in battle.tractors] == [{"H1": 3, "R1": 2}]


def test_names_are_codes_and_what_no_two_units_are_called() -> None:
    battle = three()
    battle.units |= {"H3": ship("H3", "0101", name="Falcon"), "R2": ship("R2", "0101", aboard="R1", name="Pod")}
    names = BattleNames(battle, HUNTERS)
    assert names.seen == {"h1": "H1", "h2": "H2", "h3": "H3", "r1": "R1", "kestrel": "H1", "courier": "R1"}
    assert names.friendly == {"h1": "H1", "h2": "H2", "h3": "H3", "kestrel": "H1"}
    assert names.aboard == {"d1": "D1"}
    battle.allies = [[HUNTERS, RACERS]]
    assert BattleNames(battle, HUNTERS).friendly["r1"] == "R1"
