"""Buying forces: prices, which points pay, years in service, variants, and what is kept.

Prices are those of the invented catalogue: FED-CA 133 + 2 for four drone rack spaces = 135, FED-DD 80, FED-FF 50.
"""

import re
from fractions import Fraction

import pytest

from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import (
    add_points,
    drone_cost,
    plain_purchase,
    pools_of,
    total_price,
)
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import (
    PurchaseSheet,
    fill_convoy,
    opening_offer,
    period_offer,
    say_purchase,
    understand,
)
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import Item, read_items, said_twice, write_items
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.campaign_scenario import bought, campaign, purchase, refused, rules_of


@pytest.fixture
def state() -> State:
    return campaign()


def item(state: State, text: str) -> Item:
    (found,), wrong = read_items(text, list(state.classes.values()), "")
    assert not wrong
    return found


# --- words ------------------------------------------------------------------------------------------------------------
def test_items_are_read_as_players_write_them(state: State) -> None:
    text = "6 FED-CA, fed-cac + awr, 2x FED-DDS drones 4 options 2.5\nFED-FF"
    items, wrong = read_items(text.replace("+ awr", ""), list(state.classes.values()), "")
    assert not wrong
    found = [(one.count, one.kind.class_id, one.drones, one.options) for one in items]
    assert found == [(6, "FED-CA", 0, 0), (1, "FED-CAC", 0, 0), (2, "FED-DDS", 4, Fraction(5, 2)), (1, "FED-FF", 0, 0)]
    assert item(state, "3 FED-CA + awr").refits == ("AWR refit",)
    again = write_items(items)
    assert write_items(read_items(again, [one.kind for one in items], "")[0]) == again


@cases("text, words", "")
def test_what_cannot_be_understood_is_told(state: State, text: str, words: str) -> None:
    assert any(words in str(one) for one in refused(purchase(state, "alliance"), federation_CA={"buy": text}))


def test_an_unknown_class_is_answered_with_an_example_that_can_be_bought_and_the_classes(state: State) -> None:
    ask = purchase(state, "alliance")

    def unknown(text: str) -> list[Refusal]:
        return [one for one in refused(ask, federation_CA={"buy": text}) if "is no class" in one.problem]

    (wrong,) = unknown("7 purple elephants")
    assert wrong.problem == "“purple elephants” is no class that can be had here"
    example = re.match(r"a number and a class, such as “(2 \S+)”, several with commas; classes: \S+, ", wrong.legal)
    assert example is not None, wrong.legal
    (only,) = unknown(f"{example[1]}, banana")
    assert "banana" in only.problem


def test_the_nearest_class_is_offered(state: State) -> None:
    (wrong,) = refused(purchase(state, "coalition"), klingon_FF={"buy": "3 F5BD"})
    assert "F5DB" in wrong.nearest


# --- prices -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.purchase.3", "C.purchase.3a")
def test_points_that_are_said_twice_are_refused_by_name() -> None:
    found = [str(one) for one in said_twice("2x FED-DDS drones 4 options 2, FED-CA drones 4 drones 5", "pool.buy")]
    assert found == ["pool.buy: “FED-CA drones 4 drones 5” says drones twice. Legal: each of them once for an item."]
    ask = purchase(campaign(), "alliance")
    twice = {key: {"buy": "FED-CA drones 4 drones 5"} for key in list(ask.form.by_key)[:1]}
    assert len(ask.idle(ask.model.model_validate(twice))) == 1


@cases("text, cost", made="cost")
def test_a_ship_costs_its_economic_value_refits_drones_and_options(state: State, text: str, cost: Fraction) -> None:
    items, _ = read_items(text, list(state.classes.values()), "")
    assert total_price(state.settings.campaign, items) == cost


