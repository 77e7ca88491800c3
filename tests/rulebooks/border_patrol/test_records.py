"""How large what is written may be, what is remembered of units and stacks, and the book's tables, row by row."""

from fractions import Fraction
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from rules_engine.core.basics.base import Count
from rules_engine.rulebooks.border_patrol.records import classes, orders, places, settings, units
from rules_engine.rulebooks.border_patrol.records.forces import MovementPhase, UnitStack
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy, Habits
from rules_engine.rulebooks.border_patrol.records.state import BorderTeam
from rules_engine.rulebooks.border_patrol.records.units import PodCarried, Unit, best_command
from rules_engine.rulebooks.border_patrol.scenario import entries
from rules_engine.rulebooks.border_patrol.tables.encounters import ROWS, adjustment, encounter_result
from rules_engine.rulebooks.border_patrol.tables.movement import COLUMNS, PHASES, points_in
from rules_engine.rulebooks.border_patrol.tables.ranks import default_command_rating
from rules_engine.rulebooks.border_patrol.tables.towing import pod_factor, relative_size, unit_factor
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.border_patrol.fleet import ship, ships
from tests.rulebooks.border_patrol.squadrons import opened


def takes(kind: Any, value: object) -> bool:
    try:
        TypeAdapter(kind).validate_python(value)
    except ValidationError:
        return False
    return True


@cases("kind, least, most", "")
def test_numbers(kind: Any, least: int, most: int):
    kind = evaluated(kind, NOTATION)
    assert [takes(kind, value) for value in (least - 1, least, most, most + 1)] == [False, True, True, False]


@cases("kind, good, bad", "")
def test_texts(kind: Any, good: list[str], bad: list[str]):
    kind = evaluated(kind, NOTATION)
    assert [one for one in good if not takes(kind, one)] == []
    assert [one for one in bad if takes(kind, one)] == []


SOURCE = {"source": "invented"}
UNIT = {"id": "u", "name": "U", "class_id": "X"}
CONVOY = {"key": "c", "stack": "A1"}
HABITS = {"unit": "u", "habit": "stays", "driven_off_by": 1}
CLASS = {"class_id": "X", "name": "X", "empire": "E", "source": "invented", "move_cost": 1}
MAP = {"columns": 9, "rows": 9, **SOURCE}
PLACE = {"key": "p", "name": "P"}


@cases("kind, given, field, least, most", "")
def test_numbers_of_records(kind: type[Any], given: dict[str, Any], field: str, least: int, most: int):
    found = [takes(evaluated(kind, NOTATION), {**given, field: value}) for value in (least - 1, least, most, most + 1)]
    assert found == [False, True, True, False]


FORCES: dict[str, Any] = {"stack": (), "unit": ()}


NOTATION = {one.__name__: one for one in ()} | {
    "FORCES": FORCES, "classes": classes, "entries": entries, "orders": orders, "places": places,
    "settings": settings, "units": units,
}  # fmt: skip


@cases("kind, given, field, part, bounds", "")
def test_lengths(kind: type[Any], given: dict[str, Any], field: str, part: Any, bounds: tuple[int, int]):
    kind = evaluated(kind, NOTATION)
    given = evaluated(given, NOTATION)
    least, most = bounds
    assert [takes(kind, {**given, field: part * count}) for count in (least, most, most + 1)] == [True, True, False]
    assert least == 0 or not takes(kind, {**given, field: part * (least - 1)})


SCENARIO: dict[str, Any] = {
    "title": "T",
    "turns": 1,
    "map": MAP,
    "scoring": dict.fromkeys(
        ("province", "convoy_in", "convoy_caught", "monster_driven_off", "crippled", "destroyed"), 1
    ),
    "team": (),
    "race": (),
    "captain": (),
}


@cases("field, part, most")
def test_lists_of_a_scenario(field: str, part: dict[str, Any], most: int):
    found = [takes(entries.ScenarioFile, {**SCENARIO, field: [part] * count}) for count in (most, most + 1)]
    assert found == [True, False]


