"""Chapter 1: orders of battle and the deployment of what was bought."""

from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.ch01_forces import deployment_groups, deployment_lines, deployment_plan, purchase_sheet
from rules_engine.rulebooks.pq17.ch01_forces.deployment_sheet import carry_out_deployment, deployment_ask
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_unit
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import find_class, read_items
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import DeployLine, spread
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import answered, put, refused, written_orders
from tests.rulebooks.pq17.worlds.campaign_scenario import (
    at_opening,
    bought,
    campaign,
    deploy_sheet,
    deployment,
    purchase,
    rules_of,
)
from tests.rulebooks.written_texts import compare

ALLIANCE, COALITION = "alliance", "coalition"


@pytest.fixture
def state() -> State:
    return campaign()


def wrong(ask: Any, **lines: dict[str, Json]) -> list[str]:
    """The rules that a changed sheet breaks."""
    try:
        deploy_sheet(ask, **lines)
    except Refused as refused:
        return rules_of(list(refused.refusals))
    return []


def alliance(state: State, **lines: str) -> Any:
    return deployment(state, ALLIANCE, bought(state, ALLIANCE, **lines))


def coalition(state: State, **lines: str) -> Any:
    return deployment(state, COALITION, bought(state, COALITION, **lines))


# --- the Federation ---------------------------------------------------------------------------------------------------
WHITE = {"units": "2 FED-CA", "hex": "0419"}
FED = "C.oob.federation.deployment"


@cases("case, proves, side, lines, rules")
def test_where_ships_may_begin(state: State, side: str, lines: dict[str, dict[str, Json]], rules: list[str]) -> None:
    """``lines`` are other than the ready-made ones. The rules are those of deployment, such as ``federation``."""
    found = wrong(deployment(state, side, bought(state, side)), **lines)
    assert [rule.removeprefix("C.oob.").removesuffix(".deployment") for rule in found] == rules


@pytest.mark.rule("pq17", "C.oob.federation.deployment")
def test_a_group_is_as_large_as_the_points_sufficed_for(state: State) -> None:
    """Ruling SCN-7: with five cruisers bought, Scapa Flow has three of its four and the sheet warns."""
    ask = alliance(state, federation_CA="5 CA")
    sheet = ask.default
    assert ask.check(sheet) == []
    assert ask.warn(sheet) == ["Scapa Flow has 3 of 4 CA: no more were bought."]


# --- the Coalition ----------------------------------------------------------------------------------------------------
KLI = "C.oob.klingon.deployment"


@pytest.mark.rule("pq17", "C.oob.klingon.deployment")
def test_five_destroyers_lie_at_bastion_or_at_kiel(state: State) -> None:
    ask = coalition(state)
    assert wrong(ask, C3={"units": "5 KLI-DD", "hex": ask.form.prefilled()["bastion"]["hex"], "port": True}) == []


@pytest.mark.rule("pq17", "C.oob.klingon.deployment", "C.oob.klingon.restriction")
def test_batron_n_lies_in_port_at_kiel_and_is_bound_to_it(state: State) -> None:
    troops = bought(state, COALITION)
    ask = deployment(state, COALITION, troops)
    assert set(wrong(ask, C1={"units": "1 KLI-C8, 4 KLI-CA", "hex": "1715"})) == {KLI}  # in the hex, but not in port
    carry_out_deployment(state, COALITION, troops, ask.default)
    tagged = [unit.class_id for unit in state.units.values() if "BATRON-N" in unit.tags]
    assert (sorted(tagged), state.task_forces["C1"].in_port) == (["KLI-C8", *["KLI-CA"] * 4], "C91")
    others = [unit for unit in state.units.values() if unit.class_id == "KLI-CA" and "BATRON-N" not in unit.tags]
    assert len(others) == 2  # six were bought: the other two go where they like


@pytest.mark.rule("pq17", "C.oob.klingon.bastion", "C.oob.klingon.deployment")
def test_the_hexes_of_the_coalitions_deployment_are_those_of_the_text(state: State) -> None:
    """Bastion: rows 12 to 17, columns 01 to 09. Whatever has no place of its own: all rows, columns 01 to 14, and Kiel,
    which lies in 1715."""
    campaign = state.settings.campaign
    (bastion,) = [one for one in campaign.base if one.key == "bastion"]
    assert sorted(spread(bastion.zone)) == [f"{row}{column:02}" for row in range(12, 18) for column in range(1, 10)]
    (rest,) = [one for one in campaign.area if one.key == "coalition-rest"]
    spinward = [f"{row:02}{column:02}" for row in range(1, 18) for column in range(1, 15)]
    assert sorted(spread(rest.hexes)) == sorted([*spinward, "1715"])


