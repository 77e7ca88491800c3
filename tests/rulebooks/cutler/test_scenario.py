"""Chapter 1 as data: the introductory scenario, and everything that a scenario may get wrong."""

import re
import tomllib

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from tests.expected.kept import Kept, cases
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


@cases("old, new, said")
def test_defects_of_a_class_are_named(old: str, new: str, said: str) -> None:
    assert broken(SHIPS, old, new)[0] == said


def test_files_that_are_missing_or_none_of_a_scenario_are_named(kept: Kept) -> None:
    files = intro_files()
    del files[UNITS]
    files["shipz.toml"] = ""
    with pytest.raises(Refused) as refused:
        RULEBOOK.read_scenario(files)
    assert list(map(str, refused.value.refusals)) == kept()


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


@pytest.mark.rule("cutler", "1.1.1")
@pytest.mark.parametrize(("races", "fits"), [(1, False), (2, True), (7, True), (8, False)])
def test_two_to_seven_races_play(races: int, fits: bool) -> None:
    files = intro_files()
    head, *entries = re.split(r"(?m)^(?=\[)", files[SCENARIO])
    there = [one for one in entries if one.startswith("[races.")]
    more = [f'[races.r{n}]\nname = "Race {n}"\nemblem = "{n}"\n\n' for n in range(races - len(there))]
    kept = [one for one in entries if one not in there[races:]]
    files[SCENARIO] = head + "".join([*kept, *more])
    found = broken_by(files)
    assert ("scenario.toml.races: a campaign has two to seven races (1.1.1)" not in found) == fits


def broken_by(files: dict[str, str]) -> list[str]:
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


@pytest.mark.rule("cutler", "4.2.4.8", "4.4.9")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("gcv = 10", "gcv = 20"),
        ("gcv = 10", "gcv = 0"),
        ("gcv = 10", "ground_bases = 24"),
        ("boarding_parties = 200", "boarding_parties = 600"),
        ("reserve = 40", "reserve = 300"),
    ],
)
def test_what_just_fits_is_no_defect(old: str, new: str) -> None:
    files = intro_files()
    assert old in files[SCENARIO]
    assert broken_by(files | {SCENARIO: files[SCENARIO].replace(old, new, 1)}) == []


@pytest.mark.rule("cutler", "1.1.2.4", "3.5")
@pytest.mark.parametrize(
    ("system", "orbits"),
    [
        ("moons = [5]", "planet, moon1, apart"),
        ("moons = [5, 9]\ngas_giant = 3", "planet, giant, moon1, moon2, apart"),
        ("gas_giant = 3\ngiant_moons = [9]", "planet, giant, giantmoon1, apart"),
        ("gas_giant = 3\ngiant_moons = [9, 12]", "planet, giant, giantmoon1, giantmoon2, apart"),
    ],
)
def test_a_base_orbits_what_there_is(system: str, orbits: str) -> None:
    files = intro_files()
    files[SCENARIO] += f'\n[systems."0205"]\n{system}\n'
    units = files[UNITS]
    for orbit in [*orbits.split(", "), "moon0", "moon3", "giantmoon0", "giantmoon3"]:
        files[UNITS] = units.replace('type = "starbase"', f'type = "starbase"\norbit = "{orbit}"', 1)
        said = f"there is nothing of the kind to orbit (3.5, CU-R64). Legal: {orbits}."
        fits = orbit in orbits.split(", ")
        assert broken_by(files) == ([] if fits else [f"units.toml.units.azure_station.orbit: {said}"]), orbit


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
@cases("hex_id, expected")
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


# --- small scenarios, each with one thing that may be wrong ----------------------------------------------------------

