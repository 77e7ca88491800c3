"""Wild weasels, terrain, webs, tractors and warp friction. CJD1.51 to CJD1.55, CJD1.61"""

import pytest

from rules_engine.rulebooks.vector.ch2_energy.paying import Bill
from rules_engine.rulebooks.vector.ch5_other.terrain import terrain_impact, web_impact
from rules_engine.rulebooks.vector.ch5_other.tractors import pair_vector
from rules_engine.rulebooks.vector.ch6_friction.friction import loss_at
from rules_engine.rulebooks.vector.records.plots import UnitPlot
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions, TacticalTerrain, TractorLink
from rules_engine.rulebooks.vector.tracker.coasting import drifts
from rules_engine.rulebooks.vector.tracker.flying import end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from rules_engine.rulebooks.vector.tracker.towing import catch, catch_objection, release
from tests.expected.kept import Kept, cases
from tests.rulebooks.vector.duel import three
from tests.rulebooks.vector.plotting.sheets import warned
from tests.rulebooks.vector.skies import Loaded, fly, judged, next_turn, plot, sky, unit, vector, ways, what


@cases("speed, hexes, damage")
def test_what_friction_takes(speed: int, hexes: int, damage: int):
    assert loss_at(speed) == (hexes, damage)


@cases("flies, facing, slower")
def test_a_hex_of_the_greatest_element(flies: str, facing: str, slower: str):
    battle = sky(f"H1 h 2020 {facing} {flies}", friction=True)
    fly(battle)
    happened = end_turn(battle)
    assert battle.units["H1"].vector.says == slower
    assert what(happened) == ([(32, "H1", "slowed")] if slower != flies else [])
    assert [(one.amount, one.damage, one.shield, one.rule) for one in happened] in ([], [(1, 0, 0, "CJD1.61")])


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize(("chosen", "slower"), [("A", "3A+4B"), ("B", "4A+3B")])
def test_of_two_equal_elements_the_captain_chooses(chosen: str, slower: str):
    for facing in "ABCDEF":
        battle = sky(f"H1 h 2020 {facing} 4A+4B", friction=True)
        fly(battle, {"H1": plot(friction=chosen)})
        end_turn(battle)
        assert battle.units["H1"].vector.says == slower


@pytest.mark.rule("vector", "CJD1.61")
def test_it_is_off_unless_the_table_wants_it():
    battle = sky("H1 h 2020 A 50A")
    fly(battle)
    assert (end_turn(battle), battle.units["H1"].vector.says) == ([], "50A")


@cases("ship, slower, shield, loss, shields")
def test_above_32_it_takes_more_and_damages_the_shield_on_that_side(
    ship: str, slower: str, shield: int, loss: tuple[int, int], shields: tuple[int, ...]
):
    battle = sky(f"H1 h 2020 {ship} shields=10,9,9,9,9,3", friction=True)
    happened = end_turn(battle)
    after = battle.units["H1"]
    assert (after.vector.says, after.figures.shields) == (slower, shields)
    slowed = happened[0]
    assert (slowed.shield, (slowed.amount, slowed.damage), slowed.rule) == (shield, loss, "CJD1.611")


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize("silent", [None, plot(), plot("turn left on 1")])
def test_choice_of_an_element_holds_for_the_plot_that_makes_it_alone(silent: UnitPlot | None):
    """Facing C, 4A+4B gives up A; the first turn's choice of B does not last into the second."""
    battle = sky("H1 h 2020 C 4A+4B", friction=True)
    fly(battle, {"H1": plot(friction="B")})
    next_turn(battle)
    assert battle.units["H1"].vector.says == "4A+3B"
    battle.units["H1"].vector = vector("4A+4B")
    fly(battle, {} if silent is None else {"H1": silent})
    assert battle.units["H1"].friction_from == ""
    battle.units["H1"].facing = "C"
    end_turn(battle)
    assert battle.units["H1"].vector.says == "3A+4B"


@cases("first, second, slower")
def test_choice_is_that_of_the_last_piece_when_a_turn_has_several(first: str | None, second: str | None, slower: str):
    battle = sky("H1 h 2020 C 4A+4B", friction=True)
    fly(battle, {"H1": plot(friction=first)}, 16)
    fly(battle, {"H1": plot(friction=second)}, 32)
    end_turn(battle)
    assert battle.units["H1"].vector.says == slower