# --- Bastion ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.klingon.bastion", "C.oob.klingon.bases")
def test_bastion_is_unknown_with_terrible_conditions_and_its_pods_and_modules(state: State) -> None:
    """15 cargo boxes of its own and three pods of 24; AWR 18 and three power modules of 10."""
    troops = bought(state, COALITION)
    ask = deployment(state, COALITION, troops)
    carry_out_deployment(state, COALITION, troops, deploy_sheet(ask, bastion={"hex": "1406"}))
    base = state.task_forces["C92"]
    assert (base.hex, base.base.known, base.base.conditions, base.id_level) == ("1406", False, 4, IdLevel.N)
    assert base.base.mine_packages == 3
    (unit,) = state.units_of(base)
    assert (unit.cargo, unit.supply, unit.awr) == (15 + 3 * 24, 87, 18 + 3 * 10)


@pytest.mark.rule("pq17", "C.oob.klingon.bastion")
def test_the_hex_filled_in_is_drawn_by_lot_and_only_its_owner_sees_the_die(state: State) -> None:
    """A printed default would be no secret. The first and the last of the hexes come with the first and last number."""
    sites = deployment_groups.base_sites(state, state.settings.campaign.base_of("bastion"))
    troops = bought(state, COALITION)
    for lot, hex_id in ((1, sites[0]), (len(sites), sites[-1])):
        at = at_opening(state, lot)
        ask = deployment_ask(at, COALITION, troops, state.ready_made[COALITION].deployment)
        assert ask.form.prefilled()["bastion"] == {"hex": hex_id}
        (roll,) = at.shared.rolls
        assert roll.seen_by == {COALITION}


@pytest.mark.rule("pq17", "C.oob.federation.bases", "C.oob.kzinti.bases", "C.oob.klingon.bases")
def test_the_other_bases_stand_where_the_text_says_known_with_good_conditions(state: State, kept: Kept) -> None:
    found = {
        tf.base.name: (tf.hex, state.class_of(state.units_of(tf)[0]).base_type, tf.base.known, tf.base.conditions)
        for tf in state.all_task_forces()
        if tf.base is not None
    }
    assert found == kept()
    assert all(tf.id_level is IdLevel.ID3 for tf in state.all_task_forces())


@cases("side, lines, short")
def test_the_filled_in_deployment_is_legal_whatever_was_bought(
    state: State, side: str, lines: dict[str, str], short: list[str]
) -> None:
    """Ruling SCN-7: a group takes what its side has of its kind, whatever the ready-made lines name."""
    ask = deployment(state, side, bought(state, side, **lines))
    assert ask.check(ask.default) == []
    warnings = [line for line in ask.warn(ask.default) if " of " in line]
    assert [part in line for part, line in zip(short, warnings, strict=True)] == [True] * len(short)


def test_ready_made_lines_may_call_ships_by_name(state: State) -> None:
    troops = bought(state, ALLIANCE)
    cruiser = next(unit for unit in troops["federation"] if unit.class_id == "FED-CAC")
    lines = {"A1": DeployLine(units="5 FED-CA", hex="1217"), "A2": DeployLine(units=cruiser.name, hex="0617")}
    ask = deployment_ask(at_opening(state), ALLIANCE, troops, lines)
    assert ask.check(ask.default) == []
    carry_out_deployment(state, ALLIANCE, troops, ask.default)
    assert cruiser.id in state.task_forces["A2"].units


def test_a_ship_called_by_name_is_in_no_count_of_an_earlier_line(state: State) -> None:
    troops = bought(state, ALLIANCE)
    cruisers = [unit for unit in troops["federation"] if unit.class_id == "FED-CA"]
    lines = {"A1": DeployLine(units="3 FED-CA", hex="1217"), "A2": DeployLine(units=cruisers[0].name, hex="0617")}
    carry_out_deployment(state, ALLIANCE, troops, deployment_ask(at_opening(state), ALLIANCE, troops, lines).default)
    assert cruisers[0].id in state.task_forces["A2"].units


# --- the sheet --------------------------------------------------------------------------------------------------------
def test_ships_that_no_line_names_begin_at_home_in_port(state: State) -> None:
    troops = bought(state, ALLIANCE)
    ask = deployment(state, ALLIANCE, troops)
    sheet = ask.form.prefilled()
    for key in ("A4", "A5", "A7", "A8"):
        sheet[key] = {}
    answer = ask.answer_from(sheet)
    assert ask.warn(answer)[0].startswith("Not named, and so at home: ")
    carry_out_deployment(state, ALLIANCE, troops, answer)
    reserves = {tf.hex: tf for tf in state.all_task_forces(ALLIANCE) if tf.name == "Reserve"}
    assert {hex_id: tf.in_port for hex_id, tf in reserves.items()} == {"1217": "A91", "1105": "A95"}


