"""Scenarios: each kind of defect in their files, and those that come with the bot."""

import re
from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.seats import SeatRange
from rules_engine.rulebooks.jump_lanes.ch1_movement.equipment import slowest
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import based_on, basing_room, room_of
from rules_engine.rulebooks.jump_lanes.records.units import HoldLot
from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario, seats, sides_of, with_seats
from tests.expected.kept import Kept, cases
from tests.quick import at_most
from tests.rulebooks.jump_lanes.scenarios import NAMES, SCENARIOS, files, opened, refused, with_change

SCENARIO, UNITS, SHIPS = "scenario.toml", "units.toml", "ships.toml"

SOL_WOLF = 'a = "sol"\nb = "wolf-359"\nlane_class = "minor"\n'


HERMES = 'id = "hermes"\nname = "Hermes"\nclass_id = "HERMES"\nempire = "terran"\nsquadron = "T1"\n'
LENS = 'class_id = "LENS"\nempire = "terran"\nsquadron = "T2"\nbased_on = "probe"\n'
MERCHANTS = '[[squadron]]\nid = "T1"\nname = "Terran Merchants"\nempire = "terran"\nat = "sol/earth"\n'
FLEET = '[[fleet]]\nid = "{}"\nname = "Grand Fleet"\nempire = "{}"\n\n'


@cases("name, file, old, new, told")
def test_defect_is_told_with_its_place_and_in_these_words(name: str, file: str, old: str, new: str, told: str):
    assert SCENARIOS.told_of(file, old, new, name) == told


def test_a_sector_needs_a_system():
    texts = with_change(
        SCENARIO,
        "[[sector]]",
        '[[sector]]\nkey = "void"\nname = "Void"\ngalaxy = "veil"\n\n[[sector]]',
        "long-frontier",
    )
    assert any("scenario.toml.sector.0" in one and "Void has no system" in one for one in refused(texts))


def test_lines_are_told():
    texts = with_change(SCENARIO, "turns = 6", "turns = 0")
    number = texts[SCENARIO].splitlines().index("turns = 0") + 1
    assert any(one.startswith(f"scenario.toml.turns (line {number}):") for one in refused(texts))


def test_all_defects_of_all_files_are_told_at_once():
    texts = with_change(SCENARIO, "turns = 6", "turns = 0")
    texts[SCENARIO] = texts[SCENARIO].replace(SOL_WOLF, SOL_WOLF.replace("wolf-359", "wolf-395"))
    texts[UNITS] = texts[UNITS].replace(HERMES, HERMES.replace("T1", "T9"))
    texts[SHIPS] = texts[SHIPS].replace("siz = 1\nengines = 1", "siz = 0\nengines = 1")
    told = refused(texts)
    for path in ("scenario.toml.turns", "scenario.toml.lane.0.b", "units.toml.unit.0.squadron", "ships.HERMES.siz"):
        assert any(one.startswith(path) for one in told), path


def test_figures_that_score_nothing_are_no_campaign():
    texts = files("intro")
    start = texts[SCENARIO].index("[scoring]")
    end = texts[SCENARIO].index("source", start)
    zeros = "".join(
        f"{name} = 0\n" for name in ["major", "normal", "minor", "restricted", "census", "system", "starbase"]
    )
    texts[SCENARIO] = texts[SCENARIO][:start] + "[scoring]\n" + zeros + texts[SCENARIO][end:]
    assert any("scenario.toml.scoring" in one and "nothing scores a point" in one for one in refused(texts))


def test_an_empire_needs_something_that_leaves_a_system():
    texts = files("intro")
    kept = [one for one in texts[UNITS].split("\n\n") if 'empire = "kraz"\nsquadron' not in one]
    kept = [one for one in kept if "reinforcement" not in one and not one.startswith('[[squadron]]\nid = "K')]
    (one,) = refused(texts | {UNITS: "\n\n".join(kept) + "\n"})
    assert one.startswith(
        "scenario.toml.empire.1 (line 54): Kraz Compact has nothing that crosses lanes between systems."
    )


def test_flights_fill_a_carriers_basing_capacity():
    extra = '\n[[unit]]\nid = "lens-2"\nname = "Lens 2"\n' + LENS
    told = refused(files("intro") | {UNITS: files("intro")[UNITS] + extra})
    assert any("flights of 2 are based on probe" in one and "at most 1" in one for one in told)


