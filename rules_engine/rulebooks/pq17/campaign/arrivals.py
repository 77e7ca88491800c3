"""Arrivals: which groups of units wait off the map, and where, when and how they enter.

Convoys, mercenaries and the reaction force are placed in an edge hex before movement is plotted; reinforcements come on
with a movement point and pay for that hex. PQ-17 C.schedule.note3, C.schedule.note5, C.oob, rulings MOV-7, CP-12.
"""

from collections.abc import Iterable, Sequence
from itertools import chain, count

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit, expect
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple, free_id
from rules_engine.rulebooks.pq17.ch05_movement.speeds import is_affordable, speeds
from rules_engine.rulebooks.pq17.ch10_supply.drones import load_reinforcements
from rules_engine.rulebooks.pq17.ch10_supply.fuel import pay_move
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_free
from rules_engine.rulebooks.pq17.contacts.minefields import note_transit
from rules_engine.rulebooks.pq17.nations.homes import KZINTI, bases_of, entry_of, nearest_to, period_of, way_to
from rules_engine.rulebooks.pq17.records.forces import PORT, TaskForce, Unit, force_name
from rules_engine.rulebooks.pq17.records.progress import PLACED, Arrival, ArrivalKind, Direct, Errand, Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import LOADS, State
from rules_engine.rulebooks.pq17.tables.operations import Speed, moves_on
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattleForce, spread

NEVER = 0
"""``Arrival.opens`` of a force that must be called before it can enter."""
USUAL_SPEED: dict[ArrivalKind, Speed] = {
    "convoy": Speed.EFFICIENT,
    "resupply": Speed.EFFICIENT,
    "cargo": Speed.EFFICIENT,
    "reinforcement": Speed.CRUISE,
    "return": Speed.CRUISE,
    "special": Speed.CRUISE,
    "force": Speed.CRUISE,
}
"""The speed at which each kind enters, unless its owner chooses another."""

# --- waiting ----------------------------------------------------------------------------------------------------------


def waiting(state: State, side: Side) -> list[Arrival]:
    """A side's arrivals that may enter by now, in the order in which they began to wait."""
    mine = {nation.key for nation in state.settings.campaign.nations_of(side)}
    return [one for one in state.progress.arrivals if one.nation in mine and NEVER < one.opens <= state.turn]


@rule("C.oob.federation.kzinti-convoy", "C.oob.kzinti.orion-mercenaries", "C.oob.kzinti.reaction-force")
def expect_force(state: State, force: OrderOfBattleForce, units: Sequence[Unit], opens: int) -> None:
    """Let the units of a force that is not deployed wait off the map: a convoy, mercenaries, or a force to be called.

    PQ-17 C.oob.federation.kzinti-convoy, C.oob.kzinti.orion-mercenaries, C.oob.kzinti.reaction-force."""
    if not units:
        return
    kind: ArrivalKind = "convoy" if force.each_period else "force"
    key = f"{force.key}-{period_of(opens)}" if force.each_period else force.key
    arrival = Arrival(key=key, kind=kind, nation=force.nation, name=force.name, units=[], entry=_hexes(force.entry))
    arrival.opens = NEVER if force.arrives == "held" else opens
    _expect(state, arrival, units)


