"""Wild weasels. CJD1.51"""

import pytest

from tests.expected.kept import cases
from tests.rulebooks.vector.skies import fly, judged, plot, sky, what

LINES = "H1 h 2020 A 8B\nS1 h 2020 A 0 aboard=H1 form=shuttle size_class=6 rated_speed=6 turn_mode=shuttle"


@pytest.mark.rule("vector", "CJD1.51")
@cases("event, voided")
def test_what_voids_a_wild_weasel(event: str, voided: bool):
    battle = sky(LINES)
    happened = fly(battle, {"H1": plot("weasel S1 3 to D on 2", event)}, 32, 1)
    assert what(happened, "voided") == ([(9, "H1", "voided")] if voided else [])
    assert battle.units["H1"].weasel == ("" if voided else "S1")
    assert [one.other for one in happened if one.what == "voided"] == (["S1"] if voided else [])


@pytest.mark.rule("vector", "CJD1.51")
def test_a_breakdown_voids_it_too():
    battle = sky(LINES)
    assert (2, "H1", "weasel") in what(fly(battle, {"H1": plot("weasel S1 on 2", "het to C on 9")}, 9, 6, 1))
    assert battle.units["H1"].weasel == ""


@pytest.mark.rule("vector", "CJD1.51", "CJD1.53")
def test_the_weasel_is_launched_as_any_shuttle():
    battle = sky(LINES)
    happened = fly(battle, {"H1": plot("weasel S1 3 to D on 2")}, 2)
    assert what(happened) == [(2, "S1", "launched"), (2, "H1", "weasel")]
    shuttle = battle.units["S1"]
    assert (shuttle.vector.says, shuttle.facing, shuttle.figures.form) == ("5B+3C", "D", "weasel")
    assert judged(battle, "H1", "weasel S1 on 9") == [(0, "CJD1.51", 0)]


@pytest.mark.rule("vector", "CJD1.51")
def test_a_weasel_that_the_table_keeps_itself():
    battle = sky("H1 h 2020 A 8B")
    happened = fly(battle, {"H1": plot("weasel on 2", "accelerate 2 on 9")})
    assert what(happened) == [(2, "H1", "weasel"), (9, "H1", "accelerated"), (9, "H1", "voided")]
    assert judged(sky("H1 h 2020 A 8B"), "H1", "weasel S7 on 2") == [(0, "CJD1.53", 0)]
