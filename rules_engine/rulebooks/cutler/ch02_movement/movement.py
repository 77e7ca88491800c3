"""Chapter 2: how fast units are, where they may go, stacking, and the simultaneous execution of plots."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.nebulae import Moves, Steered, through_nebulae
from rules_engine.rulebooks.cutler.ch02_movement.passage import note_passages
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight, with_their_hosts
from rules_engine.rulebooks.cutler.records.conditions.towing import (
    leaders,
    towed_among,
    under_way,
    with_their_towers,
)
from rules_engine.rulebooks.cutler.records.shipping.convoys import sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import (
    CLOAKED_SPEED,
    EXPRESS_STEPS,
    IMPULSES,
    PF_HEXES_A_TURN,
    PFS,
    SORTIE_SPEED,
    STACKED,
    TOWING_SPEED,
)

# --- speed -----------------------------------------------------------------------------------------------------------


@rule("2.4", "2.4.1", "2.4.1.1", "2.4.1.2", "2.4.1.3", "2.4.1.4", "2.4.1.5", "2.4.1.6", "3.3.7.5")
def top_speed(unit: Unit) -> int:
    """Hexes a turn that the unit can make now: its kind's speed, reduced by the share of warp engines lost, and no more
    than a cloak or a tow allows. Fighters with boosters are as fast as ships, and slower only after a sortie.

    2.4, 2.4.1, 2.4.1.1, 2.4.1.2, 2.4.1.3, 2.4.1.4, 2.4.1.5, 2.4.1.6, 3.3.7.5, CU-R18, CU-R19, CU-R20, CU-R58
    """
    speed = _own_speed(unit)
    speed = min(speed, CLOAKED_SPEED) if unit.cloaked else speed
    return min(speed, TOWING_SPEED) if unit.towing else speed


def _own_speed(unit: Unit) -> int:
    undamaged = unit.record.top_speed
    if unit.kind == "fighters":
        return SORTIE_SPEED if unit.entered_from else undamaged
    if unit.warp_ok == 0:
        return min(undamaged, 1) if unit.impulse_ok > 0 else 0
    return undamaged - undamaged * (unit.record.warp - unit.warp_ok) // unit.record.warp


@rule("2.4.1.6")
def is_derelict(unit: Unit) -> bool:
    """Whether it has neither warp nor impulse engines left. 2.4.1.6, CU-R18"""
    return unit.is_derelict


@rule("2.4.1.3")
def is_sublight(unit: Unit) -> bool:
    """Whether it has only impulse engines left. 2.4.1.3"""
    return unit.is_mobile and unit.warp_ok == 0 and unit.impulse_ok > 0


@rule("2.1")
def may_move_in(speed: int, impulse: int) -> bool:
    """Whether the impulse chart gives that speed a move in that impulse. 2.1, CU-R14"""
    return speed * impulse // IMPULSES > speed * (impulse - 1) // IMPULSES


@rule("2.7.1")
def paces(state: CutlerState) -> dict[str, int]:
    """The speed of each convoy under way, by unit: that of its slowest member. 2.7.1, CU-R39"""
    found: dict[str, int] = {}
    for convoy in state.convoys.values():
        if convoy.kind != "police":
            members = [state.units[key] for key in convoy.units]
            found |= dict.fromkeys(convoy.units, min(map(top_speed, members), default=0))
    return found


@rule("2.4.1.7", "2.4.1.2")
def turn_limit(unit: Unit) -> int:
    """The most hexes it may move itself this turn: no more than a cloaked unit, if it was one in this turn. 2.4.1.7,
    2.4.1.2, CU-R16, CU-R17"""
    speed = min(top_speed(unit), CLOAKED_SPEED) if unit.was_cloaked else top_speed(unit)
    return min(speed, PF_HEXES_A_TURN) if unit.kind in PFS else speed


@rule("2.4.1.8")
def is_express(unit: Unit) -> bool:
    """Whether it may move in any impulse, and two hexes in one: a Federal Express ship with warp engines, if it neither
    tows nor is cloaked. 2.4.1.8, CU-R24, CU-N77"""
    return "express" in unit.record.marks and unit.warp_ok > 0 and not unit.towing and not unit.cloaked


@rule("2.4", "2.4.1.8")
def has_opportunity(unit: Unit, impulse: int) -> bool:
    """Whether it could move in this impulse to any hex. 2.4, 2.4.1.8, CU-R16, CU-R24"""
    chance = is_express(unit) or may_move_in(top_speed(unit), impulse)
    return chance and unit.hexes_moved < turn_limit(unit)


@rule("9.2")
def is_held(unit: Unit, turn: int) -> bool:
    """Whether a delayed survey keeps it where it is, but for a forced move. 9.2, CU-R121, CU-N25"""
    return unit.held_turn == turn > 0 and not unit.retreat_hex


@rule("9.2", "9.3")
def may_enter(state: CutlerState, unit: Unit, goal: HexId, impulse: int, pace: int | None = None) -> bool:
    """Whether it may move to a neighbouring hex in this impulse; unsurveyed space halves the speed, and a delayed
    survey keeps it in its hex. ``pace`` is the speed at which it sails with others, if not its own.
    9.2, 9.3, CU-R28"""
    if is_held(unit, state.turn):
        return False
    rough = unit.hex in state.unsurveyed or goal in state.unsurveyed
    speed, limit = (top_speed(unit), turn_limit(unit)) if pace is None else (pace, pace)
    if pace is None and not (speed and rough):
        return has_opportunity(unit, impulse)
    if speed and rough:
        speed = max(1, speed // 2)
        limit = min(limit, speed)
    return may_move_in(speed, impulse) and unit.hexes_moved < limit


def fleet_speed(units: list[Unit]) -> int:
    """Hexes a turn that a fleet can make now: those of its slowest unit that is not towed."""
    return min(map(top_speed, under_way(units)), default=0)


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


@rule("2.5")
def stacked(present: list[Unit]) -> int:
    """How many ships of a race count in a hex: a first police ship, PFs, interceptors and bases do not. 2.5, CU-R30"""
    police = sum(unit.kind == "police" for unit in present)
    return sum(unit.kind in STACKED for unit in present) + max(0, police - 1)


@rule("2.5")
def in_docks(state: CutlerState) -> set[str]:
    """The ships, by id, that lie in docking bays for work. 2.5, CU-R129"""
    return {work.ship for work in state.works.values() if work.ship}


@rule("2.5", "2.10")
def abort_overstacked(state: CutlerState, race: Side, moves: Mapping[str, HexId]) -> list[HexId]:
    """The hexes into which all moves of a race, or of the coordinated force in which it is, are called off, so that no
    hex is entered beyond its limit.

    Calling off a move leaves its ships where they were, which may overfill that hex in turn; so the lowest hex is
    treated first, and again until all is stable. Who lies in a docking bay there neither counts nor commands. 2.5,
    2.10, CU-R31, CU-R33, CU-R129
    """
    docked = in_docks(state)
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
            elif unit.id not in docked:
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


@rule("2.2", "2.3", "2.4", "2.4.1.7", "2.7.2")
def execute_moves(
    turn: CutlerTurn,
    sailing: Mapping[str, HexId] | None = None,
    steered: Mapping[tuple[Side, str], Steered] | None = None,
) -> None:
    """Carry out all plots at once: dust, nebulae, stacking, then all moves. ``sailing`` are the moves of convoys, which
    nothing calls off; what navigators rolled is ``steered``. Docked PFs are carried by their hosts.

    2.2, 2.4, 2.4.1.7, 2.7.2, CU-R23, CU-R27, CU-R30
    """
    state = turn.state
    intended = intended_moves(state) | dict(sailing or {})
    first = through_nebulae(turn, _through_dust(turn, intended), steered or {})
    moves = {**first, **going_on(state, first)}
    through = {key: first[key] for key, goal in moves.items() if first[key] != goal}
    for race in state.races():
        force = state.coordination.force_of(race)
        if race != force[0]:
            continue
        own = {key: goal for key, goal in moves.items() if state.units[key].race in force}
        for goal in abort_overstacked(state, race, own):
            movers = [key for key, other in own.items() if other == goal and not _sails(state, key)]
            for key in movers:
                del moves[key]
            text = (
                f"No move into {goal}: that many ships cannot be commanded in one hex. All movers stay where they are."
            )
            for mover in [one for one in force if any(state.units[key].race == one for key in movers)]:
                named = groups_of(state, mover, movers)
                said = f"{text} Called off: {', '.join(named)}."
                turn.tell([mover], said, kind="movement", why=because("2.5, CU-R31", {"hex": goal}))
                state.empires[mover].alerts.append(f"your move into {goal} was called off")
    moves |= with_their_towers(state, moves)
    carried = with_their_hosts(state, moves)
    moves |= carried
    through |= {key: through[host] for key in carried if (host := state.units[key].docked_at) in through}
    _announce(turn, moves, through)
    _settle(state, moves, through)


def _sails(state: CutlerState, key: str) -> bool:
    return sails_in_convoys(state.units[key].record)


def intended_moves(state: CutlerState) -> Moves:
    """The destinations of units if nothing hinders them: by forced moves, else lodged plots, else stored courses."""
    moves: Moves = {}
    for race in state.races():
        lodged = state.empires[race].lodged if state.impulse == 1 else {}
        for fleet in state.fleets_of(race):
            units = in_own_flight(state.members(fleet))
            towed = towed_among(units)
            movers = [
                (unit, goal, _goes(state, unit, goal, unit.id in towed))
                for unit in units
                if (goal := _goal(unit, lodged, fleet.course))
            ]
            together = all(may for unit, _, may in movers if not unit.retreat_hex)
            # A ship that lodged to stay keeps those back that have joined it; its own course waits. CU-R128
            together &= not any(lodged.get(unit.id) == "" and not unit.retreat_hex for unit in units)
            moves |= {unit.id: goal for unit, goal, may in movers if (may if unit.retreat_hex else together)}
    return moves


@rule("3.4.5.4", "6.4.1.3")
def _goal(unit: Unit, lodged: Mapping[str, HexId], course: list[HexId]) -> HexId:
    """Where a unit means to go: a forced move comes before a lodged plot, and that before a course. 3.4.5.4, 6.4.1.3"""
    if unit.retreat_hex:
        return unit.retreat_hex
    return lodged[unit.id] if unit.id in lodged else course[0] if course else ""


@rule("2.4.1.5")
def _goes(state: CutlerState, unit: Unit, goal: HexId, towed: bool) -> bool:
    """Whether a unit can go there in this impulse: what is towed, whenever its tower can. 2.4.1.5, CU-R21"""
    return not is_held(unit, state.turn) if towed else may_enter(state, unit, goal, state.impulse)


@rule("2.4.1.8")
def going_on(state: CutlerState, first: Moves) -> Moves:
    """The ends of fleets of Federal Express ships that go on to the next hex of their course in this impulse: not from
    dust or a nebula, in or out of unsurveyed space, beyond their limit for the turn, or beyond a plot that was lodged.

    2.4.1.8, CU-R24, CU-N77
    """
    ends: Moves = {}
    for fleet in state.fleets.values():
        units, way = in_own_flight(state.members(fleet)), fleet.course[:EXPRESS_STEPS]
        lodged = state.empires[fleet.race].lodged if state.impulse == 1 else {}
        if (
            any(unit.id in lodged for unit in units)
            or not units
            or len(way) < EXPRESS_STEPS
            or not all(first.get(unit.id) == way[0] for unit in units)
        ):
            continue
        rough = state.terrain.get(way[0]) in ("dust", "nebula") or not {units[0].hex, *way}.isdisjoint(state.unsurveyed)
        if not rough and all(is_express(unit) and unit.hexes_moved + 2 <= turn_limit(unit) for unit in units):
            ends |= {unit.id: way[1] for unit in units if not unit.retreat_hex}
    return ends


@rule("2.4.1.9")
def _through_dust(turn: CutlerTurn, moves: Moves) -> Moves:
    """Moves after the rule that leaving dust takes two opportunities, the first spent in place. 2.4.1.9, CU-R25"""
    state = turn.state
    kept: Moves = {}
    slowed: dict[tuple[Side, HexId], list[str]] = {}
    lead = leaders(state, moves)
    paid = {key for key in moves if lead[key].dust_paid}
    for key, goal in moves.items():
        unit = state.units[key]
        if state.terrain.get(unit.hex) == "dust" and key not in paid:
            unit.dust_paid = True
            slowed.setdefault((unit.race, unit.hex), []).append(unit.title)
        else:
            kept[key] = goal
    for (race, hex_id), names in slowed.items():
        text = f"Dust in {hex_id} takes a move to leave. Still there, out with the next move: {', '.join(names)}."
        turn.tell([race], text, kind="movement", why=because("2.4.1.9, CU-R25"))
    return kept


@rule("2.6.3", "2.6.2.1")
def _announce(turn: CutlerTurn, moves: Moves, through: Moves) -> None:
    """One public line for each race, start and end: that a campaign unit moved, not how many, and none of cloaked ones.
    Who went ``through`` a hex has a line for each of its steps. 2.6.3, 2.6.2.1, CU-R24, CU-R38"""
    state = turn.state
    lines: set[tuple[Side, HexId, HexId]] = set()
    for key, goal in moves.items():
        unit = state.units[key]
        way = [unit.hex, *([through[key]] if key in through else []), goal]
        lines |= {(unit.race, *step) for step in pairwise(way) if unit.has_counter}
    lines = _as_seen(state, lines)
    if lines:
        order = state.races()
        said = [
            f"{state.name_of(race)} CU {start}→{end}"
            for race, start, end in sorted(lines, key=lambda line: (order.index(line[0]), *line[1:]))
        ]
        text = f"Impulse {state.impulse}, movement: {'; '.join(said)}."
        turn.tell_all(text, kind="movement", why=because("2.6.3, CU-R38"))
    _tell_owners(turn, moves, through)


@rule("2.2")
def _tell_owners(turn: CutlerTurn, moves: Moves, through: Moves) -> None:
    """Tell each race, and nobody else, which of its fleets and convoys moved, and by which hexes: the public line names
    none of them. 2.2, CU-N186"""
    state = turn.state
    ways: dict[tuple[Side, tuple[HexId, ...]], list[str]] = {}
    for key, goal in moves.items():
        unit = state.units[key]
        way = (unit.hex, *([through[key]] if key in through else []), goal)
        ways.setdefault((unit.race, way), []).append(key)
    for race in state.races():
        said = [
            (named, "→".join(way))
            for (mover, way), keys in ways.items()
            if mover == race
            for named in groups_of(state, race, keys)
        ]
        if said:
            text = "; ".join(f"{named} {way}" for named, way in sorted(said, key=_by_number))
            turn.tell([race], f"Your moves: {text}.", kind="movement", why=because("2.2, CU-N186"))


def _by_number(said: tuple[str, str]) -> tuple[bool, str, int, tuple[str, str]]:
    """Fleets by their numbers, then convoys by theirs, then what is in neither."""
    key = said[0].split(" ")[0]
    return (False, key[:1], int(key[1:]), said) if key[1:].isdigit() else (True, "", 0, said)


def groups_of(state: CutlerState, race: Side, keys: Iterable[str]) -> list[str]:
    """The fleets and convoys to which a race's units among these belong, as their owner calls them, with names where
    only a part of a fleet is among them; what is in neither by its own name. Docked PFs go without saying."""
    ours = {key for key in keys if state.units[key].race == race}
    named: list[str] = []
    for group in (*state.fleets_of(race), *(one for one in state.convoys.values() if one.race == race)):
        members = in_own_flight(state.units[key] for key in group.units if not state.units[key].destroyed)
        among = [unit.name for unit in members if unit.id in ours]
        if among:
            named.append(group.key if len(among) == len(members) else f"{group.key} ({', '.join(among)})")
        ours.difference_update(group.units)
    return [*named, *sorted(state.units[key].name for key in ours)]


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


def _settle(state: CutlerState, moves: Moves, through: Moves) -> None:
    for fleet in state.fleets.values():
        if through.get(fleet.units[0]) and fleet.units[0] in moves:
            fleet.come_to_next()
    now, pace = state.moment(), paces(state)
    for unit in state.alive():
        speed = pace.get(unit.id)
        if has_opportunity(unit, state.impulse) and (speed is None or may_move_in(speed, state.impulse)):
            unit.last_opportunity = now
        if unit.id in moves:
            unit.entered_from, unit.hex = through.get(unit.id, unit.hex), moves[unit.id]
            unit.entered_at = unit.last_opportunity = now
            unit.sailed = True
            # A docked PF is carried. CU-R23
            unit.hexes_moved += 0 if unit.docked_at else 1 + (unit.id in through)
            unit.dust_paid = False
            unit.nebula_exit = ""
            unit.retreat_hex = ""
            unit.held_turn = 0
            unit.found_by = []
    note_passages(state, {goal for key, goal in moves.items() if state.units[key].has_counter})
