"""Points of special conditions outside battles: convoys delivered, bases set up, breakouts, and when they are revealed.

Deliveries, departures and bases are noted by the chapters where they happen; they are scored in secret and revealed in
the Administrative Step. PQ-17 C.special; rulings SPC-4, SPC-8, SPC-12, SPC-16, FOG-1.
"""

from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit, expect
from rules_engine.rulebooks.pq17.ch11_repair.boxes import full_boxes
from rules_engine.rulebooks.pq17.nations.conditions_in_force import (
    KIEL_HEX,
    condition_now,
    executing,
    in_force,
    period_of,
)
from rules_engine.rulebooks.pq17.nations.homes import KLINGON, category_of
from rules_engine.rulebooks.pq17.nations.victory_points import score, ship_points, sign_for, to_half
from rules_engine.rulebooks.pq17.records.construction import BuiltBase
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import Arrival, Departure, Permit
from rules_engine.rulebooks.pq17.records.state import COALITION, State
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread
from rules_engine.rulebooks.pq17.tables.special_conditions import RULES, TITLES, ConditionName
from rules_engine.rulebooks.pq17.tables.supply import Goods
from rules_engine.rulebooks.pq17.tables.unit_types import public_name

BOXES_A_POINT = 50
"""Full cargo boxes of a Coalition convoy that make a point. PQ-17 C.special.coalition-convoy."""
FARTHER_THAN = 3
"""A convoy's goal must be farther than this from Kiel, in hexes."""
BREAKOUT_HEXES = tuple(f"{row:02}22" for row in range(1, 13))
"""The trailing edge from row 12 coreward. PQ-17 C.special.breakout."""
BREAKOUT_POINTS = {"DN": Fraction(12), "BB": Fraction(12), "CA": Fraction(5)}
"""For each ship that leaves; a larger hull than a DN counts as one."""
BREAKOUT = "breakout"

ZONES: dict[ConditionName, tuple[HexId, int]] = {"gearbox": ("0311", 3), "wunderland": ("1009", 2)}
"""Where a base must stand: a hex, and the most hexes from it. PQ-17 C.special.gearbox, C.special.wunderland."""
POD_POINTS: dict[ConditionName, tuple[Fraction, Fraction, Fraction]] = {
    "gearbox": (Fraction(1), Fraction(1, 2), Fraction(2)),
    "wunderland": (Fraction(2), Fraction(1), Fraction(4)),
}
"""For each core pod, for each further pod or module, and for the enemy if there is no base."""
CORE = "MB-POD"
COUNTED = ("REPAIR-POD", "CARGO-POD", "POWER-MODULE")
MOST_OF_EACH = 2


def score_secretly(turn: TurnContext[State], name: ConditionName, scorer: Side, points: Fraction, text: str) -> None:
    """Score points that only ``scorer`` sees until the Administrative Step. Ruling FOG-1."""
    why = because(f"PQ-17 {RULES[name]}", {"period": period_of(turn.state.turn)})
    turn.state.special.scored.append(name)
    score(turn, "C.special", sign_for(scorer) * points, why, text=text, seen_by=[scorer])


# --- convoys ----------------------------------------------------------------------------------------------------------


@rule("C.special.coalition-convoy", "C.special.coalition-convoy-large")
def note_unloaded(state: State, carrier: Unit, target: Unit, points: int) -> None:
    """Count supplies that a ship of a Coalition convoy has unloaded, if they went to a base far enough from Kiel or to
    a ship in port there. PQ-17 C.special.coalition-convoy, C.special.coalition-convoy-large; ruling SPC-8.
    """
    load = next((one for one in state.special.shiploads if one.unit == carrier.id), None)
    if load is None or load.period != period_of(state.turn):
        return
    moved = min(load.left, points)
    load.left -= moved
    beside = next((one for one in state.special.shiploads if one.unit == target.id), None)
    if beside is not None:  # handed to another ship of the convoy it is still on its way
        beside.left += moved
        return
    tf = state.tf_of(target.id)
    if tf is None or not (tf.is_base or tf.in_port):
        return
    if state.grid.distance(tf.hex, KIEL_HEX) > FARTHER_THAN:
        load.delivered += moved


@rule("SOP.2.c.ii")
def note_deliveries(state: State) -> None:
    """Count what the turn's logistics moved from ships of Coalition convoys. PQ-17 SOP.2.c.ii."""
    plan = state.logistics.get(COALITION)
    for one in plan.done if plan is not None and state.special.shiploads else ():
        if one.goods is Goods.SUPPLY and one.amount and one.target != one.source:
            note_unloaded(state, state.units[one.source], state.units[one.target], int(one.amount))


