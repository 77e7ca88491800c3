"""The words that a plain message may be, beside orders."""

import re
from enum import Enum
from string import ascii_letters


class Word(Enum):
    """What somebody asks for in a word."""

    HELP = "help"
    MAP = "map"
    STATUS = "status"
    NEXT = "next"
    ASK = "ask each time"


_SAID: dict[str, Word] = {
    **dict.fromkeys(("help", "hello", "hi", "hey", "start", "commands", "what can i do"), Word.HELP),
    **dict.fromkeys(("map", "the map", "show map", "show me the map"), Word.MAP),
    **dict.fromkeys(("status", "how do things stand", "where are we", "what is going on"), Word.STATUS),
    **dict.fromkeys(("ask each time", "ask me each time", "ask every time", "ask me every time"), Word.ASK),
    **dict.fromkeys(("next", "what next", "what now", "orders", "ready", "done", "show orders"), Word.NEXT),
}
LONGEST_TITLE = 100
"""Letters of a message that may name a campaign."""
LONGEST = max(map(len, _SAID)) + 10


def word_of(text: str) -> Word | None:
    """The word that a text is, in any case and with or without a slash before it or a mark behind it."""
    if len(text) > LONGEST:
        return None
    if text.strip() == "?":
        return Word.HELP
    plain = " ".join(re.sub(r"[^\w\s]", " ", text.casefold().replace("what's", "what is")).split())
    return _SAID.get(plain)


def from_now_on(text: str) -> str:
    """The campaign for which somebody says that they write from now on; empty where they say no such thing."""
    return _behind(text, ("from now on ", "from now on: "))


def map_of(text: str) -> str:
    """The campaign whose map somebody asks for by its name; empty where they do not."""
    return _behind(text, ("map of ", "map "))


def _behind(text: str, beginnings: tuple[str, ...]) -> str:
    said = " ".join(text.split()) if len(text) <= LONGEST_TITLE else ""
    found = next((one for one in beginnings if said.casefold().startswith(one)), "")
    return said[len(found) :].removeprefix("for ") if found else ""


def without_ready(text: str, *, apart: bool = True) -> str:
    """Orders without a last word that says that they are all: being ready is said by a button, once they are saved.

    ``apart``: only one that stands apart, behind a mark or on a line of its own; for any other may belong to an order.
    """
    kept = text.rstrip(" \t\n.!")
    before = kept.rstrip(ascii_letters)
    stands_apart = before.rstrip(" \t")[-1:] in (*";,.\n",) or (not apart and before != before.rstrip())
    is_last_word = stands_apart and kept[len(before) :].casefold() in ("ready", "done")
    return before.rstrip(" \t\n;,") if is_last_word else text
