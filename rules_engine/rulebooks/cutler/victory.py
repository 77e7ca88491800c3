"""Chapter 12: victory. The highest CPV rate after the last turn wins, or who alone is left in play.
12.0, CU-R125, CU-N15"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate
from rules_engine.rulebooks.cutler.records.state import CutlerState


def fleet_value(state: CutlerState, race: Side) -> int:
    """The economic BPV of all of a race's units in play. Breaks ties where the scenario says so. CU-N10"""
    return sum(unit.record.cpv for unit in state.alive(race))


@rule("12.0")
def ending(state: CutlerState) -> Ending | None:
    """How it ended, once the last turn is over, or no more than one race is left in play: no other can win any more.

    12.0, CU-R125, CU-R133, CU-N15
    """
    left = [race for race in state.races() if race not in state.out]
    if state.turn < state.turns and len(left) > 1:
        return None
    ties = state.tie_break == "fleet_value"
    marks = {race: (cpv_rate(state, race), fleet_value(state, race) if ties else 0) for race in state.races()}
    best = max(marks.values())
    winners = tuple(race for race in left if marks[race] == best)
    scores = {
        race: f"{rate} CPV a turn" + (f", fleet worth {value}" if ties else "") for race, (rate, value) in marks.items()
    }
    names = " and ".join(map(state.name_of, winners))
    rivals = [race for race in left if marks[race][0] == best[0] and race not in winners]
    if len(left) > 1:
        after = f"After {counted(state.turns, 'turn')} the"
        text = f"{after} {names} {verb(len(winners), 'has', 'have')} the highest CPV rate."
        if rivals:
            tied = in_a_row([state.name_of(race) for race in left if marks[race][0] == best[0]])
            worth = f"the {names} {verb(len(winners), 'fleet is', 'fleets are')} worth more: {best[1]:,}"
            against = in_a_row([f"{value:,}" for value in sorted((marks[race][1] for race in rivals), reverse=True)])
            text = f"{after} {tied} are tied at {best[0]:,} CPV; {worth} against {against}."
    else:
        text = f"The {names} alone is left in play." if left else "Nobody is left in play."
    return Ending(winners=winners, scores=scores, text=text, rule="12.0, CU-R125" + (", CU-N15" if state.out else ""))
