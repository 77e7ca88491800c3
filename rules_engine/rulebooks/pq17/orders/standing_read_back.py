"""Standing orders in plain language, as their owner reads them back, and such language as orders."""

from collections.abc import Iterator
from fractions import Fraction

from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.standing.read_back import FIGURE, as_orders, plain_sentences, sentence
from rules_engine.rulebooks.pq17.records.standing_orders import AttackOrder, Move, Pursuit, SearchOrder, StandingClauses


def say_orders(orders: StandingClauses, *, of_side: bool = False) -> str:
    """Orders in plain sentences; clauses without an order are left out."""
    return " ".join(_sentences(orders, of_side=of_side))


def _sentences(orders: StandingClauses, *, of_side: bool) -> Iterator[str]:
    if orders.asks is not None:
        yield (
            "When a contact is made you are asked once, on one sheet."
            if orders.asks == "contact"
            else "You are asked at every step that leaves a choice."
        )
    if orders.search is not None:
        yield _say_search(orders.search)
    if orders.shadow is not None:
        shadowing = orders.shadow.what == "shadow"
        yield f"Shadows what it finds{_say_fuel(orders.shadow.keep)}." if shadowing else "Does not begin to shadow."
    if orders.probes:
        yield f"Spends up to {orders.probes} probe{'s' if orders.probes > 1 else ''} on a search that succeeds."
    elif orders.probes == 0:
        yield "Spends no probes."
    if orders.attack is not None:
        yield _say_attack(orders.attack)
    if orders.raid is not None:
        yield _RAIDS[orders.raid]
    if orders.sweep is not None:
        yield _SWEEPS[orders.sweep]
    if orders.move is not None:
        yield _MOVES[orders.move]
    if orders.pursue is not None:
        yield _PURSUITS[orders.pursue]
    if orders.power is not None:
        yield "Attacked, it fights with full power." if orders.power == "full" else "Attacked, it asks about power."
    if orders.regroup is not None:
        yield (
            "After a battle task forces stay as they are."
            if orders.regroup == "keep"
            else "Asks how to regroup after a battle."
        )
    if orders.settled is not None and of_side:
        yield "Settled hexes search on their own." if orders.settled == "search" else "Settled hexes do not search."


_MOVES: dict[Move, str] = {
    "ask": "Asks where to go while in contact.",
    "go on": "Flies on along its route, contact or not.",
    "hold": "Stays in its hex while in contact.",
    "withdraw": "Leaves a hex with a contact at its next move, towards home.",
}
_RAIDS = {
    "ask": "Asks whether to raid a settled hex.",
    "never": "Raids no settled hex.",
    "raid": "Raids an enemy settled hex that it comes to.",
}
_SWEEPS = {
    "ask": "Asks whether to sweep mines.",
    "never": "Sweeps no mines.",
    "sweep": "Sweeps mines if it has a minesweeper.",
}
_PURSUITS: dict[Pursuit, str] = {
    "ask": "Asks whom to pursue.",
    "never": "Pursues nobody.",
    "shadow": "Pursues those who withdraw, to shadow them.",
    "battle": "Pursues those who withdraw, to fight them.",
}


def _say_search(order: SearchOrder) -> str:
    match order.what:
        case "ask":
            return "Asks whether to search."
        case "never":
            return "Searches nobody."
        case "search":
            below = f" below ID{order.below}" if order.below < 3 else ""
            return f"Searches what appears{below}{_say_fuel(order.keep)}."


def _say_attack(order: AttackOrder) -> str:
    match order.what:
        case "ask":
            return "Asks whether to attack."
        case "never":
            return "Attacks nobody."
        case "attack":
            ratio = (
                f", if its movement cost is known and at most {show_fraction(order.ratio)} times ours"
                if order.ratio is not None
                else ""
            )
            bases = ", bases too" if order.bases else "; never bases or what stands beside one"
            return f"Attacks what it holds at ID{order.level} or better{ratio}{_say_fuel(order.keep)}{bases}."


def _say_fuel(keep: Fraction | None) -> str:
    return f" if every ship keeps more than {show_fraction(keep)} fuel" if keep is not None else ""


# --- sentences as orders ----------------------------------------------------------------------------------------------

_KEEPS = rf"(?: if every ship keeps more than {FIGURE.format('fuel')} fuel)?"
_PLAIN: dict[str, str] = {
    "When a contact is made you are asked once, on one sheet.": "ask on contact",
    "You are asked at every step that leaves a choice.": "ask every step",
    "Asks whether to search.": "search ask",
    "Searches nobody.": "search never",
    "Does not begin to shadow.": "shadow never",
    "Spends no probes.": "probes 0",
    "Asks whether to attack.": "attack ask",
    "Attacks nobody.": "attack never",
    **{said: "raid" if word == "raid" else f"raid {word}" for word, said in _RAIDS.items()},
    **{said: "sweep" if word == "sweep" else f"sweep {word}" for word, said in _SWEEPS.items()},
    **{said: "ask moves" if word == "ask" else word for word, said in _MOVES.items()},
    **{said: f"pursue {word}" for word, said in _PURSUITS.items()},
    "Attacked, it fights with full power.": "power full",
    "Attacked, it asks about power.": "power ask",
    "After a battle task forces stay as they are.": "regroup keep",
    "Asks how to regroup after a battle.": "regroup ask",
    "Settled hexes search on their own.": "settled search",
    "Settled hexes do not search.": "settled never",
}
"""Sentences without figures, and the order that each stands for."""
_SENTENCES = [
    *plain_sentences(_PLAIN),
    (sentence(rf"Searches what appears(?: below (?P<below>ID\d))?{_KEEPS}"), "search"),
    (sentence(rf"Shadows what it finds{_KEEPS}"), "shadow"),
    (sentence(r"Spends up to (?P<number>\d+) probes? on a search that succeeds"), "probes"),
    (
        sentence(
            r"Attacks what it holds at (?P<level>ID\d) or better"
            rf"(?:, if its movement cost is known and at most {FIGURE.format('ratio')} times ours)?{_KEEPS}"
            r"(?P<bases>, bases too)?(?:; never bases or what stands beside one)?"
        ),
        "attack",
    ),
]
_WRITTEN = {"below": "below {}", "number": "{}", "level": "{}", "ratio": "x{}", "fuel": "fuel>{}", "bases": "bases"}


def orders_said(text: str) -> str:
    """A text in which sentences that were read back stand as the orders that they are; the rest is left as it is."""
    return as_orders(text, _SENTENCES, _WRITTEN)
