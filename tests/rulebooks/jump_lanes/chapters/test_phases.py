"""Groups move, meet and are stopped (13.1, 13.2), and the rule that each report gives as its reason."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.rulebooks.jump_lanes.battles.ground import invasions_steps
from rules_engine.rulebooks.jump_lanes.campaign.boundaries import close_turn
from rules_engine.rulebooks.jump_lanes.campaign.reinforcements import bring_reinforcements
from rules_engine.rulebooks.jump_lanes.campaign.scoring import score_cargo, score_surveys
from rules_engine.rulebooks.jump_lanes.campaign.victory import ending
from rules_engine.rulebooks.jump_lanes.ch1_movement.transits import place_of_arrival
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored, explore
from rules_engine.rulebooks.jump_lanes.phases.cargo import move_cargo
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.plotting.carrying_out import carry_out_sheets
from rules_engine.rulebooks.jump_lanes.records.orders import CargoOrder, LaneSheet, RouteLegOrder
from rules_engine.rulebooks.jump_lanes.records.state import LaneReinforcement, LanesState
from rules_engine.rulebooks.jump_lanes.tables.exploration import peril
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.jump_lanes.freight import change, fact, made
from tests.rulebooks.jump_lanes.frontier import ARGO, CENTAURI, TERRAN, frontier, order, ship, squadron, standing
from tests.rulebooks.jump_lanes.turns import Play, begin, fates


def go(state: LanesState, key: str, *steps: str) -> None:
    """Order a group over lanes: ``L1:wolf``."""
    orders = state.fleets[key].orders if key in state.fleets else state.squadrons[key].orders
    orders.legs = [RouteLegOrder(lane=one.partition(":")[0], to=one.partition(":")[2]) for one in steps]


def moved(state: LanesState, *, holding: tuple[str, ...] = (), **units: str) -> Play:
    """A turn's movement, with the fates of units in battles."""
    play = begin(state, draw=[1] * 9, passing=[5] * 9, arrival=[2] * 9)
    play.run(movement_steps(play.turn, holding), fates(**units))
    return play


def battles(play: Play) -> list[str]:
    """Which battles there were."""
    return [ask.title.removeprefix("Result of the battle ") for ask in play.asked if ask.kind == "battle"]


@cases("case, proves, lines, turns, holds", "")
def test_how_groups_move_and_meet(lines: str, turns: list[dict[str, Any]], holds: dict[str, Any]):
    """Turn by turn, the legs of squadrons and fleets, what is ``changed`` first, and the ``fates`` of units in battles;
    then where all are, which ``battles`` there were in the last turn, and what was ``told`` to the Terrans."""
    state = made(lines)
    play = begin(state)
    for turn in turns:
        change(state, turn.get("changed", {}))
        for key, legs in turn.items():
            if key not in ("changed", "fates"):
                go(state, key, *legs.split())
        play = moved(state, **turn.get("fates", {}))
    found = {"battles": battles(play), "told": play.told(TERRAN)}
    assert {name: found[name] if name in found else fact(state, name) for name in holds} == holds


@pytest.mark.rule("jump_lanes", "13.1.6")
def test_a_group_in_an_extended_jump_is_in_the_lane():
    state = made("T1 sol hermes")
    go(state, "T1", "L1:wolf", "L4:ross")
    moved(state)
    transit = state.squadrons["T1"].transit
    assert transit is not None
    assert transit.turns_left == 1


@pytest.mark.rule("jump_lanes", "13.1.5", "13.2")
@pytest.mark.parametrize(("drawn", "place"), [(1, "Barnard"), (2, "Ross")])
def test_of_equally_early_places_at_which_a_group_could_be_stopped_one_is_drawn(drawn: int, place: str):
    """T1 comes to Barnard after half a turn and to Ross after one; C1 to Barnard after one, and C2, by a major lane, to
    Ross after half a turn."""
    state = frontier()
    squadron(state, "T1", "sol", ship("fast", ftl=2))
    squadron(state, "C1", "ross", ship("one", CENTAURI))
    squadron(state, "C2", "wolf", ship("two", CENTAURI))
    go(state, "T1", "L2:barnard", "L3:ross")
    go(state, "C1", "L3:barnard")
    go(state, "C2", "L4:ross")
    play = begin(state, draw=[drawn])
    play.run(movement_steps(play.turn, ()), fates())
    assert battles(play) == [f"at {place}"]
    (roll,) = (one for one in play.turn.shared.rolls if one.purpose == "place of an encounter")
    assert (roll.label, roll.faces, roll.seen_by) == ("meetings/draw/1", 2, frozenset())


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_who_explored_stays_and_its_route_waits():
    state = frontier()
    squadron(state, "T1", "sol", ship("fast"))
    go(state, "T1", "L2:barnard")
    moved(state, holding=("T1",))
    assert (state.squadrons["T1"].at, len(state.squadrons["T1"].orders.legs)) == ("sol", 1)


