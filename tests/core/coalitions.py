"""A small rulebook of sides that stand together: forces plot as one, and account for a battle as one.

The scenario says who stands with whom: ``{"forces": [["red", "blue"], ["green"]]}``. Each turn every force plots a
number, whichever of its sides writes it, and then all fight a battle; who has won is for the forces to agree. With
``own``, each side has a sheet of its own beside the plot.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from rules_engine.core.basics.base import Json, Side, SideLabel, When
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge import reports, views
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.protocol.accounts import say_difference
from rules_engine.core.protocol.asks import SETTLED_BY, Agreement, Ask, BattleSetup, Force, Steps
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.protocol.turn_context import TurnContext
from tests.core.strands.islands import OneLine, Sheet, ask

NAMES = {"red": "Red", "blue": "Blue", "green": "Green", "gold": "Gold"}
HIGHEST = 5


class CoalitionsState(Record):
    """Who stands with whom, and what was plotted and won. ``limit`` is the highest number that may be plotted."""

    forces: list[list[str]]
    own: bool
    turn: int = 1
    limit: int = HIGHEST
    plots: list[str] = field(default_factory=list[str])
    won: list[str] = field(default_factory=list[str])


class Coalitions:
    """The rulebook object. ``seen`` keeps what each comparison of accounts was given."""

    key = "coalitions"
    title = "Coalitions"
    version = "1"
    parts_play = False
    state_model = CoalitionsState
    rulings = ()

    def __init__(self, *, awaited: bool = True) -> None:
        self.awaited = awaited
        self.seen: list[dict[Side, str]] = []

    def sides(self, scenario: Mapping[str, Json]) -> tuple[SideLabel, ...]:
        sides = [side for force in _forces(scenario) for side in force]
        return tuple(SideLabel(key=side, name=NAMES[side], emblem=NAMES[side][0]) for side in sides)

    def set_up(self, scenario: Mapping[str, Json]) -> CoalitionsState:
        return CoalitionsState(forces=_forces(scenario), own=bool(scenario.get("own")))

    def turn_steps(self, turn: TurnContext[CoalitionsState]) -> Steps[None]:
        state = turn.state
        turn.set_time(state.turn, 0, f"Turn {state.turn}")
        forces = tuple(tuple(force) for force in state.forces)
        asks = [plot_ask(state, force, awaited=self.awaited) for force in forces]
        if state.own:
            asks += [_decision("own", (side,), "Own sheet") for side in turn.sides]
        plots = yield from turn.ask_all_steps(asks)
        state.plots = [f"{'+'.join(force)}: {plot.value}" for force, plot in zip(forces, plots, strict=False)]
        there = turn.at("battle")
        won = yield from there.ask_steps(self.battle_ask(turn, forces))
        state.won.append(won.value)
        settled = SETTLED_BY[there.settlement("battle", turn.sides)]
        turn.tell_all(f"{NAMES[won.value]} won.", why=reports.because("C 1", {settled: ""}))
        state.turn += 1

    def battle_ask(self, turn: TurnContext[CoalitionsState], forces: tuple[Force, ...]) -> Ask[Sheet]:
        def agree(accounts: Mapping[Side, Sheet]) -> Agreement[Sheet]:
            self.seen.append({side: account.value for side, account in accounts.items()})
            said = [
                ([turn.name_of(side) for side in force], accounts[force[0]].value)
                for force in forces
                if force[0] in accounts
            ]
            if len({words for _, words in said}) > 1:
                return Agreement(None, (say_difference("The winner", said),))
            return Agreement(next(iter(accounts.values())))

        return ask(
            "battle", turn.sides, "The battle", turn.sides, pace="battle", agree=agree, forces=forces,
            setup=BattleSetup(
                key=f"t{turn.state.turn}",
                title="The battle",
                where="Somewhere",
                panels=(),
                secret={side: (views.Panel(title="Alone", rows=(f"{side} alone",)),) for side in turn.sides},
            ),
        )  # fmt: skip

    def out_of_play(self, state: CoalitionsState) -> frozenset[Side]:
        return frozenset()

    def ending(self, state: CoalitionsState) -> Ending | None:
        return None if state.turn <= 2 else Ending(winners=(state.won[-1],), scores={}, text="Over.", rule="C 9")

    def defects(self, state: CoalitionsState) -> Sequence[str]:
        return []

    def side_board(self, state: CoalitionsState, side: Side, knowledge: views.Knowledge) -> views.Board:
        return views.Board(
            campaign="Coalitions", rulebook=self.title, heading=f"Turn {state.turn}", when=When(turn=state.turn),
            sides=self.sides({"forces": state.forces}), grid=Grid(columns=2, rows=2),
        )  # fmt: skip

    def economy(self, state: CoalitionsState, side: Side, knowledge: views.Knowledge, *, is_ahead: bool) -> Economy:
        """There is none."""
        return Economy()

    def briefing(self, state: CoalitionsState, side: Side) -> Briefing:
        return Briefing()

    def side_tables(self, state: CoalitionsState, side: Side, knowledge: views.Knowledge) -> Sequence[Any]:
        return ()

    def agreements(self, state: CoalitionsState, side: Side) -> Sequence[str]:
        return ()

    def public_board(self, state: CoalitionsState) -> views.Board:
        return self.side_board(state, "", views.Knowledge())

    def omniscient_board(self, state: CoalitionsState) -> views.Board:
        return self.public_board(state)


def plot_ask(state: CoalitionsState, force: Force, *, awaited: bool = True) -> Ask[Sheet]:
    """The plot of one force, which any of its sides may write."""
    plot = _decision("plot", force, "The plot", forces=(force,), awaited=awaited)

    def check(sheet: Sheet) -> list[Refusal]:
        too_high = int(sheet.value) > state.limit
        return [illegal("that is too high", "C 2", "it.value", legal=f"0 to {state.limit}")] if too_high else []

    def courses(sheet: Sheet) -> list[views.Course]:
        return [views.Course(counter=f"{'+'.join(force)} {sheet.value}", kind="plotted", hexes=("0101", "0102"))]

    return replace(plot, check=check, courses=courses)


def _decision(kind: str, parties: Sequence[Side], title: str, **more: Any) -> Ask[Sheet]:
    numbers = [str(number) for number in range(HIGHEST + 1)]
    return ask(kind, parties, title, numbers, default=Sheet({"it": OneLine(value="0")}), default_says="0", **more)


def _forces(scenario: Mapping[str, Json]) -> list[list[str]]:
    forces = scenario["forces"]
    assert isinstance(forces, list)
    return [[str(side) for side in force] for force in forces if isinstance(force, list)]
