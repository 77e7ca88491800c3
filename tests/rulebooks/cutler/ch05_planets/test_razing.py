"""5.2: razing planets, who learns of it, and how they recover."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate, income, income_of, public_rate
from rules_engine.rulebooks.cutler.ch05_planets.razing import raze_planets, razers_of, recover_from_razing
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.parts.ground_units import stand_on
from rules_engine.rulebooks.cutler.records.planetary import razing_potential
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.armed import armed, taken
from tests.rulebooks.cutler.worlds import (
    Run,
    kind_of,
    put_aboard,
    refusal_words,
    refusals,
    sees,
    set_fields,
    table_of,
    world,
)


@cases("proves, code, figures, aboard, points")
def test_what_a_ship_razes(code: str, figures: dict[str, Any], aboard: int, points: int) -> None:
    """With so many fighters aboard; and nothing as a prize, since its weapons are barred."""
    unit = world(f"hydran F1 0404 {'CA' if code in ('base', 'police') else code}").alive()[0]
    unit.record = kind_of(code, **figures)
    put_aboard(unit, aboard, 0)
    assert razing_potential(unit) == points
    unit.captured_from = "lyran"
    assert razing_potential(unit) == 0


def razing(change: Any = None, fleet: str = "hydran/F1", planet: str = "cub", **planets: dict[str, Any]) -> Run:
    """The after-combat razing of a world in which a fleet was plotted to raze a planet."""
    state = armed(**planets)
    state.fleets[fleet].raze = planet
    if change is not None:
        change(state)
    raze_planets(table := table_of(state))
    return Run(table, iter(()))  # type: ignore[arg-type]


@pytest.mark.rule("cutler", "5.2", "5.2.2", "5.2.3.1", "5.2.3.2")
def test_each_point_of_the_force_takes_one_cpv_of_the_output_and_nothing_else() -> None:
    held = {"boarding_parties": 30, "crew_units": 15, "gcv": 3}
    planet = razing(cub=held).table.state.planets["cub"]
    assert planet.razed == 3 + 2  # a heavy cruiser and a destroyer
    assert income_of(planet, 3) == 25 - 5
    assert {name: getattr(planet, name) for name in held} == held
    assert razing(cub={"razed": Fraction(4)}).table.state.planets["cub"].razed == 9


@pytest.mark.rule("cutler", "5.2.3.2")
def test_no_more_is_razed_than_there_is() -> None:
    assert razing(cub={"razed": Fraction(22)}).table.state.planets["cub"].razed == 25
    assert razing(cub={"razed": Fraction(15), "discovered": True}).table.state.planets["cub"].razed == Fraction(75, 4)


def away(state: CutlerState) -> None:
    for unit in state.alive("hydran"):
        unit.hex = "0405"


def mark(**values: Any) -> Any:
    def change(state: CutlerState) -> None:
        set_fields(state.units["hydran-F1-CA"], values)

    return change


NOTATION = {"Fraction": Fraction, "away": away, "mark": mark}


@cases("change, razed")
def test_only_ships_in_the_hex_that_neither_disengaged_nor_escaped_raze(change: Any, razed: int) -> None:
    assert razing(evaluated(change, NOTATION)).table.state.planets["cub"].razed == razed


@pytest.mark.rule("cutler", "5.2.2")
def test_a_ship_razes_no_planet_but_the_one_its_fleet_was_plotted_to() -> None:
    assert razing(planet="den").table.state.planets["cub"].razed == 0
    state = armed()
    state.fleets["hydran/F1"].raze = "cub"
    assert [unit.id for unit in razers_of(state, state.planets["cub"], "hydran")] == ["hydran-F1-CA", "hydran-F1-DD"]
    assert razers_of(state, state.planets["den"], "hydran") == []
    assert razers_of(state, state.planets["cub"], "lyran") == []


@pytest.mark.rule("cutler", "5.2.3")
def test_a_ground_base_that_is_intact_keeps_its_hex_from_being_razed() -> None:
    run = razing(cub={"ground": {"A": 1}})
    assert run.table.state.planets["cub"].razed == 0
    assert "Cub is not razed: a ground base in its hex is intact." in run.texts("hydran")
    more = razing(cub={"ground": {"A": 2, "C": 1}})
    assert more.texts("hydran") == run.texts("hydran")  # how many there are it does not tell
    assert run.texts("klingon") == run.texts("lyran") == ""
    assert razing(den={"ground": {"A": 2, "C": 1}}).table.state.planets["cub"].razed == 5  # elsewhere it keeps nobody


def test_a_race_razes_no_planet_that_it_holds() -> None:
    assert razing(cub={"owner": "hydran", "captured_turn": 1}).table.state.planets["cub"].razed == 0


# --- plotting it -----------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.2.2")
def test_razing_is_plotted_and_goes_on_until_another_plot_ends_it() -> None:
    state = armed()
    fleet = state.fleets["hydran/F1"]
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"raze": "cub"}}))
    assert fleet.raze == "cub"
    carry_out_plot(state, "hydran", FleetPlots())
    assert fleet.raze == "cub"
    ask = plot_ask(state, "hydran")
    assert ask.form.prefilled()["F1"]["raze"] == "cub"
    assert "razes Cub" in " ".join(ask.read_back(FleetPlots()))
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"raze": "none"}}))
    assert fleet.raze == ""


@pytest.mark.rule("cutler", "5.2.2", "5.2.1")
def test_what_cannot_be_razed_is_refused(kept: Kept) -> None:
    state = armed()
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"F1": {"raze": "den"}}) == []
    assert refusal_words(ask, {"F1": {"raze": "throne"}}) == kept("#1")
    assert refusal_words(ask, {"F1": {"raze": "moon"}}) == kept("#2")
    for unit in state.alive("hydran"):
        unit.captured_from = "lyran"
    ask = plot_ask(state, "hydran")
    assert refusal_words(ask, {"F1": {"raze": "den"}}) == kept("#3")
    assert "raze" not in {field.key for field in ask.form.line("F1").fields}


def test_ships_that_are_split_off_may_raze_and_the_others_not(kept: Kept) -> None:
    state = armed()
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"new": {"ships": ["hydran-F1-DD"], "raze": "cub"}}))
    assert [(fleet.units, fleet.raze) for fleet in state.fleets_of("hydran")] == kept()


# --- who learns of it ------------------------------------------------------------------------------------------------
def test_the_owner_and_who_is_there_learn_the_total_and_nobody_else() -> None:
    run = razing(lambda state: setattr(state.units["klingon-F1-CW"], "hex", "0908"))
    text = "Cub (0404) is razed by the Hydran: 5 points, 5 CPV in all."
    assert text in run.texts("hydran")
    assert text in run.texts("klingon")
    assert run.texts("lyran") == ""
    assert text in razing(lambda state: setattr(state.units["lyran-F1-CC"], "hex", "0404")).texts("lyran")


def test_no_public_rate_shows_what_was_razed() -> None:
    state = armed(cub={"razed": Fraction(5)})
    assert (cpv_rate(state, "klingon"), public_rate(state, "klingon")) == (120, 125)
    plain, razed = armed(), state
    assert public_board(plain) == public_board(razed)
    for side in ("hydran", "lyran"):
        assert side_board(plain, side, Knowledge()) == side_board(razed, side, Knowledge())
    own = side_board(state, "klingon", Knowledge())
    assert "Cub, 0404: makes 20 of 25 CPV, razed 5" in "\n".join(own.panel("Planets").rows)
    assert "Klingon: 120 CPV a turn" in RULEBOOK.omniscient_board(state).panel("CPV rates").rows


@pytest.mark.unseen("cutler", reports=("planet",))
def test_razing_is_unseen_by_who_is_elsewhere() -> None:
    runs = []
    for raze in ("none", "cub"):
        table = table_of(armed())
        table.state.fleets["klingon/F1"].course = []
        answers = {("turn", "hydran"): {"F1": {"raze": raze, "land": "none"}}}
        table.state.empires["klingon"].asking = "each"  # asked in any case
        runs.append(Run(table, turn_steps(table), answers))
    assert runs[1].table.state.planets["cub"].razed == 25
    assert sees(runs[0].table, runs[0].asks, "lyran") == sees(runs[1].table, runs[1].asks, "lyran")
    assert sees(runs[0].table, runs[0].asks, "klingon") != sees(runs[1].table, runs[1].asks, "klingon")


# --- recovery --------------------------------------------------------------------------------------------------------
@cases("kind, discovered, captured, back", "")
def test_a_planet_recovers_by_a_tenth_of_its_output_and_a_captured_one_by_half_of_that(
    kind: str, discovered: bool, captured: bool, back: Fraction
) -> None:
    state = world(f"turn 5\nplanet {kind} 0404 klingon cub")
    planet = state.planets["cub"]
    planet.discovered, planet.razed = discovered, Fraction(15)
    if captured:
        taken(state, "cub", "hydran", 1)
    recover_from_razing(table := table_of(state))
    assert planet.razed == 15 - evaluated(back, NOTATION)
    for _ in range(20):
        recover_from_razing(table)
    assert planet.razed == 0


@pytest.mark.rule("cutler", "5.2.5")
def test_a_planet_recovers_after_the_turns_income() -> None:
    state = armed("turn 0\nplanet capital 0205 hydran throne\nplanet capital 0902 lyran den", throne={"razed": 30})
    run = Run(table := table_of(state), turn_steps(table))
    assert "Income 70 CPV" in run.texts("hydran")
    assert "Throne (0205) recovers 10 CPV: 20 CPV razed in all." in run.texts("hydran")
    assert "recovers" not in run.texts("lyran")
    state.turn = 2
    assert income(state, "hydran") == 80


@pytest.mark.rule("cutler", "5.2.2")
def test_razing_comes_after_combat_in_every_impulse() -> None:
    Run(table := table_of(armed()), turn_steps(table), {("turn", "hydran"): {"F1": {"raze": "cub"}}})
    assert table.state.planets["cub"].razed == 25  # 5 in each of 6 impulses, up to its output
    told = [one for one in table.shared.reports if "is razed" in one.text]
    # In the sixth there is nothing left to raze, so that nothing is told of it.
    assert [one.place for one in told] == [f"T2/I{impulse}/after" for impulse in range(1, 6)]


@pytest.mark.rule("cutler", "5.2.2", "5.2.3.2")
def test_its_owner_is_told_of_a_razing_each_time_and_asked_for_plots_once_a_turn() -> None:
    state = armed()
    state.fleets["hydran/F1"].raze = "cub"
    for turn, impulse, asked in ((2, 3, 1), (2, 4, 0), (2, 6, 0), (3, 1, 1)):
        state.turn, state.impulse = turn, impulse
        state.empires["klingon"].alerts = []
        raze_planets(table := table_of(state))
        assert state.empires["klingon"].alerts == ["Cub is razed"] * asked
        assert [one.kind for one in table.shared.reports if one.is_for("klingon")] == ["planet"]


@pytest.mark.rule("cutler", "5.2.2", "5.2.3.1")
def test_a_planet_that_is_razed_already_is_not_told_of_again() -> None:
    state = armed()
    state.fleets["hydran/F1"].raze = "cub"
    cub = state.planets["cub"]
    cub.razed = Fraction(22)  # of 25; the cruiser and the destroyer take 5 at most
    told: list[int] = []
    for _ in range(3):
        raze_planets(table := table_of(state))
        told.append(len(table.shared.reports))
    assert told == [1, 0, 0]
    assert cub.razed == 25
    cub.razed = Fraction(24)  # it recovered a little, and loses that again
    raze_planets(table := table_of(state))
    assert len(table.shared.reports) == 1


@pytest.mark.rule("cutler", "5.2.3")
def test_who_is_kept_from_razing_by_a_ground_base_is_told_once_a_turn() -> None:
    state = armed()
    stand_on(state, state.planets["cub"], {"A": 1}, state.ground_base_cost.record)
    state.fleets["hydran/F1"].raze = "cub"
    told: list[int] = []
    for turn in (2, 2, 3):
        state.turn = turn
        raze_planets(table := table_of(state))
        told.append(len(table.shared.reports))
    assert told == [1, 0, 1]
    assert state.planets["cub"].razed == 0
