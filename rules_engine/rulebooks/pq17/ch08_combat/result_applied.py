"""Applying an agreed battle result: damage, fuel, losses, captures, victory points, and Reserve Mode.

PQ-17 8.5.5.6, 9.8, T5; ruling CMB-17.
"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted, sentence
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import SETTLED_BY
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple, free_id
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import come_out_of_port, drop_unit, lose_modules
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_damage
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import give_figures
from rules_engine.rulebooks.pq17.ch05_movement.speeds import practical_speed
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import alike
from rules_engine.rulebooks.pq17.ch08_combat.result_form import BattleResult, UnitLine, extra_power_cost
from rules_engine.rulebooks.pq17.ch10_supply.use_in_battle import lose_goods, take_used
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import take_repairs
from rules_engine.rulebooks.pq17.contacts.identification import remove_contact, report_contact, status_line
from rules_engine.rulebooks.pq17.contacts.shadow_chains import let_go
from rules_engine.rulebooks.pq17.nations.victory_points import score_ship, ship_event
from rules_engine.rulebooks.pq17.records.battles import NOBODY, Battle
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.points_in_battle import (
    begin_battle,
    note_cargo_lost,
    score_operation,
)
from rules_engine.rulebooks.pq17.tables.unit_types import public_name

NEXT_ROW = "\n• "


@rule("8.5.5.6", "8.5.5.7", "6.5.3")
def take_result(turn: TurnContext[State], battle: Battle, result: BattleResult) -> None:
    """Apply an agreed result to the campaign and tell everybody, and the two sides, what they may know.

    PQ-17 8.5.5.6, 8.5.5.7, 6.5.3; rulings CMB-12, CMB-13, FOG-1."""
    state = turn.state
    battle.turns = result.battle.turns
    battle.winner = "" if result.battle.winner == NOBODY else result.battle.winner
    battle.reserve = {}
    result = _without_cargo_as_prize(state, battle, result)
    before = begin_battle(state, battle)
    _announce(turn, battle, result)
    for name, unit_id in battle.names.items():
        _apply(turn, battle, name, state.units[unit_id], result.units[name])
    _final_inspection(turn, battle, result)
    fates: dict[str, str] = {unit_id: result.units[name].fate for name, unit_id in battle.names.items()}
    repaired = {unit_id: result.units[name].self_repairs for name, unit_id in battle.names.items()}
    score_operation(turn.at("operation"), battle, before, fates, repaired)
    for unit_id, had in before.supply.items():
        note_cargo_lost(state, state.units[unit_id], had, fates[unit_id])
    for unit_id in (unit_id for unit_id, fate in fates.items() if fate != "destroyed"):
        lose_modules(turn, state.units[unit_id])
    for unit_id in (unit_id for unit_id, fate in fates.items() if fate == "destroyed"):
        _lose(turn, battle, state.units[unit_id])
    for unit_id in (unit_id for unit_id, fate in fates.items() if fate == "captured"):
        _capture(turn, battle, state.units[unit_id])
    for tf_id in battle.all_forces():
        tf = state.task_forces.get(tf_id)
        if tf is not None:
            couple(state, tf)
            settle_damage(state, tf)
    to_id3(turn, battle)


def _cargo_of(state: State, carrier: Unit) -> list[Unit]:
    """The modules in a unit's cargo, by id."""
    aboard = [one for _, one in sorted(state.units.items()) if one.carried_by == carrier.id]
    return [one for one in aboard if state.class_of(one).unit_kind == "module"]


@rule("1.8.12.5")
def _without_cargo_as_prize(state: State, battle: Battle, result: BattleResult) -> BattleResult:
    """The account in which no module in a ship's cargo is a prize by itself: it goes with its ship. PQ-17 1.8.12.5, own
    ruling PQ-180."""
    names = {unit_id: name for name, unit_id in battle.names.items()}
    cargo = [names[one.id] for unit_id in names for one in _cargo_of(state, state.units[unit_id]) if one.id in names]
    stay = {name: line for name in cargo if (line := result.units[name]).fate == "captured"}
    if not stay:
        return result
    stays = {name: line.model_copy(update={"fate": "ok"}) for name, line in stay.items()}
    return result.model_copy(update={"units": {**result.units, **stays}})