@pytest.mark.rule("vector", "CJD1.61")
def test_controllers_choice_in_a_tractor_does_not_last_either():
    battle = sky("H1 h 2020 C 4A+4B\nR1 r 2020 C 4A+4B", friction=True)
    battle.tractors.append(TractorLink(one="H1", other="R1", power={"H1": 2}, controller="H1"))
    fly(battle, {"H1": plot(friction="B"), "R1": plot(friction="A")})
    next_turn(battle)
    assert [battle.units[one].vector.says for one in ("H1", "R1")] == ["4A+3B", "4A+3B"]
    for one in ("H1", "R1"):
        battle.units[one].vector = vector("4A+4B")
    fly(battle, {"R1": plot(friction="B")})
    end_turn(battle)
    assert [battle.units[one].vector.says for one in ("H1", "R1")] == ["3A+4B", "3A+4B"]


@cases("friction, impulse, warning", "")
def test_captain_is_warned_when_a_choice_takes_no_effect(friction: bool, impulse: int, warning: str | None):
    battle = three(options=TacticalOptions(friction=friction), impulse=impulse)
    assert warned(battle, "H1: friction A") == ([] if warning is None else [warning])


# --- terrain ---------------------------------------------------------------------------------------------------------
ROCKS = TacticalTerrain(id="rocks", kind="asteroids", hexes=("2018", "2016"))
WEB = TacticalTerrain(id="web", kind="web", hexes=("2017",))


@cases("speed, met_at, times")
def test_terrain_goes_by_speed_and_above_32_does_more_damage(speed: int, met_at: int, times: int):
    assert terrain_impact(speed) == (met_at, times)


@pytest.mark.rule("vector", "CJD1.52")
@pytest.mark.parametrize("speed", [0, 20, 50])
def test_a_web_goes_by_speed(speed: int):
    assert web_impact(speed) == (speed, 1)


@pytest.mark.rule("vector", "CJD1.52", "CJD1.54")
def test_who_enters_something_is_told_to_all_with_its_speed(kept: Kept):
    battle = sky("H1 h 2020 D 5A\nC1 c 2010 A 40D", terrain=[ROCKS, WEB])
    entered = [one for one in fly(battle, {"H1": plot("reverse 3 on 1")}) if one.what == "entered"]
    assert [(one.unit, one.hex, one.other, one.speed, one.times, one.rule, one.to) for one in entered] == kept()


# --- tractors --------------------------------------------------------------------------------------------------------
LINES = "H1 h 2020 A 8A\nC1 c 2021 D 4B move_cost=1/2\nC2 c 2525 D 0"


def held(mine: int = 20, *, literal: bool = False) -> Tactical:
    """A battle in which H1 has caught C1."""
    battle = sky(LINES, tractor_literal=literal)
    catch(battle, "H1", "C1", {"H1": mine, "C1": 10}, Loaded())
    return battle


@cases("one, other, costs, literal, common")
def test_the_common_vector(one: str, other: str, costs: tuple[str, str], literal: bool, common: str):
    units = unit(f"H1 h 2020 A {one} move_cost={costs[0]}"), unit(f"C1 c 2021 D {other} move_cost={costs[1]}")
    assert pair_vector(*units, literal=literal).says == common


@pytest.mark.rule("vector", "CJD1.55")
def test_both_have_it_at_once_and_keep_it_when_let_go(kept: Kept):
    battle = sky(LINES)
    fly(battle, {}, 16)
    happened = catch(battle, "H1", "C1", {"H1": 20, "C1": 10}, Loaded())
    assert [(one.what, one.unit, one.other, one.to) for one in happened] == kept()
    first, second = battle.units["H1"], battle.units["C1"]
    assert (first.vector.says, second.vector.says) == ("5A+1B", "5A+1B")
    assert (first.moved, second.moved) == ({}, {})
    assert (first.count_from, second.count_from) == (16, 16)
    assert [one.what for one in release(battle, "C1")] == ["released"]
    assert release(battle, "C1") == []
    assert (first.vector.says, second.vector.says) == ("5A+1B", "5A+1B")
    assert held(literal=True).units["C1"].vector.says == "8A+2B"