HOMES = ("0102", "0302", "0502", "0702", "0902", "1102", "0106", "0306")
CLASSES = "".join(
    f'[[class]]\nclass_id = "{key}"\nname = "{key.title()}"\nempire = "any"\nsource = "invented"\nhull_type = "other"\n'
    f'kind = "{kind}"\nsize_class = 4\nmove_cost = 1\nbpv_economic = 50\nbpv_combat = 50\n{more}\n'
    for key, kind, more in (
        ("ship", "ship", "warp = 12\nimpulse = 2\nboarding_parties = 4\ncargo = 1"),
        ("base", "base", 'base_type = "SB"\nboarding_parties = 10'),
        ("dock", "base", 'base_type = "FRD"\nimpulse = 2'),
        ("ore", "freighter", 'warp = 12\nimpulse = 2\nfreighter_size = "large"'),
        ("decoy", "q_ship", 'warp = 12\nimpulse = 2\nfreighter_size = "large"'),
        ("seeker", "freighter", 'warp = 12\nimpulse = 2\nfreighter_size = "large"\nmarks = ["survey"]'),
        ("cutter", "police", "warp = 12\nimpulse = 2"),
        ("swarm", "fighters", "warp = 1"),
    )
)


def small(
    *units: str, races: int = 2, more: str = "", terrain: str = "", planet: str = "", territory: str = ""
) -> dict[str, str]:
    """A scenario of races ``r1``, ``r2`` … with a capital each, ``p1``, ``p2`` …, and units ``u1``, ``u2`` …

    A unit is told as ``race type hex``, and what else its entry says; ``terrain`` is what the map says beside its size,
    ``planet`` what the first capital says, and ``territory`` what is in the first race's beside its home."""
    parts = [
        'title = "Small"\nsource = "R1"\n[victory]\nturn = 3\n[map]\ncolumns = 11\nrows = 9',
        terrain,
        *(
            f'[races.r{n}]\nname = "R{n}"\nemblem = "{n}"\nterritory = ["{home}"{territory if n == 1 else ""}]\n'
            f'[planets.p{n}]\nname = "P{n}"\nkind = "capital"\nhex = "{home}"\nrace = "r{n}"\n'
            + (planet if n == 1 else "")
            for n, home in enumerate(HOMES[:races], 1)
        ),
        more,
    ]
    told = [one.split(" ", 3) for one in units]
    entries = [
        f'[units.u{n}]\nrace = "{race}"\ntype = "{kind}"\nhex = "{hex_id}"\n'
        + ("" if rest and "name = " in rest[0] else f'name = "U{n}"\n')
        + "\n".join(rest)
        for n, (race, kind, hex_id, *rest) in enumerate(told, 1)
    ]
    return {SCENARIO: "\n".join(parts), UNITS: "\n".join(entries) or "[units]", SHIPS: CLASSES}


def defects_of(files: dict[str, str]) -> list[str]:
    """All that is refused of a scenario's files."""
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


def colony(key: str, hex_id: str, race: str = "r1", kind: str = "minor") -> str:
    """One more planet."""
    return f'\n[planets.{key}]\nname = "{key}"\nkind = "{kind}"\nhex = "{hex_id}"\nrace = "{race}"\n'


