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


@pytest.mark.rule("pq17", "T8", "10.3.7.2.3", "10.3.7.2.4")
def test_bases_of_no_listed_type_have_two_docking_positions() -> None:
    assert [docking_positions(one) for one in ("SB", "BATS", "BS", "MB", "SAMS", "FRD", "platform", None)] == [
        6, 3, 3, 2, 2, 2, 2, 2,
    ]  # fmt: skip


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


@pytest.mark.rule("pq17", "T8")
def test_the_table_gives_the_docking_positions_of_bases() -> None:
    found = {key: DOCKING_POSITIONS[key] for key in ("SB", "BATS", "BS", "MB", "FRD", "platform", "SAMS")}
    assert found == {"SB": 6, "BATS": 3, "BS": 3, "MB": 2, "FRD": 2, "platform": 2, "SAMS": 2}


@cases("class_id, pools")
def test_points_of_a_category_buy_that_and_lower_ones(class_id: str, pools: tuple[PoolCategory, ...]) -> None:
    assert payers(printed().classes[class_id]) == pools


@pytest.mark.rule("pq17", "C.purchase.1g", "C.purchase.2")
def test_all_else_is_bought_with_frigate_points_or_higher_and_civilian_points_buy_freighters_only() -> None:
    high = ("FF", "DD", "CL", "CA", "DN", "BB")
    classes = printed().classes
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
    sheet = {"class_id": "X", "name": "X", "empire": "Any", "source": "invented", "move_cost": 1, **fields}
    assert public_name(ship_classes.ShipClass.model_validate(sheet)) == said


F = Fraction

LINES: dict[int, tuple[str, str, str, str, str, str]] = {
    # Klingon points, Federation points, Kzinti points, Coalition transfers, Alliance transfers, returns
    1: ("FF 730", "CA 135 CL 115 TUG 100 DD 160 FF 430", "", "", "CA 1 / kzinti FF 2 / IRONCLAD DD 1", ""),
    2: ("CA 135 DD 160 FF 500", "CA 135 TUG 100 FF 170", "", "", "CALENDAR CA 1 DD 2", ""),
    3: ("DD 80 FF 310", "DN 230 CA 270 TUG 200 DD 320 FF 300", "FF 160", "FF 1", "DD 2", ""),
    4: ("", "DD 320 FF 260", "", "FF 1", "CA 1", ""),
    5: ("FF 610", "CA 135 TUG 100 DD 80 FF 280", "FF 150", "FF 1", "", "calendar CA 1"),
    6: ("CA 135 DD 320 FF 260", "FF 60", "FF 50", "DD 2 FF 1", "FF 1", ""),
    7: ("FF 620", "FF 380", "FF 120", "", "FF 1 / HARPOON CL 2 DD 5 FF 3", ""),
    8: ("FF 260", "CL 115 FF 160", "FF 200", "", "FF 1", "harpoon CL 1 DD 4 FF 1"),
    9: ("CA 135 DD 160 FF 270", "FF 260", "FF 200", "DD 2 FF 1", "CA 1 FF 2", ""),
    10: ("FF 150", "FF 100", "", "", "", "federation-1 CA 1"),
    11: ("DD 160 FF 620", "CA 135 FF 300", "", "", "PEDESTAL DN 1 CL 3 DD 8 FF 2", ""),
    12: ("FF 50", "DN 230 CL 115 DD 80", "", "FF 2", "DN 1 CA 2 DD 3 FF 6", "pedestal DD 8 FF 2"),
    13: ("FF 260", "FF 50", "", "", "FF 2", "federation-4 CA 1"),
    14: ("FF 320", "FF 180", "", "FF 3", "FF 1", ""),
    15: ("FF 510", "DD 160 FF 160", "DD 240", "FF 3", "", ""),
    16: ("FF 150", "DN 230 CL 115", "", "DN 1 CA 1 DD 1 FF 1", "TORCH DN 1 CA 3 CL 4 DD 11 FF 20", ""),
    17: ("CA 135 DD 80", "", "", "DD 1 FF 4", "FF 1", "torch CA 2"),
    18: ("", "DD 80 FF 60", "", "DD 1", "CA 1", "federation-9 CA 1 / torch DD 1"),
    19: ("DD 80 FF 60", "FF 240", "", "FF 7", "CA 1 FF 1", "torch DN 1 CL 3 DD 3 FF 7"),
    20: ("", "DD 80", "", "", "", ""),
}


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


