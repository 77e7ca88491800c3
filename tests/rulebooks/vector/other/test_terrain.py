"""Terrain and webs. CJD1.52, CJD1.54, CJD1.541"""

import pytest

from rules_engine.rulebooks.vector.ch5_other.terrain import terrain_impact, web_impact
from rules_engine.rulebooks.vector.records.tactical import TacticalTerrain
from tests.rulebooks.vector.skies import fly, plot, sky

ROCKS = TacticalTerrain(id="rocks", kind="asteroids", hexes=("2018", "2016"))
WEB = TacticalTerrain(id="web", kind="web", hexes=("2017",))


@pytest.mark.rule("vector", "CJD1.54", "CJD1.541")
@pytest.mark.parametrize(
    ("speed", "met_at", "times"),
    [(0, 0, 1), (20, 20, 1), (32, 32, 1), (33, 32, 2), (39, 32, 2), (40, 32, 3), (47, 32, 3), (48, 32, 4), (80, 32, 8)],
)
def test_terrain_goes_by_speed_and_above_32_does_more_damage(speed: int, met_at: int, times: int):
    assert terrain_impact(speed) == (met_at, times)


@pytest.mark.rule("vector", "CJD1.52")
@pytest.mark.parametrize("speed", [0, 20, 50])
def test_a_web_goes_by_speed(speed: int):
    assert web_impact(speed) == (speed, 1)


@pytest.mark.rule("vector", "CJD1.52", "CJD1.54")
def test_who_enters_something_is_told_to_all_with_its_speed():
    battle = sky("H1 h 2020 D 5A\nC1 c 2010 A 40D", terrain=[ROCKS, WEB])
    entered = [one for one in fly(battle, {"H1": plot("reverse 3 on 1")}) if one.what == "entered"]
    assert [(one.unit, one.hex, one.other, one.speed, one.times, one.rule, one.to) for one in entered] == [
        ("C1", "2016", "rocks", 32, 3, "CJD1.54", ()),
        ("C1", "2017", "web", 40, 1, "CJD1.52", ()),
        ("C1", "2018", "rocks", 32, 3, "CJD1.54", ()),
        ("H1", "2018", "rocks", 8, 1, "CJD1.54", ()),
        ("H1", "2017", "web", 8, 1, "CJD1.52", ()),
        ("H1", "2016", "rocks", 8, 1, "CJD1.54", ()),
    ]
