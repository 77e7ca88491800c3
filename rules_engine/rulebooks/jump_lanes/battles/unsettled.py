"""Battles on whose account nobody agrees in time: how they end by rule. JL-N19"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.accounts import NOTHING_LOST, StatedEnd
from rules_engine.rulebooks.jump_lanes.battles.account import LaneBattleResult, unit_of
from rules_engine.rulebooks.jump_lanes.battles.results import fates_for, judge_account
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

NOT_AGAIN = "They do not fight there again until somebody comes or goes, or a war is declared."
ARRIVALS_LEAVE = "It is broken off without losses: squadrons that came there in this turn withdraw."


@rule("13.2")
def stated_end(state: LanesState, battle: Battle, form: Form) -> StatedEnd:
    """How a battle ends on whose account nobody agrees: nobody lost anything, and all stay; or squadrons withdraw that
    came in this turn, where the scenario has it so. 13.2, JL-N19"""
    if battle.kind == "ground" or battle.in_lane:
        return StatedEnd(NOTHING_LOST, form.prefilled)
    leaving = _arrivals(state, battle) if state.arrivals_leave else []
    sheet = form.prefilled()
    sheet |= {code: {**sheet[code], "fate": "withdrew"} for code in leaving}
    if not leaving or judge_account(state, battle, LaneBattleResult.model_validate(sheet)):
        return StatedEnd(f"{NOTHING_LOST} {NOT_AGAIN}", form.prefilled)
    return StatedEnd(ARRIVALS_LEAVE, lambda: sheet)


def _arrivals(state: LanesState, battle: Battle) -> list[str]:
    """The units that came to a battle's place in this turn, as far as they may withdraw."""
    came: list[str] = []
    for code in battle.lines:
        squadron = state.squadrons.get(unit_of(state, battle, code).squadron)
        moved = squadron is not None and squadron.came_from not in ("", squadron.at)
        if moved and any(choice.value == "withdrew" for choice in fates_for(state, battle, code)):
            came.append(code)
    return came
