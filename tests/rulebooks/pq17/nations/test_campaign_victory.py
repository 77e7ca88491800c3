"""The campaign's victory points and its end, and what is watched for in every impulse, by hand."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.campaign import arrivals, period_ends, reaction_force
from rules_engine.rulebooks.pq17.nations import initiative
from rules_engine.rulebooks.pq17.nations import victory_points as ch02
from rules_engine.rulebooks.pq17.records import progress, special_conditions
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told, world


# --- chapter 4: the initiative ----------------------------------------------------------------------------------------
@cases("alliance, coalition, winner")
def test_the_high_roll_wins_and_the_alliance_wins_ties(alliance: int, coalition: int, winner: str) -> None:
    state = world("A1 0405 CA\nC1 0607 CA")
    assert initiative.determine_initiative(table(state, alliance, coalition), {}) == winner
    assert state.initiative == winner


@pytest.mark.rule("pq17", "4.1.2", "4.1.3")
def test_bids_add_to_the_roll_and_both_sides_pay() -> None:
    """Alliance 3 + 1 = 4, Coalition 2 + 3 = 5: the Coalition wins; the total is -1 + 3 = +2."""
    state = world("A1 0405 CA\nC1 0607 CA")
    at = table(state, 3, 2)
    assert initiative.determine_initiative(at, {"alliance": 1, "coalition": 3}) == "coalition"
    assert state.total() == 2
    assert told(at, "alliance") == told(at, "coalition")
    assert "2 + 3 = 5" in told(at, "alliance")[0]


@pytest.mark.rule("pq17", "4.1.4")
def test_a_special_condition_adds_to_the_roll_of_who_has_it() -> None:
    """3 + 0 against 3 + 1 by a starred condition: without the star the Alliance would win the tie."""
    state = world("A1 0405 CA\nC1 0406 CA")
    star = special_conditions.RolledCondition(side="coalition", name="breakout", period=1, star=True)
    assert initiative.determine_initiative(table(state, 3, 3), {}) == "alliance"
    state.special.conditions = [star]
    assert initiative.determine_initiative(table(state, 3, 3), {}) == "coalition"


F = Fraction
WHY = because("PQ-17 C.vp")


@cases("tf, kind, event, was_crippled, scored, why", "scored, why")
def test_what_a_ship_is_worth_and_why(
    tf: str, kind: str, event: ch02.ShipEvent, *, was_crippled: bool, scored: str, why: str
) -> None:
    """Points are told with the campaign's line and its factor; Table 5 is cited in other scenarios alone (X-02)."""
    state = campaign()
    put(state, tf, "0810", kind)
    unit = state.units[f"{tf}.{kind}"]
    at = table(state)
    ch02.score_ship(at, unit, event, owner=unit.side, was_crippled=was_crippled, text="Hit.", why=WHY)
    (line,) = state.ledger
    assert (f"{line.line} {line.amount}", line.public) == (scored, True)
    (report,) = at.shared.reports
    assert report.why is not None
    assert report.why.text() == why


@pytest.mark.rule("pq17", "2.2", "T5.1")
def test_points_for_a_ship_cite_table_5_in_other_scenarios() -> None:
    at = table(world("C1 0607 CA"))
    ch02.score_ship(at, at.state.units["C1.CA"], "destroyed", owner="coalition", text="Gone.", why=WHY)
    (report,) = at.shared.reports
    assert report.why is not None
    assert report.why.text() == "economic value 120; PQ-17 T5"


@pytest.mark.rule("pq17", "C.vp.note4", "C.vp.note3")
def test_crippled_and_then_destroyed_in_another_battle_is_half_and_half() -> None:
    """Ruling SCN-23, a Klingon cruiser of 3 points: 1.5 + 1.5."""
    state = campaign()
    put(state, "C1", "0810", "KLI-CA")
    unit = state.units["C1.KLI-CA"]
    for event in ("crippled", "destroyed crippled"):
        ch02.score_ship(table(state), unit, event, owner="coalition", text="Hit.", why=WHY)
    assert state.total() == 3


@pytest.mark.rule("pq17", "C.vp.13", "C.vp.4")
def test_a_prize_lost_again_is_any_other_ship() -> None:
    """Ruling SCN-24."""
    state = campaign()
    put(state, "C1", "0810", "KLI-DN")
    unit = state.units["C1.KLI-DN"]
    unit.side, unit.captured_from, unit.fate = "alliance", "coalition", "captured"
    ch02.score_ship(table(state), unit, "destroyed", owner="alliance", text="Gone.", why=WHY)
    assert [(one.line, one.amount) for one in state.ledger] == [("C.vp.4", -4)]


@pytest.mark.rule("pq17", "C.vp.note2", "C.vp.note1")
def test_each_unit_is_rounded_by_itself_and_told_at_once() -> None:
    state = campaign()
    put(state, "C1", "0810", "KLI-CL", "KLI-CL")
    at = table(state)
    for name in ("C1.KLI-CL", "C1.KLI-CL2"):
        ch02.score_ship(at, state.units[name], "destroyed", owner="coalition", text="Gone.", why=WHY)
    assert state.total() == 5  # 2.25 each, rounded 2.5; together 4.5 would have stayed 4.5
    assert len(told(at, "alliance")) == len(told(at, "coalition")) == 2


@pytest.mark.rule("pq17", "C.vp.11", "C.vp.note8")
def test_a_raid_costs_the_alliance_a_point() -> None:
    state = campaign()
    ch02.score_raid(table(state), text="A raid on 1719 succeeded.", why=WHY)
    assert [(one.line, one.amount) for one in state.ledger] == [("C.vp.11", -1)]


