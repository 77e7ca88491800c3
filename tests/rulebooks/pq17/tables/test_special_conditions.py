"""The tables of special conditions, random events and raids: each covers its range, and reads as printed."""

from collections import Counter

import pytest

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
from rules_engine.rulebooks.pq17.tables.special_conditions import (
    CONDITION_ROWS,
    EVENT_ROWS,
    EVENT_TITLES,
    PLOTTED,
    RULES,
    TITLES,
    condition_for,
    event_for,
)
from tests.expected.kept import Kept, cases

D100 = range(1, 101)


@pytest.mark.rule("pq17", "C.special.table")
def test_every_d100_gives_each_side_one_condition_as_often_as_printed(kept: Kept) -> None:
    alliance = Counter(condition_for("alliance", rolled).name for rolled in D100)
    coalition = Counter(condition_for("coalition", rolled).name for rolled in D100)
    assert alliance == kept("alliance")
    assert coalition == kept("coalition")


@pytest.mark.rule("pq17", "C.special.table")
@cases("rolled, alliance, coalition", "alliance, coalition")
def test_the_rows_that_overlap_are_read_from_the_top(rolled: int, alliance: str, coalition: str) -> None:
    assert condition_for("alliance", rolled).name == alliance
    assert condition_for("coalition", rolled).name == coalition


@pytest.mark.rule("pq17", "C.special.initiative-star")
def test_the_star_belongs_to_the_cell_of_the_row_that_was_rolled() -> None:
    stars = {
        side: sorted({row.least for row in CONDITION_ROWS if getattr(row, side).star})
        for side in ("alliance", "coalition")
    }
    assert stars["alliance"] == [1, 15, 29, 36, 50, 53, 69]
    assert stars["coalition"] == [1, 29, 36, 43, 50, 57, 65, 93]
    assert condition_for("alliance", 36) == ("gearbox", True)
    assert condition_for("alliance", 43) == ("gearbox", False)
    assert condition_for("coalition", 43) == ("coalition convoy", True)
    assert condition_for("coalition", 8) == ("coalition convoy", False)


@pytest.mark.rule("pq17", "C.special.table")
@cases("rolled, alliance, coalition", "alliance, coalition")
def test_each_row_has_the_titles_that_are_printed_in_it(rolled: int, alliance: str, coalition: str) -> None:
    assert TITLES[condition_for("alliance", rolled).name] == alliance
    assert TITLES[condition_for("coalition", rolled).name] == coalition


def test_every_condition_has_a_title_a_rule_and_those_to_be_plotted_their_number() -> None:
    names = {cell.name for row in CONDITION_ROWS for cell in (row.alliance, row.coalition)}
    assert names == set(TITLES) == set(RULES)
    assert PLOTTED["port strike"] == 2
    assert {name for name, times in PLOTTED.items() if times == 1} == {
        "gale force",
        "clean sweep",
        "reforger",
        "breakout",
        "sizilien",
    }


@pytest.mark.rule("pq17", "C.random.table")
def test_every_sum_of_two_dice_gives_each_side_one_event() -> None:
    assert sorted(total for row in EVENT_ROWS for total in row.sums) == list(range(19))
    alliance = [event_for("alliance", total) for total in range(19)]
    coalition = [event_for("coalition", total) for total in range(19)]
    assert alliance == [
        "residual minefield",
        "elusive target",
        "hf-df",
        "port reconnaissance",
        "port reconnaissance",
        "fis-ultra",
        "whiskers",
        *["none"] * 5,
        "fis-ultra",
        "fis-ultra",
        "port reconnaissance",
        "port reconnaissance",
        "hf-df",
        "elusive target",
        "residual minefield",
    ]
    assert coalition == [
        "residual minefield",
        "straggler",
        "high command caution",
        *["port reconnaissance"] * 3,
        "kis-b",
        *["none"] * 5,
        "kis-b",
        *["port reconnaissance"] * 3,
        "high command caution",
        "straggler",
        "residual minefield",
    ]
    assert set(alliance) | set(coalition) == set(EVENT_TITLES)


@pytest.mark.rule("pq17", "C.random.table")
@cases("total, alliance, coalition", "alliance, coalition")
def test_each_sum_has_the_titles_that_are_printed_beside_it(total: int, alliance: str, coalition: str) -> None:
    assert EVENT_TITLES[event_for("alliance", total)] == alliance
    assert EVENT_TITLES[event_for("coalition", total)] == coalition


@pytest.mark.rule("pq17", "C.raid.table")
def test_the_raid_table_covers_every_d100() -> None:
    met = Counter(
        (*meeting_for(rolled).convoy, meeting_for(rolled).local_defense, meeting_for(rolled).base) for rolled in D100
    )
    assert met == {
        (15, 44, False, False): 40,
        (45, 74, False, False): 25,
        (75, 104, False, False): 15,
        (105, 134, True, False): 10,
        (105, 134, True, True): 10,
    }


@pytest.mark.rule("pq17", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti")
@pytest.mark.parametrize("table", [CONVOY, BASE, FEDERATION, KZINTI])
def test_every_force_table_covers_its_categories_and_each_category_its_types(table: ForceTable) -> None:
    for rolled in D100:
        holding = [category for category in table if category.least <= rolled <= category.most]
        assert holding == [category_for(table, rolled)]
    for category in table:
        for rolled in D100:
            assert [row for row in category.rows if row.least <= rolled <= row.most] == [category.row_for(rolled)]


@pytest.mark.rule("pq17", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti")
@pytest.mark.parametrize(
    ("table", "category", "kind", "named", "types"),
    [
        (CONVOY, 10, 51, "General Heavy Freighters", ("F-OP",)),
        (CONVOY, 40, 40, "General Large Freighters", ("F-L",)),
        (CONVOY, 41, 100, "General Small Freighters", ("UFS",)),
        (CONVOY, 85, 50, "General Priority Transports", ("APT",)),
        (CONVOY, 86, 1, "General Fast Transports", ("FDX",)),
        (CONVOY, 95, 30, "General Free Trader", ("FT",)),
        (CONVOY, 100, 76, "General Skiffs & Cutters", ("MCR",)),
        (BASE, 1, 4, "General Bases", ("BSC",)),
        (BASE, 1, 100, "General Bases", ("SAM",)),
        (FEDERATION, 35, 10, "National Guard", ("GCA", "MON")),
        (FEDERATION, 70, 100, "Police", ("POL",)),
        (FEDERATION, 71, 16, "Early Years", ("YCL",)),
        (FEDERATION, 91, 51, "Warp Refit", ("WSR",)),
        (KZINTI, 1, 41, "Local Defense", ("LFF",)),
        (KZINTI, 90, 15, "Early Years", ("YCS", "MON")),
        (KZINTI, 100, 76, "Warp Refit", ("WFF", "WFI")),
    ],
)
def test_force_tables_read_as_printed(
    table: ForceTable, category: int, kind: int, named: str, types: tuple[str, ...]
) -> None:
    found = category_for(table, category)
    assert (found.name, found.row_for(kind).types) == (named, types)


def test_the_types_a_catalogue_must_hold_are_counted_once() -> None:
    # 33 of convoys, 5 bases, 20 of the Federation, and 15 that only the Kzinti have
    types = all_types()
    assert len(types) == len(set(types))
    assert {"MON", "POL", "F-OL", "SAM", "GCA", "WFI"} <= set(types)
