"""Campaigns with written sheets, entered as the bot enters them: what captains at random seldom come to."""

from typing import Any

import pytest

from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.written import WrittenVoyage

NEAR_VEIL = ["almach", "botein", "hamal", "mesarthim", "mirach", "sheratan"]


def _early_pathfinders(document: Any) -> None:
    """The ship with Intergalactic equipment comes in turn 2."""
    reserve = next(one for one in document["forces"]["reinforcement"] if one["name"] == "Terran Pathfinders")
    reserve["turn"] = 2


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4")
def test_a_ship_crosses_to_a_sector_of_another_galaxy_and_to_a_system_that_is_drawn():
    """Normal costs 1 and the Argo makes 1, so it comes to one of the six systems of Near Veil in the same turn; who has
    no Intergalactic stays."""
    sheets = {"terran": ["", "Terran Pathfinders: route sector Near Veil"]}
    game = WrittenVoyage("long-frontier", sheets, _early_pathfinders)
    game.turns()
    (refused,) = game.refused("terran", "Terran Survey One: route sector Near Veil")
    assert "Aegis, Bantam have no Intergalactic for intergalactic lanes (13.1.4)" in refused
    (refused,) = game.refused("terran", "Terran Pathfinders: route Sol > sector Orion Reach")
    assert "a sector is named only where the route leads to another galaxy (13.1.4)" in refused
    game.turns()
    (roll,) = (roll for step in game.steps for roll in step.rolls if roll.purpose == "system of arrival")
    arrived = NEAR_VEIL[roll.total - 1]
    assert game.state.units["quest"].squadron
    assert game.state.squadrons[game.state.units["quest"].squadron].at == arrived
    assert f"Terran Pathfinders comes to {game.state.systems[arrived].name}." in game.told("terran", "movement")
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4")
def test_a_ship_comes_back_from_another_galaxy_to_a_system_that_is_known():
    sheets = {"terran": ["", "Terran Pathfinders: route sector Near Veil", "Terran Pathfinders: route Wolf 359"]}
    game = WrittenVoyage("long-frontier", sheets, _early_pathfinders)
    game.turns(3)
    assert game.state.squadrons[game.state.units["quest"].squadron].at == "wolf-359"
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.4", "13.1.6")
def test_a_jump_to_another_galaxy_may_take_turns_and_is_on_the_map_until_then():
    """Minor costs 2, and the Argo makes 1 a turn."""

    def minor(document: Any) -> None:
        _early_pathfinders(document)
        next(one for one in document["file"]["lane"] if one["type"] == "intergalactic")["lane_class"] = "minor"

    sheets = {"terran": ["", "Terran Pathfinders: route sector Near Veil"]}
    game = WrittenVoyage("long-frontier", sheets, minor)
    game.turns(2)
    board = game.adjudicator.view("terran").board
    (transit,) = board.transits
    assert (transit.start, transit.end, transit.done, transit.arrives) == ("sol", "sector Near Veil", 50, "turn 3")
    counter = next(one for one in board.counters if one.id == transit.counter)
    assert board.places.called(counter.hex) == "The Spiral–The Veil lane"
    game.turns()
    assert game.state.squadrons[transit.counter].at in NEAR_VEIL
    assert game.adjudicator.view("terran").board.transits == ()
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.1.2", "13.1.3")
def test_other_systems_are_reached_from_the_outskirts_and_by_lanes_alone(kept: Kept):
    game = WrittenVoyage("intro", {"terran": ["Terran Picket: route Alphard", "Terran Merchants: route Earth > Sol"]})
    assert game.refused("terran", "Terran Merchants: route Earth > Wolf 359") == kept("#1")
    assert game.refused("terran", "Terran Survey: route Sol > Alphard") == kept("#2")
    game.turns(2)
    assert (game.state.squadrons["T4"].at, game.state.squadrons["T1"].at) == ("alphard", "sol")
    assert game.replayed().digest() == game.adjudicator.digest()


