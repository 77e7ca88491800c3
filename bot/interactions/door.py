"""The door: every text that somebody sends is looked at here before anything is made of it."""

from collections.abc import Iterator, Mapping
from typing import Any

from bot.errors import Sorry
from rules_engine.core.basics.plain_text import unfit_character, without_unfit

MOST_TEXTS = 2_000
"""More texts than any command, press or form holds."""
MOST_SHOWN = 1_200
"""Characters of a long text that are given back to be sent again."""
WORTH_GIVING_BACK = 30


def check_texts(data: Mapping[str, Any]) -> None:
    """Refuse what an interaction brings if a text in it holds a character that no text may hold.

    Raises:
        Sorry: saying which character, and giving a long text back without it.
    """
    for number, text in enumerate(_texts(data)):
        if number >= MOST_TEXTS:
            raise Sorry("That is more than any form here holds.", code="too-many-texts")
        check_text(text)


def check_text(text: str) -> None:
    """Refuse a text that holds a character that no text may hold.

    Raises:
        Sorry: as :func:`check_texts`.
    """
    unfit = unfit_character(text)
    if unfit is None:
        return
    again = ""
    if len(text) >= WORTH_GIVING_BACK:
        rest = without_unfit(text).strip().replace("`", "ˋ")
        shown = f"{rest[:MOST_SHOWN]}{'…' if len(rest) > MOST_SHOWN else ''}"
        again = f" Without such characters it reads:\n```\n{shown}\n```"
    said = f"Nothing was changed: that text holds a character that cannot be kept, {unfit}. Leave it out.{again}"
    raise Sorry(said, code="character")


def _texts(data: Mapping[str, Any]) -> Iterator[str]:
    """Every text in what was sent; what people and channels are called is Discord's own (``resolved``)."""
    left: list[Any] = [data]
    while left:
        match left.pop():
            case str(text):
                yield text
            case {**parts}:
                left += [part for key, part in parts.items() if key != "resolved"]
            case [*parts]:
                left += parts
            case _:
                continue
