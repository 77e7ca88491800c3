"""Changed lines are found in the text that was recorded, be it older or newer than the change."""

from pathlib import Path

from tests.changed.pieces import Pieces
from tests.changed.places import Place, places, whole
from tests.expected.kept import cases

TEXT = (Path(__file__).parent / "fleets.txt").read_text(encoding="utf-8")


def moved(text: str) -> str:
    """Put more before the text, as somebody else's change does."""
    return "import os\nimport sys\n\nMORE = 1\n" + text


def lines(after: str, before: str = TEXT, recorded: str = TEXT) -> list[int]:
    """Give the recorded lines that a change touches."""
    return sorted(place.line for place in places("a.py", before, after, recorded))


def changed(old: str, new: str) -> str:
    """Change the text in one place."""
    assert TEXT.count(old) == 1
    return TEXT.replace(old, new)


def line_of(row: str) -> int:
    """Give the number of the line that reads so, apart from what it is indented by."""
    (found,) = (number for number, line in enumerate(TEXT.splitlines(), 1) if line.strip() == row)
    return found


def place_of(old: str, new: str) -> Place:
    """Give the one place that a change touches."""
    (place,) = places("a.py", TEXT, changed(old, new), TEXT)
    return place


@cases("old, new, row", "")
def test_changed_line_is_found_in_each_recorded_version(old: str, new: str, row: str) -> None:
    after, line = changed(old, new), line_of(row)
    assert line in lines(after)
    assert line in lines(TEXT, before=after)
    assert line + 4 in lines(after, recorded=moved(TEXT))


def test_each_line_is_found_when_two_are_added_or_removed() -> None:
    after = changed("            self.log()\n        return far\n", "")
    both = [line_of("self.log()"), line_of("return far")]
    assert lines(after) == lines(TEXT, before=after) == both


def test_lines_that_moved_since_they_were_recorded_are_the_only_ones_found() -> None:
    after = changed("return 0", "return 1")
    assert lines(moved(after), before=moved(TEXT)) == [line_of("return 0")]
    assert lines(after, recorded=moved(TEXT)) == [line_of("return 0") + 4]


def test_added_statement_touches_no_other_function() -> None:
    assert lines(changed("        return far\n", "        return far\n        self.rest()\n")) == [
        line_of("return far")
    ]
    after = changed("def rest(fleet):\n", "def rest(fleet):\n    fleet.stop()\n")
    assert lines(after) == [line_of("while fleet.tired:")]


def test_statement_is_known_by_what_reaches_it() -> None:
    first, last = line_of("return 0"), line_of("return 0") + 1
    assert place_of("return 0", "return 1") == Place("a.py", first, range(first, last), True, ("Fleet", "sail"))
    head = place_of("far: int)", "far: float)")
    function = range(line_of('@rule("1.1")'), line_of("return far") + 1)
    assert (head.reach, head.in_function, head.names) == (function, False, ("sail",))
    table = place_of("    1,\n", "    9,\n")
    assert (table.reach, table.in_function, table.names) == (range(5, 9), False, ("ROWS",))
    model = place_of("speed: int = 3", "speed: int = 4")
    assert (model.line, model.names) == (line_of("speed: int = 3"), ("Fleet", "speed"))


def test_new_function_and_new_table_are_known_by_name() -> None:
    found = places("a.py", TEXT, f"{TEXT}\n\ndef new(a):\n    return a\n\n\nTABLE = (1, 2)\n", TEXT)
    assert [(place.line, place.names) for place in found] == [(0, ("TABLE",)), (0, ("new",))]


@cases("old, new", "")
def test_comment_or_docstring_touches_nothing(old: str, new: str) -> None:
    assert lines(changed(old, new)) == []


def test_code_in_place_of_a_comment_touches_the_function_around_it() -> None:
    after = changed("# The wind decides.", "far = min(far, 9)")
    assert lines(after) == [line_of("if far > self.speed:")]


def test_import_counts_when_nothing_else_changed() -> None:
    after = changed("import SPEEDS", "import SPEEDS, SIZES")
    assert lines(after) == [line_of("from tables import SPEEDS")]
    assert lines(after.replace("return 0", "return SIZES[0]")) == [line_of("return 0")]


def test_text_that_cannot_be_parsed_is_compared_by_its_lines() -> None:
    assert line_of("return 0") in lines(changed("            return 0\n", "            return (0\n"))


def test_file_that_came_or_went_is_one_place() -> None:
    assert whole("a.py", "a = 1\nb = 2\n") == Place("a.py", 0, range(1, 3), True, ())


def test_line_of_else_belongs_to_the_statement_after_it() -> None:
    piece = Pieces(TEXT).at(line_of("else:"))
    assert piece is not None
    assert list(piece.lines) == [line_of("self.log()")]
