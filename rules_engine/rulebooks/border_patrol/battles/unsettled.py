"""Battles on whose account nobody agrees in time: how they end by rule. BP-N36"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.accounts import NOTHING_LOST, StatedEnd
from rules_engine.rulebooks.border_patrol.battles.results import BattleResult, judge_account, unit_of
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.state import BorderState

NOT_AGAIN = "They do not fight again there until somebody enters the hex."
ARRIVALS_LEAVE = "It is broken off without losses: stacks that moved in this phase disengage."


@rule("V8.14")
def stated_end(state: BorderState, battle: Battle, form: Form) -> StatedEnd:
    """How a battle ends on whose account nobody agrees: nobody lost anything, and all stay; or stacks disengage that
    moved in this phase, where the scenario has it so. V8.14, BP-N36"""
    leaving = _arrivals(state, battle) if state.arrivals_leave else []
    sheet = form.prefilled()
    sheet |= {code: {**sheet[code], "fate": "disengaged"} for code in leaving}
    if not leaving or judge_account(state, battle, BattleResult.model_validate(sheet)):
        return StatedEnd(f"{NOTHING_LOST} {NOT_AGAIN}", form.prefilled)
    return StatedEnd(ARRIVALS_LEAVE, lambda: sheet)


def _arrivals(state: BorderState, battle: Battle) -> list[str]:
    """The units of stacks that moved in this phase, but for those that cannot leave by themselves."""
    came: list[str] = []
    for code in battle.lines:
        unit = unit_of(state, battle, code)
        stack = state.stack_of(unit.id)
        if stack is not None and state.now.moved.get(stack.id) and not unit.towed_by and unit.warp_original:
            came.append(code)
    return came
