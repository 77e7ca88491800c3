"""The scenarios that come with the bot, and two Teams of many units on one map, by which pace is measured."""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.rulebooks.scenario_defects import Scenarios
from tests.rulebooks.strand_play import StrandPlay

TEAMS = (("west", "W", 2, 1), ("east", "E", 23, -1))
"""Key, emblem, the column in which most stacks stand, and the way to the others."""
COLUMNS, ROWS = 24, 24
IN_STACK = 3
CLASSES = ("F-CA", "F-DD", "F-FF")
FRONT = 12
"""Row and column of the one stack of the west that meets somebody; the east's is a column farther on."""


def squadrons(units: int = 40, *, captains: int = 4, turns: int = 3, meet: bool = False) -> dict[str, Json]:
    """A scenario with so many units a Team, one of them a base, shared among its captains stack by stack. Those who
    ``meet`` have their first stack in the middle of the map, side by side."""
    scenario = [
        f'title = "Squadrons"\nturns = {turns}\n[map]\ncolumns = {COLUMNS}\nrows = {ROWS}\n'
        "[scoring]\nprovince = 1\nconvoy_in = 0\nconvoy_caught = 0\nmonster_driven_off = 0\ncrippled = 1\n"
        "destroyed = 1\nlead = 0\n[supply]\nreach = 24\n"
    ]
    forces: list[str] = []
    for team, emblem, column, inward in TEAMS:
        scenario.append(
            f'[[team]]\nkey = "{team}"\nname = "{team.title()}"\nemblem = "{emblem}"\n'
            f'[[race]]\nkey = "{team}ern"\nname = "{team.title()}ern"\nteam = "{team}"\n'
            f'[[province]]\nkey = "{team}-home"\nname = "{team.title()} Home"\nteam = "{team}"\n'
            f"hexes = {[f'{column:02}{row:02}' for row in range(1, ROWS + 1)]}\n"
            f'[[system]]\nkey = "{team}-sun"\nname = "{team.title()} Sun"\nhex = "{column:02}01"\nteam = "{team}"\n'
        )
        scenario += [
            f'[[captain]]\nkey = "{team}-{number}"\nname = "{team.title()} captain {number}"\nteam = "{team}"\n'
            for number in range(1, captains + 1)
        ]
        base = f'id = "{team}-base"\nname = "{team.title()} base"\nclass_id = "F-BATS"\nrace = "{team}ern"'
        forces.append(f'[[unit]]\n{base}\nhex = "{column:02}01"\n')
        for number in range(1, units):
            stack, place = divmod(number - 1, IN_STACK)
            if place == 0:
                at_front = meet and stack == 0
                hex_id = f"{FRONT + (inward < 0):02}{FRONT:02}" if at_front else f"{column:02}{1 + stack % ROWS:02}"
                captain = f"{team}-{1 + stack % captains}"
                forces.append(f'[[stack]]\nid = "{emblem}{stack + 1}"\ncaptain = "{captain}"\nhex = "{hex_id}"\n')
            leads = "true" if place == 0 and stack < captains else "false"
            forces.append(
                f'[[unit]]\nid = "{team}-{number}"\nname = "{team.title()} {number}"\nclass_id = "{CLASSES[place]}"\n'
                f'race = "{team}ern"\nstack = "{emblem}{stack + 1}"\nflagship = {leads}\n'
            )
    texts = {"scenario.toml": "\n".join(scenario).replace("'", '"'), "units.toml": "\n".join(forces)}
    return read_scenario(texts | {"ships.toml": files("intro")["ships.toml"]})


class Sailing(StrandPlay):
    """A campaign in which every stack goes a hex towards the others in each turn, with these ``words`` for what comes
    up; all else stays as it is filled in."""

    words: Mapping[str, str] = {"onward": "go on"}

    def sheet(self, side: str) -> Sheet:
        """What a Team sends."""
        inward = next(way for team, _, _, way in TEAMS if team == side)
        hexes = {stack.id: stack.hex for stack in self.adjudicator._state.stacks_of(side)}
        routes = {key: f"{int(here[:2]) + inward:02}{here[2:]}" for key, here in hexes.items()}
        return {key: {"route": route, **self.words} for key, route in routes.items()}

    def answer(self, ask: AnyAsk, side: str, *, draft: float | None = None) -> None:
        """The sheet of a turn; of a battle all intact; on, where others stand in the way."""
        document: Any = ask.form.prefilled() if ask.pace == "battle" else {}
        if ask.kind == "plot":
            document = self.sheet(side)
        elif ask.kind == "onward":
            document = {line.key: {"answer": "go on"} for line in ask.form.lines}
        self.take(self.adjudicator.answer(side, ask.id, document, by=side, at=self.entries[0].at))
        self.final.add((ask.id, side))


class Asking(Sailing):
    """The same with captains who want to be asked whatever comes up."""

    words: Mapping[str, str] = {"onward": "ask", "held": "withdraw", "let_go": "ask"}


def sailed(kind: type[Sailing], scenario: dict[str, Json], *, turns: int = 1) -> Sailing:
    """A campaign, played so many turns."""
    game = kind(RULEBOOK, scenario, 1)
    game.play(turns)
    return game


# --- worlds ----------------------------------------------------------------------------------------------------------
NAMES = ("intro", "neutral_zone")
SCENARIOS = Scenarios("border_patrol", read_scenario, "neutral_zone")
files, with_change, refused = SCENARIOS.files, SCENARIOS.with_change, SCENARIOS.refused


def opened(name: str = "neutral_zone") -> BorderState:
    """The state that a scenario begins with."""
    return set_up(read_scenario(files(name)))
