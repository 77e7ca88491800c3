"""Orders for accessories, mines to lay and losses in battle: each reason, each bound and each way to say it."""

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import pytest

from rules_engine.rulebooks.cutler.ch04_accessories import mine_orders, minefields
from rules_engine.rulebooks.cutler.ch04_accessories.aces import refuge, rescue_aces
from rules_engine.rulebooks.cutler.ch04_accessories.losses import (
    judge_losses,
    lose_accessories,
    loss_fields,
    say_losses,
)
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import (
    battle_charts,
    fields_at,
    mines_in_words,
    note_battle,
)
from rules_engine.rulebooks.cutler.ch04_accessories.order_lines import accessory_lines
from rules_engine.rulebooks.cutler.ch04_accessories.orders import (
    AccessoryPlans,
    cost_of_order,
    is_trained,
    judge_accessories,
    judge_room,
    load,
    makes,
    places_of_units,
    say_order,
    with_it,
)
from rules_engine.rulebooks.cutler.ch04_accessories.shown import aboard_panel, lay_rows
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lots
from rules_engine.rulebooks.cutler.records.accessories.lines import AccessoryLine, LayLine, SweptLine
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, MinesToLay
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import kind_of, set_fields, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, lots, yard

CA, MS, FF = "hydran-F1-CA", "hydran-F1-MS", "hydran-F2-FF"


def shop(base_type: str = "SB") -> CutlerState:
    """A cruiser with boxes of all kinds and a minesweeper at a base, and a frigate elsewhere."""
    state = yard(HOME + "hydran F1 0205 CA+MS\nhydran F2 0303 FF\n", base_type=base_type)
    figures = {"shuttles": 3, "fighters": 4, "drones": 8, "special_drones": 2, "cargo": 2, "hull_type": "CC"}
    ship = state.units[CA]
    ship.record = kind_of("CA", **figures, boarding_parties=8, crew_units=8)
    ship.holds = lots(shuttle=2)
    ship.boarding_parties, ship.crew_units = 8, 8
    return state


def judged(state: CutlerState, *orders: dict[str, Any], free: int = 50) -> AccessoryPlans:
    lines = {f"A{number}": AccessoryLine(**order) for number, order in enumerate(orders, 1)}
    return judge_accessories(state, "hydran", lines, lambda _: free)


def refused(state: CutlerState, *orders: dict[str, Any], free: int = 50) -> list[str]:
    return [str(one) for one in judged(state, *orders, free=free).refusals]


def buy(item: str, count: int | None = None, to: str = CA, **more: Any) -> dict[str, Any]:
    return {"item": item, "count": count, "to": to, **more}


# --- buying ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.1", "4.2.4.1.1", "4.2.4.7", "4.2.4")
def test_what_an_order_brings_and_costs(kept: Kept) -> None:
    found = [with_it(key, STANDARD[key], 2) for key in ("drone_ecm", "fighter", "fighter_ace", "shuttle")]
    assert found == kept()
    half = STANDARD["boarding_party"]
    costs = [cost_of_order(half, count, Fraction(credit)) for count, credit in ((1, 0), (2, 0), (3, 0), (3, 1), (3, 9))]
    assert costs == [1, 1, 2, 1, 0]
    assert cost_of_order(STANDARD["wbp"], 3, Fraction(0)) == 0


@cases("key, bases")
def test_which_bases_make_what(key: str, bases: list[str]) -> None:
    base = world("hydran base 0205").units["hydran-base-0205"]
    found: list[str] = []
    for kind in ("SB", "BATS", "BS", "FRD", "BLM", "SAMS"):
        base.record = kind_of("base", base_type=kind)
        found += [kind] if makes(base, STANDARD[key]) else []
    assert found == bases
    assert is_trained(STANDARD[key]) is (key not in ("mines", "shuttle", "swac", "fighter"))
    base.record = kind_of("CA")
    assert makes(base, STANDARD[key]) is False


TURNED = "a factory drone is turned in for each advanced drone that is bought (4.2.4.1.1). Legal: 0 to"


@cases("orders, found")
def test_what_is_bought_and_why_not(orders: list[dict[str, Any]], found: list[str]) -> None:
    assert refused(shop(), *orders) == found


