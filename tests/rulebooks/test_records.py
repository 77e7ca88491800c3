"""What the states of all rulebooks are made of, so that moments and fingerprints may rely on it: equal values are
written alike, what is frozen holds nothing that changes, and nothing stands in a state that is neither."""

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import pytest

from rules_engine import rulebooks
from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.record import Record
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.running.state_paths import is_model, kinds_of

PLAIN = (str, int, bool, Fraction, NoneType)
IN_PLACE = (list, dict)


def misfits(kind: Any, place: str, *, frozen: bool = False, above: tuple[Any, ...] = ()) -> Iterator[str]:
    """What may not stand there. Within a frozen value lists and dicts may stand: nobody changes them."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Annotated:
        yield from misfits(parts[0], place, frozen=frozen, above=above)
    elif origin in (Union, UnionType):
        numbers = [part for part in parts if part in (int, bool, Fraction) or _is_number(part)]
        if len(numbers) > 1:
            yield f"{place}: equal numbers of several types are written differently"
        for part in parts:
            yield from misfits(part, place, frozen=frozen, above=above)
    elif origin in IN_PLACE or origin is tuple:
        for part in parts:
            if part is not Ellipsis:
                yield from misfits(part, f"{place}.*", frozen=frozen or origin is tuple, above=above)
    elif origin is Literal or kind in PLAIN or (isinstance(kind, type) and issubclass(kind, Enum)):
        return
    elif is_model(kind):
        if issubclass(kind, Record) and frozen:
            yield f"{place}: a record stands within what is frozen"
        if not issubclass(kind, Record | Frozen):
            yield f"{place}: {kind.__name__} is neither a record nor frozen"
        for name, held in kinds_of(kind).items() if kind not in above else ():
            inside = frozen or not issubclass(kind, Record)
            yield from misfits(held, f"{place}.{name}", frozen=inside, above=(*above, kind))
    else:
        yield f"{place}: {kind} may not stand in a state"


def _is_number(kind: Any) -> bool:
    return (get_origin(kind) is Annotated and _is_number(get_args(kind)[0])) or kind in (int, bool, Fraction)


@pytest.mark.parametrize("key", sorted(rulebooks.installed()))
def test_a_state_holds_plain_values_frozen_ones_and_records(key: str) -> None:
    model = rulebooks.rulebook(key).state_model
    assert [*misfits(model, model.__name__), *misfits(Knowledge, "Knowledge")] == []


def test_what_may_not_stand_in_a_state_is_found() -> None:
    assert list(misfits(dict[str, float], "x")) == ["x.*: <class 'float'> may not stand in a state"]
    assert list(misfits(tuple[Knowledge, ...], "x")) == [
        "x.*: a record stands within what is frozen",
        "x.*.contacts.*: a record stands within what is frozen",
    ]
    assert list(misfits(int | bool, "x")) == ["x: equal numbers of several types are written differently"]