@rule("C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def expect_convoy(state: State, key: str, units: Sequence[Unit], opens: int) -> None:
    """Let a base convoy's freighters wait off the map, beside the edge by which they enter and leave.

    PQ-17 C.oob.federation.base-convoy, C.oob.kzinti.base-convoy, C.oob.klingon.base-convoy."""
    convoy = state.settings.campaign.convoy_of(key)
    place = f"{key}-{period_of(opens)}"
    entry = _hexes(convoy.entry)
    arrival = Arrival(
        key=place, kind="resupply", nation=convoy.nation, name=convoy.name, units=[], entry=entry, opens=opens
    )
    _expect(state, arrival, units)


@rule("C.schedule.note5")
def expect_reinforcements(state: State, nation: str, units: Sequence[Unit], opens: int, *, back: bool = False) -> None:
    """Let a nation's reinforcements, or returning ships, wait for the next period. PQ-17 C.schedule.note5."""
    kind: ArrivalKind = "return" if back else "reinforcement"
    name = state.settings.campaign.nation_of(nation).name
    said = f"{name} {'returning ships' if back else 'reinforcements'}"
    key = f"{nation}-{'back' if back else 'new'}-{period_of(opens)}"
    entry = entry_of(state, nation)
    _expect(state, Arrival(key=key, kind=kind, nation=nation, name=said, units=[], entry=entry, opens=opens), units)


@rule("C.cargo-supply-benefit")
def expect_carriers(state: State, nation: str, units: Sequence[Unit]) -> None:
    """Let bought ships that carry supplies as the base convoy does enter with it, filled up again.

    PQ-17 C.cargo-supply-benefit, ruling SCN-28."""
    convoy = next(one for one in state.settings.campaign.convoy if one.nation == nation)
    key, name = f"{nation}-carriers-{period_of(state.turn)}", f"{convoy.name}'s carriers"
    entry = _hexes(convoy.entry)
    arrival = Arrival(key=key, kind="cargo", nation=nation, name=name, units=[], entry=entry, opens=state.turn)
    _expect(state, arrival, units)


def _hexes(spans: Iterable[str]) -> list[HexId]:
    return list(spread(spans))


def free_key(state: State, key: str) -> str:
    """A key for an arrival: this one, or the next like it that none has."""
    known = {one.key for one in state.progress.arrivals}
    return next(one for one in chain([key], (f"{key}-{n}" for n in count(2))) if one not in known)


def _expect(state: State, arrival: Arrival, units: Sequence[Unit]) -> None:
    """File an arrival under its key, or the next free one like it."""
    if not units:
        return
    arrival.key = free_key(state, arrival.key)
    arrival.units = [unit.id for unit in units]
    expect(state, arrival)


# --- destinations and speeds ------------------------------------------------------------------------------------------


@rule("C.schedule.note3")
def goals(state: State, arrival: Arrival) -> list[TaskForce]:
    """The bases that an arrival may head for: those where it may unload for a supply convoy, the Kzintis' for the
    Kzinti convoy and mercenaries, its own nation's for all others. PQ-17 C.schedule.note3, C.oob, ruling CP-12."""
    campaign = state.settings.campaign
    owner = campaign.nation_of(arrival.nation)
    nation = KZINTI if arrival.kind == "convoy" else owner.commander
    own = [base for base in bases_of(state, nation) if base.side == owner.side]
    if arrival.kind in ("resupply", "cargo"):
        convoy = next((one for one in campaign.convoy if one.nation == arrival.nation), None)
        named = [base for base in own if convoy is not None and base.hex in convoy.unload_at]
        return named or own
    return own


def usual_goal(state: State, arrival: Arrival) -> TaskForce | None:
    """The base that is nearest to its edge hexes."""
    found = goals(state, arrival)
    if not found:
        return None
    return min(found, key=lambda base: min(state.grid.distance(base.hex, one) for one in arrival.entry))


def usual_hex(state: State, arrival: Arrival, goal: TaskForce | None) -> HexId:
    """The edge hex that is nearest to the goal."""
    return arrival.entry[0] if goal is None else nearest_to(state.grid, arrival.entry, goal.hex)


def ships_of(state: State, arrival: Arrival) -> list[str]:
    """The ids of its ships; loads come on with what carries them."""
    kinds = {one: state.class_of(state.units[one]).unit_kind for one in arrival.units}
    return [one for one in arrival.units if kinds[one] not in LOADS or state.units[one].carried_by not in kinds]


def settle(state: State, arrival: Arrival) -> None:
    """Give an arrival its usual hex, turn and goal; a force waits for orders where it enters."""
    goal = usual_goal(state, arrival)
    arrival.destination = "" if goal is None or arrival.kind == "force" else goal.id
    arrival.hex = usual_hex(state, arrival, goal)
    arrival.turn = max(state.turn, arrival.opens)


def _speed_of(state: State, arrival: Arrival, tf: TaskForce) -> Speed:
    """The wanted speed, or the highest below it that all its ships reach and can pay for."""
    wanted = Speed(arrival.speed) if arrival.speed else USUAL_SPEED[arrival.kind]
    able = [one for one in speeds(state, tf) if one.rate <= wanted.rate and is_affordable(state, tf, one)]
    best = max(able, key=lambda one: one.rate, default=Speed.EFFICIENT)
    return best if best.rate >= Speed.EFFICIENT.rate else Speed.EFFICIENT


# --- entering ---------------------------------------------------------------------------------------------------------


@rule("C.oob.kzinti.orion-mercenaries")
def place_arrivals(turn: TurnContext[State]) -> None:
    """On the first impulse of their turn: put convoys and forces in their edge hex, without cost in fuel or movement
    points; they may be plotted onward. PQ-17 C.oob.*.base-convoy, C.oob.kzinti.orion-mercenaries, ruling MOV-7."""
    state = turn.state
    if state.impulse != 1:
        return
    for arrival in [one for one in state.progress.arrivals if one.kind in PLACED and _is_due(state, one)]:
        tf = _put_on_map(turn, arrival)
        state.set_mark(tf, "entered")
        _tell(turn, arrival, tf, "MOV-7")


@rule("C.schedule.note3", "C.schedule.note5")
def enter_with_points(turn: TurnContext[State], side: Side) -> None:
    """Bring on reinforcements of ``side`` whose speed has a movement point now; they pay for the hex.

    PQ-17 C.schedule.note3, C.schedule.note5, ruling MOV-7."""
    state = turn.state
    mine = {nation.key for nation in state.settings.campaign.nations_of(side)}
    due = [one for one in state.progress.arrivals if one.kind not in PLACED and _is_due(state, one)]
    for arrival in [one for one in due if one.nation in mine]:
        speed = _speed_of(state, arrival, _task_force(state, arrival))
        if not moves_on(speed, state.impulse):
            continue
        tf = _put_on_map(turn, arrival)
        pay_move(state, tf, tf.speed)
        for mark in ("moved", "entered"):
            state.set_mark(tf, mark)
        _tell(turn, arrival, tf, "PQ-17 C.schedule.note5")


def _is_due(state: State, arrival: Arrival) -> bool:
    if not arrival.hex or not arrival.turn or arrival.opens == NEVER:
        return False
    return arrival.turn == state.turn


def _task_force(state: State, arrival: Arrival) -> TaskForce:
    side = state.settings.campaign.nation_of(arrival.nation).side
    name, units = force_name(arrival.name), sorted(arrival.units)
    return TaskForce(id=free_id(state, side), side=side, hex=arrival.hex, name=name, units=units)


def _put_on_map(turn: TurnContext[State], arrival: Arrival) -> TaskForce:
    state = turn.state
    progress = state.progress
    tf = _task_force(state, arrival)
    state.put_force(tf)
    couple(state, tf)
    note_transit(state, tf.id, "", tf.hex)
    progress.arrivals = [one for one in progress.arrivals if one is not arrival]
    left = {one.unit for one in progress.departures}
    fresh = [unit for unit in state.units_of(tf) if arrival.kind == "return" or unit.id not in left]
    load_reinforcements(turn, tf.side, fresh)
    for unit in state.units_of(tf):
        progress.away.pop(unit.id, None)
        _note_arrival(state, arrival, unit)
    tf.speed = tf.plotted = _speed_of(state, arrival, tf)
    goal = state.task_forces.get(arrival.destination)
    if goal is not None:
        tf.route = [*way_to(state.grid, tf.hex, goal.hex), PORT]
        for unit_id in tf.units if arrival.kind in ("convoy", "resupply", "cargo") else ():
            permit = progress.permits.get(unit_id)
            if permit is not None and tf.hex in permit.hexes:
                progress.errands[unit_id] = Errand(port=goal.id, unload=True, leave=tf.hex, stage="out")
        if arrival.kind in ("reinforcement", "return", "special"):
            for unit_id in tf.units:
                progress.direct[unit_id] = Direct(hex=goal.hex, kind="arrival")
    return tf


@rule("C.cargo-supply-benefit", "C.cp.kzinti.exemptions", "C.vp.10")
def _note_arrival(state: State, arrival: Arrival, unit: Unit) -> None:
    """Note what a unit that has entered may or must do later: leave the map, deliver, be counted.

    PQ-17 C.oob.*.base-convoy, C.cargo-supply-benefit, C.cp.kzinti.exemptions, C.vp.10."""
    progress = state.progress
    period = period_of(state.turn)
    if arrival.kind == "force":
        progress.entered[unit.id] = period
    if arrival.kind in ("convoy", "resupply") and state.class_of(unit).service == "civilian":
        progress.freighters[unit.id] = Freighter(
            kind="convoy" if arrival.kind == "convoy" else "resupply",
            convoy=arrival.key,
            nation=arrival.nation,
            period=period,
            original=unit.supply if arrival.kind == "convoy" else 0,
        )
        allow_exit(state, unit.id, Permit(kind=progress.freighters[unit.id].kind, hexes=list(arrival.entry)))
    if arrival.kind == "cargo":
        progress.cargo_units[unit.id] = period
        unit.supply += cargo_free(unit)


def _tell(turn: TurnContext[State], arrival: Arrival, tf: TaskForce, rule: str) -> None:
    state = turn.state
    names = ", ".join(unit.name for unit in state.units_of(tf))
    goal = state.task_forces.get(arrival.destination)
    bound = f", bound for {goal.base.name}" if goal is not None and goal.base is not None else ""
    text = f"{arrival.name} came on in {tf.hex} as {tf.id}{bound}: {names}."
    turn.tell([tf.side], text, kind="arrival", why=because(rule))
    turn.show_maps(tf.side)
