"""Numbered hex maps against the rulings' own lists and formulas, and properties over every convention."""

from collections.abc import Callable
from itertools import combinations, pairwise, product
from math import atan2, dist, isclose, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from rules_engine.core.basics.canonical_json import canonical
from rules_engine.core.grids.hexes import SIDES, Grid, NotAdjacent, NoWay, UnknownHex
from tests.expected.kept import cases

COMMON = Grid(columns=20, rows=16)
"""Column first, flat tops, even columns shifted half a hex down."""

PQ17 = Grid(columns=22, rows=17, orientation="pointy", numbering="RRCC", origin="top-right", stagger="even")
"""Row first, columns counted from the right edge, pointed tops, even rows shifted half a hex to the left."""


@st.composite
def grids(draw: st.DrawFn, *, most: int = 7, with_holes: bool = True) -> Grid:
    whole = Grid(
        columns=draw(st.integers(1, most)), rows=draw(st.integers(1, most)),
        orientation=draw(st.sampled_from(["flat", "pointy"])), numbering=draw(st.sampled_from(["CCRR", "RRCC"])),
        origin=draw(st.sampled_from(["top-left", "top-right", "bottom-left", "bottom-right"])),
        stagger=draw(st.sampled_from(["odd", "even"])), shift=draw(st.sampled_from(["away", "towards"])),
        first=draw(st.integers(0, 3)), digits=draw(st.integers(2, 3)),
    )  # fmt: skip
    if not with_holes or len(whole.hexes()) == 1:
        return whole
    holes = draw(st.lists(st.sampled_from(whole.hexes()), unique=True, max_size=min(4, len(whole.hexes()) - 1)))
    return whole.model_copy(update={"holes": tuple(holes)})


def pick(draw: Callable[..., str], grid: Grid) -> str:
    return draw(st.sampled_from(grid.hexes()))


# --- the two conventions of the rulings ------------------------------------------------------------------------------
@cases("center, around")
def test_the_common_convention_has_the_neighbours_of_its_ruling(center: str, around: tuple[str, ...]) -> None:
    assert COMMON.neighbours(center) == around
    assert [COMMON.direction_of(center, other) for other in around] == [0, 1, 2, 3, 4, 5]
    assert [COMMON.compass(center, other) for other in around] == ["N", "NE", "SE", "S", "SW", "NW"]


def test_pq17_has_the_neighbours_of_its_formula_everywhere() -> None:
    for name in PQ17.hexes():
        row, column = int(name[:2]), int(name[2:])
        aside = (column - 1, column) if row % 2 else (column, column + 1)
        expected = [(row, column - 1), (row, column + 1)]
        expected += [(row + step, other) for step in (-1, 1) for other in aside]
        on_map = sorted(f"{r:02}{c:02}" for r, c in expected if 1 <= r <= 17 and 1 <= c <= 22)
        assert sorted(PQ17.neighbours(name)) == on_map


def test_pq17_directions_run_clockwise_from_north_east() -> None:
    """Of 0707, in an odd row: columns count leftwards, so 0706 is its right neighbour, and 0806 touches it."""
    assert PQ17.neighbours("0707") == ("0606", "0706", "0806", "0807", "0708", "0607")
    assert [PQ17.compass("0707", other) for other in PQ17.neighbours("0707")] == ["NE", "E", "SE", "SW", "W", "NW"]


def test_pq17_has_the_distances_of_its_formula() -> None:
    def cube(name: str) -> tuple[int, int]:
        row, column = int(name[:2]) - 1, int(name[2:]) - 1
        return row, column - (row - row % 2) // 2

    for one, other in combinations(PQ17.hexes()[::5], 2):
        (row, z), (other_row, other_z) = cube(one), cube(other)
        expected = max(abs(row - other_row), abs(z - other_z), abs(row - other_row + z - other_z))
        assert PQ17.distance(one, other) == expected
    assert PQ17.distance("1715", "1217") == 5  # Kiel to Scapa Flow, which the ruling derives the orientation from


def test_pq17_lies_on_the_sheet_as_its_text_says() -> None:
    assert len(PQ17.hexes()) == 374
    assert PQ17.side("right") == tuple(f"{row:02}01" for row in range(1, 18))
    assert PQ17.side("left") == tuple(f"{row:02}22" for row in range(1, 18))
    assert PQ17.side("bottom") == tuple(f"17{column:02}" for column in range(1, 23))
    assert PQ17.side("top") == tuple(f"01{column:02}" for column in range(1, 23))
    assert PQ17.bearing("1217", "1715") == "south-east"  # Kiel lies rimward and spinward of Scapa Flow
    assert PQ17.bearing("0722", "0701") == "east"
    x, y = PQ17.center("0101")
    assert PQ17.center("0102")[0] < x
    assert PQ17.center("0201") == pytest.approx((x - sqrt(3) / 2, y + 1.5))


