"""When a duel is decided, who has won, and who is out of play. VM-N20 to VM-N25"""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.rulebooks.vector.campaign.deeds import catching_counts, yet_to_come
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState

RULE = "VM-N25"


def out_of_play(state: VectorState) -> frozenset[Side]:
    """The captains who have no ship left, as everybody was told. VM-N25"""
    return frozenset(key for key, one in state.captains.items() if one.out)


def has_ships(state: VectorState, side: Side) -> bool:
    """Whether a captain has a ship in play, or one that is still to come."""
    return bool(state.flying(side) or yet_to_come(state, side))


def is_decided(state: VectorState) -> bool:
    """Whether nothing that is still flown can change who wins. VM-N25"""
    if not state.revealed:
        return False
    if couriers := state.with_aim("courier"):
        hunted = any(has_ships(state, one.id) for one in couriers)
        return not hunted or not any(has_ships(state, one.id) for one in state.with_aim("hunter"))
    left = [one for one in state.captains.values() if has_ships(state, one.id)]
    return len(left) < 2 or any(one.done_on for one in state.captains.values())


def ending(state: VectorState) -> Ending | None:
    """How it ended, at a turn's end; None while it goes on. VM-N25"""
    turn = state.battle.turn
    if not turn:
        return None
    over = turn >= state.turns or (bool(state.with_aim("hunter")) and not catching_counts(state, turn + 1))
    if not is_decided(state) and not over:
        return None
    winners, text = _result(state)
    scores = {key: say_score(state, one) for key, one in state.captains.items()}
    return Ending(winners=winners, scores=scores, text=f"{text} {_say_winners(state, winners)}", rule=RULE)


def _say_winners(state: VectorState, winners: tuple[Side, ...]) -> str:
    return f"{_names(state, winners)} {verb(len(winners), 'has', 'have')} won." if winners else "Nobody has won."


def _result(state: VectorState) -> tuple[tuple[Side, ...], str]:
    if state.with_aim("courier"):
        return _chase(state)
    if done := [one for one in state.captains.values() if one.done_on]:
        first = min(one.done_on for one in done)
        won = tuple(one.id for one in done if one.done_on == first)
        what = "crossed the line" if state.with_aim("racer") else "gathered"
        return won, f"{_names(state, won)} {what} first, on {say_clock(first)}."
    left = tuple(one.id for one in state.captains.values() if has_ships(state, one.id))
    if len(left) == 1:
        return left, f"{_names(state, left)} alone has ships left."
    if state.with_aim("racer"):
        furthest = max(_furthest(one) for one in state.captains.values())
        ahead = tuple(one.id for one in state.captains.values() if _furthest(one) == furthest)
        if len(ahead) < len(state.captains):
            return ahead, f"Nobody crossed the line. {_names(state, ahead)} passed most buoys: {furthest}."
        return (), "Nobody crossed the line, and nobody is ahead."
    return (), "No squadron has gathered."


def _chase(state: VectorState) -> tuple[tuple[Side, ...], str]:
    """Couriers win who save half their ships or more; hunters if no courier does, those who caught most. VM-N25"""
    safe = tuple(one.id for one in state.with_aim("courier") if 2 * _safe(state, one) >= len(state.fleet(one.id)))
    if safe:
        away = any(one.away for one in state.with_aim("courier") if one.id in safe)
        return safe, f"{_names(state, safe)} got away." if away else f"{_names(state, safe)} was not caught in time."
    hunters = state.with_aim("hunter")
    most = max(len(one.caught) for one in hunters)
    won = tuple(one.id for one in hunters if len(one.caught) == most)
    return won, f"{_names(state, won)} caught the courier." if most else "The courier was destroyed."


def _safe(state: VectorState, captain: VectorCaptain) -> int:
    """How many of a courier's ships are away, or have not been caught."""
    return len(captain.away) + len(state.flying(captain.id)) + len(yet_to_come(state, captain.id))


def _furthest(captain: VectorCaptain) -> int:
    return max(captain.passed.values(), default=0)


def _names(state: VectorState, sides: tuple[Side, ...]) -> str:
    return " and ".join(state.captains[one].name for one in sides)


def say_clock(clock: int) -> str:
    """An impulse counted from the battle's beginning, in words: ``turn 3, impulse 12``."""
    turn, impulse = divmod(clock - 1, IMPULSES)
    return f"turn {turn + 1}, impulse {impulse + 1}"


def say_score(state: VectorState, captain: VectorCaptain) -> str:
    """What a captain has reached, in a few words."""
    match captain.aim:
        case "courier":
            return f"{counted(len(captain.away), 'ship')} away"
        case "hunter":
            return f"{counted(len(captain.caught), 'ship')} caught"
        case "racer" if captain.done_on:
            return f"over the line on {say_clock(captain.done_on)}"
        case "racer":
            return f"{_furthest(captain)} of {counted(state.buoys, 'buoy')}"
        case "squadron":
            return f"gathered on {say_clock(captain.done_on)}" if captain.done_on else "not gathered"
