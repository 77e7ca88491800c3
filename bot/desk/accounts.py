"""Accounts of a battle: when one side may take the others' over, and how a card names the one it showed."""

from typing import Any

from rules_engine.core.asks import AnyAsk
from rules_engine.core.canon import digest
from rules_engine.core.referee import Referee


def others_account(referee: Referee[Any], ask: AnyAsk, side: str) -> Any:
    """The account that all other parties who sent one agree on; None where there is no such one."""
    sent = [account for one in ask.parties if one != side and (account := referee.saved(one, ask.id)) is not None]
    return sent[0] if sent and all(account == sent[0] for account in sent) else None


def account_mark(ask: AnyAsk, account: Any) -> str:
    """What a button says of an account, so that nobody takes over another than the one they were shown."""
    return digest(ask.document_of(account, None))[:8]
