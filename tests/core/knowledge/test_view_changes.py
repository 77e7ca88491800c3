"""What a reader sees differently, said line by line."""

from typing import Any

from rules_engine.core.basics.base import Outsider, SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.view_changes import changes, shortened_lines, table_changes
from rules_engine.core.knowledge.views import Board, Counter, Course, HexNote, Panel
from tests.expected.kept import Kept


def board(**parts: Any) -> Board:
    sides = (SideLabel(key="red", name="Red", emblem="R"),)
    when = When(turn=1)
    return Board(
        campaign="C", rulebook="b", heading="Turn 1", when=when, sides=sides, grid=Grid(columns=9, rows=9)
    ).model_copy(update=parts)


def counter(**parts: Any) -> Counter:
    return Counter(**{"id": "A1", "hex": "0404", "owner": "red", "label": "A1 Dawn", **parts})


def test_the_same_says_nothing() -> None:
    one = board(counters=(counter(),), panels=(Panel(title="Forces", rows=("a", "b")),))
    assert changes(one, one) == ()


def test_counters_move_come_go_and_change(kept: Kept) -> None:
    before = board(counters=(counter(), counter(id="A2", label="A2")))
    after = board(counters=(counter(hex="0505", details=("CA",)), counter(id="A3", label="A3", hex="0101")))
    assert changes(before, after) == kept()
    assert changes(board(counters=(counter(),)), board(counters=(counter(label="A1 Dusk", sub="x"),))) == (
        "A1 Dusk, name: “A1 Dawn” is now “A1 Dusk”",
        "A1 Dusk, note: “” is now “x”",
    )


def test_owners_are_named(kept: Kept) -> None:
    beasts = (Outsider(key="monsters", name="Beasts of the Rim", emblem="B"),)
    before = board(counters=(counter(),), hexes=(HexNote(hex="0101"),))
    after = board(
        outsiders=beasts, counters=(counter(owner="monsters"),), hexes=(HexNote(hex="0101", owner="monsters"),)
    )
    assert changes(before, after) == kept()


def test_rows_of_panels_stand_side_by_side() -> None:
    before = board(panels=(Panel(title="Forces", rows=("ships 5", "points 0")), Panel(title="Old", rows=("x",))))
    after = board(panels=(Panel(title="Forces", rows=("ships 3", "points 0", "more")), Panel(title="Old")))
    assert changes(before, after) == ("Forces: “ships 5” is now “ships 3”", "Forces: “more” is new", "Old: “x” is gone")


def test_the_same_said_in_two_panels_is_said_once() -> None:
    before = board(panels=(Panel(title="Forces", rows=("  ships 5",)), Panel(title="Stores", rows=("ships 5",))))
    after = board(panels=(Panel(title="Forces", rows=("  ships 3",)), Panel(title="Stores", rows=("ships 3",))))
    assert changes(before, after) == ("Forces: “ships 5” is now “ships 3”",)


def test_hexes_courses_and_the_heading(kept: Kept) -> None:
    before = board(
        hexes=(HexNote(hex="0101", name="Haven"),), courses=(Course(counter="A1", kind="route", hexes=("0404",)),)
    )
    after = board(hexes=(HexNote(hex="0101", name="Haven", owner="red"),), heading="Turn 2")
    assert changes(before, after) == kept()


def test_tables_row_by_row() -> None:
    def table(*rows: tuple[str, ...]) -> SideTable:
        return SideTable(key="k", title="Stores", columns=("a", "b"), rows=rows)

    assert table_changes([table(("fuel", "3"))], [table(("fuel", "4"))]) == ("Stores: “fuel | 3” is now “fuel | 4”",)
    assert table_changes([], [table(("fuel", "4"))]) == ("Stores: “fuel | 4” is new",)


def test_long_lists_are_cut_and_counted() -> None:
    assert shortened_lines(["abcdef", "b", "c"], 2, 4) == ("abc…", "b", "… and 1 more")
    assert shortened_lines(["a"], 2, 4) == ("a",)