@pytest.mark.rule("pq17", "C.purchase.3a")
def test_the_speed_upgrade_is_paid_for_rack_spaces_and_not_for_reloads(state: State) -> None:
    kind = state.classes["KZI-FF"]
    assert (kind.drone_spaces.general + kind.drone_spaces.limited, kind.reload_spaces) == (16, 8)
    assert drone_cost(state.settings.campaign, kind, Fraction(0)) == 4  # eight rack spaces at half a point


@pytest.mark.rule("pq17", "C.purchase.3b")
def test_points_are_spent_at_purchase_only(state: State) -> None:
    """Refits and drones given later cost supplies and repair work: the pools know nothing of them."""
    troops = bought(state, "alliance")
    before = {force: dict(pools) for force, pools in state.pools["alliance"].items()}
    ship = next(unit for unit in troops["federation"] if unit.class_id == "FED-CA")
    give_refit(state, ship, "AWR refit")
    ship.supply = 0
    assert (ship.repairs.refits, state.pools["alliance"]) == (["AWR refit"], before)


# --- whose points pay -------------------------------------------------------------------------------------------------
@cases("case, proves, side, line, text, points, present, refusals")
def test_what_may_be_bought(
    *, state: State, side: str, line: str, text: str, points: dict[str, int], present: str, refusals: list[str]
) -> None:
    """``points`` are more of the Federation's by category, ``present`` ships that are there: nation, class, number."""
    add_points(state, "alliance", "federation", {key: Fraction(value) for key, value in points.items()})
    if present:
        nation, kind, count, *fate = present.split()
        for unit in new_units(state, nation, kind, int(count)):
            unit.fate = "destroyed" if fate else unit.fate
    key, field = line.split(".")
    assert [str(one) for one in refused(purchase(state, side), **{key: {field: text}})] == refusals


@pytest.mark.rule("pq17", "C.purchase.4")
def test_points_left_over_are_kept_by_category(state: State) -> None:
    bought(state, "alliance", federation_CA="7 CA", federation_DD="10 DD")
    pools = state.pools["alliance"]["federation"]
    assert (pools["CA"], pools["DD"]) == (1100 - 7 * 135, 1800 - 10 * 80)
    add_points(state, "alliance", "federation", {"CA": Fraction(135), "TUG": Fraction(100)})
    left = {(pool.force.key, pool.category): pool.points for pool in pools_of(state, "alliance")}
    assert (left["federation", "CA"], left["federation", "TUG"]) == (155 + 135, 100)
    offered = {pool.key for pool in period_offer(state, "alliance").pools}
    assert {"federation-CA", "federation-TUG"} <= offered


@pytest.mark.rule("pq17", "C.purchase.4")
def test_what_is_filled_in_later_is_plain_hulls_and_the_rest_is_kept(state: State) -> None:
    bought(state, "alliance", federation_CA="7 CA")  # 155 left
    sheet = purchase(state, "alliance", period_offer(state, "alliance")).form.prefilled()
    state.ready_made = {}
    plain = purchase(state, "alliance", period_offer(state, "alliance")).form.prefilled()
    assert plain["federation-CA"] == {"buy": "1 CA"}  # 135 of 155
    assert "buy" not in plain.get("federation-CL", {})  # 31 points buy no light cruiser
    assert sheet["federation-supply"] == {"buy": "9 F-L"}


@pytest.mark.rule("pq17", "C.purchase.4")
def test_where_a_nation_has_no_plain_hull_of_a_category_its_points_are_kept(state: State) -> None:
    bought(state, "alliance", federation_CA="7 CA")
    (pool,) = [
        one for one in period_offer(state, "alliance").pools if (one.force.nation, one.category) == ("federation", "CA")
    ]
    assert [(one.count, one.kind.class_id) for one in plain_purchase(state, pool)] == [(1, "FED-CA")]
    for name, kind in state.classes.items():
        if name.startswith("FED-") and kind.category == "CA":
            state.classes[name] = kind.model_copy(update={"hull_group": "local defence"})
    assert plain_purchase(state, pool) == []