def test_a_plain_hulls_name_stands_for_its_category_once_there_are_no_more_of_them(state: State) -> None:
    ask = alliance(state, federation_CA="4 CA, 2 CAC")
    said = ask.read_back(ask.answer_from(ask.form.prefilled()))
    assert any("2 DN, 2 CA, 2 CAC" in line and "Scapa Flow" in line for line in said)


@cases("line, words", "")
def test_what_cannot_be_placed_is_refused(state: State, line: dict[str, Json], words: str) -> None:
    ask = alliance(state)
    with pytest.raises(Refused) as caught:
        deploy_sheet(ask, A4=line)
    assert any(words in str(one) for one in caught.value.refusals)


def test_a_misplaced_ship_is_told_the_nearest_hex_that_would_do(state: State) -> None:
    with pytest.raises(Refused) as caught:
        deploy_sheet(alliance(state), A9={"units": "1 KZI-DDS, 1 KZI-FFS, 3 KZI-FF", "hex": "0709"})
    assert caught.value.refusals[0].nearest == ("0708",)
    assert caught.value.refusals[0].legal == "in 0707, 0708, 0801, 0806, 0901, 1001, 1101, 1105, 1201"


def test_ships_may_be_called_by_name(state: State) -> None:
    troops = bought(state, ALLIANCE)
    cruiser = next(unit for unit in troops["federation"] if unit.class_id == "FED-CAC")
    ask = deployment(state, ALLIANCE, troops)
    units = f"{cruiser.name}, 1 FED-CA, 1 FED-CLC, 1 FED-DDL, 1 FED-DDS"
    sheet = deploy_sheet(ask, A4={"units": units, "hex": "1217", "port": True, "name": "Hammer"})
    carry_out_deployment(state, ALLIANCE, troops, sheet)
    assert cruiser.id in state.task_forces["A4"].units
    assert state.task_forces["A4"].name == "Hammer"


@pytest.mark.parametrize("length", [24, 25])
def test_a_groups_name_is_cut_to_what_a_task_force_may_be_called(state: State, length: int) -> None:
    campaign = state.settings.campaign
    areas = tuple(area.model_copy(update={"name": "x" * length}) for area in campaign.area)
    state.settings = state.settings.model_copy(update={"campaign": campaign.model_copy(update={"area": areas})})
    lines = deployment_lines.group_lines(state, COALITION)
    assert lines
    assert {line.name for line in lines.values()} == {"x" * 24}


def test_without_ready_made_lines_the_named_groups_are_filled_in(state: State) -> None:
    for side in (ALLIANCE, COALITION):
        ask = deployment(state, side, bought(state, side), ready=False)
        assert ask.check(ask.default) == []


@cases("item, taken")
def test_which_ships_an_item_of_a_line_stands_for(state: State, item: str, taken: list[str]) -> None:
    kinds = ("FED-DD", "FED-CAC", "FED-GCA", "FED-F-ALR", "FED-CA", "FED-F-AL")
    stock = [
        new_unit(state.classes[kind], unit_id=kind, name=kind, side=ALLIANCE, nation="federation") for kind in kinds
    ]
    assert [unit.class_id for unit in deployment_plan.take(state, item, stock)] == taken


@pytest.mark.rule("pq17", "1.6.4.1")
def test_a_force_is_not_deployed_under_the_number_of_another(state: State) -> None:
    ask = alliance(state)
    with pytest.raises(Refused) as refused:
        deploy_sheet(ask, A1={**ask.form.prefilled()["A1"], "name": "A2"})
    assert [one.path for one in refused.value.refusals] == ["A1.name"]


# --- scenes of orders of battle ---------------------------------------------------------------------------------------
# purchases and deployments of the great campaign written down whole: sheets, read-backs, warnings and refusals.
Request = pytest.FixtureRequest
SIDES = ("alliance", "coalition")


def changed(ask: Any, **lines: dict[str, Any]) -> dict[str, Any]:
    """The sheet filled in with these lines changed; ``_`` in keys stands for ``-``."""
    return {**ask.form.prefilled(), **{key.replace("_", "-"): line for key, line in lines.items()}}


def refusals(ask: Any, given: list[dict[str, dict[str, Any]]]) -> list[str]:
    """What is refused of the sheet filled in with each of these lines changed, below the lines themselves."""
    found: list[str] = []
    for order in given:
        (_, *said) = refused(ask, [{**ask.form.prefilled(), **order}])
        found += [f"> {key} {values}" for key, values in order.items()] + said
    return found


