"""Reading an order sheet as a person does who was sent the file: names, what may be chosen, what is filled in."""

import re
from dataclasses import dataclass, field


@dataclass
class SheetLine:
    """One line of a sheet: ``legal`` says what each field may be, ``filled`` what stands in it."""

    key: str
    label: str
    legal: dict[str, str] = field(default_factory=dict[str, str])
    filled: str = ""

    def options(self, name: str) -> list[str]:
        """The choices of a field, without the dash that means none."""
        listed = re.sub(r"\s*\(.*?\)|, or - for none|;.*$", "", self.legal.get(name, ""))
        return [one.strip() for one in listed.split(",") if one.strip()]

    @property
    def force(self) -> str:
        """The side that the label names in brackets at its end, if any."""
        found = re.search(r"\(([^()]+)\)$", self.label)
        return found.group(1) if found else ""


def read_lines(text: str) -> list[SheetLine]:
    """The lines of a sheet file."""
    lines: list[SheetLine] = []
    label, legal = "", dict[str, str]()
    above = legal
    for row in text.splitlines():
        if row.startswith("#   ("):  # fields as in the line above
            legal = dict(above)
        elif row.startswith("#   "):
            name, _, rest = row[4:].partition(": ")
            legal[name] = rest
        elif row.startswith("# "):
            label, legal = row[2:], {}
        elif ":" in row:
            key, _, filled = row.partition(":")
            lines.append(SheetLine(key.strip(), label, legal, filled.strip()))
            label, legal, above = "", {}, legal
    return lines