@pytest.mark.rule("cutler", "4.2.4")
def test_what_others_make_or_the_catalogue_lacks() -> None:
    state = shop()
    state.accessories = {**STANDARD, "lance": STANDARD["shuttle"].with_values(name="Lance", empire="lyran")}
    assert refused(state, buy("lance")) == ["A1.item: Lance is of another race (4.2.4)"]
    state.accessories["lance"] = STANDARD["shuttle"].with_values(name="Lance", empire="hydran")
    assert refused(state, buy("lance")) == []
    del state.accessories["drone_1_slow"]
    assert refused(state, buy("drone_1_fast", turned_in=1)) == [f"A1.turned_in: {TURNED} 0."]
    assert refused(state, buy("drone_1_fast")) == []


# --- moving ----------------------------------------------------------------------------------------------------------
@cases("orders, found")
def test_what_is_moved_and_why_not(orders: list[dict[str, Any]], found: list[str]) -> None:
    state = shop()
    state.units[YARD].record = kind_of("base", repair=50, cargo=50, crew_units=8, boarding_parties=8)
    assert refused(state, *orders) == found


@pytest.mark.rule("cutler", "4.2.4")
def test_what_is_moved_brings_nothing_with_it() -> None:
    state = shop()
    ship = state.units[CA]
    ship.holds = lots(drone_1_slow=4, fighter=2, shuttle=2)
    taken = {"to": f"{CA} cargo", "origin": CA}
    found = judged(state, buy("drone_1_slow", 3, **taken), buy("fighter", 2, **taken))
    assert (found.refusals, found.spent_at(YARD)) == ([], 0)
    for plan in found.plans:
        load(state, plan)
    assert {key: lot.count for key, lot in ship.stowed.items()} == {"drone_1_slow": 3, "fighter": 2}
    assert {key: lot.count for key, lot in ship.holds.items()} == {"drone_1_slow": 1, "shuttle": 2}


@pytest.mark.rule("cutler", "4.2.4.8")
def test_persons_are_moved_where_they_serve_or_are_transported(kept: Kept) -> None:
    state = shop()
    ship, base = state.units[CA], state.units[YARD]
    ship.officers, base.passengers = ("captain",), lots(officer_captain=1, ace=3)
    ship.holds = lots(shuttle=2, fighter=2)
    assert refused(state, buy("officer_captain", to=CA, origin=f"{YARD} hull")) == kept("#1")
    assert refused(state, buy("officer_captain", to=f"{CA} hull", origin=f"{YARD} hull")) == []
    assert refused(state, buy("ace", 2, to=CA, origin=f"{YARD} hull")) == []
    (many,) = refused(state, buy("ace", 3, to=CA, origin=f"{YARD} hull"))
    assert many.startswith("A1.to: Hydran F1 Ca has 2 fighters")
    found = judged(state, buy("ace", 1, to=CA, origin=f"{YARD} hull"), buy("officer_captain", to=MS, origin=CA))
    assert found.refusals == []
    for plan in found.plans:
        load(state, plan)
    assert (ship.officers, state.units[MS].officers, base.passengers["ace"].count) == ((), ("captain",), 2)
    assert {key: lot.count for key, lot in ship.holds.items()} == {"shuttle": 2, "fighter": 1, "fighter_ace": 1}
    assert [say_order(plan) for plan in found.plans] == kept("#2")


@pytest.mark.rule("cutler", "4.2.4")
def test_orders_are_said_in_words(kept: Kept) -> None:
    state = shop()
    orders = [buy("mines", 3, to=f"{YARD} cargo"), buy("fighter", 2), buy("drone_1_slow", 2), buy("shuttle")]
    found = judged(state, *orders[:3], buy("drone_1_fast", 2, turned_in=1), orders[3])
    assert [say_order(plan) for plan in found.plans] == kept()
    assert found.spent_at(YARD) == 24


@pytest.mark.rule("cutler", "4.2.4.1.2", "4.1.5")
def test_cargo_boxes_hold_accessories_beside_the_cpv_that_they_keep(kept: Kept) -> None:
    state = shop()
    found = judged(state, buy("shuttle", 2, to=f"{CA} cargo"))  # which fill one of its two boxes
    assert judge_room(found, {CA: 1}) == []
    assert [str(one) for one in judge_room(found, {CA: 2})] == kept()
    assert judge_room(judged(state, buy("shuttle")), {CA: 9}) == []
    assert [key for key in places_of_units(state, "hydran") if key.startswith(CA)] == [CA, f"{CA} cargo", f"{CA} hull"]
    state.units[CA].cargo_lost = 2
    assert [key for key in places_of_units(state, "hydran") if key.startswith(CA)] == [CA, f"{CA} hull"]


