"""Purchases and deployments of the great campaign written down whole: sheets, read-backs, warnings and refusals."""

from typing import Any, Literal

import pytest

from rules_engine.rulebooks.pq17.ch01_forces.construction import build_refusals
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import period_offer
from rules_engine.rulebooks.pq17.ch01_forces.purchase_words import find_class, read_items
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from tests.expected.kept import cases
from tests.rulebooks.pq17.ch01_forces.test_construction import site
from tests.rulebooks.pq17.playing.written_scenes import answered, put, refused
from tests.rulebooks.pq17.worlds.campaign_scenario import at_opening, bought, campaign, deployment, purchase
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
SIDES = ("alliance", "coalition")


def changed(ask: Any, **lines: dict[str, Any]) -> dict[str, Any]:
    """The sheet filled in with these lines changed; ``_`` in keys stands for ``-``."""
    return {**ask.form.prefilled(), **{key.replace("_", "-"): line for key, line in lines.items()}}


def refusals(ask: Any, orders: list[dict[str, dict[str, Any]]]) -> list[str]:
    """What is refused of the sheet filled in with each of these lines changed, below the lines themselves."""
    found: list[str] = []
    for order in orders:
        (_, *said) = refused(ask, [{**ask.form.prefilled(), **order}])
        found += [f"> {key} {values}" for key, values in order.items()] + said
    return found


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
    ask = purchase(state, "alliance", period_offer(state, "alliance"))
    found = [*put(at_opening(state), ask), *answered(ask, ask.default)]
    compare(request, [line for line in found if line])


@pytest.mark.rule(
    "pq17", "C.purchase.1e", "C.purchase.2", "C.purchase.3", "C.year-in-service", "C.base-restrictions", "1.8.12.2"
)
@pytest.mark.rule("pq17", "C.variants.command", "C.variants.specialized", "C.oob.kzinti.orion-mercenaries")
def test_purchases_that_are_refused(request: Request) -> None:
    """All that is wrong with each, first of the Alliance's lines, then of the Coalition's."""
    texts = [
        "2 CX", "200 CA", "1 CA + cloak", "1 CA + AWR + AWR refit", "1 CA drones 1/0", "1 KLI-CA", "1 SB", "1 MB",
        "1 BS", "1 FRD", "1 FFA",
        "20 CA", "1 CA, 3 CAC", "1 DN",
    ]  # fmt: skip
    orders: list[dict[str, dict[str, Any]]] = [{"federation-CA": {"buy": text}} for text in texts]
    orders += [
        {"federation-supply": {"buy": "1 CA"}}, {"federation-supply": {"buy": "1 F-L"}},
        {"federation-supply": {"buy": "9 F-L options 2"}}, {"scapa-flow": {"modules": "60 cargo-module"}},
        {"kzinti-convoy-CIV": {"buy": "1 CA"}}, {"orion-BB": {"buy": "2 CA"}}, {"nonsense": {"buy": "1 CA"}},
    ]  # fmt: skip
    found = refusals(purchase(campaign(), "alliance"), orders)
    found += refusals(
        purchase(campaign(), "coalition"),
        [
            {"klingon-CA": {"buy": "8 D7C"}}, {"klingon-DD": {"buy": "3 DDS"}}, {"klingon-free-3": {"buy": "2 F-AL"}},
            {"klingon-free-3": {"buy": "3 F-AL options 2"}}, {"lyran-BB": {"buy": "3 DDS"}},
        ],
    )  # fmt: skip
    compare(request, found)


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
    wrong: list[dict[str, dict[str, Any]]] = [
        {"A9": {"units": "2 CA", "hex": "0415"}}, {"A9": {"units": "99 CA", "hex": "0419"}},
        {"A9": {"units": "1 CX", "hex": "0419"}}, {"A9": {"units": "1 CA"}}, {"A9": {"units": "1 CA", "hex": "9999"}},
        {"A9": {"units": "1 CA", "hex": "0416", "port": True}}, {"A9": {"units": "2 KZI-FF", "hex": "1217"}},
    ]  # fmt: skip
    found = refusals(deployment(ready, "alliance", bought(ready, "alliance"), ready=False), wrong)
    wrong = [{"bastion": {"hex": "0101"}}, {"bastion": {}}, {"C9": {"units": "2 D7C", "hex": "0101"}}]
    wrong.append({"C9": {"units": "5 KLI-DD", "hex": "0419"}})
    wrong.append({"C1": {"units": "1 KLI-C8, 4 KLI-CA", "hex": "1201"}})
    found += refusals(deployment(ready, "coalition", bought(ready, "coalition"), ready=False), wrong)
    compare(request, found)


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


# --- construction -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "1.8.12.2", "1.8.12.3", "1.8.12.4", "1.8.12.6", "1.8.12.7", "1.8.12.8")
@cases("text, what, subject, said")
def test_what_is_missing_for_a_construction(
    text: str, what: Literal["build", "extend"], subject: str, said: str
) -> None:
    state = site(text)
    units = sorted(state.task_forces["A1"].units)
    order = BuildOrder(task_force="A1", units=units, what=what, subject=subject)
    assert [str(one) for one in build_refusals(state, order, "build-A1")] == [said]
