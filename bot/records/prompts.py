"""A prompt: a sheet that is put to one side, and the messages in which its card stands."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from rules_engine.core.forms.forms import Sheet


class PromptStatus(StrEnum):
    """Whether a prompt may still be answered."""

    OPEN = "open"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Prompt:
    """An ask put to one side. ``token`` is what components carry; it says nothing. ``draft`` is what is kept of it."""

    token: str
    campaign_id: str
    ask_id: str
    side: str
    title: str
    kind: str
    status: PromptStatus
    opened_seq: int
    created_at: datetime
    draft: Sheet | None = None


@dataclass(frozen=True, slots=True)
class PromptCopy:
    """A message in which a prompt stands. ``user_id`` is whose direct message it is; 0 in a channel."""

    channel_id: int
    message_id: int
    user_id: int
