"""What every rulebook's accounts of battles must keep to: a place that is taken over differs no more."""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.accounts import Difference
from rules_engine.core.protocol.asks import AnyAsk


def said(ask: AnyAsk, mine: Any, theirs: Any, side: Side, other: Side) -> list[tuple[str, str, str]]:
    """Where two accounts differ: what it is about, and what each says."""
    places = compared(ask, {side: mine, other: theirs})
    return [(place.what, place.said[side], place.said[other]) for place in places]


def compared(ask: AnyAsk, accounts: Mapping[Side, Any]) -> tuple[Difference, ...]:
    """The places in which accounts differ, which are named whenever they do; each stands for something on the sheet."""
    assert ask.agree is not None
    agreement = ask.agree(accounts)
    assert bool(agreement.places) == bool(agreement.differences) == (agreement.settled is None)
    for place in agreement.places:
        line = ask.form.by_key[place.line]
        assert set(place.fields) <= {field.key for field in line.fields}
        assert set(place.said) == set(place.brief) == set(accounts)
        assert len(set(place.said.values())) > 1, f"nobody could tell what differs in {place.what}"
    return agreement.places


def taken_over(ask: AnyAsk, mine: Any, theirs: Any, side: Side, other: Side) -> None:
    """Take each place over in turn: it differs no more, and nothing else does that did not; at last all agrees."""
    places = compared(ask, {side: mine, other: theirs})
    sheet: Sheet = ask.sheet_of(mine)
    there = ask.sheet_of(theirs)
    for place in places:
        line: dict[str, Json] = there.get(place.line, {})
        taken = {key: line.get(key) for key in place.fields} if place.fields else line
        before = {} if not place.fields else sheet.get(place.line, {})
        sheet = {**sheet, place.line: {**before, **taken}}
        left = compared(ask, {side: ask.model.model_validate(_whole(sheet)), other: theirs})
        assert place.what not in {one.what for one in left}
        assert {one.what for one in left} <= {one.what for one in places}
    assert compared(ask, {side: ask.model.model_validate(_whole(sheet)), other: theirs}) == ()


def _whole(sheet: Sheet) -> Sheet:
    """A sheet without fields that say nothing."""
    return {key: {name: value for name, value in line.items() if value is not None} for key, line in sheet.items()}