@rule("9.8", "8.3.5.3.6", "10.2.2.2", "T5.note4")
def _apply(turn: TurnContext[State], battle: Battle, name: str, unit: Unit, line: UnitLine) -> None:
    """Apply one unit's damage, fuel and score. PQ-17 9.8, 8.3.5.3.6, 10.2.2.2, T5.1-T5.6, T5.note4; CMB-10, CMB-14."""
    state = turn.state
    before = unit.id in battle.crippled
    shown_speed = practical_speed(state, unit)
    _take_power(state, unit, line)
    if line.sensors is not None:
        track = state.class_of(unit).sensor_track
        unit.sensor_track = [box for box in track if box <= line.sensors]
    if line.probes is not None:
        unit.probes = line.probes
    unit.crippled = line.crippled
    take_repairs(state, unit, line)
    give_figures(state, unit, line, shown_speed)
    take_used(unit, line)
    lose_goods(turn.at(name), unit, tell=line.fate != "destroyed")
    _note_mode(battle, unit, line)
    event = ship_event(
        destroyed=line.fate == "destroyed",
        captured=line.fate == "captured",
        crippled_before=before,
        crippled_after=unit.crippled,
    )
    if event is not None:
        text = f"{sentence(_public_name(state, unit))} {event.split()[0]} in {battle.hex}."
        why = because("PQ-17 8.5.5.6", {"when the battle began": "crippled" if before else "uncrippled"})
        score_ship(turn.at(name), unit, event, owner=unit.side, was_crippled=before, text=text, why=why)


@rule("8.3.5.3.5", "8.3.5.3.6", "8.3.4.3", "8.5.6.9.3")
def _take_power(state: State, unit: Unit, line: UnitLine) -> None:
    """Pay for boxes that were turned on again, then take the damage, from boxes that are off first.

    What is still off stays off in every other battle of this impulse: combat fuel is paid once, for the boxes that were
    on. PQ-17 8.3.5.3.5, 8.3.5.3.6, 8.3.4.3, 8.5.6.9.3, own ruling PQ-193.
    """
    if line.boxes_on is not None:
        unit.fuel -= extra_power_cost(state, unit, line.boxes_on)
        unit.boxes_off = unit.power_boxes - line.boxes_on
    before = unit.power_boxes
    for key, count in line.boxes().items():
        setattr(unit, key, count)
    unit.boxes_off = max(0, unit.boxes_off - max(0, before - unit.power_boxes))


@rule("8.2.1", "8.2.2", "8.2.4", "8.5.5.5.3", "8.5.5.5.4")
def _note_mode(battle: Battle, unit: Unit, line: UnitLine) -> None:
    """A unit that disengaged is in Reserve Mode from that battle turn on; every other one is in Combat Mode.

    PQ-17 8.2.1, 8.2.2, 8.2.4, 8.5.5.5.3, 8.5.5.5.4."""
    if line.fate == "disengaged":
        battle.reserve[unit.id] = line.turn or battle.turns


def _announce(turn: TurnContext[State], battle: Battle, result: BattleResult) -> None:
    """Announce the battle and what was destroyed, captured or crippled, which is public. Ruling FOG-1."""
    state = turn.state
    lines: dict[str, list[str]] = {"destroyed": [], "captured": [], "crippled": []}
    for name, unit_id in battle.names.items():
        unit, line = state.units[unit_id], result.units[name]
        if line.fate in lines:
            lines[line.fate].append(_public_name(state, unit))
        elif line.crippled and unit.id not in battle.crippled:
            lines["crippled"].append(_public_name(state, unit))
    winner = f"the {turn.name_of(battle.winner)} won" if battle.winner else "nobody won"
    losses = "; ".join(f"{word}: {', '.join(names)}" for word, names in lines.items() if names) or "no losses"
    text = f"Battle in {battle.hex}: {winner} after {counted(battle.turns, 'turn')}; {losses}."
    settled = SETTLED_BY[turn.settlement("battle", (battle.attacker, battle.defender))]
    turn.tell_all(text, kind="battle", why=because("PQ-17 8.5.5.6", {settled: ""}))


def _public_name(state: State, unit: Unit) -> str:
    """The public description of a loss: its chart, never its name."""
    return public_name(state.class_of(unit))


@rule("6.2.7", "6.5.3")
def _final_inspection(turn: TurnContext[State], battle: Battle, result: BattleResult) -> None:
    """Show both sides the status sheets of the other's remaining units once more. PQ-17 6.2.7, 6.5.3; IDL-9."""
    state = turn.state
    for side in (battle.attacker, battle.defender):
        seen = [(name, state.units[unit_id]) for name, unit_id in battle.names.items()]
        said = (
            (name, "destroyed" if result.units[name].fate == "destroyed" else status_line(state, unit))
            for name, unit in seen
            if unit.side != side
        )
        text = f"Final inspection in {battle.hex}:{''.join(f'{NEXT_ROW}{row}.' for row in alike(said))}"
        turn.tell([side], text, kind="battle", why=because("PQ-17 6.5.3", {"after the battle in": battle.hex}))