@pytest.mark.rule("pq17", "C.purchase.3")
def test_new_units_are_called_by_the_names_of_their_nation_and_then_by_class_and_number(state: State) -> None:
    names = state.settings.campaign.nation_of("federation").ship_names
    left = [name for name in names if name not in {unit.name for unit in state.units.values()}]
    made = new_units(state, "federation", "FED-FF", len(left) + 2)
    assert [unit.name for unit in made] == [*left, "FF 1", "FF 2"]
    assert [unit.id for unit in made[:1]] == [left[0].casefold().replace(" ", "-")]
    assert [unit.id for unit in made[-2:]] == ["a-ff-1", "a-ff-2"]
    made[-1].name = "Lost Name"  # its id is taken all the same
    (again,) = new_units(state, "federation", "FED-FF")
    assert (again.name, again.id) == ("FF 2", "a-ff-2-2")


# --- years, variants, bases -------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.year-in-service")
@pytest.mark.parametrize("year", [167, 168])
def test_refits_of_later_years_are_not_to_be_had(state: State, year: int) -> None:
    kind = state.classes["FED-CA"]
    refits = tuple(refit.model_copy(update={"year": year}) for refit in kind.refits)
    state.classes["FED-CA"] = kind.model_copy(update={"refits": refits})
    found = [str(one) for one in refused(purchase(state, "alliance"), federation_CA={"buy": "1 CA + awr"})]
    late = (
        "federation-CA.buy: AWR refit is not to be had before Y168 (PQ-17 C.year-in-service). Legal: Y167 or earlier."
    )
    assert found == ([late] if year == 168 else [])


@pytest.mark.rule("pq17", "C.year-in-service.minelayers")
def test_minelayers_and_minesweepers_of_the_next_year_are(state: State) -> None:
    assert state.classes["FED-FFM"].year_in_service == 168
    ask = purchase(state, "alliance")
    assert refused(ask, federation_FF={"buy": "3 FF, 1 FFM"}) == []
    late = state.classes["FED-FFM"].model_copy(update={"year_in_service": 169})
    state.classes["FED-FFM"] = late
    assert rules_of(refused(ask, federation_FF={"buy": "3 FF, 1 FFM"})) == ["C.year-in-service.minelayers"]


# --- the orders of battle ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_the_base_convoys_have_the_boxes_of_the_text(state: State) -> None:
    found = {one.key: one.boxes for one in state.settings.campaign.convoy}
    assert found == {"federation-supply": 450, "kzinti-supply": 200, "klingon-supply": 200}


@pytest.mark.rule("pq17", "C.oob.federation.bases", "C.oob.kzinti.bases")
@pytest.mark.parametrize(("taken", "left"), [(1, "2 more modules"), (2, "1 more module")])
def test_a_base_with_room_for_more_modules_is_warned_of(state: State, taken: int, left: str) -> None:
    ask = purchase(state, "alliance")
    sheet = ask.form.prefilled() | {"aikashi": {"modules": f"{taken} power-module"}}
    assert ask.warn(ask.answer_from(sheet)) == [f"Aikashi has room for {left} without cost."]


@pytest.mark.rule("pq17", "C.oob.federation.points", "C.oob.kzinti.points", "C.oob.klingon.points")
@pytest.mark.rule("pq17", "C.oob.klingon.lyran-force", "C.oob.kzinti.reaction-force", "C.oob.kzinti.orion-mercenaries")
def test_the_pools_are_those_of_the_text(state: State, kept: Kept) -> None:
    pools = [pool for side in ("alliance", "coalition") for pool in opening_offer(state, side).pools]
    assert {pool.key: str(pool.points) for pool in pools} == kept()


