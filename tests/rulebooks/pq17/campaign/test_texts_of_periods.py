"""A campaign's periods as they are read, whole: sheets, what is told as a period begins and ends, the panel.

The texts stand in `texts/`.
"""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_force, expect_reinforcements, settle, waiting
from rules_engine.rulebooks.pq17.campaign.command_points import leave_uncovered
from rules_engine.rulebooks.pq17.campaign.emergency_reinforcements import emergency_ask, take_emergency
from rules_engine.rulebooks.pq17.campaign.period_ends import administrative_steps, begin_period_steps, score_period
from rules_engine.rulebooks.pq17.campaign.period_report import LINE_TITLES, campaign_rows, tell_period
from rules_engine.rulebooks.pq17.campaign.period_sheet import period_ask, usual_patrol
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import Away, Departure, Freighter
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.spelled_out import spell_ask, spell_reports
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def units(state: State, stem: str, *kinds: str, nation: str = "") -> list[Unit]:
    return [state.units[one] for one in make(state, stem, kinds, nation=nation)]


def second_period() -> State:
    """Turn 31. Off the map wait a Kzinti convoy, two ships and a cruiser that returns; the Federation has three
    cruisers; two dreadnoughts and four cruisers of the Klingons are out, for which two command points are too few."""
    state = campaign(turn=31)
    force = state.settings.campaign.force_of("kzinti-convoy")
    expect_force(state, force, units(state, "A5", "F-L", "F-L"), 31)
    expect_reinforcements(state, "federation", units(state, "A6", "FED-FF", "FED-DD"), 31)
    expect_reinforcements(state, "federation", units(state, "A7", "FED-CA"), 31, back=True)
    put(state, "A1", "0419", "FED-CA", "FED-CA", "FED-DD")
    put(state, "A2", "1217", "FED-CA", "FED-DD", in_port="A91")
    put(state, "C1", "1613", "KLI-DN", "KLI-CA", "KLI-CA", "KLI-CA", "KLI-CA")
    put(state, "C2", "1513", "KLI-FF", "KLI-DN")
    return state


@pytest.mark.rule("pq17", "C.schedule.note2", "C.schedule.note3", "C.schedule.note5", "C.cp.patrol-white")
def test_period_sheet_of_the_alliance(request: Request) -> None:
    answer = {
        "federation-new-2": {"hex": "hold", "apart": ["A6.FED-DD"], "apart_hex": "1719", "turn": 2, "goal": "none"},
        "federation-back-2": {"hex": "1721", "turn": 3},
        "calendar-CA": {"ships": []},
        "calendar-DD": {"ships": ["A1.FED-DD"], "exit": "1721"},
        "kzinti-convoy-2": {"hex": "0822", "speed": "2", "goal": "A95"},
        "patrol-white": {"ships": ["A1.FED-CA", "A2.FED-CA"]},
    }
    ask = period_ask(table(second_period()), "alliance")
    compare(request, spell_ask(ask, {**ask.form.prefilled(), **answer}))


@pytest.mark.rule("pq17", "4.2.1", "C.cp.cruisers-and-dreadnoughts")
def test_period_sheet_of_a_side_with_too_few_points(request: Request) -> None:
    compare(request, spell_ask(period_ask(table(second_period()), "coalition")))


def test_a_side_without_ships_and_calls_has_nothing_to_decide() -> None:
    ask = period_ask(table(campaign(turn=31)), "coalition")
    assert (ask.form.lines, ask.default_says) == ((), "Nothing is to be decided.")


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_only_a_named_operation_wants_sound_ships(kept: Kept) -> None:
    """The first period's transfers: a cruiser and two Kzinti frigates in any condition, a destroyer for IRONCLAD."""
    lines = period_ask(table(campaign()), "alliance").form.lines
    assert {line.label: line.note for line in lines} == kept()


def wrong_sheet(state: State, side: str, **lines: dict[str, Any]) -> list[str]:
    """Every refusal of the sheet once these lines are changed; keys with ``_`` for ``-``."""
    ask = period_ask(table(state), side)
    sheet: Any = ask.form.prefilled() | {key.replace("_", "-"): line for key, line in lines.items()}
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    return [str(one) for one in refused.value.refusals]


