"""Which characters a text may hold that somebody sent: one rule, wherever texts come in.

Not those that no database, file or screen keeps as they are: control characters, halves of a character, line ends that
only some programs know, and marks that turn the order of what is shown.
"""

import unicodedata

_LINES = frozenset("\n\r\t")
_JOINERS = frozenset("\u200c\u200d")
"""They hold some scripts and emoji together."""
_TAGS = range(0xE0020, 0xE0080)
"""They make a flag's emoji that of a part of a country."""
_REFUSED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def unfit_character(text: str) -> str | None:
    """The first character that the text may not hold, with its place, in words; None if all is well."""
    for at, letter in enumerate(text, start=1):
        if not _is_fit(letter):
            name = unicodedata.name(letter, "").lower()
            return f"U+{ord(letter):04X}{f' ({name})' if name else ''}, character {at:,}"
    return None


def without_unfit(text: str) -> str:
    """The text without the characters that it may not hold."""
    return "".join(filter(_is_fit, text))


def _is_fit(letter: str) -> bool:
    if letter.isprintable() or letter in _LINES or letter in _JOINERS or ord(letter) in _TAGS:
        return True
    code = ord(letter)
    never_a_character = code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF
    return not never_a_character and unicodedata.category(letter) not in _REFUSED
