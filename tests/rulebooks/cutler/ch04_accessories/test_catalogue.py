"""Chapter 4.2.4 in the files of a scenario: its catalogue, and what its units begin with."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD
from tests.rulebooks.cutler.worlds import intro_files, refusals

SOLD = """
[accessories.mines]
name = "Mines"
kind = "mines"
price = 2
source = "The referee"
"""


def changed(old: str, new: str, file: str = "units.toml") -> dict[str, str]:
    files = intro_files()
    assert old in files[file]
    return files | {file: files[file].replace(old, new, 1)}


NOBODYS = (
    "is in nobody's boxes. Legal: boarding_parties and officers of the unit, fighters with aces; its crew is that of "
    "its class."
)


@pytest.mark.rule("cutler", "4.2.4.5", "4.2.4.1.2", "4.2.4.2.2")
@pytest.mark.parametrize(
    ("new", "expected"),
    [
        ("holds = { mines = 40 }", []),
        (
            "holds = { mines = 41 }",
            ["holds: Sandbar has room for 40 CPV of mines (4.2.4.5). Legal: at most 40, or cargo boxes."],
        ),
        ("holds = { mine = 1 }", ["holds: no accessory 'mine'. Did you mean mines?"]),
        (
            "holds = { shuttle = 3 }",
            [
                "holds: Sandbar has room for 2 shuttles and vehicles; boxes of fighters and with ready racks are none "
                "(4.2.4.2.2). Legal: at most 2, or cargo boxes."
            ],
        ),
        ("holds = { mines = -1 }", ["holds.mines: a number below nothing. Legal: 0 and more."]),
        ("holds = { boarding_party = 1 }", [f"holds.boarding_party: Boarding Party {NOBODYS}"]),
        ("stowed = { crew_normal = 1 }", [f"stowed.crew_normal: Crew Unit {NOBODYS}"]),
        ("stowed = { mines = 1 }", ["stowed: Sandbar has 0 cargo boxes (4.2.4.1.2). Legal: less."]),
    ],
)
def test_what_units_of_a_scenario_may_hold(new, expected):
    files = changed("holds = { mines = 20 }", new)
    try:
        RULEBOOK.read_scenario(files)
        found = []
    except Refused as refused:
        found = [str(one).removeprefix("units.toml.units.sandbar.") for one in refused.refusals]
    assert found == expected


@pytest.mark.rule("cutler", "4.2.4.5", "4.2.4.7")
@pytest.mark.parametrize(
    ("key", "kind", "words"),
    [
        ("mines", "mines", []),
        (
            "mines",
            "shuttle",
            [
                (
                    "scenario.toml.accessories.mines: mines have the key 'mines', and nothing else has. Legal: "
                    "'mines' with kind 'mines'."
                ),
            ],
        ),
        (
            "big_mines",
            "mines",
            [
                (
                    "scenario.toml.accessories.big_mines: mines have the key 'mines', and nothing else has. Legal: "
                    "'mines' with kind 'mines'."
                ),
            ],
        ),
        (
            "wbp",
            "fighter",
            [
                "scenario.toml.accessories.wbp: 'wbp' is a kind of booster pack. Legal: kind 'pack'.",
            ],
        ),
        ("wbp", "pack", []),
    ],
)
def test_there_is_one_kind_of_mines_and_of_warp_booster_packs(key, kind, words):
    # What is laid, dropped and flown is looked for under these keys.
    entry = SOLD.replace("accessories.mines", f"accessories.{key}").replace('kind = "mines"', f'kind = "{kind}"')
    try:
        RULEBOOK.read_scenario(changed("[victory]", f"{entry}\n[victory]", "scenario.toml"))
        found = []
    except Refused as refused:
        # A unit of the scenario may have some of it, too.
        found = [str(one) for one in refused.refusals if "accessories" in one.path]
    assert found == words


@pytest.mark.rule("cutler", "4.2.4")
def test_a_scenario_may_name_its_own_prices():
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(changed("[victory]", f"{SOLD}\n[victory]", "scenario.toml")))
    assert (state.accessories["mines"].price, state.accessories["mines"].source) == (2, "The referee")
    assert state.accessories["shuttle"] == STANDARD["shuttle"]
    sandbar = state.units["sandbar"]
    assert {key: lot.count for key, lot in sandbar.holds.items()} == {"shuttle": 2, "mines": 20}
    assert all(item.source == "invented" for item in STANDARD.values())
    bought = {"A1": {"item": "mines", "count": 5, "to": "sandbar"}}
    ask = turn_ask(state, sandbar.race)
    assert refusals(ask, bought) == []
    assert any("5 CPV of mines for 10 CPV" in line for line in ask.read_back(ask.answer_from(bought)))


@pytest.mark.rule("cutler", "4.2.4")
def test_accessories_have_the_names_that_are_typed_here():
    """Prices and room are invented: they are here, too, so that nobody changes them by accident."""
    sold = {
        key: f"{one.name}, {one.price} CPV, {one.a_box} a box, size {one.size_class}" for key, one in STANDARD.items()
    }
    assert sold == {
        "mines": "Mines, 1 CPV, 20 a box, size 7",
        "shuttle": "Shuttle, 2 CPV, 2 a box, size 6",
        "mls": "Minelaying Shuttle, 4 CPV, 2 a box, size 6",
        "mrs": "Multi-Role Shuttle, 8 CPV, 2 a box, size 6",
        "swac": "SWAC, 15 CPV, 2 a box, size 6",
        "fighter": "Fighter, 8 CPV, 2 a box, size 6",
        "fighter_ace": "Fighter with Ace, 18 CPV, 2 a box, size 6",
        "fighter_poor": "Fighter with Poor Pilot, 7 CPV, 2 a box, size 6",
        "ace": "Legendary Ace, 10 CPV, 10 a box, size 4",
        "ewp": "EWP Set, None CPV, 20 a box, size 7",
        "wbp": "WBP Set, None CPV, 20 a box, size 7",
        "drone_1_slow": "Type I Slow Drone, 0 CPV, 50 a box, size 7",
        "drone_1_fast": "Type I Fast Drone, 3/2 CPV, 50 a box, size 7",
        "drone_ecm": "ECM Drone, 2 CPV, 50 a box, size 7",
        "boarding_party": "Boarding Party, 1/2 CPV, 10 a box, size 4",
        "commando": "Commando Squad, 1 CPV, 10 a box, size 4",
        "heavy_weapons": "Heavy Weapons Squad, 1 CPV, 10 a box, size 4",
        "gcv": "Ground Combat Vehicle, 3 CPV, 2 a box, size 6",
        "crew_outstanding": "Outstanding Crew Unit, 2 CPV, 10 a box, size 4",
        "crew_normal": "Crew Unit, 1 CPV, 10 a box, size 4",
        "crew_poor": "Poor Crew Unit, 1/2 CPV, 10 a box, size 4",
        "officer_navigator": "Legendary Navigator, 20 CPV, 10 a box, size 4",
        "officer_science": "Legendary Science Officer, 20 CPV, 10 a box, size 4",
        "officer_captain": "Legendary Captain, 20 CPV, 10 a box, size 4",
        "officer_engineer": "Legendary Engineer, 20 CPV, 10 a box, size 4",
        "officer_weapons": "Legendary Weapons Officer, 20 CPV, 10 a box, size 4",
        "officer_doctor": "Legendary Doctor, 20 CPV, 10 a box, size 4",
        "officer_marines": "Legendary Officer of Marines, 20 CPV, 10 a box, size 4",
    }
