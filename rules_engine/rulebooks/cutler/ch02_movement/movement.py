"""Chapter 2: how fast units are, where they may go, stacking, and the simultaneous execution of plots."""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.passage import note_passages
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import IMPULSES, PF_HEXES_A_TURN, SORTIE_SPEED, STACKED, TOP_SPEED

Moves = dict[str, HexId]
"""Destinations by unit id."""


# --- speed -----------------------------------------------------------------------------------------------------------


@rule("2.4", "2.4.1", "2.4.1.1", "2.4.1.3", "2.4.1.4", "2.4.1.6", "3.3.7.5")
def top_speed(unit: Unit) -> int:
    """Hexes a turn that the unit can make now: its kind's speed, reduced by the share of warp engines lost. Fighters
    with boosters are as fast as ships, and slower only after a sortie.

    2.4, 2.4.1, 2.4.1.1, 2.4.1.3, 2.4.1.4, 2.4.1.6, 3.3.7.5, CU-R18, CU-R19, CU-R58
    """
    undamaged = TOP_SPEED[unit.kind]
    if unit.kind == "fighters":
        return SORTIE_SPEED if unit.entered_from else undamaged
    if unit.warp_ok == 0:
        return min(undamaged, 1) if unit.impulse_ok > 0 else 0
    return undamaged - undamaged * (unit.record.warp - unit.warp_ok) // unit.record.warp


@rule("2.4.1.6")
def is_derelict(unit: Unit) -> bool:
    """Whether it has neither warp nor impulse engines left. 2.4.1.6, CU-R18"""
    return unit.is_mobile and unit.warp_ok == 0 and unit.impulse_ok == 0


@rule("2.4.1.3")
def is_sublight(unit: Unit) -> bool:
    """Whether it has only impulse engines left. 2.4.1.3"""
    return unit.is_mobile and unit.warp_ok == 0 and unit.impulse_ok > 0


@rule("2.1")
def may_move_in(speed: int, impulse: int) -> bool:
    """Whether the impulse chart gives that speed a move in that impulse. 2.1, CU-R14"""
    return speed * impulse // IMPULSES > speed * (impulse - 1) // IMPULSES


@rule("2.4.1.7")
def turn_limit(unit: Unit) -> int:
    """The most hexes it may move itself this turn. 2.4.1.7, CU-R16"""
    speed = top_speed(unit)
    return min(speed, PF_HEXES_A_TURN) if unit.kind in ("pf", "interceptor") else speed


@rule("2.4")
def has_opportunity(unit: Unit, impulse: int) -> bool:
    """Whether it could move in this impulse to any hex. 2.4, CU-R16"""
    return may_move_in(top_speed(unit), impulse) and unit.hexes_moved < turn_limit(unit)


@rule("9.2")
def is_held(unit: Unit, turn: int) -> bool:
    """Whether a delayed survey keeps it where it is, but for a forced move. 9.2, CU-R121, CU-N25"""
    return unit.held_turn == turn > 0 and not unit.retreat_hex


