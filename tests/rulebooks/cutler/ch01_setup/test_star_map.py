"""The map: a ring of equal empires about a core, generated or supplied."""

import pytest

from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.cutler.ch01_setup.planets import has_room
from rules_engine.rulebooks.cutler.ch01_setup.star_map import RADII, StarMap, defects, generated
from tests.expected.kept import Kept


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6, 7])
@pytest.mark.parametrize("turned", range(6))
def test_every_generated_map_is_as_the_rules_have_it(players: int, turned: int) -> None:
    made = generated(players, turned)
    assert defects(made) == []
    assert len(made.empires) == players
    hexes = [one for part in (*made.empires, made.core) for one in part]
    assert sorted(hexes) == list(made.grid.hexes()), "every hex is one empire's or the core's"
    assert all(has_room(made.grid, empire) for empire in made.empires)


@pytest.mark.rule("cutler", "1.1.2")
def test_the_sizes_of_the_smallest_and_the_largest_map() -> None:
    """3 r (r + 1) + 1 hexes within r of the centre. Two players, radius 6: 127, of which 37 are the core; 45 each."""
    made = generated(2, 0)
    assert ([len(empire) for empire in made.empires], len(made.core)) == ([45, 45], 37)
    seven = generated(7, 0)
    assert (sorted(map(len, seven.empires)), len(seven.core)) == ([77] * 6 + [78], 91)
    assert set(RADII) == {2, 3, 4, 5, 6, 7}
    with pytest.raises(ValueError, match="8 players"):
        generated(8, 0)


@pytest.mark.rule("cutler", "1.1.2")
def test_the_borders_turn_and_the_sheet_does_not() -> None:
    one, other = generated(5, 0), generated(5, 1)
    assert one.grid == other.grid
    assert one.core == other.core
    assert set(one.empires) != set(other.empires)


@pytest.mark.rule("cutler", "1.1.2")
@pytest.mark.parametrize(("players", "sixths"), [(2, 3), (3, 2), (6, 1)])
def test_borders_turned_by_a_whole_empire_are_the_same_borders(players: int, sixths: int) -> None:
    """Of two empires each is three sixths of the ring, of three two, of six one; turned by less they are others."""
    empires = [generated(players, turned).empires for turned in range(7)]
    assert [set(one) == set(empires[0]) for one in empires] == [not turned % sixths for turned in range(7)]
    assert [empires[turned][0] == empires[0][1] for turned in range(1, 7)] == [
        turned % 6 == sixths for turned in range(1, 7)
    ]


@pytest.mark.rule("cutler", "1.1.2")
def test_a_generated_map_is_as_wide_as_it_must_be() -> None:
    """Six hexes, the centre and six more: thirteen columns, and a row more, since every other column lies lower. The
    corners of the hexagon are no part of it."""
    grid = generated(2, 0).grid
    assert (grid.columns, grid.rows, len(grid.holes)) == (13, 14, 13 * 14 - 127)
    assert [one in grid for one in ("0104", "0110", "0701", "0713", "1304", "0103", "0111", "0714")] == (
        [True] * 5 + [False] * 3
    )


GRID = Grid(columns=26, rows=13)
COLUMNS = (range(1, 6), range(11, 16), range(6, 11))
STRIPES = tuple(tuple(one for one in GRID.hexes() if int(one[:2]) in columns) for columns in COLUMNS)


def stripes(*empires: tuple[str, ...], core: tuple[str, ...]) -> list[str]:
    return defects(StarMap(grid=GRID, empires=empires, core=core))


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_what_a_supplied_map_has_wrong_is_said() -> None:
    west, east, middle = STRIPES  # five columns of thirteen hexes each: 65; across: 13 rows, or five columns and more
    found = stripes(west, east, core=middle)
    assert "empire 1 borders on 0 others: it should on 1" in found
    assert not any("size" in one or "core has" in one for one in found)
    small = east[:61]  # 61 of 65: six per cent less
    assert any("61 to 65 hexes" in one for one in stripes(west, small, core=middle))
    assert not any("one size" in one for one in stripes(west, east[:62], core=middle)), (
        "62 of 65 are five per cent less"
    )
    assert any("core has 48" in one for one in stripes(west, east, core=middle[:48]))
    assert not any("core has" in one for one in stripes(west, east, core=middle[:49])), "49 of 65 are within a quarter"
    lonely = (*west[:-1], "2613")
    assert any(one == "empire 1 is not in one piece" for one in stripes(lonely, east, core=middle))
    assert any("does not border on the core" in one for one in stripes(west, east, core=("2601", "2602")))
    assert any(
        one.startswith("empire 1 is 5 hexes across")
        for one in stripes(tuple(GRID.within("0505", 2)), east, core=middle)
    )


def column(number: int, rows: int, first: int = 1) -> tuple[str, ...]:
    """A straight row of hexes from north to south."""
    return tuple(f"{number:02}{row:02}" for row in range(first, first + rows))


@pytest.mark.rule("cutler", "1.1.2", "1.1.2.1")
def test_each_fault_of_a_map_is_told_alone(kept: Kept) -> None:
    grid = Grid(columns=26, rows=16)

    def of(*empires: tuple[str, ...], core: tuple[str, ...]) -> list[str]:
        return defects(StarMap(grid=grid, empires=empires, core=core))

    # Three empires side by side have the middle one with two neighbours, and the others with one each.
    for rows in (12, 15):
        whole = of(column(2, rows), column(3, rows), core=column(4, rows))
        assert whole == ["empire 1 does not border on the core"]
    for rows in (11, 16):
        assert of(column(3, rows), column(4, rows), core=(*column(2, rows, 1), *column(5, 1)))[:2] == [
            f"empire {n} is {rows} hexes across: it should be 12 to 15" for n in (1, 2)
        ]
    three = [column(2, 12), column(3, 12), column(4, 12)]
    assert of(*three, core=column(5, 12)) == kept()
    assert of(column(3, 12), column(4, 12), core=(*column(5, 12), *column(2, 3))) == ["the core is not in one piece"]
    assert of(column(3, 12), column(4, 12), core=(*column(5, 12), *column(2, 4)))[0] == kept("#1")
    west, east, middle = STRIPES
    for size, told in ((57, False), (56, True)):  # of sixty, three are five per cent
        found = stripes(west[:60], east[:size], core=middle)
        assert any("within 5 %" in one for one in found) is told
    # A hex apart from all others of its empire counts, too, for how far it is across.
    lonely = of((*column(3, 10), "0313"), column(4, 12), core=column(5, 12))
    assert not any("across" in one for one in lonely)
    assert "empire 1 is not in one piece" in lonely