EVERY_PERIOD = pytest.mark.rule(
    "pq17", "C.schedule.1", "C.schedule.2", "C.schedule.3", "C.schedule.4", "C.schedule.5", "C.schedule.6",
    "C.schedule.7", "C.schedule.8", "C.schedule.9", "C.schedule.10", "C.schedule.11", "C.schedule.12",
    "C.schedule.13", "C.schedule.14", "C.schedule.15", "C.schedule.16", "C.schedule.17", "C.schedule.18",
    "C.schedule.19", "C.schedule.20",
)  # fmt: skip
"""The printed lines of every operational period."""


@EVERY_PERIOD
@pytest.mark.rule("pq17", "C.schedule.note1", "C.schedule.note6")
@pytest.mark.parametrize("period", list(LINES))
def test_each_period_gives_its_points_and_keeps_what_was_left(period: int) -> None:
    state = campaign()
    klingon, federation, kzinti, *_ = LINES[period]
    state.pools = {"coalition": {"klingon": {"FF": F(40)}}, "alliance": {}}
    period_ends.give_points(state, period)
    expected = {key: F(points) for key, points in _table(klingon).items()}
    expected["FF"] = expected.get("FF", F(0)) + 40
    assert state.pools["coalition"]["klingon"] == expected
    assert state.pools["alliance"].get("federation", {}) == _table(federation)
    assert state.pools["alliance"].get("kzinti", {}) == _table(kzinti)


@EVERY_PERIOD
@pytest.mark.rule("pq17", "C.schedule.note6")
@pytest.mark.parametrize("period", list(LINES))
def test_each_period_calls_for_its_transfers_and_returns(period: int) -> None:
    *_, coalition, alliance, back = LINES[period]
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


@pytest.mark.rule("pq17", "C.schedule.note8")
def test_no_more_comes_back_than_has_left_and_not_before() -> None:
    head = '[[transfer]]\nkey = "far"\nperiod = 4\nnation = "klingon"\nhulls = { FF = 2 }\n'
    late = head + '[[returning]]\nperiod = 5\ntransfer = "far"\nhulls = { FF = 3 }'
    early = head + '[[returning]]\nperiod = 4\ntransfer = "far"\nhulls = { FF = 1 }'
    for text in (late, early):
        _, wrong = read_schedule({"schedule.toml": text}, scenario_file().campaign)
        assert [one.rule for one in wrong] == ["PQ-17 C.schedule.note8"]


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
def test_every_sum_of_two_dice_gives_each_side_one_event() -> None:
    assert sorted(total for row in special_conditions.EVENT_ROWS for total in row.sums) == list(range(19))
    alliance = [special_conditions.event_for("alliance", total) for total in range(19)]
    coalition = [special_conditions.event_for("coalition", total) for total in range(19)]
    assert alliance == [
        "residual minefield", "elusive target", "hf-df", "port reconnaissance", "port reconnaissance", "fis-ultra",
        "whiskers", *["none"] * 5, "fis-ultra", "fis-ultra", "port reconnaissance", "port reconnaissance", "hf-df",
        "elusive target", "residual minefield",
    ]  # fmt: skip
    assert coalition == [
        "residual minefield", "straggler", "high command caution", *["port reconnaissance"] * 3, "kis-b",
        *["none"] * 5, "kis-b", *["port reconnaissance"] * 3, "high command caution", "straggler",
        "residual minefield",
    ]  # fmt: skip
    assert set(alliance) | set(coalition) == set(special_conditions.EVENT_TITLES)


@cases("total, alliance, coalition", "alliance, coalition")
def test_each_sum_has_the_titles_that_are_printed_beside_it(total: int, alliance: str, coalition: str) -> None:
    assert special_conditions.EVENT_TITLES[special_conditions.event_for("alliance", total)] == alliance
    assert special_conditions.EVENT_TITLES[special_conditions.event_for("coalition", total)] == coalition


@pytest.mark.rule("pq17", "C.raid.table")
def test_the_raid_table_covers_every_d100() -> None:
    met = Counter(
        (*meeting_for(rolled).convoy, meeting_for(rolled).local_defense, meeting_for(rolled).base) for rolled in D100
    )
    assert met == {
        (15, 44, False, False): 40, (45, 74, False, False): 25, (75, 104, False, False): 15,
        (105, 134, True, False): 10, (105, 134, True, True): 10,
    }  # fmt: skip


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