# --- lines -----------------------------------------------------------------------------------------------------------
def offered(state: CutlerState) -> tuple[set[str], list[str]]:
    """What is offered, and into which boxes; nothing where there is no line."""
    lines = accessory_lines(state, "hydran")
    if not lines:
        return set(), []
    fields = {field.key: [choice.value for choice in field.choices] for field in lines[0].fields}
    assert fields["to"] == fields["origin"]
    return set(fields["item"]), fields["to"]


@pytest.mark.rule("cutler", "4.2.4")
def test_accessories_are_offered_where_somebody_makes_has_or_is_one(kept: Kept) -> None:
    state = yard(HOME + "hydran F1 0205 FF\nhydran F2 0303 FF\n", base_type="FRD")
    items, boxes = offered(state)
    assert items == {"mines", "drone_1_slow", "drone_1_fast", "drone_ecm", "ewp", "wbp"} - {"ewp", "wbp"}
    assert boxes == ["hydran-F1-FF", YARD, f"{YARD} cargo"]
    state.units["hydran-F2-FF"].holds = lots(shuttle=1)
    items, boxes = offered(state)
    assert ("shuttle" in items, "hydran-F2-FF" in boxes) == (True, True)
    state.units["hydran-F2-FF"].holds = {}
    state.units["hydran-F2-FF"].officers = ("captain",)
    items, boxes = offered(state)
    assert "officer_captain" in items
    assert {"hydran-F2-FF", "hydran-F2-FF hull"} <= set(boxes)
    assert "hydran-F1-FF hull" not in boxes
    bare = yard("hydran F1 0205 FF\n")
    assert offered(bare) == (set(), [])
    bare.units["hydran-F1-FF"].holds = lots(shuttle=1)
    assert offered(bare) == (set(), []), "nobody makes any, and there are no persons"
    bare.units["hydran-F1-FF"].passengers = lots(ace=1)
    assert offered(bare) == ({"ace", "shuttle"}, ["hydran-F1-FF", "hydran-F1-FF hull"])
    hints = {choice.value: choice.hint for choice in accessory_lines(shop(), "hydran")[0].fields[0].choices}
    assert (hints["mines"], hints["shuttle"]) == kept()
    flying = yard("hydran F1 0205 FF\n")
    flying.units["hydran-F1-FF"].holds = lots(fighter_ace=1)
    assert offered(flying) == ({"ace", "fighter_ace"}, ["hydran-F1-FF", "hydran-F1-FF hull"])
    del flying.accessories["ace"]
    assert offered(flying) == (set(), [])
    printed = shop()
    printed.accessories = {**STANDARD, "mines": STANDARD["mines"].with_values(source="M2", price=Fraction(3, 2))}
    hints = {choice.value: choice.hint for choice in accessory_lines(printed, "hydran")[0].fields[0].choices}
    assert hints["mines"] == "1.5 CPV a CPV worth, 20 in a cargo box"
    flying.accessories["ace"] = STANDARD["ace"]
    hints = {choice.value: choice.hint for choice in accessory_lines(flying, "hydran")[0].fields[0].choices}
    assert hints["ace"] == "not sold by itself"
    assert aboard_panel(shop(), "hydran")[0].rows == ("Hydran F1 Ca: 8 crew units, 2 x Shuttle",)
    assert aboard_panel(bare, "lyran") == []


# --- mines to lay ----------------------------------------------------------------------------------------------------
SKY = """
turn 1 impulse 3
planet capital 0205 hydran throne
planet minor 0404 lyran cub
hydran F1 0404 MS[mines=40]
hydran base 0205 Yard
hydran base 0303 Den
lyran base 0909 Lair
"""


def sky() -> CutlerState:
    state = world(SKY)
    state.systems["0404"] = StarSystem(moons=(4, 6), gas_giant=2, giant_moons=(8,))
    state.terrain |= {"0606": "pulsar", "0707": "nebula"}
    return state


@pytest.mark.rule("cutler", "4.2.4.5.2", "3.5.2")
def test_mines_are_laid_around_bodies_stars_and_own_bases_that_are_features_by_themselves(kept: Kept) -> None:
    state = sky()
    found = mine_orders.features(state, "hydran")
    assert {key: (feature.title, feature.place) for key, feature in found.items()} == kept()
    state.units["hydran-base-0205"].orbit = "apart"
    assert "hydran-base-0205" in mine_orders.features(state, "hydran")
    state.systems["0404"] = StarSystem()
    assert [key for key in mine_orders.features(state, "hydran") if "0404" in key] == []
    state.terrain["0303"] = "nebula"
    assert "hydran-base-0303" not in mine_orders.features(state, "hydran")


