"""Tables as the book prints them: the schedule, special conditions, random events and raids."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from pydantic import ValidationError

from rules_engine.rulebooks.pq17.campaign import period_ends, transfers
from rules_engine.rulebooks.pq17.ch08_combat.raid_tables import (
    BASE,
    CONVOY,
    FEDERATION,
    KZINTI,
    ForceTable,
    all_types,
    category_for,
    meeting_for,
)
from rules_engine.rulebooks.pq17.contacts.minefields import is_minelayer
from rules_engine.rulebooks.pq17.tables import fittings, ship_classes, special_conditions
from rules_engine.rulebooks.pq17.tables.operations import DOCKING_POSITIONS, docking_positions
from rules_engine.rulebooks.pq17.tables.order_of_battle import PoolCategory
from rules_engine.rulebooks.pq17.tables.schedule import Reinforcement, fits, read_schedule
from rules_engine.rulebooks.pq17.tables.unit_types import payers, public_name, size_category, unit_type
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.campaign import campaign, scenario_file, schedule
from tests.rulebooks.pq17.worlds.campaign_scenario import campaign as printed
from tests.rulebooks.pq17.worlds.notation import ship_class


# --- what is read off the record of a class ---------------------------------------------------------------------------
@cases("move_cost, boxes, wps, speed")
def test_practical_speed_is_warp_over_movement_cost(move_cost: str, boxes: int, wps: int | None, speed: int):
    assert ship_class("X", move_cost, wps=wps).practical_speed(boxes) == speed


def test_a_class_that_is_given_another_figure_keeps_nothing_that_followed_from_the_old_one() -> None:
    cruiser = ship_class("X", "1")
    assert (cruiser.category, cruiser.label, cruiser.practical_speed(15)) == ("CA", "CA", 15)
    lighter = cruiser.model_copy(update={"move_cost": Fraction(1, 2)})
    assert (lighter.category, lighter.label, lighter.practical_speed(15)) == ("DD", "DD", 30)
    assert cruiser.category == "CA"


@cases("base_type, positions")
def test_how_many_docking_positions_a_base_has(base_type: Any, positions: int) -> None:
    assert docking_positions(base_type) == positions
    assert base_type is None or DOCKING_POSITIONS[base_type] == positions


@cases("fields, lays", "")
def test_who_lays_mines(fields: dict[str, int], lays: bool) -> None:
    assert is_minelayer(ship_class("X", "1/2", **fields)) is lays


@pytest.mark.rule("pq17", "1.8.12.2", "11.4.9.2.1", "11.4.9.2.2")
def test_a_base_with_pods_and_modules_is_the_sum_of_its_parts() -> None:
    """Four repair boxes at three positions are 2, 1 and 1; pods go to the positions in turn, a module between two."""
    base = ship_class("BATS", "0", unit_kind="base", base_type="BATS", awr=12, repair=4, hull=20, bpv_economic=100)
    pod = ship_class("RP", "1/4", unit_kind="pod", repair=10, hull=2, awr=1, bpv_economic=15)
    module = ship_class("RM", "0", unit_kind="module", repair=6, hull=1, awr=0, bpv_economic=7)
    fitted = fittings.fitted_class(base, {"RP": 2, "RM": 1, "none": 0}, {"RP": pod, "RM": module, "none": pod}, "BATS+")
    assert (fitted.bpv_economic, fitted.awr, fitted.hull, fitted.repair) == (Fraction(137), 14, 25, 30)
    assert fitted.bpv_combat == base.bpv_combat + 2 * pod.bpv_combat + module.bpv_combat
    assert (fitted.repair_pods, fitted.repair_modules) == ((12, 11, 1), (6,))
    small = fittings.fitted_class(base.model_copy(update={"repair": 0}), {"RP": 1}, {"RP": pod}, "BATS+")
    assert small.repair_pods == (10, 0, 0)


# --- table 8: what kinds of units there are, and whose points pay for them --------------------------------------------
@cases("fields, label")
def test_sheets_say_what_a_small_unit_is_and_pf_of_patrol_ships_alone(fields: dict[str, Any], label: str) -> None:
    assert ship_class("X", "1/10", **fields).label == label


@cases("move_cost, category")
def test_warships_are_classed_by_movement_cost(move_cost: str, category: str) -> None:
    assert size_category(ship_class("X", move_cost)) == category


def test_what_lays_mines_is_no_warship() -> None:
    assert unit_type(ship_class("MLC", "1/3", unit_kind="minefield carrier")) == "other"


@cases("class_id, kind")
def test_every_kind_of_table_8_is_told_apart(class_id: str, kind: str) -> None:
    assert unit_type(printed().classes[class_id]) == kind


@cases("class_id, pools")
def test_points_of_a_category_buy_that_and_lower_ones(class_id: str, pools: tuple[PoolCategory, ...]) -> None:
    assert payers(printed().classes[class_id]) == pools


@pytest.mark.rule("pq17", "C.purchase.1g", "C.purchase.2")
def test_a_shuttle_and_a_freighter_without_cargo_are_bought_with_frigate_points_or_higher() -> None:
    """A shuttle's movement cost alone would make it a patrol boat; without cargo no convoy. Ruling SCN-34b."""
    high = ("FF", "DD", "CL", "CA", "DN", "BB")
    assert payers(ship_class("MRS", "1/6", unit_kind="shuttle", warp=0)) == high
    assert payers(printed().classes["F-L"].model_copy(update={"cargo": 0})) == high


