"""Zones of Control for reaction (V8.67, V8.68)."""

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.ch60_reaction.zones import is_in_zone, zone_for_reaction
from rules_engine.rulebooks.border_patrol.records.settings import Zones
from tests.rulebooks.border_patrol.fleet import ship

GRID = Grid(columns=12, rows=12)


@pytest.mark.rule("border_patrol", "V8.61")
def test_a_unit_notices_its_own_hex_and_the_six_about_it():
    seen = [name for name in GRID.hexes() if is_in_zone(GRID, ship(), name)]
    assert sorted(seen) == ["0404", "0405", "0504", "0505", "0506", "0604", "0605"]


@pytest.mark.rule("border_patrol", "V8.68")
def test_a_restricted_zone_is_the_own_hex_alone():
    assert is_in_zone(GRID, ship(cloaked=True), "0505")
    assert not is_in_zone(GRID, ship(cloaked=True), "0504")
    assert [zone_for_reaction(ship(**{flag: True})) for flag in ("crippled", "sublight", "sensors_damaged")] == [0] * 3


@pytest.mark.rule("border_patrol", "V8.67")
def test_a_working_base_of_the_team_widens_it():
    base = ship("BATS")
    assert zone_for_reaction(base) == 2
    assert zone_for_reaction(ship(), [base]) == 2
    assert is_in_zone(GRID, ship(), "0507", [base])
    assert not is_in_zone(GRID, ship(), "0508", [base])
    assert zone_for_reaction(ship(), [ship("BATS", hex="0506")]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", team="red")]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", crippled=True)]) == 1
    assert zone_for_reaction(ship(), [ship("BATS", towed_by="tug")]) == 1
    assert zone_for_reaction(ship(cloaked=True), [base]) == 0
    assert zone_for_reaction(ship("BATS", crippled=True)) == 0


@pytest.mark.rule("border_patrol", "V8.67")
def test_a_scenario_may_say_how_far_zones_reach():
    zones = Zones(reach=3, restricted=1, at_bases=5)
    cruiser, station = ship("CA"), ship("BATS")
    assert zone_for_reaction(cruiser, (), zones) == 3
    assert zone_for_reaction(cruiser, [station], zones) == 5
    assert zone_for_reaction(ship("CA", crippled=True), [station], zones) == 1
    assert is_in_zone(GRID, cruiser, "0508", (), zones)
    assert not is_in_zone(GRID, cruiser, "0509", (), zones)