@rule("1.6.1")
def _lose(turn: TurnContext[State], battle: Battle, unit: Unit) -> None:
    """Take a destroyed unit out of its force; an empty force leaves the enemy's map. PQ-17 1.6.1."""
    unit.fate = "destroyed"
    lose_modules(turn, unit)
    carrier = turn.state.units.get(unit.carried_by)
    if carrier is not None and unit in _cargo_of(turn.state, carrier):
        unit.carried_by = ""
        lose_modules(turn, carrier)
    _leave(turn, battle, unit)


def _capture(turn: TurnContext[State], battle: Battle, unit: Unit) -> None:
    """Give a captured unit to the winner, in one of its forces, with its remaining stores. Ruling CMB-13.

    Bases stay where they are, as a cluster of the new owner; nothing else of the cluster is left by then.
    """
    state = turn.state
    captor: Side = battle.winner
    tf = state.tf_of(unit.id)
    if tf is None or tf.side == captor:
        return
    if tf.is_base:
        _hand_over_base(turn, battle, tf, captor)
        return
    _leave(turn, battle, unit)
    _take_over(unit, captor)
    held = [state.task_forces[tf_id] for tf_id in battle.forces(captor) if tf_id in state.task_forces]
    home = next((force for force in held if not force.is_base), None) or _new_force(turn, battle, unit)
    cargo = _cargo_of(state, unit)
    for module in cargo:
        _leave(turn, battle, module)
        _take_over(module, captor)
    state.set_units(home, sorted({*home.units, unit.id, *(module.id for module in cargo)}))


def _take_over(unit: Unit, captor: Side) -> None:
    unit.captured_from = unit.captured_from or unit.side
    unit.side = captor
    unit.fate = "captured"


@rule("6.5.3")
def _new_force(turn: TurnContext[State], battle: Battle, unit: Unit) -> TaskForce:
    """Put a prize that only a base could take into a task force of its own, which its former owner holds at ID3 like
    all others that fought there. PQ-17 6.5.3, rulings CMB-13, IDL-9."""
    state = turn.state
    tf_id = free_id(state, unit.side)
    tf = TaskForce(id=tf_id, side=unit.side, hex=battle.hex, units=[unit.id], id_level=IdLevel.ID3)
    state.put_force(tf)
    couple(state, tf)
    report_contact(turn, tf, state.enemy_of(tf.side), because("PQ-17 6.5.3", {"captured in": battle.hex}))
    return tf


def _hand_over_base(turn: TurnContext[State], battle: Battle, tf: TaskForce, captor: Side) -> None:
    """Change the side of a captured cluster; ships are no longer in port with it, and it becomes a known base."""
    state = turn.state
    why = because("PQ-17 8.5.5.6", {"captured in": tf.hex})
    for docked in state.docked_at(tf):
        come_out_of_port(state, docked)
    for hunter in state.shadowers_of(tf.id):
        let_go(state, hunter)
    remove_contact(turn, captor, tf.id, f"The base in {tf.hex} is yours.", why)
    for unit in state.units_of(tf):
        _take_over(unit, captor)
    state.set_side(tf, captor)
    tf.posture = tf.posture.with_values(logistics=False)


def _leave(turn: TurnContext[State], battle: Battle, unit: Unit) -> None:
    """Take a unit out of its force; tell the enemy if that was the last one."""
    state = turn.state
    tf = state.tf_of(unit.id)
    drop_unit(state, unit.id)
    if tf is not None and tf.id not in state.task_forces:
        why = because("PQ-17 1.6.1", {"in battle in": battle.hex})
        track = state.tracks[state.enemy_of(tf.side)].track_of(tf.id)
        remove_contact(turn, state.enemy_of(tf.side), tf.id, f"Contact {track} is no more.", why)


@rule("6.5.2", "6.5.3", "8.2.5")
def to_id3(turn: TurnContext[State], battle: Battle) -> None:
    """Lower all forces of the battle from ID4 to ID3, also those in Reserve Mode. PQ-17 6.5.2, 6.5.3, 8.2.5; IDL-9."""
    state = turn.state
    why = because("PQ-17 6.5.3", {"after the battle in": battle.hex})
    for tf_id in battle.all_forces():
        tf = state.task_forces.get(tf_id)
        if tf is not None:
            tf.id_level = IdLevel.ID3
            report_contact(turn, tf, state.enemy_of(tf.side), why)
