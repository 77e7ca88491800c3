"""Chapter 12.5: minelaying: its effect at the impulse's end.

Laying is a step of a route or plot (``lay``): the movement point is expended in place. Only in the Minefield Step, and
only if nothing prevented it (12.5.3.7), are mines and fuel spent and the minefield strengthened.
"""

from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_pay, pay
from rules_engine.rulebooks.pq17.contacts.identification import report_contact
from rules_engine.rulebooks.pq17.contacts.minefields import as_force, field_at, is_met, mines_to_lay, use_mines
from rules_engine.rulebooks.pq17.records.forces import IdLevel, MarkName, TaskForce
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT, Minefield, field_key
from rules_engine.rulebooks.pq17.records.state import State

SPOILERS: tuple[tuple[MarkName, str, str], ...] = (
    ("searched", "it searched", "PQ-17 12.5.3.5"),
    ("attempted_attack", "it attempted an attack", "PQ-17 12.5.3.6"),
    ("was_attacked", "it was successfully attacked", "PQ-17 12.5.3.6"),
)
"""What prevents laying: the mark, the words for it, the rule."""


@rule("12.5.3.5", "12.5.3.6", "12.5.3.7", "12.5.3.8", "12.5.3.9", "SOP.2.b.ix.1")
def lay_mines(turn: TurnContext[State]) -> list[Minefield]:
    """Carry out the minelaying plotted for this impulse, force by force, where nothing prevented it; returns the
    minefield once for each strength point gained.

    PQ-17 12.5.3.5, 12.5.3.6, 12.5.3.7, 12.5.3.8, SOP 2.b.ix.1."""
    state = turn.state
    grown: list[Minefield] = []
    laying = [tf for tf in state.all_task_forces() if state.has_mark(tf, "laying")]
    for tf in sorted(laying, key=lambda one: one.hex):
        for mark, words, broken in SPOILERS:
            if state.has_mark(tf, mark):
                _tell_spoilt(turn, tf, words, broken)
                break
        else:
            if not state.has_mark(tf, "moved") or tf.shadowing:
                _tell_spoilt(turn, tf, "it did not expend its point in place", "PQ-17 12.5.3.2")
            elif not can_pay(state, tf, "minelaying"):
                _tell_spoilt(turn, tf, "a ship had no fuel left for it", "PQ-17 12.5.3.3")
            elif (field := _lay(turn, tf)) is not None:
                grown.append(field)
    return grown


def _tell_spoilt(turn: TurnContext[State], tf: TaskForce, words: str, rule: str) -> None:
    text = f"{tf.label} laid no mines in {tf.hex}: {words}. No mines and no laying fuel were spent."
    turn.tell([tf.side], text, kind="mines", why=because(rule, {"minelaying in": tf.hex}))


@rule("12.5.3", "12.5.3.4", "12.5.3.9")
def _lay(turn: TurnContext[State], tf: TaskForce) -> Minefield | None:
    """Lay the mines missing to the next strength point, or as many as there are; returns the minefield if it grew.

    PQ-17 12.5.3, 12.5.3.4, 12.5.3.9; ruling MIN-12."""
    state = turn.state
    key = field_key(tf.side, tf.hex)
    before = state.mines.loads.get(key, 0)
    laid = min(MINES_A_POINT - before, mines_to_lay(state, tf))
    pay(state, tf, "minelaying")
    use_mines(state, tf, laid)
    inputs: dict[str, object] = {"mines laid": laid}
    if before:
        inputs["laid before"] = before
    if before + laid < MINES_A_POINT:
        state.mines.loads[key] = before + laid
        missing = MINES_A_POINT - before - laid
        more = f"{missing} more {verb(missing, 'makes', 'make')} a strength point"
        text = f"{tf.label} laid {counted(laid, 'mine')} in {tf.hex}; {more}."
        turn.tell([tf.side], text, kind="mines", why=because("PQ-17 12.5.3.9", inputs))
        return None
    state.mines.loads.pop(key, None)
    field = field_at(state, tf.side, tf.hex)
    field = _new_field(state, tf) if field is None else _strengthen(field)
    text = f"{tf.label} laid {counted(laid, 'mine')} in {tf.hex}: your minefield there has strength {field.strength}."
    turn.tell([tf.side], text, kind="mines", why=because("PQ-17 12.5.3.8", inputs))
    _tell_enemy(turn, field)
    return field


@rule("12.5.3.10")
def _new_field(state: State, tf: TaskForce) -> Minefield:
    """A new minefield; it counts as split from the force that laid it, and is known at that force's level. PQ-17
    12.5.3.10; ruling MIN-13."""
    level = min(int(tf.id_level), int(IdLevel.ID3))
    known = level >= IdLevel.ID0
    field = Minefield(
        side=tf.side, hex=tf.hex, strength=1, level=level, known_strength=1 if known else None, seen_laid=known
    )
    state.mines.fields[field_key(tf.side, tf.hex)] = field
    return field


@rule("12.2.1", "12.4.5")
def _strengthen(field: Minefield) -> Minefield:
    """Add a strength point; an enemy that had identified the minefield now knows only that it is there.

    PQ-17 12.2.1, 12.4.5; rulings MIN-8, MIN-13."""
    field.strength += 1
    field.level = min(field.level, int(IdLevel.U))
    field.known_strength, field.seen_laid = None, False
    return field


def _tell_enemy(turn: TurnContext[State], field: Minefield) -> None:
    """Tell an enemy in the hex at once how the minefield changed; otherwise it learns this on arriving. MIN-8."""
    state = turn.state
    if field.level > IdLevel.N and (is_met(state, field) or field.strength == 1):
        why = because("PQ-17 12.5.3.10" if field.strength == 1 else "PQ-17 12.4.5", {"seen in": field.hex})
        report_contact(turn, as_force(field), state.enemy_of(field.side), why)
