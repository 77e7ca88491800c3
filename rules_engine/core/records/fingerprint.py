"""The fingerprint of a campaign: the digest of its state, of what each side knows, and of the dice rolled this turn.

It is taken after every step. Most of a campaign does not change from one step to the next (unit classes, the map,
most ships, points scored earlier, old sightings), so the JSON of unchanged parts is kept and reused. The result
is, to the byte, ``digest({"state": …, "knowledge": …, "dice": …})``.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from functools import cache, lru_cache
from operator import is_
from types import UnionType
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from rules_engine.core.basics.base import Frozen, Mutable, Side, holds_nothing
from rules_engine.core.knowledge.views import Contact, Glimpse, Knowledge

PLAIN: tuple[Any, ...] = (str, int, bool, Fraction, type(None))


def spelt(value: object) -> bytes:
    """The canonical JSON of a model's JSON dump, which contains only JSON's own types."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


class Fingerprint:
    """Takes the fingerprints of one campaign, one after the other."""

    def __init__(self) -> None:
        self._frozen: dict[str, SpeltRecords] = {}
        self._tables: dict[str, dict[str, Spelling]] = {}
        self._models: dict[str, Spelling] = {}
        self._contacts: dict[tuple[Side, str], SpeltContact] = {}

    def take(self, state: BaseModel, knowledge: Mapping[Side, Knowledge], dice: Mapping[str, int]) -> str:
        """The digest, as 64 hexadecimal digits."""
        known = _object((side, self._knowledge(side, knowledge[side])) for side in sorted(knowledge))
        parts = [("dice", spelt(dict(dice))), ("knowledge", known), ("state", self._state(state))]
        return hashlib.sha256(_object(parts)).hexdigest()

    def _state(self, state: BaseModel) -> bytes:
        spellings: dict[str, bytes] = {}
        for name, field in type(state).model_fields.items():
            if field.exclude:
                continue
            spelling = self._table(state, name, field) or self._records(state, name) or self._model(state, name)
            if spelling is not None:
                spellings[name] = spelling
        dumped = state.model_dump(mode="json", exclude=set(spellings))
        spellings |= {name: spelt(value) for name, value in dumped.items()}
        return _object(sorted(spellings.items()))

    def _table(self, state: BaseModel, name: str, field: FieldInfo) -> bytes | None:
        """The JSON of a field that maps keys to mutable models; only changed models are spelt again."""
        kind = model_in_table(field.annotation)
        table: Mapping[str, BaseModel] = getattr(state, name)
        if kind is None or not all(type(model) is kind for model in table.values()):
            return None
        known = self._tables.get(name, {})
        kept = {key: entry for key, entry in known.items() if key in table}
        for key, model in table.items():
            if key not in kept or not kept[key].holds(model):
                kept[key] = Spelling(model)
        self._tables[name] = kept
        return _object((key, kept[key].spelling) for key in sorted(table))

    def _model(self, state: BaseModel, name: str) -> bytes | None:
        """The JSON of a mutable model, spelt again only if it changed."""
        model = getattr(state, name)
        if not isinstance(model, BaseModel) or not is_comparable(type(model)):
            return None
        kept = self._models.get(name)
        if kept is None or not kept.holds(model):
            kept = self._models[name] = Spelling(model)
        return kept.spelling

    def _records(self, state: BaseModel, name: str) -> bytes | None:
        """The JSON of a field of frozen records, spelt again only if it holds other records than before."""
        records = records_of(getattr(state, name))
        if records is None:
            self._frozen.pop(name, None)
            return None
        kept = self._frozen.get(name)
        if kept is None or not kept.holds(records):
            dumped = state.model_dump(mode="json", include={name})
            kept = self._frozen[name] = SpeltRecords(records, spelt(dumped[name]))
        return kept.spelling

    def _knowledge(self, side: Side, known: Knowledge) -> bytes:
        contacts = _object((track, self._contact(side, known.contacts[track])) for track in sorted(known.contacts))
        return _object([("contacts", contacts), ("logs", spelt(known.logs))])

    def _contact(self, side: Side, contact: Contact) -> bytes:
        kept = self._contacts.get((side, contact.track))
        if kept is None or not kept.goes_on(contact):
            kept = self._contacts[side, contact.track] = SpeltContact()
        return kept.spell(contact)


class SpeltRecords:
    """Frozen records and the JSON they were spelt as."""

    def __init__(self, records: tuple[list[str], list[Frozen]], spelling: bytes) -> None:
        self._keys, self._records = records
        self.spelling = spelling

    def holds(self, records: tuple[list[str], list[Frozen]]) -> bool:
        """Whether these are the identical records under the same keys."""
        keys, values = records
        return keys == self._keys and _same(values, self._records)


