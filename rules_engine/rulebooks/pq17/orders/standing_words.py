"""Standing orders as players write and read them: ``search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw``."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, cast

from rules_engine.core.basics.rational import parse_rational
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.basics.rules import rule
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
NO_WORDS = ("side", "as side", "usual")
"""Texts that remove orders, so that the next layer decides again."""

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
_FORBIDDING = {"no", "not", "never", "dont", "without"}
_FILLERS = {"if", "at", "or", "better", "on", "the", "what", "appears", "possible", "is", "and", "every", "once"}
_TOKEN = re.compile(
    r"fuel\s*(?:>=?|over|above)\s*(?P<fuel>\d+(?:\.\d+)?(?:/\d+)?)"
    r"|(?:[x×]\s*(?P<ratio>\d+(?:\.\d+)?(?:/\d+)?)\b)"
    r"|\bid\s*(?P<level>\d+)\b"
    r"|(?P<number>\d+)"
    r"|(?P<word>[a-z']+)"
    r"|(?P<odd>\S)"
)


@dataclass
class _Clause:
    """One clause, taken apart. ``path`` says where it stands."""

    text: str
    path: str
    words: list[str] = field(default_factory=list[str])
    fuel: Fraction | None = None
    ratio: Fraction | None = None
    level: int | None = None
    number: int | None = None
    defects: list[Refusal] = field(default_factory=list[Refusal])

    def refuse(self, problem: str, legal: str, near: Sequence[str] = ()) -> None:
        self.defects.append(malformed(f"“{self.text}”: {problem}", self.path, legal=legal, nearest=near))

    def has(self, *words: str) -> bool:
        return any(word in self.words for word in words)

    @property
    def is_forbidding(self) -> bool:
        return bool(_FORBIDDING & set(self.words))

    def allow(self, *allowed: str) -> None:
        """Refuse figures that this clause does not take."""
        for name in ("fuel", "ratio", "level", "number"):
            if name not in allowed and getattr(self, name) is not None:
                said = {"fuel": "fuel", "ratio": "a ratio", "level": "a level", "number": "a number"}[name]
                self.refuse(f"{said} says nothing here", _LEGAL)


_Reader = Callable[[_Clause], dict[str, object]]

# --- reading ----------------------------------------------------------------------------------------------------------


def read_orders(text: str, path: str, *, of_side: bool = False) -> tuple[StandingClauses, list[Refusal]]:
    """The orders that a text stands for, and every defect of it with the nearest thing meant.

    Clauses are separated by semicolons, commas or lines; a clause that is not mentioned is left to the next layer.
    """
    orders = NO_ORDERS
    refusals: list[Refusal] = []
    taken: dict[str, str] = {}
    if not text or " ".join(text.split()).casefold() in NO_WORDS:
        return orders, refusals
    said = orders_said(" ".join(text.split(" ")).removeprefix("All task forces: "))
    for piece in filter(None, (" ".join(one.split()) for one in re.split(r"[;,\n]", said))):
        clause = _take_apart(piece, path)
        found = _read_clause(clause, of_side=of_side) if not clause.defects else {}
        refusals += clause.defects
        if len(found) > 1:  # a bare "ask" gives way to a more exact order
            found = {name: value for name, value in found.items() if name not in taken}
        else:
            refusals += [_both(piece, taken[name], path) for name in found if name in taken]
            taken |= dict.fromkeys(found, piece)
        orders = orders.model_copy(update=found)
    return orders, refusals


def _both(piece: str, other: str, path: str) -> Refusal:
    return malformed(f"“{piece}” and “{other}” cannot both hold", path, legal="one of them")


def _take_apart(piece: str, path: str) -> _Clause:
    clause = _Clause(piece, path)
    for token in _TOKEN.finditer(piece.casefold().replace("don't", "dont")):
        match token.lastgroup:
            case "fuel":
                clause.fuel = parse_rational(token["fuel"])
            case "ratio":
                clause.ratio = parse_rational(token["ratio"])
                if clause.ratio == 0:
                    clause.refuse("a ratio is more than nought", "x1.5")
            case "level":
                clause.level = int(token["level"])
                if clause.level > 3:
                    clause.refuse("a level is ID0 to ID3", "id0, id1, id2, id3")
            case "number":
                clause.number = int(token["number"])
            case "word":
                clause.words.append(token["word"])
            case _:
                clause.refuse(f"“{token['odd']}” cannot be read", EXAMPLE)
    return clause


def _read_clause(clause: _Clause, *, of_side: bool) -> dict[str, object]:
    subjects = list(dict.fromkeys(_SUBJECTS[word] for word in clause.words if word in _SUBJECTS))
    known = {*_SUBJECTS, *_FORBIDDING, *_FILLERS, *_EXTRAS}
    for word in clause.words:
        if word not in known:
            near = nearest(word, sorted(known - _FILLERS))
            clause.refuse(f"“{word}” is not understood", _LEGAL, near)
    topic = next((one for one in subjects if one != "ask"), "ask" if subjects else None)
    if topic is None:
        if not clause.defects:
            clause.refuse("it does not say what to do", _LEGAL)
        return {}
    if topic == "settled" and not of_side:
        clause.refuse("settled hexes are the side's, not a task force's", "on the line of the whole side")
        return {}
    return _READERS[topic](clause) if not clause.defects else {}


def _search(clause: _Clause) -> dict[str, object]:
    clause.allow("fuel", "level")
    what = _what(clause, "search")
    if clause.level == 0:
        clause.refuse("nothing is below ID0 but U; say below id1", "below id1, below id2, below id3")
    below = 3 if clause.level is None else clause.level
    return {"search": SearchOrder(what=cast('Literal["ask", "never", "search"]', what), below=below, keep=clause.fuel)}


def _shadow(clause: _Clause) -> dict[str, object]:
    clause.allow("fuel")
    if clause.has("ask"):
        clause.refuse("shadowing is declared with a search", "shadow, no shadow, search ask")
    return {"shadow": ShadowOrder(what="never" if clause.is_forbidding else "shadow", keep=clause.fuel)}


def _attack(clause: _Clause) -> dict[str, object]:
    clause.allow("fuel", "level", "ratio")
    what = cast('Literal["ask", "never", "attack"]', _what(clause, "attack"))
    if clause.ratio is not None and clause.level == 0:
        clause.refuse("movement costs are not known at ID0", "attack id1 x1.5")
    level = (1 if clause.ratio is not None else 0) if clause.level is None else clause.level
    bases = clause.has("bases", "base")
    return {"attack": AttackOrder(what=what, level=level, ratio=clause.ratio, keep=clause.fuel, bases=bases)}


def _what(clause: _Clause, act: str) -> str:
    what = "ask" if clause.has("ask") else "never" if clause.is_forbidding else act
    if what != act and any(one is not None for one in (clause.fuel, clause.level, clause.ratio)):
        clause.refuse("conditions belong to what it does by itself", f"{act}, or {act} {what}")
    return what


def _probes(clause: _Clause) -> dict[str, object]:
    clause.allow("number")
    if clause.is_forbidding:
        return {"probes": 0}
    if clause.number is None or clause.number > MOST_PROBES:
        clause.refuse("say how many probes a successful search may spend", f"probes 0 to probes {MOST_PROBES}")
        return {}
    return {"probes": clause.number}


def _moves(move: Move) -> _Reader:
    def read(clause: _Clause) -> dict[str, object]:
        clause.allow()
        if clause.has("ask"):
            return {"move": "ask"}
        if clause.is_forbidding or move == "ask":
            problem = "say what it does instead" if clause.is_forbidding else "say how it moves"
            clause.refuse(problem, "withdraw, hold, go on, ask moves")
        return {"move": move}

    return read


def _pursue(clause: _Clause) -> dict[str, object]:
    clause.allow()
    pursuit: Pursuit = "battle"
    if clause.has("ask"):
        pursuit = "ask"
    elif clause.is_forbidding:
        pursuit = "never"
    elif clause.has("shadow"):
        pursuit = "shadow"
    return {"pursue": pursuit}


def _one_of(name: str, usual: str, forbidding: str | None = "never", *, may_ask: bool = True) -> _Reader:
    """A reader for a clause of one word: its usual meaning, the meaning of ``no``, and ``ask``."""

    def read(clause: _Clause) -> dict[str, object]:
        clause.allow()
        if clause.has("ask"):
            if not may_ask:
                clause.refuse("nobody is asked about that", f"{name} {usual}, {name} {forbidding}")
            return {name: "ask"}
        if not clause.is_forbidding:
            return {name: usual}
        if forbidding is None:
            clause.refuse("it cannot be forbidden", f"{name} {usual}, {name} ask")
        return {name: forbidding}

    return read


def _ask(clause: _Clause) -> dict[str, object]:
    clause.allow()
    if clause.has("step", "steps"):
        return {"asks": "steps"}
    if clause.has("contact"):
        return {"asks": "contact"}
    return {"search": SearchOrder(what="ask"), "attack": AttackOrder(what="ask"), "move": "ask"}


_EXTRAS = {
    "below", "bases", "base", "contact", "step", "steps", "full", "keep", "battle", "fuel", "me", "all", "route",
    "hexes", "us", "ours",
}  # fmt: skip
_READERS: dict[str, _Reader] = {
    "search": _search,
    "shadow": _shadow,
    "probes": _probes,
    "attack": _attack,
    "withdraw": _moves("withdraw"),
    "hold": _moves("hold"),
    "go": _moves("go on"),
    "moves": _moves("ask"),
    "pursue": _pursue,
    "raid": _one_of("raid", "raid"),
    "sweep": _one_of("sweep", "sweep"),
    "power": _one_of("power", "full", None),
    "regroup": _one_of("regroup", "keep", "keep"),
    "settled": _one_of("settled", "search", may_ask=False),
    "ask": _ask,
}


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


def single_clause(name: str, value: str) -> str:
    """An order of one word as it is written: ``raid``, ``raid never``."""
    return name if value == name else f"{name} {value}"


def _fuel(keep: Fraction | None) -> str:
    return f" fuel>{_figure(keep)}" if keep is not None else ""


@rule("1.5")
def _figure(value: Fraction) -> str:
    """A figure as it can be typed: ``1.5`` where that is exact, else ``2/3``."""
    tens = value * 100
    return f"{float(value):g}" if tens.denominator == 1 else str(value)
