"""Chapter 5: the words of the sheet of ground combat, and of what comes of it."""

from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch05_planets.after_combat import after_combat_steps
from rules_engine.rulebooks.cutler.ch05_planets.rebellion import rebellion_segment
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask, turn_sheets_steps
from rules_engine.rulebooks.cutler.records.parts.troops import Landed
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.armed import armed, rearmed, taken, valued
from tests.rulebooks.cutler.ch05_planets.test_prizes import SHIP, harbour
from tests.rulebooks.cutler.orbits import mooned
from tests.rulebooks.cutler.shown import panels
from tests.rulebooks.cutler.worlds import Run, on_sheet, refusal_words, table_of


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


def on_a_moon(*invaders: str) -> Run:
    """Squads, vehicles, crews and ground bases of the Klingon on a moon of Cub, against all kinds of these races."""
    state = mooned(armed(cub={"boarding_parties": 3}), "0404")
    moon = state.moons["moon1_0404"]
    state.ground_base_cost = state.ground_base_cost.model_copy(update={"boarding_parties": 2})
    valued(
        state,
        moon,
        boarding_parties=20,
        gcv=2,
        crew_units=1,
        squads={"heavy": 2, "commando": 1},
        ground={"A": 1, "B": 1},
    )
    moon.landed = dict.fromkeys(invaders, 20)
    moon.landed_with = {race: Landed(squads={"heavy": 1, "commando": 2}, gcv=1) for race in invaders}
    return Run(table := table_of(state), after_combat_steps(table))


