"""Quotation marks as phones and other languages write them, which protect a text as the plain ones do."""

import re

_CLOSE = {
    "\u201c": "\u201d",
    "\u201d": "\u201d",
    "\u201e": "\u201c\u201d",
    "\u201f": "\u201d",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\uff02": "\uff02",
}
"""By the mark that opens, those that close; a plain one does, too, where there is none of these."""
MARKS = "".join(_CLOSE)

_PLAIN = re.compile(r'"(?:\\.|[^"\\])*"')
_QUOTED = {
    opens: [re.compile(rf"{opens}((?:\\.|[^\\{one}])*)[{one}]") for one in (close, '"')]
    for opens, close in _CLOSE.items()
}
_OPENS = re.compile(rf'["#{MARKS}]')
_INSIDE = re.compile(rf'\\([{MARKS}])|(?<!\\)"')
_MAY_STAND_BEFORE = " \t:;,=(\u00a0"
"""Where a mark opens: one that follows a letter or a figure closes, or means inches."""

LONGEST = 4_000
"""Characters of a line that is looked at; what is longer is not read."""


def with_plain_quotes(row: str) -> str:
    """A line of orders with plain double quotes in the place of such marks, where two of them enclose a text."""
    if len(row) > LONGEST or not any(mark in row for mark in MARKS):
        return row
    made: list[str] = []
    unclosed: set[str] = set()  # a mark that nothing closes is not looked after again: a row of them takes no longer
    at = 0
    while (found := _OPENS.search(row, at)) is not None:
        start = found.start()
        made.append(row[at:start])
        opens, at = row[start], start
        if opens == "#":  # a note
            break
        if opens == '"':
            quoted = _PLAIN.match(row, start)
        elif opens in unclosed or (start and row[start - 1] not in _MAY_STAND_BEFORE):
            quoted = None
        else:
            quoted = next(filter(None, (one.match(row, start) for one in _QUOTED[opens])), None)
            if quoted is None:
                unclosed.add(opens)
        if quoted is None:
            made.append(opens)
            at = start + 1
            continue
        made.append(quoted[0] if opens == '"' else f'"{_INSIDE.sub(_inside, quoted[1])}"')
        at = quoted.end()
    made.append(row[at:])
    return "".join(made)


def _inside(found: "re.Match[str]") -> str:
    """A mark within quotes: one that was escaped stands for itself, and a plain one is escaped."""
    return found[1] or '\\"'
