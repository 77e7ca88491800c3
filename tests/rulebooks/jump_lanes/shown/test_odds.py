"""The odds of exploration: worked out by hand from the printed example, and from what its empire knows alone."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Choice
from rules_engine.rulebooks.jump_lanes.records.settings import LaneClassTable
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.shown.odds import odds_menu, odds_of
from tests.expected.kept import Kept
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, frontier, ship, squadron


@pytest.fixture
def state() -> LanesState:
    """A surveyor with Science 16 and a courier at Ross, and one with Science 5 where nothing is unexplored."""
    found = frontier()
    found.classes = LaneClassTable(major=1, normal=6, minor=9)
    squadron(found, "T1", "ross", ship("probe", science=16)).name = "Probe"
    squadron(found, "T2", "ross", ship("mail"))
    squadron(found, "T3", "sol", ship("lens", science=5)).name = "Lens"
    return found


def refusals(state: LanesState, own: str, target: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        odds_of(state, TERRAN, own, target)
    return [str(one) for one in refused.value.refusals]


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_the_odds_of_the_printed_example(state: LanesState, kept: Kept):
    """Easy 10 and Science 16 are 26: up to 13 complete, up to 26 partial, from 91 on peril."""
    found = odds_of(state, TERRAN, "t1", "ROSS?1")
    assert (found.title, found.rule) == ("Probe explores ross?1", "13.5.2, JL-R36")
    assert found.lines == kept()


@pytest.mark.rule("jump_lanes", "13.5.1")
def test_squadrons_that_could_explore_it_together_are_told_their_chance_together(state: LanesState):
    state.squadrons["T3"].at = "ross"
    assert odds_of(state, TERRAN, "T1", "ross?1").lines[-1] == "Together, Probe and Lens: chance 31 of 100."


@pytest.mark.rule("jump_lanes", "13.5.2")
def test_one_gains_by_ones_own_partial_surveys_alone(state: LanesState):
    state.lanes["L6"].bonus = {TERRAN: 10, CENTAURI: 30}
    assert odds_of(state, TERRAN, "T1", "ross?1").lines[0].startswith("Chance 36 of 100")


def test_whoever_could_explore_is_on_the_menu_with_what_there_is(state: LanesState):
    menu = odds_menu(state, TERRAN)
    assert menu.own == (Choice("T1", "T1 Probe at Ross"),)
    assert menu.targets == (Choice("ross?1", "ross?1, easy"),)
    assert odds_menu(state, CENTAURI).own == ()


def test_others_are_refused_with_what_may_be_asked_of(state: LanesState):
    no_squadron = "is no squadron of yours that could explore where it is. Legal: T1."
    assert refusals(state, "T2", "ross?1") == [f"own: T2 {no_squadron}"]
    assert refusals(state, "T3", "ross?1") == [f"own: T3 {no_squadron}"]
    lane = "target: you know no unexplored lane ross?2 at Ross. Legal: ross?1. Did you mean ross?1?"
    assert refusals(state, "T1", "ross?2") == [lane]
