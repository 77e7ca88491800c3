"""What a campaign tells between the ends of its periods, whole: ships that come and go, command points, convoys, the
reaction force, the opening. The texts stand in `texts/`.
"""

from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.campaign.arrivals import (
    enter_with_points,
    expect_force,
    expect_reinforcements,
    place_arrivals,
)
from rules_engine.rulebooks.pq17.campaign.command_points import charge, commands, leave_uncovered, too_few_points
from rules_engine.rulebooks.pq17.campaign.convoys import delivered, register_carriers
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit, leave_map
from rules_engine.rulebooks.pq17.campaign.opening import read_ready_made
from rules_engine.rulebooks.pq17.campaign.period_sheet import PeriodLine, PeriodSheet, carry_out_period
from rules_engine.rulebooks.pq17.campaign.reaction_force import reaction_steps, watch
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import pools_of
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.records.forces import IdLevel, Unit
from rules_engine.rulebooks.pq17.records.progress import Away, Direct, Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept
from tests.rulebooks.pq17.playing.spelled_out import spell_ask, spell_reports
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.campaign_scenario import document
from tests.rulebooks.pq17.worlds.notation import asks_of, table
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest


def units(state: State, stem: str, *kinds: str) -> list[Unit]:
    return [state.units[one] for one in make(state, stem, kinds)]


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
    register_carriers(state)
    tf = put(state, "A4", "1719", "FED-FF", speed=Speed.CRUISE, id_level=IdLevel.U, plot="exit")
    allow_exit(state, "A4.FED-FF", Permit(kind="transfer", hexes=["1719"], key="federation-6"))
    at = table(state)
    new = PeriodLine(hex="1721", speed=Speed.CRUISE, goal="A92")
    carry_out_period(at, "alliance", PeriodSheet({"federation-new-2": new}))
    place_arrivals(at)
    enter_with_points(at, "alliance")
    move(state, "alliance")
    leave_map(at, "alliance")
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
    delivered(at, state.units[tf.units[0]], murzank, 30)
    assert list(spell_reports(at.shared.reports)) == kept()


def called(*, hides: bool = False) -> State:
    """A Klingon frigate in a Kzinti settled hex calls the reaction force; it stays there, or goes away again."""
    state = campaign(turn=3)
    expect_force(state, state.settings.campaign.force_of("kzinti-reaction"), units(state, "A5", "KZI-CA", "KZI-CL"), 1)
    put(state, "A1", "1217", "FED-CA", id_level=IdLevel.ID3)
    put(state, "A2", "1418", "FED-CA", id_level=IdLevel.ID3)
    intruder = put(state, "C1", "1201", "KLI-FF")
    at = table(state)
    watch(at)
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
    watch(at)
    compare(request, spell_reports(at.shared.reports))


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_sheet_of_the_reaction_force(request: Request) -> None:
    (ask,) = asks_of(reaction_steps(table(called())))
    compare(request, spell_ask(ask, {"force": {"hex": "0901"}}))


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_once_the_enemy_has_gone_the_reaction_force_is_proposed_near_its_bases(kept: Kept) -> None:
    (ask,) = asks_of(reaction_steps(table(called(hides=True))))
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
    _, refusals = read_ready_made({"oob_alliance.toml": "[purchase", "oob_coalition.toml": "[extras]\n"})
    assert [str(one) for one in refusals] == kept()
