"""Documents that people write, read from their text: every text in them is one that can be kept."""

import tomllib
from collections.abc import Callable
from typing import Any

from rules_engine.core.basics.plain_text import seen_texts, unfit_texts
from rules_engine.core.basics.refusals import Refused, unfit_text


def toml_document(text: str, name: str, *, parse_float: Callable[[str], Any] = float) -> dict[str, Any]:
    """The document of a TOML file of that name. Escapes are read first: what they stand for is looked at, too.

    Raises:
        Refused: naming each key whose text holds a character that no text may hold.
        ValueError: for what is not TOML; besides broken syntax, a whole number of thousands of digits.
        RecursionError: for brackets nested a thousand deep.
    """
    document = seen_texts(tomllib.loads(text.removeprefix("\ufeff"), parse_float=parse_float))
    unfit = [unfit_text(letter, f"{name}.{path}") for path, letter in unfit_texts(document)]
    if unfit:
        raise Refused(unfit)
    return document
