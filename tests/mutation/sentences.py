"""Sentences turned into their opposite: as they stand in the source, escapes, quotes and braces left alone."""

import re
from collections.abc import Iterator

from tests.expected.sections import section_rows
from tests.mutation.changes import Edit

OPPOSITES = section_rows("opposites")
"""Words and what they are turned into; of two that begin at one place the longer is taken."""

DULL = frozenset({"the", "its", "this", "that", "than", "for", "from", "into", "per", "been", "was", "were"})
"""Words that may go without anybody being misled."""

_OPPOSITE: dict[str, str] = dict(OPPOSITES)  # type: ignore[arg-type]
_TURNED = re.compile(
    r"(?<![\w’'-])(" + "|".join(sorted((re.escape(one) for one in _OPPOSITE), key=len, reverse=True)) + r")(?![\w’'-])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w.,:/-])\d+(?![\w.:/-]|,\d)")
_WORD = re.compile(r"(?<![\w’'-])[A-Za-z]{3,}(?![\w’'-])")
_ESCAPE = re.compile(r"\\(?:N\{[^}]*\}|x..|u....|.)", re.DOTALL)
_OPENING = re.compile(r"(?P<prefix>[A-Za-z]{0,2})(?P<quote>\"\"\"|'''|\"|')")


def literal_parts(segment: str) -> Iterator[tuple[int, str]]:
    """The texts of the literals that stand in a row in ``segment``, each with the place where it begins.

    Escapes are blanked out; the expressions of a formatted string are left out."""
    place = 0
    while place < len(segment):
        if segment[place] == "#":
            place = segment.find("\n", place) if "\n" in segment[place:] else len(segment)
            continue
        opening = _OPENING.match(segment, place)
        if opening is None:
            place += 1
            continue
        quote, prefix = opening["quote"], opening["prefix"].lower()
        begin = opening.end()
        end = begin
        while not segment.startswith(quote, end):
            end += 2 if segment[end] == "\\" else 1
        body = segment[begin:end]
        if "r" not in prefix:
            body = _ESCAPE.sub(lambda found: " " * len(found[0]), body)
        yield from _without_expressions(begin, body) if "f" in prefix else [(begin, body)]
        place = end + len(quote)


def _without_expressions(begin: int, body: str) -> Iterator[tuple[int, str]]:
    depth, since, place = 0, 0, 0
    while place < len(body):
        letter = body[place]
        if depth == 0 and body[place : place + 2] in ("{{", "}}"):
            place += 1
        elif letter == "{":
            if depth == 0 and place > since:
                yield begin + since, body[since:place]
            depth += 1
        elif letter == "}":
            depth -= 1
            since = place + 1
        place += 1
    if since < len(body):
        yield begin + since, body[since:]


def is_sentence(segment: str) -> bool:
    """Whether people read it: words with a space between them."""
    words = " ".join(text for _, text in literal_parts(segment))
    parts = [text for _, text in literal_parts(segment)]
    return any(" " in text.strip() or (text != text.strip() and _WORD.search(text)) for text in parts) and bool(
        re.search(r"[a-z]{3,}", words)
    )


def sentence_edits(segment: str) -> list[Edit]:
    """What a sentence can be turned into: opposites and other numbers, or, without any, one word less."""
    telling: list[Edit] = []
    dropping: list[Edit] = []
    for begin, text in literal_parts(segment):
        telling += [_turned(begin, text, found) for found in _TURNED.finditer(text)]
        telling += [
            Edit(begin + found.start(), begin + found.end(), str(int(found[0]) + 1)) for found in _NUMBER.finditer(text)
        ]
        words = (found for found in _WORD.finditer(text) if found[0].lower() not in DULL)
        dropping += [_dropped(begin, text, found) for found in words]
    return telling or dropping


def _turned(begin: int, text: str, found: re.Match[str]) -> Edit:
    after = _OPPOSITE[found[0].lower()]
    if not after:
        return _dropped(begin, text, found)
    if found[0][0].isupper():
        after = after[0].upper() + after[1:]
    return Edit(begin + found.start(), begin + found.end(), after)


def _dropped(begin: int, text: str, found: re.Match[str]) -> Edit:
    start, end = found.span()
    if text[end : end + 1] == " ":
        end += 1
    elif start and text[start - 1] == " ":
        start -= 1
    return Edit(begin + start, begin + end, "")
