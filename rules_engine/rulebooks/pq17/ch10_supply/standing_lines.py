"""Docking and transfers that stand for later turns: lines of the logistics sheet that a side has changed from what the
routine proposes, and wants so each turn. PQ-17 10.3.7.1, ruling PQ-196.

Lines are named by units, so that a standing line means the same in each turn. Where one and the routine do not go
together, the routine gives way. A line whose unit is not there to be docked waits; one that the rules refuse ends, and
its owner is told. Repairs need none of this: an order for them stands until it is done.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.fitting import fitting
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.forms.order_rows import names_line
from rules_engine.rulebooks.pq17.records.logistics import SupplyRoutine
from rules_engine.rulebooks.pq17.records.state import State

RULE = "PQ-17 10.3.7.1, ruling PQ-196"
YES, ONCE, NO = "yes", "once", "no"
DOCK = "dock-"
"""How the lines begin that say who is docked, before the unit's id."""
KEPT = ("ships", "give")
"""The fields that stand: who is docked, and what a unit gives."""
APART = ("", "PQ-17 10.3.7", "PQ-17 10.3.8.1", "PQ-17 10.3.9.1")
"""The rules by which units are refused that are elsewhere this turn; who is none of the ships there has no rule."""

Trial = Callable[[Form], Sequence[Refusal]]
"""What is refused of a sheet that is sent as this form is filled in."""
Kept = dict[str, str]


@dataclass(frozen=True)
class StandingNow:
    """Standing lines in a turn: the form with those filled in that fit, and for each other why it does not."""

    form: Form
    misfits: Mapping[str, str] = field(default_factory=dict[str, str])


def stands_field(wish: SupplyRoutine) -> Field:
    """Whether what is changed on the sheet stands for later turns."""
    if not wish.lines:
        way = (Choice(YES, "What I changed stands: each turn from now on"),)
        return Field("stands", "Later turns", "one", way, optional=True)
    ways = (
        Choice(YES, "What stands, and what I changed: each turn"),
        Choice(ONCE, "This turn only; what stood, stands"),
        Choice(NO, "Nothing stands any more: back to the routine"),
    )
    return Field("stands", "Later turns", "one", ways, value=YES)


@rule("10.3.7.1")
def standing_now(form: Form, kept: Mapping[str, str], trial: Trial) -> StandingNow:
    """The routine's ``form`` with as many standing lines as are legal by themselves, and as much of the routine as goes
    together with these; docking gives way first, since whoever passes something on is docked for it in any case.
    PQ-17 10.3.7.1, ruling PQ-196."""
    there = [key for key in kept if _kept_field(form.line(key)) is not None]
    if not there:
        return StandingNow(form)
    routine = [line.key for line in form.lines if _is_work(line) and any(map(_says, line.fields))]

    def is_about(key: str, wrong: Refusal) -> bool:
        return names_line(wrong.path, key)

    def made(standing: Sequence[str], usual: Sequence[str]) -> Form:
        return _filled(form, {key: kept[key] for key in standing}, {*usual})

    good, left = fitting(there, lambda some: trial(made(some, ())), is_about)
    others = [key for key in reversed(routine) if key not in good]
    usual, _ = fitting(others, lambda some: trial(made(good, some)), is_about)
    misfits = {key: _why(why) for key, why in left.items() if not _is_apart(why)}
    return StandingNow(made(good, usual), misfits)


def _filled(form: Form, standing: Mapping[str, str], usual: Collection[str]) -> Form:
    """The form with these standing lines, and of the routine the ``usual`` ones."""
    lines: list[Line] = []
    for line in form.lines:
        if line.key in standing:
            lines.append(_with(line, _value(line, standing[line.key])))
        elif _is_work(line) and line.key not in usual:
            lines.append(line._replace(fields=tuple(map(_emptied, line.fields))))
        else:
            lines.append(line)
    return replace(form, lines=tuple(lines))


def _is_work(line: Line) -> bool:
    """Whether it docks, gives or repairs something."""
    return any(one.key in (*KEPT, "by") for one in line.fields)


def _says(one: Field) -> bool:
    return one.optional and one.value not in (None, [], "")


def _emptied(one: Field) -> Field:
    return one._replace(value=[] if one.kind == "many" else None) if one.optional else one


def _kept_field(line: Line | None) -> Field | None:
    return None if line is None else next((one for one in line.fields if one.key in KEPT), None)


def _value(line: Line, written: str) -> Json:
    """A kept value as its field has it."""
    kept = _kept_field(line)
    return [*written.split()] if kept is not None and kept.kind == "many" else written or None


def _with(line: Line, value: Json) -> Line:
    return line._replace(fields=tuple(one._replace(value=value) if one.key in KEPT else one for one in line.fields))


def _is_apart(refused: Sequence[Refusal]) -> bool:
    """Whether a line is refused only because its units are not together in this turn."""
    return all(one.rule in APART for one in refused)


def _why(refused: Sequence[Refusal]) -> str:
    first = refused[0]
    return first.problem + (f" ({first.rule})" if first.rule else "")


# --- keeping ----------------------------------------------------------------------------------------------------------


def kept_of(form: Form, sheet: Mapping[str, Mapping[str, Json]], before: Mapping[str, str], stands: str | None) -> Kept:
    """The lines that stand after a ``sheet``: those that it changes from what is filled in, and those that stood and
    that it leaves; also those that wait."""
    if stands == NO:
        return {}
    if stands != YES:
        return dict(before)
    kept = dict(before)
    for line in form.lines:
        one = _kept_field(line)
        if one is None or one.key not in sheet.get(line.key, {}):
            continue
        if _written(value := sheet[line.key][one.key]) != _written(one.value):
            kept[line.key] = _written(value)
    return kept


def _written(value: Json) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value or "").strip()


def say_standing(
    state: State, form: Form, sheet: Mapping[str, Mapping[str, Json]], before: Mapping[str, str], stands: str | None
) -> Iterator[str]:
    """Say which lines of a sheet stand for later turns, in plain words."""
    kept = kept_of(form, sheet, before, stands)
    if before and not kept:
        yield "No lines stand any more: the routine proposes all of it again."
    elif kept and stands == YES:
        yield f"Each turn until you change it: {standing_said(state, kept)}."
    elif stands == YES:
        yield "Nothing differs from the routine, so nothing stands for later turns."
    elif before:
        yield "What stands for later turns stays as it was."


def standing_said(state: State, kept: Mapping[str, str]) -> str:
    """Lines that stand, in a row, for the side whose they are."""
    return "; ".join(f"{_line_named(state, key)}: {_said(state, key, value)}" for key, value in kept.items())


def _line_named(state: State, key: str) -> str:
    """How a line that stands is called, whether its unit is at a place for logistics or not."""
    unit_id = key.removeprefix(DOCK)
    return f"{_named(state, unit_id)} gives" if unit_id == key else f"Docked to {_named(state, unit_id)}"


def _said(state: State, key: str, value: str) -> str:
    """The docked ships by name, which are kept by their ids; what a unit gives as it was written."""
    said = ", ".join(_named(state, unit_id) for unit_id in value.split()) if key.startswith(DOCK) else value
    return said or "nothing"


def _named(state: State, unit_id: str) -> str:
    unit = state.units.get(unit_id)
    return "a unit that is gone" if unit is None else f"{unit.name} ({state.class_of(unit).label})"
