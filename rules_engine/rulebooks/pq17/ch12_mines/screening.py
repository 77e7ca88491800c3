"""Chapter 12.7.8: whether minesweepers screen their force against mine attacks. The owner is asked before the attacks
are rolled."""

from collections.abc import Iterable, Sequence
from typing import Literal

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line, choices
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.minefields import minesweepers
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State, tf_order

Screened = frozenset[str]
"""The task forces whose minesweepers screen them."""


class ScreenLine(Frozen):
    """One force's choice."""

    screen: Literal["screen", "no"] = "screen"


class ScreenSheet(RootModel[dict[str, ScreenLine]]):
    """A side's choices, by task force; one that is left out screens."""

    def screens(self, tf_id: str) -> bool:
        """Whether that force's minesweepers screen it."""
        return self.root.get(tf_id, ScreenLine()).screen == "screen"


@rule("12.7.8")
def screening_steps(turn: TurnContext[State], met: Iterable[tuple[str, str]]) -> Steps[Screened]:
    """Which of the forces that meet mines are screened. ``met``: task force id, and what its owner calls the mines.
    Asked only of forces with minesweepers and other ships. PQ-17 12.7.8; ruling MIN-16."""
    state = turn.state
    names: dict[str, list[str]] = {}
    for tf_id, name in met:
        if minesweepers(state, state.task_forces[tf_id]):
            names[tf_id] = [*names.get(tf_id, []), name]
    forces = [state.task_forces[tf_id] for tf_id in sorted(names, key=tf_order)]
    asks = [ask for side in turn.sides if (ask := _ask(state, side, forces, names)) is not None]
    sheets = yield from turn.ask_all_steps(asks)
    chosen = {ask.parties[0]: sheet for ask, sheet in zip(asks, sheets, strict=True)}
    return frozenset(tf.id for tf in forces if tf.side not in chosen or chosen[tf.side].screens(tf.id))


def _ask(state: State, side: Side, forces: Sequence[TaskForce], names: dict[str, list[str]]) -> Ask[ScreenSheet] | None:
    mine = [tf for tf in forces if tf.side == side and len(minesweepers(state, tf)) < len(state.separate_units(tf))]
    if not mine:
        return None
    form = Form(lines=tuple(_line(state, tf, names[tf.id]) for tf in mine))
    return Ask(
        kind="screen",
        parties=(side,),
        title=f"Minesweepers, turn {state.turn} impulse {state.impulse}{state.half}",
        text=(
            "Mines are about to attack. Minesweepers that screen take the first attacks, one each; the rest fall on "
            "any ship. Otherwise all attacks fall on any ship."
        ),
        question=Question(
            "Mines are about to attack",
            "Do your minesweepers take the first attacks?",
            tuple(sorted({tf.hex for tf in mine})),
            noun="force",
        ),
        model=ScreenSheet,
        form=form,
        rule="PQ-17 12.7.8",
        default=ScreenSheet({}),
        default_says="Minesweepers screen their task forces.",
        pace="decision",
        check=lambda sheet: misplaced(form, sheet.root),
        read_back=lambda sheet: [
            f"{line.label}: its minesweepers {'screen it' if sheet.screens(line.key) else 'do not screen it'}."
            for line in form.lines
        ],
    )


def _line(state: State, tf: TaskForce, names: Sequence[str]) -> Line:
    options = choices(screen="Minesweepers screen the others", no="No screen: any ship may be hit")
    field = Field(key="screen", label="Screening", kind="one", choices=options, value="screen")
    sweepers = ", ".join(unit.name for unit in minesweepers(state, tf))
    note = f"meets {' and '.join(dict.fromkeys(names))}; minesweepers: {sweepers}"
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex}", fields=(field,), note=note)
