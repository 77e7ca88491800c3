"""Words of standing orders that say nothing: each word that is written must matter, or be refused by name.

A word matters if the orders read otherwise without it. Words that belong together, such as ``id2 or better``, are left
out together. Journals of earlier versions hold such words, so this is asked of orders that are sent, and of files.
"""

import re
from collections.abc import Iterator

from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.standing.words import NO_WORDS
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders

_FIGURES = {
    "fuel": r"(?:if\s+)?fuel\s*(?:>=?|over\b|above\b)\s*[\d./]+",
    "ratio": r"(?:at\s+)?[x×]\s*[\d./]+(?:\s+ours\b)?",
    "level": r"(?:(?:at|below)\s+)?id\s*\d+(?:\s+or\s+better\b)?",
    "number": r"\d+",
}
_PHRASES = (
    r"go\s+on",
    r"every\s+steps?",
    r"on\s+contact",
    r"search(?:es)?\s+what\s+appears",
    r"[a-z']+\s+if\s+possible",
    r"power\s+full",
    r"regroup\s+keep",
    r"(?:pursue|pursuit)\s+battle",
    r"settled\s+(?:hexes\s+)?search",
    r"settled\s+hexes",
    r"ask\s+me",
    r"the\s+[a-z']+",
)
_NAMED = [f"(?P<{name}>{pattern})" for name, pattern in _FIGURES.items()]
_UNIT = re.compile("|".join([*_NAMED, rf"\b(?:{'|'.join(_PHRASES)})\b", "[a-z']+"]))
"""A figure, a phrase or a word."""


def idle_words(text: str, path: str, *, of_side: bool = False) -> list[Refusal]:
    """What in standing orders that can be read says nothing; empty for what cannot, which is refused by itself."""
    said = " ".join(text.split()).casefold()
    if not said or said in NO_WORDS or read_orders(text, "", of_side=of_side)[1]:
        return []
    clauses = [" ".join(piece.split()) for piece in re.split(r"[;,\n]", text) if piece.strip()]
    if not clauses:
        return [malformed(f"“{said}” says nothing", path, legal="usual removes the orders")]
    whole = read_orders(text, "", of_side=of_side)
    found: list[Refusal] = []
    for number, clause in enumerate(clauses):
        found += _of_clause(clause.casefold().replace("don't", "dont"), of_side)
        others = [*clauses[:number], *clauses[number + 1 :]]
        if others and read_orders(";".join(others), "", of_side=of_side) == whole:
            found.append(malformed(f"“{clause}” says nothing beside the other orders", legal="; ".join(others)))
    return [one.model_copy(update={"path": path}) for one in found]


def _of_clause(clause: str, of_side: bool) -> Iterator[Refusal]:
    orders = read_orders(clause, "", of_side=of_side)
    meant = write_orders(orders[0])
    idle: list[str] = []
    figures: set[str] = set()
    for unit in _UNIT.finditer(clause):
        kind = unit.lastgroup
        if kind is None:
            if read_orders(f"{clause[: unit.start()]} {clause[unit.end() :]}", "", of_side=of_side) == orders:
                idle.append(unit[0])
        elif kind in figures:
            yield malformed(f"“{clause}” says two figures of one kind, and “{unit[0]}” is the second", legal=meant)
        elif (word := _misread(kind, unit[0], is_attack=orders[0].attack is not None)) is not None:
            yield malformed(f"“{word}” cannot be said so in “{clause}”", legal=meant)
        figures |= {kind} if kind is not None else set()
    if idle:
        words = ", ".join(f"“{word}”" for word in dict.fromkeys(idle))
        yield malformed(f"{words} {verb(len(set(idle)), 'says', 'say')} nothing in “{clause}”", legal=meant)


def _misread(kind: str, figure: str, *, is_attack: bool) -> str | None:
    """The word of a figure that would be read as something else than it says: ``fuel>=10`` is no ``fuel>10``, attacks
    are made at a level or better, searches below one."""
    if kind == "fuel" and ">=" in figure:
        return ">="
    if kind == "level":
        wrong = ("below",) if is_attack else ("at", "better")
        return next((word for word in wrong if word in figure.split()), None)
    return None
