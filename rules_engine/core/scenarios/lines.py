"""Where in a scenario's files a defect stands: the line of a dotted path, for authors who look for the 41st unit."""

import re
from collections import Counter
from collections.abc import Mapping

TABLE = re.compile(r"^\s*\[\s*([\w.-]+)\s*\]")
ENTRY = re.compile(r"^\s*\[\[\s*([\w.-]+)\s*\]\]")
KEY = re.compile(r"""^\s*["']?([\w-]+)["']?\s*=""")
CLASS_FILES = ("own_ships.toml", "own_ships.csv", "ships.toml", "ships.csv")
"""Files of unit classes; what an earlier one says of a class counts."""


class Lines:
    """The lines of a scenario's files, looked up by the paths of defects."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files
        self._places = {name: _lines(text) for name, text in files.items() if name.endswith(".toml")}

    def place_of(self, path: str) -> str:
        """``(line 12)`` of the file that a path begins with, or ``(ships.toml, line 3)`` of a unit class; or ""."""
        for name in self._places:
            if path.startswith(f"{name}."):
                line = self._line_of(name, path.removeprefix(f"{name}."))
                return f"(line {line})" if line else ""
        first, _, rest = path.partition(".")
        if first == "ships":
            for name in (one for one in CLASS_FILES if one in self._files):
                line = _line_of_class(rest.partition(".")[0], self._files[name])
                if line:
                    return f"({name}, line {line})"
        return ""

    def _line_of(self, name: str, path: str) -> int | None:
        """The line of a path, or of the longest beginning of it that the file names."""
        parts, places = path.split("."), self._places[name]
        beginnings = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        return next((places[one] for one in beginnings if one in places), None)


def _lines(text: str) -> dict[str, int]:
    """The line of each table, entry and key, by path; entries of a list by number."""
    places: dict[str, int] = {}
    counts: Counter[str] = Counter()
    inside = ""
    for number, line in enumerate(text.splitlines(), 1):
        if found := ENTRY.match(line):
            name = _within(found[1], counts)
            inside = f"{name}.{counts[name]}"
            counts[name] += 1
            places.setdefault(name, number)
            places.setdefault(inside, number)
        elif found := TABLE.match(line):
            inside = _within(found[1], counts)
            places.setdefault(inside, number)
        elif found := KEY.match(line):
            places.setdefault(f"{inside}.{found[1]}" if inside else found[1], number)
    return places


def _within(name: str, counts: Mapping[str, int]) -> str:
    """A table's path: ``unit.pods`` is that of the last unit."""
    outer, dot, last = name.rpartition(".")
    return f"{outer}.{counts[outer] - 1}.{last}" if dot and counts.get(outer) else name


def _line_of_class(key: str, text: str) -> int | None:
    said = re.compile(rf'^\s*(class_id\s*=\s*"{re.escape(key)}"|"?{re.escape(key)}"?,)')
    return next((number for number, line in enumerate(text.splitlines(), 1) if said.match(line)), None)
