"""What standing orders decide in each step: searches, attacks, plots, staying, power, and what follows a battle."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Json, Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.forms.forms import Form
from rules_engine.rulebooks.pq17.ch05_movement.movement import destinations, has_point, next_step
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import (
    ORDER,
    may_declare_shadowing,
    probes_of,
    targets_of,
)
from rules_engine.rulebooks.pq17.ch08_combat.declarations import LEAST_LEVEL, targets_now
from rules_engine.rulebooks.pq17.ch10_supply.fuel import due
from rules_engine.rulebooks.pq17.contacts.identification import uses_warp
from rules_engine.rulebooks.pq17.contacts.minefields import is_minefield, minesweepers
from rules_engine.rulebooks.pq17.contacts.settled_hexes import is_settled
from rules_engine.rulebooks.pq17.orders.standing_answers import Decision, Decisions
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of, side_orders, whose
from rules_engine.rulebooks.pq17.orders.standing_words import (
    attack_clause,
    move_clause,
    search_clause,
    shadow_clause,
    single_clause,
)
from rules_engine.rulebooks.pq17.records.counted import counted
from rules_engine.rulebooks.pq17.records.standing_orders import AttackOrder, Orders, SearchOrder
from rules_engine.rulebooks.pq17.records.state import EXIT, LAY, PORT, STAY, IdLevel, State, TaskForce, tf_order
from rules_engine.rulebooks.pq17.tables.operations import FuelUse

KNOWN_COST = IdLevel.ID1
"""From this level on movement costs under warp are known. PQ-17 6.2.4."""
TYPES = IdLevel.ID3
"""From this level on every unit's movement cost is known. PQ-17 6.2.6."""


def contacts_of(state: State, tf: TaskForce) -> dict[str, TaskForce]:
    """The enemy forces in a task force's hex, by its owner's numbers: no minefield, no settled hex, no known base."""
    return {track: enemy for track, enemy in targets_of(state, tf).items() if _is_contact(enemy)}


def _is_contact(enemy: TaskForce) -> bool:
    is_open = enemy.base is not None and enemy.base.known
    return not (is_open or is_minefield(enemy) or is_settled(enemy))


def prizes_of(state: State, tf: TaskForce) -> dict[str, TaskForce]:
    """The enemy settled hex that a task force could raid, by its name. PQ-17 8.6.2.1."""
    return {track: enemy for track, enemy in targets_of(state, tf).items() if is_settled(enemy)}


def _spare_after(state: State, tf: TaskForce, use: FuelUse) -> Fraction:
    """The least fuel that a ship would have left after paying for ``use``."""
    return min((unit.fuel - due(state, unit, use) for unit in state.units_of(tf)), default=Fraction(0))


def _keeps(state: State, tf: TaskForce, use: FuelUse, keep: Fraction | None) -> bool:
    return keep is None or _spare_after(state, tf, use) > keep


# --- searching --------------------------------------------------------------------------------------------------------


def search_decisions(state: State, side: Side, form: Form) -> Decisions:
    """Whom each task force on the sheet searches, with probes and shadowing. PQ-17 6.3.2, 6.3.4.11, 7.2.1.

    Bases and settled hexes search as their sheet proposes, unless the side wants to be asked at every step.
    """
    asks = side_orders(state, side)
    found: dict[str, Decision | None] = {}
    for line in form.lines:
        tf = state.task_forces.get(line.key)
        if tf is None or tf.is_base:
            by_itself = asks.asks == "contact" or (asks.search is not None and asks.search.what != "ask")
            found[line.key] = Decision({}) if by_itself or line.key == ORDER or tf is None else None
        else:
            found[line.key] = _search(state, tf, orders_of(state, tf))
    forces = [found[line.key] for line in form.lines if line.key in state.task_forces]
    if form.line(ORDER) is not None and None in forces:
        found[ORDER] = None
    return found


def _search(state: State, tf: TaskForce, orders: Orders) -> Decision | None:
    order = orders.search
    contacts = contacts_of(state, tf)
    if order is None or (order.what == "ask" and (contacts or orders.asks == "steps")):
        return None
    if not contacts:
        return _search_prize(state, tf, orders)
    clause, owner = search_clause(order), whose(state, tf, "search")
    shadow = _may_shadow(state, tf, orders)
    track = _quarry(state, tf, order, shadow=shadow) if order.what == "search" else None
    nobody: dict[str, Json] = {"target": None}
    if order.what == "search" and track is not None and not _keeps(state, tf, "reconnaissance", order.keep):
        left = show_fraction(_spare_after(state, tf, "reconnaissance"))
        said = f"{tf.label} does not search {track}: {left} fuel would be left in a ship."
        return Decision(nobody, said, clause, owner, once=True)
    if track is None:
        said = f"{tf.label} searches nobody in {tf.hex} ({', '.join(contacts)})."
        return Decision(nobody, said, clause, owner, once=True)
    values: dict[str, Json] = {"target": track}
    parts = [clause]
    probes = min(orders.probes or 0, probes_of(state, tf))
    if probes:
        values["probes"] = probes
        parts.append(f"probes {orders.probes}")
    if shadow and orders.shadow is not None:
        values["shadow"] = True
        parts.append(shadow_clause(orders.shadow))
    spending = f", {counted(probes, 'probe')} if it succeeds" if probes else ""
    also = f"{spending}{', to shadow it' if shadow else ''}"
    return Decision(values, f"{tf.label} searches {track}{also}.", "; ".join(parts), owner)