def _freighters_side_by_side(document: Any) -> None:
    """Iris is a squadron of her own; the survey shuttle is aboard the merchants, and its ship at Earth with them."""
    forces = document["forces"]
    merchants = next(one for one in forces["squadron"] if one["id"] == "T1")
    forces["squadron"].append(merchants | {"id": "T5", "name": "Second Merchants"})
    for unit in forces["unit"]:
        if unit["id"] == "iris":
            unit["squadron"] = "T5"
        if unit["id"] == "lens":
            unit |= {"squadron": None, "based_on": None, "aboard": "T1"}
    for squadron in forces["squadron"]:
        if squadron["id"] == "T2":
            squadron["at"] = "sol/earth"


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.3-embarking")
def test_cargo_goes_from_squadron_to_squadron_and_a_flight_to_its_carrier(kept: Kept):
    """A Hermes has Cargo 20: with the shuttle, SIZ 1, aboard there is room for one census point, which takes 10; the
    other Hermes takes two. The Probe has basing capacity for one."""
    sheets = {
        "terran": [
            "Terran Merchants: load 1 census; unload Lens to Probe",
            "Terran Merchants: unload census to Second Merchants",
        ]
    }
    game = WrittenVoyage("intro", sheets, _freighters_side_by_side)
    (refused,) = game.refused("terran", "Terran Merchants: unload Lens to Achilles")
    assert refused.startswith("T1.unload: Achilles has basing capacity for 0, and Lens takes 1 (13.3.3).")
    (refused,) = game.refused("terran", "Terran Merchants: unload Lens to Terran Picket")
    assert refused.startswith("T1.unload: Terran Picket is no other squadron at Earth (13.3.3).")
    game.turns()
    lens, first = game.state.units["lens"], game.state.squadrons["T1"]
    assert (lens.squadron, lens.based_on, lens.aboard) == ("T2", "probe", "")
    assert [(lot.kind, lot.amount) for lot in first.hold] == [("census", 1)]
    game.turns()
    second = game.state.squadrons["T5"]
    assert (first.hold, [(lot.kind, lot.amount) for lot in second.hold]) == ([], [("census", 1)])
    assert game.told("terran", "cargo") == kept()
    assert game.replayed().digest() == game.adjudicator.digest()


def _transport_at_haft(document: Any) -> None:
    """The merchants are at Haft, a colony of Kraz where nobody else is, with the guard aboard."""
    forces = document["forces"]
    next(one for one in forces["squadron"] if one["id"] == "T1")["at"] = "izar/haft"
    guard = next(one for one in forces["unit"] if one["id"] == "terran-guard")
    guard |= {"at": None, "aboard": "T1"}


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.2.3-ground")
def test_a_colony_without_defenders_is_taken_by_who_lands_there():
    game = WrittenVoyage("intro", {"terran": ["Terran Merchants: invade yes"]}, _transport_at_haft)
    haft = next(one for one in game.state.colonies.values() if one.at == "izar/haft")
    assert haft.owner == "kraz"
    game.turns()
    guard = game.state.units["terran-guard"]
    assert (haft.owner, guard.at, guard.aboard) == ("terran", "izar/haft", "")
    assert game.told("kraz", "invasion") == game.told("terran", "invasion") == [f"Terran Union takes {haft.name}."]
    assert game.replayed().digest() == game.adjudicator.digest()


@pytest.mark.headless
@pytest.mark.rule("jump_lanes", "13.3.3-loss", "13.5.2")
def test_cargo_that_no_longer_fits_after_a_battle_is_chosen_by_its_owner():
    """Two Hermes of Cargo 20 carry three census points of 10 and a guard. With one of them destroyed two points fit, or
    one and the guard."""

    def kraz_at_sol(document: Any) -> None:
        forces = document["forces"]
        next(one for one in forces["squadron"] if one["id"] == "K4")["at"] = "sol"
        next(one for one in forces["unit"] if one["id"] == "terran-guard").update(at=None, aboard="T1")

    sheets = {"terran": ["Terran Merchants: load 3 census; route to Sol"], "kraz": ["terran: stance war"]}
    game = WrittenVoyage("intro", sheets, kraz_at_sol, {"Hermes": "destroyed"})
    odds = game.adjudicator.odds("terran", "T2", "sol?1")
    assert odds.lines[0] == "Chance 23 of 100: easy 10, Science 13, gained before 0"
    while not any(one.kind == "cargo_loss" for one in game.adjudicator.asks_for("terran")):
        game.round()
    (refused,) = game.refused("terran", "T1: census 1")
    assert "what is left is 2 above the Cargo rating of Terran Merchants (13.3.3)" in refused
    (refused,) = game.refused("terran", "T1: census 3")
    assert "could stay aboard" in refused
    game.losses["terran"] = "T1: units Terran Guard; census 1"
    game.round()
    (lot,) = game.state.squadrons["T1"].hold
    assert (lot.kind, lot.amount, "terran-guard" in game.state.units) == ("census", 2, False)
    assert game.replayed().digest() == game.adjudicator.digest()
