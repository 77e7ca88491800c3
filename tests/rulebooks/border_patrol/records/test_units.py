"""What is remembered of units, stacks and phases."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase, UnitStack
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit, best_command
from tests.rulebooks.border_patrol.fleet import ship, ships


def test_a_unit_is_written_and_read_back_whole():
    unit = ship("FF", cloak_cost=6, moved_in={3: 1}, allowed_in={3: 9}, pods=[PodCarried(name="P-C1", weight=2)])
    assert unit.movement_cost == Fraction(1, 3)  # exact: not .33
    assert unit.to_json()["movement_cost"] == "1/3"
    assert Unit.from_json(unit.to_json()) == unit
    stack = UnitStack(id="s", team="blue", hex="0505", units=[unit.id])
    assert UnitStack.from_json(stack.to_json()) == stack


@pytest.mark.parametrize(
    "wrong",
    [{"warp_ok": -1}, {"movement_cost": "-1"}, {"movement_cost": 0.33}, {"size_class": 0}, {"size_class": 8}, {"x": 1}],
)
def test_what_no_unit_can_be_is_refused_at_the_door(wrong: dict[str, object]):
    with pytest.raises(ValidationError):
        ship(**wrong)


@pytest.mark.rule("border_patrol", "V8.14")
def test_sublight_units_dropped_engines_and_no_working_boxes_are_no_warp():
    assert ship().has_warp
    assert not ship(sublight=True).has_warp
    assert not ship(warp_dropped=True).has_warp
    assert not ship(warp_ok=0).has_warp
    assert ship(warp_ok=1).has_warp
    assert not ship(movement_cost=0).has_warp
    assert not ship("BATS", boxes=10, movement_cost=1).has_warp


@pytest.mark.rule("border_patrol", "V8.18")
@pytest.mark.parametrize("kind", ["fighter", "PF"])
def test_fighters_and_fast_patrol_ships_move_only_aboard_others(kind: str):
    assert not ship(kind=kind).has_warp


@pytest.mark.rule("border_patrol", "V8.81", "V8.82")
def test_pods_and_tows_burden_a_tug_and_pseudo_pods_do_not():
    assert not ship("TUG").is_burdened
    assert not ship("TUG", pseudo_pods=2).is_burdened
    assert ship("TUG", pods=[PodCarried(name="P-C1")]).is_burdened
    assert ship("TUG", towing=["x"]).is_burdened
    assert not ship("CA", towing=["x"]).is_burdened


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_record_may_override_its_class_and_the_best_rating_counts():
    assert [unit.command for unit in ships("CA", "DD")] == [8, 4]
    assert ship("CA", command_rating=0).command == 0
    assert best_command([*ships("DD", "FF"), ship("FF", command_rating=7)]) == 7
    assert best_command([]) == 0


@pytest.mark.rule("border_patrol", "V8.24")
def test_leaving_by_command_is_noted_by_team_hex_and_phase():
    phase = MovementPhase(turn=1)
    phase.use_command("blue", "0505")
    assert phase.has_used_command("blue", "0505")
    assert not phase.has_used_command("red", "0505")
    assert not phase.has_used_command("blue", "0506")
    assert MovementPhase.from_json(phase.to_json()) == phase