@pytest.mark.rule("pq17", "C.oob.federation.mandatory-ships", "C.oob.klingon.mandatory-ships")
def test_mandatory_ships_come_without_cost(state: State) -> None:
    alliance = bought(state, "alliance", federation_CA="1 CA")
    coalition = bought(state, "coalition", klingon_CA="1 CA")
    assert [unit.class_id for unit in alliance["federation"]][:2] == ["FED-DN", "FED-DN"]
    names = [unit.class_id for unit in coalition["klingon"]]
    assert names[:7] == ["KLI-C8", "KLI-F-AL", "KLI-F-AL", "KLI-F-ALM", "KLI-L-Q", "KLI-L-Q", "KLI-L-Q"]
    assert state.pools["alliance"]["federation"]["CA"] == 1100 - 135
    assert state.pools["coalition"]["klingon"]["CA"] == 1100 - 135


def test_a_convoy_that_no_mix_fits_exactly_comes_nearest_below(state: State) -> None:
    """Ruling SUP-9: of boxes of 50 and 30, 190 of 200 (2 x 50 + 3 x 30) is the most but for 200 itself."""
    state.classes["F-S"] = state.classes["F-S"].model_copy(update={"cargo": 30})
    convoy = state.settings.campaign.convoy_of("kzinti-supply").model_copy(update={"boxes": 195})
    assert sum(one.count * one.kind.cargo for one in fill_convoy(state, convoy)) == 190


@pytest.mark.rule("pq17", "C.oob.federation.bases", "C.oob.kzinti.bases")
def test_without_a_choice_a_base_has_as_many_of_the_first_kind_as_it_has_room_for(state: State) -> None:
    state.ready_made = {}
    ask = purchase(state, "alliance")
    entry = next(one for one in opening_offer(state, "alliance").bases if one.key == "aikashi")
    first = state.classes[entry.choices[0]].class_id.partition("-")[2] or entry.choices[0]
    assert ask.form.prefilled()["aikashi"]["modules"].casefold() == f"3 {first}".casefold()
    chosen = understand(state, opening_offer(state, "alliance"), PurchaseSheet({})).modules["aikashi"]
    assert chosen == {entry.choices[0]: 3}


