"""Moments: a campaign as it stood, kept without copying what has not changed since the last time.

Play changes records in place. What outlasts that is made of moments: the fingerprint of each step, the snapshot of a
turn, and what a reader was last shown. A part of a record that is equal to its last copy is neither copied nor written
as JSON again.
"""

import hashlib
import json
from collections.abc import Mapping
from functools import cache, cached_property
from typing import Any, Generic, TypeVar, get_args, get_origin

from pydantic import TypeAdapter

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.record import Record, copied, kinds_of_fields
from rules_engine.core.knowledge.views import Knowledge

R = TypeVar("R", bound=Record)


spelt = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode
"""The canonical JSON of a document that contains only JSON's own types, as text."""


class Part:
    """A value as it was, and as JSON has it. ``value`` is a copy, which nobody may change."""

    def __init__(self, value: object, door: TypeAdapter[Any]) -> None:
        self.value = copied(value)
        self._door = door

    @cached_property
    def document(self) -> Json:
        """The value as JSON has it."""
        return self._door.dump_python(self.value, mode="json")

    @cached_property
    def spelling(self) -> str:
        """Its canonical JSON."""
        return spelt(self.document)


class Table:
    """The records of a table, each a part by itself."""

    def __init__(self, parts: dict[str, Part]) -> None:
        self.parts = parts

    @property
    def value(self) -> dict[str, Any]:
        """The table as it was."""
        return {key: part.value for key, part in self.parts.items()}

    @property
    def document(self) -> Json:
        """The table as JSON has it, in its order."""
        return {key: part.document for key, part in self.parts.items()}

    @cached_property
    def spelling(self) -> str:
        """Its canonical JSON."""
        return _object({key: part.spelling for key, part in self.parts.items()})


class RecordMoment(Generic[R]):
    """A record as it was, by its fields."""

    def __init__(self, kind: type[R], parts: dict[str, Part | Table]) -> None:
        self._kind = kind
        self._parts = parts

    @cached_property
    def record(self) -> R:
        """The record as it was; nobody may change it."""
        return self._kind(**{name: part.value for name, part in self._parts.items()})

    def document(self) -> dict[str, Json]:
        """The record as JSON has it."""
        return {name: part.document for name, part in self._parts.items()}

    def spelling(self) -> str:
        """Its canonical JSON."""
        return _object({name: part.spelling for name, part in self._parts.items()})


class Watch(Generic[R]):
    """Looks at one record again and again; what has not changed is the same part in the next moment."""

    def __init__(self, kind: type[R]) -> None:
        self._kind = kind
        self._last: dict[str, Part | Table] = {}

    def now(self, record: R) -> RecordMoment[R]:
        """The record as it is."""
        for name, (door, is_table) in _doors(self._kind).items():
            value, last = getattr(record, name), self._last.get(name)
            if is_table:
                self._last[name] = _table(value, last, door)
            elif last is None or last.value != value:
                self._last[name] = Part(value, door)
        return RecordMoment(self._kind, dict(self._last))


def _table(table: Mapping[str, Record], last: Any, door: TypeAdapter[Any]) -> Table:
    before: dict[str, Part] = {} if last is None else last.parts
    parts: dict[str, Part] = {}
    for key, entry in table.items():
        part = before.get(key)
        parts[key] = Part(entry, door) if part is None or part.value != entry else part
    unchanged = list(parts) == list(before) and all(part is before[key] for key, part in parts.items())
    return last if last is not None and unchanged else Table(parts)


class CampaignMoment(Generic[R]):
    """A campaign as it was: its state, and what each side knew."""

    def __init__(self, state: RecordMoment[R], knowledge: dict[Side, RecordMoment[Knowledge]]) -> None:
        self.state = state
        self.knowledge = knowledge

    def fingerprint(self, dice: Mapping[str, int]) -> str:
        """The digest of all that a replay must reproduce: state, knowledge, and how often each label was rolled."""
        known = _object({side: one.spelling() for side, one in self.knowledge.items()})
        whole = _object({"dice": spelt(dict(dice)), "knowledge": known, "state": self.state.spelling()})
        return hashlib.sha256(whole.encode()).hexdigest()


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
def _doors(kind: type[Record]) -> dict[str, tuple[TypeAdapter[Any], bool]]:
    """For each field, how it is written as JSON, or how each entry is if records are filed in it by key."""
    found: dict[str, tuple[TypeAdapter[Any], bool]] = {}
    for name, of in kinds_of_fields(kind).items():
        entry = get_args(of)[1] if get_origin(of) is dict else None
        is_table = isinstance(entry, type) and issubclass(entry, Record)
        found[name] = TypeAdapter(entry if is_table else of), is_table
    return found


def _object(spellings: Mapping[str, str]) -> str:
    return "{" + ",".join([f"{spelt(key)}:{spellings[key]}" for key in sorted(spellings)]) + "}"
