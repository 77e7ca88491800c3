"""Chapter 1 as data: the introductory scenario, and everything that a scenario may get wrong."""

import re
import tomllib

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from tests.rulebooks.cutler.worlds import HAULER, intro_files


def intro():
    return RULEBOOK.set_up(RULEBOOK.read_scenario(intro_files()))


def broken(file: str, old: str, new: str) -> list[str]:
    """All defects after one change to the introductory scenario, without a parser's own words and line numbers."""
    files = intro_files()
    assert old in files[file], old
    files[file] = files[file].replace(old, new, 1)
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    return [re.sub(r"(?<=this is not TOML: ).*|(?<=: line )\d+", "…", str(one)) for one in refused.value.refusals]


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
        (SCENARIO, 'title = "Three Crowns"', "", ["scenario.toml.title: Field required"]),
        (SCENARIO, "rows = 9", "rows = 9\nlayers = 2", ["scenario.toml.map.layers: Extra inputs are not permitted"]),
        (
            SCENARIO,
            '0605 = "nebula"',
            '0605 = "soup"',
            [
                "scenario.toml.map.terrain.0605: Input should be 'asteroids', 'dust', 'heat', 'nebula', "
                "'black_hole', 'neutron_star', 'white_dwarf' or 'pulsar'"
            ],
        ),
        (
            SCENARIO,
            '0605 = "nebula"',
            '6605 = "nebula"',
            ["scenario.toml.map.terrain: '6605' is not a hex of this map. Did you mean 0605?"],
        ),
        (
            SCENARIO,
            "unsurveyed = []",
            'unsurveyed = ["9901"]',
            ["scenario.toml.map.unsurveyed: '9901' is not a hex of this map. Did you mean 0901?"],
        ),
        (SCENARIO, 'emblem = "L"', 'emblem = "H"', ["scenario.toml.races: two races share an emblem"]),
        (
            SCENARIO,
            "[map]",
            "[map",
            ["scenario.toml: this is not TOML: …"],
        ),
        (
            UNITS,
            'type = "starbase"',
            f'type = "starbase"{MOON}',
            [
                "units.toml.units.azure_station.orbit: there is nothing of the kind to orbit (3.5, "
                "CU-R64). Legal: planet, apart."
            ],
        ),
        (
            UNITS,
            'type = "frigate"',
            f'type = "frigate"{MOON}',
            ["units.toml.units.ripple.orbit: there is nothing of the kind to orbit (3.5, CU-R64). Legal: no orbit."],
        ),
        (
            SCENARIO,
            "reserve = 40",
            "reserve = 400",
            ["scenario.toml.races.hydran.reserve: Input should be less than or equal to 300"],
        ),
        (
            SCENARIO,
            '"0501", ',
            '"0501", "0205", ',
            ["scenario.toml.races.lyran.territory: 0205 belongs to hydran already (1.1.2)"],
        ),
        (
            SCENARIO,
            'hex = "0205"',
            'hex = "0303"',
            ["scenario.toml.planets.tidewater.hex: azure_throne is in 0303 too (1.1.2.3, CU-R04)"],
        ),
        (
            SCENARIO,
            'hex = "0205"',
            'hex = "0605"',
            ["scenario.toml.planets.azure_throne.hex: a home planet lies in its own empire (1.1.2.3, CU-R04)"],
        ),
        (
            SCENARIO,
            'hex = "0307"',
            'hex = "0204"',
            ["scenario.toml.planets.azure_throne.hex: kelp_rock of the same race is next to it (CU-R04)"],
        ),
        (
            SCENARIO,
            'kind = "capital"',
            'kind = "major"',
            ["scenario.toml.planets: hydran has 0 capitals instead of one (1.1.2.3)"],
        ),
        (
            SCENARIO,
            'race = "hydran"',
            'race = "hydra"',
            [
                ("scenario.toml.planets.azure_throne.race: no race 'hydra'. Did you mean hydran or lyran?"),
                ("scenario.toml.planets: hydran has 0 capitals instead of one (1.1.2.3)"),
            ],
        ),
        (
            SCENARIO,
            "gcv = 10",
            "gcv = 21",
            [
                "scenario.toml.planets.azure_throne.gcv: one ground combat vehicle for every ten "
                "boarding parties at most (4.2.4.8, CU-R101). Legal: 0 to 20."
            ],
        ),
        (
            SCENARIO,
            "boarding_parties = 200",
            "boarding_parties = 601",
            [
                "scenario.toml.planets.azure_throne.boarding_parties: a capital planet holds at most 600 "
                "(4.2.4.8). Legal: 0 to 600."
            ],
        ),
        (
            SCENARIO,
            "gcv = 10",
            "ground_bases = 25",
            [
                "scenario.toml.planets.azure_throne.ground_bases: a capital planet has room for 24 "
                "ground bases (4.4.9, CU-R94). Legal: 0 to 24."
            ],
        ),
        (
            SCENARIO,
            "gcv = 0",
            "ground_bases = 13",
            [
                "scenario.toml.planets.kelp_rock.ground_bases: a minor planet has room for 12 ground "
                "bases (4.4.9, CU-R94). Legal: 0 to 12."
            ],
        ),
        (
            UNITS,
            'fleet = "Home"',
            'fleet = "Home"\nboarding_parties = 16',
            [
                (
                    "units.toml.units.undertow.boarding_parties: Undertow has room for 15 boarding parties, "
                    "a quarter more than its complement (4.2.4.8). Legal: 0 to 15."
                ),
                (
                    "units.toml.units.undertow.holds: Undertow has room for 15 boarding parties (4.2.4.8). "
                    "Legal: at most 15."
                ),
            ],
        ),
        (
            UNITS,
            'hex = "0205"',
            'hex = "0299"',
            [
                ("units.toml.units.undertow.hex: '0299' is not a hex of this map. Did you mean 0909 or 0209?"),
                ("units.toml.units.breaker.hex: Home begins in two hexes"),
                ("units.toml.units.ripple.hex: Home begins in two hexes"),
            ],
        ),
        (UNITS, 'fleet = "Home"', "", ["units.toml.units.undertow.fleet: a unit that moves needs a fleet"]),
        (
            UNITS,
            'type = "frigate"',
            'type = "frigat"',
            ["units.toml.units.ripple.type: no class 'frigat'. Did you mean frigate?"],
        ),
        (
            UNITS,
            'name = "Breaker"',
            'name = "Undertow"',
            ["units.toml.units.breaker.name: hydran has another 'Undertow'"],
        ),
        (
            UNITS,
            'hex = "0205"',
            'hex = "0303"',
            [
                ("units.toml.units.breaker.hex: Home begins in two hexes"),
                ("units.toml.units.ripple.hex: Home begins in two hexes"),
            ],
        ),
        (
            SHIPS,
            "refits = { scout = 30 }",
            "refits = { scot = 30 }",
            ["ships.frigate.refits: no class 'scot'. Did you mean scout?"],
        ),
        (
            SHIPS,
            "refits = { scout = 30 }",
            "refits = { starbase = 30 }",
            ["ships.frigate.refits: a ship cannot be made into a base (4.2.3.4). Legal: a class of kind ship."],
        ),
        (
            SCENARIO,
            "warp = 10",
            "warp = 0",
            ["scenario.toml.repair_points.warp: Input should be greater than or equal to 1"],
        ),
        (
            UNITS,
            'type = "frigate"',
            'type = "ground_base"',
            [
                (
                    "units.toml.units.ripple.type: ground bases are given with their planet (4.4.9). Legal: "
                    "a planet's ground_bases."
                ),
                ("units.toml.units.ripple.fleet: a unit that never moves, or sails in convoys, has no fleet"),
            ],
        ),
        (
            SHIPS,
            'kind = "ground_base"',
            'kind = "ground_base"\nwarp = 3',
            ["ships.toml: line …: ground_base: a ground base has neither engines nor repair boxes"],
        ),
        (
            SCENARIO,
            "gcv = 10",
            "gcv = 10\nsquads = { heavy = 201 }",
            [
                (
                    "scenario.toml.planets.azure_throne.squads: squads are some of its boarding parties (5.3.3). "
                    "Legal: 200 at most."
                ),
            ],
        ),
        (
            UNITS,
            'fleet = "Home"',
            'fleet = "Home"\nsquads = { commando = 13 }',
            [
                (
                    "units.toml.units.undertow.squads: squads are some of its boarding parties (4.2.4.8). Legal: 12 "
                    "at most."
                ),
            ],
        ),
        (
            UNITS,
            'fleet = "Home"',
            'fleet = "Home"\nofficers = ["navigator", "navigator"]',
            [
                "units.toml.units.undertow.officers: Undertow has an officer twice. Legal: one of each kind.",
            ],
        ),
        (
            SHIPS,
            'class_id = "frigate"',
            'class_id = "frigate"\nkind = "freighter"\nfreighter_size = "large"',
            [
                "units.toml.units.ripple.fleet: a unit that never moves, or sails in convoys, has no fleet",
                "units.toml.units.ember.fleet: a unit that never moves, or sails in convoys, has no fleet",
                (
                    "ships.frigate.refits: a freighter cannot be made into a ship (4.2.3.4). Legal: a class of kind "
                    "freighter."
                ),
                "ships.scout.refits: a ship cannot be made into a freighter (4.2.3.4). Legal: a class of kind ship.",
            ],
        ),
        (
            SHIPS,
            'class_id = "frigate"',
            'class_id = "frigate"\nkind = "fighters"',
            [
                "units.toml.units.ripple.type: fighters belong to what carries them (2.9)",
                "units.toml.units.ember.type: fighters belong to what carries them (2.9)",
                (
                    "ships.frigate.refits: a fighters cannot be made into a ship (4.2.3.4). Legal: a class of kind "
                    "fighters."
                ),
                "ships.scout.refits: a ship cannot be made into a fighters (4.2.3.4). Legal: a class of kind ship.",
            ],
        ),
        (
            SCENARIO,
            "[map.terrain]",
            "[systems.0404]\nmoons = [5]\n[map.terrain]",
            [
                (
                    "scenario.toml.systems.0404: there is no planet (1.1.2.4). Legal: 0103, 0205, 0303, 0307, 0702, "
                    "0708, 0803, 0902, 0906, 0908, 1004, 1106."
                ),
            ],
        ),
        (
            SCENARIO,
            "[planets.azure_throne]",
            "[systems.0205]\nmoons = [5]\n[planets.moon1_0205]",
            [
                "scenario.toml.planets.moon1_0205: this is the key of a moon or a gas giant. Legal: another key.",
            ],
        ),
        (
            SCENARIO,
            "[planets.azure_throne]",
            "[systems.0205]\ngas_giant = 2\n[planets.giant_0205]",
            [
                "scenario.toml.planets.giant_0205: this is the key of a moon or a gas giant. Legal: another key.",
            ],
        ),
    ],
)
@pytest.mark.rule("cutler", "1.1.2", "1.1.2.3", "2.8", "4.2.4.8", "4.4.9")
def test_defects_of_a_scenario_are_named(file, old, new, expected):
    assert broken(file, old, new) == expected


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("command_rating = 3\n", "", "ships.toml: line …: monitor: a monitor's command_rating must be given"),
        (
            "special_sensors = 2",
            'special_sensors = 2\nbase_type = "SB"',
            "ships.toml: line …: scout: a base, and nothing else, has a base_type",
        ),
        ('base_type = "SB"\n', "", "ships.toml: line …: starbase: a base, and nothing else, has a base_type"),
        (
            'base_type = "SB"\n',
            'base_type = "SB"\nmarks = ["pft"]\n',
            "ships.toml: line …: starbase: a PF tender is a ship or an auxiliary",
        ),
        (
            'kind = "monitor"\n',
            'kind = "monitor"\nmarks = ["survey"]\n',
            "ships.toml: line …: monitor: a survey ship is a ship or a freighter",
        ),
        (
            "size_class = 3",
            "size_class = 9",
            "ships.toml: line …: command_cruiser.size_class: Input should be less than or equal to 7, not '9'",
        ),
        ('marks = ["scout"]', 'marks = ["scout", "scout"]', "ships.toml: line …: scout: a mark is given twice"),
        (
            'marks = ["scout"]',
            'marks = ["scoot"]',
            (
                "ships.toml: line …: scout.marks[0]: Input should be 'scout', 'minesweeper', 'pft', 'ltt', "
                "'mauler', 'battle_pod', 'survey', 'carrier', 'tug', 'express' or 'special', not 'scoot'"
            ),
        ),
        (
            "docking_bays = [30, 20]",
            "docking_bays = [30, 21]",
            "ships.toml: line …: starbase: docking_bays share out its repair boxes, of which there are 50",
        ),
        (
            "docking_bays = [30, 20]",
            "docking_bays = [30, 0]",
            "ships.toml: line …: starbase: docking_bays share out its repair boxes, of which there are 50",
        ),
        (
            "bpv_economic = 145",
            'bpv_economic = "289/2"',
            "ships.toml: line …: command_cruiser: bpv_economic is a price in CPV, which are whole",
        ),
        (
            'class_id = "frigate"',
            'class_id = "frigate"\nkind = "freighter"',
            (
                "ships.toml: line …: frigate: a freighter or a Q-ship, and nothing else, has a freighter_size, "
                "small or large"
            ),
        ),
        (
            'class_id = "frigate"',
            'class_id = "frigate"\nfreighter_size = "small"',
            (
                "ships.toml: line …: frigate: a freighter or a Q-ship, and nothing else, has a freighter_size, "
                "small or large"
            ),
        ),
        (
            'base_type = "SB"\n',
            'base_type = "SB"\ncloak = true\n',
            "ships.toml: line …: starbase: a unit that never moves has no cloak",
        ),
        (
            'class_id = "frigate"',
            'class_id = "frigate"\nmine_room = 1',
            "ships.toml: line …: frigate: only a minesweeper, or a class noted for mines, has room for them",
        ),
        (
            'class_id = "frigate"',
            'class_id = "frigate"\nready_racks = 9',
            "ships.toml: line …: frigate: ready_racks are among its shuttles, special_drones among its drones",
        ),
        (
            'class_id = "frigate"',
            'class_id = "frigate"\nspecial_drones = 9',
            "ships.toml: line …: frigate: ready_racks are among its shuttles, special_drones among its drones",
        ),
    ],
)
def test_defects_of_a_class_are_named(old: str, new: str, said: str) -> None:
    assert broken(SHIPS, old, new)[0] == said