@pytest.mark.rule("pq17", "C.cargo-supply-benefit", "C.oob.federation.resupply", "C.oob.kzinti.resupply")
def test_bought_ships_begin_full_of_everything(state: State) -> None:
    troops = bought(state, "alliance", federation_FF="1 F-L + skids, 1 FF")
    freighter = next(unit for unit in troops["federation"] if unit.class_id == "F-L")
    assert (freighter.cargo, freighter.supply, freighter.fuel) == (56, 56, 14)  # 50 boxes and 6 on skids
    for units in troops.values():
        for unit in units:
            kind = state.class_of(unit)
            assert (unit.fuel, unit.supply) == (unit.warp + unit.awr, unit.cargo + unit.orion_cargo // 2)
            assert (unit.rp_damcon, unit.rp_repair) == (sum(kind.damcon_track), unit.repair)
            assert unit.self_repairs_left == sum(kind.damcon_track)


@pytest.mark.rule("pq17", "C.purchase.3")
def test_what_was_bought_with_a_ship_stands_with_it_in_words(state: State) -> None:
    wish = "1 F-L drones 4 options 5/2, 1 FF drones 4, 1 DD options 1"
    by_class = {one.class_id: one.options for one in bought(state, "alliance", federation_FF=wish)["federation"]}
    assert (by_class["F-L"], by_class["FED-FF"]) == ("drones 4, options 2 1/2 (2.5)", "drones 4")
    assert by_class["FED-DD"] == "options 1"


@pytest.mark.rule("pq17", "C.oob.klingon.resupply", "C.oob.klingon.bases", "C.oob.federation.bases")
def test_bases_begin_full_with_their_pods_and_modules(state: State, kept: Kept) -> None:
    """Kiel: 50 boxes of its own and six pods of 24; AWR 40 and two power modules of 10."""
    kiel = state.units["kiel"]
    assert (kiel.cargo, kiel.supply, kiel.awr, kiel.fuel) == (194, 194, 60, 60)
    scapa = state.units["scapa-flow"]
    assert scapa.cargo == scapa.supply == 50 + 6 * 25
    for tf in state.all_task_forces():
        assert tf.base is not None
        unit = state.units_of(tf)[0]
        assert (unit.rp_repair, unit.rp_damcon) == (unit.repair, sum(unit.damcon_track))
    assert {tf.base.name: tf.base.mine_packages for tf in state.all_task_forces() if tf.base} == kept()


# --- the sheet --------------------------------------------------------------------------------------------------------
def test_all_defects_of_a_sheet_are_told_at_once(state: State) -> None:
    wrong = refused(
        purchase(state, "alliance"),
        federation_CA={"buy": "20 CA, 1 CX"},
        federation_FF={"buy": "1 FFA, 1 SB"},
        scapa_flow={"modules": "9 repair-module"},
    )
    assert {one.path for one in wrong} == {"federation-CA.buy", "federation-FF.buy", "scapa-flow.modules"}
    assert len(wrong) == 6  # too dear; no class; too late; too large; too dear again; too many modules


def test_the_sheet_reads_back_what_is_spent_and_left(state: State) -> None:
    ask = purchase(state, "alliance")
    said = ask.read_back(ask.answer_from(ask.form.prefilled()))
    assert said[0] == "Federation, CA: 7 CA, 1 CAC (1092 spent, 8 left)."  # 7 x 135 + 147
    assert "Federation base convoy: 9 F-L (450 cargo boxes)." in said
    offer = opening_offer(state, "alliance")
    assert ask.default is not None
    assert say_purchase(state, offer, understand(state, offer, ask.default)) == said


def test_an_order_of_battle_can_be_written_to_a_file_and_read_back(state: State) -> None:
    for side in ("alliance", "coalition"):
        ask = purchase(state, side)
        sheet = ask.form.prefilled()
        assert read_sheet(ask.form, write_sheet(ask.form, sheet, title="Order of battle")) == sheet


@pytest.mark.unseen("pq17", asks=("purchase",))
def test_names_and_ids_tell_nothing_of_the_other_side(state: State) -> None:
    """Whatever the Alliance buys, the Coalition's ships have the same ids and names."""
    other = campaign()
    bought(state, "alliance")
    bought(other, "alliance", federation_DD="3 DD", kzinti_convoy_CIV="30 F-S")
    mine, same = bought(state, "coalition"), bought(other, "coalition")
    assert mine == same
    names = [unit.name for units in mine.values() for unit in units]
    assert len(set(names)) == len(names)


@pytest.mark.rule("pq17", "C.purchase.4")
@pytest.mark.parametrize(("gone", "first"), [([], "12 F-OL"), (["F-OL"], "22 F-L"), (["F-OL", "F-L"], "44 F-S")])
def test_the_convoys_points_are_filled_in_with_most_cargo_for_its_price(state: State, gone: list[str], first: str):
    """Of 1100 points: F-OL with 100 boxes for 85, then F-L with 50 for 50 and F-S with 25 for 25, the larger first."""
    for name in gone:
        del state.classes[name]
    (pool,) = [one for one in pools_of(state, "alliance") if one.category == "CIV"]
    assert write_items(plain_purchase(state, pool)) == first


@pytest.mark.rule("pq17", "C.purchase.3", "C.oob.klingon.mandatory-ships", "C.oob.klingon.base-convoy")
@cases("line, text", "")
def test_what_comes_without_cost_has_no_extras(state: State, line: str, text: str) -> None:
    wrong = refused(purchase(state, "coalition"), **{f"klingon_{line}": {"buy": text}})
    said = "there are no points for refits, drones or options here"
    assert [one.path for one in wrong if one.problem == said] == ([] if text == "4 F-L" else [f"klingon-{line}.buy"])
