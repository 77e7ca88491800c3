"""Scripted campaigns about searches."""

import pytest

from tests.rulebooks.pq17.playing.scripted import Order, ScriptedCampaign, scenario

SEARCH = "T1/I1/A/recon/0405/search/A1>E1"
FORCES = "A9 0402 MBS Haven\nC9 0508 OBS Grimhold\nA1 0405 MCA\nC1 0405 VWR"


@pytest.mark.headless
@pytest.mark.rule("pq17", "6.3.4.9", "5.2.3.1")
@pytest.mark.parametrize(("cloak", "found"), [(range(20, 21), False), (range(21, 22), True)])
def test_a_cloak_may_hold_against_a_search_that_would_have_found_the_ship(cloak: range, found: bool) -> None:
    """A cloaked force is passive: the second column, where 01-25 finds it. The cloak holds on 01-20."""
    orders: dict[str, list[Order]] = {
        "T1/planning planning alliance": [{"side": {"bid": 6}}],
        "T1/planning planning coalition": [{"C1": {"posture": ["cloak", "passive"]}}],
        "T1/I1/A/recon search alliance": [{"A1": {"target": "E1"}}],
    }
    dice = {f"{SEARCH}/main roll": range(1, 26), f"{SEARCH}/cloak/E1": cloak}
    play = ScriptedCampaign(scenario(FORCES), orders, dice)
    play.play("T1/I1/B/")
    ending = "success" if found else "failed, the cloak held"
    assert f"A1 searched E1 in 0405: {ending}." in play.heard("alliance")
    assert f"E1 searched your C1 in 0405: {'success' if found else 'failed'}." in play.heard("coalition")
    assert (play.state.task_forces["C1"].id_level.label == "U") is not found
    play.check()
