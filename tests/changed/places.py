"""Where a change stands in the text whose lines were recorded, which may be older or newer than the change."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from tests.changed.pieces import Piece, Pieces


@dataclass(frozen=True)
class Place:
    """A line of the recorded text that the change touches, and its statement. `mutation.selecting` takes it."""

    path: str
    line: int
    reach: range
    in_function: bool
    names: tuple[str, ...]


class _Version:
    """A text, its rows, and where its rows stand in the recorded text."""

    def __init__(self, text: str, recorded: str) -> None:
        self.rows, self.pieces = text.splitlines(), Pieces(text)
        self._blocks = _blocks(self.rows, recorded.splitlines())

    def stand(self, rows: range) -> tuple[set[int], list[int]]:
        """Give the recorded lines (from 1) of rows (from 0), and the gaps that the others fall into.

        A gap is the number of the line before it."""
        lines: set[int] = set()
        gaps: list[int] = []
        for tag, first, last, there, end in self._blocks:
            low, high = max(first, rows.start), min(last, rows.stop)
            if tag == "equal" and low < high:
                lines |= {row - first + there + 1 for row in range(low, high)}
            elif tag == "equal" and not rows and first <= rows.start <= last:
                gaps.append(rows.start - first + there)
            elif tag != "equal" and (low < high or (not rows and first < rows.start < last)):
                lines |= set(range(there + 1, end + 1))
                gaps += [there] if there == end else []
        return lines, gaps

    def code(self, rows: range) -> list[Piece | None]:
        """Give the statements of these rows; None for a line of code in a text that cannot be parsed."""
        return [self.pieces.at(row + 1) for row in rows if self.pieces.is_code(row + 1)]


def places(path: str, before: str, after: str, recorded: str) -> list[Place]:
    """Give the places of the recorded text that differ between two texts. A change of comments touches none."""
    old, new, known = _Version(before, recorded), _Version(after, recorded), Pieces(recorded)
    found: dict[Piece, Place] = {}
    imports: dict[Piece, Place] = {}
    named: set[tuple[str, ...]] = set()
    for tag, first, last, there, end in _blocks(old.rows, new.rows):
        if tag == "equal":
            continue
        changed = [*old.code(range(first, last)), *new.code(range(there, end))]
        for line in _lines(old, range(first, last), new, range(there, end), known) if changed else ():
            piece = known.at(line)
            if piece is not None:
                place = Place(path, line, piece.reach, piece.in_function, piece.names)
                (imports if piece.kind == "import" else found).setdefault(piece, place)
        made = (piece for piece in changed if piece is not None and piece.kind == "code" and not piece.in_function)
        named |= {piece.names for piece in made if piece.names}
    # What is new stands nowhere in the recorded text, but other code may name it already.
    new_names = sorted(named - {place.names for place in found.values()})
    by_name = [Place(path, 0, range(0), False, names) for names in new_names]
    return [*found.values(), *by_name] or [*imports.values()]


def whole(path: str, recorded: str) -> Place:
    """Give the place of a file that came, went or was renamed: all of it."""
    return Place(path, 0, range(1, len(recorded.splitlines()) + 1), True, ())


def _lines(old: _Version, removed: range, new: _Version, added: range, known: Pieces) -> Iterator[int]:
    """Give the recorded lines of code that a change touches, or else those beside it in the same functions."""
    lines: set[int] = set()
    gaps: list[int] = []
    for version, rows in ((old, removed), (new, added)):
        stand, between = version.stand(rows)
        lines |= {line for line in stand if known.is_code(line)}
        gaps += [*between, *sorted(line for line in stand if not known.is_code(line))]
    if lines:
        yield from sorted(lines)
        return
    belongs = {piece.belongs if piece else None for piece in (*old.code(removed), *new.code(added))}
    for gap in gaps:
        for line in known.code_around(gap, gap + 1):
            piece = known.at(line)
            if piece is not None and (piece.belongs in belongs or None in belongs):
                yield line


def _blocks(rows: list[str], others: list[str]) -> list[tuple[str, int, int, int, int]]:
    return SequenceMatcher(a=rows, b=others, autojunk=False).get_opcodes()
