"""When one force alone is left: whether the battle is over. VM-N64"""

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import malformed
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.tracked.state import TrackedState, TrackedTurn

LINE = "battle"
FEWEST = 2
"""Forces of a battle that is flown on without a question."""


class OverLine(Frozen):
    """Whether the battle is flown on."""

    goes_on: bool = False


class OverSheet(RootModel[dict[str, OverLine]]):
    """A side's word on it."""

    @property
    def goes_on(self) -> bool:
        """Whether it wants to fly on."""
        return self.root.get(LINE, OverLine()).goes_on


def may_be_over(state: TrackedState) -> bool:
    """Whether that is to be asked: when one force is left, and then after each turn. It is asked of everybody, whoever
    is still to come: so nobody can tell that. VM-N64"""
    if len(state.forces_there()) >= FEWEST:
        return False
    clock = state.battle.clock
    return state.asked_over is None or (state.battle.impulse == IMPULSES and state.asked_over != clock)


def over_steps(turn: TrackedTurn, battle: TacticalBattle) -> Steps[None]:
    """Ask all in secret whether the battle is over; it is unless one of them flies on. VM-N64"""
    state = turn.state
    state.asked_over = state.battle.clock
    sheets = yield from turn.ask_all_steps([_over_ask(state, battle, side) for side in turn.in_play])
    turn.moment_ends()
    state.is_over = not any(sheet.goes_on for sheet in sheets)
    said = "Nothing is left to be flown." if state.is_over else "The battle is flown on."
    turn.tell_all(said, kind="battle over", why=because("VM-N64"))


def _over_ask(state: TrackedState, battle: TacticalBattle, side: Side) -> Ask[OverSheet]:
    to_come = [
        f"{one.code} {one.name} arrives on turn {one.arrives}."
        for one in battle.ships
        if one.side == side and one.code not in state.battle.units and one.arrives > state.battle.turn
    ]
    field = Field("goes_on", "Fly on", "flag", value=False)
    return Ask(
        kind="battle over",
        parties=(side,),
        title="Is the battle over?",
        text="\n".join(["One force at most is left here. The battle is over unless somebody flies on.", *to_come]),
        question=Question("Fly on?", "One force at most is left here.", noun="battle"),
        model=OverSheet,
        form=Form(lines=(Line(key=LINE, label="Fly on", fields=(field,)),)),
        rule="VM-N64",
        pace="tactical",
        default=OverSheet({}),
        default_says="The battle is over.",
        check=lambda sheet: [
            malformed("there is no such line", key, legal=LINE) for key in sorted(sheet.root) if key != LINE
        ],
        read_back=lambda sheet: ["The battle is flown on." if sheet.goes_on else "The battle is over."],
    )
