"""What a state must never hold: a record, a list or a table that stands in two of its places, so that a change of one
would be a change of the other."""

from collections.abc import Iterator
from typing import Any

from rules_engine.core.basics.record import Record, field_names

Place = tuple["Place | None", object]
"""Where a part stands: where its holder stands, and its name there."""


def shared_parts(state: Record) -> Iterator[str]:
    """Each part that is found a second time: where, and where it was found first. What is frozen may be shared."""
    first: dict[int, Place] = {}
    found: list[tuple[Any, Place]] = [(state, (None, type(state).__name__))]
    while found:
        value, place = found.pop()
        if id(value) in first:
            yield f"{_said(place)} is the same as {_said(first[id(value)])}"
            continue
        first[id(value)] = place
        if isinstance(value, Record):
            held = [(name, getattr(value, name)) for name in field_names(type(value))]
        else:
            held = list(value.items() if isinstance(value, dict) else enumerate(value))
        found += [(one, (place, name)) for name, one in reversed(held) if isinstance(one, (Record, list, dict))]


def _said(place: Place) -> str:
    """A place in words, which only a finding needs."""
    holder, name = place
    return f"{_said(holder)}.{name}" if holder else f"{name}"
