"""Captured units: they go over to the Team that took them, as stacks of its own. BP-N28"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.campaign.scoring import tally
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import end_reaction
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import set_free

PRIZE = "Prize "
"""What the name of a captured unit begins with, so that no unit of its captor's has the same; that of one which was
taken back does not."""


def capture(turn: BorderTurn, hex_id: HexId, units: Sequence[Unit]) -> None:
    """Let units that were captured in a hex go over: those of a stack together, under a captain who fought there.
    BP-N28"""
    state = turn.state
    taken: dict[str, list[Unit]] = {}
    for unit in units:
        stack, captor = state.stack_of(unit.id), state.other(unit.team)
        tally(state, captor, state.scoring.destroyed, f"{unit.name} captured")
        set_free(state, unit)
        _change_sides(unit, captor)
        if stack is not None:
            stack.units.remove(unit.id)
            taken.setdefault(stack.id, []).append(unit)
    for key, there in taken.items():
        if not state.stacks[key].units:
            del state.stacks[key]
        made = _stack_of_prizes(state, hex_id, there)
        text = f"{', '.join(unit.name for unit in there)} captured in {hex_id}, as {made.id}."
        turn.tell([made.team], text, kind="battle", why=because("BP-N28"))


def _change_sides(unit: Unit, captor: Side) -> None:
    unit.team, unit.orion, unit.flagship = captor, "none", False
    own = unit.name.startswith(PRIZE)
    unit.name = unit.name.removeprefix(PRIZE) if own else f"{PRIZE}{unit.name}"
    unit.emergency = unit.emergency_by_roll = unit.overhaul_broken = False
    unit.overhaul_at = ""
    end_cloak(unit)
    end_reaction(unit)


def _stack_of_prizes(state: BorderState, hex_id: HexId, units: Sequence[Unit]) -> UnitStack:
    """A stack for captured units, which holds."""
    captor = units[0].team
    team = state.teams[captor]
    team.stacks_made += 1
    there = [stack.captain for stack in state.stacks_of(captor) if stack.hex == hex_id]
    captain = next(iter(there), next(key for key, one in sorted(state.captains.items()) if one.team == captor))
    made = UnitStack(
        id=f"{team.emblem}{team.stacks_made}",
        team=captor,
        hex=hex_id,
        captain=captain,
        units=[unit.id for unit in units],
    )
    state.stacks[made.id] = made
    return made