@pytest.mark.rule("jump_lanes", "13.2")
@pytest.mark.parametrize(("plays_so", "die", "met"), [(False, 5, False), (True, 5, True), (True, 6, False)])
def test_groups_that_pass_each_other_meet_only_where_a_campaign_plays_so_and_the_die_says_so(
    plays_so: bool, die: int, met: bool
):
    state = made("T1 sol T; centauri C1 barnard C")
    state.rules = state.rules.with_values(passing_encounters=plays_so)
    go(state, "T1", "L2:barnard")
    go(state, "C1", "L2:sol")
    play = begin(state, passing=[die])
    play.run(movement_steps(play.turn, ()), fates())
    assert battles(play) == (["in the lane Sol to Barnard"] if met else [])
    assert (state.squadrons["T1"].at, state.squadrons["C1"].at) == ("barnard", "sol")


@pytest.mark.rule("jump_lanes", "13.2")
def test_what_is_destroyed_counts_for_its_enemies_and_not_for_its_allies():
    """Terran and Argo have a treaty of passage, and both fight Centauri; each side loses a unit."""
    state = frontier(empires=3)
    squadron(state, "T1", "barnard", ship("Ours"))
    squadron(state, "A1", "barnard", ship("Ally", ARGO))
    squadron(state, "C1", "barnard", ship("Theirs", CENTAURI))
    for one, other in ((TERRAN, ARGO), (ARGO, TERRAN)):
        state.empires[one].stances[other] = "passage"
    play = begin(state)
    scored = play.run(movement_steps(play.turn, ()), fates(Ours="destroyed", Theirs="destroyed"))
    found = {empire: [unit.name for unit in scored.destroyed_for(empire)] for empire in state.empires}
    assert found == {TERRAN: ["Theirs"], ARGO: ["Theirs"], CENTAURI: ["Ours"]}


@pytest.mark.rule("jump_lanes", "13.1.4")
def test_in_a_sector_of_one_system_nothing_is_drawn():
    play = begin(frontier(), arrival=[1])
    assert (place_of_arrival(play.turn, "*rim", "T1"), play.turn.shared.rolls) == ("perseus", [])
    assert place_of_arrival(play.turn, "*halo", "T1") == "almach"
    assert place_of_arrival(play.turn, "mirach", "T1") == "mirach"


# --- reasons ---------------------------------------------------------------------------------------------------------
Playing = Callable[[LanesState], Play]


def treaty(state: LanesState) -> Play:
    play = begin(state)
    sheets = {TERRAN: LaneSheet.model_validate({CENTAURI: {"stance": "war"}})}
    carry_out_sheets(play.turn, sheets)
    return play


def cargo(state: LanesState) -> Play:
    """One order is carried out, one is refused."""
    state.squadrons["T1"].orders.cargo = [order("load", "census", 1), order("jettison", "experience", 1)]
    play = begin(state)
    move_cargo(play.turn)
    return play


def movement(state: LanesState, *legs: tuple[str, str]) -> Play:
    state.squadrons["T1"].orders.legs = [RouteLegOrder(lane=lane, to=to) for lane, to in legs]
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates())
    return play


def exploration(state: LanesState, *, check: int, struck: int = 1) -> Play:
    squadron(state, "T2", "ross", ship("Probe", science=8), ship("Lens"))
    state.squadrons["T2"].orders.explore = "L6"
    play = begin(state, check=[check], peril=[6], struck=[struck], **{"class": [1]})
    explore(play.turn)
    return play


def invasion(state: LanesState) -> Play:
    squadron(state, "T2", "ross", ship("Hold", cargo=9)).orders.invade = True
    state.put(ship("Team", kind="troop"), aboard="T2")
    play = begin(state)
    play.run(invasions_steps(play.turn), fates())
    return play


def end(state: LanesState) -> Play:
    """Somebody is in supply again, a colony is founded, points are scored, and Centauri is out of play."""
    state.units["Hermes"].out_of_supply = True
    state.colonies["ross"].owner = ""
    standing(state, ship("Base", kind="starbase"), "barnard")
    play = begin(state)
    close_turn(play.turn)
    return play


def reinforcements(state: LanesState) -> Play:
    state.reinforcements = [LaneReinforcement(turn=1, empire=TERRAN, at="sol", name="Reserve", units=[ship("Nest")])]
    play = begin(state)
    bring_reinforcements(play.turn)
    return play


