"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario, with_seats
from tests.rulebooks.scenario_defects import Scenarios

NAMES = ("intro", "long-frontier")
SCENARIOS = Scenarios("jump_lanes", read_scenario, "long-frontier", "intro")
files, with_change, refused = SCENARIOS.files, SCENARIOS.with_change, SCENARIOS.refused


def opened(name: str = "long-frontier", playing: int = 0) -> LanesState:
    """The state that a scenario begins with, of so many empires; of all if it does not ask how many."""
    document = read_scenario(files(name))
    return set_up(with_seats(document, playing) if playing else document)