def test_files_that_are_no_toml_or_hostile_are_told_and_never_raise():
    for text in ("[[", "x = " + "9" * 5000, "a = " + "[" * 2000, "\x00", "title = '\u202e'"):
        assert refused(files("intro") | {SCENARIO: text})
        assert refused(files("intro") | {UNITS: text})


def test_the_largest_scenario_is_read_quickly():
    texts = files()
    with at_most(2):
        refused(texts)


def changed(*changes: tuple[str, str, str], name: str = "intro") -> dict[str, str]:
    """A scenario's files with the first place of each text replaced; each must be there."""
    texts = files(name)
    for file, old, new in changes:
        assert old in texts[file], old
        texts[file] = texts[file].replace(old, new, 1)
    return texts


def told(texts: dict[str, str]) -> list[str]:
    """What is told, without the lines of the files."""
    return [f"{one.partition(' (line')[0]}: {one.partition('): ')[2] or one}" for one in refused(texts)]


def test_a_squadron_in_a_fleet_of_others(kept: Kept):
    assert told(changed((UNITS, MERCHANTS, FLEET.format("KF1", "kraz") + MERCHANTS + 'fleet = "KF1"\n'))) == kept()
    assert told(changed((UNITS, MERCHANTS, FLEET.format("TF1", "terran") + MERCHANTS + 'fleet = "TF1"\n'))) == []


def test_nothing_scores():
    texts = files()
    start = texts[SCENARIO].index("[scoring]")
    end = texts[SCENARIO].index("\n[", start)
    zeros = "".join(
        f"{name} = 0\n" for name in ("major", "normal", "minor", "restricted", "census", "system", "starbase")
    )
    for last, says in (
        ("destroyed = 0\n", ["scenario.toml.scoring: nothing scores a point. Legal: a figure above 0."]),
        ("destroyed = 1\n", []),
        ("total = 9\n", ["scenario.toml.scoring: nothing scores a point. Legal: a figure above 0."]),
    ):
        body = f"[scoring]\n{zeros}{last}"
        assert told(texts | {SCENARIO: texts[SCENARIO][:start] + body + texts[SCENARIO][end:]}) == says


def test_empires_that_cannot_leave_their_systems(kept: Kept):
    texts = files("intro")
    found = told(texts | {SHIPS: re.sub(r"^ftl = \d+", "ftl = 0", texts[SHIPS], flags=re.MULTILINE)})
    assert [one for one in found if ".empire." in one] == kept()


@pytest.mark.parametrize(("turn", "says"), [(6, []), (7, ["comes after the last turn. Legal: 1 to 6."])])
def test_reinforcements_come_in_the_last_turn_at_the_latest(turn: int, says: list[str]):
    assert [one.partition(": ")[2] for one in told(changed((UNITS, "turn = 3", f"turn = {turn}")))] == says


def test_reinforcements_of_no_known_class():
    texts = files("intro")
    before, later, after = texts[UNITS].partition("[[reinforcement]]")
    start = after.index("class_id = ")
    end = after.index("\n", start)
    texts[UNITS] = f'{before}{later}{after[:start]}class_id = "NONESUCH"{after[end:]}'
    (one,) = (one for one in told(texts) if "NONESUCH" in one)
    assert one.startswith("units.toml.reinforcement.0.unit.0.class_id: NONESUCH is no unit class. Legal: ")


def test_flights_fill_the_basing_capacity_of_their_carrier_and_no_more(kept: Kept):
    lens = 'class_id = "LENS"\nempire = "terran"\nsquadron = "T2"\nbased_on = "probe"\n'
    second = '\n[[unit]]\nid = "lens-2"\nname = "Lens 2"\n' + lens
    texts = files("intro")
    texts[UNITS] += second
    assert [one.partition(": ")[2] for one in told(texts)] == kept()
    start = texts[SHIPS].index('class_id = "PROBE"')
    texts[SHIPS] = texts[SHIPS][:start] + texts[SHIPS][start:].replace("basing = 1", "basing = 2", 1)
    assert told(texts) == []


def test_marks_number_the_unexplored_lanes_of_each_end():
    state = set_up(read_scenario(files()))
    marks: dict[str, list[int]] = {}
    for lane in state.lanes.values():
        if lane.explored:
            assert (lane.mark_a, lane.mark_b) == (0, 0)
        else:
            marks.setdefault(lane.a, []).append(lane.mark_a)
            marks.setdefault(lane.b, []).append(lane.mark_b)
    assert marks
    assert all(found == list(range(1, len(found) + 1)) for found in marks.values())


