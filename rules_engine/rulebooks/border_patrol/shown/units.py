"""Units and stacks in a line, for their own Team."""

from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.rosters import OwnShip
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import turns_left
from rules_engine.rulebooks.border_patrol.plotting.formations import commanded
from rules_engine.rulebooks.border_patrol.plotting.routes import write_legs
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance


def say_unit(unit: Unit) -> str:
    """A unit: its class, and what is not as usual with it."""
    held = unit.accrued or unit.carried
    said = [f"warp {unit.warp_ok} of {unit.warp_original}"] if unit.warp_original else []
    said += [counted(turns_left(unit), "emergency turn")] if unit.dcr_original and unit.kind != "base" else []
    states = {
        "flagship": unit.flagship,
        "crippled": unit.crippled,
        "out of supply": not unit.in_supply,
        "sensors damaged": unit.sensors_damaged,
        "dropped its warp engines": unit.warp_dropped,
        "Emergency Movement": unit.emergency,
        "barred from it": unit.emergency_barred,
        "overhaul": bool(unit.overhaul_at),
        "in tow": bool(unit.towed_by),
        f"{counted(held, 'point')} held": held > 0,
    }
    said += [word for word, true in states.items() if true]
    said += [f"pod {pod.name}" for pod in unit.pods]
    return f"{unit.name} ({unit.ship_class}): {', '.join(said) or 'as usual'}"


def say_stack(state: BorderState, stack: UnitStack) -> str:
    """A stack: where it is, what it does, and its units."""
    units = state.members(stack)
    convoy = state.convoy_of(stack.id)
    if convoy is not None:
        does = f"convoy, {convoy.fate}, to {convoy.route[-1]}"
    elif stack.orders.way:
        does = f"goes {write_legs(stack.orders.way)}"
    else:
        does = "lies in wait" if any(unit.reacting for unit in units) else "holds"
    cloak = ", cloaked" if any(unit.cloaked for unit in units) else ""
    names = "; ".join(say_unit(unit) for unit in units)
    captain = state.captains[stack.captain].name
    return f"{stack.id} at {stack.hex}, {captain}, allowance {stack_allowance(units)}, {does}{cloak}: {names}"


def roster(state: BorderState, team: str) -> list[OwnShip]:
    """A Team's units in the stacks that its captains command."""
    return [OwnShip(unit.id, unit.name, stack.id) for stack in commanded(state, team) for unit in state.members(stack)]