@pytest.mark.rule("vector", "CJD1.551")
def test_who_applies_more_power_controls_both():
    battle = held()
    assert battle.tractors[0].controller == "H1"
    for event in ("accelerate 2 on 3", "reverse 2 on 3", "slip left on 6"):
        assert judged(battle, "C1", event) == [(0, "CJD1.551", 0)]
    assert (judged(battle, "C1", path="A"), judged(battle, "C1", "turn left on 3")) == ([(None, "CJD1.551", 0)], [])
    # A and B by H1's plot; C1 moves as H1 does, though its own usual path would begin with A
    happened = fly(battle, {"H1": plot(path="BAAAAA"), "C1": plot(path="AABAAA")})
    assert (ways(happened, "H1"), ways(happened, "C1")) == ("BAAAAA", "BAAAAA")
    assert held(mine=5).tractors[0].controller == "C1"


@pytest.mark.rule("vector", "CJD1.551")
@pytest.mark.parametrize(("rolled", "controls"), [(1, "H1"), (3, "H1"), (4, "C1"), (6, "C1")])
def test_a_tie_is_decided_by_a_die_and_then_alternates(rolled: int, controls: str):
    battle = sky(LINES)
    assert [one.total for one in catch(battle, "H1", "C1", {"H1": 10, "C1": 10}, Loaded(rolled))[1].dice] == [rolled]
    assert battle.tractors[0].controller == controls
    fly(battle)
    assert [(one.what, one.unit) for one in next_turn(battle)] == [("controls", "C1" if controls == "H1" else "H1")]
    assert battle.tractors[0].controller != controls
    fly(battle)
    next_turn(battle)
    assert battle.tractors[0].controller == controls


@pytest.mark.rule("vector", "CJD1.551")
def test_without_a_tie_nothing_alternates():
    battle = held()
    fly(battle)
    assert (end_turn(battle), battle.tractors[0].controller) == ([], "H1")


@pytest.mark.rule("vector", "CJD1.55")
def test_the_controller_accelerates_both_and_pays_for_both():
    battle = held()
    # both move costs are 3/2 of its own: 4 hexes take 8 points times 3/2
    found = foresee(battle, "H1", plot("accelerate 4 on 3"), 32)
    assert (found.defects, found.spent, found.vector) == ((), Bill(warp=12), "9A+1B")
    # 15 points each 3 make 10 hexes, and the point of impulse power one more
    assert judged(battle, "H1", "accelerate 12 on 3") == [(0, "CJD1:313", 0)]
    assert judged(battle, "H1", "accelerate 11 on 3") == []
    happened = fly(battle, {"H1": plot("accelerate 4 on 3")}, 3)
    assert what(happened) == [(3, "H1", "accelerated"), (3, "C1", "accelerated")]
    assert {battle.units[one].vector.says for one in ("H1", "C1")} == {"9A+1B"}
    release(battle, "H1")
    assert judged(battle, "C1", "accelerate 1 on 5") == [(0, "CJD1.32", 11)]
    assert foresee(battle, "H1", plot("accelerate 1 on 11"), 32).spent == Bill(warp=2)


@pytest.mark.rule("vector", "CJD1.55", "CJD1.551")
def test_who_is_held_is_foreseen_to_coast_with_its_controller():
    battle = held()
    battle.units["H1"].path = "BAAAAA"
    course = drifts(battle, battle.units["C1"])
    flown = held()
    flown.units["H1"].path = "BAAAAA"
    for impulse in range(1, 33):
        fly(flown, {}, impulse)
        assert flown.units["C1"].at == course[impulse]


@pytest.mark.rule("vector", "CJD1.55")
def test_what_cannot_be_held():
    battle = held()
    battle.units["C2"].waits_for = 4
    for one, other, absent in (("C2", "H1", "C2"), ("X1", "H1", "X1"), ("C2", "C2", "C2")):
        assert catch_objection(battle, one, other) == (f"{absent} is not in play", "CJD1.55", "units in play", 0)
    battle.units["C2"].waits_for = 0
    for one, other, problem, legal in (
        ("C2", "C1", "C1 is in a tractor already", "one tractor for each unit"),
        ("H1", "C2", "H1 is in a tractor already", "one tractor for each unit"),
        ("C2", "C2", "a unit does not hold itself", "two units"),
    ):
        assert catch_objection(battle, one, other) == (problem, "CJD1.55", legal, 0)
        with pytest.raises(ValueError, match=r"tractor|itself"):
            catch(battle, one, other, {}, Loaded())
    assert len(battle.tractors) == 1


