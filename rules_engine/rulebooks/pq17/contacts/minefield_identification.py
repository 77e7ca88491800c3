"""Chapter 12.4: how a minefield comes onto the enemy's map, what a search of it tells, and how it leaves the map."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import held_track, is_news, remove_contact, report_contact
from rules_engine.rulebooks.pq17.contacts.minefields import (
    FieldForce,
    all_fields,
    as_force,
    field_at,
    is_met,
    record_of,
)
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.minefields import Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State, tf_order


@rule("6.2.2", "12.4.1")
def announce_fields(turn: TurnContext[State]) -> None:
    """Raise minefields that share a hex with an enemy to at least U, and tell the enemy; a side that arrives where a
    minefield no longer exists is told that. PQ-17 6.2.2, 12.4.1, SOP 2.b.iii; rulings REC-30, MIN-8."""
    state = turn.state
    for field in _as_the_enemy_numbers(state):
        if not is_met(state, field):
            continue
        enemy = state.enemy_of(field.side)
        fresh = field.level == IdLevel.N
        if fresh:
            field.level = IdLevel.U
            turn.show_maps(enemy)
        force = as_force(field)
        if is_news(turn, force, enemy):
            why = because("PQ-17 6.2.2", {"detected in" if fresh else "in": "the same hex"})
            report_contact(turn, force, enemy, why)
    for side in turn.sides:
        notice_what_is_gone(turn, side)


def _as_the_enemy_numbers(state: State) -> list[Minefield]:
    """Minefields in the order of the enemy's contact numbers, those without one by hex."""

    def key(field: Minefield) -> tuple[object, ...]:
        track = held_track(state, state.enemy_of(field.side), as_force(field))
        return (0, tf_order(track), "") if track is not None else (1, ("", 0), field.hex)

    return sorted(all_fields(state), key=key)


@rule("12.2.2")
def notice_what_is_gone(turn: TurnContext[State], viewer: Side) -> None:
    """Remove minefields that no longer exist from a viewer's map, once it is there to see. PQ-17 12.2.2;

    ruling MIN-10.
    """
    state = turn.state
    owner = state.enemy_of(viewer)
    book = state.tracks[viewer]
    seen = [contact.latest.hex for contact in turn.knowledge(viewer).contacts.values() if contact.form == "minefield"]
    hexes = {*seen, *(one.hex for one in state.mines.printed if one.side == owner)}
    for hex_id in sorted(hexes):
        present = state.task_forces_in(hex_id, viewer) or state.settled_by(hex_id, viewer) is not None
        if not present or field_at(state, owner, hex_id) is not None:
            continue
        key = field_key(owner, hex_id)
        why = because("PQ-17 12.2.2", {"your forces are in": hex_id})
        track = book.track_of(key)
        if track is not None:
            remove_contact(turn, viewer, key, f"Minefield {track} in {hex_id} is no more.", why)
        known_gone = state.mines.gone.get(viewer, [])
        if hex_id not in known_gone and any((one.side, one.hex) == (owner, hex_id) for one in state.mines.printed):
            state.mines.gone[viewer] = sorted([*known_gone, hex_id])
            if track is None:
                turn.tell([viewer], f"There is no enemy minefield in {hex_id} any more.", kind="contact", why=why)


@rule("12.4.1", "12.4.4", "6.3.4.13")
def identify_field(turn: TurnContext[State], force: FieldForce, level: IdLevel, viewer: Side, why: Why) -> None:
    """Apply a successful search: raise the level and tell the present strength. PQ-17 12.4.1, 12.4.4, 6.3.4.13."""
    field = record_of(turn.state, force)
    field.level = max(field.level, int(level))
    if field.level >= IdLevel.ID0:
        field.known_strength, field.seen_laid = field.strength, False
    report_contact(turn, as_force(field), viewer, why)