def test_what_a_scenario_does_not_say():
    """BP-R32, BP-R33 and BP-R34: supply over six hexes; zones of one hex, of none where restricted, of two at bases."""
    file = entries.ScenarioFile.model_validate(SCENARIO)
    assert (file.supply.reach, file.scoring.lead) == (6, 0)
    assert (file.zones.reach, file.zones.restricted, file.zones.at_bases) == (1, 0, 2)
    assert (file.economy.province, file.economy.system) == (0, 0)
    assert file.supply.invented
    storm = entries.StormEntry.model_validate({"key": "s", "hex": "0101"})
    assert (storm.heading, storm.drift) == (0, 0)
    unit = entries.UnitEntry.model_validate(UNIT)
    assert (unit.chief_engineer, unit.helmsman, unit.pseudo_pods, unit.orion) == (0, 0, 0, "none")
    convoy = entries.ConvoyEntry.model_validate({**CONVOY, "route": ["0101", "0102"]})
    habits = entries.HabitsEntry.model_validate(HABITS)
    assert (convoy.sets_out, habits.allowance, habits.senses) == (1, 0, 0)
    assert entries.PodEntry.model_validate({"name": "P"}).weight == 1
    assert entries.TeamEntry.model_validate({**PLACE, "emblem": "AB"}).treasury == 0
    kind = classes.BorderClass.model_validate(CLASS)
    assert (kind.cloak_cost, kind.pod_weights, kind.most_pods, kind.dcr) == (0, 0, 0, 0)


def test_what_nothing_is_said_of_at_the_start():
    """As fields of the state stand where neither scenario nor sheet has said anything."""
    state = opened("intro")
    stack = next(iter(state.stacks.values()))
    assert (stack.orders.within, stack.orders.way, stack.orders.onward, stack.orders.let_go) == (
        9, [], "go on", "refuse",
    )  # fmt: skip
    unit = next(iter(state.units.values()))
    counts = (unit.emergency_used, unit.accrued, unit.carried, unit.overhauls)
    assert counts == (0, 0, 0, 0)
    team = BorderTeam(id="t", name="T", emblem="T")
    assert (team.score, team.treasury, team.stacks_made) == (0, 0, 0)
    phase = MovementPhase(turn=1)
    assert (phase.phase, phase.next_question("blue"), phase.next_question("blue")) == (1, 1, 2)
    given = {"size_class": 3, "movement_cost": "1", "warp_original": 9, "warp_ok": 9}
    plain = units.Unit.from_json({"id": "u", "name": "U", "hex": "0101", **given})
    counts = {name: getattr(plain, name) for name, kind in units.Unit.__annotations__.items() if kind is Count}
    counts = {name: count for name, count in counts.items() if name not in given}
    assert (len(counts), set(counts.values())) == (16, {0})
    convoy, habits = BorderConvoy(id="c", team="t", stack="A1", sets_out=3), Habits(unit="u")
    assert (convoy.gone, convoy.fate) == (0, "waiting")
    assert (habits.allowance, habits.senses, habits.driven_off_by, habits.gone) == (0, 0, 0, 0)
    storm = places.IonStorm(id="s", hex="0101")
    assert (storm.heading, storm.drift) == (0, 0)
    assert orders.RouteLeg(hex="0101").phase == 0
    assert units.PodCarried(name="P").weight == 1
    assert not takes(units.PodCarried, {"name": "P", "weight": 0})


@cases("source, is_invented")
def test_what_says_that_it_is_invented(source: str, is_invented: bool):
    assert settings.Supply(source=source).invented is is_invented


# --- units -----------------------------------------------------------------------------------------------------------
def test_a_unit_is_written_and_read_back_whole():
    unit = ship("FF", cloak_cost=6, moved_in={3: 1}, allowed_in={3: 9}, pods=[PodCarried(name="P-C1", weight=2)])
    assert unit.movement_cost == Fraction(1, 3)  # exact: not .33
    assert unit.to_json()["movement_cost"] == "1/3"
    assert Unit.from_json(unit.to_json()) == unit
    stack = UnitStack(id="s", team="blue", hex="0505", units=[unit.id])
    assert UnitStack.from_json(stack.to_json()) == stack


@cases("wrong")
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


# --- other tables ----------------------------------------------------------------------------------------------------
@pytest.mark.rule("border_patrol", "T8.850")
def test_the_factors_of_pods_are_the_printed_decimals():
    assert [pod_factor(weight) for weight in range(5)] == [
        None, Fraction(25, 100), Fraction(33, 100), Fraction(50, 100), None,
    ]  # fmt: skip