def test_the_common_convention_lies_on_the_sheet_as_its_ruling_says() -> None:
    x, y = COMMON.center("0101")
    assert (x, y) == pytest.approx((1, sqrt(3) / 2))
    assert COMMON.center("0201") == pytest.approx((x + 1.5, y + sqrt(3) / 2))
    assert COMMON.center("0102") == pytest.approx((x, y + sqrt(3)))
    assert COMMON.extent == pytest.approx((2 + 19 * 1.5, 16.5 * sqrt(3)))
    assert PQ17.extent == pytest.approx((22.5 * sqrt(3), 2 + 16 * 1.5))


@cases("start, end, wind, words", "wind, words")
def test_bearings(start: str, end: str, wind: str, words: str) -> None:
    assert COMMON.compass(start, end) == wind
    assert COMMON.bearing(start, end) == words


def test_lines_by_hand() -> None:
    assert COMMON.line("0505", "0508") == ("0505", "0506", "0507", "0508")
    assert COMMON.line("0101", "0301") == ("0101", "0201", "0301")  # over the top the way is as short, but off the map
    assert COMMON.line("0505", "0505") == ("0505",)
    assert PQ17.line("0101", "0301") == ("0101", "0201", "0301")
    assert PQ17.line("0707", "0704") == ("0707", "0706", "0705", "0704")


def test_a_line_goes_round_holes_and_says_when_it_cannot() -> None:
    grid = Grid(columns=3, rows=3, holes=("0201",))
    assert grid.line("0101", "0301") == ("0101", "0102", "0202", "0302", "0301")
    assert grid.distance("0101", "0301") == 2
    cut = Grid(columns=3, rows=3, holes=("0201", "0202", "0203"))
    with pytest.raises(NoWay, match="0101 to 0303"):
        cut.line("0101", "0303")


def test_rings_by_hand() -> None:
    assert COMMON.ring("0505", 0) == ("0505",)
    assert COMMON.ring("0505", 1) == ("0404", "0405", "0504", "0506", "0604", "0605")
    assert COMMON.within("0101", 1) == ("0101", "0102", "0201")
    assert COMMON.within("0505", -1) == ()


def test_edges_are_named_alike_from_both_sides() -> None:
    assert COMMON.edge("0605", "0505") == COMMON.edge("0505", "0605") == "0505/0605"
    with pytest.raises(NotAdjacent, match="0505 and 0705"):
        COMMON.edge("0505", "0705")
    with pytest.raises(NotAdjacent):
        COMMON.direction_of("0505", "0505")


def test_directions_off_the_map_and_out_of_range() -> None:
    assert COMMON.neighbour("0101", 0) is None
    assert COMMON.neighbour("0101", 2) == "0201"
    with pytest.raises(ValueError, match="0 to 5"):
        COMMON.neighbour("0505", 6)


# --- numbers that people type ----------------------------------------------------------------------------------------
@cases("text", "")
def test_numbers_are_read_tolerantly(text: str) -> None:
    assert COMMON.parse(text) == "0412"


@cases("grid, text, nearest", made="grid, text")
def test_what_is_no_hex_is_refused_with_the_nearest(grid: Grid, text: str, nearest: tuple[str, ...]) -> None:
    with pytest.raises(UnknownHex) as refusal:
        grid.parse(text)
    assert (refusal.value.text, refusal.value.nearest) == (text, nearest)
    assert all(name in str(refusal.value) for name in nearest)


@pytest.mark.parametrize("text", ["O4l2", "-0412", "04 12 !", "04l2"])
def test_a_mistyped_number_suggests_what_was_meant(text: str) -> None:
    with pytest.raises(UnknownHex, match="nearest: 0412"):
        COMMON.parse(text)


@pytest.mark.parametrize("text", ["12", "9999999,1", "04,,12", "0412 0413 0414", "hex", "99999999999999999999,1"])
def test_other_texts_are_refused_as_well(text: str) -> None:
    with pytest.raises(UnknownHex):
        COMMON.parse(text)


def test_a_swapped_number_is_suggested_first() -> None:
    with pytest.raises(UnknownHex, match="nearest: 2004"):
        COMMON.parse("0420")
    with pytest.raises(UnknownHex, match=r"columns 01-20, rows 01-16, numbered CCRR"):
        COMMON.parse("0420")