def by_side(given: list[Any], *theirs: str) -> tuple[list[Any], list[Any]]:
    """The Alliance's orders, and the Coalition's, whose lines begin with one of ``theirs``."""
    lines = [(next(iter(order)), order) for order in given]
    ours = [order for key, order in lines if not key.startswith(theirs)]
    return ours, [order for key, order in lines if key.startswith(theirs)]


@pytest.mark.rule("pq17", "C.purchase.3", "C.purchase.4", "C.oob.federation.base-convoy", "C.oob.federation.bases")
@pytest.mark.parametrize("side", SIDES)
def test_an_order_of_battle_is_offered(request: Request, side: str) -> None:
    state = campaign()
    ask = purchase(state, side)
    empty = changed(ask, federation_CA={"buy": ""}, scapa_flow={"modules": "2 cargo-module"})
    other = changed(ask, klingon_CA={"buy": "1 CA"})
    found = [*put(at_opening(state), ask), *answered(ask, ask.default)]
    found += answered(ask, ask.answer_from(empty if side == "alliance" else other))
    compare(request, [line for line in found if line], f"an_order_of_battle_of_the_{side}")


@pytest.mark.rule("pq17", "C.purchase.4", "SOP.3.d")
def test_a_later_purchase_proposes_plain_hulls(request: Request) -> None:
    state = campaign()
    bought(state, "alliance", federation_CA="7 CA")
    state.ready_made = {}
    ask = purchase(state, "alliance", purchase_sheet.period_offer(state, "alliance"))
    compare(request, [line for line in [*put(at_opening(state), ask), *answered(ask, ask.default)] if line])


@pytest.mark.rule("pq17", "C.purchase.1e", "C.purchase.2", "C.purchase.3", "C.year-in-service", "C.base-restrictions")
@pytest.mark.rule("pq17", "1.8.12.2")
@pytest.mark.rule("pq17", "C.variants.command", "C.variants.specialized", "C.oob.kzinti.orion-mercenaries")
def test_purchases_that_are_refused(request: Request) -> None:
    """All that is wrong with each, first of the Alliance's lines, then of the Coalition's."""
    ours, theirs = by_side(written_orders(request), "klingon", "lyran")
    found = refusals(purchase(campaign(), "alliance"), ours)
    compare(request, found + refusals(purchase(campaign(), "coalition"), theirs))


def test_items_that_cannot_be_read(request: Request) -> None:
    state = campaign()
    several, wrong = find_class("CA", [state.classes["FED-CA"], state.classes["KZI-CA"]], "line.buy")
    assert several is None
    found = [str(one) for one in wrong]
    found += [str(one) for one in read_items("1 CA", [], "line.buy")[1]]
    found += [str(one) for one in read_items("1 F-L + AWR", [state.classes["F-L"]], "line.buy")[1]]
    compare(request, found)


# --- deployment -------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.oob.federation.deployment", "C.oob.klingon.deployment", "C.oob.klingon.bastion")
@pytest.mark.parametrize("side", SIDES)
def test_a_deployment_is_proposed(request: Request, side: str) -> None:
    state = campaign()
    ask = deployment(state, side, bought(state, side))
    compare(request, [*put(at_opening(state), ask), *answered(ask, ask.default)], f"a_deployment_of_the_{side}")


@pytest.mark.rule("pq17", "C.oob.federation.deployment", "C.oob.klingon.bastion", "5.2.3.5")
def test_deployments_that_are_refused(request: Request) -> None:
    ready = campaign()
    ours, theirs = by_side(written_orders(request), "C", "bastion")
    found = refusals(deployment(ready, "alliance", bought(ready, "alliance"), ready=False), ours)
    compare(request, found + refusals(deployment(ready, "coalition", bought(ready, "coalition"), ready=False), theirs))


@pytest.mark.rule("pq17", "C.oob.federation.deployment")
def test_ships_that_nobody_names_begin_at_home(request: Request) -> None:
    state = campaign()
    ask = deployment(state, "alliance", bought(state, "alliance"), ready=False)
    flagship = {"units": "2 FED-DN", "hex": "1217", "port": True, "name": "Flag"}
    compare(request, [*answered(ask, ask.answer_from(changed(ask, A3=flagship)))])


@pytest.mark.rule("pq17", "C.oob.federation.patrol-white", "C.oob.kzinti.deployment")
def test_a_named_group_for_which_too_few_ships_were_bought(request: Request) -> None:
    state = campaign()
    ask = deployment(state, "alliance", bought(state, "alliance", federation_CA="1 CA", kzinti_DD="", kzinti_FF="1 FF"))
    compare(request, [*answered(ask, ask.default)])