@rule("C.special.coalition-convoy", "C.special.coalition-convoy-large")
def _score_convoys(turn: TurnContext[State]) -> None:
    """At the end of a convoy's period, score its deliveries and its losses, each rounded to half a point.

    PQ-17 C.special.coalition-convoy, C.special.coalition-convoy-large, ruling SPC-8."""
    state = turn.state
    now = condition_now(state, COALITION)
    name: ConditionName = "large convoy" if now is not None and now.name == "large convoy" else "coalition convoy"
    due = [one for one in state.special.shiploads if one.period == period_of(state.turn)]
    gone = sum(one.destroyed for one in due)
    delivered = sum(one.delivered for one in due)
    if delivered:
        points = to_half(Fraction(delivered, BOXES_A_POINT))
        score_secretly(turn, name, COALITION, points, f"Coalition Convoy: {counted(delivered, 'box')} delivered.")
    if gone:
        points = to_half(Fraction(gone, BOXES_A_POINT))
        enemy = state.enemy_of(COALITION)
        score_secretly(turn, name, enemy, points, f"Coalition Convoy: {counted(gone, 'box')} destroyed.")
    state.special.shiploads = [one for one in state.special.shiploads if one not in due]


# --- GEARBOX and WUNDERLAND -------------------------------------------------------------------------------------------


@rule("C.special.gearbox", "C.special.wunderland")
def score_bases(turn: TurnContext[State]) -> None:
    """Score a mobile base that became active this turn if its project is due and it stands in the zone.

    PQ-17 C.special.gearbox, C.special.wunderland; ruling SPC-12.
    """
    state = turn.state
    for built in state.built:
        for project in state.special.projects:
            if project.scored or project.name not in ZONES or project.side != built.side or not built.active_since:
                continue
            centre, within = ZONES[project.name]
            if built.active_since == state.turn and state.grid.distance(built.hex, centre) <= within:
                project.scored = True
                text = f"{TITLES[project.name]}: a base is set up in {built.hex}."
                score_secretly(turn, project.name, project.side, worth_of(project.name, built), text)


@rule("C.special.gearbox", "C.special.wunderland")
def worth_of(name: ConditionName, built: BuiltBase) -> Fraction:
    """The points for a base: two core pods, and up to two of each other part; half, rounded down, for a crippled one.

    PQ-17 C.special.gearbox, C.special.wunderland; ruling SPC-12.
    """
    core, other, _ = POD_POINTS[name]
    points = Fraction(0)
    for code in (CORE, *COUNTED):
        each = core if code == CORE else other
        parts = sorted(part.crippled for part in built.parts if part.class_id.endswith(code))
        points += sum((half_down(each) if crippled else each for crippled in parts[:MOST_OF_EACH]), Fraction(0))
    return points


def half_down(points: Fraction) -> Fraction:
    """Half of a part's points, rounded down to half a point. Ruling SPC-12."""
    return Fraction(int(points), 2)


@rule("C.special.gearbox")
def _close_projects(turn: TurnContext[State]) -> None:
    """At the end of the second period, take points for a missing base and for ships that did not leave.
    C.special.gearbox; SPC-12, GEN-4."""
    state = turn.state
    for project in [one for one in state.special.projects if one.due == period_of(state.turn)]:
        title = TITLES[project.name]
        enemy = state.enemy_of(project.side)
        if project.name in ZONES and not project.scored:
            points = POD_POINTS[project.name][2]
            score_secretly(turn, project.name, enemy, points, f"{title}: no base has been set up.")
        for unit_id in project.ships:
            unit = state.units[unit_id]
            away = state.progress.away.get(unit_id)
            left = away is not None and away.state != "waiting"
            if unit.fate != "in play" or left:
                continue
            value = ship_points(state, unit, "destroyed")
            why = because(f"PQ-17 {RULES[project.name]}", {"period": project.due})
            turn.tell([project.side], f"{title}: {unit.name} has not left the map.", kind="special", why=why)
            text = f"{title}: {public_name(state.class_of(unit))} has not left the map."
            score_secretly(turn, project.name, enemy, value, text)
        state.special.projects = [one for one in state.special.projects if one is not project]


