"""Errands: what convoys and ships on transfer do on pure defaults, turn by turn, and how their owner ends that."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.running.replay import replay
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.campaign.period_sheet import PeriodLine, PeriodSheet, carry_out_period
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room
from rules_engine.rulebooks.pq17.orders.order_sheets import PlanLine, PlanSheet
from rules_engine.rulebooks.pq17.plotting import errands, planning_drafts, planning_sheet
from rules_engine.rulebooks.pq17.plotting.planning_drafts import SideDrafts
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.state import COALITION, State
from rules_engine.rulebooks.pq17.tables import operations, supply
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, CampaignPlay, scenario
from tests.rulebooks.pq17.playing.officers import AT, SEED, Manner
from tests.rulebooks.pq17.plotting.test_running_on import Game
from tests.rulebooks.pq17.worlds.campaign import EDGE, MURZANK, campaign, convoy, put
from tests.rulebooks.pq17.worlds.notation import table, told, world

# --- when sheets are made ---------------------------------------------------------------------------------------------
FLEET = "A1 0405 CA+DD\nA2 0405 FF+FF\nA3 0505 CL\nC1 0607 CA"


@pytest.fixture
def shaped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the task forces that are drafted, as often as they are."""
    ids: list[str] = []
    shape = planning_drafts._shape

    def counted(state: Any, force: Any, line: Any, orders: Any) -> Any:
        ids.append(force.id)
        return shape(state, force, line, orders)

    monkeypatch.setattr(planning_drafts, "_shape", counted)
    return ids


def test_a_form_that_nobody_looks_at_is_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    looked, silent = Game(turns=3), Game(turns=3)
    looked.plan("alliance", side={"ask": "always"})

    def forbid(*_: object) -> None:
        raise AssertionError("nobody looks")

    monkeypatch.setattr(planning_sheet, "planning_form", forbid)
    assert replay(RULEBOOK, [step.entry for step in looked.steps], SEED).digest() == looked.adjudicator.digest()
    silent.close()
    assert {"T1/planning/planning/alliance", "T1/planning/planning/coalition"} <= set(silent.steps[-1].closed)


def test_what_is_filled_in_is_what_a_silent_side_gets() -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    assert ask.default == PlanSheet.model_validate(ask.form.prefilled())
    assert list(ask.default.root) == [line.key for line in ask.form.lines]
    for line in ask.form.lines:
        assert ask.default.root[line.key].model_fields_set == line.filled_in().keys()


def test_a_correction_changes_what_is_shown_and_not_what_a_silent_side_gets() -> None:
    """Nor does it matter whether anybody had looked: a replay, in which nobody does, comes out the same."""
    ends: set[str] = set()
    for has_looked in (True, False):
        game = Game(turns=3)
        (ask,) = [one for one in game.adjudicator.asks_for("alliance") if one.kind == "planning"]
        unit_id = next(unit for tf in game.state.all_task_forces("alliance") if not tf.is_base for unit in tf.units)
        tf = game.state.tf_of(unit_id)
        before = ask.default
        if has_looked:
            assert "Least fuel of a ship: 1/2" not in ask.form.by_key[tf.id].note
        game.steps.append(game.adjudicator.edit(f"units.{unit_id}.fuel", "1/2", by="ref", reason="x", at=AT))
        assert "Least fuel of a ship: 1/2" in ask.form.by_key[tf.id].note
        assert ask.default is before
        assert ask.form.prefilled().keys() == before.root.keys()
        game.close()
        assert replay(RULEBOOK, [step.entry for step in game.steps], SEED).digest() == game.adjudicator.digest()
        ends.add(game.adjudicator.digest())
    assert len(ends) == 1


def test_a_changed_line_drafts_its_own_task_force_alone(shaped: list[str]) -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    assert sorted(shaped) == ["A1", "A2", "A3"]
    ask.answer_from({})
    shaped.clear()
    for _ in range(2):
        answer = ask.answer_from({"A2": {"speed": "1", "route": "0406"}})
        assert (len(ask.read_back(answer)), len(ask.courses(answer))) == (3, 1)
    assert shaped == ["A2"]
    shaped.clear()
    ask.answer_from({"A1.DD": {"task_force": "A2"}})
    assert shaped == ["A1", "A2"], "ships change two task forces"
    ask.forget()
    shaped.clear()
    ask.answer_from({})
    assert sorted(shaped) == ["A1", "A2", "A3"], "the state was changed"


