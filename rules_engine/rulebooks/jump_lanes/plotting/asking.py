"""Asking an empire for its turn: one secret sheet, by menus, in words or as a file."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.jump_lanes.plotting.fields import sheet_form
from rules_engine.rulebooks.jump_lanes.plotting.judging import judge_sheet
from rules_engine.rulebooks.jump_lanes.plotting.words import courses, read_back, warnings
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState


@rule("13.1.5", "13.3.3-embarking", "13.5.1")
def sheet_ask(state: LanesState, empire: Side) -> Ask[LaneSheet]:
    """An empire's sheet for a turn; of who is silent, routes go on as they stand. 13.1.5, 13.3.3-embarking, 13.5.1,
    G-4"""
    groups = [one for one in state.groups_of(empire) if state.group(one)[0].at]
    return Ask(
        kind="plot",
        parties=(empire,),
        title=f"Turn {state.turn}: orders",
        text=(
            "Say where each group goes, what it does with cargo, and what it explores. Routes and trade runs go on by "
            "themselves until you change them."
        ),
        question=Question(
            f"Turn {state.turn}",
            "Routes, cargo, tows and exploration, all at once and in secret.",
            whole=True,
            others="go on as ordered",
            noun="group",
            lines=tuple(groups),
        ),
        model=LaneSheet,
        form=lambda: sheet_form(state, empire),
        rule="13.1.5, 13.3.3, 13.5.1",
        default=LaneSheet({}),
        default_says="Routes and trade runs go on as ordered.",
        check=lambda sheet: judge_sheet(state, empire, sheet).refusals,
        read_back=lambda sheet: read_back(state, empire, sheet),
        warn=lambda sheet: warnings(state, empire, sheet),
        courses=lambda sheet: courses(state, empire, sheet),
    )
