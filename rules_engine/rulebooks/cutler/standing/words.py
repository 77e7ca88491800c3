"""Cutler's standing orders as players write and read them: ``combat x1.5; run x2; pursue never; counter 10; go on``."""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Literal

from rules_engine.core.basics.rational import parse_rational, show_fraction
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.standing.read_back import FIGURE, as_orders, plain_sentences, sentence, write_figure
from rules_engine.core.standing.words import Clause, FigureWord, Reader, Vocabulary, one_of, read_clauses, single_clause
from rules_engine.rulebooks.cutler.records.parts.standing import (
    MOST_POINTS,
    NO_ORDERS,
    Act,
    CounterOrder,
    Near,
    RoutineOrders,
)

MOST_CHARACTERS = 300
"""Enough for every clause with its longest figure, as it is written back."""
EXAMPLE = "combat x1.5; run x2; pursue never; counter 10; go on"

_SUBJECTS: dict[str, str] = {
    "card": "cards", "cards": "cards", "combat": "cards", "fight": "cards", "bypass": "cards",
    "run": "run", "runs": "run", "escape": "run", "flee": "run", "wave": "run", "waves": "run",
    "pursue": "pursue", "pursues": "pursue", "pursuit": "pursue",
    "flank": "flank", "flanks": "flank", "flanking": "flank",
    "counter": "counter", "counters": "counter", "intelligence": "counter",
    "lodge": "lodge", "lodges": "lodge",
    "land": "land", "lands": "land", "landing": "land", "landings": "land",
    "challenge": "challenge", "challenges": "challenge",
    "cloak": "cloak", "cloaked": "cloak",
    "sortie": "sorties", "sorties": "sorties",
    "transfer": "transfers", "transfers": "transfers",
    "detail": "details", "details": "details",
    "go": "near", "hold": "near", "holds": "near", "plots": "near",
    "ask": "ask",
}  # fmt: skip
_LEGAL = (
    "combat, bypass, run, pursue, flank, counter 10, lodge, land, challenge never, cloak stay, sorties never, "
    "transfers never, details never, go on, hold, each also with ask"
)
_FILLERS = frozenset({"if", "at", "on", "the", "is", "and", "or", "always", "each", "every", "times", "against"})
_EXTRAS = frozenset({"stay", "stays", "show", "shows", "all", "course", "troops", "me", "missions", "mission"})


def _ratio(written: str) -> Fraction | None:
    """A ratio as it is typed; None where it is none, as with nothing under its line."""
    try:
        return parse_rational(written)
    except (ValueError, ZeroDivisionError):
        return None


def _wrong_ratio(ratio: Fraction | None) -> tuple[str, str] | None:
    return None if ratio else ("a ratio is more than nought", "x1.5")


def _number(written: str) -> int:
    return int(written[:6])  # more is too much in any case


_FIGURES = {
    "ratio": FigureWord(
        r"(?:[x×]\s*(?P<ratio>\d{1,6}(?:\.\d{1,6})?(?:/\d{1,6})?)\b)",
        "a ratio",
        _ratio,
        _wrong_ratio,
    ),
    "number": FigureWord(r"(?P<number>\d+)", "a number", _number),
}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_orders(text: str, path: str, *, of_side: bool = False) -> tuple[RoutineOrders, list[Refusal]]:
    """The orders that a text stands for, and every defect of it with the nearest thing meant.

    Clauses are separated by semicolons, commas or lines; a clause that is not mentioned is left to the next layer.
    """
    found, refusals = read_clauses(text, path, _WORDS, of_side=of_side)
    return (NO_ORDERS if refusals else NO_ORDERS.model_copy(update=found)), refusals


def _cards(clause: Clause) -> dict[str, object]:
    clause.allow("ratio")
    fights, passes = clause.has("combat", "fight"), clause.has("bypass")
    if clause.has("ask"):
        return _without_ratio(clause, "cards", "ask", "combat x1.5, or ask")
    if fights == passes:
        clause.refuse("say which card", "combat, bypass, cards ask")
    if passes and clause.is_forbidding:
        clause.refuse("say which card instead", "combat, or cards ask")
    if passes or clause.is_forbidding:
        return _without_ratio(clause, "cards", "never", "combat x1.5, or bypass")
    return {"cards": Act(what="do", ratio=clause.figures.get("ratio"))}


