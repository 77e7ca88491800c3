"""Settled hexes in the reconnaissance step: as targets of raiders and as searchers, and the spies that count as settled
hexes.

PQ-17 8.6.2.1, 8.6.2.2, C.special.agent-cobweb; rulings RAID-1, SPC-14.
"""

from collections.abc import Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import track_for
from rules_engine.rulebooks.pq17.contacts.settled_hexes import SettledForce
from rules_engine.rulebooks.pq17.records.forces import IdLevel, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.special_conditions import Spy
from rules_engine.rulebooks.pq17.records.state import COALITION, State

AGENT = "Agent Cobweb"


# --- searched by raiders ----------------------------------------------------------------------------------------------


@rule("8.6.2.1", "8.6.2.2")
def identify_settled(turn: TurnContext[State], force: SettledForce, level: IdLevel, viewer: Side, why: Why) -> None:
    """Apply a successful search: raise the raiders' level; the owner is told only of the search.

    PQ-17 8.6.2.1, 8.6.2.2."""
    settled = turn.state.settled[force.hex]
    settled.id_level = IdLevel(max(settled.id_level, level))
    text = f"{settled.name} in {force.hex} is held at {settled.id_level.label}."
    turn.tell([viewer], text, kind="contact", why=why)


@rule("8.6.2.2", "7.2.1", "5.3.5.4")
def shadow_settled(turn: TurnContext[State], tf: TaskForce, force: SettledForce) -> None:
    """A raider shadows the settled hex: it stays with it until it moves. PQ-17 8.6.2.2, 7.2.1, 5.3.5.4."""
    state = turn.state
    state.set_mark(tf, "declared_shadowing")
    settled = state.settled[force.hex]
    settled.shadowed_by = sorted({*settled.shadowed_by, *tf.units})
    why = because("PQ-17 8.6.2.2", {"its speed": 0})
    turn.tell([tf.side], f"{tf.label} shadows {force.label} while it stays there.", kind="shadowing", why=why)
    seen = track_for(state, force.side, tf)
    turn.tell([force.side], f"{seen} in {force.hex} shadows your {force.label}.", kind="shadowing", why=why)


# --- who watches ------------------------------------------------------------------------------------------------------


def eyes_of(state: State, side: Side) -> list[SettledHex]:
    """All that searches as a settled hex of ``side``: its settled hexes, then the bases with its spies. SPC-14."""
    own = [state.settled[hex_id] for hex_id in sorted(state.settled) if state.settled[hex_id].side == side]
    if side != COALITION:
        return own
    return [*own, *(_as_settled(spy) for spy in state.special.spies)]


def _as_settled(spy: Spy) -> SettledHex:
    return SettledHex(hex=spy.hex, side=COALITION, name=AGENT, searched=spy.searched)


def is_spy(settled: SettledHex) -> bool:
    """Whether it is a spy's base rather than a settled hex."""
    return settled.name == AGENT


@rule("1.7.4")
def note_searched(state: State, side: Side, hex_id: HexId, units: Sequence[str]) -> None:
    """Note which enemy force was searched: each may be, once an impulse. PQ-17 1.7.4; rulings SET-1, SPC-14."""
    settled = state.settled_by(hex_id, side)
    seeker = settled if settled is not None else next(spy for spy in state.special.spies if spy.hex == hex_id)
    seeker.searched = [*seeker.searched, *units]


@rule("C.special.agent-cobweb")
def is_spied_on(state: State, tf: TaskForce) -> bool:
    """Whether spies observe an Alliance force for the Coalition: ships at one of the three bases, in port or not.

    PQ-17 C.special.agent-cobweb; ruling SPC-14."""
    return tf.side != COALITION and not tf.is_base and any(spy.hex == tf.hex for spy in state.special.spies)
