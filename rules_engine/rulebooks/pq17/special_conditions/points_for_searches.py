"""Points for searching bases: Port Reconnaissance, GALE FORCE's searches of Kiel, and CLEAN SWEEP's Bastion at ID3.

The levels rolled by successful searches count, not the rise that was still possible (rulings SPC-10, SPC-11, RND-8).
All of it is scored in secret and revealed in the Administrative Step (ruling FOG-1).
"""

from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import held_track
from rules_engine.rulebooks.pq17.nations.conditions_in_force import (
    BASTION,
    KIEL,
    applies_now,
    base_called,
    event_now,
    held,
    period_of,
)
from rules_engine.rulebooks.pq17.nations.victory_points import score, sign_for
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.special_conditions import PortCount, RolledEvent, SearchTally
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State

NET_LEVELS = 3
"""The sum of levels that searches of one base must roll in one period. PQ-17 C.special.gale-force."""
POINTS = Fraction(2)
"""For GALE FORCE's searches, for Port Reconnaissance, and for the Bastion at ID3."""


@rule("C.special.gale-force", "C.random.port-reconnaissance")
def note_search(turn: TurnContext[State], side: Side, target: TaskForce, gain: int) -> None:
    """Count what a successful search of an enemy base rolled, and score if that completes a count.

    PQ-17 C.special.gale-force, C.random.port-reconnaissance; rulings SPC-10, RND-8.
    """
    state = turn.state
    if not target.is_base or not state.settings.special_tables:
        return
    tally = tally_of(state, side, target)
    tally.gained += gain
    if tally.gained >= NET_LEVELS:
        _score_kiel(turn, side, target)
        _score_port(turn, side, target)


def tally_of(state: State, side: Side, base: TaskForce) -> SearchTally:
    """A side's count for one base in this period, started if there is none."""
    found = next((one for one in state.special.tallies if (one.side, one.base) == (side, base.id)), None)
    if found is None:
        found = SearchTally(side=side, base=base.id)
        state.special.tallies.append(found)
    return found


@rule("C.special.gale-force", "C.random.port-reconnaissance")
def is_worth_searching(state: State, side: Side, base: TaskForce) -> bool:
    """Whether searches of a known enemy base could still score for ``side``, judged by what it knows.

    PQ-17 C.special.gale-force, C.random.port-reconnaissance.
    """
    if not base.is_base or base.side == side:
        return False
    return _kiel_counts(state, side, base) or _port_event(state, side, base) is not None


def _kiel_counts(state: State, side: Side, base: TaskForce) -> bool:
    """Whether GALE FORCE's searches of Kiel, an enemy base, count: rolled for this period, and not yet scored. 1(a)."""
    if side != ALLIANCE or not applies_now(state, ALLIANCE, "gale force"):
        return False
    return state.special.kiel_scored != period_of(state.turn) and base is base_called(state, KIEL)


def _score_kiel(turn: TurnContext[State], side: Side, base: TaskForce) -> None:
    state = turn.state
    if not _kiel_counts(state, side, base):
        return
    state.special.kiel_scored = period_of(state.turn)
    state.special.scored.append("gale force")
    why = because("PQ-17 C.special.gale-force", {"levels rolled": tally_of(state, side, base).gained})
    score(turn, "C.special", POINTS, why, text="GALE FORCE: Kiel is reconnoitred.", seen_by=[side])


# --- port reconnaissance ----------------------------------------------------------------------------------------------


def located_bases(state: State, side: Side) -> list[TaskForce]:
    """Surviving enemy bases whose place a side knows, by hex: known ones, those it holds a contact of. RND-8."""
    bases = (tf for tf in state.all_task_forces(state.enemy_of(side)) if tf.base is not None)
    found = [tf for tf in bases if (tf.base is not None and tf.base.known) or held_track(state, side, tf) is not None]
    return sorted(found, key=lambda tf: tf.hex)


def port_count(state: State, side: Side, base: TaskForce) -> PortCount:
    """How often a side has scored for one base, started at zero."""
    found = next((one for one in state.special.port_counts if (one.side, one.base) == (side, base.id)), None)
    return found or PortCount(side=side, base=base.id)


@rule("C.random.port-reconnaissance")
def _port_event(state: State, side: Side, base: TaskForce) -> RolledEvent | None:
    """The side's Port Reconnaissance, if this base may be its target: one that has been scored least often.

    PQ-17 C.random.port-reconnaissance; ruling RND-8.
    """
    event = event_now(state, side, "port reconnaissance")
    if event is None:
        return None
    least = min((port_count(state, side, one).times for one in located_bases(state, side)), default=0)
    return event if port_count(state, side, base).times <= least else None


def _score_port(turn: TurnContext[State], side: Side, base: TaskForce) -> None:
    state = turn.state
    event = _port_event(state, side, base)
    if event is None or base.base is None:
        return
    event.spent = True
    count = port_count(state, side, base)
    if count not in state.special.port_counts:
        state.special.port_counts.append(count)
    count.times += 1
    points = sign_for(side) * POINTS
    # Until the Administrative Step only the searcher reads this line; the line may name a base that the searcher holds.
    name = base.base.name if base.base.known else f"the base in {base.hex}"
    why = because("PQ-17 C.random.port-reconnaissance", {"levels rolled": tally_of(state, side, base).gained})
    score(turn, "C.random", points, why, text=f"Port Reconnaissance of {name}.", seen_by=[side])


# --- the Bastion ------------------------------------------------------------------------------------------------------


@rule("C.special.clean-sweep")
def watch_bastion(turn: TurnContext[State]) -> None:
    """Score CLEAN SWEEP's points once, on the first turn that the Bastion is held at ID3. C.special.clean-sweep;

    SPC-11.
    """
    state = turn.state
    if state.special.bastion_scored or not held(state, ALLIANCE, "clean sweep"):
        return
    base = base_called(state, BASTION)
    if base is None or base.side != COALITION or base.id_level < IdLevel.ID3:
        return
    state.special.bastion_scored = True
    state.special.scored.append("clean sweep")
    why = because("PQ-17 C.special.clean-sweep", {"Bastion held at": base.id_level.label})
    score(turn, "C.special", POINTS, why, text="CLEAN SWEEP: the Bastion is identified.", seen_by=[ALLIANCE])