def withdrawal(state: LanesState) -> Play:
    squadron(state, "C1", "sol", ship("Raider", CENTAURI))
    play = begin(state)
    play.run(movement_steps(play.turn, ()), fates(Raider="withdrew"))
    return play


NOTATION = {
    one.__name__: one for one in (cargo, end, exploration, invasion, movement, reinforcements, treaty, withdrawal)
}


@cases("play, reasons")
def test_reports_say_by_which_rule(play: Playing, reasons: set[tuple[str, str]]):
    play = evaluated(play, NOTATION)
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    assert {(one.kind, one.why.rule) for one in play(state).turn.shared.reports if one.why is not None} == reasons


def test_cargo_that_stays_as_it_is_is_told_by_which_rule(kept: Kept):
    """Of what is not aboard no rule says anything but that of all cargo."""
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    state.colonies["sol"].rebellion = True
    state.squadrons["T1"].orders.cargo = [order("unload", "guards"), order("load", "census", 1)]
    play = begin(state)
    move_cargo(play.turn)
    assert [(one.text, one.why.rule) for one in play.turn.shared.reports if one.why is not None] == kept()


def test_who_is_stopped_is_told_by_which_rules():
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI))
    reports = movement(state, ("L2", "barnard")).turn.shared.reports
    assert [one.why.rule for one in reports if one.kind == "movement" and one.why is not None] == ["13.1.5, 13.2"]


def test_a_survey_that_another_completed_in_the_same_turn_has_its_own_reason():
    state = frontier()
    squadron(state, "T1", "ross", ship("Probe", science=8)).orders.explore = "L6"
    squadron(state, "C1", "vega", ship("Lens", CENTAURI, science=8)).orders.explore = "L6"
    play = begin(state, check=[1, 1], **{"class": [1]})
    explore(play.turn)
    reasons = [one.why.rule for one in play.turn.shared.reports if one.kind == "survey" and one.why is not None]
    assert reasons == ["13.5.2, JL-R41", "13.5.2, JL-N40"]


def test_what_dice_are_called(kept: Kept):
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes"))
    found = {one.purpose: (one.label.lstrip("/"), one.faces) for one in exploration(state, check=95).turn.shared.rolls}
    assert found == kept()
    state = frontier()
    found = {one.purpose: (one.label.lstrip("/"), one.faces) for one in exploration(state, check=1).turn.shared.rolls}
    assert found["class of the lane from Ross to Vega"] == ("class/ross/vega", 10)


def test_the_dice_of_those_who_pass_each_other():
    state = frontier()
    state.rules = state.rules.with_values(passing_encounters=True)
    squadron(state, "T1", "sol", ship("Hermes")).orders.legs = [RouteLegOrder(lane="L2", to="barnard")]
    squadron(state, "C1", "barnard", ship("Raider", CENTAURI)).orders.legs = [RouteLegOrder(lane="L2", to="sol")]
    play = begin(state, passing=[6])
    play.run(movement_steps(play.turn, ()), fates())
    (roll,) = play.turn.shared.rolls
    assert (roll.purpose, roll.label.lstrip("/"), roll.faces, roll.seen_by) == (
        "passing encounter", "passing/L2/T1/C1", 10, frozenset(),
    )  # fmt: skip


def test_what_stands_in_the_ledger(kept: Kept):
    state = frontier()
    squadron(state, "T1", "sol", ship("Hermes", cargo=20))
    standing(state, ship("Base", kind="starbase"), "barnard")
    score_surveys(state, [Explored(TERRAN, "major success", "minor"), Explored(TERRAN, "minor success")])
    score_cargo(state, [CargoWork("T1", CargoOrder(action="unload", what="census"), "sol", landed=2)])
    play = begin(state)
    close_turn(play.turn)
    assert [(one.what, one.points, one.turn) for one in state.ledger if one.empire == TERRAN] == kept()
    assert play.told(TERRAN, "score") == kept("#2")


def test_where_all_are_out_of_play_nobody_has_won():
    state = frontier()
    for empire in state.empires.values():
        empire.out = True
    found = ending(state)
    assert found is not None
    assert (found.winners, found.text, found.rule) == ((), "Everybody is out of play. Nobody has won.", "JL-N42")


@pytest.mark.parametrize("rolled", [0, 11])
def test_the_peril_table_has_nothing_else(rolled: int):
    with pytest.raises(ValueError, match=f"the table goes from 1 to 10, and has no {rolled}"):
        peril(rolled)