KNOWN = "cub, giant 0404, moon 0404/1, moon 0404/2, giant moon 0404/1, throne, star 0606, hydran-base-0303"


@cases("line, laid, order, refused", "")
def test_orders_to_lay_mines(line: dict[str, Any], laid: int, order: Any, refused: list[str]) -> None:
    state = sky()
    if laid:
        state.minefields["hydran/cub"] = MinesLaid(race="hydran", around="cub", hex="0404", places={"A1": laid})
    sheet = FleetPlots(layers={"K1": LayLine(**line)}) if line else FleetPlots()
    found, refusals = mine_orders.judge_lays(state, "hydran", sheet)
    assert [str(one) for one in refusals] == evaluated(refused, NOTATION)
    assert found == {MS: evaluated(order, NOTATION)}
    _, (nobody,) = mine_orders.judge_lays(state, "hydran", FleetPlots(layers={"K2": LayLine()}))
    assert str(nobody) == "K2: you have no unit with mines to lay. Legal: K1."


@pytest.mark.rule("cutler", "2.2", "4.2.4.5.1")
def test_a_standing_order_to_lay_mines_is_kept_and_said(kept: Kept) -> None:
    state = sky()
    unit = state.units[MS]
    known = mine_orders.features(state, "hydran")
    orders = MinesToLay(around="cub"), MinesToLay(around="cub", cpv=3, chart="A1=3")
    assert [mine_orders.say_lay(order, known) for order in orders] == kept("said")
    assert lay_rows(state, "hydran") == []
    assert mine_orders.read_lays(state, "hydran", {MS: MinesToLay(around="gone")}) == []
    mine_orders.store_lays(state, {MS: MinesToLay(around="cub")})
    assert mine_orders.judge_lays(state, "hydran", FleetPlots())[0] == {MS: MinesToLay(around="cub")}
    stored, _ = mine_orders.judge_lays(state, "hydran", FleetPlots(layers={"K1": LayLine(cpv=4)}))
    assert stored == {MS: MinesToLay(around="cub", cpv=4)}
    assert lay_rows(state, "hydran") == kept("#1")
    assert mine_orders.read_lays(state, "hydran", {MS: MinesToLay(around="cub", cpv=4)}) == kept("#2")
    assert mine_orders.read_lays(state, "hydran", {MS: None}) == []
    unit.holds = {}
    assert (mine_orders.layers_of(state, "hydran"), mine_orders.lay_lines(state, "hydran")) == ({}, [])


@cases("order, laid, values", made="order")
def test_a_standing_order_to_lay_mines_is_offered_as_far_as_it_can_be_carried_out(order: Any, laid: int, values: Any):
    state = sky()
    state.units[MS].lays = order
    if laid:
        state.minefields["hydran/cub"] = MinesLaid(race="hydran", around="cub", hex="0404", places={"A1": laid})
    (line,) = mine_orders.lay_lines(state, "hydran")
    assert [field.value for field in line.fields] == values


@cases("order, change, told, order_left")
def test_mines_are_laid_where_their_unit_is(order, change, told, order_left):
    state = sky()
    unit = state.units[MS]
    unit.lays = MinesToLay(**order)
    set_fields(unit, change)
    minefields.lay_mines(table := table_of(state))
    assert [one.text for one in table.shared.reports] == ([told] if told else [])
    assert bool(unit.lays) is order_left


# --- minefields that are there ---------------------------------------------------------------------------------------
def fielded(
    around: str = "cub", hex_id: str = "0404", race: str = "hydran", fought: bool = True, **places: int
) -> CutlerState:
    state = sky()
    field = MinesLaid(race=race, around=around, hex=hex_id, places=places or {"A1": 3, "B2": 4}, fought=fought)
    state.minefields[field.key] = field
    return state


