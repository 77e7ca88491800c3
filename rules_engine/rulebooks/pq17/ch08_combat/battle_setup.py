"""The battle set-up sheet: every figure of Table 3 for every unit, deployment, and how the battle ends.

Both sides hold each other's status sheets by now (8.5.4), so all panels except the one of real names are common.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel, track_order
from rules_engine.core.protocol.asks import BattleSetup
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import is_passive
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import CONDITION_NAMES
from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import (
    detection_range,
    sees_as_military,
    speed_cap,
    true_distance,
)
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost_of_one_box
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive
from rules_engine.rulebooks.pq17.ch12_mines import mine_panels
from rules_engine.rulebooks.pq17.contacts.identification import is_warp_on, status_line
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed


@rule("T3a", "T3b", "T3c")
def battle_setup(turn: TurnContext[State], battle: Battle) -> BattleSetup:
    """Everything needed to set the battle up. PQ-17 8.5.5.1-8.5.5.6, T3a, T3b, T3c; rulings DEP-1 to DEP-5."""
    state = turn.state
    forces = battle_forces(state, battle)
    panels = [Panel(title="The battle", rows=tuple(_heading(turn, battle)))]
    panels.append(Panel(title="Deployment", rows=tuple(_deployment(state, battle, forces))))
    panels.append(Panel(title="Turn zero", rows=tuple(_turn_zero(state, battle, forces.values()))))
    panels.append(Panel(title="Detection ranges", rows=tuple(_ranges(state, battle, forces.values()))))
    panels.append(Panel(title="How it ends", rows=_endings()))
    for title, tf in forces.items():
        rows = alike((battle.name_of(unit.id), status_line(state, unit)) for unit in state.units_of(tf))
        panels.append(Panel(title=f"{title} ({turn.name_of(tf.side)})", rows=(_posture(state, battle, tf), *rows)))
    return BattleSetup(
        key=turn.place,
        title=f"Battle in {battle.hex}",
        where=f"Turn {state.turn}, impulse {state.impulse}",
        panels=tuple(panels),
        secret={
            side: (_own_ships(state, battle, side), *mine_panels(state, battle, side))
            for side in (battle.attacker, battle.defender)
        },
    )


@rule("8.4.6")
def battle_forces(state: State, battle: Battle) -> dict[str, TaskForce]:
    """The task forces under titles that reveal no designation: the Original Defender first. PQ-17 8.4.6; TF-4."""
    found: dict[str, TaskForce] = {}
    ships = [tf_id for tf_id in battle.original if not state.task_forces[tf_id].is_base]
    for tf_id in battle.original:
        tf = state.task_forces[tf_id]
        if tf.base is not None:
            found[f"Original Defender, base {tf.base.name}"] = tf
        else:
            found[f"Original Defender{f' {ships.index(tf_id) + 1}' if len(ships) > 1 else ''}"] = tf
    for number, tf_id in enumerate(battle.attackers, start=1):
        found[f"Attacking force {number}"] = state.task_forces[tf_id]
    for number, tf_id in enumerate(sorted(battle.joiners), start=1):
        found[f"Relieving force {number}"] = state.task_forces[tf_id]
    return found


# --- the panels -------------------------------------------------------------------------------------------------------


@rule("1.9.2", "1.9.6", "1.9.9", "8.5.3.2", "8.5.3.3", "8.5.5.1", "8.5.5.2")
def _heading(turn: TurnContext[State], battle: Battle) -> Iterable[str]:
    state = turn.state
    yield f"Hex {battle.hex}, local conditions {battle.conditions} ({CONDITION_NAMES[battle.conditions]})"
    match state.terrain(battle.hex):
        case "nebula":
            yield "Terrain: nebula; its tactical rules apply"
        case "planet":
            yield "Terrain: a planet in the hex"
        case _:
            yield "Terrain: open space"
    yield "The map floats (8.5.5.1)"
    yield f"Attacker: {turn.name_of(battle.attacker)}; defender: {turn.name_of(battle.defender)}"
    status = "WS-1, surprised" if battle.surprised else "WS-3"
    yield f"Weapon status: Original Defender {status} (8.5.3); everybody else WS-3 (8.5.5.2)"
    if battle.depth:
        yield "A pursuit battle: no surprise roll; combat fuel paid already is not paid again (8.5.6.9.3)"
    yield "No disengagement by acceleration or sublight evasion, no repair systems (1.9.2, 1.9.6)"
    yield "Optional tactical rules only where both players have agreed to them (1.9.9)"
    if state.settings.battle_notes:
        yield f"Agreed between the players: {state.settings.battle_notes}"


@rule("8.2.3")
def _posture(state: State, battle: Battle, tf: TaskForce) -> str:
    words = [f"speed {battle_speed(state, battle, tf).rate}"]
    if all(is_inactive(unit) for unit in state.units_of(tf)):
        words.append("all systems inactive")
    else:
        words.append("cloaked" if tf.posture.cloak else "passive" if is_passive(tf) else "active")
        words.append("warp on" if is_warp_on(state, tf) else "warp off")
    if tf.in_port:
        words.append("in port")
    return f"Operational {', '.join(words)}; starts in Combat Mode (8.2.3)"


@rule("T3b", "8.5.6.4.1", "8.5.6.8")
def battle_speed(state: State, battle: Battle, tf: TaskForce) -> Speed:
    """The operational speed that a force brings to this battle, for Table 3b and for what it may go at afterwards: in
    a pursuit battle the one just chosen. PQ-17 T3b, 8.5.6.4.1, 8.5.6.8."""
    return tf.next_speed if battle.depth and tf.next_speed is not None else current_speed(state, tf)


@rule("8.5.5.3.4", "8.5.5.3.8", "1.8.12.8", "11.5.4")
def is_active_unit(state: State, unit: Unit, tf: TaskForce) -> bool:
    """Whether a unit has active fire control on turn zero: its force is active, and it has the power and works.

    PQ-17 8.5.5.3.4, 8.5.5.3.8, 1.8.12.8, 11.5.4; ruling DEP-4b."""
    works = unit.can_power_fire_control and bool(unit.sensor_rating) and not is_inactive(unit)
    return works and not is_passive(tf)


@rule("8.5.5.3.5", "8.5.5.3.12", "T3a")
def may_be_scout(state: State, unit: Unit, tf: TaskForce) -> bool:
    """Whether a unit counts as a scout if it powers a special sensor on turn zero; only military units ever do.

    PQ-17 8.5.5.3.5, 8.5.5.3.12, T3a; rulings DEP-3, DEP-4c."""
    able = bool(unit.special_sensors) and unit.can_power_sensors and sees_as_military(state.class_of(unit))
    return able and is_active_unit(state, unit, tf)


@rule("8.5.5.3", "T3b", "T3c", "8.5.5.3.1", "8.5.5.3.2", "8.5.5.3.3", "8.5.5.3.6")
def _turn_zero(state: State, battle: Battle, forces: Iterable[TaskForce]) -> Iterable[str]:
    """For each unit, what it must power at the end of turn zero, and its speed limit until then.

    PQ-17 8.5.5.3, T3b, T3c."""
    yield "Complete an energy allocation for turn zero with what damage has left (8.5.5.3.1, 8.5.5.3.2)"
    yield "Shields at minimum or full, as they stay through its last impulse (8.5.5.3.3)"
    yield "Weapons to be held or ready on turn 1 are paid for on turn zero, within the weapon status (8.5.5.3.6)"
    for tf in forces:
        yield from alike(
            (battle.name_of(unit.id), "; ".join(_duties(state, battle, unit, tf))) for unit in state.separate_units(tf)
        )


@rule("8.3.5.3.2", "8.3.5.3.5", "8.5.5.3.2", "8.5.5.3.4", "8.5.5.3.5", "8.5.5.3.7", "8.5.5.3.8")
def _duties(state: State, battle: Battle, unit: Unit, tf: TaskForce) -> Iterable[str]:
    if is_inactive(unit):
        yield "on the map, all systems inactive (1.8.12.8, 11.5.4)"
        return
    if is_active_unit(state, unit, tf):
        yield "power active fire control (8.5.5.3.4)"
        if may_be_scout(state, unit, tf):
            yield "power one special sensor to count as a scout (8.5.5.3.5)"
    else:
        yield "active fire control off, nothing to pay for it (8.5.5.3.8)"
    if tf.posture.cloak:
        yield "power the cloak; cloaked on the last impulse, and on turn 1 if it likes (8.5.5.3.7, T3c)"
    yield from _power_duties(state, unit, warp_on=is_warp_on(state, tf))
    cap = speed_cap(battle_speed(state, battle, tf), original_defender=tf.id in battle.original)
    limit = "as fast as its power allows" if cap is None else f"at most {cap}, or what its power allows if less"
    yield f"speed before turn 1: {limit} (T3b, 8.5.5.3.9)"


@rule("8.3.5.3.2", "8.3.5.3.5", "8.3.5.3.6", "8.5.5.3.2", "T3c")
def _power_duties(state: State, unit: Unit, *, warp_on: bool) -> Iterable[str]:
    """Which warp and AWR boxes of a unit give no power, until when, and what those that are not paid for still cost.

    PQ-17 8.3.5.3.2, 8.3.5.3.5, 8.3.5.3.6, 8.5.5.3.2, T3c; rulings CMB-10, CMB-11."""
    boxes, off = unit.power_boxes, unit.boxes_off
    if not boxes:
        return
    if not warp_on:
        begins = "no warp or AWR power on turns 0 and 1"
        paid = "may be turned on from turn 2" if not off else f"{boxes - off} of {boxes} may be turned on from turn 2"
        yield f"{begins}; {paid} (T3c)" if off < boxes else f"{begins} (T3c)"
    if not off:
        return
    each = cost_of_one_box(state, unit)
    more = f"more may go on from turn 2 for {show_fraction(each)} fuel each"
    if unit.fuel < each:
        more = "no fuel to turn more on"
    yield f"{off} of {boxes} warp and AWR boxes off, damaged first; {more} (8.3.5.3.2, 8.3.5.3.5, 8.3.5.3.6)"


@rule("T3a", "T3c")
def _ranges(state: State, battle: Battle, forces: Iterable[TaskForce]) -> Iterable[str]:
    """Effective and true distances at which each unit sees others. PQ-17 T3a, T3c, 8.5.5.3.10-.12; DEP-1 to DEP-3."""
    yield "Distance on the map that counts as each unit's range; towards cloaked units the second figure"
    for tf in forces:
        yield from alike((battle.name_of(unit.id), range_text(state, unit, tf)) for unit in state.separate_units(tf))


@rule("8.5.5.3.10", "8.5.5.3.11", "8.5.5.3.12")
def range_text(state: State, unit: Unit, tf: TaskForce) -> str:
    """A unit's figures of Table 3a as posture changes them."""
    military = sees_as_military(state.class_of(unit))
    base = detection_range(military=military, scout=False)
    blind = not is_active_unit(state, unit, tf)
    near, cloaked = true_distance(base, doubled=blind), true_distance(base, doubled=True)
    text = f"{near} hexes, {cloaked} to cloaked units (range {base}{', doubled without lock-on' if blind else ''})"
    if may_be_scout(state, unit, tf):
        scout = detection_range(military=military, scout=True)
        far, dim = true_distance(scout, doubled=False), true_distance(scout, doubled=True)
        text = f"as a scout {far} hexes, {dim} to cloaked units (range {scout}); otherwise {text}"
    return text


