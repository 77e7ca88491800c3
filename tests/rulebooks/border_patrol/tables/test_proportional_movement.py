"""The table of proportional movement, as it is printed."""

import pytest

from rules_engine.rulebooks.border_patrol.tables.movement import COLUMNS, PHASES, points_in

ROWS = {  # as the page prints them, a line for each phase, allowances from 12 down to 1
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
    assert " ".join(shown) == ROWS[phase]


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