@pytest.mark.rule("vector", "CJD1.55")
def test_who_takes_a_second_in_tow_has_both_in_one_tow():
    """VM-N68"""
    battle = sky("H1 h 2020 A 8A\nH2 h 2021 D 0\nH3 h 2020 D 0")
    battle.fixed, battle.towable = ["H2", "H3"], ["H2", "H3"]
    for other in battle.towable:
        assert [one.what for one in catch(battle, "H1", other, {}, Loaded())] == ["caught"]
    assert [(one.tugs, one.towed) for one in battle.tows] == [(["H1"], ["H2", "H3"])]
    assert {key: one.vector.says for key, one in battle.units.items()} == {"H1": "8A", "H2": "8A", "H3": "8A"}


@pytest.mark.rule("vector", "CJD1.55")
def test_a_tractor_ends_with_its_units():
    battle = held()
    battle.units["H1"].out = "destroyed"
    fly(battle, {"C1": plot("accelerate 1 on 1")}, 1)
    assert (battle.tractors, battle.units["C1"].vector.says) == ([], "4A+1B")


@pytest.mark.rule("vector", "CJD1.55")
def test_who_was_held_flies_on_when_its_controller_leaves_play_in_mid_piece():
    battle = held()

    def after(battle: Tactical) -> None:
        if battle.impulse == 6:
            battle.units["H1"].out = "left the map"

    happened = fly_piece(battle, {}, 32, Loaded(), after_impulse=after)
    assert (ways(happened, "H1"), ways(happened, "C1")) == ("A", "ABAAAA")


@pytest.mark.rule("vector", "CJD1.55", "CJD1.61")
def test_friction_slows_both_alike():
    battle = held()
    battle.options = battle.options.with_values(friction=True)
    first, second = battle.units["H1"], battle.units["C1"]
    first.vector = second.vector = vector("4A+4B")
    # H1 faces A, and loses of B; C1 faces D, and would lose of A
    fly(battle)
    end_turn(battle)
    assert (first.vector.says, second.vector.says) == ("4A+3B", "4A+3B")
    first.out, second.vector = "disengaged", vector("4A+4B")
    end_turn(battle)
    assert (second.vector.says, battle.tractors) == ("3A+4B", [])


@pytest.mark.rule("vector", "CJD1.551")
def test_who_is_held_is_told_who_decides():
    battle = held()
    (defect,) = foresee(battle, "C1", plot("accelerate 1 on 1"), 32).defects
    assert str(defect.refusal) == (
        "C1: H1 controls the movement of both in the tractor (CJD1.551). Legal: a plot for H1, or a turn."
    )
    assert foresee(battle, "C1", plot("turn left on 1"), 32).defects == ()


# --- weasels ---------------------------------------------------------------------------------------------------------
WEASEL = "H1 h 2020 A 8B\nS1 h 2020 A 0 aboard=H1 form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle"


@cases("event, voided")
def test_what_voids_a_wild_weasel(event: str, voided: bool):
    battle = sky(WEASEL)
    happened = fly(battle, {"H1": plot("weasel S1 3 to D on 2", event)}, 32, 1)
    assert what(happened, "voided") == ([(9, "H1", "voided")] if voided else [])
    assert battle.units["H1"].weasel == ("" if voided else "S1")
    assert [one.other for one in happened if one.what == "voided"] == (["S1"] if voided else [])


@pytest.mark.rule("vector", "CJD1.51")
def test_a_breakdown_voids_it_too():
    battle = sky(WEASEL)
    assert (2, "H1", "weasel") in what(fly(battle, {"H1": plot("weasel S1 on 2", "het to C on 9")}, 9, 6, 1))
    assert battle.units["H1"].weasel == ""


@pytest.mark.rule("vector", "CJD1.51", "CJD1.53")
def test_the_weasel_is_launched_as_any_shuttle():
    battle = sky(WEASEL)
    assert what(fly(battle, {"H1": plot("weasel S1 3 to D on 2")}, 2)) == [(2, "S1", "launched"), (2, "H1", "weasel")]
    shuttle = battle.units["S1"]
    assert (shuttle.vector.says, shuttle.facing, shuttle.figures.form) == ("5B+3C", "D", "weasel")
    assert judged(battle, "H1", "weasel S1 on 9") == [(0, "CJD1.51", 0)]


@pytest.mark.rule("vector", "CJD1.51")
def test_a_weasel_that_the_table_keeps_itself():
    happened = fly(sky("H1 h 2020 A 8B"), {"H1": plot("weasel on 2", "accelerate 2 on 9")})
    assert what(happened) == [(2, "H1", "weasel"), (9, "H1", "accelerated"), (9, "H1", "voided")]
    assert judged(sky("H1 h 2020 A 8B"), "H1", "weasel S7 on 2") == [(0, "CJD1.53", 0)]
