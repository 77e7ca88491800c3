"""Sentences in which standing orders are read back, taken as orders again: people copy what they are shown."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction

FIGURE = r"(?P<{0}>\d+ \d+/\d+|\d+/\d+|\d+(?:\.\d+)?)(?: \([\d.]+\))?"
"""A figure as it is read back, ``2 1/2 (2.5)``, to be named."""

Sentences = Sequence[tuple[re.Pattern[str], str]]
"""Sentences, and the order that each stands for."""


def plain_sentences(said: Mapping[str, str]) -> list[tuple[re.Pattern[str], str]]:
    """Sentences without figures, each with its full stop, and the order that each stands for."""
    return [(sentence(re.escape(words[:-1])), order) for words, order in said.items()]


def sentence(pattern: str) -> re.Pattern[str]:
    """A sentence with or without its full stop at the end of a text, in whatever case."""
    return re.compile(rf"{pattern}(?:\.|$)", re.IGNORECASE)


def as_orders(text: str, sentences: Sentences, figures: Mapping[str, str]) -> str:
    """A text in which sentences that were read back stand as the orders that they are; the rest is left as it is.

    ``figures`` say how each named figure of a sentence is written in an order, in which order.
    """
    for pattern, order in sentences:
        text = pattern.sub(lambda found, order=order: f"{order}{_figures(found, figures)}; ", text)
    return text


def _figures(found: re.Match[str], figures: Mapping[str, str]) -> str:
    said = {name: value for name, value in found.groupdict().items() if value is not None}
    return "".join(f" {figures[name].format(_one_figure(said[name]))}" for name in figures if name in said)


def _one_figure(written: str) -> str:
    """``2 1/2`` as ``5/2``."""
    whole, _, part = written.partition(" ")
    if not part or "/" not in part:
        return written
    return str(int(whole) + Fraction(part))


def write_figure(value: Fraction) -> str:
    """A figure as it can be typed: ``1.5`` where that is exact, else ``2/3``."""
    tens = value * 100
    return f"{float(value):g}" if tens.denominator == 1 else str(value)


def spoken(orders: Iterable[tuple[str, object]], sayings: Mapping[str, Callable[[object], str]]) -> list[str]:
    """What is said of the clauses that are ordered, each by its name."""
    return [sayings[name](value) for name, value in orders if value is not None and name in sayings]