def test_inside_the_engine_a_number_is_exact() -> None:
    assert "0412" in COMMON
    assert "412" not in COMMON
    for ask in (COMMON.neighbours, COMMON.center, COMMON.column_row, COMMON.corners):
        with pytest.raises(UnknownHex, match="'412'"):
            ask("412")


# --- the sheet -------------------------------------------------------------------------------------------------------
def test_short_columns_and_inner_holes_make_the_right_edges() -> None:
    """A sheet whose even columns lack their last hex, and with one hole in the middle."""
    grid = Grid(columns=4, rows=4, holes=("0204", "0404", "0202"))
    assert grid.side("bottom") == ("0104", "0203", "0304", "0403")
    assert grid.side("top") == ("0101", "0201", "0301", "0401")
    assert grid.side("left") == ("0101", "0102", "0103", "0104")
    assert grid.side("right") == ("0401", "0402", "0403")


def test_all_defects_of_a_sheet_are_told_at_once() -> None:
    with pytest.raises(ValidationError) as refusal:
        Grid(columns=100, rows=3, holes=("0104", "0101", "0101"))
    text = str(refusal.value)
    assert "columns 1 to 100 do not fit 2 digits" in text
    assert "hole '0104' is not on the sheet" in text
    assert "hole '0101' is named twice" in text
    with pytest.raises(ValidationError, match="no hex is left"):
        Grid(columns=1, rows=1, holes=("0101",))
    with pytest.raises(ValidationError, match="Extra inputs"):
        Grid.model_validate({"columns": 1, "rows": 1, "colums": 2})


def test_a_grid_is_a_value_that_configuration_can_hold() -> None:
    assert Grid.model_validate_json(canonical(PQ17)) == PQ17
    assert b"_axial" not in canonical(PQ17)
    assert "2101" in COMMON.model_copy(update={"columns": 21})
    assert "2101" not in COMMON
    with pytest.raises(ValidationError):
        COMMON.model_copy(update={"columns": 0})


# --- every convention ------------------------------------------------------------------------------------------------
@given(grids(), st.data())
def test_distance_is_a_metric(grid: Grid, data: st.DataObject) -> None:
    a, b, c = (pick(data.draw, grid) for _ in range(3))
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, b) == grid.distance(b, a)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grids())
def test_neighbours_are_symmetric_and_lie_where_they_are_drawn(grid: Grid) -> None:
    """Two hexes touch exactly if their drawn centers are the root of three apart; nothing lies closer."""
    for one, other in combinations(grid.hexes()[:25], 2):
        apart = dist(grid.center(one), grid.center(other))
        assert apart > 1.7
        touching = isclose(apart, sqrt(3))
        assert (grid.distance(one, other) == 1) == touching
        assert (other in grid.neighbours(one)) == touching
        assert (one in grid.neighbours(other)) == touching
        if touching:
            assert grid.direction_of(other, one) == (grid.direction_of(one, other) + 3) % 6


@given(grids())
def test_directions_point_where_they_say(grid: Grid) -> None:
    turns = ((0, -1), (1, -1), (1, 1), (0, 1), (-1, 1), (-1, -1))
    if grid.orientation == "pointy":
        turns = ((1, -1), (1, 0), (1, 1), (-1, 1), (-1, 0), (-1, -1))
    for name in grid.hexes():
        x, y = grid.center(name)
        for direction, (right, down) in enumerate(turns):
            other = grid.neighbour(name, direction)
            if other is not None:
                other_x, other_y = grid.center(other)
                assert (round(other_x - x, 6) > 0) - (round(other_x - x, 6) < 0) == right
                assert (round(other_y - y, 6) > 0) - (round(other_y - y, 6) < 0) == down
                letters = {-1: "N", 0: "", 1: "S"}[down] + {-1: "W", 0: "", 1: "E"}[right]
                assert grid.compass(name, other) == letters


@given(grids(), st.data())
def test_the_compass_agrees_with_the_drawing(grid: Grid, data: st.DataObject) -> None:
    winds = ("E", "SE", "S", "SW", "W", "NW", "N", "NE")
    one, other = pick(data.draw, grid), pick(data.draw, grid)
    if one != other:
        (x, y), (other_x, other_y) = grid.center(one), grid.center(other)
        eighths = atan2(other_y - y, other_x - x) * 4 / pi
        assert grid.compass(one, other) == winds[round(eighths) % 8]


