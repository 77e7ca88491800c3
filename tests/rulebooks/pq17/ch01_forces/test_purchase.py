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
    price,
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


def test_a_ship_costs_its_economic_value_refits_drones_and_options(state: State) -> None:
    settings = state.settings.campaign
    assert price(settings, item(state, "FED-DD")) == 80
    assert price(settings, item(state, "FED-CA")) == 133 + 2  # four rack spaces at half a point
    assert price(settings, item(state, "FED-CA + AWR refit")) == 133 + 6 + 2
    assert price(settings, item(state, "FED-CA drones 5")) == 133 + 5  # the loadout costs more than the speed
    assert price(settings, item(state, "FED-CA drones 1")) == 133 + 2  # the speed costs more than the loadout
    assert price(settings, item(state, "FED-CA options 7")) == 133 + 2 + 7
    assert (
        total_price(settings, [item(state, "3 FED-DD options 1/2"), item(state, "FED-CA")])
        == 3 * 80 + Fraction(3, 2) + 135
    )


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
@pytest.mark.rule("pq17", "C.purchase.1e")
def test_lower_categories_may_be_bought_and_higher_ones_not(state: State) -> None:
    ask = purchase(state, "alliance")
    assert refused(ask, federation_CA={"buy": "6 CA, 1 CL, 1 DD, 1 FF"}) == []  # 810 + 115 + 80 + 50 = 1055
    assert rules_of(refused(ask, federation_DD={"buy": "1 CA"})) == ["C.purchase.1e"]
    (wrong,) = refused(ask, federation_FF={"buy": "1 DD"})
    assert wrong.legal == "DD, CL, CA, DN, BB points"


@pytest.mark.rule("pq17", "C.purchase.1a", "C.purchase.1b", "C.purchase.1c", "C.purchase.1d", "C.purchase.1f")
@cases("line, text, rules")
def test_tugs_pods_and_auxiliaries_by_what_they_cost_to_move(state: State, line: str, text: str, rules: list[str]):
    assert rules_of(refused(purchase(state, "alliance"), **{line: {"buy": text}})) == rules


@pytest.mark.rule("pq17", "C.purchase.1a", "C.purchase.1c")
def test_tug_points_buy_tugs_and_pods_of_any_size(state: State) -> None:
    add_points(state, "alliance", "federation", {"TUG": Fraction(200)})
    ask = purchase(state, "alliance")
    assert refused(ask, federation_TUG={"buy": "1 TUG, 1 MB-POD, 1 CARGO-POD"}) == []
    assert rules_of(refused(ask, federation_TUG={"buy": "1 FF"})) == ["C.purchase.1e"]


@pytest.mark.rule("pq17", "C.purchase.1g")
def test_frigate_points_buy_everything_else(state: State) -> None:
    ask = purchase(state, "alliance")
    assert refused(ask, federation_FF={"buy": "2 POWER-MODULE, 1 F-S"}) == []  # 40 + 25
    assert rules_of(refused(ask, federation_FF={"buy": "1 CCS"})) == ["1.8.12.2"]  # the points would do
    add_points(state, "alliance", "federation", {"PF": Fraction(100)})
    wrong = refused(purchase(state, "alliance"), federation_PF={"buy": "1 POWER-MODULE"})
    assert rules_of(wrong) == ["C.purchase.1g"]


@pytest.mark.rule("pq17", "C.purchase.2", "C.oob.federation.kzinti-convoy")
def test_the_convoys_points_buy_civilian_freighters_with_cargo_only(state: State) -> None:
    ask = purchase(state, "alliance")
    assert refused(ask, kzinti_convoy_CIV={"buy": "10 F-L + skids + ducktail, 8 F-S + skids, 1 F-OL"}) == []
    assert rules_of(refused(ask, kzinti_convoy_CIV={"buy": "1 F-AL"})) == ["C.purchase.2"]
    assert rules_of(refused(ask, kzinti_convoy_CIV={"buy": "1 FF"})) == ["C.purchase.2"]
    assert rules_of(refused(ask, kzinti_convoy_CIV={"buy": "23 F-L"})) == ["C.purchase.3"]  # 1150 of 1100
    assert rules_of(refused(ask, kzinti_convoy_CIV={"buy": "1 CARGO-MODULE"})) == ["C.purchase.2"]  # no ship


@pytest.mark.rule("pq17", "C.purchase.3")
def test_nobody_spends_more_than_a_pool_holds(state: State, kept: Kept) -> None:
    (wrong,) = refused(purchase(state, "alliance"), federation_CL={"buy": "5 CL"})
    assert (wrong.rule, wrong.problem, wrong.legal) == kept()


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
@pytest.mark.rule("pq17", "C.year-in-service", "C.year-duration")
def test_ships_of_later_years_are_not_to_be_had(state: State) -> None:
    (wrong,) = refused(purchase(state, "alliance"), federation_FF={"buy": "1 FFA"})  # Y172
    assert wrong.rule == "PQ-17 C.year-in-service"
    assert (wrong.problem, wrong.legal) == ("FFA enters service in Y172", "Y167 or earlier")
    assert rules_of(refused(purchase(state, "alliance"), federation_FF={"buy": "1 PF"})) == ["C.year-in-service"]


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