def _act(name: str) -> Reader:
    def read(clause: Clause) -> dict[str, object]:
        clause.allow("ratio")
        what: Literal["ask", "never", "do"] = "do"
        if clause.has("ask"):
            what = "ask"
        elif clause.is_forbidding:
            what = "never"
        if what != "do":
            return _without_ratio(clause, name, what, f"{name}, or {name} {what}")
        return {name: Act(what="do", ratio=clause.figures.get("ratio"))}

    return read


def _without_ratio(clause: Clause, name: str, what: Literal["ask", "never"], legal: str) -> dict[str, object]:
    if "ratio" in clause.figures:
        clause.refuse("a ratio belongs to what it does by itself", legal)
    return {name: Act(what=what)}


def _counter(clause: Clause) -> dict[str, object]:
    clause.allow("number")
    points = clause.figures.get("number")
    if clause.has("ask") or clause.is_forbidding:
        if points is not None:
            clause.refuse("points belong to what it does by itself", "counter 10, counter all, counter ask")
        return {"counter": CounterOrder(what="ask" if clause.has("ask") else "never")}
    if points is None and not clause.has("all"):
        clause.refuse("say how many points, or all", f"counter 1 to counter {MOST_POINTS}, counter all, counter ask")
        return {}
    if points is not None and (clause.has("all") or not 1 <= points <= MOST_POINTS):
        clause.refuse("say how many points, or all", f"counter 1 to counter {MOST_POINTS}, counter all")
        return {}
    return {"counter": CounterOrder(what="do", points=points)}


def _cloak(clause: Clause) -> dict[str, object]:
    clause.allow()
    stays, shows = clause.has("stay", "stays"), clause.has("show", "shows")
    if clause.has("ask"):
        return {"cloak": "ask"}
    if stays == shows or (stays and clause.is_forbidding):
        clause.refuse("say whether it stays or shows itself", "cloak stay, cloak show, cloak ask")
    return {"cloak": "show" if shows and not clause.is_forbidding else "stay"}


def _near(clause: Clause) -> dict[str, object]:
    clause.allow()
    goes, holds = clause.has("go"), clause.has("hold", "holds")
    if clause.has("ask"):
        return {"near": "ask"}
    if goes == holds or clause.is_forbidding:
        clause.refuse("say what it does when something comes near", "go on, hold, ask plots")
    near: Near = "hold" if holds else "go on"
    return {"near": near}


def _ask(clause: Clause) -> dict[str, object]:
    clause.allow()
    clause.refuse("say what to ask about", "cards ask, run ask, pursue ask, flank ask, counter ask, ask plots")
    return {}


_READERS: dict[str, Reader] = {
    "cards": _cards,
    "run": _act("run"),
    "pursue": _act("pursue"),
    "flank": one_of("flank", "flank"),
    "counter": _counter,
    "lodge": one_of("lodge", "course", None),
    "land": one_of("land", "land", may_ask=False),
    "challenge": one_of("challenge", "ask"),
    "cloak": _cloak,
    "sorties": one_of("sorties", "ask"),
    "transfers": one_of("transfers", "ask"),
    "details": one_of("details", "ask"),
    "near": _near,
    "ask": _ask,
}
# --- writing ----------------------------------------------------------------------------------------------------------


def write_orders(orders: RoutineOrders) -> str:
    """The reverse of :func:`read_orders`; empty where nothing is ordered."""
    return "; ".join(clause_of(name, value) for name, value in orders.given.items())


def clause_of(name: str, value: object) -> str:
    """One clause as it is written."""
    if isinstance(value, Act):
        if name == "cards":
            word = {"ask": "cards ask", "never": "bypass", "do": "combat"}[value.what]
        else:
            word = single_clause(name, name if value.what == "do" else value.what)
        return word + (f" x{write_figure(value.ratio)}" if value.ratio is not None else "")
    if isinstance(value, CounterOrder):
        points = "all" if value.points is None else str(value.points)
        return f"counter {points if value.what == 'do' else value.what}"
    if name == "near":
        return "ask plots" if value == "ask" else str(value)
    if name == "lodge":
        return "lodge" if value == "course" else "lodge ask"
    return single_clause(name, str(value))


# --- read back --------------------------------------------------------------------------------------------------------

