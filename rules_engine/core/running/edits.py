"""Referee edits: setting one value of a state by its path, validated, in place, and undone if it is refused."""

import copy
from typing import Any, cast

from pydantic import BaseModel, TypeAdapter, ValidationError

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused, from_validation, malformed, nearest


def assign(state: BaseModel, path: str, value: Json, *, remove: bool = False) -> None:
    """Set what ``path`` names (``"units.CA1.fuel"``) to ``value``, or remove it from its table.

    Live references to parts of the state stay valid, so that a running turn sees the change.

    Raises:
        Refused: when the path does not exist or the value does not fit; the state is then as it was.
    """
    parts = path.split(".")
    holder: Any = state
    for depth, part in enumerate(parts[:-1]):
        holder = _step(holder, part, ".".join(parts[: depth + 1]))
    last = parts[-1]
    if isinstance(holder, BaseModel):
        if remove:
            raise Refused([malformed("only an entry of a table can be removed", path)])
        _step(holder, last, path)
        try:
            kind: Any = type(holder).model_fields[last].annotation
            setattr(holder, last, TypeAdapter[Any](kind).validate_python(value))
        except ValidationError as error:
            raise Refused(from_validation(error, path)) from None
        return
    if isinstance(holder, dict):
        _assign_entry(state, cast("dict[str, Any]", holder), last, value, path, remove=remove)
        return
    raise Refused([malformed("this path does not lead to a value that can be set", path)])


def _assign_entry(state: BaseModel, table: dict[str, Any], key: str, value: Json, path: str, *, remove: bool) -> None:
    before = copy.copy(table)
    if remove:
        _step(table, key, path)
        del table[key]
    else:
        table[key] = _like(table, key, value, path)
    try:
        type(state).model_validate(state.model_dump(warnings=False))
    except ValidationError as error:
        table.clear()
        table.update(before)
        raise Refused(from_validation(error, path)) from None


def _like(table: dict[str, Any], key: str, value: Json, path: str) -> Any:
    """``value`` as the type that the other values of ``table`` have."""
    example = table.get(key, next(iter(table.values()), None))
    if example is None or not isinstance(example, BaseModel):
        return value
    try:
        return type(example).model_validate(value)
    except ValidationError as error:
        raise Refused(from_validation(error, path)) from None


def _step(holder: Any, part: str, path: str) -> Any:
    if isinstance(holder, BaseModel):
        known = list(type(holder).model_fields)
        if part in known:
            return getattr(holder, part)
    elif isinstance(holder, dict):
        table = cast("dict[str, Any]", holder)
        known = [str(key) for key in table]
        if part in table:
            return table[part]
    else:
        known = []
    raise Refused([malformed("there is nothing of that name in the state", path, nearest=nearest(part, known))])
