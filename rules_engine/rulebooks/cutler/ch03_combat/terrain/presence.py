"""Since when each race has been in a hex without a break, by which defenders are told from attackers. 3.5.4"""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.cutler.records.parts.moons import is_held
from rules_engine.rulebooks.cutler.records.state import CutlerState, Moment


@rule("3.5.4")
def note_presence(state: CutlerState, moment: Moment) -> None:
    """Note ``moment`` for every race that has a unit, a planet, or something on a moon in a hex where it had none
    before, and forget those that have none any more. Ships that relieve each other are no break; ships under cloak do
    not count, nor docked PFs, or whoever meets another of their race would learn of them. 3.5.4, CU-R65, CU-N96,
    CU-N110"""
    there: dict[HexId, set[Side]] = {}
    for unit in state.units.values():
        if not (unit.destroyed or unit.cloaked or unit.docked_at):
            there.setdefault(unit.hex, set()).add(unit.race)
    for body in (*state.planets.values(), *filter(is_held, state.moons.values())):
        there.setdefault(body.hex, set()).add(body.owner)
    order = state.races()
    state.presence = {
        hex_id: {race: state.presence.get(hex_id, {}).get(race, moment) for race in order if race in there[hex_id]}
        for hex_id in sorted(there)
    }


@rule("3.5.4")
def before_moving(state: CutlerState) -> Moment:
    """The moment at which those are present who are there before an impulse's moves: the end of the impulse before.
    3.5.4"""
    return Moment(turn=state.turn, impulse=state.impulse - 1)