@cases("turns, total, winner")
def test_the_alliance_needs_thirty_points_every_two_periods(turns: int, total: str, winner: str) -> None:
    state = campaign(turn=turns)
    state.settings = state.settings.model_copy(update={"turns": turns})
    ch02.score(table(state), "C.vp.7", F(total), WHY, text="All of it.")
    ending = ch02.ending(state)
    assert (ending.winners, ending.rule) == ((winner,), "PQ-17 C.vp.victory")
    state.turn = turns - 1
    assert ch02.ending(state) is None


# --- Patrol White -----------------------------------------------------------------------------------------------------
def score_of_patrol(state: State) -> Fraction:
    period_ends.score_patrol(table(state))
    return sum((line.amount for line in state.ledger if line.line == "C.vp.15"), F(0))


@cases("forces, there")
def test_two_federation_cruisers_or_larger_within_three_hexes(forces: list[tuple[str, list[str]]], there: bool) -> None:
    """0719 and 0119 are three hexes from 0419, 0819 four."""
    state = campaign()
    for number, (hex_id, ships) in enumerate(forces, start=1):
        put(state, f"A{number}", hex_id, *ships)
    assert reaction_force.patrol_in_place(state) == there
    reaction_force.end_of_impulse(state)
    assert score_of_patrol(state) == (0 if there else -2)


@pytest.mark.rule("pq17", "C.vp.15")
def test_one_impulse_without_it_is_enough_and_costs_once_a_period() -> None:
    state = campaign()
    tf = put(state, "A1", "0419", "FED-CA", "FED-CA")
    for hex_id in ("0419", "0819", "0919", "0419"):
        state.set_hex(tf, hex_id)
        reaction_force.end_of_impulse(state)
    assert score_of_patrol(state) == -2


@cases("hex_id, kind, level, port, excused")
def test_what_excuses_patrol_white(hex_id: str, kind: str, level: str, port: str, excused: bool) -> None:
    state = campaign()
    reaction_force.end_of_impulse(state)
    tf = put(state, "C1", hex_id, kind, id_level=IdLevel[level], in_port=port)
    reaction_force.watch(table(state))
    state.set_hex(tf, "1515")
    tf.id_level = IdLevel.N  # it is noted for the whole period
    assert score_of_patrol(state) == (0 if excused else -2)
    state.progress.tally = progress.PeriodTally(patrol_missed=True)
    assert score_of_patrol(state) == (-2 if excused else -4)


# --- the bound squadron -----------------------------------------------------------------------------------------------
@cases("hex_id, kind, level, released")
def test_what_releases_the_squadron_and_that_it_stays_released(hex_id: str, kind: str, level: str, released: bool):
    state = campaign()
    tf = put(state, "A1", hex_id, kind, id_level=IdLevel[level])
    at = table(state)
    reaction_force.watch(at)
    assert (state.progress.released, told(at, "alliance")) == (released, [])
    assert len(told(at, "coalition")) == int(released)
    tf.id_level = IdLevel.U
    reaction_force.watch(at)
    assert state.progress.released == released


# --- the reaction force -----------------------------------------------------------------------------------------------
def with_reaction_force() -> State:
    state = campaign(turn=7)
    force = state.settings.campaign.force_of("kzinti-reaction")
    arrivals.expect_force(state, force, [state.units[one] for one in make(state, "A", ["KZI-CA", "KZI-FF"])], 1)
    return state


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_the_reaction_force_comes_the_turn_after_an_intrusion_seen_or_not() -> None:
    state = with_reaction_force()
    assert state.progress.arrivals[0].opens == arrivals.NEVER
    tf = put(state, "C1", "1719", "KLI-FF")
    at = table(state)
    reaction_force.watch(at)
    assert state.progress.reaction == "held"  # a Federation settled hex
    state.set_hex(tf, "1101")
    reaction_force.watch(at)
    reaction_force.watch(at)
    assert told(at, "alliance") == ["Kzinti Reaction Force available: it comes on next turn."]
    assert told(at, "coalition") == []
    assert asks_of(reaction_force.reaction_steps(at)) == ()  # not in the same turn
    state.turn = 8
    (ask,) = asks_of(reaction_force.reaction_steps(at))
    assert ask.parties == ("alliance",)
    assert ask.default == ask.model.model_validate({"force": {"hex": "1101"}})  # where the enemy is
    run(reaction_force.reaction_steps(at), lambda _: {"force": {"hex": "0801"}})
    state.impulse = 1
    arrivals.place_arrivals(at)
    assert (state.task_forces["A1"].hex, state.progress.reaction) == ("0801", "entered")
    state.turn = 9
    assert asks_of(reaction_force.reaction_steps(at)) == ()


@pytest.mark.rule("pq17", "C.oob.kzinti.reaction-force")
def test_the_reaction_force_comes_on_in_a_spinward_settled_hex_only() -> None:
    state = with_reaction_force()
    put(state, "C1", "1101", "KLI-FF")
    at = table(state)
    reaction_force.watch(at)
    state.turn = 8
    (ask,) = asks_of(reaction_force.reaction_steps(at))
    wrong = ask.check(reaction_force.CallSheet.model_validate({"force": {"hex": "0701"}}))
    assert [one.rule for one in wrong] == ["PQ-17 C.oob.kzinti.reaction-force"]