@cases("fields, said")
def test_losses_are_published_by_chart_for_warships_and_in_a_plain_word_for_others(
    fields: dict[str, object], said: str
) -> None:
    sheet = {"class_id": "X", "name": "X", "empire": "Any", "source": "invented", "move_cost": 1, **fields}
    assert public_name(ship_classes.ShipClass.model_validate(sheet)) == said


F = Fraction



def _table(text: str) -> dict[str, int]:
    words = text.split()
    return {name: int(count) for name, count in zip(words[::2], words[1::2], strict=True)}


def _named(text: str) -> list[tuple[str, dict[str, int]]]:
    """``X CA 1 DD 2 / FF 1``: pairs of a name (or none) and a table."""
    found: list[tuple[str, dict[str, int]]] = []
    for part in filter(None, (one.strip() for one in text.split("/"))):
        words = part.split()
        named = len(words) % 2 == 1
        found.append((words[0] if named else "", _table(" ".join(words[1:] if named else words))))
    return found




@cases("period, klingon, federation, kzinti, proves", "")
def test_each_period_gives_its_points_and_keeps_what_was_left(
    period: int, klingon: str, federation: str, kzinti: str
) -> None:
    state = campaign()
    state.pools = {"coalition": {"klingon": {"FF": F(40)}}, "alliance": {}}
    period_ends.give_points(state, period)
    expected = {key: F(points) for key, points in _table(klingon).items()}
    expected["FF"] = expected.get("FF", F(0)) + 40
    assert state.pools["coalition"]["klingon"] == expected
    assert state.pools["alliance"].get("federation", {}) == _table(federation)
    assert state.pools["alliance"].get("kzinti", {}) == _table(kzinti)


@cases("period, coalition, alliance, back, proves", "")
def test_each_period_calls_for_its_transfers_and_returns(period: int, coalition: str, alliance: str, back: str) -> None:
    found = {(one.operation, one.nation): one.hulls for one in schedule().transfer if one.period == period}
    expected: dict[tuple[str, str], dict[str, int]] = {}
    if coalition:
        expected["", "klingon"] = _table(coalition)
    for name, hulls in _named(alliance):
        own = name == "kzinti"
        expected["" if own else name, "kzinti" if own else "federation"] = hulls
    assert found == expected
    assert [(one.transfer, one.hulls) for one in schedule().returns_of(period)] == _named(back)


@pytest.mark.rule("pq17", "C.schedule.20")
def test_the_last_two_periods_have_no_lines() -> None:
    """Ruling SCN-1; only the convoy's points are given again."""
    state = campaign()
    period_ends.give_points(state, 21)
    assert state.pools == {"alliance": {"kzinti-convoy": {"CIV": F(1100)}}}
    assert transfers.calls(state, "alliance", 22) == transfers.calls(state, "coalition", 22) == []


@cases("hull, wanted, may", "")
def test_a_larger_hull_may_go_instead(hull: str, wanted: str, may: int) -> None:
    assert fits(hull, wanted) == bool(may)  # pyright: ignore[reportArgumentType]


@cases("text, path", "")
def test_every_mistake_of_the_file_is_named_with_its_place(text: str, path: str) -> None:
    _, wrong = read_schedule({"schedule.toml": text}, scenario_file().campaign)
    assert any(one.path == f"schedule.toml.{path}".rstrip(".") for one in wrong)


POINTS = '[[reinforcement]]\nperiod = 1\nnation = "klingon"\npoints = { FF = 1 }\n'


@cases("text, said", "")
def test_a_mistake_of_the_schedule_is_told_whole(text: str, said: str) -> None:
    book = scenario_file().campaign
    _, wrong = read_schedule({"schedule.toml": text}, book)
    assert [str(one) for one in wrong] == [said.format(nations=", ".join(sorted(nation.key for nation in book.nation)))]


def test_a_schedule_that_cannot_be_read_at_all_is_told_so() -> None:
    _, (wrong,) = read_schedule({"schedule.toml": "period = = 3"}, scenario_file().campaign)
    assert str(wrong).startswith("schedule.toml: this is not TOML: ")


@pytest.mark.parametrize(("period", "is_one"), [(0, False), (1, True), (99, True), (100, False)])
def test_periods_have_at_most_two_figures(period: int, is_one: bool):
    line = {"period": period, "nation": "kzinti", "points": {"FF": 1}}
    if is_one:
        assert Reinforcement.model_validate(line).period == period
    else:
        with pytest.raises(ValidationError):
            Reinforcement.model_validate(line)