def test_who_was_there_first_has_the_highest_numbers():
    texts = changed((UNITS, MERCHANTS, FLEET.format("TF7", "terran") + MERCHANTS + 'fleet = "TF7"\n'))
    terran = set_up(read_scenario(texts)).empires["terran"]
    assert (terran.fleets_made, terran.squadrons_made) == (7, 4)


# --- shipped scenarios -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", NAMES)
def test_it_is_read_without_defects_and_the_same_each_time(name: str):
    assert refused(files(name)) == []
    assert read_scenario(files(name)) == read_scenario(files(name))


def test_the_large_one_has_sixty_systems_of_which_half_are_charted():
    state = opened(playing=2)
    assert (len(state.systems), state.turns, len(state.galaxies)) == (60, 20, 2)
    assert len(state.empires["terran"].places) == 30
    beyond = [key for key in state.systems if key not in state.empires["terran"].places]
    assert all(not lane.explored for key in beyond for lane in state.lanes_at(key))


@pytest.mark.parametrize("playing", [2, 3, 4, 5, 6])
def test_two_to_six_empires_play_the_large_one(playing: int):
    document = read_scenario(files())
    assert seats(document) == SeatRange(least=2, most=6)
    seated = with_seats(document, playing)
    state = set_up(seated)
    sides = [one.key for one in sides_of(seated)]
    assert sides == list(state.empires) == ["terran", "kraz", "cygni", "mizar", "algol", "luyten"][:playing]
    assert {unit.empire for unit in state.units.values()} == set(sides)
    assert {colony.owner for colony in state.colonies.values()} == {*sides, ""} if playing < 6 else {*sides}
    assert len(state.colonies) == 18
    assert {one.empire for one in state.reinforcements} == set(sides)
    assert all(place in state.systems for empire in state.empires.values() for place in empire.places)


def test_the_introduction_is_for_two_with_system_maps():
    document = read_scenario(files("intro"))
    assert seats(document) is None
    state = set_up(document)
    assert (state.turns, state.rules.system_maps, list(state.empires)) == (6, True, ["terran", "kraz"])
    assert state.systems["sol"].planets == ["sol/earth", "sol/mars"]
    assert state.empires["terran"].places == ["sol", "wolf-359", "minkar", "alphard", "kraz", "izar", "heze"]
    assert state.empires["terran"].sights == ["sol?1", "wolf-359?1"]


@pytest.mark.parametrize("name", NAMES)
def test_every_squadron_can_move_and_carries_no_more_than_it_can(name: str):
    state = opened(name)
    for squadron in state.squadrons.values():
        assert slowest(state.members(squadron.id)).ftl >= 1, squadron
        assert room_of(state, squadron) >= 0
    for unit in state.units.values():
        assert not based_on(state, unit) or basing_room(state, unit) >= 0


def test_units_have_the_figures_of_their_class_and_their_place():
    state = opened("intro")
    hermes, lens, outpost = (state.units[key] for key in ("hermes", "lens", "terran-outpost"))
    assert (hermes.empire, hermes.kind, hermes.siz, hermes.engines, hermes.ftl, hermes.cargo, hermes.worth) == (
        "terran", "starship", 1, 1, 1, 20, 6,
    )  # fmt: skip
    assert (hermes.squadron, hermes.at, hermes.mobility, hermes.class_id) == ("T1", "", 1, "HERMES")
    assert (lens.kind, lens.based_on, lens.science, lens.squadron) == ("flight", "probe", 3, "T2")
    assert (outpost.kind, outpost.at, outpost.squadron, outpost.basing) == ("starbase", "sol/earth", "", 2)
    assert (state.units["probe"].science, state.units["ox"].towing) == (10, 4)
    assert state.empires["terran"].squadrons_made == 4
    assert not any(unit.out_of_supply or unit.crippled for unit in state.units.values())


