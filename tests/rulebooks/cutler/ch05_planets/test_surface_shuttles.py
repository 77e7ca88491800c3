"""4.2.4.8, 5.3.3: shuttles that stay on a planet lie in boxes of its ground bases, and count for its garrison."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import why_major
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.holds import shuttles_aboard
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost, with_more
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import armed, taken
from tests.rulebooks.cutler.worlds import Run, offered, refusal_words, refusals, sees, table_of


def held(bases: int = 5, parties: int = 16, boxes: int = 1, **planet: Any) -> CutlerState:
    """Cub in Hydran hands, with so many ground bases and boxes on each; a CA and a DD, with two shuttles each."""
    state = armed()
    state.ground_base_cost = GroundBaseCost(shuttles=boxes)
    taken(state, "cub", "hydran", 1, boarding_parties=parties, ground=with_more({}, bases), **planet)
    return state


def left(state: CutlerState, shuttles: int, parties: int | None = None) -> Run:
    sheet = {"F1": {"land": "cub", "shuttles": shuttles, "parties": parties}}
    assert refusals(plot_ask(state, "hydran"), sheet) == []
    carry_out_plot(state, "hydran", FleetPlots.model_validate(sheet))
    assert state.fleets["hydran/F1"].shuttles == shuttles
    land_troops(table := table_of(state))
    assert defects(state) == []
    return Run(table, iter(()))  # type: ignore[arg-type]


@pytest.mark.rule("cutler", "4.2.4.8", "5.3.3")
def test_shuttles_are_left_in_boxes_of_ground_bases_and_count_one_each_for_the_garrison():
    state = held(bases=2)
    planet = state.planets["cub"]
    assert why_major(state, planet) == "the garrison counts 16, and 20 are needed"
    run = left(state, 2, parties=2)
    # Each ship keeps one of its two.
    assert [shuttles_aboard(unit) for unit in state.alive("hydran") if unit.is_mobile] == [1, 1]
    assert (planet.shuttles, planet.boarding_parties, garrison(planet)) == (2, 18, 20)
    assert why_major(state, planet) == ""
    assert "F1 leaves 2 shuttles on Cub (0404)." in run.texts("hydran")
    assert state.fleets["hydran/F1"].shuttles == 0
    assert any("2 shuttles" in row for row in sees(run.table, [], "hydran").splitlines())
    assert not any("shuttle" in sees(run.table, [], side) for side in ("klingon", "lyran"))


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.4.2.1")
@cases("bases, boxes, there, wanted, problems")
def test_as_many_are_left_as_there_are_boxes_and_ships_can_spare(bases, boxes, there, wanted, problems):
    state = held(bases, boxes=boxes, shuttles=there)
    ask = plot_ask(state, "hydran")
    assert [rule for _, rule in refusals(ask, {"F1": {"land": "cub", "shuttles": wanted}})] == problems


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.4.2.1")
@cases("bases, there, wanted, words", "wanted")
def test_what_is_said_of_shuttles_that_cannot_be_left(bases, there, wanted, words):
    ask = plot_ask(held(bases, shuttles=there), "hydran")
    assert refusal_words(ask, {"F1": {"land": "cub", "shuttles": wanted}}) == [f"F1.shuttles: {words}"]


@pytest.mark.rule("cutler", "4.2.4.8", "5.2.2")
def test_a_fleets_line_offers_what_it_can_do_to_planets_and_shuttles_only_where_there_are_ground_bases():
    troops = [
        ("Land troops on", "No planet, Cub, 0404, Den, 0902, Hearth, 0908, Throne, 0205", "none",
         "Once it ends an impulse there"),
        ("Boarding parties to land", "1 to 20", None, "Of the whole fleet; blank lands all"),
    ]  # fmt: skip
    shuttles = (
        "Shuttles to leave there", "0 to 2", 0, "In ground bases of yours, where they count for the garrison",
    )  # fmt: skip
    razing = "In each impulse that it ends there, after combat"

    def line(state: CutlerState) -> list[Any]:
        return offered(plot_ask(state, "hydran").form.line("F1"))[3:-2]  # its standing orders stand behind

    assert line(held()) == [("Raze", "No planet, Den, 0902, Hearth, 0908", "none", razing), *troops, shuttles]
    assert line(armed()) == [("Raze", "No planet, Cub, 0404, Den, 0902, Hearth, 0908", "none", razing), *troops]
    # Ground bases of others are none of one's own.
    assert line(armed(cub={"ground": {"A": 2}}))[-1] == troops[-1]


@pytest.mark.rule("cutler", "4.2.4.8", "5.2")
@cases("line, words")
def test_what_is_said_of_what_a_fleet_cannot_do_to_planets(line, words):
    assert refusal_words(plot_ask(held(), "hydran"), {"F1": line}) == [f"F1.{words}"]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_none_are_left_on_ground_of_others(kept: Kept):
    state = armed(cub={"ground": {"A": 2}})
    ask = plot_ask(state, "hydran")
    assert refusal_words(ask, {"F1": {"land": "cub", "shuttles": 1}}) == kept()
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].shuttles = "cub", 1  # it was Hydran when this was plotted
    land_troops(table_of(state))
    assert (state.planets["cub"].shuttles, state.planets["cub"].landed) == (0, {"hydran": 20})
    assert [shuttles_aboard(unit) for unit in state.alive("hydran")] == [2, 2]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_ships_without_troops_may_leave_shuttles():
    state = held()
    for unit in state.alive("hydran"):
        unit.boarding_parties = 0
    run = left(state, 1)
    assert state.planets["cub"].shuttles == 1
    assert state.fleets["hydran/F1"].land == ""
    assert "boarding" not in run.texts("hydran")


@pytest.mark.rule("cutler", "4.2.4.8", "5.3")
def test_shuttles_are_lost_with_their_boxes_and_with_their_holder():
    state = armed(cub={"boarding_parties": 12, "ground": {"A": 2, "B": 1}, "shuttles": 3})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 5, "ground_bases": 1}, "H": {"boarding_parties": 5}}
    Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})
    assert (len(ground_units(state, state.planets["cub"])), state.planets["cub"].shuttles) == (1, 1)
    assert defects(state) == []
    hand_over(state, state.planets["cub"], "hydran")
    assert state.planets["cub"].shuttles == 0


@pytest.mark.rule("cutler", "6.4.1.10")
@pytest.mark.parametrize(
    ("shuttles", "said"), [(2, "no ships and 2 shuttles in their boxes"), (0, "no ships and no other units on the")]
)
def test_a_planet_check_finds_them(shuttles, said):
    state = held(shuttles=shuttles)
    state.turn, state.impulse, state.empires["klingon"].reserve = 0, 0, 60
    spy = {"M1": {"kind": "planet", "against": "hydran", "other": "cub", "ip": 30}}
    run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), {("turn", "klingon"): spy})
    assert said in run.texts("klingon")
    assert said not in sees(table, run.asks, "lyran")