@given(grids())
def test_neighbouring_hexes_share_the_drawn_side_they_face(grid: Grid) -> None:
    for name in grid.hexes():
        corners = grid.corners(name)
        assert all(isclose(dist(corner, grid.center(name)), 1) for corner in corners)
        width, height = grid.extent
        assert all(-1e-9 <= x <= width + 1e-9 and -1e-9 <= y <= height + 1e-9 for x, y in corners)
        for other in grid.neighbours(name):
            facing = grid.direction_of(name, other)
            shared = {corners[facing], corners[(facing + 1) % 6]}
            assert shared <= {*grid.corners(other)}


@given(grids(with_holes=False))
def test_the_numbers_count_from_the_corner_they_should(grid: Grid) -> None:
    """Rebuild every center from the convention's words: where counting starts, which lines stand aside, which way."""
    x0, y0 = grid.center(grid.number(grid.first, grid.first))
    right = 1 if "left" in grid.origin else -1
    down = 1 if "top" in grid.origin else -1

    def aside(line: int) -> float:
        shifted = (line % 2 == 1) == (grid.stagger == "odd")
        return (0.5 if grid.shift == "away" else -0.5) if shifted else 0.0

    for name in grid.hexes():
        column, row = grid.column_row(name)
        i, j = column - grid.first, row - grid.first
        if grid.orientation == "flat":
            expected = (x0 + right * i * 1.5, y0 + down * sqrt(3) * (j + aside(column) - aside(grid.first)))
        else:
            expected = (x0 + right * sqrt(3) * (i + aside(row) - aside(grid.first)), y0 + down * j * 1.5)
        assert grid.center(name) == pytest.approx(expected)


@given(grids())
def test_numbers_round_trip(grid: Grid) -> None:
    assert list(grid.hexes()) == sorted(grid.hexes())
    for name in grid.hexes():
        column, row = grid.column_row(name)
        assert grid.number(column, row) == name
        assert grid.parse(name) == name
        assert grid.parse(f"{int(name[: grid.digits])}-{int(name[grid.digits :])}") == name


@given(grids(with_holes=False), st.data())
def test_a_line_is_as_long_as_the_distance_and_the_same_way_back(grid: Grid, data: st.DataObject) -> None:
    a, b = pick(data.draw, grid), pick(data.draw, grid)
    way = grid.line(a, b)
    assert (way[0], way[-1], len(way)) == (a, b, grid.distance(a, b) + 1)
    assert all(two in grid.neighbours(one) for one, two in pairwise(way))
    assert grid.line(b, a) == way[::-1]


@given(grids(), st.data())
def test_with_holes_a_line_is_the_shortest_way_there_is(grid: Grid, data: st.DataObject) -> None:
    a, b = pick(data.draw, grid), pick(data.draw, grid)
    steps = {a: 0}
    queue = [a]
    for name in queue:
        for other in grid.neighbours(name):
            if other not in steps:
                steps[other] = steps[name] + 1
                queue.append(other)
    if b in steps:
        way = grid.line(a, b)
        assert len(way) == steps[b] + 1
        assert all(two in grid.neighbours(one) for one, two in pairwise(way))
    else:
        with pytest.raises(NoWay):
            grid.line(a, b)


@given(grids(), st.integers(0, 4), st.data())
def test_within_and_ring_agree_with_distance(grid: Grid, radius: int, data: st.DataObject) -> None:
    a = pick(data.draw, grid)
    assert grid.within(a, radius) == tuple(b for b in grid.hexes() if grid.distance(a, b) <= radius)
    assert grid.ring(a, radius) == tuple(b for b in grid.hexes() if grid.distance(a, b) == radius)


@pytest.mark.parametrize(("grid", "center"), [(COMMON, "1008"), (COMMON, "1108"), (PQ17, "0911"), (PQ17, "1011")])
def test_a_ring_away_from_the_edges_has_six_hexes_a_step(grid: Grid, center: str) -> None:
    for radius in range(1, 7):
        assert len(grid.ring(center, radius)) == 6 * radius


@given(grids(with_holes=False))
def test_a_sheets_sides_are_its_outer_columns_and_rows(grid: Grid) -> None:
    last_column, last_row = grid.first + grid.columns - 1, grid.first + grid.rows - 1
    column_of = {"left": grid.first, "right": last_column}
    row_of = {"top": grid.first, "bottom": last_row}
    if "right" in grid.origin:
        column_of = {"left": last_column, "right": grid.first}
    if "bottom" in grid.origin:
        row_of = {"top": last_row, "bottom": grid.first}
    for side, name in product(SIDES, grid.hexes()):
        column, row = grid.column_row(name)
        assert (name in grid.side(side)) == (column == column_of.get(side) or row == row_of.get(side))