@pytest.mark.rule("pq17", "C.variants.command")
@pytest.mark.parametrize(("text", "legal"), [("4 CA, 2 CAC", True), ("3 CA, 2 CAC", True), ("3 CA, 3 CAC", False)])
def test_a_third_of_a_category_may_be_command_variants_rounded_up(state: State, text: str, legal: bool) -> None:
    """Of six hulls two, of five two (5/3 rounded up); three of six are too many."""
    wrong = refused(purchase(state, "alliance"), federation_CA={"buy": text})
    assert rules_of(wrong) == ([] if legal else ["C.variants.command"])
    if wrong:
        assert wrong[0].problem == "3 command variants among 6 Federation CA hulls"


@pytest.mark.rule("pq17", "C.variants.specialized")
def test_a_third_may_be_specialized_and_both_kinds_are_counted_apart(state: State) -> None:
    ask = purchase(state, "coalition")
    assert refused(ask, klingon_DD={"buy": "2 DD, 2 DDL, 1 DDS, 1 DDD"}) == []  # 2 of 6 are special, 2 of 6 command
    wrong = refused(ask, klingon_DD={"buy": "3 DD, 1 DDS, 1 DDD, 1 DDT"})
    assert rules_of(wrong) == ["C.variants.specialized"]  # scout, drone and troop ships together: 3 of 6


@pytest.mark.rule("pq17", "C.variants.command", "C.variants.specialized")
def test_variants_are_counted_by_nation_over_all_that_is_present(state: State) -> None:
    """The Kzinti have their own hulls; what was lost no longer counts, what waits off the map does."""
    ask = purchase(state, "alliance")
    assert rules_of(refused(ask, kzinti_DD={"buy": "1 DD, 2 DDL"})) == []  # with the reaction force's: 2 of 4
    hulls = new_units(state, "kzinti", "KZI-FF", 9)
    few = {"buy": "1 FF, 4 FFL"}
    # 9 there + 5 bought + 1 of the reaction force = 15 hulls, 5 may be command variants
    assert rules_of(refused(purchase(state, "alliance"), kzinti_FF=few)) == []
    for unit in hulls:
        unit.fate = "destroyed"
    # 6 hulls, 2 may be
    assert rules_of(refused(purchase(state, "alliance"), kzinti_FF=few)) == ["C.variants.command"]


@pytest.mark.rule("pq17", "C.variants.command")
def test_a_fleet_over_the_limit_by_losses_may_buy_plain_hulls(state: State) -> None:
    new_units(state, "klingon", "KLI-D7C", 4)
    assert refused(purchase(state, "coalition"), klingon_CA={"buy": "1 CA"}) == []
    assert rules_of(refused(purchase(state, "coalition"), klingon_CA={"buy": "1 CA, 1 D7C"})) == ["C.variants.command"]


@pytest.mark.rule("pq17", "C.base-restrictions")
@pytest.mark.parametrize("text", ["1 SB", "1 BATS", "1 BS"])
def test_large_bases_cannot_be_bought(state: State, text: str) -> None:
    assert rules_of(refused(purchase(state, "alliance"), federation_DD={"buy": text})) == ["C.base-restrictions"]


@pytest.mark.rule("pq17", "C.base-restrictions", "1.8.12.2")
def test_small_bases_are_bought_as_the_pods_that_they_are_built_of(state: State) -> None:
    """They must be carried where they are to stand; what is not built around pods can never be put in place."""
    assert refused(purchase(state, "alliance"), federation_DD={"buy": "2 MB-POD"}) == []
    assert rules_of(refused(purchase(state, "alliance"), federation_DD={"buy": "1 MB"})) == ["C.base-restrictions"]
    wrong = refused(purchase(state, "alliance"), federation_DD={"buy": "1 FRD, 1 CPL"})
    assert rules_of(wrong) == ["1.8.12.2", "1.8.12.2"]


# --- the orders of battle ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.federation.points", "C.oob.kzinti.points", "C.oob.klingon.points")
@pytest.mark.rule("pq17", "C.oob.klingon.lyran-force", "C.oob.kzinti.reaction-force", "C.oob.kzinti.orion-mercenaries")
def test_the_pools_are_those_of_the_text(state: State) -> None:
    found = {pool.key: pool.points for side in ("alliance", "coalition") for pool in opening_offer(state, side).pools}
    assert found == {
        "federation-CA": 1100, "federation-CL": 500, "federation-DD": 1800, "federation-FF": 450,
        "kzinti-convoy-CIV": 1100, "kzinti-DD": 300, "kzinti-FF": 800, "kzinti-reaction-CA": 450,
        "kzinti-reaction-CL": 250,
        "orion-BB": 500,  # any movement cost
        "klingon-CA": 1100, "klingon-DD": 2600, "klingon-FF": 400, "lyran-BB": 500,
    }  # fmt: skip


