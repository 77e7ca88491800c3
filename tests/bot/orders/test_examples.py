"""The example of an order: it says something, and whoever types it has it accepted."""

from typing import Any

import pytest

from bot.orders.examples import example_of
from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.test_every_rulebook import SHORT, match


def examples(key: str, rounds: int = 12) -> dict[str, str]:
    """The examples of a random campaign's first rounds, one for each kind of ask: each tried there and then."""
    campaign = match(key, 3)
    found: dict[str, str] = {}
    for _ in range(rounds):
        if campaign.adjudicator.ending is not None:
            break
        for ask in campaign.adjudicator.open_asks():
            if ask.kind not in found:
                found[ask.kind] = text = example_of(ask, campaign.adjudicator.view(ask.parties[0]).board)
                if text:
                    check(ask, text)
        campaign.round()
    return found


def check(ask: AnyAsk, text: str) -> None:
    values: Any = read_sheet(ask.form, text, ask.refusals_of)
    before = ask.form.prefilled()
    after = {**before, **{line: {**before.get(line, {}), **said} for line, said in values.items()}}
    kinds = {field.kind for key in values for field in ask.form.by_key[key].fields if field.key in values[key]}
    assert digest(after) != digest(before) or kinds == {"text"}, text
    assert ask.pace == "battle" or ask.refusals_of(values) == (), text


@pytest.mark.parametrize("key", SHORT)
def test_an_example_changes_the_sheet_and_would_be_accepted(key: str) -> None:
    assert any(examples(key).values())


def test_where_something_may_go_somewhere_the_example_says_so() -> None:
    assert examples("pq17/intro", 1)["planning"] == "A1 to 0303 at 1", (
        "at no speed it would go nowhere, and the sheet would warn of that"
    )
    assert examples("cutler/intro", 1)["turn"].startswith("F1 to ")
