"""Minefields on boards: a side's own with their strength, the enemy's as far as it knows, and those announced to all.

PQ-17 12.2.3, 12.4; ruling MIN-10.
"""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Counter, Knowledge, Panel
from rules_engine.rulebooks.pq17.contacts.minefields import HEADLINE, all_fields
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.minefields import MINES_A_POINT, Minefield, PrintedField, field_key
from rules_engine.rulebooks.pq17.records.state import State

FORM = "minefield"


def own_field_counters(state: State, side: Side, *, with_levels: bool = False) -> Iterable[Counter]:
    """A side's own minefields. How well the enemy knows them is shown only on the omniscient board."""
    for field in all_fields(state, side):
        level = IdLevel(field.level) if with_levels else None
        yield Counter(
            id=field_key(field.side, field.hex),
            hex=field.hex,
            owner=field.side,
            form=FORM,
            label=f"M{field.strength}",
            level=None if level is None else int(level),
            level_name="" if level is None else level.label,
            grade=None if level is None else level.grade,
            details=(HEADLINE, f"Strength {field.strength}"),
        )


def printed_counters(state: State, side: Side | None, knowledge: Knowledge | None = None) -> Iterable[Counter]:
    """Enemy minefields that the scenario prints, until the side has met them or found them gone; None for the public.

    What has become of them since is not read. Ruling MIN-10."""
    contacts = knowledge.contacts.values() if knowledge is not None else ()
    met = {contact.latest.hex for contact in contacts if contact.form == FORM}
    gone = state.mines.gone.get(side, []) if side is not None else []
    for one in state.mines.printed:
        if one.side != side and one.hex not in met and one.hex not in gone:
            yield _printed_counter(one)


def _printed_counter(one: PrintedField) -> Counter:
    return Counter(
        id=f"printed {one.side} {one.hex}",
        hex=one.hex,
        owner=one.side,
        form=FORM,
        label="M",
        details=(HEADLINE, f"Strength {one.strength} at the start"),
    )


@rule("12.2.3", "12.5.3.9")
def field_panels(state: State, side: Side, whose: str = "") -> Iterable[Panel]:
    """A side's record of its own minefields and of mines laid towards the next point. PQ-17 12.2.3, 12.5.3.9."""
    rows = [_row(field) for field in all_fields(state, side)]
    for key in sorted(state.mines.loads):
        owner, hex_id = key.split()
        if owner == side:
            rows.append(f"{hex_id}: {state.mines.loads[key]} of {MINES_A_POINT} mines laid towards the next point")
    if rows:
        yield Panel(title=f"Minefields{whose}", rows=tuple(rows))


def _row(field: Minefield) -> str:
    attacked = ", attacked this turn" if field.attacked else ""
    return f"{field.hex}: strength {field.strength}{attacked}"
