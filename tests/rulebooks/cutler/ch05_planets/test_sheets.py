"""Chapter 5: the words of the sheet of ground combat, and of what comes of it."""

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from tests.rulebooks.cutler.armed import armed
from tests.rulebooks.cutler.shown import panels
from tests.rulebooks.cutler.worlds import Run, on_sheet, table_of


def landed() -> Run:
    """Twenty Hydran boarding parties that take Cub from twelve, and five that are left."""
    state = armed(cub={"boarding_parties": 12})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 0}, "H": {"boarding_parties": 5}}
    return Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})


@pytest.mark.rule("cutler", "5.3")
def test_what_is_left_of_troops_is_asked() -> None:
    assert on_sheet(landed().asked("hydran", "assault")[0]) == [
        "Ground combat on Cub",
        "Fight it out by the sheet. Then all sides report what is left; the reports must agree line by line.",
        "Klingon (holds the planet)",
        "- Boarding parties left: 0 to 12; 12",
        "Hydran (landed)",
        "- Boarding parties left: 0 to 20; 20",
    ]


@pytest.mark.rule("cutler", "5.3", "5.3.2")
def test_what_the_captor_of_a_planet_is_told() -> None:
    assert landed().texts("hydran").splitlines() == [
        "F1 lands 20 boarding parties on Cub (0404).",
        "Ground combat on Cub (0404): Klingon nothing left; Hydran 5 boarding parties left.",
        "The Hydran captures Cub (0404) from the Klingon.",
        "You hold Cub with 5 boarding parties; razed are 0 CPV. A garrison of 20 keeps it from a major revolt.",
    ]


@pytest.mark.rule("cutler", "5.3")
def test_what_the_loser_of_a_planet_is_told() -> None:
    assert landed().texts("klingon").splitlines() == [
        "Hydran troops land on Cub (0404).",
        "Ground combat on Cub (0404): Klingon nothing left; Hydran 5 boarding parties left.",
        "The Hydran captures Cub (0404) from the Klingon.",
    ]


def fights_on() -> Run:
    """Ten boarding parties, a squad and a vehicle among them, hold Cub in two ground bases against twenty."""
    state = armed(cub={"boarding_parties": 10, "gcv": 1, "crew_units": 2, "ground": {"A": 2}})
    state.fleets["hydran/F1"].land = "cub"
    result = {"planet": {"boarding_parties": 4, "ground_bases": 1}, "H": {"boarding_parties": 5}}
    return Run(table := table_of(state), after_combat_steps(table), {("assault", ""): result})


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_who_fights_and_how_it_goes_is_said() -> None:
    ask = fights_on().asked("hydran", "assault")[0]
    assert panels(ask, "hydran") == [
        "Ground combat on Cub: Hydran and Klingon",
        "Troops",
        "- Klingon: 10 boarding parties, 1 ground combat vehicles, 2 crew units, 2 ground bases intact",
        "- Hydran: 20 boarding parties",
        "How (5.3)",
        "- Fight by the tactical rules for ground combat; the campaign's rules have none (CU-R99).",
        "- The planet falls as soon as its holder has no boarding party left, in ground bases neither (5.3).",
        "- If both sides have some left, the fight goes on after the next impulse's combat (CU-N34).",
        "- At most one ground combat vehicle for every ten boarding parties (4.2.4.8).",
    ]


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_all_kinds_of_troops_are_accounted_for() -> None:
    assert on_sheet(fights_on().asked("hydran", "assault")[0]) == [
        "Ground combat on Cub",
        "Fight it out by the sheet. Then all sides report what is left; the reports must agree line by line.",
        "Klingon (holds the planet)",
        "- Boarding parties left: 0 to 10; 10",
        "- Ground combat vehicles left: 0 to 1; 1",
        "- Crew units left: 0 to 2; 2",
        "- Ground bases intact left: 0 to 2; 2",
        "Hydran (landed)",
        "- Boarding parties left: 0 to 20; 20",
    ]


@pytest.mark.rule("cutler", "5.3")
def test_a_fight_that_goes_on_is_warned_of() -> None:
    ask = fights_on().asked("hydran", "assault")[0]
    assert ask.warn(ask.answer_from({"planet": {"boarding_parties": 1}, "H": {"boarding_parties": 1}})) == [
        "More than one side has boarding parties left, so the fight goes on in the next impulse (CU-N34).",
    ]
