"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.rulebooks.scenario_defects import Scenarios

NAMES = ("intro", "neutral_zone")
SCENARIOS = Scenarios("border_patrol", read_scenario, "neutral_zone")
files, with_change, refused = SCENARIOS.files, SCENARIOS.with_change, SCENARIOS.refused


def opened(name: str = "neutral_zone") -> BorderState:
    """The state that a scenario begins with."""
    return set_up(read_scenario(files(name)))
