"""Moments: a campaign as it stood, kept without copying what has not changed since the last time.

Play changes records in place. What outlasts that is made of moments: the fingerprint of each step, the snapshot of a
turn, and what a reader was last shown. The state is kept field by field, a table of records entry by entry, and of an
entry that has changed only the fields that differ are copied and written as JSON again.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache, cached_property
from itertools import compress, count
from json.encoder import encode_basestring
from operator import attrgetter, is_not, ne
from types import NoneType, UnionType
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar, Union, cast, get_args, get_origin

from pydantic import TypeAdapter

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.record import (
    Record,
    Stamped,
    changing_fields,
    copied,
    kinds_of_fields,
    left_out,
    reader_of,
)
from rules_engine.core.knowledge.views import Knowledge

R = TypeVar("R", bound=Record)

FLAT = (str, int, bool, Fraction, NoneType)

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode


def spelt(document: object) -> bytes:
    """The canonical JSON of a document that contains only JSON's own types."""
    return _encode(document).encode()


class Door:
    """How the values of a type are written as JSON. Pydantic is slow to make an adapter, so one is made when used."""

    def __init__(self, kind: Any) -> None:
        self._kind = kind

    @cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        return TypeAdapter(self._kind)

    def document(self, value: object) -> Json:
        """The value as JSON has it."""
        return self._adapter.dump_python(value, mode="json")

    @cached_property
    def spelling(self) -> Callable[[Any], bytes]:
        """A function that gives a value's canonical JSON."""
        if is_flat(self._kind):
            return self._adapter.serializer.to_json
        if isinstance(self._kind, type) and issubclass(self._kind, Frozen):
            return attrgetter("spelling")
        return lambda value: spelt(self.document(value) if value else value)  # what is empty, is JSON already


_door_for = cache(Door)


def is_flat(kind: Any) -> bool:
    """Whether no value of that type is written as an object, whose keys would have to be sorted."""
    if get_origin(kind) is Annotated:
        return is_flat(get_args(kind)[0])
    if get_origin(kind) in (list, tuple, Union, UnionType):
        return all(part is Ellipsis or is_flat(part) for part in get_args(kind))
    return get_origin(kind) is Literal or kind in FLAT or (isinstance(kind, type) and issubclass(kind, Enum))


class Value:
    """A field of a record as it was. ``value`` is a copy, which nobody may change."""

    def __init__(self, value: object, door: Door) -> None:
        self.value = copied(value)
        self._door = door

    @cached_property
    def document(self) -> Json:
        """The value as JSON has it."""
        return self._door.document(self.value)

    @cached_property
    def spelling(self) -> bytes:
        """Its canonical JSON."""
        return self._door.spelling(self.value)


class Entry:
    """A record of a table as it was. ``values`` are copies, which nobody may change."""

    __slots__ = ("_key", "_kind", "_spellings", "_unspelt", "_value", "seen", "spelling", "values")

    def __init__(
        self, key: str, row: Record, values: tuple[Any, ...], spellings: list[bytes], unspelt: list[int]
    ) -> None:
        self._key = key
        self._kind = type(row)
        self._value: Record | None = None
        self._spellings = spellings
        self._unspelt = unspelt
        self.spelling = b""
        """Its key and its canonical JSON; empty until :meth:`spell`."""
        self.values = values
        self.seen = self._look(row)
        """What was last looked at of the record; while that is the same, nothing has changed."""

    def _look(self, row: Record) -> tuple[Any, ...]:
        """What a look at the record finds while it has not changed."""
        changing = map(self.values.__getitem__, _places(self._kind).changing)
        return (row.stamp, *changing) if isinstance(row, Stamped) else self.values

    def now(self, row: Record) -> "Entry":
        """The record as it is: this entry if no value differs, else another, which takes over all that do not."""
        values, before = reader_of(self._kind)(row), self.values
        other = [place for place in compress(count(), map(is_not, values, before)) if values[place] != before[place]]
        if not other:
            self.seen = self._look(row)
            return self
        ranks = _places(self._kind).ranks
        kept = list(before)
        for place in other:
            kept[place] = copied(values[place])
        unspelt = [*self._unspelt, *(ranks[place] for place in other)]
        return Entry(self._key, row, tuple(kept), self._spellings.copy(), unspelt)

    @property
    def value(self) -> Record:
        """The record as it was; nobody may change it."""
        if self._value is None:
            self._value = self._kind(**dict(zip(kinds_of_fields(self._kind), self.values, strict=True)))
        return self._value

    @property
    def document(self) -> Json:
        """The record as JSON has it."""
        return self.value.to_json()

    def spell(self) -> bytes:
        """Put its key and its canonical JSON together from that of its fields."""
        fields = _places(self._kind).fields
        later = _places(self._kind).left_out
        for rank in self._unspelt:
            name, place, door = fields[rank]
            is_left_out = rank in later and later[rank](self.values[place])
            self._spellings[rank] = b"" if is_left_out else name + door.spelling(self.values[place])
        self._unspelt = []
        told = filter(None, self._spellings) if later else self._spellings
        self.spelling = b"%b:{%b}" % (_quoted(self._key), b",".join(told))
        return self.spelling


