"""Each kind of defect of a scenario's files: what is told, where, and in which words; and what is just right."""

import re

import pytest

from rules_engine.rulebooks.jump_lanes.scenario.opening import set_up
from rules_engine.rulebooks.jump_lanes.scenario.reading import read_scenario
from tests.expected.kept import Kept, cases
from tests.quick import at_most
from tests.rulebooks.jump_lanes.scenarios import SCENARIOS, files, refused, with_change

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
    told = refused(texts | {UNITS: "\n\n".join(kept) + "\n"})
    (one,) = told
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
    texts = changed((UNITS, MERCHANTS, FLEET.format("KF1", "kraz") + MERCHANTS + 'fleet = "KF1"\n'))
    assert told(texts) == kept()
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
    texts = changed((UNITS, "turn = 3", f"turn = {turn}"))
    assert [one.partition(": ")[2] for one in told(texts)] == says


def test_reinforcements_of_no_known_class():
    texts = files("intro")
    before, later, after = texts[UNITS].partition("[[reinforcement]]")
    start = after.index("class_id = ")
    end = after.index("\n", start)
    texts[UNITS] = f'{before}{later}{after[:start]}class_id = "NONESUCH"{after[end:]}'
    (one,) = (one for one in told(texts) if "NONESUCH" in one)
    assert one.startswith("units.toml.reinforcement.0.unit.0.class_id: NONESUCH is no unit class. Legal: ")


def test_flights_fill_the_basing_capacity_of_their_carrier_and_no_more():
    lens = 'class_id = "LENS"\nempire = "terran"\nsquadron = "T2"\nbased_on = "probe"\n'
    second = '\n[[unit]]\nid = "lens-2"\nname = "Lens 2"\n' + lens
    texts = files("intro")
    texts[UNITS] += second
    assert [one.partition(": ")[2] for one in told(texts)] == [
        "flights of 2 are based on probe (13.3.3). Legal: at most 1."
    ] * 2
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
