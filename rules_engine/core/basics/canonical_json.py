"""Canonical JSON and its digest: one value, one spelling, one hash.

Snapshots, receipts for orders, ask ids and the journal's chain all hash values. They agree across machines and
Python versions only if a value has exactly one spelling, so this module accepts what JSON can say exactly and refuses
the rest: no floats (their text depends on rounding), no sets (their order depends on the process).
"""

import hashlib
import json
from enum import Enum
from fractions import Fraction
from typing import TypeAlias, cast

from pydantic import BaseModel

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.record import Record

Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"


def canonical(value: object) -> bytes:
    """The canonical JSON of `value`: UTF-8, keys sorted by code point, no spaces.

    Accepts None, bool, int, str, lists and tuples (both become arrays), dicts with text keys, Fractions (as
    `"n/d"` in lowest terms), enums (as their value) and pydantic models (as their JSON form).

    Raises TypeError for anything else, and ValueError for text that UTF-8 cannot hold; both name the path of the
    offender, never its content.
    """
    if _is_plain(value):  # the usual case: nothing to translate or to copy
        try:
            return _written(cast(Plain, value))
        except UnicodeEncodeError:
            pass  # the translation below names the path
    return _written(_plain(value, "value"))


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode

_SIMPLE = frozenset({str, int, bool, type(None)})


def _written(value: Plain) -> bytes:
    return _encode(value).encode("utf-8")


def _is_plain(value: object) -> bool:
    """Whether the value consists of JSON's own types and nothing else; subclasses do not count."""
    kind = type(value)
    if kind is dict:
        for key, item in cast("dict[object, object]", value).items():
            if type(key) is not str or not (type(item) in _SIMPLE or _is_plain(item)):
                return False
        return True
    if kind is list:
        return all(type(item) in _SIMPLE or _is_plain(item) for item in cast("list[object]", value))
    return kind in _SIMPLE


def ordered(value: Json) -> Json:
    """The value as it comes back from its canonical JSON: equal, with the keys of its objects sorted.

    Every input of a campaign passes through here, so that play cannot depend on an order the journal does not keep.
    """
    return json.loads(canonical(value))


def digest(value: object) -> str:
    """The SHA-256 of `canonical(value)`, as 64 lower-case hexadecimal digits. Raises as `canonical` does."""
    return hashlib.sha256(canonical(value)).hexdigest()


def _plain(value: object, path: str) -> Plain:
    if isinstance(value, Enum):
        return _plain(value.value, path)
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str):
        return _text(value, path)
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, Record):
        return _plain(value.to_json(), path)
    if isinstance(value, BaseModel):
        # JSON mode would quietly turn a set into a list in the order in which this process iterates it.
        _refuse_sets(value.model_dump(), path)
        return _plain(value.model_dump(mode="json"), path)
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{index}]") for index, item in enumerate(cast("list[object]", value))]
    if isinstance(value, dict):
        return {
            _key(key, path): _plain(item, f"{path}.{key}") for key, item in cast("dict[object, object]", value).items()
        }
    raise TypeError(f"{path}: {type(value).__name__} has no canonical form")


def _key(key: object, path: str) -> str:
    if isinstance(key, Enum):
        key = key.value
    if not isinstance(key, str):
        raise TypeError(f"{path}: keys must be text, not {type(key).__name__}")
    return _text(key, path)


def _text(text: str, path: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{path}: text with half a surrogate pair has no canonical form") from None
    return str(text)


def _refuse_sets(dumped: object, path: str) -> None:
    if isinstance(dumped, (set, frozenset)):
        raise TypeError(f"{path}: a set has no order; give the field a serializer that sorts it")
    if isinstance(dumped, dict):
        for key, item in cast("dict[object, object]", dumped).items():
            _refuse_sets(item, f"{path}.{key}")
    elif isinstance(dumped, (list, tuple)):
        for index, item in enumerate(cast("list[object]", dumped)):
            _refuse_sets(item, f"{path}[{index}]")