def test_a_sheet_sent_back_as_it_is_shown_drafts_nothing_again(shaped: list[str]) -> None:
    ask = planning_ask(table(world(FLEET)), "alliance")
    shaped.clear()
    for sheet in ({}, ask.form.prefilled(), {"A2": ask.form.filled_in("A2")}):
        answer = ask.answer_from(sheet)
        assert (len(ask.read_back(answer)), ask.courses(answer)) == (3, [])
    assert shaped == []


def test_only_what_reading_judges_anew_is_drafted_when_a_sheet_is_sent_back(shaped: list[str]) -> None:
    """A patrol may have been drawn off, and towing and shadowing may no longer go on."""
    state = world(f"{FLEET}\nA4 0507 CA\nA5 0707 CA+DD\nA6 0607 CL\nA7 0407 CA")
    state.task_forces["A4"].route = state.task_forces["A4"].loop = ["0407", "0507"]
    state.task_forces["A5"].tows = [forces.TowGroup(tower="A5.CA", towed=["A5.DD"])]
    state.set_target(state.task_forces["A6"], "C1")
    state.task_forces["A7"].route = ["0408"]
    ask = planning_ask(table(state), "alliance")
    shaped.clear()
    for sheet in ({}, ask.form.prefilled()):
        ask.answer_from(sheet)
    assert sorted(shaped) == ["A4", "A5", "A6"]


def test_plans_are_carried_out_as_they_were_judged(shaped: list[str]) -> None:
    state = world(FLEET)
    at, drafts = table(state), SideDrafts(state, "alliance")
    answer = planning_ask(at, "alliance", drafts).answer_from({"A2": {"speed": "1", "route": "0406"}})
    shaped.clear()
    carry_out_plans(at, {"alliance": answer}, {"alliance": drafts})
    assert (shaped, state.task_forces["A2"].route) == ([], ["0406"])


def test_figures_that_come_into_force_are_drafted_with(shaped: list[str]) -> None:
    state = world(FLEET)
    at, drafts = table(state), SideDrafts(state, "alliance")
    answer = planning_ask(at, "alliance", drafts).answer_from({"A3.CL": {"practical_speed": 1}})
    shaped.clear()
    carry_out_plans(at, {"alliance": answer}, {"alliance": drafts})
    assert (sorted(shaped), state.units["A3.CL"].practical_speed) == (["A1", "A2", "A3"], 1)


def test_only_so_many_wordings_are_kept(monkeypatch: pytest.MonkeyPatch, shaped: list[str]) -> None:
    monkeypatch.setattr(planning_drafts, "MOST_WORDINGS", 3)
    ask = planning_ask(table(world(FLEET)), "alliance")
    for number in range(10):
        ask.answer_from({"A1": {"name": f"Wing {number}"}})
    shaped.clear()
    ask.answer_from({"A1": {"name": "Wing 9"}})
    assert shaped == []
    ask.answer_from({"A1": {"name": "Wing 0"}})
    assert shaped == ["A1"]


# --- the examples of orders on the players' page are legal ------------------------------------------------------------
PAGE = Path(__file__).resolve().parents[4] / "docs" / "players.md"


def test_the_examples_of_a_planning_sheet_are_legal() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    ask = planning_ask(table(world("A1 0403 CA\nC1 0607 CA")), "alliance")
    (sheet,) = re.findall(r"`(A1: speed [^`]+)`", page)
    (standing,) = re.findall(r"\(the field `doctrine`\): `([^`]+)`", page)
    (stop,) = re.findall(r"what else should stop it: `([^`]+)`", page)
    assert len(re.findall(r"`((?:\d{4} \d{4}|to \d{4}|loop \d{4} \d{4}))`", page)) == 3
    (said,) = re.findall(r"`(A1 to \d{4} at \d)`", page)
    assert read_sheet(ask.form, said) == {"A1": {"route": "to 0405", "speed": "2"}}
    for text in (sheet, said, f'A1: doctrine "{standing}"', f'side: doctrine "{standing}"; stop "{stop}"'):
        ask.answer_from(read_sheet(ask.form, text))


@pytest.mark.parametrize("route", ["0404 0405", "to 0407", "loop 0406 0405"])
def test_the_examples_of_routes_are_legal_from_beside_them(route: str) -> None:
    assert f"`{route}`" in PAGE.read_text(encoding="utf-8")
    state = world(f"A1 {'0403' if route.startswith('0404') else '0405'} CA\nC1 0607 CA")
    ask = planning_ask(table(state), "alliance")
    ask.answer_from(read_sheet(ask.form, f"A1: speed 1; route {route}"))