@rule("C.special.gearbox")
def permit_transfers(state: State) -> None:
    """Permit the ships of such projects to leave the map as transfers do, in any condition. PQ-17 C.special.gearbox."""
    for project in state.special.projects:
        nation = "klingon" if project.side == COALITION else "federation"
        hexes = list(spread(state.settings.campaign.nation_of(nation).entry)) or [KIEL_HEX]
        for unit_id in project.ships:
            for carried in [unit_id, *(one.id for one in state.units.values() if one.carried_by == unit_id)]:
                if carried not in state.progress.permits:
                    allow_exit(state, carried, Permit(kind="special", hexes=list(hexes), key=project.name))


# --- breakout ---------------------------------------------------------------------------------------------------------


@rule("C.special.breakout")
def permit_breakout(state: State) -> None:
    """During the breakout, permit Coalition warships without another permit to leave over the trailing edge.

    PQ-17 C.special.breakout.
    """
    for unit_id, unit in sorted(state.units.items()):
        if unit.side != COALITION or unit.fate != "in play" or category_of(state, unit) not in BREAKOUT_POINTS:
            continue
        held = state.progress.permits.get(unit_id)
        if held is None or held.kind == "special":
            hexes = [*(held.hexes if held is not None else []), *BREAKOUT_HEXES]
            allow_exit(state, unit_id, Permit(kind="special", hexes=hexes, key=BREAKOUT))


def withdraw_breakout(state: State) -> None:
    """End the breakout's permits with its period."""
    permits = state.progress.permits
    for unit_id in [one for one, permit in permits.items() if set(BREAKOUT_HEXES) <= set(permit.hexes)]:
        if permits[unit_id].kind == "special":
            del permits[unit_id]
    permit_transfers(state)


@rule("C.special.breakout")
def note_departure(turn: TurnContext[State], departure: Departure) -> None:
    """Score a ship that left by the breakout, and let it return a period later with less fuel.

    PQ-17 C.special.breakout; ruling SPC-16.
    """
    state = turn.state
    unit = state.units[departure.unit]
    if departure.key != BREAKOUT or departure.hex not in BREAKOUT_HEXES:
        return
    if executing(state, COALITION, "breakout") is None:
        return
    capacity = Fraction(sum(full_boxes(state, unit, box) or 0 for box in ("warp", "awr")))
    if not unit.crippled and unit.fuel * 2 >= capacity:
        points = BREAKOUT_POINTS[category_of(state, unit)]
        text = f"Coalition Breakout: a {category_of(state, unit)} has left the map."
        score_secretly(turn, "breakout", COALITION, points, text)
    unit.fuel = max(Fraction(0), unit.fuel - capacity / 2)
    state.special.broken_out = [*state.special.broken_out, unit.id]


@rule("C.special.breakout")
def _bring_back(turn: TurnContext[State]) -> None:
    """Let ships of last period's breakout return by the same edge. PQ-17 C.special.breakout; SPC-16."""
    state = turn.state
    period = period_of(state.turn)
    made = any(one.name == "breakout" and one.period == period - 1 for one in state.special.executions)
    if not made or not state.special.broken_out:
        return
    key = f"breakout {period}"
    units = state.special.broken_out
    for unit_id in units:
        state.progress.away.pop(unit_id, None)
    arrival = Arrival(
        key=key,
        kind="special",
        nation=KLINGON,
        name="Breakout's return",
        units=list(units),
        entry=list(BREAKOUT_HEXES),
        opens=state.turn + 1,
    )
    expect(state, arrival)
    state.special.broken_out = []
    names = ", ".join(state.units[one].name for one in units)
    why = because("PQ-17 C.special.breakout", {"left in period": period - 1})
    turn.tell([COALITION], f"{names} may come on again at the trailing edge.", kind="special", why=why)


# --- the end of a period ----------------------------------------------------------------------------------------------


@rule("SOP.3.a")
def close_specials(turn: TurnContext[State]) -> None:
    """Score what counts at a period's end, before secret victory points are revealed. PQ-17 SOP.3.a."""
    state = turn.state
    if not in_force(state):
        return
    _score_convoys(turn)
    _close_projects(turn)
    _bring_back(turn)
    withdraw_breakout(state)


@rule("SOP.3.a")
def reveal_specials(state: State) -> None:
    """Reveal conditions that have scored to both sides, as their points are revealed. PQ-17 SOP.3.a; SPC-4."""
    names = {*state.special.scored, *(["minelaying"] if state.special.mines_scored else [])}
    for record in (*state.special.conditions, *state.special.executions):
        if record.name in names and record.period <= period_of(state.turn):
            record.revealed = True
    state.special.scored = []
