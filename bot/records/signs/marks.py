"""Signs in texts: how a text holds one until it leaves, and what leaves.

Until a text leaves it holds a sign as a mark between two characters that no text of people's may hold (see
:mod:`rules_engine.core.basics.plain_text`), so that nobody can write one. A mark is as long as the longest that can
become of it: whatever counts the characters of a text counts right.
"""

import re

from bot.records.signs.catalogue import SIGNS

_FIRST, _FILL, _LAST = "\ufff9", ".", "\ufffb"
_MARK = re.compile(rf"{_FIRST}([a-z0-9_]{{2,32}})\.{{0,64}}{_LAST}( ?)")
_TORN = re.compile(rf"{_FIRST}[a-z0-9_]{{0,32}}\.{{0,64}}|\.{{0,64}}{_LAST}")
_SHOWN = re.compile(r"<a?:([A-Za-z0-9_]{2,32}):([0-9]{1,20})>( ?)")
_WRITTEN = re.compile(r"\(([a-z0-9_]{2,28}_pr[0-9]{1,3})()\)( ?)")
_MADE = re.compile(r"([a-z0-9_]{2,28})_pr([0-9]{1,3})")

_LONGEST_ID = 20


def sign(name: str) -> str:
    """The mark of a sign, to be put before the words that say the same; "" for "" and for none that there is."""
    found = SIGNS.get(name)
    if found is None:
        return ""
    longest = len("<::>") + len(found.made_name) + _LONGEST_ID
    return f"{_FIRST}{name}{_FILL * (longest - len(name) - 2)}{_LAST}"


def signed(name: str, words: str) -> str:
    """Words with their sign before them."""
    mark = sign(name)
    return f"{mark} {words}" if mark else words


def signs_in(text: str) -> list[str]:
    """The names of the signs in a text, in their order."""
    return [found[1] for found in _MARK.finditer(text)]


def without_signs(text: str) -> str:
    """The words of a text, which say the same."""
    return _MARK.sub("", text) if _FIRST in text else text


def as_seen(text: str) -> str:
    """A text with each sign as wide as it is seen, about two letters: to reckon how much room it takes."""
    return _MARK.sub(r"MM\2", text) if _FIRST in text else text


def shown(text: str, ids: dict[str, int]) -> str:
    """A text as it leaves: each mark as its emoji, where its name has an id, else as what stands instead of it, and
    emojis of signs that somebody wrote as their names. Takes time in proportion to the text's length."""
    if ids and "<" in text:
        ours = frozenset(ids.values())
        # In brackets, of which no emoji is made together with what stands around it.
        text = _SHOWN.sub(lambda one: f"({one[1]}){one[3]}" if int(one[2]) in ours else one[0], text)
    if _FIRST not in text and _LAST not in text:
        return text

    def emoji(found: re.Match[str]) -> str:
        known = SIGNS.get(found[1])
        if known is None:
            return ""
        if known.name in ids:
            return f"<:{known.made_name}:{ids[known.name]}>{found[2]}"
        return f"{known.instead}{found[2]}" if known.instead else ""

    return _TORN.sub("", _MARK.sub(emoji, text))


def sign_and_version(made_name: str) -> tuple[str, int] | None:
    """The name and the drawing's version of a sign, from the name of its emoji; None if it is no sign's."""
    found = _MADE.fullmatch(made_name)
    return None if found is None else (found[1], int(found[2]))


def bare(text: str) -> str:
    """A text by which a message is known again, whichever of its signs were known when it left: every sign as what
    stands instead of it, and each space as one."""

    def instead(found: re.Match[str]) -> str:
        made = sign_and_version(found[1])
        known = SIGNS.get(made[0]) if made is not None else None
        if made is None:
            return f"({found[1]}){found[3]}"
        return f"{known.instead} " if known is not None and known.instead else ""

    with_marks = shown(text, {})
    return " ".join(_WRITTEN.sub(instead, _SHOWN.sub(instead, with_marks)).split())
