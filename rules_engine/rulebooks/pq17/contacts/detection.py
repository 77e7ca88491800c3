"""Chapter 6.4 and the detection step: who is on the map, and when a contact fades or is lost."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts import settled_hexes
from rules_engine.rulebooks.pq17.contacts.identification import (
    contact_details,
    drop_contact,
    headline_of,
    held_track,
    is_news,
    report_contact,
)
from rules_engine.rulebooks.pq17.contacts.minefield_identification import announce_fields
from rules_engine.rulebooks.pq17.contacts.minefields import all_fields, is_met, is_mined_for
from rules_engine.rulebooks.pq17.contacts.spies import is_spied_on
from rules_engine.rulebooks.pq17.records.forces import UNMARKED, IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.lots import as_seen
from rules_engine.rulebooks.pq17.records.state import State, tf_order


@rule("6.4.2", "6.3.3")
def start_impulse(turn: TurnContext[State]) -> None:
    """Begin an impulse: the last one's marks, local conditions, and what combat fuel was paid for, lapse, and forces
    out of contact leave the enemy's map.

    PQ-17 6.4.2, 6.3.3; rulings REC-28, SET-3, TF-5.
    """
    state = turn.state
    state.conditions = {}
    for unit in state.units.values():
        unit.marks = UNMARKED
        if unit.boxes_off:
            unit.boxes_off = 0
    for hex_id in sorted(state.settled):
        state.settled[hex_id].searched = []
    for spy in state.special.spies:
        spy.searched = []
    settled_hexes.start_impulse(state)
    why = because("PQ-17 6.4.2", {"no enemy in its hex at the impulse's": "start"})
    for tf in as_the_enemy_numbers(turn, _out_of_contact(state)):
        drop_contact(turn, tf, why)


def as_the_enemy_numbers(turn: TurnContext[State], forces: Iterable[TaskForce]) -> list[TaskForce]:
    """Forces in the order of the enemy's contact numbers; those it holds no number for by hex, then by what it will be
    told, then by lot.

    So the order of its reports and the numbers of new contacts tell nothing of how the owner numbers its forces.
    """
    state = turn.state

    def seen(tf: TaskForce) -> tuple[object, ...]:
        track = held_track(state, state.enemy_of(tf.side), tf)
        if track is not None:
            return (tf.side, 0, tf_order(track), ())
        shown = max(tf.id_level, IdLevel.U)
        return (tf.side, 1, ("", 0), (tf.hex, headline_of(tf, shown), contact_details(state, tf, shown)))

    return as_seen(turn, forces, seen, lambda tf: tf.id)


@rule("6.4.2", "1.8.10.1", "1.8.10.3")
def _out_of_contact(state: State) -> list[TaskForce]:
    """The detected forces that leave the enemy's map when an impulse begins, since nothing watches them any more; bases
    once detected stay for good. PQ-17 6.4.2, 1.8.10.1, 1.8.10.3; rulings REC-28, SET-3, BAS-11."""
    seen = {tf.id for label in state.sides for tf in watched(state, label.key)}
    return [tf for tf in state.all_task_forces() if tf.id_level > IdLevel.N and not tf.is_base and tf.id not in seen]


@rule("6.2.2", "1.7.2", "1.7.8", "12.3.6")
def watched(state: State, side: Side) -> list[TaskForce]:
    """The side's task forces that share their hex with an enemy force, base, minefield, settled hex or spy, in the
    order of their ids: only they have met anybody. PQ-17 6.2.2, 1.7.2, 1.7.8, 12.3.6; ruling SPC-14."""
    enemy = state.enemy_of(side)
    eyes = {tf.hex for tf in state.all_task_forces(enemy)}
    eyes.update(settled.hex for settled in state.settled.values() if settled.side == enemy)
    eyes.update(field.hex for field in state.mines.fields.values() if field.side == enemy)
    spies = state.special.spies
    return [tf for tf in state.all_task_forces(side) if tf.hex in eyes or (spies and is_spied_on(state, tf))]


def contact_hexes(state: State) -> list[HexId]:
    """The hexes where both sides are present, ascending; a settled hex counts as its owner's force. SOP 2.b.iii."""
    hexes = {tf.hex for label in state.sides for tf in watched(state, label.key)}
    hexes |= {field.hex for field in all_fields(state) if is_met(state, field)}
    return sorted(hexes)


@rule("6.1.1", "6.2.2", "6.3.1", "1.7.2", "SOP.2.b.iii")
def announce_detections(turn: TurnContext[State]) -> None:
    """Raise forces that share a hex with an enemy to at least U, and tell each side what it faces.

    Mutual, automatic and without a roll, even against cloaks. PQ-17 6.1.1, 6.2.2, 6.3.1, 1.7.2, SOP 2.b.iii; REC-30.
    """
    state = turn.state
    for tf in as_the_enemy_numbers(turn, [tf for side in turn.sides for tf in watched(state, side)]):
        enemy = state.enemy_of(tf.side)
        fresh = tf.id_level is IdLevel.N
        if fresh:
            tf.id_level = IdLevel.U
            turn.show_maps(enemy)
        if is_news(turn, tf, enemy):
            how = "detected in" if fresh else "in"
            report_contact(turn, tf, enemy, because("PQ-17 6.2.2", {how: _what_sees(state, tf, enemy)}))
    announce_fields(turn)


def _what_sees(state: State, tf: TaskForce, enemy: Side) -> str:
    """What lets the enemy see a watched force."""
    if state.task_forces_in(tf.hex, enemy):
        return "the same hex"
    if state.settled_by(tf.hex, enemy) is not None:
        return "your settled hex"
    return "your minefield" if is_mined_for(state, tf) else "a base that Agent Cobweb watches"


@rule("6.4.1", "SOP.2.b.ii.2", "SOP.2.b.vii.2")
def lower_id_of_movers(turn: TurnContext[State], moved: Iterable[TaskForce]) -> None:
    """Lower by one the level of forces that expended a movement point; their counters move with them.

    ID0 becomes U, and U stays U; shadowed or not. Bases do not move. PQ-17 6.4.1; rulings REC-27, REC-29.
    """
    state = turn.state
    for tf in as_the_enemy_numbers(turn, [tf for tf in moved if not tf.is_base and tf.id_level > IdLevel.N]):
        before = tf.id_level
        tf.id_level = IdLevel(max(IdLevel.U, before - 1))
        viewer = state.enemy_of(tf.side)
        seen = turn.knowledge(viewer).contacts.get(held_track(state, viewer, tf) or "")
        if tf.id_level is before and seen is not None and seen.latest.hex == tf.hex:
            continue  # U in the same hex: no visible change
        how = "it moved" if seen is not None and seen.latest.hex != tf.hex else "it expended a movement point"
        report_contact(turn, tf, viewer, because("PQ-17 6.4.1", {f"{how}:": f"{before.label} to {tf.id_level.label}"}))