def system(hex_id: str, says: str) -> str:
    """What else is in a hex."""
    return f'\n[systems."{hex_id}"]\n{says}\n'


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (small(races=1), ["scenario.toml.races: a campaign has two to seven races (1.1.1)"]),
        (small(races=2), []),
        (small(races=7), []),
        (small(races=8), ["scenario.toml.races: a campaign has two to seven races (1.1.1)"]),
        (small(territory=', "0103", "0103"'), []),
        (
            small(territory=', "9901"'),
            ["scenario.toml.races.r1.territory: '9901' is not a hex of this map. Did you mean 0901?"],
        ),
        (small(terrain='unsurveyed = ["0505", "0506"]'), []),
        (
            small(terrain='unsurveyed = ["0505", "0102"]\n[map.terrain]\n0505 = "nebula"'),
            [
                "scenario.toml.map.unsurveyed: 0505 has terrain, so it is surveyed (9.2, 9.3, CU-N28)",
                "scenario.toml.map.unsurveyed: 0102 has a planet, so it is surveyed (9.2, 9.3, CU-N28)",
                "scenario.toml.map.unsurveyed: 0102 belongs to a race, so it is surveyed (9.2, 9.3, CU-N28)",
            ],
        ),
        # Neighbours of one race are told once, for the first of them by name; two hexes off is far enough.
        (small(territory=', "0103"', more=colony("p0", "0103")), [
            "scenario.toml.planets.p0.hex: p1 of the same race is next to it (CU-R04)"]),
        (small(territory=', "0104"', more=colony("p0", "0104")), []),
        (small(races=2, more='[races.r0]\nname = "R0"\nemblem = "0"\nterritory = ["0103"]\n'
               + colony("p0", "0103", "r0", "capital")), []),
        (small(territory=', "0104"', more=colony("p0", "9999")), [
            "scenario.toml.planets.p0.hex: '9999' is not a hex of this map",
            "scenario.toml.planets.p0.hex: a home planet lies in its own empire (1.1.2.3, CU-R04)"]),
        (small(territory=', "0104"', more=colony("p0", "0104", kind="capital")), [
            "scenario.toml.planets: r1 has 2 capitals instead of one (1.1.2.3)"]),
        (small(planet="boarding_parties = 600\ncrew_units = 600\ngcv = 60\nground_bases = 24\n"), []),
        (small(planet="crew_units = 601\n"), [
            "scenario.toml.planets.p1.crew_units: a capital planet holds at most 600 (4.2.4.8). Legal: 0 to 600."]),
        (small(planet="boarding_parties = 9\nsquads = { heavy = 4, commando = 5 }\n"), []),
        (small(planet="boarding_parties = 9\nsquads = { heavy = 5, commando = 5 }\n"), [
            "scenario.toml.planets.p1.squads: squads are some of its boarding parties (5.3.3). Legal: 9 at most."]),
        (small(planet="boarding_parties = 19\ngcv = 2\n"), [
            "scenario.toml.planets.p1.gcv: one ground combat vehicle for every ten boarding parties at most (4.2.4.8, "
            "CU-R101). Legal: 0 to 1."]),
    ],
)  # fmt: skip
def test_a_map_and_its_planets_keep_to_their_bounds(made: dict[str, str], expected: list[str]) -> None:
    assert defects_of(made) == expected


