"""Chapter 4.2.4 in the files of a scenario: its catalogue, and what its units begin with."""

import pytest

from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, complement
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.scenario_files import intro_files, refused_files
from tests.rulebooks.cutler.worlds import kind_of, refusals
from tests.rulebooks.cutler.yards import HOME, YARD, counts, refused, refused_in_words, turn, yard
from tests.rulebooks.scenario_defects import without_line

# --- drones ----------------------------------------------------------------------------------------------------------
CA, SLOW, ECM, FAST = "hydran-F1-CA", "drone_1_slow", "drone_ecm", "drone_1_fast"


def armed(base_type: str = "SB", **figures: object) -> CutlerState:
    """A cruiser with twelve drones in racks and reloads, six of which may be special, in dock."""
    state = yard(HOME + "hydran F1 0205 CA\n", base_type=base_type)
    record = state.classes["ca"] = kind_of("CA", **{"drones": 12, "special_drones": 6, "shuttles": 1, **figures})
    state.units[CA].record, state.units[CA].holds = record, complement(record)
    return state


def drones(item: str, count: int, to: str = CA, turned_in: int | None = None) -> dict[str, object]:
    return {"item": item, "count": count, "to": to, "turned_in": turned_in}


@pytest.mark.rule("cutler", "4.2.4.1")
def test_a_new_ship_has_slow_drones_and_more_of_them_cost_nothing():
    state = armed()
    turn(state, D1={"work": "build ca", "cpv": 30}, A1=drones(SLOW, 40, f"{YARD} cargo"))
    for _ in range(4):
        turn(state)
    (new,) = [unit for unit in state.alive("hydran") if unit.record.class_id == "ca" and unit.id != CA]
    assert counts(new.holds) == {SLOW: 12, "shuttle": 1}
    state = armed()
    turn(state, A1=drones(SLOW, 40, f"{YARD} cargo"))
    assert (counts(state.units[YARD].stowed), state.empires["hydran"].base_pool) == ({SLOW: 80}, 125)
    assert [(one.item, one.cpv) for one in state.spent] == [("40 x Type I Slow Drone", 0)]


@cases("base_type, words")
def test_any_base_that_builds_makes_drones(base_type, words):
    assert refused_in_words(armed(base_type), A1=drones(SLOW, 1, f"{YARD} cargo")) == words


@cases("item, count, turned_in, cpv")
def test_an_advanced_drone_comes_with_its_reload_and_credit_for_the_old_one(item, count, turned_in, cpv):
    state = armed()
    turn(state, A1=drones(item, count, turned_in=turned_in))
    left = 12 - 2 * turned_in
    assert counts(state.units[CA].holds) == {item: 2 * count, "shuttle": 1} | ({SLOW: left} if left else {})
    assert [one.cpv for one in state.spent] == [cpv]
    assert state.empires["hydran"].base_pool == 125 - cpv


@cases("order, expected")
def test_how_many_drones_a_ship_may_have(order, expected):
    assert refused_in_words(armed(), A1=order) == expected


@pytest.mark.rule("cutler", "4.2.4.1.2", "4.2.4.1.3")
def test_special_drones_in_cargo_boxes_do_not_count_against_the_maximum(kept: Kept):
    state = armed(special_drones=0, cargo=2)
    turn(state, A1=drones(ECM, 24, f"{CA} cargo"))
    ship = state.units[CA]
    # Fifty lie in one box.
    assert (counts(ship.stowed), ship.cargo_boxes) == ({ECM: 48}, 1)
    turn(state, A1=drones(ECM, 2, f"{CA} cargo"))
    assert (counts(ship.stowed), ship.cargo_boxes) == ({ECM: 52}, 0)
    assert refused_in_words(state, A1=drones(FAST, 1, f"{CA} cargo")) == kept()
    assert ("A1.to", "4.2.4.1.3") in refused(state, A1={"item": ECM, "count": 1, "origin": f"{CA} cargo", "to": CA})


# --- catalogue -------------------------------------------------------------------------------------------------------
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


@cases("new, expected")
def test_what_units_of_a_scenario_may_hold(new, expected):
    found = refused_files(changed("holds = { mines = 20 }", new))
    assert [without_line(one).removeprefix("units.toml.units.sandbar.") for one in found] == expected


@cases("new, expected")
def test_what_a_unit_of_a_scenario_holds_takes_the_place_of_what_its_class_comes_with(new, expected):
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(changed("holds = { mines = 20 }", new)))
    assert {key: lot.count for key, lot in state.units["sandbar"].holds.items()} == expected


@cases("key, kind, words")
def test_there_is_one_kind_of_mines_and_of_warp_booster_packs(key, kind, words):
    # What is laid, dropped and flown is looked for under these keys.
    entry = SOLD.replace("accessories.mines", f"accessories.{key}").replace('kind = "mines"', f'kind = "{kind}"')
    found = refused_files(changed("[victory]", f"{entry}\n[victory]", "scenario.toml"))
    # A unit of the scenario may have some of it, too.
    assert [without_line(one) for one in found if "accessories" in one.split(": ")[0]] == words


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
def test_accessories_have_the_names_that_are_typed_here(kept: Kept):
    """Prices and room are invented: they are here, too, so that nobody changes them by accident."""
    said = "{0.name}, {0.price} CPV, {0.a_box} a box, size {0.size_class}"
    assert {key: said.format(one) for key, one in STANDARD.items()} == kept()


PLAIN = {"special": False, "pilot": "normal", "flies": "", "squad": None, "quality": None, "officer": None}


@cases("key, name, kind, figures, apart", "name")
def test_the_usual_accessories_are_not_changed_by_accident(key, name, kind, figures, apart):
    """All their figures are invented (CU-N65): they are typed here so that whoever means to change one changes it here,
    too. That all which is made of people needs a battle station, and shuttles a base station, is the book's: 4.2.1.2,
    4.2.4.8."""
    item = STANDARD[key]
    assert (item.name, item.kind) == (name, kind)
    assert (item.price, item.a_box, item.size_class, item.mines, item.credit) == figures
    assert {field: getattr(item, field) for field in PLAIN} == PLAIN | apart
    assert (item.empire, item.source) == ("any", "invented")


@pytest.mark.rule("cutler", "4.2.4", "4.2.4.8")
def test_a_turns_sheet_has_twenty_orders_of_accessories_with_all_boxes_in_eighty_characters(kept: Kept):
    state = yard(HOME + "hydran F1 0205 CA[officers=navigator]\nhydran F2 0303 DD\n")
    cruiser = state.units["hydran-F1-CA"]
    cruiser.name, cruiser.record = "N" * 40, kind_of("CA", name="C" * 40)
    lines = [one for one in turn_ask(state, "hydran").form.lines if one.group == "Accessories"]
    assert [(one.key, one.label) for one in lines] == [(f"A{n}", f"Accessory order {n}") for n in range(1, 21)]
    assert [(one.key, one.label, one.least, one.most, one.value, one.help) for one in lines[0].fields] == kept()
    # Nothing is in the boxes of the ship in 0303, and nothing is sold there.
    boxes = [(one.value, one.label) for one in lines[0].fields[2].choices]
    assert boxes == [(one.value, one.label) for one in lines[0].fields[3].choices]
    assert boxes == kept("boxes")
