"""Sheets of a duel as captains type them."""

import pytest

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import Ask
from rules_engine.rulebooks.vector.plotting.asking import plot_ask
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical
from tests.rulebooks.vector.duel import HUNTERS


def asked(battle: Tactical, text: str, side: Side = HUNTERS) -> tuple[Ask[PlotSheet], PlotSheet]:
    """The question to a captain, and the answer that a text stands for."""
    ask = plot_ask(battle, side)
    return ask, ask.answer_from({**read_sheet(ask.form, text, ask.refusals_of)})


def read_back(battle: Tactical, text: str, side: Side = HUNTERS) -> list[str]:
    """What is read back of a text."""
    ask, answer = asked(battle, text, side)
    return [*ask.read_back(answer)]


def warned(battle: Tactical, text: str) -> list[str]:
    """What is warned of."""
    ask, answer = asked(battle, text)
    return [*ask.warn(answer)]


def refused(battle: Tactical, text: str, side: Side = HUNTERS) -> list[str]:
    """What is refused of a text."""
    with pytest.raises(Refused) as refusal:
        asked(battle, text, side)
    return [str(one) for one in refusal.value.refusals]
