"""Filling a sheet in with typed orders."""

import pytest

from bot.orders.open_prompt import OpenPrompt
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.protocol.asks import Ask
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer


async def test_why_a_line_is_not_on_the_sheet_is_told_by_the_sheet_itself(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refusals_of(_: Ask[toy.Orders], values: Sheet) -> list[Refusal]:
        return [illegal(f"{line} carries no orders", "Toy 9.9", line) for line in values]

    monkeypatch.setattr(Ask, "refusals_of", refusals_of)
    await here.begin()
    token = await here.token("red", "orders")
    answer = await here.bot.services.orders.filling.write(token, here.ann.user.id, "unicorn: number 1")
    assert isinstance(answer, OpenPrompt)
    assert "unicorn carries no orders (Toy 9.9)" in "\n".join(answer.state.problems)
