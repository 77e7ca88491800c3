"""Chapter 5: the words of the sheet of ground combat, and of what comes of it."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import rebellion_segment
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.planetary import razing_potential
from rules_engine.rulebooks.cutler.records.setup import RaceOffer, Setup, SetupRules
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import armed, mooned, rearmed, taken, valued
from tests.rulebooks.cutler.ch05_planets.test_prizes import SHIP, harbour
from tests.rulebooks.cutler.shown import panels
from tests.rulebooks.cutler.worlds import Run, kind_of, on_sheet, refusal_words, sees, table_of
from tests.rulebooks.cutler.yards import HOME, turn, yard

# --- hybrids ---------------------------------------------------------------------------------------------------------
PRIZE, FF = "hydran-F1-FF", "hydran-F2-FF"


def refit_yard(base_type: str = "SB", **figures: object) -> CutlerState:
    """A frigate that was a Lyran one, and another that never was, in a yard of the Hydran."""
    state = yard(HOME + "hydran F1 0205 FF\nhydran F2 0205 FF\nlyran F1 0902 CA\n", bays=(20, 20), base_type=base_type)
    state.classes["hff"] = kind_of("FF", **{"class_id": "hff", "name": "Hybrid Frigate", "hybrid": True, **figures})
    state.classes["ff"] = kind_of("FF", refits={"hff": 12, "sc": 30})
    for key in (PRIZE, FF):
        state.units[key].record = state.classes["ff"]
    state.units[PRIZE].captured_from = "lyran"
    return state


@pytest.mark.rule("cutler", "5.1", "5.1.2")
def test_a_prize_becomes_a_hybrid_and_may_fire_again():
    state = refit_yard()
    ship = state.units[PRIZE]
    assert razing_potential(ship) == 0
    run = turn(state, D1={"work": f"refit {PRIZE} into hff", "cpv": 14})
    assert (ship.record.class_id, ship.captured_from, razing_potential(ship)) == ("ff", "lyran", 0)
    again = turn(state)
    assert (ship.record.class_id, ship.captured_from, razing_potential(ship)) == ("hff", "", 2)
    assert "Hydran F1 Ff is made into a Hybrid Frigate at Yard in 0205." in again.texts("hydran")
    assert [work.paid for work in state.works.values()] == []
    assert [one.cpv for one in state.spent] == [14, 1]  # fifteen, although twelve are printed
    assert "Hybrid" not in sees(run.table, run.asks, "lyran") + sees(again.table, again.asks, "lyran")


@cases("base_type, line, words")
def test_what_is_made_of_prizes_and_where(base_type, line, words):
    ask = turn_ask(refit_yard(base_type), "hydran")
    assert refusal_words(ask, {"D1": line}) == words
    offered = [choice.value for choice in ask.form.line("D1").fields[0].choices]
    assert (line["work"] in offered) == (not words)


@pytest.mark.rule("cutler", "5.1")
def test_the_base_must_be_able_to_build_a_ship_of_the_prizes_size(kept: Kept):
    state = refit_yard("BATS")
    prize = state.units[PRIZE]
    prize.record = kind_of("CA", refits={"hff": 12})
    prize.warp_ok, prize.impulse_ok = 30, 4
    assert refusal_words(turn_ask(state, "hydran"), {"D1": {"work": f"refit {PRIZE} into hff"}}) == kept()


@pytest.mark.rule("cutler", "5.1", "4.2.3.3")
def test_a_hybrid_does_not_follow_on_a_new_ship(kept: Kept):
    state = refit_yard()
    state.classes["ff"] = kind_of("FF", refits={"hff": 12}, bpv_economic=5)
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, {"D1": {"work": "build ff", "then": "hff"}}) == kept()
    assert all(
        "hff" not in [one.value for one in field.choices] for field in ask.form.line("D1").fields if field.key == "then"
    )


def test_hybrids_are_not_among_the_first_ships():
    races = tuple(RaceOffer(name=name, emblem=name[0]) for name in ("Hydran", "Lyran"))
    classes = {"ff": kind_of("FF"), "hff": kind_of("FF", class_id="hff", hybrid=True)}
    assert [kind.class_id for kind in Setup(rules=SetupRules(races=races), classes=classes).buyable("hydran")] == ["ff"]


# --- sheets ----------------------------------------------------------------------------------------------------------
def landed() -> Run:
    """Twenty Hydran boarding parties that take Cub from twelve, and five that are left."""
    state = armed(cub={"boarding_parties": 12})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 5}}
    return Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})


@pytest.mark.rule("cutler", "5.3", "5.3.2")
def test_what_is_left_of_troops_is_asked_and_what_captor_and_loser_are_told(kept: Kept) -> None:
    assert on_sheet(landed().asked("hydran", "assault")[0]) == kept("#1")
    assert landed().texts("hydran").splitlines() == kept("#2")
    assert landed().texts("klingon").splitlines() == kept("#3")


def fights_on() -> Run:
    """Ten boarding parties, a squad and a vehicle among them, hold Cub in two ground bases against twenty."""
    state = armed(cub={"boarding_parties": 10, "gcv": 1, "crew_units": 2, "ground": {"A": 2}})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 4, "ground_bases": 1}, "H": {"boarding_parties": 5}}
    return Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_what_is_said_asked_and_warned_of_in_a_fight_that_goes_on(kept: Kept) -> None:
    ask = fights_on().asked("hydran", "assault")[0]
    assert panels(ask, "hydran") == kept("#1")
    assert on_sheet(ask) == kept("#2")
    assert ask.warn(ask.answer_from({"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 1}})) == kept("#3")


def on_a_moon(*invaders: str) -> Run:
    """Squads, vehicles, crews and ground bases of the Klingon on a moon of Cub, against all kinds of these races."""
    state = mooned(armed(cub={"boarding_parties": 3}), "0404")
    moon = state.moons["moon1_0404"]
    state.ground_base_cost = state.ground_base_cost.model_copy(update={"boarding_parties": 2})
    valued(
        state, moon, boarding_parties=20, gcv=2, crew_units=1, squads={"heavy": 2, "commando": 1},
        ground={"A": 1, "B": 1},
    )  # fmt: skip
    moon.landed = dict.fromkeys(invaders, 20)
    moon.landed_with = {race: Landed(squads={"heavy": 1, "commando": 2}, gcv=1) for race in invaders}
    return Run(table := table_of(state), after_combat_steps(table))


@pytest.mark.rule("cutler", "5.3", "5.3.3", "4.2.4.8", "4.4.9")
def test_all_words_of_a_fight_for_a_moon(kept: Kept) -> None:
    ask = on_a_moon("hydran", "lyran").asked("hydran", "assault")[0]
    assert on_sheet(ask) == kept("on_sheet(ask)")
    assert panels(ask, "hydran") == kept("panels(ask, hydran)")
    assert ask.setup is not None
    scene = ask.setup.scene
    assert scene is not None
    assert [scene.title, scene.when, scene.remark, *(force.does for force in scene.forces)] == kept("#3")
    assert [f"{unit.code}: {unit.kind} {unit.under}" for unit in scene.units] == kept("#4")
    alone = on_a_moon("hydran").asked("hydran", "assault")[0].setup
    assert alone is not None
    assert alone.scene is not None
    assert [force.does for force in alone.scene.forces] == kept("#1")
    held: dict[str, Any] = {
        "boarding_parties": 20, "heavy": 2, "commando": 1, "gcv": 2, "crew_units": 1, "ground_bases": 2,
        "in_bases": 4,
    }  # fmt: skip
    wrong: tuple[dict[str, Any], ...] = (
        {"H": {"boarding_parties": 21}}, {"H": {"boarding_parties": 2, "heavy": 1, "commando": 2}},
        {"H": {"boarding_parties": 0, "heavy": 1}}, {"H": {"boarding_parties": 9, "gcv": 1}},
        {"planet": held | {"in_bases": 5}}, {"planet": held | {"ground_bases": 1}},
        {"planet": held | {"crew_units": 2}}, {"X": {"boarding_parties": 1}},
    )  # fmt: skip
    whole: dict[str, Any] = {"planet": held, "H": {"boarding_parties": 20}, "L": {"boarding_parties": 20}}
    assert [refusal_words(ask, whole | one) for one in wrong] == kept("#5")
    assert refusal_words(ask, {"planet": held}) == kept("refusal_words(ask, {planet: held})")
    few: dict[str, Any] = {"boarding_parties": 11, "heavy": 1, "commando": 1, "gcv": 1}
    assert ask.read_back(ask.answer_from({"planet": held, "H": few, "L": {}})) == kept("#6")


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_what_lands_is_told_with_all_that_lands(kept: Kept) -> None:
    state = armed(parties=12, cub={"boarding_parties": 3})
    for key in ("hydran-F1-CA", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=12, shuttles=6, crew_units=4)
        state.units[key].crew_units = 4
        state.units[key].squads = {"heavy": 1}
    state.fleets["hydran/F1"].land = "cub"
    run = Run(table := table_of(state), after_combat_steps(table))
    assert run.texts("hydran").splitlines() == kept()
    assert state.empires["klingon"].alerts == kept("state.empires(klingon).alerts")
    state = armed(cub={"owner": "hydran", "race": "hydran"})
    rearmed(state.units["hydran-F1-CA"], boarding_parties=12, shuttles=6, crew_units=4)
    state.units["hydran-F1-CA"].crew_units = 4
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].crews = "cub", 1
    run = Run(table := table_of(state), after_combat_steps(table))
    assert run.texts("hydran").splitlines() == kept("run.texts(hydran).splitlines()")


@pytest.mark.rule("cutler", "5.1", "5.1.1")
def test_what_is_said_of_prizes_that_are_melted_down(kept: Kept) -> None:
    state = harbour()
    ask = turn_ask(state, "hydran")
    (line,) = (one for one in ask.form.lines if one.key == "salvage")
    (field,) = line.fields
    assert [line.label, line.note, field.label, *(one.label for one in field.choices)] == kept("#1")
    sheets = ({"ships": ["x"]}, {"ships": ["hydran-F1-CA"]}, {"ships": [SHIP, SHIP]})
    assert [refusal_words(ask, {"salvage": one}) for one in sheets] == kept("#2")
    run = Run(table := table_of(state), turn_sheets_steps(table), {("turn", "hydran"): {"salvage": {"ships": [SHIP]}}})
    assert [one for one in run.texts("hydran").splitlines() if "melted" in one] == kept("#3")
    state = harbour()
    state.units["hydran-base-0404"].cargo_cpv = state.units["hydran-base-0404"].cargo_boxes - 3
    run = Run(
        table := table_of(state),
        turn_sheets_steps(table),
        {("turn", "hydran"): {"salvage": {"ships": [SHIP]}, "H0404": {"cargo": 0}}},
    )
    assert [one for one in run.texts("hydran").splitlines() if "melted" in one] == kept("#4")


@pytest.mark.rule("cutler", "5.2", "5.3", "5.3.6")
def test_why_the_races_of_a_planet_are_asked_for_plots(kept: Kept) -> None:
    """A capture, a planet without a garrison that is lost again, and one that is razed."""
    run = landed()
    assert {race: empire.alerts for race, empire in run.table.state.empires.items()} == kept("#4")
    state = taken_by_lyran()
    rebellion_segment(table := table_of(state))
    assert {race: empire.alerts for race, empire in state.empires.items()} == kept("#5")
    assert [one.text for one in table.shared.reports if one.is_for("lyran")] == kept("#1")
    state = armed()
    state.fleets["hydran/F1"].raze = "cub"
    run = Run(table := table_of(state), after_combat_steps(table))
    assert {race: empire.alerts for race, empire in state.empires.items()} == kept("#6")
    assert {race: run.texts(race).splitlines() for race in ("hydran", "klingon")} == kept("#2")
    assert {race: table.knowledge(race).logs for race in ("hydran", "klingon")} == kept("#3")


def taken_by_lyran() -> CutlerState:
    state = armed()
    taken(state, "cub", "lyran", 1)
    return state