def _search_prize(state: State, tf: TaskForce, orders: Orders) -> Decision | None:
    """A settled hex that is to be raided must first be held at ID0. PQ-17 8.6.2.1, 8.4.2."""
    prize = next(((track, one) for track, one in prizes_of(state, tf).items() if one.id_level < LEAST_LEVEL), None)
    if prize is None or orders.raid == "never":
        return Decision({"target": None})
    if orders.raid != "raid":
        return None
    said = f"{tf.label} searches {prize[0]}, to raid it."
    return Decision({"target": prize[0]}, said, single_clause("raid", "raid"), whose(state, tf, "raid"))


def _may_shadow(state: State, tf: TaskForce, orders: Orders) -> bool:
    order = orders.shadow
    willing = order is not None and order.what == "shadow" and may_declare_shadowing(state, tf)
    return willing and order is not None and _keeps(state, tf, "reconnaissance", order.keep)


def _quarry(state: State, tf: TaskForce, order: SearchOrder, *, shadow: bool) -> str | None:
    """The least known contact that a search could still tell something of, or that is to be shadowed."""
    found = [
        (int(enemy.id_level), tf_order(track), track)
        for track, enemy in contacts_of(state, tf).items()
        if enemy.id_level < order.below or (shadow and not enemy.is_base)
    ]
    return min(found)[2] if found else None


# --- attacking --------------------------------------------------------------------------------------------------------


def attack_decisions(state: State, side: Side, form: Form) -> Decisions:
    """Whom each task force on the sheet attacks. PQ-17 8.4.2."""
    forces = [(line.key, state.task_forces.get(line.key)) for line in form.lines]
    own = {key: tf for key, tf in forces if tf is not None and tf.side == side}
    return {key: _attack(state, tf, orders_of(state, tf)) for key, tf in own.items()}


def _attack(state: State, tf: TaskForce, orders: Orders) -> Decision | None:
    order = orders.attack
    open_ones = targets_now(state, tf)
    known = {track: enemy for track, enemy in open_ones.items() if _is_contact(enemy) or enemy.base is not None}
    if order is None or (order.what == "ask" and known):
        return None
    if not known or order.what == "ask":
        return _attack_others(state, tf, orders, open_ones)
    clause, owner = attack_clause(order), whose(state, tf, "attack")
    barred: list[str] = []
    for track, enemy in sorted(known.items(), key=lambda item: (-item[1].id_level, tf_order(item[0]))):
        problem = "it never attacks" if order.what == "never" else _why_not(state, tf, enemy, order)
        if not problem:
            return Decision({"target": track}, f"{tf.label} attacks {track}.", clause, owner)
        barred.append(f"{track} ({problem})")
    said = f"{tf.label} does not attack {', '.join(barred)}."
    other = _attack_others(state, tf, orders, open_ones)
    if other is None or other.said:
        return other
    return Decision({"target": None}, said, clause, owner, once=True)


def _attack_others(state: State, tf: TaskForce, orders: Orders, known: Mapping[str, TaskForce]) -> Decision | None:
    """A settled hex to raid, or else a minefield to sweep, as it is ordered. PQ-17 8.6.2, 12.6.3."""
    prize = next((track for track, enemy in known.items() if is_settled(enemy)), None)
    if prize is not None and orders.raid != "never":
        if orders.raid != "raid":
            return None
        return Decision({"target": prize}, f"{tf.label} raids {prize}.", "raid", whose(state, tf, "raid"))
    mines = next((track for track, enemy in known.items() if is_minefield(enemy)), None)
    can_do_it_well = bool(minesweepers(state, tf))
    if mines is not None and (can_do_it_well or state.doctrine[tf.side].ask_every_impulse):
        if orders.sweep == "ask" or not can_do_it_well:
            return None
        if orders.sweep == "sweep":
            return Decision({"target": mines}, f"{tf.label} sweeps {mines}.", "sweep", whose(state, tf, "sweep"))
    return Decision({"target": None})


