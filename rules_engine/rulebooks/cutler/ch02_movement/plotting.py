"""Chapter 2: the plotting phase. Fleets carry stored courses; a race is asked when it has a reason to change them."""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.rulebooks.cutler.ch02_movement.cloaks import (
    has_something_to_plot,
)
from rules_engine.rulebooks.cutler.ch02_movement.coordination import settle_coordination
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import courses_of, read_back, warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot, fleet_lines, judge_plot
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import sensors_of
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn

MOST_REASONS = 150
"""Letters of what a card says of why it is there: three lines on a phone."""


@rule("2.2")
def plotting_steps(turn: CutlerTurn) -> Steps[None]:
    """Ask races that have a reason to plot again; the stored courses of all others go on. 2.2, G-4

    A race that is asked gets its map with the ask; others do not. Where orders wait, play rests as well for a race that
    is not asked for its standing orders' sake alone. CU-N151
    """
    state = turn.state
    asked = [race for race in turn.in_play if _wants_to_plot(state, race)]
    spared = [race for race in turn.in_play if race not in asked and _is_spared(state, race)]
    if asked:
        turn.show_maps(*asked)
    answered = {number: FleetPlots() for number in range(len(asked), len(asked) + len(spared))}
    asks = [plot_ask(state, race) for race in (*asked, *spared)]
    sheets = yield from turn.ask_all_steps(asks, answered)
    for race, sheet in zip(asked, sheets[: len(asked)], strict=True):
        state.empires[race].alerts = []
        carry_out_plot(state, race, sheet)
    for empire in state.empires.values():
        empire.spared = False
    settle_coordination(turn)


def _wants_to_plot(state: CutlerState, race: Side) -> bool:
    empire = state.empires[race]
    return (empire.asking == "each" or bool(empire.alerts)) and _could_plot(state, race)


def _is_spared(state: CutlerState, race: Side) -> bool:
    """Whether a race would be asked but for its standing orders."""
    return state.empires[race].spared and _could_plot(state, race)


def _could_plot(state: CutlerState, race: Side) -> bool:
    """Whether a race has something to plot with, or an offer to answer."""
    empire = state.empires[race]
    able = (unit for unit in state.alive(race) if unit.in_fleets or empire.asking == "each" or sensors_of([unit]))
    is_offered = bool(state.coordination.offers_to(race))
    return is_offered or any(has_something_to_plot(unit, state.impulse) for unit in able)


def _in_a_sentence(alerts: Sequence[str]) -> str:
    """As many of the reasons as are read at a glance, the first in any case, and how many more there are."""
    for count in range(len(alerts), 0, -1):
        more = [f"and {len(alerts) - count} more"] if count < len(alerts) else []
        words = "; ".join([*alerts[:count], *more])
        if len(words) <= MOST_REASONS or count == 1:
            return f"{words[:1].upper()}{words[1:]}."
    return ""


def plot_ask(state: CutlerState, race: Side) -> Ask[FleetPlots]:
    """The plots of one race for one impulse."""
    alerts = list(dict.fromkeys(state.empires[race].alerts))
    reason = f"You are asked because {'; '.join(alerts)}." if alerts else "You wished to be asked in every impulse."
    return Ask(
        kind="plot",
        parties=(race,),
        title=f"Turn {state.turn}, impulse {state.impulse}: plots",
        text=f"{reason} Stored courses are filled in; change what you like.",
        question=Question(
            f"Courses for impulse {state.impulse}",
            _in_a_sentence(alerts),
            whole=True,
            others="keep their courses",
            noun="fleet",
            lines=tuple(fleet.key for fleet in state.fleets_of(race)),
        ),
        model=FleetPlots,
        form=Form(lines=tuple(fleet_lines(state, race))),
        rule="2.2",
        default=FleetPlots(),
        default_says="All fleets keep their stored courses.",
        check=lambda sheet: judge_plot(state, race, sheet).refusals,
        read_back=lambda sheet: read_back(state, race, sheet) or ["All stays as it was."],
        warn=lambda sheet: warnings_of(state, race, sheet),
        courses=lambda sheet: courses_of(state, race, sheet),
    )
