"""Standing orders of a stack as captains write and read them: ``stop; break out; let go ask; within 1; return``.

What a clause orders stands until another one changes it; what a text leaves out stays as it is.
"""

import re
from collections.abc import Iterator, Mapping

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.standing.read_back import as_orders
from rules_engine.core.standing.words import Clause, FigureWord, Reader, Vocabulary, one_of, read_clauses
from rules_engine.rulebooks.border_patrol.records.orders import Held, Onward, StackOrders

EXAMPLE = "stop, break out, let go ask"
FARTHEST = 9

_SUBJECTS: dict[str, str] = {
    "go": "onward", "goes": "onward", "stop": "onward", "stops": "onward", "turn": "onward", "turns": "onward",
    "ahead": "onward",
    "stay": "held", "stays": "held", "withdraw": "held", "withdraws": "held", "break": "held", "breaks": "held",
    "let": "let_go", "lets": "let_go", "refuse": "let_go", "refuses": "let_go",
    "within": "within",
    "return": "after", "returns": "after",
    "keep": "company", "keeps": "company", "together": "company",
    "convoy": "convoys", "convoys": "convoys", "fight": "convoys", "spare": "convoys",
    "ask": "ask",
}  # fmt: skip
_LEGAL = (
    "go on, stop, turn back, ask ahead; stay, withdraw, break out; refuse, let go, let go ask; within 1; return, "
    "return ask; fight convoys, convoys ask; keep together"
)
_FILLERS = frozenset({"if", "it", "is", "the", "others", "me", "them", "before", "and", "or", "hex", "hexes", "always"})
_EXTRAS = frozenset({"on", "back", "out"})


def _number(written: str) -> int:
    return int(written[:6])  # more is too much in any case


_FIGURES = {"number": FigureWord(r"(?P<number>\d+)", "a number", _number)}


# --- reading ----------------------------------------------------------------------------------------------------------


def read_orders(text: str, path: str) -> tuple[dict[str, object], list[Refusal]]:
    """What a text orders, by the fields of a stack's orders, and every defect with the nearest thing meant."""
    found, refusals = read_clauses(text, path, _WORDS)
    return ({} if refusals else found), refusals


def _onward(clause: Clause) -> dict[str, object]:
    clause.allow()
    if clause.has("ask"):
        return {"onward": "ask"}
    said: dict[Onward, bool] = {
        "go on": clause.has("go", "goes") and clause.has("on"),
        "stop": clause.has("stop", "stops"),
        "turn back": clause.has("turn", "turns") and clause.has("back"),
    }
    meant = [word for word, true in said.items() if true]
    if len(meant) != 1 or clause.is_forbidding:
        clause.refuse("say what it does before others", "go on, stop, turn back, ask ahead")
        return {}
    return {"onward": meant[0]}


def _held(clause: Clause) -> dict[str, object]:
    clause.allow()
    legal = "stay, withdraw, break out, break out or withdraw"
    if clause.has("ask"):
        clause.refuse("nobody is asked about that", legal)
        return {}
    breaks, asks = clause.has("break", "breaks"), clause.has("withdraw", "withdraws")
    stays = clause.has("stay", "stays")
    meant: dict[tuple[bool, bool, bool], Held] = {
        (True, False, False): "stay",
        (False, True, False): "break out",
        (False, False, True): "withdraw",
        (False, True, True): "either",
    }
    held = meant.get((stays, breaks, asks))
    if held is None or clause.is_forbidding:
        clause.refuse("say what it does that others hold", legal)
        return {}
    return {"held": held}


def _let_go(clause: Clause) -> dict[str, object]:
    clause.allow()
    if clause.has("ask"):
        return {"let_go": "ask"}
    refuses = clause.has("refuse", "refuses")
    if refuses and (clause.has("let", "lets") or clause.is_forbidding):
        clause.refuse("say whether others may leave", "refuse, let go, let go ask")
        return {}
    return {"let_go": "refuse" if refuses or clause.is_forbidding else "let go"}


def _within(clause: Clause) -> dict[str, object]:
    clause.allow("number")
    number = clause.figures.get("number")
    if number is None or number > FARTHEST or clause.is_forbidding:
        clause.refuse("say how many hexes away it reacts", f"within 0 to within {FARTHEST}")
        return {}
    return {"within": number}


