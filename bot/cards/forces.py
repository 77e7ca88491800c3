"""Forces of several sides in words: who answers an ask together, and who of them has answered."""

from collections.abc import Mapping
from typing import Any

from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.core.protocol.asks import AnyAsk, Force
from rules_engine.core.running.adjudicator import Adjudicator


def is_of_two_sides(ask: AnyAsk) -> bool:
    """Whether one side is to agree with one other; of them both know who is meant without any name."""
    return ask.is_shared and len(ask.parties) == 2


def force_name(force: Force, names: Mapping[str, str]) -> str:
    """The sides of a force by name."""
    return in_a_row([names[side] for side in force])


def against_each_other(ask: AnyAsk, names: Mapping[str, str]) -> str:
    """All parties by name, force against force where one has several sides."""
    if len(ask.forces) == len(ask.parties):
        return in_a_row([names[side] for side in ask.parties])
    return " against ".join(force_name(force, names) for force in ask.forces)


def awaited(adjudicator: Adjudicator[Any], ask: AnyAsk, names: Mapping[str, str]) -> str:
    """Whose accounts have still to come; any side of a force can send its account."""
    missing = [force for force in ask.forces if adjudicator.saved(force[0], ask.id) is None]
    told = [f"{'one of ' if len(force) > 1 else ''}{force_name(force, names)}" for force in missing]
    return f"awaited: {', '.join(told)}" if told else "every account is in"


def who_has_answered(adjudicator: Adjudicator[Any], ask: AnyAsk, names: Mapping[str, str]) -> str:
    """Who has sent an account, force by force, and whose have still to come."""
    told: list[str] = []
    for force in ask.forces:
        sender = adjudicator.sender(force[0], ask.id)
        if sender is not None:
            together = f"{force_name(force, names)}: " if len(force) > 1 else ""
            told.append(f"{together}{names[sender]} has sent the account")
    return "; ".join([*told, awaited(adjudicator, ask, names)])
