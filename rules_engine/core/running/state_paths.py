"""Paths into a state: names with dots (``units.CA1.fuel``, ``ledger.0.amount``), and what stands where they lead.

Steps are the fields of models, the keys of tables and the numbers of a list's items, counted from 0.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import UnionType
from typing import Annotated, Any, TypeGuard, Union, cast, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from rules_engine.core.basics.keys import KeyOf
from rules_engine.core.basics.record import Record, kinds_of_fields
from rules_engine.core.basics.refusals import Refused, malformed, nearest

NOTHING = object()
"""What stands where a table or a list could take a new entry."""

TOLD_BY = ("name", "title", "label", "text", "class_id", "ship_class", "kind", "side", "race", "hex")
"""The fields by which people recognise an entry."""

MOST_SHOWN = 60
"""Characters of a value in a list of them."""


@dataclass(frozen=True)
class StatePart:
    """A place in a state: its name in what holds it, what stands there, and the type of what may."""

    name: Any
    value: Any
    kind: Any


def follow(state: Record, path: str, *, new: bool = False) -> list[StatePart]:
    """The spots that a path leads through, the state itself first. With ``new`` the last one may be :data:`NOTHING`.

    Raises:
        Refused: naming the first step that leads nowhere, and what may have been meant.
    """
    spots = [StatePart("", state, type(state))]
    parts = path.split(".")
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        found = step(spots[-1], part, new=new and last)
        if found is None:
            raise Refused([_nowhere(spots[-1], parts, number)])
        spots.append(found)
    return spots


def path_of(spots: Sequence[StatePart]) -> str:
    """The path that leads through these spots, as it is written down."""
    return ".".join(written(spot.name) for spot in spots[1:])


def step(holder: StatePart, part: str, *, new: bool = False) -> StatePart | None:
    """The spot of that name in ``holder``; letters may be large or small where that leaves no doubt."""
    by_name = {written(spot.name): spot for spot in within(holder)}
    if part in by_name:
        return by_name[part]
    alike = [spot for name, spot in by_name.items() if name.casefold() == part.casefold()]
    if len(alike) == 1:
        return alike[0]
    return new_entry(holder, part) if new else None


def within(holder: StatePart) -> Iterator[StatePart]:
    """What a model, a table or a list holds, in its order; nothing in anything else."""
    value = holder.value
    match value:
        case BaseModel() | Record():
            for name, kind in kinds_of(type(value)).items():
                yield StatePart(name, getattr(value, name), kind)
        case dict():
            kind = entry_kind(holder.kind)
            for key, entry in cast("dict[Any, Any]", value).items():
                yield StatePart(key, entry, kind)
        case list() | tuple():
            items = cast("Sequence[Any]", value)
            for number, item in enumerate(items):
                yield StatePart(number, item, item_kind(holder.kind, number))
        case _:
            return


def new_entry(holder: StatePart, part: str) -> StatePart | None:
    """Where a new entry of that name would stand: under any key of a table, or behind the last item of a list."""
    match holder.value:
        case dict():
            return StatePart(_key(holder.kind, part), NOTHING, entry_kind(holder.kind))
        case list() | tuple() if part == str(len(list(within(holder)))):
            return StatePart(int(part), NOTHING, item_kind(holder.kind, int(part)))
        case _:
            return None


def _key(kind: Any, part: str) -> Any:
    """A key as the table has its keys; as it was written if it is none of those that may be."""
    arguments = get_args(plain_kind(kind))
    try:
        return TypeAdapter[Any](arguments[0] if len(arguments) == 2 else Any).validate_python(part)
    except ValidationError:
        return part


def written(name: Any) -> str:
    """A field, a key or a number as a step of a path."""
    return str(getattr(name, "value", name))


# --- records and frozen values ----------------------------------------------------------------------------------------


def has_fields(value: Any) -> bool:
    """Whether a value is a record, or a frozen value with fields of its own."""
    return isinstance(value, BaseModel | Record)


def is_model(kind: Any) -> TypeGuard[type[BaseModel | Record]]:
    """Whether values of this type have fields."""
    return isinstance(kind, type) and issubclass(kind, BaseModel | Record)


@cache
def kinds_of(model: type[BaseModel | Record]) -> dict[str, Any]:
    """The fields that are written down, with the types of what may stand in each."""
    if issubclass(model, Record):
        return kinds_of_fields(model)
    return {
        name: Annotated[one.annotation, *one.metadata] if one.metadata else one.annotation
        for name, one in model.model_fields.items()
        if not one.exclude
    }


def required_of(model: type[BaseModel | Record]) -> list[str]:
    """The fields that have no value of their own."""
    return list(TypeAdapter(model).json_schema().get("required", ()))


# --- types ------------------------------------------------------------------------------------------------------------


def plain_kind(kind: Any) -> Any:
    """A type without what is noted beside it, and without None where it may be None."""
    origin = get_origin(kind)
    if origin is Annotated:
        return plain_kind(get_args(kind)[0])
    if origin in (Union, UnionType):
        arms = [arm for arm in get_args(kind) if arm is not type(None)]
        return plain_kind(arms[0]) if len(arms) == 1 else kind
    return kind


def may_be_none(kind: Any) -> bool:
    """Whether None may stand for a value of this type."""
    if get_origin(kind) is Annotated:
        return may_be_none(get_args(kind)[0])
    return kind is type(None) or (get_origin(kind) in (Union, UnionType) and type(None) in get_args(kind))


def entry_kind(kind: Any) -> Any:
    """The type of a table's entries."""
    arguments = get_args(plain_kind(kind))
    return arguments[1] if len(arguments) == 2 and get_origin(plain_kind(kind)) is dict else Any