@pytest.mark.rule("pq17", "C.schedule.note2", "C.schedule.note3", "C.schedule.note5", "C.cp.patrol-white", "4.2.1")
@cases("side, lines, refusals")
def test_a_wrong_period_sheet_is_refused(side: str, lines: dict[str, dict[str, Any]], refusals: list[str]) -> None:
    assert wrong_sheet(second_period(), side, **lines) == refusals


# --- as a period begins -----------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "4.2.1", "C.schedule.note3")
def test_told_as_a_period_begins(request: Request) -> None:
    at = table(second_period())
    asks_of(begin_period_steps(at))
    compare(request, spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "4.2.1", "4.2.3", "C.schedule.note2", "SOP.3.b")
def test_panel_of_the_campaign(request: Request) -> None:
    """In turn 32: a destroyer has left for CALENDAR in this period; one that left in the last does not count."""
    state = second_period()
    state.turn = 32
    at = table(state)
    first, *_, last = waiting(state, "alliance")
    settle(state, first)
    settle(state, last)
    last.hex, last.turn = "", 0
    state.progress.tally.delivered, state.progress.tally.destroyed = 150, 50
    for unit, turn in (("A2.FED-DD", 31), ("A2.FED-CA", 30)):
        drop_unit(state, unit)
        state.progress.departures.append(
            Departure(unit=unit, kind="transfer", key="calendar", hex="1719", turn=turn, fit=True)
        )
        state.progress.away[unit] = Away(state="transferred", key="calendar", turn=turn, hex="1719")
    (klingon,) = [one for one in state.settings.campaign.nation if one.key == "klingon"]
    leave_uncovered(at, klingon, "C2.KLI-DN")
    score(at.at("a"), "C.vp.12", Fraction(-2), because("PQ-17 C.vp.12"), text="", seen_by=["alliance"])
    state.turn = 30
    score(at.at("b"), "C.vp.2", Fraction(4), because("PQ-17 C.vp.2"), text="")
    score(at.at("c"), "C.vp.2", Fraction(1, 2), because("PQ-17 C.vp.2"), text="")
    state.turn = 32
    compare(request, [row for side in ("alliance", "coalition") for row in (side, *campaign_rows(state, side))])


# --- as a period ends -------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "C.vp.7", "C.vp.8", "C.vp.9", "C.vp.10", "C.vp.14", "C.vp.15")
def test_scored_over_a_period(request: Request) -> None:
    """500 points delivered are 10 of the 12 called for, 75 destroyed; three freighters of two sides are overdue; of
    CALENDAR's three ships one destroyer has left; Patrol White was missing once."""
    state = campaign(turn=60)
    tally = state.progress.tally
    tally.delivered, tally.destroyed, tally.patrol_missed = 500, 75, True
    put(state, "A1", "1217", "FED-CA", "FED-DD", "FED-DD", "F-L", "F-L")
    put(state, "C1", "1715", "F-L")
    for unit, nation in (("A1.F-L", "federation"), ("A1.F-L2", "federation"), ("C1.F-L", "klingon")):
        state.progress.freighters[unit] = Freighter(kind="resupply", convoy="x", nation=nation, period=1, original=0)
    state.progress.departures.append(
        Departure(unit="A1.FED-DD", kind="transfer", key="calendar", hex="1719", turn=60, fit=True)
    )
    drop_unit(state, "A1.FED-DD")
    state.progress.away["A1.FED-DD"] = Away(state="transferred", key="calendar", turn=60, hex="1719")
    at = table(state)
    score_period(at)
    compare(request, spell_reports(at.shared.reports))


def lines_of(at: TurnContext[State], names: list[str]) -> list[str]:
    """What everybody is told of a period in which a line of each name was scored, secret ones included."""
    for number, name in enumerate(names, start=1):
        amount = Fraction(number if number % 2 else -number)
        score(at.at(name), name, amount, because("PQ-17 T5"), text="")  # type: ignore[arg-type]
    del at.shared.reports[:]
    tell_period(at)
    return list(spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "SOP.3.b")
