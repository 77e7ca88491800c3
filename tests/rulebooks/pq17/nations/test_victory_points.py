"""Nations: victory points, the initiative, what is watched for in every impulse, and sentences that name nations."""

from fractions import Fraction
from typing import Any, Literal

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.campaign import arrivals, period_ends, reaction_force
from rules_engine.rulebooks.pq17.nations import homes, initiative
from rules_engine.rulebooks.pq17.nations import victory_points as ch02
from rules_engine.rulebooks.pq17.nations.conditions_in_force import known_rows
from rules_engine.rulebooks.pq17.nations.unloading import unloading_refusal
from rules_engine.rulebooks.pq17.nations.victory_points import close_period, ending, score
from rules_engine.rulebooks.pq17.records import progress, special_conditions
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.progress import Departure, Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.intelligence import intelligence_steps
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import heard
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import CLASSES, asks_of, run, ship_class, table, told, world
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, holds, seen, special_world
from tests.rulebooks.written_texts import compare

F = Fraction
WHY = because("PQ-17 T5")


@cases("exact, rounded", "")
def test_lines_round_to_half_a_point_with_ties_away_from_zero(exact: str, rounded: str) -> None:
    assert ch02.to_half(F(exact)) == F(rounded)


@cases("proves, kind, event, was_crippled, points", "")
def test_what_a_ship_is_worth(kind: str, event: ch02.ShipEvent, was_crippled: bool, points: str) -> None:
    state = world(f"A1 0405 {kind}")
    unit = state.units[f"A1.{kind}"]
    assert ch02.ship_points(state, unit, event, was_crippled=was_crippled) == F(points)


@cases("destroyed, captured, before, after, event")
def test_what_counts_is_the_state_at_the_start_of_the_battle(
    destroyed: bool, captured: bool, before: bool, after: bool, event: str | None
) -> None:
    found = ch02.ship_event(destroyed=destroyed, captured=captured, crippled_before=before, crippled_after=after)
    assert found == event


@pytest.mark.rule("pq17", "2.1", "T5.note2")
def test_alliance_losses_count_down_and_coalition_losses_up() -> None:
    state = world("A1 0405 CA\nC1 0405 DD")
    at = table(state)
    ch02.score_ship(at, state.units["C1.DD"], "destroyed", owner="coalition", text="A destroyer is lost.", why=WHY)
    assert state.total() == F(3, 2)  # 80 / 60 = 1.33
    ch02.score_ship(at, state.units["A1.CA"], "destroyed", owner="alliance", text="A cruiser is lost.", why=WHY)
    assert state.total() == F(-1, 2)
    assert len(told(at, "alliance")) == len(told(at, "coalition")) == 2


@pytest.mark.rule("pq17", "T5.4", "T5.note5")
def test_a_raid_takes_a_point() -> None:
    state = world("A1 0405 CA")
    ch02.score_raid(table(state), text="Amberline was raided.", why=WHY)
    assert state.total() == -1


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b")
@pytest.mark.unseen("pq17", reports=("victory",))
def test_a_secret_line_is_the_enemys_only_when_the_period_ends() -> None:
    state = world("A1 0405 CA\nC1 0405 DD")
    at = table(state)
    ch02.score(at, "T5.5", F(-2), WHY, text="Command points.", seen_by=["alliance"])
    assert (ch02.total_for(state, "alliance"), ch02.total_for(state, "coalition")) == (-2, 0)
    assert told(at, "coalition") == []
    ch02.close_period(at)
    assert ch02.total_for(state, "coalition") == -2
    assert any("Command points" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "T5.note1")
def test_a_line_that_rounds_to_nothing_is_not_entered() -> None:
    state = world("A1 0405 CA", classes=CLASSES | {"TINY": ship_class("TINY", "1/10", bpv_economic=12)})
    at = table(state)
    assert ch02.score(at, "T5.1", F(12, 60), WHY, text="A shuttle.") == 0
    assert (state.ledger, told(at, "alliance")) == ([], [])


@cases("points, winner", "")
def test_the_alliance_wins_at_its_threshold(points: str, winner: str) -> None:
    state = world("A1 0405 CA\nC1 0405 DD", turns=8, victory_points=F(1))
    ch02.score(table(state), "T5.1", F(points), WHY, text="All of it.")
    state.turn = 7
    assert ch02.ending(state) is None
    state.turn = 8
    assert ch02.ending(state).winners == (winner,)


@cases("change, whole", "", made="change")
def test_undamaged_is_who_lacks_no_box(change: dict[str, Any], whole: bool) -> None:
    state = world("A1 0405 CA")
    unit = state.units["A1.CA"]
    for name, value in change.items():
        setattr(unit, name, value)
    assert homes.is_undamaged(state, unit) is whole


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_undamaged_is_not_who_lacks_boxes_that_are_only_counted_as_damage() -> None:
    state = world("A1 0405 CA")
    unit = state.units["A1.CA"]
    unit.repairs = unit.repairs.with_values(damage={"phaser-1": 1})
    assert not homes.is_undamaged(state, unit)
    unit.repairs = unit.repairs.with_values(damage={"phaser-1": 0})
    assert homes.is_undamaged(state, unit)


# --- sentences of nations ---------------------------------------------------------------------------------------------
# what is said of the initiative, victory points, the map's edges, base convoys and special conditions in force.
Request = pytest.FixtureRequest