def item_kind(kind: Any, number: int = 0) -> Any:
    """The type of a list's items, or of one item of a tuple."""
    plain = plain_kind(kind)
    arguments = get_args(plain)
    if get_origin(plain) is tuple and arguments[-1:] != (Ellipsis,):
        return arguments[number] if number < len(arguments) else Any
    return arguments[0] if arguments and get_origin(plain) in (list, tuple) else Any


def key_of(kind: Any) -> KeyOf | None:
    """Of which tables a text of this type is a key; None of any other type."""
    notes = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    found = next((one for one in notes if isinstance(one, KeyOf)), None)
    if found is not None or get_origin(kind) not in (Annotated, Union, UnionType):
        return found
    return next((one for one in map(key_of, get_args(kind)) if one is not None), None)


def names_by_key(state: Any, kind: Any) -> dict[str, str]:
    """What the entries are called whose keys may stand in a place of this type; nothing of other types."""
    tables = () if (found := key_of(kind)) is None else found.tables
    return {key: one.name for table in tables for key, one in getattr(state, table).items()}


# --- as people read it ------------------------------------------------------------------------------------------------


def heading_of(value: Any) -> str:
    """What an entry is, in a few words: its name, its side, its hex."""
    if not has_fields(value):
        return ""
    told = [getattr(value, name) for name in TOLD_BY if name in kinds_of(type(cast("Record", value)))]
    return ", ".join(dict.fromkeys(written(one) for one in told if one not in ("", None)))[:MOST_SHOWN]


def holds_parts(value: Any) -> bool:
    """Whether a path can lead on from here."""
    return has_fields(value) or isinstance(value, list | tuple | dict)


def _nowhere(holder: StatePart, parts: Sequence[str], number: int) -> Any:
    path, part = ".".join(parts[: number + 1]), parts[number]
    here = ".".join(parts[:number])
    names = [written(spot.name) for spot in within(holder)]
    if not holds_parts(holder.value):
        what = "nothing stands here" if holder.value is None else "this is a single value"
        return malformed(f"{what}, so no path leads on from it", path, legal=f"{here} itself")
    meant = [".".join([*filter(None, [here]), near, *parts[number + 1 :]]) for near in nearest(part, names)]
    legal = "" if meant else ", ".join(names[:8]) + (" …" if len(names) > 8 else "")
    return malformed("there is nothing of that name in the state", path, legal=legal, nearest=meant)