class Table:
    """A field of the state in which records are filed by key."""

    def __init__(self, entries: dict[str, Entry], order: list[str]) -> None:
        self.entries = entries
        self.order = order
        """The keys as they are sorted in canonical JSON."""

    @property
    def value(self) -> dict[str, Record]:
        """The table as it was."""
        return {key: entry.value for key, entry in self.entries.items()}

    @property
    def document(self) -> Json:
        """The table as JSON has it, in its order."""
        return {key: entry.document for key, entry in self.entries.items()}

    @cached_property
    def spelling(self) -> bytes:
        """Its canonical JSON."""
        entries = map(self.entries.__getitem__, self.order)
        return b"{%b}" % b",".join([entry.spelling or entry.spell() for entry in entries])


class RecordMoment(Generic[R]):
    """A record as it was, by its fields."""

    def __init__(self, kind: type[R], fields: "Fields") -> None:
        self._kind = kind
        self.fields = fields

    @cached_property
    def value(self) -> R:
        """The record as it was; nobody may change it."""
        return self._kind(**{name: field.value for name, field in self.fields.items()})

    @property
    def document(self) -> Json:
        """The record as JSON has it."""
        return {name: field.document for name, field in self.fields.items()}

    @cached_property
    def spelling(self) -> bytes:
        """Its canonical JSON."""
        return b"".join(self.pieces())

    def pieces(self) -> Iterator[bytes]:
        """Its canonical JSON, in pieces; most of it is never copied."""
        beginnings = _beginnings(self._kind)
        if later := self._kind.LATER:
            beginnings = [one for one in beginnings if one[1] not in later or self.fields[one[1]].value]
        yield b"{"
        for number, (beginning, name) in enumerate(beginnings):
            yield beginning if number else beginning.removeprefix(b",")
            yield self.fields[name].spelling
        yield b"}"


