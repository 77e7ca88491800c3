"""Standing orders as players write and read them: ``search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw``."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Literal, cast

from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.standing.read_back import write_figure
from rules_engine.core.standing.words import Clause, FigureWord, Reader, Vocabulary, one_of, read_clauses, single_clause
from rules_engine.rulebooks.pq17.orders.standing_read_back import orders_said
from rules_engine.rulebooks.pq17.records.standing_orders import (
    MOST_PROBES,
    NO_ORDERS,
    AttackOrder,
    Move,
    Pursuit,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
)

MOST_CHARACTERS = 200
EXAMPLE = "search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw"

_SUBJECTS: dict[str, str] = {
    "search": "search", "searches": "search", "recon": "search",
    "shadow": "shadow", "shadows": "shadow", "shadowing": "shadow",
    "probe": "probes", "probes": "probes",
    "attack": "attack", "attacks": "attack",
    "raid": "raid", "raids": "raid", "sweep": "sweep", "sweeps": "sweep",
    "withdraw": "withdraw", "withdrawal": "withdraw", "evade": "withdraw",
    "hold": "hold", "stay": "hold",
    "go": "go", "move": "moves", "moves": "moves", "plots": "moves",
    "pursue": "pursue", "pursuit": "pursue",
    "power": "power", "regroup": "regroup", "settled": "settled", "ask": "ask",
}  # fmt: skip
_LEGAL = (
    "search, shadow, probes 1, attack id2 x1.5, raid, sweep, withdraw, hold, go on, pursue, power full, regroup keep, "
    "ask on contact, ask every step"
)
_FILLERS = frozenset(
    {"if", "at", "or", "better", "on", "the", "what", "appears", "possible", "is", "and", "every", "once"}
)


def _wrong_ratio(ratio: Fraction) -> tuple[str, str] | None:
    return ("a ratio is more than nought", "x1.5") if ratio == 0 else None


def _wrong_level(level: int) -> tuple[str, str] | None:
    return ("a level is ID0 to ID3", "id0, id1, id2, id3") if level > 3 else None


_FIGURES = {
    "fuel": FigureWord(r"fuel\s*(?:>=?|over|above)\s*(?P<fuel>\d+(?:\.\d+)?(?:/\d+)?)", "fuel", parse_rational),
    "ratio": FigureWord(
        r"(?:[x×]\s*(?P<ratio>\d+(?:\.\d+)?(?:/\d+)?)\b)",
        "a ratio",
        parse_rational,
        _wrong_ratio,
    ),
    "level": FigureWord(
        r"\bid\s*(?P<level>\d+)\b",
        "a level",
        int,
        _wrong_level,
    ),
    "number": FigureWord(r"(?P<number>\d+)", "a number", int),
}

# --- reading ----------------------------------------------------------------------------------------------------------


def read_orders(text: str, path: str, *, of_side: bool = False) -> tuple[StandingClauses, list[Refusal]]:
    """The orders that a text stands for, and every defect of it with the nearest thing meant.

    Clauses are separated by semicolons, commas or lines; a clause that is not mentioned is left to the next layer.
    """
    found, refusals = read_clauses(text, path, _WORDS, of_side=of_side)
    return NO_ORDERS.model_copy(update=found), refusals


def _as_written(text: str) -> str:
    return orders_said(text.removeprefix("All task forces: "))


def _search(clause: Clause) -> dict[str, object]:
    clause.allow("fuel", "level")
    what = cast('Literal["ask", "never", "search"]', _what(clause, "search"))
    below = clause.figures.get("level")
    if below == 0:
        clause.refuse("nothing is below ID0 but U; say below id1", "below id1, below id2, below id3")
    keep = clause.figures.get("fuel")
    return {"search": SearchOrder(what=what, below=3 if below is None else below, keep=keep)}


def _shadow(clause: Clause) -> dict[str, object]:
    clause.allow("fuel")
    if clause.has("ask"):
        clause.refuse("shadowing is declared with a search", "shadow, no shadow, search ask")
    keep = clause.figures.get("fuel")
    return {"shadow": ShadowOrder(what="never" if clause.is_forbidding else "shadow", keep=keep)}


def _attack(clause: Clause) -> dict[str, object]:
    clause.allow("fuel", "level", "ratio")
    what = cast('Literal["ask", "never", "attack"]', _what(clause, "attack"))
    ratio, keep, level = (clause.figures.get(name) for name in ("ratio", "fuel", "level"))
    if ratio is not None and level == 0:
        clause.refuse("movement costs are not known at ID0", "attack id1 x1.5")
    if level is None:
        level = 1 if ratio is not None else 0
    bases = clause.has("bases", "base")
    return {"attack": AttackOrder(what=what, level=level, ratio=ratio, keep=keep, bases=bases)}


def _what(clause: Clause, act: str) -> str:
    what = "ask" if clause.has("ask") else "never" if clause.is_forbidding else act
    if what != act and {"fuel", "level", "ratio"} & clause.figures.keys():
        clause.refuse("conditions belong to what it does by itself", f"{act}, or {act} {what}")
    return what


def _probes(clause: Clause) -> dict[str, object]:
    clause.allow("number")
    if clause.is_forbidding:
        return {"probes": 0}
    number = clause.figures.get("number")
    if number is None or number > MOST_PROBES:
        clause.refuse("say how many probes a successful search may spend", f"probes 0 to probes {MOST_PROBES}")
        return {}
    return {"probes": number}


def _moves(move: Move) -> Reader:
    def read(clause: Clause) -> dict[str, object]:
        clause.allow()
        if clause.has("ask"):
            return {"move": "ask"}
        if clause.is_forbidding or move == "ask":
            problem = "say what it does instead" if clause.is_forbidding else "say how it moves"
            clause.refuse(problem, "withdraw, hold, go on, ask moves")
        return {"move": move}

    return read


def _pursue(clause: Clause) -> dict[str, object]:
    clause.allow()
    pursuit: Pursuit = "battle"
    if clause.has("ask"):
        pursuit = "ask"
    elif clause.is_forbidding:
        pursuit = "never"
    elif clause.has("shadow"):
        pursuit = "shadow"
    return {"pursue": pursuit}


def _ask(clause: Clause) -> dict[str, object]:
    clause.allow()
    if clause.has("step", "steps"):
        return {"asks": "steps"}
    if clause.has("contact"):
        return {"asks": "contact"}
    return {"search": SearchOrder(what="ask"), "attack": AttackOrder(what="ask"), "move": "ask"}


_EXTRAS = frozenset({
    "below", "bases", "base", "contact", "step", "steps", "full", "keep", "battle", "fuel", "me", "all", "route",
    "hexes", "us", "ours",
})  # fmt: skip
_READERS: dict[str, Reader] = {
    "search": _search,
    "shadow": _shadow,
    "probes": _probes,
    "attack": _attack,
    "withdraw": _moves("withdraw"),
    "hold": _moves("hold"),
    "go": _moves("go on"),
    "moves": _moves("ask"),
    "pursue": _pursue,
    "raid": one_of("raid", "raid"),
    "sweep": one_of("sweep", "sweep"),
    "power": one_of("power", "full", None),
    "regroup": one_of("regroup", "keep", "keep"),
    "settled": one_of("settled", "search", may_ask=False),
    "ask": _ask,
}
_WORDS = Vocabulary(
    subjects=_SUBJECTS,
    readers=_READERS,
    figures=_FIGURES,
    fillers=_FILLERS,
    extras=_EXTRAS,
    legal=_LEGAL,
    example=EXAMPLE,
    only_of_side={"settled": ("settled hexes are the side's, not a task force's", "on the line of the whole side")},
    as_written=_as_written,
)


# --- writing ----------------------------------------------------------------------------------------------------------


def write_orders(orders: StandingClauses | None) -> str:
    """The reverse of :func:`read_orders`; empty where nothing is ordered."""
    return "; ".join(_clauses(orders)) if orders is not None else ""


def _clauses(orders: StandingClauses) -> Iterator[str]:
    if orders.asks is not None:
        yield "ask on contact" if orders.asks == "contact" else "ask every step"
    if orders.search is not None:
        yield search_clause(orders.search)
    if orders.shadow is not None:
        yield shadow_clause(orders.shadow)
    if orders.probes is not None:
        yield f"probes {orders.probes}"
    if orders.attack is not None:
        yield attack_clause(orders.attack)
    for name, act in (("raid", orders.raid), ("sweep", orders.sweep)):
        if act is not None:
            yield single_clause(name, act)
    if orders.move is not None:
        yield move_clause(orders.move)
    if orders.pursue is not None:
        yield f"pursue {orders.pursue}"
    for name in ("power", "regroup", "settled"):
        value = getattr(orders, name)
        if value is not None:
            yield f"{name} {value}"


def search_clause(order: SearchOrder) -> str:
    """A search order as it is written."""
    below = f" below id{order.below}" if order.below < 3 else ""
    return f"search{below}{_fuel(order.keep)}" if order.what == "search" else f"search {order.what}"


def shadow_clause(order: ShadowOrder) -> str:
    """A shadowing order as it is written."""
    return f"shadow{_fuel(order.keep)}" if order.what == "shadow" else "shadow never"


def attack_clause(order: AttackOrder) -> str:
    """An attack order as it is written."""
    if order.what != "attack":
        return f"attack {order.what}"
    ratio = f" x{_figure(order.ratio)}" if order.ratio is not None else ""
    return f"attack id{order.level}{ratio}{_fuel(order.keep)}{' bases' if order.bases else ''}"


def move_clause(move: Move) -> str:
    """A movement order as it is written."""
    return "ask moves" if move == "ask" else move


def _fuel(keep: Fraction | None) -> str:
    return f" fuel>{_figure(keep)}" if keep is not None else ""


@rule("1.5")
def _figure(value: Fraction) -> str:
    """A figure as it can be typed: ``1.5`` where that is exact, else ``2/3``."""
    return write_figure(value)