def test_points_of_a_period_by_line(request: Request) -> None:
    """Every line of the campaign's table, the standard one's and those beside them; and a period without any."""
    at = table(campaign(turn=60))
    said = lines_of(at, list(LINE_TITLES))
    at.state.turn = 90
    compare(request, [*said, *lines_of(at, [])])


@pytest.mark.rule("pq17", "SOP.3.b", "SOP.3.d", "C.schedule.note8", "C.vp.12")
def test_told_as_a_period_ends(request: Request) -> None:
    """The end of period 5, when CALENDAR's cruiser comes back and the Klingons take two destroyers."""
    state = campaign(turn=150)
    put(state, "A1", "1217", "FED-CA", "FED-CA", "FED-DD")
    drop_unit(state, "A1.FED-CA")
    state.progress.departures.append(
        Departure(unit="A1.FED-CA", kind="transfer", key="calendar", hex="1719", turn=60, fit=True)
    )
    state.progress.away["A1.FED-CA"] = Away(state="transferred", key="calendar", turn=60, hex="1719")
    state.progress.tally.delivered = 600
    at = table(state)
    score(at.at("x"), "C.vp.12", Fraction(-3), because("PQ-17 C.vp.12"), text="Spent.", seen_by=["alliance"])
    asked: list[str] = []

    def answer(ask: AnyAsk) -> object:
        asked.append(f"{' and '.join(ask.parties)} {ask.kind}: {ask.title}. {ask.text}")
        return {"KLI-DD": {"hulls": 2}} if (ask.kind, ask.parties) == ("emergency", ("coalition",)) else None

    run(administrative_steps(at), answer)
    compare(request, [*spell_reports(at.shared.reports), *asked])


@pytest.mark.rule("pq17", "C.emergency-reinforcements", "C.purchase.1e")
def test_sheet_of_emergency_reinforcements(request: Request) -> None:
    ask = emergency_ask(table(campaign(turn=30)), "alliance")
    assert ask is not None
    compare(request, spell_ask(ask, {"FED-DD": {"hulls": 3}, "FED-FF": {"hulls": 1}}))


@pytest.mark.rule("pq17", "C.emergency-reinforcements", "C.vp.16")
def test_too_many_emergency_reinforcements_are_refused(kept: Kept) -> None:
    ask = emergency_ask(table(campaign(turn=30)), "alliance")
    assert ask is not None
    with pytest.raises(Refused) as refused:
        ask.answer_from({"FED-DD": {"hulls": 4}, "FED-FF": {"hulls": 1}})
    assert [str(one) for one in refused.value.refusals] == kept()


@pytest.mark.rule("pq17", "C.emergency-reinforcements", "C.vp.16")
@pytest.mark.parametrize(
    ("hulls", "said"), [(1, "1 emergency reinforcement taken."), (3, "3 emergency reinforcements taken.")]
)
def test_what_is_taken_is_told_to_its_owner_with_its_price(hulls: int, said: str, kept: Kept) -> None:
    at = table(campaign(turn=30))
    ask = emergency_ask(at, "alliance")
    take_emergency(at, "alliance", ask.answer_from({"FED-DD": {"hulls": hulls}}))
    assert list(spell_reports(at.shared.reports)) == kept()


@pytest.mark.rule("pq17", "C.cp.patrol-white")
def test_patrol_white_is_held_on_by_who_has_it_then_by_who_was_deployed_for_it_then_by_who_is_near() -> None:
    """0419 is Aikashi; 1217 lies far from it."""
    state = campaign()
    put(state, "A1", "1217", *["FED-CA"] * 5, "FED-DD")
    put(state, "A2", "0419", "FED-CA")
    one, two, three, four, *_ = state.task_forces["A1"].units
    assert usual_patrol(state, "alliance") == [one, "A2.FED-CA"]
    state.units[four].tags = ["patrol-white"]
    assert usual_patrol(state, "alliance") == [four, "A2.FED-CA"]
    state.progress.patrol = [two, three]
    assert usual_patrol(state, "alliance") == [two, three]
