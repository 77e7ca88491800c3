"""Tables 6a and 6b: every column whole, and the arithmetic of shifts, by hand."""

import pytest

from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import (
    TABLE_6A,
    TABLE_6B,
    TABLES,
    band_succeeds,
    column_for,
    raised,
)
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases

ROWS = ["U", "0", "1", "2", "3", "S", "FAIL"]


@pytest.mark.rule("pq17", "T6a", "T6b")
@pytest.mark.parametrize("name", ["6a", "6b"])
@pytest.mark.parametrize("section", ["FORCE", "SCOUT", "ID"])
@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_every_column_covers_1_to_100_without_gap_or_overlap(name: str, section: str, column: int) -> None:
    rows = TABLES[name].cells[section]
    spans = [row[column - 1] for row in rows.values() if row[column - 1] is not None]
    covered = [value for low, high in spans for value in range(low, high + 1)]
    assert covered == list(range(1, 101))
    assert list(rows) == (ROWS if section != "ID" else list(rows))


@pytest.mark.rule("pq17", "T6a", "6.3.4.1", "6.3.4.2")
@cases("searcher, column, roll, row")
def test_alliance_rows_as_printed(searcher: str, column: int, roll: int, row: str) -> None:
    assert TABLE_6A.band(searcher, column, roll) == row  # type: ignore[arg-type]


@pytest.mark.rule("pq17", "T6b")
@cases("searcher, column, roll, row")
def test_coalition_rows_as_printed(searcher: str, column: int, roll: int, row: str) -> None:
    assert TABLE_6B.band(searcher, column, roll) == row  # type: ignore[arg-type]


@pytest.mark.rule("pq17", "6.3.4.11", "T6a", "T6b")
def test_id_section_and_probes_beyond_100_read_as_100() -> None:
    assert [TABLE_6A.increase(1, total) for total in (44, 45, 84, 85, 130)] == [1, 2, 2, 3, 3]
    assert [TABLE_6B.increase(2, total) for total in (3, 4, 63, 64, 91)] == [0, 1, 1, 2, 3]
    assert [TABLE_6A.increase(3, total) for total in (1, 100)] == [1, 1]
    assert [TABLE_6B.increase(4, total) for total in (1, 100)] == [1, 1]


def column(condition: int, speed: str, *, ours: bool = False, theirs: bool = False, warp_off: bool = False):
    return column_for(
        condition, max_speed=Speed(speed), searcher_passive=ours, target_passive=theirs, target_warp_off=warp_off
    )


@pytest.mark.rule("pq17", "6.3.4.3", "T6.supplement")
@cases("speed, expected")
def test_each_speed_short_of_3_shifts_one_column(speed: str, expected: tuple[int, int]) -> None:
    found = column(1, speed)
    assert (found.column, found.flags) == expected


@pytest.mark.rule("pq17", "6.3.4.4", "6.3.4.5", "T6.supplement")
def test_passive_searcher_passive_target_and_warp_off_each_shift_one() -> None:
    assert column(1, "3", theirs=True).column == 2
    assert column(1, "3", ours=True).column == 2
    assert column(1, "3", warp_off=True).column == 2
    assert column(1, "3", ours=True, theirs=True, warp_off=True).column == 4


@pytest.mark.rule("pq17", "6.3.4.6")
def test_every_shift_beyond_column_4_is_a_flag_roll() -> None:
    # poor 3 + speed 1: 2 + target passive 1 + warp off 1 + searcher passive 1 = 8: column 4 and four flags
    found = column(3, "1", ours=True, theirs=True, warp_off=True)
    assert (found.column, found.flags) == (4, 4)
    assert found.text() == (
        "local conditions 3 + searcher's maximum speed 1: 2 + target passive 1 + target warp off 1 + "
        "searcher passive 1 = column 4, 4 beyond: as many flag rolls"
    )


@pytest.mark.rule("pq17", "6.3.4.8")
def test_rows_are_tested_one_by_one_not_up_to_a_threshold() -> None:
    # Alliance FORCE column 2, shadowed target at U: 01-25 and 51-65 succeed and nothing else (REC-10)
    good = [roll for roll in range(1, 101) if band_succeeds(TABLE_6A.band("FORCE", 2, roll), -1, s_counts=True)]
    assert good == [*range(1, 26), *range(51, 66)]


@pytest.mark.rule("pq17", "6.3.4.8")
def test_s_may_be_read_as_everything_up_to_s_where_the_players_agree() -> None:
    assert band_succeeds("3", -1, s_counts=True, cumulative=True)
    assert not band_succeeds("3", -1, s_counts=False, cumulative=True)
    assert not band_succeeds("FAIL", 3, s_counts=True, cumulative=True)


@pytest.mark.rule("pq17", "6.3.4.8")
def test_number_rows_need_a_target_at_that_level() -> None:
    def count(level: int, *, s_counts: bool = False) -> int:
        return sum(band_succeeds(TABLE_6A.band("SCOUT", 1, roll), level, s_counts=s_counts) for roll in range(1, 101))

    # SCOUT column 1: U 65, 0 73, 1 75, no row 2, 3 83; S adds 84-96
    assert [count(level) for level in (-1, 0, 1, 2, 3)] == [65, 73, 75, 75, 83]
    assert count(3, s_counts=True) == 96


@pytest.mark.rule("pq17", "6.3.4.11", "6.3.4.13", "1.8.6", "1.7.5")
def test_levels_rise_from_the_start_value_with_floor_and_cap() -> None:
    assert [raised(-1, gain) for gain in (0, 1, 2, 3)] == [0, 0, 1, 2]
    assert [raised(1, gain) for gain in (0, 1, 2, 3)] == [1, 2, 3, 3]
    assert raised(3, 1, cap=2) == 3  # a base or a Settled hex never lowers
    assert raised(1, 3, cap=2) == 2
