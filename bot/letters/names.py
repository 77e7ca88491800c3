"""To whom a letter is to go, as people write it: one side, several, or all others."""

import re
from collections.abc import Mapping

from bot.errors import Sorry, there_is
from rules_engine.core.basics.refusals import nearest

MOST_TYPED = 300
"""Characters of what says to whom."""
ALL = "all"

_PARTS = re.compile(r",|&|\band\b", re.IGNORECASE)
MOST_HEAD = 120


class UnknownSide(Sorry):
    """There is no such side to write to; ``near`` are those that may be meant."""

    def __init__(self, text: str, near: tuple[str, ...] = ()) -> None:
        self.near = near
        super().__init__(text, code="unknown-side")


def sides_named(typed: str, others: Mapping[str, str]) -> tuple[str, ...]:
    """The keys of the sides that somebody names, of ``others`` (names by key), in the scenario's order.

    Raises:
        UnknownSide: naming what is no other side, and what there is.
    """
    known = _known(others)
    whole = _plain(typed[:MOST_TYPED])
    if whole == ALL:
        return tuple(others)
    if whole in known:
        return (known[whole],)
    parts = [part for part in map(_plain, _PARTS.split(typed[:MOST_TYPED])) if part]
    for part in parts:
        if part not in known:
            options = [*others.values(), ALL]
            told, near = there_is(part, options), nearest(part, options)
            raise UnknownSide(f"You can write to no side called “{part[:40]}”. {told}", tuple(near))
    if not parts:
        raise UnknownSide(f"To whom? {there_is('', [*others.values(), ALL])}")
    wanted = {known[part] for part in parts}
    return tuple(key for key in others if key in wanted)


def addressed(text: str) -> tuple[str, str] | None:
    """To whom a plain message is addressed, and what follows: ``to Klingons: …``. None if it is not one that is.

    Only what stands in the first line before its first colon counts, so it takes no longer for a longer text.
    """
    head, colon, _ = text.lstrip()[: MOST_HEAD + 1].partition(":")
    first = re.match(r"(?:letter\s+)?to\s+", head, re.IGNORECASE)
    if not colon or "\n" in head or first is None or not head[first.end() :].strip():
        return None
    return head[first.end() :].strip(), text.lstrip()[len(head) + 1 :].strip()


def _known(others: Mapping[str, str]) -> dict[str, str]:
    """Each way to name a side, with its key: the key, the name, the name without its article, and a first word of it
    that no other has."""
    found: dict[str, str] = {}
    firsts: dict[str, list[str]] = {}
    for key, name in others.items():
        plain = _plain(name)
        found |= {_plain(key): key}
        firsts.setdefault(plain.split(" ")[0], []).append(key)
    found |= {word: keys[0] for word, keys in firsts.items() if len(keys) == 1 and word not in found}
    found |= {_plain(name): key for key, name in others.items()}
    plurals = {f"{word}s": key for word, key in found.items() if f"{word}s" not in found}
    return plurals | found


def _plain(text: str) -> str:
    words = " ".join(text.casefold().split())
    return words.removeprefix("the ").strip(" .")