@pytest.mark.rule("pq17", "4.1.1", "4.1.2", "4.1.3", "4.1.4", "4.1.5")
def test_the_initiative_as_it_is_told(request: Request) -> None:
    """A plain roll, a tie, and bids of both sides with a star for the Coalition."""
    lines: list[str] = []
    for rolls, bids, star in (
        ((5, 2), {}, False),
        ((4, 4), {}, False),
        ((3, 2), {"alliance": 1, "coalition": 2}, True),
    ):
        state = world("A1 0405 CA\nC1 0607 CA")
        if star:
            holds(state, "coalition", "breakout", star=True)
        at = table(state, *rolls)
        initiative.determine_initiative(at, bids)
        lines += [line for report in at.shared.reports for line in heard(at, report)]
    compare(request, lines)


@pytest.mark.rule("pq17", "SOP.3.a", "SOP.3.b", "2.1", "T5.victory")
def test_victory_points_public_and_secret_and_the_end(request: Request) -> None:
    state = world("A1 0405 CA\nC1 0405 DD\nturn 8", turns=8, victory_points=Fraction(2))
    at, why = table(state), because("PQ-17 T5")
    score(at, "T5.1", Fraction(3, 2), why, text="A Tester CA destroyed in 0405.")
    score(at, "C.special", Fraction(-1), why, text="Minelaying: a strength point laid in 1217.", seen_by=["coalition"])
    close_period(at)
    lines = [line for report in at.shared.reports for line in heard(at, report)]
    over = ending(state)
    assert over.scores == {"alliance": "+1/2 (0.5)", "coalition": "-1/2 (-0.5)"}
    compare(request, [*lines, f"{over.text} ({over.rule})"])


def leaving(kind: str = "", **fields: object) -> State:
    """A Federation cruiser at 0901 that may leave there or at 1001, for what ``kind`` says."""
    state = campaign()
    put(state, "A1", "0901", "FED-CA")
    if kind:
        permit = {"kind": kind, "hexes": ["0901", "1001"], **fields}
        state.progress.permits["A1.FED-CA"] = Permit.from_json(permit)
    return state


@pytest.mark.rule("pq17", "5.3", "C.schedule.note3", "C.schedule.note4", "C.cargo-supply-benefit")
def test_exits_that_are_refused(request: Request) -> None:
    """Without leave, elsewhere, damaged for a named operation, and a second time in a period."""
    damaged = leaving("transfer", key=next(one for one in campaign().settings.schedule.transfer if one.operation).key)
    damaged.units["A1.FED-CA"].warp = 3
    again = leaving("cargo")
    gone = Departure(unit="A1.FED-CA", kind="cargo", key="", hex="0901", turn=1, fit=True)
    again.progress.departures = [gone]
    cases = [(leaving(), "0901"), (leaving("special"), "1202"), (damaged, "0901"), (again, "0901")]
    refusals = [homes.exit_refusal(state, state.task_forces["A1"], here, "A1.route") for state, here in cases]
    assert homes.exit_refusal(leaving("special"), leaving("special").task_forces["A1"], "0901") is None
    compare(request, [str(one) for one in refusals])


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_unloading_that_is_refused(request: Request) -> None:
    lines: list[str] = []
    for nation, tf_id, base in (("federation", "A1", "A94"), ("kzinti", "A1", "A91"), ("klingon", "C1", "A94")):
        state = campaign()
        put(state, tf_id, "0614", "F-L", nation=nation)
        unit = state.units[f"{tf_id}.F-L"]
        document = {"kind": "resupply", "convoy": "x", "nation": nation, "period": 1, "original": 0}
        state.progress.freighters[unit.id] = Freighter.from_json(document)
        lines.append(str(unloading_refusal(state, unit, state.units[state.task_forces[base].units[0]], "A1.unload")))
    compare(request, lines)


@pytest.mark.rule("pq17", "1.5", "SOP.1.e")
def test_special_conditions_as_each_side_knows_them(request: Request) -> None:
    """The Coalition strikes Murzank, which was revealed; the Alliance has used HF/DF and keeps GALE FORCE secret."""
    state = special_world("turn 31")
    holds(state, "alliance", "gale force", 1)
    holds(state, "alliance", "none", 2)
    strike = executes(state, "coalition", "port strike", "Murzank", period=2)
    strike.revealed = state.special.conditions[-1].revealed = True
    holds(state, "coalition", "reforger", 1)
    event(state, "alliance", "hf-df", 2).spent = True
    event(state, "alliance", "elusive target", 1)
    event(state, "coalition", "straggler", 2)
    compare(request, [f"{side}: {row}" for side in ("alliance", "coalition") for row in known_rows(state, side)])


@cases("name", "")
@pytest.mark.unseen("pq17", reports=("special",))
def test_a_port_strike_that_is_revealed_keeps_its_base_secret(name: Literal["fis-ultra", "whiskers"]) -> None:
    """Own ruling PQ-63: neither what is told nor the board names it."""

    def revealed(target: str) -> tuple[object, ...]:
        state = special_world("turn 1")
        event(state, "alliance", name)
        executes(state, "coalition", "port strike", target)
        at = table(state)
        run(intelligence_steps(at))
        assert "Period 1: enemy: Port Strike carried out" in known_rows(state, "alliance")
        return seen(at, "alliance")

    assert revealed("Murzank") == revealed("Arzangel")


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
    for happened in ("crippled", "destroyed crippled"):
        ch02.score_ship(table(state), unit, happened, owner="coalition", text="Hit.", why=WHY)
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