@pytest.mark.rule("cutler", "5.3", "5.3.3", "4.2.4.8", "4.4.9")
def test_all_words_of_a_fight_for_a_moon() -> None:
    run = on_a_moon("hydran", "lyran")
    ask = run.asked("hydran", "assault")[0]
    assert on_sheet(ask) == [
        "Ground combat on moon 1 of Cub",
        ("Fight it out by the sheet. Then all sides report what is left; the reports must agree line by line."),
        "Klingon (holds the moon)",
        "- Boarding parties left: 0 to 20; 20",
        "- Heavy weapons squads among them left: 0 to 2; 2",
        "- Commandos among them left: 0 to 1; 1",
        "- Ground combat vehicles left: 0 to 2; 2",
        "- Crew units left: 0 to 1; 1",
        "- Ground bases intact left: 0 to 2; 2",
        "- Boarding parties in ground bases left: 0 to 4; 4",
        "Hydran (landed)",
        "- Boarding parties left: 0 to 20; 20",
        "- Heavy weapons squads among them left: 0 to 1; 1",
        "- Commandos among them left: 0 to 2; 2",
        "- Ground combat vehicles left: 0 to 1; 1",
        "Lyran (landed)",
        "- Boarding parties left: 0 to 20; 20",
        "- Heavy weapons squads among them left: 0 to 1; 1",
        "- Commandos among them left: 0 to 2; 2",
        "- Ground combat vehicles left: 0 to 1; 1",
    ]
    assert panels(ask, "hydran") == [
        "Ground combat on moon 1 of Cub: Hydran, Lyran and Klingon",
        "Troops",
        (
            "- Klingon: 20 boarding parties, 2 heavy weapons squads among them, 1 commandos among them, 2 "
            "ground combat vehicles, 1 crew units, 2 ground bases intact, 4 boarding parties in ground bases"
        ),
        (
            "- Hydran: 20 boarding parties, 1 heavy weapons squads among them, 2 commandos among them, 1 "
            "ground combat vehicles"
        ),
        (
            "- Lyran: 20 boarding parties, 1 heavy weapons squads among them, 2 commandos among them, 1 "
            "ground combat vehicles"
        ),
        "How (5.3)",
        "- Fight by the tactical rules for ground combat; the campaign's rules have none (CU-R99).",
        "- The moon falls as soon as its holder has no boarding party left, in ground bases neither (5.3).",
        "- If both sides have some left, the fight goes on after the next impulse's combat (CU-N34).",
        "- At most one ground combat vehicle for every ten boarding parties (4.2.4.8).",
    ]
    assert ask.setup is not None
    scene = ask.setup.scene
    assert scene is not None
    assert [scene.title, scene.when, scene.remark, *(force.does for force in scene.forces)] == [
        "Ground combat on moon 1 of Cub",
        "Turn 2, impulse 3 · 0404",
        "The moon falls as soon as its holder has no boarding party left.",
        "holds the moon",
        "have landed",
    ]
    assert [f"{unit.code}: {unit.kind} {unit.under}" for unit in scene.units] == [
        "K1: 20 boarding parties",
        "K2: 2 heavy weapons squads among them",
        "K3: 1 commandos among them",
        "K4: 2 ground combat vehicles",
        "K5: 1 crew units",
        "K6: 2 ground bases intact",
        "K7: 4 boarding parties in ground bases",
        "H1: 20 boarding parties",
        "H2: 1 heavy weapons squads among them",
        "H3: 2 commandos among them",
        "H4: 1 ground combat vehicles",
        "L1: 20 boarding parties",
        "L2: 1 heavy weapons squads among them",
        "L3: 2 commandos among them",
        "L4: 1 ground combat vehicles",
    ]
    alone = on_a_moon("hydran").asked("hydran", "assault")[0].setup
    assert alone is not None
    assert alone.scene is not None
    assert [force.does for force in alone.scene.forces] == [
        "holds the moon",
        "has landed",
    ]
    held: dict[str, Any] = {
        "boarding_parties": 20,
        "heavy": 2,
        "commando": 1,
        "gcv": 2,
        "crew_units": 1,
        "ground_bases": 2,
        "in_bases": 4,
    }
    wrong: tuple[dict[str, Any], ...] = (
        {"H": {"boarding_parties": 21}},
        {"H": {"boarding_parties": 2, "heavy": 1, "commando": 2}},
        {"H": {"boarding_parties": 0, "heavy": 1}},
        {"H": {"boarding_parties": 9, "gcv": 1}},
        {"planet": held | {"in_bases": 5}},
        {"planet": held | {"ground_bases": 1}},
        {"planet": held | {"crew_units": 2}},
        {"X": {"boarding_parties": 1}},
    )
    whole: dict[str, Any] = {"planet": held, "H": {"boarding_parties": 20}, "L": {"boarding_parties": 20}}
    assert [refusal_words(ask, whole | one) for one in wrong] == [
        [
            (
                "H.boarding_parties: the Hydran had 20, 21 are reported left: boarding parties (5.3, CU-R99). "
                "Legal: 0 to 20."
            ),
        ],
        [
            (
                "H.commando: heavy weapons squads and commandos are among the boarding parties that are left "
                "(5.3, 5.3.3). Legal: 2 of both at most."
            ),
        ],
        [
            (
                "H.heavy: heavy weapons squads and commandos are among the boarding parties that are left (5.3, "
                "5.3.3). Legal: 0 of both at most."
            ),
        ],
        [
            "H.gcv: one ground combat vehicle for every ten boarding parties at most (4.2.4.8). Legal: 0 to 0.",
        ],
        [
            (
                "planet.in_bases: the Klingon had 4, 5 are reported left: boarding parties in ground bases (5.3, "
                "CU-R99). Legal: 0 to 4."
            ),
            (
                "planet.in_bases: in the 2 ground bases that are left were 4 boarding parties (5.3, CU-N143). "
                "Legal: 0 to 4."
            ),
        ],
        [
            (
                "planet.in_bases: in the 1 ground bases that are left were 2 boarding parties (5.3, CU-N143). "
                "Legal: 0 to 2."
            ),
        ],
        [
            ("planet.crew_units: the Klingon had 1, 2 are reported left: crew units (5.3, CU-R99). Legal: 0 to 1."),
        ],
        [
            "X: nobody like that fights here. Legal: planet, H, L.",
        ],
    ]
    assert refusal_words(ask, {"planet": held}) == [
        "H: the Hydran is not accounted for",
        "L: the Lyran is not accounted for",
    ]
    few: dict[str, Any] = {"boarding_parties": 11, "heavy": 1, "commando": 1, "gcv": 1}
    assert ask.read_back(ask.answer_from({"planet": held, "H": few, "L": {}})) == [
        (
            "Klingon 20 boarding parties, 2 heavy weapons squads among them, 1 commandos among them, 2 "
            "ground combat vehicles, 1 crew units, 2 ground bases intact, 4 boarding parties in ground bases "
            "left"
        ),
        (
            "Hydran 11 boarding parties, 1 heavy weapons squads among them, 1 commandos among them, 1 ground "
            "combat vehicles left"
        ),
        "Lyran nothing left",
    ]


@pytest.mark.rule("cutler", "5.3", "4.2.4.8")
def test_what_lands_is_told_with_all_that_lands() -> None:
    state = armed(parties=12, cub={"boarding_parties": 3})
    for key in ("hydran-F1-CA", "hydran-F1-DD"):
        rearmed(state.units[key], boarding_parties=12, shuttles=6, crew_units=4)
        state.units[key].crew_units = 4
        state.units[key].squads = {"heavy": 1}
    state.fleets["hydran/F1"].land = "cub"
    run = Run(table := table_of(state), after_combat_steps(table))
    assert run.texts("hydran").splitlines() == [
        "F1 lands 24 boarding parties (2 heavy weapons squads among them) on Cub (0404).",
        (
            "Ground combat on Cub (0404): Klingon 3 boarding parties left; Hydran 24 boarding parties, 2 "
            "heavy weapons squads among them left."
        ),
    ]
    assert state.empires["klingon"].alerts == [
        "Cub is attacked",
    ]
    state = armed(cub={"owner": "hydran", "race": "hydran"})
    rearmed(state.units["hydran-F1-CA"], boarding_parties=12, shuttles=6, crew_units=4)
    state.units["hydran-F1-CA"].crew_units = 4
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].crews = "cub", 1
    run = Run(table := table_of(state), after_combat_steps(table))
    assert run.texts("hydran").splitlines() == [
        "F1 lands 20 boarding parties, 1 crew unit on Cub (0404).",
    ]


