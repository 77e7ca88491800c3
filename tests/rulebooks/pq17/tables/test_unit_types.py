"""Table 8: what kinds of units there are, and whose points pay for them."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.tables.operations import DOCKING_POSITIONS
from rules_engine.rulebooks.pq17.tables.order_of_battle import PoolCategory
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from rules_engine.rulebooks.pq17.tables.unit_types import payers, public_name, size_category, unit_type
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign_scenario import campaign
from tests.rulebooks.pq17.worlds.notation import ship_class


@pytest.mark.rule("pq17", "T8", "1.4.3")
@cases("move_cost, category")
def test_warships_are_classed_by_movement_cost(move_cost: str, category: str) -> None:
    assert size_category(ship_class("X", move_cost)) == category


def test_what_lays_mines_is_no_warship() -> None:
    assert unit_type(ship_class("MLC", "1/3", unit_kind="minefield carrier")) == "other"


@pytest.mark.rule("pq17", "T8", "1.4.1")
@cases("class_id, kind")
def test_every_kind_of_table_8_is_told_apart(class_id: str, kind: str) -> None:
    assert unit_type(campaign().classes[class_id]) == kind


@pytest.mark.rule("pq17", "T8")
def test_the_table_gives_the_docking_positions_of_bases() -> None:
    assert {key: DOCKING_POSITIONS[key] for key in ("SB", "BATS", "BS", "MB", "FRD", "platform", "SAMS")} == {
        "SB": 6,
        "BATS": 3,
        "BS": 3,
        "MB": 2,
        "FRD": 2,
        "platform": 2,
        "SAMS": 2,
    }


@pytest.mark.rule(
    "pq17", "C.purchase.1a", "C.purchase.1b", "C.purchase.1c", "C.purchase.1d", "C.purchase.1e", "C.purchase.1f"
)
@cases("class_id, pools")
def test_points_of_a_category_buy_that_and_lower_ones(class_id: str, pools: tuple[PoolCategory, ...]) -> None:
    assert payers(campaign().classes[class_id]) == pools


@pytest.mark.rule("pq17", "C.purchase.1g", "C.purchase.2")
def test_all_else_is_bought_with_frigate_points_or_higher_and_civilian_points_buy_freighters_only() -> None:
    high = ("FF", "DD", "CL", "CA", "DN", "BB")
    classes = campaign().classes
    shuttle = ship_class("MRS", "1/6", unit_kind="shuttle", warp=0)
    for kind in (
        classes["FED-FRD"],
        classes["CCS"],
        classes["FED-POWER-MODULE"],
        classes["FED-HANGAR-MODULE"],
        shuttle,
    ):
        assert payers(kind) == high
    assert payers(classes["F-L"]) == ("CIV", *high)
    assert payers(classes["F-L"].model_copy(update={"cargo": 0})) == high  # ruling SCN-34b: without cargo no convoy
    assert Fraction(1, 6) < Fraction(1, 5)  # a module's movement cost alone would make it a patrol boat


@cases("fields, said")
def test_losses_are_published_by_chart_for_warships_and_in_a_plain_word_for_others(
    fields: dict[str, object], said: str
) -> None:
    kind = ShipClass.model_validate(
        {"class_id": "X", "name": "X", "empire": "Any", "source": "invented", "move_cost": 1, **fields}
    )
    assert public_name(kind) == said
