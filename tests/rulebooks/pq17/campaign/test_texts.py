"""The texts of the campaign's periods and events, written down whole."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.campaign import convoys, departures, opening, period_ends, reaction_force
from rules_engine.rulebooks.pq17.campaign.arrivals import (
    enter_with_points,
    expect_force,
    expect_reinforcements,
    place_arrivals,
    settle,
    waiting,
)
from rules_engine.rulebooks.pq17.campaign.command_points import charge, commands, leave_uncovered, too_few_points
from rules_engine.rulebooks.pq17.campaign.emergency_reinforcements import emergency_ask, take_emergency
from rules_engine.rulebooks.pq17.campaign.period_report import LINE_TITLES, campaign_rows, tell_period
from rules_engine.rulebooks.pq17.campaign.period_sheet import (
    PeriodLine,
    PeriodSheet,
    carry_out_period,
    period_ask,
    usual_patrol,
)
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import pools_of
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.records.forces import IdLevel, Unit
from rules_engine.rulebooks.pq17.records.progress import Away, Direct, Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import spell_ask, spell_reports
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put, transferred
from tests.rulebooks.pq17.worlds.campaign_scenario import document
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table
from tests.rulebooks.written_texts import compare

# --- a campaign's periods as they are read, whole: sheets, what is told as a period begins and ends, the panel --------
# The texts stand in `texts/`.
Request = pytest.FixtureRequest


def units(state: State, stem: str, *kinds: str, nation: str = "") -> list[Unit]:
    return [state.units[one] for one in make(state, stem, kinds, nation=nation)]


def second_period() -> State:
    """Turn 31. Off the map wait a Kzinti convoy, two ships and a cruiser that returns; the Federation has three
    cruisers; two dreadnoughts and four cruisers of the Klingons are out, for which two command points are too few."""
    state = campaign(turn=31)
    expect_force(state, state.settings.campaign.force_of("kzinti-convoy"), units(state, "A5", "F-L", "F-L"), 31)
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
    assert {line.label: line.note for line in period_ask(table(campaign()), "alliance").form.lines} == kept()


def wrong_sheet(state: State, side: str, **lines: dict[str, Any]) -> list[str]:
    """Every refusal of the sheet once these lines are changed; keys with ``_`` for ``-``."""
    ask = period_ask(table(state), side)
    sheet: Any = ask.form.prefilled() | {key.replace("_", "-"): line for key, line in lines.items()}
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    return [str(one) for one in refused.value.refusals]


@cases("side, lines, refusals")
def test_a_wrong_period_sheet_is_refused(side: str, lines: dict[str, dict[str, Any]], refusals: list[str]) -> None:
    assert wrong_sheet(second_period(), side, **lines) == refusals


# --- as a period begins -----------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "4.2.1", "C.schedule.note3")
def test_told_as_a_period_begins(request: Request) -> None:
    at = table(second_period())
    asks_of(period_ends.begin_period_steps(at))
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
        transferred(state, unit, "calendar", turn=turn)
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
    transferred(state, "A1.FED-DD", "calendar", turn=60)
    at = table(state)
    period_ends.score_period(at)
    compare(request, spell_reports(at.shared.reports))


def lines_of(at: turn_context.TurnContext[State], names: list[str]) -> list[str]:
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
    transferred(state, "A1.FED-CA", "calendar", turn=60)
    state.progress.tally.delivered = 600
    at = table(state)
    score(at.at("x"), "C.vp.12", Fraction(-3), because("PQ-17 C.vp.12"), text="Spent.", seen_by=["alliance"])
    asked: list[str] = []

    def answer(ask: asks.AnyAsk) -> object:
        asked.append(f"{' and '.join(ask.parties)} {ask.kind}: {ask.title}. {ask.text}")
        return {"KLI-DD": {"hulls": 2}} if (ask.kind, ask.parties) == ("emergency", ("coalition",)) else None

    run(period_ends.administrative_steps(at), answer)
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


@cases("hulls, said", "")
def test_what_is_taken_is_told_to_its_owner_with_its_price(hulls: int, said: str, kept: Kept) -> None:
    at = table(campaign(turn=30))
    take_emergency(at, "alliance", emergency_ask(at, "alliance").answer_from({"FED-DD": {"hulls": hulls}}))
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


# --- texts of events --------------------------------------------------------------------------------------------------
# what a campaign tells between the ends of its periods, whole: ships that come and go, command points, convoys, the
# reaction force, the opening. The texts stand in `texts/`.
@pytest.mark.rule("pq17", "C.oob.kzinti.orion-mercenaries", "C.schedule.note3", "C.schedule.note5", "C.schedule.note8")
@pytest.mark.rule("pq17", "C.cargo-supply-benefit", "5.3")
def test_ships_come_and_go(request: Request) -> None:
    """Orions, new ships, ships that return and a carrier come on; then a frigate leaves, which the enemy held as E8."""
    state = campaign(turn=31)
    state.impulse = 1
    expect_force(state, state.settings.campaign.force_of("orion"), units(state, "A5", "ORI-CA"), 31)
    expect_reinforcements(state, "federation", units(state, "A6", "FED-CA", "FED-DD"), 31)
    expect_reinforcements(state, "federation", units(state, "A7", "FED-FF"), 31, back=True)
    (carrier,) = units(state, "A8", "FED-AT")
    state.progress.away[carrier.id] = Away(state="waiting", key="", turn=1)
    convoys.register_carriers(state)
    tf = put(state, "A4", "1719", "FED-FF", speed=Speed.CRUISE, id_level=IdLevel.U, plot="exit")
    departures.allow_exit(state, "A4.FED-FF", Permit(kind="transfer", hexes=["1719"], key="federation-6"))
    at = table(state)
    new = PeriodLine(hex="1721", speed=Speed.CRUISE, goal="A92")
    carry_out_period(at, "alliance", PeriodSheet({"federation-new-2": new}))
    place_arrivals(at)
    enter_with_points(at, "alliance")
    move(state, "alliance")
    departures.leave_map(at, "alliance")
    assert tf.id not in state.task_forces
    compare(request, spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "4.2.3", "C.vp.12", "C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti", "C.cp.reinforcements")
def test_command_points_are_expended(request: Request) -> None:
    """Three points for a dreadnought and four cruisers; one for Kzintis out of port and one for a far hex. A new
    cruiser turns aside on its way to Scapa Flow, with a destroyer, which needs no points in any case. The Klingons
    have one point for two dreadnoughts."""
    state = campaign()
    state.progress.command["klingon"].bank = 1
    put(state, "A1", "1216", "FED-DN", "FED-CA", "FED-CA", "FED-CA")
    put(state, "A2", "1007", "KZI-FF")
    put(state, "A3", "1618", "FED-CA", "FED-DD")
    put(state, "C1", "1613", "KLI-DN")
    put(state, "C2", "1513", "KLI-DN", name="Raiders")
    state.progress.direct = {one: Direct(hex="1217", kind="arrival") for one in ("A3.FED-CA", "A3.FED-DD")}
    at = table(state)
    charge(at, {"A2": "1008", "A3": "stay"})
    compare(request, spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "4.2.3", "C.cp.kzinti", "C.cp.cruisers-and-dreadnoughts")
def test_who_has_too_few_points_is_refused_with_what_is_left(kept: Kept) -> None:
    state = campaign()
    nations = {nation.key: nation for nation in commands(state)}
    assert [
        str(too_few_points(state, nations[key], short, "A1.move")) for key, short in (("kzinti", 1), ("klingon", 2))
    ] == kept()


@pytest.mark.rule("pq17", "4.2.3")
def test_a_ship_without_points_is_told_of_in_one_sentence(kept: Kept) -> None:
    state = campaign()
    put(state, "C1", "1613", "KLI-CA")
    at = table(state)
    (klingon,) = commands(state, "coalition")
    leave_uncovered(at, klingon, "C1.KLI-CA")
    assert list(spell_reports(at.shared.reports)) == kept()


@pytest.mark.rule("pq17", "C.vp.7", "C.vp.note5")
def test_a_delivery_is_told_to_its_side_alone(kept: Kept) -> None:
    state = campaign()
    tf = put(state, "A1", "0806", "F-L", in_port="A94")
    state.progress.freighters[tf.units[0]] = Freighter(
        kind="convoy", convoy="x", nation="federation", period=1, original=50
    )
    murzank = state.units[state.task_forces["A94"].units[0]]
    at = table(state)
    convoys.delivered(at, state.units[tf.units[0]], murzank, 30)
    assert list(spell_reports(at.shared.reports)) == kept()


def called(*, hides: bool = False) -> State:
    """A Klingon frigate in a Kzinti settled hex calls the reaction force; it stays there, or goes away again."""
    state = campaign(turn=3)
    expect_force(state, state.settings.campaign.force_of("kzinti-reaction"), units(state, "A5", "KZI-CA", "KZI-CL"), 1)
    put(state, "A1", "1217", "FED-CA", id_level=IdLevel.ID3)
    put(state, "A2", "1418", "FED-CA", id_level=IdLevel.ID3)
    intruder = put(state, "C1", "1201", "KLI-FF")
    reaction_force.watch(table(state))
    state.turn = 4
    if hides:
        state.set_hex(intruder, "1302")
    return state


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force", "C.oob.klingon.restriction")
def test_told_of_what_is_watched(request: Request) -> None:
    state = campaign(turn=3)
    expect_force(state, state.settings.campaign.force_of("kzinti-reaction"), units(state, "A5", "KZI-CA", "KZI-CL"), 1)
    put(state, "A2", "1418", "FED-CA", id_level=IdLevel.ID3)
    put(state, "C1", "1201", "KLI-FF")
    at = table(state)
    reaction_force.watch(at)
    compare(request, spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_sheet_of_the_reaction_force(request: Request) -> None:
    (ask,) = asks_of(reaction_force.reaction_steps(table(called())))
    compare(request, spell_ask(ask, {"force": {"hex": "0901"}}))


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_once_the_enemy_has_gone_the_reaction_force_is_proposed_near_its_bases(kept: Kept) -> None:
    (ask,) = asks_of(reaction_force.reaction_steps(table(called(hides=True))))
    assert ask.default_says == "It comes on in 1001, nearest to its bases."
    assert ask.text == (
        "The enemy came into a Kzinti settled hex. Say in which edge hex the force is placed before impulse 1."
    )
    with pytest.raises(Refused) as refused:
        ask.answer_from({"force": {"hex": "1301"}})
    assert [str(one) for one in refused.value.refusals] == kept()


@pytest.mark.rule("pq17", "C.purchase.4")
def test_told_before_the_first_turn(request: Request) -> None:
    adjudicator, step = Adjudicator.open(
        RULEBOOK, title="Test", scenario=document(), seed=b"a seed for tests, not secret", at="2026-01-01T00:00:00Z"
    )
    reports, asked = list(step.reports), list[str]()
    for _ in range(2):
        asked += [f"{' '.join(one.parties)} {one.kind}: {one.title}. {one.text}" for one in adjudicator.open_asks()]
        reports += adjudicator.close("deadline", by="clock", at="2026-01-01T00:00:00Z").reports
    compare(request, [*asked, *spell_reports(one for one in reports if one.kind == "purchase")])


@pytest.mark.rule("pq17", "C.purchase.4")
def test_pools_without_points_are_not_listed() -> None:
    state = campaign()
    half = Fraction(1, 2)
    state.pools = {"alliance": {"kzinti": {"FF": Fraction(3), "DD": Fraction(0)}, "federation": {"CA": half}}}
    assert [(one.key, one.points) for one in pools_of(state, "alliance")] == [("federation-CA", half), ("kzinti-FF", 3)]
    assert pools_of(state, "coalition") == []


def test_a_ready_made_order_of_battle_that_cannot_be_read_is_refused(kept: Kept) -> None:
    _, refusals = opening.read_ready_made({"oob_alliance.toml": "[purchase", "oob_coalition.toml": "[extras]\n"})
    assert [str(one) for one in refusals] == kept()