@pytest.mark.rule("border_patrol", "T8.850")
def test_the_factors_of_units_are_the_printed_decimals():
    assert unit_factor(["smaller"]) == Fraction(33, 100)
    assert unit_factor(["smaller", "smaller"]) == Fraction(50, 100)
    assert unit_factor(["same"]) == Fraction(50, 100)
    assert unit_factor(["same", "same"]) == Fraction(67, 100)
    assert unit_factor(["larger"]) == Fraction(75, 100)


@pytest.mark.rule("border_patrol", "T8.850")
def test_one_of_each_size_is_ruled_and_what_may_not_be_towed_has_no_factor():
    assert unit_factor(["same", "smaller"]) == unit_factor(["smaller", "same"]) == Fraction(67, 100)
    assert unit_factor(["larger", "smaller"]) is None
    assert unit_factor(["smaller"] * 3) is None
    assert unit_factor([]) is None


@pytest.mark.rule("border_patrol", "V8.39")
def test_a_larger_size_class_is_a_lower_number():
    assert [relative_size(3, towed) for towed in (2, 3, 4)] == ["larger", "same", "smaller"]


@pytest.mark.rule("border_patrol", "T8.720")
def test_the_adjustments_of_the_first_roll():
    """Outstanding crews' figure is blank in print, and ruled."""
    assert adjustment("poor") == -3
    assert adjustment("out of supply") == -4
    assert adjustment("own province") == 1
    assert adjustment("outstanding") == 3


@pytest.mark.rule("border_patrol", "T8.730")
def test_the_results_of_the_second_roll():
    storm, post = "ion storm", "listening post"
    assert [encounter_result(total) for total in range(-2, 7)] == [
        *("none", "none", "none"),
        *(storm, storm, post, post, post, "convoy"),
    ]
    with pytest.raises(ValueError, match="6 at most"):
        encounter_result(7)


@pytest.mark.rule("border_patrol", "T8.730")
def test_what_each_result_makes_known(kept: Kept):
    known = {kind: (row.direction, row.upturned, row.to_everybody, row.terrain) for kind, row in ROWS.items()}
    assert known == kept()


def test_command_ratings_of_classes():
    given = {"DN": 10, "SCS": 10, "BC": 9, "CC": 9, "CA": 8, "cl": 6, "CW": 6, "DD": 4, "tug": 4, "FF": 3, "SC": 2}
    assert {name: default_command_rating(name) for name in given} == given


# --- proportional movement -------------------------------------------------------------------------------------------
PRINTED = {  # as the page prints them, a line for each phase, allowances from 12 down to 1
    1: "1,2 1 1 1 1 - - - - - - -",
    2: "3 2 2 2 2 1 1 1 - - - -",
    3: "4,5 3,4 3 3 3 2 2 - 1 - - -",
    4: "6 5 4 4 4 3 - 2 - 1 1 -",
    5: "7,8 6,7 5,6 5 5 4 3 3 2 - - -",
    6: "9 8 7 6 6 5 4 - - 2 - -",
    7: "10,11 9,10 8,9 7,8 7 6 5 4 3 - - -",
    8: "12 11 10 9 8 7 6 5 4 3 2 1",
}


@pytest.mark.rule("border_patrol", "T8.93", "V8.93")
@pytest.mark.parametrize("phase", PHASES)
def test_each_row_stands_as_printed(phase: int):
    shown = [",".join(map(str, points_in(allowance, phase))) or "-" for allowance in range(12, 0, -1)]
    assert " ".join(shown) == PRINTED[phase]


@pytest.mark.rule("border_patrol", "T8.93")
@pytest.mark.parametrize("allowance", range(1, 13))
def test_each_column_spends_every_point_once_in_order(allowance: int):
    """The sums were checked when the table was read: column n has n points."""
    assert [point for phase in PHASES for point in points_in(allowance, phase)] == list(range(1, allowance + 1))


def test_the_table_has_the_columns_of_1_to_12_and_eight_phases():
    assert sorted(COLUMNS) == list(range(1, 13))
    assert {len(column) for column in COLUMNS.values()} == {8}


def test_who_has_no_allowance_never_moves_and_no_other_column_is_made_up():
    assert [points_in(0, phase) for phase in PHASES] == [()] * 8
    for allowance, phase in ((13, 1), (-1, 1), (5, 0), (5, 9), (0, 9)):
        with pytest.raises(ValueError, match=r"allowance is 0 to 12|phases 1 to 8"):
            points_in(allowance, phase)
