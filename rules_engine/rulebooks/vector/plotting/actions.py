"""The words of a plot's actions: what may be said to a unit, and how it is written."""

from collections.abc import Callable
from typing import NamedTuple, get_args

from rules_engine.core.grids.space import WAYS, Way
from rules_engine.rulebooks.vector.records.plots import MOST_HET_ENERGY, PlotAction, PlotEvent
from rules_engine.rulebooks.vector.typed.clauses import Words
from rules_engine.rulebooks.vector.typed.names import BattleNames

MOST_HEXES = 999

LEGAL: dict[PlotAction, str] = {
    "accelerate": "accelerate 6 on 1",
    "reverse": "reverse 2 on 1",
    "turn": "turn left on 4, turn right on 4, turn towards H2 on 4",
    "het": "het E on 9",
    "stop": "stop on 3",
    "slip": "slip left on 5",
    "reserve": "reserve 3 on 1",
    "launch": "launch D1 C 12 on 4",
    "land": "land on H1 on 20",
    "weasel": "weasel on 2",
}
"""Each action as it may be said."""

VERBS: dict[str, PlotAction] = {
    **{one: one for one in get_args(PlotAction)},
    "thrust": "accelerate",
    "accel": "accelerate",
    "ahead": "accelerate",
    "back": "reverse",
    "rotate": "turn",
    "sideslip": "slip",
}
"""The words that begin an action."""

_HANDS = {"left": "left", "port": "left", "right": "right", "starboard": "right", "towards": "towards", "away": "away"}
_SIDES = {"left": "left", "port": "left", "right": "right", "starboard": "right"}
BY_LETTER: dict[str, Way] = {one.casefold(): one for one in WAYS}
"""The six directions by their letters."""
_KINDS = ("drone", "shuttle", "pf", "plasma", "torpedo", "fighter", "weasel")
"""Words that may stand before the name of what is launched."""
_PREPOSITIONS = ("on", "at", "in", "@")
_PAID = ("by", "with")
_PAYING = ("accelerate", "reverse", "turn", "reserve")
"""What may be done with the point of impulse power; of reserve, that it is added as such."""


class Action(NamedTuple):
    """An action as it was said; ``on`` is the impulse that was named with it, if one was."""

    event: PlotEvent
    on: int | None = None


def read_action(action: PlotAction, words: Words, names: BattleNames) -> Action:
    """What an action's words say, after its verb.

    Raises:
        Misread: for the first word that has no meaning there.
    """
    words.legal = LEGAL[action]
    event = _READERS[action](PlotEvent(action=action), words, names) if action in _READERS else PlotEvent(action=action)
    on: int | None = None
    by_impulse = False
    while words.left:
        if on is None and words.skip(*_PREPOSITIONS):
            words.skip("impulse", "imp")
            on = words.number("an impulse", 1, 32)
        elif action in _PAYING and not by_impulse and words.skip(*_PAID):
            by_impulse = bool(words.one_of({"impulse": "impulse"}, "what it is paid with"))
            words.skip("power")
        else:
            raise words.odd()
    return Action(event.with_values(by_impulse=by_impulse), on)


def _hexes(event: PlotEvent, words: Words, _: BattleNames) -> PlotEvent:
    amount = words.number("a number of hexes", 1, MOST_HEXES)
    words.skip("hexes", "hex")
    return event.with_values(amount=amount)


def _points(event: PlotEvent, words: Words, _: BattleNames) -> PlotEvent:
    amount = words.number("a number of points", 1, MOST_HEXES)
    words.skip("points", "point")
    return event.with_values(amount=amount)


def _turn(event: PlotEvent, words: Words, names: BattleNames) -> PlotEvent:
    hand = words.one_of(_HANDS, "a side")
    if hand in ("left", "right") or not words.left or words.next in (*_PREPOSITIONS, *_PAID):
        return event.with_values(hand=hand)
    words.skip("from")
    if words.skip("nearest", "closest", "enemy"):
        words.skip("enemy")
        return event.with_values(hand=hand)
    return event.with_values(hand=hand, subject=words.named(names.seen, "unit", names.like_seen))


def _slip(event: PlotEvent, words: Words, _: BattleNames) -> PlotEvent:
    return event.with_values(hand=words.one_of(_SIDES, "a side"))


def _het(event: PlotEvent, words: Words, _: BattleNames) -> PlotEvent:
    words.skip("to")
    event = event.with_values(facing=words.one_of(BY_LETTER, "a direction"))
    if not words.skip("energy", "for"):
        return event
    energy = words.number("a number of points", 0, MOST_HET_ENERGY)
    words.skip("points", "point", "energy")
    return event.with_values(energy=energy)


def _launch(event: PlotEvent, words: Words, names: BattleNames) -> PlotEvent:
    words.skip(*_KINDS)
    subject = words.named(names.aboard, "unit to launch", names.like_aboard)
    if words.next not in BY_LETTER and not words.is_number():
        return event.with_values(subject=subject)
    facing, amount = words.next, 0
    if words.is_number():  # 12 C, as a vector is written
        amount = words.number("a number of hexes", 0, MOST_HEXES)
        facing = words.one_of(BY_LETTER, "a direction")
    else:
        facing = words.one_of(BY_LETTER, "a direction")
        amount = words.number("a number of hexes", 0, MOST_HEXES)
    return event.with_values(subject=subject, facing=facing, amount=amount)


def _weasel(event: PlotEvent, words: Words, names: BattleNames) -> PlotEvent:
    if not words.left or words.next in _PREPOSITIONS:
        return event
    return event.with_values(subject=words.named(names.aboard, "unit to launch", names.like_aboard))


def _land(event: PlotEvent, words: Words, names: BattleNames) -> PlotEvent:
    words.skip("on", "aboard")
    return event.with_values(subject=words.named(names.friendly, "unit to land on", names.like_friendly))


_READERS: dict[PlotAction, Callable[[PlotEvent, Words, BattleNames], PlotEvent]] = {
    "accelerate": _hexes,
    "reverse": _hexes,
    "turn": _turn,
    "het": _het,
    "slip": _slip,
    "reserve": _points,
    "launch": _launch,
    "land": _land,
    "weasel": _weasel,
}


def write_action(event: PlotEvent) -> str:
    """An action without its impulse or condition, as it is read again."""
    parts: list[str] = [event.action]
    match event.action:
        case "accelerate" | "reverse" | "reserve":
            parts.append(str(event.amount))
        case "turn" | "slip":
            parts += [event.hand or "", *([event.subject] if event.subject else [])]
        case "het":
            parts += [event.facing or "", *([] if event.energy is None else ["energy", str(event.energy)])]
        case "launch":
            parts += [event.subject, *([event.facing, str(event.amount)] if event.facing else [])]
        case "land":
            parts += ["on", event.subject]
        case "weasel":
            parts += filter(None, [event.subject])
        case "stop":
            pass
    return " ".join([*parts, *(["by impulse"] if event.by_impulse else [])])