def test_lanes_and_places_are_those_of_the_file(kept: Kept):
    state = opened(playing=2)
    sol = [(one.other("sol"), one.type, one.lane_class, one.difficulty) for one in state.lanes_at("sol")]
    assert sol[:3] == kept()
    assert list(state.lanes)[:2] == ["L1", "L2"]
    (between,) = state.lanes_at("spiral")
    assert (between.type, between.lane_class, between.other("spiral")) == ("intergalactic", "normal", "veil")
    assert [one.mark("minkar") for one in state.lanes_at("minkar") if not one.explored] == ["minkar?1", "minkar?2"]
    assert (state.galaxy_of("mirach"), state.derelicts["hulk"].at, state.derelicts["hulk"].siz) == ("veil", "keid", 6)


def test_an_empire_sees_where_its_units_stand_by_themselves():
    old = 'class_id = "OUTPOST"\nempire = "terran"\nat = "sol/earth"'
    state = set_up(read_scenario(with_change("units.toml", old, old.replace("sol/earth", "minkar"))))
    assert state.empires["terran"].sights == ["sol?1", "wolf-359?1", "minkar?1", "minkar?2"]
    assert (state.empires["kraz"].sights, state.empires["terran"].bases) == (["kraz?1", "izar?1"], ["minkar"])


def test_figures_are_those_of_the_file():
    state = opened(playing=2)
    assert (state.costs.major, state.costs.restricted) == (Fraction(1, 2), 4)
    assert (state.classes.normal, state.chances.moderate, state.scoring.total) == (6, 5, 150)
    assert (state.rules.experience, state.rules.supply_reach) == (True, 3)


def test_what_comes_later_comes_in_order_and_is_no_unit_yet(kept: Kept):
    state = opened("intro")
    assert [(one.turn, one.empire, one.at) for one in state.reinforcements] == kept()
    assert "osprey" not in state.units
    assert state.reinforcements[1].units[0].name == "Osprey"


def test_invented_figures_are_named_and_no_more_when_a_source_is():
    assert "scoring" in opened("intro").invented
    texts = with_change("scenario.toml", 'total = 0\nsource = "invented"', 'total = 0\nsource = "our own table"')
    state = set_up(read_scenario(texts))
    assert "scoring" not in state.invented
    assert "classes" in state.invented
    assert "costs" in opened("intro").invented


def test_what_is_invented_does_not_tell_how_many_systems_there_are():
    names = opened(playing=2).invented
    assert not any(system in name for system in opened(playing=2).systems for name in names)


def test_figures_of_ones_own_are_laid_over():
    own = (
        '[[class]]\nclass_id = "HERMES"\nname = "Hermes"\nempire = "All"\nsource = "my own book"\n'
        'kind = "starship"\nsiz = 2\nftl = 2\ncargo = 30\n'
    )
    state = set_up(read_scenario(files("intro") | {"own_ships.toml": own}))
    assert (state.units["hermes"].cargo, state.units["iris"].ftl) == (30, 2)
    assert ("class HERMES" in state.invented, "class OX" in state.invented) == (False, True)


def test_treaties_cargo_and_fleets_of_the_files():
    texts = with_change(
        "scenario.toml", "[[colony]]", '[[treaty]]\nbetween = ["terran", "kraz"]\nkind = "war"\n\n[[colony]]'
    )
    fleet = '[[fleet]]\nid = "TF2"\nname = "Grand Fleet"\nempire = "terran"\n\n[[squadron]]'
    units = texts["units.toml"].replace("[[squadron]]", fleet, 1)
    units = units.replace('at = "sol/earth"\n', 'at = "sol/earth"\nfleet = "TF2"\ncensus = 4\n', 1)
    units = units.replace(
        'class_id = "GUARD"\nempire = "terran"\nat = "sol/earth"',
        'class_id = "GUARD"\nempire = "terran"\naboard = "T4"',
    )
    texts["units.toml"] = units
    assert any("13.3.1" in one and "Terran Picket carries 2" in one for one in refused(texts))
    texts["units.toml"] = units.replace('aboard = "T4"', 'at = "sol/mars"')
    state = set_up(read_scenario(texts))
    assert state.stance("terran", "kraz") == state.stance("kraz", "terran") == "war"
    assert (state.squadrons["T1"].fleet, state.fleets["TF2"].name, state.empires["terran"].fleets_made) == (
        "TF2",
        "Grand Fleet",
        2,
    )
    assert state.squadrons["T1"].hold == [HoldLot(kind="census", amount=4)]
    assert state.units["terran-guard"].at == "sol/mars"


