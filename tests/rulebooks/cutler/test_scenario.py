"""Chapter 1 as data: the introductory scenario, and everything that a scenario may get wrong."""

import tomllib

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from tests.rulebooks.cutler.worlds import intro_files


def intro():
    return RULEBOOK.set_up(RULEBOOK.read_scenario(intro_files()))


def broken(file: str, old: str, new: str) -> list[tuple[str, str]]:
    """(path, rule) of all defects after one change to the introductory scenario."""
    files = intro_files()
    assert old in files[file], old
    files[file] = files[file].replace(old, new, 1)
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    return [(one.path, one.rule) for one in refused.value.refusals]


@pytest.mark.rule("cutler", "1.1.1.1")
def test_three_recommended_races():
    state = intro()
    assert state.races() == ("hydran", "lyran", "klingon")
    assert RULEBOOK.defects(state) == []


@pytest.mark.rule("cutler", "1.1.2.3")
def test_each_race_has_its_planets_and_the_same_income():
    state = intro()
    for race in state.races():
        kinds = sorted(planet.kind for planet in state.planets_of(race))
        assert kinds == ["capital", "major", "minor", "minor"]
        state.turn = 1
        assert income(state, race) == 200
    assert (state.grid.columns, state.grid.rows, state.turns) == (11, 9, 4)


@pytest.mark.rule("cutler", "1.1.2.5.2")
def test_planets_and_terrain_are_public_and_invented_ones_say_so():
    notes = {note.hex: note for note in RULEBOOK.public_board(intro()).hexes}
    assert (notes["0205"].name, notes["0205"].marks, notes["0205"].owner) == (
        "Azure Throne",
        ("planet", "capital"),
        "hydran",
    )
    assert notes["0605"].terrain == "nebula"
    assert notes["0205"].invented


def test_convention_g3_of_the_grid():
    grid = intro().grid
    assert [grid.neighbour("0505", way) for way in range(6)] == ["0504", "0604", "0605", "0506", "0405", "0404"]
    assert [grid.neighbour("0605", way) for way in range(6)] == ["0604", "0705", "0706", "0606", "0506", "0505"]


def test_every_figure_says_that_it_is_invented():
    ships = tomllib.loads(intro_files()["ships.toml"])
    assert all(one["source"] == "invented" for one in ships["class"])
    assert all(unit.record.invented for unit in intro().units.values())


SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"
MOON = '\norbit = "moon1"'


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        (SCENARIO, 'title = "Three Crowns"', "", (f"{SCENARIO}.title", "")),
        (SCENARIO, "rows = 9", "rows = 9\nlayers = 2", (f"{SCENARIO}.map.layers", "")),
        (SCENARIO, '0605 = "nebula"', '0605 = "soup"', (f"{SCENARIO}.map.terrain.0605", "")),
        (SCENARIO, '0605 = "nebula"', '6605 = "nebula"', (f"{SCENARIO}.map.terrain", "")),
        (SCENARIO, "unsurveyed = []", 'unsurveyed = ["9901"]', (f"{SCENARIO}.map.unsurveyed", "")),
        (SCENARIO, 'emblem = "L"', 'emblem = "H"', (f"{SCENARIO}.races", "")),
        (SCENARIO, "[map]", "[map", (SCENARIO, "")),
        (UNITS, 'type = "starbase"', f'type = "starbase"{MOON}', (f"{UNITS}.units.azure_station.orbit", "3.5, CU-R64")),
        (UNITS, 'type = "frigate"', f'type = "frigate"{MOON}', (f"{UNITS}.units.ripple.orbit", "3.5, CU-R64")),
        (SCENARIO, "reserve = 40", "reserve = 400", (f"{SCENARIO}.races.hydran.reserve", "")),
        (SCENARIO, '"0501", ', '"0501", "0205", ', (f"{SCENARIO}.races.lyran.territory", "1.1.2")),
        (SCENARIO, 'hex = "0205"', 'hex = "0303"', (f"{SCENARIO}.planets.tidewater.hex", "1.1.2.3, CU-R04")),
        (SCENARIO, 'hex = "0205"', 'hex = "0605"', (f"{SCENARIO}.planets.azure_throne.hex", "1.1.2.3, CU-R04")),
        (SCENARIO, 'hex = "0307"', 'hex = "0204"', (f"{SCENARIO}.planets.azure_throne.hex", "CU-R04")),
        (SCENARIO, 'kind = "capital"', 'kind = "major"', (f"{SCENARIO}.planets", "1.1.2.3")),
        (SCENARIO, 'race = "hydran"', 'race = "hydra"', (f"{SCENARIO}.planets.azure_throne.race", "")),
        (SCENARIO, "gcv = 10", "gcv = 21", (f"{SCENARIO}.planets.azure_throne.gcv", "4.2.4.8, CU-R101")),
        (
            SCENARIO,
            "boarding_parties = 200",
            "boarding_parties = 601",
            (f"{SCENARIO}.planets.azure_throne.boarding_parties", "4.2.4.8"),
        ),
        (SCENARIO, "gcv = 10", "ground_bases = 25", (f"{SCENARIO}.planets.azure_throne.ground_bases", "4.4.9, CU-R94")),
        (SCENARIO, "gcv = 0", "ground_bases = 13", (f"{SCENARIO}.planets.kelp_rock.ground_bases", "4.4.9, CU-R94")),
        (
            UNITS,
            'fleet = "Home"',
            'fleet = "Home"\nboarding_parties = 16',
            (f"{UNITS}.units.undertow.boarding_parties", "4.2.4.8"),
        ),
        (UNITS, 'hex = "0205"', 'hex = "0299"', (f"{UNITS}.units.undertow.hex", "")),
        (UNITS, 'fleet = "Home"', "", (f"{UNITS}.units.undertow.fleet", "")),
        (UNITS, 'type = "frigate"', 'type = "frigat"', (f"{UNITS}.units.ripple.type", "")),
        (UNITS, 'name = "Breaker"', 'name = "Undertow"', (f"{UNITS}.units.breaker.name", "")),
        (UNITS, 'hex = "0205"', 'hex = "0303"', (f"{UNITS}.units.breaker.hex", "")),
        (SHIPS, "refits = { scout = 30 }", "refits = { scot = 30 }", ("ships.frigate.refits", "")),
        (SHIPS, "refits = { scout = 30 }", "refits = { starbase = 30 }", ("ships.frigate.refits", "4.2.3.4")),
        (SCENARIO, "warp = 10", "warp = 0", (f"{SCENARIO}.repair_points.warp", "")),
        (UNITS, 'type = "frigate"', 'type = "ground_base"', (f"{UNITS}.units.ripple.type", "4.4.9")),
        (SHIPS, 'kind = "ground_base"', 'kind = "ground_base"\nwarp = 3', (SHIPS, "")),
    ],
)
@pytest.mark.rule("cutler", "1.1.2", "1.1.2.3", "2.8", "4.2.4.8", "4.4.9")
def test_defects_of_a_scenario_are_named(file, old, new, expected):
    assert expected in broken(file, old, new)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("command_rating = 3\n", "", "a monitor's command_rating must be given"),
        ("special_sensors = 2", 'special_sensors = 2\nbase_type = "SB"', "a base, and nothing else, has a base_type"),
        ('base_type = "SB"\n', "", "a base, and nothing else, has a base_type"),
        ('base_type = "SB"\n', 'base_type = "SB"\nmarks = ["pft"]\n', "a PF tender is a ship or an auxiliary"),
        ('kind = "monitor"\n', 'kind = "monitor"\nmarks = ["survey"]\n', "a survey ship is a ship"),
        ("size_class = 3", "size_class = 9", "size_class"),
        ('marks = ["scout"]', 'marks = ["scout", "scout"]', "a mark is given twice"),
        ('marks = ["scout"]', 'marks = ["scoot"]', "marks"),
        ("docking_bays = [30, 20]", "docking_bays = [30, 21]", "of which there are 50"),
        ("docking_bays = [30, 20]", "docking_bays = [30, 0]", "docking_bays share out its repair boxes"),
        ("bpv_economic = 145", 'bpv_economic = "289/2"', "CPV, which are whole"),
    ],
)
def test_defects_of_a_class_are_named(old: str, new: str, said: str) -> None:
    files = intro_files()
    assert old in files[SHIPS]
    files[SHIPS] = files[SHIPS].replace(old, new, 1)
    with pytest.raises(Refused, match=said):
        RULEBOOK.read_scenario(files)


