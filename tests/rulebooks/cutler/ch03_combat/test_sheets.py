"""Chapter 3: the words of the sheets of a combat, and of the panels by which a battle is set up and left."""

import pytest

from tests.expected.kept import Kept
from tests.rulebooks.cutler.ch03_combat import test_combat, test_hydraxx, test_surround, test_transfers
from tests.rulebooks.cutler.ch03_combat.terrain import test_terrain
from tests.rulebooks.cutler.shown import battles_of, heads, panels
from tests.rulebooks.cutler.worlds import on_sheet

LOCATION = "turn 2 impulse 3\nasteroids 0404\nhydran F1 0404 CA\nlyran F1 0404 CC[from=0505]"
PLACE = {("allocate", "hydran"): test_terrain.at(CA="asteroids")}
DEEP = {("depth", "hydran"): {"battle": {"depth": "deep"}}}


@pytest.mark.rule("cutler", "3.3.2", "3.3.4", "3.6.1.1")
def test_what_the_sheets_of_a_pursuit_say(kept: Kept) -> None:
    run = test_surround.surrounded("", test_surround.NAVIGATOR)
    assert heads(run, "lyran") == kept()


@pytest.mark.rule("cutler", "3.6", "3.6.1", "3.6.1.1", "3.4.5")
def test_how_an_escape_battle_is_set_up(kept: Kept) -> None:
    run = test_surround.surrounded()
    assert panels(battles_of(run)[0], "hydran") == kept()


@pytest.mark.rule("cutler", "3.4.3", "3.4.4", "3.4.5", "3.7.2", "3.7.4", "3.7.6")
def test_how_a_battle_in_open_space_with_flanks_is_set_up(kept: Kept) -> None:
    run = test_surround.flanked({"flank": [3]})
    assert panels(battles_of(run)[0], "hydran") == kept()


@pytest.mark.rule("cutler", "3.7", "3.3.2")
def test_what_the_sheets_of_a_battle_in_open_space_say(kept: Kept) -> None:
    run = test_surround.flanked({})
    assert heads(run, "hydran") == kept()


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_defender_of_a_planet_is_asked(kept: Kept) -> None:
    run = test_terrain.fought()
    assert heads(run, "hydran") == kept()


@pytest.mark.rule("cutler", "3.5.3", "3.5.5", "3.5.6")
def test_what_the_attacker_of_a_planet_is_asked(kept: Kept) -> None:
    run = test_terrain.fought()
    assert heads(run, "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_a_planet_is_set_up(kept: Kept) -> None:
    run = test_terrain.fought()
    assert panels(battles_of(run)[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_at_the_edge_of_a_location_is_set_up(kept: Kept) -> None:
    run = test_terrain.fought(LOCATION, PLACE)
    assert panels(battles_of(run)[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_how_a_battle_deep_within_a_location_is_set_up(kept: Kept) -> None:
    run = test_terrain.fought(LOCATION, PLACE | DEEP)
    assert panels(battles_of(run)[-1], "lyran") == kept()


@pytest.mark.rule("cutler", "3.5.9")
def test_what_the_defender_of_a_location_is_asked(kept: Kept) -> None:
    run = test_terrain.fought(LOCATION, PLACE)
    assert on_sheet(run.asked("hydran", "depth")[0]) == kept()


@pytest.mark.rule("cutler", "3.8", "3.5.6")
def test_what_the_attacker_of_several_features_is_asked(kept: Kept) -> None:
    run = test_hydraxx.played()
    assert [one for one in heads(run, "klingon") if one.startswith(("order", "pursuit"))] == kept()


@pytest.mark.rule("cutler", "3.2")
def test_what_a_race_is_asked_that_acts_among_three(kept: Kept) -> None:
    run = test_combat.combat(test_combat.THREE, {("card", "lyran"): test_combat.FIGHT}, {"acting player, Hydran": [6]})
    assert on_sheet(run.asked("hydran", "challenge")[0]) == kept()


@pytest.mark.rule("cutler", "3.4", "2.4.1.6")
def test_what_the_sheet_of_a_battle_asks_of_each_unit(kept: Kept) -> None:
    run = test_combat.battle()
    assert on_sheet(battles_of(run)[0]) == kept()


@pytest.mark.rule("cutler", "3.9")
def test_what_may_be_moved_after_combat_is_said(kept: Kept) -> None:
    run = test_transfers.combat(test_transfers.stocked())
    assert on_sheet(run.asked("hydran", "transfer")[0])[:9] == kept()
