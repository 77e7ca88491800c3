"""Chapter 1 as data: the introductory scenario, and everything that a scenario may get wrong."""

import re
import tomllib

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch04_economics.income import income
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.scenario_files import HAULER, intro_files, refused_files
from tests.rulebooks.scenario_defects import without_line


def intro():
    return RULEBOOK.set_up(RULEBOOK.read_scenario(intro_files()))


def broken(file: str, old: str, new: str) -> list[str]:
    """All defects after one change to the introductory scenario, without a parser's own words and line numbers."""
    files = intro_files()
    assert old in files[file], old
    files[file] = files[file].replace(old, new, 1)
    return [re.sub(r"(?<=this is not TOML: ).*|(?<=: line )\d+", "…", one) for one in refused_files(files)]


@pytest.mark.rule("cutler", "1.1.1.1")
def test_three_recommended_races():
    state = intro()
    assert (state.races(), RULEBOOK.defects(state)) == (("hydran", "lyran", "klingon"), [])


@pytest.mark.rule("cutler", "1.1.2.3")
def test_each_race_has_its_planets_and_the_same_income():
    state = intro()
    for race in state.races():
        assert sorted(planet.kind for planet in state.planets_of(race)) == ["capital", "major", "minor", "minor"]
        state.turn = 1
        assert income(state, race) == 200
    assert (state.grid.columns, state.grid.rows, state.turns) == (11, 9, 4)


@pytest.mark.rule("cutler", "1.1.2.5.2")
def test_planets_and_terrain_are_public_and_invented_ones_say_so(kept: Kept):
    notes = {note.hex: note for note in RULEBOOK.public_board(intro()).hexes}
    assert (notes["0205"].name, notes["0205"].marks, notes["0205"].owner) == kept()
    assert notes["0605"].terrain == "nebula"
    assert notes["0205"].invented


def test_convention_g3_of_the_grid():
    grid = intro().grid
    assert [grid.neighbour("0505", way) for way in range(6)] == ["0504", "0604", "0605", "0506", "0405", "0404"]
    assert [grid.neighbour("0605", way) for way in range(6)] == ["0604", "0705", "0706", "0606", "0506", "0505"]


def test_every_figure_says_that_it_is_invented():
    assert all(one["source"] == "invented" for one in tomllib.loads(intro_files()["ships.toml"])["class"])
    assert all(unit.record.invented for unit in intro().units.values())


SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"


@cases("file, old, new, expected")
def test_defects_of_a_scenario_are_named(file, old, new, expected):
    assert broken(file, old, new) == expected


@cases("old, new, said")
def test_defects_of_a_class_are_named(old: str, new: str, said: str) -> None:
    assert broken(SHIPS, old, new)[0] == said


def test_files_that_are_missing_or_none_of_a_scenario_are_named(kept: Kept) -> None:
    files = intro_files()
    del files[UNITS]
    files["shipz.toml"] = ""
    assert refused_files(files) == kept()


@pytest.mark.rule("cutler", "3.1.3")
def test_a_q_ship_of_another_size_class_than_freighters_is_refused(kept: Kept) -> None:
    files = intro_files()
    trap = HAULER.replace('"hauler"', '"trap"').replace('"Hauler"', '"Trap"').replace('"freighter"', '"q_ship"')
    files[SHIPS] += HAULER + trap.replace("size_class = 4", "size_class = 3")
    assert refused_files(files) == kept()


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
    state = RULEBOOK.set_up(RULEBOOK.read_scenario({**intro_files(), "own_ships.toml": f"[[class]]{own}"}))
    record = state.units["undertow"].record
    assert (record.class_id, record.warp, record.invented) == ("command_cruiser", 31, False)
    assert state.units["undertow"].warp_ok == 31


@pytest.mark.rule("cutler", "1.1.2.5.2")
def test_no_base_in_forbidden_terrain(kept: Kept):
    assert broken(SCENARIO, '0504 = "dust"', '0205 = "dust"') == kept()


@cases("races, fits")
def test_two_to_seven_races_play(races: int, fits: bool) -> None:
    files = intro_files()
    head, *entries = re.split(r"(?m)^(?=\[)", files[SCENARIO])
    there = [one for one in entries if one.startswith("[races.")]
    more = [f'[races.r{n}]\nname = "Race {n}"\nemblem = "{n}"\n\n' for n in range(races - len(there))]
    kept = [one for one in entries if one not in there[races:]]
    files[SCENARIO] = head + "".join([*kept, *more])
    assert ("scenario.toml.races: a campaign has two to seven races (1.1.1)" not in refused_files(files)) == fits