@rule("8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3", "1.8.2", "1.8.12.10")
def _deployment(state: State, battle: Battle, forces: Mapping[str, TaskForce]) -> Iterable[str]:
    """The order in which forces are placed. A base and all in port with it are one Original Defender, and bases put
    beside it lie where that was plotted. PQ-17 8.5.5.4.1-.3, 1.8.2, 1.8.12.10; rulings CMB-5, CMB-7, DEP-5.
    """
    titles = list(forces)
    original = [title for title in titles if title.startswith("Original")]
    attacking = [title for title in titles if title.startswith("Attacking")]
    yield f"1. {' and '.join(original)}: one unit of its choice in the middle of the map (8.5.5.4.1)"
    yield "2. Its other units, each so that every other unit of the Original Defender is within its range (8.5.5.4.2)"
    for base, tf in ((tf.base, tf) for tf in forces.values() if tf.base is not None):
        for unit in state.units_of(tf):
            if unit.id in base.positions:
                where = base.positions[unit.id]
                yield f"   {battle.name_of(unit.id)} lies where it was put beside {base.name}: {where} (1.8.12.10)"
    yield (
        f"3. {' and '.join(attacking)}: within each force as above; no unit nearer to a unit of the Original Defender "
        "than that unit's range; at least one unit of each force exactly at it (8.5.5.4.3)"
    )
    if len(attacking) > 1:
        yield "   Units of different attacking forces stand outside each other's ranges (8.5.5.4.3)"
    for number, tf_id in enumerate(sorted(battle.joiners), start=1):
        against = battle.attackers.index(battle.joiners[tf_id]) + 1
        yield (
            f"{3 + number}. Relieving force {number}: last, no nearer to attacking force {against} than that force's "
            "ranges, one unit at it, outside the ranges of all others (ruling CMB-7)"
        )