def plan(state: State, **lines: PlanLine) -> list[str]:
    """Plan the Alliance's turn, by default where no line is given; what it is told."""
    at = table(state)
    ask = planning_ask(at, "alliance")
    sheet = PlanSheet({**ask.default.root, **lines}) if lines and ask.default else ask.default
    assert sheet is not None
    assert not ask.check(sheet), ask.check(sheet)
    carry_out_plans(at, {"alliance": sheet})
    return told(at, "alliance")


@pytest.mark.rule("pq17", "10.3.8.1")
def test_a_convoy_in_port_unloads_keeping_station_and_leaves_when_it_is_empty() -> None:
    """Ruling SUP-11: it came to port in the turn before, unloads all of this turn, and leaves in the next."""
    state = campaign(turn=20)
    tf = convoy(state, "A1", "0806", in_port=MURZANK)
    assert "A1 goes about its errand: it unloads." in plan(state)
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.posture.logistics, tf.route) == (operations.Speed.STATION, True, [])
    for unit in state.units_of(tf):
        unit.supply = 0
    assert "A1 goes about its errand: convoy: back to 0722." in plan(state)
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.posture.logistics) == (operations.Speed.EFFICIENT, False)
    assert (tf.route[0], tf.route[-2:]) == (forces.PORT, [EDGE, forces.EXIT])


@pytest.mark.rule("pq17", "C.oob.kzinti.base-convoy", "C.vp.10")
def test_a_convoy_at_a_base_that_is_full_waits_for_room_to_the_end_of_its_period() -> None:
    """It could stay to the end of period 2 without a penalty; waiting only in period 1 leaves 30 turns to go back."""
    state = campaign(turn=20)
    tf = convoy(state, "A1", "0806", in_port=MURZANK)
    for unit_id in tf.units:
        state.progress.freighters[unit_id].kind = "resupply"
        state.progress.freighters[unit_id].nation = "kzinti"
    base = state.units_of(state.task_forces[MURZANK])[0]
    base.supply += int(cargo_room(base, supply.Goods.SUPPLY))
    said = plan(state)
    assert "A1 goes about its errand: the base has no room, so it waits in port to the end of the period." in said
    tf = state.task_forces["A1"]
    assert (tf.speed, tf.posture.logistics, tf.in_port, tf.route) == (operations.Speed.STATION, True, MURZANK, [])
    assert errands.say_errand(state, tf) == "convoy: waits at Murzank for room, then back to 0722"
    base.supply -= 10
    assert "A1 goes about its errand: it unloads." in plan(state)
    base.supply += 10
    state.turn = 30
    plan(state)
    assert state.progress.errands["A1.F-L"].stage == "wait"
    state.turn = 31
    assert "A1 goes about its errand: convoy: back to 0722." in plan(state)


@pytest.mark.rule("pq17", "C.vp.10", "C.vp.note7")
def test_a_convoy_sets_out_with_a_turn_for_each_hex_and_two_to_leave_the_port_and_the_map() -> None:
    """It must be off the map by turn 60, the end of the period after the one in which it came."""
    state = campaign()
    convoy(state, "A1", "0806", in_port=MURZANK)
    state.turn = 60 - state.grid.distance("0806", EDGE) - 2
    assert "A1 goes about its errand: it unloads." in plan(state)
    state.turn += 1
    assert "A1 goes about its errand: convoy: back to 0722." in plan(state)


def test_at_the_edge_escorts_stay_behind_and_then_go_to_port() -> None:
    state = campaign(turn=20)
    convoy(state, "A1", EDGE, "FED-DD", stage="back")
    plan(state)
    tf = state.task_forces["A1"]
    assert (tf.units, tf.route, tf.speed) == (["A1.F-L", "A1.F-L2"], [forces.EXIT], operations.Speed.EFFICIENT)
    escort = state.tf_of("A1.FED-DD")
    assert escort.id != "A1"
    plan(state)
    assert state.task_forces[escort.id].route[-1] == forces.PORT


def test_who_plans_otherwise_ends_the_errand_and_is_told_so() -> None:
    state = campaign(turn=5)
    convoy(state, "A1", "0715")
    ask = planning_ask(table(state), "alliance")
    assert ask.default is not None
    assert any("Convoy: to Murzank, unload, back to 0722." in one for one in ask.read_back(ask.default))
    stays = PlanLine(posture=(), speed=operations.Speed.STATION, route="")
    assert any("Its errand ends with this." in one for one in ask.read_back(PlanSheet({"A1": stays})))
    assert "A1 is planned otherwise: its errand is over." in plan(state, A1=stays)
    assert state.progress.errands == {}
    plan(state)
    assert state.task_forces["A1"].route == []


