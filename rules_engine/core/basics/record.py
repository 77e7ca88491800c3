"""Records: what a campaign's state is made of, plain typed fields in slots that play changes in place.

Records are validated where they come in, by :meth:`Record.from_json`, and where a referee corrects them; inside the
engine nothing is, for a type checker has read every assignment. They hold plain values, frozen values (and tuples of
these), other records, and lists and dicts of all of them. No list, dict or record stands in two places of a state.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform, get_args, get_origin, get_type_hints

from pydantic import ConfigDict, TypeAdapter
from pydantic.fields import FieldInfo

from rules_engine.core.basics.base import Json

T = TypeVar("T")


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
class RecordType(type):
    """Gives every kind of record slots for its fields, which are given by name."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> type:
        """A kind of record; the class with slots that a dataclass is made into comes by here again."""
        kind = super().__new__(cls, name, bases, namespace)
        return kind if "__slots__" in namespace else dataclass(slots=True, kw_only=True)(kind)


class Record(metaclass=RecordType):
    """A part of a campaign's state."""

    __slots__ = ()
    __pydantic_config__ = ConfigDict(extra="forbid")
    LATER: ClassVar[frozenset[str]] = frozenset()
    """Collections and flags that a state has only since some version, and that no fingerprint holds while they are
    empty or not set: so campaigns that were written down before play back."""

    @classmethod
    def from_json(cls, document: object) -> Self:
        """The record that was written as ``document``, or that a scenario's values make.

        Raises:
            ValidationError: where a value does not fit its field.
        """
        return cast("Self", _door(cls).validate_python(document))

    def to_json(self, *, warnings: bool = True) -> dict[str, Json]:
        """The record as JSON has it, in the order of its fields; with ``warnings`` of values of another type."""
        return _door(type(self)).dump_python(self, mode="json", warnings=warnings)

    def copied(self) -> Self:
        """A copy that shares nothing that may change."""
        return self.changed(**{name: copied(getattr(self, name)) for name in changing_fields(type(self))})

    def changed(self, **values: Any) -> Self:
        """Another record with these values; it shares all other values with this one."""
        return type(self)(**{**dict(zip(field_names(type(self)), reader_of(type(self))(self), strict=True)), **values})

    def index(self) -> None:
        """Make anew what the record looks its parts up by, if it does: they were changed otherwise than by play."""


class Stamped(Record):
    """A record of which a state has many: its ``stamp`` is another one whenever a field was set, so that whoever looks
    at all of them again and again need not read all their fields."""

    __slots__ = ("stamp",)
    stamp: ClassVar[object]

    def __new__(cls, *_values: object, **_named: object) -> Self:
        """A record, with a stamp of its own before any field is set."""
        made = super().__new__(cls)
        object.__setattr__(made, "stamp", object())
        return made

    def __setattr__(self, name: str, value: object) -> None:
        """Set a field."""
        if getattr(self, name, object) is not value:
            object.__setattr__(self, name, value)
            object.__setattr__(self, "stamp", object())


def copied(value: T) -> T:
    """A value of a record, copied as far as it may change."""
    held: Any = value
    kind: type[object] = type(value)
    if kind is list:
        return cast("T", list(map(copied, cast("list[object]", held))))
    if kind is dict:
        return cast("T", {key: copied(one) for key, one in cast("Mapping[object, object]", held).items()})
    return cast("T", held.copied()) if isinstance(held, Record) else value


@cache
def field_names(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of record, in their order."""
    return tuple(one.name for one in fields(cast("Any", kind)))


@cache
def changing_fields(kind: type[Record]) -> tuple[str, ...]:
    """The fields of a kind of record whose values may change in place, in their order."""
    return tuple(name for name, of in kinds_of_fields(kind).items() if _may_change(of))


def _may_change(kind: Any) -> bool:
    holds_many = get_origin(kind) in (list, dict)
    return holds_many or (isinstance(kind, type) and issubclass(kind, Record)) or any(map(_may_change, get_args(kind)))


@cache
def reader_of(kind: type[Record], *names: str) -> Callable[[Record], tuple[Any, ...]]:
    """A function that reads these of a record: all its fields, in their order, if none are named."""
    fields = "".join(f"made.{name}, " for name in names or field_names(kind))
    # written out, they are read faster than by name
    return eval(f"lambda made: ({fields})")


@cache
def kinds_of_fields(kind: type[Record]) -> dict[str, Any]:
    """The fields of a kind of record, with the types of what may stand in each."""
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in field_names(kind)}


@cache
def left_out(kind: type[Record]) -> dict[str, Callable[[Any], bool]]:
    """The fields that are not written down while these functions say so of their values (``exclude_if``): fields that a
    kind of record was given later, so that what was written before reads and plays back as it did."""
    found: dict[str, Callable[[Any], bool]] = {}
    for name, of in kinds_of_fields(kind).items():
        for note in getattr(of, "__metadata__", ()):
            if isinstance(note, FieldInfo) and note.exclude_if is not None:
                found[name] = note.exclude_if
    return found


@cache
def _door(kind: type[Record]) -> TypeAdapter[Any]:
    return TypeAdapter(kind)