_END = (
    "Disengagement by separation only (C7.2); note the battle turn of each ship that does (8.5.5.5)",
    "A ship that has disengaged is in Reserve Mode, known at ID3 (8.2.4, 8.2.5)",
    "It ends when every unit of one side is destroyed, captured or has disengaged; that side has lost (8.5.5.6)",
    "A base cannot disengage",
    "Fuel above the warp and AWR boxes left is lost at once (9.8)",
)


@rule("8.2.4", "8.2.5", "8.5.5.5.1", "8.5.5.5.2", "8.5.5.6")
def _endings() -> tuple[str, ...]:
    """How ships leave the battle, and how it ends. PQ-17 8.2.4, 8.2.5, 8.5.5.5.1, 8.5.5.5.2, 8.5.5.6."""
    return _END


def alike(said: Iterable[tuple[str, str]]) -> Iterable[str]:
    """One line for each unit, but only one for successive units of a party with the same text:
    ``DF1-DF22: ...``."""
    runs = [(_run_of(name, at), text, name) for at, (name, text) in enumerate(said)]
    for (_, text), group in groupby(runs, key=lambda one: one[:2]):
        names = [name for _, _, name in group]
        yield f"{names[0]}: {text}" if len(names) == 1 else f"{names[0]}-{names[-1]}: {text}"


def _run_of(name: str, at: int) -> tuple[str, int]:
    """A key that is equal for consecutive names at consecutive places."""
    letters, number = track_order(name)
    return letters, number - at


def _own_ships(state: State, battle: Battle, side: Side) -> Panel:
    """The panel that tells a side which neutral names are its own ships."""
    rows = tuple(
        f"{name} is {state.units[unit_id].name}"
        for name, unit_id in battle.names.items()
        if state.units[unit_id].side == side
    )
    return Panel(title="Your units", rows=rows)
