"""The door: every text that somebody sends is looked at here before anything is made of it."""

from collections.abc import Mapping
from typing import Any, cast

from bot.errors import Sorry
from rules_engine.core.basics.plain_text import unfit_character, without_unfit, without_unseen

MOST_TEXTS = 2_000
"""More texts than any command, press or form holds."""
MOST_SHOWN = 1_200
"""Characters of a long text that are given back to be sent again."""
WORTH_GIVING_BACK = 30


def take_texts(data: Mapping[str, Any]) -> None:
    """Make the texts that an interaction brings fit to be kept, where they stand: without marks that nobody sees.

    What people and channels are called is Discord's own (``resolved``), and is left alone.

    Raises:
        Sorry: when a text holds a character that no text may hold, saying which, and giving a long text back without.
    """
    left: list[Any] = [data]
    number = 0
    while left:
        part = left.pop()
        for place in _places(part):
            one = part[place]
            if isinstance(one, dict | list):
                left.append(one)
            elif isinstance(one, str):
                number += 1
                if number > MOST_TEXTS:
                    raise Sorry("That is more than any form here holds.", code="too-many-texts")
                part[place] = fit_text(one)


def _places(part: Any) -> list[Any]:
    """The keys of a table, or the places in a list, at which there may be something that was sent."""
    if isinstance(part, dict):
        return [key for key in cast("dict[str, Any]", part) if key != "resolved"]
    return [*range(len(part))]


def fit_text(text: str) -> str:
    """A text that somebody sent, without marks that nobody sees.

    Raises:
        Sorry: as :func:`take_texts`.
    """
    text = without_unseen(text)
    unfit = unfit_character(text)
    if unfit is None:
        return text
    again = ""
    if len(text) >= WORTH_GIVING_BACK:
        rest = without_unfit(text).strip().replace("`", "ˋ")
        shown = f"{rest[:MOST_SHOWN]}{'…' if len(rest) > MOST_SHOWN else ''}"
        again = f" Without such characters it reads:\n```\n{shown}\n```"
    said = f"Nothing was changed: that text holds a character that cannot be kept, {unfit}. Leave it out.{again}"
    raise Sorry(said, code="character")
