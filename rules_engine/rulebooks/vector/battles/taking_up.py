"""A battle under way that is taken up: positions are typed by all in secret, seen by all, and confirmed. VM-N67"""

from typing import Annotated, Literal

from pydantic import Field as Bound
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Force, Steps
from rules_engine.core.protocol.question import Question, UsualAnswer
from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle
from rules_engine.rulebooks.vector.battles.positions import RULE, fleet_of, is_to_come, positions_ask, say_fleet
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.tracked.beginning import put_in, tows_of
from rules_engine.rulebooks.vector.tracked.state import TrackedState, TrackedTurn, TypedPosition
from rules_engine.rulebooks.vector.tracker.tows import begin_again, follow, loosen_tows, note_left_in_tow

LINE = "positions"
LONGEST_REASON = 200
LEFT = ("disengaged", "left the map")
"""How units leave a battle together with what they have in tow."""


class SeenLine(Frozen):
    """Whether the positions are so; if not, why."""

    so: Literal["yes", "no"] = "yes"
    reason: Annotated[str, Bound(max_length=LONGEST_REASON)] | None = None


class SeenSheet(RootModel[dict[str, SeenLine]]):
    """A force's word on the positions; nothing said: they are so."""

    @property
    def line(self) -> SeenLine:
        """What it says."""
        return self.root.get(LINE, SeenLine())


def positions_steps(turn: TrackedTurn, battle: TacticalBattle) -> Steps[None]:
    """Ask those who have not said it where their units stand; show it when all have, and name the same turn. VM-N67"""
    state = turn.state
    asked = [side for side in battle.sides if side in state.silent and side in turn.in_play]
    sheets = yield from turn.ask_all_steps([positions_ask(state, battle, side) for side in asked])
    turn.moment_ends()
    state.silent = []
    for side, sheet in zip(asked, sheets, strict=True):
        fleet = fleet_of([one for one in battle.ships if one.side == side], sheet)
        if fleet is None:
            state.silent.append(side)
        else:
            state.typed[side] = fleet
    if state.silent:
        return
    turns = {turn.name_of(side): fleet.turn for side, fleet in state.typed.items()}
    if len({*turns.values()}) > 1:
        said = "; ".join(f"{name} says turn {number}" for name, number in turns.items())
        turn.tell_all(f"Which turn comes next is not agreed: {said}.", kind="positions", why=because(RULE))
        state.silent = [*state.typed]
        return
    (number,) = {*turns.values()}
    _put_all_in(state, battle, number)
    state.begun = "positions seen"
    for side, fleet in state.typed.items():
        said = "; ".join(say_fleet(battle, side, fleet))
        turn.tell_all(f"{turn.name_of(side)}: {said}.", kind="positions", why=because(RULE))
    turn.show_maps()


def _put_all_in(state: TrackedState, battle: TacticalBattle, turn: int) -> None:
    """Put all units on the map as they were typed in, before a turn."""
    state.battle.turn, state.battle.impulse = turn - 1, IMPULSES if turn > 1 else 0
    state.turns_flown = turn - 1
    for fleet in state.typed.values():
        for code, one in fleet.units.items():
            unit = put_in(state, battle.ship(code), one.at or MIDDLE, one.facing, one.vector)
            _put_out(state, unit.id, one, turn)
    note_left_in_tow(state.battle, [unit.id for unit in state.battle.units.values() if unit.out in LEFT])
    loosen_tows(state.battle)
    follow(state.battle)
    state.placed = [
        number
        for number, step in enumerate(battle.steps)
        if not any(is_to_come(battle.ship(code), turn) for code in step.units)
    ]


def _put_out(state: TrackedState, code: str, one: TypedPosition, turn: int) -> None:
    if one.fate:
        state.battle.units[code].out = one.fate
        state.counts[code].left_on = max(1, turn - 1)


def confirm_steps(turn: TrackedTurn, battle: TacticalBattle) -> Steps[None]:
    """Ask each force whether the positions are so; if one objects, all are asked for theirs again. VM-N67"""
    state = turn.state
    forces = [force for one in battle.forces if (force := tuple(side for side in one if side in turn.in_play))]
    sheets = yield from turn.ask_all_steps([_seen_ask(state, battle, force) for force in forces])
    turn.moment_ends()
    objections = [(force, sheet.line) for force, sheet in zip(forces, sheets, strict=True) if sheet.line.so == "no"]
    if not objections:
        state.begun = ""
        state.typed = {}
        turn.tell_all("The positions are agreed.", kind="positions", why=because(RULE))
        return
    for force, line in objections:
        names = " and ".join(map(turn.name_of, force))
        text = f"{names}: the positions are not so. {line.reason or ''}".strip()
        turn.tell_all(text, kind="positions", why=because(RULE))
    _take_all_out(state, battle)
    state.begun, state.silent = "positions", [*state.typed]


def _take_all_out(state: TrackedState, battle: TacticalBattle) -> None:
    state.battle.units, state.battle.fixed = {}, []
    begin_again(state.battle, tows_of(battle))
    state.battle.turn = state.battle.impulse = state.turns_flown = 0
    state.counts, state.invented, state.placed = {}, {}, []


def _seen_ask(state: TrackedState, battle: TacticalBattle, force: Force) -> Ask[SeenSheet]:
    said = [f"{line}." for side, fleet in state.typed.items() for line in say_fleet(battle, side, fleet)[1:]]
    choices = (Choice("yes", "They are so"), Choice("no", "They are not so"))
    fields = (
        Field("so", "Are they so?", "one", choices, value="yes"),
        text_field("reason", "What is not so", LONGEST_REASON, None, "said to all"),
    )
    return Ask(
        kind="positions seen",
        parties=force,
        forces=(force,),
        title="Is this how they stand?",
        text="\n".join([f"Turn {state.battle.turn + 1} comes next.", *said]),
        question=Question(
            "Is this how they stand?",
            "All have said where their units are.",
            noun="battle",
            offers=(UsualAnswer("It is so", {LINE: {"so": "yes"}}),),
        ),
        model=SeenSheet,
        form=Form(lines=(Line(key=LINE, label="The positions", fields=fields),)),
        rule=RULE,
        pace="tactical",
        default=SeenSheet({}),
        default_says="The positions are so.",
        check=lambda sheet: list(_judge_seen(sheet)),
        read_back=lambda sheet: [
            "The positions are so." if sheet.line.so == "yes" else f"They are not so: {sheet.line.reason}"
        ],
    )


def _judge_seen(sheet: SeenSheet) -> list[Refusal]:
    strange = [malformed("there is no such line", key, legal=LINE) for key in sorted(sheet.root) if key != LINE]
    if sheet.line.so == "no" and not (sheet.line.reason or "").strip():
        return [*strange, malformed("it does not say what is not so", f"{LINE}.reason", legal="what is not so")]
    return strange