@pytest.mark.rule("cutler", "5.1", "5.1.1")
def test_what_is_said_of_prizes_that_are_melted_down() -> None:
    state = harbour()
    ask = turn_ask(state, "hydran")
    (line,) = (one for one in ask.form.lines if one.key == "salvage")
    (field,) = line.fields
    assert [line.label, line.note, field.label, *(one.label for one in field.choices)] == [
        "Prizes to salvage",
        "Prizes beside a base that could build them (5.1)",
        "Melt down",
        "Hydran F2 Dd (DD): 40 CPV",
    ]
    sheets = ({"ships": ["x"]}, {"ships": ["hydran-F1-CA"]}, {"ships": [SHIP, SHIP]})
    assert [refusal_words(ask, {"salvage": one}) for one in sheets] == [
        [
            "salvage.ships: you have no such ship",
        ],
        [
            "salvage.ships: Hydran F1 Ca is not a prize (5.1, CU-R83). Legal: hydran-F2-DD.",
        ],
        [
            "salvage.ships: a ship is named twice",
        ],
    ]
    table = table_of(state)
    run = Run(table, turn_sheets_steps(table), {("turn", "hydran"): {"salvage": {"ships": [SHIP]}}})
    assert [one for one in run.texts("hydran").splitlines() if "melted" in one] == [
        "Hydran F2 Dd (DD) is melted down in 0404: 40 CPV into cargo boxes.",
    ]
    state = harbour()
    state.units["hydran-base-0404"].cargo_cpv = state.units["hydran-base-0404"].cargo_boxes - 3
    run = Run(
        table := table_of(state),
        turn_sheets_steps(table),
        {("turn", "hydran"): {"salvage": {"ships": [SHIP]}, "H0404": {"cargo": 0}}},
    )
    assert [one for one in run.texts("hydran").splitlines() if "melted" in one] == [
        "Hydran F2 Dd (DD) is melted down in 0404: 3 CPV into cargo boxes, 37 lost for want of room.",
    ]


@pytest.mark.rule("cutler", "5.2", "5.3", "5.3.6")
def test_why_the_races_of_a_planet_are_asked_for_plots() -> None:
    """A capture, a planet without a garrison that is lost again, and one that is razed."""
    run = landed()
    assert {race: empire.alerts for race, empire in run.table.state.empires.items()} == {
        "hydran": [
            "Cub changed hands",
        ],
        "lyran": [],
        "klingon": [
            "Cub is attacked",
            "Cub changed hands",
        ],
    }
    state = taken_by_lyran()
    rebellion_segment(table := table_of(state))
    assert {race: empire.alerts for race, empire in state.empires.items()} == {
        "hydran": [],
        "lyran": [
            "Cub changed hands",
        ],
        "klingon": [
            "Cub changed hands",
        ],
    }
    assert [one.text for one in table.shared.reports if one.is_for("lyran")] == [
        (
            "Major revolt on Cub (0404), for the garrison counts 0, and 20 are needed: 2 rebels, 0 boarding "
            "parties lost."
        ),
        "Cub (0404) rises against the Lyran: the Klingon has it back.",
    ]
    state = armed()
    state.fleets["hydran/F1"].raze = "cub"
    run = Run(table := table_of(state), after_combat_steps(table))
    assert {race: empire.alerts for race, empire in state.empires.items()} == {
        "hydran": [],
        "lyran": [],
        "klingon": [
            "Cub is razed",
        ],
    }
    assert {race: run.texts(race).splitlines() for race in ("hydran", "klingon")} == {
        "hydran": [
            "Cub (0404) is razed by the Hydran: 5 points, 5 CPV in all.",
        ],
        "klingon": [
            "Cub (0404) is razed by the Hydran: 5 points, 5 CPV in all.",
        ],
    }
    assert {race: table.knowledge(race).logs for race in ("hydran", "klingon")} == {
        "hydran": {
            "Intelligence file": [
                "Turn 2, impulse 3: Cub (0404) is razed by the Hydran: 5 points, 5 CPV in all.",
            ]
        },
        "klingon": {
            "Intelligence file": [
                "Turn 2, impulse 3: Cub (0404) is razed by the Hydran: 5 points, 5 CPV in all.",
            ]
        },
    }


def taken_by_lyran() -> CutlerState:
    state = armed()
    taken(state, "cub", "lyran", 1)
    return state
