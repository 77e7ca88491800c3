"""The planning sheet's line of the whole side: what is set there is read back; a bid has a bound and a price."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept
from tests.rulebooks.pq17.worlds.notation import table, world


def said(state: State, line: dict[str, Any], side: str = "alliance") -> tuple[list[str], list[str]]:
    """What is read back and warned of, but for the task force."""
    ask = planning_ask(table(state), side)
    answer = ask.answer_from({"side": line})
    return [one for one in ask.read_back(answer) if "Station" not in one], list(ask.warn(answer))


@pytest.mark.rule("pq17", "4.1.2")
def test_a_bid_of_ninety_nine_is_the_most() -> None:
    ask = planning_ask(table(world("A1 0405 CA")), "alliance")
    ask.answer_from({"side": {"bid": 99}})
    for bid in (100, 99999):
        with pytest.raises(Refused, match="0 to 99"):
            ask.answer_from({"side": {"bid": bid}})


@pytest.mark.rule("pq17", "4.1.2")
@pytest.mark.parametrize(("side", "total"), [("alliance", 3), ("coalition", -3)])
def test_a_bid_is_read_back_and_beyond_ones_points_its_consequence_is_said(side: str, total: int, kept: Kept) -> None:
    state = world("A1 0405 CA\nC1 0607 CA")
    score(table(state), "T5.1", Fraction(total), because("T5"), text="A ship.")
    price = "added to your die and paid whoever wins."
    assert said(state, {"bid": 3}, side) == ([f"Bid for the initiative: 3 victory points, {price}"], [])
    assert said(state, {"bid": 4}, side) == kept()


def test_wishes_to_be_asked_and_stops_are_read_back() -> None:
    state = world("A1 0405 CA")
    assert said(state, {})[0] == []
    assert said(state, {"ask": "always"})[0] == ["You are asked for plots in every impulse."]
    assert said(state, {"stop": "points"})[0] == ["If you let turns go by, they stop at: points."]
    state.doctrine["alliance"].ask_every_impulse = True
    assert said(state, {"ask": "contact"})[0] == ["You are asked for plots only when there is a contact."]
