"""What is read off the record of a class."""

from fractions import Fraction

import pytest

from rules_engine.rulebooks.pq17.contacts.minefields import is_minelayer
from rules_engine.rulebooks.pq17.tables.fittings import fitted_class
from rules_engine.rulebooks.pq17.tables.operations import docking_positions
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import ship_class


@pytest.mark.rule("pq17", "1.6.3.1")
@cases("move_cost, boxes, wps, speed")
def test_practical_speed_is_warp_over_movement_cost(move_cost: str, boxes: int, wps: int | None, speed: int):
    assert ship_class("X", move_cost, wps=wps).practical_speed(boxes) == speed


def test_a_class_that_is_given_another_figure_keeps_nothing_that_followed_from_the_old_one() -> None:
    cruiser = ship_class("X", "1")
    assert (cruiser.category, cruiser.label, cruiser.practical_speed(15)) == ("CA", "CA", 15)
    lighter = cruiser.model_copy(update={"move_cost": Fraction(1, 2)})
    assert (lighter.category, lighter.label, lighter.practical_speed(15)) == ("DD", "DD", 30)
    assert cruiser.category == "CA"


@pytest.mark.rule("pq17", "T8", "10.3.7.2.3", "10.3.7.2.4")
def test_bases_of_no_listed_type_have_two_docking_positions() -> None:
    assert [docking_positions(one) for one in ("SB", "BATS", "BS", "MB", "SAMS", "FRD", "platform", None)] == [
        6, 3, 3, 2, 2, 2, 2, 2,
    ]  # fmt: skip


@pytest.mark.rule("pq17", "12.5.2")
@pytest.mark.parametrize(
    ("fields", "lays"), [({}, False), ({"mine_deploy_large": 1}, True), ({"is_minelayer": True}, True)]
)
def test_who_lays_mines(fields: dict[str, int], lays: bool) -> None:
    assert is_minelayer(ship_class("X", "1/2", **fields)) is lays


@pytest.mark.rule("pq17", "1.8.12.2", "11.4.9.2.1", "11.4.9.2.2")
def test_a_base_with_pods_and_modules_is_the_sum_of_its_parts() -> None:
    """Four repair boxes at three positions are 2, 1 and 1; pods go to the positions in turn, a module between two."""
    base = ship_class("BATS", "0", unit_kind="base", base_type="BATS", awr=12, repair=4, hull=20, bpv_economic=100)
    pod = ship_class("RP", "1/4", unit_kind="pod", repair=10, hull=2, awr=1, bpv_economic=15)
    module = ship_class("RM", "0", unit_kind="module", repair=6, hull=1, awr=0, bpv_economic=7)
    fitted = fitted_class(base, {"RP": 2, "RM": 1, "none": 0}, {"RP": pod, "RM": module, "none": pod}, "BATS+")
    assert (fitted.bpv_economic, fitted.awr, fitted.hull, fitted.repair) == (Fraction(137), 14, 25, 30)
    assert fitted.bpv_combat == base.bpv_combat + 2 * pod.bpv_combat + module.bpv_combat
    assert (fitted.repair_pods, fitted.repair_modules) == ((12, 11, 1), (6,))
    small = fitted_class(base.model_copy(update={"repair": 0}), {"RP": 1}, {"RP": pod}, "BATS+")
    assert small.repair_pods == (10, 0, 0)