class Watch(Generic[R]):
    """Looks at one record again and again; what has not changed is the same in the next moment."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind
        self._last: Fields = {}
        self._parts = {name: Watch(of) for name, of in kinds_of_fields(kind).items() if is_record(of)}
        self._moment: RecordMoment[R] | None = None

    def now(self, record: R) -> RecordMoment[R]:
        """The record as it is; the same moment as the last one, if nothing has changed."""
        fields = self._last
        for name, (door, filed) in _doors(self._kind).items():
            value, last = getattr(record, name), self._last.get(name)
            if name in self._parts:
                made = self._parts[name].now(value)
            elif filed is not None:
                made = _table(filed, value, cast("Table | None", last))
            elif last is None or not (last.value is value or last.value == value):
                made = Value(value, door)
            else:
                continue
            if made is not last:
                fields = fields | {name: made}
        if self._moment is None or fields is not self._last:
            self._last, self._moment = fields, RecordMoment(self._kind, fields)
        return self._moment


def _table(kind: type[Record], table: Mapping[str, Record], last: Table | None) -> Table:
    if last is None or list(table) != list(last.entries):
        before = {} if last is None else last.entries
        return Table({key: _entry(key, row, before.get(key)) for key, row in table.items()}, sorted(table))
    look = reader_of(kind, "stamp", *changing_fields(kind)) if issubclass(kind, Stamped) else reader_of(kind)
    differs = map(ne, map(look, table.values()), [entry.seen for entry in last.entries.values()])
    entries = {key: last.entries[key].now(row) for key, row in compress(table.items(), differs)}
    changed = {key: entry for key, entry in entries.items() if entry is not last.entries[key]}
    return Table(last.entries | changed, last.order) if changed else last


def _entry(key: str, row: Record, last: Entry | None) -> Entry:
    if last is not None:
        return last.now(row)
    values = tuple(map(copied, reader_of(type(row))(row)))
    return Entry(key, row, values, [b""] * len(values), [*range(len(values))])


class CampaignMoment(Generic[R]):
    """A campaign as it was: its state, and what each side knew."""

    def __init__(self, state: RecordMoment[R], knowledge: dict[Side, RecordMoment[Knowledge]]) -> None:
        self.state = state
        self.knowledge = knowledge

    def fingerprint(self, dice: Mapping[str, int]) -> str:
        """The digest of all that a replay must reproduce: state, knowledge, and how often each label was rolled."""
        digest = hashlib.sha256(b'{"dice":%b,"knowledge":{' % spelt(dict(dice)))
        for number, side in enumerate(sorted(self.knowledge)):
            digest.update(b"%b%b:" % (b"," if number else b"", _quoted(side)))
            for piece in self.knowledge[side].pieces():
                digest.update(piece)
        digest.update(b'},"state":')
        for piece in self.state.pieces():
            digest.update(piece)
        digest.update(b"}")
        return digest.hexdigest()


class CampaignWatch(Generic[R]):
    """Looks at a campaign after each step."""

    def __init__(self, kind: type[R]) -> None:
        self._state = Watch(kind)
        self._knowledge: dict[Side, Watch[Knowledge]] = {}

    def now(self, state: R, knowledge: Mapping[Side, Knowledge]) -> CampaignMoment[R]:
        """The campaign as it is."""
        for side in knowledge.keys() - self._knowledge.keys():
            self._knowledge[side] = Watch(Knowledge)
        known = {side: self._knowledge[side].now(one) for side, one in knowledge.items()}
        return CampaignMoment(self._state.now(state), known)


@cache
def _doors(kind: type[Record]) -> dict[str, tuple[Door, type[Record] | None]]:
    """For each field, how it is written as JSON, and the kind of the records that are filed in it by key."""
    return {name: (_door_for(of), _filed_in(of)) for name, of in kinds_of_fields(kind).items()}


class FieldPlaces(NamedTuple):
    """The places of the fields in a kind of record: sorted by name, each with its name as it is spelt and how its value
    is written as JSON; for each place, where it comes in that order; and those of values that may change in place.
    ``left_out`` says of some, by where they come, whether they are not written down."""

    fields: list[tuple[bytes, int, Door]]
    ranks: list[int]
    changing: list[int]
    left_out: dict[int, Callable[[Any], bool]]


@cache
def _places(kind: type[Record]) -> FieldPlaces:
    names = list(_doors(kind))
    order = sorted(names)
    fields = [(b"%b:" % _quoted(name), names.index(name), _doors(kind)[name][0]) for name in order]
    later = {order.index(name): why for name, why in left_out(kind).items()}
    return FieldPlaces(fields, [*map(order.index, names)], [*map(names.index, changing_fields(kind))], later)


@cache
def _beginnings(kind: type[Record]) -> list[tuple[bytes, str]]:
    """The fields of a kind of record sorted by name, each with what stands before its value in canonical JSON."""
    names = sorted(_doors(kind))
    return [(b"%b%b:" % (b"," if number else b"", _quoted(name)), name) for number, name in enumerate(names)]


def _quoted(name: str) -> bytes:
    return encode_basestring(name).encode()


def _filed_in(kind: Any) -> type[Record] | None:
    entry = get_args(kind)[1] if get_origin(kind) is dict else None
    return entry if is_record(entry) else None


def is_record(kind: Any) -> bool:
    """Whether records of one kind stand there."""
    return isinstance(kind, type) and issubclass(kind, Record)


Fields = dict[str, Value | Table | RecordMoment[Any]]
