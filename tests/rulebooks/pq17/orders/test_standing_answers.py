"""Asks that standing orders decide in part, or altogether: what their owner reads."""

import pytest

from rules_engine.core.standing.answers import Decision
from rules_engine.rulebooks.pq17.campaign.period_sheet import period_ask
from rules_engine.rulebooks.pq17.orders.standing_answers import by_standing_orders_steps
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.playing.spelled_out import spell_reports
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table


def two_calls() -> State:
    """A sheet with two lines: the transfers of CALENDAR, for which there are two cruisers."""
    state = campaign(turn=31)
    put(state, "A1", "1217", "FED-CA", "FED-CA")
    return state


def test_where_orders_decide_a_line_alone_silence_accepts_them() -> None:
    at = table(two_calls())
    decisions = {"calendar-CA": Decision({"ships": []}), "calendar-DD": None}
    (ask,) = asks_of(by_standing_orders_steps(at, period_ask(at, "alliance"), decisions))
    assert ask.default_says == (
        "Your standing orders are carried out. Where they are silent: The least useful ships go on transfers."
    )
    assert ask.form.prefilled()["calendar-CA"]["ships"] == []
    assert at.shared.reports == []


@pytest.mark.parametrize("times", [1, 2])
def test_where_orders_decide_all_their_owner_is_told_what_and_by_which(times: int) -> None:
    """What is told once a turn is not repeated, the rest is."""
    at = table(two_calls())
    own, sides = "A1's standing orders", "your side's standing orders"
    decisions = {
        "calendar-CA": Decision({"ships": []}, said="Nobody goes.", clause="hold", whose=own, once=True),
        "calendar-DD": Decision({"ships": []}, said="Nobody else goes.", clause="hold", whose=sides),
    }
    for _ in range(times):
        run(by_standing_orders_steps(at, period_ask(at, "alliance"), decisions))
    other = [
        "To alliance, doctrine: Nobody else goes.",
        "  because your side's standing orders “hold”; PQ-17 C.schedule.note3",
    ]
    assert list(spell_reports(at.shared.reports)) == [
        "To alliance, doctrine: Nobody goes.",
        "  because A1's standing orders “hold”; PQ-17 C.schedule.note3",
        *(other * times),
    ]
