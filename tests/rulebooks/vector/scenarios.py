"""The scenarios that come with the bot, as their files' texts, and states that they begin with."""

from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.scenario.opening import set_up
from rules_engine.rulebooks.vector.scenario.reading import read_scenario, with_seats
from tests.rulebooks.scenario_defects import Scenarios

NAMES = ("ambush", "courier", "race", "rendezvous")
SCENARIOS = Scenarios("vector", read_scenario, "courier")
files, with_change, refused = SCENARIOS.files, SCENARIOS.with_change, SCENARIOS.refused


def opened(name: str = "courier", playing: int = 0) -> VectorState:
    """The state that a scenario begins with, of so many captains; of all if it does not ask how many."""
    document = read_scenario(files(name))
    return set_up(with_seats(document, playing) if playing else document)