@pytest.mark.rule("pq17", "C.oob.kzinti.orion-mercenaries", "C.oob.klingon.lyran-force")
def test_mercenaries_and_lyrans_have_one_cruiser_of_either_size_at_most(state: State) -> None:
    ask = purchase(state, "alliance")
    assert refused(ask, orion_BB={"buy": "1 CA, 1 CL, 3 FF"}) == []  # 130 + 110 + 144
    assert [one.legal for one in refused(ask, orion_BB={"buy": "2 CA, 2 CL"})] == ["at most 1 CA", "at most 1 CL"]
    assert len(refused(purchase(state, "coalition"), lyran_BB={"buy": "3 CA"})) == 1


@pytest.mark.rule("pq17", "C.oob.klingon.lyran-force")
def test_cruisers_beyond_the_most_that_a_scenario_began_with_forbid_only_more_of_them(state: State) -> None:
    new_units(state, "lyran", "LYR-CA", 2)
    ask = purchase(state, "coalition")
    assert refused(ask, lyran_BB={"buy": "1 CL, 2 FF"}) == []
    assert [one.legal for one in refused(ask, lyran_BB={"buy": "1 CA"})] == ["at most 1 CA"]


@pytest.mark.rule("pq17", "C.oob.federation.mandatory-ships", "C.oob.klingon.mandatory-ships")
def test_mandatory_ships_come_without_cost(state: State) -> None:
    alliance = bought(state, "alliance", federation_CA="1 CA")
    coalition = bought(state, "coalition", klingon_CA="1 CA")
    assert [unit.class_id for unit in alliance["federation"]][:2] == ["FED-DN", "FED-DN"]
    names = [unit.class_id for unit in coalition["klingon"]]
    assert names[:7] == ["KLI-C8", "KLI-F-AL", "KLI-F-AL", "KLI-F-ALM", "KLI-L-Q", "KLI-L-Q", "KLI-L-Q"]
    assert state.pools["alliance"]["federation"]["CA"] == 1100 - 135
    assert state.pools["coalition"]["klingon"]["CA"] == 1100 - 135


@pytest.mark.rule("pq17", "C.oob.klingon.mandatory-ships")
def test_the_three_large_auxiliaries_may_be_of_any_kind(state: State) -> None:
    ask = purchase(state, "coalition")
    assert refused(ask, klingon_free_3={"buy": "1 F-ALT, 1 F-ALR, 1 F-ALS"}) == []
    assert rules_of(refused(ask, klingon_free_3={"buy": "4 F-AL"})) == ["C.oob mandatory ships"]
    assert rules_of(refused(ask, klingon_free_3={"buy": "3 F-AL options 1"})) == ["C.purchase.3"]


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_base_convoys_are_any_mix_of_exactly_their_boxes(state: State) -> None:
    found = [(one.key, one.boxes) for one in state.settings.campaign.convoy]
    assert found == [("federation-supply", 450), ("kzinti-supply", 200), ("klingon-supply", 200)]
    ask = purchase(state, "alliance")
    assert refused(ask, federation_supply={"buy": "8 F-L, 2 F-S"}) == []  # 400 + 50
    assert refused(ask, kzinti_supply={"buy": "8 F-S"}) == []
    assert rules_of(refused(ask, federation_supply={"buy": "8 F-L"})) == ["C.oob.federation.base-convoy"]
    shown = rules_of(refused(purchase(state, "coalition"), klingon_supply={"buy": "5 F-L"}))
    assert shown == ["C.oob.klingon.base-convoy"]
    assert refused(ask, federation_supply={"buy": "9 FDX"})  # only F-S and F-L


def test_a_convoy_that_no_mix_fits_exactly_comes_nearest_below(state: State) -> None:
    """Ruling SUP-9: of boxes of 50 and 30, 190 of 200 (2 x 50 + 3 x 30) is the most but for 200 itself."""
    state.classes["F-S"] = state.classes["F-S"].model_copy(update={"cargo": 30})
    convoy = state.settings.campaign.convoy_of("kzinti-supply").model_copy(update={"boxes": 195})
    assert sum(one.count * one.kind.cargo for one in fill_convoy(state, convoy)) == 190


@pytest.mark.rule("pq17", "C.oob.federation.bases", "C.oob.kzinti.bases")
def test_modules_at_the_owners_choice_are_limited_by_number(state: State) -> None:
    ask = purchase(state, "alliance")
    assert refused(ask, scapa_flow={"modules": "6 repair-module"}, downbelow={"modules": "2 cargo-pod"}) == []
    assert rules_of(refused(ask, scapa_flow={"modules": "7 repair-module"})) == ["C.oob.federation.bases"]
    assert rules_of(refused(ask, murzank={"modules": "4 power-module"})) == ["C.oob.kzinti.bases"]
    assert refused(ask, aikashi={"modules": "1 cargo-pod"})  # a battle station's choice is of modules
    for taken, left in ((1, "2 more modules"), (2, "1 more module")):
        sheet = ask.form.prefilled() | {"aikashi": {"modules": f"{taken} power-module"}}
        assert ask.warn(ask.answer_from(sheet)) == [f"Aikashi has room for {left} without cost."]


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
