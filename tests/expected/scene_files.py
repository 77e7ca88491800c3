"""Files of expected texts: one beside each test module, in a folder `scenes`, with a section for each test.

A section begins with `=== name` and the rules that its test proves in brackets. Lines that begin with `#` are notes for
readers, and stay where they are when the lines around them are written again.
"""

import difflib
from pathlib import Path

from tests.expected.spelling import read_cell, write_cell

HEAD = "=== "
BETWEEN = " | "


def path_beside(module: Path) -> Path:
    """Give the file of expected texts that belongs to a test module."""
    return module.parent / "scenes" / f"{module.stem}.txt"


def is_note(line: str) -> bool:
    """Tell a note for readers, or a blank line, from a line that is compared."""
    return not line.strip() or line.startswith("#")


class SceneFile:
    """The sections of one file. Writing goes straight to the disk, so only one process may do it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.preface: list[str] = []
        self.sections: dict[str, list[str]] = {}
        self.rules: dict[str, str] = {}
        if path.exists():
            self._read(path.read_text(encoding="utf-8").splitlines())

    def _read(self, lines: list[str]) -> None:
        section = self.preface
        for line in lines:
            if not line.startswith(HEAD):
                section.append(line)
                continue
            name, _, rules = line.removeprefix(HEAD).partition("  [")
            assert name not in self.sections, f"{self.path}: {name} stands there twice"
            section = self.sections[name] = []
            self.rules[name] = rules.removesuffix("]")

    def expected(self, name: str) -> list[str]:
        """Give the lines of a section that are compared; none where there is no such section."""
        return [line for line in self.sections.get(name, []) if not is_note(line)]

    def cells(self, name: str) -> list[list[str]]:
        """Take a section apart as a table: a case a line, cells between bars."""
        return [[cell.strip() for cell in line.split(BETWEEN)] for line in self.expected(name)]

    def rows(self, name: str) -> list[list[object]]:
        """Read a section as a table."""
        return [[read_cell(cell) for cell in cells] for cells in self.cells(name)]

    def proved(self, name: str) -> list[list[str]]:
        """Give the rules in a section's heading, each book with its ids: `[cutler 3.8, 3.9; pq17 8.4]`."""
        return [rules.replace(",", " ").split() for rules in self.rules.get(name, "").split(";") if rules.strip()]

    def keep(self, name: str, lines: list[str], rules: str) -> None:
        """Write a section anew. Notes stay before the line that they stood before, if that is still there."""
        self.sections[name] = with_notes(self.sections.get(name, []), lines)
        self.rules[name] = rules
        self._write()

    def keep_cell(self, name: str, row: int, column: int, value: object) -> None:
        """Write one cell of a table anew."""
        places = [place for place, line in enumerate(self.sections[name]) if not is_note(line)]
        cells = self.sections[name][places[row]].split(BETWEEN)
        cells[column] = write_cell(value)
        self.sections[name][places[row]] = BETWEEN.join(cell.strip() for cell in cells)
        self._write()

    def _write(self) -> None:
        rows = _stripped(self.preface)
        for name, lines in self.sections.items():
            head = f"{HEAD}{name}  [{self.rules[name]}]" if self.rules[name] else f"{HEAD}{name}"
            rows += ["", head, *_stripped(lines)] if rows else [head, *_stripped(lines)]
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_text("\n".join(rows) + "\n", encoding="utf-8")


def _stripped(lines: list[str]) -> list[str]:
    text = "\n".join(lines).strip("\n")
    return text.split("\n") if text else []


def with_notes(old: list[str], new: list[str]) -> list[str]:
    """Put the notes of old lines between the new ones, before the line that they stood before."""
    texts = [line for line in old if not is_note(line)]
    notes: dict[int, list[str]] = {}
    count = 0
    for line in old:
        if is_note(line):
            notes.setdefault(count, []).append(line)
        else:
            count += 1
    places = {len(texts): len(new)}
    for tag, first, last, first_new, _ in difflib.SequenceMatcher(a=texts, b=new, autojunk=False).get_opcodes():
        for place in range(first, last):
            places[place] = first_new + (place - first if tag == "equal" else 0)
    kept: dict[int, list[str]] = {}
    for place, found in notes.items():
        kept.setdefault(places[place], []).extend(found)
    return [line for place in range(len(new) + 1) for line in (*kept.get(place, ()), *new[place : place + 1])]