# --- the tables of special conditions, random events and raids: each covers its range, and reads as printed -----------
D100 = range(1, 101)


@pytest.mark.rule("pq17", "C.special.table")
def test_every_d100_gives_each_side_one_condition_as_often_as_printed(kept: Kept) -> None:
    alliance = Counter(special_conditions.condition_for("alliance", rolled).name for rolled in D100)
    coalition = Counter(special_conditions.condition_for("coalition", rolled).name for rolled in D100)
    assert alliance == kept("alliance")
    assert coalition == kept("coalition")


@cases("rolled, alliance, coalition", "alliance, coalition")
def test_the_rows_that_overlap_are_read_from_the_top(rolled: int, alliance: str, coalition: str) -> None:
    assert special_conditions.condition_for("alliance", rolled).name == alliance
    assert special_conditions.condition_for("coalition", rolled).name == coalition


@pytest.mark.rule("pq17", "C.special.initiative-star")
def test_the_star_belongs_to_the_cell_of_the_row_that_was_rolled() -> None:
    stars = {
        side: sorted({row.least for row in special_conditions.CONDITION_ROWS if getattr(row, side).star})
        for side in ("alliance", "coalition")
    }
    assert (stars["alliance"], stars["coalition"]) == ([1, 15, 29, 36, 50, 53, 69], [1, 29, 36, 43, 50, 57, 65, 93])
    assert special_conditions.condition_for("alliance", 36) == ("gearbox", True)
    assert special_conditions.condition_for("alliance", 43) == ("gearbox", False)
    assert special_conditions.condition_for("coalition", 43) == ("coalition convoy", True)
    assert special_conditions.condition_for("coalition", 8) == ("coalition convoy", False)


@cases("rolled, alliance, coalition", "alliance, coalition")
def test_each_row_has_the_titles_that_are_printed_in_it(rolled: int, alliance: str, coalition: str) -> None:
    assert special_conditions.TITLES[special_conditions.condition_for("alliance", rolled).name] == alliance
    assert special_conditions.TITLES[special_conditions.condition_for("coalition", rolled).name] == coalition


def test_every_condition_has_a_title_a_rule_and_those_to_be_plotted_their_number() -> None:
    names = {cell.name for row in special_conditions.CONDITION_ROWS for cell in (row.alliance, row.coalition)}
    assert names == set(special_conditions.TITLES) == set(special_conditions.RULES)
    assert special_conditions.PLOTTED["port strike"] == 2
    found = {name for name, times in special_conditions.PLOTTED.items() if times == 1}
    assert found == {"gale force", "clean sweep", "reforger", "breakout", "sizilien"}


@pytest.mark.rule("pq17", "C.random.table")
def test_every_sum_of_two_dice_gives_each_side_one_event(kept: Kept) -> None:
    assert sorted(total for row in special_conditions.EVENT_ROWS for total in row.sums) == list(range(19))
    alliance = [special_conditions.event_for("alliance", total) for total in range(19)]
    coalition = [special_conditions.event_for("coalition", total) for total in range(19)]
    assert alliance == kept("alliance")
    assert coalition == kept("coalition")
    assert set(alliance) | set(coalition) == set(special_conditions.EVENT_TITLES)


@cases("total, alliance, coalition", "alliance, coalition")
def test_each_sum_has_the_titles_that_are_printed_beside_it(total: int, alliance: str, coalition: str) -> None:
    assert special_conditions.EVENT_TITLES[special_conditions.event_for("alliance", total)] == alliance
    assert special_conditions.EVENT_TITLES[special_conditions.event_for("coalition", total)] == coalition


@pytest.mark.rule("pq17", "C.raid.table")
def test_the_raid_table_covers_every_d100(kept: Kept) -> None:
    met = [meeting_for(rolled) for rolled in D100]
    assert Counter((*one.convoy, one.local_defense, one.base) for one in met) == kept()


@pytest.mark.rule("pq17", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti")
@pytest.mark.parametrize("table", [CONVOY, BASE, FEDERATION, KZINTI])
def test_every_force_table_covers_its_categories_and_each_category_its_types(table: ForceTable) -> None:
    for rolled in D100:
        holding = [category for category in table if category.least <= rolled <= category.most]
        assert holding == [category_for(table, rolled)]
    for category in table:
        for rolled in D100:
            assert [row for row in category.rows if row.least <= rolled <= row.most] == [category.row_for(rolled)]


@cases("table, category, kind, named, types", "named, types", made="table")
def test_force_tables_read_as_printed(table: ForceTable, category: int, kind: int, named: str, types: tuple[str, ...]):
    found = category_for(table, category)
    assert (found.name, found.row_for(kind).types) == (named, types)


def test_the_types_a_catalogue_must_hold_are_counted_once() -> None:
    # 33 of convoys, 5 bases, 20 of the Federation, and 15 that only the Kzinti have
    types = all_types()
    assert len(types) == len(set(types))
    assert {"MON", "POL", "F-OL", "SAM", "GCA", "WFI"} <= set(types)
