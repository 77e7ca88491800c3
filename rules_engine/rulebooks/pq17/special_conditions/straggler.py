"""Straggler: after a failed attack on known freighters the Coalition tries again and may sink one of them.

PQ-17 C.random.straggler; ruling RND-3.
"""

from collections.abc import Callable

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit, lose_modules
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_damage
from rules_engine.rulebooks.pq17.contacts.identification import held_track, remove_contact, track_for
from rules_engine.rulebooks.pq17.nations.conditions_in_force import event_now
from rules_engine.rulebooks.pq17.nations.victory_points import score_ship
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import COALITION, State
from rules_engine.rulebooks.pq17.special_conditions.random_events import NOW, note_used, offer_steps, this_time

RULE = "PQ-17 C.random.straggler"


@rule("6.2.6")
def known_freighters(state: State, target: TaskForce) -> list[Unit]:
    """The freighters of an enemy force whose types are known: none below ID3. PQ-17 6.2.6; ruling RND-3."""
    if target.id_level < IdLevel.ID3:
        return []
    return [unit for unit in state.units_of(target) if state.class_of(unit).is_freighter]


@rule("C.random.straggler")
def straggler_steps(
    turn: TurnContext[State], attacker: TaskForce, target: TaskForce, try_again: Callable[[], bool]
) -> Steps[None]:
    """Offer one more attempt after a failure; ``try_again`` rolls it, without fuel. PQ-17 C.random.straggler; RND-3."""
    state = turn.state
    event = event_now(state, COALITION, "straggler")
    freighters = known_freighters(state, target)
    if event is None or attacker.side != COALITION or not freighters:
        return
    track = track_for(state, COALITION, target)
    text = (
        f"{attacker.label} has failed to attack {track}, which is known to have freighters. Once in this period you "
        "may try again: success destroys one of them, without a battle."
    )
    news = this_time(state, f"{attacker.id} missed {track}")
    chosen = yield from offer_steps(turn, event, {NOW: f"{track}: try again"}, text, news=news)
    if not chosen:
        return
    note_used(turn, event, f"Straggler: {attacker.label} goes for one of {track}.")
    if not try_again():
        return
    roll = turn.roll("straggler", faces=len(freighters), seen_by=turn.sides)
    destroy(turn, freighters[roll.total - 1], target)


@rule("C.vp.4")
def destroy(turn: TurnContext[State], unit: Unit, target: TaskForce) -> None:
    """Destroy a straggling freighter with its cargo; like any loss, it is announced to everybody.

    C.vp.4, ruling FOG-1.
    """
    state = turn.state
    why = because(RULE, {"chosen by": "a roll among its freighters"})
    turn.tell([target.side], f"{unit.name} of {target.label} straggles and is lost.", kind="battle", why=why)
    turn.tell_all(f"A freighter straggles in {target.hex} and is destroyed.", kind="battle", why=why)
    event = "destroyed crippled" if unit.crippled else "destroyed"
    text = f"A freighter destroyed in {target.hex}."
    score_ship(turn, unit, event, owner=unit.side, was_crippled=unit.crippled, text=text, why=why)
    unit.fate = "destroyed"
    lose_modules(turn, unit)
    viewer = state.enemy_of(target.side)
    track = held_track(state, viewer, target)
    drop_unit(state, unit.id)
    if target.id in state.task_forces:
        settle_damage(state, target)
    else:
        remove_contact(turn, viewer, target.id, f"Contact {track} is no more.", why)
