"""Sheets of this book, typed as players type them, and what is refused of them."""

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.jump_lanes.plotting.asking import sheet_ask
from rules_engine.rulebooks.jump_lanes.records.orders import LaneSheet
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.jump_lanes.frontier import TERRAN


def sheet(text: str, state: LanesState, empire: str = TERRAN) -> LaneSheet:
    """The sheet that a text stands for, read by the form's own notation."""
    ask = sheet_ask(state, empire)
    return ask.model.model_validate(read_sheet(ask.form, text, ask.refusals_of))


def refused(text: str, state: LanesState, empire: str = TERRAN) -> list[str]:
    """What is refused of a text, as it is told."""
    try:
        answer = sheet(text, state, empire)
    except Refused as refusal:
        return [str(one) for one in refusal.refusals]
    return [str(one) for one in sheet_ask(state, empire).check(answer)]


def said(text: str, state: LanesState, empire: str = TERRAN) -> list[str]:
    """What is read back of a text that is taken."""
    ask = sheet_ask(state, empire)
    answer = sheet(text, state, empire)
    assert not ask.check(answer), ask.check(answer)
    return list(ask.read_back(answer))
