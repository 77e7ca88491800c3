"""4.2.4.8 and 5.3.3: squads, ground combat vehicles, crew units and transporters; what is lost with what."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.boards import side_board
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.landing import land_troops
from rules_engine.rulebooks.cutler.ch05_planets.prizes import salvage_prizes
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import rebellion_segment
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.ch07_maintenance.maintenance import miss_maintenance
from rules_engine.rulebooks.cutler.ch09_surveying.survey import surveying_phase
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.accessories.holds import load_defects, refitted
from rules_engine.rulebooks.cutler.records.orders import FleetPlots, SalvageLine
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.planetary import can_land, garrison, say_with
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import armed, taken
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, counts, lots, refused_in_words, turn, yard

CA, DD = "hydran-F1-CA", "hydran-F1-DD"


def landing(state: CutlerState, parties: int | None = None, crews: int | None = None) -> Run:
    fleet = state.fleets["hydran/F1"]
    fleet.land, fleet.parties, fleet.crews = "cub", parties, crews
    land_troops(table := table_of(state))
    assert defects(state) == []
    return Run(table, iter(()))  # type: ignore[arg-type]


def force(parties: int = 10, **cub: Any) -> CutlerState:
    """A cruiser and a destroyer with so many boarding parties each over Cub; the cruiser has three squads and carries
    vehicles, some in its own boxes."""
    state = armed(parties=parties, cub=cub)
    cruiser = state.units[CA]
    cruiser.record = kind_of("CA", boarding_parties=10, shuttles=4, cargo=4, crew_units=6)
    cruiser.squads = {"commando": 1, "heavy": 2}
    cruiser.holds, cruiser.stowed, cruiser.crew_units = lots(shuttle=2, gcv=1), lots(gcv=3), 6
    return state


# --- squads ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "5.3.3", "4.2.4.8", "4.2.4")
def test_squads_are_trained_as_boarding_parties_are(kept: Kept):
    state = yard(HOME + "hydran F1 0205 CA+DD\n", boarding_parties=40)
    for key in (CA, DD):
        state.units[key].record = kind_of(key[-2:], boarding_parties=8)
    turn(state, A1={"item": "commando", "to": CA, "count": 4}, A2={"item": "heavy_weapons", "to": CA, "count": 5})
    cruiser = state.units[CA]
    assert (cruiser.boarding_parties, cruiser.squads) == (9, {"commando": 4, "heavy": 5})
    assert [one.cpv for one in state.spent] == [4, 5]
    more = {"item": "boarding_party", "to": CA, "count": 2}
    assert refused_in_words(state, A1=more) == [
        "A1.to: Hydran F1 Ca has room for 10 boarding parties (4.2.4.8). Legal: at most 10."
    ]  # ten of eight at most, of all kinds together
    assert refused_in_words(state, A1={"item": "boarding_party", "to": DD, "origin": CA}) == kept()
    turn(state, A1={"item": "commando", "to": DD, "origin": CA, "count": 3})
    assert (cruiser.boarding_parties, cruiser.squads) == (6, {"commando": 1, "heavy": 5})
    assert (state.units[DD].boarding_parties, state.units[DD].squads) == (3, {"commando": 3})
    refitted(cruiser, cruiser.record)
    assert cruiser.squads == {"commando": 1, "heavy": 5}
    cruiser.record = kind_of("CA", boarding_parties=2)
    refitted(cruiser, cruiser.record)
    assert (cruiser.boarding_parties, cruiser.squads) == (2, {"heavy": 1, "commando": 1})


@cases("squads, counts_for")
def test_commandos_are_no_garrison_and_heavy_weapons_count_as_one(squads, counts_for):
    state = armed()
    planet = taken(state, "cub", "hydran", 1, boarding_parties=20, gcv=1, squads=squads)
    assert garrison(planet) == counts_for
    rebellion_segment(table := table_of(state, {"rebels": [6], "losses": [6, 6]}))
    said = Run(table, iter(())).texts("hydran")
    # Twenty are needed: six rebels, or twelve; of ten a die's number is lost, of the rest the same share.
    assert ("Major revolt" in said) == (counts_for < 20)
    lost = 7 if counts_for < 20 else 3
    assert planet.boarding_parties == 20 - lost
    assert planet.squads == squads  # ordinary ones are lost first
    assert defects(state) == []


# --- landing ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.8", "5.3", "5.3.3")
def test_squads_and_vehicles_land_with_the_troops():
    state = force(boarding_parties=9)
    run = landing(state)
    planet, cruiser = state.planets["cub"], state.units[CA]
    # Twenty boarding parties may have two vehicles; those in the ship's own boxes come first.
    assert (planet.landed, planet.landed_with) == (
        {"hydran": 20},
        {"hydran": Landed(squads={"commando": 1, "heavy": 2}, gcv=2)},
    )
    assert (counts(cruiser.holds), counts(cruiser.stowed), cruiser.squads) == ({"shuttle": 2}, {"gcv": 2}, {})
    said = "F1 lands 20 boarding parties (2 heavy weapons squads, 1 commandos among them), 2 ground combat vehicles"
    assert said in run.texts("hydran")
    assert (run.texts("klingon"), run.texts("lyran")) == ("Hydran troops land on Cub (0404).", "")
    row = "Cub, 0404: 20 boarding parties (2 heavy weapons squads, 1 commandos among them) with 2 GCV landed"
    assert row in side_board(state, "hydran", table_of(state).knowledge("hydran")).panel("Planets").rows
    assert "commandos" not in sees(run.table, [], "klingon")


@pytest.mark.rule("cutler", "4.2.4.8")
def test_a_part_of_the_troops_is_landed_without_those_that_come_last():
    state = force(boarding_parties=9)
    landing(state, parties=9)  # of the cruiser's ten: seven ordinary ones, two with heavy weapons
    assert state.planets["cub"].landed_with == {"hydran": Landed(squads={"heavy": 2}, gcv=0)}
    assert state.units[CA].squads == {"commando": 1}


@pytest.mark.rule("cutler", "4.2.4.8")
def test_crew_units_do_not_attack_and_each_ship_keeps_one():
    state = force(boarding_parties=9)
    landing(state, crews=5)
    assert (state.units[CA].crew_units, state.planets["cub"].crew_units) == (6, 0)
    state = force(owner="hydran", captured_turn=1, boarding_parties=15)
    landing(state, crews=50)
    assert (state.units[CA].crew_units, state.planets["cub"].crew_units) == (1, 5)


@cases("owner, line, words")
def test_how_many_crew_units_are_landed_and_where(owner, line, words):
    state = force(owner=owner)
    ask = plot_ask(state, "hydran")
    assert refusal_words(ask, {"F1": line}) == words
    if not words and "crews" in line:
        sheet = FleetPlots.model_validate({"F1": line})
        assert "lands all boarding parties and 5 crew units on Cub" in " ".join(ask.read_back(sheet))
        carry_out_plot(state, "hydran", sheet)
        carry_out_plot(state, "hydran", FleetPlots())
        assert state.fleets["hydran/F1"].crews == 5
        carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"land": "none"}}))
        assert state.fleets["hydran/F1"].crews is None


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.4.2.2")
def test_a_vehicle_takes_the_box_of_a_shuttle_or_lies_in_cargo():
    unit = force().units[CA]
    assert load_defects(unit) == []
    unit.holds = lots(shuttle=2, gcv=3)
    assert [law for _, law, _ in load_defects(unit)] == ["4.2.4.2.2"]


@cases("shuttles, transporters, engines, able")
def test_a_shuttle_or_a_working_transporter_lands_troops(shuttles, transporters, engines, able):
    state = armed(shuttles=0)
    del state.units[DD]
    state.fleets["hydran/F1"].units = [CA]
    unit = state.units[CA]
    unit.record = kind_of("CA", boarding_parties=10, shuttles=1, transporters=transporters)
    unit.holds = lots(shuttle=shuttles) if shuttles else {}
    unit.warp_ok, unit.impulse_ok = engines, 0
    assert can_land([unit]) == able
    refused_as = [] if able else [("F1.land", "4.2.4.8, CU-N32")]
    assert refusals(plot_ask(state, "hydran"), {"F1": {"land": "cub"}}) == refused_as
    landing(state)
    assert state.planets["cub"].landed == ({"hydran": 10} if able else {})


# --- the fight on the surface ----------------------------------------------------------------------------------------
def assault(*results: dict[str, dict[str, int]]) -> tuple[CutlerState, Run]:
    state = force(boarding_parties=12, squads={"commando": 2})
    state.fleets["hydran/F1"].land = "cub"
    place = table_of(state).at("one")
    return state, Run(place, after_combat_steps(place), {("assault", ""): list(results)})


@pytest.mark.rule("cutler", "5.3", "5.3.3", "4.2.4.8")
def test_what_is_left_on_the_surface_is_reported_kind_by_kind():
    left = {"planet": {"boarding_parties": 3, "commando": 2}, "H": {"boarding_parties": 10, "heavy": 1, "gcv": 1}}
    state, run = assault(left)
    planet = state.planets["cub"]
    assert (planet.boarding_parties, planet.squads) == (3, {"commando": 2})
    assert (planet.landed, planet.landed_with) == ({"hydran": 10}, {"hydran": Landed(squads={"heavy": 1}, gcv=1)})
    (ask,) = run.asked("klingon", "assault")
    assert ask.form.line("H").filled_in() == {"boarding_parties": 20, "heavy": 2, "commando": 1, "gcv": 2}
    _, run = assault({"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 1}})
    state.planets["cub"].landed, state.planets["cub"].landed_with = {"hydran": 20}, {"hydran": Landed(gcv=2)}
    state.planets["cub"].boarding_parties = 12
    (ask,) = run.asked("klingon", "assault")
    assert defects(state) == []


@cases("held, expected")
def test_no_more_squads_are_left_than_there_were(held, expected):
    state = force(boarding_parties=12, squads={"commando": 2}, landed={"hydran": 20})
    seen: list[list[tuple[str, str]]] = []

    def answer(ask: Any) -> Any:
        seen.append(refusals(ask, {"planet": held, "H": {"boarding_parties": 5}}))
        return {"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 1}}

    Run(place := table_of(state).at("one"), after_combat_steps(place), {("assault", ""): answer})
    assert seen == [expected]


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_the_captor_holds_the_planet_with_all_that_it_landed(kept: Kept):
    state, run = assault(
        {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 19, "commando": 1, "heavy": 2, "gcv": 1}}
    )
    planet = state.planets["cub"]
    assert (planet.owner, planet.boarding_parties, planet.squads, planet.gcv) == kept()
    assert planet.landed == planet.landed_with == {}
    assert "commandos" not in run.texts("lyran")
    assert defects(state) == []


@pytest.mark.rule("cutler", "5.3")
def test_troops_that_are_beaten_leave_nothing_with_them():
    state, _ = assault({"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 0}})
    assert state.planets["cub"].landed_with == {}


@pytest.mark.rule("cutler", "6.4.1.10", "6.4.1.4")
def test_spies_read_of_squads_and_vehicles():
    state = force(boarding_parties=9, squads={"heavy": 3}, landed={"lyran": 10}, landed_with={"lyran": Landed(gcv=1)})
    assert say_with(state.planets["cub"], "lyran") == " with 1 GCV"
    table = table_of(state)
    said: dict[str, Any] = {"line": "M1", "said": "", "ip": 20}
    planet = Mission(spy="lyran", against="klingon", kind="planet", target="cub", aimed="planet", **said)
    report_success(table, planet, "file")
    ship = Mission(spy="klingon", against="hydran", kind="ship", target=CA, aimed="unit", **said)
    report_success(table, ship, "file")
    run = Run(table, iter(()))
    assert "9 boarding parties (3 heavy weapons squads among them), 0 crew units" in run.texts("lyran")
    assert "10 boarding parties with 1 GCV of the Lyran" in run.texts("lyran")
    assert "10 boarding parties (2 heavy weapons squads, 1 commandos among them)" in run.texts("klingon")


# --- what is lost with what ------------------------------------------------------------------------------------------
def laden() -> CutlerState:
    """A ship with everybody and everything aboard, at a base."""
    state = yard(HOME + "hydran F1 0205 CA[officers=navigator]+DD\n")
    unit = state.units[CA]
    unit.record = kind_of("CA", cargo=9, fighters=2, shuttles=2, crew_units=8, boarding_parties=8)
    unit.holds, unit.stowed, unit.passengers = lots(fighter_ace=2, shuttle=1), lots(mines=10), lots(officer_doctor=1)
    unit.boarding_parties, unit.crew_units, unit.cargo_cpv, unit.squads = 5, 7, 3, {"commando": 2}
    unit.crew_quality, unit.penalties_doubled = "poor", True
    return state


FATES = {"destroyed": 0, "captured": 0, "disengaged": 1, "intact": 1}
"""Whether its people are still aboard after a battle."""


@pytest.mark.rule("cutler", "4.1.8", "4.1.9", "5.1", "4.2.4.8")
@pytest.mark.parametrize("fate", FATES)
def test_what_a_battle_leaves_aboard(fate: str):
    state = laden()
    unit = state.units[CA]
    enemy = world("lyran F1 0205 CA").units["lyran-F1-CA"]
    state.units[enemy.id] = enemy
    state.new_fleet("lyran", [enemy.id])
    state.impulse = 1

    def fought(ask: Any) -> Any:
        mine = next(line.key for line in ask.form.lines if "Ca (CA)" in line.label and "Hydran" in line.label)
        return {line.key: {"fate": fate if line.key == mine else "intact"} for line in ask.form.lines}

    table = table_of(state)
    answers = {("card", "hydran"): {"force": {"card": "combat"}}, ("battle", ""): fought}
    Run(table, combat_phase_steps(table.at("combat")), answers)
    kept = FATES[fate]
    assert (unit.destroyed, unit.captured_from) == (fate == "destroyed", "hydran" if fate == "captured" else "")
    assert (unit.boarding_parties, unit.crew_units, len(unit.officers)) == (5 * kept, 7 * kept, kept)
    assert (len(unit.passengers), sum(unit.squads.values()), unit.fighters) == (kept, 2 * kept, 2 * kept)
    # Things go with the ship: to its captor, or down.
    assert (unit.cargo_cpv, counts(unit.stowed)) == ((3, {"mines": 10}) if fate != "destroyed" else (0, {}))
    assert defects(state) == []


def _perish(state: CutlerState) -> None:
    state.units[CA].perish()
    tidy_fleets(state)


def _monster(state: CutlerState) -> None:
    state.unsurveyed, state.units[CA].hex = ["0404"], "0404"
    state.units[CA].record = state.units[CA].record.model_copy(update={"marks": ("survey",)})
    state.units[DD].hex = "0404"
    state.empires["hydran"].surveys = ["0404"]
    surveying_phase(table_of(state, {"monster": [6, 6], "/survey": [5, 5, 6]}))


def _neglect(state: CutlerState) -> None:
    unit = state.units[CA]
    unit.warp_ok = unit.impulse_ok = 0
    state.turn = 20
    miss_maintenance(table_of(state))


@pytest.mark.rule("cutler", "4.1.8", "9.2", "2.4.1.6", "4.2.4.8")
@pytest.mark.parametrize("way", [_perish, _monster, _neglect])
def test_all_that_is_aboard_goes_down_with_a_ship(way: Callable[[CutlerState], None]):
    state = laden()
    way(state)
    unit = state.units[CA]
    assert unit.destroyed
    assert unit.holds == unit.stowed == unit.passengers == unit.squads == {}
    assert (unit.boarding_parties, unit.crew_units, unit.cargo_cpv, unit.officers) == (0, 0, 0, ())
    assert defects(state) == []


@pytest.mark.rule("cutler", "5.1", "4.2.4.8", "7.3")
def test_a_captured_ship_keeps_its_things_and_none_of_its_people():
    unit = laden().units[CA]
    unit.taken_by("lyran")
    assert (counts(unit.holds), counts(unit.stowed), unit.cargo_cpv) == ({"shuttle": 1}, {"mines": 10}, 3)
    assert (unit.boarding_parties, unit.crew_units, unit.officers, unit.squads, unit.passengers) == (0, 0, (), {}, {})
    # A prize crew is not as good or bad as those whom it took captive.
    assert unit.crew == "normal"


@pytest.mark.rule("cutler", "5.1", "4.2.4.8")
def test_officers_and_aces_leave_a_prize_that_is_melted_down():
    state = laden()
    unit, base = state.units[CA], state.units[YARD]
    unit.captured_from, unit.officers = "lyran", ()
    salvage_prizes(table_of(state), "hydran", SalvageLine(ships=(CA,)))
    assert unit.destroyed
    assert counts(base.passengers) == {"officer_doctor": 1, "ace": 2}


@cases("ships, safe")
def test_officers_leave_a_base_that_is_scrapped_for_a_ship_there(ships, safe):
    state = yard(HOME + f"hydran F1 0205 {ships}\n")
    base = state.units[YARD]
    base.officers, base.passengers = ("navigator",), lots(ace=1)
    turn(state, scrap={"base": YARD, "sure": True})
    assert base.destroyed
    assert counts(state.units[f"hydran-F1-{ships}"].passengers) == safe


@pytest.mark.rule("cutler", "5.1", "4.2.4.8")
def test_people_whom_the_same_sheet_moves_off_a_prize_are_safe_when_it_is_melted_down():
    state = laden()
    unit, base = state.units[CA], state.units[YARD]
    unit.captured_from, unit.officers = "lyran", ()
    base.record = base.record.model_copy(update={"boarding_parties": 40})
    base.boarding_parties, unit.boarding_parties = 10, 6
    turn(state, A1={"item": "boarding_party", "count": 4, "origin": CA, "to": YARD}, salvage={"ships": [CA]})
    assert (unit.destroyed, unit.boarding_parties, base.boarding_parties) == (True, 0, 14)