@cases("old, new", "")
def test_what_just_fits_is_no_defect(old: str, new: str) -> None:
    files = intro_files()
    assert old in files[SCENARIO]
    assert refused_files(files | {SCENARIO: files[SCENARIO].replace(old, new, 1)}) == []


@cases("system, orbits")
def test_a_base_orbits_what_there_is(system: str, orbits: str) -> None:
    files = intro_files()
    files[SCENARIO] += f'\n[systems."0205"]\n{system}\n'
    units = files[UNITS]
    for orbit in [*orbits.split(", "), "moon0", "moon3", "giantmoon0", "giantmoon3"]:
        files[UNITS] = units.replace('type = "starbase"', f'type = "starbase"\norbit = "{orbit}"', 1)
        said = f"there is nothing of the kind to orbit (3.5, CU-R64). Legal: {orbits}."
        fits = orbit in orbits.split(", ")
        assert [*map(without_line, refused_files(files))] == (
            [] if fits else [f"units.toml.units.azure_station.orbit: {said}"]
        ), orbit


@pytest.mark.rule("cutler", "2.8")
def test_a_police_ship_belongs_to_a_planet_of_its_race():
    found = broken(UNITS, 'type = "police_cutter"\nhex = "0303"', 'type = "police_cutter"\nhex = "0404"')
    assert found == ["units.toml.units.tidewatch.hex (line 71): a police ship belongs to a planet of its race (2.8)"]


def test_all_defects_of_both_files_come_at_once():
    files = intro_files()
    files[SCENARIO] = files[SCENARIO].replace('0605 = "nebula"', '6605 = "nebula"')
    files[UNITS] = files[UNITS].replace('type = "frigate"', 'type = "frigat"')
    files["shipz.toml"] = ""
    text = "\n".join(refused_files(files))
    assert "6605" in text
    assert text.count("frigat") >= 3
    assert "Did you mean ships.toml" in text


@cases("hex_id, expected")
def test_freighters_begin_where_convoys_begin(hex_id: str, expected: list[str]) -> None:
    files = intro_files()
    files[SHIPS] += HAULER
    files[UNITS] += f'[units.ore]\nname = "Ore"\nrace = "hydran"\ntype = "hauler"\nhex = "{hex_id}"\n'
    assert refused_files(files) == expected


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


def colony(key: str, hex_id: str, race: str = "r1", kind: str = "minor") -> str:
    """One more planet."""
    return f'\n[planets.{key}]\nname = "{key}"\nkind = "{kind}"\nhex = "{hex_id}"\nrace = "{race}"\n'


def system(hex_id: str, says: str) -> str:
    """What else is in a hex."""
    return f'\n[systems."{hex_id}"]\n{says}\n'


HOME = 'fleet = "Home"'
SYSTEM = system("0102", "moons = [4, 6]\ngas_giant = 3\ngiant_moons = [8]")
NOTATION = {"small": small, "colony": colony, "system": system, "HOME": HOME, "SYSTEM": SYSTEM}


@cases("proves, made, expected")
def test_small_scenarios_keep_to_their_bounds(made: str, expected: list[str]) -> None:
    assert refused_files(evaluated(made, NOTATION)) == expected


def test_a_small_scenario_is_set_up_as_its_files_say(kept: Kept) -> None:
    told = 'crew_quality = "poor"\nofficers = ["navigator"]\nboarding_parties = 3\nsquads = { commando = 1 }'
    files = small(
        f"r1 ship 0505 {HOME}\n{told}", f"r1 ship 0505 {HOME}", f"r2 ship 0505 {HOME}", 'r1 base 0102 orbit = "moon2"',
        planet="ground_bases = 7\n", more=SYSTEM,
    )  # fmt: skip
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(files))
    one, other = state.units["u1"], state.units["u2"]
    assert (one.crew_quality, one.officers, one.boarding_parties, one.squads) == kept()
    assert (other.crew_quality, other.officers, other.boarding_parties, other.squads) == ("normal", (), 4, {})
    assert state.units["u4"].orbit == "moon2"
    assert {key: fleet.units for key, fleet in state.fleets.items()} == {"r1/F1": ["u1", "u2"], "r2/F1": ["u3"]}
    assert (state.navigators, state.invented, sorted(state.moons)) == kept("#1")
    facing = [unit.facing for unit in state.units.values() if unit.kind == "ground_base"]
    assert sorted(facing) == ["A", "A", "B", "C", "D", "E", "F"]
    again = RULEBOOK.set_up(RULEBOOK.read_scenario(small(f"r1 ship 0505 {HOME}")))
    assert (again.navigators, again.tie_break) == (False, "none")