_PLAIN: dict[str, str] = {
    "In each meeting you are asked for a card.": "cards ask",
    "Its card is bypass.": "bypass",
    "Its card is combat.": "combat",
    "You are asked who runs.": "run ask",
    "Nobody runs.": "run never",
    "All run that can.": "run",
    "You are asked who pursues.": "pursue ask",
    "Nobody pursues.": "pursue never",
    "All pursue that can.": "pursue",
    "You are asked who flanks.": "flank ask",
    "Nobody flanks.": "flank never",
    "All flank that can, in one group.": "flank",
    "You are asked for points against each mission.": "counter ask",
    "No points are used against missions.": "counter never",
    "All points that are left are used against the next mission.": "counter all",
    "You are asked what to lodge when a plot is spied upon.": "lodge ask",
    "When its plot is spied upon, it lodges its course.": "lodge",
    "Troops land only as plotted.": "land never",
    "Troops land on planets of others that it comes to.": "land",
    "You are asked whom to challenge.": "challenge ask",
    "Nobody is challenged.": "challenge never",
    "Under cloak with others, you are asked.": "cloak ask",
    "Under cloak with others, it stays hidden.": "cloak stay",
    "Under cloak with others, it shows itself.": "cloak show",
    "You are asked about sorties.": "sorties ask",
    "No fighters sortie.": "sorties never",
    "You are asked what to move between ships.": "transfers ask",
    "Nothing is moved between ships.": "transfers never",
    "You are asked about details of battles.": "details ask",
    "Details of battles are left as they are filled in.": "details never",
    "You are asked for plots when something is near.": "ask plots",
    "It goes on along its course, whatever is near.": "go on",
    "It holds where it is when something comes near.": "hold",
}
"""Sentences without figures, and the order that each stands for."""
_SAID = {order: said for said, order in _PLAIN.items()}
_OURS = "if we have at least {} times as many units as the others there"
_THEIRS = "if the others have at least {} times as many units as we"
_RATIOS = {
    "cards": f"Its card is combat {_OURS}, else bypass.",
    "run": f"All run that can {_THEIRS}.",
    "pursue": f"All pursue that can {_OURS}.",
}
_POINTS = "Up to {} points are used against each mission."
_RATIO = FIGURE.format("ratio")
_SENTENCES = [
    *(
        (sentence(re.escape(said[:-1]).replace(re.escape("{}"), _RATIO)), {"cards": "combat"}.get(name, name))
        for name, said in _RATIOS.items()
    ),
    (sentence(r"Up to (?P<number>\d+) points? (?:is|are) used against each mission"), "counter"),
    *plain_sentences(_PLAIN),
]
_WRITTEN = {"number": "{}", "ratio": "x{}"}


def orders_said(text: str) -> str:
    """A text in which sentences that were read back stand as the orders that they are; the rest is left as it is."""
    return as_orders(text, _SENTENCES, _WRITTEN)


def say_orders(orders: RoutineOrders) -> str:
    """Orders in plain sentences; clauses without an order are left out."""
    return " ".join(_sentences(orders))


def _sentences(orders: RoutineOrders) -> Iterator[str]:
    for name, value in orders.given.items():
        if isinstance(value, Act) and value.ratio is not None:
            yield _RATIOS[name].format(show_fraction(value.ratio))
        elif isinstance(value, CounterOrder) and value.points is not None:
            said = _POINTS.format(value.points)
            yield said if value.points > 1 else said.replace("points are", "point is")
        else:
            yield _SAID[clause_of(name, value)]


# --- the words of it all ----------------------------------------------------------------------------------------------

_OF_SIDE = ("{} are the race's, not a fleet's", "on the line of standing orders")
_WORDS = Vocabulary(
    subjects=_SUBJECTS,
    readers=_READERS,
    figures=_FIGURES,
    fillers=_FILLERS,
    extras=_EXTRAS,
    legal=_LEGAL,
    example=EXAMPLE,
    only_of_side={
        topic: (_OF_SIDE[0].format(said), _OF_SIDE[1])
        for topic, said in (
            ("counter", "points against missions"),
            ("challenge", "challenges"),
            ("sorties", "orders about sorties"),
            ("transfers", "orders about transfers"),
            ("details", "orders about details"),
        )
    },
    as_written=orders_said,
)