def test_files_that_are_missing_or_none_of_a_scenario_are_named() -> None:
    files = intro_files()
    del files[UNITS]
    files["shipz.toml"] = ""
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    assert list(map(str, refused.value.refusals)) == [
        (
            "shipz.toml: this file is not part of a scenario. Did you mean ships.toml or own_ships.toml or "
            "scenario.toml?"
        ),
        "units.toml: this file is missing",
    ]


@pytest.mark.rule("cutler", "3.1.3")
def test_a_q_ship_of_another_size_class_than_freighters_is_refused() -> None:
    files = intro_files()
    trap = HAULER.replace('"hauler"', '"trap"').replace('"Hauler"', '"Trap"').replace('"freighter"', '"q_ship"')
    files[SHIPS] += HAULER + trap.replace("size_class = 4", "size_class = 3")
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    assert list(map(str, refused.value.refusals)) == [
        (
            "ships.trap.size_class: a Trap would be told from a large freighter by its size class (3.1.3, "
            "CU-R48). Legal: 4."
        ),
    ]


def test_the_rules_have_no_odds() -> None:
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(intro(), "hydran", Knowledge(), "undertow", "0404")
    assert list(map(str, refused.value.refusals)) == [
        "own: these rules have no odds to ask for",
    ]


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
    assert broken(SCENARIO, '0504 = "dust"', '0205 = "dust"') == [
        "units.toml.units.azure_station.hex: no base can stand in this terrain (1.1.2.5.2, CU-R09)"
    ]


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_belongs_to_a_planet_of_its_race():
    found = broken(UNITS, 'type = "police_cutter"\nhex = "0303"', 'type = "police_cutter"\nhex = "0404"')
    assert found == ["units.toml.units.tidewatch.hex: a police ship belongs to a planet of its race (2.8)"]


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


@pytest.mark.rule("cutler", "2.7")
@pytest.mark.parametrize(
    ("hex_id", "expected"),
    [
        (
            "0404",
            [
                "units.toml.units.ore.hex: a freighter begins at a planet or a base of its race (2.7)",
            ],
        ),
        ("0103", []),
    ],
)
def test_freighters_begin_where_convoys_begin(hex_id: str, expected: list[str]) -> None:
    files = intro_files()
    files[SHIPS] += HAULER
    files[UNITS] += f'[units.ore]\nname = "Ore"\nrace = "hydran"\ntype = "hauler"\nhex = "{hex_id}"\n'
    found = []
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        found = list(map(str, refused.refusals))
    assert found == expected