@pytest.mark.rule("cutler", "4.1.1")
def test_a_class_is_sold_for_its_economic_value_whatever_it_is_worth_in_combat() -> None:
    state = intro()
    frigate, minesweeper = state.classes["frigate"], state.classes["minesweeper"]
    assert (frigate.bpv_economic, frigate.bpv_combat) == (60, 62)
    assert (minesweeper.bpv_economic, minesweeper.bpv_combat) == (65, 55)
    offered = {one.value: one.hint for one in turn_ask(state, "hydran").form.line("D1").fields[0].choices}
    assert (offered["build frigate"], offered["build minesweeper"]) == ("60 CPV", "65 CPV")


@pytest.mark.rule("cutler", "4.2.4.8")
def test_ships_begin_with_the_boarding_parties_of_their_class_or_as_many_as_are_given() -> None:
    files = intro_files()
    files[UNITS] = files[UNITS].replace('fleet = "Home"', 'fleet = "Home"\nboarding_parties = 15', 1)
    units = RULEBOOK.set_up(RULEBOOK.read_scenario(files)).units
    assert [units[key].boarding_parties for key in ("undertow", "breaker")] == [15, 8]
    assert units["undertow"].record.boarding_parties == 12  # and a quarter more


def test_a_referees_own_classes_are_laid_over_the_shipped_ones() -> None:
    own = intro_files()[SHIPS].split("[[class]]")[1].replace("warp = 30", "warp = 31").replace('"invented"', '"R2.4"')
    files = {**intro_files(), "own_ships.toml": f"[[class]]{own}"}
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(files))
    record = state.units["undertow"].record
    assert (record.class_id, record.warp, record.invented) == ("command_cruiser", 31, False)
    assert state.units["undertow"].warp_ok == 31


@pytest.mark.rule("cutler", "1.1.2.5.2")
def test_no_base_in_forbidden_terrain():
    assert ("units.toml.units.azure_station.hex", "1.1.2.5.2, CU-R09") in broken(
        SCENARIO, '0504 = "dust"', '0205 = "dust"'
    )


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_belongs_to_a_planet_of_its_race():
    found = broken(UNITS, 'type = "police_cutter"\nhex = "0303"', 'type = "police_cutter"\nhex = "0404"')
    assert found == [("units.toml.units.tidewatch.hex", "2.8")]


def test_all_defects_of_both_files_come_at_once():
    files = intro_files()
    files[SCENARIO] = files[SCENARIO].replace('0605 = "nebula"', '6605 = "nebula"')
    files[UNITS] = files[UNITS].replace('type = "frigate"', 'type = "frigat"')
    files["shipz.toml"] = ""
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    text = str(refused.value)
    assert "6605" in text
    assert text.count("frigat") >= 3
    assert "Did you mean ships.toml" in text
