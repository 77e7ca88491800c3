"""Referee edits: setting one value of a state by its path, validated, in place, and undone if it is refused."""

from collections.abc import Callable, Sequence
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused, malformed
from rules_engine.core.running.edit_values import plain_words
from rules_engine.core.running.state_paths import NOTHING, StatePart, follow

Undo = Callable[[], None]


def assign(state: BaseModel, path: str, value: Json, *, remove: bool = False, as_given: bool = False) -> None:
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
            _undo(undone)
            raise
        undone.append(undo)
    if as_given and isinstance(follow(state, path, new=True)[-2].value, BaseModel):
        return
    misfits = _misfits(state, path)
    if misfits:
        _undo(undone)
        known = _misfits(state, path)
        new = [one for one in misfits if one not in known]
        if new:
            raise Refused(new)
        for one in paths_in(path):  # what did not fit before hinders no repair
            _assign_one(state, one, value, remove=remove, as_given=as_given)


def paths_in(path: str) -> list[str]:
    """The paths that stand in one text, with commas between them."""
    return [part for one in path.split(",") if (part := one.strip())] or [path]


def _assign_one(state: BaseModel, path: str, value: Json, *, remove: bool, as_given: bool) -> Undo:
    spots = follow(state, path, new=not remove)
    holder, spot = spots[-2], spots[-1]
    if remove and isinstance(holder.value, BaseModel):
        raise Refused([malformed("only an entry of a table can be removed, or an item of a list", path)])
    if remove:
        return _take_out(spots)
    if not (as_given and _is_table_of_plain_values(holder, spot)):
        value = fitting(spot, value, path)
    return _put(spots, value, path)


def _undo(undone: Sequence[Undo]) -> None:
    for undo in reversed(undone):
        undo()


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
    if isinstance(holder.value, BaseModel | list | tuple):
        return False
    table = cast("dict[Any, Any]", holder.value)
    example = table.get(spot.name, next(iter(table.values()), None))
    return not isinstance(example, BaseModel)


# --- changing ---------------------------------------------------------------------------------------------------------


def _put(spots: Sequence[StatePart], value: Any, path: str) -> Undo:
    """Let ``value`` stand at the last spot; gives what puts the former one back."""
    holder, name = spots[-2].value, spots[-1].name
    before = spots[-1].value
    if isinstance(holder, BaseModel):
        return _put_into_model(spots, value, path)
    if isinstance(holder, dict):
        table = cast("dict[Any, Any]", holder)
        kept = dict(table)
        table[name] = value
        return lambda: _refill(table, kept)
    if isinstance(holder, list):
        items = cast("list[Any]", holder)
        kept_items = list(items)
        if before is NOTHING:
            items.append(value)
        else:
            items[name] = value
        return lambda: items.__setitem__(slice(None), kept_items)
    row = list(cast("tuple[Any, ...]", holder))
    row[name : name + 1] = [value]
    return _put(spots[:-1], tuple(row), path)


def _put_into_model(spots: Sequence[StatePart], value: Any, path: str) -> Undo:
    holder, name = cast("BaseModel", spots[-2].value), spots[-1].name
    try:
        if holder.model_config.get("frozen"):
            values = {field: getattr(holder, field) for field in type(holder).model_fields}
            return _put(spots[:-1], type(holder).model_validate({**values, name: value}), path)
        before = getattr(holder, name)
        setattr(holder, name, value)
    except ValidationError as error:
        raise Refused(plain_words(error, path, spots[-1])) from None
    return lambda: setattr(holder, name, before)


def _take_out(spots: Sequence[StatePart]) -> Undo:
    holder, name = spots[-2].value, spots[-1].name
    if isinstance(holder, dict):
        table = cast("dict[Any, Any]", holder)
        kept = dict(table)
        del table[name]
        return lambda: _refill(table, kept)
    if isinstance(holder, list):
        items = cast("list[Any]", holder)
        kept_items = list(items)
        del items[name]
        return lambda: items.__setitem__(slice(None), kept_items)
    row = list(cast("tuple[Any, ...]", holder))
    del row[name]
    return _put(spots[:-1], tuple(row), "")


def _refill(table: dict[Any, Any], kept: dict[Any, Any]) -> None:
    """Put a table back as it was, with its entries in their order."""
    table.clear()
    table.update(kept)


# --- the whole --------------------------------------------------------------------------------------------------------


def _misfits(state: BaseModel, path: str) -> list[Refusal]:
    """What of the whole state does not fit its model."""
    try:
        type(state).model_validate(state.model_dump(warnings=False))
    except ValidationError as error:
        return plain_words(error, path, whole=True)
    return []