@cases("lost, left, said")
def test_what_was_swept_is_said_once_after_a_battle(lost: int, left: str | None, said: list[str]) -> None:
    state = fielded()
    lines = {"N1": SweptLine(lost=lost)}
    assert (minefields.judge_swept(state, "hydran", lines), minefields.say_swept(state, "hydran", lines)) == ([], said)
    (line,) = minefields.swept_lines(state, "hydran")
    assert (line.label, line.note, line.fields[0].most) == ("Mines around Cub", "0404, 7 CPV", 7)
    minefields.sweep_mines(state, "hydran", lines)
    field = state.minefields.get("hydran/cub")
    assert (field.chart if field else None) == left
    assert minefields.swept_lines(state, "hydran") == []


@pytest.mark.rule("cutler", "4.2.4.5.1")
def test_no_more_is_swept_than_lay_there_and_only_where_there_was_a_battle(kept: Kept) -> None:
    refused = minefields.judge_swept(fielded(), "hydran", {"N1": SweptLine(lost=8), "N2": SweptLine()})
    assert [str(one) for one in refused] == kept("#1")
    quiet = fielded(fought=False)
    assert [str(one) for one in minefields.judge_swept(quiet, "hydran", {"N1": SweptLine()})] == kept("#2")
    minefields.sweep_mines(quiet, "hydran", {"N1": SweptLine(lost=3)})
    assert quiet.minefields["hydran/cub"].cpv == 7
    (panel,) = minefields.chart_panel(quiet, "hydran")
    assert panel.rows == ("Cub, 0404: 7 of 120 CPV at A1=3 B2=4",)
    assert minefields.chart_panel(quiet, "lyran") == []
    there = [bool(minefields.fields_of(quiet, "hydran", hex_id)) for hex_id in (None, "0404", "0405")]
    assert there == [True, True, False]


EMPTY_PLACE = [
    "minefield hydran/cub has more or fewer mines than it can have",
    "minefield hydran/cub has mines more than 25 hexes from what it surrounds",
]


NOTATION = {"EMPTY_PLACE": EMPTY_PLACE, "fielded": fielded, "KNOWN": KNOWN, "MinesToLay": MinesToLay}


@cases("state, found", "")
def test_what_is_impossible_of_a_minefield(state: Any, found: list[str]) -> None:
    made = evaluated(state, NOTATION)()
    assert minefields.minefield_defects(made) == evaluated(found, NOTATION)
    empty = fielded()
    empty.minefields["hydran/cub"].places = {}
    assert minefields.minefield_defects(empty) == EMPTY_PLACE[:1]
    made.minefields = {"other": made.minefields.popitem()[1]}
    assert "minefield other is nowhere or nobody's" in minefields.minefield_defects(made)


@pytest.mark.rule("cutler", "6.4.1.1", "4.2.4.5.2")
def test_spies_learn_more_of_minefields_with_each_success(kept: Kept) -> None:
    state = fielded()
    assert [minefields.detected(state, "lyran", "hydran", "0404") for _ in range(4)] == kept()
    assert minefields.detected(state, "lyran", "hydran", "0303") == "no minefield in 0303."
    based = fielded("hydran-base-0303", "0303")
    assert minefields.detected(based, "lyran", "hydran", "0303") == "a minefield around a Base."
    based.units["hydran-base-0303"].destroyed = True
    assert minefields.detected(based, "lyran", "hydran", "0303") == "no minefield in 0303."


@cases("values, there, gone")
def test_mines_around_a_base_are_gone_with_it_once_their_owner_knows(values, there, gone):
    state = fielded("hydran-base-0303", "0303")
    set_fields(state.units["hydran-base-0303"], values)
    if there:
        state.units[MS].hex = "0303"
    minefields.lose_fields_of_lost_bases(table := table_of(state))
    told = ["With Den the mines around it, 7 CPV in 0303, are gone."] if gone else []
    assert [one.text for one in table.shared.reports] == told
    assert bool(state.minefields) is not gone


