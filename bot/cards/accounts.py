"""The others' account on a card: when a side may take it over, and which account its button stands for."""

from collections.abc import Sequence
from typing import Any

from rules_engine.core.basics.canonical_json import digest
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator

MOST_TOLD = 1_700
"""Characters of a list of differences in one message."""


def differences_for(adjudicator: Adjudicator[Any], ask: AnyAsk, side: str) -> Sequence[str]:
    """Where the accounts differ that were sent so far; nothing for a side whose force has sent none."""
    if not ask.is_shared or adjudicator.saved(side, ask.id) is None:
        return ()
    return adjudicator.compared(ask.id).differences


def others_account(adjudicator: Adjudicator[Any], ask: AnyAsk, side: str) -> Any:
    """The account that all other forces which sent one agree on; None where there is no such one."""
    others = [force for force in ask.forces if side not in force]
    sent = [account for one in others if (account := adjudicator.saved(one[0], ask.id)) is not None]
    return sent[0] if sent and all(account == sent[0] for account in sent) else None


def account_mark(ask: AnyAsk, account: Any) -> str:
    """What a button says of an account, so that nobody takes over another than the one they were shown."""
    return digest(ask.document_of(account, None))[:8]


def differences_told(differences: Sequence[str], most: int = MOST_TOLD) -> str:
    """How accounts differ, a line each; what does not fit into ``most`` characters is counted."""
    told: list[str] = []
    for number, line in enumerate(differences):
        told.append(f"✏️ {line}")
        if len("\n".join(told)) > most:
            return "\n".join([*told[:-1], f"… and {len(differences) - number} more"])
    return "\n".join(told)