def _why_not(state: State, tf: TaskForce, enemy: TaskForce, order: AttackOrder) -> str:
    """What its owner's orders hold against an attack, from what its owner knows; empty if nothing."""
    if enemy.id_level < order.level:
        return f"held at {enemy.id_level.label}"
    if not order.bases and _beside_base(state, tf, enemy):
        return "a base is there"
    if order.ratio is not None:
        theirs = shown_cost(state, enemy)
        ours = sum((state.class_of(unit).move_cost for unit in state.units_of(tf)), Fraction(0))
        if theirs is None:
            return "its movement cost is not known"
        if theirs > order.ratio * ours:
            return f"movement cost {show_fraction(theirs)} against our {show_fraction(ours)}"
    if not _keeps(state, tf, "combat", order.keep):
        return f"{show_fraction(_spare_after(state, tf, 'combat'))} fuel would be left in a ship"
    return ""


def _beside_base(state: State, tf: TaskForce, enemy: TaskForce) -> bool:
    """Whether it is a base, which shows from U on (6.2.2), or a base that we know of stands in the hex."""
    return enemy.is_base or any(
        one.id_level > IdLevel.N or (one.base is not None and one.base.known)
        for one in state.bases_in(tf.hex, enemy.side)
    )


def shown_cost(state: State, enemy: TaskForce) -> Fraction | None:
    """A contact's movement cost as its level shows it; None where part of it does not show. PQ-17 6.2.4 to 6.2.6."""
    units = state.units_of(enemy)
    if enemy.id_level < KNOWN_COST:
        return None
    if enemy.id_level < TYPES and not all(uses_warp(state, enemy, unit) for unit in units):
        return None
    return sum((state.class_of(unit).move_cost for unit in units), Fraction(0))


# --- moving -----------------------------------------------------------------------------------------------------------


def plot_decisions(state: State, side: Side) -> dict[str, str | None]:
    """What each task force in contact plots, by id; None where its owner is to be asked. PQ-17 5.3.2."""
    found: dict[str, str | None] = {}
    for tf in state.all_task_forces(side):
        if tf.is_base or not contacts_of(state, tf):
            continue
        match orders_of(state, tf).move:
            case "withdraw":
                found[tf.id] = way_out(state, tf) if not tf.shadowing and has_point(state, tf) else STAY
            case "hold":
                found[tf.id] = STAY
            case "go on":
                found[tf.id] = next_step(state, tf)
            case _:
                found[tf.id] = None
    return found


def say_plots(state: State, plots: Mapping[str, str | None]) -> Iterator[Decision]:
    """Reports of plots that standing orders changed or made."""
    for tf_id, step in plots.items():
        tf = state.task_forces[tf_id]
        move = orders_of(state, tf).move
        if move is None or step is None or not has_point(state, tf) or tf.shadowing:
            continue
        said = {STAY: "stays", LAY: "lays mines", PORT: "enters or leaves port", EXIT: "leaves the map"}
        where = said.get(step, f"goes to {step}")
        yield Decision({}, f"{tf.label} {where}.", move_clause(move), whose(state, tf, "move"))


def way_out(state: State, tf: TaskForce) -> str:
    """The step away from a contact: to a hex without one, nearest to a base or settled hex of its own."""
    steps = [step for step in destinations(state, tf) if step not in (STAY, LAY, EXIT)]
    if tf.in_port:
        return STAY
    if PORT in steps:
        return PORT
    held = {enemy.hex for enemy in state.all_task_forces(state.enemy_of(tf.side)) if enemy.id_level > IdLevel.N}
    homes = [base.hex for base in state.all_task_forces(tf.side) if base.is_base]
    homes += [settled.hex for settled in state.settled.values() if settled.side == tf.side]
    came_from = tf.flown[-2] if len(tf.flown) > 1 else ""

    def worth(step: HexId) -> tuple[object, ...]:
        home = min((state.grid.distance(step, one) for one in homes), default=0)
        return step in held, home, step != came_from, step

    return min(steps, key=worth) if steps else STAY


def stay_decisions(state: State, options: Mapping[str, str]) -> Decisions:
    """Whether plotted moves are made after all. PQ-17 5.3.5."""
    found: dict[str, Decision | None] = {}
    for tf_id in options:
        tf = state.task_forces[tf_id]
        move = orders_of(state, tf).move
        if move in (None, "ask"):
            found[tf_id] = None
            continue
        goes = move != "hold"
        said = f"{tf.label} {'makes its plotted move' if goes else f'stays in {tf.hex}'}."
        found[tf_id] = Decision({"move": "go" if goes else "stay"}, said, move_clause(move), whose(state, tf, "move"))
    return found


def wants_plots(state: State, side: Side, plots: Mapping[str, str | None], *, short: bool, contact: bool) -> bool:
    """Whether a side is to be asked for its plots of an impulse. Ruling MOV-8.

    One that wants every step is asked while any contact is held and its orders do not decide, and when fuel is short.
    """
    if state.doctrine[side].ask_every_impulse or None in plots.values():
        return True
    orders = side_orders(state, side)
    if orders.asks == "contact":
        return False
    return short or (contact and not plots and orders.move == "ask")
