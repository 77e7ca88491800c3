"""Which characters a text may hold that somebody sent: one rule, wherever texts come in.

Not those that no database, file or screen keeps as they are: control characters, halves of a character, line ends that
only some programs know, and marks that turn the order of what is shown. A text is refused for them. Marks that nobody
sees, which programs put into what is copied, are dropped instead. A name that maps would show without some of its
letters is refused for them as well.

Ask once the text is a value, after escapes (``\\u0000``) were read: what an escape stands for is in the text only then.
"""

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeVar, cast

_LINES = frozenset("\n\r\t")
_JOINERS = frozenset("\u200c\u200d")
"""They hold some scripts and emoji together."""
_TAGS = range(0xE0020, 0xE0080)
"""They make a flag's emoji that of a part of a country."""
_FLAG = "\U0001f3f4"
_REFUSED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

_UNSEEN = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u202a\u202c\u2060\u2061\u2062\u2063\u2064"
    "\u2066\u2068\u2069\u3164\ufeff\uffa0"
)
"""Marks without width, and letters that are blank. Of those that turn the order of what is shown, only those that do
nothing in a text that runs from left to right: without another, what is read would be another text."""

# --- what is lettered: a test holds the fonts of maps to this
SPELT = {"‑": "-", "‐": "-", "‒": "–", "→": ">", "←": "<", "‛": "'", "⁄": "/"}
"""How characters are drawn that the fonts do not have."""
DRAWN = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x180)))) | frozenset(
    "–—‘’‚“”„†•…′″‹›€™−≈≠≤≥"
)
"""Characters that the fonts have."""
MOST_TOLD = 12
"""Letters of one text that are told."""
LEGAL_LETTERS = "Latin letters, with any accents"

T = TypeVar("T")


def unfit_character(text: str) -> str | None:
    """The first character that the text may not hold, with its place, in words; None if all is well."""
    if text.isprintable():
        return None
    for at, letter in enumerate(text, start=1):
        if not _is_fit(letter):
            name = unicodedata.name(letter, "").lower()
            return f"U+{ord(letter):04X}{f' ({name})' if name else ''}, character {at:,}"
    return None


def without_unfit(text: str) -> str:
    """The text without the characters that it may not hold."""
    return "".join(filter(_is_fit, text))


def without_unseen(text: str) -> str:
    """The text without marks that nobody sees and that change nothing of what is read."""
    if text.isascii():
        return text
    kept: list[str] = []
    before = ""
    for letter in text:
        if not _is_unseen(letter, before):
            kept.append(letter)
            before = letter
    return "".join(kept)


def seen_texts(document: T) -> T:
    """A document of tables, lists and texts, each of its texts and names without marks that nobody sees."""
    if isinstance(document, str):
        return cast(T, without_unseen(document))
    if isinstance(document, Mapping):
        table = cast("Mapping[Any, Any]", document)
        return cast(T, {seen_texts(key): seen_texts(part) for key, part in table.items()})
    if isinstance(document, list):
        return cast(T, [seen_texts(part) for part in cast("list[Any]", document)])
    return document


def unfit_texts(document: object, path: str = "") -> Iterator[tuple[str, str]]:
    """The texts and names in a document that hold what no text may hold: the path of each, and that character."""
    if isinstance(document, str):
        if unfit := unfit_character(document):
            yield path, unfit
    elif isinstance(document, Mapping):
        for key, part in cast("Mapping[object, object]", document).items():
            below = f"{path}.{without_unfit(str(key))}".strip(".")
            if unfit := unfit_character(str(key)):
                yield below, unfit
            yield from unfit_texts(part, below)
    elif isinstance(document, Sequence) and not isinstance(document, bytes):
        for number, part in enumerate(cast("Sequence[object]", document)):
            yield from unfit_texts(part, f"{path}.{number}".strip("."))


def lacking(text: str) -> str:
    """The letters of ``text`` that the fonts cannot draw, not even spelt otherwise, each once; "" if there are none."""
    if text.isascii():
        return ""
    left_out = [
        char
        for char in unicodedata.normalize("NFC", text)
        if char.isalnum() and not any(one in DRAWN for one in SPELT.get(char) or unicodedata.normalize("NFKD", char))
    ]
    return "".join(dict.fromkeys(left_out))


def why_not_drawn(text: str) -> str:
    """Why no map could show a name, with the letters that it has not; empty where maps show it."""
    letters = lacking(text)
    return f"maps have no letters for {' '.join(letters[:MOST_TOLD])}" if letters else ""


def _is_fit(letter: str) -> bool:
    if letter.isprintable() or letter in _LINES or letter in _JOINERS or ord(letter) in _TAGS:
        return True
    code = ord(letter)
    never_a_character = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return not never_a_character and unicodedata.category(letter) not in _REFUSED


def _is_unseen(letter: str, before: str) -> bool:
    if letter in _JOINERS:
        return before.isascii()  # also where nothing stands before it
    if ord(letter) in _TAGS:
        return before != _FLAG and (not before or ord(before) not in _TAGS)
    return letter in _UNSEEN
