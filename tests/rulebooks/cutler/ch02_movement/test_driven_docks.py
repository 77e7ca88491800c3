"""FRDs with engines move under their own power (4.4.1): a hex a turn, in a fleet, without a counter, and as bases."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import ports
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import execute_moves, top_speed
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch03_combat.escape import may_run
from rules_engine.rulebooks.cutler.ch03_combat.flanking import may_flank
from rules_engine.rulebooks.cutler.ch03_combat.terrain.allocation import defenders_posting, judge_posts
from rules_engine.rulebooks.cutler.ch03_combat.terrain.features import bases_in
from rules_engine.rulebooks.cutler.ch03_combat.terrain.sheets import PostSheet
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import note_bases
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of
from rules_engine.rulebooks.cutler.ch04_economics.stores import carriers, holders
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import maintains
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.accessories.legends import disembark
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.combat.terrain import TerrainFeature
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from rules_engine.rulebooks.cutler.sequence import turn_steps
from rules_engine.rulebooks.cutler.shown.map_ranges import map_ranges
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world

DOCK, TUG = "hydran-F1-dock", "hydran-F2-CA"
TEXT = "\nturn 1 impulse 1\nhydran F2 0404 CA[tractors=1]\nlyran F1 0902 CC\nklingon F1 0908 CW\n"


def kind(impulse: int = 3, **figures: Any) -> UnitClass:
    values = {"base_type": "FRD", "impulse": impulse, "size_class": 3, "repair": 4, "docking_bays": [4]}
    return kind_of("base", **values, **figures)


def driven(text: str = TEXT, together: bool = False, **figures: Any) -> CutlerState:
    """The world with a Hydran FRD in 0404, in a fleet of its own or with the CA."""
    state = world(text)
    dock = state.commission("hydran", "Dock", kind(**figures), "0404")
    del state.units[dock.id]
    dock.id = DOCK
    state.units[DOCK] = dock
    fleet = next(fleet for fleet in state.fleets_of("hydran") if fleet.key != "F2")
    fleet.units = [DOCK]
    if together:
        carry_out_plot(state, "hydran", FleetPlots.model_validate({"F2": {"ships": [TUG, DOCK]}}))
    assert defects(state) == []
    return state


def fleet_with(state: CutlerState, key: str) -> str:
    return next(fleet.key for fleet in state.fleets_of("hydran") if key in fleet.units)


def moved(state: CutlerState, course: str, **line: Any) -> list[str]:
    """Where the FRD is after each impulse of a turn."""
    sheet = {fleet_with(state, DOCK): {"course": course, **line}}
    assert refusals(plot_ask(state, "hydran"), sheet) == []
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    at: list[str] = []
    for state.impulse in range(1, 7):
        execute_moves(table_of(state))
        tidy_fleets(state)
        assert defects(state) == []
        at.append(state.units[DOCK].hex)
    return at


@pytest.mark.rule("cutler", "4.4.1", "2.4", "2.4.1.3")
def test_an_frd_with_impulse_engines_moves_one_hex_a_turn_and_one_without_none():
    assert moved(driven(), "0405 0406") == ["0404"] * 5 + ["0405"]  # speed 1 moves in impulse 6
    state = driven()
    assert top_speed(state.units[DOCK]) == 1
    state.units[DOCK].impulse_ok = 1
    assert top_speed(state.units[DOCK]) == 1  # one box is enough (2.4.1.3)
    state.units[DOCK].impulse_ok = 0
    assert top_speed(state.units[DOCK]) == 0
    assert [kind(boxes).top_speed for boxes in (0, 1)] == [0, 1]
    assert kind_of("base", impulse=3, base_type="BATS").top_speed == 0
    sheet = {fleet_with(state, DOCK): {"course": "0405"}}
    assert [rule for _, rule in refusals(plot_ask(state, "hydran"), sheet)] == ["2.4.1.6"]


@pytest.mark.rule("cutler", "7.2", "4.4.1")
def test_an_frd_on_its_way_is_drawn_as_no_port():
    def supplied() -> list[tuple[str, ...]]:
        return [one.hexes for one in map_ranges(state, "hydran") if one.kind == "supply"]

    state = driven()
    assert supplied() == [("0404",)]
    moved(state, "0405")
    assert supplied() == []
    state.turn, state.impulse = 2, 1
    assert supplied() == [("0405",)]


@pytest.mark.rule("cutler", "4.4.1", "2.4.1.5")
def test_a_ship_of_its_fleet_tows_it_at_three(kept: Kept):
    state = driven(together=True)
    assert moved(state, "0405 0406 0407 0408", tow=[DOCK]) == ["0404", "0405", "0405", "0406", "0406", "0407"]
    # Together without a tow they are as slow as it is.
    assert moved(driven(together=True), "0405 0406 0407 0408") == ["0404"] * 5 + ["0405"]
    # Of another fleet, nobody has it in tow.
    assert refusal_words(plot_ask(driven(), "hydran"), {"F2": {"tow": [DOCK]}}) == kept()


@cases("line, words")
def test_it_is_not_plotted_to_where_no_base_may_be_and_why(line, words):
    state = driven(TEXT + line)
    sheet = {fleet_with(state, DOCK): {"course": "0405 0406"}}
    assert refusal_words(plot_ask(state, "hydran"), sheet) == words


@pytest.mark.rule("cutler", "3.5", "4.4.1", "2.6.1")
def test_it_has_no_counter_and_is_a_base_of_its_hex_but_in_the_impulse_in_which_it_moved():
    state = driven()
    moved(state, "0405")
    dock = state.units[DOCK]
    assert [counter for counter in state.counters() if counter[0] == "hydran"] == [("hydran", "0404")]  # the CA's
    for now, deployed in ((6, False), (5, True)):
        state.impulse = now
        assert (bases_in(state, "0405") == [dock]) is deployed
        assert ports(state, "hydran") == (["0405"] if deployed else [])
        note_bases(state)
        assert ("0405" in state.empires["hydran"].base_hexes) is deployed
    assert tacintel.part_of(state, dock) == "convoy"  # what may move unseen
    # All the same it works on ships, maintains them, and keeps CPV as a base does.
    assert [one.base for one in docks_of(state, "hydran").values()] == [dock]
    assert maintains(dock, state.units[TUG])
    assert (carriers(state, "hydran"), holders(state, "hydran", "0405")) == ({}, [dock])


@pytest.mark.rule("cutler", "3.3.2", "3.7.5", "3.4.5", "4.4.1")
def test_in_battle_it_is_a_base_that_neither_runs_nor_flanks_nor_leaves():
    state = driven(TEXT.replace("0902 CC", "0404 CC"), warp=6)
    dock = state.units[DOCK]
    assert (may_run(dock), may_flank(dock), top_speed(dock)) == (False, False, 1)
    battle: dict[str, Any] = {"H1": {}, "H2": {}, "L1": {"fate": "disengaged"}}

    def judged(ask: Any) -> Any:
        key = next(line.key for line in ask.form.lines if "Dock" in line.label)
        assert refusal_words(ask, {**battle, key: {"fate": "disengaged"}}) == [
            "H1.fate: Dock is a base and cannot leave (3.5, 3.4.5)"
        ]
        return battle

    answers = {("card", "lyran"): {"force": {"card": "combat"}}, ("battle", ""): judged}
    answers |= {
        ("allocate", "lyran"): {"lyran-F1-CC": {"place": "base1"}},
        ("allocate", "hydran"): {TUG: {"place": "base1"}},
    }
    run = Run(table := table_of(state), combat_phase_steps(table.at("combat")), answers)
    assert "Battle at the base 1 of the Hydran in 0404." in run.texts("lyran")


@pytest.mark.rule("cutler", "4.4.1", "2.6.1")
def test_nobody_else_sees_it_go():
    seen = []
    for course in ("0405", ""):
        state = driven(TEXT.replace("turn 1 impulse 1", "turn 0"))
        key = fleet_with(state, DOCK)
        run = Run(table := table_of(state), turn_steps(table), {("turn", "hydran"): {key: {"course": course}}})
        assert state.units[DOCK].hex == (course or "0404")
        seen.append([sees(table, run.asks, side) for side in ("lyran", "klingon")])
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_officers_of_a_prize_that_is_melted_down_go_to_it_before_any_ship():
    state = driven(TEXT.replace("CA[tractors=1]", "CA[tractors=1]+AUX+DD[officers=science]"))
    prize, beside = state.units["hydran-F2-DD"], [state.units[key] for key in ("hydran-F2-AUX", TUG, DOCK)]
    beside[0].id = "a"  # before the dock's
    disembark(prize, beside, state.accessories)
    assert [bool(unit.passengers) for unit in beside] == [False, False, True]


@pytest.mark.rule("cutler", "3.5.6", "4.4.1")
def test_if_it_came_from_a_fight_at_a_feature_it_is_refused_as_ships_are(kept: Kept):
    here = Fight()
    here.ground.features = [TerrainFeature(key=key, name=key, kind="location") for key in ("rock", "belt")]
    here.ground.fought_at[DOCK] = "rock"
    posting = defenders_posting(here, [driven().units[DOCK]], {})
    assert [str(one) for one in judge_posts(posting, PostSheet.model_validate({DOCK: {"place": "belt"}}))] == kept()
