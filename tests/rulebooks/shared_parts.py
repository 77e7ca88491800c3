"""What a state must never hold: a record, a list or a table that stands in two of its places, so that a change of one
would be a change of the other."""

from collections.abc import Iterator
from typing import Any

from rules_engine.core.basics.record import Record, field_names


def shared_parts(state: Record) -> Iterator[str]:
    """Each part that is found a second time: where, and where it was found first. What is frozen may be shared."""
    first: dict[int, str] = {}

    def found(value: Any, place: str) -> Iterator[str]:
        if not isinstance(value, Record | list | dict):
            return
        if id(value) in first:
            yield f"{place} is the same as {first[id(value)]}"
            return
        first[id(value)] = place
        if isinstance(value, Record):
            held = [(name, getattr(value, name)) for name in field_names(type(value))]
        else:
            held = list(value.items() if isinstance(value, dict) else enumerate(value))
        for name, one in held:
            yield from found(one, f"{place}.{name}")

    yield from found(state, type(state).__name__)
