"""Referee edits: setting one value of a state by its path, validated, in place, and undone if it is refused."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.record import Record
from rules_engine.core.basics.refusals import Refusal, Refused, malformed
from rules_engine.core.running.edit_values import plain_words
from rules_engine.core.running.state_paths import StatePart, follow, has_fields

Undo = Callable[[], None]


def assign(state: Record, path: str, value: Json, *, remove: bool = False, as_given: bool = False) -> None:
    """Set what ``path`` names (``"units.CA1.fuel"``) to ``value``, or remove it from its table or list. Several paths,
    with commas between them, are set to the same value at once.

    Live references to parts of the state stay valid, so that a running turn sees the change; only a record that can
    never change is replaced by another. ``as_given``: an entry of a table that holds no models is kept as it was given,
    as it was in the earliest records.

    Raises:
        Refused: when a path does not exist or the value does not fit; the state is then as it was.
    """
    undone: list[Undo] = []
    for one in [path] if as_given else paths_in(path):
        try:
            undo = _assign_one(state, one, value, remove=remove, as_given=as_given)
        except Refused:
            _undo(state, undone)
            raise
        undone.append(undo)
    state.index()
    if as_given and has_fields(follow(state, path, new=True)[-2].value):
        return
    misfits = _misfits(state, path)
    if misfits:
        _undo(state, undone)
        known = _misfits(state, path)
        new = [one for one in misfits if one not in known]
        if new:
            raise Refused(new)
        for one in paths_in(path):  # what did not fit before hinders no repair
            _assign_one(state, one, value, remove=remove, as_given=as_given)
        state.index()


def paths_in(path: str) -> list[str]:
    """The paths that stand in one text, with commas between them."""
    return [part for one in path.split(",") if (part := one.strip())] or [path]


def _assign_one(state: Record, path: str, value: Json, *, remove: bool, as_given: bool) -> Undo:
    spots = follow(state, path, new=not remove)
    holder, spot = spots[-2], spots[-1]
    if remove and has_fields(holder.value):
        raise Refused([malformed("only an entry of a table can be removed, or an item of a list", path)])
    if remove:
        return _take_out(spots)
    if not (as_given and _is_table_of_plain_values(holder, spot)):
        value = fitting(spot, value, path)
    return _put(spots, value, path)


def _undo(state: Record, undone: Sequence[Undo]) -> None:
    for undo in reversed(undone):
        undo()
    state.index()


def fitting(spot: StatePart, value: Json, path: str) -> Any:
    """``value`` as the spot's type has it.

    Raises:
        Refused: in plain words, when it does not fit.
    """
    try:
        return TypeAdapter[Any](spot.kind).validate_python(value)
    except ValidationError as error:
        raise Refused(plain_words(error, path, spot)) from None


def _is_table_of_plain_values(holder: StatePart, spot: StatePart) -> bool:
    if has_fields(holder.value) or isinstance(holder.value, list | tuple):
        return False
    table = cast("dict[Any, Any]", holder.value)
    example = table.get(spot.name, next(iter(table.values()), None))
    return not has_fields(example)


# --- changing ---------------------------------------------------------------------------------------------------------


def _put(spots: Sequence[StatePart], value: Any, path: str) -> Undo:
    """Let ``value`` stand at the last spot; gives what puts the former one back."""
    holder, name = spots[-2].value, spots[-1].name
    if isinstance(holder, BaseModel):
        values = {field: getattr(holder, field) for field in type(holder).model_fields}
        try:
            return _put(spots[:-1], type(holder).model_validate({**values, name: value}), path)
        except ValidationError as error:
            raise Refused(plain_words(error, path, spots[-1])) from None
    if isinstance(holder, Record):
        before = spots[-1].value
        setattr(holder, name, value)
        return lambda: setattr(holder, name, before)
    if isinstance(holder, dict):
        return _fill(spots, {**cast("dict[Any, Any]", holder), name: value}, path)
    row = list(cast("Sequence[Any]", holder))
    row[name : name + 1] = [value]
    return _fill(spots, row, path)


def _take_out(spots: Sequence[StatePart]) -> Undo:
    holder, name = spots[-2].value, spots[-1].name
    if isinstance(holder, dict):
        table = cast("dict[Any, Any]", holder)
        return _fill(spots, {key: one for key, one in table.items() if key != name}, "")
    row = list(cast("Sequence[Any]", holder))
    del row[name]
    return _fill(spots, row, "")


def _fill(spots: Sequence[StatePart], content: dict[Any, Any] | list[Any], path: str) -> Undo:
    """Give the table or the list at the last spot but one another content. What a frozen value holds is replaced with
    it, and so is a tuple; of anything else the same table or list stays."""
    holder: Any = spots[-2].value
    if isinstance(holder, tuple):
        return _put(spots[:-1], tuple(cast("list[Any]", content)), path)
    if any(isinstance(spot.value, BaseModel) for spot in spots[:-1]):
        return _put(spots[:-1], content, path)
    kept = type(holder)(holder)
    _refill(holder, content)
    return lambda: _refill(holder, kept)


def _refill(holder: Any, content: Any) -> None:
    """Let a table or a list hold this, in this order."""
    holder.clear()
    fill: Callable[[Any], None] = getattr(holder, "update", None) or holder.extend
    fill(content)


# --- the whole --------------------------------------------------------------------------------------------------------


def _misfits(state: Record, path: str) -> list[Refusal]:
    """What of the whole state does not fit its model."""
    try:
        type(state).from_json(state.to_json(warnings=False))
    except ValidationError as error:
        return plain_words(error, path, whole=True)
    return []
