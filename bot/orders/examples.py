"""An example of an order for a sheet: one that says something, and would be accepted as it stands without a warning."""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import cast

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.forms.plain_orders import WAYS
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.asks import AnyAsk

MOST_TRIED = 8
"""Orders to go somewhere that are tried, and then as many others: each is read and judged."""
SPEED = "speed"
"""What a field of speeds is called, in every rulebook."""


def example_of(ask: AnyAsk, board: Board | None) -> str:
    """An order for one of a sheet's lines as its side may type it: to go somewhere if that is asked, else another value
    than is filled in. Empty where none would be accepted."""
    lines = ask.form.lines[1:] or ask.form.lines  # the first is often for the side as a whole
    ways = (text for line in lines for text in islice(_ways(line, board), 2))
    tried = chain(islice(ways, MOST_TRIED), islice(_others(ask, lines), MOST_TRIED))
    return next((text for text in tried if _is_accepted(ask, text)), "")


def _is_accepted(ask: AnyAsk, text: str) -> bool:
    try:
        values = read_sheet(ask.form, text, ask.refusals_of)
    except Refused:
        return False
    if not any(values.values()):
        return False
    if ask.pace == "battle":  # an account may be unfinished
        return True
    before = ask.form.prefilled()
    try:
        after = {**before, **{key: {**before.get(key, {}), **line} for key, line in values.items()}}
        answer = ask.answer_from(cast(Json, after))
    except Refused:
        return False
    return {*ask.warn(answer)} <= _warned(ask)


def _warned(ask: AnyAsk) -> set[str]:
    """Of what a sheet warns as it is filled in."""
    try:
        return {*ask.warn(ask.answer_from(cast(Json, ask.form.prefilled())))}
    except Refused:
        return set()


def _others(ask: AnyAsk, lines: Sequence[Line]) -> Iterator[str]:
    for line in lines:
        for field in line.fields:
            value = _another(field)
            if value is not None:
                yield write_sheet(ask.form, {line.key: {field.key: value}}, notes=False).strip()


def _ways(line: Line, board: Board | None) -> Iterator[str]:
    """To go to a place that is offered, or to one beside where it stands, with the least speed that takes it there."""
    if board is None:
        return
    for field in line.fields:
        if field.kind == "one":
            yield from (f"{line.key} to {one.value}" for one in field.choices if one.value in board.places)
    if not any(field.key in WAYS for field in line.fields):
        return
    speeds = [
        one.value for field in line.fields if field.key == SPEED for one in field.choices if one.value.isdecimal()
    ]
    at = next((one.hex for one in board.counters if line.key in {one.id, one.label} and one.hex), "")
    for where in list(board.places.neighbours(at))[:2] if at in board.places else []:
        yield from (f"{line.key} to {where}{speed}" for speed in ("", *(f" at {one}" for one in speeds if one != "0")))


def _another(field: Field) -> Json:
    """Another value than is filled in; of a text, what is, or its example."""
    match field.kind:
        case "one":
            return next((one.value for one in field.choices if one.value != field.value), None)
        case "many":
            return [field.choices[0].value] if field.choices and not field.value else None
        case "number":
            now = field.value if isinstance(field.value, int) else field.least or 0
            return now + 1 if field.most is None or now < field.most else now - 1
        case "flag":
            return not field.value
        case "text":
            return field.value or field.example or None