HOME = 'fleet = "Home"'
PORT = "a freighter begins at a planet or a base of its race (2.7)"
FLEETLESS = "a unit that never moves, or sails in convoys, has no fleet"
SYSTEM = system("0102", "moons = [4, 6]\ngas_giant = 3\ngiant_moons = [8]")
ORBIT = "units.toml.units.u1.orbit: there is nothing of the kind to orbit (3.5, CU-R64). Legal: "


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (small(f"r1 ship 0505 {HOME}", f"r2 ship 0606 {HOME}"), []),
        (small(f"r1 ship 0505 {HOME}", f"r1 ship 0606 {HOME}"), ["units.toml.units.u2.hex: Home begins in two hexes"]),
        (small(f'r1 ship 0505 {HOME}\nname = "Ox"', f'r2 ship 0505 {HOME}\nname = "Ox"'), []),
        (small(f'r1 ship 0505 {HOME}\nname = "Ox"', f'r1 ship 0505 {HOME}\nname = "OX"'),
         ["units.toml.units.u2.name: r1 has another 'OX'"]),
        (small("r1 ship 0505"), ["units.toml.units.u1.fleet: a unit that moves needs a fleet"]),
        (small("r1 dock 0505"), ["units.toml.units.u1.fleet: a unit that moves needs a fleet"]),
        (small("r1 seeker 0505"), ["units.toml.units.u1.fleet: a unit that moves needs a fleet"]),
        (small(f"r1 seeker 0505 {HOME}", f"r1 dock 0505 {HOME}"), []),
        *((small(f"r1 {kind} 0102 {HOME}"), [f"units.toml.units.u1.fleet: {FLEETLESS}"])
          for kind in ("base", "ore", "decoy", "cutter")),
        (small("r1 base 0102", "r1 ore 0102", "r1 decoy 0102", "r1 cutter 0102"), []),
        # Freighters and Q-ships begin at a planet or a base of their own race.
        (small("r1 base 0505", "r1 ore 0505"), []),
        (small(f"r1 ship 0505 {HOME}", "r1 ore 0505"), [f"units.toml.units.u2.hex: {PORT}"]),
        (small("r2 base 0505", "r1 ore 0505"), [f"units.toml.units.u2.hex: {PORT}"]),
        (small("r1 decoy 0302"), [f"units.toml.units.u1.hex: {PORT}"]),
        (small("r1 bse 0505", "r1 ore 0505"), [
            "units.toml.units.u1.type: no class 'bse'. Did you mean base?", f"units.toml.units.u2.hex: {PORT}"]),
        (small("r1 cutter 0302"), ["units.toml.units.u1.hex: a police ship belongs to a planet of its race (2.8)"]),
        (small(f"r1 swarm 0102 {HOME}"), ["units.toml.units.u1.type: fighters belong to what carries them (2.9)"]),
        # Four boarding parties, and five at most.
        (small(f"r1 ship 0505 {HOME}\nboarding_parties = 5\nsquads = {{ heavy = 5 }}"), []),
        (small(f"r1 ship 0505 {HOME}\nsquads = {{ heavy = 4 }}"), []),
        (small(f"r1 ship 0505 {HOME}\nsquads = {{ heavy = 5 }}"), [
            "units.toml.units.u1.squads: squads are some of its boarding parties (4.2.4.8). Legal: 4 at most."]),
        (small(f"r1 ship 0505 {HOME}\nboarding_parties = 3\nsquads = {{ heavy = 4 }}"), [
            "units.toml.units.u1.squads: squads are some of its boarding parties (4.2.4.8). Legal: 3 at most."]),
        (small(f'r1 ship 0505 {HOME}\nofficers = ["captain", "doctor"]'), []),
        (small(f'r1 ship 0505 {HOME}\nofficers = ["captain", "captain"]'), [
            "units.toml.units.u1.officers: U1 has an officer twice. Legal: one of each kind."]),
        # What a unit may hold, and what lies in its one cargo box: two fighters, or twenty CPV of mines.
        (small(f"r1 ship 0505 {HOME}\nstowed = {{ fighter = 2 }}"), []),
        (small(f"r1 ship 0505 {HOME}\nstowed = {{ fighter = 3 }}"), [
            "units.toml.units.u1.stowed: U1 has 1 cargo boxes (4.2.4.1.2). Legal: less."]),
        (small(f"r1 ship 0505 {HOME}\nstowed = {{ fighter = 0, mines = 20 }}"), []),
        (small(f"r1 ship 0505 {HOME}\nholds = {{ mines = 1 }}"), [
            "units.toml.units.u1.holds: U1 has room for 0 CPV of mines (4.2.4.5). Legal: at most 0, or cargo boxes."]),
        (small(f"r1 ship 0505 {HOME}\nholds = {{ mines = -1 }}"), [
            "units.toml.units.u1.holds.mines: a number below nothing. Legal: 0 and more."]),
        *((small(f"r1 ship 0505 {HOME}\nstowed = {{ {key} = 1 }}"), [
            f"units.toml.units.u1.stowed.{key}: {name} is in nobody's boxes. Legal: boarding_parties and officers of "
            "the unit, fighters with aces; its crew is that of its class."])
          for key, name in (("ace", "Legendary Ace"), ("boarding_party", "Boarding Party"),
                            ("officer_captain", "Legendary Captain"), ("crew_normal", "Crew Unit"))),
        (small(f"r1 ship 0505 {HOME}\nholds = {{ mimes = 1 }}"), [
            "units.toml.units.u1.holds: no accessory 'mimes'. Did you mean mines?"]),
        # What a base may orbit.
        *((small(f'r1 base 0102 orbit = "{orbit}"', more=SYSTEM), [])
          for orbit in ("planet", "giant", "moon1", "moon2", "giantmoon1", "apart")),
        *((small(f'r1 base 0102 orbit = "{orbit}"', more=SYSTEM),
           [f"{ORBIT}planet, giant, moon1, moon2, giantmoon1, apart."])
          for orbit in ("moon0", "moon3", "giantmoon0", "giantmoon2", "sun")),
        (small('r1 base 0102 orbit = "giant"', more=system("0102", "moons = [4]")),
         [f"{ORBIT}planet, moon1, apart."]),
        (small('r1 base 0505 orbit = "planet"', more=SYSTEM), [f"{ORBIT}apart."]),
        (small('r1 base 0505 orbit = "apart"', more=SYSTEM), []),
        (small(f'r1 ship 0102 orbit = "planet"\n{HOME}', more=SYSTEM), [f"{ORBIT}no orbit."]),
        # Where a base may stand.
        *((small("r1 base 0505", terrain=f'[map.terrain]\n0505 = "{terrain}"'), [])
          for terrain in ("nebula", "asteroids")),
        *((small("r1 base 0505", terrain=f'[map.terrain]\n0505 = "{terrain}"'), [
            "units.toml.units.u1.hex: no base can stand in this terrain (1.1.2.5.2, CU-R09)"])
          for terrain in ("dust", "heat", "black_hole", "neutron_star", "white_dwarf", "pulsar")),
        (small(f"r1 ship 0505 {HOME}", terrain='[map.terrain]\n0505 = "dust"'), []),
        # Systems, and the keys of their moons.
        (small(more=system("0505", "moons = [4]")), [
            "scenario.toml.systems.0505: there is no planet (1.1.2.4). Legal: 0102, 0302."]),
        *((small(territory=', "0104"', more=SYSTEM + colony(key, "0104")), [
            f"scenario.toml.planets.{key}: this is the key of a moon or a gas giant. Legal: another key."])
          for key in ("moon1_0102", "giant_0102", "giantmoon1_0102")),
        *((small(territory=', "0104"', more=SYSTEM + colony(key, "0104")), [])
          for key in ("moon3_0102", "planet_0102", "apart_0102", "moon1_0104")),
    ],
)  # fmt: skip
@pytest.mark.rule("cutler", "2.7", "2.8", "3.5", "1.1.2.4", "4.2.4.8")
def test_units_and_systems_keep_to_their_bounds(made: dict[str, str], expected: list[str]) -> None:
    assert defects_of(made) == expected


