"""Chapter V8.60: one reaction: how it begins, what changes it, and how it ends. Nothing else changes it. BP-R60"""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import points_left
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import MOST_CARRIED, reach
from rules_engine.rulebooks.border_patrol.records.standing import Reaction
from rules_engine.rulebooks.border_patrol.records.units import Unit


@rule("V8.61", "V8.66")
def begin_reaction(unit: Unit) -> None:
    """Let a judged unit lie in wait where it is, with the points that its last turn left it. V8.61, V8.66"""
    unit.reaction = Reaction(station=unit.hex, held=unit.carried)
    unit.carried = 0


@rule("V8.61", "V8.64")
def end_reaction(unit: Unit) -> None:
    """End a unit's reaction: with it end its target and all points that are held. V8.61, V8.64, BP-R60"""
    unit.reaction, unit.carried = None, 0


@rule("V8.66")
def end_of_turn(unit: Unit) -> None:
    """End a unit's reaction with its turn. Who waited all through it holds two points at most for the next one, for
    which they are lost unless it reacts again. V8.66, BP-R48"""
    kept = 0 if unit.left_station else min(MOST_CARRIED, unit.accrued)
    end_reaction(unit)
    unit.carried = kept


@rule("V8.64", "V8.68")
def end_by_damage(unit: Unit) -> bool:
    """End the reaction of a unit that damage has crippled or left without warp engines, and say whether it did. V8.64,
    V8.68, BP-R49, BP-R60"""
    if not unit.reacting or not (unit.crippled or not unit.has_warp):
        return False
    end_reaction(unit)
    return True


@rule("V8.63")
def hold_points(unit: Unit, phase: int) -> None:
    """Hold what a waiting unit did not use of a phase's points, as the phase ends. Nobody else holds any. V8.63,
    BP-R47"""
    if unit.reaction is not None and not unit.left_station:
        unit.reaction = unit.reaction.with_values(held=unit.reaction.held + points_left(unit, phase))


@rule("V8.61", "V8.62")
def aim_at(unit: Unit, target: str) -> None:
    """Let a waiting unit go after another one. V8.61, V8.62"""
    if unit.reaction is not None:
        unit.reaction = unit.reaction.with_values(target=target)


@rule("V8.54", "V8.69")
def give_up(unit: Unit) -> None:
    """Let a unit be after nobody: whom it was after is caught, gone, or out of its sight. It reacts still. V8.54,
    V8.69"""
    aim_at(unit, "")


@rule("V8.63")
def spend(unit: Unit, phase: int, hexes: int) -> None:
    """Move in reaction: the phase's own points go first, then held ones. V8.63

    Raises:
        ValueError: for more than it may move.
    """
    if hexes > reach(unit, phase):
        raise ValueError(f"{unit.name} may enter {reach(unit, phase)} hexes in phase {phase}, and not {hexes}")
    held = max(0, hexes - points_left(unit, phase))
    unit.moved_in[phase] += hexes
    if unit.reaction is not None and hexes:
        unit.reaction = unit.reaction.with_values(held=unit.reaction.held - held)
        unit.left_station = True


@rule("V8.26")
def came_by_reaction(unit: Unit, goal: HexId) -> None:
    """Note that a unit entered a hex as it closed in on somebody. V8.26"""
    if unit.reaction is not None:
        unit.reaction = unit.reaction.with_values(entered=(*unit.reaction.entered, goal))


@rule("V8.69")
def intercept(unit: Unit, target: Unit) -> bool:
    """Note that a unit caught what it reacted to, and say whether it did: it is bound to it no more, and may use what
    points it has left. V8.69"""
    if not unit.target or unit.target != target.id or unit.hex != target.hex:
        return False
    give_up(unit)
    return True