class Spelling:
    """A mutable model: a copy of what it was when it was spelt, and its JSON."""

    _values: Any

    def __init__(self, model: BaseModel) -> None:
        self._kind = type(model)
        self._values = copied(dict(model.__dict__))
        self.spelling = spelt(model.model_dump(mode="json"))

    def holds(self, model: BaseModel) -> bool:
        """Whether the model is unchanged."""
        return type(model) is self._kind and bool(model.__dict__ == self._values)


class SpeltContact:
    """A contact and its history, of which only new sightings are spelt."""

    def __init__(self) -> None:
        self._history: list[Glimpse] = []
        self._spelt_history = b""
        self._rest: tuple[object, ...] = ()
        self._spelling = b""

    def goes_on(self, contact: Contact) -> bool:
        """Whether the history begins with the part that was spelt already."""
        return _same(contact.history[: len(self._history)], self._history)

    def spell(self, contact: Contact) -> bytes:
        """The contact's present JSON."""
        new = contact.history[len(self._history) :]
        rest = (contact.first_seen, contact.latest, contact.form, contact.live, contact.owner, contact.track)
        if new or not self._spelling or rest != self._rest:
            entries = [self._spelt_history] if self._spelt_history else []
            self._spelt_history = b",".join([*entries, *(spelt(one.model_dump(mode="json")) for one in new)])
            self._history += new
            self._rest = rest
            dumped = contact.model_dump(mode="json", exclude={"history"})
            parts = {name: spelt(value) for name, value in dumped.items()}
            self._spelling = _object(sorted({**parts, "history": b"[" + self._spelt_history + b"]"}.items()))
        return self._spelling


# --- what is frozen ---------------------------------------------------------------------------------------------------


def records_of(value: object) -> tuple[list[str], list[Frozen]] | None:
    """The keys and records of a frozen record, or of a list, tuple or dict of them; None if anything in it could
    change."""
    keys: list[str] = []
    match value:
        case Frozen():
            values: Sequence[object] = [value]
        case dict():
            table = cast("dict[str, object]", value)
            keys, values = list(table), list(table.values())
        case list() | tuple():
            values = cast("Sequence[object]", value)
        case _:
            return None
    kinds = dict.fromkeys(map(type, values))
    if not kinds or not all(issubclass(kind, Frozen) and is_frozen(kind) for kind in kinds):
        return None
    return keys, cast("list[Frozen]", list(values))


@cache
def model_in_table(kind: Any) -> type[BaseModel] | None:
    """The model whose objects a ``dict[str, model]`` holds, if equal values of it are always spelt alike."""
    if get_origin(kind) is not dict or get_args(kind)[0] is not str:
        return None
    model = get_args(kind)[1]
    if not isinstance(model, type) or not issubclass(model, Mutable | Frozen) or is_frozen(cast("Any", model)):
        return None
    return model if is_comparable(cast("Any", model)) else None


@cache
def is_comparable(kind: Any) -> bool:
    """Whether two values of this type that are equal are also spelt alike: ``1 == True``, so no mixed types."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        return is_comparable(parts[0])
    if origin in (Union, UnionType):
        return len(parts) == 2 and type(None) in parts and all(map(is_comparable, parts))
    if origin in (list, dict, tuple):
        return all(map(is_comparable, parts))
    if isinstance(kind, type) and issubclass(kind, Mutable | Frozen):
        return all(is_comparable(field.annotation) for field in kind.model_fields.values())
    return is_frozen(cast("Any", kind))


def copied(value: Any) -> Any:
    """A copy of the value; what is frozen is not copied."""
    if holds_nothing(value):  # the usual case
        return value
    match value:
        case Mutable():
            return value.model_copy(deep=True)
        case Frozen() if not is_frozen(type(value)):
            return value.model_copy(update={name: copied(one) for name, one in vars(value).items()})
        case list():
            return [copied(one) for one in cast("list[object]", value)]
        case tuple():
            return tuple(map(copied, cast("tuple[object, ...]", value)))
        case dict():
            return {key: copied(one) for key, one in cast("dict[str, object]", value).items()}
        case _:
            return value


@cache
def is_frozen(kind: Any) -> bool:
    """Whether a value of this type can never change: plain values, tuples of such, and records made of such."""
    origin = get_origin(kind)
    if origin is Annotated:
        return is_frozen(get_args(kind)[0])
    if origin is Literal or kind is Ellipsis or kind in PLAIN:
        return True
    if origin in (tuple, Union, UnionType):
        return all(is_frozen(part) for part in get_args(kind))
    if not isinstance(kind, type):
        return False
    if issubclass(kind, Frozen):
        return all(is_frozen(field.annotation) for field in kind.model_fields.values())
    return issubclass(kind, Enum)


def _same(some: Sequence[object], others: Sequence[object]) -> bool:
    return len(some) == len(others) and all(map(is_, some, others))


def _object(parts: Iterable[tuple[str, bytes]]) -> bytes:
    return b"{" + b",".join(_key(key) + value for key, value in parts) + b"}"


@lru_cache(maxsize=8192)
def _key(name: str) -> bytes:
    return spelt(name) + b":"
