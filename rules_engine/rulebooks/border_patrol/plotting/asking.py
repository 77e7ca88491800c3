"""Asking a Team for its turn: one secret sheet, whose lines its captains share out among themselves. BP-R58"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.border_patrol.plotting.fields import plot_form
from rules_engine.rulebooks.border_patrol.plotting.formations import commanded
from rules_engine.rulebooks.border_patrol.plotting.judging import judge_plots
from rules_engine.rulebooks.border_patrol.plotting.words import courses, read_back, warnings
from rules_engine.rulebooks.border_patrol.records.orders import TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState


@rule("V8.15", "V8.61")
def plot_ask(state: BorderState, team: Side) -> Ask[TurnPlots]:
    """A Team's sheet for a turn; who is silent holds, and keeps cloaks, tows and standing words. V8.15, V8.61, BP-R58,
    G-4"""
    return Ask(
        kind="plot",
        parties=(team,),
        title=f"Turn {state.turn}: movement",
        text=(
            "Give each stack its way for all eight phases, and what it does when something comes up. Moves follow the "
            "table of proportional movement; you are asked again only if a standing order says so."
        ),
        question=Question(
            f"Turn {state.turn}",
            "Ways for eight phases, and what stacks do when they see others.",
            whole=True,
            others="hold",
            noun="stack",
            lines=tuple(stack.id for stack in commanded(state, team)),
        ),
        model=TurnPlots,
        form=lambda: plot_form(state, team),
        rule="V8.15, V8.61",
        default=TurnPlots({}),
        default_says="All stacks hold.",
        leaves_choice=bool(commanded(state, team)),
        check=lambda sheet: judge_plots(state, team, sheet).refusals,
        read_back=lambda sheet: read_back(state, team, sheet),
        warn=lambda sheet: warnings(state, team, sheet),
        courses=lambda sheet: courses(state, team, sheet),
    )