@pytest.mark.rule("pq17", "C.schedule.note3")
def test_ships_on_transfer_part_from_the_others_and_leave_the_map() -> None:
    """IRONCLAD wants a destroyer in period 1; 1720 is one hex from the edge's 1722 at most, and reached in time."""
    state = campaign()
    put(state, "A1", "1720", "FED-CL", "FED-DD", "FED-DD")
    at = table(state)
    carry_out_period(at, "alliance", PeriodSheet({"ironclad-DD": PeriodLine(ships=("A1.FED-DD",), exit="1720")}))
    plan(state)
    tf = state.tf_of("A1.FED-DD")
    assert (tf.units, tf.route, tf.speed) == (["A1.FED-DD"], [forces.EXIT], operations.Speed.EFFICIENT)
    assert (state.task_forces["A1"].units, state.task_forces["A1"].route) == (["A1.FED-CL", "A1.FED-DD2"], [])


@pytest.mark.rule("pq17", "C.vp.7")
def test_on_pure_defaults_the_convoy_delivers_all_it_brought() -> None:
    """22 large freighters with 50 supply points each bring 1100: 22 victory points. The coalition stays in port."""
    book, document = scenario(CAMPAIGN, turns=62)
    game = CampaignPlay(book, document, 2, manner=Manner(silence=1.0), check=False).play(1)
    state = game.state
    kiel = next(tf for tf in state.all_task_forces(COALITION) if tf.base is not None and tf.base.key == "kiel")
    for tf in state.all_task_forces(COALITION):
        if not tf.is_base:
            state.set_hex(tf, kiel.hex)
            state.set_port(tf, kiel.id)
            tf.route, tf.loop = [], []
            tf.speed = tf.plotted = operations.Speed.STATION
    game.play(29)
    assert state.progress.tally.delivered == 1100
    assert game.adjudicator.defects() == []
    convoys = [one for one in state.progress.errands.values() if one.unload and one.leave == EDGE]
    assert {one.stage for one in convoys} == {"back"}


def on_transfer(turn: int, fuel: Fraction) -> str:
    """What a destroyer in port at Scapa Flow does that IRONCLAD wants at the edge in 1720."""
    state = campaign(turn=turn)
    tf = put(state, "A1", "1217", "FED-DD", in_port="A91", id_level=forces.IdLevel.N)
    (unit,) = state.units_of(tf)
    unit.fuel = fuel
    state.progress.permits[unit.id] = progress.Permit(kind="transfer", key="ironclad", hexes=["1720"])
    state.progress.errands[unit.id] = progress.Errand(leave="1720", stage="back")
    return errands.errand_orders(state, tf).stage


@pytest.mark.rule("pq17", "C.schedule.note4")
def test_who_would_leave_with_less_than_half_of_its_fuel_takes_some_first_while_there_is_time() -> None:
    """From 1217 to 1720 it is five hexes, by the port and the edge seven steps, each 1/8 for a movement cost of 1/2.
    The destroyer has 15 power boxes, so it leaves with 7 1/2 if it has 8 3/8."""
    enough = Fraction(67, 8)
    assert on_transfer(1, enough) == "back"
    assert on_transfer(1, enough - Fraction(1, 24)) == "stores"
    # seven turns for the steps and one to take stores must be less than those left: nine on turn 22, eight on turn 23
    assert on_transfer(22, Fraction(0)) == "stores"
    assert on_transfer(23, Fraction(0)) == "back"


def test_where_no_new_task_force_may_be_formed_nobody_parts_by_itself() -> None:
    state = campaign()
    tf = put(state, "A1", "1720", "FED-CL", "FED-DD")
    state.progress.errands["A1.FED-DD"] = progress.Errand(leave="1720", stage="back")
    assert errands.parted(state, [tf], ["A2"]) == {"A1.FED-DD": "A2"}
    assert errands.parted(state, [tf], []) == {}


@cases("freighter, stage")
def test_only_a_convoys_freighters_have_the_next_period_to_leave_in(freighter: bool, stage: str) -> None:
    """On turn 20 of 30 it is too late to leave 0722 in this period if the way from Murzank is nine hexes or more."""
    state = campaign(turn=20)
    tf = convoy(state, "A1", "0806", in_port=MURZANK)
    if not freighter:
        state.progress.freighters.clear()
    assert state.grid.distance("0806", EDGE) >= 9
    assert errands.errand_orders(state, tf).stage == stage
