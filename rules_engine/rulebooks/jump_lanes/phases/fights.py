"""Battles of the Movement Phase: fought side by side, and carried out together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.jump_lanes.battles.fighting import battles_steps
from rules_engine.rulebooks.jump_lanes.battles.outcome import Withdrawing, carry_out_account, withdraw_all
from rules_engine.rulebooks.jump_lanes.battles.stood_off import note_stood_off
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposes
from rules_engine.rulebooks.jump_lanes.plotting.groups import tidy_fleets
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.state import LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import Unit
from rules_engine.rulebooks.jump_lanes.sightings import look_around


@dataclass
class Scored:
    """What came of a turn's battles: the units that were destroyed, each with the empires that it opposed there, and
    the units that each empire met, by id: what leaves its group later in the turn keeps its name. JL-R46"""

    destroyed: list[tuple[Unit, list[Side]]] = field(default_factory=list[tuple[Unit, list[Side]]])
    met: dict[Side, set[str]] = field(default_factory=dict[Side, set[str]])

    def destroyed_for(self, empire: Side) -> list[Unit]:
        """The units that an empire fought and that were destroyed."""
        return [unit for unit, sides in self.destroyed if empire in sides]


def fight_steps(turn: LanesTurn, battles: Sequence[Battle], scored: Scored) -> Steps[None]:
    """Fight battles side by side, and carry out what came of them."""
    state = turn.state
    for battle in battles:
        units = [state.units[key] for key in battle.lines.values()]
        for side in battle.sides:
            scored.met.setdefault(side, set()).update(unit.id for unit in units if unit.empire != side)
    settled = yield from battles_steps(turn, battles)
    withdrawing: list[Withdrawing] = []
    for key, came in settled.items():
        battle = state.battles.pop(key)
        lost, leaving = carry_out_account(turn.at("outcome", key), battle, came)
        withdrawing += leaving
        scored.destroyed += [(unit, [one for one in battle.sides if opposes(state, one, unit.empire)]) for unit in lost]
    withdraw_all(withdrawing)
    note_stood_off(state, [(battle, settled[battle.key].how) for battle in battles])
    if not state.moving:  # while groups are under way, nobody else may learn that others met in a lane
        look_around(turn, units=scored.met)
    if not state.moving:  # until all have arrived, a fleet of one squadron is on its way as a fleet
        tidy_fleets(state)
    # Nobody else: whoever is elsewhere would learn by a map of its own that others met. 13.2
    if met := {side for battle in battles for side in battle.sides}:
        turn.show_maps(*met)
