"""The toy rulebook with forces: Red and Blue stand together against Green, and in ``THREE`` Gold stands by itself, too.

Each turn every force names a number on one sheet, Green and Gold on sheets of their own; Blue has a sheet of its own
beside it, with missions. Then all meet in a battle, and each force accounts for how many ships are left.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import Field as ModelField

from rules_engine.core.basics.base import Frozen, Json, Side, SideLabel
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.accounts import field_difference, say_difference
from rules_engine.core.protocol.asks import SETTLED_BY, Agreement, Ask, BattleSetup, Force, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from tests.toy import State, Toy

NAMES = {"red": "Red Fleet", "blue": "Blue Fleet", "green": "Green Fleet", "gold": "Gold Fleet"}
TWO: tuple[Force, ...] = (("red", "blue"), ("green",))
THREE: tuple[Force, ...] = (*TWO, ("gold",))


class Ships(Frozen):
    """What is left after the battle."""

    left: int = ModelField(ge=0, le=9)


class Result(Frozen):
    """What a side reports of a battle."""

    ships: Ships


class ToyForces(Toy):
    """The rulebook, for these forces."""

    def __init__(self, forces: tuple[Force, ...]) -> None:
        self.forces = forces
        self.parties = tuple(side for force in forces for side in force)

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        return tuple(SideLabel(key=side, name=NAMES[side], emblem=NAMES[side][:2]) for side in self.parties)

    def set_up(self, scenario: Mapping[str, Json]) -> State:
        return State.from_json(
            {
                "turns": scenario["turns"],
                "points": dict.fromkeys(self.parties, 0),
                "ships": dict.fromkeys(self.parties, 5),
            }
        )

    def turn_steps(self, table: TurnContext[State]) -> Steps[None]:
        state = table.state
        table.set_time(state.turn, 0, f"Turn {state.turn}")
        asks: list[Ask[Any]] = [
            replace(self._orders(state, force[0]), parties=force, forces=(force,)) for force in self.forces
        ]
        plots = yield from table.ask_all_steps([*asks, self._missions("blue")])
        told = ", ".join(str(plot.fleet.number) for plot in plots[:-1])
        table.tell_all(f"The numbers were {told}.")
        there = table.at("battle")
        result = yield from there.ask_steps(self._battle_of_forces(table))
        settled = SETTLED_BY[there.settlement("battle", self.parties)]
        table.tell_all(f"Battle: {result.ships.left} left: {settled}.", why=because("2.1"))
        state.turn += 1

    def _battle_of_forces(self, table: TurnContext[State]) -> Ask[Result]:
        def agree(accounts: Mapping[Side, Result]) -> Agreement[Result]:
            said = [
                ([NAMES[side] for side in force], str(accounts[force[0]].ships.left))
                for force in self.forces
                if force[0] in accounts
            ]
            differ = len({left for _, left in said}) > 1
            settled = None if differ else next(iter(accounts.values()))
            values = {side: account.ships.left for side, account in accounts.items()}
            places = (field_difference("ships", field, "Ships left", values),) if differ else ()
            return Agreement(settled, (say_difference("ships left", said),) if differ else (), places)

        turn = table.state.turn
        field = Field(key="left", label="Ships left", kind="number", least=0, most=9)
        return Ask(
            kind="battle",
            parties=self.parties,
            forces=self.forces,
            title=f"Battle of turn {turn}",
            text="Play it by hand, then say how many ships are left.",
            model=Result,
            form=Form(lines=(Line(key="ships", label="Ships left", fields=(field,)),)),
            rule="2.1",
            pace="battle",
            read_back=lambda result: [f"{result.ships.left} left"],
            agree=agree,
            setup=BattleSetup(
                key=f"t{turn}",
                title=f"Battle of turn {turn}",
                where="In the open",
                panels=(Panel(title="Ships", rows=("5 each",)),),
                secret={side: (Panel(title="Alone", rows=(f"{side}'s reserve is near",)),) for side in self.parties},
            ),
        )


RULEBOOK = ToyForces(TWO)