def test_a_file_that_is_missing_or_strange_is_told():
    texts = files("intro")
    del texts["units.toml"]
    assert "units.toml: this file is missing" in refused(texts)
    assert any(
        "not part of a scenario" in one and "ships.toml" in one for one in refused(files("intro") | {"ship.toml": ""})
    )
    with pytest.raises(Refused):
        read_scenario({})


def test_the_longest_keys_and_numbers_are_read():
    texts = files("intro")
    longest = "a" * 24
    for old, new in (
        ('"minkar"', f'"{longest}"'),
        ('"sol/earth"', f'"sol/{longest}"'),
        ('key = "earth"', f'key = "{longest}"'),
    ):
        texts = {name: text.replace(old, new) for name, text in texts.items()}
    texts["units.toml"] = texts["units.toml"].replace('"T4"', '"T999"').replace("[[squadron]]", TERRAN_FLEET, 1)
    texts["units.toml"] = texts["units.toml"].replace('at = "wolf-359"\n', 'at = "wolf-359"\nfleet = "TF999"\n', 1)
    assert refused(texts) == []


TERRAN_FLEET = '[[fleet]]\nid = "TF999"\nname = "Grand Fleet"\nempire = "terran"\n\n[[squadron]]'


def test_a_colony_and_a_squadron_begin_with_no_more_than_is_said():
    state = set_up(read_scenario(with_change("scenario.toml", 'empire = "terran"\ncensus = 9', 'empire = "terran"')))
    assert (state.colonies["earth"].census, state.colonies["earth"].experience) == (0, 0)
    assert all(squadron.hold == [] for squadron in state.squadrons.values())
    derelict = '[[derelict]]\nkey = "hulk"\nname = "Hulk"\nat = "sol"\n\n[[empire]]'
    state = set_up(read_scenario(with_change("scenario.toml", "[[empire]]", derelict)))
    assert (state.derelicts["hulk"].kind, state.derelicts["hulk"].siz) == ("starship", 1)


def test_figures_that_should_rise_or_fall_may_be_alike():
    texts = files("intro")
    for old, new in (
        ('major = "1/2"\nnormal = 1\nminor = 2\nrestricted = 4', "major = 2\nnormal = 2\nminor = 2\nrestricted = 2"),
        ("major = 1\nnormal = 6\nminor = 9", "major = 6\nnormal = 6\nminor = 6"),
        ("easy = 10\nmoderate = 5\nhard = 0\nextreme = -10", "easy = 5\nmoderate = 5\nhard = 5\nextreme = 5"),
    ):
        assert old in texts["scenario.toml"]
        texts["scenario.toml"] = texts["scenario.toml"].replace(old, new, 1)
    assert refused(texts) == []


def test_a_sector_without_systems_is_refused():
    texts = files("long-frontier")
    sector = '[[sector]]\nkey = "void"\nname = "Void"\ngalaxy = "veil"\n\n[[empire]]'
    texts["scenario.toml"] = texts["scenario.toml"].replace("[[empire]]", sector, 1)
    assert refused(texts) == ["scenario.toml.sector.8 (line 101): Void has no system. Legal: a system that names it."]


def test_a_galaxy_that_no_lane_reaches_is_refused_system_by_system():
    texts = files("long-frontier")
    lane = '[[lane]]\na = "spiral"\nb = "veil"\ntype = "intergalactic"\nlane_class = "normal"\n'
    assert lane in texts["scenario.toml"]
    texts["scenario.toml"] = texts["scenario.toml"].replace(lane, "", 1)
    told = refused(texts)
    assert len(told) == 12
    assert all("no lanes lead to" in one for one in told)


def test_a_wrong_number_of_turns_hides_no_reinforcement_and_makes_none_late():
    texts = files("intro")
    texts["scenario.toml"] = texts["scenario.toml"].replace("turns = 6", "turns = 0", 1)
    texts["units.toml"] = texts["units.toml"].replace("turn = 3", "turn = 100", 1)
    assert [one.partition(":")[0] for one in refused(texts)] == ["scenario.toml.turns (line 7)"]


def test_a_lane_costs_99_points_at_most():
    texts = files("intro")
    assert "restricted = 4\n" in texts["scenario.toml"]
    for cost, told in ((99, []), (100, ["scenario.toml.costs.restricted"])):
        changed = texts["scenario.toml"].replace("restricted = 4\n", f"restricted = {cost}\n", 1)
        assert [one.partition(" ")[0] for one in refused(texts | {"scenario.toml": changed})] == told
