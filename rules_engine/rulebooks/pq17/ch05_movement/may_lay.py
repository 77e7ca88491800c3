"""Who may lay mines, where, and with how much fuel. PQ-17 12.5."""

from fractions import Fraction

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, hex_cost, short_of
from rules_engine.rulebooks.pq17.contacts.minefields import is_minelayer, may_hold_field, mines_to_lay
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed


@rule("12.5.2")
def has_minelayer(state: State, tf: TaskForce) -> bool:
    """Whether a ship of a force can deploy large mines. PQ-17 12.5.2."""
    return any(is_minelayer(state.class_of(state.units[unit_id])) for unit_id in tf.units)


@rule("12.5.1", "12.5.2", "12.5.3.3", "12.5.3.4")
def lay_refusal(state: State, tf: TaskForce, hex_id: HexId, path: str) -> Refusal | None:
    """Why a force could not lay mines in a hex, judged by what its owner knows; None if it could. Fuel for the way
    there is not counted. PQ-17 12.5.1, 12.5.2, 12.5.3.3, 12.5.3.4; rulings MIN-12, MIN-14, FOG-4."""
    if not has_minelayer(state, tf):
        problem = "no ship of this task force can deploy large mines"
        return illegal(problem, "PQ-17 12.5.2", path, legal="a minelayer in the task force")
    if not mines_to_lay(state, tf):
        problem = "its minelayers carry no large mines"
        return illegal(problem, "PQ-17 12.5.3.4", path, legal="take mines aboard first")
    if not may_hold_field(state, tf.side, hex_id):
        problem = f"minefields are laid at bases, planets and settlements, and {hex_id} has none that you know of"
        return illegal(problem, "PQ-17 12.5.1", path, legal="a hex with a base, planet or settlement")
    short = ", ".join(unit.name for unit in short_of(state, tf, "minelaying"))
    if short:
        problem = f"not enough fuel to lay mines: {short}"
        return illegal(problem, "PQ-17 12.5.3.3", path, legal="twice its movement cost for every ship")
    return None


@rule("12.5.3.1", "12.5.3.2", "12.5.3.3", "12.5.3.4")
def may_lay(state: State, tf: TaskForce, speed: Speed) -> bool:
    """Whether a force with a movement point may plot minelaying now: it shadows nobody, and every ship has the fuel for
    the point at ``speed`` and for laying. PQ-17 12.5.3.1 to 12.5.3.4; ruling MIN-12."""
    if tf.is_base or tf.shadowing or not has_minelayer(state, tf):
        return False
    if lay_refusal(state, tf, tf.hex, tf.id) is not None:
        return False
    return all(unit.fuel >= fuel_to_lay(state, tf, unit.id, speed) for unit in state.units_of(tf))


@rule("12.5.3.2", "12.5.3.3", "T1")
def fuel_to_lay(state: State, tf: TaskForce, unit_id: str, speed: Speed) -> Fraction:
    """What one ship pays: the movement point, and twice its movement cost for laying. PQ-17 12.5.3.2, 12.5.3.3, T1."""
    unit = state.units[unit_id]
    return hex_cost(state, tf, unit, speed) + cost(state, unit, "minelaying")
