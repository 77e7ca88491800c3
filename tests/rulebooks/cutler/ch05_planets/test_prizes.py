"""5.1: captured ships are melted down at a base that could build them."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.prizes import bases_for, salvage_prizes, salvageable, scrap_value
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import why_major
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.holds import shuttles_aboard
from rules_engine.rulebooks.cutler.records.economy import DockWork, RepairPoints
from rules_engine.rulebooks.cutler.records.ground import GroundBaseCost, with_more
from rules_engine.rulebooks.cutler.records.orders import FleetPlots, SalvageLine, TurnSheet
from rules_engine.rulebooks.cutler.records.parts.ground_units import ground_units
from rules_engine.rulebooks.cutler.records.planetary import garrison
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.cutler.armed import SIEGE, armed, taken
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, refusals, sees, table_of, world


# --- surface shuttles ------------------------------------------------------------------------------------------------
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


@cases("bases, boxes, there, wanted, problems")
def test_as_many_are_left_as_there_are_boxes_and_ships_can_spare(bases, boxes, there, wanted, problems):
    ask = plot_ask(held(bases, boxes=boxes, shuttles=there), "hydran")
    assert refusal_words(ask, {"F1": {"land": "cub", "shuttles": wanted}}) == problems


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


@cases("line, words")
def test_what_is_said_of_what_a_fleet_cannot_do_to_planets(line, words):
    assert refusal_words(plot_ask(held(), "hydran"), {"F1": line}) == [f"F1.{words}"]


@pytest.mark.rule("cutler", "4.2.4.8")
def test_none_are_left_on_ground_of_others(kept: Kept):
    state = armed(cub={"ground": {"A": 2}})
    assert refusal_words(plot_ask(state, "hydran"), {"F1": {"land": "cub", "shuttles": 1}}) == kept()
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
    assert (state.planets["cub"].shuttles, state.fleets["hydran/F1"].land) == (1, "")
    assert "boarding" not in run.texts("hydran")


@pytest.mark.rule("cutler", "4.2.4.8", "5.3")
def test_shuttles_are_lost_with_their_boxes_and_with_their_holder():
    state = armed(cub={"boarding_parties": 12, "ground": {"A": 2, "B": 1}, "shuttles": 3})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 5, "ground_bases": 1}, "H": {"boarding_parties": 5}}
    Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})
    assert (len(ground_units(state, state.planets["cub"])), state.planets["cub"].shuttles, defects(state)) == (1, 1, [])
    hand_over(state, state.planets["cub"], "hydran")
    assert state.planets["cub"].shuttles == 0


@cases("shuttles, said", "")
def test_a_planet_check_finds_them(shuttles, said):
    state = held(shuttles=shuttles)
    state.turn, state.impulse, state.empires["klingon"].reserve = 0, 0, 60
    spy = {"M1": {"kind": "planet", "against": "hydran", "other": "cub", "ip": 30}}
    run = Run(table := table_of(state, {"mission": [1]}), turn_steps(table), {("turn", "klingon"): spy})
    assert said in run.texts("klingon")
    assert said not in sees(table, run.asks, "lyran")


# --- prizes ----------------------------------------------------------------------------------------------------------
PRIZE = """
turn 2
planet capital 0902 lyran den
planet capital 0205 hydran throne
hydran base 0404 Station
hydran F1 0404 CA
hydran F2 0404 DD
lyran F1 0902 CC
"""
SHIP = "hydran-F2-DD"


def harbour(base: str = "SB", **ship: Any) -> CutlerState:
    """A prize beside a base of that type; ``ship`` are figures of its class."""
    state = world(PRIZE)
    state.units["hydran-base-0404"].record = kind_of("base", base_type=base)
    state.units[SHIP].captured_from = "lyran"
    state.units[SHIP].record = kind_of("DD", **ship)
    return state


@cases("base, sizes")
def test_the_base_must_be_able_to_build_a_ship_of_that_size(base: str, sizes: list[int]) -> None:
    assert [size for size in range(1, 8) if salvageable(harbour(base, size_class=size), "hydran")] == sizes


@pytest.mark.rule("cutler", "5.1")
def test_it_must_be_a_prize_beside_a_base_of_its_captor() -> None:
    state = harbour()
    assert [unit.id for unit in salvageable(state, "hydran")] == [SHIP]
    assert salvageable(state, "lyran") == []
    state.units["hydran-base-0404"].race = "lyran"
    assert bases_for(state, state.units[SHIP]) == []
    state = harbour()
    state.units[SHIP].hex = "0405"
    assert salvageable(state, "hydran") == []
    base = harbour()
    base.units["hydran-base-0404"].captured_from = "lyran"
    assert [unit.id for unit in salvageable(base, "hydran")] == [SHIP]  # a base is taken to no base


@cases("warp, impulse, value")
def test_scrap_is_half_of_its_price_less_repair(warp: int, impulse: int, value: int) -> None:
    ship = (state := harbour()).units[SHIP]  # 80 CPV; a lost box costs 5
    ship.warp_ok, ship.impulse_ok, state.repair_points = warp, impulse, RepairPoints(warp=10, impulse=10)
    assert scrap_value(state, ship) == value


@pytest.mark.rule("cutler", "5.1.1", "4.3")
def test_a_prizes_repair_is_reckoned_by_the_chart_of_repair_costs() -> None:
    state = harbour(cargo=9)
    ship = state.units[SHIP]
    ship.warp_ok, ship.impulse_ok, ship.cargo_lost = 17, 1, 4
    state.repair_points = RepairPoints(warp=12, impulse=7, cargo=3)
    # 12 + 7 + 12 points are 31, so 16 CPV; half of what is left of 80.
    assert scrap_value(state, ship) == 32
    assert "Hydran F2 Dd (DD): 32 CPV" in form_text(turn_ask(state, "hydran").form)


@pytest.mark.rule("cutler", "5.1", "4.2.1.1")
def test_a_prize_on_which_a_docking_bay_works_is_not_melted_down(kept: Kept) -> None:
    state = harbour()
    base = state.units["hydran-base-0404"]
    base.record = kind_of("base", repair=20, docking_bays=(20,))
    state.units[SHIP].warp_ok -= 1
    melted = {"salvage": {"ships": [SHIP]}}
    repair = {"D1": {"work": f"repair {SHIP}"}}
    assert refusal_words(turn_ask(state, "hydran"), melted | repair) == kept("#1")
    into = kind_of("CC")
    state.works = {
        f"{base.id}/1": DockWork(base=base.id, bay=1, race="hydran", into=into, named="Prize", ship=SHIP, cost=10)
    }
    assert refusal_words(turn_ask(state, "hydran"), melted) == kept("#2")
    assert refusals(turn_ask(state, "hydran"), melted | {"D1": {"work": "give up"}}) == []


def melt(state: CutlerState, **sheet: Any) -> Run:
    lines = {"economy": {"pool": 0, "reserve": 100}, "salvage": {"ships": [SHIP]}, **sheet}
    return Run(table := table_of(state), turn_sheets_steps(table), {("turn", "hydran"): lines})


@pytest.mark.rule("cutler", "5.1", "5.1.1")
def test_scrap_goes_into_the_boxes_of_that_base_and_what_they_cannot_hold_is_lost() -> None:
    state = harbour()
    run = melt(state)
    assert state.units["hydran-base-0404"].cargo_cpv == 40
    assert state.units[SHIP].destroyed
    assert [fleet.units for fleet in state.fleets_of("hydran")] == [["hydran-F1-CA"]]
    assert "is melted down in 0404: 40 CPV into cargo boxes." in run.texts("hydran")
    assert "melted" not in run.texts("lyran")
    full = harbour()
    full.units["hydran-base-0404"].cargo_cpv = 35  # of 50
    assert "15 CPV into cargo boxes, 25 lost for want of room." in melt(full).texts("hydran")
    assert full.units["hydran-base-0404"].cargo_cpv == 50


@pytest.mark.rule("cutler", "5.1", "4.1.8")
def test_the_load_of_a_prize_is_lost_with_its_boxes() -> None:
    state = harbour()
    prize = state.units[SHIP]
    prize.record = prize.record.model_copy(update={"cargo": 9})
    prize.cargo_cpv = 9
    salvage_prizes(table_of(state), "hydran", SalvageLine(ships=(SHIP,)))
    assert (state.units["hydran-base-0404"].cargo_cpv, prize.cargo_cpv) == (40, 0)
    assert [fleet.units for fleet in state.fleets_of("hydran")] == [["hydran-F1-CA"]]
    assert defects(state) == []


@pytest.mark.rule("cutler", "5.1")
def test_what_cannot_be_salvaged_is_refused(kept: Kept) -> None:
    state = harbour()
    ask = turn_ask(state, "hydran")
    assert refusals(ask, {"salvage": {"ships": [SHIP]}}) == []
    assert refusal_words(ask, {"salvage": {"ships": ["hydran-F1-CA"]}}) == kept("#1")
    assert refusal_words(ask, {"salvage": {"ships": ["lyran-F1-CC"]}}) == kept("#2")
    assert refusal_words(ask, {"salvage": {"ships": [SHIP, SHIP]}}) == ["salvage.ships: a ship is named twice"]
    state.units[SHIP].hex = "0405"
    assert refusal_words(turn_ask(state, "hydran"), {"salvage": {"ships": [SHIP]}}) == kept("#3")


def test_the_line_is_there_where_there_is_something_to_melt_down() -> None:
    assert turn_ask(harbour(), "hydran").form.line("salvage").filled_in() == {"ships": []}
    assert turn_ask(harbour(), "lyran").form.line("salvage") is None
    assert "salvage" not in TurnSheet().model_dump()
    sheet = TurnSheet.model_validate({"salvage": {"ships": [SHIP]}})
    assert "Melted down: Hydran F2 Dd." in turn_ask(harbour(), "hydran").read_back(sheet)


def test_what_is_melted_down_is_unseen() -> None:
    runs = [melt(harbour(), salvage=line) for line in ({"ships": []}, {"ships": [SHIP]})]
    assert sees(runs[0].table, runs[0].asks, "lyran") == sees(runs[1].table, runs[1].asks, "lyran")


# --- boarding parties in battle --------------------------------------------------------------------------------------
FIGHT = {("card", "hydran"): {"force": {"card": "combat"}}}


def fought(**lines: dict[str, Any]) -> Run:
    """A battle over Cub, in which a Hydran cruiser and destroyer with 10 boarding parties each meet a Klingon."""
    state = armed(SIEGE.replace("klingon F1 0908", "klingon F1 0404"))
    state.units["hydran-F1-DD"].boarding_parties = 2
    result = {key: {"fate": "intact"} for key in ("H1", "H2", "K1")} | lines
    return Run(table := table_of(state), combat_phase_steps(table), {**FIGHT, ("battle", ""): result})


@pytest.mark.rule("cutler", "4.2.4.8", "5.1")
def test_boarding_parties_are_lost_in_battle_and_with_a_captured_ship() -> None:
    run = fought(H1={"fate": "intact", "parties_lost": 4}, H2={"fate": "damaged", "parties_lost": 5})
    units = run.table.state.units
    assert [units[key].boarding_parties for key in ("hydran-F1-CA", "hydran-F1-DD")] == [6, 0]
    assert "H1 Hydran F1 Ca: intact, lost 4 boarding parties" in run.texts("klingon")
    taken = fought(K1={"fate": "captured"}).table.state.units["klingon-F1-CW"]
    assert (taken.race, taken.captured_from, taken.boarding_parties) == ("hydran", "klingon", 0)


@pytest.mark.rule("cutler", "4.2.4.8")
def test_the_battle_form_asks_for_no_more_than_a_class_can_carry(kept: Kept) -> None:
    (ask,) = (ask for ask in fought().asks if ask.kind == "battle")
    fields = {line.key: {field.key: field.most for field in line.fields} for line in ask.form.lines}
    assert [fields[key]["parties_lost"] for key in ("H1", "H2", "K1")] == [12, 12, 12]  # not those that are aboard
    whole = ask.form.prefilled()
    assert refusals(ask, {**whole, "H1": {"fate": "intact", "parties_lost": 12}}) == []
    assert refusal_words(ask, {**whole, "H1": {"fate": "intact", "parties_lost": 13}}) == kept()
    assert "2 boarding parties" in ask.setup.secret["hydran"][0].rows[1]
