"""The steps of a set-up, each in secret and seen by all before the next: before the first turn, and when units arrive.
VM-N62, VM-N63"""

from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.space import Way
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.conditions import Code
from rules_engine.rulebooks.vector.battles.placing import PlacedUnit, placing_of, vector_of, way_to
from rules_engine.rulebooks.vector.battles.placing_ask import placing_ask, say_placed
from rules_engine.rulebooks.vector.tracked.beginning import put_in
from rules_engine.rulebooks.vector.tracked.state import TrackedState, TrackedTurn
from rules_engine.rulebooks.vector.tracker.air import nearest_enemies
from rules_engine.rulebooks.vector.tracker.tows import follow


def due_step(state: TrackedState, battle: TacticalBattle) -> int | None:
    """The number of the step that is set up next, None if all have been that are due by now."""
    due = [number for number in _in_order(battle) if number not in state.placed]
    return next((one for one in due if _arrives(battle, one)[0] <= state.battle.turn), None)


def _in_order(battle: TacticalBattle) -> list[int]:
    """The steps by when their units arrive, those of one turn by who comes first, else as the book has them."""
    return sorted(range(len(battle.steps)), key=lambda number: (*_arrives(battle, number), number))


def _arrives(battle: TacticalBattle, number: int) -> tuple[int, int]:
    ships = [battle.ship(code) for code in battle.steps[number].units]
    return ships[0].arrives, min(one.arrives_after for one in ships)


def place_steps(turn: TrackedTurn, battle: TacticalBattle, number: int) -> Steps[None]:
    """Set up a step: all sides with units in it at once and in secret; then everybody sees it. VM-N62, VM-N63"""
    state, step = turn.state, battle.steps[number]
    placings = {side: placing_of(state, battle, step, side) for side in battle.sides}
    sides = [side for side in battle.sides if placings[side].ships]
    asks = {side: placing_ask(placings[side], side) for side in sides}
    asked = [side for side in sides if side in turn.in_play]
    given = yield from turn.ask_all_steps([asks[side] for side in asked])
    sheets = dict(zip(asked, given, strict=True))
    turn.moment_ends()
    is_arrival = state.battle.turn > 0
    for side in sides:
        sheet = sheets.get(side) or asks[side].default
        units = placings[side].units(sheet) if sheet is not None else []
        for one in units:
            _place(state, one)
        said = " ".join(map(say_placed, units))
        if is_arrival:
            text = f"{counted(len(units), 'unit')} of {turn.name_of(side)} arrive{'s' * (len(units) == 1)}. {said}"
            turn.tell_all(text, kind="arrival", why=because(f"VM-N63, {step.rule}"))
        else:
            text = f"The set-up of {turn.name_of(side)} is seen. {said}"
            turn.tell_all(text, kind="set-up", why=because(step.rule))
    state.placed.append(number)
    if due_step(state, battle) is None:
        _turn_to_enemies(turn, battle)
        follow(state.battle)
    turn.show_maps()


def _place(state: TrackedState, one: PlacedUnit) -> None:
    facing: Way = one.facing or "A"
    put_in(state, one.ship, one.at, facing, vector_of(facing, one.speed))
    if one.facing is None:
        state.unturned.append(one.ship.code)
        state.speeds[one.ship.code] = one.speed


def _turn_to_enemies(turn: TrackedTurn, battle: TacticalBattle) -> None:
    """Turn those of whom nothing was said to the nearest enemy, now that all are placed; units that face one way as the
    first of their force. VM-N62"""
    state, said = turn.state, list[str]()
    ways: dict[int, Way] = {}
    for code in state.unturned:
        unit, number = state.battle.units[code], _step_of(battle, code)
        way = way_to(unit.at, [one.at for one in nearest_enemies(state.battle, unit)], unit.facing)
        if battle.steps[number].one_facing:
            way = ways.setdefault(state.force_of(unit.side), way)
        unit.facing = way
        unit.vector = vector_of(way, state.speeds[code])
        said.append(f"{code} faces {way}, vector {unit.vector.says}.")
    state.unturned, state.speeds = [], {}
    if said:
        turn.tell_all(" ".join(said), kind="set-up", why=because("VM-N62"))


def _step_of(battle: TacticalBattle, code: Code) -> int:
    return next(number for number, step in enumerate(battle.steps) if code in step.units)