@rule("9.2", "9.3")
def may_enter(state: CutlerState, unit: Unit, goal: HexId, impulse: int) -> bool:
    """Whether it may move to a neighbouring hex in this impulse; unsurveyed space halves the speed, and a delayed
    survey keeps it in its hex. 9.2, 9.3, CU-R28"""
    speed, limit = top_speed(unit), turn_limit(unit)
    if speed and (unit.hex in state.unsurveyed or goal in state.unsurveyed):
        speed = max(1, speed // 2)
        limit = min(limit, speed)
    return may_move_in(speed, impulse) and unit.hexes_moved < limit and not is_held(unit, state.turn)


# --- stacking --------------------------------------------------------------------------------------------------------


@rule("2.5")
def command_limit(present: list[Unit]) -> int:
    """Ships that can be commanded in one hex: one more than the best command rating among them. 2.5, CU-R29"""
    return 1 + max((unit.record.rating for unit in present if unit.kind in STACKED), default=0)


@rule("2.5")
def stack_limit(state: CutlerState, race: Side, hex_id: HexId, present: list[Unit]) -> int:
    """Ships a race may have in a hex: as many as can be commanded, and twice that against a starbase. 2.5, CU-R32"""
    limit = command_limit(present)
    force = state.coordination.force_of(race)
    besieging = any(unit.record.base_type == "SB" and unit.race not in force for unit in state.units_in(hex_id))
    return 2 * limit if besieging else limit


def stacked(present: list[Unit]) -> int:
    """How many ships of a race count in a hex: a first police ship, PFs, interceptors and bases do not. CU-R30"""
    police = sum(unit.kind == "police" for unit in present)
    return sum(unit.kind in STACKED for unit in present) + max(0, police - 1)


@rule("2.5", "2.10")
def abort_overstacked(state: CutlerState, race: Side, moves: Mapping[str, HexId]) -> list[HexId]:
    """The hexes into which all moves of a race, or of the coordinated force in which it is, are called off, so that no
    hex is entered beyond its limit.

    Calling off a move leaves its ships where they were, which may overfill that hex in turn; so the lowest hex is
    treated first, and again until all is stable. 2.5, 2.10, CU-R31, CU-R33
    """
    units = [unit for one in state.coordination.force_of(race) for unit in state.alive(one)]
    aborted: list[HexId] = []
    while True:
        standing: dict[HexId, list[Unit]] = {}
        entered: set[HexId] = set()
        for unit in units:
            goal = moves.get(unit.id, "")
            if goal and goal not in aborted:
                entered.add(goal)
                standing.setdefault(goal, []).append(unit)
            else:
                standing.setdefault(unit.hex, []).append(unit)
        crowded = (one for one in sorted(entered) if _is_overstacked(state, race, one, standing[one]))
        lowest = next(crowded, None)
        if lowest is None:
            return sorted(aborted)
        aborted.append(lowest)


def _is_overstacked(state: CutlerState, race: Side, hex_id: HexId, present: list[Unit]) -> bool:
    """Whether these are too many. Only where they are more than can be commanded is a starbase looked for."""
    number = stacked(present)
    return number > command_limit(present) and number > stack_limit(state, race, hex_id, present)


# --- the movement phase ----------------------------------------------------------------------------------------------


@rule("2.2", "2.4")
def execute_moves(turn: CutlerTurn) -> None:
    """Carry out all plots at once: dust, nebulae, stacking, then all moves. 2.2, 2.4, CU-R27"""
    state = turn.state
    intended = _intended(state)
    moves = _through_nebulae(turn, _through_dust(turn, intended))
    for race in state.races():
        force = state.coordination.force_of(race)
        if race != force[0]:
            continue
        own = {key: goal for key, goal in moves.items() if state.units[key].race in force}
        for goal in abort_overstacked(state, race, own):
            movers = [key for key, other in own.items() if other == goal]
            for key in movers:
                del moves[key]
            text = (
                f"No move into {goal}: that many ships cannot be commanded in one hex. All movers stay where they are."
            )
            for mover in [one for one in force if any(state.units[key].race == one for key in movers)]:
                turn.tell([mover], text, kind="movement", why=because("2.5, CU-R31", {"hex": goal}))
                state.empires[mover].alerts.append(f"your move into {goal} was called off")
    _announce(turn, moves)
    _settle(state, moves)


def _intended(state: CutlerState) -> Moves:
    """The destinations of units if nothing hinders them: by forced moves, else lodged plots, else stored courses."""
    moves: Moves = {}
    for race in state.races():
        lodged = state.empires[race].lodged if state.impulse == 1 else {}
        for fleet in state.fleets_of(race):
            movers = [
                (unit, goal, may_enter(state, unit, goal, state.impulse))
                for unit in state.members(fleet)
                if (goal := _goal(unit, lodged, fleet.course))
            ]
            together = all(may for unit, _, may in movers if not unit.retreat_hex)
            moves |= {unit.id: goal for unit, goal, may in movers if (may if unit.retreat_hex else together)}
    return moves


def _goal(unit: Unit, lodged: Mapping[str, HexId], course: list[HexId]) -> HexId:
    if unit.retreat_hex:
        return unit.retreat_hex
    return lodged[unit.id] if unit.id in lodged else course[0] if course else ""


@rule("2.4.1.9")
def _through_dust(turn: CutlerTurn, moves: Moves) -> Moves:
    """Moves after the rule that leaving dust takes two opportunities, the first spent in place. 2.4.1.9, CU-R25"""
    state = turn.state
    kept: Moves = {}
    slowed: dict[tuple[Side, HexId], list[str]] = {}
    for key, goal in moves.items():
        unit = state.units[key]
        if state.terrain.get(unit.hex) == "dust" and not unit.dust_paid:
            unit.dust_paid = True
            slowed.setdefault((unit.race, unit.hex), []).append(unit.title)
        else:
            kept[key] = goal
    for (race, hex_id), names in slowed.items():
        text = f"Dust in {hex_id} takes a move to leave. Still there, out with the next move: {', '.join(names)}."
        turn.tell([race], text, kind="movement", why=because("2.4.1.9, CU-R25"))
    return kept


@rule("2.4.1.10")
def _through_nebulae(turn: CutlerTurn, moves: Moves) -> Moves:
    """Moves after rolls to leave nebulae, one for each group with one destination; a fleet is its owner's group.

    2.4.1.10, CU-R26
    """
    state = turn.state
    kept: Moves = {}
    groups: dict[tuple[Side, str, HexId, str], list[Unit]] = {}
    fleet_of = {key: fleet.key for fleet in state.fleets.values() for key in fleet.units}
    for key, goal in moves.items():
        unit = state.units[key]
        if state.terrain.get(unit.hex) == "nebula":
            groups.setdefault((unit.race, fleet_of[key], goal, unit.nebula_exit), []).append(unit)
        else:
            kept[key] = goal
    for (race, fleet, goal, promised), units in groups.items():
        place = turn.at("nebula", race, f"{fleet}>{goal}{promised and '+'}")
        way_out = _nebula_exit(place, units, goal, promised)
        if way_out:
            kept.update({unit.id: way_out for unit in units})
    return kept


def _nebula_exit(turn: CutlerTurn, units: list[Unit], goal: HexId, promised: str) -> HexId:
    """The hex where a group leaves its nebula, or "" if it does not."""
    race, here = units[0].race, units[0].hex
    names = ", ".join(unit.title for unit in units)
    if promised == goal:
        return goal
    if promised == "random":
        return random_hex(turn, race, here, "drift")
    die = turn.roll("nebula", faces=6, seen_by=[race])
    why = because("2.4.1.10, CU-R26", {"nebula": here, "to": goal}, [die])
    if die.total >= 5:
        return goal
    if die.total == 2:
        out = random_hex(turn, race, here, "drift")
        turn.tell([race], f"Lost in the nebula, coming out at {out}: {names}.", kind="movement", why=why)
        return out
    outcome = {
        1: ("", "lost, and must try again"),
        3: (goal, f"delayed, free to leave for {goal} at the next opportunity"),
        4: ("random", "delayed, and will drift out somewhere at the next opportunity"),
    }[die.total]
    for unit in units:
        unit.nebula_exit = outcome[0]
    turn.tell([race], f"In the nebula at {here}, {outcome[1]}: {names}.", kind="movement", why=why)
    turn.state.empires[race].alerts.append(f"the nebula at {here} held your ships")
    return ""


def random_hex(turn: CutlerTurn, race: Side, here: HexId, purpose: str) -> HexId:
    """A random neighbour; directions off the map are rolled again. G-3"""
    while True:
        die = turn.roll(f"{purpose} direction", faces=6, seen_by=[race])
        out = turn.state.grid.neighbour(here, die.total - 1)
        if out is not None:
            return out


@rule("2.6.3")
def _announce(turn: CutlerTurn, moves: Moves) -> None:
    """One public line for each race, start and end: that a campaign unit moved, not how many. 2.6.3, CU-R38"""
    state = turn.state
    lines = _as_seen(
        state,
        {(state.units[key].race, state.units[key].hex, goal) for key, goal in moves.items() if state.units[key].is_cu},
    )
    if lines:
        order = state.races()
        said = [
            f"{state.name_of(race)} CU {start}→{end}"
            for race, start, end in sorted(lines, key=lambda line: (order.index(line[0]), *line[1:]))
        ]
        text = f"Impulse {state.impulse}, movement: {'; '.join(said)}."
        turn.tell_all(text, kind="movement", why=because("2.6.3, CU-R38"))


@rule("2.10", "2.6.3")
def _as_seen(state: CutlerState, lines: set[tuple[Side, HexId, HexId]]) -> set[tuple[Side, HexId, HexId]]:
    """The moves as everybody sees them: of a coordinated force that stood under one counter and goes on together, one
    counter moves. 2.10, 2.6.3, CU-R33"""
    for force in state.coordination.forces:
        for start, end in sorted({(start, end) for race, start, end in lines if race in force}):
            movers = [race for race in force if (race, start, end) in lines]
            seen = state.coordination.colour(movers, lambda race, start=start: state.command_rating(race, start))
            lines = {line for line in lines if line[0] == seen or line[0] not in force or line[1:] != (start, end)}
    return lines


def _settle(state: CutlerState, moves: Moves) -> None:
    now = state.moment()
    for unit in state.alive():
        if has_opportunity(unit, state.impulse):
            unit.last_opportunity = now
        if unit.id in moves:
            unit.entered_from, unit.hex = unit.hex, moves[unit.id]
            unit.entered_at = unit.last_opportunity = now
            unit.hexes_moved += 1
            unit.dust_paid = False
            unit.nebula_exit = ""
            unit.retreat_hex = ""
            unit.held_turn = 0
    note_passages(state, {goal for key, goal in moves.items() if state.units[key].is_cu})