# --- in battle -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.5.2", "3.5.2")
def test_a_minefield_takes_part_in_the_battle_at_what_it_surrounds(kept: Kept) -> None:
    state = fielded(fought=False)
    moons = MinesLaid(race="hydran", around="moon 0404/1", hex="0404", places={"A1": 1})
    state.minefields[moons.key] = moons

    def at(feature: str, race: str = "hydran", hex_id: str = "0404") -> list[str]:
        return [field.around for field in fields_at(state, race, hex_id, feature)]

    assert [at(feature) for feature in ("planet", "moon1", "moon2", "")] == [["cub"], ["moon 0404/1"], [], []]
    assert (at("planet", "lyran"), at("planet", hex_id="0405")) == ([], [])
    assert mines_in_words(state, "hydran", "0404") == kept("mines_in_words(state, hydran, 0404)")
    assert mines_in_words(state, "hydran", "0405") == ""
    (panel,) = battle_charts(state, "hydran", "0404", "planet")
    assert panel.rows[0] == "Cub: 7 CPV at A1=3 B2=4"
    note_battle(state, "0404", "planet", ["lyran", "hydran"])
    assert [field.fought for field in state.minefields.values()] == [True, False]
    (panel,) = battle_charts(state, "hydran", "0404", "planet")
    assert panel.rows == kept("panel.rows")
    assert battle_charts(state, "hydran", "0404", "sun") == []
    based = fielded("hydran-base-0303", "0303")
    based.fights["0303"] = Fight(ground=HexTerrain(bases={"hydran-base-0303": "base1"}))
    assert [field.around for field in fields_at(based, "hydran", "0303", "base1")] == ["hydran-base-0303"]
    based.units["hydran-base-0303"].destroyed = True
    assert (fields_at(based, "hydran", "0303", "base1"), mines_in_words(based, "hydran", "0303")) == ([], "")


def losses(**values: int) -> Any:
    """A line of a battle's form that reports such losses."""
    return SimpleNamespace(**{"shuttles_lost": 0, "crew_lost": 0, "mines_dropped": 0} | values)


@pytest.mark.rule("cutler", "4.2.4.2.1", "4.2.4.5.1", "4.2.4.8")
def test_a_battles_losses_of_shuttles_crew_and_mines(kept: Kept) -> None:
    state = sky()
    unit = state.units[MS]
    unit.record = kind_of("MS", shuttles=3, crew_units=8, mine_room=40)
    # Any of its shuttles might carry six CPV of mines; a quarter more crew units than eight are ten.
    assert [(field.label, field.most) for field in loss_fields(state, unit)] == kept("#1")
    assert judge_losses(state, unit, "H1", losses(shuttles_lost=3, crew_lost=10, mines_dropped=58)) == []
    many = judge_losses(state, unit, "H1", losses(shuttles_lost=4, crew_lost=11, mines_dropped=59))
    assert [str(one) for one in many] == kept()
    unit.record = kind_of("MS", mine_room=0, marks=[])
    assert loss_fields(state, unit) == []
    reports = {}, {"shuttles_lost": 1, "crew_lost": 1, "mines_dropped": 1}, {"shuttles_lost": 2, "crew_lost": 3}
    said = [say_losses(losses(**values)) for values in reports]
    assert said == kept("#2")


@cases("line, crew, left")
def test_what_was_lost_in_battle_is_gone(line: dict[str, int], crew: int, left: dict[str, int]) -> None:
    """Ten CPV of mines have room in its boxes, and six on the minelaying shuttle."""
    unit = sky().units[MS]
    unit.record = kind_of("MS", shuttles=3, mine_room=10)
    unit.holds, unit.crew_units = lots(shuttle=2, mls=1, mines=16), 5
    lose_accessories(unit, losses(**line))
    assert (unit.crew_units, {key: lot.count for key, lot in unit.holds.items()}) == (crew, left)


# --- aces ------------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "2.9.6.2")
def test_an_ace_who_lost_his_fighter_comes_aboard_where_it_came_from_or_near_where_it_flew(kept: Kept) -> None:
    state = world("hydran F1 0404 CA\nhydran F2 0505 DD\nhydran F3 0404 PF\nhydran F4 0909 FF\nlyran F1 0404 CW")

    def aboard(origin: str, target: str, *lost: Lots) -> tuple[list[str], str]:
        for unit in state.units.values():
            unit.passengers = {}
        rescue_aces(table := table_of(state), "hydran", (origin, target), *lost)
        full = [f"{one.record.name} {one.passengers['ace'].count}" for one in state.units.values() if one.passengers]
        return [one.text for one in table.shared.reports], "".join(full)

    one, two = lots(fighter_ace=1, fighter=3), lots(fighter_ace=2)
    assert aboard("0404", "0505", one) == kept()
    assert aboard("0303", "0505", one, two) == kept("#1")
    assert aboard("0303", "0908", two)[1] == "FF 2"
    assert aboard("0404", "0505", lots(fighter=3)) == ([], "")
    for unit in state.units.values():
        unit.destroyed = unit.kind != "pf"
    assert (aboard("0404", "0505", one), refuge(state, "hydran", ("0404", "0505"))) == (([], ""), None)
