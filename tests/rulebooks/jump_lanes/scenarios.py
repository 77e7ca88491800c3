"""The scenarios that come with the bot, and the Long Frontier with 200 systems, by which speed is measured."""

from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes import RULEBOOK
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario, with_seats
from tests.rulebooks.scenario_defects import Scenarios
from tests.rulebooks.strand_play import StrandPlay

NAMES = ("intro", "long-frontier")
SCENARIOS = Scenarios("jump_lanes", read_scenario, "long-frontier", "intro")
files, with_change, refused = SCENARIOS.files, SCENARIOS.with_change, SCENARIOS.refused


def opened(name: str = "long-frontier", playing: int = 0) -> LanesState:
    """The state that a scenario begins with, of so many empires; of all if it does not ask how many."""
    document = read_scenario(files(name))
    return set_up(with_seats(document, playing) if playing else document)


# --- wide ------------------------------------------------------------------------------------------------------------
SYSTEMS = 200
EMPIRES = 6


def wide() -> dict[str, Json]:
    """The scenario, with charted systems hung on Sol until there are so many."""
    texts = files("long-frontier")
    more: list[str] = []
    for number in range(SYSTEMS - 60):
        before = "sol" if number == 0 else f"far-{(number - 1) // 2}"
        more.append(
            f'[[system]]\nkey = "far-{number}"\nname = "Far {number}"\nsector = "orion"\n'
            f"x = {number % 14 * 7}\ny = {110 + number // 14 * 7}\n"
            f'[[lane]]\na = "{before}"\nb = "far-{number}"\nlane_class = "normal"\n'
        )
    texts["scenario.toml"] += "\n" + "\n".join(more)
    return with_seats(read_scenario(texts), EMPIRES)


class Crossing(StrandPlay):
    """A campaign in which every squadron goes round between its empire's first two colonies, and so meets nobody; all
    else stays as it is filled in."""

    def sheet(self, side: str) -> Sheet:
        """What an empire sends."""
        state = self.adjudicator._state
        home = state.empires[side].home
        other = next(one.at for one in state.colonies.values() if one.owner == side and one.at != home)
        route = f"loop {state.place_name(home)} > {state.place_name(other)}"
        return {one.id: {"route": route} for one in state.squadrons_of(side) if one.at}

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        """The sheet of a turn."""
        document: Any = self.sheet(side) if ask.kind == "plot" else ask.form.prefilled()
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=self.entries[0].at))
        self.final.add((ask.id, side))


def crossed(turns: int = 1) -> Crossing:
    """A campaign, played so many turns."""
    game = Crossing(RULEBOOK, wide(), 1)
    game.play(turns)
    return game
