"""Chapter 12.6: how minefields grow weaker: by sweeping, which is an attack attempt, and by their own attacks."""

from collections.abc import Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import Wording, attempt, quarry_of, seeker_of
from rules_engine.rulebooks.pq17.ch12_mines.laying import lay_mines
from rules_engine.rulebooks.pq17.contacts.identification import track_for
from rules_engine.rulebooks.pq17.contacts.minefield_identification import notice_what_is_gone
from rules_engine.rulebooks.pq17.contacts.minefields import FieldForce, all_fields, minesweepers
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.minefields import Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.minelaying import score_minelaying

# --- sweeping ---------------------------------------------------------------------------------------------------------


@rule("12.6.3")
def resolve_sweeps(turn: TurnContext[State], sweeps: Sequence[tuple[TaskForce, FieldForce]]) -> None:
    """All attempts of one side to sweep; a success counts in the Minefield Step. PQ-17 12.6.3, ruling MIN-11."""
    state = turn.state
    for sweeper, field in sweeps:
        if not _succeeds(turn, sweeper, field):
            continue
        state.mines.swept.append(field.id)
        track = track_for(state, sweeper.side, field)
        text = f"{sweeper.label} swept minefield {track} in {field.hex}: it loses a strength point."
        turn.tell([sweeper.side], text, kind="mines", why=because("PQ-17 12.6.3.2", {"when": "the impulse ends"}))


@rule("12.6.3", "12.6.3.3")
def _succeeds(turn: TurnContext[State], sweeper: TaskForce, field: FieldForce) -> bool:
    """An attack attempt, and another for each minesweeper as long as none has succeeded. PQ-17 12.6.3, 12.6.3.3."""
    state = turn.state
    seeker = seeker_of(state, sweeper)
    quarry = quarry_of(state, field, int(field.id_level))
    for number in range(1 + len(minesweepers(state, sweeper))):
        verb, rule = ("swept once more", "PQ-17 12.6.3.3") if number else ("swept", "PQ-17 12.6.3")
        wording = Wording(verb, rule, f"sweep {number + 1}")
        if attempt(turn, seeker, [quarry], wording).succeeded:
            return True
    return False


# --- the Minefield Step, and the end of the turn ----------------------------------------------------------------------


def minefield_step(turn: TurnContext[State]) -> None:
    """First minelaying strengthens minefields, then sweeping weakens them. PQ-17 SOP 2.b.ix; ruling MIN-11."""
    score_minelaying(turn, lay_mines(turn))
    _take_swept(turn)


@rule("12.6.3.2", "SOP.2.b.ix.2")
def _take_swept(turn: TurnContext[State]) -> None:
    """Take a strength point for each success of this impulse. PQ-17 12.6.3.2, SOP.2.b.ix.2; ruling MIN-11."""
    swept, turn.state.mines.swept = turn.state.mines.swept, []
    for key in swept:
        field = turn.state.mines.fields.get(key)
        if field is not None:
            _weaken(turn, field, "swept", "PQ-17 12.6.3.2")


@rule("12.6.2", "SOP.2.c.iii")
def wear_minefields(turn: TurnContext[State]) -> None:
    """Each minefield that made a mine attack this turn loses a point. PQ-17 12.6.2, SOP.2.c.iii; ruling MIN-7."""
    for field in all_fields(turn.state):
        if field.attacked:
            field.attacked = False
            _weaken(turn, field, "it attacked this turn", "PQ-17 12.6.2")


@rule("12.2.1", "12.2.2", "12.6.1")
def _weaken(turn: TurnContext[State], field: Minefield, cause: str, rule: str) -> None:
    """One strength point less; without any the minefield is removed. PQ-17 12.2.1, 12.2.2, 12.6.1."""
    state = turn.state
    gone = field.strength == 1
    if gone:
        del state.mines.fields[field_key(field.side, field.hex)]
        text = f"Your minefield in {field.hex} is used up and removed."
    else:
        field.strength -= 1
        text = f"Your minefield in {field.hex} now has strength {field.strength}."
    turn.tell([field.side], text, kind="mines", why=because(rule, {"one point less": cause}))
    if gone:
        notice_what_is_gone(turn, state.enemy_of(field.side))
