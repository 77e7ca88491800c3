"""A tiny tracker for tests: each rest asks all parties for a number, and the battle's place moves on by their sum.

From turn 3 on it rolls a die; the second party's first ship arrives on turn 2, if it is late.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Json, Party, Side, SideLabel, When
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refused, illegal, malformed
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.tactical_scene import TacticalScene, TacticalUnit
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.rulebook import RulingNote
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.tactics.battles import TacticalBattle, TacticalShip
from rules_engine.core.tactics.conditions import SetUpStep
from rules_engine.core.tactics.tallies import ShipTally, TacticalTally

LAST_TURN = 40


class Thrust(Frozen):
    """The one line of a plot."""

    by: Annotated[int, Bounded(ge=0, le=9)] = 0


class Plot(RootModel[dict[str, Thrust]]):
    """A party's plot."""


class Flown(Record):
    """The tracker's state."""

    turn: int = 0
    place: int = 0
    rolled: list[int] = field(default_factory=list[int])
    late: bool = False


class ToyTracker:
    """The tracker."""

    version = "toy-tracker-1"
    state_model = Flown
    rulings: Sequence[RulingNote] = ()

    def begin(self, battle: TacticalBattle, options: Mapping[str, Json], *, late: bool) -> Flown:
        """Begin; the only option is ``pieces``."""
        if unknown := sorted(set(options) - {"pieces"}):
            raise Refused([malformed(f"{unknown[0]} is no option", "tracker")])
        return Flown(late=late)

    def steps(self, turn: TurnContext[Flown], battle: TacticalBattle) -> Steps[None]:
        """One turn."""
        state = turn.state
        answers = yield from turn.ask_all_steps([self._ask(state, side) for side in turn.in_play])
        moved = sum(line.by for answer in answers for line in answer.root.values())
        state.turn += 1
        state.place += moved
        turn.set_time(state.turn, 1, f"battle turn {state.turn}")
        if state.turn >= 3:
            state.rolled.append(turn.roll("drift", faces=6).total)
        turn.tell_all(f"Turn {state.turn} is flown: {state.place}.", kind="flight", why=because("toy 1"))
        turn.tell([turn.sides[0]], f"Your {battle.ships[0].name} hums.", kind="own flight")
        turn.show_maps()

    @staticmethod
    def _ask(state: Flown, side: Side) -> Ask[Plot]:
        return Ask(
            kind="plot",
            parties=(side,),
            title=f"Plot of turn {state.turn + 1}",
            text="How far?",
            model=Plot,
            form=Form(lines=(Line("ship", "Ship", (Field("by", "By", "number", least=0, most=9, value=0),)),)),
            rule="toy 1",
            default=Plot({"ship": Thrust()}),
            default_says="It coasts.",
            pace="tactical",
            check=lambda plot: (
                [illegal("unlucky", "toy 2", "ship.by", legal="not 7")]
                if any(one.by == 7 for one in plot.root.values())
                else []
            ),
            read_back=lambda plot: [f"by {plot.root['ship'].by}"] if "ship" in plot.root else [],
        )

    def turn_of(self, state: Flown) -> int:
        """The turn."""
        return state.turn

    def is_over(self, state: Flown) -> bool:
        """Whether the last turn is flown."""
        return state.turn >= LAST_TURN

    def defects(self, state: Flown) -> Sequence[str]:
        """Nothing is impossible."""
        return ()

    def tally(self, state: Flown) -> TacticalTally:
        """One ship each."""
        return TacticalTally(turns=state.turn, ships=(ShipTally(code="R1", side="red", speed=state.place),))

    def side_board(self, state: Flown, battle: TacticalBattle, side: Side) -> Board:
        """A party's board."""
        return self._board(state, battle, f"for {side}")

    def common_board(self, state: Flown, battle: TacticalBattle) -> Board:
        """The common one."""
        return self._board(state, battle, "for all")

    def omniscient_board(self, state: Flown, battle: TacticalBattle) -> Board:
        """The whole one."""
        return self._board(state, battle, "whole")

    @staticmethod
    def _board(state: Flown, battle: TacticalBattle, heading: str) -> Board:
        labels = [SideLabel(key=one.key, name=one.name, emblem=one.emblem) for one in SIDES if one.key in battle.sides]
        at = f"{50 + state.place % 40:02}50"
        units = tuple(
            TacticalUnit(
                code=one.code, side=one.side, name=one.name, hex=at, facing="A", vector="0", speed=0, trail=(at,)
            )
            for one in battle.ships
            if one.arrives <= state.turn
        )
        parties = tuple(Party(label=label, seat=seat) for seat, label in enumerate(labels))
        scene = TacticalScene(title=battle.title, turn=state.turn, impulse=0, parties=parties, units=units)
        return Board(
            campaign="toy",
            rulebook="toy",
            heading=heading,
            when=When(turn=1),
            sides=tuple(labels),
            grid=Space(hexes=(at,)),
            tactical=scene,
        )


SIDES = (SideLabel(key="red", name="Red Fleet", emblem="R"), SideLabel(key="blue", name="Blue Fleet", emblem="B"))

BATTLE = TacticalBattle(
    title="Battle of the toys",
    forces=(("red",), ("blue",)),
    ships=(
        TacticalShip(code="R1", side="red", name="Rover"),
        TacticalShip(code="B1", side="blue", name="Bruiser"),
    ),
    steps=(SetUpStep(units=("R1", "B1"), says="Anywhere.", rule="toy 3"),),
)

TRACKER = ToyTracker()