def test_a_small_scenario_is_set_up_as_its_files_say() -> None:
    told = 'crew_quality = "poor"\nofficers = ["navigator"]\nboarding_parties = 3\nsquads = { commando = 1 }'
    files = small(
        f"r1 ship 0505 {HOME}\n{told}", f"r1 ship 0505 {HOME}", f"r2 ship 0505 {HOME}", 'r1 base 0102 orbit = "moon2"',
        planet="ground_bases = 7\n", more=SYSTEM,
    )  # fmt: skip
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(files))
    one, other = state.units["u1"], state.units["u2"]
    assert (one.crew_quality, one.officers, one.boarding_parties, one.squads) == (
        "poor", ("navigator",), 3, {"commando": 1},
    )  # fmt: skip
    assert (other.crew_quality, other.officers, other.boarding_parties, other.squads) == ("normal", (), 4, {})
    assert state.units["u4"].orbit == "moon2"
    assert {key: fleet.units for key, fleet in state.fleets.items()} == {"r1/F1": ["u1", "u2"], "r2/F1": ["u3"]}
    assert (state.navigators, state.invented, sorted(state.moons)) == (
        True, False, ["giantmoon1_0102", "moon1_0102", "moon2_0102"],
    )  # fmt: skip
    facing = [unit.facing for unit in state.units.values() if unit.kind == "ground_base"]
    assert sorted(facing) == ["A", "A", "B", "C", "D", "E", "F"]
    again = RULEBOOK.set_up(RULEBOOK.read_scenario(small(f"r1 ship 0505 {HOME}")))
    assert (again.navigators, again.tie_break) == (False, "none")
