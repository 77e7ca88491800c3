"""Chapter 5: the words of the sheet of ground combat, and of what comes of it."""

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from tests.rulebooks.cutler.armed import armed
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