def _convoys(clause: Clause) -> dict[str, object]:
    clause.allow()
    if clause.has("ask"):
        return {"convoys": "ask"}
    fights, spares = clause.has("fight"), clause.has("spare")
    if fights == spares or (spares and clause.is_forbidding):
        clause.refuse("say whether it fights convoys", "fight convoys, spare convoys, convoys ask")
        return {}
    return {"convoys": "let run" if spares or clause.is_forbidding else "fight"}


def _ask(clause: Clause) -> dict[str, object]:
    clause.allow()
    clause.refuse("say what to ask about", "ask ahead, let go ask, return ask, convoys ask")
    return {}


_READERS: dict[str, Reader] = {
    "onward": _onward,
    "held": _held,
    "let_go": _let_go,
    "within": _within,
    "after": one_of("after", "go back", "stay"),
    "convoys": _convoys,
    "company": one_of("company", "keep together", "leave behind", may_ask=False),
    "ask": _ask,
}

# --- writing and saying -----------------------------------------------------------------------------------------------

CLAUSES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "onward": {
        "go on": ("go on", "goes on past others"),
        "stop": ("stop", "stops before others"),
        "turn back": ("turn back", "turns back before others"),
        "ask": ("ask ahead", "asks you before others"),
    },
    "held": {
        "stay": ("stay", "stays if held"),
        "withdraw": ("withdraw", "asks to leave if held"),
        "break out": ("break out", "breaks out if held"),
        "either": ("break out or withdraw", "breaks out or asks to leave if held"),
    },
    "let_go": {
        "refuse": ("refuse", "lets nobody leave"),
        "let go": ("let go", "lets others leave"),
        "ask": ("let go ask", "asks you who may leave"),
    },
    "after": {
        "stay": ("return never", "stays after a catch"),
        "go back": ("return", "goes back after a catch"),
        "ask": ("return ask", "asks you after a catch"),
    },
    "convoys": {
        "let run": ("spare convoys", "lets convoys run"),
        "fight": ("fight convoys", "fights convoys"),
        "ask": ("convoys ask", "asks you about convoys"),
    },
    "company": {
        "leave behind": ("keep together never", "leaves behind who cannot move"),
        "keep together": ("keep together", "keeps together"),
    },
}
"""Each order, as it is written and as it is read back."""
ALWAYS = ("onward", "held", "let_go")
"""What is written and said of every stack; the rest where it is not as usual."""


def say(clause: str, value: str) -> str:
    """An order as it is read back."""
    return CLAUSES[clause][value][1]


def write_orders(orders: StackOrders, farthest: int) -> str:
    """What a stack has for standing orders, in words that are read again: always what it does before others, held, and
    with others that would leave; the rest where it is not as usual. ``farthest`` is how far any zone reaches."""
    return "; ".join(_written(orders, farthest))


def _written(orders: StackOrders, farthest: int) -> Iterator[str]:
    usual = StackOrders()
    for clause, said in CLAUSES.items():
        value = getattr(orders, clause)
        if clause in ALWAYS or value != getattr(usual, clause):
            yield said[value][0]
    if orders.within < farthest:
        yield f"within {orders.within}"


def say_orders(orders: StackOrders, farthest: int) -> str:
    """The same as it is read back."""
    return "; ".join(_spoken(orders, farthest))


def _spoken(orders: StackOrders, farthest: int) -> Iterator[str]:
    usual = StackOrders()
    for clause in CLAUSES:
        value = getattr(orders, clause)
        if clause in ALWAYS or value != getattr(usual, clause):
            yield say(clause, value)
    if orders.within < farthest:
        yield say_within(orders.within)


def say_within(hexes: int) -> str:
    """How far away a stack reacts at most."""
    return f"reacts at most {counted(hexes, 'hex')} away"


_SENTENCES = [
    *(
        (re.compile(rf"{re.escape(said)}\.?", re.IGNORECASE), written)
        for clauses in CLAUSES.values()
        for written, said in sorted(clauses.values(), key=lambda one: -len(one[1]))
    ),
    (re.compile(r"(?:would react|reacts) at most (?P<number>\d+) hex(?:es)? away\.?", re.IGNORECASE), "within"),
]


def _as_written(text: str) -> str:
    return as_orders(text, _SENTENCES, {"number": "{}"})


_WORDS = Vocabulary(
    subjects=_SUBJECTS,
    readers=_READERS,
    figures=_FIGURES,
    fillers=_FILLERS,
    extras=_EXTRAS,
    legal=_LEGAL,
    example=EXAMPLE,
    as_written=_as_written,
)
